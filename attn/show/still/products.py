"""Products drawn as they are made: columns at the left, rows on top, and between them the table they multiply to."""

import numpy as np

from attn.axes import numeric
from attn.show.still.lines import OVER, UNDER, Drawing, _at, _svg

CELL, THICK, GAP, LOW = 4.2, 7, 5, 20  # pixels: a number of the table, a column or row beside it, between, for the name


def products(pairs):
    """For each name some columns, as many rows, and their product; purple is above zero, orange below.

        R = L · M, a sum of columns times rows
    pairs: {name: (L (n, r), M (r, m))}   ->   Drawing. Raises ValueError where L has not as many columns as M has rows.
    """
    pictures, told = [], []
    for name, (left, above) in pairs.items():
        left, above = numeric(left=left), numeric(above=above)
        if left.ndim != 2 or above.ndim != 2 or left.shape[1] != above.shape[0]:
            raise ValueError(f"{name}: {left.shape} cannot be multiplied by {above.shape}")
        (n, r), m = left.shape, above.shape[1]
        edge = r * THICK + GAP  # where the table begins
        shapes = _cells(left, -edge, 0, THICK, CELL) + _cells(above, 0, -edge, CELL, THICK)
        shapes += _cells(left @ above, 0, 0, CELL, CELL)
        shapes += (
            f'<rect width="{m * CELL:.1f}" height="{n * CELL:.1f}" fill="none" stroke="currentColor" opacity=".35"/>'
        )
        picture = _svg(
            _at(0, -edge - 6, name) + shapes, -edge - 1, -edge - LOW, edge + m * CELL + 8, edge + LOW + n * CELL + 6
        )
        narrow = "vertical-align:bottom;max-width:48%;height:auto"  # on a phone in twos, so that they can be compared
        pictures.append(picture.replace("vertical-align:top", narrow))
        times = "a column times a row" if r == 1 else f"{r} columns times {r} rows"
        told.append(f"{name}: {n}×{m}, {times}")
    return Drawing(pictures, "; ".join(told) + ".")


def _cells(values, left, top, wide, tall):
    """A rectangle for each number, as strong as it is large."""
    full = np.abs(values).max() or 1
    return "".join(
        f'<rect x="{left + wide * j:.1f}" y="{top + tall * i:.1f}" width="{wide}" height="{tall}" '
        f'fill="{UNDER if x < 0 else OVER}" fill-opacity="{abs(x) / full:.2f}"/>'
        for (i, j), x in np.ndenumerate(values)
        if abs(x) / full >= 0.005
    )
