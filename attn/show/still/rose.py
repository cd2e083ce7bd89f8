"""A line drawing of a plane with named directions, and of arrows that lie in it."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, Drawing, _at, _svg

REACH = 78  # pixels, as long as a direction is drawn
DOWN = 16  # from line to line


def rose(directions, arrows):
    """Directions of a plane as thin lines of one length, each with its names at its end; arrows true to one another.

    directions: {degrees: lines of words}, counter-clockwise from the right; arrows: {name: (2,)}, the longest almost as
    long as a direction   ->   Drawing. Raises ValueError where an arrow is not in the plane.
    """
    tips = {name: numeric(**{name: tip}) for name, tip in arrows.items()}
    for name, tip in tips.items():
        if tip.shape != (2,):
            raise ValueError(f"{name} must lie in the plane, but has shape {tip.shape}")
    scale = 0.8 * REACH / max(np.linalg.norm(tip) for tip in tips.values())
    shapes, told = [], []
    for degrees, lines in directions.items():
        x, y = REACH * np.cos(np.radians(degrees)), -REACH * np.sin(np.radians(degrees))
        side = "middle" if abs(x) < 0.2 * REACH else "start" if x > 0 else "end"
        low = {"middle": -DOWN * len(lines) + 8 if y < 0 else 18}.get(side, 4 - DOWN * (len(lines) - 1) / 2)
        shapes.append(f'<path d="M0 0L{x:.1f} {y:.1f}" stroke="currentColor" opacity=".4"/>')
        shapes += [
            _at(x + np.sign(round(x)) * 8, y + low + DOWN * k, line, anchor=side) for k, line in enumerate(lines)
        ]
        told.append(f"{', '.join(lines)} at {degrees}°")
    for name, tip in tips.items():
        x, y = scale * tip * (1, -1) + 0.0
        u, v = 10 * np.array([x, y]) / np.hypot(x, y)
        head = (
            f"M{x - u - 0.5 * v:.1f} {y - v + 0.5 * u:.1f}L{x:.1f} {y:.1f}L{x - u + 0.5 * v:.1f} {y - v - 0.5 * u:.1f}"
        )
        shapes.append(f'<path d="M0 0L{x:.1f} {y:.1f}{head}" fill="none" stroke="{OVER}" stroke-width="4"/>')
        shapes.append(_at(x / 2, y / 2 - 10, name, OVER, "middle"))
        told.append(f"{name} is {text.vector(tip)}")
    side = 16 + 0.56 * LETTER * max(len(line) for lines in directions.values() for line in lines)
    tall = REACH + 8 + DOWN * max(map(len, directions.values()))
    picture = _svg("".join(shapes), -REACH - side, -tall, 2 * (REACH + side), 2 * tall)
    return Drawing([picture.replace('style="', 'style="max-width:100%;height:auto;', 1)], f"{'; '.join(told)}.")
