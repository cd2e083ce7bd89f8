"""Exercise 4.5, where attention settles."""

import numpy as np

from attn.exercises.checks.exercise import Exercise, wrong
from attn.softmax import softmax


def settle(
    a, *, side=lambda a: a.T, pick=lambda w: abs(w - 1).argmin(), real=np.real, scale=lambda p: p / p.sum(), whole=None
):
    """The row p with p A = p and Σ p = 1, from an eigenvector."""
    if whole:
        return whole(a)
    values, vectors = np.linalg.eig(side(a))
    return scale(real(vectors[:, pick(values)]))


def signed(scale):
    """A scale applied to the eigenvector with its first entry made positive, so that the sign is no chance."""
    return lambda p: scale(p * np.sign(p[0].real))


def resting(row):
    """A matrix whose own row p is row(a), brought to a sum of 1."""
    return lambda a: np.tile((row(a) / row(a).sum())[:, None], (1, len(a)))


def stepped(steps, start=None):
    """A matrix whose own row p is where the uniform row, or that of a token, is after so many steps."""
    after = lambda a: np.linalg.matrix_power(a, steps)  # noqa: E731
    return resting(lambda a: after(a).mean(0) if start is None else after(a)[start])


def until(small, start=None, size=lambda step: abs(step).max()):
    """A matrix whose own row p is where the uniform row, or a token's, is once a step changes less than that."""

    def row(a):
        p = np.full(len(a), 1 / len(a)) if start is None else np.eye(len(a))[start]
        while size(p @ a - p) >= small:
            p = p @ a
        return p @ a

    return resting(row)


def ratios(start):
    """Weights read off the ratios A_ij / A_ji to one token, as if p_i A_ij were p_j A_ji."""
    return resting(lambda a: a[start] / a[:, start])


def soft(p):
    """A softmax of an eigenvector."""
    return np.exp(p) / np.exp(p).sum()


def softened(a):
    """Where the uniform row ends if every step through A is followed by a softmax."""
    p = np.full(len(a), 1 / len(a))
    for _ in range(200):
        p = soft(p @ a)
    return p


def of_rows(a):
    """A row of the matrix of eigenvectors: the one whose number belongs to the eigenvalue 1."""
    values, vectors = np.linalg.eig(a)
    return vectors[abs(values - 1).argmin()].real


def exactly(a, otherwise):
    """The eigenvector whose eigenvalue is 1 to the last digit; a number for each token where there is none."""
    values, vectors = np.linalg.eig(a.T)
    found = vectors[:, values == 1].real
    return found[:, 0] / found[:, 0].sum() if found.size else np.full(len(a), otherwise)


def squared(a):
    """A squared a hundred times, and never normalised; nothing is left that more would change."""
    for _ in range(100):
        a = a @ a
    return a


def weights(rng, n):
    """A random stochastic matrix."""
    return softmax(rng.normal(size=(n, n)) * 1.5)


def stationary(a):
    """The stationary distribution, by solving p (A − I) = 0 together with Σ p = 1."""
    n = len(a)
    return np.linalg.lstsq(np.vstack([a.T - np.eye(n), np.ones(n)]), np.r_[np.zeros(n), 1.0], rcond=None)[0]


EXERCISE = Exercise(
    "4.5",
    "where attention settles",
    "From scores to shares",
    "stationary(A)",
    stationary,
    settle,
    another=(
        """\
def stationary(A):
    n = len(A)
    equations = np.vstack([A.T - np.eye(n), np.ones(n)])
    return np.linalg.lstsq(equations, np.r_[np.zeros(n), 1.0], rcond=None)[0]
""",
        "p A = p and Σ p = 1 are linear equations: no eigenvector and no loop is needed.",
    ),
    hints=(
        "Send a row of weights through A again and again, p ← p A. What does it no longer do in the end?",
        "p A = p: a left eigenvector of A for the eigenvalue 1, that is, an eigenvector of Aᵀ.",
        "Either many steps p ← p A, or an eigenvector of Aᵀ divided by its sum.",
    ),
    cases=lambda rng: (
        [(weights(rng, n),) for n in (2, 3, 5, 1)]
        + [(np.array([[0.9, 0.1], [0.6, 0.4]])[::s, ::s],) for s in (1, -1)]
        + [(np.array([[0.96, 0.04], [0.06, 0.94]]),), (np.array([[0.992, 0.008], [0.012, 0.988]]),)]
    ),  # settle slowly: the second eigenvalues are 0.9 and 0.98
    misconceptions=(
        wrong(
            "right_vector",
            "It gives every token the same weight: the right eigenvector, and that of every A.",
            "A1 = 1 holds for every stochastic matrix and tells nothing; the left one, p A = p, is asked for.",
            {"scale": lambda p: p * 0 + p[0] / p.sum()},
            {"scale": lambda p: p * 0 + p[-1] / p.sum()},
            {"scale": lambda p: p * 0 + 1.0},
            {"side": lambda a: a, "scale": lambda p: p},
            {"side": lambda a: a, "scale": lambda p: abs(p)},
            ask="Is A p = p or p A = p asked for?",
            side=lambda a: a,
        ),
        wrong(
            "smallest",
            "It takes the eigenvector of the smallest eigenvalue.",
            "The one that stays is that of the eigenvalue 1, the largest.",
            dict(pick=lambda w: abs(w).argmin(), scale=lambda p: abs(p) / abs(p).sum()),
            dict(pick=lambda w: abs(w).argmin(), scale=lambda p: abs(p) / abs(p).sum(), real=lambda p: p),
            pick=lambda w: abs(w).argmin(),
            scale=lambda p: p / p.sum(),
        ),
        wrong(
            "euclidean",
            "It leaves the eigenvector at Euclidean length 1.",
            "Weights must sum to 1: divide by the sum.",
            {"scale": lambda p: p},
            {"scale": lambda p: abs(p)},
            scale=signed(lambda p: p),
        ),
        wrong(
            "sign",
            "It leaves the eigenvector with a negative sign.",
            "Weights are positive; dividing by the sum settles sign and size together.",
            scale=signed(lambda p: -p),
        ),
        wrong(
            "largest_one",
            "It makes the largest entry 1.",
            "The entries must sum to 1.",
            scale=lambda p: p / p.sum() / (p / p.sum()).max(),
        ),
        wrong(
            "complex",
            "It returns complex numbers with imaginary part 0.",
            "np.linalg.eig may answer in complex numbers; take the real part.",
            dict(real=lambda x: x),
            real=lambda x: x.astype(complex),
        ),
        wrong(
            "exactly_one",
            "It looks for an eigenvalue that equals 1 exactly, and often there is none.",
            "Computed eigenvalues are rounded: take the one nearest to 1.",
            dict(whole=lambda a: exactly(a, 0.0)),
            whole=lambda a: exactly(a, np.nan),
        ),
        wrong(
            "squared_away",
            "It squares A so often that its rounding, doubled each time, leaves 0 or ∞.",
            "After 60 squarings nothing moves any more. Divide the rows by their sums after each, or stop there.",
            dict(whole=lambda a: squared(a)[-1] / squared(a)[-1].sum()),
            dict(whole=lambda a: squared(a)[0]),
            dict(whole=lambda a: squared(a).mean(0)),
            whole=lambda a: squared(a)[0] / squared(a)[0].sum(),
        ),
        wrong(
            "column_means",
            "It takes the mean of each column: one step from the uniform row, not the limit.",
            "Go on until p A = p.",
            side=stepped(1),
        ),
        wrong(
            "few_steps",
            "It stops before p has settled: some chains need more steps.",
            "Every step shrinks what is left by the second eigenvalue; go on until p A = p, or solve for it.",
            dict(side=stepped(2, 0)),
            dict(side=stepped(3, 0)),
            dict(side=stepped(4, 0)),
            dict(side=stepped(5, 0)),
            dict(side=stepped(10, 0)),
            dict(side=stepped(20, 0)),
            dict(side=stepped(50, 0)),
            dict(side=stepped(100, 0)),
            dict(side=stepped(200, 0)),
            dict(side=stepped(500, 0)),
            dict(side=stepped(2)),
            dict(side=stepped(3)),
            dict(side=stepped(4)),
            dict(side=stepped(5)),
            dict(side=stepped(10)),
            dict(side=stepped(20)),
            dict(side=stepped(50)),
            dict(side=stepped(100)),
            dict(side=stepped(200)),
            dict(side=stepped(500)),
            *({"side": stepped(k)} for k in (2, 3, 4, 5, 10, 20, 100)),
            *({"side": stepped(k, 0)} for k in (5, 10, 20, 50, 100)),
            side=stepped(50),
        ),
        wrong(
            "first_vector",
            "It takes the first eigenvector, whichever eigenvalue it has.",
            "np.linalg.eig gives no order; pick the one whose eigenvalue is 1.",
            pick=lambda w: 0,
        ),
        wrong(
            "one_row",
            "It returns a row of A itself: one step from one token, not the limit.",
            "Go on until p A = p.",
            {"side": lambda a: np.tile(a[-1][:, None], (1, len(a)))},
            side=lambda a: np.tile(a[0][:, None], (1, len(a))),
        ),
        wrong(
            "diagonal",
            "It returns the diagonal, brought to a sum of 1.",
            "How much a token looks at itself is not how much arrives there in the end.",
            side=lambda a: np.tile(np.diag(a)[:, None], (1, len(a))),
        ),
        wrong(
            "all_rows",
            "It returns the whole limit of Aᵏ, a matrix; each of its rows is the answer.",
            "One row of weights is asked for, (n,).",
            *(dict(whole=lambda a, k=k: np.linalg.matrix_power(a, k)) for k in (10, 20, 50, 100, 200, 300, 500, 1000)),
            scale=lambda p: np.tile(p / p.sum(), (len(p), 1)),
        ),
        wrong(
            "first_digits",
            "It is right to the first digits only: it stops as soon as a step moves little, or after too few steps.",
            "A small step is not a small distance: with a second eigenvalue near 1 many small steps are left. "
            "Go on to rounding, or solve for p.",
            *(
                dict(side=until(small, start, size))
                for small in (1e-3, 1e-4, 1e-5, 1e-6)
                for start in (None, 0, -1)
                for size in (lambda step: abs(step).max(), lambda step: abs(step).sum(), np.linalg.norm)
            ),
            side=until(1e-6),
        ),
        wrong(
            "symmetric",
            "It treats A as if it were symmetric (eigh).",
            "A is not symmetric: np.linalg.eig of Aᵀ, or p A = p solved as equations.",
            dict(side=resting(lambda a: np.linalg.eigh(a)[1][:, -1])),
            side=resting(lambda a: np.linalg.eigh(a.T)[1][:, -1]),
        ),
        wrong(
            "singular",
            "It takes a singular vector in place of an eigenvector.",
            "A singular vector is what A stretches most, not what A leaves as it is.",
            dict(side=resting(lambda a: abs(np.linalg.svd(a)[0][:, 0]))),
            side=resting(lambda a: abs(np.linalg.svd(a)[2][0])),
        ),
        wrong(
            "row_of_vectors",
            "It takes a row of the matrix of eigenvectors.",
            "np.linalg.eig has its eigenvectors in columns: vectors[:, k].",
            dict(side=resting(lambda a: of_rows(a))),
            side=resting(lambda a: of_rows(a.T)),
        ),
        wrong(
            "reversible",
            "It reads p off the ratios A_ij / A_ji, as if p_i A_ij were p_j A_ji.",
            "That holds for some matrices, called reversible; here p A = p is all that is known.",
            dict(side=ratios(-1)),
            side=ratios(0),
        ),
        wrong(
            "no_sum",
            "It solves p A = p alone, which p = 0 solves too.",
            "Any multiple of p solves it: the sum of 1 must be asked for, as one more equation or by a division.",
            scale=lambda p: p * 0,
        ),
        wrong(
            "softmaxed",
            "It takes a softmax of p, or of an eigenvector, to make it sum to 1.",
            "An eigenvector is known up to a factor: divide by its sum, and it stays an eigenvector.",
            {"scale": signed(soft)},
            {"scale": soft},
            {"scale": lambda p: soft(p / p.sum())},
            {"whole": softened},
            {"scale": lambda p: soft(-p * np.sign(p.sum()))},
            scale=lambda p: soft(p * np.sign(p.sum())),
        ),
        wrong(
            "largest_of_columns",
            "It takes the largest, or the product, of each column.",
            "p_j is what flows to j: Σ p_i A_ij.",
            dict(side=resting(lambda a: a.prod(0))),
            side=resting(lambda a: a.max(0)),
        ),
    ),
    invariants=(
        ("The entries do not sum to 1.", lambda arguments, p: np.isclose(p.sum(), 1)),
        ("One more step through A changes it.", lambda arguments, p: np.allclose(p @ arguments[0], p)),
    ),
)
