"""The shapes that freeze.js found, in light and in dark, as one SVG that follows the theme."""

import re
from base64 import b64encode
from html import escape
from io import BytesIO
from itertools import count

from PIL import Image

ROOM = 12  # pixels round the picture, within its card
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif"
PAPER, LINE = ("#fff", "#14161b"), ("#c9cdd8", "#434957")  # kit.css's --attn-paper and --attn-line
COLOURS = ("fill", "stroke", "stop-color")


def colour(told):
    """A computed colour, shorter: #rgb, #rrggbb or #rrggbbaa; what is no colour stays.   str   ->   str"""
    if not (found := re.fullmatch(r"(rgba?|color)\((srgb )?(.*)\)", told)):
        return told
    parts = list(map(float, re.findall(r"[\d.]+(?:e-?\d+)?", found[3])))
    whole = 255 if found[2] else 1
    values = [round(min(max(x * whole, 0), 255)) for x in parts[:3]]
    if len(parts) > 3 and parts[3] < 1:
        values.append(round(255 * parts[3]))
    signs = "".join(f"{value:02x}" for value in values)
    return f"#{signs[::2] if signs[::2] == signs[1::2] else signs}"


class Looks:
    """The stylesheet of one picture: a short name for each look, and what it is in light and in dark."""

    def __init__(self):
        self.names, self.letters = {}, map(_letters, count())

    def name(self, light, dark):
        """The class of a look.   light, dark: {property: value}; "" for none   ->   str"""
        both = tuple((key, colour(light[key]), colour(dark[key])) for key in sorted(light))
        if not both:
            return ""
        if both not in self.names:
            self.names[both] = next(self.letters)
        return self.names[both]

    def sheet(self):
        """The rules, and those that dark changes.   ->   str"""
        usual, dark = [], []
        for both, name in self.names.items():
            usual.append(f".{name}{{{';'.join(f'{key}:{value}' for key, value, _ in both)}}}")
            changed = [f"{key}:{other}" for key, value, other in both if other != value]
            if changed:
                dark.append(f".{name}{{{';'.join(changed)}}}")
        return f"{''.join(usual)}@media(prefers-color-scheme:dark){{{''.join(dark)}}}"


def _letters(k):
    return (_letters(k // 26 - 1) if k >= 26 else "") + chr(ord("a") + k % 26)


def picture(light, dark, tall):
    """One SVG of a figure.   ->   str

    light, dark: what freeze.js found in each theme; tall: how high the figure itself is, on a wide page and on a phone
    """
    one, other = light["shapes"], dark["shapes"]
    if [shape["tag"] for shape in one] != [shape["tag"] for shape in other]:
        raise ValueError(f"{light['title']}: light and dark differ in more than their colours")
    left, top, right, bottom = extent(one)
    looks = Looks()
    card = looks.name(*({"fill": PAPER[k], "stroke": LINE[k]} for k in range(2)))
    drawn = "".join(_shape(a, b, looks, k) for k, (a, b) in enumerate(zip(one, other, strict=True)))
    width, height = right - left + 2 * ROOM, bottom - top + 2 * ROOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'data-tall="{tall[0]} {tall[1]}" viewBox="{left - ROOM} {top - ROOM} {width} {height}">'
        f"<title>{escape(light['title'])}</title>"
        f"<desc>{escape(light['told'], quote=False)}</desc>"
        f"<style>svg{{font-family:{FONT}}}{looks.sheet()}</style>"
        f'<rect class="{card}" x="{left - ROOM + 0.5:g}" y="{top - ROOM + 0.5:g}" width="{width - 1}" '
        f'height="{height - 1}" rx="8"/>{drawn}</svg>\n'
    )


def extent(shapes):
    """The box of whole pixels round all shapes of the page's own.   ->   (left, top, right, bottom)"""
    boxes, depth = [], 0
    for shape in shapes:
        at = shape.get("at", {})
        if shape["tag"] == "/svg":
            depth -= 1
        elif not depth and "width" in at:
            boxes.append((at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]))
        elif not depth and "box" in shape:
            boxes.append(shape["box"])
        depth += shape["tag"] == "svg"
    left, top, right, bottom = zip(*boxes, strict=True)
    return int(min(left)), int(min(top)), round(max(right) + 0.5), round(max(bottom) + 0.5)


def _shape(one, other, looks, k):
    tag = one["tag"]
    if tag.startswith("/"):
        return f"<{tag}>"
    if tag == "ramp":
        return _ramp(one, other, looks, k)
    if tag == "image":
        return _image(one, other, looks)
    if tag == "text":
        return _text(one, other, looks)
    opened = f"<{tag}{_attributes(one['at'], looks.name(one['look'], other['look']))}"
    return opened + (">" if tag in ("g", "svg") else "/>")


def _attributes(at, name):
    known = {key: f"{value:g}" if isinstance(value, int | float) else value for key, value in at.items()}
    known = {"class": name} | known if name else known
    return "".join(f' {key}="{escape(str(value))}"' for key, value in known.items() if (key, value) != USUAL)


USUAL = ("text-anchor", "start")


def _text(one, other, looks):
    runs = []
    for (told, light, down), (_, dark, _) in zip(one["runs"], other["runs"], strict=True):
        name = looks.name(light, dark) if runs else ""
        shift = {"dy": down} if down else {}
        told = escape(told, quote=False)
        runs.append(f"<tspan{_attributes(shift, name)}>{told}</tspan>" if name or shift else told)
    name = looks.name(one["runs"][0][1], other["runs"][0][1])
    return f"<text{_attributes(one['at'], name)}>{''.join(runs).rstrip()}</text>"


def _ramp(one, other, looks, k):
    stops = []
    last = len(one["stops"]) - 1
    for j, ((light, share), (dark, _)) in enumerate(zip(one["stops"], other["stops"], strict=True)):
        name = looks.name({"stop-color": light}, {"stop-color": dark})
        share = 100 * j / last if share is None else share
        stops.append(f'<stop class="{name}" offset="{share:g}%"/>')
    gradient = f'<linearGradient id="r{k}">{"".join(stops)}</linearGradient>'
    return f'{gradient}<rect{_attributes(one["at"], "")} fill="url(#r{k})"/>'


def _image(one, other, looks):
    pixels = one["pixels"]
    size = (pixels["width"], pixels["height"])
    buffer = BytesIO()
    Image.frombytes("RGBA", size, bytes(pixels["data"])).save(buffer, "PNG", optimize=True)
    turned = looks.name({"filter": one["turned"]}, {"filter": other["turned"]})
    shown = {"preserveAspectRatio": "none", "style": "image-rendering:pixelated"}
    data = b64encode(buffer.getvalue()).decode()
    return f'<image{_attributes(one["at"] | shown, turned)} href="data:image/png;base64,{data}"/>'
