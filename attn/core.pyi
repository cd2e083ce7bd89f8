"""Types of attn.core, for editors; tests hold them to the code."""

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

class Trace(NamedTuple):
    raw: Array
    scores: Array
    weights: Array
    output: Array

def scores(q: ArrayLike, k: ArrayLike, *, scale: float | None = None) -> Array: ...
def trace(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
    score_mod: Callable[[Array], Array] | None = None,
) -> Trace: ...
def scaled_dot_product_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
    score_mod: Callable[[Array], Array] | None = None,
) -> Array: ...
def modified(score_mod: Callable[[Array], ArrayLike], raw: Array) -> Array: ...
def weighted_sum(weights: Array, v: Array, allowed: Array) -> Array: ...
