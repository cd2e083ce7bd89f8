"""Ring attention with real processes: equal to one process in value and gradient; nobody is left behind."""

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from attn import flash, grads, masks

pytest.importorskip("torch")
from attn.gpu import Refused, block, link, observe, parallel, processes, ring, torch


@pytest.fixture(scope="module")
def groups():
    """One group for each number of processes, started when first asked for: torch's import is most of a test's time."""
    opened = {}
    yield lambda ranks: opened.get(ranks) or opened.setdefault(ranks, processes.Group(ranks))
    for group in opened.values():
        group.close()
    assert multiprocessing.active_children() == []


@pytest.fixture
def nobody_is_left():
    before = set(multiprocessing.active_children())
    yield
    assert set(multiprocessing.active_children()) == before


def four(width=3):
    rng = np.random.default_rng(12)
    return (rng.normal(size=s) for s in ((4, 16, 5), (2, 16, 5), (2, 16, width), (4, 16, width)))


def compare(answers, q, k, v, d_y, is_causal):
    """With one process: the heart's attention, and the gradients derived by hand."""
    np.testing.assert_allclose(answers[0], flash.flash_attention(q, k, v, is_causal=is_causal), atol=1e-13)
    one = grads.attention_vjp(q, *(np.repeat(x, 2, 0) for x in (k, v)), d_y, masks.causal(16) if is_causal else None)
    shared = [one[0], *(x.reshape(2, 2, 16, -1).sum(1) for x in one[1:])]
    for mine, theirs in zip(answers[1:], shared, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-13)


WAYS = [  # ranks, layout, is_causal, what each process does
    (2, "zigzag", True, None),
    (2, "striped", True, processes.by_kernel),
    (2, "zigzag", True, processes.by_kernel),
    (2, "zigzag", True, parallel.exchange_heads),
    (2, "blocks", False, parallel.exchange_heads),
    *(pytest.param(*way, marks=pytest.mark.prove) for way in (
        (4, "striped", True, None),
        (4, "blocks", False, processes.by_kernel),
        (8, "zigzag", True, None),
        (8, "blocks", True, None),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("ranks", "layout", "is_causal", "by"), WAYS)
def test_a_ring_of_processes_equals_one_process_in_value_and_gradient(groups, ranks, layout, is_causal, by):
    q, k, v, d_y = four()
    answers = processes.ring(q, k, v, d_y, group=groups(ranks), layout=layout, is_causal=is_causal, by=by)
    compare(answers, q, k, v, d_y, is_causal)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("by", [None, processes.by_kernel])
def test_half_precision_is_rounded_once_and_not_once_a_step(groups, dtype, by):
    """Summed in float32, what is rounded is what goes in and what comes out: at most a few units of the last place."""
    q, k, v, d_y = (x.astype(np.float16).astype(np.float32) for x in four())
    exact = processes.ring(q, k, v, d_y, group=groups(2), is_causal=True)
    half = processes.ring(q, k, v, d_y, group=groups(2), is_causal=True, dtype=dtype, by=by)
    for mine, right in zip(half, exact, strict=True):
        off = np.abs(mine.astype(float) - right).max() / np.sqrt(np.mean(right**2))
        assert off < {"float16": 4e-3, "bfloat16": 3e-2}[dtype]


@pytest.mark.prove
@pytest.mark.parametrize("by", [None, processes.by_kernel])
def test_what_is_computed_is_what_is_allowed_and_the_edges_of_tiles(groups, by):
    """By instrument: the balanced layouts do no more work than blocks, and their longest steps take half the time."""
    n, group = 512, groups(4)
    done = {layout: observe.touched(n, layout, group=group, by=by) for layout in ("blocks", "zigzag", "striped")}
    tile, held = 32, n // 4
    for layout, counted in done.items():
        allowed = ring.pairs(n, 4, layout)
        assert (counted >= allowed).all() and (counted <= allowed + held * tile).all(), layout
    longest = {layout: counted.max(0).sum() for layout, counted in done.items()}
    formula = {layout: ring.pairs(n, 4, layout).max(0).sum() for layout in done}
    ratio, predicted = (x["blocks"] / x["zigzag"] for x in (longest, formula))
    assert 1.6 < ratio < predicted < 1.75
    assert done["blocks"].sum() == done["zigzag"].sum() and longest["striped"] < 0.75 * longest["blocks"]


def test_half_of_the_longest_steps_is_computed_by_two_processes(groups):
    done = {layout: observe.touched(256, layout, group=groups(2)) for layout in ("blocks", "zigzag")}
    assert done["zigzag"].max(0).tolist() == [128 * 128 * 5 // 8, 128 * 128 // 2]  # four strips of 32 rows, then half
    assert done["blocks"].max(0).tolist() == [128 * 128 * 5 // 8, 128 * 128]


def test_the_instrument_sees_what_a_mask_only_hides(groups):
    dense = observe.touched(64, "zigzag", group=groups(2), by=computes_everything)
    assert (dense == 32 * 32).all()


def computes_everything(layout, dtype, q, k, v):
    """Every pair is computed and half of them are masked: the answer is right, the work is not saved."""
    at = torch.as_tensor(ring.shards(2 * q.shape[-2], 2, layout)[torch.distributed.get_rank()])
    every = [torch.empty(2, *x.shape, dtype=torch.float64) for x in (k, v)]
    for out, x in zip(every, (k, v), strict=True):
        torch.distributed.all_gather(list(out), torch.from_numpy(x))
    order = np.concatenate(ring.shards(2 * q.shape[-2], 2, layout))
    key, value = (x.transpose(0, 1).flatten(1, 2) for x in every)
    s = torch.from_numpy(q) @ key.mT
    s = s.masked_fill(torch.as_tensor(order) > at[:, None], -float("inf"))
    return [(torch.softmax(s, -1) @ value).numpy()]


@pytest.mark.parametrize("ranks", [2, pytest.param(4, marks=pytest.mark.prove)])
def test_transfers_hide_behind_work_that_takes_longer_and_three_blocks_are_held(groups, ranks):
    for forward, backward in observe.trace(group=groups(ranks), delay=0.01, work=0.015):
        assert [lane for lane, *_ in forward.transfers] == ["keys"] * (ranks - 1)
        assert forward.hidden() == ranks - 1 and forward.held <= 3
        # keys as before, and gradients at every step: only the last way home has nothing to hide behind
        assert len(backward.transfers) == 2 * ranks - 1 and backward.hidden() == 2 * ranks - 2
        assert backward.held <= 7


def test_behind_work_that_is_shorter_than_the_link_nothing_hides(groups):
    for forward, backward in observe.trace(group=groups(2), delay=0.3):
        assert forward.hidden() == backward.hidden() == 0


def test_a_ring_that_waits_at_once_hides_nothing(groups):
    for forward, backward in groups(2).run(waits_at_once, [()] * 2):
        assert forward.hidden() == backward.hidden() == 0


def waits_at_once():
    class Hasty(link.SlowLink):
        def send(self, tensors, *, lane="keys"):
            there = super().send(tensors, lane=lane)()
            return lambda: there

    kept, link.SlowLink = link.SlowLink, Hasty
    try:
        return observe._traced(16, "zigzag", 0.01, 0.015)
    finally:
        link.SlowLink = kept


@pytest.mark.prove
def test_a_ring_may_run_on_a_part_of_the_processes(groups):
    answers = groups(4).run(on_a_row_of_a_mesh, [()] * 4)
    for first, second in (answers[:2], answers[2:]):
        np.testing.assert_allclose(np.concatenate([first[0], second[0]], 1), first[1], atol=1e-13)
    assert np.abs(answers[0][1] - answers[2][1]).max() > 0.01


def on_a_row_of_a_mesh():
    """(2, 2) processes: each row is a ring of its own, on numbers of its own."""
    from torch.distributed.device_mesh import init_device_mesh

    rank, mesh = torch.distributed.get_rank(), init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "sequence"))
    q, k, v = np.random.default_rng(rank // 2).normal(size=(3, 2, 8, 4))
    mine = [torch.from_numpy(x[:, rank % 2 * 4 :][:, :4].copy()) for x in (q, k, v)]
    return ring.attend(*mine, layout="blocks", mesh=mesh["sequence"]).numpy(), flash.flash_attention(
        q, k, v, is_causal=True
    )


@pytest.mark.parametrize(
    ("ranks", "layout", "is_causal"),
    [(2, "zigzag", True), (2, "blocks", False), pytest.param(4, "zigzag", True, marks=pytest.mark.prove)],
)
def test_torch_s_own_ring_gives_the_same_values_and_gradients(groups, ranks, layout, is_causal):
    q, k, v, d_y = four(width=5)
    told = {"group": groups(ranks), "layout": layout, "is_causal": is_causal}
    compare(processes.ring(q, k, v, d_y, by=parallel.torch_ring, **told), q, k, v, d_y, is_causal)


@pytest.mark.prove
def test_in_torch_s_ring_the_keys_travel_and_are_not_gathered(groups):
    q, k, v, _ = four(width=5)
    told = [(None, None, q[:, 4 * r :][:, :4], k[:, 4 * r :][:, :4], v[:, 4 * r :][:, :4]) for r in range(4)]
    assert groups(4).run(counted_rotations, told) == [3] * 4


def counted_rotations(*told):
    behind, turns = parallel._behind(), []
    kept = behind._AllToAllRotater.exchange_buffers
    behind._AllToAllRotater.exchange_buffers = lambda self, x: turns.append(x.shape) or kept(self, x)
    try:
        parallel.torch_ring(*told)
    finally:
        behind._AllToAllRotater.exchange_buffers = kept
    return len(turns)


def test_torch_s_front_door_is_shut_on_a_cpu_and_says_why(groups):
    arrays = [x[None] for x in np.random.default_rng(0).normal(size=(4, 2, 16, 8))]
    for reason, rows in groups(2).run(parallel.context_parallel, [arrays] * 2):
        assert rows is None
        assert reason.startswith("torch refuses: Operator") and "does not have a sharding strategy" in reason


def test_a_torch_that_keeps_its_ring_elsewhere_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.distributed.tensor.experimental._context_parallel", None)
    with pytest.raises(Refused, match=r"where torch 2\.13 does"):
        parallel.torch_ring("zigzag", None, *np.ones((3, 1, 4, 2)))


SMALL = {"b": 1, "h": 2, "d": 16, "lengths": (21,)}


def test_the_race_of_the_rings_is_compared_before_it_is_timed(groups, monkeypatch):
    for theirs, ours, exchanged in groups(2).run(parallel.race, [("cpu", "float32", SMALL, 1)] * 2):
        assert exchanged["name"] == "heads exchanged" and exchanged["error"] < 1e-5
        assert ours["error"] < 1e-5 and ours["median"] > 0 and ours["ranks"] == 2 and ours["q"] == [1, 2, 20, 16]
        assert "sharding strategy" in theirs["reason"] and "median" not in theirs
    monkeypatch.setattr(parallel.torch.cuda, "device_count", lambda: 1)
    refused = parallel.rows(parallel.torch.device("cuda"), "bfloat16", SMALL, 1)
    assert [row["reason"] for row in refused] == ["a ring needs two GPUs or more, and here is one"] * 2


def fail_on(rank):
    if rank == 1:
        raise ZeroDivisionError("as asked")
    time.sleep(600)


def leave():
    os._exit(3)


def own_id():
    return os.getpid()


def gone(process):
    """Has it ended? A process that was not waited for still has an entry, as a zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_failing_process_stops_all_and_is_named(nobody_is_left):
    begun = time.monotonic()
    with processes.Group(2) as group:
        started = group.run(own_id, [(), ()])
        assert len(set(started)) == 2 and not any(map(gone, started))
        with pytest.raises(Refused, match="process 1 failed with ZeroDivisionError: as asked"):
            group.run(fail_on, [(0,), (1,)])
        assert all(map(gone, started)) and len(group) == 0
        with pytest.raises(ValueError, match="0 processes of an open group"):
            group.run(own_id, [(), ()])
    assert time.monotonic() - begun < 300


def test_a_process_that_dies_or_sleeps_is_reported_and_leaves_nobody(nobody_is_left):
    with pytest.raises(Refused, match="ended before it answered"):
        processes.run(leave, [()])
    with pytest.raises(Refused, match="did not answer in time"):
        processes.run(time.sleep, [(600,)], timeout=0.5)


@pytest.mark.prove
@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent so on Windows")
def test_processes_end_in_the_midst_of_a_job_with_the_one_that_started_them():
    code = (
        "import os, signal, threading, time\n"
        "from attn.gpu import processes; from tests.gpu.test_ring import own_id\n"
        "if __name__ == '__main__':\n"
        "    group = processes.Group(1); print(*group.run(own_id, [()]), flush=True)\n"
        "    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()\n"
        "    group.run(time.sleep, [(30,)])"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE) as ran:
        child = int(ran.stdout.readline())
    for _ in range(100):
        if gone(child):
            return
        time.sleep(0.1)
    pytest.fail("the process outlived its parent by ten seconds")


@pytest.mark.parametrize("layout", ["blocks", "zigzag", "striped"])
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
    with pytest.raises(ValueError, match="no offset 1"):
        list(block._squares(torch.ones(2, 3), torch.ones(2, 3), 1))


@pytest.mark.prove
def test_heads_that_do_not_divide_cannot_be_exchanged(groups):
    q, k, v, _ = four()
    with pytest.raises(Refused, match="4 processes cannot share g = 2"):
        processes.ring(q, k, v, is_causal=True, ranks=4, by=parallel.exchange_heads)
