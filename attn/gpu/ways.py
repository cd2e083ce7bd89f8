"""torch's own ways to the same numbers: which of them run here, and what the others would need.

Each way takes q (b, h, n, d), k (b, h, m, d), v (b, h, m, e) and is_causal, aligned at the first key as torch does it.
"""

import warnings
from functools import cache
from typing import Any, NamedTuple

from attn.gpu import torch


class Outcome(NamedTuple):
    """What became of one way: its output, or the reason why there is none.

    name: of the way   output: (b, h, n, e) or None   reason: "" if it ran, else one sentence
    """

    name: str
    output: Any
    reason: str


NEEDS = {  # what torch asks of the tensors for each of its kernels: our summary, as far as it goes into a line
    "MATH": "nothing: any device, any floating-point dtype, any mask; it writes the scores down",
    "FLASH_ATTENTION": "on a GPU float16 or bfloat16, compute capability 8.0, d = e ≤ 256, no mask but is_causal",
    "EFFICIENT_ATTENTION": "a CUDA device of compute capability 5.0 or newer; masks are allowed",
    "CUDNN_ATTENTION": "a CUDA device of compute capability 8.0 with cuDNN 9, float16 or bfloat16",
}


def naive(q, k, v, is_causal=False):
    """The formula as it is written, with its (n, m) matrices in memory.

        Y = softmax(Q Kᵀ / √d) V

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   (..., n, e). Source: Vaswani et al. (2017), equation 1.
    """
    s = q @ k.mT * q.shape[-1] ** -0.5
    if is_causal:
        s = s.masked_fill(~torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device).tril(), -float("inf"))
    return torch.softmax(s, -1) @ v


def backend(name):
    """torch's scaled_dot_product_attention, held to one of its kernels.

    name: of torch.nn.attention.SDPBackend   ->   a function (q, k, v, is_causal), which raises where it cannot run
    """
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def attend(q, k, v, is_causal=False):
        with sdpa_kernel(getattr(SDPBackend, name)):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)

    return attend


def prepared(n, device):
    """The causal formula with its mask made beforehand, so that a stopwatch sees the formula alone.

    ->   a function (q, k, v, is_causal) for n queries and keys
    """
    hidden = ~torch.ones(n, n, dtype=torch.bool, device=device).tril()

    def attend(q, k, v, is_causal=True):
        s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(hidden, -float("inf"))
        return torch.softmax(s, -1) @ v

    return attend


def rivals():
    """What a GPU is measured against beside every(): Flex tuned, Flex's flash backend, newer FlashAttentions.

    ->   dict of functions (q, k, v, is_causal); each raises where the installed torch or the device has not got it
    """
    named = {f"SDPA, flash {version[2:]}": newer_flash(version) for version in ("FA3", "FA4")}
    tuned = lambda q, k, v, c: flex(causal if c else anyone, tuned=True)(q, k, v)  # noqa: E731
    flash = lambda q, k, v, c: flex(causal if c else anyone, backend="FLASH")(q, k, v)  # noqa: E731
    return {"FlexAttention, tuned": tuned, "FlexAttention, flash": flash, **named}


def newer_flash(version):
    """FlashAttention 3 or 4 behind torch's scaled_dot_product_attention, where it is installed.

    version: "FA3" or "FA4"   ->   a function (q, k, v, is_causal), which raises where it cannot run
    """
    from torch.nn import attention

    def attend(q, k, v, is_causal=False):
        if not q.is_cuda:
            raise NotImplementedError(f"{version} needs a CUDA device")
        attention.activate_flash_attention_impl(version)
        try:
            return backend("FLASH_ATTENTION")(q, k, v, is_causal)
        finally:
            attention.restore_flash_attention_impl()

    return attend


@cache
def flex(sees, *, tuned=False, backend=None):
    """FlexAttention: a mask given as a function of positions, from which it finds the blocks to skip.

    sees: (batch, head, query, key) -> bool, written with tensor operations   ->   a function (q, k, v, is_causal)
    tuned: let the compiler try many block sizes. backend: one of torch's for Flex, such as "FLASH".
    is_causal is expressed by `sees`. On a GPU it is compiled to a kernel. On a CPU it is called plainly, which is
    exact and saves nothing: to compile it would need a C++ compiler, which not every reader has.
    Source: Dong et al. (2024).
    """
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    prepared = cache(lambda n, m, device: create_block_mask(sees, None, None, n, m, device=device))
    mode = "max-autotune-no-cudagraphs" if tuned else None
    on_gpu = cache(lambda: torch.compile(flex_attention, mode=mode, dynamic=False))
    options = {"kernel_options": {"BACKEND": backend}} if backend else {}

    def attend(q, k, v, is_causal=False):
        blocks = prepared(q.shape[-2], k.shape[-2], q.device)  # once for a size: many layers share it
        if q.is_cuda:
            return on_gpu()(q, k, v, block_mask=blocks, **options)
        if backend:
            raise NotImplementedError(f"FlexAttention's {backend} backend needs a CUDA device")
        with warnings.catch_warnings():  # that it is not compiled here is said above
            warnings.filterwarnings("ignore", message="flex_attention called without torch.compile")
            return flex_attention(q, k, v, block_mask=blocks)

    return attend


def causal(batch, head, query, key):
    """For flex: no query sees a later key.

        allowed_ij  ⇔  j ≤ i

    -> bool
    """
    return key <= query


def anyone(batch, head, query, key):
    """For flex: every query sees every key. -> bool"""
    return key >= 0


def window(left):
    """For flex: each query sees itself and `left` keys before.

        allowed_ij  ⇔  0 ≤ i − j ≤ left

    -> a function of (batch, head, query, key)
    """
    return lambda batch, head, query, key: (key <= query) & (query - key <= left)


def documents(ids):
    """For flex: causal, and nobody sees another document.

        allowed_ij  ⇔  j ≤ i  and  ids_i = ids_j

    ids: (n,) integers   ->   a function of (batch, head, query, key)
    """
    return lambda batch, head, query, key: (key <= query) & (ids[query] == ids[key])


def compiled(q, k, v, is_causal=False):
    """The naive formula, captured by torch.compile; on a GPU its code generator then fuses what it can.

    q: (..., n, d)   k: (..., m, d)   v: (..., m, e)   ->   (..., n, e). On a CPU the graph is captured and run as it
    is: to generate code would need a C++ compiler, which not every reader has.
    """
    return torch.compile(naive, backend="inductor" if q.is_cuda else "aot_eager", dynamic=False)(q, k, v, is_causal)


def every():
    """All ways by name: the formula, torch's kernels, FlexAttention, torch.compile. -> dict of functions"""
    names = {
        "MATH": "SDPA, math",
        "FLASH_ATTENTION": "SDPA, flash",
        "EFFICIENT_ATTENTION": "SDPA, memory-efficient",
        "CUDNN_ATTENTION": "SDPA, cuDNN",
    }
    return {
        "the formula": naive,
        **{names[key]: backend(key) for key in NEEDS},
        "FlexAttention": _flex_either_way,
        "torch.compile": compiled,
    }


def _flex_either_way(q, k, v, is_causal=False):
    return flex(causal if is_causal else anyone)(q, k, v)


def tried(q, k, v, *, is_causal=False):
    """Run every way, and keep what came of it.

    q: (b, h, n, d)   k: (b, h, m, d)   v: (b, h, m, e)   ->   list of Outcome, in the order of every()
    """
    return [_try(name, attend, q, k, v, is_causal) for name, attend in every().items()]


def _try(name, attend, q, k, v, is_causal):
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            return Outcome(name, attend(q, k, v, is_causal), "")
    except (RuntimeError, NotImplementedError, ImportError, torch.OutOfMemoryError) as error:
        return Outcome(name, None, why(name, q, error, [str(warning.message) for warning in said]))


def why(name, q, error, said=()):
    """The reason for a refusal, in one sentence.

    q: (b, h, n, d), for its device   said: torch's warnings on the way   ->   str
    """
    if isinstance(error, torch.OutOfMemoryError):
        return "too little memory on the device: shorten the sequence or halve the dtype"
    key = {"flash": "FLASH_ATTENTION", "memory-efficient": "EFFICIENT_ATTENTION", "cuDNN": "CUDNN_ATTENTION"}
    if not q.is_cuda and name.removeprefix("SDPA, ") in key:
        return f"needs {NEEDS[key[name.removeprefix('SDPA, ')]]}"
    told = [line for line in said if "kernel not used" not in line and "deprecated" not in line]
    return (told[0] if told else str(error) or type(error).__name__).split(". ")[0].splitlines()[0].strip()


def sdpa(q, k, v, is_causal=False):
    """torch's scaled_dot_product_attention as it comes: torch chooses the kernel.

        Y = softmax(Q Kᵀ / √d) V

    q: (b, h, n, d)   k: (b, g, m, d)   v: (b, g, m, e)   ->   (b, h, n, e); g divides h.
    """
    grouped = k.shape[1] != q.shape[1]
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal, enable_gqa=grouped)
