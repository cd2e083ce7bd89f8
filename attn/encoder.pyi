"""Types of attn.encoder, for editors; tests hold them to the code."""

from collections.abc import Callable, Container, Iterable
from pathlib import Path
from re import Pattern
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from attn.block import gelu

Array = NDArray[Any]

PACKAGE: str
VERSION: str
SUMS: dict[str, str]
LONGEST: int
SPECIAL: Pattern[str]
CHINESE: tuple[tuple[int, int], ...]

class Layer(NamedTuple):
    w_q: Array
    b_q: Array
    w_k: Array
    b_k: Array
    w_v: Array
    b_v: Array
    w_o: Array
    b_o: Array
    gain_1: Array
    bias_1: Array
    w_in: Array
    b_in: Array
    w_out: Array
    b_out: Array
    gain_2: Array
    bias_2: Array

class Encoder(NamedTuple):
    heads: int
    vocabulary: dict[str, int]
    w_e: Array
    w_p: Array
    gain: Array
    bias: Array
    layers: list[Layer]

class Step(NamedTuple):
    stream: Array
    weights: Array
    values: Array
    outputs: Array

class Run(NamedTuple):
    residual: Array
    weights: Array
    values: Array
    outputs: Array

def folder() -> Path: ...
def load(place: str | Path | None = None, *, dtype: DTypeLike = np.float32) -> Encoder: ...
def folded(layer: Layer) -> Layer: ...
def post_norm_block(
    x: ArrayLike,
    weights: Layer,
    *,
    heads: int,
    mask: ArrayLike | None = None,
    edit: Callable[[Array, Array, Array], Array] | None = None,
    activation: Callable[[Array], Array] = gelu,
    eps: float = 1e-12,
) -> Step: ...
def run(
    model: Encoder,
    ids: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    without: Iterable[tuple[int, int]] = (),
    edit: Callable[[int, Array, Array, Array], Array] | None = None,
    activation: Callable[[Array], Array] = gelu,
) -> Run: ...
def read(model: Encoder, text: str, **options: Any) -> tuple[list[str], Run]: ...
def embed(x: ArrayLike) -> Array: ...
def tokens(text: str, vocabulary: Container[str], *, longest: int = LONGEST) -> list[str]: ...
