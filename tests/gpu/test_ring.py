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
from attn.gpu import Refused, parallel, processes, ring


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
    before = multiprocessing.active_children()
    yield
    assert multiprocessing.active_children() == before


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


@pytest.mark.parametrize(
    ("ranks", "layout", "is_causal"),
    [(2, "zigzag", True), (2, "blocks", False), pytest.param(4, "blocks", True, marks=pytest.mark.prove)],
)
def test_a_ring_of_processes_equals_one_process_in_value_and_gradient(groups, ranks, layout, is_causal):
    q, k, v, d_y = four()
    answers = processes.ring(q, k, v, d_y, group=groups(ranks), layout=layout, is_causal=is_causal)
    compare(answers, q, k, v, d_y, is_causal)


@pytest.mark.parametrize(
    ("ranks", "layout", "is_causal"),
    [(2, "zigzag", True), (2, "blocks", False), pytest.param(4, "zigzag", True, marks=pytest.mark.prove)],
)
def test_torch_s_own_ring_gives_the_same_values_and_gradients(groups, ranks, layout, is_causal):
    q, k, v, d_y = four(width=5)
    told = {"group": groups(ranks), "layout": layout, "is_causal": is_causal}
    compare(processes.ring(q, k, v, d_y, by=parallel.torch_ring, **told), q, k, v, d_y, is_causal)
    values = processes.ring(q, k, v, by=parallel.torch_ring, **told)
    np.testing.assert_allclose(values, processes.ring(q, k, v, **told), atol=1e-13)


def test_torch_s_front_door_is_shut_on_a_cpu_and_says_why(groups):
    arrays = [x[None] for x in np.random.default_rng(0).normal(size=(4, 2, 16, 8))]
    for reason, rows in groups(2).run(parallel.context_parallel, [arrays] * 2):
        assert rows is None
        assert reason.startswith("torch refuses: Operator") and "does not have a sharding strategy" in reason


def test_a_torch_that_keeps_its_ring_elsewhere_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.distributed.tensor.experimental._context_parallel", None)
    with pytest.raises(Refused, match=r"where torch 2\.13 does"):
        parallel.torch_ring(True, np.arange(4), *np.ones((3, 1, 4, 2)))


SMALL = {"b": 1, "h": 2, "d": 16, "lengths": (21,)}


def test_the_race_of_the_rings_is_compared_before_it_is_timed(groups, monkeypatch):
    for theirs, ours in groups(2).run(parallel.race, [("cpu", "float32", SMALL, 1)] * 2):
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
