"""Arrows from one point over a half circle, panel by panel: which stand near, and which swing aside."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import UNDER, YES, Drawing, _at, _svg

TONES = ("currentColor", YES, UNDER, "#7a6bb5")
ROOM = 76  # pixels for the longest arrow


def fans(panels):
    """Planes side by side, each with a few named arrows from the origin over a half circle of radius 1.

    panels: {title: {name: (2,)}}; arrows keep their colour by their place in the list
    ->   Drawing. Raises ValueError where an arrow is not in the plane.
    """
    arrows = {
        title: {name: numeric(**{"arrow": tip}) for name, tip in named.items()} for title, named in panels.items()
    }
    for title, named in arrows.items():
        for name, tip in named.items():
            if tip.shape != (2,):
                raise ValueError(f"{name} of {title} must lie in the plane, but has shape {tip.shape}")
    unit = ROOM / max(1, *(np.linalg.norm(tip) for named in arrows.values() for tip in named.values()))
    pictures, told = [], []
    for title, named in arrows.items():
        arc = f"M{-unit:.1f} 0A{unit:.1f} {unit:.1f} 0 0 1 {unit:.1f} 0z"
        shapes = [_at(-ROOM - 4, -ROOM - 26, title)]
        shapes.append(f'<path d="{arc}" fill="none" stroke="currentColor" stroke-dasharray="1 4" opacity=".6"/>')
        for k, ((name, tip), tone) in enumerate(zip(named.items(), TONES, strict=False)):
            x, y = unit * tip[0], -unit * tip[1]
            along = tip / max(np.linalg.norm(tip), 1e-9)
            back = [(x - 9 * (along[0] * c + along[1] * s), y + 9 * (along[1] * c - along[0] * s))
                    for c, s in ((0.9, 0.42), (0.9, -0.42))]  # fmt: skip
            one, two = (f"{u:.1f} {v:.1f}" for u, v in back)
            line = f"M0 0L{x:.1f} {y:.1f}M{one}L{x:.1f} {y:.1f}L{two}"
            shapes.append(f'<path d="{line}" fill="none" stroke="{tone}" stroke-width="2.5"/>')
            if k == 0:  # the first has its name halfway, beside the others' tips
                shapes.append(_at(x / 2 - 6, y / 2, name, tone, "end"))
            else:
                shapes.append(_at(x + (-8 if x < 0 else 8), y - 2, name, tone, "end" if x < 0 else "start"))
        pictures.append(_svg("".join(shapes), -ROOM - 24, -ROOM - 40, 2 * ROOM + 92, ROOM + 46, title))
        ends = ", ".join(f"{name} ends at {text.vector(tip)}" for name, tip in named.items())
        told.append(f"{title}: {ends}")
    return Drawing(pictures, "; ".join(told) + ".")
