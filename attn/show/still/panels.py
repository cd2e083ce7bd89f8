"""Where the panels of a still figure go, and how many decimals their numbers need. Sizes in inches, type of 9 points.

A page of 390 pixels scales a picture 5.2 inches wide to 8.5 pixels of type: wider rows of panels are broken.
"""

from textwrap import wrap

import numpy as np
from matplotlib.figure import Figure

from attn.show.kit import text

WIDEST = 5.2  # a row of panels
DIGIT, CHARACTER = 0.08, 0.075
NUMBERED = 20  # columns up to which every number is written in its cell


def decimals(values, most=3):
    """The fewest decimals that write every entry exactly, `most` where that takes more.   values: array   ->   int"""
    finite = np.asarray(values, float)[np.isfinite(values)]
    exact = (d for d in range(most) if (abs(finite - finite.round(d)) < 1e-9).all())
    return next(exact, most)


def written(x, digits):
    """A number of a panel whose numbers all have so many decimals, so that 8 stands as 8.0 below 5.3; 0 is just 0.

    x: float, −∞ too; digits: int   ->   str
    """
    told = text.number(x, digits)
    return f"{told}.{'0' * digits}" if digits and abs(x) > 1e-9 and told.lstrip("−").isdigit() else told


def width(values, rows, cols, digits):
    """How wide a panel has to be: its row names, and cells that hold their longest number.   ->   float"""
    m = values.shape[1]
    longest = max(len(written(x, digits)) for x in values.ravel()) if m <= NUMBERED else 0
    turned = max(map(len, cols)) > 5 or m > NUMBERED
    upright = [0] if turned else [len(text.label(name)) for name in cols]
    cell = max(DIGIT * longest + 0.12, CHARACTER * max(upright) + 0.12, 0.36 if m <= NUMBERED else 0.16)
    return cell * m + CHARACTER * max(len(text.label(name)) for name in rows) + 0.3


def shelves(widths, columns=2):
    """Which panels stand beside each other: all in one row if they fit, else at most `columns` that do.

    widths: one a panel   ->   list of lists of indices, in reading order
    """
    if sum(widths) <= WIDEST:
        return [list(range(len(widths)))]
    found = [[]]
    for k, wide in enumerate(widths):
        row = found[-1]
        if row and (len(row) == columns or sum(widths[i] for i in row) + wide > WIDEST):
            found.append([])
        found[-1].append(k)
    return found


def laid_out(shelves, widths, wide, n):
    """A figure with axes for panels of n rows on shelves; what a shelf has left stays empty.   ->   (Figure, list)"""
    high = (0.36 if n <= NUMBERED else 0.17) * n + 0.75
    figure = Figure(figsize=(wide, min(high * len(shelves) + 0.5, 16)), layout="constrained")
    grid = figure.add_gridspec(len(shelves), 1)
    places = []
    for line, shelf in enumerate(shelves):
        ratios = [widths[k] for k in shelf]
        ratios += [wide - sum(ratios)] if wide - sum(ratios) > 0.05 else []
        inside = grid[line].subgridspec(1, len(ratios), width_ratios=ratios)
        places += [figure.add_subplot(inside[k]) for k in range(len(shelf))]
    return figure, places


def scale(names, most, wide):
    """What full colour stands for in each panel, broken to lines.   names, most: one a panel   ->   str, "" if all 0"""
    shown = [(name, f"±{text.number(x, decimals([x]))}") for name, x in zip(names, most, strict=True) if x]
    if not shown:
        return ""
    same = len({x for _, x in shown}) == 1
    told = shown[0][1] if same else "; ".join(f"{x} in {name}" for name, x in shown)
    return "\n".join(wrap(f"No colour is 0, full colour is {told}.", max(24, int(wide / 0.075))))
