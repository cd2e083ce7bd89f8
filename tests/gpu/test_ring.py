"""Ring attention with real processes: equal to one process in value and gradient; nobody is left behind."""

import multiprocessing
import os
import time

import numpy as np
import pytest

from attn import flash, grads, masks

pytest.importorskip("torch")
from attn.gpu import Refused, processes, ring


@pytest.fixture(autouse=True)
def nobody_is_left():
    yield
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(("ranks", "layout", "is_causal"),
                         [(2, "zigzag", True), (4, "blocks", True), (2, "blocks", False)])
def test_a_ring_of_processes_equals_one_process_in_value_and_gradient(ranks, layout, is_causal):
    rng = np.random.default_rng(12)
    q, k, v, d_y = (rng.normal(size=s) for s in ((4, 16, 5), (2, 16, 5), (2, 16, 3), (4, 16, 3)))
    y, dq, dk, dv = processes.ring(q, k, v, d_y, ranks=ranks, layout=layout, is_causal=is_causal)
    np.testing.assert_allclose(y, flash.flash_attention(q, k, v, is_causal=is_causal), atol=1e-13)
    one = grads.attention_vjp(q, *(np.repeat(x, 2, 0) for x in (k, v)), d_y, masks.causal(16) if is_causal else None)
    shared = [one[0], *(x.reshape(2, 2, 16, -1).sum(1) for x in one[1:])]
    for mine, theirs in zip((dq, dk, dv), shared, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-13)


def fail_on(rank):
    if rank == 1:
        raise ZeroDivisionError("as asked")
    time.sleep(600)


def leave():
    os._exit(3)


def test_a_failing_process_stops_all_and_is_named():
    begun = time.monotonic()
    with pytest.raises(Refused, match="process 1 failed with ZeroDivisionError: as asked"):
        processes.run(fail_on, [(0,), (1,)])
    assert time.monotonic() - begun < 300


def test_a_process_that_dies_or_sleeps_is_reported():
    with pytest.raises(Refused, match="ended before it answered"):
        processes.run(leave, [()])
    with pytest.raises(Refused, match="did not answer in time"):
        processes.run(time.sleep, [(600,)], timeout=0.5)


@pytest.mark.parametrize("layout", ["blocks", "zigzag"])
@pytest.mark.parametrize(("n", "ranks"), [(16, 2), (24, 3), (64, 8)])
def test_every_causal_pair_is_computed_once(n, ranks, layout):
    assert sorted(np.concatenate(ring.shards(n, ranks, layout))) == list(range(n))
    seen = masks.causal(n)
    held = ring.shards(n, ranks, layout)
    counted = [[int(seen[np.ix_(held[r], held[(r - t) % ranks])].sum()) for t in range(ranks)] for r in range(ranks)]
    assert ring.pairs(n, ranks, layout).tolist() == counted
    assert ring.pairs(n, ranks, layout).sum() == n * (n + 1) // 2


def test_zigzag_shares_the_work_and_blocks_do_not():
    blocks, zigzag = (ring.pairs(64, 4, layout) for layout in ("blocks", "zigzag"))
    assert np.ptp(zigzag.sum(1)) == 0 and blocks.sum(1).max() > 3 * blocks.sum(1).min()
    assert zigzag.max(0).sum() < 0.6 * blocks.max(0).sum()


def test_what_does_not_divide_is_refused():
    x = np.ones((2, 6, 3))
    with pytest.raises(ValueError, match="6 queries"):
        processes.ring(x, x, x, ranks=2)
    with pytest.raises(ValueError, match="layout"):
        ring.shards(8, 2, "spiral")
