"""A matrix turned round, one pair of entries at a time."""

import numpy as np

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import count, place, same, words
from attn.show.kit.traits import Matrix, Name, Position, Tokens


class Transpose(Widget):
    """Turn a matrix round, one pair of entries at a time: the diagonal stays, the others change places.

    M: (n, m);  rows: n names;  cols: m names;  name: what the matrix is called.
    step: 0 shows M, the last shows Mᵀ; there is one step for every pair of places mirrored at the diagonal.
    Raises ValueError or TypeError, naming the argument and both sizes.   .transposed -> (m, n)
    """

    view = "transpose"
    M = Matrix()
    rows = Tokens()
    cols = Tokens()
    name = Name("M")
    step = Position()

    def __init__(self, M, rows=None, cols=None, *, name="M", step=0):
        n = count(M=M)
        cols = [f"d{j + 1}" for j in range(np.shape(M)[1])] if cols is None else cols
        super().__init__(M=M, rows=words(rows, n), cols=cols, name=name, step=step)

    def check(self, s):
        same("the number of rows", {"M": len(s.M), "rows": len(s.rows)})
        same("the number of columns", {"M": len(s.M[0]), "cols": len(s.cols)})
        place("step", s.step, len(_mirrored(len(s.M), len(s.M[0]))) + 1, "steps")

    @property
    def transposed(self):
        """Mᵀ.   -> (m, n)"""
        return np.array(self.M).T

    def sentence(self):
        n, m = len(self.M), len(self.M[0])
        pairs, name = _mirrored(n, m), text.label(self.name)
        start = f"Step {self.step} of {len(pairs)}: "
        if self.step == 0:
            return f"{start}{name} ({n}×{m}), whose diagonal {text.vector(np.diag(self.M))} will stay."
        i, j = pairs[self.step - 1]
        held = [
            f"row {a + 1}, column {b + 1} ({text.number(self.M[a][b])})" for a, b in ((i, j), (j, i)) if a < n and b < m
        ]
        to = (j, i) if i < n and j < m else (i, j)
        moved = " and ".join(held) + (
            " change places" if len(held) == 2 else f" moves to row {to[0] + 1}, column {to[1] + 1}"
        )
        end = f"; that makes {name}ᵀ ({m}×{n})" if self.step == len(pairs) else ""
        return f"{start}{moved}{end}."

    def tables(self):
        name = text.label(self.name)
        return [(name, self.M, self.rows, self.cols), (f"{name}ᵀ", self.transposed, self.cols, self.rows)]

    def static(self):
        name = f"{text.label(self.name)}ᵀ"
        return figures.heatmap(self.transposed, self.cols, self.rows, kind="signed", name=name, title=name)


def _mirrored(n, m):
    """The places (i, j) above the diagonal, with (j, i), of which an (n, m) matrix has at least one."""
    size = max(n, m)
    return [(i, j) for i in range(size) for j in range(i + 1, size) if (i < n and j < m) or (j < n and i < m)]
