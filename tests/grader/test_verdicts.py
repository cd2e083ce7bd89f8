"""A worker gives the verdicts that `check` gives, and loads torch only for an answer that needs it."""

import inspect
import io

import numpy as np
import pytest
from attn_grader import unit, worker

from attn.exercises import catalogue
from attn.exercises.checks import running
from attn.exercises.checks.engine import examine
from attn.exercises.checks.session import Known
from tests.exercises.answers import corpus
from tests.exercises.answers.right import e12_4 as right
from tests.exercises.answers.wrong import e12_4 as wrong

from .conftest import KINDS, marks, submission

LOCAL = KINDS[-1]
ENDLESS = ("endless", "remembers", "soft(", "limit")


def chosen():
    """(exercise, answer): one wrong answer to every exercise that has one on record as a function."""
    some = {}
    for id, name, f in corpus("wrong"):
        if callable(f) and not name.startswith("other") and not any(word in inspect.getsource(f) for word in ENDLESS):
            some[id] = f
    return sorted(some.items())


@pytest.mark.prove
@pytest.mark.parametrize(("id", "f"), chosen(), ids=lambda x: x if isinstance(x, str) else x.__name__)
def test_a_worker_gives_the_verdict_that_check_gives(id, f):
    exercise = catalogue.find(id)
    name = exercise.call.partition("(")[0]
    cell = f"import math\nimport numpy as np\n{inspect.getsource(f)}\n{name} = {f.__name__}"
    theirs = marks(submission(cell), (exercise.chapter,), LOCAL, limit=30.0)[id]
    mine = examine(exercise, f, limit=60)
    assert (theirs.status, theirs.misconceptions) == (mine.status, tuple(mine.misconceptions))


def test_a_stub_loads_no_torch(monkeypatch):
    kinds, real = [], unit.Worker.__init__

    def counted(self, *arguments, kind="numpy", **settings):
        kinds.append(kind)
        real(self, *arguments, kind=kind, **settings)

    monkeypatch.setattr(unit.Worker, "__init__", counted)
    stub = 'def half_attention(Q, K, V, block):\n    import torch\n\n    raise NotImplementedError("your turn")'
    found = marks(submission(stub, 'check("12.4", half_attention)', "naive_bytes = 3"), (12,))
    assert set(kinds) == {"numpy"}
    assert (found["12.4"].status, found["12.5"].status) == ("not started", "failed")


@pytest.mark.prove
@pytest.mark.parametrize(
    "f", [right.plain, wrong.other_all_scores_1, wrong.other_half_sums_1], ids=lambda f: f.__name__
)
def test_a_worker_judges_tensors_as_check_does(f):
    pytest.importorskip("torch")
    cell = f"import math\n{inspect.getsource(f)}\nhalf_attention = {f.__name__}"
    theirs = marks(submission(cell), (12,), LOCAL, limit=30.0)["12.4"]
    mine = examine(catalogue.find("12.4"), f, limit=60)
    assert (theirs.status, theirs.misconceptions) == (mine.status, tuple(mine.misconceptions))


def test_a_worker_without_torch_says_so(monkeypatch):
    import sys

    monkeypatch.delitem(sys.modules, "attn.exercises.checks.tensors", raising=False)
    outcome = running.attempt(worker.with_tensors(right.plain), [])
    assert outcome.error == "ModuleNotFoundError" and "torch" in outcome.message


@pytest.mark.prove
def test_what_a_class_shares_changes_no_report():
    """The second time the mistakes of an exercise are looked for, what the first time learnt picks the likely ones."""
    for id in ("4.1", "8.2", "9.4"):
        exercise = catalogue.find(id)
        shared = Known(exercise, np.random.default_rng(0))
        answers = [
            f for number, name, f in corpus("wrong") if number == id and name != "endless" and name != "remembers"
        ]
        for _ in range(2):
            for f in answers:
                assert str(examine(exercise, f, known=shared, limit=60)) == str(examine(exercise, f, limit=60))
        assert shared._sieves


ARRAYS = [np.float64(2.5), np.arange(6).reshape(2, 3).T, np.zeros((0, 3)), np.array([True]), np.eye(2) * 1j,
          np.arange(3, dtype=">i4"), np.array([np.nan, np.inf])]  # fmt: skip


def test_arrays_travel_as_numpy_writes_them():
    said = b""
    for array in map(np.asarray, ARRAYS):
        file = io.BytesIO()
        np.save(file, array)
        assert worker.packed(array) == file.getvalue()
        said += file.getvalue()
    place = 0
    for array in map(np.asarray, ARRAYS):
        back, place = worker.unpacked(said, place)
        assert (back.dtype, back.shape, back.flags.fnc) == (array.dtype, array.shape, array.flags.fnc)
        assert back.tobytes() == array.tobytes() and back.flags.writeable
    assert place == len(said)


def test_what_is_no_array_is_refused():
    objects = io.BytesIO()
    np.save(objects, np.array([{}], dtype=object), allow_pickle=True)
    whole = worker.packed(np.arange(3.0))
    for said in (b"", b"x" * 200, whole[:-1], whole[:40], objects.getvalue()):
        with pytest.raises(ValueError):
            worker.unpacked(said)
