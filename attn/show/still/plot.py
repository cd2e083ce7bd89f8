"""What every still figure is: a picture, the sentence that says what it shows, and two colour scales.

The scales are named for what they mean. No pyplot: a figure is an object, not a state.
"""

import warnings
from io import BytesIO

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from attn.axes import numeric

INK, SOFT, LINE = "#1f2430", "#6b7080", "#d4d7df"


def _ramp(name, *colours):
    return LinearSegmentedColormap.from_list(name, colours, N=1024)  # so many that no step is seen


WEIGHT = dict(cmap=_ramp("weight", "#ffffff", INK), vmin=0, vmax=1)  # 0 to 1: survives print and colour blindness
SIGNED = dict(cmap=_ramp("signed", "#f1a340", "#ffffff", "#998ec3"))
# orange below zero, white at zero, purple above, never so dark that black numbers cannot be read on it
SCALES = {"weight": WEIGHT, "signed": SIGNED}


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


def canvas(width, height):
    """A figure of at most 11 inches with one pair of axes.   ->   (Figure, Axes)"""
    figure = Figure(figsize=(min(width, 11), min(height, 11)), layout="constrained")
    return figure, figure.subplots()


def matrix(name, values):
    """The values as an array, or the error they deserve.   name: the argument   ->   (n, m)"""
    array = numeric(**{name: values})
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} must be a matrix with at least one row and column, not {array.shape}")
    finite_or_masked(name, array)
    return array


def finite_or_masked(name, array):
    """Raise ValueError where an entry is +∞: no colour and no length shows it.   name: the argument"""
    for place in np.argwhere(np.isposinf(array))[:1]:
        raise ValueError(f"{name} must be finite or −∞, but entry {tuple(place.tolist())} is +∞")
