"""Memory as a matrix: what attention becomes when keys and values are not kept but written into one d × e matrix.

    forget:  Z ← α Z          write:  Z ← Z + β kᵀ(v − kZ)          read:  y = q Z

Adding writes v itself, without the correction −kZ (`erase=False`). Four memories are one recurrence: adding (linear
attention), adding with decay (RetNet, Mamba-2), correcting (the delta rule), correcting with decay (gated delta).
All four are linear in the values, so each is also one causal matrix C with Y = C V. Tokens are rows here; papers that
keep the state as (e, d) multiply it from the other side.
Source: Katharopoulos et al. (2020); Schlag et al. (2021); Yang et al. (2024), "parallelizing" and "gated".
"""

import numpy as np

from attn.axes import expect, numeric, whole, working


def write(state, k, v, beta=1.0, *, erase=True):
    """The state after one more pair: k moves what it reads towards v.

        Z + β kᵀ(v − kZ)  =  (I − β kᵀk) Z + β kᵀv        (erase=False: Z + β kᵀv)

    state: (..., d, e)   k: (..., d)   v: (..., e)   beta: (...)   ->   (..., d, e), a new array.
    One gradient step of size β on ½‖kZ − v‖². Along k the old state is multiplied by 1 − β‖k‖²: with β = 1 and a unit
    key it is replaced, with β‖k‖² > 2 it grows. Raises ValueError where axes disagree.
    Source: Schlag et al. (2021); the rule is Widrow and Hoff's (1960).

        >>> write(np.zeros((2, 1)), [1.0, 0.0], [5.0])
        array([[5.],
               [0.]])
    """
    state, k, v, beta = numeric(state=state, k=k, v=v, beta=beta)
    expect(state=(state, "... d e"), k=(k, "... d"), v=(v, "... e"))
    (state, k, v, beta), dtype = working(state, k, v, beta)
    return _written(state, k, v, beta, erase)[0].astype(dtype, copy=False)


def recurrent(q, k, v, *, beta=None, alpha=None, erase=True, state=None):
    """Token by token: forget, write, read.

        Z_i = α_i Z_{i−1} + β_i k_iᵀ(v_i − α_i k_i Z_{i−1}),   y_i = q_i Z_i

    q, k: (..., n, d)   v: (..., n, e)   beta, alpha: (..., n), 1 unless given   ->   (y: (..., n, e), Z: (..., d, e)).
    A token with β = 0 and α = 1 leaves no trace (padding). Pass the state back in to go on where a sequence stopped.
    Raises ValueError where axes disagree. Source: Yang et al. (2024), "Gated Delta Networks".

        >>> k, v = np.eye(2), np.array([[5.0], [7.0]])
        >>> recurrent(k, k, v)[0]
        array([[5.],
               [7.]])
    """
    (q, k, v, beta, alpha), dtype, state = _prepared(q, k, v, beta, alpha, state)
    outputs = np.empty((*np.broadcast_shapes(q.shape[:-2], state.shape[:-2]), q.shape[-2], v.shape[-1]), v.dtype)
    for i in range(q.shape[-2]):
        state = alpha[..., i, None, None] * state
        state, _ = _written(state, k[..., i, :], v[..., i, :], beta[..., i], erase)
        outputs[..., i, :] = (q[..., i, None, :] @ state)[..., 0, :]
    return outputs.astype(dtype, copy=False), state.astype(dtype, copy=False)


def chunked(q, k, v, *, beta=None, alpha=None, erase=True, state=None, block=64):
    """The same, a block of tokens at a time: products of matrices, and one triangular system a block.

        (I + N) U = diag(β)(V − g ∘ KZ),   N_ij = β_i Γ_ij k_i·k_j for j < i,   g_i = α_1 … α_i
        Y = g ∘ QZ + (Γ ∘ QKᵀ) U,          Z ← g_n Z + (Γ_n ∘ Kᵀ) U

    Arguments and results as `recurrent`; every block size gives the same y: (..., n, e) and state: (..., d, e).
    U holds the values as they are really written, each corrected for what its block wrote before it.
    Raises ValueError where axes disagree or block < 1, TypeError for a block that is not whole. Source: Yang et al.
    (2024), "Parallelizing Linear Transformers with the Delta Rule"; the products of factors are Bischof and Van Loan's
    (1987).

        >>> k, v = np.eye(2), np.array([[5.0], [7.0]])
        >>> chunked(k, k, v, block=1)[0]
        array([[5.],
               [7.]])
    """
    block = whole("block", block, least=1)
    (q, k, v, beta, alpha), dtype, state = _prepared(q, k, v, beta, alpha, state)
    outputs = []
    for start in range(0, q.shape[-2], block):
        here = slice(start, start + block)
        y, state = _block(*(x[..., here, :] for x in (q, k, v)), beta[..., here], alpha[..., here], erase, state)
        outputs.append(y)
    y = np.concatenate(outputs, axis=-2) if outputs else np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    return y.astype(dtype, copy=False), state.astype(dtype, copy=False)


def decay_mask(alpha):
    """What is left at token i of what token j wrote, if every token forgets a little.

        Γ_ij = α_{j+1} · α_{j+2} ⋯ α_i  for j ≤ i,   0 for j > i

    alpha: (..., n)   ->   (..., n, n). The diagonal is 1: a token's own write has not faded yet. The products are taken
    down the columns; a quotient of cumulative products would be 0/0 after some thousand tokens.
    Source: Sun et al. (2023), the matrix D of retention, for one α; Dao and Gu (2024), "1-semiseparable", for many.

        >>> decay_mask([1.0, 0.5, 0.5])
        array([[1.  , 0.  , 0.  ],
               [0.5 , 1.  , 0.  ],
               [0.25, 0.5 , 1.  ]])
    """
    alpha = numeric(alpha=alpha)
    expect(alpha=(alpha, "... n"))
    n = alpha.shape[-1]
    factors = np.where(np.tri(n, k=-1, dtype=bool), alpha[..., :, None], alpha.dtype.type(1))
    with np.errstate(under="ignore"):  # what has faded to nothing is nothing
        return np.cumprod(factors, axis=-2) * np.tri(n, dtype=alpha.dtype)


def matrix(q, k, *, beta=None, alpha=None, erase=True):
    """The memory as one causal matrix: what each question sees of each write.

        Y = C V,   C = (Γ ∘ QKᵀ)(I + N)⁻¹ diag(β)

    q, k: (..., n, d)   ->   (..., n, n), 0 above the diagonal. Rows need not sum to one, and entries may be negative.
    A memory linear in V shows its matrix when it is fed the identity as values; that is what is done here.
    Raises ValueError where axes disagree.
    Source: Yang et al. (2024), "Parallelizing Linear Transformers with the Delta Rule".

        >>> matrix(np.ones((2, 2)), np.eye(2))
        array([[1., 0.],
               [1., 1.]])
    """
    n = np.shape(k)[-2]
    return chunked(q, k, np.eye(n), beta=beta, alpha=alpha, erase=erase, block=max(n, 1))[0]


def rows_needed(block, error=0.01):
    """How many rows a memory needs to carry this block of a causal matrix, from the past to the future.

        min r:  ‖B − B_r‖ ≤ error · ‖B‖,   B_r the best matrix of rank r, in the Frobenius norm

    block: (..., future, past)   ->   integers (...). error = 0 asks for the rank; a B of zeros needs none.
    Source: Eckart and Young (1936).

        >>> int(rows_needed(np.outer([1.0, 2.0], [1.0, 3.0])))
        1
    """
    s = np.linalg.svd(numeric(block=block), compute_uv=False)
    tail = np.sqrt((s[..., ::-1] ** 2).cumsum(-1)[..., ::-1])  # what is lost if rows r, r + 1, … are dropped
    floor = np.finfo(s.dtype).eps * max(np.shape(block)[-2:]) * s[..., :1]  # a rank is decided as NumPy decides it
    return (tail > np.maximum(error * tail[..., :1], floor)).sum(-1)


def memory_vjp(q, k, v, d_output, *, beta=None, alpha=None, erase=True, d_state=0.0):
    """The gradients of a loss by q, k, v, β and α, from its gradient by the outputs: the recurrence, backwards.

        dZ ← dZ + qᵀdy,   dq = dy Zᵀ,   du = k dZ,   dk = u dZᵀ,   with u = β(v − kZ̃), Z̃ = αZ₋
        dv = β du,   dβ = (v − kZ̃)·du,   and through the correction:   dk ← dk − β du Z̃ᵀ,   dZ ← dZ − β kᵀdu
        dα = ⟨Z₋, dZ⟩,   dZ₋ = α dZ

    Shapes as in `recurrent`; d_output: (..., n, e), d_state: (..., d, e), the gradient by the last state.
    ->   (dq, dk, dv, dβ, dα), shaped (..., n, d), (..., n, d), (..., n, e), (..., n), (..., n). Every state is kept on
    the way there. Raises ValueError where axes disagree. Source: ours, the chain rule.

        >>> [np.shape(dx) for dx in memory_vjp(*[np.ones((3, 2))] * 4)]
        [(3, 2), (3, 2), (3, 2), (3,), (3,)]
    """
    d_y = numeric(d_output=d_output)
    (q, k, v, beta, alpha), _, state = _prepared(q, k, v, beta, alpha, None)
    expect(v=(v, "... n e"), d_output=(d_y, "... n e"))
    before = []
    for i in range(q.shape[-2]):
        before.append(state)
        state, _ = _written(alpha[..., i, None, None] * state, k[..., i, :], v[..., i, :], beta[..., i], erase)
    grads, d_z = [], d_state + np.zeros_like(state)
    for i in reversed(range(q.shape[-2])):
        *found, d_z = _step_back(
            *(x[..., i, :] for x in (q, k, v, d_y)), beta[..., i], alpha[..., i], erase, before[i], d_z
        )
        grads.append(found)
    *rows, d_beta, d_alpha = (parts[::-1] for parts in zip(*grads, strict=True))
    return (*(np.stack(parts, -2) for parts in rows), np.stack(d_beta, -1), np.stack(d_alpha, -1))


def _step_back(q, k, v, d_y, beta, alpha, erase, before, d_z):
    """One token of memory_vjp. -> dq, dk, dv, dβ, dα, dZ of the token before"""
    faded = alpha[..., None, None] * before
    state, missing = _written(faded, k, v, beta, erase)
    d_z = d_z + q[..., :, None] * d_y[..., None, :]
    d_u = _times(k, d_z)
    d_k = beta[..., None] * _times(missing, d_z.mT)
    d_missing = beta[..., None] * d_u
    if erase:
        d_k = d_k - _times(d_missing, faded.mT)
        d_z = d_z - k[..., :, None] * d_missing[..., None, :]
    d_beta, d_alpha = (missing * d_u).sum(-1), (before * d_z).sum((-2, -1))
    return _times(d_y, state.mT), d_k, d_missing, d_beta, d_alpha, alpha[..., None, None] * d_z


def _block(q, k, v, beta, alpha, erase, state):
    """Outputs of one block of tokens, and the state behind it."""
    mask, left = decay_mask(alpha), np.cumprod(alpha, -1)[..., None]
    u = beta[..., None] * (v - left * (k @ state) if erase else v)
    if erase:
        n = beta[..., None] * np.tril(mask * (k @ k.mT), -1)
        u = np.linalg.solve(np.eye(n.shape[-1], dtype=n.dtype) + n, u)
    y = left * (q @ state) + (mask * (q @ k.mT)) @ u
    return y, left[..., -1:, :] * state + k.mT @ (mask[..., -1, :, None] * u)


def _written(state, k, v, beta, erase):
    """The state after a write, and what was missing: v − kZ (or v, where nothing is erased)."""
    missing = v - _times(k, state) if erase else v
    return state + (beta[..., None] * k)[..., :, None] * missing[..., None, :], missing


def _times(row, matrix):
    return (row[..., None, :] @ matrix)[..., 0, :]


def _prepared(q, k, v, beta, alpha, state):
    """Everything as arrays of one dtype, with β and α of one number a token and a state to begin with."""
    q, k, v = numeric(q=q, k=k, v=v)
    n = q.shape[-2] if q.ndim > 1 else 0
    beta, alpha = (
        np.ones(n, q.dtype) if x is None else numeric(**{name: x}) for name, x in (("beta", beta), ("alpha", alpha))
    )
    expect(q=(q, "... n d"), k=(k, "... n d"), v=(v, "... n e"), beta=(beta, "... n"), alpha=(alpha, "... n"))
    parts, dtype = working(q, k, v, beta, alpha)
    if state is None:
        leading = np.broadcast_shapes(*(x.shape[:-2] for x in parts[:3]), *(x.shape[:-1] for x in parts[3:]))
        return parts, dtype, np.zeros((*leading, k.shape[-1], v.shape[-1]), parts[0].dtype)
    state = numeric(state=state)
    expect(k=(k, "... n d"), v=(v, "... n e"), state=(state, "... d e"))
    return parts, dtype, state.astype(parts[0].dtype, copy=False)
