"""A line drawing of sums: for each name a column of parts piled on one another, a colour for each part."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.casts import TONES
from attn.show.still.lines import LETTER, Drawing, _at, _svg

WIDE, TALL = 330, 130  # pixels of a panel


def stacks(panels, names, *, across=""):
    """Parts piled up, column by column; what is below zero hangs down, and a dash marks each sum.

    panels: {title: {part: (m,)}}, the same parts in each; names: m short names, below the columns; across: what they
    are   ->   Drawing, one scale for all panels. Raises ValueError where sizes disagree.
    """
    drawn = {title: numeric(**{"parts": list(parts.values())}) for title, parts in panels.items()}
    for title, parts in drawn.items():
        if parts.ndim != 2 or parts.shape[1] != len(names):
            raise ValueError(f"{title} has parts of shape {parts.shape}, but there are {len(names)} names")
    high = max(parts.clip(0).sum(axis=0).max() for parts in drawn.values())
    low = min(parts.clip(max=0).sum(axis=0).min() for parts in drawn.values())
    scale, step = TALL / (high - low), WIDE / len(names)
    pictures, told = [], []
    for title, parts in drawn.items():
        shapes = [_at(0, -scale * high - 10, title)]
        for rows in (parts.clip(0), parts.clip(max=0)):
            ends = np.cumsum(rows, axis=0)
            for part, tops in enumerate(ends):
                below = ends[part - 1] if part else 0 * tops
                tone = TONES[part % len(TONES)]
                shapes.append(f'<path d="{_boxes(below, tops, step, scale)}" fill="{tone}"/>')
        sums = parts.sum(axis=0)
        dashes = "".join(f"M{step * k:.1f} {-scale * x:.1f}h{step - 1.5:.1f}" for k, x in enumerate(sums))
        shapes.append(f'<path d="{dashes}" stroke="currentColor" stroke-width="2.5"/>')
        shapes.append(f'<path d="M-4 0H{WIDE}" stroke="currentColor"/>')
        size = f'<g font-size="{min(LETTER, 1.05 * step):.1f}">'
        letters = "".join(_at(step * (k + 0.45), -scale * low + 15, n, anchor="middle") for k, n in enumerate(names))
        shapes += [size, letters, "</g>"]
        wide, tall = WIDE + 14, TALL + 56
        pictures.append(_svg("".join(shapes), -8, -scale * high - 26, wide, tall, title))
        ends = text.number(sums.min(), 1), text.number(sums.max(), 1)
        told.append(f"{title}: sums from {ends[0]} to {ends[1]}")
    pictures += ["<br>", _key(list(next(iter(panels.values()))))]
    return Drawing(pictures, f"{'; '.join(told)}." + f" Columns: {across}." * bool(across))


def _boxes(below, tops, step, scale):
    """One path for all boxes of a part."""
    return "".join(
        f"M{step * k:.1f} {-scale * a:.1f}h{step - 1.5:.1f}V{-scale * b:.1f}h-{step - 1.5:.1f}z"
        for k, (a, b) in enumerate(zip(below, tops, strict=True))
        if abs(b - a) * scale >= 0.3
    )


def _key(parts):
    """A square of its colour for each part, and the dash of the sums."""
    shapes, x = "", 0
    for k, part in enumerate(parts):
        shapes += f'<rect x="{x}" y="3" width="11" height="11" fill="{TONES[k % len(TONES)]}"/>' + _at(x + 16, 13, part)
        x += 34 + round(0.56 * LETTER * len(part))
    shapes += f'<path d="M{x} 8.5h12" stroke="currentColor" stroke-width="2.5"/>' + _at(x + 17, 13, "sum")
    return _svg(shapes, 0, 0, x + 54, 18)
