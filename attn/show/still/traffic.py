"""Line drawings of what moves: matrices to scale, work under a device's roof, and pieces that merge."""

import math

from attn import cost
from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, YES, Drawing, _at, _svg

SIDE, APART, CELL, STEP = 104, 20, 5, 20  # pixels: the largest matrix, between two, a key in a row, a merge
WIDE, TALL, LEFT, TOP = 336, 232, 44, 34  # of the field under a roof


def steps(done, *, itemsize=2):
    """What each step reads from memory and what it writes there: every matrix to one scale.

    done: {step: (read, written)}, each {name: (rows, columns)}; itemsize: bytes of a number   ->   Drawing.
    Raises ValueError where a step moves nothing.
    """
    if not all(read | written for read, written in done.values()):
        raise ValueError("each step must read or write a matrix")
    sizes = [size for parts in done.values() for part in parts for size in part.values()]
    scale = SIDE / max(max(size) for size in sizes)
    pictures, told = [], []
    for step, parts in done.items():
        moved = [itemsize * sum(math.prod(size) for size in part.values()) for part in parts]
        says = [f"{verb} {cost.readable(x)}" for verb, x in zip(("reads", "writes"), moved, strict=True)]
        shapes, x = [], 0.0
        for part in parts:
            for name, (rows, columns) in part.items():
                wide, tall = scale * columns, scale * rows
                tone, pale = OVER if columns == rows else YES, part is parts[0] and columns == rows
                look = f'fill="{tone}"' + f' fill-opacity=".25" stroke="{tone}"' * pale
                shapes.append(f'<rect x="{x:.1f}" y="0" width="{wide:.1f}" height="{tall:.1f}" {look}/>')
                shapes.append(_at(x + wide / 2, -7, name, anchor="middle"))
                x += wide + APART
            if part is parts[0]:
                middle = SIDE / 2
                shapes.append(f'<path d="M{x - 6:.0f} {middle}h18m-6 -4l6 4l-6 4" fill="none" stroke="currentColor"/>')
                x += APART + 6
        shapes = [f'<g font-weight="600">{_at(0, -28, step)}</g>', *shapes]
        shapes += [_at(0, SIDE + 19, says[0]), _at(0, SIDE + 35, says[1])]
        pictures.append(_svg("".join(shapes), -6, -42, max(x, 0.6 * LETTER * len(step), 120) + 14, SIDE + 84))
        told.append(f"{step} {_listed(says[0], parts[0])} and {_listed(says[1], parts[1])}")
    return Drawing(pictures, "; ".join(told) + ".")


def _listed(says, part):
    return f"{says} ({', '.join(f'{name} {rows} × {columns}' for name, (rows, columns) in part.items())})"


def roof(peak, bandwidth, points):
    """Work under a device's roof, each kind at the speed that its traffic allows; both axes in logarithms.

        allowed = min(peak, flops a byte · bandwidth)

    peak: flops a second; bandwidth: bytes a second; points: {name: flops a byte}   ->   Drawing.
    Raises ValueError where a number is not positive.
    """
    if min(peak, bandwidth, *points.values()) <= 0:
        raise ValueError("a roof needs positive numbers: a logarithm is taken of them")
    ridge = peak / bandwidth
    low, high = min(ridge, *points.values()) / 4, max(ridge, *points.values()) * 2

    def put(x, y):
        along = math.log(x / low) / math.log(high / low)
        return LEFT + WIDE * along, TOP + TALL * math.log(peak / y) / math.log(ridge / low)

    bend, floor, edge = put(ridge, peak)[0], TOP + TALL, LEFT + WIDE
    slope = f"M{LEFT} {floor}L{bend:.1f} {TOP}"
    shapes = [f'<path d="{slope}V{floor}z" fill="currentColor" fill-opacity=".05"/>']
    shapes.append(f'<path d="M{bend:.1f} {TOP}H{edge}V{floor}H{bend:.1f}z" fill="{OVER}" fill-opacity=".14"/>')
    shapes.append(f'<path d="{slope}H{edge}" fill="none" stroke="currentColor" stroke-width="2"/>')
    shapes.append(f'<path d="M{LEFT} {TOP}V{floor}H{edge}" fill="none" stroke="currentColor" opacity=".35"/>')
    shapes += _ticks(put, (low, high), ridge, peak, (bend, floor, edge))
    allowed = {name: min(peak, x * bandwidth) for name, x in points.items()}
    for name, x in points.items():
        (at, y), flat = put(x, allowed[name]), x >= ridge
        shapes.append(f'<circle cx="{at:.1f}" cy="{y:.1f}" r="5" fill="{YES}" stroke="var(--paper,#fff)"/>')
        says = f"{name}: {text.number(round(x))}"
        where = (at + 10, y + 12, "start") if at < LEFT + 0.42 * WIDE else (at - 10, y - 2, "end")
        x, y, way = (min(at + 30, edge), TOP - 10, "end") if flat else where
        shapes.append(_at(x, y, says, YES, way))
    told = "; ".join(
        f"{name} at {text.number(x, 1)}, {text.percent(allowed[name] / peak)}" for name, x in points.items()
    )
    told = (
        f"Flops a byte under a roof that bends at {text.number(ridge, 1)}, and the share of the peak allowed: {told}."
    )
    picture = _svg("".join(shapes), 0, 0, edge + 6, floor + 46, told)
    return Drawing([picture.replace('style="', 'style="width:100%;max-width:30rem;height:auto;', 1)], told)


def _ticks(put, ends, ridge, peak, corner):
    """Powers of ten along both axes, the bend between them, and what the axes measure."""
    bend, floor, edge = corner
    shapes = [_at(0, 14, "↑ flops a second"), _at(edge, floor + 36, "flops a byte →", anchor="end")]
    shapes.append(f'<g font-weight="600">{_at(bend, floor + 18, text.number(round(ridge)), anchor="middle")}</g>')
    shapes.append(_at(bend - 6, floor - 8, "memory-bound", anchor="end"))
    shapes.append(_at(edge - 4, floor - 8, "compute-bound", anchor="end"))
    for power in range(math.ceil(math.log10(ends[0])), math.floor(math.log10(ends[1])) + 1):
        x = put(10.0**power, peak)[0]
        if abs(x - bend) > 30:
            shapes.append(_at(x, floor + 18, f"{10**power:,}".replace(",", "\u2009"), anchor="middle"))
    for power in range(math.ceil(math.log10(peak * ends[0] / ridge)), math.floor(math.log10(peak)) + 1):
        y = put(ridge, 10.0**power)[1]
        shapes.append(_at(LEFT - 5, y + 4, f"{10 ** (power - 12):g} T", anchor="end"))
    return shapes


def merges(sizes, orders):
    """Pieces of a row of keys, and for each order the tree of merges that joins them.

    sizes: how many keys each piece has; orders: {title: places}, where place i merges the piece that stands at i with
    the next one   ->   Drawing. Raises ValueError where an order does not join all pieces.
    """
    trees = {title: _tree(sizes, order, title) for title, order in orders.items()}
    low = STEP * max(high for brackets in trees.values() for *_, high in brackets) + 10
    pictures = []
    for title, brackets in trees.items():
        shapes, start = [_at(0, -10, title)], 0
        for k, size in enumerate(sizes):
            box = f'x="{CELL * start + 1}" y="{low}" width="{CELL * size - 2}" height="13" rx="2"'
            shapes.append(f'<rect {box} fill="{YES}" fill-opacity="{0.3 if k % 2 else 0.6}"/>')
            start += size
        for (x, one), (z, two), high in brackets:
            bottom, end, bar = (low - 3 - STEP * h for h in (one, two, high))
            path = f"M{CELL * x:.1f} {bottom}V{bar}H{CELL * z:.1f}V{end}"
            shapes.append(f'<path d="{path}" fill="none" stroke="currentColor" opacity=".75"/>')
        (x, _), (z, _), high = brackets[-1]
        shapes.append(f'<circle cx="{CELL * (x + z) / 2:.1f}" cy="{low - 3 - STEP * high}" r="4.5" fill="{OVER}"/>')
        pictures.append(_svg("".join(shapes), -4, -26, CELL * start + 24, low + 46))
    told = "; ".join(f"{title}, at places {', '.join(map(str, order))}" for title, order in orders.items())
    return Drawing(pictures, f"Pieces of {', '.join(map(str, sizes))} keys, merged two by two: {told}.")


def _tree(sizes, order, title):
    """[(left end, right end, how high)] of each merge in turn; an end is (keys from the left, how high)."""
    if len(order) != len(sizes) - 1 or any(not 0 <= i < len(sizes) - 1 - k for k, i in enumerate(order)):
        raise ValueError(f"{title} must hold {len(sizes) - 1} places, each with a piece after it, not {list(order)}")
    at, brackets = [(sum(sizes[:k]) + size / 2, 0) for k, size in enumerate(sizes)], []
    for i in order:
        (x, one), (z, two) = at[i : i + 2]
        brackets.append(((x, one), (z, two), max(one, two) + 1))
        at[i : i + 2] = [((x + z) / 2, max(one, two) + 1)]
    return brackets


def overlap(works, delay, steps):
    """One process of a ring, going forward: when it computes, when its link is busy, and when it waits.

    It sends before it begins a block, and begins the next one when both the block and the transfer are done.
    works: {title: seconds a block takes}; delay: seconds of a transfer; steps: blocks, one more than transfers
    ->   Drawing. Raises ValueError unless all are positive.
    """
    if min(delay, steps, *works.values()) <= 0:
        raise ValueError("works, delay and steps must be positive")
    last = max(work * steps + (steps - 1) * max(0, delay - work) for work in works.values())
    pictures, told = [], []
    for title, work in works.items():
        hides, scale = work >= delay, (WIDE - 66) / last
        each, shapes = max(work, delay), [f'<g font-weight="600">{_at(0, -12, title)}</g>']
        shapes += [_at(0, 13, "computes"), _at(0, 39, "link")]
        for k in range(steps):
            x = 66 + scale * each * k
            shapes.append(_span(x, 0, scale * work, f'fill="{YES}"'))
            if k < steps - 1:
                shapes.append(_span(x, 26, scale * delay, f'fill="{OVER}" fill-opacity=".6"'))
                rest = scale * (each - work)
                look = 'fill="none" stroke="currentColor" stroke-dasharray="3 3" opacity=".6"'
                shapes += [_span(x + scale * work, 0, rest, look)] if rest > 3 else []
        pictures.append(_svg("".join(shapes), -2, -28, WIDE + 8, 82))
        told.append(f"{title}: {steps - 1} transfers of {text.number(delay)} s, {'hidden' if hides else 'waited for'}")
    return Drawing(pictures, "One process going forward. " + "; ".join(told) + ".")


def _span(x, y, wide, look):
    return f'<rect x="{x + 0.5:.1f}" y="{y}" width="{max(wide - 1, 1):.1f}" height="16" {look}/>'
