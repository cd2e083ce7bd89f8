"""A plane that moves: a grid, a circle, dots and arrows, led through some matrices one after the other.

The reader chooses a step; the page's style sheet does the moving, so it needs no script and prints as any drawing.
"""

from itertools import accumulate
from zlib import crc32

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import Drawing
from attn.show.still.plot import INK

WIDE, EDGE, LETTER, REACH = 720, 20, 17, 2  # pixels: page, margin, a letter; how far the grid goes
NEAR = 28  # pixels from 0: a name there stands on the side its dot came from
PLAIN = "var(--soft,#667)"


class Moves(Drawing):
    """A drawing with its choice of steps before it, which is no part of the picture."""

    def __init__(self, choices, picture, alt):
        super().__init__([picture], alt)
        self.choices = choices

    def _repr_html_(self):
        seen = f'<svg role="img" aria-label="{text.escape(self.alt)}"'
        return self.choices + self.pictures[0].replace("<svg", seen, 1) + "</div>"


def moves(start, steps, marks, *, arrows=None, tones=None):
    """One plane that the matrices of some steps move in turn, with the unit circle and a grid on it.

    start: what the untouched plane is called;  steps: {name: (2, 2)}, none with a negative determinant: rows
    are vectors, so x goes to x · M₁ · M₂ …;  marks: {name: (2,)};  arrows: {name: (2,)};  tones: {name: colour}
    ->   Drawing. Raises ValueError where something does not lie in the plane or a step mirrors it.
    """
    arrows = arrows or {}
    mixed = "color-mix(in srgb,{} 80%,currentColor)"  # by night ink turns over, other colours only lighten
    tones = {name: "currentColor" if tone == INK else mixed.format(tone) for name, tone in (tones or {}).items()}
    matrices = [numeric(**{"a step": step}) for step in steps.values()]
    for name, matrix in zip(steps, matrices, strict=True):
        if matrix.shape != (2, 2) or np.linalg.det(matrix) < -1e-12:
            raise ValueError(f"the step {name} must be a (2, 2) matrix whose determinant is not negative")
    places = {name: numeric(**{name: point}) for name, point in (marks | arrows).items()}
    for name, point in places.items():
        if point.shape != (2,):
            raise ValueError(f"{name} must lie in the plane, but has shape {point.shape}")
    states = list(accumulate(matrices, np.matmul, initial=np.eye(2)))
    far = _far(states)
    unit = min(100, (WIDE / 2 - EDGE) / far[0])
    wide, tall = unit * far + EDGE
    own = f"moves-{crc32(repr([*steps.items(), *places.items()]).encode()):08x}"
    inside = "".join(_still(tones, marks, arrows))
    for k in range(len(matrices)):  # the first step is the innermost group
        inside = f'<g class="s{k}">{inside}</g>'
    names = "".join(
        f'<text class="n{k}" text-anchor="{_side(point) if name in marks else "middle"}" dy=".35em" '
        f'fill="{tones.get(name, "currentColor")}">{text.escape(name)}</text>'
        for k, (name, point) in enumerate(places.items())
    )
    box = f'viewBox="{-wide:.0f} {-tall:.0f} {2 * wide:.0f} {2 * tall:.0f}" width="{2 * wide:.0f}"'
    axes = f'<path d="M{-wide:.0f} 0H{wide:.0f}M0 {-tall:.0f}V{tall:.0f}" stroke="{PLAIN}" stroke-opacity=".6"/>'
    picture = f'<svg {box} font-size="{LETTER}" font-family="system-ui,sans-serif">{axes}'
    picture += f'<g transform="scale({unit:.1f} {-unit:.1f})">{inside}</g>{names}</svg>'
    choices = "".join(
        f'<input type="radio" name="{own}" id="{own}-{k}"{" checked" * (k == 0)}><label for="{own}-{k}">'
        f"{text.escape(name)}</label>"
        for k, name in enumerate([start, *steps])
    )
    told = [
        f"{name}: " + ", ".join(f"{word} at {text.vector(point @ state)}" for word, point in places.items())
        for name, state in zip([start, *steps], states, strict=True)
    ]
    style = "".join(_rules(own, matrices, states, places, arrows, unit))
    return Moves(f'<div id="{own}"><style>{style}</style>{choices}', picture, "; ".join(told) + ".")


def _far(states):
    """Half the width and height that the grid needs in its widest state, in units."""
    corners = np.array([[x, y] for x in (-REACH, REACH) for y in (-REACH, REACH)])
    return np.abs(corners @ np.array(states)).max((0, 1))


def _still(tones, marks, arrows):
    """The shapes of the untouched plane, whose strokes keep their width however they are moved."""
    shape = '<path vector-effect="non-scaling-stroke" fill="none" d="{}" stroke="{}" stroke-width="{}"{}/>'
    lines = range(-REACH, REACH + 1)
    grid = "".join(f"M{-REACH} {k}H{REACH}M{k} {-REACH}V{REACH}" for k in lines)
    yield shape.format(grid, PLAIN, 1, ' stroke-opacity=".45"')
    yield '<circle r="1" fill="var(--link,#0b57c2)" fill-opacity=".1"/>'
    yield shape.format("M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0", "currentColor", 1.5, "")
    for name, (x, y) in arrows.items():
        tone = tones.get(name, "currentColor")
        yield shape.format(f"M0 0L{x:.4f} {y:.4f}", tone, 2.5, "")
        along = np.array([x, y]) / np.hypot(x, y)
        left, right = (np.array([x, y]) - 0.16 * along + side * 0.07 * along[::-1] * (-1, 1) for side in (1, -1))
        head = "M{:.4f} {:.4f}L{:.4f} {:.4f}L{:.4f} {:.4f}z".format(x, y, *left, *right)
        yield f'<path d="{head}" fill="{tone}"/>'
    for name, (x, y) in marks.items():
        yield shape.format(f"M{x:.4f} {y:.4f}l0 0", tones.get(name, PLAIN), 11, ' stroke-linecap="round"')


def _side(point):
    """Where a name begins: beside a dot at the right or the left, over or under any other."""
    return "middle" if abs(point[1]) >= abs(point[0]) else "start" if point[0] > 0 else "end"


def _invertible(matrix):
    """The matrix, or one that no eye tells from it: a style sheet jumps to what has no inverse, it cannot glide."""
    left, sizes, right = np.linalg.svd(matrix)
    missing = max(0, 1e-3 - sizes[1]) * np.linalg.det(left) * np.linalg.det(right)
    return matrix + missing * np.outer(left[:, 1], right[1])


def _rules(own, matrices, states, places, arrows, unit):
    """The style sheet: where each group and each name stands once a step is chosen."""
    yield f"#{own} svg{{display:block;max-width:100%;height:auto;margin-top:.5em}}"
    yield f"#{own} label{{margin:0 1.2em 0 .4em;white-space:nowrap}}"
    yield f"@media (max-width:40rem){{#{own} label::after{{content:'\\A';white-space:pre}}}}"
    yield f"@media (max-width:40rem){{#{own} text{{font-size:26px}}}}"  # the drawing shrinks, its names do not
    yield f"#{own} svg g,#{own} svg text{{transition:transform 1.2s}}"
    yield f"@media (prefers-reduced-motion:reduce){{#{own} svg *{{transition:none!important}}}}"
    for k, matrix in enumerate(matrices):
        chosen = ",".join(f"#{own}-{later}:checked~svg .s{k}" for later in range(k + 1, len(states)))
        yield f"{chosen}{{transform:matrix({','.join(f'{x:.5f}' for x in _invertible(matrix).ravel())},0,0)}}"
    for at, state in enumerate(states):
        for k, (name, point) in enumerate(places.items()):
            x, y = unit * (point @ state)
            long = np.hypot(x, y) or 1
            ox, oy = point / (np.hypot(*point) or 1) if long < NEAR else (x / long, y / long)
            if name in arrows:  # beside its middle, to the left of who walks along it
                x, y = 0.6 * x - 14 * y / long, 0.6 * y + 14 * x / long
            else:
                far = 24 if _side(point) == "middle" else 13  # away from 0, or to where it came from
                x, y = x + far * ox, y + far * oy
            yield f"#{own}-{at}:checked~svg .n{k}{{transform:translate({x:.0f}px,{-y:.0f}px)}}"
