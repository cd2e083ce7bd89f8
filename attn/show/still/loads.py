"""A line drawing of what fills time or memory: lanes on one scale, each cut into its pieces, a colour for each kind."""

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, UNDER, YES, Drawing, _at, _svg

LONG, TALL, STEP = 420, 22, 52  # pixels: the longest lane, the height of a piece, from lane to lane
TONES = (UNDER, YES, OVER)
GAP = ""  # the kind of what is not drawn


def loads(lanes, *, title, ends=None):
    """Lanes under each other, all on one scale: pieces one behind the other, as long as they are large.

    lanes: {what stands above the lane: [(kind, size, count), …]}, where the kind "" leaves a gap; count pieces of one
    size stand apart by a hairline; title: what a length means; ends: {lane: what stands behind its last piece}
    ->   Drawing, as wide as the page has room for. Raises ValueError where a size is negative.
    """
    sizes = {lane: numeric(sizes=[size * count for _, size, count in parts]) for lane, parts in lanes.items()}
    if low := [lane for lane, parts in sizes.items() if parts.min() < 0]:
        raise ValueError(f"{low[0]} holds a negative size")
    scale = LONG / max(parts.sum() for parts in sizes.values())
    kinds = list(dict.fromkeys(kind for parts in lanes.values() for kind, *_ in parts if kind != GAP))
    shapes, told = [_at(0, 0, title)], []
    for k, (lane, parts) in enumerate(lanes.items()):
        x, y = 0, 34 + STEP * k
        shapes.append(_at(0, y - 6, lane))
        for kind, size, count in parts:
            if kind != GAP:
                shapes.append(f'<path d="{_pieces(x, y, scale * size, count)}" fill="{TONES[kinds.index(kind)]}"/>')
            x += scale * size * count
        end = dict(ends or {}).get(lane, "")
        shapes += [_at(x + 6, y + 15, end)] * bool(end)
        every = ", ".join(f"{count} × {kind} {text.number(size)}" for (kind, size), count in _counted(parts).items())
        told.append(f"{lane}: {every}" + f", {end}" * bool(end))
    foot, x = 34 + STEP * len(lanes), 0
    for kind, tone in zip(kinds, TONES, strict=False):
        shapes += [f'<rect x="{x}" y="{foot - 12}" width="12" height="12" fill="{tone}"/>', _at(x + 18, foot - 2, kind)]
        x += 40 + round(0.56 * LETTER * len(kind))
    picture = _svg("".join(shapes), -2, -16, LONG + 8, foot + 22)
    return Drawing([picture.replace('style="', 'style="width:100%;max-width:38rem;height:auto;', 1)],
                   f"{title}. {'; '.join(told)}.")  # fmt: skip


def _counted(parts):
    """How many pieces there are of each kind and size.   ->   {(kind, size): count}"""
    counts = {}
    for kind, size, count in parts:
        if kind != GAP:
            counts[kind, size] = counts.get((kind, size), 0) + count
    return counts


def _pieces(x, y, wide, count):
    """Pieces of one size as one path: a pixel between them where there is room, and none thinner than a pixel."""
    drawn = max(wide - min(1, wide / 3) * (count > 1), 0.7)
    return "".join(f"M{x + wide * j:.1f} {y}h{drawn:.2f}v{TALL}h-{drawn:.2f}z" for j in range(count))
