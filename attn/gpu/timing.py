"""How long something takes on a device: compared with a reference first, then timed in turns with its rivals.

Each time is of one call, with the second-level cache emptied before it. Where a device can capture calls, a call is
timed twice: "graph", replayed as the device saw it, and "eager", as Python launches it, checks of arguments included.
"""

import statistics
import time

from attn.gpu import torch
from attn.gpu.compare import compare
from attn.gpu.ways import why


def rows(question, ways, arrays, references, told, runs):
    """One question asked of rivals: each compared first; those that are right are timed in turns. -> list of dict

    ways: name -> a function without arguments, which returns the tensors that references holds, or the first of them
    arrays: q (b, h, n, d), k, v   references: from compare.reference, or None   told: what was predicted
    """
    q, k, _ = arrays
    dtype = str(q.dtype).removeprefix("torch.")
    shown = {"question": question, "dtype": dtype, "q": list(q.shape), "k": list(k.shape), **told}
    found, ready = {}, {}
    for name, work in ways.items():
        found[name] = {**shown, "name": name}
        try:
            judged = judge(work, references, dtype)
            if judged and not judged.right:
                wrong = f"wrong by {judged.worst:.2g} of a row of {judged.where}, so it was not timed"
                found[name]["reason"] = wrong
                continue
            told_error = {"error": judged.worst, "bound": judged.bound} if judged else {}
            found[name].update(memory=memory(work, q.device), **told_error, **configured(name))
            ready[name] = {"eager": work, **captured(work, q.device)}
        except (RuntimeError, NotImplementedError, ImportError) as error:
            found[name]["reason"] = why(name, q, error)
    for name, times in in_turns(ready, runs, q.device).items():
        best = "graph" if "graph" in times else "eager"
        found[name].update(spread(times[best]), timed=best, **{key: spread(x) for key, x in times.items()})
    return list(found.values())


def judge(work, references, dtype):
    """compare's judgement of what work() gives; None without references. -> Compared or None"""
    given = work()
    given = given if isinstance(given, (tuple, list)) else [given]
    return None if references is None else compare(given, references, dtype)


def in_turns(ready, runs, device):
    """Every rival once a round, each round beginning with another: a clock that falls falls for all.

    ready: name -> {kind: function}   ->   name -> {kind: list of seconds}
    """
    turns = [(name, kind, work) for name, kinds in ready.items() for kind, work in kinds.items()]
    times = {name: {kind: [] for kind in kinds} for name, kinds in ready.items()}
    for _, _, work in turns:
        for _ in range(min(3, runs)):
            work()
    for i in range(runs):
        first = i % max(1, len(turns))
        for name, kind, work in turns[first:] + turns[:first]:
            times[name][kind].append(once(work, device, launched=kind == "eager"))
    return times


def once(work, device, *, launched=False):
    """How long one call takes, with a cold cache, by the device's clock. -> seconds

    launched: what Python and the driver do before it is counted too; otherwise the device is kept busy meanwhile.
    """
    if device.type != "cuda":
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun
    flush(device)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    if launched:
        torch.cuda.synchronize()
    else:
        torch.cuda._sleep(2_000_000)  # cycles: about a millisecond
    start.record()
    work()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1e3


def flush(device, _kept={}):  # noqa: B006  one buffer a device
    """Write twice as many bytes as the second-level cache holds, so that nothing of the inputs is left in it."""
    if device not in _kept:
        size = 2 * torch.cuda.get_device_properties(device).L2_cache_size
        _kept[device] = torch.empty(max(size, 1 << 26), dtype=torch.uint8, device=device)
    _kept[device].zero_()


def captured(work, device):
    """{"graph": a function that replays work}, or nothing where it cannot be captured."""
    if device.type != "cuda":
        return {}
    try:
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            work()
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return {"graph": graph.replay}
    except RuntimeError:  # something in it asks the host: it is timed as Python launches it, and the row says so
        torch.cuda.synchronize()
        return {}


def spread(times):
    """Median and quartiles. -> dict of runs, median, low, high, in seconds"""
    low, middle, high = statistics.quantiles(times, n=4) if len(times) > 1 else times * 3
    return {"runs": len(times), "median": middle, "low": low, "high": high}


def memory(work, device):
    """Bytes the device needed beside what was there before, output included; None on a CPU."""
    if device.type != "cuda":
        return None
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    work()
    return torch.cuda.max_memory_allocated() - before


def configured(name):
    """Which blocks the autotuner chose for our kernels in their last call. -> dict"""
    if not name.startswith("our kernel"):
        return {}
    from attn.gpu import backward, forward, hopper

    first = hopper._specialized if name.endswith("specialized") else forward._forward
    tuned = {"forward": first, "queries": backward._queries, "keys": backward._keys}
    chosen = {key: getattr(tuner, "best_config", None) for key, tuner in tuned.items()}
    return {"configurations": {key: str(config) for key, config in chosen.items() if config is not None}}
