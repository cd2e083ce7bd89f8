"""What a figure's state is made of: traits that turn plain arrays and names into JSON, and refuse what does not fit."""

from operator import index

import numpy as np
import traitlets

from attn.axes import numeric


class StateError(ValueError, traitlets.TraitError):
    """A value that a figure cannot show. A ValueError to the reader; traitlets rolls the change back."""


class StateTypeError(TypeError, traitlets.TraitError):
    """A value of the wrong kind. A TypeError to the reader; traitlets rolls the change back."""


class Matrix(traitlets.TraitType):
    """A matrix of finite numbers, held as a list of rows. `holes=True` admits −∞, held as None."""

    info_text = "a matrix of finite numbers"

    def __init__(self, *, holes=False, **options):
        super().__init__(traitlets.Undefined, **options)
        self.holes = holes
        self.tag(sync=True, figure=True)

    def validate(self, obj, value):
        """Any (n, m) array-like   ->   list of n lists of m floats. Raises StateError or TypeError."""
        if isinstance(value, list):  # our own form coming back from the front end: None stands for −∞
            value = [[-np.inf if x is None else x for x in row] if isinstance(row, list) else row for row in value]
        array = _checked(numeric, **{self.name: value})
        if array.ndim != 2 or 0 in array.shape:
            raise StateError(f"{self.name} must be a matrix with at least one row and column, not {array.shape}")
        allowed = np.isfinite(array) | (np.isneginf(array) & self.holes)
        if not allowed.all():
            i, j = np.argwhere(~allowed)[0]
            raise StateError(f"{self.name} must be finite, but entry ({i}, {j}) is {array[i, j]}")
        return [[None if x == -np.inf else float(x) for x in row] for row in array]


class Vector(traitlets.TraitType):
    """A row of finite numbers, held as a list."""

    info_text = "a row of finite numbers"

    def __init__(self, **options):
        super().__init__(traitlets.Undefined, **options)
        self.tag(sync=True, figure=True)

    def validate(self, obj, value):
        """Any (m,) array-like   ->   list of m floats. Raises StateError or StateTypeError."""
        array = _checked(numeric, **{self.name: value})
        if array.ndim != 1 or not array.size:
            raise StateError(f"{self.name} must be a row of at least one number, not an array of shape {array.shape}")
        if not np.isfinite(array).all():
            (j,) = np.flatnonzero(~np.isfinite(array))[:1]
            raise StateError(f"{self.name} must be finite, but entry {j} is {array[j]}")
        return array.tolist()


class Real(traitlets.TraitType):
    """One finite number: a temperature, a rate."""

    info_text = "a finite number"

    def __init__(self, default, **options):
        super().__init__(default, **options)
        self.tag(sync=True, figure=True)

    def validate(self, obj, value):
        """Any real number, NumPy's too   ->   float. Raises StateError or StateTypeError."""
        array = _checked(numeric, **{self.name: value})
        if array.ndim or not np.isfinite(array):
            raise StateError(f"{self.name} must be one finite number, not {value!r}")
        return float(array)


class Flag(traitlets.Bool):
    """A switch of the state: on or off."""

    def __init__(self, default=False):
        super().__init__(default)
        self.tag(sync=True, figure=True)


class Position(traitlets.TraitType):
    """Where the reader stands: a row, a column, a step. A whole number, 0 unless given."""

    info_text = "a whole number"
    default_value = 0

    def __init__(self, **options):
        super().__init__(**options)
        self.tag(sync=True, figure=True)

    def validate(self, obj, value):
        """Any integer, NumPy's too   ->   int. Raises StateTypeError."""
        try:
            return index(value)
        except TypeError:
            raise StateTypeError(f"{self.name} must be a whole number, not {value!r}") from None


class Name(traitlets.Unicode):
    """A short text of the state."""

    def __init__(self, default):
        super().__init__(default)
        self.tag(sync=True, figure=True)


class Tokens(traitlets.TraitType):
    """Names of the words, as a list of strings. Any string will do; a lone string is split at its spaces."""

    info_text = "a list of strings"

    def __init__(self, **options):
        super().__init__(traitlets.Undefined, **options)
        self.tag(sync=True, figure=True)

    def validate(self, obj, value):
        """A sentence or a sequence of strings   ->   list of str. Raises TypeError."""
        words = value.split() if isinstance(value, str) else value
        if not np.iterable(words):
            raise StateTypeError(f"{self.name} must be strings, not {value!r}")
        for word in words:
            if not isinstance(word, str):
                raise StateTypeError(f"{self.name} must be strings, but one is {word!r} ({type(word).__name__})")
        # a lone surrogate is no character and would stop the notebook from being saved
        return [word.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for word in words]


def _checked(check, *args, **kwargs):
    try:
        return check(*args, **kwargs)
    except ValueError as error:
        raise StateError(*error.args) from None
    except TypeError as error:
        raise StateTypeError(*error.args) from None


def array(rows):
    """Rows as a figure holds them, None for −∞, as an array.   ->   (n, m)"""
    return np.array([[-np.inf if x is None else x for x in row] for row in rows])
