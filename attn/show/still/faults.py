"""Masks with their mistakes in the colour of a warning, and masks that are combined."""

import numpy as np

from attn.show.kit import text
from attn.show.still.lines import GAP, LETTER, NO, OVER, Drawing, _at, _svg
from attn.show.still.looks import TELL, _filling, _runs, _squares, _stripes, masks

SQUARE, SIDE, UP = 15, 17, 38  # pixels: a square; the room of a row's word or of a sign; the room above
KEY = {
    "extra": "looks, and must not",
    "missing": "a look that is missing",
    "empty": "an empty row",
    "filling": "filling",
    "new": "new words",
}


def faults(drawn, wrong=None, *, words, signs=(), across=3):
    """Masks side by side, each square filled where a query may look; what is wrong in them is red.

    A look that must not be is red and crossed out, a look that is missing has a red frame, and a row of the filling
    that sees nothing has one frame around all of it. drawn: {name: (n, m) of truth values}; wrong: {name: (n, m)}, True
    where that mask is wrong; words: m of one letter or so, or {name: m words}, "·" for filling; signs: what stands
    before each mask, ("", "&", "="); across: how many stand side by side on a phone   ->   Drawing. Raises ValueError
    for what is no mask, a mistake of another shape, or a wrong number of words.
    """
    told, pictures, marks = masks(drawn, words=words).alt[:-1].split(". "), [], set()
    for k, (name, mask) in enumerate(drawn.items()):
        off = np.asarray((wrong or {}).get(name, np.zeros_like(mask)))
        if off.shape != mask.shape:
            raise ValueError(f"{name} has shape {mask.shape}, but what is wrong has shape {off.shape}")
        whose = [str(word) for word in (words[name] if isinstance(words, dict) else words)]
        empty = _empty(mask, off, whose)
        seen = {"extra": off & mask, "missing": off & ~mask & ~empty[:, None], "empty": empty}
        marks |= {mark for mark, there in seen.items() if there.any()}
        marks |= {mark for mark, there in (("filling", _filling(whose)), ("new", len(mask) < len(whose))) if there}
        pictures.append(_panel(name, mask, off, whose, signs[k] if k < len(signs) else "", across))
        if off.any():
            where = [f"at {_runs(row)}" if not bare else "is empty" for row, bare in zip(off, empty, strict=True)]
            told[k] += "; wrong: " + ", ".join(f"row {i} {where[i]}" for i in np.flatnonzero(off.any(axis=1)))
    pictures += ["<br>"] * bool(marks) + [_sample(mark) for mark in KEY if mark in marks]
    return Drawing(pictures, ". ".join(told) + ".")


def _panel(name, mask, off, words, sign, across):
    """A mask under its name, beside its words or its sign."""
    (n, m), step = mask.shape, SQUARE + GAP
    rows, filling = words[m - n :] if n <= m else words, _filling(words)
    shapes = _squares(mask, SQUARE)
    for allowed, tone, strong in ((False, "currentColor", 0.4), (True, "var(--paper,#fff)", 0.85)):
        at = [(i, j) for i, j in np.argwhere(mask == allowed) if j in filling or i + m - n in filling]
        stripes = "".join(_stripes(step * j, step * i, SQUARE) for i, j in at)
        shapes += f'<path d="{stripes}" stroke="{tone}" stroke-width="1.3" opacity="{strong}"/>' if at else ""
    empty = _empty(mask, off, words)
    shapes += "".join(_mark(step * j, step * i, mask[i, j]) for i, j in np.argwhere(off & ~empty[:, None]))
    shapes += "".join(_mark(0, step * i, False, step * m - GAP) for i in np.flatnonzero(empty))
    shapes += f'<rect x="-4" y="0" width="3" height="{step * n - GAP}" fill="{OVER}"/>' * (n < m)
    if sign:
        told = [_at(-SIDE / 2 - 1, step * n / 2 + 6, sign, anchor="middle").replace("<text", '<text font-size="19"')]
    else:
        told = [_at(-6, step * (i + 0.5) + 3, word, anchor="end") for i, word in enumerate(rows)]
    told += [_at(step * (j + 0.5) - 1, -5, word, anchor="middle") for j, word in enumerate(words)]
    shapes += f'<g font-size="{TELL}">{"".join(told)}</g>'
    wide = step * m + SIDE
    picture = _svg(_at(0, 14 - UP, name) + shapes, -SIDE, -UP, wide, step * n + UP + 8)
    share = f"vertical-align:top;width:min({1.2 * wide:.0f}px,{94 // across}%);height:auto"
    return picture.replace("vertical-align:top", share, 1)


def _empty(mask, off, words):
    """Which rows of the filling see nothing where that is wrong, though no look is missing.   ->   (n,), True there"""
    n, m = mask.shape
    asks = np.isin(np.arange(n) + m - n, list(_filling(words)))
    return asks & off.any(axis=1) & ~mask.any(axis=1)


def _mark(x, y, allowed, wide=SQUARE):
    """What is wrong: red and crossed out where it is allowed, in a red frame where it is not.   wide: of the frame"""
    if allowed:
        cross = f"M{x + 4} {y + 4}l7 7m0 -7l-7 7"
        square = f'<path d="M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z" fill="{NO}"/>'
        return f'{square}<path d="{cross}" stroke="var(--paper,#fff)" stroke-width="1.4"/>'
    inner = SQUARE - 2
    frame = f"M{x + 1} {y + 1}h{wide - 2}v{inner}h{2 - wide}z"
    return f'<path d="{frame}" fill="none" stroke="{NO}" stroke-width="2"/>'


def _sample(mark):
    """What a mark means, as a line with a square."""
    shapes = '<g transform="translate(0 2)">'
    wide = SQUARE if mark != "empty" else 3 * SQUARE + 2 * GAP
    if mark in ("extra", "missing", "empty"):
        shapes += _squares(np.zeros((1, wide // SQUARE)) > 0, SQUARE) * (mark != "extra")
        shapes += _mark(0, 0, mark == "extra", wide)
    elif mark == "filling":
        shapes += _squares(np.array([[False]]), SQUARE)
        shapes += f'<path d="{_stripes(0, 0, SQUARE)}" stroke="currentColor" stroke-width="1.3" opacity=".4"/>'
    else:
        shapes += f'<rect x="6" width="3" height="{SQUARE}" fill="{OVER}"/>'
    word = text.escape(KEY[mark])
    return _svg(f"{shapes}</g>{_at(wide + 6, 14, word)}", 0, 0, wide + 13 + 0.53 * LETTER * len(word), 20)
