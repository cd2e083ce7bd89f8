"""Keys in the plane and in space with their hull: which two of them a query can put in front together."""

from itertools import combinations

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import NO, YES, Drawing, _at, _svg

UNIT, SIDE = 90, 44  # pixels: of a length of 1, and for a name beside a corner
# How x, y and z lie on the page, y going back: turned a little, and seen from above.
EYE = np.array([[0.87, 0.21], [0.5, -0.37], [0.0, -0.91]])
FRONT = np.array([[1, 0], [0, -1], [0, 0]])  # keys in a plane: straight on, as every other picture has them
SEEN = np.array([0.45, -0.79, 0.42])  # towards the reader
TINY = 1e-9


def solids(panels, *, beside=False):
    """Hulls side by side, each with one pair of keys: a thick line where an edge joins them, a dashed one where not.

    panels: {title: {keys: {name: (2,) or (3,)}, pair: (name, name), query: (3,), an arrow that may be left out}};
    beside: True for two that are compared: they share one frame, and stand side by side on a phone, too   ->   Drawing.
    Keys of two numbers are seen straight on. A key inside the hull is no corner. Raises ValueError where a pair names
    no key, or keys are not of one size.
    """
    drawn, told = [], []
    for title, panel in panels.items():
        names, pair = list(panel["keys"]), panel["pair"]
        if not {*pair} <= {*names}:
            raise ValueError(f"the pair is {' and '.join(pair)}, but the keys are {', '.join(names)}")
        points = numeric(keys=list(panel["keys"].values()))
        faces = hull(points)
        edges = {side for face in faces for side in combinations(face, 2)}
        ends = tuple(sorted(map(names.index, pair)))
        kind, some = "sides" if points.shape[1] == 2 else "edges", "one" if ends in edges else "none"
        told.append(f"{title}: {len(edges)} {kind}, {some} of them between {' and '.join(map(text.quoted, pair))}")
        space = np.column_stack([points, np.zeros((len(points), 3 - points.shape[1]))])
        eye = FRONT if points.shape[1] == 2 else EYE
        at = _page(space, eye)
        shapes = [*_panes(space, at, faces, edges), *_joined(at, ends, ends in edges), *_asked(panel.get("query"), eye)]
        drawn.append((title, shapes, at, names, told[-1]))
    frame = np.vstack([at for _, _, at, *_ in drawn]) if beside else None
    pictures = [_titled(*one, one[2] if frame is None else frame, half=beside) for one in drawn]
    return Drawing(pictures, "; ".join(told) + ".")


def hull(points):
    """The faces of a hull: triples of corners in space, pairs in the plane.   -> {(int, …)}"""
    found, size = set(), points.shape[1]
    for face in combinations(range(len(points)), size):
        first, *others = points[list(face)]
        sides = np.array([other - first for other in others])
        out = np.cross(*sides) if size == 3 else np.array([-sides[0][1], sides[0][0]])
        above = np.delete((points - first) @ out, face)
        if (above < TINY).all() or (above > -TINY).all():
            found.add(face)
    return found


def _panes(space, at, faces, edges):
    """The hull itself: the faces towards the reader, and the edges, fainter behind."""
    if len(edges) == len(faces):  # flat: its corners in the order in which they go round
        about = space[:, :2] - space[:, :2].mean(axis=0)
        return [_path(at[np.argsort(np.arctan2(*about.T))], YES, 1.6, fill=0.1)]
    seen = [face for face in faces if _faces_reader(space[list(face)], space.mean(axis=0))]
    front = {side for face in seen for side in combinations(face, 2)}
    panes = [_path(at[list(face)], YES, 0, fill=0.1) for face in seen]
    return panes + [_path(at[list(side)], YES, 1.6 if side in front else 0.5) for side in sorted(edges)]


def _joined(at, ends, edge):
    """The pair, by a thick line or a dashed one."""
    return [_path(at[list(ends)], *((YES, 4) if edge else (NO, 2.5)), dashed=not edge)]


def _asked(query, eye):
    if query is None:
        return []
    x, y = _page(np.array(query), eye)
    head = f'<path d="M{x:.1f} {y - 8:.1f}l-5 12h10z" fill="currentColor"/>'
    return [_path([(0, 0), (x, y)], "currentColor", 2), head, _at(x - 9, y + 2, "query", anchor="end")]


def _page(points, eye):
    return UNIT * np.asarray(points) @ eye


def _faces_reader(corners, middle):
    out = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    return (out @ SEEN) * (out @ (corners[0] - middle)) > 0


def _path(points, tone, width, *, fill=0, dashed=False):
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "z" * bool(fill)
    look = f'fill="{tone}" fill-opacity="{fill}"' if fill else 'fill="none"'
    look += f' stroke="{tone}" stroke-width="{width}"' * bool(width) + ' stroke-dasharray="5 4"' * dashed
    return f'<path d="M{path}" {look}/>'


def _titled(title, shapes, at, names, told, frame, half):
    """The shapes with the keys' names on their outer sides, under a title; frame: points for which there is room."""
    for name, (x, y), (right, down) in zip(names, at, at - at.mean(axis=0), strict=True):
        beside = abs(right) > 0.15 * UNIT
        put = (x + 9 * np.sign(right), y + 4) if beside else (x, y + (19 if down > 0 else -9))
        anchor = ("start" if right > 0 else "end") if beside else "middle"
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor"/>'
        shapes.append(dot + _at(*put, text.label(name), anchor=anchor))
    (left, top), (right, low) = frame.min(axis=0), frame.max(axis=0)
    shapes.append(_at((left + right) / 2, top - 42, title, anchor="middle"))
    return _svg("".join(shapes), left - SIDE, top - 58, right - left + 2 * SIDE, low - top + 84, told, half)
