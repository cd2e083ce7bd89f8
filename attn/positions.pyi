"""Types of attn.positions, for editors; tests hold them to the code."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

def sinusoids(n: int, c: int, *, base: float = 10000.0) -> Array: ...
def rope(
    x: ArrayLike,
    positions: ArrayLike,
    *,
    base: float = 10000.0,
    interleaved: bool = False,
    rotary_dim: int | None = None,
) -> Array: ...
def rotation(
    positions: ArrayLike, d: int, *, base: float = 10000.0, interleaved: bool = False, rotary_dim: int | None = None
) -> Array: ...
def layout_permutation(d: int, *, rotary_dim: int | None = None) -> Array: ...
def relative_bias(table: ArrayLike, n: int, m: int | None = None, *, offset: int | None = None) -> Array: ...
def t5_buckets(
    n: int,
    m: int | None = None,
    *,
    buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
    offset: int | None = None,
) -> Array: ...
