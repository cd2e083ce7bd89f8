"""The equivalence matrix: many ways to compute one attention, all equal, in value and in gradient.

Every way takes q (*lead, h, n, d), k (*lead, g, m, d), v (*lead, g, m, e) and a mask that broadcasts to
(*lead, h, n, m), and is compared with loops over single numbers in float64. A case without heads has none of the
axes before n. Ways that cannot say a case (a library without empty rows, a cache without a future) name what they
leave out in `can`; nothing is skipped at run time.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import core, flash, heads, masks
from attn.cache import KVCache, decode, prefill
from attn.grads import attention_vjp

torch = pytest.importorskip("torch")
sdpa = torch.nn.functional.scaled_dot_product_attention


# ── the cases ───────────────────────────────────────────────────────────────────────────────────────────────


class Case(NamedTuple):
    """Sizes, a kind of mask, a dtype. h = None: no head axis, and none before it."""

    lead: tuple
    h: int | None
    g: int | None
    n: int
    m: int
    d: int
    e: int
    mask: str
    dtype: str

    def __str__(self):
        sizes = f"{self.lead}h{self.h}g{self.g}n{self.n}m{self.m}d{self.d}e{self.e}".replace(" ", "")
        return f"{sizes}-{self.mask}-{self.dtype}"


SIZES = [
    ((), None, None, 3, 5, 7, 11),
    ((), None, None, 5, 3, 2, 4),
    ((), None, None, 1, 1, 1, 1),
    ((), 3, 3, 4, 4, 5, 5),
    ((), 6, 3, 7, 7, 2, 5),
    ((2,), 3, 3, 5, 6, 4, 4),
    ((2,), 6, 2, 4, 7, 3, 8),
    ((3,), 2, 1, 6, 2, 3, 3),
    ((1,), 2, 2, 1, 9, 8, 8),
    ((2, 3), 4, 1, 2, 6, 5, 2),
]
MASKS = {
    "none": lambda rng, shape: None,
    "causal": lambda rng, shape: masks.causal(*shape[-2:]),
    "top_left": lambda rng, shape: masks.causal(*shape[-2:], offset=0),
    "window": lambda rng, shape: masks.sliding_window(*shape[-2:], left=1, right=1),
    "padding": lambda rng, shape: np.arange(shape[-1]) < max(1, shape[-1] - 2),
    "some": lambda rng, shape: _somewhere(rng, shape),
    "shared": lambda rng, shape: _somewhere(rng, shape[-2:]),
    "float": lambda rng, shape: rng.normal(size=shape),
    "float_inf": lambda rng, shape: np.where(_somewhere(rng, shape), rng.normal(size=shape), -np.inf),
    "empty_rows": lambda rng, shape: _somewhere(rng, shape) & (np.arange(shape[-2]) % 2 == 1)[:, None],
    "empty_float": lambda rng, shape: np.where(np.arange(shape[-2]) % 2 == 0, -np.inf, 0.5)[:, None] * np.ones(shape),
    "nothing": lambda rng, shape: np.zeros(shape, bool),
}
TOLERANCE = {"float64": 1e-13, "float32": 2e-6, "float16": 2e-3}


def _somewhere(rng, shape):
    """A random boolean mask in which every query has at least one key."""
    mask = rng.random(shape) < 0.6
    mask[..., 0] |= ~mask.any(-1)
    return mask


def all_cases():
    """Every size with every mask in float64, and every other one in a narrower dtype too, by turns."""
    for i, sizes in enumerate(SIZES):
        for j, mask in enumerate(MASKS):
            yield Case(*sizes, mask, "float64")
            if (i + j) % 4 < 2:
                yield Case(*sizes, mask, ("float32", "float16")[(i + j) % 4])


@cache
def problem(case):
    """(q, k, v, mask) of a case, the same each time; arrays are read-only, so that no way can spoil another's."""
    rng = np.random.default_rng([*case.lead, case.n, case.m, case.d, len(case.mask)])
    outer = [] if case.h is None else [*case.lead, case.h]
    inner = [] if case.h is None else [*case.lead, case.g]
    shapes = [*outer, case.n, case.d], [*inner, case.m, case.d], [*inner, case.m, case.e]
    arrays = [rng.normal(size=shape).astype(case.dtype) for shape in shapes]
    mask = MASKS[case.mask](rng, (*outer, case.n, case.m))
    mask = mask.astype(case.dtype) if mask is not None and mask.dtype != bool else mask
    for array in (*arrays, *([] if mask is None else [mask])):
        array.setflags(write=False)
    return *arrays, mask


def four_axes(q, k, v, mask):
    """The same problem as (batch, h, n, d), (batch, g, m, ·), with the mask spread to (batch, h, n, m)."""
    shape = (*q.shape[:-1], k.shape[-2])
    mask = None if mask is None else np.broadcast_to(mask, shape)
    given = (x if x is None or x.ndim > 2 else x[None] for x in (q, k, v, mask))
    return [x if x is None else x.reshape(-1, *x.shape[-3:]) for x in given]


def repeated(q, k, v):
    """k and v with one head for each of q's."""
    if q.ndim == 2:
        return k, v
    times = q.shape[-3] // k.shape[-3]
    return heads.repeat_kv(k, times), heads.repeat_kv(v, times)


# ── the reference: single numbers ───────────────────────────────────────────────────────────────────────────


def loops(q, k, v, mask):
    """Attention by hand: one number at a time, in Python's own floats and exact sums."""
    k, v = repeated(q, k, v)
    y = np.zeros((*q.shape[:-1], v.shape[-1]))
    bias = np.broadcast_to(additive(mask, np.float64), (*q.shape[:-1], k.shape[-2]))
    for index in np.ndindex(q.shape[:-1]):
        keys, values = k[index[:-1]].tolist(), v[index[:-1]].tolist()
        weights = [math.exp(_dot(q[index].tolist(), key) / math.sqrt(len(key)) + more)
                   for key, more in zip(keys, bias[index].tolist(), strict=True)]  # fmt: skip
        total = math.fsum(weights)
        y[index] = [_dot(weights, column) / total if total else 0 for column in zip(*values, strict=True)]
    return y


def _dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


@cache
def expected(case):
    return loops(*problem(case))


# ── the ways ────────────────────────────────────────────────────────────────────────────────────────────────


def additive(mask, dtype):
    """A mask as numbers to add: 0 and −inf for a boolean one."""
    if mask is None:
        return 0.0
    return np.where(mask, 0.0, -np.inf).astype(dtype) if mask.dtype == bool else mask


def one_line(q, k, v, mask):
    k, v = repeated(q, k, v)
    s = q @ k.mT / math.sqrt(q.shape[-1]) + additive(mask, q.real.dtype)
    e = np.exp(s - np.maximum(s.real.max(-1, keepdims=True), -1e30))
    return e @ v / np.where((total := e.sum(-1, keepdims=True)) == 0, 1, total)


def einsum(q, k, v, mask):
    k, v = repeated(q, k, v)
    s = np.einsum("...nd,...md->...nm", q, k) / math.sqrt(q.shape[-1])
    s = s if mask is None else s + additive(mask, s.real.dtype)
    e = np.exp(s)
    a = np.einsum("...nm,...n->...nm", e, 1 / np.where(e.sum(-1) == 0, 1, e.sum(-1)))
    return np.einsum("...nm,...me->...ne", a, v)


def wide(attend):
    """Half precision is computed in float32, as the library does."""

    def computed(q, k, v, mask):
        dtype = np.float32 if q.dtype == np.float16 else q.dtype
        mask = mask.astype(dtype) if mask is not None and mask.dtype != bool else mask
        return attend(*(x.astype(dtype) for x in (q, k, v)), mask).astype(q.dtype)

    return computed


def in_core(q, k, v, mask):
    return core.scaled_dot_product_attention(q, *repeated(q, k, v), mask)


def by_steps(q, k, v, mask):
    return core.trace(q, *repeated(q, k, v), mask).output


def in_groups(q, k, v, mask):
    if q.ndim == 2:
        q, k, v = q[None], k[None], v[None]
        return heads.grouped_query_attention(q, k, v, mask)[0]
    return heads.grouped_query_attention(q, k, v, mask)


def in_blocks(**options):
    return lambda q, k, v, mask: flash.flash_attention(q, k, v, mask, **options)


def in_causal_blocks(q, k, v, mask):
    """The mask said as a flag, not as a matrix."""
    return flash.flash_attention(q, k, v, is_causal=True, block=(2, 3))


def token_by_token(q, k, v, mask):
    """The keys before the first query are there already; then one query, one key, one value at a time."""
    n, m = q.shape[-2], k.shape[-2]
    cache = KVCache().append(k[..., : m - n, :], v[..., : m - n, :])
    rows = []
    for i in range(n):
        now = slice(m - n + i, m - n + i + 1)
        cache.append(k[..., now, :], v[..., now, :])
        rows.append(decode(q[..., i : i + 1, :], cache))
    return np.concatenate(rows, axis=-2)


def prompt_then_tokens(q, k, v, mask):
    half = q.shape[-2] // 2
    y, cache = prefill(q[..., :half, :], k[..., :half, :], v[..., :half, :])
    cache.append(k[..., half:, :], v[..., half:, :])
    return np.concatenate([y, decode(q[..., half:, :], cache)], axis=-2)


def _as_layer(q, k, v):
    """q, k, v as one layer would make them: x holds the queries of all heads side by side, memory keys and values."""
    x, memory = heads.merge(q), np.concatenate([heads.merge(k), heads.merge(v)], axis=-1)
    keys, values = np.split(np.eye(memory.shape[-1], dtype=q.dtype), [k.shape[-3] * k.shape[-1]], axis=1)
    return x, memory, np.eye(x.shape[-1], dtype=q.dtype), keys, values


def as_multi_head_layer(q, k, v, mask):
    x, memory, w_q, w_k, w_v = _as_layer(q, k, v)
    h, g, w_o = q.shape[-3], k.shape[-3], np.eye(q.shape[-3] * v.shape[-1], dtype=q.dtype)
    y = heads.multi_head_attention(x, w_q, w_k, w_v, w_o, heads=h, kv_heads=g, memory=memory, mask=mask)
    return heads.split(y, h)


def as_sum_over_heads(q, k, v, mask):
    """Each head alone through its own rows of W_O, then added: Σ_t Oᵗ W_Oᵗ."""
    h, e = q.shape[-3], v.shape[-1]
    k, v = repeated(q, k, v)
    mask = mask if mask is None else np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))
    parts = []
    for t in range(h):
        own = [None if x is None else x[..., t, :, :] for x in (q, k, v, mask)]
        one = core.scaled_dot_product_attention(*own)
        parts.append(one @ np.eye(h * e, dtype=q.dtype)[t * e : (t + 1) * e])
    return heads.split(sum(parts), h)


def as_block_diagonal(q, k, v, mask):
    """All heads as one: block-diagonal Q, K and V, and a mask that keeps each head to its own keys."""
    k, v = repeated(q, k, v)
    (h, n, d), (m, e) = q.shape[-3:], v.shape[-2:]
    mask = np.broadcast_to(np.bool_(True) if mask is None else mask, (*q.shape[:-1], m))
    y = np.empty((*q.shape[:-1], e), q.dtype)
    for index in np.ndindex(q.shape[:-3]):
        own = heads.block_diagonal(np.ones((h, n, m))).astype(bool)
        laid = np.where(own, heads.block_diagonal(additive(mask[index], q.dtype)), -np.inf)
        big = [heads.block_diagonal(x[index]) for x in (q, k, v)]
        out = core.scaled_dot_product_attention(*big, laid, scale=d**-0.5)
        y[index] = [out[t * n : (t + 1) * n, t * e : (t + 1) * e] for t in range(h)]
    return y


def onnx_style(q, k, v, mask):
    """The ONNX operator's convention: heads side by side in the last axis, √scale on both sides, groups repeated."""
    h, g = q.shape[-3], k.shape[-3]
    q3, k3, v3 = heads.merge(q), heads.merge(k), heads.merge(v)
    b, n, m = q3.shape[0], q3.shape[1], k3.shape[1]
    root = (q.shape[-1] ** -0.5) ** 0.5
    q4 = q3.reshape(b, n, h, -1).transpose(0, 2, 1, 3) * root
    k4, v4 = (np.repeat(x.reshape(b, m, g, -1).transpose(0, 2, 1, 3), h // g, axis=1) for x in (k3, v3))
    s = np.matmul(q4, k4.transpose(0, 1, 3, 2) * root) + additive(mask, q.dtype)
    e = np.exp(s - np.maximum(s.max(-1, keepdims=True), -1e30))
    y = np.matmul(e / np.maximum(e.sum(-1, keepdims=True), 1e-30), v4)
    return y.transpose(0, 2, 1, 3).reshape(b, n, -1).reshape(b, n, h, -1).transpose(0, 2, 1, 3)


def tensors(*arrays):
    return [None if x is None else torch.from_numpy(np.array(x)) for x in arrays]


def in_torch(form):
    """torch's own function, the mask said in one of its three ways."""

    def attend(q, k, v, mask):
        shape = (*q.shape[:-1], v.shape[-1])
        q, k, v, mask = four_axes(q, k, v, mask)
        if form == "float" and mask is not None:
            mask = additive(mask, q.dtype)
        q, k, v, mask = tensors(q, k, v, None if form == "is_causal" else mask)
        y = sdpa(q, k, v, mask, is_causal=form == "is_causal", enable_gqa=q.shape[1] != k.shape[1])
        return y.numpy().reshape(shape)

    return attend


def multihead_module(q, k, v, mask):
    """nn.MultiheadAttention with identity projections; its masks say True = blocked."""
    q, k, v = (torch.cat(list(x.unbind(1)), -1) for x in (q, k, v))
    h, c = mask.shape[1], q.shape[-1]
    module = torch.nn.MultiheadAttention(c, h, bias=False, batch_first=True, dtype=q.dtype)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.eye(c, dtype=q.dtype).repeat(3, 1))
        module.out_proj.weight.copy_(torch.eye(c, dtype=q.dtype))
    blocked = ~mask if mask.dtype == torch.bool else mask
    y, _ = module(q, k, v, attn_mask=blocked.flatten(0, 1))
    return torch.stack(y.split(c // h, -1), 1)


def in_module(q, k, v, mask):
    shape = (*q.shape[:-1], v.shape[-1])
    mask = np.ones((*q.shape[:-1], k.shape[-2]), bool) if mask is None else mask
    return multihead_module(*tensors(*four_axes(q, k, v, mask))).detach().numpy().reshape(shape)


class Way(NamedTuple):
    attend: callable
    can: callable = lambda case: True


def has_heads(case):
    return case.h is not None


def is_causal(case):
    return case.mask == "causal"


EMPTY = ("empty_rows", "empty_float", "nothing")


def rows_are_never_empty(case):
    """causal leaves early queries without keys where n > m, and so can a window."""
    return case.mask not in EMPTY and case.n <= case.m


WAYS = {
    "one_line": Way(wide(one_line)),
    "einsum": Way(wide(einsum)),
    "core": Way(in_core),
    "trace": Way(by_steps),
    "groups": Way(in_groups),
    "flash": Way(in_blocks()),
    "flash_1": Way(in_blocks(block=1)),
    "flash_2x3": Way(in_blocks(block=(2, 3))),
    "flash_3x2_workers": Way(in_blocks(block=(3, 2), workers=2)),
    "flash_64": Way(in_blocks(block=64)),
    "flash_causal": Way(in_causal_blocks, is_causal),
    "decode": Way(token_by_token, lambda case: is_causal(case) and case.n <= case.m),
    "prefill_decode": Way(prompt_then_tokens, lambda case: is_causal(case) and case.n == case.m),
    "multi_head": Way(as_multi_head_layer, has_heads),
    "head_sums": Way(as_sum_over_heads, has_heads),
    "block_diagonal": Way(as_block_diagonal, has_heads),
    "onnx": Way(wide(onnx_style), lambda case: has_heads(case) and len(case.lead) == 1),
    "torch_bool": Way(in_torch("bool"), lambda case: "float" not in case.mask),
    "torch_float": Way(in_torch("float")),
    "torch_is_causal": Way(in_torch("is_causal"), lambda case: case.mask == "top_left"),
    "torch_module": Way(
        in_module,
        lambda case: (
            has_heads(case)
            and (case.h, case.d) == (case.g, case.e)
            and rows_are_never_empty(case)
            and case.dtype != "float16"
        ),
    ),
}


def matrix(ways, cases):
    """Every way with every case that it can say."""
    return [(name, case) for name, way in ways.items() for case in cases if way.can(case)]


MATRIX = matrix(WAYS, list(all_cases()))


@pytest.mark.parametrize(("name", "case"), MATRIX, ids=str)
def test_every_way_gives_the_numbers_of_the_loops(name, case):
    q, k, v, mask = problem(case)
    y = WAYS[name].attend(q, k, v, mask)
    assert y.shape == (*q.shape[:-1], case.e)
    assert y.dtype == case.dtype
    np.testing.assert_allclose(y, expected(case), rtol=TOLERANCE[case.dtype], atol=TOLERANCE[case.dtype])


def test_the_matrix_is_as_wide_as_it_claims():
    """What a typing mistake in `can` would silently take away."""
    cases = set(all_cases())
    covered = {name: sum(1 for way, _ in MATRIX if way == name) for name in WAYS}
    assert len(cases) == 180 and min(covered.values()) >= 5, covered
    assert {case for name, case in MATRIX if name == "core"} == cases
    assert {case.dtype for name, case in MATRIX if name == "decode"} == set(TOLERANCE)


@given(
    lead=st.lists(st.integers(1, 3), max_size=2),
    g=st.integers(1, 3),
    times=st.integers(1, 3),
    sizes=st.tuples(*[st.integers(1, 6)] * 4),
    kind=st.sampled_from(["none", "causal", "some", "float_inf", "empty_rows", "empty_float"]),
    block=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    seed=st.integers(0, 2**16),
)
def test_any_sizes_give_the_same_numbers(lead, g, times, sizes, kind, block, seed):
    rng = np.random.default_rng(seed)
    n, m, d, e = sizes
    q, k, v = (rng.normal(size=(*lead, *s)) for s in [(g * times, n, d), (g, m, d), (g, m, e)])
    mask = MASKS[kind](rng, (*lead, g * times, n, m))
    right = one_line(q, k, v, mask)
    ways = in_core, in_groups, in_blocks(block=block), as_multi_head_layer, as_sum_over_heads, in_torch("float")
    for attend in ways:
        np.testing.assert_allclose(attend(q, k, v, mask), right, rtol=1e-12, atol=1e-12)


# ── gradients ───────────────────────────────────────────────────────────────────────────────────────────────


def complex_step(attend):
    """The gradient of Σ dy · attend(q, k, v) by imaginary steps: exact to rounding, for what takes complex numbers.

    f(x + ih) = f(x) + ih f'(x) + O(h²): the imaginary part is the derivative, and nothing is subtracted, so h may be
    1e-200. All entries of an argument step at once, each in its own copy along a new first axis.
    """

    def gradient(q, k, v, mask, dy):
        found = []
        for t, x in enumerate((q, k, v)):
            steps = 1e-200j * np.eye(x.size).reshape(x.size, *x.shape)
            copies = [np.broadcast_to(a.astype(complex), (x.size, *a.shape)) for a in (q, k, v)]
            copies[t] = copies[t] + steps
            slopes = (dy * attend(*copies, mask).imag).reshape(x.size, -1).sum(-1) / 1e-200
            found.append(slopes.reshape(x.shape))
        return found

    return gradient


def by_hand(q, k, v, mask, dy):
    """The library's own backward pass; heads that share keys are an axis that k and v broadcast along."""
    if q.ndim == 2:
        return attention_vjp(q, k, v, dy, mask)
    g = k.shape[-3]
    cut = lambda x: x.reshape(*x.shape[:-3], g, -1, *x.shape[-2:])  # noqa: E731
    mask = mask if mask is None else cut(np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2])))
    found = attention_vjp(cut(q), k[..., None, :, :], v[..., None, :, :], cut(dy), mask)
    return [dx.reshape(x.shape) for dx, x in zip(found, (q, k, v), strict=True)]


def autograd(attend):
    """torch's own backward pass through one of its ways."""

    def gradient(q, k, v, mask, dy):
        shapes = [x.shape for x in (q, k, v)]
        *arguments, mask = tensors(*four_axes(q, k, v, mask))
        for x in arguments:
            x.requires_grad_()
        y = attend(*arguments, mask)
        y.backward(torch.from_numpy(np.array(dy)).reshape(y.shape))
        return [x.grad.numpy().reshape(shape) for x, shape in zip(arguments, shapes, strict=True)]

    return gradient


def torch_sdpa(q, k, v, mask):
    return sdpa(q, k, v, mask, enable_gqa=q.shape[1] != k.shape[1])


def torch_sdpa_float(q, k, v, mask):
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(~mask, -math.inf)
    return torch_sdpa(q, k, v, mask)


def torch_sdpa_causal(q, k, v, mask):
    return sdpa(q, k, v, is_causal=True, enable_gqa=q.shape[1] != k.shape[1])


def torch_module(q, k, v, mask):
    everyone = torch.ones((*q.shape[:-1], k.shape[-2]), dtype=torch.bool)
    return multihead_module(q, k, v, everyone if mask is None else mask)


GRADIENTS = {
    "by_hand": Way(by_hand),
    "einsum": Way(complex_step(einsum)),
    "torch_bool": Way(autograd(torch_sdpa)),
    "torch_float": Way(autograd(torch_sdpa_float)),
    "torch_is_causal": Way(autograd(torch_sdpa_causal), WAYS["torch_is_causal"].can),
    "torch_module": Way(autograd(torch_module), WAYS["torch_module"].can),
}
DIFFERENTIABLE = [case for case in all_cases() if case.dtype == "float64"]


@cache
def expected_gradient(case):
    return complex_step(one_line)(*problem(case), output_gradient(case))


def output_gradient(case):
    return np.random.default_rng(case.e).normal(size=expected(case).shape)


@pytest.mark.parametrize(("name", "case"), matrix(GRADIENTS, DIFFERENTIABLE), ids=str)
def test_every_way_has_the_same_gradient(name, case):
    found = GRADIENTS[name].attend(*problem(case), output_gradient(case))
    for dx, right in zip(found, expected_gradient(case), strict=True):
        np.testing.assert_allclose(dx, right, rtol=1e-10, atol=1e-12)


SLOPED = {name: WAYS[name] for name in ("core", "groups", "flash_2x3", "decode", "multi_head", "block_diagonal")}


@pytest.mark.parametrize(("name", "case"), matrix(SLOPED, DIFFERENTIABLE), ids=str)
def test_ways_without_a_backward_pass_slope_as_the_gradient_says(name, case):
    """One random direction through q, k and v together: (f(x + hu) − f(x − hu)) / 2h = gradient · u."""
    *arguments, mask = problem(case)
    rng, h, dy = np.random.default_rng(case.n), 1e-5, output_gradient(case)
    directions = [rng.normal(size=x.shape) for x in arguments]
    ends = [
        (dy * WAYS[name].attend(*(x + t * u for x, u in zip(arguments, directions, strict=True)), mask)).sum()
        for t in (h, -h)
    ]
    right = sum((dx * u).sum() for dx, u in zip(expected_gradient(case), directions, strict=True))
    assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(right, rel=1e-7, abs=1e-7)
