"""Every answer on record gets in the page, word for word, the report that it gets at a desk."""

import json
import re
from itertools import pairwise

import pytest
from runpage import ROOT, code_of, of_no_machine, report

from attn.exercises import catalogue
from tests.exercises.answers import corpus, value_of

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runs")]

SHEETS = sorted((ROOT / "exercises").glob("[0-9]*.ipynb"))
AT_ONCE = 12  # answers that are checked by one press: a cell has a minute


def exercises_of(path):
    """The exercises of a sheet for NumPy: (id, name of the stub's cell, what is handed in)."""
    for stub, cell in pairwise(code_of(path)):
        found = re.search(r'check\("([\d.]+)",\s*(.+)\)', cell["source"])
        if found and catalogue.find(found[1]).kind == "numpy":
            yield found[1], stub["id"], found[2]


def answers(id):
    """The answers on record to an exercise, a press at a time: (code of their module, names in it, the answers)."""
    for kind in ("right", "wrong"):
        path = ROOT / "tests" / "exercises" / "answers" / kind / f"e{id.replace('.', '_')}.py"
        named = []
        for whose, name, answer in corpus(kind):
            if whose == id:
                value = f"VALUES[{name!r}]{'[0]' if isinstance(answer, tuple) else ''}"
                named.append((name if callable(value_of(answer)) else value, value_of(answer)))
        for k in range(0, len(named), AT_ONCE):
            yield path.read_text("utf8"), *zip(*named[k : k + AT_ONCE], strict=True)


def test_every_exercise_for_numpy_stands_on_a_sheet():
    assert {id for path in SHEETS for id, _, _ in exercises_of(path)} == {
        e.id for e in catalogue.every() if e.kind == "numpy"
    }


@pytest.mark.prove
@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_answer_on_record_gets_the_report_that_it_gets_at_a_desk(opened, path):
    """Their modules are typed into the stub's cell as they are; it checks each, and Check then hands in the first."""
    # first all that the desk says: its checks end every thread that begins beside them, such as a server's answer
    by_desk = [
        (id, stub, wanted, code, names, [report(id, value) for value in values])
        for id, stub, wanted in exercises_of(path)
        for code, names, values in answers(id)
    ]
    sheet, differing = opened(f"exercises/{path.stem}"), {}
    for id, stub, wanted, code, names, told in by_desk:
        each = f"for one in [{', '.join(names)}]:\n    check({id!r}, one)"
        state, text = sheet.run(stub, f"{code}\n\n{each}\n{wanted} = {names[0]}")
        found = sheet.output(stub).locator(".attn-report").all_text_contents()
        if state != "done" or len(found) != len(told) + 1:
            differing[f"{id} {names}"] = state, sheet.note(stub), text[-1000:]
            continue
        for name, here, there in zip((*names, f"{names[0]}, by Check"), found, [*told, told[0]], strict=True):
            if of_no_machine(here) != of_no_machine(there):
                differing[f"{id} {name}"] = here, there
    assert not differing, json.dumps(differing, indent=1, ensure_ascii=False)
