"""One head box by box, with the shape and the cost of each."""

from attn import cost
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, positive
from attn.show.kit.traits import Flag, Position, StateError

BOXES = ("X", "Q = X W_Q", "K = X W_K", "V = X W_V", "S = Q Kᵀ/√d", "A = softmax(S)", "Y = A V", "Y W_O")


class HeadFlow(Widget):
    """Follow one head box by box, each drawn to scale, with its shape and its cost.

        X (T, c)  →  Q, K, V (T, d)  →  S, A (T, T)  →  Y (T, d)  →  Y W_O (T, c)

    d_model: c;  d_h: d;  T: tokens;  selected: which of BOXES;  decode: one new token against T keys, T − 1 of them
    cached.   Raises ValueError or TypeError.
    .shapes -> list of (rows, columns);  .multiply_adds -> list of int;  .work -> attn.cost.Work
    """

    view = "head_flow"
    d_model = Position()
    d_h = Position()
    T = Position()
    selected = Position()
    decode = Flag()

    def __init__(self, d_model=8192, d_h=128, T=4096, *, selected=4, decode=False):
        super().__init__(d_model=d_model, d_h=d_h, T=T, selected=selected, decode=decode)

    def check(self, s):
        for name in ("d_model", "d_h", "T"):
            positive(name, getattr(s, name))
            if getattr(s, name) > 2**20:
                raise StateError(f"{name} is {getattr(s, name)}; the figure goes to {2**20}")
        place("selected", s.selected, len(BOXES), "boxes")

    @property
    def shapes(self):
        """The shape of what each box holds; under decode, of what one step computes.   -> list of (int, int)"""
        n, d = (1 if self.decode else self.T), self.d_h
        return [(n, self.d_model), (n, d), (n, d), (n, d), (n, self.T), (n, self.T), (n, d), (n, self.d_model)]

    @property
    def multiply_adds(self):
        """Of each box, for one head; softmax has none.   -> list of int"""
        n = 1 if self.decode else self.T
        project, square = n * self.d_model * self.d_h, n * self.T * self.d_h
        return [0, project, project, project, square, 0, square, project]

    @property
    def work(self):
        """The same from attn.cost: one head, one layer.   -> attn.cost.Work"""
        n = 1 if self.decode else self.T
        sizes = dict(width=self.d_model, heads=1, head_width=self.d_h)
        return cost.attention(n, **sizes, allowed=n * self.T)

    def sentence(self):
        i, (rows, cols), total = self.selected, self.shapes[self.selected], sum(self.multiply_adds)
        shape = f"{BOXES[i]} is {text.grouped(rows)}×{text.grouped(cols)}"
        if i == 0:
            return f"{shape}: one row of width d_model for each token. Nothing is computed yet."
        if i == 5:
            return f"{shape}: {text.grouped(rows * cols)} exponentials, and each row then sums to 1."
        did = self.multiply_adds[i]
        return f"{shape}: {text.grouped(did)} multiply–adds, {text.percent(did / total)} of the head's."

    def tables(self):
        total = sum(self.multiply_adds)
        shapes = zip(self.shapes, self.multiply_adds, strict=True)
        rows = [[*shape, did, 100 * did / total] for shape, did in shapes]
        return [("One head, box by box", rows, BOXES, ["rows", "columns", "multiply–adds", "percent"])]

    def static(self):
        return figures.bars(self.multiply_adds, BOXES, title="multiply–adds of one head")
