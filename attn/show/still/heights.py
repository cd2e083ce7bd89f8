"""One line drawing: how far an arrow stands above a plane that others lie in."""

import numpy as np

from attn.show.still.lines import EYE, NO, YES, Drawing, _at, _line, _svg, _word


def height(degrees, names):
    """An arrow of length one over a plane, and what is left of it at right angles to the plane.

    degrees: between the arrow and the plane, over 0 and up to 90; names: of (the plane, the arrow, its height)   ->
    Drawing. Raises ValueError for another angle.
    """
    if not 0 < degrees <= 90:
        raise ValueError(f"degrees must lie over 0 and not over 90, not {degrees}")
    up, along = np.array([0.0, 0.0, 1.0]), np.array([0.94, -0.34, 0.0])
    foot = 1.5 * np.cos(np.radians(degrees)) * along
    tip = foot + 1.5 * np.sin(np.radians(degrees)) * up
    floor = [np.array(corner) for corner in ((-0.5, -1.1, 0), (1.9, -1.1, 0), (1.9, 0.9, 0), (-0.5, 0.9, 0))]
    (x, y), (beside, half) = 120 * tip @ EYE, 60 * (tip + foot) @ EYE
    shapes = [
        _line(floor, YES, closed=True),
        _line([0 * up, foot], YES, width=1.5),
        _line([tip, foot], "currentColor", width=2).replace("<path", '<path stroke-dasharray="5 4"'),
        _line([0 * up, tip], NO, width=2.5),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{NO}"/>',
        _at(x + 10, y, names[1], NO), _at(beside + 10, half + 4, names[2]),
        _word(np.array([0.1, 0.78, 0.0]), names[0], YES),
    ]  # fmt: skip
    corners = 120 * np.array(floor) @ EYE
    top, bottom = min(y, corners[:, 1].min()) - 20, corners[:, 1].max() + 12
    ends = corners[:, 0].min() - 8, corners[:, 0].max() + 8
    told = f"{names[1]} stands {degrees}° above the plane, {names[0]}; its height above it is {names[2]}."
    return Drawing([_svg("".join(shapes), ends[0], top, ends[1] - ends[0], bottom - top)], told)
