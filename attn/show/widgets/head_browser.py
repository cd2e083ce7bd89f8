"""Every head of a small trained transformer, computed on the page from the weights themselves."""

from base64 import b64decode, b64encode

import numpy as np

from attn import induction, softmax, transformer
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place
from attn.show.kit.traits import Name, Position, StateError, Tokens, Vector

START = "CAFEBRUN" * 3
EDITS = ("", "head", "word")


class HeadBrowser(Widget):
    """Type a sequence and see what each head of a trained model does with it, and what comes next with and without it.

    model: an attn.transformer.Model or the name of a trained one, "induction" unless given; its weights travel as
    16-bit floats, as the trained ones are stored.   tokens: symbols of attn.transformer.SYMBOLS, up to 32, as text
    or numbers.   layer, head: whose weights are large;  row, col: the chosen cell.   Raises ValueError or TypeError.
    .weights -> (l, h, n, m);  .chosen -> (n, m);  .logits -> (n, vocabulary);  .probabilities -> (n, vocabulary);
    .previous_token, .induction -> (l, h), how much each head does of either on this sequence, NaN if nothing asks it
    """

    view = "head_browser"
    tokens = Tokens()
    numbers = Name("")
    sizes = Vector()
    layer = Position()
    head = Position()
    row = Position()
    col = Position()
    edit = Name("")

    def __init__(self, model=None, tokens=None, *, layer=None, head=0, row=None, col=None, edit=""):
        model = transformer.load(model or "induction") if model is None or isinstance(model, str) else model
        if model.shared != 1:
            raise StateError(f"model shares keys among {model.shared} heads; the browser shows one head each")
        tokens = _symbols(START[: len(model.w_p)] if tokens is None else tokens)
        state = dict(numbers=_packed(model), sizes=_sizes(model), head=head, col=0 if col is None else col, edit=edit)
        state |= dict(layer=len(model.w_q) - 1 if layer is None else layer)
        super().__init__(tokens=tokens, row=max(len(tokens) - 1, 0) if row is None else row, **state)
        if col is None:
            self.col = int(self.chosen[self.row].argmax())

    def check(self, s):
        layers, heads, *_, vocabulary, positions = map(int, s.sizes)
        if not 1 <= len(s.tokens) <= positions:
            raise StateError(f"tokens has {len(s.tokens)} symbols; the model reads 1 to {positions}")
        known = transformer.SYMBOLS[:vocabulary]
        for token in s.tokens:
            if len(token) != 1 or token not in known:
                raise StateError(f"tokens holds {token!r}; the model's symbols are {known}")
        place("layer", s.layer, layers, "layers")
        place("head", s.head, heads, "heads")
        place("row", s.row, len(s.tokens), "symbols")
        place("col", s.col, len(s.tokens), "symbols")
        if s.edit not in EDITS:
            raise StateError(f"edit is {s.edit!r}; it may be 'head', 'word' or ''")

    @property
    def model(self):
        """The model the page computes with, its weights as they travel.   -> attn.transformer.Model"""
        return _unpacked(self.numbers, self.sizes)

    @property
    def _run(self):
        return transformer.run(self.model, self._numbers)

    _numbers = property(lambda self: transformer.encode("".join(self.tokens)))
    weights = property(lambda self: self._run.weights, doc="Every head's.   -> (l, h, n, m)")
    chosen = property(lambda self: self.weights[self.layer, self.head], doc="The large one.   -> (n, m)")
    logits = property(lambda self: self._run.logits, doc="-> (n, vocabulary)")
    probabilities = property(lambda self: softmax.softmax(self.logits), doc="Of the next.   -> (n, vocabulary)")

    @property
    def changed(self):
        """What comes next with the chosen head off, or the chosen symbol hidden.   -> (n, vocabulary)"""
        n = len(self.tokens)
        hidden = np.ones((n, n), bool)
        hidden[self.row, self.col] = self.edit != "word"
        without = [(self.layer, self.head)] if self.edit == "head" else []
        return softmax.softmax(transformer.run(self.model, self._numbers, without=without, mask=hidden).logits)

    @property
    def previous_token(self):
        """How much of each head's attention, at first occurrences, is on the token before.   -> (l, h)"""
        new = ~induction.seen(self._numbers)
        return self._scored(induction.previous_token_score, new[1:].any())

    @property
    def induction(self):
        """How much of each head's attention is on what followed an earlier copy.   -> (l, h)"""
        asked = induction.induction_slots(self._numbers).any(-1)
        return self._scored(induction.induction_score, asked[:-1].any())

    def _scored(self, score, asked):
        weights = self.weights
        if not asked:
            return np.full(weights.shape[:2], np.nan)
        return np.array([score(layer, self._numbers) for layer in weights])

    def sentence(self):
        run, i, j = self._run, self.row, self.col
        weight = run.weights[self.layer, self.head, i, j]
        said = softmax.softmax(run.logits[i])
        best = int(said.argmax())
        looks, seen = f"“{self.tokens[i]}” at {i}", f"“{self.tokens[j]}” at {j}"
        told = text.weighed(self.edit, self.layer, self.head, looks, seen, weight)
        told += f" After {i + 1} symbols the model expects "
        told += f"“{transformer.SYMBOLS[best]}” with {text.percent(said[best])}"
        if not self.edit:
            return f"{told}."
        what = (
            f"with L{self.layer}·H{self.head} off" if self.edit == "head" else f"with “{self.tokens[j]}” at {j} hidden"
        )
        return f"{told}, {what} {text.percent(self.changed[i, best])}."

    def tables(self):
        layers, heads = self.weights.shape[:2]
        names = [f"layer {l}, head {t}" for l in range(layers) for t in range(heads)]
        scores = np.c_[self.previous_token.ravel(), self.induction.ravel()]
        scores = [[None if np.isnan(x) else x for x in row] for row in scores.tolist()]
        return [
            ("What each head does here", scores, names, ["previous token", "induction"]),
            (f"Layer {self.layer}, head {self.head}", self.chosen, self.tokens, self.tokens),
        ]

    def static(self):
        title = f"Layer {self.layer}, head {self.head}"
        return figures.heatmap(self.chosen, self.tokens, name=title, title=title)


def _symbols(tokens):
    if isinstance(tokens, str):
        return list(tokens)
    tokens = np.asarray(tokens)
    return list(transformer.decode(tokens)) if tokens.dtype.kind in "iu" else list(tokens)


def _fields(sizes):
    """The shape of each of the model's arrays, in the order they travel."""
    l, h, c, d, e, vocabulary, positions = map(int, sizes)
    return dict(
        w_e=(vocabulary, c), w_p=(positions, c), w_q=(l, c, h * d), w_k=(l, c, h * d), w_v=(l, c, h * e),
        w_o=(l, h * e, c), w_u=(c, vocabulary),
    )  # fmt: skip


def _sizes(model):
    l, c, queries = model.w_q.shape
    h = model.heads
    return [l, h, c, queries // h, model.w_v.shape[-1] // h, model.w_e.shape[0], model.w_p.shape[0]]


def _packed(model):
    arrays = [getattr(model, name).ravel() for name in _fields(_sizes(model))]
    return b64encode(np.concatenate(arrays).astype("<f2").tobytes()).decode()


def _unpacked(numbers, sizes):
    shapes = _fields(sizes)
    flat = np.frombuffer(b64decode(numbers), "<f2").astype(np.float64)
    cuts = np.cumsum([np.prod(shape) for shape in shapes.values()])[:-1]
    parts = [part.reshape(shape) for part, shape in zip(np.split(flat, cuts), shapes.values(), strict=True)]
    return transformer.Model(int(sizes[1]), *parts)
