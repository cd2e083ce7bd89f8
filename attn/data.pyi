"""Types of attn.data, for editors; tests hold them to the code."""

from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]

class Sentence(NamedTuple):
    text: str
    tokens: list[str]
    weights: Array

class Effects(NamedTuple):
    text: str
    tokens: list[str]
    weights: Array
    near: list[list[str]]
    close: Array
    off_turn: Array
    off_close: Array
    hidden_turn: Array
    hidden_close: Array

def path(name: str) -> Path: ...
def encoder_maps() -> list[Sentence]: ...
def encoder_effects() -> list[Effects]: ...
