"""A line drawing of a residual stream: parts read copies of it, and what they make is added back."""

from attn.show.still.lines import YES, Drawing, _at, _svg

LETTER, GAP, STREAM = 6.6, 8, 96  # pixels: of a letter, between boxes, and how low the stream lies


def wiring(parts, states):
    """A stream from left to right, and above it what each branch does to its copy before it is added.

    parts: for each branch the names of its boxes, in order; states: what the stream is called before and after each
    ->   Drawing. Raises ValueError unless there is one more state than there are branches.
    """
    if len(states) != len(parts) + 1:
        raise ValueError(f"{len(parts)} branches have {len(parts) + 1} states, but there are {len(states)} names")
    x, shapes, told = 10, [_at(0, STREAM + 20, states[0])], []
    for boxes, state in zip(parts, states[1:], strict=True):
        shapes.append(_path(f"M{x} {STREAM}V36H{x + GAP}"))
        x += GAP
        for name in boxes:
            wide = round(LETTER * len(name) + 12)
            box = f'<rect x="{x}" y="22" width="{wide}" height="28" rx="5" fill="{YES}" fill-opacity=".12" '
            shapes.append(f'{box}stroke="{YES}"/>{_at(x + wide / 2, 40.5, name, anchor="middle")}')
            shapes.append(_path(f"M{x + wide} 36h{GAP}"))
            x += wide + GAP
        shapes.append(_path(f"M{x} 36V{STREAM - 8}M{x - 4} {STREAM - 14}l4 6l4 -6"))
        plus = f'<circle cx="{x}" cy="{STREAM}" r="8" fill="var(--paper,#fff)" stroke="currentColor"/>'
        shapes.append(plus + _path(f"M{x - 4} {STREAM}h8m-4 -4v8"))
        shapes.append(_at(x + 2, STREAM + 24, state))
        told.append(f"{state} is the sum before it and {', then '.join(boxes)} of a copy")
        x += 16
    end = x + 8
    stream = _path(f"M0 {STREAM}H{end}m-6 -4l6 4l-6 4")
    sentence = f"A stream starts as {states[0]}; " + "; ".join(told) + "."
    return Drawing([_svg("".join([stream, *shapes]), -6, 10, end + 14, STREAM + 20, sentence)], sentence)


def _path(d):
    return f'<path d="{d}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
