"""What several figures ask of their arguments: sizes that agree, places that exist, names for what has none."""

from attn.axes import numeric
from attn.show.kit.traits import StateError


def count(**arguments):
    """How many rows a matrix argument has, or the error it deserves.   name=(n, m) array-like  ->  n"""
    ((name, _),) = arguments.items()
    shape = numeric(**arguments).shape
    if len(shape) != 2:
        raise StateError(f"{name} must be a matrix, not an array of shape {shape}")
    return shape[0]


def words(tokens, count):
    """The given token names, or t1, t2, … for as many rows as there are.   -> list of str"""
    return [f"t{i + 1}" for i in range(count)] if tokens is None else tokens


def place(name, value, size, of):
    """Raise StateError unless 0 ≤ value < size.   name: the argument; of: what there are `size` of"""
    if not 0 <= value < size:
        raise StateError(f"{name} is {value}, but there are {size} {of}: it must lie in 0…{size - 1}")


def positive(name, value, most=None, least=0):
    """Raise StateError unless value > least and, where `most` is given, value ≤ most.   name: the argument"""
    if value > least and (most is None or value <= most):
        return
    must = "be positive" if most is None or not value > 0 else f"lie between {least:g} and {most:g}"
    written = isinstance(value, float) or abs(value) < 10**300  # a larger whole number is no float
    raise StateError(f"{name} must {must}, but it is {f'{value:.4g}' if written else 'larger than any float'}")


def same(axis, sizes):
    """Raise StateError unless all sizes agree.   axis: what is counted; sizes: {argument: size}"""
    (first, size), *others = sizes.items()
    for name, other in others:
        if other != size:
            raise StateError(f"{axis} is {size} in {first} but {other} in {name}")


def check_head(s):
    """Raise StateError unless X, the three weights and the tokens of a head fit together.   s: the state"""
    same("the number of words", {"X": len(s.X), "tokens": len(s.tokens)})
    for name in ("W_Q", "W_K", "W_V"):
        same("the model width c", {"X": len(s.X[0]), name: len(getattr(s, name))})
    same("the width d", {"W_Q": len(s.W_Q[0]), "W_K": len(s.W_K[0])})


def check_weights(s):
    """Raise StateError where weights leave 0…1.   s: the state"""
    if not all(-1e-9 <= x <= 1 + 1e-9 for row in s.weights for x in row):
        raise StateError("weights leave 0…1: give the rows that softmax made, not the scores")


def check_rows(s):
    """Raise StateError unless the tokens name the columns of scores and the chosen row exists.   s: the state"""
    same("the number of columns", {"scores": len(s.scores[0]), "tokens": len(s.tokens)})
    place("row", s.row, len(s.scores), "rows")


def row_names(tokens, n):
    """The tokens name the n rows too where there are as many, else r1, r2, … do.   ->   list of str"""
    return tokens if n == len(tokens) else [f"r{i + 1}" for i in range(n)]
