"""A line drawing of what a computation asks memory for, piece by piece."""

from attn import cost
from attn.show.kit import text
from attn.show.still.lines import LETTER, OVER, YES, Drawing, _at, _svg

SIDE, GAP, ROW = 40, 4, 74  # pixels: n numbers, between two pieces, from way to way


def made(ways, n, *, itemsize=4):
    """For each way to an answer the pieces of memory it asked for, in order, each as large as its bytes.

    A square is a matrix of n × n numbers. Pieces of whole n × n bytes have one colour and say "n²", others the other.
    ways: {way: (who answered, [bytes of each piece])}; n: numbers along a square; itemsize: bytes of a number
    ->   Drawing. Raises ValueError where n or itemsize is not positive.
    """
    if min(n, itemsize) < 1:
        raise ValueError(f"n and itemsize must be positive, but are {n} and {itemsize}")
    at = 0.62 * LETTER * max(map(len, ways), default=0) + 8
    shapes, told, right = [], [], at + 150
    for k, (way, (who, pieces)) in enumerate(ways.items()):
        y, x = ROW * k, 0.0
        size = cost.readable(sum(pieces))
        shapes.append(f'<g font-weight="600">{_at(0, y, way)}</g>{_at(at, y, f"{who}: {size}")}')
        for piece in pieces:
            wide, tone = max(1.0, SIDE * piece / (itemsize * n * n)), YES if piece % (n * n) else OVER
            shapes.append(f'<rect x="{x:.1f}" y="{y + 8}" width="{wide:.1f}" height="{SIDE}" fill="{tone}"/>')
            if tone == OVER and wide >= 0.6 * SIDE:
                shapes.append(_at(x + wide / 2, y + 33, f"{n}²", "#fff", "middle"))
            x += wide + GAP
        squares = sum(piece / (itemsize * n * n) for piece in pieces if not piece % (n * n))
        told.append(f"{way}, {who}: {size}, {text.number(squares)} squares of {n} × {n}")
        right = max(right, x)
    return Drawing([_svg("".join(shapes), -2, -18, right + 6, ROW * len(ways) - 4)], "; ".join(told) + ".")
