"""Values in the plane with their hull: where no weights reach, and who takes home the same."""

import numpy as np

from attn.show.kit import text
from attn.show.still.lines import LETTER, NO, YES, Drawing, _at, _svg

SIDE = 52  # pixels for a name beside a corner


def spokes(readers):
    """The pictures of some Hull figures side by side, a spoke from each value to the output, as thick as its weight.

    readers: {title: a widgets.Hull}   ->   Drawing. A weight under 1 % has no spoke.
    """
    pictures, told = [], []
    for title, hull in readers.items():
        place, size = _place(np.array(hull.V, float), 220, 190)
        x, y = place(hull.output)
        shapes = [_edge(hull, place)]
        for value, weight in zip(hull.V, hull.weights, strict=True):
            if weight >= 0.01:
                from_x, from_y = place(value)
                line = f'x1="{from_x:.1f}" y1="{from_y:.1f}" x2="{x:.1f}" y2="{y:.1f}"'
                shapes.append(f'<line {line} stroke="{YES}" stroke-width="{12 * weight:.1f}" stroke-opacity=".55"/>')
        shapes += _dots(hull, place)
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="{YES}"/>{_at(x + 10, y + 19, "output", YES)}')
        shapes.append(_at(size[0] / 2, -36, title, anchor="middle"))
        parts = zip(hull.tokens, hull.weights, strict=True)
        shares = ", ".join(f"{text.quoted(name)} {100 * weight:.0f} %" for name, weight in parts if weight >= 0.01)
        told.append(f"{title}: {shares} put the output at {text.vector(hull.output)}")
        pictures.append(_svg("".join(shapes), -SIDE, -52, size[0] + 2 * SIDE, size[1] + 80, told[-1]))
    return Drawing(pictures, "; ".join(told) + ".")


def crossed(hull, never):
    """The picture of a Hull figure, with crosses at places that no weights reach.

    hull: a widgets.Hull; never: {name: (2,)}   ->   Drawing. Raises ValueError where a cross stands inside the hull.
    """
    points, corners, output = np.array(hull.V, float), list(hull.corners), np.asarray(hull.output)
    for name, at in never.items():
        if _inside(points[corners], np.asarray(at, float)):
            raise ValueError(f"{name} at {text.vector(at)} lies inside the hull: some weights reach it")
    crosses = np.array(list(never.values()), float).reshape(-1, 2)
    place, size = _place(np.vstack([points, crosses]), 300, 210)
    shapes = [_edge(hull, place), *_dots(hull, place)]
    x, y = place(output)
    named = (x + 10, y + 4, "output", YES) if len(corners) > 2 else (x, y + 21, "output", YES, "middle")  # below a line
    shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="{YES}"/>{_at(*named)}')
    room = [SIDE, SIDE]
    for name, at in never.items():
        x, y = place(at)
        cross = f"M{x - 6:.1f} {y - 6:.1f}l12 12m0 -12l-12 12"
        shapes.append(f'<path d="{cross}" stroke="{NO}" stroke-width="3" fill="none"/>')
        shapes.append(_at(x, y - 12, name, NO, "middle"))
        half = 0.3 * LETTER * len(name)
        room = [max(room[0], half - x), max(room[1], x + half - size[0])]
    names = ", ".join(text.quoted(hull.tokens[j]) for j in corners)
    told = f"The output at {text.vector(output)} lies in the hull of {names}. Out of reach: " + ", ".join(
        f"{name} at {text.vector(at)}" for name, at in never.items()
    )
    return Drawing([_svg("".join(shapes), -room[0], -30, size[0] + sum(room), size[1] + 58)], told + ".")


def _place(points, wide, tall):
    """Where a point of the plane stands in a picture that holds all these, and how large the picture is."""
    low, high = points.min(axis=0), points.max(axis=0)
    scale = min(wide / max(high[0] - low[0], 1e-9), tall / max(high[1] - low[1], 1e-9))

    def place(p):
        x, y = (np.asarray(p) - low) * scale
        return x, (high[1] - low[1]) * scale - y

    return place, (high - low) * scale


def _edge(hull, place):
    path = "M" + "L".join("{:.1f} {:.1f}".format(*place(hull.V[j])) for j in hull.corners) + "z"
    return f'<path d="{path}" fill="{YES}" fill-opacity=".14" stroke="{YES}" stroke-width="1.5"/>'


def _dots(hull, place):
    """The values, each with its name on the outer side: a corner's away from the middle, above a line to its left."""
    points = np.array([place(value) for value in hull.V])
    middle, flat = points.mean(axis=0), len(hull.corners) < 3 and np.ptp(points[:, 1]) > 20
    for name, (x, y) in zip(hull.tokens, points, strict=True):
        right, down = (-1, -0.5) if flat else (np.array([x, y]) - middle) / (np.abs(points - middle).max() or 1)
        beside = abs(right) > 0.35
        at = (x + 9 * np.sign(right), y + 4 + 10 * down) if beside else (x, y + 19 if down > 0 else y - 9)
        anchor = ("start" if right > 0 else "end") if beside else "middle"
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor"/>'
        yield dot + _at(*at, text.label(name), anchor=anchor)


def _inside(corners, at):
    """Whether a point lies in the convex polygon of these corners, which go round anticlockwise."""
    if len(corners) < 3:
        (x, y), way = at - corners[0], corners[-1] - corners[0]
        share = ((at - corners[0]) @ way) / max(way @ way, 1e-300)
        return abs(x * way[1] - y * way[0]) < 1e-9 and -1e-9 <= share <= 1 + 1e-9
    sides = np.roll(corners, -1, axis=0) - corners
    away = at - corners
    return (sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0] >= -1e-9).all()
