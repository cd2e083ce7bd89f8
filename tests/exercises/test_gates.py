"""What every exercise must show before a learner meets it: its mistakes are caught and named, right answers pass."""

import inspect
import itertools
import json
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn.exercises import catalogue
from attn.exercises.catalogue import sections
from attn.exercises.checks.compare import same
from attn.exercises.checks.engine import examine
from attn.exercises.checks.probes import Noted, OnePass, Stress
from attn.exercises.checks.running import local
from attn.exercises.checks.session import Session
from attn.exercises.checks.stopping import Deadline
from attn.exercises.report import LIKELY, PERHAPS, SEEN, WIDTH
from book import beside

from .answers import corpus, on_record, runnable, value_of

EVERY = runnable()
each = pytest.mark.parametrize("exercise", EVERY, ids=lambda e: e.id)
RIGHT, WRONG = corpus("right"), corpus("wrong")
SIXTH = [way if k % 6 == 0 else pytest.param(*way, marks=pytest.mark.prove) for k, way in enumerate(WRONG)]
names = dict(ids=lambda x: x if isinstance(x, str) else "")


def answer(exercise, choices):
    """The model with some choices made differently, as a learner would hand it in."""
    if not exercise.wants_function:
        return exercise.model(**choices)
    return lambda *arguments: exercise.model(*arguments, **choices)


def in_form(report):
    """A report obeys its format: few fields, sixteen lines, ninety columns, no traceback."""
    text = str(report)
    assert len(text.splitlines()) <= 16, text
    assert max(map(len, text.splitlines())) <= WIDTH, text
    assert "Traceback" not in text and "<lambda>" not in text
    return report


@each
def test_the_model_without_mistakes_passes_and_equals_the_reference(exercise):
    report = in_form(examine(exercise, answer(exercise, {})))
    assert report.status == "passed", str(report)


@pytest.mark.prove
@each
def test_other_random_numbers_change_no_verdict(exercise):
    """A grader's secret seed gives other numbers; the verdicts must be the same."""
    assert examine(exercise, answer(exercise, {}), rng=np.random.default_rng(2026)).status == "passed"
    for mistake in exercise.misconceptions:
        report = examine(exercise, answer(exercise, mistake.variants[0]), rng=np.random.default_rng(2026))
        assert report.misconceptions == (mistake.id,)


@pytest.mark.prove
@each
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(seed=st.integers(0, 2**64 - 1))
def test_the_reference_equals_the_model_whatever_the_numbers(exercise, seed):
    """Two ways to the right answer, on two hundred draws of the cases."""
    session = Session(exercise, local(lambda: None), Deadline(60))
    for arguments in exercise.cases(np.random.default_rng(seed)):
        assert same(session.expected(arguments, {}), session.expected(arguments), exercise.rtol)


@pytest.mark.parametrize("spellings", [1, pytest.param(None, marks=pytest.mark.prove)], ids=["one", "all"])
@each
def test_every_catalogued_mistake_is_caught_and_named(exercise, spellings):
    """Under its own label too: what was observed is said as seen, a cause that equal numbers suggest is not."""
    observed = {p.blame for p in exercise.probes if isinstance(p, (OnePass, Noted))} | {"library_call"}
    inferred = {LIKELY, PERHAPS} if exercise.wants_function else {PERHAPS}
    for mistake in exercise.misconceptions:
        for choices in mistake.variants[:spellings]:
            report = in_form(examine(exercise, answer(exercise, choices)))
            assert report.status == "failed", (mistake.id, str(report))
            assert report.misconceptions == (mistake.id,), (mistake.id, str(report))
            assert report.score == 0
            assert report.label in inferred or mistake.id in observed, (mistake.id, str(report))
            assert report.fields[0] == (report.label, report.did)


@pytest.mark.prove
@each
def test_two_mistakes_at_once_are_caught_and_one_or_both_are_named(exercise):
    """A pair may behave like a single mistake or another pair; then that name is as true. Cancelled pairs are right."""
    table = behaviours(exercise)
    right = table.pop(frozenset())
    names = list(table)
    traits = np.array([[trait(outcome) for outcome in table[p]] for p in names]) if names else np.zeros((0, 1))
    missed = []
    for k, pair in enumerate(names):
        if len(pair) < 2 or alike(exercise, table[pair], right):
            continue  # the two undo each other: nothing is wrong with the answer
        near = np.flatnonzero((abs(traits - traits[k]) <= 1e-3 * (1 + abs(traits[k]))).all(1))
        first = next((names[j] for j in near if alike(exercise, table[names[j]], table[pair])), None)
        if first is None or not (first <= pair or alike(exercise, table[first], table[pair])):
            missed.append(pair)
    assert not missed


@pytest.mark.prove
@each
def test_no_two_mistakes_behave_alike(exercise):
    if any(not isinstance(p, Stress) for p in exercise.probes):
        pytest.skip("memory and passes are told apart by instruments, not by values")
    table = behaviours(exercise, most=1)
    twins = [(set(a), set(b)) for a, b in itertools.combinations(table, 2) if alike(exercise, table[a], table[b])]
    assert not twins


@pytest.mark.prove
@each
def test_causes_with_the_same_numbers_are_never_told_apart(exercise):
    """Where two spellings of different causes give the same on every case, the report that names one says the other."""
    session = Session(exercise, local(lambda: None), Deadline(60))
    stress = [p.arguments for p in exercise.probes if isinstance(p, Stress)]
    cases = session.known.cases
    ways = [(m, choices) for m in exercise.misconceptions for choices in m.variants]
    done = [[session.expected(arguments, choices) for arguments in (*cases, *stress)] for _, choices in ways]
    traits = np.array([[trait(outcome) for outcome in row[: len(cases)]] for row in done])
    right = [session.expected(arguments) for arguments in cases]
    seen_by_instruments = {p.blame for p in exercise.probes if not isinstance(p, Stress)}  # memory, passes, notes

    def equal(these, those):
        return all(map(session.same, (*cases, *stress), these, those))  # as far as there are outcomes

    for k, (mistake, choices) in enumerate(ways):
        caught = not alike(exercise, done[k][: len(cases)], right)
        known = slice(len(cases) if caught else None)  # stress comes only where the ordinary cases are right
        near = np.flatnonzero((abs(traits - traits[k]) <= 1e-3 * (1 + abs(traits[k]))).all(1))
        twins = {ways[j][0].id: ways[j][0].did for j in near if equal(done[j][known], done[k][known])}
        del twins[mistake.id]
        if twins and (caught or not {mistake.id, *twins} & seen_by_instruments):
            report = in_form(examine(exercise, answer(exercise, choices)))
            assert report.label != SEEN and all(did in report.did for did in twins.values()), (mistake.id, str(report))


def test_another_act_with_the_same_numbers_is_said_too():
    """Exponentials below the row's maximum, undivided, are the softmax over its largest entry."""

    def largest_becomes_one(s):
        e = np.exp(s - s.max(-1, keepdims=True))
        return e / e.max(-1, keepdims=True)

    report = examine(catalogue.find("4.1"), largest_becomes_one)
    assert report.misconceptions == ("not_divided",) and report.label == LIKELY
    assert "Or: It divides each row of the result by its largest entry." in report.did
    raised = examine(catalogue.find("4.1"), lambda s: s @ s @ s)
    assert raised.status == "error" and raised.label == SEEN


def behaviours(exercise, most=2):
    """{frozenset of ids: outcomes} of the model with no, one and two mistakes, on every case and stress case."""
    session = Session(exercise, local(lambda: None), Deadline(60))
    cases = exercise.cases(np.random.default_rng(0)) + [p.arguments for p in exercise.probes if isinstance(p, Stress)]
    table = {frozenset(): [session.expected(arguments) for arguments in cases]}
    single = [(m.id, m.variants[0]) for m in exercise.misconceptions]
    pairs = [((a, b), x | y) for (a, x), (b, y) in itertools.combinations(single, 2) if not x.keys() & y.keys()]
    for ids, choices in [((a,), x) for a, x in single] + (pairs if most == 2 else []):
        table[frozenset(ids)] = [session.expected(arguments, choices) for arguments in cases]
    return table


def trait(outcome):
    """One number that two outcomes which agree have in common."""
    if outcome.kind != "value":
        return -1e9 - len(outcome.error)
    parts = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    with np.errstate(all="ignore"):
        sizes = [np.nan_to_num(abs(part * 1.0), nan=1e3, posinf=1e6).clip(0, 1e6).sum() for part in parts]
    return float(sum((k + 1) * size for k, size in enumerate(sizes)))


def alike(exercise, one, other):
    """True if two lists of outcomes agree everywhere."""
    return all(same(a, b, exercise.rtol) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(("id", "name", "right"), RIGHT, **names)
def test_right_answers_in_other_styles_are_never_rejected(id, name, right):
    report = examine(catalogue.find(id), right, limit=30)  # room for a busy machine: these all come to an end
    assert report.status == "passed", str(report)


def test_there_are_right_answers_enough_to_trust():
    assert len(RIGHT) >= 100
    assert {id for id, _, _ in RIGHT} <= {exercise.id for exercise in EVERY}


@pytest.mark.parametrize(("id", "name", "wrong"), SIXTH, **names)
def test_wrong_answers_keep_their_recorded_diagnosis(id, name, wrong):
    report = in_form(examine(catalogue.find(id), value_of(wrong), limit=0.5 if name == "endless" else 30))
    assert report.status in ("failed", "error", "timeout"), str(report)
    assert sorted(report.misconceptions) == sorted(on_record(wrong)), str(report)


def test_most_wrong_answers_by_other_hands_are_named():
    assert len(WRONG) >= 500
    assert sum(bool(on_record(wrong)) for _, _, wrong in WRONG) >= 0.6 * len(WRONG)


@each
def test_an_unanswered_stub_is_not_started(exercise):
    stubs = [None, ...]
    if exercise.wants_function:
        stubs += [unwritten, empty, documented]
    for stub in stubs:
        report = in_form(examine(exercise, stub))
        assert report.status == "not started", str(report)


def unwritten(*arguments):
    raise NotImplementedError("your turn")


def empty(*arguments):
    pass


def documented(*arguments):
    """Only words so far."""


@each
def test_every_entry_has_what_a_learner_needs(exercise):
    assert exercise.title and exercise.section and len(exercise.hints) == 3
    ids = [m.id for m in exercise.misconceptions]
    assert len(ids) == len(set(ids))
    for mistake in exercise.misconceptions:
        assert mistake.did.endswith((".", "?", ".)")) and mistake.why.endswith((".", "?", ".)")), mistake
        assert mistake.variants and all(mistake.variants), mistake
        assert len(set(exercise.ladder(mistake.id))) == 3
        accepted = inspect.signature(exercise.model).parameters
        assert all(set(choices) <= set(accepted) for choices in mistake.variants), mistake
    for probe in exercise.probes:
        assert probe.blame in ids
    for text in (*exercise.hints, *(text for m in exercise.misconceptions for text in (m.ask, m.then))):
        assert len(textwrap.wrap(text, WIDTH)) <= 4


def test_the_catalogue_is_as_large_as_the_course_promises():
    assert sum(len(exercise.misconceptions) for exercise in EVERY) >= 6 * len(EVERY)


def headings(chapter):
    """The headings of a chapter and of the pages that go it on, without dollars; None until it is written."""
    root = Path(__file__).resolve().parents[2]
    paths = list((root / "chapters").glob(f"{chapter:02}_*.ipynb"))
    paths += [root / f"{page}.ipynb" for page, (of, _) in beside.ASIDE.items() if of == chapter]
    if not paths:
        return None
    cells = [cell for path in paths for cell in json.loads(path.read_text("utf8"))["cells"]]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return {heading.replace("$", "").strip() for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


@each
def test_the_sections_that_a_report_points_to_exist(exercise):
    for chapter, section in {exercise.place((mistake.id,)) for mistake in exercise.misconceptions} | {exercise.place()}:
        assert section in headings(chapter), (chapter, section)


def test_a_mistake_leads_to_the_section_that_cures_it():
    def place(id, *mistakes):
        return catalogue.find(id).place(mistakes)

    for id in ("1.2", "2.2", "3.3", "4.1", "6.1", "6.3", "8.2", "9.2", "9.4"):
        assert place(id, "no_shift") == sections.STABILITY
    assert place("3.3", "over_queries") == place("4.1", "columns") == sections.SHARES
    assert place("3.3", "no_scale") == place("9.2", "no_scale") == (3, "Why √d")
    with pytest.raises(ValueError, match="no_shft"):
        sections.taught(catalogue.find("4.1"), {sections.STABILITY: "no_shft"})
    assert place("3.3", "no_shift", "no_scale") == sections.STABILITY  # the first that is told
    assert place("3.3", "no_scale", "no_shift") == place("3.3") == (3, "Why √d")
    assert (
        place("4.1") == place("4.1", "result_transposed") == sections.STABILITY
    )  # of its own, and of one in every exercise
