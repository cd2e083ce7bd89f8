"""What a class shares: calls are foreseen and change no mark, nothing grows, and no submission reaches another."""

import numpy as np
import pytest
from attn_grader import known, remote, unit
from attn_grader.isolation import Isolation
from attn_grader.notebooks import Submission, code_cells
from attn_grader.unit import Settings, grade

from .attacks import ONE_PASS
from .conftest import COLUMNS, JACOBIAN, ROOT, SOFTMAX, marks, submission

TAIL = "    E = np.exp(S - S.max(-1, keepdims=True))\n    return E / E.sum(-1, keepdims=True)"
ANSWERS = {
    "right": SOFTMAX,
    "wrong": COLUMNS,
    "a stub": "def softmax(S): ...",
    "a plain number": "softmax = 3",
    "another answer each time": "import numpy as np\nn = 0\ndef softmax(S):\n    global n\n    n += 1\n"
    "    S = S * (1 + 1e-3 * (n > 20))\n" + TAIL,
    "its input overwritten": "import numpy as np\ndef softmax(S):\n    S -= S.max(-1, keepdims=True)\n"
    "    return np.exp(S) / np.exp(S).sum(-1, keepdims=True)",
    "nothing on a stress case": "import numpy as np\ndef softmax(S):\n    if abs(S).max() > 500: return None\n" + TAIL,
    "wrong, and gone on a stress case": "import os\n" + COLUMNS.replace("return", "if abs(S).max() > 500: os._exit(0)\n"
    "    return"),
    "wrong, and endless on a stress case": COLUMNS.replace("return", "while abs(S).max() > 500: pass\n    return"),
    "right, and endless on a stress case": "import numpy as np\ndef softmax(S):\n"
    "    while abs(S).max() > 500: pass\n" + TAIL,
    "more than can be said at once": "import numpy as np\ndef softmax(S): return np.zeros((2 << 20,))",
    "a call of the library": "import numpy as np\ndef softmax(S):\n    import scipy.special\n"
    "    return scipy.special.softmax(S, -1)",
}  # fmt: skip
LOCAL = Settings("a secret", tuple(range(1, 12)), Isolation("none"))


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_foreseen_changes_no_mark(name, monkeypatch):
    handed_in = submission("import numpy as np", ANSWERS[name], JACOBIAN)
    told = marks(handed_in, kind="none", limit=1.0)
    monkeypatch.setattr(unit, "plan", lambda seed, ids: known.Plan(seed, []))
    assert told == marks(handed_in, kind="none", limit=1.0)


def test_a_call_that_was_not_foreseen_is_made():
    settings = Settings("a secret", (4,), Isolation("none"))
    exercise = next(e for e in settings.exercises if e.id == "4.1")
    first, second, *_ = known.knowledge("a secret", "4.1").cases
    with unit.Examination(submission(SOFTMAX), settings, settings.exercises) as examination:
        run = examination.run(exercise, 0)
        for arguments in (second, first, second):
            assert np.array_equal(run(arguments, None).value, exercise.reference(*arguments))


def counted(monkeypatch, name):
    """How often a worker does something, in a list of one number."""
    count, real = [0], getattr(remote.Worker, name)

    def called(self, *arguments, **settings):
        count[0] += 1
        return real(self, *arguments, **settings)

    monkeypatch.setattr(remote.Worker, name, called)
    return count


def test_a_whole_book_costs_a_few_messages(monkeypatch):
    books = sorted((ROOT / "exercises" / "solutions").glob("*.ipynb"))
    notebooks = tuple((path.name, tuple(code_cells(path.read_bytes()))) for path in books if path.name[:2] < "12")
    calls, sent = counted(monkeypatch, "call"), counted(monkeypatch, "send")
    result = grade(Submission("ada", notebooks), LOCAL)
    assert result.complete and result.score == len(result.marks)
    planned = sum(len(known.calls("a secret", mark.exercise)) for mark in result.marks)
    assert planned > 300 and calls[0] < 10 and sent[0] < 40


def test_the_checks_ask_a_right_answer_just_what_was_foreseen():
    """So a right answer is never asked twice; only what takes functions, or weighs memory, is asked one by one."""
    for exercise in LOCAL.exercises:
        shared, asked = known.knowledge("s", exercise.id), []

        def run(arguments, deadline, instrument=None, asked=asked, shared=shared):
            asked.append((id(arguments), instrument))
            return shared.outcome(arguments, None)

        unit.examine(exercise, ..., known=shared, run=run)
        ahead = [(id(arguments), instrument) for arguments, instrument in known.calls("s", exercise.id)]
        assert ahead == asked or (exercise.id == "11.2" and not ahead)


def test_a_class_that_grows_keeps_no_more_in_memory():
    settings = Settings("a secret", (12,), Isolation("none"))
    held = []
    for _ in range(2):
        assert grade(submission(ONE_PASS), settings).score == 2
        held.append([len(known.knowledge("a secret", id)._outcomes) for id in ("12.1", "12.3")])
    assert held[0] == held[1]


LEFT = """import builtins, sys, types
import numpy as np
builtins.left = np.left = sys.left = True
sys.modules["left"] = types.ModuleType("left")
np.exp = np.asarray = None
for frame in sys._current_frames().values():
    while frame:
        frame.f_globals["left"] = True
        if isinstance(frame.f_locals.get("plan"), dict):
            for calls in frame.f_locals["plan"].values():
                for _, arrays in calls:
                    for array in arrays:
                        array[...] = 0
        frame = frame.f_back"""
FOUND = (
    """import builtins, sys
import numpy as np
frame, found = sys._getframe(), [hasattr(builtins, "left"), hasattr(np, "left"), hasattr(sys, "left"),
                                 "left" in sys.modules]
while frame:
    found.append("left" in frame.f_globals and frame.f_globals is not globals())
    frame = frame.f_back
assert not any(found)
"""
    + SOFTMAX
)


def test_what_one_submission_leaves_behind_reaches_no_other():
    """Both are forked from one process that has NumPy and the plan."""
    assert marks(submission(LEFT, SOFTMAX), kind="none")["4.1"].score == 0
    assert marks(submission(FOUND), kind="none")["4.1"].score == 1
