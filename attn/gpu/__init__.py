"""The same mathematics on torch tensors: one merge, a Triton kernel made of it, and a ring of processes made of it.

merge     the associative merge of (m, ℓ, o), differentiable
kernel    attention in blocks as a Triton kernel, forward and backward
hopper    its forward pass with warps that only fetch
ring      attention over a sequence that is spread over several processes; parallel: torch's own, beside it
ways      torch's own attentions: which run here, and why the others do not
measure   python -m attn.gpu.measure: predicted and measured, written to one file

Importing attn.gpu costs nothing; its modules import torch, or say in one sentence that it is missing.
"""

import os
from importlib import import_module


class Refused(RuntimeError):
    """Something cannot be done here: its message says what is missing and what to do. Notebooks show only that."""

    def _render_traceback_(self):
        return [f"Refused: {self}"]  # what IPython prints in place of a stack trace


def __getattr__(name):
    if name != "torch":
        raise AttributeError(f"module 'attn.gpu' has no attribute {name!r}")
    try:
        torch = import_module("torch")
    except ModuleNotFoundError:
        raise Refused("attn.gpu computes with torch, which is not installed: pip install torch") from None
    if not torch.cuda.is_available():
        os.environ.setdefault("TRITON_INTERPRET", "1")  # Triton reads it once, when something imports it
    return torch
