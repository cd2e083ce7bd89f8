"""When is an answer in low precision right? Compared with float64, row by row, in units of the reference's own size.

    err_i = ‖y_i − ŷ_i‖ / (‖ŷ_i‖ + ‖ŷ‖ / √n)

An absolute tolerance says nothing by itself: the output of attention over 16384 random keys is some eighty times
smaller than its values, and a tolerance of 0.05 would pass an error as large as the output. The second term is the size
of a typical row: a row that is small by cancellation, as gradients have them, may err by its neighbours' rounding.
"""

from typing import NamedTuple

from attn.gpu import torch

BOUND = {"float64": 1e-11, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}


class Compared(NamedTuple):
    """worst: the largest err_i, of any row of any tensor   bound: what the dtype allows   where: which tensor."""

    worst: float
    bound: float
    where: str

    @property
    def right(self):
        """Whether the worst row is within the bound; NaN is not."""
        return self.worst <= self.bound


def rows(given, reference):
    """err_i of each row. given, reference: (..., n, e)   ->   (..., n), in float64"""
    given, reference = given.double(), reference.double()
    size = reference.norm(dim=-1)
    typical = size.square().mean(-1, keepdim=True).sqrt()
    return (given - reference).norm(dim=-1) / (size + typical).clamp_min(torch.finfo(torch.float64).tiny)


def compare(given, references, dtype, names=("y", "dq", "dk", "dv")):
    """Values and gradients against references that were computed from the same rounded inputs. -> Compared

    given, references: tensors in the order of names   dtype: a name, whose bound holds
    """
    worst, where = -1.0, ""
    for name, mine, right in zip(names, given, references, strict=False):
        here = rows(mine, right)
        here = float(torch.where(here.isnan(), float("inf"), here).max()) if here.numel() else 0.0
        if here > worst:
            worst, where = here, name
    return Compared(worst, BOUND[dtype], where)


def reference(q, k, v, d_y=None, mask=None, *, scale=None, block=512):
    """What q, k, v, as they are rounded, should give in exact arithmetic. -> [y] or [y, dq, dk, dv], in float64

    q, d_y: (b, h, n, ·)   k, v: (b, g, m, ·); g divides h.
    """
    from attn.gpu import merge

    leaves = [x.detach().double().requires_grad_(d_y is not None) for x in (q, k, v)]
    r = q.shape[1] // k.shape[1]
    y = merge.attend(leaves[0], *(x.repeat_interleave(r, 1) for x in leaves[1:]), mask, scale=scale, block=block)
    return [y.detach(), *(torch.autograd.grad(y, leaves, d_y.double()) if d_y is not None else ())]
