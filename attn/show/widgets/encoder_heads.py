"""Every head of a real sentence encoder: where it looks, and what it does to each word."""

from base64 import b64decode, b64encode

import numpy as np

from attn import data
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place
from attn.show.kit.traits import Name, Position, StateError, Tokens, Vector

EDITS = ("", "head", "word")
FIRST = ("it", "bank", "flies")  # whose row is shown first, where a sentence has it


class EncoderHeads(Widget):
    """Choose a sentence, a head, a word; switch the head off or hide a word, and see the word's state turn.

    sentence: one of `sentences`, or its number.   layer, head: whose weights are large.
    row, col: the word that looks and the one it looks at, as numbers or words; by default the word of the question,
    and where it looks most.   edit: "", "head" (the chosen head hands on zeros) or "word" (the row's word may not look
    at the column's in any head).   sentences: texts of attn.data.encoder_effects, all unless given: fewer weigh less.
    The effect is the angle between the word's last states, with and without, and how near each is to six probe words.
    On the book's site the figure also reads sentences of the reader's own. Raises ValueError or TypeError.
    .weights -> (l, h, n, n);  .chosen -> (n, n);  .effects -> the chosen sentence's attn.data.Effects
    """

    view = "encoder_heads"
    one_of = ("numbers", "sentence_number")
    texts = Tokens()
    lines = Tokens()
    probes = Tokens()
    numbers = Tokens()
    sizes = Vector()
    sentence_number = Position()
    layer = Position()
    head = Position()
    row = Position()
    col = Position()
    edit = Name("")

    def __init__(self, sentence=0, *, layer=3, head=1, row=None, col=None, edit="", sentences=None):
        known = data.encoder_effects()
        if sentences is not None:
            missing = set(sentences) - {one.text for one in known}
            if missing:
                raise StateError(f"sentences has {missing.pop()!r}; attn.data.encoder_effects has others")
            known = [one for one in known if one.text in sentences]
        texts = [one.text for one in known]
        if isinstance(sentence, str):
            if sentence not in texts:
                raise StateError(f"there is no sentence {sentence!r}; there are {', '.join(map(repr, texts))}")
            sentence = texts.index(sentence)
        place("sentence", sentence, len(texts), "sentences")
        probes = sorted({name for one in known for row in one.near for name in row})
        tokens = known[sentence].tokens
        row = _position("row", row, tokens, next((i for i, token in enumerate(tokens) if token in FIRST), 1))
        layers, heads = known[0].weights.shape[:2]
        super().__init__(
            texts=texts, lines=[" ".join(one.tokens) for one in known], probes=probes,
            numbers=[_packed(one, probes) for one in known], sizes=[layers, heads, known[0].close.shape[1]],
            sentence_number=sentence, layer=layer, head=head, row=row, col=0, edit=edit,
        )  # fmt: skip
        self.col = _position("col", col, tokens, int(self.chosen[row].argmax()))

    def check(self, s):
        layers, heads, _ = map(int, s.sizes)
        place("sentence", s.sentence_number, len(s.lines), "sentences")
        words = len(s.lines[s.sentence_number].split())
        place("layer", s.layer, layers, "layers")
        place("head", s.head, heads, "heads")
        place("row", s.row, words, "words")
        place("col", s.col, words, "words")
        if s.edit not in EDITS:
            raise StateError(f"edit is {s.edit!r}; it may be 'head', 'word' or ''")

    tokens = property(
        lambda self: self.lines[self.sentence_number].split(), doc="The chosen sentence's.   -> list of str"
    )
    weights = property(lambda self: self.effects.weights, doc="Every head's.   -> (l, h, n, n)")
    chosen = property(lambda self: self.weights[self.layer, self.head], doc="The large one.   -> (n, n)")

    @property
    def effects(self):
        """What the page knows of the chosen sentence.   -> attn.data.Effects"""
        number = self.sentence_number
        return _unpacked(self.numbers[number], self.texts[number], self.tokens, self.probes, self.sizes)

    @property
    def changed(self):
        """The chosen word's turn in degrees and its new closeness to its probes, or None.   -> (float, (k,))"""
        known = self.effects
        if self.edit == "head":
            at = self.layer, self.head, self.row
            return known.off_turn[at], known.off_close[at]
        at = self.row, self.col
        return (known.hidden_turn[at], known.hidden_close[at]) if self.edit else None

    def sentence(self):
        known, (i, j) = self.effects, (self.row, self.col)
        looks, seen = text.quoted(self.tokens[i]), text.quoted(self.tokens[j])
        pair = f"{looks} at {i}", f"{seen} at {j}"
        told = text.weighed(self.edit, self.layer, self.head, *pair, self.chosen[i, j]) + " "
        pairs = list(zip(known.near[i], known.close[i], strict=True))[:3]
        if not self.edit:
            nearest = ", ".join(f"{text.quoted(name)} {text.number(x, 2)}" for name, x in pairs)
            return f"{told}After the last layer {looks} is nearest to {nearest}."
        turn, close = self.changed
        what = f"With L{self.layer}·H{self.head} off" if self.edit == "head" else f"With {seen} hidden from it"
        after = ", ".join(
            f"{text.quoted(name)} {text.number(x, 2)}" + (f" → {text.number(y, 2)}" if abs(x - y) > 1e-9 else "")
            for (name, x), y in zip(pairs, close, strict=False)
        )
        return f"{told}{what} its last state turns by {text.number(turn, 1)}°: {after}."

    def tables(self):
        known, i = self.effects, self.row
        tokens, name = self.tokens, f"Layer {self.layer}, head {self.head}"
        heads = [f"head {t}" for t in range(self.weights.shape[1])]
        layers = [f"layer {l}" for l in range(len(self.weights))]
        turns = f"How far {text.quoted(tokens[i])} turns, in degrees, when a head is switched off"
        return [(name, self.chosen, tokens, tokens), (turns, known.off_turn[..., i], layers, heads)]

    def static(self):
        name = f"Layer {self.layer}, head {self.head}"
        return figures.heatmap(self.chosen, self.tokens, name=name, title=name)


def _position(name, value, tokens, usual):
    """A word's number; the first of that name where a word is given."""
    if isinstance(value, str):
        if value not in tokens:
            raise StateError(f"{name} is {value!r}, which is none of the words {' '.join(tokens)}")
        return tokens.index(value)
    return usual if value is None else value


def _shapes(n, sizes):
    """The arrays of one sentence, in the order they travel, a byte a number: unsigned but for cosines."""
    layers, heads, k = map(int, sizes)
    return dict(
        weights=(layers, heads, n, n), near=(n, k), close=(n, k), off_turn=(layers, heads, n),
        off_close=(layers, heads, n, k), hidden_turn=(n, n), hidden_close=(n, n, k),
    )  # fmt: skip


UNITS = dict(weights=255, close=100, off_turn=2, off_close=100, hidden_turn=2, hidden_close=100)


def _packed(one, probes):
    near = np.array([[probes.index(name) for name in row] for row in one.near])
    parts = [near if name == "near" else np.round(getattr(one, name) * UNITS[name]) for name in _shapes(1, [1, 1, 1])]
    return b64encode(np.concatenate([part.astype(np.int16).astype(np.uint8).ravel() for part in parts])).decode()


def _unpacked(numbers, sentence, tokens, probes, sizes):
    flat, found = np.frombuffer(b64decode(numbers), np.uint8), {}
    for name, shape in _shapes(len(tokens), sizes).items():
        count = int(np.prod(shape))
        part, flat = flat[:count].reshape(shape), flat[count:]
        if name == "near":
            found[name] = [[probes[k] for k in row] for row in part]
        else:
            found[name] = (part.view(np.int8) if name.endswith("close") else part) / UNITS[name]
    return data.Effects(sentence, tokens, **found)
