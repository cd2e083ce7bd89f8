"""How long something takes on a device: compared with a reference first, timed afterwards."""

import statistics
import time

from attn.gpu import torch
from attn.gpu.ways import why

TOLERANCE = {"bfloat16": 4e-2, "float16": 6e-3, "float32": 1e-4, "float64": 1e-10}


def seconds(work, runs, device):
    """How long work() takes, `runs` times, after a warm-up; a GPU is timed by its own clock. -> list of seconds

    The GPU is kept busy until the call has queued up, so that its clock sees its own work and not Python's.
    """
    for _ in range(min(3, runs)):
        work()
    times = []
    for _ in range(runs):
        if device.type == "cuda":
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(2_000_000)  # cycles: about a millisecond
            start.record()
            work()
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end) / 1e3)
        else:
            begun = time.perf_counter()
            work()
            times.append(time.perf_counter() - begun)
    return times


def spread(times):
    """Median and quartiles. -> dict of runs, median, low, high, in seconds"""
    low, middle, high = statistics.quantiles(times, n=4) if len(times) > 1 else times * 3
    return {"runs": len(times), "median": middle, "low": low, "high": high}


def row(question, name, work, arrays, expected, told, runs):
    """One measured way: compared first, then timed; or the reason why not.

    arrays: q (b, h, n, d), k, v   expected: (b, h, n, e) or None, in float32   told: what was predicted   ->   dict
    """
    q, k, _ = arrays
    dtype = str(q.dtype).removeprefix("torch.")
    shown = {"question": question, "name": name, "dtype": dtype, "q": list(q.shape), "k": list(k.shape), **told}
    try:
        y = work()
        error = None if expected is None else float((y.float() - expected).abs().max())
        if error is not None and not error <= TOLERANCE[dtype]:
            return {**shown, "reason": f"wrong by {error:.2g}, so it was not timed"}
        del y
        peak = _memory(work, q.device)
        return {**shown, "error": error, "memory": peak, **spread(seconds(work, runs, q.device))}
    except (RuntimeError, NotImplementedError, ImportError) as error:
        return {**shown, "reason": why(name, q, error)}


def _memory(work, device):
    """Bytes the device needed beside what was there before, output included; None on a CPU."""
    if device.type != "cuda":
        return None
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    work()
    return torch.cuda.max_memory_allocated() - before
