"""A line drawing of weights whose rows may be empty, or no numbers at all."""

import numpy as np

from attn.show.kit import text
from attn.show.still.lines import LETTER, NO, OVER, Drawing, _at, _svg

TILE = 18  # pixels
LEAN = 60  # degrees, by which the words over the columns lean


def blanks(weights, names):
    """Matrices of weights, side by side: the larger the darker, and a cross where there is no number.

    weights: {name: (n, m)}, with NaN where a weight is none; names: m words, those of the columns, the last n of them
    those of the rows   ->   Drawing. Raises ValueError where sizes disagree.
    """
    pictures, told = [], []
    side, over = _margins(names)
    for title, values in weights.items():
        values = np.asarray(values, float)
        if values.ndim != 2 or values.shape[1] != len(names) or len(values) > len(names):
            raise ValueError(f"{title} has shape {values.shape}, but there are {len(names)} names")
        wide = max(_width(names), 0.56 * LETTER * len(title)) + 2
        shapes = _at(0, -8 - over, title) + _map(values, names)
        pictures.append(_svg(shapes, -side, -over - 24, side + wide, TILE * len(values) + over + 36))
        told.append(f"{title}: {_rows(values, names)}")
    return Drawing(pictures, "; ".join(told) + ".")


def agreed(weights, names):
    """Ways that give one matrix of weights: their names in a list, each with a line to the one map.

    weights: {way: (n, m)}; names: m words, those of the columns, the last n of them those of the rows   ->   Drawing.
    Raises ValueError where two ways differ by more than 1e-5.
    """
    first, *others = (np.asarray(values, float) for values in weights.values())
    if not all(np.allclose(first, other, rtol=0, atol=1e-5) for other in others):
        raise ValueError(f"{', '.join(weights)} do not agree, so one map cannot stand for them")
    side, over = _margins(names)
    tall, left = TILE * len(first), -side - 34
    shapes = [_map(first, names)]
    for k, way in enumerate(weights):
        y = tall * (k + 0.5) / len(weights)
        shapes.append(_at(left - 24, y + 4, way, anchor="end"))
        shapes.append(f'<path d="M{left - 18} {y:.1f}L{left + 24} {tall / 2}" stroke="{OVER}" fill="none"/>')
    wide = 0.56 * LETTER * max(map(len, weights)) + 26
    picture = _svg("".join(shapes), left - wide, -over, wide - left + _width(names), tall + over + 4)
    return Drawing([picture], f"{', '.join(weights)} all give one map: {_rows(first, names)}.")


def _margins(names):
    """Pixels that the words need at the left and on top."""
    long = 0.56 * LETTER * max(map(len, names))
    return 1.15 * long + 8, long * np.sin(np.radians(LEAN)) + 14


def _width(names):
    return TILE * len(names) + 0.56 * LETTER * max(map(len, names)) * np.cos(np.radians(LEAN))


def _map(values, names):
    """The words around a matrix, and its tiles."""
    n, m = values.shape
    shapes = [
        *(
            f'<g transform="translate({TILE * j + 12} -5) rotate(-{LEAN})">{_at(0, 0, word)}</g>'
            for j, word in enumerate(names)
        ),
        *(_at(-6, TILE * i + 13, word, anchor="end") for i, word in enumerate(names[-n:])),
    ]
    for i, j in np.ndindex(n, m):
        x, y, share = TILE * j, TILE * i, values[i, j]
        fill = 0 if np.isnan(share) else share
        box = f'<rect x="{x}" y="{y}" width="{TILE}" height="{TILE}"'
        shapes.append(f'{box} fill="{OVER}" fill-opacity="{fill:.2f}" stroke="currentColor" stroke-opacity=".2"/>')
        if np.isnan(share):
            shapes.append(f'<path d="M{x + 5} {y + 5}l8 8m0 -8l-8 8" stroke="{NO}" stroke-width="1.5"/>')
    return "".join(shapes)


def _rows(values, names):
    rows = ("NaN" if np.isnan(row).any() else text.vector(row.round(2)) for row in values)
    return ", ".join(f"{word} {row}" for word, row in zip(names[-len(values) :], rows, strict=True))
