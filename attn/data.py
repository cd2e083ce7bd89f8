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
