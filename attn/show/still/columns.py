"""Line drawings of the same names under several measures: bars in columns, and dots along one axis."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, UNDER, YES, Drawing, _at, _svg, letters

ROW, HIGH = 22, 14  # pixels from row to row, and of a bar
QUIET = 'fill="currentColor" fill-opacity=".35"'


def columns(panels, names, *, marked=(), long=170, digits=1, common=False):
    """The same rows under several measures: a panel of bars for each, with a zero and a scale of its own.

    panels: {title: (m,)}; names: m names; marked: up to two of them, drawn in colour where all others are grey; long:
    pixels from a panel's smallest to its largest; digits: behind the point, for all or {title: of each}; common: True
    draws all panels to one scale   ->   Drawing. On a phone the panels stand below each other. Raises ValueError where
    sizes disagree.
    """
    tones = {name: f'fill="{tone}"' for name, tone in zip(marked, (OVER, YES), strict=False)}
    pictures, told, panels = [], [], {title: numeric(values=values) for title, values in panels.items()}
    for title, values in panels.items():
        if values.shape != (len(names),):
            raise ValueError(f"{title} has shape {values.shape}, but there are {len(names)} names")
        after = digits[title] if isinstance(digits, dict) else digits
        told_as = [f"{round(float(x), after) + 0.0:.{after}f}".replace("-", "−") for x in values]
        seen = np.concatenate([*panels.values()]) if common else values
        low, high = min(seen.min(), 0), max(seen.max(), 0)
        scale = long / ((high - low) or 1)
        side = 14 + 0.56 * LETTER * max(map(letters, names))
        shapes = [_at(scale * low - side + 6, -12, title)]
        for k, (name, x, word) in enumerate(zip(names, values, told_as, strict=True)):
            y, look = ROW * k, tones.get(name, QUIET)
            box = f'x="{scale * min(x, 0):.1f}" y="{y}" width="{max(scale * abs(x), 1):.1f}" height="{HIGH}"'
            bold = ["<text", '<text font-weight="600"'][name in tones]
            shapes += [f"<rect {box} {look}/>", _at(scale * max(x, 0) + 6, y + 11.5, word).replace("<text", bold)]
            shapes.append(_at(scale * low - 8, y + 11.5, name, anchor="end").replace("<text", bold))
        tall = ROW * len(values)
        shapes.append(f'<path d="M0 -4V{tall - 4}" stroke="currentColor" opacity=".5"/>')
        last = max(3 + after, *map(len, told_as))
        wide = max(side + long + 12 + 0.6 * LETTER * last, 0.56 * LETTER * len(title) + 6)
        pictures.append(_svg("".join(shapes), scale * low - side, -30, wide, tall + 34))
        rows = ", ".join(f"{name} {word}" for name, word in zip(names, told_as, strict=True))
        told.append(f"{title}: {rows}")
    return Drawing(pictures, ". ".join(told) + ".")


def dots(rows, *, ends, ticks, across, give=None, long=270):
    """Rows of numbers as dots along one axis.

    rows: {name: (m,)}; ends: (low, high), of the axis; ticks: {where: what stands there}; across: what the axis
    measures; give: {name: how far each of its numbers may lie to either side}, drawn as a band; long: pixels of the
    axis   ->   Drawing. Raises ValueError where a number lies outside the ends.
    """
    low, high = ends
    place = lambda x: long * (x - low) / (high - low)  # noqa: E731
    tall, shapes, told = 30 * len(rows), [], []
    for where, word in dict(ticks).items():
        line = f'<path d="M{place(where):.1f} 0V{tall}" stroke="currentColor" opacity=".3"/>'
        shapes += [line, _at(place(where), tall + 16, word, anchor="middle")]
    for k, (name, values) in enumerate(rows.items()):
        values, y = numeric(values=values), 15 + 30 * k
        if values.min() < low or values.max() > high:
            raise ValueError(f"{name} must lie between {low} and {high}, but reaches {values.min()} to {values.max()}")
        for x, far in zip(values, numeric(give=dict(give or {}).get(name, 0 * values)), strict=True):
            if far:
                box = f'x="{place(x - far):.1f}" y="{y - 8}" width="{place(low + 2 * far):.1f}" height="16"'
                shapes.append(f'<rect {box} rx="3" fill="{OVER}" fill-opacity=".2"/>')
        points = "".join(f"M{place(x):.1f} {y}h0" for x in values)
        shapes.append(f'<path d="{points}" stroke="{OVER}" stroke-width="7" stroke-linecap="round"/>')
        shapes.append(_at(-14, y + 4, name, anchor="end"))
        told.append(f"{name} {text.vector(values)}")
    side = 20 + 0.56 * LETTER * max(map(len, rows))
    shapes.append(_at(long / 2, tall + 34, across, anchor="middle"))
    return Drawing([_svg("".join(shapes), -side, -6, side + long + 20, tall + 48)], f"{across}: {'; '.join(told)}.")


def sums(parts, names, *, ends=(), long=140):
    """Sums as bars: each part begins where the one before it ends, what is negative leads back, and below is the sum.

    parts: {part: (m,)}; names: m names, a block of bars each; ends: what stands behind each sum; long: pixels from zero
    to the farthest end   ->   Drawing. Raises ValueError where sizes disagree.
    """
    added = numeric(**{"parts": list(parts.values())})
    if added.shape != (len(parts), len(names)):
        raise ValueError(f"parts has shape {added.shape}, but there are {len(names)} names")
    reach = np.cumsum(added, axis=0)
    low, high = min(reach.min(), 0), max(reach.max(), 0)
    scale, tall = long / ((high - low) or 1), (HIGH + 4) * (len(parts) + 1) + 14
    side, shapes, told = 14 + 0.6 * LETTER * max(map(letters, names)), [], []
    behind = [f", {end}" for end in ends] or [""] * len(names)
    for k, (name, end) in enumerate(zip(names, behind, strict=True)):
        rows = [(part, x, at - x) for part, x, at in zip(parts, added[:, k], reach[:, k], strict=True)]
        rows.append(("", reach[-1, k], 0))
        for row, (part, x, start) in enumerate(rows):
            y, tone = tall * k + (HIGH + 4) * row, f'fill="{OVER if x > 0 else UNDER}"'
            look = QUIET if row == 0 else 'fill="currentColor"' if not part else tone
            box = f'x="{scale * min(start, start + x):.1f}" width="{max(scale * abs(x), 1):.1f}"'
            word = f"{part} {x:{'+' * (row > 0)}.2f}" if part else f"{x:.2f}{end}"
            label = _at(scale * max(start, start + x, 0) + 6, y + 11.5, word.replace("-", "−"))
            shapes += [
                f'<rect {box} y="{y}" height="{HIGH}" {look}/>',
                label if part else label.replace("<text", '<text font-weight="600"'),
            ]
        middle = tall * k + (HIGH + 4) * (len(rows) - 1) / 2 + 11.5
        shapes.append(_at(scale * low - 8, middle, name, anchor="end").replace("<text", '<text font-weight="600"'))
        each = ", ".join(f"{part} {x:.2f}" for part, x, _ in rows[:-1])
        told.append(f"{name}: {each}, together {reach[-1, k]:.2f}{end}".replace("-", "−"))
    whole = tall * len(names) - 18
    shapes.append(f'<path d="M0 -4V{whole + 4}" stroke="currentColor" opacity=".5"/>')
    wide = side + long + 0.6 * LETTER * (7 + max(map(len, [*parts, *behind])))
    return Drawing([_svg("".join(shapes), scale * low - side, -8, wide, whole + 18)], "; ".join(told) + ".")
