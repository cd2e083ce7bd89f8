"""Exercises on torch tensors: arrays become tensors on the way in, results become arrays on the way out.

Imports torch, so only an exercise of kind "torch" imports this module, and nothing else of the exercises does.
"""

import weakref
from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from attn.exercises.checks import instruments
from attn.exercises.checks.running import Outcome, attempt

LEAVING = {"numpy", "tolist", "__array__"}  # ways out of torch that no operation of torch's own shows
NEW = {"tensor", "as_tensor", "new_tensor"}  # make tensors of numbers, past the operations that a Watch sees
MEETING = {"copy_", "_to_copy", "index", "index_put_"}  # operations that may meet tensors of two devices


def ready():
    """Let torch do its first sums, which take longer than any later ones."""
    with Watch():
        (torch.ones(2, 2).half().float() @ torch.ones(2, 2)).exp()


def elsewhere():
    """A device that is not the CPU: a GPU where there is one; else "meta", which a Watch acts out on the CPU."""
    return "cuda" if torch.cuda.is_available() else "meta"


class Tensors:
    """A function of tensors, to be called with arrays.

    Its result is an Outcome: values as float64 arrays, and in the notes what an array does not tell:
    "dtype", "device" of a result that lies elsewhere, and "numpy" for one that is no tensor.
    """

    def __init__(self, f, watch=None):
        self.__wrapped__, self.watch = f, watch

    def __call__(self, *arguments, **choices):
        given = [torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        if self.watch is None:
            return outcome(self.__wrapped__(*given, **choices))
        given = [self.watch.adopt(x) if isinstance(x, torch.Tensor) else x for x in given]
        with self.watch:
            result = self.__wrapped__(*given, **choices)
        return outcome(result, self.watch)


def outcome(result, watch=None):
    """What a function of tensors returned, as an Outcome of arrays."""
    parts = result if isinstance(result, (tuple, list)) else [result]
    first = parts[0] if parts else None
    notes = []
    if isinstance(first, (np.ndarray, np.generic)):
        notes = [f"numpy: a NumPy array of {first.dtype}"]
    elif isinstance(first, torch.Tensor):
        notes = [f"dtype: {first.dtype}"]
        if watch and not watch.is_home(first):
            notes.append(f"device: a result on the {first.device.type.upper()}")
    arrays = type(result)(map(plain, parts)) if parts is result else plain(result)
    return replace(Outcome.of(arrays), notes=tuple(notes))


def plain(part):
    """A tensor as an array, halves as float64; anything else as it is."""
    if not isinstance(part, torch.Tensor):
        return part.astype(float) if isinstance(part, np.ndarray) and part.dtype.kind == "f" else part
    part = part.detach().cpu()
    return (part.double() if part.is_floating_point() else part).numpy()


def tensors(given):
    """The tensors among some arguments, and those in lists of them."""
    flat = [y for x in given for y in (x if isinstance(x, (list, tuple)) else (x,))]
    return [x for x in flat if isinstance(x, torch.Tensor)]


class Watch(TorchDispatchMode):
    """Sees every operation of torch: what leaves the device, what waits for a number, and the bytes held at once.

    device: where the function believes its tensors to be. On "meta" they are on the CPU all the same: what descends
    from them, or is made for that device, is marked as being there, so a CPU alone shows who mixes two devices.
    """

    def __init__(self, device="cpu"):
        super().__init__()
        self.device, self.names = torch.device(device), Names(self)
        self.notes, self.held, self.now, self.peak, self.home = [], {}, 0, 0, set()

    def __enter__(self):
        self.names.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.names.__exit__(*error)

    @classmethod
    def _should_skip_dynamo(cls):
        """Not needed here, where nothing is compiled; otherwise torch would load its compiler, for a second."""
        return False

    def __torch_dispatch__(self, f, types, arguments=(), settings=None):
        settings, name = settings or {}, f.overloadpacket.__name__
        met = tensors((*arguments, *settings.values()))
        there = [self.is_home(x) for x in met]
        if name == "_local_scalar_dense":
            self.note("fetch: a number read out of a tensor")
        elif len({yes for yes, x in zip(there, met, strict=True) if x.dim()}) > 1 and (
            name not in MEETING or (name == "copy_" and not there[0])
        ):
            self.note(f"mixed: `{name}` meets tensors on two devices")
        if acted := self.device.type == "meta" and settings.get("device") == self.device:
            settings = settings | {"device": "cpu"}
        result = f(*arguments, **settings)
        for x in tensors([result]):
            self.weigh(x.untyped_storage())
            if acted or (any(there) and name != "copy_"):
                self.adopt(x)
        return result

    def adopt(self, x):
        """A tensor brought to the device, or marked as being there.  -> the tensor"""
        if self.device.type != "meta":
            return x.to(self.device)
        self.home.add(x.untyped_storage()._cdata)
        return x

    def is_home(self, x):
        """True if a tensor is on the device."""
        on = x.untyped_storage()._cdata in self.home
        return on if self.device.type == "meta" else x.device.type == self.device.type

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
        self.home.discard(key)


class Names(TorchFunctionMode):
    """Sees what is called by name: the ways out of torch, and the ways from one device to another."""

    def __init__(self, watch):
        super().__init__()
        self.watch = watch

    def __torch_function__(self, f, types, arguments=(), settings=None):
        settings, name = settings or {}, getattr(f, "__name__", "")
        if name in LEAVING:
            self.watch.note(f"move: a tensor turned into {'a list' if name == 'tolist' else 'a NumPy array'}")
        if name in ("to", "cpu", "type_as") and self.watch.device.type != "cpu":
            return self.moved(f, arguments, settings, "cpu" if name == "cpu" else None)
        if self.watch.device.type == "meta":
            if f == DEVICE and self.watch.is_home(arguments[0]):
                return self.watch.device
            if name in NEW and (settings.get("device") == self.watch.device or name == "new_tensor"):
                return self.watch.adopt(f(*arguments, **settings | {"device": "cpu"}))
        return f(*arguments, **settings)

    def moved(self, f, arguments, settings, to):
        """x.to(…) or x.cpu(), with "meta" acted out."""
        x, *rest = arguments
        said = [target(y, self.watch) for y in (*rest, *settings.values())]
        to = next((torch.device(device) for device in (to, *said) if device is not None), None)
        if to is not None and to.type == "cpu" and self.watch.is_home(x):
            self.watch.note("move: a tensor sent to the CPU")
        if to is None or self.watch.device.type != "meta":
            return f(*arguments, **settings)
        kinds = [y for y in (*rest, *settings.values()) if isinstance(y, torch.dtype)]
        kinds += [y.dtype for y in rest if isinstance(y, torch.Tensor)]
        return torch.empty_like(x, dtype=kinds[0] if kinds else x.dtype, device=to).copy_(x)


DEVICE = torch.Tensor.device.__get__


def target(y, watch):
    """The device that an argument of x.to(…) means; None where it means none."""
    if isinstance(y, torch.Tensor):
        return watch.device if watch.is_home(y) else y.device
    return y if isinstance(y, (torch.device, str)) else None


def watched(f, arguments, device="cpu"):
    """The outcome on a device, with what torch was seen to do: notes, and the bytes it held at once."""
    watch = Watch(device)
    seen = attempt(Tensors(f.__wrapped__, watch), arguments)
    return seen and replace(seen, notes=(f"ran: on {device}", *seen.notes, *watch.notes), peak=watch.peak)


Tensors.instruments = {
    None: attempt,
    "calls": partial(instruments.listened, attempt),
    "memory": watched,
    "torch": watched,
    "elsewhere": lambda f, arguments: watched(f, arguments, elsewhere()),
}
