"""Types of attn.online, for editors; tests hold them to the code."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

class Partial(NamedTuple):
    m: Array
    l: Array
    o: Array

def partial(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, mask: ArrayLike | None = None, *, scale: float | None = None
) -> Partial: ...
def merge(a: Partial, b: Partial) -> Partial: ...
def finish(part: Partial) -> Array: ...
def fold(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None,
    tiles: Iterable[tuple[int, int, Array | None]],
    *,
    width: int,
    calm: Array,
    sound: bool,
) -> Array: ...
def piece(s: Array, v: Array, *, calm: Array, sound: bool) -> Partial: ...
def calm_rows(q: Array, k: Array, v: Array, *, scale: float, last: Array) -> Array: ...
