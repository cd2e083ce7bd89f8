"""Types of attn.induction, for editors; tests hold them to the code."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

def repeated(
    rng: np.random.Generator, sequences: int, periods: Iterable[int], *, length: int = 32, vocabulary: int = 32
) -> tuple[Array, Array]: ...
def seen(tokens: ArrayLike) -> Array: ...
def induction_slots(tokens: ArrayLike) -> Array: ...
def induction_score(weights: ArrayLike, tokens: ArrayLike) -> Array: ...
def previous_token_score(weights: ArrayLike, tokens: ArrayLike) -> Array: ...
