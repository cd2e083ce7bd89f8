"""Matrices in which a tile's colour says which head it belongs to."""

import numpy as np

from attn.show.kit import text
from attn.show.still.lines import LETTER, UNDER, YES, Drawing, _at, _svg

TONES = (YES, "var(--good,#3d7d4d)", UNDER)  # of heads 0, 1 and 2
EVERY, NONE = -1, -2  # in place of a head's number: what all heads read, and an empty place
ROOM = 26  # pixels for a sign before a matrix


def owners(drawn, *, signs=(), side=10):
    """Matrices side by side, each tile in the colour of its head; the tiles all heads read are grey.

    drawn: {name: (n, m) whole numbers, a head's number from 0 to 2, EVERY or NONE}; signs: what stands before each
    matrix but the first; side: of a tile, in pixels   ->   Drawing. Raises ValueError for another number.
    """
    pictures, told, heads = [], [], set()
    for name, sign, of in zip(drawn, ["", *signs, *[""] * len(drawn)], drawn.values(), strict=False):
        of = np.asarray(of)
        if of.min() < NONE or of.max() >= len(TONES):
            raise ValueError(f"{name} holds {of.min()} to {of.max()}, but heads go from 0 to {len(TONES) - 1}")
        heads |= {int(t) for t in np.unique(of) if t >= 0}
        rows, columns = of.shape
        left = ROOM if sign else 8
        shapes = _at(4, 24 + 2.5 * side + 4, sign) + "".join(_tiles(of, left, 24, side)) + _at(left, 16, name)
        gap = (of == NONE).all(axis=1).sum()  # the empty rows between two heads
        shape = f"2 of {(rows - gap) // 2}×{columns}" if gap else f"{rows}×{columns}"
        shapes += _at(left, 24 + side * rows + 16, shape)
        wide = left + max(side * columns, 0.55 * LETTER * max(len(name), len(shape))) + 4
        pictures.append(_svg(shapes, 0, 0, wide, 24 + side * rows + 22))
        count = sum(int(t) >= 0 for t in np.unique(of))
        told.append(f"{name}, {shape}, {'read by every head' if not count else f'of {count} heads'}")
    return Drawing([*pictures, "<br>", _key(sorted(heads), drawn)], "; ".join(told) + ".")


def _tiles(of, left, top, side):
    """The tiles, neighbours in a row as one shape, with thin lines between them."""
    for i, j in np.argwhere(of > NONE):
        tone, dim = ("currentColor", 0.22) if of[i, j] == EVERY else (TONES[of[i, j]], 0.75)
        at = f'x="{left + side * j + 0.5:.1f}" y="{top + side * i + 0.5:.1f}" width="{side - 1}" height="{side - 1}"'
        yield f'<rect {at} fill="{tone}" fill-opacity="{dim}"/>'


def _key(heads, drawn):
    """Which colour is which head."""
    named = [(TONES[t], 0.75, f"head {t}") for t in heads]
    if any((np.asarray(of) == EVERY).any() for of in drawn.values()):
        named.append(("currentColor", 0.22, "read by every head"))
    shapes, x = "", 0
    for tone, dim, name in named:
        shapes += (
            f'<rect x="{x}" y="4" width="12" height="12" fill="{tone}" fill-opacity="{dim}"/>{_at(x + 18, 14, name)}'
        )
        x += 34 + 0.55 * LETTER * len(name)
    return _svg(shapes, 0, 0, x, 22)


def framed(drawing, title):
    """A drawing in a frame, with a title over it.   -> Drawing"""
    look = "border:1px solid var(--rule,#ccc);border-radius:8px;padding:.8em .6em"
    head = f'<p style="margin:0 0 .6em;font:600 .92rem system-ui,sans-serif">{text.escape(title)}</p>'
    return Drawing([f'<div style="{look}">{head}{" ".join(drawing.pictures)}</div>'], f"{title}: {drawing.alt}")


def joined(drawings, signs):
    """Drawings of tiles in one line, a sign of arithmetic between each two, beside the first rows.   -> Drawing"""
    between = [[_svg(f'<g font-size="20">{_at(1, 48, sign)}</g>', 0, 0, 20, 60)] for sign in signs]
    pictures = [part for sign, drawn in zip([[], *between], drawings, strict=True) for part in sign + drawn.pictures]
    return Drawing(pictures, " ".join(map(repr, drawings)))
