"""Types of attn.tiles, for editors; tests hold them to the code."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]

class Band(NamedTuple):
    m: int
    left: int
    right: int
    offset: int
    pattern: Callable[..., Array]
    def keys(self, start: int, stop: int) -> tuple[int, int]: ...
    def last(self, n: int) -> Array: ...
    def allowed(self, start: int, stop: int, low: int, high: int) -> Array | None: ...
    def tiles(self, start: int, stop: int, width: int) -> Iterator[tuple[int, int, Array | None]]: ...

def band(
    n: int,
    m: int,
    *,
    is_causal: bool = False,
    window: int | tuple[int | None, int | None] | None = None,
    offset: int | None = None,
) -> Band: ...
