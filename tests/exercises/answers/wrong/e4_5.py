# ruff: noqa
"""Wrong answers to 4.5; each docstring is the diagnosis on record."""

import numpy as np


def hand_1(A):
    """unnamed"""
    w, v = np.linalg.eig(A)
    return v[:, 0]


def hand_2(A):
    """few_steps"""
    p = np.ones(len(A)) / len(A)
    for _ in range(3):
        p = p @ A
    return p


def hand_3(A):
    """right_vector"""
    p = np.ones(len(A)) / len(A)
    for _ in range(300):
        p = A @ p
    return p


def hand_4(A):
    """euclidean complex"""
    w, v = np.linalg.eig(A.T)
    p = v[:, np.argmax(w)]
    return p


def hand_5(A):
    """column_means"""
    return A.mean(0)


def hand_6(A):
    """all_rows"""
    return np.linalg.matrix_power(A, 500)


def other_1(A):
    """right_vector"""
    w, v = np.linalg.eig(A)
    x = np.real(v[:, np.argmax(w.real)])
    return x / x.sum()


def other_2(A):
    """euclidean"""
    w, v = np.linalg.eig(A.T)
    return np.real(v[:, np.argmax(w.real)])


def other_3(A):
    """right_vector"""
    return np.ones(len(A)) / len(A)


def other_4(A):
    """column_means"""
    return A.mean(axis=0)


def other_5(A):
    """few_steps"""
    p = np.ones(len(A)) / len(A)
    for _ in range(5):
        p = p @ A
    return p


def other_6(A):
    """unnamed"""
    p = np.random.default_rng(0).random(len(A))
    p /= p.sum()
    for _ in range(500):
        p = A @ p
    return p


def other_7(A):
    """symmetric"""
    w, v = np.linalg.eigh(A.T)
    x = v[:, -1]
    return x / x.sum()


def other_8(A):
    """complex"""
    w, v = np.linalg.eig(A.T)
    x = v[:, np.argmax(w)].astype(complex)
    return x / x.sum()


def other_9(A):
    """first_vector"""
    w, v = np.linalg.eig(A.T)
    x = v[:, 0].real
    return x / x.sum()


def other_10(A):
    """all_rows"""
    return np.linalg.matrix_power(A, 200)


def other_11(A):
    """unnamed"""
    return (A ** 200)[0]


def other_12(A):
    """euclidean"""
    w, v = np.linalg.eig(A.T)
    x = np.abs(v[:, np.argmax(w.real)])
    return x / np.linalg.norm(x)


def other_13(A):
    """one_row"""
    return A[0]


def other_14(A):
    """diagonal"""
    return np.diag(A) / np.trace(A)


def slipped_1(A):
    """few_steps"""
    p = np.full(len(A), 1 / len(A))
    for _ in range(50):
        p = p @ A
    return p


def fresh_allclose_stop(A):
    """first_digits"""
    p = np.zeros(len(A))
    p[0] = 1
    for _ in range(100000):
        q = p @ A
        if np.allclose(p, q):
            break
        p = q
    return p


def fresh_eigh(A):
    """symmetric"""
    values, vectors = np.linalg.eigh(A.T)
    p = vectors[:, -1]
    return p / p.sum()


def fresh_matrix_power(A):
    """few_steps"""
    return np.linalg.matrix_power(A, 50)[0]


def fresh_row_of_vectors(A):
    """row_of_vectors"""
    values, vectors = np.linalg.eig(A.T)
    p = np.real(vectors[np.argmin(np.abs(values - 1))])
    return p / p.sum()


def fresh_singular_vector(A):
    """singular"""
    U, s, Vt = np.linalg.svd(A)
    p = np.abs(Vt[0])
    return p / p.sum()


def fresh_stops_too_soon(A):
    """first_digits"""
    p = np.full(len(A), 1 / len(A))
    while True:
        q = p @ A
        if np.abs(q - p).max() < 1e-6:
            return q
        p = q


def third_smallest(A):
    """smallest"""
    vals, vecs = np.linalg.eig(A.T)
    k = np.argmin(np.abs(vals))
    p = np.abs(np.real(vecs[:, k]))
    return p / p.sum()


def fresh_complex_numbers_left(A):
    """complex"""
    w, v = np.linalg.eig(A.T)
    p = v[:, np.argmin(np.abs(w - 1))]
    return p / p.sum()


def fresh_exact_comparison_with_one(A):
    """exactly_one"""
    w, v = np.linalg.eig(A.T)
    for lam, col in zip(w, v.T):
        if lam == 1:
            return col.real / col.real.sum()
    return np.full(len(A), np.nan)


def fresh_smallest_eigenvalue(A):
    """smallest"""
    w, v = np.linalg.eig(A.T)
    order = np.argsort(-np.abs(w))
    p = np.abs(v[:, order[-1]])
    return p / p.sum()


def fresh_softmaxed_every_step(A):
    """softmaxed"""
    p = np.ones(len(A)) / len(A)
    for _ in range(5000):
        p = p @ A
        e = np.exp(p - p.max())
        p = e / e.sum()
    return p
