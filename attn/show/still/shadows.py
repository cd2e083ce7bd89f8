"""Keys in the plane and the shadows that they throw on a wall along a query: a score as a place on a ruler."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.curves import spread
from attn.show.still.plot import INK, SOFT, Plot, canvas

QUERY, OVER, UNDER = "#0b57c2", "#5e3c99", "#b35806"  # a query, and a shadow above and below zero
UP, LEFT = np.array([0.0, 1.0]), np.array([-1.0, 0.0])  # where the query points, and where the wall stands
LINE = 0.42  # of a length of 1: a line of words


def shadows(query, keys, *, scale=1, name="query", wall="score"):
    """Keys as dots, a query as an arrow, and what each key's shadow on a wall along the arrow is worth.

        reading = scale · q · k = scale · ‖q‖ · the shadow of k

    The plane is turned so that the query points straight up, which changes no product.

    query: (2,); keys: {name: (2,)}; scale: of the readings; name: what the arrow is called; wall: what stands on top of
    the readings   ->   Plot. Raises ValueError for a query of length 0, or where something does not lie in the plane.
    """
    query, points = numeric(query=query), numeric(keys=list(keys.values()))
    if query.shape != (2,) or points.shape != (len(keys), 2):
        raise ValueError(f"query and keys must lie in the plane, but have shapes {query.shape} and {points.shape}")
    if not (long := np.hypot(*query)):
        raise ValueError("query is zero: it has no direction to measure along")
    falls, readings = points @ query / long, scale * points @ query
    sides = points @ (-query[1], query[0]) / long
    points = falls[:, None] * UP + sides[:, None] * LEFT  # the plane turned until the query points up
    start = (0.6 + max(sides.max(), 0)) * LEFT  # of the wall, clear of the query and of every key
    low, high = min(falls.min(), 0) - 0.3, max(falls.max(), long) + 0.3
    told = [f"{key} {_reading(x)}" for key, x in zip(keys, readings, strict=True)]
    figure, axes = canvas(4.6, 4.1)
    axes.set_aspect("equal"), axes.axis("off")
    axes.plot(*np.transpose([start + low * UP, start + high * UP]), color=INK)
    axes.annotate("", long * UP, (0, 0), arrowprops=dict(color=QUERY, width=1.6, headwidth=7, shrink=0))
    _write(axes, name, long / 2 * UP, (8, -10), color=QUERY)
    _write(axes, wall, start + high * UP, (-8, 17), ha="right", color=SOFT)
    for point, fall in zip(points, falls, strict=True):
        foot, tone = start + fall * UP, OVER if fall >= 0 else UNDER
        axes.plot(*np.transpose([point, foot]), color=tone, linestyle=":")
        axes.plot(*np.transpose([start, foot]), color=tone, linewidth=7, alpha=0.3)
        axes.plot(*point, "o", color=INK, zorder=5), axes.plot(*foot, "o", color=tone)
    axes.plot(*np.transpose([start + 0.15 * LEFT, start - 0.15 * LEFT]), color=INK)
    _write(axes, "0", start, (20, -22), ha="center", color=SOFT)
    for k, place in enumerate(spread(falls, 1.5 * LINE, low, high + 0.4)):
        end = start + place * UP + 0.3 * LEFT - 0.18 * UP  # a thin line leads from a reading to its foot
        axes.plot(*np.transpose([end, start + falls[k] * UP]), color=SOFT, linewidth=0.8)
        _write(axes, told[k], end, (-3, -4), ha="right")
    for key, point in zip(keys, points, strict=True):
        x, y, end = _beside(point, points)
        _write(axes, text.label(key), point, (x, y), ha=end)
    return Plot(figure, f"{wall.capitalize()}, read from the shadow of each key along {name}: {', '.join(told)}.")


def _write(axes, words, at, by, **how):
    axes.annotate(words, at, by, textcoords="offset points", fontsize=10, **how)


def _beside(point, points):
    """Where a key's name stands, in points of type, and its end there: right of it; above it, and away from another
    key on its right; below it near the origin."""
    if np.hypot(*point) < 0.3:
        return -16, -18, "left"
    over = points - point
    crowded = ((over[:, 0] > 0) & (np.abs(over) < LINE).all(1)).any()
    return (4, 9, "right") if crowded else (8, -4, "left")


def _reading(x):
    return f"{x.round(2) + 0:.2f}".replace("-", "−")
