"""Still curves: how numbers fall or grow, each curve named where it ends."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import LogFormatter

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.plot import INK, SOFT, Plot, Plots, canvas, plain

STYLES = (("-", INK), ("--", "#b35806"), ("-.", "#5e3c99"), (":", INK), ("-", SOFT), ("--", "#1b7837"))


def curves(x, series, *, across, up, alt, log="", title=None, wide=False, errors=None, colours=None):
    """Some curves over one axis, told apart by dash and by the name written at the end of each.

    x: (n,) or {name: (n,)}; series: {name: (n,)}; across, up: what the axes measure; log: "x", "y" or "xy"; alt: str;
    wide: as wide as the figures that move; errors: {name: (n,)}, a bar so long up and down at each point; colours:
    {name: k}, the colour of the k-th style for a name that keeps it from picture to picture   ->   Plot.
    Raises ValueError where sizes disagree.
    """
    figure, axes = canvas(*((3.4, 2.1) if wide else (4.6, 2.9)))  # so narrow that a phone does not shrink its letters
    ends = []
    for (name, values), (dash, colour) in zip(series.items(), STYLES * (1 + len(series) // len(STYLES)), strict=False):
        at, values = numeric(x=x[name] if isinstance(x, dict) else x), numeric(values=values)
        if at.shape != values.shape or values.ndim != 1:
            raise ValueError(f"{name} has shape {values.shape}, but x has shape {at.shape}")
        colour = STYLES[colours[name]][1] if name in (colours or {}) else colour
        axes.plot(at, values, dash, color=colour, marker="o" if len(at) < 16 else None, markersize=3)
        if name in (errors or {}):
            off = numeric(errors=errors[name])
            if off.shape != at.shape:
                raise ValueError(f"the errors of {name} have shape {off.shape}, but x has shape {at.shape}")
            axes.vlines(at, values - off, values + off, color=colour, linewidth=1.5)
        ends.append((at[-1], values[-1], name, colour))
    for name in "xy":
        if name in log:
            getattr(axes, f"set_{name}scale")("log")
            _counted(getattr(axes, f"{name}axis"))
    plain(axes, across, up)
    _name(axes, ends)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=10, parse_math=False)
    return Plot(figure, alt, wide)


def _counted(axis):
    """Numbers along a logarithmic axis as one counts them, 1, 10, 100, where no more than five digits are needed."""
    low, high = axis.get_view_interval()
    if 0.5 < low and high < 1e5:
        axis.set_major_formatter(LogFormatter())
        axis.set_minor_formatter(LogFormatter(labelOnlyBase=False))


def bells(panels, *, across, up, alt, wide=False):
    """Curves with one peak, in panels side by side, each named at its right flank.

    panels: {title: (x, {name: heights})}, x and heights (n,); across, up: what the axes measure; alt: the sentence;
    wide: each panel is a picture of its own, as wide as half a page, and they stand below each other on a phone
    ->   Plot, or Plots where wide. Curves that lie on one another share one line of names. Raises ValueError where
    sizes disagree.
    """
    if wide:
        return Plots([_bells({title: panel}, (3.3, 2.1), across, up) for title, panel in panels.items()], alt)
    return Plot(_bells(panels, (4.8, 2.4), across, up).figure, alt)


def _bells(panels, size, across, up):
    """Panels of bells in one picture of a size, not yet described.   ->   Plot"""
    figure = Figure(figsize=size, layout="constrained")
    for axes, (title, (x, series)) in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels.items(), strict=True):
        flanks = []
        for (name, heights), (dash, colour) in zip(series.items(), STYLES, strict=False):
            at, heights = numeric(x=x), numeric(heights=heights)
            if at.shape != heights.shape or at.ndim != 1:
                raise ValueError(f"{name} has shape {heights.shape}, but x has shape {at.shape}")
            axes.plot(at, heights, dash, color=colour)
            half = np.flatnonzero(heights >= heights.max() / 2)[-1]  # the last place as high as half the peak
            flanks.append((at[half], heights[half], name, colour))
        if np.ptp([spot for spot, *_ in flanks]) < 0.05 * np.ptp(at):
            flanks = [(*flanks[0][:2], "\n".join(name for _, _, name, _ in flanks), INK)]
        for *spot, name, colour in flanks:
            place = dict(xytext=(6, 4), textcoords="offset points", fontsize=9, parse_math=False)
            axes.annotate(name, spot, color=colour, **place)
        plain(axes, across, up if axes is figure.axes[0] else "")
        axes.spines["left"].set_visible(False)
        axes.set_yticks([])  # the areas are alike: only widths and heights are compared
        axes.set_title(title, loc="left", color=INK, fontsize=10, parse_math=False)
    return Plot(figure, "")


def _name(axes, ends):
    """Write each curve's name beside its end, clear of curves and of other names. A line leads to what had to move."""
    names = []
    for x, y, name, colour in ends:
        line = dict(arrowstyle="-", color=colour, linewidth=0.6, shrinkA=1, shrinkB=3, relpos=(0, 0.5))
        place = dict(xytext=(8, 0), textcoords="offset points", va="center", fontsize=9, parse_math=False)
        names.append(axes.annotate(text.label(name), (x, y), color=colour, arrowprops=line, **place))
    axes.figure.draw_without_rendering()  # before it, nothing has its place
    point = axes.figure.dpi / 72
    lines = [axes.transData.transform(line.get_xydata()) for line in axes.lines]
    boxes = [Text.get_window_extent(name) for name in names]
    gap = max(box.height for box in boxes) + point
    for group in _abreast(boxes):
        ends_at = np.array([boxes[k].y0 + boxes[k].height / 2 for k in group])
        wanted = ends_at + [_clear(boxes[k], lines, 2 * point) for k in group]
        moves = (spread(wanted, gap, axes.bbox.y0, axes.bbox.y1) - ends_at) / point
        for k, move in zip(group, moves, strict=True):
            names[k].set_position((20 if np.abs(moves).max() > 4 else 8, move))
            names[k].arrow_patch.set_visible(abs(move) > 4)


def _clear(box, lines, away):
    """How far up or down, in pixels, a box finds a place that no line crosses; 0 where there is none near."""
    x = np.linspace(box.x0, box.x1 + box.width / 4, 60)
    y = np.concatenate([np.interp(x, *line.T, left=np.inf, right=np.inf) for line in lines])
    middle = box.y0 + box.height / 2
    moves = sorted(np.linspace(-4, 4, 65) * box.height, key=abs)
    return next((move for move in moves if (np.abs(y - middle - move) > box.height / 2 + away).all()), 0)


def spread(wanted, gap, low, high):
    """Places as near to those wanted as can be, none nearer to the next than gap and all from low to high.

        argmin Σ (y − wanted)²,   y in the order of wanted, y_{k+1} − y_k ≥ gap

    wanted: (n,)   ->   (n,). Where the room is too small, what is highest still ends at high.
    Source: Ayer, Brunk, Ewing, Reid and Silverman, 1955 (pooling of neighbours in the wrong order).
    """
    wanted = np.asarray(wanted, float)
    order, steps = wanted.argsort(kind="stable"), gap * np.arange(len(wanted))
    pools = []
    for place in wanted[order] - steps:
        pools.append([place])
        while len(pools) > 1 and np.mean(pools[-2]) > np.mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    places = np.repeat([np.mean(pool) for pool in pools], [len(pool) for pool in pools])
    placed = np.empty_like(wanted)
    placed[order] = np.clip(places, low, high - gap * (len(wanted) - 1)) + steps
    return placed


def _abreast(boxes):
    """Which boxes stand over one another, wherever they are in height.   ->   lists of indices"""
    groups, right = [], -np.inf
    for k in sorted(range(len(boxes)), key=lambda k: boxes[k].x0):
        if boxes[k].x0 > right:
            groups.append([])
        groups[-1].append(k)
        right = max(right, boxes[k].x1)
    return groups
