"""What a head made by hand attends to: how the playground's exercises look at queries and keys."""

import numpy as np

from attn.softmax import softmax

SHARP = 0.99


MEANING = "1: a weight above 0.99; 0.5: the largest of its row; 0: any other"


MISSED = "It attends to other places than it should."


def pattern(answer, n, mask=None, width=None):
    """What an answer (Q, K) attends to: 1 where a weight is above 0.99, ½ where it is only the row's largest, else 0.

    -> (n, m). Raises ValueError for what is not two matrices of one width.
    """
    if isinstance(answer, np.ndarray) and answer.ndim == 3:  # a list of two alike
        answer = tuple(answer)
    if not isinstance(answer, tuple) or len(answer) != 2 or any(x.ndim != 2 for x in answer):
        raise ValueError("return a tuple of two matrices, Q and K")
    q, k = answer
    if len(q) != n or len(k) != n:
        raise ValueError(f"Q and K need a row for each of the {n} tokens, but have shapes {q.shape} and {k.shape}")
    if not (np.isfinite(q).all() and np.isfinite(k).all() and q.size):
        raise ValueError("Q and K must hold finite numbers, and at least one column")
    if q.shape[1] != k.shape[1]:
        raise ValueError(f"Q and K need one width, but have {q.shape[1]} and {k.shape[1]}")
    if width is not None and q.shape[1] != width:
        return np.array([q.shape[1]])  # the wrong shape says it
    a = softmax(q @ k.T / np.sqrt(q.shape[1]), mask)
    return np.where(a > SHARP, 1.0, np.where(a >= a.max(-1, keepdims=True) - 1e-6, 0.5, 0.0))
