"""Arrows from one point under an arc, panel by panel: which stand near, and which have swung aside."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import UNDER, YES, Drawing, _at, _svg

TONES = ("currentColor", YES, UNDER, "#7a6bb5")
ROOM, NAMES = 260, 86  # pixels for the longest arrow, and for a name beside its tip


def fans(panels, notes=None):
    """Planes side by side, each with a few named arrows from the origin under an arc of radius 1.

    panels: {title: {name: (2,), or (2, 2): where the arrow stood, drawn pale, and where it stands}}
    notes: {name: (what stands at the pale tip, what stands beside the turn)}, for arrows that have swung
    ->   Drawing. An arrow's place in the list gives it its colour. Raises ValueError where one is not in the plane.
    """
    arrows = {
        title: {name: _swing(name, title, ends) for name, ends in named.items()} for title, named in panels.items()
    }
    tips = np.concatenate([ends for named in arrows.values() for ends in named.values()])
    unit = ROOM / max(1, np.linalg.norm(tips, axis=1).max())
    left = max(96, NAMES + 10 - round(unit * tips[:, 0].min()))
    right = max(NAMES, round(unit * tips[:, 0].max()) + NAMES)
    pictures, told = [], []
    for title, named in arrows.items():
        around = np.concatenate(list(named.values()))
        ends = np.arctan2(around[:, 1], around[:, 0])
        top = unit * max((two[0, 1] for two in named.values() if len(two) > 1), default=0)
        shapes = [
            _at(-left, -ROOM - 44, title),
            _arc(unit, ends.max() + 0.15, ends.min() - 0.15, "currentColor", "1 4"),
        ]
        for k, ((name, ends), tone) in enumerate(zip(named.items(), TONES, strict=False)):
            x, y = unit * ends[-1] * [1, -1]
            at_pale, turn = (notes or {}).get(name, ("", ""))
            if len(ends) > 1:
                was, is_ = np.arctan2(ends[:, 1], ends[:, 0])
                shapes.append(_arrow(unit * ends[0], tone, 2, 0.4))
                a, above = unit * ends[0, 0], top + 14 + 16 * (len(named) - 1 - k)
                shapes.append(_at(a - 8, -above, at_pale, tone, "end"))  # one over the other
                far = unit * (0.32 + 0.2 * k)
                shapes.append(_arc(far, was, is_, tone))
                shapes.append(_at(far * np.cos(is_) + 8, -far * np.sin(is_) + 4, turn, tone))
            shapes.append(_arrow(unit * ends[-1], tone, 2.5))
            if k == 0:  # the first has its name halfway, left of the others' arrows
                up = around[around[:, 1] > 0]
                clear = min(0, *(up[:, 0] / up[:, 1] * -y / 2)) if y < 0 else x / 2
                shapes.append(_at(clear - 6, y / 2, name, tone, "end"))
            else:
                shapes.append(_at(*_beside((x, y), 2), name, tone, "end" if x < 0 else "start"))
        pictures.append(_svg("".join(shapes), -left - 2, -ROOM - 58, left + right + 4, ROOM + 66, title))
        said = (f"{name} ends at {text.vector(ends[-1])}{_said(notes, name)}" for name, ends in named.items())
        told.append(f"{title}: " + ", ".join(said))
    return Drawing(pictures, "; ".join(told) + ".")


def _said(notes, name):
    """What the sentence adds of an arrow that has swung."""
    return " (turned by {1}; before, {0})".format(*notes[name]) if name in (notes or {}) else ""


def _swing(name, title, ends):
    """An arrow's tips, one or two, as rows."""
    tips = np.atleast_2d(numeric(**{"arrow": ends}))
    if tips.shape not in ((1, 2), (2, 2)):
        raise ValueError(f"{name} of {title} must lie in the plane, but has shape {np.shape(ends)}")
    return tips


def _beside(tip, up):
    """Where a name stands: beside its arrow's tip, on the outer side."""
    x, y = tip
    return x + (-8 if x < 0 else 8), y - up


def _arc(radius, start, end, tone, dashes="none"):
    """A piece of a circle around the origin, clockwise from one angle to another."""
    (a, b), (c, d) = (radius * np.array([np.cos(t), -np.sin(t)]) for t in (start, end))
    bend = f"0 {int(start - end > np.pi)} {int(start > end)}"
    look = f'fill="none" stroke="{tone}" stroke-dasharray="{dashes}" opacity=".7"'
    return f'<path d="M{a:.1f} {b:.1f}A{radius:.1f} {radius:.1f} {bend} {c:.1f} {d:.1f}" {look}/>'


def _arrow(tip, tone, wide, opacity=1):
    """An arrow from the origin, with its head."""
    x, y = tip * [1, -1]
    u, v = 9 * tip / max(np.linalg.norm(tip), 1e-9)
    one, two = (f"{x - 0.9 * u - s * v:.1f} {y + 0.9 * v - s * u:.1f}" for s in (0.42, -0.42))
    path = f"M0 0L{x:.1f} {y:.1f}M{one}L{x:.1f} {y:.1f}L{two}"
    return f'<path d="{path}" fill="none" stroke="{tone}" stroke-width="{wide}" opacity="{opacity}"/>'
