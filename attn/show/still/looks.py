"""Masks as squares: who may look at whom, and which of the words are filling or new."""

import numpy as np

from attn.show.still.lines import CELL, GAP, LETTER, OVER, YES, Drawing, _at, _panel, _svg

FILLING = "·"  # the word that is none
TELL, ASIDE = 12, 5  # a word beside its row or over its column, and how far it stands away: pixels
KEY = {"filling": "hatched: filling", "new": "bar: new words"}


def masks(drawn, *, side=None, words=None):
    """Masks side by side: filled where a query may look, pale where it may not. Rows ask, columns are asked.

    drawn: {name: (n, m) of truth values}; side: of a square, in pixels; words: m of them, over the columns, or
    {name: m words}. A word "·" is filling: its row and its column are hatched. With words, rows that are fewer than
    columns are the last n words, new ones, and a bar marks them; and on a phone the masks stand in twos
    ->   Drawing. Raises ValueError where one is no matrix of truth values, or has not m columns.
    """
    pictures, told, marks = [], [], []
    cell = side or (CELL if max(np.size(mask) for mask in drawn.values()) > 12 else 20)
    for name, mask in drawn.items():
        mask = np.asarray(mask)
        if mask.dtype != bool or mask.ndim != 2 or 0 in mask.shape:
            raise ValueError(f"{name} must be a matrix of truth values, not {mask.dtype} of shape {mask.shape}")
        rows = "; ".join(f"row {i} sees {_runs(row)}" for i, row in enumerate(mask))
        told.append(f"{name}, {mask.sum()} of {mask.size} may look: {rows}")
        if words is None:
            step = cell + GAP
            sides = tuple([str(k) for k in range(size)] if size < 11 else [] for size in mask.shape)
            pictures.append(_panel(name, _squares(mask, cell), step * mask.shape[1], step * mask.shape[0], step, sides))
            continue
        whose = [str(word) for word in (words[name] if isinstance(words, dict) else words)]
        if len(whose) != mask.shape[1]:
            raise ValueError(f"{name} has {mask.shape[1]} columns, but there are {len(whose)} words")
        marks += ["filling"] * (FILLING in whose) + ["new"] * (len(mask) < len(whose))
        told[-1] += f"; {', '.join(map(str, _filling(whose)))} are filling" * (FILLING in whose)
        pictures.append(_worded(name, mask, whose, cell))
    said = [KEY[mark] for mark in KEY if mark in marks]
    pictures += ["<br>", _svg(_at(0, 13, "; ".join(said)), 0, 0, 220, 18)] if said else []
    return Drawing(pictures, ". ".join(told) + ".")


def _squares(mask, cell):
    """A square for each pair, in two shapes: the forbidden and the allowed."""
    step = cell + GAP
    squares = {
        allowed: "".join(f"M{step * j} {step * i}h{cell}v{cell}h-{cell}z" for i, j in np.argwhere(mask == allowed))
        for allowed in (False, True)
    }
    return f'<path d="{squares[False]}" fill="currentColor" opacity=".12"/><path d="{squares[True]}" fill="{YES}"/>'


def _worded(name, mask, words, cell):
    """A mask with its words; the rows are the last of them."""
    (n, m), step = mask.shape, cell + GAP
    rows, filling = words[m - n :] if n <= m else words, _filling(words)
    left, up = 0.6 * TELL * max(map(len, rows)) + ASIDE + 4 + 4 * (n < m), TELL + ASIDE + 20
    shapes = _squares(mask, cell)
    for allowed, tone, strong in ((False, "currentColor", 0.4), (True, "var(--paper,#fff)", 0.85)):
        at = [(i, j) for i, j in np.argwhere(mask == allowed) if j in filling or i + m - n in filling]
        stripes = "".join(_stripes(step * j, step * i, cell) for i, j in at)
        shapes += f'<path d="{stripes}" stroke="{tone}" stroke-width="1.3" opacity="{strong}"/>' if at else ""
    if n < m:
        shapes += f'<rect x="-{ASIDE}" y="0" width="3" height="{step * n - GAP}" fill="{OVER}"/>'
    away = ASIDE + 4 * (n < m)
    told = [_at(-away, step * k + cell / 2 + 0.35 * TELL, word, anchor="end") for k, word in enumerate(rows)]
    told += [_at(step * k + cell / 2, -ASIDE, word, anchor="middle") for k, word in enumerate(words)]
    told = f'<g font-size="{TELL}" opacity=".85">{"".join(told)}</g>'
    room = max(step * m, 0.53 * LETTER * len(name)) + 8
    picture = _svg(_at(0, 15 - up, name) + told + shapes, -left, -up, room + left, step * n + up + 10)
    return picture.replace("vertical-align:top", "vertical-align:top;max-width:49%;height:auto", 1)


def _stripes(x, y, cell):
    """Five lines that rise across a square, as a path."""
    third = cell // 3
    starts = [(0, third), (0, 2 * third), (0, cell), (third, cell), (2 * third, cell)]
    return "".join(f"M{x + a} {y + b}l{b - a} {a - b}" for a, b in starts)


def _filling(words):
    return [k for k, word in enumerate(words) if word == FILLING]


def _runs(row):
    """The places a row sees, shortly: 0–2 and 4; "nothing" where it sees none."""
    seen = np.flatnonzero(row)
    if not len(seen):
        return "nothing"
    pieces = np.split(seen, np.flatnonzero(np.diff(seen) > 1) + 1)
    told = [f"{p[0]}" if len(p) == 1 else f"{p[0]}–{p[-1]}" for p in pieces]
    return " and ".join([", ".join(told[:-1]), told[-1]] if told[:-1] else told)
