"""Triangles, two beside each other: how rows of weights over three words move from step to step."""

import numpy as np
from matplotlib.figure import Figure

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.planes import TONES
from attn.show.still.plot import INK, SOFT, Plot

CORNERS = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])  # a row of weights stands at weights · CORNERS


def walks(panels, tokens, pi=None):
    """Three rows of weights that move step by step through the triangle of all weights; a panel for each walk.

    panels: {title: (steps, 3, 3)}, the three rows at each step, the first where they start
    tokens: three names, of the corners and of the rows;  pi: (3,), a row that no step moves, marked π
    ->   Plot. Raises ValueError where a panel does not hold three rows over three words.
    """
    wide, tall = min(len(panels), 2), -(-len(panels) // 2)
    figure = Figure(figsize=(1.9 * wide, 1.9 * tall), layout="constrained")
    axes = np.ravel(figure.subplots(tall, wide, sharex=True, sharey=True))
    told, shown = [], []
    for axis, (title, steps) in zip(axes, panels.items(), strict=False):
        steps = numeric(**{title: steps})
        if steps.ndim != 3 or steps.shape[1:] != (3, 3):
            raise ValueError(f"{title} must have the shape (steps, 3, 3), but has {steps.shape}")
        axis.fill(*CORNERS.T, facecolor="#f4f5f8", edgecolor=SOFT, linewidth=0.8)
        for name, corner, side in zip(tokens, CORNERS, ("top", "top", "bottom"), strict=True):
            axis.annotate(name, corner, (0, -4 if side == "top" else 4), color=SOFT, fontsize=9, ha="center", va=side,
                          textcoords="offset points")  # fmt: skip
        thick = (3.4, 2.2, 1.1)  # paths on one line lie over each other, the thinnest on top
        for walk, tone, width in zip(np.swapaxes(steps @ CORNERS, 0, 1), TONES[:3], thick, strict=True):
            shown += axis.plot(*walk.T, "-o", color=tone, linewidth=width, markersize=2.5 + width / 2)
            axis.plot(*walk[-1], "o", color=tone, markersize=6, markeredgecolor="white")
        if pi is not None:
            still = axis.plot(*(pi @ CORNERS), "x", color=INK, markersize=6, zorder=3)
        axis.set_title(title, color=INK, fontsize=10, parse_math=False)
        axis.set(aspect="equal", xlim=(-0.1, 1.1), ylim=(-0.17, 1.02))
        ends = ", ".join(
            f"{text.quoted(name)} at {text.vector(row)}" for name, row in zip(tokens, steps[-1], strict=True)
        )
        told.append(f"{title}: after {len(steps) - 1} steps the row of {ends}")
    for axis in axes:
        axis.set_axis_off()
    if len(axes) > len(panels):  # the free place says which row is which
        lines, names = shown[:3], [f"the row of {name}" for name in tokens]
        if pi is not None:
            lines, names = [*lines, *still], [*names, "π, which no step moves"]
        axes[-1].legend(lines, names, loc="center", frameon=False, fontsize=9, labelcolor=INK)
    return Plot(figure, "; ".join(told) + ".")
