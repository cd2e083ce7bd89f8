"""Line drawings of numbers beside numbers: points on either side of zero, and falls along a logarithmic axis."""

import math

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, YES, Drawing, _at, _svg

WIDE, TALL, ROW = 230, 180, 21  # pixels: of a panel of points, and from row to row
LEFT = 56  # pixels for the numbers beside a panel and what they measure
FAINT = 'stroke="currentColor" opacity=".35" fill="none"'


def against(panels, *, across, up):
    """Points in panels that share both axes, on either side of a line at zero.

    panels: {title: (x, y)}, each (n,); across, up: what x and y are   ->   Drawing.
    Raises ValueError where sizes disagree.
    """
    pairs = {title: (numeric(x=x), numeric(y=y)) for title, (x, y) in panels.items()}
    for title, (x, y) in pairs.items():
        if x.shape != y.shape or x.ndim != 1:
            raise ValueError(f"{title} has y of shape {y.shape}, but x of shape {x.shape}")
    reach = [1.04 * max(np.abs(pair[k]).max() for pair in pairs.values()) or 1 for k in (0, 1)]
    middle, pictures, told = TALL / 2, [], []
    for title, (x, y) in pairs.items():
        at = np.stack([WIDE / 2 * (1 + x / reach[0]), middle * (1 - y / reach[1])], axis=1)
        dots = "".join("M{:.1f} {:.1f}h0".format(*point) for point in at)
        shapes = [_at(0, -10, title), f'<path d="M0 0h{WIDE}v{TALL}h-{WIDE}zM0 {middle}h{WIDE}" {FAINT}/>']
        shapes.append(f'<path d="{dots}" stroke="{YES}" stroke-width="3.4" stroke-linecap="round" opacity=".6"/>')
        shapes += [_tick(side * step, side * step / far, k) for k, far in enumerate(reach)
                   for step in (_step(far),) for side in (-1, 0, 1)]  # fmt: skip
        shapes.append(_at(WIDE / 2, TALL + 34, f"{across} →", anchor="middle"))
        turned = f'<g transform="translate({13 - LEFT} {middle}) rotate(-90)">'
        shapes.append(f"{turned}{_at(0, 0, f'{up} →', anchor='middle')}</g>")
        wide = max(WIDE, 0.56 * LETTER * len(title)) + LEFT + 12
        pictures.append(_svg("".join(shapes), -LEFT, -26, wide, TALL + 68))
        told.append(f"{title}: {len(x)} points up to {text.number(np.abs(y).max())} from zero")
    return Drawing(pictures, f"{up} against {across}. {'; '.join(told)}.")


def falls(rows, ends, *, title, long=190):
    """Pairs of numbers on a logarithmic axis: a ring where each began, a disc where it ends, a line between them.

    rows: {name: (before, after)}, positive; ends: (what the ring is, what the disc is); title: what the axis measures;
    long: pixels of the axis   ->   Drawing. Equal falls are equal lines. Raises ValueError where a number is not
    positive.
    """
    pairs = numeric(rows=list(rows.values()))
    if pairs.min() <= 0:
        raise ValueError(f"rows holds {text.number(pairs.min())}, but a logarithm is taken of its numbers")
    low, high = pairs.min() / 2.5, pairs.max()  # to the left of the smallest there is room for its number
    place = lambda x: long * math.log(x / low) / math.log(high / low)  # noqa: E731
    tall, shapes = ROW * len(rows), [_at(0, -62, title)]
    for k, (word, fill) in enumerate(zip(ends, ("var(--paper,#fff)", OVER), strict=True)):
        shapes += [_disc(5, -46 + 17 * k, fill), _at(16, -42 + 17 * k, word)]
    for tick in 10.0 ** np.arange(math.ceil(math.log10(low)), math.log10(high) + 1e-9):
        shapes.append(f'<path d="M{place(tick):.1f} -4v{tall + 4}" {FAINT}/>')
        shapes.append(_at(place(tick), tall + 15, text.grouped(int(tick)), anchor="middle"))
    for k, (name, (before, after)) in enumerate(zip(rows, pairs, strict=True)):
        y, x, was = ROW * k + 9, place(after), place(before)
        shapes.append(_at(-14, y + 4, name, anchor="end"))
        if before != after:
            shapes.append(f'<path d="M{was:.1f} {y}H{x:.1f}" stroke="{OVER}" stroke-width="2"/>')
            shapes += [_disc(was, y, "var(--paper,#fff)"), _over_lines(was + 10, y + 4, before)]
        there = (x - 10, "end") if before > after else (x + 10, "start")
        shapes += [_disc(x, y, OVER), _over_lines(there[0], y + 4, after, there[1])]
    left = 20 + 0.56 * LETTER * max(map(len, rows))
    told = (f"{name} {text.grouped(int(a))}" + (f" to {text.grouped(int(b))}" if a != b else "")
            for name, (a, b) in zip(rows, pairs, strict=True))  # fmt: skip
    return Drawing([_svg("".join(shapes), -left, -76, left + long + 48, tall + 98)], f"{title}: {', '.join(told)}.")


def _step(reach):
    """The largest of 1, 2, 5, 10, … times a power of ten that is no larger than reach.   ->   float"""
    power = 10.0 ** math.floor(math.log10(reach))
    return max(k * power for k in (1, 2, 5) if k * power <= reach)


def _tick(value, share, axis):
    """A mark and its number on one of the two axes of a panel; share: from −1 to 1, where on it.   ->   str"""
    told = text.number(value, 2)
    if axis:
        y = TALL / 2 * (1 - share)
        return f'<path d="M0 {y:.1f}h4" {FAINT}/>{_at(-6, y + 4, told, anchor="end")}'
    x = WIDE / 2 * (1 + share)
    return f'<path d="M{x:.1f} {TALL}v-4" {FAINT}/>{_at(x, TALL + 16, told, anchor="middle")}'


def _over_lines(x, y, value, anchor="start"):
    """A number that no line of the grid strikes out."""
    halo = '<text paint-order="stroke" stroke="var(--paper,#fff)" stroke-width="4"'
    return _at(x, y, text.grouped(int(value)), anchor=anchor).replace("<text", halo)


def _disc(x, y, fill):
    return f'<circle cx="{x:.1f}" cy="{y}" r="4.5" fill="{fill}" stroke="{OVER}" stroke-width="2"/>'
