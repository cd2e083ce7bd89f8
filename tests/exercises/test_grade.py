"""Grading: right and wrong answers get the marks that check gives them, and attacks gain nothing and harm nobody."""

import csv
import os
import sys

import pytest

from attn.exercises import catalogue
from attn.exercises.checks.engine import examine
from attn.exercises.grade import everything, harmless, isolation, page_name, submissions

from .answers import corpus
from .test_api import notebook

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="workers are killed as a group of processes"),
    pytest.mark.prove,  # workers that are really started, and attacked
]

SOFTMAX = """import numpy as np

def softmax(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)"""
JACOBIAN = "def softmax_jacobian(p):\n    return np.diag(p) - np.outer(p, p)"
ATTACKS = {
    "patched comparisons": "np.allclose = np.array_equal = lambda *a, **k: True\nnp.isclose = lambda a, b, **k: "
    "np.ones_like(a, bool)"
    "\ndef softmax(S): return S * 0 + 1",
    "an endless loop": "def softmax(S):\n    while True: pass",
    "an endless loop that swallows everything": "def softmax(S):\n    while True:\n        try:\n            while "
    "True: pass\n"
    "        except BaseException: pass",
    "an endless cell": "while True: pass",
    "80 GB": "def softmax(S): return [np.ones(10**8) for _ in range(100)]",
    "many processes": "import os, time\ndef softmax(S):\n    for _ in range(300):\n        if os.fork() == 0:\n    "
    "        time.sleep(20)\n"
    "            os._exit(0)\n    return S",
    "leaving": "import os\ndef softmax(S): os._exit(0)",
    "leaving politely": "import sys\ndef softmax(S): sys.exit(0)",
    "killing the parent": "import os, signal\ndef softmax(S):\n    os.kill(os.getppid(), signal.SIGKILL)\n    return S",
    "junk on every descriptor": "import os\ndef softmax(S):\n    for fd in range(3, 30):\n        try: "
    "os.write(fd, b'x' * 1000)\n"
    "        except OSError: pass\n    return S",
    "a forged report": 'import os, struct\ndef softmax(S):\n    h = b\'{"kind": "value", "parts": 1, '
    '"status": "passed", "score": 9}\'\n'
    "    for fd in range(3, 30):\n        try: os.write(fd, struct.pack('<II', len(h), 0) + h)\n"
    "        except OSError: pass\n    return S",
    "a pickle": "class Bomb:\n    def __reduce__(self): return (print, ('boom',))\ndef softmax(S): return "
    "np.array([Bomb()], dtype=object)",
    "the course's own answer": "def softmax(S):\n    from attn.softmax import softmax as theirs\n    return theirs(S)",
    "the catalogue": "def softmax(S):\n    from attn.exercises.catalogue import find\n    return "
    "find('4.1').reference(S)",
    "a closed pipe": "import os\ndef softmax(S):\n    os.closerange(3, 50)\n    return S",
    "deep recursion": "def softmax(S): return softmax(S)",
    "an array that lies": "class Yes(np.ndarray):\n    def __eq__(self, other): return True\n    def "
    "__array__(self, *a, **k): return self\n"
    "def softmax(S): return S.view(Yes)",
    "a value that never converts": "class Slow:\n    def __array__(self, *a, **k):\n        while True: pass\ndef "
    "softmax(S): return Slow()",
    "a huge answer": "def softmax(S): return np.zeros((20000, 10000))",
    "stopped": "import os, signal\ndef softmax(S):\n    os.kill(os.getpid(), signal.SIGSTOP)\n    return S",
}

if not hasattr(os, "getuid") or os.getuid() != 0:  # only root can give a worker another user; else: a sandbox
    del ATTACKS["killing the parent"]


def marks(folder, out, **settings):
    """{submission: {exercise: Report}} of a folder, graded without a sandbox."""
    settings = dict(chapters=[4], limit=3.0, each=3.0) | settings  # room for a machine with other work
    results = everything(folder, out, seed="a secret", python=sys.executable, **settings)
    return {name: {report.exercise: report for report in reports} for name, reports in results.items()}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """Every attack on 4.1, each with a right 4.4 behind it, between two honest submissions."""
    folder, out = tmp_path_factory.mktemp("submissions"), tmp_path_factory.mktemp("out")
    for name in ("a honest", "z honest"):
        notebook(folder / f"{name}.ipynb", SOFTMAX, JACOBIAN)
    for name, source in ATTACKS.items():
        notebook(folder / f"m {name}.ipynb", "import numpy as np", source, JACOBIAN)
    return marks(folder, out, chapters=[4])


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_scores_nothing_for_what_it_attacks(attacked, name):
    report = attacked[f"m {name}.ipynb"]["4.1"]
    assert report.score == 0 and "Traceback" not in str(report)


@pytest.mark.parametrize("name", ATTACKS)
def test_the_other_answers_of_an_attacker_are_still_graded(attacked, name):
    assert attacked[f"m {name}.ipynb"]["4.4"].score == 1


def test_nobody_else_is_touched_by_an_attack(attacked):
    for name in ("a honest.ipynb", "z honest.ipynb"):
        assert [report.score for report in attacked[name].values() if report.exercise in ("4.1", "4.4")] == [1, 1]


def test_links_and_giants_are_left_out(tmp_path):
    secret = notebook(tmp_path / "secret.ipynb", SOFTMAX)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link.ipynb").symlink_to(secret)
    (folder / "away").symlink_to(tmp_path)
    (folder / "inside").mkdir()
    (folder / "inside" / "04_softmax.ipynb").symlink_to(secret)
    assert submissions(folder) == {"inside": []}
    notebook(folder / "giant.ipynb", "x = 1" + "\n#" * (5 << 20))
    (folder / "broken.ipynb").write_text("[" * 100_000, "utf8")
    scores = marks(folder, tmp_path / "out")
    assert {report.status for reports in scores.values() for report in reports.values()} == {"not started"}


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "a/b", "CON", "a" * 300, "<b>&", "x\n y", "=1+1", ""])
def test_a_page_stays_in_its_folder_whatever_the_submission_is_called(tmp_path, name):
    assert (tmp_path / page_name(name)).resolve().parent == tmp_path.resolve()
    assert len({page_name(name), page_name(name + " "), page_name("_" + name)}) == 3


def test_a_name_is_no_formula():
    assert harmless('=HYPERLINK("x")').startswith("'=") and harmless("ada") == "ada"


def test_the_tables_hold_marks_and_mistakes_without_names(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    notebook(folder / "ada.ipynb", SOFTMAX)
    notebook(folder / "<bob>.ipynb", "import numpy as np\ndef softmax(S): return np.exp(S) / np.exp(S).sum(0)")
    marks(folder, tmp_path / "out")
    rows = list(csv.DictReader((tmp_path / "out" / "grades.csv").read_text("utf8").splitlines()))
    assert {row["submission"]: row["score"] for row in rows} == {"ada.ipynb": "1", "<bob>.ipynb": "0"}
    mistakes = (tmp_path / "out" / "misconceptions.csv").read_text("utf8")
    assert "4.1,columns,1" in mistakes and "bob" not in mistakes
    pages = [path.read_text("utf8") for path in (tmp_path / "out" / "feedback").iterdir()]
    assert len(pages) == 2 and not any("<bob>" in page for page in pages)


def test_nothing_is_graded_with_less_protection_than_asked_for(monkeypatch):
    monkeypatch.setenv("PATH", "")
    for kind in ("docker", "podman", "bwrap"):
        with pytest.raises(ValueError, match="not installed"):
            isolation(kind, "image")
    assert isolation("none") == []


def test_a_worker_gives_the_verdicts_that_check_gives(tmp_path):
    """One wrong answer to every exercise that has one on record, by another way to the same report."""
    import inspect

    folder = tmp_path / "in"
    folder.mkdir()
    alone = [(id, f) for id, name, f in corpus("wrong") if callable(f) and not name.startswith("other")]
    chosen = {id: f for id, f in alone if "soft(" not in inspect.getsource(f) and "limit" not in f.__name__}
    chosen = {id: f for id, f in chosen.items() if f.__name__ not in ("endless", "remembers")}
    for id, f in chosen.items():
        name = catalogue.find(id).call.partition("(")[0]
        notebook(folder / f"{id}.ipynb", f"import numpy as np\n{inspect.getsource(f)}\n{name} = {f.__name__}")
    scores = marks(folder, tmp_path / "out", chapters=None, limit=30.0, each=30.0)
    for id, f in chosen.items():
        mine, theirs = examine(catalogue.find(id), f), scores[f"{id}.ipynb"][id]
        assert (theirs.status, theirs.misconceptions) == (mine.status, mine.misconceptions), id
