"""What a still figure of matplotlib is: a picture, the sentence that says what it shows, and two colour scales.

The scales are named for what they mean. No pyplot: a figure is an object, not a state.
"""

import warnings
from io import BytesIO
from zlib import crc32

import numpy as np
from matplotlib import rc_context
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still import vector

INK, SOFT, LINE = "#1f2430", "#6b7080", "#d4d7df"


def _ramp(name, *colours):
    return LinearSegmentedColormap.from_list(name, colours, N=1024)  # so many that no step is seen


WEIGHT = dict(cmap=_ramp("weight", "#ffffff", INK), vmin=0, vmax=1)  # 0 to 1: survives print and colour blindness
SIGNED = dict(cmap=_ramp("signed", "#f1a340", "#ffffff", "#998ec3"))
# orange below zero, white at zero, purple above, never so dark that black numbers cannot be read on it
SCALES = {"weight": WEIGHT, "signed": SIGNED}


class Plot:
    """A drawn figure and the sentence that describes it. Jupyter and the page show the picture in their own font.

    figure: a matplotlib Figure; alt: str; large: True, and it grows until it is as wide as a figure that moves.
    """

    def __init__(self, figure, alt, large=False):
        self.figure, self.alt, self.large = figure, alt, large

    def __repr__(self):
        return self.alt

    def _repr_html_(self):
        name = f"plot{crc32(self.alt.encode()):x}"  # several stand on one page
        told = f'role="img" aria-label="{text.escape(self.alt)}"'
        wider = vector.WIDEST if self.large else vector.WIDER
        return f'<div class="attn-plot" {told}>{vector.inline(self.svg(), name, wider)}</div>'

    def svg(self):
        """The picture as SVG text whose letters are letters.   ->   str"""
        buffer = BytesIO()
        with warnings.catch_warnings(), rc_context({"svg.fonttype": "none", "svg.hashsalt": "attn"}):
            warnings.filterwarnings("ignore", "Glyph .* missing")  # a name may hold what no installed font draws
            about = dict(metadata={"Date": None, "Creator": None})
            self.figure.savefig(buffer, format="svg", bbox_inches="tight", facecolor="white", **about)
        return buffer.getvalue().decode()


class Plots:
    """Figures that belong together: in twos on a wide page, one below the other on a phone.

    plots: list of Plots of one figure each; alt: the sentence that describes them all.
    """

    def __init__(self, plots, alt):
        self.plots, self.alt = list(plots), alt

    def __repr__(self):
        return self.alt

    def _repr_html_(self):
        name, told = f"plot{crc32(self.alt.encode()):x}", f'role="img" aria-label="{text.escape(self.alt)}"'
        drawn = (vector.inline(one.svg(), f"{name}-{k}") for k, one in enumerate(self.plots))
        beside = "".join(f'<div style="flex:1 1 300px;max-width:430px">{one}</div>' for one in drawn)
        return f'<div class="attn-plot" {told} style="display:flex;flex-wrap:wrap;gap:12px">{beside}</div>'


def canvas(width, height):
    """A figure of at most 11 inches with one pair of axes.   ->   (Figure, Axes)"""
    figure = Figure(figsize=(min(width, 11), min(height, 11)), layout="constrained")
    return figure, figure.subplots()


def plain(axes, across, up):
    """Two axes without a frame, their numbers and names quieter than what is drawn.   across, up: what they measure"""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[:].set_color(SOFT)
    axes.tick_params(which="both", colors=SOFT, labelsize=9)
    axes.set_xlabel(across, color=SOFT, fontsize=9)
    axes.set_ylabel(up, color=SOFT, fontsize=9)


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
