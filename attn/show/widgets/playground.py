"""The playground of chapter 10: one head whose every part can be changed."""

import numpy as np

from attn import core, softmax
from attn.show import figures
from attn.show.kit import presets, text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, positive, same
from attn.show.kit.traits import Matrix, Name, Position, Real, StateError, Tokens

LONGEST = 128  # tokens
MASKS = ("none", "causal", "window", "prefix", "painted")
START = "do re mi fa do re mi fa"


class Playground(Widget):
    """Change anything about one head and watch what it does.

        A = softmax(S / τ + M),   S = scale · Q Kᵀ,   Y = A V

    tokens: up to 128 names or a sentence;  Q, K: (n, d);  V: (n, e);  left out, Q and K are random, V tells a token's
    place and its number among the distinct ones.   scale: 1/√d unless given;  temperature: τ > 0.
    mask: "none", "causal", "window" (the last `window` keys, the query's own among them), "prefix" (causal, but all
    see the first `prefix` keys), "painted", or a bool (n, n) array, which is then the painted one.
    preset: one of presets.PRESETS, which then makes Q, K, V, mask and scale; a higher temperature makes it softer.
    row, col: the chosen cell; the last row's largest weight unless given.   Raises ValueError or TypeError.
    .scores -> (n, n), S before the mask;  .mask_matrix -> bool (n, n);  .weights -> (n, n);  .output -> (n, e);
    .row_sums, .entropies -> (n,);  .ranks -> (rank of S, rank of A), to a thousandth
    """

    view = "playground"
    tokens = Tokens()
    Q = Matrix()
    K = Matrix()
    V = Matrix()
    mask = Name("none")
    painted = Matrix()
    window = Position()
    prefix = Position()
    temperature = Real(1.0)
    scale = Real(1.0)
    preset = Name("")
    row = Position()
    col = Position()

    def __init__(
        self, tokens=None, Q=None, K=None, V=None, *, mask="none", window=2, prefix=2, temperature=1.0, scale=None,
        preset=None, row=None, col=None,
    ):  # fmt: skip
        n = len(Q) if tokens is None and Q is not None else 8
        tokens = (START.split() * (n // 8 + 1))[:n] if tokens is None else tokens
        tokens = type(self).tokens.validate(self, tokens)
        if not 1 <= len(tokens) <= LONGEST:
            raise StateError(f"tokens has {len(tokens)} names; the playground takes 1 to {LONGEST}")
        painted = presets.pattern("causal", len(tokens)) if isinstance(mask, str) else _boolean(mask)
        state = dict(mask=mask if isinstance(mask, str) else "painted", temperature=temperature, preset="")
        if preset is None:
            state |= _matrices(len(tokens), Q, K)
            state |= dict(V=presets.places_and_numbers(tokens) if V is None else V)
            state |= dict(scale=np.shape(state["Q"])[-1] ** -0.5 if scale is None else scale)
        elif Q is not None or K is not None or V is not None:
            raise StateError(f"preset {preset!r} makes Q, K and V itself: give them or a preset, not both")
        else:
            state |= _preset(preset, tokens, window) | dict(temperature=temperature)
        state |= dict(row=len(tokens) - 1 if row is None else row, col=0 if col is None else col)
        super().__init__(tokens=tokens, painted=painted, window=window, prefix=prefix, **state)
        if col is None:
            self.col = int(self.weights[self.row].argmax())

    def check(self, s):
        n = len(s.tokens)
        sizes = {"tokens": n, "Q": len(s.Q), "K": len(s.K), "V": len(s.V), "mask": len(s.painted)}
        same("the number of tokens", {**sizes, "the columns of mask": len(s.painted[0])})
        same("the width d", {"Q": len(s.Q[0]), "K": len(s.K[0])})
        if s.mask not in MASKS:
            raise StateError(f"mask is {s.mask!r}; the masks are {', '.join(MASKS)}")
        if s.preset not in ("", *presets.PRESETS):
            raise StateError(f"there is no preset {s.preset!r}; the presets are {', '.join(presets.PRESETS)}")
        if n > LONGEST:
            raise StateError(f"tokens has {n} names; the playground takes 1 to {LONGEST}")
        positive("temperature", s.temperature)
        positive("window", s.window)
        place("prefix", s.prefix, LONGEST + 1, "lengths")
        place("row", s.row, n, "tokens")
        place("col", s.col, n, "tokens")

    scores = property(
        lambda self: core.scores(np.array(self.Q), np.array(self.K), scale=self.scale), doc="S.   -> (n, n)"
    )
    output = property(lambda self: self.weights @ np.array(self.V), doc="Y = A V.   -> (n, e)")
    row_sums = property(lambda self: self.weights.sum(axis=1), doc="1, or 0 where a row sees nothing.   -> (n,)")
    entropies = property(lambda self: softmax.entropy(self.weights), doc="Of each row, in nats.   -> (n,)")
    ranks = property(lambda self: (presets.rank(self.scores), presets.rank(self.weights)), doc="Of S and of A.")

    @property
    def mask_matrix(self):
        """True where a query may attend.   -> bool (n, n)"""
        if self.mask == "painted":
            return np.array(self.painted, bool)
        return presets.pattern(self.mask, len(self.tokens), window=self.window, prefix=self.prefix)

    @property
    def weights(self):
        """softmax(S / τ + M); a row that sees nothing is zeros.   -> (n, n)"""
        return softmax.softmax(self.scores / self.temperature, self.mask_matrix)

    def sentence(self):
        i, j = self.row, self.col
        allowed = "allowed" if self.mask_matrix[i, j] else "masked"
        cell = f"score {text.number(self.scores[i, j])}, {allowed}, weight {_near(self.weights[i, j])}"
        told = f"{text.quoted(self.tokens[i])} to {text.quoted(self.tokens[j])}: {cell}. The row sums to "
        told += f"{text.number(self.row_sums[i])}, its entropy is {text.number(self.entropies[i])} nats."
        if len(self.tokens) <= 5:  # too few for the challenge that asks for ranks
            return told
        of_scores, of_weights = self.ranks
        return f"{told} Ranks to a thousandth: S {of_scores}, A {of_weights}."

    def tables(self):
        names, i = self.tokens, self.row
        rows, picked = (names, slice(None)) if len(names) <= 32 else ([names[i]], slice(i, i + 1))
        return [
            ("S, the scores", self.scores[picked], rows, names),
            ("The mask: 1 may attend, 0 may not", self.mask_matrix[picked].astype(int), rows, names),
            ("A, the weights", self.weights[picked], rows, names),
            ("Y = A V, the output", self.output[picked], rows, None),
        ]

    def static(self):
        masked = np.where(self.mask_matrix, self.scores, -np.inf)
        parts = [("S, masked", masked, self.tokens), ("A", self.weights, self.tokens), ("Y = A V", self.output)]
        return figures.matrices(parts, self.tokens, title="One head")


def _near(share):
    """A share that is neither nothing nor all is never written so."""
    return "≈0" if 0 < share < 0.0005 else "≈1" if 0.9995 < share < 1 else text.number(share)


def _matrices(n, Q, K):
    """Q and K as given; one that is missing is random, of the other's width."""
    given = Q if Q is not None else K
    d = 4 if given is None else np.shape(given)[-1] if np.ndim(given) else 0
    rng = np.random.default_rng(10)
    made = rng.normal(size=(2, n, d)).round(2)
    return dict(Q=made[0] if Q is None else Q, K=made[1] if K is None else K)


def _preset(name, tokens, window):
    try:
        return presets.preset(name, tokens, window=window)
    except ValueError as error:
        raise StateError(*error.args) from None


def _boolean(mask):
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise StateError(f"mask must be a name or boolean, not {mask.dtype}: say mask.astype(bool), True may attend")
    return mask.astype(float)
