"""Matrices as still pictures, with every number that fits written in its cell."""

from textwrap import wrap

import numpy as np
from matplotlib.colors import CenteredNorm

from attn.show.kit import text
from attn.show.still import panels
from attn.show.still.plot import INK, LINE, SCALES, SOFT, Plot, canvas, matrix


def heatmap(values, rows=None, cols=None, *, kind="weight", name="A", title=None, down="", across=""):
    """A matrix in colour, every number written in its cell (up to 20 columns), with its scale.

    values: (n, m), −∞ for what is forbidden; rows, cols: names (cols: rows' when square)   ->   Plot
    kind: "weight" or "signed"; down, across: what rows and columns are.   Raises ValueError where sizes disagree.
    """
    values = matrix("values", values)
    if kind not in SCALES:
        raise ValueError(f"kind is {kind!r}; the kinds are {', '.join(SCALES)}")
    rows, cols = _names(values, rows, cols)
    digits, n = panels.decimals(values), len(values)
    wide = max(2.8, panels.width(values, rows, cols, digits) + 0.3)
    longest = max(len(text.label(name)) for name in cols)
    over = 0.75 * panels.CHARACTER * longest if longest > 5 else 0  # turned names stand high
    figure, axes = canvas(wide, max(1.6, (0.4 if n <= panels.NUMBERED else 0.17) * n + 1.1 + over))
    image = _draw(axes, values, rows, cols, kind, digits)
    _name(axes, down, across)
    _ramp(axes, image, kind)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=11, pad=10, parse_math=False)
    return Plot(figure, _told(name, values, rows, cols))


def matrices(parts, rows, *, title=None, common=False, down="", across="", large=False):
    """Several matrices with the same rows, as the steps of one computation: side by side where they fit a narrow page,
    else two in a row or one, in reading order. Each has its own colour scale, or all have one in common, as terms of a
    sum should; a line below tells.

    parts: list of (name, (n, m) array) or (name, array, column names); rows: n names   ->   Plot
    down, across: what the rows and the columns are, of all of them; large: as wide as the figures that move.   Raises
    ValueError where sizes disagree.
    """
    parts = [(name, matrix(name, values), *cols) for name, values, *cols in parts]
    named = [_names(v, rows, cols[0] if cols else axes_names(v.shape[1])) for _, v, *cols in parts]
    digits = [panels.decimals(values) for _, values, *_ in parts]
    widths = [panels.width(part[1], *names, d) for part, names, d in zip(parts, named, digits, strict=True)]
    shelves = panels.shelves(widths)
    wide = max(3.2, *(sum(widths[k] for k in shelf) for shelf in shelves))
    most = [np.abs(values[np.isfinite(values)]).max(initial=0) for _, values, *_ in parts]
    most = [max(most)] * len(most) if common else most
    told = panels.scale([name for name, *_ in parts], most, wide)
    figure, places = panels.laid_out(shelves, widths, wide, len(rows))
    for ax, (name, values, *_), names, d, full in zip(places, parts, named, digits, most, strict=True):
        _draw(ax, values, *names, "signed", d, full)
        _name(ax, down, across)
        ax.set_title(name, loc="left", color=INK, fontsize=10, parse_math=False)
    if told:
        figure.supxlabel(told, x=0.01, ha="left", color=SOFT, fontsize=9, parse_math=False)
    if title:
        head = "\n".join(wrap(title, int(wide / 0.085)))
        figure.suptitle(head, x=0.01, ha="left", color=INK, fontsize=11, parse_math=False)
    told = "; ".join(f"{name} is {_rows(values)}" for name, values, *_ in parts)
    return Plot(figure, f"{title + ': ' if title else ''}{told}.", large)


def axes_names(count):
    """d1, d2, …: what the axes of a vector are called.   count: int   ->   list of str"""
    return [f"d{j + 1}" for j in range(count)]


def _names(values, rows, cols):
    n, m = values.shape
    rows = [f"r{i + 1}" for i in range(n)] if rows is None else list(rows)
    if cols is None:
        cols = rows if n == m else axes_names(values.shape[1])
    for what, names, size in (("row", rows, n), ("column", list(cols), m)):
        if len(names) != size:
            raise ValueError(f"there are {size} {what}s but {len(names)} {what} names")
    return rows, list(cols)


def _draw(axes, values, rows, cols, kind, digits=3, full=None):
    options = dict(SCALES[kind])
    finite = np.where(np.isfinite(values), values, 0)
    if kind == "signed":
        options["norm"] = CenteredNorm(halfrange=full or np.abs(finite).max() or 1)
    image = axes.imshow(np.ma.masked_invalid(values), aspect="auto", interpolation="none", **options)
    axes.set_xticks(range(len(cols)), [text.label(word) for word in cols], fontsize=9, parse_math=False)
    axes.set_yticks(range(len(rows)), [text.label(word) for word in rows], fontsize=9, parse_math=False)
    if len(cols) > panels.NUMBERED or max(map(len, cols)) > 5:
        axes.tick_params(axis="x", rotation=90 if len(cols) > panels.NUMBERED else 45)
    axes.tick_params(length=0, colors=INK, top=True, bottom=False, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    numbered = len(cols) <= panels.NUMBERED
    for line, count in ((axes.axvline, len(cols)), (axes.axhline, len(rows))):
        for k in range(count + 1) if numbered else (0, count):
            line(k - 0.5, color=LINE, linewidth=1.2, clip_on=False)
    if numbered:
        for (i, j), x in np.ndenumerate(values):
            red, green, blue, _ = image.cmap(image.norm(x)) if np.isfinite(x) else (1, 1, 1, 1)
            light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.18  # where black beats white
            shade = "black" if light else "white"
            axes.text(j, i, panels.written(x, digits), ha="center", va="center", fontsize=9, color=shade)
    return image


def _name(axes, down, across):
    """What the rows and the columns are, beside their names."""
    axes.set_ylabel(down, color=SOFT, fontsize=9, parse_math=False)
    axes.set_xlabel(across, color=SOFT, fontsize=9, parse_math=False)
    axes.xaxis.set_label_position("top")


def _ramp(axes, image, kind):
    """The scale of the colours, short and below the matrix: its ends are told, and its zero where that is no end."""
    low, high = image.norm.vmin, image.norm.vmax
    wide = min(1, 1.5 / axes.figure.get_figwidth())
    place = dict(location="bottom", anchor=(0, 0), shrink=wide, aspect=14, fraction=0.06, pad=0.03)
    bar = axes.figure.colorbar(image, ax=axes, ticks=[low, high] if kind == "weight" else [low, 0, high], **place)
    bar.ax.set_xticklabels([text.number(x, panels.decimals([x], 2)) for x in bar.get_ticks()], fontsize=9, color=SOFT)
    bar.ax.tick_params(length=0, pad=2)
    bar.solids.set_edgecolor("face")  # no seam between its steps
    bar.outline.set(edgecolor=LINE, linewidth=0.8)


def _told(name, values, rows, cols):
    n, m = values.shape
    if n > 8:
        i, j = np.unravel_index(np.argmax(values), values.shape)
        where = f"row {text.quoted(rows[i])}, column {text.quoted(cols[j])}"
        return f"{name}, {n}×{m}: largest {text.number(values[i, j])} at {where}."
    told = "; ".join(
        f"row {text.quoted(word)} is {text.extremes(list(row), cols)}" for word, row in zip(rows, values, strict=True)
    )
    return f"{name}, {n}×{m}: {told}."


def _rows(values):
    if values.size > 24:
        return f"{values.shape[0]}×{values.shape[1]}"
    return "[" + ", ".join(text.vector(row) for row in values) + "]"
