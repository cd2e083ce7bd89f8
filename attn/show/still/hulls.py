"""Values in the plane with their hull: where no weights reach, and who takes home the same."""

from textwrap import wrap

import numpy as np

from attn.show.kit import text
from attn.show.still.lines import LETTER, NO, YES, Drawing, _at, _svg

FRAME, TALL = 236, 172  # pixels: a frame, and the picture in it
SIDE, HEAD = 60, 28  # pixels for names beside and above
LINE = 36  # letters in a line of words below
DOT = 3.5  # pixels across the dot of a query
NAMED = 8  # values; of more no names are written
SIZE = "max-width:max(48%,min(100%,19rem))"  # two in a row, but one on a phone, where its names can be read
RIM = 'fill="none" stroke="currentColor" stroke-opacity=".25"'


def hulls(panels, *, cones=()):
    """Values in the plane and their hull, each in a small frame with its words below.

    A spoke from each value to an output is as thick as its weight; a cross stands where no weights reach.
    panels: {words: (readers, never)}; readers: {name of the output: a widgets.Hull}, with the same values; never:
    {name: (2,)}   ->   Drawing. A weight under 1 % has no spoke. A third entry, reached: (n, 2), dots the outputs that
    some queries give, in place of the readers'; the hull is only a rim, and a cross may stand inside it, off the dots.
    cones: the words of panels with two values in which their cone is drawn too, all that any gain makes of their
    averages, and paler its mirror image, what a negative gain makes.
    Raises ValueError where a cross stands inside the hull, in the cone or its image, or on a dot.
    """
    lines = {words: wrap(words, LINE) for words in panels}
    tall = TALL + 10 + 16 * max(map(len, lines.values()))
    pictures, told = [], []
    for words, (readers, never, *reached) in panels.items():
        reached = reached[0] if reached else None
        hull = next(iter(readers.values()))
        spread = np.array([*hull.V, *never.values()], float)
        place = _place(np.vstack([spread, -spread]) if words in cones else spread)
        shapes = [
            f'<rect x=".5" y=".5" width="{FRAME - 1}" height="{tall - 1}" rx="6" {RIM}/>',
            _edge(hull, place, reached is None),
        ]
        shapes += [_cone(np.array(hull.V, float), never, place)] if words in cones else []
        shapes += [_cloud(reached, place)] if reached is not None else []
        shown = readers if reached is None else {}  # a cloud stands for the outputs
        shapes += [shape for one in shown.values() for shape in _spokes(one, place)]
        shapes += _dots(hull, place, place((0, 0)) if words in cones else None) if len(hull.V) <= NAMED else ()
        shapes += [_output(name, place(one.output), len(hull.corners) < 3) for name, one in shown.items()]
        shapes += [shape for name, at in never.items() for shape in _cross(hull, name, at, place, reached)]
        shapes += [_at(FRAME / 2, TALL + 12 + 16 * k, line, anchor="middle") for k, line in enumerate(lines[words])]
        dotted = [f"dotted are the outputs of {len(reached)} queries"] if reached is not None else []
        told.append(f"{words}: {'; '.join([*map(_told, shown.values()), *dotted])}")
        told[-1] += "; shaded is their cone, with its mirror image" * (words in cones)
        told[-1] += "".join(f"; out of reach is {name} at {text.vector(at)}" for name, at in never.items())
        drawn = _svg("".join(shapes), 0, 0, FRAME, tall, told[-1])
        pictures.append(drawn.replace("vertical-align:top", f"vertical-align:top;{SIZE};height:auto;margin:2px"))
    return Drawing(pictures, ". ".join(told) + ".")


def _told(hull):
    if len(hull.V) > NAMED:
        return f"{len(hull.V)} values put the output at {text.vector(hull.output, text.slight)}"
    parts = zip(hull.tokens, hull.weights, strict=True)
    shares = ", ".join(f"{text.quoted(name)} {100 * weight:.0f} %" for name, weight in parts if name and weight >= 0.01)
    return f"{shares} put the output at {text.vector(hull.output, text.slight)}"


def _spokes(hull, place):
    x, y = place(hull.output)
    for value, weight in zip(hull.V, hull.weights, strict=True):
        if weight >= 0.01:
            from_x, from_y = place(value)
            line = f'x1="{from_x:.1f}" y1="{from_y:.1f}" x2="{x:.1f}" y2="{y:.1f}"'
            yield f'<line {line} stroke="{YES}" stroke-width="{max(9 * weight, 0.5):.1f}" stroke-opacity=".5"/>'


def _output(name, at, flat):
    x, y = at
    named = (x, y + 19, name, YES, "middle") if flat else (x + 9, y + 15, name, YES)  # below a line
    halo = '<text paint-order="stroke" stroke="var(--paper,#fff)" stroke-width="4" '  # spokes end under the letters
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{YES}"/>{_at(*named).replace("<text ", halo, 1)}'


def _cross(hull, name, at, place, reached=None):
    if reached is not None:
        if np.linalg.norm(np.array([place(y) for y in reached]) - place(at), axis=1).min() < 2 * DOT:
            raise ValueError(f"{name} at {text.vector(at)} lies on a dot: some query reaches it")
    elif _inside(np.array(hull.V, float)[list(hull.corners)], np.asarray(at, float)):
        raise ValueError(f"{name} at {text.vector(at)} lies inside the hull: some weights reach it")
    x, y = place(at)
    yield f'<path d="M{x - 6:.1f} {y - 6:.1f}l12 12m0 -12l-12 12" stroke="{NO}" stroke-width="3" fill="none"/>'
    half = 0.27 * LETTER * len(name)
    across, down = (x, -11) if reached is None else (x + half, 18 if y > TALL / 2 else -9)  # beside the dots
    yield _at(np.clip(across, half + 4, FRAME - half - 4), y + down, name, NO, "middle")


def _place(points):
    """Where a point of the plane stands in a frame that holds all these, in its middle."""
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = FRAME - 2 * SIDE, TALL - 2 * HEAD
    scale = min(wide / max(high[0] - low[0], 1e-9), tall / max(high[1] - low[1], 1e-9))

    def place(p):
        x, y = (np.asarray(p) - (low + high) / 2) * scale
        return FRAME / 2 + x, TALL / 2 - y

    return place


def _cone(values, never, place):
    """The cone of two values as a fan from 0, its mirror image, and 0 itself."""
    for name, at in never.items():
        if np.prod(np.linalg.solve(values.T, at)) > 0:
            raise ValueError(f"{name} at {text.vector(at)} lies in the cone or its image: some gain reaches it")
    x, y = place((0, 0))
    far, shapes = min(x, FRAME - x, y, TALL - y) - 6, ""
    for sign, shade in ((1, 0.16), (-1, 0.07)):
        ends = [place(sign * v) - np.array([x, y]) for v in values]
        (x1, y1), (x2, y2) = ([x, y] + far * end / np.linalg.norm(end) for end in ends)
        sweep = int(ends[0][0] * ends[1][1] > ends[0][1] * ends[1][0])
        path = f"M{x:.1f} {y:.1f}L{x1:.1f} {y1:.1f}A{far:.1f} {far:.1f} 0 0 {sweep} {x2:.1f} {y2:.1f}z"
        shapes += f'<path d="{path}" fill="{YES}" fill-opacity="{shade}"/>'
    shapes += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="currentColor"/>'
    return shapes + _at(x - 7, y + 15, "0", anchor="end")


def _cloud(reached, place):
    dots = "".join("M{:.0f} {:.0f}h0".format(*place(y)) for y in reached)
    return f'<path d="{dots}" stroke="{YES}" stroke-width="{DOT}" stroke-linecap="round" stroke-opacity=".7"/>'


def _edge(hull, place, filled=True):
    path = "M" + "L".join("{:.1f} {:.1f}".format(*place(hull.V[j])) for j in hull.corners) + "z"
    return f'<path d="{path}" fill="{YES}" fill-opacity="{".14" if filled else 0}" stroke="{YES}" stroke-width="1.5"/>'


def _dots(hull, place, middle=None):
    """The values, each with its name on the outer side: a corner's away from the middle, above a line to its left."""
    points = np.array([place(value) for value in hull.V])
    flat = middle is None and len(hull.corners) < 3 and np.ptp(points[:, 1]) > 20
    middle = points.mean(axis=0) if middle is None else np.array(middle)
    for name, (x, y) in zip(hull.tokens, points, strict=True):
        right, down = (-1, -0.5) if flat else (np.array([x, y]) - middle) / (np.abs(points - middle).max() or 1)
        beside = abs(right) > 0.35
        at = (x + 9 * np.sign(right), y + 4 + 10 * down) if beside else (x, y + 19 if down > 0 else y - 9)
        anchor = ("start" if right > 0 else "end") if beside else "middle"
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor"/>'
        yield dot + (_at(*at, text.label(name), anchor=anchor) if name else "")


def _inside(corners, at):
    """Whether a point lies in the convex polygon of these corners, which go round anticlockwise."""
    if len(corners) < 3:
        (x, y), way = at - corners[0], corners[-1] - corners[0]
        share = ((at - corners[0]) @ way) / max(way @ way, 1e-300)
        return abs(x * way[1] - y * way[0]) < 1e-9 and -1e-9 <= share <= 1 + 1e-9
    sides = np.roll(corners, -1, axis=0) - corners
    away = at - corners
    return (sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0] >= -1e-9).all()
