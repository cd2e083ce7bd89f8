"""A memory of fixed size: what is written into it and read from it, pair by pair, and how a cache grows beside it."""

from itertools import pairwise

import numpy as np

from attn.axes import expect, numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, NO, OVER, UNDER, YES, Drawing, _at, _shaded, _short, _svg

SIDE, SIGN = 27, 16  # pixels: a tile, and the room for a sign between two layers
SMALL, WHOLE = 10, 168  # pixels, a number of a cache, and a causal matrix
FEW = 80  # pixels, a causal matrix where four stand in a row on a phone
LOWER = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def outer_products(keys, values, *, ask=0):
    """A memory as a sum of outer products, and below each of them what it answers to one key.

        Z = Σ_j k_jᵀ v_j        k Z = Σ_j (k · k_j) v_j

    keys: (n, d) and values: (n, e), a few small ones; ask: whose key k is   ->   Drawing.
    Raises ValueError where sizes disagree, IndexError where there is no such key.
    """
    keys, values = numeric(keys=keys, values=values)
    expect(keys=(keys, "n d"), values=(values, "n e"))
    (n, d), e, k = keys.shape, values.shape[1], _named("k", ask)
    overlaps, total = keys @ keys[ask], keys.T @ values
    answers, read = overlaps[:, None] * values, keys[ask] @ total
    full = max(abs(part).max() for part in (keys, values, total, answers, read))
    low, step = SIDE * d + 98, SIDE * (1 + e) + 6 + SIGN  # where the answers stand, and from layer to layer
    shapes = [
        _at(0, -SIDE - 40, "Write: each pair adds a layer, key times value."),
        _at(0, low - 44, f"Read with {k}: each value, times the overlap of the keys."),
    ]
    for j, (key, value) in enumerate(zip(keys, values, strict=True)):
        x, inside = j * step, j * step + SIDE + 6
        shapes += [_tiles(key[:, None], x, 0, full, YES), _tiles(value[None], inside, -SIDE - 6, full)]
        shapes += [_tiles(key[:, None] * value, inside, 0, full)]
        shapes += [_tiles(value[None], inside, low, full, shades=answers[j, None])]  # as loud as it is heard
        shapes += [
            _at(x + 10, SIDE * d + 18, _named("k", j), YES),
            _at(inside - 8, -SIDE / 2, _named("v", j), anchor="end"),
        ]
        shapes.append(_at(x, low - 12, f"{k} · {_named('k', j)} = {_short(overlaps[j])}"))
        shapes.append(_at(inside - 2, low + SIDE / 2 + 4, f"{_short(overlaps[j])}×", anchor="end"))
        for y in (SIDE * d / 2, low + SIDE / 2):
            shapes.append(_at(x + step - SIGN / 2, y + 4, "+" if j < n - 1 else "=", anchor="middle"))
    x, written = n * step, f"{_named('v', ask)} is {_row(values[ask])}"
    shapes += [_tiles(total, x, 0, full), _tiles(read[None], x, low, full)]
    shapes += [_at(x, -10, "Z"), _at(x, low - 12, f"{k} Z"), _at(x, low + SIDE + 20, written)]
    parts = ", ".join(f"{_short(a)} times {text.vector(v)}" for a, v in zip(overlaps, values, strict=True))
    wide = max(x + SIDE * e, x + 0.56 * LETTER * len(written), 0.5 * LETTER * 58)
    return Drawing(
        [_svg("".join(shapes), -4, -SIDE - 56, wide + 8, low + 2 * SIDE + 84)],
        f"A memory of {n} pairs is the sum of {n} outer products. Asked with {k} it reads {parts}: "
        f"together {text.vector(read)}, where {text.vector(values[ask])} was written.",
    )


def growth(d, e, lengths):
    """A cache after several numbers of words, a key and a value for each, beside a memory of d × e numbers.

    d, e: widths of a key and of a value; lengths: numbers of words   ->   Drawing.
    """
    shapes, x, low = [], 0, SMALL * max(lengths) + 44
    for n in lengths:
        z = x + SMALL * (d + e) + 14
        shapes += [_squares(x, n, d, YES), _squares(x + SMALL * d, n, e, OVER), _squares(z, d, e, UNDER)]
        shapes += [_at(x, -10, f"{n} words"), _at(x, SMALL * n + 16, str(n * (d + e)))]
        shapes.append(_at(z, SMALL * d + 16, str(d * e)))
        x = z + SMALL * e + 44
    legend = (0, "the cache: keys", YES), (112, "and values", OVER), (206, "the memory: one matrix", UNDER)
    shapes += [_at(at, low, words, tone) for at, words, tone in legend]
    held = _row([n * (d + e) for n in lengths])
    told = f"After {_row(lengths)} words a cache holds {held} numbers, and the matrix {d * e} each time."
    return Drawing([_svg("".join(shapes), -2, -26, max(x - 30, 360), low + 34)], told)


def cut(tokens, d, ends):
    """A causal matrix, to scale, cut in time: one cut shows its block future × past as a product, more make chunks.

    tokens: its rows and columns; d: rows of the memory; ends: where the text is cut   ->   Drawing. Raises ValueError
    where a cut lies outside the text.
    """
    if not ends or any(not 0 < end < tokens for end in ends):
        raise ValueError(f"the cuts must lie between 0 and {tokens}, not at {list(ends)}")
    spans = [(WHOLE * a / tokens, WHOLE * b / tokens) for a, b in pairwise([0, *ends, tokens])]
    within = "".join(f"M{a:.1f} {a:.1f}V{b:.1f}H{b:.1f}z" for a, b in spans)
    shapes = [f'<path d="{within}" fill="{YES}" fill-opacity=".45"/>', *(_pane(0, a, a, b - a) for a, b in spans[1:])]
    shapes.append(f'<rect width="{WHOLE}" height="{WHOLE}" fill="none" stroke="currentColor" opacity=".35"/>')
    if len(ends) == 1:
        return _factored(shapes, tokens, d, *ends)
    x, each = WHOLE + 14, ends[0]
    shapes += [f'<path d="M{x} 12v14h14z" fill="{YES}" fill-opacity=".45"/>', _pane(x, 42, 14, 14)]
    shapes += [_at(x + 20, 23, f"the matrix of {each} tokens"), _at(x + 20, 53, "read from Z")]
    told = f"The causal matrix of {tokens} tokens in {len(spans)} chunks: within each its matrix, before it only Z."
    return Drawing([_svg("".join(shapes), -4, -8, x + 178, WHOLE + 16, told)], told)


def _factored(shapes, tokens, d, end):
    """The picture of one cut: past and future along its sides, and the block where they meet as a product."""
    at, rest, thin = WHOLE * end / tokens, tokens - end, max(WHOLE * d / tokens, 4)
    x, y, sign = WHOLE + 34, (at + WHOLE) / 2 + 4, dict(anchor="middle")
    z = x + thin + 22
    shapes += [_at(at / 2, -7, "past", **sign), _at((at + WHOLE) / 2, -7, "future", **sign)]
    shapes += [_at(-6, at / 2 + 4, "past", anchor="end"), _at(-6, y, "future", anchor="end")]
    shapes += [_at(at / 2, y, f"{rest} × {end}", **sign), _at(x - 18, y, "=", **sign), _at(z - 11, y, "·", **sign)]
    shapes += [_pane(x, at, thin, WHOLE - at), _pane(z, y - 4 - thin / 2, at, thin)]
    shapes += [_at(x, at - 7, f"{rest} × {d}"), _at(z, y + thin / 2 + 12, f"{d} × {end}")]
    told = (
        f"The causal matrix of {tokens} tokens, cut after {end}: its block future × past, {rest} × {end}, is a product"
    )
    told += f" of {rest} × {d} and {d} × {end}."
    return Drawing([_svg("".join(shapes), -46, -22, z + at + 52, WHOLE + 30, told)], told)


def ranks(parts, ends, *, title):
    """Causal matrices, each cut in time at several places: below every cut the rank of its block future × past.

    parts: {name: (n, n), lower triangular}; ends: after how many tokens the text is cut, at most four; title: str
    ->   Drawing. Raises ValueError where a matrix is not square or a cut lies outside the text.
    """
    parts = {name: numeric(values=values) for name, values in parts.items()}
    pictures, told = [], []
    for name, values in parts.items():
        n = len(values)
        expect(values=(values, "n n"))
        if not ends or any(not 0 < end < n for end in ends):
            raise ValueError(f"the cuts must lie between 0 and {n}, not at {list(ends)}")
        side, shapes, found = FEW / n if FEW % n else FEW // n, [_at(0, 14, name)], []
        drawn = _shaded(abs(values) ** 0.5, (abs(values) ** 0.5).max(), side, ("currentColor",) * 2)
        for k, end in enumerate(ends):
            found.append(int(np.linalg.matrix_rank(values[end:, :end])))
            at, rest = side * end, FEW - side * end
            frame = f'<rect width="{FEW}" height="{FEW}" fill="none" stroke="currentColor" opacity=".35"/>'
            block = f'<rect y="{at:.1f}" width="{at:.1f}" height="{rest:.1f}" fill="{OVER}" fill-opacity=".35" '
            line = f'<path d="M{at:.1f} -3V{FEW + 3}M-3 {at:.1f}H{FEW + 3}" stroke="{NO}" stroke-width="1.5"/>'
            words = f'<g font-weight="700">{_at(FEW / 2, FEW + 20, f"rank {found[-1]}", anchor="middle")}</g>'
            inside = f'{drawn}{frame}{block}stroke="{OVER}" stroke-width="2"/>{line}{words}'
            shapes.append(f'<g transform="translate({(FEW + 10) * k} 26)">{inside}</g>')
        pictures.append(_svg("".join(shapes), -4, 0, (FEW + 10) * len(ends) - 2, FEW + 54))
        told.append(f"{name} {_row(found)}")
    return Drawing(pictures, f"{title}, cut after {_row(ends)} tokens: {'; '.join(told)}.")


def _pane(x, y, wide, tall):
    """A part of a matrix that goes through the memory."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{OVER}" fill-opacity=".6"/>'


def _named(letter, j):
    """k₁: pairs are counted from 1."""
    return letter + str(j + 1).translate(LOWER)


def _row(values):
    return ", ".join(_short(x) for x in values)


def _tiles(values, x, y, full, tone=OVER, shades=None):
    """A small matrix, each number in its tile; what is below zero has the other colour, and shades if they differ."""
    (rows, columns), values = values.shape, values + 0.0
    words = "".join(_written(SIDE * (j + 0.5), SIDE * (i + 0.5) + 4, _short(x)) for (i, j), x in np.ndenumerate(values))
    frame = f'<rect width="{SIDE * columns}" height="{SIDE * rows}" fill="none" stroke="currentColor" opacity=".35"/>'
    drawn = _shaded(0.7 * (values if shades is None else shades), full, SIDE, (tone, UNDER)) + frame
    words = f'<g fill="currentColor" text-anchor="middle" font-size="11.5">{words}</g>'
    return f'<g transform="translate({x} {y})">{drawn}{words}</g>'


def _written(x, y, word):
    """A number in its tile; a long one, such as −0.2, is smaller and keeps clear of the edges."""
    size = ' font-size="9.5"' if len(word) > 3 else ""
    return f'<text x="{x:g}" y="{y:g}"{size}>{word}</text>'


def _squares(x, rows, columns, tone):
    """So many numbers, one square each."""
    each = "".join(f"M{x + SMALL * j} {SMALL * i}h8v8h-8z" for i in range(rows) for j in range(columns))
    return f'<path d="{each}" fill="{tone}" fill-opacity=".75"/>'
