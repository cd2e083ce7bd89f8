"""Two line drawings of what is handed over: routes that are open or closed, and answers that balance to one."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import NO, OVER, YES, Drawing, _at, _svg

WIDE = 300  # pixels of a panel; two stand side by side, and one on a phone
MARKS = (  # a shape and a colour for each list
    ('<circle cx="{x:.1f}" cy="{y}" r="5.5"{look}/>', "currentColor"),
    ('<path d="M{x:.1f} {y}m-5 -5h10v10h-10z"{look}/>', YES),
    ('<path d="M{x:.1f} {y}m0 -7l7 7l-7 7l-7 -7z"{look}/>', OVER),
)


def routes(ends, ways, opened, shares, rows, names, *, title=None):
    """Experiments that close routes between two words: for each a small map, and what share arrives.

    ends: (from, to); ways: the names of two routes; opened: (r, 2), True where a route is open
    shares: (r, s), 1 is all; rows: r names of experiments; names: at most three names, s, of what they were tried on
    ->   Drawing. Raises ValueError where sizes disagree.
    """
    shares, opened = numeric(shares=shares), np.asarray(opened, dtype=bool)
    if shares.shape != (len(rows), len(names)) or len(names) > len(MARKS):
        raise ValueError(f"shares has shape {shares.shape}, but there are {len(rows)} rows and {len(names)} names")
    if opened.shape != (len(rows), 2) or len(ways) != 2:
        raise ValueError(f"opened has shape {opened.shape}, but there are {len(rows)} rows and {len(ways)} routes")
    panels, told = [], []
    for row, free, share in zip(rows, opened, shares, strict=True):
        numbers = " · ".join(f"{100 * x:.0f}" for x in share) + " %"
        shapes = [_at(0, 14, row), _map(ends, ways, free), _at(WIDE, 14, numbers, anchor="end")]
        shapes.append(f'<path d="M0 104h{WIDE}" stroke="currentColor" stroke-width="6" opacity=".16"/>')
        shapes += [_mark(k, WIDE * x, 104) for k, x in enumerate(share)]
        panels.append(_svg("".join(shapes), -8, 0, WIDE + 24, 122, row))
        told.append(f"{row} {', '.join(f'{100 * x:.0f}' for x in share)}%")
    key = "".join(_mark(k, 8 + 96 * k, 9) + _at(20 + 96 * k, 13, name) for k, name in enumerate(names))
    panels.append(_svg(key, -8, 0, WIDE + 24, 18, ", ".join(names)))
    return Drawing(panels, f"{title or 'What arrives'} ({', '.join(names)}): {'; '.join(told)}.")


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


def _mark(k, x, y):
    shape, colour = MARKS[k]
    return shape.format(x=x, y=y, look=f' fill="{colour}" stroke="var(--paper,#fff)" stroke-width="1"')


def _map(ends, ways, free):
    """Two words and the routes between them; what is closed is dashed and crossed."""
    shapes = [_at(46, 60, ends[0], anchor="end"), _at(252, 60, ends[1])]
    for way, is_open, y in zip(ways, free, (40, 72), strict=True):
        look = "" if is_open else ' stroke-dasharray="2 4" opacity=".55"'
        line = f'd="M52 56L100 {y}M200 {y}L246 56" stroke="currentColor" stroke-width="{2 if is_open else 1}"'
        box = f'<rect x="100" y="{y - 12}" width="100" height="24" rx="5" fill="none" stroke="currentColor"{look}/>'
        shapes += [f'<path {line} fill="none"{look}/>', box, _at(150, y + 4.5, way, anchor="middle")]
        if not is_open:
            middle = (56 + y) / 2
            cross = f"M71 {middle - 5}l10 10m0 -10l-10 10"
            shapes.append(f'<path d="{cross}" stroke="{NO}" stroke-width="2.5" fill="none"/>')
    return "".join(shapes)
