"""Line drawings of a row of shares as boxes: how strongly each score is pushed, and what one cut hands to one word."""

from textwrap import wrap

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import DEEP, LETTER, OVER, UNDER, Drawing, _at, _svg

BOXES = 330  # pixels, as wide as a row is
CUT = 18  # pixels that a box without width reaches beyond all names
TALL, APART = 150, 9  # pixels: all of a word, and from what it keeps to what is cut off
QUIET = 'fill="currentColor" fill-opacity=".3"'
BOLD = '<text font-weight="600"'


def pushes(shares, gains, names, *, title, together=None):
    """A row of shares as boxes: as wide as a share, as high as its gain, so that the area is their product, the push.

    shares: (m,), none negative, their sum 1; gains: (m,), above or below the average that the shares make, so the areas
    above the line and those below it are equal; names: m names; together: what the narrow boxes opposite the widest one
    are called as one, instead of a name for each   ->   Drawing. A box without width is a dashed line, cut short where
    it would leave the boxes behind. Raises ValueError where sizes disagree or the gains do not balance.
    """
    shares, gains = numeric(shares=shares), numeric(gains=gains)
    if not shares.shape == gains.shape == (len(names),):
        raise ValueError(f"shares has shape {shares.shape}, gains {gains.shape}, but there are {len(names)} names")
    if abs(shares @ gains) > 1e-6:
        raise ValueError(f"the pushes must balance, but they sum to {text.number(shares @ gains)}")
    parts = zip(names, shares, gains, strict=True)
    told = ", ".join(f"{n} {a:.2f} × {g:+.2f} = {a * g:+.3f}" for n, a, g in parts).replace("-", "−")
    drawn = shares >= 1 / BOXES
    labels = _labels(shares, gains, names)
    narrow = BOXES * shares < 0.6 * LETTER * np.char.str_len(labels)  # their names stand beyond, one line each
    many = np.flatnonzero(narrow & drawn & (gains * gains[np.argmax(shares)] < 0))
    if together is not None and len(many):
        labels[many[0]] = f"{together}: area {(shares * gains)[many].sum():+.3f}".replace("-", "−")
        for k in many[1:]:
            labels[k] = ""
    shapes, room = _boxes(shares, 110 / np.abs(gains[drawn]).max() * gains, labels, narrow)
    lines = wrap(title, 48)
    top = room[True] + 30 + 16 * len(lines)
    shapes += [_at(-6, 14 + 16 * k - top, line) for k, line in enumerate(lines)]
    return _wide(shapes, -top, top + room[False] + 20, f"{title}: {told}. All together they sum to 0.")


def _labels(shares, gains, names):
    """What each box is called: its area, and of one without width its height."""
    areas = (f"{n}: area {a * g:+.3f}" if a >= 1 / BOXES else f"{n}: height {g:+.2f}, area 0"
             for n, a, g in zip(names, shares, gains, strict=True))  # fmt: skip
    return [label.replace("-", "−") for label in areas]


def _boxes(shares, heights, labels, narrow):
    """The boxes on their line, and how far they and their names reach to each side.   ->   shapes, {up?: pixels}"""
    drawn, up = shares >= 1 / BOXES, heights > 0
    beyond = narrow & drawn & (np.char.str_len(labels) > 0)
    deep = {side: np.abs(heights[drawn & (up == side)]).max(initial=0) for side in (True, False)}
    middles = BOXES * (np.cumsum(shares) - shares / 2)
    lines = {side: _lines(np.flatnonzero(beyond & (up == side)), middles) for side in (True, False)}
    ends = {side: deep[side] + 16 * len(lines[side]) for side in (True, False)}
    far = {side: np.abs(heights[up == side]).max(initial=0) for side in (True, False)}
    room = {side: min(ends[side] + CUT, far[side]) if far[side] > deep[side] else ends[side] for side in (True, False)}
    shapes = [f'<path d="M-6 0H{BOXES + 6}" stroke="currentColor"/>']
    for k, (x, share, tall, label) in enumerate(zip(middles, shares, heights, labels, strict=True)):
        end = 0 if share >= 1 / BOXES else room[tall > 0]
        if beyond[k]:
            end = deep[tall > 0] + 12 + 16 * lines[tall > 0].index(k)
        shapes += _push(x, BOXES * share, tall, label, end)
    return shapes, room


def _lines(boxes, middles):
    """The boxes named beyond, nearest name first: so ordered, no line crosses a name."""
    return [k for k in boxes[::-1] if not _last(middles[k])] + [k for k in boxes if _last(middles[k])]


def _last(x):
    """Whether x is too near the right edge for a name to be written towards it."""
    return x > 0.7 * BOXES


def _push(x, wide, tall, label, end):
    """One box with its name, at a line's end if that is not 0; without width a dashed line."""
    side, tone = (1, OVER) if tall > 0 else (-1, UNDER)
    if wide >= 1:
        box = f'x="{x - wide / 2:.1f}" y="{-max(tall, 0):.1f}" width="{wide:.1f}" height="{abs(tall):.1f}"'
        shapes = [f'<rect {box} fill="{tone}" stroke="var(--paper,#fff)"/>']
    else:
        end = min(abs(tall), end)
        tall = side * end
        shapes = [f'<path d="M{x:.1f} 0V{-side * end:.1f}" stroke="{tone}" stroke-dasharray="4 3"/>']
    if not label:
        return shapes
    if not end:
        return [*shapes, _at(x, -tall + (-6 if side > 0 else 16), label, anchor="middle")]
    shapes.append(f'<path d="M{x:.1f} {-tall:.1f}V{-side * end:.1f}" stroke="currentColor" stroke-opacity=".4"/>')
    gap, anchor = (-5, "end") if _last(x) else (5, "start")
    return [*shapes, _at(x + gap, -side * end + (4 if side < 0 else 0), label, anchor=anchor)]


def handed(shares, names, to, part):
    """A strip of boxes as wide as the shares, cut once from end to end: what lies under the cut goes to one word.

        a_j → (1 − p) a_j + p for that word, (1 − p) a_i for every other

    shares: (m,), none negative, their sum 1; names: m names; to: the one that gets all of it; part: p, which every word
    gives up, between 0 and 1   ->   Drawing. Raises ValueError where sizes disagree, `to` is no name, the shares do not
    sum to one or the part is not between 0 and 1.
    """
    shares, names = numeric(shares=shares), list(names)
    if shares.shape != (len(names),):
        raise ValueError(f"shares has shape {shares.shape}, but there are {len(names)} names")
    if shares.min() < 0 or abs(shares.sum() - 1) > 1e-6:
        raise ValueError(f"shares must be none negative, and their sum 1, not {text.number(shares.sum())}")
    if to not in names:
        raise ValueError(f"{text.quoted(to)} must be one of the names")
    if not 0 < part < 1:
        raise ValueError(f"part must lie between 0 and 1, not {text.number(part)}")
    own, kept, low = shares[names.index(to)], TALL * (1 - part), TALL + APART
    cut, gain = f"{100 * part:.1f} %", part * (1 - own)
    shapes = []
    for name, right, share in zip(names, BOXES * np.cumsum(shares), shares, strict=True):
        wide = BOXES * share
        tones = (f'fill="{OVER}"', f'fill="{OVER}"') if name == to else (QUIET, f'fill="{DEEP}"')
        if wide >= 1:
            at = f'x="{right - wide:.1f}" width="{wide:.1f}" stroke="var(--paper,#fff)"'
            shapes.append(f'<rect {at} y="0" height="{kept:.1f}" {tones[0]}/>')
            shapes.append(f'<rect {at} y="{kept + APART:.1f}" height="{TALL - kept:.1f}" {tones[1]}/>')
        if name == to:
            x, lines = right - wide / 2, ("every word", f"keeps {100 - 100 * part:.1f} %")
            shapes += [_at(x, kept / 2 - 4 + 17 * k, line, "#fff", "middle") for k, line in enumerate(lines)]
            shapes += [
                _bold(x, -8, f"{to}: {own:.3f}"),
                _at(x, low + 17, f"{part * own:.3f}: its own", anchor="middle"),
            ]
    side = dict(anchor="end" if names[0] == to else "start")
    shapes.append(_at(0 if names[0] != to else BOXES, -8, f"the others: {1 - own:.3f}", **side))
    shapes.append(_at(0 if names[0] != to else BOXES, low + 17, f"{gain:.3f}: theirs", **side))
    shapes.append(_bold(BOXES / 2, low + 40, f"{cut} of every word: all of it goes to {to}"))
    told = (
        f"Every word gives up {cut} of its share, and {to} gets all of it: {part * own:.3f} of its own and {gain:.3f} "
    )
    told += f"from the others. So {to} rises from {own:.3f} to {own + gain:.3f}."
    return _wide(shapes, -26, low + 76, told)


def _bold(x, y, word):
    return _at(x, y, word, anchor="middle").replace("<text", BOLD)


def _wide(shapes, top, tall, told):
    """A picture as wide as the page's column, up to a limit."""
    picture = _svg("".join(shapes), -8, top, BOXES + 16, tall)
    return Drawing([picture.replace('style="', 'style="width:100%;max-width:26rem;height:auto;', 1)], told)
