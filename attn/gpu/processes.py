"""Several processes on one machine that talk through torch.distributed, started, fed, and always cleaned up."""

import multiprocessing
import os
import tempfile
import threading
import time
from contextlib import suppress
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
    with Group(len(arguments), timeout=timeout) as group:
        return group.run(job, arguments)


class Group:
    """Processes that are started once and given several jobs: most of a short job's time is torch's import.

        with Group(2) as group: answers = group.run(job, arguments)

    ranks: processes   timeout: seconds for a start or a job   backend: "gloo", or "nccl" with one GPU a process.
    Leaving the `with`, a failed job, and the end of this process all end the processes.
    """

    def __init__(self, ranks, *, timeout=300.0, backend="gloo"):
        ranks = whole("the number of processes", ranks, least=1)
        context = multiprocessing.get_context("spawn")  # a forked torch may hang in its threads
        self.timeout, self._started, self._pipes = timeout, [], []
        self._folder = tempfile.TemporaryDirectory(prefix="attn-ring-")
        try:
            for rank in range(ranks):
                here, there = context.Pipe()
                self._pipes.append(here)
                task = (rank, ranks, backend, self._folder.name, there, timeout)
                self._started.append(context.Process(target=_work, args=task, daemon=True))
                self._started[-1].start()
                there.close()
        except BaseException:
            self.close(0)
            raise

    def run(self, job, arguments):
        """As the function run, on these processes. After a failure they are gone, and the group is closed."""
        if len(arguments) != len(self._pipes):
            raise ValueError(f"{len(arguments)} tuples of arguments for {len(self._pipes)} processes of an open group")
        try:
            for pipe, given in zip(self._pipes, arguments, strict=True):
                with suppress(OSError):  # it has ended already: _collect will say so
                    pipe.send((job, given))
            return _collect(self._pipes, time.monotonic() + self.timeout)
        except BaseException:
            self.close(0)
            raise

    def close(self, grace=2.0):
        """End the processes: asked to, and `grace` seconds later made to."""
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.send(None)
        until = time.monotonic() + grace
        for process in self._started:
            if process.pid is not None:
                process.join(max(0.0, until - time.monotonic()))
                process.kill()
                process.join()
            process.close()
        for pipe in self._pipes:
            pipe.close()
        self._started, self._pipes = [], []
        self._folder.cleanup()

    def __len__(self):
        return len(self._pipes)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close(0 if any(error) else 2.0)


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
            except (EOFError, ConnectionError):
                raise Refused(f"process {rank} ended before it answered; all processes were stopped") from None
            if not fine:  # the others would wait for it for ever
                raise Refused(f"process {rank} failed with {results[rank]}; all processes were stopped")
    return results


def _work(rank, ranks, backend, folder, pipe, timeout):
    """What each process does: go silent, join the group, do the jobs that come, answer, leave when asked to."""
    log = os.open(Path(folder) / f"{rank}.log", os.O_WRONLY | os.O_CREAT)
    for stream in (1, 2):  # gloo greets its neighbours aloud; a notebook would store that
        os.dup2(log, stream)
    threading.Thread(target=_follow_the_parent, daemon=True).start()
    with suppress(OSError, EOFError):  # nobody is listening any more
        try:
            _join(rank, ranks, backend, folder, timeout)
            while task := pipe.recv():
                job, arguments = task
                pipe.send((True, job(*arguments)))
        except Exception as error:
            pipe.send((False, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"))
    os._exit(0)  # everything was answered, nothing is open: torch's farewell would take a second


def _join(rank, ranks, backend, folder, timeout):
    from attn.gpu import torch

    torch.set_num_threads(1)
    if backend == "nccl":
        torch.cuda.set_device(rank)
    torch.distributed.init_process_group(
        backend,
        init_method=(Path(folder) / "meeting").as_uri(),
        rank=rank,
        world_size=ranks,
        timeout=timedelta(seconds=timeout),
    )


def _follow_the_parent():
    connection.wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


def ring(
    q, k, v, d_y=None, *, ranks=2, is_causal=False, layout="zigzag", by=None, group=None, timeout=300.0, dtype=None
):
    """Attention over a sequence cut among real processes, put together again.

        Y = softmax(Q Kᵀ / √d) V, and its gradients if d_y is given

    q: (..., h, n, d)   k: (..., g, n, d)   v: (..., g, n, e)   d_y: (..., h, n, e), NumPy arrays   ->   y, or
    (y, dq, dk, dv). ranks: processes; n must be a multiple of 2 · ranks. layout: as ring.shards.
    by: what each process does: ours unless given, or parallel.torch_ring, parallel.exchange_heads, … group: a Group
    to use, of `ranks` processes. dtype: "float16", … to compute in another dtype than that of the arrays.
    Raises ValueError for what does not divide, Refused as run does. Source: Liu, Zaharia & Abbeel (2024).
    """
    from attn.gpu.ring import shards

    n, ranks = q.shape[-2], whole("ranks", ranks if group is None else len(group), least=1)
    if n % (2 * ranks) or k.shape[-2] != n:
        raise ValueError(f"the tokens must divide evenly: {n} queries and {k.shape[-2]} keys, 2 · {ranks} stretches")
    held = shards(n, ranks, layout)
    whole_arrays = [np.asarray(x) for x in ((q, k, v) if d_y is None else (q, k, v, d_y))]
    causal = layout if is_causal else None
    told = [(causal, dtype, *(np.ascontiguousarray(x[..., here, :]) for x in whole_arrays)) for here in held]
    job = share if by is None else by
    answers = run(job, told, timeout=timeout) if group is None else group.run(job, told)
    back = np.argsort(np.concatenate(held))
    joined = [np.concatenate(parts, axis=-2)[..., back, :] for parts in zip(*answers, strict=True)]
    return joined[0] if d_y is None else tuple(joined)


def share(layout, dtype, *arrays, **told):
    """What one process does for ring: its rows of the answer, and of the gradients. -> list of NumPy arrays"""
    from attn.gpu.ring import attend

    return differentiated(lambda q, k, v: attend(q, k, v, layout=layout, **told), dtype, *arrays)


def by_kernel(layout, dtype, *arrays):
    """As share, each block by the Triton kernels, which a CPU interprets."""
    return share(layout, dtype, *arrays, by="kernel")


def differentiated(attend, dtype, q, k, v, d_y=None):
    """[y], or with d_y [y, dq, dk, dv], of attend(q, k, v) on tensors; NumPy arrays in and out."""
    from attn.gpu import torch

    told = [None if x is None else torch.from_numpy(x) for x in (q, k, v, d_y)]
    *leaves, d_y = (None if x is None else x.to(getattr(torch, dtype)) if dtype else x for x in told)
    leaves = [x.requires_grad_(d_y is not None) for x in leaves]
    y = attend(*leaves)
    slopes = () if d_y is None else torch.autograd.grad(y, leaves, d_y)
    return [(x.float() if x.dtype == torch.bfloat16 else x).detach().numpy() for x in (y, *slopes)]
