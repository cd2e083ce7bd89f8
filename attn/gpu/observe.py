"""By instrument: what a kernel asks of memory; which pairs a ring computes, what it holds, what goes on at once."""

import time
import weakref
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from attn.gpu.processes import ring


def touched(n, layout, *, group, by=None):
    """How many (query, key) pairs a causal ring computes: for each process and step.

    V holds NaN on its diagonal and 0 elsewhere. A weight 0 that is multiplied with NaN gives NaN, so output (i, j) is
    NaN exactly if the weight of query i and key j was multiplied, allowed or not; one left out leaves no trace.
    n: tokens; layout, group, by: as in processes.ring   ->   integers (ranks, steps), to compare with ring.pairs.
    """
    from attn.gpu.ring import shards

    rng, ranks = np.random.default_rng(0), len(group)
    v = np.where(np.eye(n, dtype=bool), np.nan, 0.0)
    y = ring(*rng.normal(size=(2, 1, n, 16)), v[None], is_causal=True, layout=layout, group=group, by=by)
    seen, held = np.isnan(y)[0], shards(n, ranks, layout)
    return np.array([[seen[np.ix_(held[r], held[(r - t) % ranks])].sum() for t in range(ranks)] for r in range(ranks)])


class Traffic:
    """Bytes that programs asked of memory and gave to it."""

    read = written = 0


@contextmanager
def traffic():
    """Count every byte that the kernels called inside ask for, where Triton interprets them.

    -> Traffic, which grows. It counts requests: which of them a second-level cache would answer, no count says.
    Raises RuntimeError where kernels are compiled, for there nobody stands between them and the memory.

        with traffic() as moved: flash_attention(q, k, v)
    """
    from attn.gpu.tuning import INTERPRETED

    if not INTERPRETED:
        raise RuntimeError("the kernels are compiled here; start Python with TRITON_INTERPRET=1 to count their traffic")
    from triton.runtime.interpreter import InterpreterBuilder as Builder

    moved, kept = Traffic(), (Builder.create_masked_load, Builder.create_masked_store)

    def load(self, places, mask, *more):
        loaded = kept[0](self, places, mask, *more)
        moved.read += int(np.sum(mask.data)) * loaded.data.itemsize
        return loaded

    def store(self, places, value, mask, *more):
        moved.written += int(np.sum(mask.data)) * value.data.itemsize
        return kept[1](self, places, value, mask, *more)

    Builder.create_masked_load, Builder.create_masked_store = load, store
    try:
        yield moved
    finally:
        Builder.create_masked_load, Builder.create_masked_store = kept


class Trace(NamedTuple):
    """What one process did in one direction of a ring.

    transfers: (lane, sent, asked, arrived), each: when it was sent off, asked for and there
    computed: (begun, ended) of each block; all in seconds of one clock   delay: what the link takes at least
    held: the most blocks of keys, or of anything shaped like them, that were in memory when the work on a block began
    """

    transfers: Any
    computed: Any
    held: int
    delay: float

    def hidden(self):
        """How many transfers hide: between sending and asking, the work on blocks takes as long as the link.

            #{transfers : Σ_blocks |[begun, ended] ∩ [sent, asked]| ≥ delay}

        -> int. That a transfer is under way while work goes on is not enough: what the work leaves over is waited for.
        """
        return sum(self._worked(sent, asked) >= self.delay for _, sent, asked, _ in self.transfers)

    def _worked(self, since, until):
        return sum(max(0.0, min(until, ended) - max(since, begun)) for begun, ended in self.computed)


def trace(n=64, layout="zigzag", *, group, delay=0.02, work=0.0):
    """A causal ring on links that take `delay` seconds. -> for each process (Trace forward, Trace backward)

    work: seconds that a block takes at least; one that is done sooner is computed again until they are over.
    """
    return group.run(_traced, [(n // len(group), layout, delay, work)] * len(group))


def _traced(rows, layout, delay, least):
    from attn.gpu import block, ring, torch
    from attn.gpu.link import SlowLink

    q, k, v = (torch.randn(1, h, rows, d).double().requires_grad_() for h, d in ((4, 8), (2, 8), (2, 5)))
    way, watched, kept = SlowLink(delay), [], (block.partial, block.gradients)
    with _alive(k) as alive:
        block.partial, block.gradients = (_watched(work, least, alive, watched) for work in kept)
        try:
            y = ring.attend(q, k, v, layout=layout, link=way)
            forward = _told(way, watched)
            torch.autograd.grad(y.sum(), (q, k, v))
            return forward, _told(way, watched)
        finally:
            block.partial, block.gradients = kept


def _watched(work, least, alive, watched):
    def watching(*arguments):
        begun = time.monotonic()
        held = alive()
        done = work(*arguments)
        while time.monotonic() < begun + least:
            done = work(*arguments)
        watched.append((begun, time.monotonic(), held))
        return done

    return watching


@contextmanager
def _alive(like):
    """Within it, a function that counts the tensors of this shape in memory; those that share numbers count once."""
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    made = [weakref.ref(like)]

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, op, types, arguments=(), named=None):
            out = op(*arguments, **(named or {}))
            made.extend(weakref.ref(x) for x in tree_leaves(out) if getattr(x, "shape", None) == like.shape)
            return out

    with Watch():
        yield lambda: len({x.untyped_storage().data_ptr() for ref in made if (x := ref()) is not None})


def _told(way, watched):
    told = Trace(list(way.record), [times for *times, _ in watched], max(held for *_, held in watched), way.delay)
    way.record.clear()
    watched.clear()
    return told
