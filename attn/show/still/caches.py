"""A line drawing of what each new word makes a model compute, with a cache and without."""

from attn.show.still.lines import GAP, LETTER, YES, Drawing, _at, _svg

SIDE = 17  # pixels of a square
APART = 7  # pixels between the values and the scores
LEFT = 46  # pixels for the names of the rows
ROWS = ("keys", "values", "scores")


def caching(words):
    """Words that come one by one: the keys, values and scores made for each, above with a cache and below without.

    words: two or more, in their order   ->   Drawing. Filled squares are made at this word, pale ones were made before
    and are read again. Scores are causal: without a cache each row of the triangle is made anew.
    Raises ValueError for fewer words.
    """
    if len(words) < 2:
        raise ValueError(f"words must hold two words or more, but holds {len(words)}")
    step, pictures, told = SIDE + GAP, [], []
    for n, word in enumerate(words, start=1):
        anew = [(0, n), (0, n), *((0, k + 1) for k in range(n))]
        parts = {"kept": [(n - 1, 1), (n - 1, 1), (0, n)], "all anew": anew}
        shapes, top = [_at(LEFT, 0, f"+ {word}")], 14
        for title, rows in parts.items():
            made = sum(new for _, new in rows)
            shapes.append(_at(0, top + 12, f"{title}: {made} made"))
            for k, (old, new) in enumerate(rows):
                y, tone = top + 20 + step * k + APART * (k > 1), YES if k < 2 else "currentColor"
                shapes += [_at(0, y + 13, ROWS[k])] if k < len(ROWS) else []
                shapes += [f'<path d="{_squares(0, old, y)}" fill="{tone}" opacity=".22"/>'] if old else []
                shapes.append(f'<path d="{_squares(old, old + new, y)}" fill="{tone}"/>')
            told.append(made)
            top += 20 + step * len(rows) + APART + 12
        wide = max(LEFT + step * n, 0.53 * LETTER * 18) + 12
        pictures.append(_svg("".join(shapes), 0, -14, wide, top + 14))
    every = [f"{word} {kept} and {anew}" for word, kept, anew in zip(words, told[::2], told[1::2], strict=True)]
    counted = "Keys, values and scores made at each word, with a cache and without"
    return Drawing(pictures, f"{counted}: {', '.join(every)}.")


def _squares(first, last, y):
    """A row of squares, as one path."""
    return "".join(f"M{LEFT + (SIDE + GAP) * k} {y}h{SIDE}v{SIDE}h-{SIDE}z" for k in range(first, last))
