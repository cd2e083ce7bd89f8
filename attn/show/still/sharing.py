"""Maps of several heads as one product: queries of their own, times a key that they share."""

import numpy as np

from attn.axes import expect, numeric
from attn.show.kit import text
from attn.show.still.codes import UP
from attn.show.still.lines import LETTER, NO, OVER, UNDER, Drawing, _at, _shaded, _svg

EDGE, GAP, SIGN, HIGH = 2, 22, 26, 64  # pixels: a number, between two heads, for a sign, and the longest bar


def sharing(maps, queries, key, *, kept):
    """The maps of some heads, one above the other, as queries times one key; over each query column a bar as long as it
    is, and a line behind the columns that are kept.

        B^t = Q^t Kᵀ
    maps: (h, n, m); queries: (h, n, r), the first columns the longest; key: (m, r), columns of length 1; kept: how many
    of the r columns stay   ->   Drawing. Raises ValueError where sizes disagree, queries are all zero,
    or kept is no number from 1 to r.
    """
    maps, queries, key = numeric(maps=maps, queries=queries, key=key)
    expect(maps=(maps, "h n m"), queries=(queries, "h n r"), key=(key, "m r"))
    (h, n, m), r = maps.shape, key.shape[1]
    if not 0 < kept <= r:
        raise ValueError(f"kept must be from 1 to {r}, not {kept}")
    sizes, step = np.linalg.norm(queries, axis=(0, 1)), EDGE * n + GAP
    if not sizes.any():
        raise ValueError("queries are all zero: no column is longer than another")
    tall, q, long = h * step - GAP, EDGE * m + SIGN, EDGE * kept  # of the stack; where the queries begin; of what stays
    k, low, rest = q + EDGE * r + SIGN, tall / 2 - EDGE * r / 2, EDGE * (r - kept)
    shapes = [_at(q, -HIGH - 46, "how long each column is"), _at(q, -HIGH - 30, f"kept: {kept} of {r}", NO)]
    shapes += [_bar(q + EDGE * j, HIGH * x / sizes.max(), OVER if j < kept else UNDER) for j, x in enumerate(sizes)]
    for t in range(h):
        shapes += [
            _matrix(f"B{str(t).translate(UP)}", maps[t], 0, step * t),
            _matrix(f"queries {t}", queries[t], q, step * t),
        ]
        shapes.append(_veil(q + long, step * t, rest, EDGE * n))
    shapes += [_matrix("key, transposed", key.T, k, low), _veil(k, low + long, EDGE * m, rest)]
    shapes += [_at(x - SIGN / 2, tall / 2 + 5, sign, anchor="middle") for x, sign in ((q, "="), (k, "·"))]
    cut = f"M{q + long} {-HIGH - 24}V-20M{k - 4} {low + long}h{EDGE * m + 8}"
    cut += "".join(f"M{q + long} {step * t}v{EDGE * n}" for t in range(h))
    shapes.append(f'<path d="{cut}" stroke="{NO}" stroke-width="2"/>')
    lost = np.sqrt((sizes[kept:] ** 2).sum() / (sizes**2).sum())
    told = (
        f"{h} maps of {n}×{m}, one above the other, are queries of {r} columns times one key. The columns are from "
        f"{text.number(sizes[0])} to {text.number(sizes[-1])} long. With {kept} of them kept, {text.number(lost)} of "
        "the stack is lost."
    )
    wide = k + max(EDGE * m, 0.53 * LETTER * 15) + 8
    return Drawing([_svg("".join(shapes), -4, -HIGH - 60, wide, tall + HIGH + 70)], told)


def _matrix(name, values, x, y):
    """A matrix in its frame, under its name."""
    frame = f'width="{EDGE * values.shape[1]}" height="{EDGE * values.shape[0]}" fill="none" stroke="currentColor"'
    drawn = _shaded(values, np.abs(values).max() or 1, EDGE, (OVER, UNDER))
    return f'<g transform="translate({x} {y})">{_at(0, -6, name)}{drawn}<rect {frame} opacity=".35"/></g>'


def _bar(x, long, tone):
    """The length of a column, over it."""
    return f'<rect x="{x}" y="{-22 - long:.1f}" width="{EDGE}" height="{long:.1f}" fill="{tone}"/>'


def _veil(x, y, wide, tall):
    """What is not kept, paled."""
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{tall}" fill="var(--paper,#fff)" fill-opacity=".6"/>'
