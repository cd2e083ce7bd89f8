"""Types of attn.block, for editors; tests hold them to the code."""

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

class BlockWeights(NamedTuple):
    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    w_in: Array
    w_out: Array
    b_in: Array | None = None
    b_out: Array | None = None
    gain_1: Array | None = None
    bias_1: Array | None = None
    gain_2: Array | None = None
    bias_2: Array | None = None

def layer_norm(
    x: ArrayLike, gain: ArrayLike | None = None, bias: ArrayLike | None = None, *, eps: float = 1e-05
) -> Array: ...
def rms_norm(x: ArrayLike, gain: ArrayLike | None = None, *, eps: float = 1e-05) -> Array: ...
def relu(x: ArrayLike) -> Array: ...
def gelu(x: ArrayLike) -> Array: ...
def gelu_tanh(x: ArrayLike) -> Array: ...
def silu(x: ArrayLike) -> Array: ...
def feed_forward(
    x: ArrayLike,
    w_in: ArrayLike,
    w_out: ArrayLike,
    b_in: ArrayLike | None = None,
    b_out: ArrayLike | None = None,
    *,
    activation: Callable[[Array], Array] = gelu,
) -> Array: ...
def swiglu(x: ArrayLike, w_gate: ArrayLike, w_in: ArrayLike, w_out: ArrayLike) -> Array: ...
def pre_norm_block(
    x: ArrayLike,
    weights: BlockWeights,
    *,
    heads: int,
    kv_heads: int | None = None,
    mask: ArrayLike | None = None,
    activation: Callable[[Array], Array] = gelu,
    rotate: Callable[[Array], Array] | None = None,
    eps: float = 1e-05,
) -> Array: ...
