"""Types of attn.flash, for editors; tests hold them to the code."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

from attn.online import Partial as Partial
from attn.online import finish as finish
from attn.online import merge as merge
from attn.online import partial as partial

Array = NDArray[Any]

def flash_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    is_causal: bool = False,
    window: int | tuple[int | None, int | None] | None = None,
    offset: int | None = None,
    scale: float | None = None,
    block: int | tuple[int, int] | None = None,
    workers: int | None = None,
) -> Array: ...

QUERIES: int

KEYS: int

SMALL: int

FEW: int
