"""A line drawing of the share that one word gets as its score moves while the scores of all others stay."""

from itertools import pairwise

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import OVER, UNDER, YES, Drawing, _at, _svg

WIDE, TALL = 270, 140  # pixels, from end to end of the scores, and from no share to all
TONES = (OVER, YES, UNDER, "currentColor")
FAINT = 'stroke="currentColor" fill="none" opacity=".4"'


def shares(curves, marks=None, *, ends=(-4, 8), across="score", slopes=False, tint=()):
    """The share of one word against its own score: an S for each crowd of others and each temperature.

        a = e^{x/τ} / (e^{x/τ} + R),   its slope a (1 − a) / τ

    curves: {name: (R, τ)}, the exponentials of all others together and the temperature, both positive; marks: {name:
    x}, scores to show on the first curve; ends: of the axis of scores; across: what that axis is; slopes: True draws at
    each mark how steep the curve is there, in place of lines to both axes; tint: pairs (score, word) to write above the
    first curve, whose ground is then the darker the steeper it is
    ->   Drawing. Raises ValueError where R or τ is not positive.
    """
    low, high = ends
    place = lambda x, a: (WIDE * (x - low) / (high - low), TALL * (1 - a))  # noqa: E731
    shapes, told = _axes(place, ends, across), []
    if tint:
        shapes = [_ground(place, ends, *next(iter(curves.values()))), *shapes]
        shapes += [_at(place(x, 0)[0], -9, word, anchor="middle") for x, word in tint]
    grid = np.linspace(low, high, 73)
    for k, (name, (others, heat)) in enumerate(curves.items()):
        if min(others, heat) <= 0:
            raise ValueError(f"{name} has R = {text.number(others)} and τ = {text.number(heat)}; both must be positive")
        points = "L".join(
            "{:.1f} {:.1f}".format(*place(*pair)) for pair in zip(grid, share(grid, others, heat), strict=True)
        )
        tone = TONES[k % len(TONES)]
        shapes.append(f'<path d="M{points}" fill="none" stroke="{tone}" stroke-width="2.5"/>')
        middle = heat * np.log(others)
        told.append(f"{name} reaches one half at {text.number(middle, 2)}")
        if len(curves) > 1:  # names go down along the curves, each beside its own
            height = 0.92 - 0.13 * k
            x, y = place(middle + heat * np.log(height / (1 - height)), height)
            shapes.append(_halo(min(x, WIDE - 10) + 7, y + 7, name, tone))
    others, heat = next(iter(curves.values()))
    for name, x in dict(marks or {}).items():
        a = float(share(numeric(x=x), others, heat))
        slope = a * (1 - a) / heat
        shapes += _mark(place(x, a), _tilt(place, slope) if slopes else None, name)
        told.append(f"{name}: score {text.number(x, 2)}, share {a:.2f}" + f", slope {slope:.2f}" * slopes)
    picture = _svg("".join(shapes), -34, -27, WIDE + 84, TALL + 71)
    return Drawing([picture.replace('style="', 'style="width:100%;max-width:26rem;height:auto;', 1)],
                   f"{across} against share. {'; '.join(told)}.")  # fmt: skip


def share(x, others, heat):
    """What a word with score x gets beside others whose exponentials sum to R.   ->   like x"""
    return 1 / (1 + others * np.exp(-x / heat))


def _axes(place, ends, across):
    """No share and all of it, and every other whole score."""
    shapes = []
    for a, word in ((0, "0"), (0.5, "½"), (1, "1")):
        x, y = place(ends[0], a)
        shapes += [f'<path d="M0 {y:.1f}H{WIDE}" {FAINT}/>', _at(-8, y + 4, word, anchor="end")]
    for score in range(int(np.ceil(ends[0])), int(ends[1]) + 1):
        if not score % 2:
            x, y = place(score, 0)
            shapes += [f'<path d="M{x:.1f} {y}v5" {FAINT}/>', _at(x, y + 19, text.number(score), anchor="middle")]
    return [*shapes, _at(WIDE / 2, TALL + 38, across, anchor="middle"), _at(-30, -13, "share")]


def _ground(place, ends, others, heat):
    """Strips under a curve, each as dark as the curve is steep there, in parts of the steepest."""
    edges, strips = np.linspace(*ends, 49), []
    for left, right in pairwise(edges):
        a = share((left + right) / 2, others, heat)
        (x, _), (end, _) = place(left, 0), place(right, 0)
        strips.append(f'<path d="M{x:.1f} 0H{end:.1f}V{TALL}H{x:.1f}Z" opacity="{1.2 * a * (1 - a):.3f}"/>')
    return f'<g fill="{OVER}" shape-rendering="crispEdges">{"".join(strips)}</g>'


def _mark(at, tilt, name):
    """A dot with its name; dashed lines to both axes, or the slope through it."""
    x, y = at
    if tilt is None:
        lines = f'<path d="M0 {y:.1f}H{x:.1f}V{TALL}" fill="none" stroke="{UNDER}" stroke-dasharray="4 3"/>'
    else:
        u, v = tilt
        lines = f'<path d="M{x - u:.1f} {y - v:.1f}L{x + u:.1f} {y + v:.1f}" stroke="{UNDER}" stroke-width="3"/>'
    return [lines, f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{UNDER}" stroke="var(--paper,#fff)"/>',
            _halo(x + 9, y + (17 if y < 0.85 * TALL else -12), name, "currentColor")]  # fmt: skip


def _tilt(place, slope):
    """Half of a line of that slope, 34 pixels long on the page."""
    u, v = np.subtract(place(1, slope), place(0, 0))
    return 34 * np.array([u, v]) / np.hypot(u, v)


def _halo(x, y, word, tone):
    """Words that no line strikes out."""
    return _at(x, y, word, tone).replace(
        "<text", '<text paint-order="stroke" stroke="var(--paper,#fff)" stroke-width="4"'
    )
