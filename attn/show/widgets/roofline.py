"""What limits each kind of work on a device."""

from attn import cost
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, positive
from attn.show.kit.traits import Matrix, Position, Real, StateError, Tokens, Vector
from attn.show.still import charts

PARTS = ("prefill, projections", "prefill, attention", "decode, projections", "decode, attention")


class Roofline(Widget):
    """Place prefill and decode under a device's roof: arithmetic over traffic says what holds each up.

        attainable flops a second = min(peak, intensity · bandwidth),   intensity = flops / bytes

    Attention's softmax has a ceiling of its own, one exponential for 4 d flops. A kernel that does products and
    exponentials in turns stays below the dashed one,   in_turns = 1 / (1 / peak + 1 / (4 d · exponentials)).
    peak: flops a second;  bandwidth: bytes a second; unless given, an H100's (SXM, 16-bit; its data sheet quotes twice
    the flops, for matrices with half their entries zero).   exponentials: a second; unless given, an H100's (Shah et
    al., 2024); None: no such ceiling is shown.   points: {name: (intensity, flops a second)}, measured ones;
    model: whose attention layer (a name in attn.cost.MODELS);  length: L;  batch: sequences at once; 16-bit numbers.
    Attention is causal and in blocks, no score is written, and K and V come from memory once: the least traffic there
    is, met where one head's keys and values fit the device's cache.   Raises ValueError or TypeError.
    .intensity -> dict of the four kinds of work;  .attainable, .reached -> dicts;  .ridge;  .in_turns
    """

    view = "roofline"
    peak = Real(1.0)
    bandwidth = Real(1.0)
    exponentials = Real(1.0)
    names = Tokens()
    measured = Matrix()
    shape = Vector()
    length = Position()
    batch = Position()
    row = Position()

    def __init__(
        self, peak=989e12, bandwidth=3.35e12, points=None, *, exponentials=3.9e12, model="Llama-3-8B", length=4096,
        batch=1, row=3,
    ):  # fmt: skip
        if model not in cost.MODELS:
            raise StateError(f"model is {model!r}; the models are {', '.join(cost.MODELS)}")
        points = points or {}
        measured = list(points.values()) or [[0, 0]]  # a matrix has a row at least: this one has no name
        super().__init__(
            peak=peak, bandwidth=bandwidth, exponentials=_ceiling(exponentials), names=list(points), measured=measured,
            shape=cost.MODELS[model], length=length, batch=batch, row=row,
        )  # fmt: skip

    def check(self, s):
        for name in ("peak", "bandwidth"):
            positive(name, getattr(s, name), 1e30, 1e-30)
        if s.exponentials != 0:
            positive("exponentials", s.exponentials, 1e30, 1e-30)
        for name in ("length", "batch"):
            positive(name, getattr(s, name), 2**40)
        if len(s.measured[0]) != 2 or (s.names and len(s.names) != len(s.measured)):
            raise StateError("points must be {name: (intensity, flops a second)}")
        if s.names and min(x for pair in s.measured for x in pair) <= 0:
            raise StateError("points must hold positive numbers: a logarithm is taken of them")
        place("row", s.row, len(PARTS), "kinds of work")

    ridge = property(lambda self: self.peak / self.bandwidth, doc="Where the roof bends, in flops a byte.")

    @property
    def in_turns(self):
        """Flops a second of attention that never multiplies and exponentiates at once; else the peak.   -> float"""
        if not self.exponentials:
            return self.peak
        return 1 / (1 / self.peak + 1 / (4 * self.shape[4] * self.exponentials))

    @property
    def intensity(self):
        """Flops a byte of each kind of work, in PARTS' order.   -> dict of float"""
        return {name: flops / moved for name, (flops, moved) in zip(PARTS, self.work, strict=True)}

    @property
    def attainable(self):
        """min(peak, intensity · bandwidth), flops a second.   -> dict of float"""
        return {name: min(self.peak, x * self.bandwidth) for name, x in self.intensity.items()}

    @property
    def reached(self):
        """What is attainable, for attention with its exponentials in turns.   -> dict of float"""
        slow = self.in_turns
        return {name: min(best, slow) if "attention" in name else best for name, best in self.attainable.items()}

    @property
    def work(self):
        """(flops, bytes) of one layer, for each of PARTS.   -> list of (float, float)"""
        return [*self._kinds(self.length, self.length), *self._kinds(1, self.length)]

    def _kinds(self, n, m):
        c, _, h, g, d = map(int, self.shape)
        b, rows = self.batch, self.batch * n
        weights = cost.attention_weights(c, heads=h, kv_heads=g, head_width=d)
        moved = 2 * (weights + rows * (2 * c + 2 * (h + g) * d))  # weights once; X, Q, K, V, Y and the output
        attention = cost.tiled_bytes(n, m, heads=h, kv_heads=g, head_width=d, block=n * h)
        flops = 4 * h * d * cost.pairs(n, m, right=0)
        return [(2 * rows * weights, moved), (b * flops, b * attention)]

    def sentence(self):
        name, x = PARTS[self.row], list(self.intensity.values())[self.row]
        bound = "compute" if x >= self.ridge else "memory"
        share = text.percent(min(1, x / self.ridge))
        told = f"{name}: {text.number(x, 1)} flops a byte, where the roof bends at {text.number(self.ridge, 1)}. "
        told = f"{told}It is bound by {bound}; its traffic allows {share} of the peak"
        if self.reached[name] < self.attainable[name]:
            most = text.percent(self.in_turns / self.peak)
            told = f"{told}, but products and exponentials in turns reach {most} at most"
        return f"{told}."

    def tables(self):
        pairs = zip(self.intensity.values(), self.attainable.values(), strict=True)
        cols = ["flops a byte", "flops a second"]
        rows, named = list(pairs), cols
        if self.exponentials:
            rows = [[*pair, slow] for pair, slow in zip(rows, self.reached.values(), strict=True)]
            named = [*cols, "with exponentials in turns"]
        shown = [("Under the roof", rows, PARTS, named)]
        return shown + ([("Measured", self.measured, self.names, cols)] if self.names else [])

    def static(self):
        points = {name: (x, self.reached[name]) for name, x in self.intensity.items()}
        measured = dict(zip(self.names, self.measured, strict=True)) if self.names else {}
        in_turns = self.in_turns if self.exponentials else None
        return charts.roofline(self.peak, self.bandwidth, points, measured, in_turns=in_turns, alt=self.sentence())


def _ceiling(exponentials):
    """The state's number of exponentials a second: 0 where they are no ceiling."""
    if exponentials is None:
        return 0
    positive("exponentials", exponentials, 1e30, 1e-30)
    return exponentials
