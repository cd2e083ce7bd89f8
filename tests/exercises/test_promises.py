"""What a statement promises has a case: each range, each size, each special value that a sheet names."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from attn.exercises import catalogue
from attn.exercises.checks.probes import Stress

SOLUTIONS = Path(__file__).resolve().parents[2] / "exercises" / "solutions"


def statements():
    """The statement of every exercise: {id: markdown}."""
    found = {}
    for path in sorted(SOLUTIONS.glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown" and (head := re.match(r"## (\d+\.\d+) ", source)):
                found[head[1]] = source
    return found


STATEMENTS = statements()


def cases(id):
    """Everything that an answer is called on and compared."""
    exercise = catalogue.find(id)
    stress = [p.arguments for p in exercise.probes if isinstance(p, Stress)]
    return [*exercise.cases(np.random.default_rng(0)), *stress]


def dots(q, k):
    """Scaled scores of queries and keys."""
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


def reach(size, scores):
    """A promise that scores go as far as a size, up and down, seen over all cases."""
    return lambda *arguments: abs(np.nan_to_num(scores(*arguments))).max(initial=0) >= size


def both(size, scores):
    """The same, in one case and with both signs."""
    return lambda *a: scores(*a).size > 0 and scores(*a).max() >= size and scores(*a).min() <= -size


def one(place, axis):
    """An argument of size 1 along an axis."""
    return lambda *arguments: arguments[place].shape[axis] == 1


def heads(x, w_q, w_k, h):
    """Scores of all heads of self-attention."""
    q, k = (np.stack(np.split(x @ w, h, 1)) for w in (w_q, w_k))
    return dots(q, k)


PROMISES = {  # id: (words of the statement, a case that shows what they promise)
    "1.2": [
        ("large as ±2000", both(2000, lambda q, K, V: K @ q / np.sqrt(q.size))),
        ("keys", one(1, 0)),
        ("(d,)", lambda q, K, V: q.size == 1),
    ],
    "2.1": [("(n, c)", one(0, 0)), ("(c, d)", one(1, 1)), ("(c, e)", lambda X, q, k, v: v.shape[1] > q.shape[1])],
    "2.2": [
        ("large as ±1000", both(1000, lambda X, M, q, k, v: dots(X @ q, M @ k))),
        ("(n, c)", one(0, 0)),
        ("(m, c)", one(1, 0)),
    ],
    "2.3": [("(c, d)", one(0, 1)), ("(c, d)", one(0, 0))],
    "3.1": [("(n, d)", one(0, 0)), ("(m, d)", one(1, 0)), ("(m, d)", one(1, 1))],
    "3.2": [("(n, d)", one(0, 0)), ("(m, d)", one(1, 1))],
    "3.3": [("large as ±1000", both(1000, lambda Q, K, V: dots(Q, K))), ("(n, d)", one(0, 0))],
    "4.1": [
        ("large as ±1000", both(1000, lambda S: S)),
        ("in one row", lambda S: (S.max(1) - S.min(1)).max() >= 1800),
        ("different rows", lambda S: S.max() - S.max(1).min() >= 1900),
        ("(n, m)", one(0, 0)),
        ("(n, m)", one(0, 1)),
    ],
    "4.2": [
        ("large as ±1000", both(1000, lambda S, T: S / T)),
        ("small as 0.001", lambda S, T: T <= 0.001),
        ("(T large)", lambda S, T: T >= 4),
        ("(n, m)", one(0, 1)),
    ],
    "4.3": [
        ("large as ±1000", both(1000, lambda S: np.where(np.isfinite(S), S, 0))),
        ("may be all −∞", lambda S: np.isneginf(S).all(1).any()),
        ("Some of them may be −∞", lambda S: (np.isneginf(S).any(1) & ~np.isneginf(S).all(1)).any()),
    ],
    "4.4": [("(n,)", one(0, 0)), ("positive weights", lambda p: p.min() > 0)],
    "4.5": [
        ("settle slowly", lambda A: sorted(abs(np.linalg.eigvals(A)))[-2:][0] > 0.89),
        ("five hundred steps are not always enough", lambda A: sorted(abs(np.linalg.eigvals(A)))[-2:][0] ** 500 > 2e-6),
        ("(n, n)", one(0, 0)),
    ],
    "5.1": [
        ("none negative", lambda A, V: A.min() >= 0),
        ("(n, m)", one(0, 0)),
        ("(n, m)", one(0, 1)),
        ("(m, e)", one(1, 1)),
    ],
    "5.2": [("all heads", lambda W_V, W_O, h: h == 1), ("all heads", lambda W_V, W_O, h: h == 3)],
    "6.1": [
        ("large as ±1000", both(1000, lambda X, q, k, v, h, t: heads(X, q, k, h))),
        ("(n, c)", one(0, 0)),
        ("counted from 0", lambda *a: a[5] == 0),
        ("head `t` alone", lambda *a: a[5] == a[4] - 1 > 0),
    ],
    "6.2": [
        ("(n, h·e)", one(0, 0)),
        ("one matrix for each head", lambda X, h: h == 1),
        ("(h, n, e)", lambda X, h: h > 2),
    ],
    "6.3": [
        ("large as ±1000", both(1000, lambda X, q, k, v, o, h: heads(X, q, k, h))),
        ("(n, c)", one(0, 0)),
        ("All heads", lambda *a: a[5] == 1),
        ("(h·e, c)", lambda *a: a[4].shape[0] != a[4].shape[1]),
    ],
    "6.4": [("(h, n, e)", one(0, 0)), ("(h, n, e)", one(0, 1)), ("(h, n, e)", one(0, 2))],
    "7.1": [("(h, n, e)", one(0, 0)), ("(h, n, e)", one(0, 1)), ("(h·e, c)", one(1, 1))],
    "8.1": [
        ("as many keys", lambda n, m: n == m > 1),
        ("as many keys", lambda n, m: m > n > 1),
        ("(n, m)", lambda n, m: m == 1),
    ],
    "8.2": [
        ("large as ±20 000", both(20000, lambda S: S)),
        ("m \\ge n", lambda S: S.shape[1] > S.shape[0] > 1),
        ("where they may not be seen", lambda S: S.shape == (2, 2) and S[0, 1] >= 20000),
        ("(n, m)", one(0, 1)),
    ],
    "8.3": [
        ("large as ±1000", both(1000, lambda S, l: S)),
        ("at least one", lambda S, l: l.min() == 1 < S.shape[2]),
        ("on the padding", lambda S, l: any(abs(s[:, k:]).max(initial=0) >= 1000 for s, k in zip(S, l, strict=True))),
        ("b sequences", one(0, 0)),
        ("Every query", one(0, 1)),
        ("(b, n, m)", one(0, 2)),
        ("may differ", lambda S, l: S.shape[1] < S.shape[2]),
        ("may differ", lambda S, l: S.shape[1] > S.shape[2] > 1),
    ],
    "8.4": [
        ("large as ±1000", both(1000, lambda S, a: np.nan_to_num(S))),
        ("nothing allowed", lambda S, a: (~a.any(1)).any()),
        ("a huge score", lambda S, a: (abs(S) * ~a > 800).any()),
        ("even a NaN", lambda S, a: (np.isnan(S) & ~a).any()),
        ("NaN among the *allowed*", lambda S, a: (np.isnan(S) & a).any()),
        ("(n, m)", one(0, 1)),
    ],
    "8.5": [
        ("longer than the sequence", lambda n, w: w > n),
        ("w \\ge 1", lambda n, w: w == 1),
        ("(n, n)", lambda n, w: n == 1),
    ],
    "9.1": [
        ("multiple of g", lambda K, h: h == len(K)),
        ("multiple of g", lambda K, h: h > 2 * len(K) > 2),
        ("g key heads", one(0, 0)),
    ],
    "9.2": [
        ("large as ±1000", both(1000, lambda Q, K, V: dots(Q, np.repeat(K, len(Q) // len(K), 0)))),
        ("g divides h", lambda Q, K, V: len(Q) == len(K) > 1),
        ("(g, m, d)", one(1, 0)),
        ("(g, m, d)", one(1, 1)),
    ],
    "9.4": [
        ("it is empty, m = 0", lambda q, k, v, K, V: len(K) == 0),
        ("(d,)", one(0, 0)),
        ("large as ±1000", both(1000, lambda q, k, v, K, V: np.vstack([K, k]) @ q / np.sqrt(q.size))),
    ],
    "11.1": [
        ("perhaps 0", lambda x, g, b, eps: eps == 0),
        ("perhaps not", lambda x, g, b, eps: eps >= 1),
        ("(n, c)", one(0, 0)),
        ("perhaps small", lambda x, g, b, eps: 0 < eps < 1e-9),
    ],
    "11.2": [("(n, c)", one(0, 0))],
    "12.1": [
        ("large as ±2000", both(2000, lambda s, V, b: s)),
        ("may be shorter", lambda s, V, b: len(s) % b and len(s) > 2 * b),
        ("(n,)", one(0, 0)),
    ],
    "12.2": [
        ("A set may be empty", lambda *a: np.isneginf(a[0])),
        ("A set may be empty", lambda *a: np.isneginf(a[3])),
    ],
    "12.3": [
        ("large as ±2000", both(1900, lambda Q, K, V, b: dots(Q, K))),
        ("may be shorter", lambda Q, K, V, b: len(K) % b and len(K) > 2 * b),
        ("all keys are one block", lambda Q, K, V, b: len(K) <= b),
        ("(n, d)", one(0, 0)),
    ],
    "12.4": [
        ("at most `block` keys", lambda Q, K, V, b: len(K) > 2 * b),
        ("m ≥ n", lambda Q, K, V, b: len(K) > len(Q) > 1),
        (
            "that of the weights with V too",
            lambda Q, K, V, b: V[:b].sum(dtype=float) > np.finfo(np.float16).max and not Q.any(),
        ),
    ],
    "13.1": [("of any length", lambda Z, k, v, beta: abs(np.linalg.norm(k) - 1) > 0.2)],
    "13.2": [
        ("has become 0", lambda alpha: np.prod(alpha) == 0),
        ("either may occur", lambda alpha: (alpha == 0).any() and (alpha == 1).any()),
    ],
    "13.3": [("whatever their length", lambda Q, K, V, beta: np.ptp(np.linalg.norm(K, axis=1)) > 0.1)],
}
FUNCTIONS = [e.id for e in catalogue.every() if e.wants_function and e.chapter not in (10, 13)]


@pytest.mark.parametrize("id", PROMISES)
def test_every_promise_has_a_case(id):
    said, seen = STATEMENTS[id], cases(id)
    for words, shows in PROMISES[id]:
        assert words in said, (id, words)
        assert any(shows(*arguments) for arguments in seen), (id, words)


def test_no_function_is_without_promises():
    assert set(FUNCTIONS) <= set(PROMISES)


@pytest.mark.parametrize("id", FUNCTIONS)
def test_a_range_that_is_named_is_on_the_list_and_a_range_is_named_where_exp_is_asked_for(id):
    ranges = re.findall(r"large as (±[\d ]+\d)", STATEMENTS[id])
    listed = [words for words, _ in PROMISES[id] if words.startswith("large as")]
    assert len(listed) == len(ranges[:1])
    stable = any(m.id in ("no_shift", "no_maximum") for m in catalogue.find(id).misconceptions)
    assert bool(ranges) or not stable or id in ("4.5", "12.4")


@pytest.mark.parametrize("id", STATEMENTS)
def test_a_statement_says_how_hard_it_is_and_how_long_it_takes(id):
    assert re.search(r"\*Difficulty [123] of 3, about \d+ minutes\.\*", STATEMENTS[id])
