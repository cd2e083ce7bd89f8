"""Triangles: how rows of weights over three words move from step to step."""

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
    figure = Figure(figsize=(2.3 * wide, 2.3 * tall), layout="constrained")
    axes = np.ravel(figure.subplots(tall, wide, sharex=True, sharey=True))
    told, shown = [], []
    for axis, (title, steps) in zip(axes, panels.items(), strict=False):
        steps = numeric(**{title: steps})
        if steps.ndim != 3 or steps.shape[1:] != (3, 3):
            raise ValueError(f"{title} must have the shape (steps, 3, 3), but has {steps.shape}")
        _triangle(axis, tokens)
        thick = (3.4, 2.2, 1.1)  # paths on one line lie over each other, the thinnest on top
        for walk, tone, width in zip(np.swapaxes(steps @ CORNERS, 0, 1), TONES[:3], thick, strict=True):
            shown += axis.plot(*walk.T, "-o", color=tone, linewidth=width, markersize=2.5 + width / 2)
            axis.plot(*walk[-1], "o", color=tone, markersize=6, markeredgecolor="white")
        if pi is not None:
            still = axis.plot(*(pi @ CORNERS), "x", color=INK, markersize=6, zorder=3)
        axis.set_title(title, color=INK, fontsize=10, parse_math=False)
        ends = ", ".join(
            f"{text.quoted(name)} at {text.vector(row)}" for name, row in zip(tokens, steps[-1], strict=True)
        )
        told.append(f"{title}: after {len(steps) - 1} steps the row of {ends}")
    for axis in axes[len(panels) :]:
        axis.set_axis_off()
    lines, names = shown[:3], [f"the row of {name}" for name in tokens]
    if pi is not None:
        lines, names = [*lines, *still], [*names, "π, which no step moves"]
    look = dict(frameon=False, fontsize=9, labelcolor=INK)
    if len(axes) > len(panels):  # the free place says which row is which
        axes[-1].legend(lines, names, loc="center", **look)
    else:
        figure.legend(lines, names, loc="outside lower center", ncols=2, **look)
    return Plot(figure, "; ".join(told) + ".", large=True)


def hops(row, lines, pi, tokens):
    """A row of weights that comes to π along straight lines through it, each crossed by a factor of its own.

        row_n = π + Σ c λⁿ y,   Σ y = 0
    row: (steps, 3); lines: {what is written at its end: y}, (3,) with the sum 0; pi: (3,); tokens: three names
    ->   Plot. Raises ValueError where the sizes are others.
    """
    row, pi = numeric(row=row), numeric(pi=pi)
    for name, array in (("row", row), *lines.items()):
        if np.shape(array)[-1] != 3:
            raise ValueError(f"{name} has shape {np.shape(array)}, but there are 3 words")
    figure = Figure(figsize=(3.6, 3.3), layout="constrained")
    axis = figure.subplots()
    _triangle(axis, tokens)
    for (name, y), tone in zip(lines.items(), TONES[1:], strict=False):
        y = np.asarray(y, float)
        far = [min(-p / d for p, d in zip(pi, side * y, strict=True) if d < 0) for side in (1, -1)]
        ends = np.array([pi + far[0] * y, pi - far[1] * y]) @ CORNERS
        axis.plot(*ends.T, "--", color=tone, linewidth=1.2)
        end = ends[np.argmax(ends[:, 1])]
        axis.annotate(name, end, (5, 3), color=tone, fontsize=9, textcoords="offset points", parse_math=False)
    at = row @ CORNERS
    axis.plot(*at.T, "-o", color=TONES[0], linewidth=1.2, markersize=5)
    for n, point in enumerate(at[:4]):
        axis.annotate(str(n), point, (6, -9) if n else (8, 3), color=TONES[0], fontsize=9, textcoords="offset points")
    axis.plot(*(pi @ CORNERS), "x", color=INK, markersize=8, markeredgewidth=2, zorder=3)
    told = "; ".join(f"after {n} {text.vector(each)}" for n, each in enumerate(row[:4].round(2)))
    alt = f"The row of {text.quoted(tokens[0])}: {told}; π is {text.vector(pi.round(2))}."
    return Plot(figure, alt, large=True)


def _triangle(axis, tokens):
    """The triangle of all rows of weights over three words, its corners named."""
    axis.fill(*CORNERS.T, facecolor="#f4f5f8", edgecolor=SOFT, linewidth=0.8)
    for name, corner, side in zip(tokens, CORNERS, ("top", "top", "bottom"), strict=True):
        axis.annotate(name, corner, (0, -4 if side == "top" else 4), color=SOFT, fontsize=9, ha="center", va=side,
                      textcoords="offset points")  # fmt: skip
    axis.set(aspect="equal", xlim=(-0.1, 1.1), ylim=(-0.17, 1.02))
    axis.set_axis_off()
