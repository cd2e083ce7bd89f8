"""A line drawing of two runs of one model, side by side, and of the part that the one gets from the other."""

from attn.show.still.lines import YES, Drawing, _at, _svg

WIDE, FLOOR, HIGH, BETWEEN = 104, 44, 17, 62  # pixels: of a tower, from layer to layer, of a part, between the towers
PARTS = ("heads", "feed-forward")  # from below
LOOK = (("●", "currentColor"), ("◆", YES))  # the mark and the colour of each sense, as in a ladder


def swap(panels, tones, *, layers=6, word="bank"):
    """Two runs as towers of layers. In one layer the right run's heads are replaced by the left run's.

    panels: {heading: (giver, receiver, layer)}: what the two towers read, and the layer, or None where each is itself
    tones: {what is read: 0 or 1}, its mark and colour; word: whose row goes up
    ->   Drawing. Raises ValueError where a layer does not exist.
    """
    pictures, told = [], []
    for heading, (giver, receiver, layer) in panels.items():
        if layer is not None and not 0 <= layer < layers:
            raise ValueError(f"layer must lie between 0 and {layers - 1}, but is {layer}")
        top = 56 + FLOOR * layers
        second = WIDE + BETWEEN
        shapes = [_at(WIDE + BETWEEN / 2, 12, heading, anchor="middle").replace("<text", '<text font-weight="600"')]
        for x, read in ((0, giver), (second, receiver)):
            shapes.append(_stem(x + WIDE / 2, top))
            shapes += [
                _mark(x + WIDE / 2, tones[read], word, x > 0 and layer is not None),
                _at(x + WIDE / 2, top + 30, read, anchor="middle"),
            ]
            for i in range(layers):
                for k, part in enumerate(PARTS):
                    lent = x > 0 and i == layer and k == 0
                    y = top - FLOOR * i - (k + 1) * (HIGH + 2)
                    shapes.append(
                        _part(x, y, part, LOOK[tones[giver if lent else read]][1], lent or (i, k) == (layer, 0))
                    )
        for i in range(layers):
            shapes.append(_at(WIDE + BETWEEN / 2, top - FLOOR * i - HIGH - 6, f"layer {i}", anchor="middle"))
        if layer is not None:
            y = top - FLOOR * layer - HIGH / 2 - 2
            line = f'<path d="M{WIDE + 4} {y}H{second - 4}m-7 -5l7 5l-7 5" fill="none" stroke-width="2.5"'
            shapes.append(f'{line} stroke="{LOOK[tones[giver]][1]}"/>')
        pictures.append(_svg("".join(shapes), -6, -4, 2 * WIDE + BETWEEN + 26, top + 44, heading))
        by = (
            "each runs as it is"
            if layer is None
            else f"the second gets what the heads of layer {layer} hand on in the first"
        )
        told.append(f"{heading}: two towers of {layers} layers read “{giver}” and “{receiver}”; {by}")
    return Drawing(pictures, f"The row of {word}. {'. '.join(told)}.")


def _stem(x, top):
    """The way of a row through its tower, from below."""
    return f'<path d="M{x} {top + 14}V42m-5 8l5 -8l5 8" fill="none" stroke="currentColor" opacity=".5"/>'


def _mark(x, sense, word, lent):
    """What arrives at the top: the word with the mark of its sense, or with a question mark where a part was lent."""
    mark, tone = ("?", "currentColor") if lent else LOOK[sense]
    sign = f'<tspan fill="{tone}">{mark}</tspan>'
    return f'<text x="{x}" y="34" text-anchor="middle" fill="currentColor">{word} {sign}</text>'


def _part(x, y, part, tone, strong):
    """The box of a part, in the colour of what was read."""
    fill = f'fill="{tone}" fill-opacity="{0.4 if strong else 0.12}" stroke="{tone}" stroke-width="{2 if strong else 1}"'
    box = f'x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4"'
    paper = f'<rect {box} fill="var(--paper,#fff)"/><rect {box} {fill}/>'
    return f'{paper}<g font-size="10.5">{_at(x + WIDE / 2, y + 12, part, anchor="middle")}</g>'
