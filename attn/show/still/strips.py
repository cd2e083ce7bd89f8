"""A line drawing of two rules, each tried with several settings, compared question by question."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.curves import spread
from attn.show.still.lines import OVER, YES, Drawing, _at, _svg

AXIS = 'stroke="currentColor" opacity=".4" fill="none"'
WIDE = 300  # pixels from 0 to 1; two strips stand side by side, and one on a phone
TALL = 136
APART = 33  # from the name of one setting to the next
LOOKS = (  # above the line and below it: a shape, a colour, how high marks, names, the best share and a leader stand
    ('<circle cx="{x:.1f}" cy="{y}" r="5.5"', YES, 64, 47, 32, (50, 58)),
    ('<path d="M{x:.1f} {y}m0 -7l7 7l-7 7l-7 -7z"', OVER, 86, 112, 128, (101, 93)),
)


def strips(rules, rows, *, title):
    """For each question a line from 0 to 100 %: one rule's settings above it, the other's below, each with its name.

    rules: {rule: {setting: (r,)}}, two of them, shares from 0 to 1; rows: r names of questions; title: what is shared
    ->   Drawing. Raises ValueError where sizes disagree or a share leaves 0…1.
    """
    if len(rules) != 2:
        raise ValueError(f"rules has {len(rules)} of them, but a line has two sides")
    tried = {rule: (list(settings), numeric(**{rule: list(settings.values())})) for rule, settings in rules.items()}
    for rule, (settings, shares) in tried.items():
        if shares.shape != (len(settings), len(rows)):
            raise ValueError(f"{rule} has shape {shares.shape}, but there are {len(rows)} rows")
        if shares.min() < 0 or shares.max() > 1:
            off = shares.min() if shares.min() < 0 else shares.max()
            raise ValueError(f"{rule} holds {text.number(off)}, but shares lie between 0 and 1")
    panels, told = [], []
    for r, row in enumerate(rows):
        shapes = [_at(0, 14, row), f'<path d="M0 75h{WIDE}M0 71v8M{WIDE / 2} 71v8M{WIDE} 71v8" {AXIS}/>']
        said = []
        for (rule, (settings, shares)), look in zip(tried.items(), LOOKS, strict=True):
            shapes += _side(settings, shares[:, r], look)
            every = ", ".join(f"{s} {100 * x:.0f} %" for s, x in zip(settings, shares[:, r], strict=True))
            said.append(f"{rule}: {every}")
        panels.append(_svg("".join(shapes), -8, 0, WIDE + 24, TALL, row))
        told.append(f"{row}, {'; '.join(said)}")
    key = [_at(0, 14, f"{title}: the line goes from 0 to 100 %")]
    for k, (rule, (shape, colour, *_)) in enumerate(zip(rules, LOOKS, strict=True)):
        key += [
            shape.format(x=8, y=40 + 26 * k) + f' fill="{colour}"/>',
            _at(22, 44 + 26 * k, f"{rule}; full at its best setting"),
        ]
    panels.append(_svg("".join(key), -8, 0, WIDE + 24, TALL, title))
    return Drawing(panels, f"{title}. {'. '.join(told)}.")


def _side(settings, shares, look):
    """The marks of one rule on one line, each with its setting, a leader where it had to move; the best is full."""
    (shape, colour, y, height, far, (top, end)), best = look, int(np.argmax(shares))
    places, shapes = spread(WIDE * shares, APART, 6, WIDE - 6), []
    for k in np.argsort(np.arange(len(shares)) == best, kind="stable"):  # the best lies on top
        x, fill = WIDE * shares[k], colour if k == best else "var(--paper,#fff)"
        shapes.append(f'<path d="M{places[k]:.1f} {top}L{x:.1f} {end}" {AXIS}/>')
        mark = shape.format(x=x, y=y) + f' fill="{fill}" stroke="{colour}" stroke-width="1.5">'
        close = "</circle>" if shape.startswith("<circle") else "</path>"
        shapes.append(f"{mark}<title>{text.escape(settings[k])}: {100 * shares[k]:.0f} %</title>{close}")
        shapes.append(_at(places[k], height, settings[k], anchor="middle"))
    return [*shapes, _at(places[best], far, f"{100 * shares[best]:.0f} %", anchor="middle")]
