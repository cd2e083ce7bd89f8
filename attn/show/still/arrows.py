"""Arrows in a plane: from one foot, around a circle, each with its name, or tip to tail beside a line."""

import numpy as np

from attn.axes import numeric
from attn.show.kit import text
from attn.show.still.lines import LETTER, NO, YES, Drawing, _at, _svg

RADIUS = 118  # pixels
APART = 15  # pixels between two names, one above the other
LONG = 250  # pixels for the line that a chain runs beside
HEAD = 9  # pixels, of an arrow
DESCENT = 5  # pixels that a y reaches below its line
WIDE = 30  # degrees that have room for a number between two arrows


def compass(panels):
    """Circles side by side, an arrow for each name, and how near the nearest two of them are.

    panels: {title: {name: angle}}, degrees from the right, counter-clockwise; two names or more each   ->   Drawing.
    Raises ValueError for fewer.
    """
    pictures, told = [], []
    for title, angles in panels.items():
        if len(angles) < 2:
            raise ValueError(f"{title} must hold two arrows or more, but holds {len(angles)}")
        at = numeric(angles=list(angles.values()))
        first, gap, middle = _nearest(at)
        shapes = [_at(-RADIUS - 44, -RADIUS - 26, title)]
        shapes.append(f'<circle r="{RADIUS}" fill="none" stroke="currentColor" stroke-dasharray="1 4" opacity=".6"/>')
        shapes += [_arrow((0, 0), RADIUS * _unit(degrees), YES) for degrees in at]
        ends = ("{:.1f} {:.1f}".format(*(0.62 * RADIUS * _unit(degrees))) for degrees in (first, first + gap))
        arc = "M{} A{r} {r} 0 0 0 {}".format(*ends, r=f"{0.62 * RADIUS:.1f}")
        shapes.append(f'<path d="{arc}" fill="none" stroke="{NO}" stroke-width="2.5"/>')
        x, y = (0.4 if gap > WIDE else 0.66) * RADIUS * _unit(middle)
        shapes.append(_at(x, y + 4, f"{gap:.0f}°", NO, "middle"))
        shapes += _names(angles)
        pictures.append(_svg("".join(shapes), -RADIUS - 62, -RADIUS - 42, 2 * RADIUS + 124, 2 * RADIUS + 68))
        every = ", ".join(f"{name} at {degrees % 360:.0f}°" for name, degrees in angles.items())
        told.append(f"{title}: {every}; the nearest two stand {gap:.0f}° apart")
    return Drawing(pictures, ". ".join(told) + ".")


def chain(line, steps, *, name, long=LONG, closer=0):
    """Arrows tip to tail beside a line, seen from where none of them hides, and the angle at which they end.

    line: (d,), any length; steps: {name: (d,)}, added up in their order; name: of the line; long: its pixels   ->
    Drawing. Where the steps add up to the line itself, no angle is told; closer: how many times as large a second
    picture shows the two ends, if not 0. Raises ValueError where the shapes disagree.
    """
    line, arrows = numeric(line=line), {step: numeric(**{"step": way}) for step, way in steps.items()}
    for step, way in arrows.items():
        if way.shape != line.shape or line.ndim != 1:
            raise ValueError(f"{step} has shape {way.shape}, and the line has {line.shape}: both must be one vector")
    ways = np.stack(list(arrows.values()))
    whole = np.allclose(ways.sum(axis=0), line)
    line = line / np.linalg.norm(line)
    across = _view(ways - np.outer(ways @ line, line))
    flat = ways @ np.stack([line, -across], axis=1)  # (steps, 2), y downwards as on a page
    flat[:, 1] *= -1 if flat[0, 1] > 0 else 1  # the first step goes up
    end, scale = ways.sum(axis=0), long / (flat[:, 0].sum() or 1)
    angle = np.degrees(np.arccos(np.clip(abs(end @ line) / np.linalg.norm(end), 0, 1)))
    corners = scale * np.vstack([[0, 0], np.cumsum(flat, axis=0)])
    shapes = [_arrow((0, 0), (long, 0), YES, 4)]
    for step, foot, tip in zip(arrows, corners, corners[1:], strict=False):
        shapes.append(_arrow(foot, tip, NO))
        middle, way = (foot + tip) / 2, tip - foot
        side = np.array([-way[1], way[0]]) / np.linalg.norm(way)
        side *= np.sign(side @ (middle - corners.mean(axis=0))) or 1  # away from the others
        at = middle + 10 * side
        shapes.append(_at(at[0], at[1] + 4, step, NO, "start" if side[0] > 0 else "end"))
    shapes.append(_at(long / 2, 20, name, YES, "middle"))
    shapes += [] if whole else [_at(long + 12, 4, f"{angle:.1f}° apart")]
    room = 0.56 * LETTER * max(map(len, arrows))
    (left, top), (right, low) = corners.min(axis=0), corners.max(axis=0)
    left, right = min(left, 0) - room - 16, max(right + room + 16, long + 84)
    end = "at its tip" if whole else f"{angle:.1f}° from it"
    told = f"{name}, and beside it, tip to tail, {', '.join(arrows)}: together they end {end}."
    pictures = [_svg("".join(shapes), left, top - 20, right - left, max(low, 14) - top + 36)]
    return Drawing(pictures + [_ends_closer(long, angle, closer)] * bool(closer), told)


def _ends_closer(long, angle, closer):
    """The last piece of a line and of a chain that ends beside it, true to the angle between them."""
    apart = closer * long * np.tan(np.radians(angle))
    shapes = [_arrow((0, apart), (150, apart), YES, 4), _arrow((0, 0), (150, 0), NO)]
    shapes += [_at(-2, -18, f"the two ends, {closer} times as large"), _dashed((140, 4), (140, apart - 6))]
    shapes += [
        _at(158, 4, "the sum", NO),
        _at(158, apart + 4, "the line", YES),
        _at(110, apart / 2 + 4, f"{angle:.1f}°"),
    ]
    return _svg("".join(shapes), -4, -36, 220, apart + 56)


def arrows(panels, *, long=150):
    """Arrows from one foot, panels of one scale side by side; a dashed line where one is given from foot to tip.

    panels: {title: {name: tip, or (foot, tip)}}, each (2,); long: pixels for a length of one   ->   Drawing. A name
    stands beyond its tip, that of a dashed line beside its middle. Raises ValueError where a tip is not in the plane.
    """
    drawn = {title: {name: _ends(name, tip) for name, tip in named.items()} for title, named in panels.items()}
    points = long * np.concatenate([ends for named in drawn.values() for ends in named.values()])
    (left, top), (right, low) = points.min(axis=0), points.max(axis=0)
    room = 0.58 * LETTER * max(len(name) for named in drawn.values() for name in named) + 14
    pictures, lines = [], [low]  # where the names stand, from below to their descenders
    for title, named in drawn.items():
        shapes = [_at(left, top - 34, title)]
        for k, (name, ends) in enumerate(named.items()):
            (foot, tip), tone = long * ends, (YES, NO, "currentColor")[k % 3]
            if ends[0].any():
                shapes.append(_dashed(foot, tip) + _at(*((foot + tip) / 2 + (7, 4)), name))
                continue
            x, y = tip + 10 * (tip - foot) / max(np.linalg.norm(tip - foot), 1e-9)
            side = "middle" if abs(x) < 12 else "end" if x < 0 else "start"
            lines.append(y + (0 if side == "middle" else 4))
            shapes.append(_arrow(foot, tip, tone) + _at(x, lines[-1], name, tone, side))
        wide = max(right - left + 2 * room, 0.56 * LETTER * len(title) + room)
        pictures.append(("".join(shapes), wide))
    deep = max(low + 16, max(lines) + DESCENT)
    pictures = [_svg(shapes, left - room, top - 50, wide, deep - top + 50) for shapes, wide in pictures]
    told = (
        "; ".join(f"{name} ends at {text.vector(ends[1] * (1, -1) + 0.0)}" for name, ends in named.items())
        for named in drawn.values()
    )
    return Drawing(pictures, ". ".join(f"{title}: {ends}" for title, ends in zip(drawn, told, strict=True)) + ".")


def _ends(name, tip):
    """Foot and tip on the page, where y points down; an arrow without a foot starts at the origin."""
    ends = numeric(**{name: tip})
    if ends.shape not in ((2,), (2, 2)):
        raise ValueError(f"{name} must lie in the plane, but has shape {ends.shape}")
    return np.stack([np.zeros(2), ends] if ends.ndim == 1 else ends) * (1, -1) + 0.0  # no −0


def _dashed(foot, tip):
    ends = "L".join("{:.1f} {:.1f}".format(*point) for point in (foot, tip))
    return f'<path d="M{ends}" fill="none" stroke="currentColor" stroke-dasharray="4 3"/>'


def _unit(degrees):
    """A step of length one on the page, where y points down."""
    return np.array([np.cos(np.radians(degrees)), -np.sin(np.radians(degrees))])


def _nearest(degrees):
    """The smallest gap between neighbours on the circle: where it begins, how wide it is, and where its number stands.

    A narrow one has no room for its number: that stands in the wider of the gaps beside it.
    """
    at = np.sort(degrees % 360)
    gaps = np.diff(np.append(at, at[0] + 360))
    k = gaps.argmin()
    before, after = min(gaps[k - 1], 40) / 2, min(gaps[(k + 1) % len(gaps)], 40) / 2
    beside = at[k] + gaps[k] + after if after >= before else at[k] - before
    return at[k], gaps[k], at[k] + gaps[k] / 2 if gaps[k] > WIDE else beside


def _view(ways):
    """The direction in which even the shortest of these vectors is long.   (k, d)   ->   (d,)"""
    axes = np.linalg.svd(ways)[2][:2]  # where they spread most
    turns = np.radians(np.arange(180))
    views = np.stack([np.cos(turns), np.sin(turns)], axis=1) @ axes
    return views[np.abs(ways @ views.T).min(axis=0).argmax()]


def _arrow(foot, tip, tone, width=2):
    foot, tip = np.asarray(foot, float), np.asarray(tip, float)
    along = (tip - foot) / max(np.linalg.norm(tip - foot), 1e-9)
    side = np.array([-along[1], along[0]])
    barbs = (tip - HEAD * (0.9 * along + turn * side) for turn in (0.42, -0.42))
    one, two, start, end = ("{:.1f} {:.1f}".format(*point) for point in (*barbs, foot, tip))
    path = f"M{start}L{end}M{one}L{end}L{two}"
    return f'<path d="{path}" fill="none" stroke="{tone}" stroke-width="{width}"/>'


def _names(angles):
    """The names beside the tips: those of one side stand below each other, never closer than a line of text."""
    shapes = []
    for right in (True, False):
        mine = {name: (RADIUS + 10) * _unit(a) for name, a in angles.items() if (_unit(a)[0] >= 0) == right}
        mine = sorted(mine.items(), key=lambda pair: pair[1][1])
        tops = np.array([place[1] for _, place in mine])
        for _ in range(60):  # neighbours that stand too close move apart, half the way each
            for k in range(len(tops) - 1):
                lack = max(0, APART - (tops[k + 1] - tops[k])) / 2
                tops[k : k + 2] += -lack, lack
        for (name, place), top in zip(mine, tops, strict=True):
            shapes.append(_at(place[0], top + 4, name, "currentColor", "start" if right else "end"))
    return shapes
