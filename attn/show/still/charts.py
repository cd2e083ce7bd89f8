"""Still charts: bars, points in the plane, a cloud of points, a roofline."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.plot import INK, SOFT, Plot, canvas, finite_or_masked, matrix, plain

LOOKS = (("s", "#0b57c2"), ("o", SOFT), ("D", "#b35806"))  # of a cloud's groups, told apart without colour, too


def bars(values, names, *, title=None, name="values"):
    """One row of numbers as bars, each with its value written beside it.

    values: (m,); names: m names   ->   Plot. Raises ValueError where sizes disagree.
    """
    values = numeric(values=values)
    if values.shape != (len(names),):
        raise ValueError(f"values has shape {values.shape}, but there are {len(names)} names")
    finite_or_masked("values", values)
    figure, axes = canvas(4.6, 0.4 * len(values) + 0.7)
    drawn = axes.barh(range(len(values)), values, color=[INK if x >= 0 else "#b35806" for x in values], height=0.6)
    axes.bar_label(drawn, [text.number(x) for x in values], padding=4, color=INK, fontsize=9)
    axes.set_yticks(range(len(values)), [text.label(word) for word in names], fontsize=9, parse_math=False)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.axvline(0, color=SOFT, linewidth=0.8)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=10, parse_math=False)
    return Plot(figure, f"{title or name}: {text.vector(values)}; {text.extremes(list(values), names)}.")


def plane(points, names, output, corners, *, alt):
    """Points in the plane with their hull, and the one point that is their average.

    points: (n, 2); names: n names; output: (2,); corners: indices of the hull's corners in order; alt: the sentence
    ->   Plot. Raises ValueError where points are not in a plane.
    """
    points = matrix("points", points)
    if points.shape != (len(names), 2):
        raise ValueError(f"points has shape {points.shape}, but there are {len(names)} names in a plane")
    figure, axes = canvas(4.6, 3.7)
    axes.fill(*points[corners].T, facecolor="#eef3fb", edgecolor=SOFT)
    axes.plot(*points.T, "o", color=INK)
    axes.plot(*output, "*", color="#b35806", markersize=15)
    axes.annotate("output", output, (8, 8), textcoords="offset points", color="#b35806")
    for name, point in zip(names, points, strict=True):
        axes.annotate(
            text.label(name), point, (6, 6), textcoords="offset points", color=INK, fontsize=9, parse_math=False
        )
    axes.margins(0.15)
    return Plot(figure, alt)


def cloud(x, y, named, *, across, up, alt, title=None, crowd=None, letters=10, groups=None):
    """A cloud of points, a few of them named.

    x, y: (n,); named: {name: which point}; across, up: what the axes measure; alt: the sentence; crowd: (n,) bool,
    which points are drawn small and pale, because little is to be seen of them; letters: the size of the names, in
    points; groups: {name: (n,) bool}, up to three, each with its own sign and colour, which a legend explains
    ->   Plot. Raises ValueError where sizes disagree.
    """
    x, y = numeric(x=x), numeric(y=y)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"y has shape {y.shape}, but x has shape {x.shape}")
    crowd = np.zeros(len(x), bool) if crowd is None else np.asarray(crowd, bool)
    groups = {name: np.asarray(those, bool) for name, those in (groups or {}).items()}
    for name, those in {"crowd": crowd, **groups}.items():
        if those.shape != x.shape:
            raise ValueError(f"{name} has shape {those.shape}, but x has shape {x.shape}")
    figure, axes = canvas(3.75, 3.2)  # so narrow that its letters are read on a phone
    axes.axhline(0, color=SOFT, linewidth=0.6)
    axes.axvline(0, color=SOFT, linewidth=0.6)
    _dots(axes, x, y, crowd, groups, [*named.values()])
    plain(axes, across, up)
    axes.tick_params(labelsize=10)
    for one in (axes.xaxis, axes.yaxis):
        one.label.set_size(10)
    axes.margins(0.1)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=10, parse_math=False)
    if groups:
        axes.legend(loc="upper left", fontsize=letters, frameon=False, labelcolor=INK, handletextpad=0.1)
    figure.draw_without_rendering()  # before it, nothing has its place
    boxes, points = [], axes.transData.transform(np.column_stack([x, y]))
    for name, at in named.items():
        boxes.append(_clear(axes, text.label(name), (x[at], y[at]), letters, points, boxes))
    return Plot(figure, alt)


def _dots(axes, x, y, crowd, groups, named):
    """Every point, those of the crowd small and pale; each group in its own look; the named ones larger on top."""
    alone, looks = {None: np.ones(len(x), bool)}, LOOKS if groups else [("o", SOFT)]
    for (name, those), (sign, tone) in zip((groups or alone).items(), looks, strict=False):
        small, large = those & crowd, those & ~crowd
        axes.plot(x[small], y[small], sign, color=tone, markersize=2.5, alpha=0.6, markeredgewidth=0)
        axes.plot(x[large], y[large], sign, color=tone, markersize=5.5, label=name)
        for at in named:
            if those[at]:
                sized = dict(markersize=4.5 if crowd[at] else 5.5 if groups else 7)
                axes.plot(x[at], y[at], sign, color=tone if groups else "#b35806", **sized)


def _clear(axes, name, point, letters, points, boxes):
    """Write a name at the first spot beside its point that hides no point and no name, or at the last.   -> its box"""
    for right, higher in (spots := ((7, 5), (-7, 5), (7, -12), (-7, -12), (9, -3), (-9, -3))):
        side = dict(xytext=(right, higher), textcoords="offset points", ha="left" if right > 0 else "right")
        note = axes.annotate(name, point, color=INK, fontsize=letters, parse_math=False, **side)
        box = note.get_window_extent().padded(6)  # a dot has a width
        if (right, higher) == spots[-1] or not (box.count_contains(points) or box.count_overlaps(boxes)):
            return note.get_window_extent()
        note.remove()


def roofline(peak, bandwidth, points, measured, *, alt, in_turns=None):
    """A device's roof and the work under it.

    peak: flops a second; bandwidth: bytes a second; points, measured: {name: (intensity, flops a second)}; alt: str
    in_turns: a second, dashed ceiling in flops a second, of attention that does products and exponentials in turns
    ->   Plot.
    """
    figure, axes = canvas(4.8, 3.2)
    ridge = peak / bandwidth
    given = [x for x, _ in [*points.values(), *measured.values()]]
    ends = np.array([min([*given, ridge]) / 4, ridge, max([*given, ridge]) * 4])
    axes.loglog(ends, np.minimum(peak, ends * bandwidth), color=INK)
    if in_turns is not None:
        start = in_turns / bandwidth
        axes.plot([start, ends[2]], [in_turns] * 2, "--", color=SOFT)
        told = f"{text.percent(in_turns / peak)}: exponentials in turns"
        placed = dict(xytext=(-6, -4), textcoords="offset points", ha="right")
        axes.annotate(told, (start, in_turns), color=SOFT, **placed)
    for marker, shown in (("o", points), ("x", measured)):
        for k, (name, at) in enumerate(shown.items()):
            axes.plot(*at, marker, color="#b35806")
            side = "center" if at[0] > ridge else "left"
            away = (0 if side == "center" else 6, -18 - 14 * (k % 2))  # neighbours on two lines
            placed = dict(xytext=away, textcoords="offset points", ha=side)
            axes.annotate(text.label(name), at, color=INK, parse_math=False, **placed)
    plain(axes, "intensity: flops a byte", "flops a second")
    return Plot(figure, alt)
