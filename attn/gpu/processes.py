"""Several processes on one machine that talk through torch.distributed, started, fed, and always cleaned up."""

import multiprocessing
import os
import tempfile
import threading
import time
from datetime import timedelta
from multiprocessing import connection
from pathlib import Path

import numpy as np

from attn.axes import whole
from attn.gpu import Refused


def run(job, arguments, *, timeout=300.0):
    """Run job(*arguments[r]) in process r of len(arguments), all in one group; collect what they return.

    job: a function that can be imported, called where torch.distributed is ready (gloo, on this machine alone).
    arguments: one tuple a process, of arrays and plain values   ->   the list of what each process returned.
    Raises Refused if a process fails or the time is up. However it ends, no process is left.
    """
    ranks = whole("the number of processes", len(arguments), least=1)
    context = multiprocessing.get_context("spawn")   # a forked torch may hang in its threads
    with tempfile.TemporaryDirectory(prefix="attn-ring-") as folder:
        pipes = [context.Pipe(duplex=False) for _ in range(ranks)]
        started = []
        try:
            for rank, (_, end) in enumerate(pipes):
                task = (job, arguments[rank], rank, ranks, folder, end, timeout)
                started.append(context.Process(target=_work, args=task, daemon=True))
                started[-1].start()
                end.close()
            return _collect([pipe for pipe, _ in pipes], time.monotonic() + timeout)
        finally:
            _clean_up(started, [pipe for pipe, _ in pipes])


def _collect(pipes, deadline):
    results, waiting = [None] * len(pipes), dict(zip(pipes, range(len(pipes)), strict=True))
    while waiting:
        ready = connection.wait(list(waiting), timeout=max(0.0, deadline - time.monotonic()))
        if not ready:
            raise Refused(f"process {min(waiting.values())} did not answer in time; all processes were stopped")
        for pipe in ready:
            rank = waiting.pop(pipe)
            try:
                fine, results[rank] = pipe.recv()
            except EOFError:
                raise Refused(f"process {rank} ended before it answered; all processes were stopped") from None
            if not fine:   # the others would wait for it for ever
                raise Refused(f"process {rank} failed with {results[rank]}; all processes were stopped")
    return results


def _clean_up(started, pipes):
    for pipe in pipes:
        pipe.close()
    for process in started:
        process.join(1)
        if process.is_alive():
            process.kill()
        process.join()
        process.close()


def _work(job, arguments, rank, ranks, folder, pipe, timeout):
    """What each process does: go silent, join the group, do the job, answer."""
    log = os.open(Path(folder) / f"{rank}.log", os.O_WRONLY | os.O_CREAT)
    for stream in (1, 2):   # gloo greets its neighbours aloud; a notebook would store that
        os.dup2(log, stream)
    threading.Thread(target=_follow_the_parent, daemon=True).start()
    try:
        from attn.gpu import torch

        torch.set_num_threads(1)
        torch.distributed.init_process_group(
            "gloo", init_method=(Path(folder) / "meeting").as_uri(), rank=rank, world_size=ranks,
            timeout=timedelta(seconds=timeout))
        answer = (True, job(*arguments))
        torch.distributed.barrier()   # nobody leaves while another still listens
        torch.distributed.destroy_process_group()
    except Exception as error:
        answer = (False, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
    try:
        pipe.send(answer)
    except OSError:
        pass   # nobody is listening any more


def _follow_the_parent():
    connection.wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


def ring(q, k, v, d_y=None, *, ranks=2, is_causal=False, layout="zigzag", timeout=300.0):
    """Attention over a sequence cut among real processes, put together again.

        Y = softmax(Q Kᵀ / √d) V, and its gradients if d_y is given

    q: (..., h, n, d)   k: (..., g, n, d)   v: (..., g, n, e)   d_y: (..., h, n, e), NumPy arrays   ->   y, or
    (y, dq, dk, dv). ranks: processes; n must be a multiple of 2 · ranks. layout: as ring.shards.
    Raises ValueError for what does not divide, Refused as run does. Source: Liu, Zaharia & Abbeel (2024).
    """
    from attn.gpu.ring import shards

    n, ranks = q.shape[-2], whole("ranks", ranks, least=1)
    if n % (2 * ranks) or k.shape[-2] != n:
        raise ValueError(f"the tokens must divide evenly: {n} queries and {k.shape[-2]} keys, 2 · {ranks} stretches")
    held = shards(n, ranks, layout)
    whole_arrays = [np.asarray(x) for x in ((q, k, v) if d_y is None else (q, k, v, d_y))]
    told = [(is_causal, here, *(np.ascontiguousarray(x[..., here, :]) for x in whole_arrays)) for here in held]
    answers = run(_share, told, timeout=timeout)
    back = np.argsort(np.concatenate(held))
    joined = [np.concatenate(parts, axis=-2)[..., back, :] for parts in zip(*answers, strict=True)]
    return joined[0] if d_y is None else tuple(joined)


def _share(is_causal, here, *arrays):
    """What one process does for ring: its rows of the answer, and of the gradients."""
    from attn.gpu import torch
    from attn.gpu.ring import attend

    q, k, v, *d_y = (torch.from_numpy(x) for x in arrays)
    for x in (q, k, v) if d_y else ():
        x.requires_grad_()
    y = attend(q, k, v, positions=here if is_causal else None)
    return [x.detach().numpy() for x in (y, *(torch.autograd.grad(y, (q, k, v), d_y[0]) if d_y else ()))]
