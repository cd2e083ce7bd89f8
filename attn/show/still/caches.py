"""Line drawings of writing: what is computed for each new word, with and without a cache, and how long it takes."""

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


def times(panels, *, long=340):
    """Bars of time under each other, in panels that each have a scale of their own.

    panels: {title: {name: (seconds, words)}}; words stand behind the bar; where seconds is None the time is still asked
    for, and a row of pieces stands in place of the bar; long: pixels of the longest   ->   Drawing.
    Raises ValueError where no time of a panel is known.
    """
    pictures, told = [], []
    for title, rows in panels.items():
        known = [seconds for seconds, _ in rows.values() if seconds is not None]
        if not known:
            raise ValueError(f"{title or 'a panel'} must hold at least one time")
        shapes, left = [_at(0, 0, title)], 14 + 0.56 * LETTER * max(map(len, rows))
        for k, (name, (seconds, words)) in enumerate(rows.items()):
            y, wide = 12 + 28 * k, long if seconds is None else max(long * seconds / max(known), 1)
            piece = "".join(f"M{left + (SIDE + APART) * j:.1f} {y}h{SIDE}v18h-{SIDE}z" for j in range(5))
            bar = piece if seconds is None else f"M{left:.1f} {y}h{wide:.1f}v18h-{wide:.1f}z"
            end = left + (5 * (SIDE + APART) if seconds is None else wide + APART)
            shapes += [_at(0, y + 13, name), f'<path d="{bar}" fill="{YES}"/>', _at(end, y + 13, words)]
        ends = [
            left + (120 if s is None else long * s / max(known)) + 14 + 0.56 * LETTER * len(w) for s, w in rows.values()
        ]
        pictures.append(_svg("".join(shapes), 0, -16, max(*ends, 0.56 * LETTER * len(title)), 34 + 28 * len(rows)))
        told.append(f"{title}: " * bool(title) + "; ".join(f"{name}, {words}" for name, (_, words) in rows.items()))
    return Drawing(pictures, ". ".join(told) + ".")


def _squares(first, last, y):
    """A row of squares, as one path."""
    return "".join(f"M{LEFT + (SIDE + GAP) * k} {y}h{SIDE}v{SIDE}h-{SIDE}z" for k in range(first, last))
