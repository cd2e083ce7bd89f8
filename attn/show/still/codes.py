"""A code in place of keys: the same scores, whether keys are made from the code or queries are moved to it.

The reader chooses; the page's style sheet does the moving, so it needs no script and prints as any drawing.
"""

from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, UNDER, YES, _at
from attn.show.still.moves import Moves

OWN, UNIT, ROW, TOP = "codes", 1.9, 46, 22  # pixels a number, from head to head, and above the first
BAR, STEP, MEMORY, HEAD, FAR = 8, 11, 68, 128, 66  # a bar, bar to bar, the code, a head's matrix, how far it moves
UP = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
BELOW = '<tspan dy="3" font-size="9">D</tspan>'
CHOICES = ("make the keys", "move U to q")


def codes(*, width=64, code=12, head_width=16, heads=4, words=3):
    """What is kept of some words, and how each head reads it: x → z, which is kept, → a key, or a moved query.

        q · (z U)ᵀ = (q Uᵀ) · zᵀ
    width, code, head_width: how many numbers a row x, its code z, and a query or key has   ->   Drawing, with the
    choice between the two sides of the equation. Bars are as long as their rows. Raises ValueError for a wide code.
    """
    if code >= width:
        raise ValueError(f"code must be narrower than width {width}, but is {code}")
    middle, shapes = TOP + ROW * heads / 2, []
    shapes += [_bars(0, middle, width, words, "currentColor", 0.3), _bars(MEMORY, middle, code, words, YES)]
    tall, wide = UNIT * code + 14, STEP * words
    frame = f'x="{MEMORY - 7}" y="{middle - tall / 2:.1f}" width="{wide + 11}" height="{tall:.1f}" rx="5"'
    shapes.append(f'<rect {frame} fill="none" stroke="{YES}" stroke-width="1.5"/>')
    shapes.append(_at(MEMORY + wide / 2 - 1, middle + tall / 2 + 15, "kept", YES, "middle"))
    shapes.append(_arrow(wide + 3, middle, MEMORY - 11, middle))
    shapes.append(_at((wide + MEMORY) / 2 - 6, middle - 11, "W", anchor="middle").replace("W<", f"W{BELOW}<"))
    shapes.append(_at(wide / 2, middle - UNIT * width / 2 - 6, "x", anchor="middle"))
    shapes.append(_at(MEMORY + wide / 2 - 1, middle - tall / 2 - 6, "z", YES, "middle"))
    for t in range(heads):
        shapes.append(_head(t, TOP + ROW * (t + 0.5), middle, code, head_width, words))
    low = TOP + ROW * heads + 16
    keys = f"{heads} heads make {heads * words} keys for each new query"
    asked = f"{heads} queries are moved; no key is made"
    shapes += [f'<g class="{name}">{_at(0, low, told)}</g>' for name, told in (("k", keys), ("m", asked))]
    box = f'viewBox="-4 0 300 {low + 10:.0f}" width="400"'
    picture = f'<svg {box} font-size="{LETTER}" font-family="system-ui,sans-serif">{"".join(shapes)}</svg>'
    told = f"Of {words} words with {width} numbers each, codes z of {code} are kept. {CHOICES[0]}: {keys}"
    told += (
        f", of {head_width} numbers. {CHOICES[1]}: {asked}, and each, of {code} numbers, is compared with the codes."
    )
    return Moves(f'<div id="{OWN}"><style>{"".join(_rules())}</style>{_choices()}', picture, told)


def _head(t, y, middle, code, head_width, words):
    """One head's line: its matrix U, the keys that it makes, and its query."""
    start, key, ask = MEMORY + STEP * words + 6, HEAD + 46, HEAD + 108
    name = str(t).translate(UP)
    fan = f'<path d="M{start} {middle:.0f}L{HEAD - 6} {y:.0f}" fill="none" stroke="currentColor" stroke-opacity=".45"/>'
    keys = _arrow(HEAD + 31, y, key - 4, y) + _bars(key, y, head_width, words, "currentColor", 0.75)
    if not t:
        keys += _at(key + STEP * words / 2 - 1, 14, "k", anchor="middle")
    tall = UNIT * max(head_width, code) + 8
    joined = f'<path d="M{HEAD - 6} {y:.0f}H{HEAD + FAR - 20}" stroke="currentColor" stroke-opacity=".45"/>'
    joined += _bars(HEAD + FAR - 20, y, code, 1, UNDER)  # the moved query, as long as a code
    if not t:
        joined += _at(HEAD + FAR - 16, 14, "qUᵀ", UNDER, "middle")
    frame = (
        f'x="{HEAD + FAR - 4}" y="{y - tall / 2:.1f}" width="{ask - HEAD - FAR + BAR + 8}" height="{tall:.1f}" rx="5"'
    )
    joined += f'<rect {frame} fill="none" stroke="{OVER}" stroke-width="1.5"/>'
    box = f'<rect x="{HEAD}" y="{y - 13:.0f}" width="28" height="26" rx="3" fill="{OVER}" fill-opacity=".25" '
    box += f'stroke="{OVER}"/>{_at(HEAD + 14, y + 4.5, f"U{name}", anchor="middle")}'
    dot = f'<circle cx="{ask - 13}" cy="{y:.0f}" r="3" fill="currentColor"/>'
    head = _at(ask, 14, "q", UNDER) * (not t) + _at(ask + BAR + 10, y + 4, f"head {t}")
    return (
        f'{fan}<g class="k">{keys}</g><g class="m">{joined}</g>{_bars(ask, y, head_width, 1, UNDER)}'
        f'<g class="u">{box}</g><g class="d">{dot}</g>{head}'
    )


def _bars(x, y, size, count, tone, shade=1):
    """Some rows of numbers as upright bars, side by side around a height."""
    tall = UNIT * size
    path = "".join(f"M{x + STEP * k} {y - tall / 2:.1f}h{BAR}v{tall:.1f}h-{BAR}z" for k in range(count))
    return f'<path d="{path}" fill="{tone}" fill-opacity="{shade}"/>'


def _arrow(x, y, to, at):
    return f'<path d="M{x} {y:.0f}L{to} {at:.0f}m-5 -4l5 4l-5 4" fill="none" stroke="currentColor"/>'


def _choices():
    return "".join(
        f'<input type="radio" name="{OWN}" id="{OWN}-{k}"{" checked" * (k == 0)}><label for="{OWN}-{k}">'
        f"{text.escape(word)}</label>"
        for k, word in enumerate(CHOICES)
    )


def _rules():
    """The style sheet: what fades and what moves once the second choice is made."""
    yield f"#{OWN} svg{{display:block;max-width:100%;height:auto;margin-top:.5em}}"
    yield f"#{OWN} label{{margin:0 1.2em 0 .4em;white-space:nowrap}}"
    yield f"#{OWN} svg g{{transition:transform 1.2s,opacity 1.2s}}#{OWN} .m{{opacity:0}}"
    yield f"@media (prefers-reduced-motion:reduce){{#{OWN} svg g{{transition:none!important}}}}"
    chosen = f"#{OWN}-1:checked~svg"
    yield f"{chosen} .k{{opacity:0}}{chosen} .m{{opacity:1}}"
    yield f"{chosen} .u{{transform:translate({FAR}px)}}{chosen} .d{{transform:translate({FAR - 124}px)}}"
