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
    long = 0.56 * LETTER * max(map(len, names))
    side, over = long + 8, long * np.sin(np.radians(LEAN)) + 14
    for title, values in weights.items():
        values = np.asarray(values, float)
        if values.ndim != 2 or values.shape[1] != len(names) or len(values) > len(names):
            raise ValueError(f"{title} has shape {values.shape}, but there are {len(names)} names")
        n, m = values.shape
        shapes = [
            _at(0, -8 - over, title),
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
        wide = max(TILE * m + long * np.cos(np.radians(LEAN)), 0.56 * LETTER * len(title)) + 2
        pictures.append(_svg("".join(shapes), -side, -over - 24, side + wide, TILE * n + over + 36))
        rows = ("NaN" if np.isnan(row).any() else text.vector(row.round(2)) for row in values)
        told.append(f"{title}: {', '.join(f'{word} {row}' for word, row in zip(names[-n:], rows, strict=True))}")
    return Drawing(pictures, "; ".join(told) + ".")
