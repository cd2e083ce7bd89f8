"""Types of attn.cache, for editors; tests hold them to the code."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array = NDArray[Any]

class KVCache:
    capacity: int
    window: int | None
    dtype: np.dtype[Any] | None
    seen: int
    def __init__(self, *, capacity: int = 0, window: int | None = None, dtype: DTypeLike | None = None) -> None: ...
    def __len__(self) -> int: ...
    @property
    def keys(self) -> Array: ...
    @property
    def values(self) -> Array: ...
    @property
    def nbytes(self) -> int: ...
    def append(self, k: ArrayLike, v: ArrayLike) -> KVCache: ...

def prefill(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    capacity: int = 0,
    window: int | None = None,
    scale: float | None = None,
) -> tuple[Array, KVCache]: ...
def decode(q: ArrayLike, cache: KVCache, mask: ArrayLike | None = None, *, scale: float | None = None) -> Array: ...
