"""What a token leaves in the cache, one bar for each row that is kept, and what one of several devices keeps of it."""

from attn.axes import whole
from attn.show.still.lines import LETTER, YES, Drawing, _at, _svg

UNIT, BAR, STEP, LONGEST = 0.2, 3, 4, 64  # pixels a number, a bar, bar to bar; how many bars stand in a row
APART, SIDE, LOW = 5, 50, 40  # between rows, for their names, for the two lines below


def kept(plans, *, width=128, devices=8):
    """How much of one token is kept in a layer, in all and on one device, where devices divide the heads.

        2 · heads · width, of which 2 · max(heads / devices, 1) · width;   code + place, all of it

    plans: {name: heads with keys and values of their own, or (code, place) that all heads read}; width: numbers in a
    key and in a value   ->   Drawing. The first device keeps the bars in full colour. Raises TypeError for what is not
    whole, ValueError where heads cannot be dealt evenly.
    """
    pictures, told = [], []
    for name, plan in plans.items():
        shapes, wide, tall, total, own = _latent(*plan) if isinstance(plan, tuple) else _heads(plan, width, devices)
        words = (f"{total:,} numbers", f"{own:,} on a device")
        shapes += [_at(0, tall + 16 + 17 * k, word) for k, word in enumerate(words)]
        room = max(wide, 0.56 * LETTER * len(words[1])) + 14
        pictures.append(_svg(_at(0, -8, name) + "".join(shapes), -SIDE, -24, SIDE + room, tall + LOW + 24))
        told.append(f"{name}: {words[0]}, {own:,} of them on each of {devices} devices")
    return Drawing(pictures, f"What is kept of a token in a layer. {'. '.join(told)}.")


def _heads(heads, width, devices):
    """Keys above, values below, a bar for each head."""
    heads, own = whole("heads", heads, least=1), max(heads // devices, 1)
    if max(heads, devices) % min(heads, devices):
        raise ValueError(f"{heads} heads cannot be dealt evenly to {devices} devices")
    shapes, y = [], 0
    for kind in ("keys", "values"):
        shapes.append(_at(-6, y + UNIT * width / 2 + 5, kind, anchor="end"))
        for first in range(0, heads, LONGEST):
            last = min(first + LONGEST, heads)
            middle = min(max(own, first), last)
            shapes += [_bars(0, middle - first, y, width), _bars(middle - first, last - first, y, width, 0.3)]
            y += UNIT * width + APART
    return shapes, STEP * min(heads, LONGEST), y - APART, 2 * heads * width, 2 * own * width


def _latent(code, place):
    """The code, and the short rotated key below it: a single bar each."""
    code, place = whole("code", code, least=1), whole("place", place, least=0)
    low, tall = UNIT * code + APART, UNIT * (code + place) + APART
    names = _at(-6, UNIT * code / 2 + 5, "code", anchor="end"), _at(-6, tall, "place", anchor="end")
    shapes = [*names, _bars(0, 1, 0, code), _bars(0, 1, low, place)]
    return shapes, STEP, tall, code + place, code + place


def _bars(first, last, y, size, shade=1):
    """Upright bars from one place to before another, as one path."""
    path = "".join(f"M{STEP * k} {y:.1f}h{BAR}v{UNIT * size:.1f}h-{BAR}z" for k in range(first, last))
    return f'<path d="{path}" fill="{YES}" fill-opacity="{shade}"/>' if path else ""
