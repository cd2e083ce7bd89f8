"""Any matrix in colour."""

import numpy as np
import traitlets

from attn.core import softmax
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Flag, Matrix, Name, Position, StateError, Tokens


class Heatmap(Widget):
    """A matrix in colour with its numbers and its legend; walk over it and each cell says what it holds.

    values: (n, m); −∞ is allowed (a masked score).  tokens, key_tokens: names of rows and columns.
    kind: "weight" (white 0 to ink 1) or "signed" (white is zero).  name: what the matrix is called.
    title: the figure's heading; without one, weights are headed as attention and signed numbers by their name.
    down, across: what the rows and the columns are.   row, col: the chosen cell.
    scale: what full colour is: the largest number of the "matrix", of each "row" or of each "column". Weights have 1.
    made: (n, m) texts, what each number is made of: "3.139 = 4.494·0.988 / √2"; "" says its place instead.
    total: a last row under a rule, where each column has its scale: its name, and a text a column, "" for none.
    ask: such a row above all others, of what they are multiplied by, as the query above the keys.
    weigh: where each column has its scale, the column that says how much of those behind it counts: their products
    with it have columns of their own, under which stands the sum; signs between the columns make a row an equation.
    against: of a matrix with negative numbers, for each row another whose bars are outlined below its own; "": none.
    groups: a name a column: those of one name stand under it, in one tint, as those that ask, that share, that take.
    scores: (n, m), of weights their softmax has made under a mask; masked: False lifts it, and softmax has whole rows.
    Raises ValueError or TypeError.   .weights -> (n, m), the values as an array
    """

    view = "heatmap"
    values = Matrix(holes=True)
    tokens = Tokens()
    key_tokens = Tokens()
    kind = Name("weight")
    name = Name("A")
    title = Name("")
    scale = Name("matrix")
    made = Tokens()
    total = Tokens()
    ask = Tokens()
    weigh = Name("")
    against = Tokens()
    down = Name("queries")
    across = Name("keys")
    row = Position()
    col = Position()
    groups = Tokens()
    scores = traitlets.List().tag(sync=True, figure=True)
    masked = Flag(True)

    def __init__(self, values, tokens=None, key_tokens=None, *, kind="weight", name="A", made=(), scores=(), **state):
        n, m = count(values=values), len(values[0])
        keys = words(tokens if key_tokens is None and n == m else key_tokens, m)
        given = dict(total=(), ask=(), against=(), groups=(), scores=np.asarray(scores, float).tolist()) | state
        state = given | dict(made=[text for row in made for text in row], kind=kind, name=name)
        super().__init__(values=values, tokens=words(tokens, n), key_tokens=keys, **state)

    def check(self, s):
        same("the number of rows", {"values": len(s.values), "tokens": len(s.tokens)})
        same("the number of columns", {"values": len(s.values[0]), "key_tokens": len(s.key_tokens)})
        place("row", s.row, len(s.tokens), "rows")
        place("col", s.col, len(s.key_tokens), "columns")
        made = getattr(s, "made", [])  # the state leaves out what is not given
        if made:
            same("the number of cells", {"values": len(s.values) * len(s.values[0]), "made": len(made)})
        for own in ("total", "ask"):
            told = getattr(s, own, [])
            if told:
                same("the number of columns", {"key_tokens": len(s.key_tokens), f"{own} after its name": len(told) - 1})
        groups = getattr(s, "groups", [])
        if groups:
            same("the number of columns", {"key_tokens": len(s.key_tokens), "groups": len(groups)})
        weigh, against = getattr(s, "weigh", ""), getattr(s, "against", [])
        if weigh and weigh not in s.key_tokens:
            raise StateError(f"weigh is {weigh!r}; the columns are {', '.join(s.key_tokens)}")
        if against:
            same("the number of rows", {"tokens": len(s.tokens), "against": len(against)})
        for partner in against:
            if partner and partner not in s.tokens:
                raise StateError(f"against has {partner!r}; the rows are {', '.join(s.tokens)}")
        if getattr(s, "scores", []):
            self._mask_of(np.array(s.scores), np.array(s.values, float))
        if s.kind not in figures.SCALES:
            raise StateError(f"kind is {s.kind!r}; the kinds are {', '.join(figures.SCALES)}")
        scale = getattr(s, "scale", "matrix")  # the state leaves it out where it is that
        if scale not in ("matrix", "row", "column"):
            raise StateError(f'scale is {scale!r}; the scales are "matrix", "row" and "column"')
        if s.kind == "weight" and not all(x is not None and -1e-9 <= x <= 1 + 1e-9 for r in s.values for x in r):
            raise StateError('values leave 0…1, which kind="weight" shows; for scores say kind="signed"')

    @staticmethod
    def _mask_of(scores, weights):
        """Where the weights are those of these scores: what is 0 was forbidden. Raises StateError elsewhere."""
        if scores.shape != weights.shape or not np.isfinite(scores).all():
            raise StateError(f"scores must be finite numbers, as many as values, {weights.shape}")
        if not np.allclose(softmax(scores, weights > 0), weights, atol=1e-6):
            raise StateError("values are not the softmax of scores where they are not 0")

    @property
    def _shown(self):
        """The values, or what they would be without the mask.   ->   list of rows"""
        return self.values if self.masked or not self.scores else softmax(np.array(self.scores)).tolist()

    @property
    def state(self):
        """As of every figure, but what only some have stands there only where it was given.   ->   dict"""
        own = {
            "title": "",
            "scale": "matrix",
            "made": [],
            "total": [],
            "ask": [],
            "weigh": "",
            "against": [],
            "groups": [],
        }
        own |= {"scores": [], "masked": True}
        return {name: value for name, value in super().state.items() if own.get(name) != value}

    @property
    def weights(self):
        """The values that are shown, −∞ where nothing is allowed.   -> (n, m)"""
        return np.array([[-np.inf if x is None else x for x in row] for row in self._shown])

    def sentence(self):
        names, row = self.key_tokens, self._shown[self.row]
        word, key = text.quoted(self.tokens[self.row]), text.quoted(names[self.col])
        size = f"{len(self.values)}×{len(names)}"
        tell = text.weight if self.kind == "weight" else text.number
        held = tell(row[self.col])
        told = f"{self.name} ({size}): row {word}, column {key} holds {held}"
        if self.total:
            if made := self._how(row):
                return f"{word}, {text.bare(names[self.col])}: {made}."
            return f"{told}; the column is {text.extremes([line[self.col] for line in self.values], self.tokens)}."
        if partner := self.against and self.against[self.row]:
            other = tell(self.values[self.tokens.index(partner)][self.col])
            return f"{word} turns {text.quoted(partner)} over: at {key} {held} against {other}."
        free = "" if self.masked else "Without the mask, "
        if self._looks:
            return f"{free}{self._taking(word, row)}{self._handed}"
        return f"{free}{told}; the row is {text.extremes(row, names, tell)}."

    def _how(self, row):
        """What is told of the chosen number; of a value, what it becomes. "" for nothing.   ->   str"""
        weigh = self.key_tokens.index(self.weigh) if self.weigh else len(row)
        if self.col > weigh:
            x, a = row[self.col], row[weigh]
            return f"{text.number(x)}; times {text.number(a)} = {text.number(a * x)}"
        return self.made[self.row * len(row) + self.col] if self.made else ""

    @property
    def _looks(self):
        """Whether a row is what one word takes from all others.   ->   bool"""
        sums = [sum(row) for row in self.values] if self.kind == "weight" else [0]
        return self.down == "queries" and max(abs(x - 1) for x in sums) < 0.01

    def _taking(self, word, row):
        """What a word takes from another, and where it takes most.   ->   str"""
        most, x, names = max(row), row[self.col], self.key_tokens
        if most - min(row) < 1e-9 and len(row) > 1:
            return f"{word} takes the same from every word: {text.percent(x)}."
        own, key = f"{text.percent(x)} of its mix" if x else "nothing", text.quoted(names[self.col])
        if x == most:
            return f"{word} takes most from {key}: {own}."
        return f"{word} takes {own} from {key}; most, {text.percent(most)}, from {text.quoted(names[row.index(most)])}."

    @property
    def _handed(self):
        """What a mask takes from later words and divides among the others, in words.   ->   str"""
        if not self.scores or not self.masked:
            return ""
        free = softmax(np.array(self.scores[self.row]))
        taken = float(free @ (np.array(self.values[self.row]) == 0))
        return "" if taken < 0.0005 else f" The mask takes {text.percent(taken)} from later words and shares it out."

    def tables(self):
        return [(f"{self.name}: {self.down} down, {self.across} across", self._shown, self.tokens, self.key_tokens)]

    def static(self):
        named = dict(name=self.name, title=self.title or self.name, down=self.down, across=self.across)
        return figures.heatmap(self.weights, self.tokens, self.key_tokens, kind=self.kind, **named)
