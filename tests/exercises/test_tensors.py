"""The exercise on tensors, with torch and without; and what exercises forbid, seen from what is called."""

import inspect
import subprocess
import sys
import time
import types

import numpy as np
import pytest

from attn.exercises import catalogue, cells
from attn.exercises.checks.engine import examine

from .answers.right import e12_4 as right
from .test_gates import in_form

HALF, SOFTMAX = catalogue.find("12.4"), catalogue.find("4.1")


@pytest.fixture
def no_torch(monkeypatch):
    """A Python without torch, as far as the exercises can see."""
    monkeypatch.delitem(sys.modules, "attn.exercises.checks.tensors", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.mark.parametrize("answer", [right.plain, None, ...], ids=["answer", "none", "ellipsis"])
def test_without_torch_the_check_says_what_is_missing_and_nobody_has_failed(no_torch, answer):
    report = in_form(examine(HALF, answer))
    assert report.status == "not started" and not report.misconceptions and len(report.fields) == 4
    assert "needs torch" in report.did and "pip install torch" in report.next


def test_neither_the_exercises_nor_their_list_import_torch():
    code = (
        "import sys, attn.exercises; from attn.exercises import catalogue, check; catalogue.every(); "
        "check('12.5', 3); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"ATTN_PROGRESS": "off", "PATH": ""})


def test_the_time_that_torch_takes_to_load_is_not_the_learners(tmp_path):
    pytest.importorskip("torch")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom answer import plain\n"
        "from attn.exercises import check; r = check('12.4', plain, limit=5)\nprint(r.status)"
    )
    (tmp_path / "answer.py").write_text(f"import math\n{inspect.getsource(right.plain)}", "utf8")
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"ATTN_PROGRESS": "off", "PATH": ""},
    )
    assert done.stdout.strip().endswith("passed")


def test_values_are_compared_on_another_device_too(monkeypatch):
    tensors = pytest.importorskip(
        "attn.exercises.checks.tensors", reason="torch is not installed", exc_type=ImportError
    )
    monkeypatch.setattr(tensors, "elsewhere", lambda: "cpu")
    assert examine(HALF, right.plain, limit=60).status == "passed"
    watched, here = tensors.watched, {"now": False}

    def broken_there(f, arguments, device="cpu"):
        here["now"] = True
        outcome = watched(f, arguments, device)
        here["now"] = False
        return outcome

    monkeypatch.setattr(tensors, "watched", broken_there)
    report = in_form(examine(HALF, lambda *a: right.plain(*a) * (1 + here["now"]), limit=60))
    assert report.status == "failed" and "on cpu: " in report.seen


@pytest.mark.parametrize(
    ("source", "stub"),
    [
        ("def f(x):\n    raise NotImplementedError", True),
        ("def f(x):\n    return x", False),
        ("f = print", False),
        ("from numpy import exp as f", False),
        ("g(f)", True),
        ("def broken(:", True),
    ],
)
def test_a_stub_is_told_from_an_answer(source, stub):
    assert cells.is_stub([source], "f") is stub


# ── what is forbidden ───────────────────────────────────────────────────────────────────────────────────────


def library(monkeypatch, name="scipy.special"):
    """A library with a softmax, where libraries lie."""
    module = types.ModuleType(name)
    source = (
        "import numpy as np\ndef softmax(x, axis=None):\n    e = np.exp(x - x.max(axis, keepdims=True))\n"
        "    return e / e.sum(axis, keepdims=True)\ndef logsumexp(x):\n    return softmax(x, axis=-1)"
    )
    exec(compile(source, "/somewhere/site-packages/special.py", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, name.partition(".")[0], types.ModuleType(name.partition(".")[0]))
    monkeypatch.setitem(sys.modules, name, module)
    return module


def test_a_librarys_own_function_is_no_answer_by_whatever_name_it_is_called(monkeypatch):
    special = library(monkeypatch)

    def by_another_name(S):
        return getattr(special, "soft" + "max")(S, -1)

    def through_a_helper(S):
        return (lambda x: by_another_name(x))(S)

    for answer in (by_another_name, through_a_helper, lambda S: np.array([special.softmax(row, -1) for row in S])):
        report = in_form(examine(SOFTMAX, answer))
        assert report.misconceptions == ("library_call",) and "`softmax` of scipy" in report.did


def test_a_name_in_words_or_a_call_of_something_else_is_no_crime(monkeypatch):
    special = library(monkeypatch)

    def softmax(S):
        """scipy.special.softmax(S), torch.softmax(S) and attn.softmax.softmax(S) do the same."""
        words = "scipy.special.softmax(S)"  # torch.softmax(S, -1) would be shorter
        special.logsumexp(S)  # what a library calls itself is its own affair
        e = np.exp(S - S.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True) if words and special.softmax else None

    assert examine(SOFTMAX, softmax).status == "passed"


def test_torchs_functions_are_seen_in_c_and_in_python():
    torch = pytest.importorskip("torch")
    for soft in (torch.softmax, torch.nn.functional.softmax, torch.Tensor.softmax, lambda x, d: torch.nn.Softmax(d)(x)):
        report = in_form(examine(SOFTMAX, lambda S, soft=soft: soft(torch.from_numpy(S), -1).numpy()))
        assert report.misconceptions == ("library_call",)


def test_calls_are_heard_while_an_answer_that_was_stopped_still_sleeps():
    assert examine(SOFTMAX, lambda S: time.sleep(20), limit=0.2).status == "timeout"
    begun = time.monotonic()
    assert examine(SOFTMAX, lambda S: np.exp(S) / np.exp(S).sum(1, keepdims=True)).misconceptions == ("no_shift",)
    assert time.monotonic() - begun < 15  # the other still sleeps


def test_what_is_forbidden_exists_where_it_is_attns_own():
    import attn.block
    import attn.core
    import attn.flash
    import attn.heads
    import attn.memory
    import attn.softmax

    homes = [attn.softmax, attn.core, attn.heads, attn.flash, attn.block, attn.memory]
    names = {name for e in catalogue.every() for name in e.forbidden if name.startswith("attn.")}
    assert names and all(any(hasattr(home, name[5:]) for home in homes) for name in names), names
