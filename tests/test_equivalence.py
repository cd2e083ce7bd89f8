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
    """Sizes, a kind of mask, a dtype, a twist. h = None: no head axis, and none before it."""

    lead: tuple
    h: int | None
    g: int | None
    n: int
    m: int
    d: int
    e: int
    mask: str
    dtype: str
    twist: str

    def __str__(self):
        sizes = f"{self.lead}h{self.h}g{self.g}n{self.n}m{self.m}d{self.d}e{self.e}".replace(" ", "")
        return f"{sizes}-{self.mask}-{self.dtype}-{self.twist}"


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
    ((2, 3), 12, 1, 2, 6, 5, 2),
]
BANDS = {  # what flash_attention can be told in place of a mask
    "causal": {"is_causal": True},
    "top_left": {"is_causal": True, "offset": 0},
    "ahead": {"is_causal": True, "offset": 2},
    "behind": {"is_causal": True, "offset": -2},
    "window": {"window": (1, 1)},
    "window_behind": {"window": 2, "offset": -3},
}
MASKS = {
    "none": lambda rng, shape: None,
    **{name: lambda rng, shape, said=said: _band(*shape[-2:], **said) for name, said in BANDS.items()},
    "padding": lambda rng, shape: np.arange(shape[-1]) < max(1, shape[-1] - 2),
    "some": lambda rng, shape: _somewhere(rng, shape),
    "float": lambda rng, shape: rng.normal(size=shape),
    "float_inf": lambda rng, shape: np.where(_somewhere(rng, shape[-2:]), rng.normal(size=shape), -np.inf),
    "alibi": lambda rng, shape: _alibi(*((1, 1, *shape)[-3:])).reshape(shape[-3:]),
    "empty_rows": lambda rng, shape: _somewhere(rng, shape) & (np.arange(shape[-2]) % 2 == 1)[:, None],
    "empty_float": lambda rng, shape: np.where(np.arange(shape[-2]) % 2 == 0, -np.inf, 0.5)[:, None] * np.ones(shape),
    "nothing": lambda rng, shape: np.zeros(shape, bool),
}
TWISTS = {  # what is asked beside the mask, and what the arrays hold
    "plain": {},
    "scale": {"scale": 0.3},
    "negative": {"scale": -0.8},
    "capped": {"score_mod": lambda s: 2 * np.tanh(s / 2)},
    "nan_seen": {},  # in the first of the batch, for whoever may look
    "nan_hidden": {},  # in the first of the batch, where no query may look
}
TOLERANCE = {"float64": 1e-13, "float32": 2e-6, "float16": 2e-3}
DTYPES = ("float64", "float32", "float64", "float64", "float16")


def _somewhere(rng, shape):
    """A random boolean mask in which every query has at least one key."""
    mask = rng.random(shape) < 0.6
    mask[..., 0] |= ~mask.any(-1)
    return mask


def _band(n, m, *, is_causal=False, window=(99, 99), offset=None):
    """The band by its definition, written a second time so that attn.masks cannot agree with itself."""
    left, right = window if isinstance(window, tuple) else (window, 0)
    behind = np.arange(n)[:, None] + (m - n if offset is None else offset) - np.arange(m)
    return (behind <= left) & (behind >= (0 if is_causal else -right))


def _slopes(h):
    """ALiBi's slopes as published: a power of two by its formula, any other h filled up from the next power's."""
    if math.log2(h).is_integer():
        return [2 ** (-8 * t / h) for t in range(1, h + 1)]
    power = 2 ** math.floor(math.log2(h))
    return _slopes(power) + _slopes(2 * power)[0::2][: h - power]


def _alibi(h, n, m):
    return -np.array(_slopes(h))[:, None, None] * abs(np.arange(n)[:, None] + m - n - np.arange(m))


def all_cases():
    """Every size with every mask, dtypes and twists by turns."""
    for i, sizes in enumerate(SIZES):
        for j, mask in enumerate(MASKS):
            yield Case(*sizes, mask, DTYPES[(i + j) % len(DTYPES)], list(TWISTS)[(5 * i + j) % len(TWISTS)])


@cache
def problem(case):
    """(q, k, v, mask) of a case, the same each time; arrays are read-only, so that no way can spoil another's."""
    rng = np.random.default_rng([*case.lead, case.n, case.m, case.d, len(case.mask)])
    outer = [] if case.h is None else [*case.lead, case.h]
    inner = [] if case.h is None else [*case.lead, case.g]
    shapes = [*outer, case.n, case.d], [*inner, case.m, case.d], [*inner, case.m, case.e]
    arrays = [rng.normal(size=shape).astype(case.dtype) for shape in shapes]
    mask = MASKS[case.mask](rng, (*outer, case.n, case.m))
    if case.twist.startswith("nan"):
        _spoil(case, arrays)
    if case.twist == "nan_hidden":
        hidden = np.arange(case.m) == case.m - 1
        mask = ~hidden if mask is None else np.where(hidden, False if mask.dtype == bool else -np.inf, mask)
    mask = mask.astype(case.dtype) if mask is not None and mask.dtype != bool else mask
    for array in (*arrays, *([] if mask is None else [mask])):
        array.setflags(write=False)
    return *arrays, mask


def _spoil(case, arrays):
    """The last key's value (and, where it will be hidden, the key) is no number, in one of the batch only."""
    _, k, v = arrays
    first = (0,) * (k.ndim - 2)
    v[(*first, -1)] = np.nan
    if case.twist == "nan_hidden":
        k[(*first, -1)] = np.inf


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


def loops(q, k, v, mask, *, scale=None, score_mod=lambda s: s):
    """Attention by hand: one number at a time, in exact sums, over the keys that are not forbidden."""
    k, v = repeated(q, k, v)
    y = np.zeros((*q.shape[:-1], v.shape[-1]))
    bias = np.broadcast_to(additive(mask, np.float64), (*q.shape[:-1], k.shape[-2]))
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    for index in np.ndindex(q.shape[:-1]):
        keys, values = k[index[:-1]].tolist(), v[index[:-1]].tolist()
        seen = [j for j, more in enumerate(bias[index].tolist()) if more > -math.inf]
        scores = [float(score_mod(_dot(q[index].tolist(), keys[j]) * scale)) + bias[index][j] for j in seen]
        weights = [math.exp(s) for s in scores]
        total = math.fsum(weights)
        if seen:
            y[index] = [_dot(weights, column) / total for column in zip(*(values[j] for j in seen), strict=True)]
    return y


def _dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


@cache
def expected(case):
    return loops(*problem(case), **TWISTS[case.twist])


# ── the ways ────────────────────────────────────────────────────────────────────────────────────────────────


def additive(mask, dtype):
    """A mask as numbers to add: 0 and −inf for a boolean one."""
    if mask is None:
        return 0.0
    return np.where(mask, 0.0, -np.inf).astype(dtype) if mask.dtype == bool else mask


def one_line(q, k, v, mask, scale=None):
    k, v = repeated(q, k, v)
    s = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale) + additive(mask, q.real.dtype)
    e = np.exp(s - np.maximum(s.real.max(-1, keepdims=True), -1e30))
    return e @ v / np.where((total := e.sum(-1, keepdims=True)) == 0, 1, total)


def einsum(q, k, v, mask, scale=None, score_mod=lambda s: s):
    k, v = repeated(q, k, v)
    s = score_mod(np.einsum("...nd,...md->...nm", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale))
    s = s if mask is None else s + additive(mask, s.real.dtype)
    e = np.exp(s)
    a = np.einsum("...nm,...n->...nm", e, 1 / np.where(e.sum(-1) == 0, 1, e.sum(-1)))
    return np.einsum("...nm,...me->...ne", a, v)


def wide(attend):
    """Half precision is computed in float32, as the library does."""

    def computed(q, k, v, mask, **asked):
        dtype = np.float32 if q.dtype == np.float16 else q.dtype
        mask = mask.astype(dtype) if mask is not None and mask.dtype != bool else mask
        return attend(*(x.astype(dtype) for x in (q, k, v)), mask, **asked).astype(q.dtype)

    return computed


def in_core(q, k, v, mask, **asked):
    return core.scaled_dot_product_attention(q, *repeated(q, k, v), mask, **asked)


def by_steps(q, k, v, mask, **asked):
    return core.trace(q, *repeated(q, k, v), mask, **asked).output


def in_groups(q, k, v, mask, **asked):
    if q.ndim == 2:
        q, k, v = q[None], k[None], v[None]
        return heads.grouped_query_attention(q, k, v, mask, **asked)[0]
    return heads.grouped_query_attention(q, k, v, mask, **asked)


def in_blocks(**options):
    return lambda q, k, v, mask, **asked: flash.flash_attention(q, k, v, mask, **options, **asked)


def in_bands(block):
    """The mask said as flags, not as a matrix; what is hidden besides stays a mask."""

    def attend(q, k, v, mask, *, case, **asked):
        rest = None if case.twist != "nan_hidden" else np.arange(case.m) != case.m - 1
        return flash.flash_attention(q, k, v, rest, block=block, **BANDS[case.mask], **asked)

    return attend


def with_the_librarys_mask(q, k, v, mask, *, case, **asked):
    """The masks of attn.masks in place of this file's own."""
    if case.mask == "alibi":
        mask = masks.alibi(case.h or 1, case.n, case.m)
        mask = mask[0] if case.h is None else mask
    elif case.mask.startswith("window"):
        left, right = (1, 1) if case.mask == "window" else (2, 0)
        mask = masks.sliding_window(case.n, case.m, left=left, right=right, offset=BANDS[case.mask].get("offset"))
    else:
        mask = masks.causal(case.n, case.m, offset=BANDS[case.mask].get("offset"))
    if case.twist == "nan_hidden":
        hidden = np.arange(case.m) == case.m - 1
        mask = mask & ~hidden if mask.dtype == bool else np.where(hidden, -np.inf, mask)
    return in_core(q, k, v, mask, **asked)


def token_by_token(q, k, v, mask, **asked):
    """The keys before the first query are there already; then one query, one key, one value at a time."""
    n, m = q.shape[-2], k.shape[-2]
    cache = KVCache().append(k[..., : m - n, :], v[..., : m - n, :])
    rows = []
    for i in range(n):
        now = slice(m - n + i, m - n + i + 1)
        cache.append(k[..., now, :], v[..., now, :])
        rows.append(decode(q[..., i : i + 1, :], cache, **asked))
    return np.concatenate(rows, axis=-2)


def prompt_then_tokens(q, k, v, mask, **asked):
    half = q.shape[-2] // 2
    y, cache = prefill(q[..., :half, :], k[..., :half, :], v[..., :half, :], **asked)
    cache.append(k[..., half:, :], v[..., half:, :])
    return np.concatenate([y, decode(q[..., half:, :], cache, **asked)], axis=-2)


def _as_layer(q, k, v):
    """q, k, v as one layer would make them: x holds the queries of all heads side by side, memory keys and values."""
    x, memory = heads.merge(q), np.concatenate([heads.merge(k), heads.merge(v)], axis=-1)
    keys, values = np.split(np.eye(memory.shape[-1], dtype=q.dtype), [k.shape[-3] * k.shape[-1]], axis=1)
    return x, memory, np.eye(x.shape[-1], dtype=q.dtype), keys, values


def as_multi_head_layer(q, k, v, mask, **asked):
    x, memory, w_q, w_k, w_v = _as_layer(q, k, v)
    h, g, w_o = q.shape[-3], k.shape[-3], np.eye(q.shape[-3] * v.shape[-1], dtype=q.dtype)
    y = heads.multi_head_attention(x, w_q, w_k, w_v, w_o, heads=h, kv_heads=g, memory=memory, mask=mask, **asked)
    return heads.split(y, h)


def as_sum_over_heads(q, k, v, mask, **asked):
    """Each head alone through its own rows of W_O, then added: Σ_t Oᵗ W_Oᵗ."""
    h, e = q.shape[-3], v.shape[-1]
    k, v = repeated(q, k, v)
    mask = mask if mask is None else np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))
    parts = []
    for t in range(h):
        own = [None if x is None else x[..., t, :, :] for x in (q, k, v, mask)]
        one = core.scaled_dot_product_attention(*own, **asked)
        parts.append(one @ np.eye(h * e, dtype=q.dtype)[t * e : (t + 1) * e])
    return heads.split(sum(parts), h)


def as_block_diagonal(q, k, v, mask, **asked):
    """All heads as one: block-diagonal Q, K and V, and a mask that keeps each head to its own keys."""
    k, v = repeated(q, k, v)
    (h, n, d), (m, e) = q.shape[-3:], v.shape[-2:]
    mask = np.broadcast_to(np.bool_(True) if mask is None else mask, (*q.shape[:-1], m))
    y = np.empty((*q.shape[:-1], e), q.dtype)
    for index in np.ndindex(q.shape[:-3]):
        own = heads.block_diagonal(np.ones((h, n, m))).astype(bool)
        laid = np.where(own, heads.block_diagonal(additive(mask[index], q.dtype)), -np.inf)
        big = [heads.block_diagonal(x[index]) for x in (q, k, v)]
        out = core.scaled_dot_product_attention(*big, laid, **{"scale": d**-0.5} | asked)
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

    def attend(q, k, v, mask, **asked):
        shape = (*q.shape[:-1], v.shape[-1])
        q, k, v, mask = four_axes(q, k, v, mask)
        if form == "float" and mask is not None:
            mask = additive(mask, q.dtype)
        q, k, v, mask = tensors(q, k, v, None if form == "is_causal" else mask)
        y = sdpa(q, k, v, mask, is_causal=form == "is_causal", enable_gqa=q.shape[1] != k.shape[1], **asked)
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
    """How to compute, which cases that way can say, and which twists."""

    attend: callable
    can: callable = lambda case: True
    twists: tuple = ("plain",)
    by_case: bool = False  # it wants to know the case, not only its arrays


def has_heads(case):
    return case.h is not None


def is_causal(case):
    return case.mask == "causal"


SCALES = ("plain", "scale", "negative")
UP = ("plain", "scale")  # torch's is_causal forbids first and scales then: below zero its −inf is +inf
ALL = tuple(TWISTS)
NOT_CAPPED = tuple(set(ALL) - {"capped"})
NUMBERS = (*SCALES, "capped")


def rows_are_never_empty(case):
    return np.isfinite(expected(case)).all() and not (expected(case) == 0).all(-1).any()


WAYS = {
    "one_line": Way(wide(one_line), twists=SCALES),
    "einsum": Way(wide(einsum), twists=NUMBERS),
    "core": Way(in_core, twists=ALL),
    "trace": Way(by_steps, twists=ALL),
    "library_mask": Way(with_the_librarys_mask, lambda case: case.mask in (*BANDS, "alibi"), ALL, by_case=True),
    "groups": Way(in_groups, twists=ALL),
    "flash": Way(in_blocks(), twists=NOT_CAPPED),
    "flash_1": Way(in_blocks(block=1), twists=NOT_CAPPED),
    "flash_2x3": Way(in_blocks(block=(2, 3)), twists=NOT_CAPPED),
    "flash_3x2_workers": Way(in_blocks(block=(3, 2), workers=2), twists=NOT_CAPPED),
    "flash_64": Way(in_blocks(block=64), twists=NOT_CAPPED),
    "bands": Way(in_bands(None), lambda case: case.mask in BANDS, NOT_CAPPED, by_case=True),
    "bands_2x3": Way(in_bands((2, 3)), lambda case: case.mask in BANDS, NOT_CAPPED, by_case=True),
    "decode": Way(token_by_token, lambda case: is_causal(case) and case.n <= case.m, (*SCALES, "nan_seen")),
    "prefill_decode": Way(prompt_then_tokens, lambda case: is_causal(case) and case.n == case.m, (*SCALES, "nan_seen")),
    "multi_head": Way(as_multi_head_layer, has_heads, NUMBERS),
    "head_sums": Way(as_sum_over_heads, has_heads, NUMBERS),
    "block_diagonal": Way(as_block_diagonal, has_heads, ALL),
    "onnx": Way(wide(onnx_style), lambda case: has_heads(case) and len(case.lead) == 1),
    "torch_bool": Way(
        in_torch("bool"), lambda case: problem(case)[3] is None or problem(case)[3].dtype == bool, SCALES
    ),
    "torch_float": Way(in_torch("float"), twists=SCALES),
    "torch_is_causal": Way(in_torch("is_causal"), lambda case: case.mask == "top_left", UP),
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


def ways_for(case, ways):
    """(name, way, case) for each way that can say it; the case is plain where the way knows no such twist."""
    for name, way in ways.items():
        own = case if case.twist in way.twists else case._replace(twist="plain")
        if way.can(own):
            yield name, way, own


@pytest.mark.filterwarnings(
    "ignore:invalid value encountered:RuntimeWarning"
)  # the hidden inf is multiplied before it is left out
@pytest.mark.parametrize("case", list(all_cases()), ids=str)
def test_every_way_gives_the_numbers_of_the_loops(case):
    for name, way, own in ways_for(case, WAYS):
        arguments = problem(own)
        y = way.attend(*arguments, **TWISTS[own.twist], **({"case": own} if way.by_case else {}))
        assert y.shape == (*arguments[0].shape[:-1], own.e), name
        assert y.dtype == own.dtype, name
        close = TOLERANCE[own.dtype]
        np.testing.assert_allclose(y, expected(own), rtol=close, atol=close, err_msg=f"{name} differs")


def test_the_matrix_is_as_wide_as_it_claims():
    """What a typing mistake in `can` would silently take away."""
    cases = list(all_cases())
    met = [(name, own) for case in cases for name, _, own in ways_for(case, WAYS)]
    said = {name: {case for way, case in met if way == name} for name in WAYS}
    assert len(met) > 2000 and min(map(len, said.values())) >= 3, {name: len(found) for name, found in said.items()}
    assert said["core"] == set(cases)
    for name in ("core", "groups", "library_mask"):
        assert {case.twist for case in said[name]} == set(TWISTS), name
    for name in ("bands", "bands_2x3", "flash_2x3"):
        assert {case.twist for case in said[name]} == set(NOT_CAPPED), name
    assert {case.dtype for case in said["bands"]} == {case.dtype for case in said["multi_head"]} == set(TOLERANCE)
    noticed = [case for case in cases if case.twist == "nan_seen" and case.lead and np.isnan(expected(case)).any()]
    assert noticed and all(np.isfinite(expected(case)[-1]).all() for case in noticed if case.lead[0] > 1)
    assert {case.h for case in cases if case.mask == "alibi"} >= {3, 6, 12}


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

    def gradient(q, k, v, mask, dy, **asked):
        found = []
        for t, x in enumerate((q, k, v)):
            steps = 1e-200j * np.eye(x.size).reshape(x.size, *x.shape)
            copies = [np.broadcast_to(a.astype(complex), (x.size, *a.shape)) for a in (q, k, v)]
            copies[t] = copies[t] + steps
            slopes = (dy * attend(*copies, mask, **asked).imag).reshape(x.size, -1).sum(-1) / 1e-200
            found.append(slopes.reshape(x.shape))
        return found

    return gradient


def by_hand(q, k, v, mask, dy, **asked):
    """The library's own backward pass; heads that share keys are an axis that k and v broadcast along."""
    if q.ndim == 2:
        return attention_vjp(q, k, v, dy, mask, **asked)
    g = k.shape[-3]
    cut = lambda x: x.reshape(*x.shape[:-3], g, -1, *x.shape[-2:])  # noqa: E731
    mask = mask if mask is None else cut(np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2])))
    found = attention_vjp(cut(q), k[..., None, :, :], v[..., None, :, :], cut(dy), mask, **asked)
    return [dx.reshape(x.shape) for dx, x in zip(found, (q, k, v), strict=True)]


def autograd(attend):
    """torch's own backward pass through one of its ways."""

    def gradient(q, k, v, mask, dy, **asked):
        shapes = [x.shape for x in (q, k, v)]
        *arguments, mask = tensors(*four_axes(q, k, v, mask))
        for x in arguments:
            x.requires_grad_()
        y = attend(*arguments, mask, **asked)
        y.backward(torch.from_numpy(np.array(dy)).reshape(y.shape))
        return [x.grad.numpy().reshape(shape) for x, shape in zip(arguments, shapes, strict=True)]

    return gradient


def torch_sdpa(q, k, v, mask, **asked):
    return sdpa(q, k, v, mask, enable_gqa=q.shape[1] != k.shape[1], **asked)


def torch_sdpa_float(q, k, v, mask, **asked):
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(~mask, -math.inf)
    return torch_sdpa(q, k, v, mask, **asked)


def torch_sdpa_causal(q, k, v, mask, **asked):
    return sdpa(q, k, v, is_causal=True, enable_gqa=q.shape[1] != k.shape[1], **asked)


def torch_module(q, k, v, mask):
    everyone = torch.ones((*q.shape[:-1], k.shape[-2]), dtype=torch.bool)
    return multihead_module(q, k, v, everyone if mask is None else mask)


GRADIENTS = {
    "by_hand": Way(by_hand, twists=SCALES),
    "einsum": Way(complex_step(einsum), twists=SCALES),
    "torch_bool": Way(autograd(torch_sdpa), WAYS["torch_bool"].can, SCALES),
    "torch_float": Way(autograd(torch_sdpa_float), twists=SCALES),
    "torch_is_causal": Way(autograd(torch_sdpa_causal), WAYS["torch_is_causal"].can, UP),
    "torch_module": Way(autograd(torch_module), WAYS["torch_module"].can),
}


def smooth_cases():
    """Every size with every second mask, in float64; scales by turns."""
    for i, case in enumerate(all_cases()):
        if (i + i // len(MASKS)) % 2 == 0:
            yield case._replace(dtype="float64", twist=SCALES[i % 3])


@pytest.mark.parametrize("case", list(smooth_cases()), ids=str)
def test_every_way_has_the_same_gradient(case):
    dy = np.random.default_rng(case.e).normal(size=expected(case).shape)
    right = cache(lambda own: complex_step(one_line)(*problem(own), dy, **TWISTS[own.twist]))
    for name, way, own in ways_for(case, GRADIENTS):
        found = way.attend(*problem(own), dy, **TWISTS[own.twist])
        for which, dx, slope in zip("qkv", found, right(own), strict=True):
            np.testing.assert_allclose(dx, slope, rtol=1e-10, atol=1e-12, err_msg=f"{name} differs in d{which}")
