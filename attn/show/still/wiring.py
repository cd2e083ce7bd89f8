"""The stream of a network as lines that are added to."""

from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, UNDER, YES, Drawing, _at, _svg

GAP, LANE, UP = 14, 84, 34  # pixels between boxes, from one line to the next, and from a line up to its branches
STEP, RISE = 32, 54  # pixels between two places, and from one move to the next


def wiring(parts, states, *, rows=("",), across=()):
    """Streams from left to right, and above each what its branches do to a copy before it is added.

    parts: for each branch the names of its boxes, in order; states: what the stream is called before and after each
    rows: a name for each line; across: names of boxes that see all lines at once, drawn as one box
    ->   Drawing. Raises ValueError unless there is one more state than there are branches.
    """
    if len(states) != len(parts) + 1:
        raise ValueError(f"{len(parts)} branches have {len(parts) + 1} states, but there are {len(states)} names")
    lines = [UP + 28 + LANE * k for k in range(len(rows))]
    start = round(LETTER * 0.62 * max(map(len, rows))) + (8 if any(rows) else 0)
    x, last, under, over, told = start + 8, lines[-1], [], [], []
    over.append(_at(start, last + 24, states[0]))
    for boxes, state in zip(parts, states[1:], strict=True):
        under += [_path(f"M{x} {y}V{y - UP}H{x + GAP}") for y in lines]
        x += GAP
        for name in boxes:
            wide = round(0.53 * LETTER * len(name) + 14)
            tone, tops = (OVER, lines[:1]) if name in across else (YES, lines)
            tall = 28 + (last - lines[0] if name in across else 0)
            for y in tops:
                box = f'<rect x="{x}" y="{y - UP - 14}" width="{wide}" height="{tall}" rx="5" fill="{tone}" '
                under.append(f'{box}fill-opacity="{0.2 if name in across else 0.12}" stroke="{tone}"/>')
                over.append(_at(x + wide / 2, y - UP + 4.5, name, anchor="middle"))
            under += [_path(f"M{x + wide} {y - UP}h{GAP}") for y in lines]
            x += wide + GAP
        for y in lines:
            under.append(_path(f"M{x} {y - UP}V{y - 8}M{x - 4} {y - 14}l4 6l4 -6"))
            plus = f'<circle cx="{x}" cy="{y}" r="8" fill="var(--paper,#fff)" stroke="currentColor"/>'
            over.append(plus + _path(f"M{x - 4} {y}h8m-4 -4v8"))
        over.append(_at(x + 4, last + 24, state, anchor="middle"))
        told.append(f"{state} is the sum before it and {', then '.join(boxes)} of a copy")
        x += 16
    end = x + 12
    for name, y in zip(rows, lines, strict=True):
        bridge = f'<path d="M{start} {y}H{end}" stroke="var(--paper,#fff)" stroke-width="8"/>' if across else ""
        under.append(bridge + _path(f"M{start} {y}H{end}m-7 -5l7 5l-7 5", 2.5))
        over.append(_at(start - 6, y + 4.5, name, anchor="end"))
    many = f"{len(rows)} lines, {', '.join(rows)}: each" if len(rows) > 1 else f"The line of {rows[0]}"
    sentence = f"{many if any(rows) else 'A stream'} starts as {states[0]}; " + "; ".join(told) + "."
    if across:
        sentence += f" Only {' and '.join(across)} reads {'all lines' if len(rows) > 1 else 'other lines too'}."
    return Drawing([_svg("".join([*under, *over]), -6, 8, end + 14, last + 24, sentence)], sentence)


def bus(tokens, moves, votes, *, title, apart=False, step=STEP, marks=(), tones=(), digits=3):
    """A line of the stream for each token, rising; what heads carry from line to line; what they vote for at the top.

    tokens: a name for each place; moves: (what is carried, from place, to place), the first lowest, all that read it
    later above; votes: {head: number} at the last place written to, or none yet; title: what the votes are for;
    apart: a picture of their own, which on a phone stands below; step: pixels from line to line; marks: {place: a word
    below its token}; tones: a colour for each move; digits: of a vote
    ->   Drawing. Raises ValueError where a move leaves the tokens or there are no moves.
    """
    places = range(len(tokens))
    if not moves or any(place not in places for _, *ends in moves for place in ends):
        raise ValueError(f"moves must join places 0 to {len(tokens) - 1}, not {moves}")
    top, last, under, over, told = -RISE * (len(moves) + 1), moves[-1][2] if votes else len(tokens) - 1, [], [], []
    used = {place for _, *ends in moves for place in ends}
    for place, token in enumerate(tokens):
        x, bold = step * place, place in used
        faint = "" if bold else ' opacity=".35"'
        under.append(f"<g{faint}>{_path(f'M{x} 0V{top}m-5 7l5 -7l5 7', 2.5 if bold else 1.5)}</g>")
        over += [_at(x, y, word, anchor="middle") for y, word in ((18, token), (34, dict(marks).get(place))) if word]
    for k, (carried, start, end) in enumerate(moves):
        y, (a, b), tone = -RISE * (k + 1) + 14, (step * start, step * end), [*tones, *[OVER] * len(moves)][k]
        head = 7 if b < a else -7
        arrow = f'd="M{a} {y}H{b}m{head} -5l{-head} 5l{head} 5" fill="none" stroke="{tone}" stroke-width="2.5"'
        under.append(f'<path {arrow}/><circle cx="{a}" cy="{y}" r="5" fill="{tone}"/>')
        x = (min if abs(a - b) > 2 * step else max)(a, b) + 8  # over a long arrow, beside a short one
        wide = 0.52 * LETTER * len(carried)
        under.append(f'<rect x="{x}" y="{y - 21}" width="{wide:.0f}" height="16" fill="var(--paper,#fff)"/>')
        over.append(_at(x + 2, y - 9, carried))
        told.append(f"from {tokens[start]} at {start} to {tokens[end]} at {end}: {carried}")
    side = step * last + 26
    ballot, room = _ballot(votes, title, side, top, digits)
    low = 58 - top if dict(marks) else 42 - top
    all_votes = ", ".join(f"{name} {text.number(x, digits)}" for name, x in votes.items())
    lines = f"{len(tokens)} lines of the stream, {' '.join(tokens)}"
    sentence = f"{lines}. Carried {'; '.join(told)}." + f" {title}: {all_votes}." * bool(votes)
    if apart or not votes:
        lines = _svg("".join([*under, *over]), -16, top - 16, side + 8, low, sentence)
        cast = _svg("".join(ballot), side - 8, top - 16, room + 134, 32 + 20 * len(votes))
        return Drawing([lines, cast][: 1 + bool(votes)], sentence)
    shapes = "".join([*under, *over, *ballot])
    return Drawing([_svg(shapes, -16, top - 16, side + room + 142, low, sentence)], sentence)


def _ballot(votes, title, side, top, digits):
    """The votes as bars, each behind its head's name.   -> (shapes, the pixels that the names take)"""
    high = max(map(abs, votes.values()), default=0) or 1
    room = max(34, 0.58 * LETTER * max(map(len, votes), default=0) + 8)
    shapes = [_at(side, top + 2, title)]
    for k, (name, x) in enumerate(votes.items()):
        y, long = top + 12 + 20 * k, 64 * abs(x) / high
        bar = f'x="{side + room:.0f}" y="{y}" width="{long:.1f}" height="13"'
        shapes += [_at(side, y + 11, name), f'<rect {bar} fill="{OVER if x >= 0 else UNDER}"/>']
        shapes.append(_at(side + room + 6 + long, y + 11, text.number(x, digits)))
    return shapes, room


def _path(d, width=1.5):
    return f'<path d="{d}" fill="none" stroke="currentColor" stroke-width="{width}"/>'
