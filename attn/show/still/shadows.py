"""Keys in the plane and the shadows that they throw on a wall along a query: a score as a place on a ruler."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.curves import spread
from attn.show.still.lines import OVER, UNDER, YES, Drawing, _at, _svg

UNIT, LINE = 118, 15  # pixels: of a length of 1, and of a line of words


def shadows(query, keys, *, scale=1, drawn=1, name="query", wall="score"):
    """Keys as dots, a query as an arrow that points up, and what each key's shadow on a wall along it is worth.

        reading = scale · q · k = scale · ‖q‖ · the shadow of k

    query: (2,); keys: {name: (2,)}; scale: of the readings; drawn: how much of the query's length is drawn; name: what
    stands at its tip; wall: what stands on top of the readings   ->   Drawing. Raises ValueError for a query of length
    0, or where something does not lie in the plane.
    """
    query, points = numeric(query=query), numeric(keys=list(keys.values()))
    if query.shape != (2,) or points.shape != (len(keys), 2):
        raise ValueError(f"query and keys must lie in the plane, but have shapes {query.shape} and {points.shape}")
    if not (long := np.hypot(*query)):
        raise ValueError("query is zero: it has no direction to measure along")
    up = query / long
    at = UNIT * np.column_stack([points @ [up[1], -up[0]], -(points @ up)])  # across and down the page
    readings = scale * points @ query
    left = min(at[:, 0].min(), 0) - 0.55 * UNIT
    right, high, low = (
        max(at[:, 0].max() + 52, 18 + 7 * len(name)),
        min(at[:, 1].min(), -UNIT * drawn * long),
        max(at[:, 1].max(), 0),
    )
    shapes = [f'<path d="M{left:.1f} {high - 4:.1f}V{low + 14:.1f}" stroke="currentColor" stroke-width="2"/>']
    shapes += [f'<path d="M{left:.1f} 0H{right:.1f}" stroke="currentColor" opacity=".25"/>']
    shapes += [_arrow((0, 0), (0, -UNIT * drawn * long), YES, 2.5), _at(9, -UNIT * drawn * long + 4, name, YES)]
    places = spread(at[:, 1], LINE, high, low + LINE)
    for k, (key, (x, y)) in enumerate(zip(keys, at, strict=True)):
        tone = OVER if readings[k] >= 0 else UNDER
        shapes.append(f'<path d="M{x:.1f} {y:.1f}H{left:.1f}" stroke="{tone}" stroke-dasharray="3 4"/>')
        shapes.append(
            f'<path d="M{left:.1f} 0V{y:.1f}" stroke="{tone}" stroke-width="8" stroke-opacity=".35"/>'
            f'<circle cx="{left:.1f}" cy="{y:.1f}" r="4" fill="{tone}"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="currentColor"/>'
        )
        shapes.append(_beside(key, k, at))
        shapes.append(_at(left - 10, places[k] + 4, f"{key} {_reading(readings[k])}", anchor="end"))
    shapes += [_at(left - 10, high - 16, wall, anchor="end"), *_light(right + 8, high, low)]
    side = 11 + 7.2 * max(len(wall), *(len(key) + 6 for key in keys))
    told = ", ".join(f"{key} {_reading(x)}" for key, x in zip(keys, readings, strict=True))
    picture = _svg("".join(shapes), left - side, high - 34, right - left + side + 52, low - high + 62)
    return Drawing([picture], f"{wall.capitalize()}, read from the shadow of each key along the {name}: {told}.")


def _beside(name, k, at):
    """A key's name at its right, or above or below where another key's line of light passes there."""
    x, y = at[k]
    others = np.delete(at, k, axis=0)
    near = others[(others[:, 0] > x) & (np.abs(others[:, 1] - y) < 12)]
    if not len(near):
        return _at(x + 9, y + 4, text.label(name))
    return _at(x, y + (-10 if near[0, 1] >= y else 19), text.label(name), anchor="middle")


def _reading(x):
    return f"{x.round(2) + 0:.2f}".replace("-", "−")


def _light(x, high, low):
    """Rays from the right."""
    rays = [_arrow((x + 34, y), (x + 4, y), "currentColor", 1.2) for y in np.linspace(high + 12, low - 4, 4)]
    return [f'<g opacity=".55">{"".join(rays)}{_at(x + 4, high - 8, "light")}</g>']


def _arrow(foot, tip, tone, width):
    (x, y), (to_x, to_y) = foot, tip
    way = np.array([to_x - x, to_y - y]) / np.hypot(to_x - x, to_y - y)
    side = 4 * np.array([-way[1], way[0]])
    back = tip - 9 * way
    head = "L".join(f"{a:.1f} {b:.1f}" for a, b in (tip, back + side, back - side))
    return (
        f'<path d="M{x:.1f} {y:.1f}L{back[0]:.1f} {back[1]:.1f}" stroke="{tone}" stroke-width="{width}"/>'
        f'<path d="M{head}z" fill="{tone}"/>'
    )
