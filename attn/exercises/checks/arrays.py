"""Small things that may be done to one array; alterations gives them words."""

import numpy as np


def share(x, axis):
    """Parts of a sum."""
    return x / x.sum(axis, keepdims=True)


def soft(x, axis=-1):
    """A softmax."""
    return share(np.exp(x - x.max(axis, keepdims=True)), axis)


def standard(x, eps=1e-12, inside=False):
    """Rows of mean 0 and variance 1; eps: added to the deviation, or to the variance inside the root."""
    spread = np.sqrt(x.var(-1, keepdims=True) + eps) if inside else x.std(-1, keepdims=True) + eps
    return (x - x.mean(-1, keepdims=True)) / spread


def unit(x, axis=-1):
    """Rows, or columns, of length 1."""
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


def without(x, axis, place):
    """Zeros in one row or column."""
    x = x.copy()
    np.moveaxis(x, axis, 0)[place] = 0
    return x


def one_line(x, place):
    """One row in place of all."""
    return np.broadcast_to(x[place], x.shape).copy()


def wide(f):
    """A change that needs two axes."""
    return lambda x: f(x) if x.ndim > 1 else None


def flat(f):
    """A change of a matrix alone."""
    return lambda x: f(x) if x.ndim == 2 else None


def mirrored(x, low):
    """One triangle, and its mirror image."""
    if x.shape[-1] != x.shape[-2]:
        return None
    part = np.tril(x) if low else np.triu(x)
    return part + part.swapaxes(-1, -2) - part * np.eye(x.shape[-1])


def quietly(f, *arguments):
    """A change, or None where it makes no sense."""
    try:
        with np.errstate(all="ignore"):
            return f(*arguments)
    except Exception:
        return None
