"""Attention in blocks as a Triton kernel: the merge of (m, ℓ, o) once more, now across blocks on a GPU.

One program of the kernel answers one block of queries of one head. It walks over the keys that any of them may see,
a block at a time, and folds each block into (m, ℓ, o), which never leave the registers. Blocks that a causal mask,
a window or a sequence's end hides altogether are not visited; blocks that they cut are masked; the rest are not.
Without a CUDA device the same kernel runs in Triton's interpreter: slow, and as exact.
Source: Dao (2023), algorithm 1, in the loop order that Triton's own tutorial made common.
"""

import math
from typing import Any, NamedTuple

from attn.axes import expect, whole
from attn.gpu import Refused, torch

try:
    from attn.gpu import backward, forward, hopper
    from attn.gpu import decode as decoding
    from attn.gpu.tuning import FAR, INTERPRETED

    MISSING = forward.unready()
except ModuleNotFoundError as error:
    if error.name != "triton":
        raise
    INTERPRETED = not torch.cuda.is_available()
    MISSING = "the kernel is written in Triton, which is not installed here: pip install triton (Linux only)"


class Layout(NamedTuple):
    """How the sequences lie in the arrays: one length for all, or several sequences end to end.

    q: (b, h, n, d)   k: (b, g, m, d)   v: (b, g, m, e), b = 1 if packed
    starts: int32 (2, sequences + 1), where queries and keys of each begin, or None
    """

    q: Any
    k: Any
    v: Any
    sequences: int
    longest: int
    starts: Any


def refusal(q, k, v):
    """Why the kernel cannot take these tensors, in one sentence, or None if it can.

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   str or None
    """
    if MISSING:
        return MISSING
    if len({x.device for x in (q, k, v)}) > 1:
        return f"q, k and v must be on one device, but are on {q.device}, {k.device} and {v.device}"
    if q.device.type != ("cpu" if INTERPRETED else "cuda"):
        wanted = "the CPU, where it is interpreted" if INTERPRETED else "the CUDA device: say x.cuda()"
        return f"the kernel runs on {wanted}, but q is on {q.device}"
    if len({x.dtype for x in (q, k, v)}) > 1 or not q.dtype.is_floating_point:
        return f"q, k and v must share one floating-point dtype, but are {q.dtype}, {k.dtype} and {v.dtype}"
    if not INTERPRETED and q.dtype == torch.float64:
        return "the kernel has no float64 on a GPU: use float32, float16 or bfloat16"
    widest = 256
    if not INTERPRETED:
        capability = torch.cuda.get_device_capability(q.device)
        widest = 256 if capability >= (8, 0) else 128  # what the smallest blocks leave room for
        if capability < (7, 5):
            return "the kernel needs a GPU of compute capability 7.5 or newer; use F.scaled_dot_product_attention"
    if max(q.shape[-1], v.shape[-1]) > widest:
        return f"the kernel holds rows of at most {widest} numbers here, but d = {q.shape[-1]} and e = {v.shape[-1]}"
    return None


def flash_attention(
    q, k, v, mask=None, *, is_causal=False, window=None, offset=None, scale=None, lengths=None, key_lengths=None,
    sound=None, specialized=False,
):  # fmt: skip
    """attn.flash.flash_attention as one kernel, forward and backward.

        Y = finish(merge over blocks of keys of partial(Q, K_block, V_block))

    q: (..., h, n, d)   k: (..., g, m, d)   v: (..., g, m, e)   ->   (..., h, n, e); g divides h.
    mask, is_causal, window, offset, scale: as in attn.flash.flash_attention.
    lengths, key_lengths: several sequences end to end along n and m, which do not see each other; key_lengths is
        lengths unless given; leading axes are then the heads alone, and offset is taken sequence by sequence.
    sound: v is known to hold neither NaN nor inf. Unless given, v is read once to find out.
    specialized: on Hopper, let some warps fetch while the others compute, as attn.gpu.hopper does; the same answer.
    Differentiable, once, in q, k and v; not in a float mask.
    Half precision is accumulated in float32. Rows with nothing allowed give 0, and so do their gradients.
    Raises Refused for what this machine cannot do, ValueError and TypeError for what nobody can.
    Source: Dao (2023), algorithms 1 and 2.
    """
    reason = refusal(q, k, v)
    if reason:
        raise Refused(reason)
    (q, k, v), dtype = _computable(q, k, v)
    lead, layout = _laid_out(q, k, v, lengths, key_lengths)
    mask = _laid_on(mask, lead, layout)
    if sound is None:
        sound = bool(torch.isfinite(v).all())
    plan = _plan(layout, mask, is_causal, window, offset, scale, sound)
    reason = hopper.refusal(layout, plan) if specialized else None
    if reason:
        raise Refused(reason)
    y = _Attention.apply(layout.q, layout.k, layout.v, layout, plan, specialized)
    return y.reshape(*lead, *y.shape[-2:]).to(dtype)


def decode(q, k, v, *, scale=None, splits=None):
    """One query a head against a long cache: the keys are cut into splits, whose partial results are merged.

        Y = finish(merge over splits of partial(Q, K_split, V_split))

    q: (b, h, 1, d)   k: (b, g, m, d)   v: (b, g, m, e)   ->   (b, h, 1, e); g divides h.
    With one query there are only b · h programs, too few to fill a GPU, and each would wait for memory alone. Cutting
    the keys makes splits · b · g of them; the h / g queries that share a head are rows of one block, so each key is
    read once, where it lies. Two launches: the pieces, and their merge. splits: how many pieces, at most; enough for
    some 256 programs unless given. The values must be finite. Computes no gradients.
    Raises as flash_attention does. Source: the split of the keys in Flash-Decoding (Dao et al., 2023).
    """
    reason = refusal(q, k, v)
    if reason:
        raise Refused(reason)
    if torch.is_grad_enabled() and any(x.requires_grad for x in (q, k, v)):
        raise Refused("decode computes no gradients: call it under torch.no_grad(), or flash_attention for gradients")
    scale = q.shape[-1] ** -0.5 if scale is None else float(scale)
    splits = None if splits is None else whole("splits", splits, least=1)
    if q.shape[-2] != 1 or k.shape[-2] == 0 or scale <= 0:
        return flash_attention(q, k, v, scale=scale)
    (q, k, v), dtype = _computable(q, k, v)
    lead, layout = _laid_out(q, k, v, None, None)
    y = decoding.decode(layout.q, layout.k, layout.v, scale, splits)
    return y.reshape(*lead, 1, v.shape[-1]).to(dtype)


def _computable(*arrays):
    """(the arrays, the dtype to hand back): the interpreter has no bfloat16, so there it is computed in float32."""
    dtype = arrays[0].dtype
    return [x.float() if INTERPRETED and dtype == torch.bfloat16 else x for x in arrays], dtype


def _laid_out(q, k, v, lengths, key_lengths):
    """(the leading axes of the answer, Layout)"""
    heads, groups = (x.shape[-3] if x.ndim > 2 else 1 for x in (q, k))
    if groups == 0 or heads % groups:
        raise ValueError(f"h = {heads} query heads cannot share g = {groups} key–value heads: g must divide h")
    expect(q=(q, "... n d"), k=(k, "... m d"), v=(v, "... m e")) if heads == groups else None
    expect(
        **{
            name: (x[..., 0, :, :] if x.ndim > 2 else x, axes)
            for name, x, axes in (("q", q, "... n d"), ("k", k, "... m d"), ("v", v, "... m e"))
        }
    )
    lead = q.shape[:-2]
    q, k, v = (x.reshape(math.prod(x.shape[:-3]), x.shape[-3] if x.ndim > 2 else 1, *x.shape[-2:]) for x in (q, k, v))
    if lengths is None:
        return lead, Layout(q, k, v, len(q), q.shape[-2], None)
    key_lengths = lengths if key_lengths is None else key_lengths
    starts = []
    for name, sizes, total in (("lengths", lengths, q.shape[2]), ("key_lengths", key_lengths, k.shape[2])):
        sizes = [whole(name, int(size), least=0) for size in sizes]
        if sum(sizes) != total or len(q) > 1:
            raise ValueError(f"{name} add up to {sum(sizes)}, but {total} tokens of {len(q)} batches were given")
        starts.append([sum(sizes[:i]) for i in range(len(sizes) + 1)])
    if len(starts[0]) != len(starts[1]):
        raise ValueError(f"{len(starts[0]) - 1} lengths but {len(starts[1]) - 1} key_lengths")
    longest = max((b - a for a, b in zip(starts[0], starts[0][1:], strict=False)), default=0)
    return lead, Layout(q, k, v, len(starts[0]) - 1, longest, torch.tensor(starts, dtype=torch.int32, device=q.device))


def _laid_on(mask, lead, layout):
    """The mask as (b, h, n, m), a view wherever it can be."""
    if mask is None:
        return None
    if layout.starts is not None:
        raise ValueError("give either lengths or a mask, not both")
    if not (mask.dtype == torch.bool or mask.dtype.is_floating_point):
        raise TypeError("mask must be bool (True = may attend) or float (added to the scores), not integers")
    if mask.requires_grad and torch.is_grad_enabled():
        raise Refused(
            "mask requires a gradient, and the kernel has none for it: give mask.detach(), or use "
            "attn.gpu.merge.attend, which has"
        )
    if mask.device != layout.q.device:
        raise Refused(f"mask must be on the device of q, {layout.q.device}, but is on {mask.device}")
    shape = (*lead, layout.q.shape[2], layout.k.shape[2])
    try:
        return mask.expand(shape).reshape(*layout.q.shape[:3], -1)
    except RuntimeError:
        raise ValueError(f"mask has shape {tuple(mask.shape)}, which does not broadcast to {shape}") from None


class Plan(NamedTuple):
    """What may be seen, and how scores are made: the arguments of a call, in the kernel's terms."""

    mask: Any
    left: int
    right: int
    aligned: bool
    offset: int
    scale: float
    sound: bool


def _plan(layout, mask, is_causal, window, offset, scale, sound):
    left, right = window if isinstance(window, (tuple, list)) and len(window) == 2 else (window, 0)
    if window is None:
        left = right = None
    left = FAR if left is None else min(FAR, whole("window's left", left, least=0))
    right = FAR if right is None else min(FAR, whole("window's right", right, least=0))
    scale = layout.q.shape[-1] ** -0.5 if scale is None else float(scale)
    return Plan(mask, left, 0 if is_causal else right, offset is None, whole("offset", offset or 0), scale, sound)


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, layout, plan, specialized):
        y, m, l = (hopper if specialized else forward).forward(layout, plan)
        ctx.save_for_backward(q, k, v, y, m, l)  # torch then notices if one of them was written to in between
        ctx.layout, ctx.plan = layout._replace(q=None, k=None, v=None), plan
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, d_y):
        q, k, v, y, m, l = ctx.saved_tensors
        layout = ctx.layout._replace(q=q, k=k, v=v)
        return (*backward.backward(layout, ctx.plan, y, m, l, d_y), None, None, None)
