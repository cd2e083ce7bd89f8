"""A question on paper: what is asked, what there is to choose from, and the answer once it has been given."""

import textwrap

import numpy as np
from matplotlib.figure import Figure

from attn.show.still.plot import INK, SOFT, Plot, canvas


def guess(asked):
    """A question as a still picture; the answer is in it only if a guess is, or if it was asked for.

    asked: a widgets.Predict   ->   Plot
    """
    open_, point = bool(asked.guess or asked.shown), len(asked.answer) == 2
    lines = textwrap.wrap(asked.question, 70) + [f"○ {choice}" for choice in asked.choices]
    lines += textwrap.wrap(asked.sentence(), 70) if open_ else []
    written = "\n".join(lines)
    if point:
        figure, axes = canvas(6, 4)
        axes.set(xlim=(-asked.reach, asked.reach), ylim=(-asked.reach, asked.reach), aspect="equal")
        axes.axhline(0, color=SOFT, linewidth=0.8)
        axes.axvline(0, color=SOFT, linewidth=0.8)
        for name, (x, y) in asked.marks.items():
            axes.annotate(name, (x, y), (4, 4), textcoords="offset points", color=INK, parse_math=False)
            axes.plot([0, x], [0, y], color=SOFT)
        if open_ and asked.steps:
            axes.plot(*np.cumsum([[0, 0], *asked.steps.values()], axis=0).T, color="#b35806")
        for place, sign in ((asked.guess, "o"), (asked.answer if open_ else [], "*")):
            if place:
                axes.plot(*place, sign, color="#b35806" if sign == "*" else INK, markersize=10)
        axes.set_title(written, loc="left", fontsize=9, color=INK, parse_math=False)
    else:
        figure = Figure(figsize=(6, 1))
        figure.text(0, 0, written, color=INK, parse_math=False)
    return Plot(figure, asked.sentence())
