"""Types of attn.transformer, for editors; tests hold them to the code."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

class Model(NamedTuple):
    heads: int
    w_e: Array
    w_p: Array
    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    w_u: Array
    def head(self, layer: int, head: int) -> tuple[Array, Array, Array, Array]: ...
    @property
    def shared(self) -> int: ...

class Run(NamedTuple):
    logits: Array
    residual: Array
    weights: Array
    outputs: Array
    writes: Array

def load(name: str = "induction") -> Model: ...
def run(
    model: Model, tokens: ArrayLike, *, without: Iterable[tuple[int, int]] = (), mask: ArrayLike | None = None
) -> Run: ...
def losses(logits: ArrayLike, tokens: ArrayLike) -> Array: ...
def encode(text: str) -> Array: ...
def decode(tokens: Iterable[int]) -> str: ...

SYMBOLS: str
