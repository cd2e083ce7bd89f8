"""Planes side by side: what a matrix does to a grid and a circle, and arrows and points on it."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.plot import INK, SOFT, Plot, Plots

TONES = ("#0b57c2", "#b35806", "#5e4fa2", INK)
PAPER = dict(facecolor="white", alpha=0.7, pad=0.5, linewidth=0)  # a name can be read on whatever it crosses
ROUND = np.linspace(0, 2 * np.pi, 73)
CIRCLE = np.stack([np.cos(ROUND), np.sin(ROUND)], axis=1)
ACROSS = [[(-2, k), (2, k)] for k in range(-2, 3)]
LINES = np.array([*ACROSS, *np.flip(ACROSS, axis=2)], float)  # (10, 2 ends, 2)
GRID = np.stack(np.meshgrid(np.arange(-40, 41, 2), np.arange(-40, 41, 2)), axis=-1).reshape(-1, 2)
STEPS = GRID[np.hypot(*GRID.T).argsort(kind="stable")]  # in points, how far a name may move: the nearest place first
BOTH = np.linspace(-10, 10, 801)[:, None] * np.eye(2)[:, None]  # the two axes, as points
NEAR = 0.2  # an arrow nearer to a dot than this would strike through a name on its side


def planes(
    panels,
    *,
    names=None,
    room=None,
    reach=None,
    tones=None,
    bare=False,
    ticks=(),
    clear=False,
    wide=False,
    large=False,
):
    """Planes of one scale, side by side.

    panels: {title: parts}, with any of these parts: by, a matrix (2, 2) that moves the grid and the unit circle (rows
    are vectors, so x goes to x · by); arrows, {name: tip or (foot, tip)}; points, (n, 2); before, (n, 2), where the
    points were, and a thin line from there to each; heaps, {name: (n, 2)}, points in the colour of that name;
    marks, {name: point}, dots that are named; words, {word: point}, with no dot
    names: what stands along the two axes;  room: how much is left free around what is drawn, as a share of it;
    reach: how far the axes go, to all four sides alike;  tones: {name: colour} of marks, arrows and heaps, the same in
    every panel;  bare: no frame and no numbers along it, and the planes share the width of the page, as the figures
    that move do;  ticks: numbers to mark along both axes, where there is no frame that has them;  clear: names keep off
    the two axes;  wide: one picture as wide as the figures that move;  large: each plane is a picture of its own, as
    wide as half a page; a number, and it is so many times as tall
    ->   Plot, or Plots where large. Raises ValueError where something does not lie in a plane.
    """
    tones = tones or {}
    alt = "; ".join(_told(title, **parts) for title, parts in panels.items()) + "."
    how = dict(names=names, room=room, reach=reach, tones=tones, bare=bare, ticks=ticks, clear=clear)
    if large:
        return Plots(
            [Plot(_plot({title: parts}, (3.7, 3.9 * large), False, **how), "") for title, parts in panels.items()], alt
        )
    alone = bare and len(panels) == 1  # wide, and yet its names can be read on a phone
    size = (4.6, 3) if alone else (4.8, 4.8 / max(len(panels), 2) + 0.3)
    return Plot(_plot(panels, size, alone, **how), alt, wide)


def _plot(panels, size, alone, *, names, room, reach, tones, bare, ticks, clear):
    """Planes in one picture of a size; alone: what is drawn may lie anywhere in it."""
    wide, tall = size
    figure = Figure(figsize=(wide, tall), layout="constrained")
    axes = np.atleast_1d(figure.subplots(1, len(panels), sharex=True, sharey=True))
    for axis, (title, parts) in zip(axes, panels.items(), strict=True):
        _draw(axis, parts, tones, 10 if alone else 9)
        axis.set_title(title, loc="left", color=INK, fontsize=10, parse_math=False)
        axis.set_aspect("equal", adjustable="datalim" if alone and reach is None else "box")
        if room is not None:
            axis.margins(room)
        if reach is not None:
            far = reach * wide / tall if alone else reach
            axis.set(xlim=(-far, far), ylim=(-reach, reach))
        if names:
            axis.set_xlabel(names[0], color=SOFT, fontsize=9)
            axis.set_ylabel(names[1], color=SOFT, fontsize=9)
            axis.label_outer()
        _frame(axis, bare)
        _ticks(axis, ticks)
    _clear(figure, axes, bare, clear)
    return figure


def _draw(axis, parts, tones, size):
    """The parts of one panel: grid, points, marks with names of a size, heaps and arrows."""
    if "by" in parts:
        _grid(axis, _inside("by", parts["by"], (2, 2)))
    if "points" in parts:
        points = _inside("points", parts["points"], (None, 2))
        if "before" in parts:
            ways = np.stack([_inside("before", parts["before"], points.shape), points], axis=1)
            axis.add_collection(LineCollection(ways, colors="#c3c8d4", linewidths=0.6, zorder=0))
        axis.plot(*points.T, ".", color="#8f97a8", markersize=4)
    for name, point in parts.get("marks", {}).items():
        tips = [_inside(name, ends, (2, 2), arrow=True) for name, ends in parts.get("arrows", {}).items()]
        _mark(axis, name, _inside(name, [point], (1, 2))[0], tips, tones.get(name, SOFT), size)
    for word, point in parts.get("words", {}).items():
        at = _inside(word, [point], (1, 2))[0]
        axis.text(*at, word, color=INK, fontsize=size + 1, fontweight="bold", ha="center", va="center")
    drawn = parts.get("arrows", {})
    own = {name: TONES[k % len(TONES)] for k, name in enumerate(drawn)} | tones
    for name, heap in parts.get("heaps", {}).items():
        heap = _inside(f"heaps of {name}", heap, (None, 2))
        axis.plot(*heap.T, "o", color=own[name], markersize=4.5, alpha=0.7, markeredgewidth=0)
    for name, ends in drawn.items():
        _arrow(axis, name, _inside(name, ends, (2, 2), arrow=True), own[name])


def _frame(axis, bare):
    """The two axes, and the frame with its numbers where the plane is not bare."""
    axis.tick_params(colors=SOFT, labelsize=9)
    axis.spines[:].set_color(SOFT)
    if bare:
        axis.spines[:].set_visible(False)
        axis.set(xticks=[], yticks=[])
    for line in (axis.axhline, axis.axvline):
        line(0, color=SOFT, linewidth=0.8, zorder=1)


def _ticks(axis, ticks):
    """Small numbers along both axes, left of the one and under the other."""
    for tick in ticks:
        across, up = ((tick, 0), (0, -4), ("center", "top")), ((0, tick), (-4, 0), ("right", "center"))
        for point, (x, y), sides in (across, up):
            axis.plot(*point, "_" if y == 0 else "|", color=SOFT, markersize=5)
            axis.annotate(text.number(tick), point, (x, y), textcoords="offset points", color=SOFT, ha=sides[0],
                          va=sides[1], fontsize=7)  # fmt: skip


def _told(title, by=None, arrows=None, points=(), before=None, marks=None, heaps=None, words=None):
    """One panel in words: “moved by M: rows (2, 0.500) and (0, 1); xM ends at (2, 1.500)”."""
    rows = [] if by is None else ["rows " + " and ".join(map(text.vector, np.asarray(by, float)))]
    ends = [f"{name} ends at {text.vector(np.atleast_2d(tip)[-1])}" for name, tip in (arrows or {}).items()]
    ends += [f"{name} lies at {text.vector(point)}" for name, point in (marks or {}).items()]
    many = f"{len(points)} points" + ("" if before is None else ", each on a line from where it was")
    ends += [f"{len(heap)} points in the colour of {name}" for name, heap in (heaps or {}).items()]
    ends += [f"“{word}” stands at {text.vector(point)}" for word, point in (words or {}).items()]
    return f"{title}: " + ", ".join([*rows, *([many] if len(points) else []), *ends])


def _grid(axis, by):
    """The lines of a grid and the unit circle, as the matrix leaves them."""
    for line in LINES @ by:
        axis.plot(*line.T, color="#d5d8e0", linewidth=0.8, zorder=0)
    axis.plot(*(CIRCLE @ by).T, color=SOFT, linewidth=1.2)


def _arrow(axis, name, ends, tone):
    """One arrow with its name beside its tip."""
    style = dict(arrowstyle="-|>", color=tone, linewidth=2, shrinkA=0, shrinkB=0)
    axis.annotate("", ends[1], ends[0], arrowprops=style)
    axis.plot(*ends.T, alpha=0)  # an annotation alone does not widen the axes
    way = np.where(ends[1] < ends[0], -1, 1)
    sides = ["right" if way[0] < 0 else "left", "top" if way[1] < 0 else "bottom"]
    axis.annotate(name, ends[1], way * 3, textcoords="offset points", color=tone, ha=sides[0], va=sides[1], fontsize=9,
                  bbox=PAPER)  # fmt: skip


def _mark(axis, name, point, arrows, tone, size):
    """One dot with its name on the side that the nearest arrow leaves free; where none is near, outwards."""
    axis.plot(*point, ".", color=tone, markersize=7 if tone == SOFT else 10)
    away = min((point - _nearest(point, ends) for ends in arrows), key=np.linalg.norm, default=point)
    way = away if 0 < np.linalg.norm(away) < NEAR else point
    right, up = (np.sign(way[0]), 0) if abs(way[0]) > abs(way[1]) else (0, np.sign(way[1]) or -1)
    sides = {-1: ("right", "top"), 0: ("center", "center"), 1: ("left", "bottom")}
    place = dict(xytext=(5 * right, 5 * up), textcoords="offset points", ha=sides[right][0], va=sides[up][1])
    axis.annotate(name, point, color=tone, fontsize=size, bbox=PAPER, **place)


def _clear(figure, planes, bare, off):
    """Move each name that covers a dot, an arrow or a name, or leaves its frame, to the nearest place that is free.

    off: or that lies on an axis
    """
    figure.draw_without_rendering()  # before it, nothing has its place
    pixel = figure.dpi / 72
    for plane in planes:
        names = [name for name in plane.texts if name.get_text() and isinstance(name, Annotation)]
        boxes = [Text.get_window_extent(name).padded(3 * pixel) for name in names]
        taken = np.concatenate([[(np.inf, np.inf)], *(_drawn(plane, line) for line in plane.lines)])
        if off:
            taken = np.concatenate([taken, *(plane.transData.transform(axis) for axis in BOTH)])
        inside = figure.bbox if bare else plane.bbox
        for k, name in enumerate(names):
            others = boxes[:k] + boxes[k + 1 :]
            moved = (boxes[k].translated(*(pixel * move)) for move in STEPS)
            free = (_free(box, taken, others, inside) for box in moved)
            move = next((move for move, can in zip(STEPS, free, strict=True) if can), STEPS[0])
            name.xyann = np.add(name.xyann, move)
            boxes[k] = boxes[k].translated(*(pixel * move))


def _drawn(plane, line):
    """Where a line is in the way of names, in pixels: its dots, or an arrow's whole length.   ->   (n, 2)"""
    at = plane.transData.transform(line.get_xydata())
    if line.get_alpha() == 0:  # an arrow
        return at[0] + np.linspace(0, 1, 40)[:, None] * (at[1] - at[0])
    return at if line.get_marker() != "None" else at[:0]


def _free(box, taken, others, inside):
    covered = (taken > (box.x0, box.y0)) & (taken < (box.x1, box.y1))
    corners = ((box.x0, box.y0), (box.x1, box.y1))
    return (
        not covered.all(axis=1).any() and not box.count_overlaps(others) and all(inside.contains(*x) for x in corners)
    )


def _nearest(point, ends):
    """The point of an arrow that lies nearest to a point."""
    foot, along = ends[0], ends[1] - ends[0]
    share = (point - foot) @ along / max(along @ along, np.finfo(float).tiny)
    return foot + min(max(share, 0), 1) * along


def _inside(name, values, shape, *, arrow=False):
    """Numbers of the plane; an arrow without a foot starts at the origin."""
    array = numeric(**{name: values})
    if arrow and array.shape == (2,):
        array = np.stack([np.zeros(2), array])
    if array.ndim != 2 or any(want not in (None, size) for want, size in zip(shape, array.shape, strict=True)):
        raise ValueError(f"{name} must lie in the plane, but has shape {array.shape}")
    return array
