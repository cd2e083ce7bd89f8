"""Still figures. Each drawing function returns a Plot: the picture, and the sentence that says what it shows.

Two colour scales in the whole book, named for what they mean. No pyplot: a figure is an object, not a state.
"""

import warnings
from io import BytesIO
from textwrap import wrap

import numpy as np
from matplotlib.colors import CenteredNorm, LinearSegmentedColormap
from matplotlib.figure import Figure

from attn.axes import numeric
from attn.show import panels, text

WEIGHT = dict(cmap="Greys", vmin=0, vmax=1)  # white 0 to ink 1: survives print and colour blindness
SIGNED = dict(cmap=LinearSegmentedColormap.from_list("signed", ["#f1a340", "#ffffff", "#998ec3"]))
# orange below zero, white at zero, purple above, never so dark that black numbers cannot be read on it
SCALES = {"weight": WEIGHT, "signed": SIGNED}
INK, SOFT = "#1f2430", "#6b7080"


class Plot:
    """A drawn figure and the sentence that describes it. Jupyter shows the picture and keeps the sentence.

    figure: a matplotlib Figure; alt: str.
    """

    def __init__(self, figure, alt):
        self.figure, self.alt = figure, alt

    def __repr__(self):
        return self.alt

    def _repr_png_(self):
        return self._saved("png", metadata={"Software": None}, dpi=144)

    def svg(self):
        """The picture as SVG text.   ->   str"""
        return self._saved("svg", metadata={"Date": None, "Creator": None}).decode()

    def _saved(self, form, **options):
        buffer = BytesIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # a name may hold what no installed font draws
            self.figure.savefig(buffer, format=form, bbox_inches="tight", facecolor="white", **options)
        return buffer.getvalue()


def heatmap(values, rows=None, cols=None, *, kind="weight", name="A", title=None):
    """A matrix in colour, every number written in its cell (up to 20 columns), with its scale.

    values: (n, m), −∞ for what is forbidden; rows, cols: names (cols: rows' when square)   ->   Plot
    kind: "weight" or "signed". Raises ValueError where names and sizes disagree.
    """
    values = _matrix("values", values)
    if kind not in SCALES:
        raise ValueError(f"kind is {kind!r}; the kinds are {', '.join(SCALES)}")
    rows, cols = _names(values, rows, cols)
    n, m = values.shape
    wide = 0.08 * max(0, max(len(text.label(row)) for row in rows) - 12)  # long row names take their room beside
    figure, axes = _canvas(max(2.4, 0.62 * m + 1.6) + wide, max(1.6, 0.5 * n + 0.9))
    image = _draw(axes, values, rows, cols, kind)
    figure.colorbar(image, ax=axes, fraction=0.05, pad=0.04).outline.set_visible(False)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=11, parse_math=False)
    return Plot(figure, _told(name, values, rows, cols))


def matrices(parts, rows, *, title=None, common=False):
    """Several matrices with the same rows, as the steps of one computation: side by side where they fit a narrow page,
    else two in a row or one, in reading order. Each has its own colour scale, or all have one in common, as terms of a
    sum should; a line below tells.

    parts: list of (name, (n, m) array) or (name, array, column names); rows: n names   ->   Plot
    Raises ValueError where sizes disagree.
    """
    parts = [(name, _matrix(name, values), *cols) for name, values, *cols in parts]
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
        if values.shape[1] > panels.NUMBERED:
            ax.tick_params(axis="x", rotation=90)
        ax.set_title(name, loc="left", color=INK, fontsize=10, parse_math=False)
    if told:
        figure.supxlabel(told, x=0.01, ha="left", color=SOFT, fontsize=8, parse_math=False)
    if title:
        head = "\n".join(wrap(title, int(wide / 0.085)))
        figure.suptitle(head, x=0.01, ha="left", color=INK, fontsize=11, parse_math=False)
    told = "; ".join(f"{name} is {_rows(values)}" for name, values, *_ in parts)
    return Plot(figure, f"{title + ': ' if title else ''}{told}.")


def bars(values, names, *, title=None, name="values"):
    """One row of numbers as bars, each with its value written beside it.

    values: (m,); names: m names   ->   Plot. Raises ValueError where sizes disagree.
    """
    values = numeric(values=values)
    if values.shape != (len(names),):
        raise ValueError(f"values has shape {values.shape}, but there are {len(names)} names")
    figure, axes = _canvas(5, 0.4 * len(values) + 0.7)
    drawn = axes.barh(range(len(values)), values, color=[INK if x >= 0 else "#b35806" for x in values], height=0.6)
    axes.bar_label(drawn, [text.number(x) for x in values], padding=4, color=INK, fontsize=9)
    axes.set_yticks(range(len(values)), [text.label(word) for word in names], parse_math=False)
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.axvline(0, color=SOFT, linewidth=0.8)
    if title:
        axes.set_title(title, loc="left", color=INK, fontsize=11, parse_math=False)
    return Plot(figure, f"{title or name}: {text.vector(values)}; {text.extremes(list(values), names)}.")


def plane(points, names, output, corners, *, alt):
    """Points in the plane with their hull, and the one point that is their average.

    points: (n, 2); names: n names; output: (2,); corners: indices of the hull's corners in order; alt: the sentence
    ->   Plot. Raises ValueError where points are not in a plane.
    """
    points = _matrix("points", points)
    if points.shape != (len(names), 2):
        raise ValueError(f"points has shape {points.shape}, but there are {len(names)} names in a plane")
    figure, axes = _canvas(5, 4)
    axes.fill(*points[corners].T, facecolor="#eef3fb", edgecolor=SOFT)
    axes.plot(*points.T, "o", color=INK)
    axes.plot(*output, "*", color="#b35806", markersize=15)
    axes.annotate("output", output, (8, 8), textcoords="offset points", color="#b35806")
    for name, point in zip(names, points, strict=True):
        axes.annotate(text.label(name), point, (6, 6), textcoords="offset points", color=INK, parse_math=False)
    axes.margins(0.15)
    return Plot(figure, alt)


def axes_names(count):
    """d1, d2, …: what the axes of a vector are called.   count: int   ->   list of str"""
    return [f"d{j + 1}" for j in range(count)]


def _matrix(name, values):
    array = numeric(**{name: values})
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} must be a matrix with at least one row and column, not {array.shape}")
    return array


def _names(values, rows, cols):
    n, m = values.shape
    rows = [f"r{i + 1}" for i in range(n)] if rows is None else list(rows)
    if cols is None:
        cols = rows if n == m else axes_names(values.shape[1])
    for what, names, size in (("row", rows, n), ("column", list(cols), m)):
        if len(names) != size:
            raise ValueError(f"there are {size} {what}s but {len(names)} {what} names")
    return rows, list(cols)


def _canvas(width, height):
    figure = Figure(figsize=(min(width, 11), min(height, 11)), layout="constrained")
    return figure, figure.subplots()


def _draw(axes, values, rows, cols, kind, digits=3, full=None):
    options = dict(SCALES[kind])
    finite = np.where(np.isfinite(values), values, 0)
    if kind == "signed":
        options["norm"] = CenteredNorm(halfrange=full or np.abs(finite).max() or 1)
    image = axes.imshow(np.ma.masked_invalid(values), aspect="auto", **options)
    axes.set_xticks(range(len(cols)), [text.label(word) for word in cols], fontsize=9, parse_math=False)
    axes.set_yticks(range(len(rows)), [text.label(word) for word in rows], fontsize=9, parse_math=False)
    if max(map(len, cols)) > 5:
        axes.tick_params(axis="x", rotation=45)
    axes.tick_params(length=0, colors=INK, top=True, bottom=False, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    if len(cols) <= panels.NUMBERED:
        for (i, j), x in np.ndenumerate(values):
            red, green, blue, _ = image.cmap(image.norm(x)) if np.isfinite(x) else (1, 1, 1, 1)
            light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.18  # where black beats white
            shade = "black" if light else "white"
            axes.text(j, i, text.number(x, digits), ha="center", va="center", fontsize=9, color=shade)
    return image


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
