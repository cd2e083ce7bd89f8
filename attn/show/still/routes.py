"""Line drawings of what is handed over: what experiments leave of it, and answers that balance."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, NO, YES, Drawing, _at, _svg

WIDE = 300  # pixels of a line of answers
RAILS, STEP = 280, 44  # pixels from rail to rail, and from rung to rung; two ladders stand side by side, one on a phone
WIDE_STEP = 58  # pixels from rung to rung where lines lead from one to the next
MIDDLE, SHAFT, REACH, FLOOR = 134, 30, 80, 44  # pixels of a tower: to its middle, half its shaft, a bar, a layer
MARKS = (  # a shape and a colour for each list; the last stands out
    ('<circle cx="{x:.1f}" cy="{y}" r="5.5"{look}/>', "currentColor"),
    ('<path d="M{x:.1f} {y}m-5 -5h10v10h-10z"{look}/>', "currentColor"),
    ('<path d="M{x:.1f} {y}m0 -7l6.5 12h-13z"{look}/>', "currentColor"),
    ('<path d="M{x:.1f} {y}m0 -9l9 9l-9 9l-9 -9z"{look}/>', YES),
)


def ladder(panels, names, *, ends=(0, 100), before=None, joined=False, title):
    """Experiments as rungs between two rails: on each rung a mark for every list that was measured.

    panels: {heading: {rung: (s,) numbers, nan where nothing was measured}}; names: the s lists, at most four
    ends: the numbers at which the two rails stand; a mark may lie beyond them; the last list stands out
    before: where the marks stood, in the form of panels; an arrow leads from there to each mark
    joined: whether each rung goes on from the one above; a line leads from mark to mark, and rungs are stronger
    ->   Drawing. Raises ValueError where a rung has not one number for each list.
    """
    if len(names) > len(MARKS):
        raise ValueError(f"there are {len(names)} names, but only {len(MARKS)} marks")
    marks = [*range(len(names) - 1), -1]
    step, big = (WIDE_STEP, 1.35) if joined else (STEP, 1)
    place = lambda x: RAILS * (x - ends[0]) / (ends[1] - ends[0])  # noqa: E731
    pictures, told = [], []
    for heading, rungs in panels.items():
        tall, shapes = step * len(rungs) + (36 if joined else 26), [_at(0, 14, heading)]
        shapes += [*_rails(ends, place, tall, joined), *(_ways(rungs, marks, place, step) if joined else ())]
        for i, (rung, values) in enumerate(rungs.items()):
            values, y = np.asarray(values, dtype=float), step * (i + 1) + 16
            if values.shape != (len(names),):
                raise ValueError(f"{rung} has shape {values.shape}, but there are {len(names)} names")
            numbers = " · ".join(text.number(round(x)) if np.isfinite(x) else "–" for x in values)
            words = _at(6, y - 12, rung) + _numbers(numbers, y - 12, len(rung) if joined else 0)
            shapes.append(f'<g paint-order="stroke" stroke="var(--paper,#fff)" stroke-width="4">{words}</g>')
            shapes.append(_rung(y, joined))
            aside = _aside([place(x) for x in values]) if joined else [0] * len(values)
            shapes += [_mark(marks[k], place(x), y + aside[k], big) for k, x in enumerate(values) if np.isfinite(x)]
            told.append(f"{rung} {numbers.replace(' ·', ',')}")
            if before:
                was = np.asarray(before[heading][rung], dtype=float)
                shapes += [
                    _arrow(place(a), place(b), y + 9 + 6 * k) for k, (a, b) in enumerate(zip(was, values, strict=True))
                ]
                told[-1] += f", from {', '.join(text.number(round(x)) for x in was)}"
        pictures.append(_svg("".join(shapes), -14, 0, RAILS + 70, tall + 22, heading))
    apart = (RAILS + 40) / len(names)
    key = "".join(_mark(marks[k], apart * k, 9) + _at(12 + apart * k, 13, name) for k, name in enumerate(names))
    pictures.append(_svg(key, -14, 0, RAILS + 70, 20, ", ".join(names)))
    return Drawing(pictures, f"{title} ({', '.join(names)}): {'; '.join(told)}.")


def tower(panels, control, sides, key, *, title, of=100):
    """What enters a row on its way up through layers: a bar to either side in each, and below it that of a control.

    panels, control: {heading: (l, 2) numbers}, the first layer at the bottom; sides: what stands left and right
    key: what a bar shows, and what its control; of: the number that a bar of full length means
    ->   Drawing. Raises ValueError where sizes disagree.
    """
    pictures, told = [], []
    for heading, values in panels.items():
        values, plain = (np.asarray(x, dtype=float) for x in (values, control[heading]))
        if values.ndim != 2 or values.shape[1] != len(sides) or plain.shape != values.shape:
            raise ValueError(f"{heading} has shapes {values.shape} and {plain.shape}, but there are {len(sides)} sides")
        top, shapes = 44 + FLOOR * len(values), [_at(MIDDLE, 14, heading, anchor="middle")]
        shapes += [_at(MIDDLE - SHAFT, 34, f"← {sides[0]}", anchor="end"), _at(MIDDLE + SHAFT, 34, f"{sides[1]} →")]
        shapes.append(
            f'<path d="M{MIDDLE} {top + 4}V30m-5 8l5 -8l5 8" fill="none" stroke="currentColor" opacity=".5"/>'
        )
        for i, (row, same) in enumerate(zip(values, plain, strict=True)):
            y = top - FLOOR * (i + 1)
            box = f'<rect x="{MIDDLE - SHAFT + 6}" y="{y + 6}" width="{2 * SHAFT - 12}" height="{FLOOR - 14}" rx="5"'
            shapes.append(f'{box} fill="var(--paper,#fff)" stroke="currentColor" stroke-opacity=".5"/>')
            shapes.append(_at(MIDDLE, y + FLOOR / 2 + 3, f"layer {i}", anchor="middle"))
            for side in (-1, 1):
                k = (side + 1) // 2
                shapes.append(_bar(side, y + 7, row[k] / of, 14, YES, text.number(round(row[k]) + 0)))
                shapes.append(_bar(side, y + 25, same[k] / of, 9, "currentColor", text.number(round(same[k]) + 0)))
            told.append(f"{heading}, layer {i}: {' and '.join(text.number(round(x) + 0) for x in row)}")
        pictures.append(_svg("".join(shapes), 0, 0, 2 * MIDDLE, top + 10, heading))
    shapes = [f'<path d="M2 4h14v10h-14z" fill="{YES}"/>', _at(22, 13, key[0])]
    shapes += ['<path d="M2 25h14v9h-14z" fill="currentColor"/>', _at(22, 33, key[1])]
    pictures.append(_svg("".join(shapes), 0, 0, 2 * MIDDLE, 40, f"{key[0]}; {key[1]}"))
    most = max(abs(np.asarray(x)).max() for x in control.values())
    return Drawing(pictures, f"{title} ({', '.join(sides)}): {'; '.join(told)}. {key[1]}: at most {most:.0f}.")


def _bar(side, y, share, tall, tone, word):
    """A bar from the shaft outwards, to the left or to the right, with its number at the end, small where it is low."""
    long = max(1.5, share * REACH)
    start = MIDDLE + side * SHAFT
    drawn = (
        f'<rect x="{min(start, start + side * long):.1f}" y="{y}" width="{long:.1f}" height="{tall}" fill="{tone}"/>'
    )
    low, anchor = tall <= 9, "start" if side > 0 else "end"
    number = _at(start + side * (long + 5), y + tall - (0.5 if low else 2.5), word, anchor=anchor)
    return drawn + (f'<g font-size="10.5">{number}</g>' if low else number)


def balance(at, weights, names, ends, *, name="merged"):
    """Answers on a line, each a disc as heavy as its weight, and the star in which they balance.

        star = Σ weight_p · at_p

    at: (p,) numbers; weights: (p,), which sum to 1; names: p names; ends: what the line's left and right end mean
    ->   Drawing. Raises ValueError where sizes disagree or the weights do not sum to 1.
    """
    at, weights = numeric(at=at), numeric(weights=weights)
    if at.shape != (len(names),) or weights.shape != at.shape:
        raise ValueError(f"at has shape {at.shape} and weights {weights.shape}, but there are {len(names)} names")
    if not np.isclose(weights.sum(), 1) or (weights < 0).any():
        raise ValueError(f"weights must be shares of 1, but are {text.vector(weights)}")
    star, reach = float(weights @ at), np.abs(at).max() or 1.0
    place = lambda x: WIDE / 2 + 0.35 * WIDE * x / reach  # noqa: E731
    shapes = [f'<path d="M0 60h{WIDE}" stroke="currentColor" opacity=".35"/>']
    shapes += [_at(0, 116, f"← {ends[0]}"), _at(WIDE, 116, f"{ends[1]} →", anchor="end")]
    for x, weight, word in zip(at, weights, names, strict=True):
        disc = f'<circle cx="{place(x):.1f}" cy="60" r="{max(2.5, 24 * weight**0.5):.1f}"'
        shapes.append(f'{disc} fill="{YES}" fill-opacity=".28" stroke="{YES}"/>')
        shapes += [_at(place(x), 24, word, anchor="middle"), _at(place(x), 96, f"{weight:.2f}", anchor="middle")]
    points = zip([9, 3.8] * 5, np.arange(10) * np.pi / 5, strict=True)
    path = "L".join(f"{place(star) + r * np.sin(t):.1f} {60 - r * np.cos(t):.1f}" for r, t in points)
    shapes.append(f'<path d="M{path}z" fill="{NO}"/>')
    told = "; ".join(f"{word} at {x:.2f} weighs {w:.2f}" for word, x, w in zip(names, at, weights, strict=True))
    told = f"From {ends[0]} to {ends[1]}: {told}; {name} at {star:.2f}."
    return Drawing([_svg("".join(shapes), -8, 6, WIDE + 24, 118, told)], told)


def _numbers(numbers, y, after):
    """The numbers of a rung: at its end or, where lines climb there, behind the letters of its name."""
    if not after:
        return _at(RAILS - 6, y, numbers, anchor="end")
    return _at(12 + 0.54 * LETTER * after, y, numbers).replace("<text", '<text font-weight="600"')


def _arrow(start, end, y):
    """A line at height y from one x to another, with a tip; a dot where nothing has moved."""
    tip = min(6, abs(end - start)) * np.sign(end - start)
    line = f'<path d="M{start:.1f} {y}H{end:.1f}m{-tip:.1f} -3l{tip:.1f} 3l{-tip:.1f} 3"'
    return line + ' fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" opacity=".8"/>'


def _rails(ends, place, tall, strong):
    """The two rails with their numbers, and a third at zero where that lies between them."""
    for x in sorted({*ends, 0} if ends[0] < 0 < ends[1] else ends):
        line = f'<path d="M{place(x):.1f} 24V{tall}" stroke="currentColor" stroke-width="2"'
        yield f'{line} opacity="{".8" if strong else ".4"}"/>'
        yield f'<g opacity=".75">{_at(place(x), tall + 17, text.number(x), anchor="middle")}</g>'


def _rung(y, strong):
    """A rung at height y."""
    return f'<path d="M0 {y}H{RAILS}" stroke="currentColor" stroke-width="6" opacity="{".3" if strong else ".14"}"/>'


def _aside(spots):
    """How far each mark steps off its rung, up or down, so that none hides another at nearly the same place."""
    close = [sum(abs(x - z) < 15 for z in spots) > 1 for x in spots]
    return [12 * (2 * k - len(spots) + 1) / max(1, len(spots) - 1) if near else 0 for k, near in enumerate(close)]


def _ways(rungs, marks, place, step):
    """A dotted line for each list, from its mark on one rung to that on the next."""
    for k, values in zip(marks, zip(*rungs.values(), strict=True), strict=True):
        way = "L".join(f"{place(x):.1f} {step * i + 16}" for i, x in enumerate(values, start=1))
        yield f'<path d="M{way}" fill="none" stroke="{MARKS[k][1]}" stroke-width="2" stroke-dasharray="2 4"/>'


def _mark(k, x, y, big=1):
    shape, colour = MARKS[k]
    mark = shape.format(x=x, y=y, look=f' fill="{colour}" stroke="var(--paper,#fff)" stroke-width="1"')
    return (
        mark if big == 1 else f'<g transform="translate({x:.1f} {y}) scale({big}) translate({-x:.1f} {-y})">{mark}</g>'
    )
