"""Still charts with logarithmic axes."""

import numpy as np

from attn.show import text
from attn.show.figures import INK, SOFT, Plot, _canvas


def roofline(peak, bandwidth, points, measured, *, alt):
    """A device's roof and the work under it.

    peak: flops a second; bandwidth: bytes a second; points, measured: {name: (intensity, flops a second)}; alt: str
    ->   Plot.
    """
    figure, axes = _canvas(7, 4)
    ridge = peak / bandwidth
    given = [x for x, _ in [*points.values(), *measured.values()]]
    ends = np.array([min([*given, ridge]) / 4, ridge, max([*given, ridge]) * 4])
    axes.loglog(ends, np.minimum(peak, ends * bandwidth), color=INK)
    for marker, shown in (("o", points), ("x", measured)):
        for k, (name, at) in enumerate(shown.items()):
            axes.plot(*at, marker, color="#b35806")
            side = "center" if at[0] > ridge else "left"
            away = (0 if side == "center" else 6, -18 - 14 * (k % 2))  # neighbours on two lines
            placed = dict(xytext=away, textcoords="offset points", ha=side)
            axes.annotate(text.label(name), at, color=INK, parse_math=False, **placed)
    axes.set_xlabel("intensity: flops a byte", color=SOFT)
    axes.set_ylabel("flops a second", color=SOFT)
    return Plot(figure, alt)
