"""Line drawings that take their colours from the page: tiles, bars, planes.

Each is a Drawing: inline SVG, so it follows a light and a dark theme, and a sentence that says what it shows.
"""

import re

import numpy as np

from attn.axes import numeric
from attn.show.kit import text

YES, NO = "var(--link,#3b78b8)", "var(--bad,#b3392f)"  # the site's colours; a notebook elsewhere takes the second
OVER, UNDER = "#7a6bb5", "#d98324"  # above zero and below, as in the matrices; white is the page
DEEP = "#5a4a9c"  # above zero under a number, so that white can be read on it
VEIL = 'fill="var(--paper,#fff)" opacity=".8"'
CELL, GAP, LETTER = 14, 2, 12.5  # pixels
WEIGHTS = re.compile(r"\b([A-Z])_([A-Z]+)\b(.?)")  # W_Q: a matrix and its index, and what follows
EYE = np.array([[0.94, 0.20], [-0.50, 0.34], [0.0, -0.92]])  # how x, y and z of space lie on the page


class Drawing:
    """A line drawing and the sentence that describes it. Jupyter and the page show the picture.

    pictures: SVG elements, which flow like words; alt: str.
    """

    def __init__(self, pictures, alt):
        self.pictures, self.alt = list(pictures), alt

    def larger(self, by):
        """The same drawing, so many times as large where the page has room for it."""

        def grown(size):
            return f'width="{by * float(size[1]):.0f}" height="{by * float(size[2]):.0f}" font-size'

        size = r'width="([\d.]+)" height="([\d.]+)" font-size'
        return Drawing([re.sub(size, grown, picture, count=1) for picture in self.pictures], self.alt)

    def outlined(self):
        """The same drawing, where each tile that would be solid ink is an outline with a tint."""
        solid = 'fill="currentColor" fill-opacity="1.00"'
        edged = 'fill="currentColor" fill-opacity=".13" stroke="currentColor" stroke-width="1.5"'
        return Drawing([picture.replace(solid, edged) for picture in self.pictures], self.alt)

    def __repr__(self):
        return self.alt

    def _repr_html_(self):
        return f'<div role="img" aria-label="{text.escape(self.alt)}">{" ".join(self.pictures)}</div>'


def tiles(
    drawn,
    *,
    names=None,
    cols=None,
    side=None,
    across=None,
    numbers=False,
    digits=2,
    common=False,
    cuts=(),
    framed=(),
    faint=(),
    legend="",
    key=False,
):
    """Matrices in colour, side by side; a pointer on a tile tells its number where they are few.

    Weights, from 0 to 1, go from the page to ink; other numbers are purple above zero and orange below, up to each
    matrix's own largest, or to the largest of all where their scale is common. drawn: {name: (n, m)}; names: what
    stands along the rows, and along the columns too unless cols are given, for all or {name: of each}; side: of a tile,
    in pixels; across: how many stand in a row of a wide page; numbers: True writes each number into its tile, to so
    many digits behind the point, and then weights are purple too; cuts: {name: the columns before which a line stands};
    framed: the names of rows that have a frame in each; faint: of rows drawn faintly, with colours up to the largest of
    the others; legend: what the rows and the columns are, a line below; key:
    True shows which colour is which number   ->   Drawing
    """
    pictures, told, kinds, drawn = [], [], set(), {name: numeric(values=values) for name, values in drawn.items()}
    most = max(np.abs(values).max() for values in drawn.values())
    for name, values in drawn.items():
        weights = not numbers and values.min() >= 0 and values.max() <= 1 + 1e-9
        pale = [row in faint for row in names or ()]
        own = most if common else np.abs(np.delete(values, np.flatnonzero(pale), axis=0)).max(initial=0)
        full, tones = (1, ("currentColor",) * 2) if weights else (own or 1, (DEEP if numbers else OVER, UNDER))
        kinds.add(weights)
        edge = side or min(CELL, max(5, 300 // values.shape[1]))
        wide, tall = edge * values.shape[1], edge * values.shape[0]
        draw = _spelt if np.count_nonzero(values) <= 300 and not numbers else _shaded
        shapes = draw(values, full, edge, tones) + (_written(values, full, edge, digits) if numbers else "")
        rows = [k for k, row in enumerate(names or ()) if row in framed]
        shapes += "".join(_veil(wide, edge, k) for k in np.flatnonzero(pale))
        shapes += "".join(_lines(wide, tall, edge, dict(cuts).get(name, ()), rows))
        pictures += ["<br>"] if across and pictures and not len(told) % across else []
        over = cols.get(name) if isinstance(cols, dict) else cols
        pictures.append(_panel(name, shapes, wide, tall, edge, (names or [], over or names or [])))
        told.append(_told(name, values, digits if numbers else None))
    if across and across > 3:  # on a phone in twos, so that they can still be compared
        narrow = "vertical-align:top;max-width:48%;height:auto"
        pictures = [picture.replace("vertical-align:top", narrow) for picture in pictures]
    ramps = [_ramp(kind, common or len(drawn) == 1) for kind in sorted(kinds, reverse=True)] if key else []
    return Drawing([*pictures, *_below(ramps, legend)], "; ".join(told) + "." + f" {legend}." * bool(legend))


def _below(ramps, legend):
    """What stands below the tiles: a ramp of each kind of colour, and the legend, in lines of their own."""
    told = [_svg(_at(0, 13, legend), 0, 0, 0.56 * LETTER * len(legend), 18)] if legend else []
    return [part for line in (ramps, told) if line for part in ("<br>", *line)]


def _lines(wide, tall, edge, cuts, rows):
    """What lies over the tiles: the edge, a line before each of the columns cuts, a frame around each of the rows."""
    yield f'<rect width="{wide}" height="{tall}" fill="none" stroke="currentColor" opacity=".35"/>'
    for k in cuts:
        yield f'<path d="M{edge * k} -3v{tall + 6}" stroke="{NO}" stroke-width="2"/>'
    for k in rows:
        place = f'x="1.5" y="{edge * k + 1.5}" width="{wide - 3}" height="{edge - 3}"'
        yield f'<rect {place} fill="none" stroke="currentColor" stroke-width="3"/>'


def _veil(wide, edge, row):
    """The colour of the page over a row, which then shows faintly."""
    return f'<rect y="{edge * row}" width="{wide}" height="{edge}" {VEIL}/>'


def _told(name, values, digits):
    """A matrix in words: its numbers to so many digits, or its size and its ends where digits are None."""
    if digits is None:
        ends = text.number(values.min()), text.number(values.max())
        return f"{name}, {values.shape[0]}×{values.shape[1]}, from {ends[0]} to {ends[1]}"
    return f"{name} is [{', '.join(text.vector(row.round(digits) + 0) for row in values)}]"


def lengths(values, names, *, title, long=240):
    """One row of numbers as bars from a common zero; each number stands on the side where no bar is.

    values: (m,); names: m names; title: str; long: pixels from the smallest to the largest   ->   Drawing. Raises
    ValueError where sizes disagree.
    """
    values = numeric(values=values)
    if values.shape != (len(names),):
        raise ValueError(f"values has shape {values.shape}, but there are {len(names)} names")
    low, high = min(values.min(), 0), max(values.max(), 0)
    scale = long / ((high - low) or 1)
    shapes = [_at(scale * low - 4, -12, title, anchor="start")]
    for k, (name, x) in enumerate(zip(names, values, strict=True)):
        y, end = 20 * k, scale * max(x, 0) + 6
        bar = f'x="{scale * min(x, 0):.1f}" y="{y}" width="{scale * abs(x):.1f}" height="13"'
        shapes.append(f'<rect {bar} fill="{OVER if x >= 0 else UNDER}"/>')
        shapes += [_at(end, y + 11, text.number(x)), _at(scale * low - 8, y + 11, name, anchor="end")]
    tall = 20 * len(values)
    shapes.append(f'<path d="M0 -4V{tall}" stroke="currentColor" opacity=".5"/>')
    side = 14 + 0.58 * LETTER * max(map(len, names))
    told = f"{title}: {text.vector(values)}; {text.extremes(list(values), names)}."
    return Drawing([_svg("".join(shapes), scale * low - side, -30, side + long + 60, tall + 36)], told)


def two_planes(first, second, names):
    """Two planes through the origin of space, and their two principal angles.

    first, second: (3, 2), orthonormal columns; names: (str, str)   ->   Drawing. Raises ValueError for other shapes.
    They meet in a line, so the smaller angle is 0; the larger stands between the directions at right angles to it.
    """
    for name, basis in zip(("first", "second"), (first, second), strict=True):
        if np.shape(basis) != (3, 2):
            raise ValueError(f"{name} must hold a plane's two directions as columns (3, 2), not {np.shape(basis)}")
    u, cosines, vt = np.linalg.svd(np.asarray(first).T @ second)
    (along, flat), (_, up) = (first @ u).T, (second @ vt.T).T  # the line they share; what is closest besides
    if up[2] < 0:
        flat, up = -flat, -up
    angle = np.degrees(np.arccos(cosines.clip(0, 1)))[1]
    low = [s * along + t * flat for s, t in ((-1, -0.35), (1, -0.35), (1, 1.15), (-1, 1.15))]
    high = [s * along + t * up for s, t in ((-1, 0), (1, 0), (1, 1.15), (-1, 1.15))]
    turn = np.radians(np.linspace(0, angle, 20))
    side = (flat * np.cos(t) + (up - flat * (flat @ up)) / np.sin(np.radians(angle)) * np.sin(t) for t in turn)
    at = -0.35 * along
    shapes = [
        _line(low, YES, closed=True), _line(high, NO, closed=True),
        _line([-along, along], "currentColor", width=3),
        _line([at, at + flat], YES, width=2.5), _line([at, at + up], NO, width=2.5),
        _line([at + 0.45 * x for x in side], "currentColor", width=1.5),
        _word(at + 0.5 * (flat + up) / np.linalg.norm(flat + up) - 0.22 * along, f"{angle:.0f}°"),
        _at(*(120 * along @ EYE + (12, 22)), "0°, shared"),
        _word(0.55 * along + 1.25 * up, names[1], NO), _word(0.55 * along + 0.75 * flat, names[0], YES),
    ]  # fmt: skip
    told = f"{names[0]} and {names[1]} share a line, at 0°; at right angles to it they stand {angle:.0f}° apart."
    return Drawing([_svg("".join(shapes), -185, -150, 395, 235)], told)


def _spelt(values, full, side, tones):
    """A rectangle for each number that is not zero, which tells it to a pointer."""
    return "".join(
        f'<rect x="{side * j}" y="{side * i}" width="{side}" height="{side}" fill="{tones[int(x < 0)]}" '
        f'fill-opacity="{abs(x) / full:.2f}"><title>{text.number(x)}</title></rect>'
        for (i, j), x in np.ndenumerate(values)
        if x
    )


def _written(values, full, side, digits):
    """Each number in the middle of its tile: white on strong purple, black on strong orange."""
    shades, longest, words = np.rint(12 * values / full), 1, ""
    for (i, j), x in np.ndenumerate(values.round(digits) + 0):
        ink = ' fill="#fff"' if shades[i, j] >= 10 else ' fill="#111"' if shades[i, j] <= -9 else ""
        words += f'<text x="{side * (j + 0.5):g}" y="{side * (i + 0.6):g}"{ink}>{_short(x, digits)}</text>'
        longest = max(longest, len(_short(x, digits)))
    size = min(side / 2.9, 1.5 * side / longest)
    return f'<g fill="currentColor" text-anchor="middle" pointer-events="none" font-size="{size:.1f}">{words}</g>'


def _short(x, digits=2):
    told = f"{x:.{digits}f}"
    return (told.rstrip("0").rstrip(".") if digits else told).replace("-", "−")


def _shaded(values, full, side, tones):
    """Many numbers in a few shapes, one for each shade; they are not spelt out."""
    shades = np.rint(12 * values / full).astype(int)
    shapes = []
    for shade in sorted({*shades.ravel().tolist()} - {0}):
        squares = "".join(f"M{side * j} {side * i}h{side}v{side}h-{side}z" for i, j in np.argwhere(shades == shade))
        tone = tones[shade < 0]
        shapes.append(f'<path d="{squares}" fill="{tone}" fill-opacity="{abs(shade) / 12:.2f}"/>')
    return "".join(shapes)


def _ramp(weights, one):
    """Which colour is which number: a row of shades between its two ends."""
    low, high, shades, tones, start = "0", "1", np.arange(6) / 5, ("currentColor",), 14
    if not weights:
        low, high = "−", f"+, up to {'the' if one else 'each one’s'} largest"
        shades, tones = np.arange(-3, 4) / 3, (OVER, UNDER)
    frame = f'width="{14 * len(shades)}" height="11" fill="none" stroke="currentColor" opacity=".35"'
    shapes = f'<rect x="{start}" {frame}/>'
    for k, x in enumerate(shades):
        tile = f'x="{start + 14 * k}" width="14" height="11"'
        shapes += f'<rect {tile} fill="{tones[int(x < 0)]}" fill-opacity="{abs(x):.2f}"/>'
    end = start + 14 * len(shades) + 6
    return _svg(_at(0, 10, low) + shapes + _at(end, 10, high), 0, -4, end + 0.56 * LETTER * len(high) + 18, 22)


def _panel(name, shapes, wide, tall, edge, sides):
    """A matrix under its name, with the names of its rows and columns if there are any."""
    room = max(wide, 0.53 * LETTER * len(name)) + 14
    size = 13 if edge >= 40 else min(10, edge)  # large tiles have names that are words
    longest = max(map(letters, sides[0]), default=0)
    long = 0.62 * size * longest + 6 if edge >= 40 or longest >= 2 else 16
    left, up = (long if sides[0] else 0), ((40 if edge >= 40 else 34) if sides[1] else 24)
    low = 0.5 * edge + 0.35 * size if edge >= 40 else 0.75 * edge
    told = [_at(-4, edge * k + low, word, anchor="end") for k, word in enumerate(sides[0])]
    told += [_at(edge * (k + 0.5), -3, word, anchor="middle") for k, word in enumerate(sides[1])]
    told = f'<g font-size="{size}" opacity=".8">{"".join(told)}</g>' if told else ""
    return _svg(_at(0, 17 - up, name) + told + shapes, -left, -up, room + left, tall + up + 6)


def letters(word):
    """How many letters of the usual width a word needs: an m is wider than an n, and what is narrow makes up for it."""
    wide, narrow = (sum(map(word.count, some)) for some in ("mMwW", " .,/ijltfrI"))
    return len(word) + max(0, 0.8 * wide - 0.4 * narrow)


def _svg(shapes, left, top, wide, tall, told="", half=False):
    """An SVG element; told: what a pointer that rests on it reads, where it has parts that say nothing themselves.
    half: whether two of them stand side by side on a phone, too.
    """
    kept = ";max-width:48%;height:auto" if half else ""
    box = f'viewBox="{left:.0f} {top:.0f} {wide:.0f} {tall:.0f}" width="{wide:.0f}" height="{tall:.0f}"'
    look = f'font-size="{LETTER}" font-family="system-ui,sans-serif" style="vertical-align:top{kept}"'
    title = f"<title>{text.escape(told)}</title>" if told else ""
    return f"<svg {box} {look}>{title}{shapes}</svg>"


def _at(x, y, word, tone="currentColor", anchor="start"):
    typeset = WEIGHTS.sub(r'\1<tspan dy="3" font-size="75%">\2</tspan><tspan dy="-3">\3</tspan>', text.escape(word))
    typeset = typeset.replace('<tspan dy="-3"></tspan>', "")
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{tone}" text-anchor="{anchor}">{typeset}</text>'


def _line(points, tone, *, closed=False, width=1.5):
    """A line through points of space, or a pane if it is closed."""
    path = "L".join("{:.1f} {:.1f}".format(*(120 * np.asarray(p) @ EYE)) for p in points)
    filled = f'fill="{tone}" fill-opacity=".16"' if closed else 'fill="none"'
    return f'<path d="M{path}{"z" if closed else ""}" {filled} stroke="{tone}" stroke-width="{width}"/>'


def _word(at, word, tone="currentColor"):
    return _at(*(120 * np.asarray(at) @ EYE), word, tone)
