"""A line drawing of units that work side by side: who uses which one, and when."""

from attn.show.kit import text
from attn.show.still.lines import OVER, YES, Drawing, _at, _svg

WIDE, LEFT, LANE = 300, 96, 28  # pixels


def lanes(plans, last):
    """For each plan its units as lanes over time, and what stands in them; the first lane's busy share is told.

    plans: {title: {unit: [(start, length, group)]}}, group 0 or 1; last: when all lanes end
    ->   Drawing. Raises ValueError where a piece leaves the lane.
    """
    pictures, told = [], []
    for title, units in plans.items():
        shapes = [f'<g font-weight="600">{_at(0, -14, title)}</g>']
        for k, (unit, pieces) in enumerate(units.items()):
            y = LANE * k
            shapes += [
                _at(0, y + 15, unit),
                f'<path d="M{LEFT} {y + 22.5}h{WIDE}" stroke="currentColor" opacity=".3"/>',
            ]
            for start, length, group in pieces:
                if start < 0 or start + length > last:
                    raise ValueError(f"{unit} works until {start + length}, but its lane ends at {last}")
                x, wide = LEFT + WIDE * start / last, WIDE * length / last
                look = f'fill="{(YES, OVER)[group]}" fill-opacity="{(0.75, 0.5)[group]}"'
                shapes.append(f'<rect x="{x + 0.5:.1f}" y="{y}" width="{wide - 1:.1f}" height="20" {look}/>')
        first, pieces = next(iter(units.items()))
        busy = text.percent(sum(length for _, length, _ in pieces) / last)
        shapes.append(_at(LEFT, LANE * len(units) + 14, f"{first} busy: {busy} of the time"))
        pictures.append(_svg("".join(shapes), -2, -30, LEFT + WIDE + 14, LANE * len(units) + 56))
        told.append(f"{title}: {first} busy {busy} of the time")
    return Drawing(pictures, "; ".join(told) + ".")
