"""One word asks through several heads: an arc to each word that answers, and a colour for each head."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import Drawing, _at, _svg
from attn.show.still.owners import TONES

LEAST = 0.05  # a weight below this has no arc
SPACE = 17  # pixels between two words
EDGE = 32  # pixels beside the first and the last word, for the share written where an arc ends
UP, DOWN = (-19, -1), (10, 1)  # where an arc starts, and which way it goes


def glances(texts, names):
    """A sentence and the arcs of its last word, over it for the first head and under it for the second.

    texts: {sentence: (2, n) weights of the last word, a row for each head}; names: of the two heads   ->   Drawing.
    Raises ValueError where a sentence has not as many words as weights.
    """
    pictures, told = [], []
    for sentence, weights in texts.items():
        words, weights = sentence.split(), numeric(weights=weights)
        if weights.shape != (2, len(words)):
            raise ValueError(f"{sentence!r} needs weights of the shape (2, {len(words)}), not {weights.shape}")
        sizes = np.array([8.1 * len(word) for word in words])
        middles = np.cumsum(sizes + SPACE) - SPACE - sizes / 2
        shapes = "".join(
            _at(x, 0, word, anchor="middle").replace(
                "<text", '<text font-weight="700"' if k == len(words) - 1 else "<text"
            )
            for k, (x, word) in enumerate(zip(middles, words, strict=True))
        )
        shapes += "".join(_arcs(middles, row, *side) for row, side in zip(weights, (UP, DOWN), strict=True))
        tall = 0.75 * _pull(middles[-1] - middles[0])  # of the widest arc
        over, under = UP[0] - tall - 12, DOWN[0] + tall + 24
        shapes += "".join(
            _at(0, y, name, tone).replace("<text", '<text font-weight="600"')
            for y, name, tone in zip((over, under), names, TONES, strict=False)
        )
        shapes = f'<g font-size="15">{shapes}</g>'
        wide = max(middles[-1] + sizes[-1] / 2 + 2 * EDGE, 280)
        pictures.append(_svg(shapes, -EDGE, over - 16, wide, under + 20 - (over - 16)))
        for name, row in zip(names, weights, strict=True):
            seen = [f"{text.quoted(words[j])} {row[j]:.2f}" for j in np.flatnonzero(row >= LEAST)]
            told.append(f"In “{sentence}” {name} gives {', '.join(seen)}")
    return Drawing(pictures, "; ".join(told) + ".")


def _arcs(middles, weights, start, up):
    """The arcs of one head, from the last word to each that has a share; the share is written at its end."""
    tone, shapes, end = TONES[int(up > 0)], "", middles[-1]
    for j in np.flatnonzero(weights >= LEAST):
        high = start + up * _pull(end - middles[j])
        path = f"M{end:.1f} {start} C{end:.1f} {high:.1f} {middles[j]:.1f} {high:.1f} {middles[j]:.1f} {start}"
        shapes += (
            f'<path d="{path}" fill="none" stroke="{tone}" stroke-width="{1 + 7 * weights[j]:.1f}" opacity=".8"/>'
            f'<circle cx="{middles[j]:.1f}" cy="{start}" r="3.5" fill="{tone}"/>'
            f"{_at(middles[j] - 8, start + (-8 if up < 0 else 15), f'{weights[j]:.2f}', tone, 'end')}"
        )
    return shapes


def _pull(far):
    """How far the handles of an arc stand off its line: its top, three quarters of that, rises with its width."""
    return 22 + 0.13 * far
