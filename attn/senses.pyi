"""Types of attn.senses, for editors; tests hold them to the code."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Language = dict[str, tuple[tuple[str, str], tuple[str, str]]]

WORDS: Language
MORE_WORDS: Language
TEMPLATES: tuple[tuple[float, str], ...]
FUNCTION_WORDS: list[str]
SHOWN: tuple[str, ...]
WEIGHTS: tuple[str, ...]

class Sentence(NamedTuple):
    words: tuple[str, ...]
    at: int
    cue: int | None
    stand_ins: tuple[str, ...]

class Batch(NamedTuple):
    tokens: Array
    at: Array
    mask: Array
    target: Array

class Head(NamedTuple):
    words: tuple[str, ...]
    stand_ins: tuple[str, ...]
    w_e: Array
    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    w_u: Array
    def query(self, *words: str) -> Array: ...
    def key(self, *words: str) -> Array: ...
    def value(self, *words: str) -> Array: ...

class Reading(NamedTuple):
    query: Array
    keys: Array
    values: Array
    scores: Array
    weights: Array
    output: Array
    residual: Array
    probabilities: Array

class Rule(NamedTuple):
    weigh: Callable[..., tuple[Array, Array]]
    vjp: Callable[..., tuple[Array, Array, Array]]

class Score(NamedTuple):
    right: float
    right_of_two: float
    chance: float
    on_cue: float
    excess: float

def vocabulary(words: Language = WORDS) -> tuple[tuple[str, ...], tuple[str, ...]]: ...
def sentences(rng: np.random.Generator, number: int = 800, *, words: Language = WORDS) -> list[Sentence]: ...
def corpus(
    rng: np.random.Generator, number: int = 800, *, words: Language = WORDS
) -> tuple[list[Sentence], list[Sentence]]: ...
def encode(some: Sequence[Sentence], *, words: Language = WORDS) -> Batch: ...
def load() -> Head: ...
def attending(scale: float | None = None) -> Rule: ...
def remembering(*, alpha: float = 1.0, erase: bool = True) -> Rule: ...
def read(
    head: Head,
    tokens: ArrayLike,
    at: ArrayLike,
    mask: Array | None = None,
    *,
    keys_of: ArrayLike | None = None,
    values_of: ArrayLike | None = None,
    scale: float | None = None,
    rule: Rule | None = None,
) -> Reading: ...
def ask(
    head: Head,
    text: str,
    *,
    keys: dict[str, str] | None = None,
    values: dict[str, str] | None = None,
    hide: Iterable[str] = (),
    causal: bool = False,
    scale: float | None = None,
    rule: Rule | None = None,
) -> Reading: ...
def score(head: Head, some: Sequence[Sentence], *, words: Language = WORDS, **intervention: Any) -> Score: ...
def cues(some: Sequence[Sentence]) -> Array: ...
def before(batch: Batch) -> Array: ...
def opposite(some: Sequence[Sentence], *, words: Language = WORDS) -> Array: ...
def exchanged(some: Sequence[Sentence], other: dict[str, str], *, words: Language = WORDS) -> Array: ...
def turned(head: Head, r: ArrayLike, u: ArrayLike | None = None) -> Head: ...
def upright(head: Head) -> Head: ...
def start(rng: np.random.Generator, *, words: Language = WORDS, c: int = 8, d: int = 2, e: int = 2) -> Head: ...
def loss_and_gradient(
    head: Head, batch: Batch, *, scale: float | None = None, rule: Rule | None = None
) -> tuple[float, dict[str, Array]]: ...
def steps(
    rng: np.random.Generator,
    head: Head,
    batch: Batch,
    *,
    number: int = 1500,
    size: int = 128,
    rate: float = 0.1,
    decay: float = 1e-3,
    longest: float | None = None,
    **how: Any,
) -> Iterator[tuple[float, Head]]: ...
def train(
    rng: np.random.Generator, batch: Batch, *, words: Language = WORDS, c: int = 8, d: int = 2, e: int = 2, **how: Any
) -> tuple[Head, Array]: ...
