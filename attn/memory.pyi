"""Types of attn.memory, for editors; tests hold them to the code."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

def write(state: ArrayLike, k: ArrayLike, v: ArrayLike, beta: ArrayLike = 1.0, *, erase: bool = True) -> Array: ...
def recurrent(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    beta: ArrayLike | None = None,
    alpha: ArrayLike | None = None,
    erase: bool = True,
    state: ArrayLike | None = None,
) -> tuple[Array, Array]: ...
def chunked(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    beta: ArrayLike | None = None,
    alpha: ArrayLike | None = None,
    erase: bool = True,
    state: ArrayLike | None = None,
    block: int = 64,
) -> tuple[Array, Array]: ...
def decay_mask(alpha: ArrayLike) -> Array: ...
def matrix(
    q: ArrayLike, k: ArrayLike, *, beta: ArrayLike | None = None, alpha: ArrayLike | None = None, erase: bool = True
) -> Array: ...
def rows_needed(block: ArrayLike, error: float = 0.01) -> int: ...
def memory_vjp(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    d_output: ArrayLike,
    *,
    beta: ArrayLike | None = None,
    alpha: ArrayLike | None = None,
    erase: bool = True,
    d_state: ArrayLike = 0.0,
) -> tuple[Array, Array, Array, Array, Array]: ...
