"""Mistakes that any exercise can suffer have a name in each, also where the catalogue does not list them."""

import numpy as np
import pytest

from attn.exercises import catalogue
from attn.exercises.checks.alterations import GIVEN, MADE, worded
from attn.exercises.checks.engine import examine
from attn.exercises.checks.usual import NAMED


def reference(id):
    """The right answer to an exercise."""
    return catalogue.find(id).reference


def changed(id, place, change):
    """The right answer to an exercise, with one argument changed before it is seen."""
    return lambda *arguments: reference(id)(*arguments[:place], change(arguments[place]), *arguments[place + 1 :])


CASES = [  # exercise, answer, the name it must get
    ("2.1", changed("2.1", 0, lambda x: (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5)),
     "input_standardised"),
    ("2.3", changed("2.3", 1, lambda w: np.linalg.pinv(w).T), "input_inverse"),
    ("2.3", changed("2.3", 1, lambda w: w.reshape(w.shape[::-1]).T), "input_reshaped"),
    ("2.3", lambda q, k: reference("2.3")(q, k) * q.shape[1] ** 0.25, "factor_of_size"),
    ("3.1", lambda q, k: np.tril(reference("3.1")(q, k)), "lower_only"),
    ("3.1", lambda q, k: reference("3.1")(np.sort(q, -1), k), "input_sorted"),
    ("5.1", lambda a, v: reference("5.1")(a, v) + v.mean(0), "input_joined"),
    ("6.4", lambda h: reference("6.4")(h)[:, :-1], "axis_short"),
    ("7.1", lambda o, w: reference("7.1")(o, np.ones_like(w)), "input_ignored"),
    ("11.1", lambda x, g, b, eps: reference("11.1")(x, b, g, eps), "exchanged"),
    ("13.1", lambda z, k, v, beta: reference("13.1")(z, k, v, 0.5), "fixed_number"),
    ("1.2", lambda q, k, v: np.squeeze(reference("1.2")(q, k, v)), "squeezed"),
]  # fmt: skip


@pytest.mark.parametrize(("id", "answer", "name"), CASES, ids=lambda x: x if isinstance(x, str) else "")
def test_a_change_that_no_exercise_lists_is_named(id, answer, name):
    exercise = catalogue.find(id)
    assert name not in {m.id for m in exercise.misconceptions}
    report = examine(exercise, answer)
    assert report.misconceptions == (name,), str(report)


def test_a_change_is_named_only_where_every_case_shows_it():
    """Half of the features negated is no change of this list, though some entries agree with one that is."""

    def turned(q, k):
        return reference("3.1")(q * np.where(np.arange(q.shape[1]) % 2, -1.0, 1.0) if len(q) > 2 else -q, k)

    assert examine(catalogue.find("3.1"), turned).misconceptions == ()


def test_every_name_has_words_for_the_record():
    assert {id for id, _, _ in (*GIVEN, *MADE)} <= NAMED.keys()
    assert all("{" not in words for words in NAMED.values())


def unsummed(x, w_q, w_k, w_v, w_o, h):
    """What each head writes, by itself."""
    f = reference("6.3")
    e = len(w_o) // h
    rows = np.arange(len(w_o))[:, None] // e
    return np.stack([f(x, w_q, w_k, w_v, np.where(rows == t, w_o, 0.0), h) for t in range(h)])


def every_head(x, w_q, w_k, w_v, h, t):
    """All heads, in place of one."""
    return np.stack([reference("6.1")(x, w_q, w_k, w_v, h, k) for k in range(h)])


def written_into(p):
    """A Jacobian whose diagonal is made in place, under another name."""
    q = p
    q *= 1 - p
    return np.diag(q) - np.outer(p, p) * (1 - np.eye(len(p)))


SEEN = [  # what is seen of a result in any exercise: the answer, and the name it must get
    ("6.3", unsummed, "not_summed"),
    ("6.1", every_head, "not_picked"),
    ("4.4", written_into, "overwrites_input"),
    ("2.1", lambda x, *w: [tuple(row @ m for m in w) for row in x], "tuples_in_a_list"),
    ("2.1", lambda x, q, k, v: [x @ q, x @ k, x @ k], "values_from_keys"),
    ("3.1", lambda q, k: np.einsum("nd,md->m", q, k), "axis_sum"),
]


@pytest.mark.parametrize(("id", "answer", "name"), SEEN, ids=lambda x: x if isinstance(x, str) else "")
def test_what_is_left_out_or_written_over_is_seen_in_any_exercise(id, answer, name):
    report = examine(catalogue.find(id), answer)
    assert report.misconceptions == (name,), str(report)


def centred_in_place(x, *weights):
    """Projections of what is centred in the caller's own array."""
    x -= x.mean(0)
    return tuple(x @ w for w in weights)


def test_an_input_written_over_is_said_beside_another_cause():
    aside = "It also writes into X, which it was given."
    report = examine(catalogue.find("2.1"), centred_in_place)
    assert report.misconceptions == ("result_centred",) and report.did.endswith(aside), str(report)
    report = examine(catalogue.find("2.1"), lambda x, *weights: centred_in_place(x.copy(), *weights))
    assert report.misconceptions == ("result_centred",) and aside not in report.did, str(report)


def test_a_number_of_many_parts_that_comes_near_may_lack_a_small_part():
    bytes_moved = catalogue.find("12.5")
    report = examine(bytes_moved, bytes_moved.reference() * 1.02)
    assert report.misconceptions == ("near",) and "a small part of it left out" in report.did, str(report)


def test_a_stack_has_parts_and_a_vector_entries():
    assert worded("gives the first [row] in place of each [row]", 3) == "gives the first part in place of each part"
    assert worded("takes the [row]s, and the first [column]", 1) == "takes the entries, and the first entry"
