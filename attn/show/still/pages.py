"""A line drawing of a cache in pages: sequences that point to where their keys lie, and may point to the same place."""

from attn.show.still.lines import OVER, UNDER, YES, Drawing, _at, _svg

WIDE, TALL, GAP, FAR = 74, 28, 4, 84  # pixels: a page, between two, and from a sequence to the memory


def pages(table, room, names):
    """Two sequences, each a row of pages of words, and the memory between them where every page lies once.

    table: {sequence: [(page, its words)]}, two of them; room: pages in the memory; names: of the ends of a line, what a
    sequence is and what the memory is   ->   Drawing. Raises ValueError unless two sequences agree on room and words.
    """
    if len(table) != 2:
        raise ValueError(f"table has {len(table)} sequences, but there is room for two, above and below")
    held = {}
    for sequence in table.values():
        for page, words in sequence:
            if not 0 <= page < room or held.setdefault(page, words) != words:
                raise ValueError(f"page {page} holds “{held.get(page)}” of {room} pages, and cannot hold “{words}”")
    left = {page: (WIDE + GAP) * page for page in range(room)}
    shapes = [_at((WIDE + GAP) * room - GAP, FAR - 8, names[1], anchor="end")]
    users = [{page for page, _ in sequence} for sequence in table.values()]
    for page, x in left.items():
        shared = all(page in some for some in users)
        shapes.append(_box(x, FAR, held.get(page, ""), OVER if shared else YES, page in held))
        shapes.append(_at(x + WIDE - 4, FAR + TALL + 13, str(page), anchor="end"))
    for (name, sequence), y, tone in zip(table.items(), (0, 2 * FAR + 10), (YES, UNDER), strict=True):
        shapes.append(_at(0, y - 8 if y == 0 else y + TALL + 17, f"{names[0]} {name}"))
        for k, (page, words) in enumerate(sequence):
            x, start, end = (WIDE + 3) * k, TALL if y == 0 else y, FAR if y == 0 else FAR + TALL
            shapes.append(_box(x, y, words, tone, True, 0.12))
            line = f"M{x + WIDE / 2:.0f} {start}L{left[page] + WIDE / 2:.0f} {end}"
            shapes.append(f'<path d="{line}" stroke="{tone}" stroke-width="1.5" fill="none"/>')
    told = "; ".join(f"{name}: pages {', '.join(str(page) for page, _ in some)}" for name, some in table.items())
    low = 2 * FAR + TALL + 36
    return Drawing(
        [_svg("".join(shapes), -2, -24, (WIDE + GAP) * room, low + 22)],
        f"{told}; {len(held)} of {room} pages hold words.",
    )


def _box(x, y, words, tone, full, shade=0.3):
    look = (
        f'fill="{tone}" fill-opacity="{shade}" stroke="{tone}"'
        if full
        else ('fill="none" stroke="currentColor" stroke-opacity=".3" stroke-dasharray="3 3"')
    )
    box = f'<rect x="{x:.0f}" y="{y}" width="{WIDE}" height="{TALL}" rx="3" {look}/>'
    return box + _at(x + WIDE / 2, y + 18, words, anchor="middle")
