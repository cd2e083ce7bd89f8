"""Types of attn.data, for editors; tests hold them to the code."""

from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]

class Sentence(NamedTuple):
    text: str
    tokens: list[str]
    weights: Array

def path(name: str) -> Path: ...
def encoder_maps() -> list[Sentence]: ...
