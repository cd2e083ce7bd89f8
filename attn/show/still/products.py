"""Products drawn as they are made: columns at the left, rows on top, and between them the table they multiply to."""

import numpy as np

from attn.axes import numeric
from attn.show.still.lines import OVER, UNDER, Drawing, _at, _svg

CELL, THICK, GAP, LOW = 8.4, 12, 6, 20  # pixels: a number of the table, a column or row beside it, between, for a word


def products(pairs, *, sides=("", "")):
    """For each name some columns, as many rows, and their product; purple is above zero, orange below.

        R = L · M, a sum of columns times rows
    pairs: {name: (L (n, r), M (r, m))}; sides: what the columns at the left are, and the rows on top, written there
    ->   Drawing. Raises ValueError where L has not as many columns as M has rows.
    """
    pictures, told, room = [], [], [LOW * bool(word) for word in sides]
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
        shapes += _at(0, -edge - 6, sides[1]) * bool(sides[1])
        middle = f"translate({-edge - 6} {n * CELL / 2:.1f}) rotate(-90)"
        shapes += f'<g transform="{middle}">{_at(0, 0, sides[0], anchor="middle")}</g>' * bool(sides[0])
        left_of, over = edge + room[0] + 1, edge + room[1] + LOW
        shapes += _at(0, -edge - room[1] - 6, name).replace("<text", '<text font-weight="700"')
        picture = _svg(shapes, -left_of, -over, left_of + m * CELL + 8, over + n * CELL + 10)
        pictures.append(picture.replace("vertical-align:top", "vertical-align:bottom;max-width:100%;height:auto"))
        times = "a column times a row" if r == 1 else f"{r} columns times {r} rows"
        told.append(f"{name}: {n}×{m}, {times}")
    named = ". At the left of each the {}, on top the {}.".format(*sides) if all(sides) else "."
    return Drawing(pictures, "; ".join(told) + named)


def _cells(values, left, top, wide, tall):
    """A rectangle for each number, as strong as it is large."""
    full = np.abs(values).max() or 1
    return "".join(
        f'<rect x="{left + wide * j:.1f}" y="{top + tall * i:.1f}" width="{wide}" height="{tall}" '
        f'fill="{UNDER if x < 0 else OVER}" fill-opacity="{abs(x) / full:.2f}"/>'
        for (i, j), x in np.ndenumerate(values)
        if abs(x) / full >= 0.005
    )
