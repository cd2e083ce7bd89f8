"""What travels between neighbours in a ring of processes."""

import time

from attn.gpu import torch


class Link:
    """To the next process of a ring, and from the one before.

    Keys and values have two buffers, which take turns: a block that has arrived is used while the next one arrives. So
    a process holds three blocks, its own among them, however many processes there are. Gradients have one buffer: what
    has arrived is added at once to what is sent on.
    mesh: a DeviceMesh of one axis; all processes of the default group unless given.
    """

    BUFFERS = {"keys": 2, "gradients": 1}  # noqa: RUF012

    def __init__(self, mesh=None):
        dist = torch.distributed
        self.group = dist.group.WORLD if mesh is None else mesh.get_group()
        self.rank, self.ranks = dist.get_rank(self.group), dist.get_world_size(self.group)
        self._buffers, self._turn = {}, {}

    def send(self, tensors, *, lane="keys"):
        """Start sending tensors to the next process and receiving as many. -> a function that waits for them"""
        dist = torch.distributed
        if self.ranks == 1:
            return lambda: tensors
        there = self._next(tensors, lane)
        following, before = (dist.get_global_rank(self.group, (self.rank + x) % self.ranks) for x in (1, -1))
        moves = [dist.P2POp(dist.isend, x.contiguous(), following, self.group) for x in tensors if x.numel()]
        moves += [dist.P2POp(dist.irecv, x, before, self.group) for x in there if x.numel()]
        works = dist.batch_isend_irecv(moves)

        def arrived():
            for work in works:
                work.wait()  # NCCL makes the device wait, not the host
            return there

        return arrived

    def release(self):
        """Give the buffers back: between a forward and a backward pass there is no need of them."""
        self._buffers.clear()

    def _next(self, tensors, lane):
        """The buffers whose turn it is; they are made when first needed."""
        turn = self._turn[lane] = (self._turn.get(lane, -1) + 1) % self.BUFFERS[lane]
        if (lane, turn) not in self._buffers:
            made = (torch.empty_like(x, memory_format=torch.contiguous_format) for x in tensors)
            self._buffers[lane, turn] = tuple(made)
        return self._buffers[lane, turn]


class SlowLink(Link):
    """A link on which everything is `delay` seconds under way at least, and a record of when: for experiments.

    record: a list of (lane, sent, asked for, arrived), in seconds of time.monotonic.
    """

    def __init__(self, delay, mesh=None):
        super().__init__(mesh)
        self.delay, self.record = delay, []

    def send(self, tensors, *, lane="keys"):
        """As Link.send; what has come is handed over when its time has passed."""
        sent, wait = time.monotonic(), super().send(tensors, lane=lane)

        def arrived():
            asked, there = time.monotonic(), wait()
            time.sleep(max(0.0, sent + self.delay - time.monotonic()))
            self.record.append((lane, sent, asked, time.monotonic()))
            return there

        return arrived
