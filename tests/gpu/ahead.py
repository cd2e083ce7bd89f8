"""Compile the kernels for GPUs that are not here:  python tests/gpu/ahead.py [QUERY …] prints one JSON line for each.

Triton needs a device to run a kernel, not to compile one. So the launching code runs as it is on tensors of the CPU,
with a driver that names another device, and whatever it would launch is compiled down to that device's machine code.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

if __name__ == "__main__":
    os.environ["TRITON_INTERPRET"] = "0"  # it is the compiler that is asked here
    os.environ["TRITON_DUMP_PTXAS_LOG"] = os.environ["TRITON_ALWAYS_COMPILE"] = "1"  # and its last part, what it says

import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

sys.path.insert(0, str(Path(__file__).parents[2]))
from attn.gpu import backward, decode, forward, hopper, kernel, torch, tuning

# compute capability -> bytes of shared memory that one block may take (CUDA C++ programming guide, table of
# technical specifications): Turing, Ampere (A100), Ampere and Ada (consumer), Hopper
ROOM = {75: 64 << 10, 80: 163 << 10, 86: 99 << 10, 89: 99 << 10, 90: 227 << 10}


class Absent:
    """As much of a Triton driver as compiling needs: which device, and how large its shared memory is."""

    def __init__(self, capability):
        self.capability = capability
        self.utils = self

    def get_current_device(self):
        return self.capability

    def get_current_stream(self, device):
        return 0

    def get_current_target(self):
        return GPUTarget("cuda", self.capability, 32)

    def get_device_properties(self, device):
        return {"max_shared_mem": ROOM[self.capability]}


def compiled(capability, dtype, d, *, only=None, backwards=True, split=False, n=64, m=64, h=4, g=2, mask=None,
             lengths=None, **seen):  # fmt: skip
    """Compile what one call of attention launches. -> iterator of dicts, one for each kernel and configuration

    only: numbers of the configurations that fit, all unless given. The other arguments are those of the call.
    """
    driver.set_active(Absent(capability))
    forward._forward.configs = tuning.FORWARD
    backward._queries.configs, backward._keys.configs = tuning.QUERIES, tuning.KEYS
    hopper._specialized.configs = tuning.SPECIALIZED
    launched, kept = [], (Autotuner.run, JITFunction.run)
    Autotuner.run = JITFunction.run = lambda self, *arguments, warmup, grid, **named: launched.append(
        (self, arguments, named)
    )
    try:
        _launch(getattr(torch, dtype), d, backwards, split, n, m, h, g, mask, lengths, seen)
    finally:
        Autotuner.run, JITFunction.run = kept
    for tuner, arguments, named in launched:
        if not isinstance(tuner, Autotuner):  # small ones, of which there is one configuration
            yield _one(tuner, arguments, named, capability, dtype, d)
            continue
        told = dict(zip(tuner.arg_names, arguments, strict=False)) | named
        configs = tuning.fitting(tuner.configs, told)
        for config in configs if only is None else [configs[i] for i in only if -len(configs) <= i < len(configs)]:
            begun = time.monotonic()
            with contextlib.redirect_stdout(io.StringIO()) as said:
                made = tuner.fn.warmup(*arguments, grid=(1,), **(named | config.all_kwargs()))
            single = told["q"].element_size() == 4 or capability < 80
            yield {
                "kernel": tuner.base_fn.__name__, "capability": capability, "dtype": dtype, "d": d, **config.kwargs,
                "warps": config.num_warps, "stages": config.num_stages, "shared": made.metadata.shared,
                "expected": tuning.shared(config, told, single), "room": ROOM[capability],
                **_read(made, said.getvalue()),
                "seconds": round(time.monotonic() - begun, 1),
            }  # fmt: skip


def _one(kernel, arguments, named, capability, dtype, d):
    begun = time.monotonic()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        made = kernel.warmup(*arguments, grid=(1,), **named)
    return {"kernel": kernel.__name__, "capability": capability, "dtype": dtype, "d": d, "BM": named.get("BM"),
            "BN": named.get("BN"), "warps": named.get("num_warps", 4), "stages": named.get("num_stages", 3),
            "shared": made.metadata.shared, "expected": ROOM[capability], "room": ROOM[capability],
            **_read(made, said.getvalue()), "seconds": round(time.monotonic() - begun, 1)}  # fmt: skip


def _launch(dtype, d, backwards, split, n, m, h, g, mask, lengths, seen):
    q, k, v = (torch.zeros(1, heads, rows, d, dtype=dtype) for heads, rows in ((h, n), (g, m), (g, m)))
    if split:
        decode.decode(q, k, v, d**-0.5)
        return
    lead, layout = kernel._laid_out(q, k, v, lengths, None)
    if mask is not None:
        mask = kernel._laid_on(torch.zeros(n, m, dtype=getattr(torch, mask)), lead, layout)
    plan = kernel._plan(
        layout, mask, *(seen.get(name) for name in ("is_causal", "window", "offset", "scale")), seen.get("sound", True)
    )
    y, tops, sums = (hopper if seen.get("specialized") else forward).forward(layout, plan)
    if backwards:
        backward.backward(layout, plan, y, tops, sums, torch.zeros_like(y))


def _read(made, said):
    """What the machine code says of itself: its size, registers, bytes spilled to memory, matrix products and waits.

    serialized: how often ptxas says (C7515) that each matrix product of a loop waits for the one before.
    products, waits: HGMMA instructions, and waits for them, in the whole program: loops are counted once.
    copies: tiles that the copy engine is told to fetch.   threads: of one program, the fetching warps' included.
    """
    kinds = [name for name in ("wgmma", "mma.sync") if name in made.asm["ptx"]]
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(made.asm["cubin"])
        file.flush()
        usage = dict(pair.split(":") for pair in _tool("cuobjdump", "--dump-resource-usage", file.name).split()
                     if pair.count(":") == 1 and pair[-1].isdigit())  # fmt: skip
        code = _tool("nvdisasm", "-c", file.name)
    return {"cubin": len(made.asm["cubin"]), "kinds": kinds, "registers": int(usage["REG"]),
            "spilled": int(usage["STACK"]), "serialized": said.count("C7515"), "threads": 32 * made.metadata.num_warps,
            "products": code.count("HGMMA"), "waits": code.count("WARPGROUP.DEPBAR"),
            "copies": code.count("UTMALDG")}  # fmt: skip


def _tool(name, *arguments):
    path = Path(triton.__file__).parent / "backends/nvidia/bin" / name
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    for place, query in enumerate(sys.argv[1:]):
        for line in compiled(**json.loads(query)):
            print(json.dumps({"query": place, **line}), flush=True)
