"""Where the course's small data lives: trained weights, a sentence encoder's attention maps, measurements.

In a checkout it is chapters/data; in an installed package it is shipped beside this module. Code asks here, so a
chapter runs the same from a checkout, from a wheel, and from an empty folder.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

_HERE = Path(__file__).resolve().parent
_PLACES = (_HERE.parent / "chapters" / "data", _HERE / "data")


class Sentence(NamedTuple):
    """A sentence, its tokens (n of them) and the weights (l, h, n, m) every head of the encoder gave it."""

    text: str
    tokens: list
    weights: np.ndarray


class Effects(NamedTuple):
    """A sentence, and what heads and words do to the state of each of its words; see encoder_effects."""

    text: str
    tokens: list
    weights: np.ndarray
    near: list
    close: np.ndarray
    off_turn: np.ndarray
    off_close: np.ndarray
    hidden_turn: np.ndarray
    hidden_close: np.ndarray


def path(name):
    """The file of that name among the course's data.

    name: such as "induction.npz"   ->   pathlib.Path. Raises FileNotFoundError, listing what there is.
    """
    for place in _PLACES:
        if (place / name).is_file():
            return place / name
    there = sorted({file.name for place in _PLACES if place.is_dir() for file in place.iterdir()})
    raise FileNotFoundError(f"the course has no data file {name!r}; it has {', '.join(there) or 'none at all'}")


def encoder_maps():
    """Attention maps of a real sentence encoder (six layers of twelve heads) on about ten sentences.

        A ≈ stored / 255

    ->   list of Sentence(text, tokens, weights); weights (6, 12, n, n), float64. One byte a weight was kept, so each
    is within 1/510 of the encoder's and a row sums to one only to within n/510.
    Source: sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0); chapters/data/README.md says how it was made.
    """
    with np.load(path("encoder_maps.npz")) as stored:
        texts, tokens = stored["texts"].tolist(), stored["tokens"].tolist()
        maps = [stored[f"weights_{i}"] / 255 for i in range(len(texts))]
    return [Sentence(*parts) for parts in zip(texts, [line.split() for line in tokens], maps, strict=True)]


def encoder_effects():
    """What each head of the same encoder does to each word of eleven sentences, and what each other word does to it.

        turn = ∠(x, x′) in degrees,   closeness = cos(x, probe)

    x is a word's state after the last layer, x′ the same with one head switched off (it hands on zeros; its constant
    b_V W_O stays) or with one word hidden from it in every head. A probe is a word read alone.
    ->   list of Effects: text, tokens (n), weights (l, h, n, n) as in encoder_maps; near, for each word the names of
    its k nearest probes, and close (n, k); off_turn (l, h, n), off_close (l, h, n, k); and for word i without word j
    hidden_turn (n, n), hidden_close (n, n, k). Turns are kept to half a degree, closeness to 0.01.
    Source: sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0); chapters/data/README.md says how it was made.
    """
    weights = {sentence.text: sentence.weights for sentence in encoder_maps()}
    with np.load(path("encoder_effects.npz")) as stored:
        probes = str(stored["probes"]).split()

        def one(i, text):
            def get(name):
                return stored[f"{name}_{i}"]

            maps = weights[text] if text in weights else get("weights") / 255
            near, close = get("near"), get("close").astype(int)  # in hundredths; the others are kept as differences
            off_turn = get("off_turn").reshape(*maps.shape[:3]) / 2
            off_close = (close + get("off_close").reshape(*maps.shape[:3], -1)) / 100
            hidden_close = (close[:, None] + get("hidden_close")) / 100
            names = [[probes[k] for k in row] for row in near]
            tokens = str(get("tokens")).split()
            return Effects(
                text, tokens, maps, names, close / 100, off_turn, off_close, get("hidden_turn") / 2, hidden_close
            )

        return [one(i, text) for i, text in enumerate(stored["texts"].tolist())]
