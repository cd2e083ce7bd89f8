"""A line drawing of layers whose heads borrow a pattern from one of them, or are taken out."""

from attn.show.kit import text
from attn.show.still.lines import OVER, UNDER, YES, Drawing, _at, _svg

BOX, STEP, TALL = 40, 46, 24  # pixels: of a box, from head to head, of a row
TONES = (UNDER, "#2f8f6b", YES, OVER)  # one a head


def casts(plans, rows=("pattern", "circuit"), *, title):
    """For each plan the heads side by side, whose pattern and whose circuit each has, and the number that comes of it.

    plans: {name: (layer, patterns, circuits, number)}: the layer, and for each of its heads whose pattern and whose
    circuit it has, a head's place or None where it is taken out; rows: what the two are; title: what is measured
    ->   Drawing, a colour for each head. Raises ValueError where a plan has not as many patterns as circuits.
    """
    pictures, told = [], []
    for name, (layer, patterns, circuits, number) in plans.items():
        if len(patterns) != len(circuits):
            raise ValueError(f"{name} has {len(patterns)} patterns, but {len(circuits)} circuits")
        shapes = [_at(0, -10, name).replace("<text", '<text font-weight="700"')]
        for row, (kind, owners) in enumerate(zip(rows, (patterns, circuits), strict=True)):
            y = row * (TALL + 6)
            shapes += [_at(0, y + 17, kind), *(_box(k, y, layer, owner) for k, owner in enumerate(owners))]
        left, low = 60, 2 * TALL + 6
        shapes.append(_at(left, low + 20, f"{title} {number:.3f}").replace("<text", '<text font-weight="700"'))
        pictures.append(_svg("".join(shapes), 0, -26, left + STEP * len(patterns) + 26, low + 58))
        said = (", ".join("none" if k is None else f"L{layer}·H{k}" for k in one) for one in (patterns, circuits))
        whose = "; ".join(f"{kind}s {owners}" for kind, owners in zip(rows, said, strict=True))
        told.append(f"{name}: {whose}; {title} {text.number(number)}")
    return Drawing(pictures, f"{'. '.join(told)}.")


def _box(k, y, layer, owner):
    """The box of one head: whose it is, in that head's colour, or an empty outline."""
    at = f'x="{60 + STEP * k}" y="{y}" width="{BOX}" height="{TALL}" rx="3"'
    if owner is None:
        return f'<rect {at} fill="none" stroke="currentColor" stroke-dasharray="3 3" opacity=".4"/>'
    tone = TONES[owner % len(TONES)]
    middle = 60 + STEP * k + BOX / 2
    return f'<rect {at} fill="{tone}" fill-opacity=".25" stroke="{tone}"/>' + _at(
        middle, y + 17, f"L{layer}·H{owner}", anchor="middle"
    )
