"""Arrows from one point under an arc, panel by panel: which stand near, and which have swung aside."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import UNDER, YES, Drawing, _at, _svg

TONES = ("currentColor", YES, UNDER, "#7a6bb5")
ROOM, NAMES = 200, 86  # pixels for the longest arrow, and for a name beside its tip
THIN = 'fill="none" stroke="currentColor" stroke-dasharray="1 4" opacity=".6"'


def fans(panels):
    """Planes side by side, each with a few named arrows from the origin under an arc of radius 1.

    panels: {title: {name: (2,), or (2, 2): where the arrow stood, drawn pale, and where it stands}}
    ->   Drawing. An arrow's place in the list gives it its colour. Raises ValueError where one is not in the plane.
    """
    arrows = {
        title: {name: _swing(name, title, ends) for name, ends in named.items()} for title, named in panels.items()
    }
    tips = np.concatenate([ends for named in arrows.values() for ends in named.values()])
    unit = ROOM / max(1, np.linalg.norm(tips, axis=1).max())
    left = max(66, NAMES - round(unit * tips[:, 0].min()) if tips[:, 0].min() < -0.3 else 0)
    pictures, told = [], []
    for title, named in arrows.items():
        arc = f"M{-unit:.1f} 0A{unit:.1f} {unit:.1f} 0 0 1 {unit:.1f} 0"
        shapes = [
            _at(-left, -ROOM - 26, title),
            f'<path d="{arc}M-{left} 0H{unit:.1f}" {THIN}/>',
        ]
        for k, ((name, ends), tone) in enumerate(zip(named.items(), TONES, strict=False)):
            x, y = unit * ends[-1] * [1, -1]
            if len(ends) > 1:
                shapes.append(
                    f'<path d="{_arrow(unit * ends[0])}" fill="none" stroke="{tone}" stroke-width="2" opacity=".4"/>'
                )
            shapes.append(f'<path d="{_arrow(unit * ends[-1])}" fill="none" stroke="{tone}" stroke-width="2.5"/>')
            if k == 0:  # the first has its name halfway, beside the others' tips
                shapes.append(_at(x / 2 - 6, y / 2, name, tone, "end"))
            else:
                shapes.append(_at(x + (-8 if x < 0 else 8), y - 2, name, tone, "end" if x < 0 else "start"))
        pictures.append(_svg("".join(shapes), -left - 2, -ROOM - 40, left + ROOM + NAMES, ROOM + 46, title))
        told.append(f"{title}: " + ", ".join(f"{name} ends at {text.vector(ends[-1])}" for name, ends in named.items()))
    return Drawing(pictures, "; ".join(told) + ".")


def _swing(name, title, ends):
    """An arrow's tips, one or two, as rows."""
    tips = np.atleast_2d(numeric(**{"arrow": ends}))
    if tips.shape not in ((1, 2), (2, 2)):
        raise ValueError(f"{name} of {title} must lie in the plane, but has shape {np.shape(ends)}")
    return tips


def _arrow(tip):
    """The path of an arrow from the origin, with its head."""
    x, y = tip * [1, -1]
    u, v = 9 * tip / max(np.linalg.norm(tip), 1e-9)
    one, two = (f"{x - 0.9 * u - s * v:.1f} {y + 0.9 * v - s * u:.1f}" for s in (0.42, -0.42))
    return f"M0 0L{x:.1f} {y:.1f}M{one}L{x:.1f} {y:.1f}L{two}"
