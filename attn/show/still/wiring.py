"""The stream of a network as lines that are added to."""

from attn.show.still.lines import LETTER, OVER, YES, Drawing, _at, _svg

GAP, LANE, UP = 14, 84, 34  # pixels between boxes, from one line to the next, and from a line up to its branches


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
    whose = f"{len(rows)} lines, {', '.join(rows)}: each" if any(rows) else "A stream"
    sentence = f"{whose} starts as {states[0]}; " + "; ".join(told) + "."
    if across:
        sentence += f" Only {' and '.join(across)} reads all lines."
    return Drawing([_svg("".join([*under, *over]), -6, 8, end + 14, last + 24, sentence)], sentence)


def _path(d, width=1.5):
    return f'<path d="{d}" fill="none" stroke="currentColor" stroke-width="{width}"/>'
