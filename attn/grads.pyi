"""Types of attn.grads, for editors; tests hold them to the code."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

def softmax_vjp(p: ArrayLike, d_p: ArrayLike, *, axis: int = -1) -> Array: ...
def attention_vjp(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    d_output: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
) -> tuple[Array, Array, Array]: ...
