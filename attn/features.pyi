"""Types of attn.features, for editors; tests hold them to the code."""

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

class State(NamedTuple):
    total: Array
    normaliser: Array

def elu_plus_one(x: ArrayLike) -> Array: ...
def feature_weights(
    q: ArrayLike, k: ArrayLike, mask: ArrayLike | None = None, *, feature: Callable[[Array], Array] = elu_plus_one
) -> Array: ...
def linear_attention(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, *, feature: Callable[[Array], Array] = elu_plus_one
) -> Array: ...
def causal_linear_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    feature: Callable[[Array], Array] = elu_plus_one,
    state: State | None = None,
    block: int = 64,
) -> tuple[Array, State]: ...
