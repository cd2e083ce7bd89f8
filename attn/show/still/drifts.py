"""A line drawing of a few things that drift along one line, layer by layer, once for each of several ways."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, UNDER, Drawing, _at, _svg

WIDE, TALL = 140, 150  # pixels of a panel: from end to end of the line, and from the first layer to the last
TONES = (OVER, UNDER, "currentColor")
FAINT = 'stroke="currentColor" fill="none"'


def drifts(panels, names, ends, *, unit="layers"):
    """Where things stand on a line from one meaning to its opposite, a dot a layer, time running down.

    panels: {title: (steps, n)}, the places of n things at each step; names: n names; ends: what lies to the left and to
    the right of 0; unit: what is counted downwards   ->   Drawing, one scale for all panels. Raises ValueError where
    sizes disagree.
    """
    drawn = {title: numeric(**{title: places}) for title, places in panels.items()}
    for title, places in drawn.items():
        if places.ndim != 2 or places.shape[1] != len(names):
            raise ValueError(f"{title} has shape {places.shape}, but there are {len(names)} names")
    low, high = (pick([pick(places) for places in drawn.values()] + [0]) for pick in (np.min, np.max))
    across = lambda x: WIDE * (x - low) / (high - low)  # noqa: E731
    pictures, told = [], []
    for title, places in drawn.items():
        down = TALL / (len(places) - 1)
        shapes = [_at(0, -26, title), f'<path d="M{across(0):.1f} -6V{TALL + 6}" {FAINT} opacity=".35"/>']
        shapes += [_at(-10, y + 4, str(k), anchor="end") for k, y in ((0, 0), (len(places) - 1, TALL))]
        for thing, tone in zip(places.T, TONES, strict=False):
            at = [(across(x), down * k) for k, x in enumerate(thing)]
            shapes.append(f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in at)}" stroke="{tone}" fill="none"/>')
            shapes += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{tone}"/>' for x, y in at]
        shapes.append(_at(across(0) - 5, TALL + 24, f"← {ends[0]}", anchor="end"))
        shapes.append(_at(across(0) + 5, TALL + 24, f"{ends[1]} →"))
        pictures.append(_svg("".join(shapes), -28, -40, WIDE + 36, TALL + 72, title))
        first, last = ([text.number(x, 2) for x in places[k]] for k in (0, -1))
        ways = (f"{name} from {a} to {b}" for name, a, b in zip(names, first, last, strict=True))
        told.append(f"{title}: {', '.join(ways)}")
    key = "".join(
        f'<circle cx="{5 + 100 * k}" cy="9" r="4" fill="{tone}"/>{_at(14 + 100 * k, 13, name)}'
        for k, (name, tone) in enumerate(zip(names, TONES, strict=False))
    )
    counted = f"{unit} run down, 0 to {len(places) - 1}; the line is 0"
    pictures += ["<br>", _svg(key, 0, 0, 100 * len(names), 18)]
    pictures.append(_svg(_at(0, 13, counted), 0, 0, 0.56 * LETTER * len(counted), 18))
    return Drawing(pictures, f"From {ends[0]} to {ends[1]}, with 0 between. {'; '.join(told)}.")
