"""What every interactive figure is: a state, a sentence, a readable table, and a view that moves.

The state is plain JSON. It travels to a notebook's front end as synchronised traitlets and to the static page
inside the widget's own HTML; both hosts run the same JavaScript on it.
"""

import json
from operator import index
from types import SimpleNamespace

import anywidget
import numpy as np
import traitlets

from attn.axes import numeric
from attn.show import bundle, text


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


def same(axis, sizes):
    """Raise StateError unless all sizes agree.   axis: what is counted; sizes: {argument: size}"""
    (first, size), *others = sizes.items()
    for name, other in others:
        if other != size:
            raise StateError(f"{axis} is {size} in {first} but {other} in {name}")


def _is_state(trait):
    return isinstance(trait, traitlets.TraitType) and trait.metadata.get("figure", False)


def _checked(check, *args, **kwargs):
    try:
        return check(*args, **kwargs)
    except ValueError as error:
        raise StateError(*error.args) from None
    except TypeError as error:
        raise StateTypeError(*error.args) from None


class Widget(anywidget.AnyWidget):
    """The base of the interactive figures. A figure names its `view` (js/VIEW.js) and writes `sentence`,
    `tables` and `static`; the rest is here.
    """

    view = None

    def __init_subclass__(cls, **options):
        if "view" in cls.__dict__:  # not on the nameless subclasses traitlets makes
            cls._esm, cls._css = bundle.module_source(cls.view), bundle.site_style()
            parts = [name for name, trait in vars(cls).items() if _is_state(trait)]
            cls._fits = traitlets.validate(*parts)(cls._validated)
        super().__init_subclass__(**options)

    def __init__(self, **state):
        for name in state.keys() - self.trait_names(figure=True):
            raise TypeError(f"{type(self).__name__} has no argument {name!r}")
        super().__init__(**state)

    def check(self, s):
        """Raise StateError where parts of the state do not fit together.   s: the state that is proposed"""

    def _validated(self, proposal):
        self.check(SimpleNamespace(**{**self.state, proposal["trait"].name: proposal["value"]}))
        return proposal["value"]

    def set(self, **state):
        """Change several parts at once; they are checked together. Raises StateError and then changes nothing."""
        with self.hold_trait_notifications():
            for name, value in state.items():
                setattr(self, name, value)

    def sentence(self):
        """What the figure shows now, in words and numbers.   ->   str"""
        raise NotImplementedError

    def tables(self):
        """The figure as (caption, values, rows, cols) tables, for readers without scripts.   ->   list"""
        raise NotImplementedError

    def static(self):
        """The figure as it stands, as a still picture.   ->   attn.show.figures.Plot"""
        raise NotImplementedError

    @property
    def state(self):
        """Everything the picture depends on, as plain JSON values.   ->   dict"""
        return {name: getattr(self, name) for name in sorted(self.trait_names(figure=True))}

    def html(self):
        """The figure as HTML: its state, and the tables that stand until a script brings it to life.   ->   str"""
        # "<" never occurs in the state, so no token name can close the script element
        state = json.dumps(self.state, allow_nan=False)
        for sign in "<>&":
            state = state.replace(sign, f"\\u{ord(sign):04x}")
        shown = "".join(text.table(*parts) for parts in self.tables())
        return (
            f'<div class="attn-figure" data-view="{self.view}"><script type="application/json">{state}</script>'
            f'<div class="attn-fallback">{shown}<p>{text.escape(self.sentence())}</p></div></div>'
        )

    def __repr__(self):
        return self.sentence()

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": self.sentence(), "text/html": self.html()}, metadata
