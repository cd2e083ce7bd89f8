"""Exercises on torch tensors: arrays become tensors on the way in, results become arrays on the way out.

Imports torch, so only an exercise of kind "torch" imports this module, and nothing else of the exercises does.
"""

import weakref
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from attn.exercises import instruments
from attn.exercises.running import Outcome, attempt

LEAVING = {"numpy", "tolist", "__array__"}   # ways out of torch that no operation of torch's own shows
MEETING = {"copy_", "_to_copy", "index", "index_put_"}   # operations that may meet tensors of two devices


def ready():
    """Let torch do its first sums, which take longer than any later ones."""
    with Watch():
        (torch.ones(2, 2).half().float() @ torch.ones(2, 2)).exp()


def elsewhere():
    """A device that is not the CPU: a GPU if there is one, else torch's "meta", which keeps shapes and no numbers."""
    return "cuda" if torch.cuda.is_available() else "meta"


class Tensors:
    """A function of tensors, to be called with arrays.

    Its result is an Outcome: values as float64 arrays, and in the notes what an array does not tell:
    "dtype", "device" of the first result, and "numpy" for one that is no tensor.
    """

    def __init__(self, f, device="cpu", watch=None):
        self.__wrapped__, self.device, self.watch = f, device, watch or nullcontext()

    def __call__(self, *arguments, **choices):
        given = [torch.from_numpy(a).to(self.device) if isinstance(a, np.ndarray) else a for a in arguments]
        with self.watch:
            result = self.__wrapped__(*given, **choices)
        return told(result, self.device)


def told(result, device="cpu"):
    """What a function of tensors returned, as an Outcome of arrays."""
    parts = result if isinstance(result, (tuple, list)) else [result]
    first = parts[0] if parts else None
    notes = []
    if isinstance(first, (np.ndarray, np.generic)):
        notes = [f"numpy: a NumPy array of {first.dtype}"]
    elif isinstance(first, torch.Tensor):
        notes = [f"dtype: {first.dtype}"]
        if first.device.type != torch.device(device).type:
            notes.append(f"device: a result on {first.device.type}")
    arrays = type(result)(map(plain, parts)) if parts is result else plain(result)
    return replace(Outcome.of(arrays), notes=tuple(notes))


def plain(part):
    """A tensor as an array, halves as float64; anything else as it is."""
    if not isinstance(part, torch.Tensor):
        return part.astype(float) if isinstance(part, np.ndarray) and part.dtype.kind == "f" else part
    if part.device.type == "meta":
        return np.zeros(part.shape)
    part = part.detach().cpu()
    return (part.double() if part.is_floating_point() else part).numpy()


def tensors(given):
    """The tensors among some arguments, and those in lists of them."""
    flat = [y for x in given for y in (x if isinstance(x, (list, tuple)) else (x,))]
    return [x for x in flat if isinstance(x, torch.Tensor)]


class Watch(TorchDispatchMode):
    """Sees every operation of torch: what leaves the device, what waits for a number, and the bytes held at once."""

    def __init__(self):
        super().__init__()
        self.notes, self.held, self.now, self.peak, self.names = [], {}, 0, 0, Names(self)

    def __enter__(self):
        self.names.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.names.__exit__(*error)

    def __torch_dispatch__(self, f, types, arguments=(), settings=None):
        settings = settings or {}
        self.look(f.overloadpacket.__name__, (*arguments, *settings.values()), settings.get("device"))
        result = f(*arguments, **settings)
        for tensor in tensors([result]):
            self.weigh(tensor.untyped_storage())
        return result

    def look(self, name, given, to):
        """Note an operation before it runs: it may fail for the very reason that is noted."""
        met = tensors(given)
        devices = {t.device.type for t in met if t.dim()}
        if name == "_local_scalar_dense":
            self.note("fetch: a number read out of a tensor")
        elif name == "_to_copy" and to and torch.device(to).type == "cpu" and devices - {"cpu"}:
            self.note("move: a tensor sent to the CPU")
        elif len(devices) > 1 and (name not in MEETING or (name == "copy_" and met[0].device.type == "cpu")):
            self.note(f"mixed: `{name}` meets tensors on two devices")

    def note(self, text):
        """Write down at most a few dozen things."""
        if len(self.notes) < 48:
            self.notes.append(text)

    def weigh(self, storage):
        """Count a result's memory until the last tensor that uses it is gone."""
        key = storage._cdata
        if key not in self.held:
            self.held[key] = storage.nbytes()
            self.now += storage.nbytes()
            self.peak = max(self.peak, self.now)
            weakref.finalize(storage, self.free, key)

    def free(self, key):
        """Memory handed back."""
        self.now -= self.held.pop(key, 0)


class Names(TorchFunctionMode):
    """Sees the calls that leave torch."""

    def __init__(self, watch):
        super().__init__()
        self.watch = watch

    def __torch_function__(self, f, types, arguments=(), settings=None):
        if getattr(f, "__name__", "") in LEAVING:
            self.watch.note(f"move: a tensor turned into {'a list' if f.__name__ == 'tolist' else 'a NumPy array'}")
        return f(*arguments, **(settings or {}))


def watched(f, arguments, device="cpu"):
    """The outcome on a device, with what torch was seen to do: notes, and the bytes it held at once."""
    watch = Watch()
    outcome = attempt(Tensors(f.__wrapped__, device, watch), arguments)
    return outcome and replace(outcome, notes=(f"ran: on {device}", *outcome.notes, *watch.notes), peak=watch.peak)


Tensors.instruments = {
    None: attempt,
    "calls": partial(instruments.listened, attempt),
    "memory": watched,
    "torch": watched,
    "elsewhere": lambda f, arguments: watched(f, arguments, elsewhere()),
}
