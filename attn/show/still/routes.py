"""Still evidence: which of two routes is open and what arrives, and a cloud of points of which a few are named."""

import numpy as np
from matplotlib.patches import FancyArrowPatch

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.plot import INK, SOFT, Plot, canvas

MARK, MARKS = "#b35806", ("o", "s", "D", "^")


def routes(ends, ways, opened, shares, rows, names, *, title=None):
    """Experiments that close routes between two words: for each a small map, and what share arrives.

    ends: (from, to); ways: the names of two routes; opened: (r, 2), True where a route is open
    shares: (r, s), 1 is all; rows: r names of experiments; names: s names of what they were tried on
    ->   Plot. Raises ValueError where sizes disagree.
    """
    shares, opened = numeric(shares=shares), np.asarray(opened, dtype=bool)
    if shares.shape != (len(rows), len(names)):
        raise ValueError(f"shares has shape {shares.shape}, but there are {len(rows)} rows and {len(names)} names")
    if opened.shape != (len(rows), 2) or len(ways) != 2:
        raise ValueError(f"opened has shape {opened.shape}, but there are {len(rows)} rows and {len(ways)} routes")
    figure, axes = canvas(6.4, 0.98 * len(rows) + 0.6)
    for r, (row, open_, share) in enumerate(zip(rows, opened, shares, strict=True)):
        _map(axes, -r, ends, ways, open_)
        axes.text(4.7, -r + 0.27, text.label(row), color=INK, fontsize=10, va="center", parse_math=False)
        axes.plot([4.7, 7.7], [-r - 0.02] * 2, color="#d8dbe2", linewidth=5, solid_capstyle="butt", zorder=1)
        for k, x in enumerate(share):
            marker = dict(marker=MARKS[k % len(MARKS)], markersize=8, color=(INK, MARK, "#5e3c99", SOFT)[k % 4])
            axes.plot(4.7 + 3 * x, -r - 0.02, zorder=2, markeredgecolor="white", **marker)
        told = " · ".join(f"{100 * x:.0f}" for x in share) + " %"
        axes.text(4.7, -r - 0.29, told, color=INK, fontsize=10, va="center")
    for k, name in enumerate(names):
        style = dict(marker=MARKS[k % len(MARKS)], color=(INK, MARK, "#5e3c99", SOFT)[k % 4], linestyle="none")
        axes.plot([], [], label=text.label(name), **style)
    axes.legend(loc="upper right", bbox_to_anchor=(1, 0.02), ncols=len(names), frameon=False, fontsize=10)
    axes.set_xlim(-0.75, 8)
    axes.set_ylim(0.55 - len(rows), 0.55)
    axes.axis("off")
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=11, parse_math=False)
    told = [f"{row} {', '.join(f'{100 * x:.0f}' for x in share)}%" for row, share in zip(rows, shares, strict=True)]
    return Plot(figure, f"{title or 'What arrives'} ({', '.join(names)}): {'; '.join(told)}.")


def _map(axes, y, ends, ways, open_):
    """Two words and the two routes between them, on the line y; what is closed is dashed and crossed."""
    for x, word, side in ((-0.05, ends[0], "right"), (3.65, ends[1], "left")):
        axes.text(x, y, text.label(word), color=INK, fontsize=10, ha=side, va="center", weight="bold")
    for way, is_open, lift in zip(ways, open_, (0.24, -0.24), strict=True):
        style = dict(color=INK, linewidth=1.8) if is_open else dict(color=SOFT, linewidth=1, linestyle=(0, (2, 3)))
        for start, end, head in (((0, y), (1.36, y + lift), "-"), ((2.28, y + lift), (3.6, y), "-|>")):
            bend = FancyArrowPatch(start, end, arrowstyle=head, mutation_scale=9, shrinkA=2, shrinkB=2, **style)
            axes.add_patch(bend)
        box = dict(boxstyle="round,pad=0.25", facecolor="white", edgecolor=INK if is_open else SOFT, linewidth=0.9)
        told = dict(color=INK if is_open else SOFT, fontsize=9, ha="center", va="center", bbox=box)
        axes.text(1.82, y + lift, text.label(way), **told)
        if not is_open:
            axes.plot(0.68, y + lift * 0.5, "x", color=MARK, markersize=8, markeredgewidth=2)


def cloud(x, y, named, *, across, up, alt, title=None):
    """A cloud of points, a few of them named.

    x, y: (n,); named: {name: which point}; across, up: what the axes measure; alt: the sentence
    ->   Plot. Raises ValueError where sizes disagree.
    """
    x, y = numeric(x=x), numeric(y=y)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"y has shape {y.shape}, but x has shape {x.shape}")
    figure, axes = canvas(6.4, 3.8)
    axes.axhline(0, color=SOFT, linewidth=0.6)
    axes.axvline(0, color=SOFT, linewidth=0.6)
    axes.plot(x, y, "o", color=SOFT, markersize=4, alpha=0.6)
    for name, at in named.items():
        axes.plot(x[at], y[at], "o", color=MARK, markersize=7)
        placed = dict(xytext=(7, 5), textcoords="offset points", color=INK, parse_math=False)
        axes.annotate(text.label(name), (x[at], y[at]), **placed)
    for spine in ("top", "right"):
        axes.spines[spine].set_visible(False)
    axes.set_xlabel(across, color=SOFT)
    axes.set_ylabel(up, color=SOFT)
    axes.margins(0.1)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=11, parse_math=False)
    return Plot(figure, alt)
