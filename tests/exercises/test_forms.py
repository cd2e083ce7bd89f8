"""Right answers in any natural form are right, and wrong ones stay wrong in it."""

from fractions import Fraction

import numpy as np
import pytest

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine

from .answers import corpus, value_of

names = dict(ids=lambda x: x if isinstance(x, str) else "")
ARRAYS = [(id, name, f) for id, name, f in corpus("right") if catalogue.find(id).kind == "numpy"]
ONE_EACH = list({id: (id, name, value_of(f)) for id, name, f in reversed(corpus("wrong"))
                 if catalogue.find(id).kind == "numpy" and name != "endless"}.values())  # fmt: skip


def through(change, result):
    """A change of every array in a result."""
    if isinstance(result, tuple) or (isinstance(result, list) and len({np.shape(part) for part in result}) > 1):
        return type(result)(through(change, part) for part in result)
    return change(np.asarray(result))


def single(x):
    """Floats in 32 bits; anything else as it is."""
    return x.astype(np.float32) if getattr(x, "dtype", None) == np.float64 else x


def exact(x):
    """Numbers as fractions, where there are few."""
    if x.dtype.kind != "f" or not np.isfinite(x).all() or x.size > 99:
        return x
    return np.array([Fraction(float(v)) for v in x.ravel()] or [0.0], object)[: x.size].reshape(x.shape)


def rows(x):
    """A tuple of rows."""
    return tuple(x) if np.ndim(x) > 1 else x


def as_rows(result):
    """An array as a tuple of its rows; several arrays as a list of them."""
    return list(result) if isinstance(result, tuple) else result if isinstance(result, list) else rows(result)


def matrix(x):
    """NumPy's old matrix, where there are two axes."""
    return np.asmatrix(x) if x.ndim == 2 else x


FORMS = {
    "lists": lambda result: through(np.ndarray.tolist, result),
    "rows": as_rows,
    "single": lambda result: through(single, result),
    "single, widened": lambda result: through(lambda x: single(x).astype(x.dtype), result),
    "fractions": lambda result: through(exact, result),
    "matrix": lambda result: through(matrix, result),
}
KINDS = [k for k in FORMS if k != "rows"]


def dressed(answer, form):
    """An answer whose results come in another form."""
    if not callable(answer):
        return FORMS[form](answer)
    return lambda *arguments: FORMS[form](answer(*arguments))


def computed_in_single(answer):
    """An answer that is given 32 bits where it would be given 64."""
    if not callable(answer):
        return answer
    return lambda *arguments: answer(*(single(x) if np.size(x) < 9999 else x for x in arguments))


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("form", ["lists", *(pytest.param(f, marks=pytest.mark.prove) for f in FORMS if f != "lists")])
def test_a_right_answer_is_right_in_any_form(form):
    refused = []
    for id, name, f in ARRAYS:
        report = examine(catalogue.find(id), dressed(f, form), limit=60)
        if report.status != "passed":
            refused.append((id, name, str(report)))
    assert not refused, refused


STRAYS = {  # ways that lose more than the last digits in 32 bits: a loop until it settles, a logarithm beside 900
    ("4.5", "power"),
    ("12.1", "keeps_the_logarithm"),
    ("12.1", "other_2"),
    ("8.2", "other_3"),
    ("12.3", "other_2"),
}


def test_what_was_computed_in_single_precision_is_right():
    refused = []
    for id, name, f in ARRAYS:
        report = examine(catalogue.find(id), computed_in_single(f), limit=60)
        if report.status != "passed" and (id, name) not in STRAYS:
            refused.append((id, name, str(report)))
    assert not refused, refused


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("form", KINDS)
@pytest.mark.parametrize(("id", "name", "f"), ONE_EACH, **names)
def test_a_wrong_answer_is_wrong_in_any_form(id, name, f, form):
    assert examine(catalogue.find(id), dressed(f, form), limit=60).status != "passed"


def test_half_precision_is_not_enough():
    report = examine(catalogue.find("4.1"), lambda S: catalogue.find("4.1").reference(S).astype(np.float16))
    assert report.status == "failed" and "shorter float" in report.did


def test_one_number_may_come_in_brackets():
    assert examine(catalogue.find("3.4"), [8.0]).status == "passed"
    assert examine(catalogue.find("3.4"), [[9.0]]).status == "failed"
