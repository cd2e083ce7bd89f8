"""A line drawing of a cache in pages: sequences that point to where their keys lie, and may point to the same place."""

from attn.show.still.lines import OVER, UNDER, YES, Drawing, _at, _svg

WIDE, TALL, GAP, FAR = 76, 28, 2, 84  # pixels: a page, between two, and from a sequence to the memory
HIGH = 44  # pixels: a page of the memory, which has a number


def pages(table, room, names):
    """Two sequences, each a row of pages of words, and the memory between them where every page lies once.

    table: {sequence: [(page, its words)]}, two of them; room: pages in the memory; names: of a sequence and
    of a page, before their numbers   ->   Drawing. Raises ValueError unless two sequences agree on room and words.
    """
    if len(table) != 2:
        raise ValueError(f"table has {len(table)} sequences, but there is room for two, above and below")
    held = {}
    for sequence in table.values():
        for page, words in sequence:
            if not 0 <= page < room or held.setdefault(page, words) != words:
                raise ValueError(f"page {page} holds “{held.get(page)}” of {room} pages, and cannot hold “{words}”")
    left = {page: (WIDE + GAP) * page for page in range(room)}
    shapes = []
    users = [{page for page, _ in sequence} for sequence in table.values()]
    for page, x in left.items():
        shared = all(page in some for some in users)
        full, own = page in held, f"{names[1]} {page}"
        shapes.append(_box(x, FAR, held.get(page, "free"), OVER if shared else YES, full, tall=HIGH, name=own))
    for (name, sequence), y, tone in zip(table.items(), (0, 2 * FAR + HIGH - TALL), (YES, UNDER), strict=True):
        shapes.append(_at(0, y - 8 if y == 0 else y + TALL + 17, f"{names[0]} {name}"))
        for k, (page, words) in enumerate(sequence):
            x, start, end = (WIDE + GAP) * k, TALL if y == 0 else y, FAR if y == 0 else FAR + HIGH
            shapes.append(_box(x, y, words, tone, True, 0.12))
            line = f"M{x + WIDE / 2:.0f} {start}L{left[page] + WIDE / 2:.0f} {end}"
            shapes.append(f'<path d="{line}" stroke="{tone}" stroke-width="1.5" fill="none"/>')
    told = "; ".join(f"{name}: pages {', '.join(str(page) for page, _ in some)}" for name, some in table.items())
    low = 2 * FAR + HIGH + 26
    return Drawing(
        [_svg("".join(shapes), -2, -24, (WIDE + GAP) * room, low + 22)],
        f"{told}; {len(held)} of {room} pages hold words.",
    )


def _box(x, y, words, tone, full, shade=0.3, tall=TALL, name=""):
    look = (
        f'fill="{tone}" fill-opacity="{shade}" stroke="{tone}"'
        if full
        else ('fill="none" stroke="currentColor" stroke-opacity=".3" stroke-dasharray="3 3"')
    )
    box = f'<rect x="{x:.0f}" y="{y}" width="{WIDE}" height="{tall}" rx="3" {look}/>'
    box += _at(x + WIDE / 2, y + 16, name, anchor="middle") if name else ""
    return box + _at(x + WIDE / 2, y + tall - 10, words, anchor="middle")
