"""Types of attn.cost, for editors; tests hold them to the code."""

from typing import NamedTuple

class Work(NamedTuple):
    projections: int
    scores: int
    values: int
    exponentials: int
    @property
    def multiply_adds(self) -> int: ...
    @property
    def flops(self) -> int: ...

class Roofline(NamedTuple):
    intensity: float
    ridge: float
    compute_seconds: float
    memory_seconds: float
    seconds: float
    bound: str

class Model(NamedTuple):
    width: int
    layers: int
    heads: int
    kv_heads: int
    head_width: int

def pairs(
    n: int, m: int | None = None, *, left: int | None = None, right: int | None = None, offset: int | None = None
) -> int: ...
def attention(
    n: int,
    m: int | None = None,
    *,
    width: int,
    heads: int,
    head_width: int,
    kv_heads: int | None = None,
    value_width: int | None = None,
    allowed: int | None = None,
) -> Work: ...
def crossover(width: int, *, heads: int, kv_heads: int | None = None) -> float: ...
def attention_weights(
    width: int, *, heads: int, head_width: int, kv_heads: int | None = None, value_width: int | None = None
) -> int: ...
def feed_forward_weights(width: int, hidden: int, *, gated: bool = False) -> int: ...
def kv_cache_bytes(
    length: int,
    *,
    kv_heads: int,
    head_width: int,
    layers: int = 1,
    batch: int = 1,
    itemsize: int = 2,
    value_width: int | None = None,
) -> int: ...
def state_bytes(
    *, heads: int, head_width: int, layers: int = 1, batch: int = 1, itemsize: int = 2, value_width: int | None = None
) -> int: ...
def memory_work(
    n: int, *, head_width: int, value_width: int | None = None, block: int = 64, erase: bool = True
) -> int: ...
def naive_bytes(
    n: int,
    m: int | None = None,
    *,
    heads: int,
    head_width: int,
    kv_heads: int | None = None,
    value_width: int | None = None,
    itemsize: int = 2,
) -> int: ...
def tiled_bytes(
    n: int,
    m: int | None = None,
    *,
    heads: int,
    head_width: int,
    kv_heads: int | None = None,
    value_width: int | None = None,
    itemsize: int = 2,
    block: int = 128,
) -> int: ...
def roofline(flops: float, moved: float, *, peak: float, bandwidth: float) -> Roofline: ...
def readable(count: float) -> str: ...

MODELS: dict[str, Model]
