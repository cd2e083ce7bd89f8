"""Still curves: how numbers fall or grow, each curve named where it ends."""

import numpy as np
from matplotlib.figure import Figure

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.plot import INK, SOFT, Plot, canvas

STYLES = (("-", INK), ("--", "#b35806"), ("-.", "#5e3c99"), (":", INK), ("-", SOFT), ("--", "#1b7837"))


def curves(x, series, *, across, up, alt, log="", title=None):
    """Some curves over one axis, told apart by dash and by the name written at the end of each.

    x: (n,) or {name: (n,)}; series: {name: (n,)}; across, up: what the axes measure; log: "x", "y" or "xy"; alt: str
    ->   Plot. Raises ValueError where sizes disagree.
    """
    figure, axes = canvas(7, 3.6)
    ends = []
    for (name, values), (dash, colour) in zip(series.items(), STYLES * (1 + len(series) // len(STYLES)), strict=False):
        at, values = numeric(x=x[name] if isinstance(x, dict) else x), numeric(values=values)
        if at.shape != values.shape or values.ndim != 1:
            raise ValueError(f"{name} has shape {values.shape}, but x has shape {at.shape}")
        axes.plot(at, values, dash, color=colour, marker="o" if len(at) < 16 else None, markersize=3)
        ends.append((at[-1], values[-1], name, colour))
    for name in "xy":
        if name in log:
            getattr(axes, f"set_{name}scale")("log")
    for spine in ("top", "right"):
        axes.spines[spine].set_visible(False)
    axes.set_xlabel(across, color=SOFT)
    axes.set_ylabel(up, color=SOFT)
    _name(axes, ends)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=11, parse_math=False)
    return Plot(figure, alt)


def bells(panels, *, across, up, alt):
    """Curves with one peak, in panels side by side, each named at its right flank.

    panels: {title: (x, {name: heights})}, x and heights (n,); across, up: what the axes measure; alt: the sentence
    ->   Plot. Curves that lie on one another share one line of names. Raises ValueError where sizes disagree.
    """
    figure = Figure(figsize=(6.2, 2.8), layout="constrained")
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
            place = dict(xytext=(6, 4), textcoords="offset points", parse_math=False)
            axes.annotate(name, spot, color=colour, **place)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel(across, color=SOFT)
        axes.set_ylabel(up, color=SOFT)
        axes.set_title(title, loc="left", color=INK, fontsize=10, parse_math=False)
    return Plot(figure, alt)


def _name(axes, ends):
    """Write each curve's name beside its end, moved apart where two ends meet."""
    to = axes.transData.transform
    taken = -np.inf
    for x, y, name, colour in sorted(ends, key=lambda end: to((end[0], end[1]))[1]):
        wanted = to((x, y))[1]
        height = max(wanted, taken + 16)
        taken = height
        place = dict(xytext=(8, (height - wanted) * 0.72), textcoords="offset points", va="center", parse_math=False)
        axes.annotate(text.label(name), (x, y), color=colour, **place)
