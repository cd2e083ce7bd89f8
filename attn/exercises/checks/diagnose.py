"""From a wrong answer to a sentence about it: a known mistake, a cause, a relation, a broken law, or one entry."""

import math
from dataclasses import replace

import numpy as np

from attn.exercises.checks import causes
from attn.exercises.checks.compare import agrees, same
from attn.exercises.checks.evidence import evidence, first_shown
from attn.exercises.checks.matching import also_alike, edge, named
from attn.exercises.checks.relations import name_of, relation
from attn.exercises.report import FEWER, LIKELY, PERHAPS, Finding, Report, labels, number, numbers

UNKNOWN = "(This is not one of the mistakes I know by name.)"


def explain(session, cases, got, right, counts):
    """The report on an answer whose values are wrong.

    cases: argument tuples; got, right: what the answer and the reference did on them.   -> Report
    """
    finding, status = judged(session, cases, got, right)
    return Report.found(session.exercise, noted(session, finding), counts, status)


def judged(session, cases, got, right):
    """What to say about wrong values.  -> (Finding, status)"""
    ex = session.exercise
    failing = [i for i, (g, e) in enumerate(zip(got, right, strict=True)) if not same(g, e, ex.rtol)]
    seen = evidence(session, cases, got, right, failing)
    names = named(session, cases, got, right, failing)
    if len(names) > 1 and (one := in_every_exercise(session, cases, got, right, failing, seen)):
        return one, "failed"  # a single step explains what two would
    if names:
        return told(session, cases, got, right, failing, names, seen), "failed"
    finding, status = unnamed(session, cases, got, right, failing, seen)
    if not finding.misconceptions and (common := in_every_exercise(session, cases, got, right, failing, seen)):
        finding, status = common, "failed"
    if not finding.misconceptions and status == "failed" and only_at_the_edge(cases, failing):
        did = finding.did.removesuffix(UNKNOWN) + "Only the smallest sizes come out wrong."
        finding = replace(finding, did=did, misconceptions=("only_at_the_edge",))
    if not finding.misconceptions and status == "failed" and session.overwritten:
        finding = written_over(ex, session.overwritten, finding)
    return finding, status


def noted(session, finding):
    """A finding, and beside its cause that an argument came back changed: another mistake, whatever the values are."""
    if not session.overwritten or "overwrit" in "".join(finding.misconceptions) or "writes into" in finding.did:
        return finding
    mine = " and ".join(session.exercise.names[i] for i in sorted(session.overwritten))
    return replace(finding, did=f"{finding.did} It also writes into {mine}, which it was given.")


def known(mistakes, seen, case=(), label=LIKELY):
    """What to say about one or two catalogued mistakes.  misconceptions -> Finding"""
    did = " Also: ".join(m.did for m in mistakes)
    return Finding(did, seen, mistakes[0].why, tuple(m.id for m in mistakes), case, label)


def told(session, cases, got, right, failing, names, seen):
    """The same for what the numbers alone have shown: another way to them is said too.  -> Finding"""
    if len(names) > 1 or not session.exercise.wants_function:  # thousands of pairs; and many ways lead to one number
        return known(names, *seen, label=PERHAPS)
    from attn.exercises.checks.usual import another  # here: most answers need it not

    others = [m.did for m in also_alike(session, cases, got, failing, names)]
    return either(known(names, *seen), *(others or another(session, cases, got, right, failing)))


def either(finding, *others):
    """A finding with other causes that the same numbers have."""
    return replace(finding, did=" Or: ".join([finding.did, *others]))


def written_over(exercise, places, finding):
    """What to say where no cause fits the values, but an argument came back changed.  -> Finding"""
    mine = " and ".join(exercise.names[i] for i in sorted(places))
    did = f"It writes into {mine}, which it was given; whatever it reads there afterwards is another number."
    return replace(finding, did=did, why=OVERWRITTEN, misconceptions=("overwrites_input",))


OVERWRITTEN = (
    "Look for `-=`, `/=`, `out=` or an assignment into an argument, also under another name: `q = p` is no copy."
)
EDGE = ("squeezed", "axis_added")


def only_at_the_edge(cases, failing):
    """True if sizes of 0 or 1 go wrong, and larger ones do not."""
    return all(edge(cases[i]) for i in failing) and not all(map(edge, cases))


def in_every_exercise(session, cases, got, right, failing, seen):
    """The mistake of attn.exercises.checks.usual that an answer made on every case but those at the edge; None."""
    from attn.exercises.checks.usual import usual as usual_mistake  # here: most answers need it not

    inner = [i for i in failing if got[i].kind == "value" and not edge(cases[i])]
    inner.sort(key=lambda i: entries(right[i]) < 4)  # a large case first: it tells more changes apart
    if not inner:  # wrong at the edge alone: an axis of size 1 may have gone
        order = [i for i in failing if got[i].kind == "value"]
        return usual_mistake(session, cases, got, right, order, seen, EDGE) if order else None
    if entries(right[inner[0]]) < 2:
        return None
    others = [i for i in range(len(cases)) if i not in inner and not edge(cases[i])]
    return usual_mistake(session, cases, got, right, inner + others, seen)


def entries(outcome):
    """How many numbers an outcome holds."""
    parts = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    return sum(map(np.size, parts))


def unnamed(session, cases, got, right, failing, seen, usual=True):
    """What can be said without a name; seen: what `evidence` gave.  -> (Finding, status)

    usual: the cases hold ordinary numbers; of zeros and ones that a stress case leaves, no cause is read.
    """
    worst = next((i for i in failing if got[i].kind != "value"), None)
    if worst is not None:
        finding, status = stumbled(session.exercise, cases[worst], got[worst])
        well = [i for i in range(len(cases)) if i not in failing]
        if status == "error" and well and all(got[i].kind != "value" for i in failing):
            did = f"{finding.did} {elsewhere(session.exercise, cases, well)}"
            finding = replace(finding, did=did, misconceptions=("stops_on_some_sizes",))
        return finding, status
    well = [i for i in range(len(cases)) if i not in failing]
    shown, text, case = first_shown(cases, got, failing), *seen
    inner = [i for i in failing if i != shown and not edge(cases[i])]
    failing = [shown, *(inner or [i for i in failing if i != shown])]  # what is said is said of the one shown
    pairs = [(got[i].value, right[i].value) for i in failing]
    if session.exercise.observe:  # a pattern has no factors and no signs
        return owned(session.exercise, looked_elsewhere(session.exercise, pairs, text, case)), "failed"
    said = relation(pairs)
    said = said if usual or said.startswith(("Your result has", "It returns")) or "NaN" in said else ""
    said = (
        said
        or (row_sums(*pairs[0]) if shares(session) else "")
        or _broken_law(session.exercise, cases, got, right, failing)
    )
    name = name_of(said)
    if own := [m for m in session.exercise.misconceptions if m.id == name]:
        return known(own, text, case), "failed"
    if name:
        return Finding(said, text, "", (name,), case), "failed"
    if not session.exercise.wants_function:
        return owned(session.exercise, not_the_value(*pairs[0], text)), "failed"
    said = " ".join(filter(None, [said or extent(*pairs[0]), elsewhere(session.exercise, cases, well)]))
    return Finding(f"{said} {UNKNOWN}", text, case=case), "failed"


def looked_elsewhere(exercise, pairs, text, case):
    """What is true of a pattern: right but too weak, shared with others, or somewhere else.  -> Finding

    pairs: (pattern, expected) of the cases that fail; 1 and ½ mark where a row looks.
    """
    if any(x.shape != y.shape for x, y in pairs):
        return Finding(f"{exercise.missed} {UNKNOWN}", text, case=case)
    if all(((x > 0) == (y > 0)).all() for x, y in pairs):
        return Finding("The right token gets the largest weight, but less than 0.99.", text, "", ("soft",), case)
    if any((x == 0).all(1).any() for x, _ in pairs):
        did = "For some query the weights are no numbers: its scores are infinite, or NaN."
        why = "Products may be large, but must be finite."
        return Finding(did, text, why, ("infinite_scores",), case)
    away = [~((x > 0) & (y > 0)).any(1) for x, y in pairs]
    if not any(rows.any() for rows in away):
        did = "The weight is shared: for some query another key is as good as the right one."
        why = "Two keys that lie alike, or a query of zeros, leave nothing to choose by."
        return Finding(did, text, why, ("shared_weight",), case)
    if not away[0].any():
        return Finding(f"{exercise.missed} {UNKNOWN}", text, case=case)
    (x, y), i = pairs[0], int(np.flatnonzero(away[0])[0])
    did = f"Query {i} looks at key {x[i].argmax()}, not at key {y[i].argmax()}: its product with that key is larger."
    return Finding(did, text, "A query likes best the key with which its product is largest.", ("elsewhere",), case)


def owned(exercise, finding):
    """A finding in the exercise's own words, where it has some for that name."""
    own = [m for m in exercise.misconceptions if (m.id,) == finding.misconceptions]
    return known(own, finding.seen, finding.case, finding.label) if own else finding


def not_the_value(x, y, text):
    """What can be said of one number in place of another without giving it away.  -> Finding"""
    if isinstance(x, tuple) or isinstance(y, tuple):
        return Finding(f"It is not the value asked for. {UNKNOWN}", text)
    if x.ndim:
        return Finding("It gives several numbers where one is asked for.", text, "", ("more_results",))
    with np.errstate(all="ignore"):
        ratio = abs(y / x)
    power = math.log(ratio) if 0 < ratio < math.inf else 0.0
    if any(abs(power - k * math.log(base)) < 0.02 for base in (1000, 1024) for k in (1, 2, 3)):
        return Finding(
            "It is the number asked for, or nearly, in another unit: thousands or millions.", text, "", ("units",)
        )
    if abs(x - y) < (0.1 if float(x * 100).is_integer() else 0.35) * abs(y):
        counted = ", or is a small part of it left out, or counted too often" if float(y).is_integer() else ""
        did = f"It comes near, but it is not the number itself: is it rounded, or estimated{counted}?"
        return Finding(did, text, "The value is asked for to six digits, and can be had exactly.", ("near",))
    return Finding(f"It is not the value asked for. {UNKNOWN}", text)


def shares(session):
    """True if each row of the right result sums to 1, in every ordinary case, or to 0 where there is nothing."""
    right = [session.expected(arguments).value for arguments in session.known.cases]
    if any(isinstance(y, tuple) or y.ndim != 2 or y.dtype.kind != "f" for y in right):
        return False
    sums = np.concatenate([y.sum(-1) for y in right])
    return bool((np.isclose(sums, 1) | (sums == 0)).all())


def row_sums(x, y):
    """What the rows sum to, where each should sum to 1 and does not; '' elsewhere."""
    if isinstance(y, tuple) or x.shape != y.shape or y.ndim != 2 or not {x.dtype.kind, y.dtype.kind} <= set("iuf"):
        return ""
    with np.errstate(all="ignore"):
        if not np.allclose(y.sum(-1), 1) or np.allclose(x.sum(-1), 1) or not y.size:
            return ""
        sums = ", ".join(numbers(s) for s in x.sum(-1)[:4])
    return f"Its rows sum to {sums}{', …' if len(x) > 4 else ''}: each should sum to 1."


def extent(x, y):
    """What is true of a wrong result where no relation is: where it differs, and by how much."""
    if isinstance(y, tuple) or x.shape != y.shape or not y.ndim or "c" in (x.dtype.kind, y.dtype.kind):
        return "The values differ from the expected ones."
    truth, x, y = y.dtype.kind == "b", x * 1, y * 1
    with np.errstate(all="ignore"):
        off = ~agrees(x, y, 1e-6)
        if not off.any():
            return f"It is right to six digits, and wrong beyond them, by up to {number(abs(x - y).max())}."
        rows = np.flatnonzero(off.reshape(len(y), -1).any(1))
        where = f", all in row {rows[0]}" if y.ndim == 2 and len(rows) == 1 < len(y) else ""
        ratio = x[rows[0]] / y[rows[0]]
        if where and off[rows[0]].all() and np.ptp(ratio) < 1e-6 * abs(ratio[0]):
            return f"Row {rows[0]} is {number(ratio[0])} times the expected one; the other rows are right."
        much = "" if truth else f", by up to {number(abs(x - y)[off].max())}"
        return f"{off.sum()} of {y.size} entries differ{where}{much}."


def elsewhere(exercise, cases, well):
    """A case on which the answer is right, in words, and rather none at the edge; '' if there is none."""
    well = [i for i in well if not edge(cases[i])] or well
    return f"It is right on {labels(exercise, cases[well[-1]], FEWER)}." if well else ""


def stumbled(exercise, arguments, outcome):
    """An exception, no answer, or an answer that is not numbers.  -> (Finding, status)"""
    seen = labels(exercise, arguments)
    if outcome.kind == "error" and not outcome.error:
        return Finding(f"It cannot be looked at: {outcome.message}.", seen, "", ("shapes",), arguments), "failed"
    if outcome.kind == "error":
        at = f"Line {outcome.lineno}: `{outcome.line}` raised" if outcome.line else "It raised"
        message = outcome.message.splitlines()[0][:160] if outcome.message else ""
        plain = causes.plain_words(outcome.message)
        did = f"{at} {outcome.error}" + (f": {message}" if message and not plain else ".")
        return Finding(did, seen, plain, (), arguments), "error"
    if outcome.kind == "type":
        if not exercise.wants_function:
            return Finding(
                f"The answer holds something that is not a number ({outcome.message}).",
                seen,
                "Write numbers without quotes, alone or in a tuple, as the exercise asks.",
                ("not_numbers",),
            ), "failed"
        if "None" in outcome.message:
            did = f"It returns {outcome.message}, where a number is asked for."
            why = "Each place needs a number: what does the exercise say is put there?"
            return Finding(did, seen, why, ("none_inside",), arguments), "failed"
        if outcome.message.startswith("a list of"):
            did = f"It returns {outcome.message}, which do not fit together as one array."
            why = "Each result is asked for as one array: collect its rows in a list of their own."
            return Finding(did, seen, why, ("tuples_in_a_list",), arguments), "failed"
        did = f"It returns something that is not an array of numbers: {outcome.message}."
        why = "Return a NumPy array, or the tuple of arrays the exercise asks for."
        return Finding(did, seen, why, ("not_numbers",), arguments), "failed"
    did = "It returns nothing (None) here: is there a `return`, and is it reached?"
    why = "A function without `return` hands back None, whatever it has computed."
    return Finding(did, seen, why, ("returns_nothing",), arguments), "failed"


def _broken_law(exercise, cases, got, right, failing):
    """A law of the exercise that the answer breaks, as a sentence."""
    i = failing[0]
    g, e = got[i].value, right[i].value
    if isinstance(g, tuple) or isinstance(e, tuple) or g.shape != e.shape:
        return ""
    with np.errstate(all="ignore"):
        return next((sentence for sentence, holds in exercise.invariants if not holds(cases[i], g)), "")
