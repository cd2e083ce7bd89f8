"""Types of attn.heads, for editors; tests hold them to the code."""

from collections.abc import Callable, Iterable
from typing import Any

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

def project(x: ArrayLike, w: ArrayLike) -> Array: ...
def split(x: ArrayLike, heads: int) -> Array: ...
def merge(x: ArrayLike) -> Array: ...
def repeat_kv(x: ArrayLike, times: int) -> Array: ...
def grouped_query_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
    score_mod: Callable[[Array], Array] | None = None,
) -> Array: ...
def multi_head_attention(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike,
    *,
    heads: int,
    kv_heads: int | None = None,
    mask: ArrayLike | None = None,
    memory: ArrayLike | None = None,
    scale: float | None = None,
    score_mod: Callable[[Array], Array] | None = None,
    rotate: Callable[[Array], Array] | None = None,
) -> Array: ...
def writes(o: ArrayLike, w_o: ArrayLike) -> Array: ...
def align_kv(
    w: ArrayLike, partner: ArrayLike, heads: int, kv_heads: int, *, rounds: int = 50
) -> tuple[Array, Array]: ...
def pool_kv(w: ArrayLike, heads: int, kv_heads: int) -> Array: ...
def block_diagonal(blocks: Iterable[ArrayLike]) -> Array: ...
