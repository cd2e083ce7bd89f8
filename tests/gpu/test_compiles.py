"""The kernels compile to machine code for GPUs that are not here, and their blocks fit into those GPUs' memory."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
if not find_spec("triton"):
    pytest.skip("Triton has no package for this system", allow_module_level=True)
from attn.gpu import torch, tuning  # torch first: it asks for Triton's interpreter before Triton is imported

from . import ahead

CALLS = {   # what is launched; `only` picks configurations, of those that fit, by their place
    "a causal call on Hopper": {"capability": 90, "dtype": "bfloat16", "d": 128, "is_causal": True, "only": [-1]},
    "a ragged call on Hopper": {"capability": 90, "dtype": "float16", "d": 40, "n": 33, "m": 71, "only": [4]},
    "a window on Ampere": {"capability": 80, "dtype": "float16", "d": 64, "window": [5, 3], "only": [-1]},
    "wide rows on a small card": {"capability": 86, "dtype": "bfloat16", "d": 256, "is_causal": True, "only": [-1]},
    "packed sequences on Ampere": {"capability": 80, "dtype": "bfloat16", "d": 64, "lengths": [20, 0, 44], "only": [1]},
    "a bool mask": {"capability": 80, "dtype": "float16", "d": 64, "mask": "bool", "only": [1]},
    "a float mask": {"capability": 90, "dtype": "float16", "d": 64, "mask": "float32", "only": [1]},
    "values that may be NaN": {"capability": 90, "dtype": "float16", "d": 64, "sound": False, "backwards": False,
                               "only": [-1]},
    "decoding by splits": {"capability": 90, "dtype": "bfloat16", "d": 128, "split": True, "n": 1, "m": 512,
                           "only": [2]},
    "one query, one head": {"capability": 80, "dtype": "float16", "d": 64, "n": 1, "m": 17, "h": 1, "g": 1,
                            "only": [1]},
    "single precision on Ampere": {"capability": 80, "dtype": "float32", "d": 64, "is_causal": True, "only": [0]},
    "a T4": {"capability": 75, "dtype": "float16", "d": 64, "is_causal": True, "only": [0]},
}  # fmt: skip
FORWARDS_ALONE = ("values that may be NaN", "decoding by splits")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What the compiler said of each call, in one process, which must not interpret as this one does."""
    script = Path(ahead.__file__)
    run = subprocess.run(
        [sys.executable, script, *map(json.dumps, CALLS.values())],
        capture_output=True,
        text=True,
        env={**os.environ, "TRITON_CACHE_DIR": str(tmp_path_factory.mktemp("triton"))},
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return {name: [line for line in lines if line["query"] == place] for place, name in enumerate(CALLS)}


@pytest.mark.prove
@pytest.mark.parametrize("call", CALLS)
def test_kernels_compile_for_gpus_that_are_not_here(made, call):
    kernels = {"_forward"} if call in FORWARDS_ALONE else {"_forward", "_queries", "_keys"}
    assert {line["kernel"] for line in made[call]} == kernels
    assert len(made[call]) == len(kernels) * len(CALLS[call]["only"])
    for line in made[call]:
        assert line["cubin"] > 1000 and line["shared"] <= line["expected"] <= line["room"], line
        # 16-bit products are the matrix units' on whatever has them for Triton
        assert bool(line["products"]) == (line["dtype"] != "float32" and line["capability"] >= 80), line


@pytest.mark.prove
def test_hopper_is_given_its_own_instructions(made):
    assert all("wgmma" in line["products"] for line in made["a causal call on Hopper"])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("capability", ahead.ROOM)
def test_every_device_has_room_for_some_block_of_every_width(monkeypatch, capability, dtype):
    monkeypatch.setattr(tuning, "driver", SimpleNamespace(active=ahead.Absent(capability)))

    def largest(kernel, configs, d):
        told = {"q": torch.empty(0, dtype=dtype), "BD": d, "BE": d, kernel: None}
        fit = tuning.fitting(configs, told)
        return max(tuning.shared(config, told, dtype == torch.float32 or capability < 80) for config in fit)

    for d in (16, 64, 128, 256 if capability >= 80 else 128):
        for kernel, configs in (("y", tuning.FORWARD), ("dq", tuning.BACKWARD), ("dk", tuning.BACKWARD)):
            assert largest(kernel, configs, d) <= ahead.ROOM[capability], (kernel, d)
    if capability < 80:  # why kernel.refusal lets no wider rows onto it
        assert largest("dk", tuning.BACKWARD, 256) > ahead.ROOM[capability]
