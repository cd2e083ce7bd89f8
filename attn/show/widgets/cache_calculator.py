"""The key–value cache of real models, with the sources of their sizes."""

from attn import cost
from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import positive
from attn.show.kit.traits import Matrix, Name, Position, StateError, Tokens

FIELDS = ("width", "layers", "heads", "kv_heads", "head_width")
SOURCES = {
    "GPT-2 small": "Radford et al. (2019), Table 2, and the published configuration",
    "GPT-3": "Brown et al. (2020), Table 2.1",
    "PaLM": "Chowdhery et al. (2023), §2 and Table 1, the 540B model",
    "Falcon-7B": "Almazrouei et al. (2023), and the published configuration",
    "Llama-2-7B": "Touvron et al. (2023), and the published configuration",
    "Llama-2-70B": "Touvron et al. (2023), §2.2, and the published configuration",
    "Llama-3-8B": "Grattafiori et al. (2024), Table 3",
    "Llama-3-70B": "Grattafiori et al. (2024), Table 3",
    "Mistral-7B": "Jiang et al. (2023), Table 1; its window could stop the cache at 4096 tokens, but all are counted",
}
UNKNOWN = {"GPT-4": "OpenAI (2023) gives no sizes in its technical report, §2: they are not publicly known"}


class CacheCalculator(Widget):
    """Size the key–value cache of a real model, as it is and as it would be with more or fewer key–value heads.

        bytes = batch · layers · 2 · g · d · length · bits / 8,      g = h (MHA), 1 (MQA) or between (GQA)

    model: a name in attn.cost.MODELS;  length: tokens;  batch: sequences;  bits: of one number, 4, 8, 16 or 32.
    Raises ValueError, also for models whose sizes are not publicly known, or TypeError.
    .bytes -> dict of MHA, "as published" and MQA, in bytes;  .per_token -> bytes;  .shape -> attn.cost.Model
    """

    view = "cache_calculator"
    model = Name("")
    length = Position()
    batch = Position()
    bits = Position()
    names = Tokens()
    models = Matrix()
    sources = Tokens()

    def __init__(self, model="Llama-3-70B", length=8192, batch=1, bits=16):
        names = list(cost.MODELS)
        tables = dict(names=names, models=list(cost.MODELS.values()), sources=[SOURCES[name] for name in names])
        super().__init__(model=model, length=length, batch=batch, bits=bits, **tables)

    def check(self, s):
        if s.model in UNKNOWN:
            raise StateError(f"model is {s.model!r}: {UNKNOWN[s.model]}")
        if s.model not in cost.MODELS:
            raise StateError(f"model is {s.model!r}; the models are {', '.join(cost.MODELS)}")
        for name in ("length", "batch"):
            positive(name, getattr(s, name), 2**40)
        if s.bits not in (4, 8, 16, 32):
            raise StateError(f"bits is {s.bits}; a number takes 4, 8, 16 or 32")

    shape = property(lambda self: cost.MODELS[self.model], doc="The model's sizes.   -> attn.cost.Model")
    per_token = property(lambda self: self._bytes(self.shape.kv_heads) / self.length, doc="All layers.   -> bytes")

    @property
    def kind(self):
        """MHA, GQA or MQA: what the model as published is.   -> str"""
        return {self.shape.heads: "MHA", 1: "MQA"}.get(self.shape.kv_heads, "GQA")

    @property
    def bytes(self):
        """The cache with all heads' own keys and values, as the model has it, and with one pair for all.   -> dict"""
        heads = {"MHA": self.shape.heads, "as published": self.shape.kv_heads, "MQA": 1}
        return {name: self._bytes(g) for name, g in heads.items()}

    def _bytes(self, g):
        sizes = dict(layers=self.shape.layers, batch=self.batch, head_width=self.shape.head_width)
        return cost.kv_cache_bytes(self.length, kv_heads=g, itemsize=self.bits, **sizes) // 8

    def sentence(self):
        m, sizes = self.shape, {name: cost.readable(size) for name, size in self.bytes.items()}
        told = f"{self.model} has {m.kv_heads} of {m.heads} key–value heads ({self.kind}), {m.layers} layers, "
        told += f"heads of width {m.head_width}: {self.batch} × {text.grouped(self.length)} tokens "
        told += f"at {self.bits} bits take "
        return f"{told}{sizes['as published']}; with {m.heads} it would be {sizes['MHA']}, with one {sizes['MQA']}."

    def tables(self):
        heads = (self.shape.heads, self.shape.kv_heads, 1)
        sizes = [[g, size, size / 2**30] for g, size in zip(heads, self.bytes.values(), strict=True)]
        sourced = [f"{name}: {source}" for name, source in zip(self.names, self.sources, strict=True)]
        return [
            (f"The cache of {self.model}", sizes, list(self.bytes), ["key–value heads", "bytes", "GiB"]),
            ("The models' sizes, with their sources", self.models, sourced, FIELDS),
        ]

    def static(self):
        sizes = [size / 2**30 for size in self.bytes.values()]
        return figures.bars(sizes, list(self.bytes), title=f"GiB of cache, {self.model}")
