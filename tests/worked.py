"""The worked example of chapter 1, and names that mean harm: material the figure tests share."""

import numpy as np

TOKENS = ["I", "love", "AI"]
X = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]])
W_Q = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]])
W_K = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 0]])
W_V = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])
WEIGHTS = np.array([[0.070, 0.707, 0.223], [0.333, 0.333, 0.333], [0.168, 0.533, 0.299]])

HOSTILE = [
    "<script>window.harmed = 1</script>",
    '"><img src=x onerror="window.harmed = 1">',
    "</script><b>&amp;",
    "</script ",
    "<!-- <script ",
    "שלום עולם",
    "\u202edrawkcab\u202c",
    "👩‍👩‍👧",
    "word" * 50,
    "new\nline\ttab\x00nul",
    "",
    "\ud800",
    "$\\frac{1}{0}$",
    "\u2028-->]]>",
]


def head(rng, n=5, c=7, d=3, e=2):
    """A random X, W_Q, W_K, W_V; no two axes of one size, so none can be taken for another."""
    return tuple(rng.normal(size=size) for size in [(n, c), (c, d), (c, d), (c, e)])


def every_widget(tokens=None):
    """One of each figure on the worked example (or on as many rows as there are tokens)."""
    from attn.show import widgets

    nameless = _by_themselves(widgets) if tokens is None else []
    x = X if tokens is None else np.resize(X, (len(tokens), 4))
    tokens = tokens or TOKENS
    whole = widgets.Pipeline(x, W_Q, W_K, W_V, tokens, stage=4)
    return [
        widgets.Predict("Who?", tokens[1], choices=tokens, replies={tokens[0]: tokens[2]}, because=tokens[1]),
        widgets.Embedding(x, tokens, selected=1),
        widgets.Projection(x, W_Q, W_K, W_V, tokens, step=len(x) + 1),
        widgets.ScoreCells(whole.Q, whole.K, tokens, col=1),
        widgets.Heatmap(whole.weights, tokens, col=1),
        widgets.Heatmap(whole.scores - 3, tokens, kind="signed", name="S"),
        whole,
        widgets.SoftmaxSliders(np.resize([0.577, 2.887, 1.732], len(tokens)), tokens),
        *_steps_and_values(widgets, whole, tokens),
        *nameless,
    ]


def _by_themselves(widgets):
    return [
        widgets.TwoKeys(75, 0.5),
        _filled(widgets),
        widgets.SenseHead(),
        widgets.Cloze("she sat by the _ bank", ["river", "money"], selected=1),
        widgets.QueryPlane([1, 2], X[:, :2] * 2 - 0.5),
        widgets.Gauge(X[:, :2] + 0.5, X[:, 1:3] - 0.7, R=[[1, 0], [0.8, 1]]),
        widgets.Powers(WEIGHTS / WEIGHTS.sum(-1, keepdims=True), TOKENS, power=2),
        widgets.Nudge(tokens=TOKENS),
        widgets.SqueezedCloud(X[:, :2] * 2 - 0.6, TOKENS, angle=30, squeezed=True),
        widgets.TurnBack(X[:, :2] + 0.5, X[:, 1:3] - 0.7, TOKENS, angle=30),
        widgets.RotatingPairs([1, 0.5, 0.8, -0.6], [0.9, 0.2, 0.4, -1], m=3),
        widgets.NullSpace(X, W_K[:, :2], [1, 2], TOKENS, along=2),
    ]


def _filled(widgets):
    rows = np.random.default_rng(5).normal(size=(2, 40, 8))
    return widgets.FillMatrix(*rows / np.linalg.norm(rows, axis=-1, keepdims=True), n=20)


def _wide():
    rng = np.random.default_rng(6)
    return [*rng.normal(size=(3, 4, 6)).round(2), rng.normal(size=(6, 4)).round(2)]


def _steps_and_values(widgets, whole, tokens):
    n = len(tokens)
    causal = np.tri(n) / np.arange(1, n + 1)[:, None]
    return [
        widgets.Scaling(whole.scores, 3, tokens, scaled=True),
        widgets.Flow(whole.weights, tokens),
        widgets.Assembly(whole.weights, whole.V, tokens),
        widgets.CausalValues(causal, whole.V - 1, tokens, step=2),
        widgets.WritesSeen(np.eye(n) * 0.9 + 0.1, tokens, alpha=0.8),
        widgets.ManyHeads(whole.X, *_wide(), heads=3, tokens=tokens, head=1, row=n - 1),
        widgets.Hull(whole.V[:, :2] + np.arange(n)[:, None] % 3, np.arange(n) / n, tokens),
    ]
