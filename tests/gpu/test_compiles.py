"""The kernels compile to machine code for GPUs that are not here, and their blocks fit into those GPUs' memory."""

import inspect
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
if not find_spec("triton"):
    pytest.skip("Triton has no package for this system", allow_module_level=True)
from attn.gpu import (
    backward,
    forward,
    hopper,
    torch,
    tuning,
)  # torch first: it asks for Triton's interpreter before Triton is imported

from . import ahead

CALLS = {   # what is launched; `only` picks configurations, of those that fit, by their place
    "a causal call on Hopper": {"capability": 90, "dtype": "bfloat16", "d": 128, "is_causal": True, "only": [-1]},
    "a ragged call on Hopper": {"capability": 90, "dtype": "float16", "d": 40, "n": 33, "m": 71, "only": [4]},
    "a window on Ampere": {"capability": 80, "dtype": "float16", "d": 64, "window": [5, 3], "only": [-1]},
    "wide rows on a small card": {"capability": 86, "dtype": "bfloat16", "d": 256, "is_causal": True, "only": [-1]},
    "packed sequences on Ampere": {"capability": 80, "dtype": "bfloat16", "d": 64, "lengths": [20, 0, 44], "only": [1]},
    "a bool mask": {"capability": 80, "dtype": "float16", "d": 64, "mask": "bool", "only": [1]},
    "a float mask": {"capability": 90, "dtype": "float16", "d": 64, "mask": "float32", "only": [1]},
    "specialized warps on Hopper": {"capability": 90, "dtype": "bfloat16", "d": 128, "is_causal": True,
                                    "specialized": True, "backwards": False, "only": [-1]},
    "values that may be NaN": {"capability": 90, "dtype": "float16", "d": 64, "sound": False, "backwards": False,
                               "only": [-1]},
    "decoding by splits": {"capability": 90, "dtype": "bfloat16", "d": 128, "split": True, "n": 1, "m": 512},
    "one query, one head": {"capability": 80, "dtype": "float16", "d": 64, "n": 1, "m": 17, "h": 1, "g": 1,
                            "only": [1]},
    "single precision on Ampere": {"capability": 80, "dtype": "float32", "d": 64, "is_causal": True, "only": [0]},
    "a T4": {"capability": 75, "dtype": "float16", "d": 64, "is_causal": True, "only": [0]},
}  # fmt: skip


EVERY = {  # all that the tuner may choose on Hopper
    f"{dtype} d {d} {name}": {"capability": 90, "dtype": dtype, "d": d, **seen}
    for dtype, d, name, seen in (
        ("bfloat16", 128, "causal", {"is_causal": True}),
        ("bfloat16", 128, "full", {}),
        ("float16", 64, "causal", {"is_causal": True}),
        ("float16", 64, "window", {"window": [70, 0]}),
        ("bfloat16", 128, "specialized", {"specialized": True, "backwards": False, "m": 128}),
        ("bfloat16", 128, "specialized causal", {"specialized": True, "backwards": False, "is_causal": True}),
        ("float16", 64, "specialized window", {"specialized": True, "backwards": False, "window": [70, 0]}),
    )
}


def compile_all(calls, cache):
    """What the compiler said of each call, in one process, which must not interpret as this one does."""
    run = subprocess.run(
        [sys.executable, ahead.__file__, *map(json.dumps, calls.values())],
        capture_output=True,
        text=True,
        env={**os.environ, "TRITON_CACHE_DIR": str(cache)},
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return {name: [line for line in lines if line["query"] == place] for place, name in enumerate(calls)}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return compile_all(CALLS, tmp_path_factory.mktemp("triton"))


def launched(call):
    """The kernels of a call, and how many configurations of them are tuned."""
    if call == "decoding by splits":
        return {"_pieces", "_join"}, 0
    if call in ("values that may be NaN", "specialized warps on Hopper"):
        return {"_specialized" if "specialized" in call else "_forward"}, 1
    return {"_forward", "_deltas", "_queries", "_keys"}, 3


@pytest.mark.prove
@pytest.mark.parametrize("call", CALLS)
def test_kernels_compile_for_gpus_that_are_not_here(made, call):
    kernels, tuned = launched(call)
    assert {line["kernel"] for line in made[call]} == kernels
    assert len(made[call]) == len(kernels) + tuned * (len(CALLS[call].get("only", [0])) - 1)
    for line in made[call]:
        assert line["cubin"] > 1000 and line["shared"] <= line["expected"] <= line["room"], line
        # 16-bit products are the matrix units' on whatever has them for Triton
        if line["kernel"] not in ("_deltas", "_join"):
            assert bool(line["kinds"]) == (line["dtype"] != "float32" and line["capability"] >= 80), line


@pytest.mark.prove
def test_matrix_products_are_not_serialized_and_little_is_spilled(tmp_path):
    names = "a causal call on Hopper", "specialized warps on Hopper"
    lines = compile_all({name: CALLS[name] for name in names}, tmp_path)
    bounded([line for some in lines.values() for line in some])
    assert lines[names[1]][0]["threads"] == 3 * 4 * 32  # one group of four warps fetches, two compute


@pytest.mark.prove
def test_on_no_device_are_they_serialized(made):
    assert [line for lines in made.values() for line in lines if line["serialized"]] == []


@pytest.mark.prove
def test_no_configuration_the_tuner_may_choose_is_serialized_or_spills(tmp_path):
    lines = [line for lines in compile_all(EVERY, tmp_path).values() for line in lines]
    assert len(lines) > 60
    bounded(lines)


def bounded(lines):
    """ptxas serializes nothing (C7515), waits twice for the two products of a tile and not once for each instruction.

    A loop of the middle and one of the edges: 4 waits forward, 6 for dQ, 8 at most for dK and dV. Where warps are
    specialized there is one loop in two groups of warps, and so 4 waits; each thread has a share of 65536 registers,
    which the groups trade, and tiles are fetched by the copy engine: of queries one for each group, of keys and values.
    """
    for line in lines:
        print(*(f"{key} {line[key]}" for key in ("kernel", "dtype", "d", "BM", "BN", "warps", "stages", "registers",
                                                 "spilled", "serialized", "products", "waits")))  # fmt: skip
        assert line["serialized"] == 0 and line["registers"] <= 255, line
        assert line["waits"] <= {"_forward": 4, "_queries": 6, "_keys": 8}.get(line["kernel"], 4), line
        if line["kernel"] == "_specialized":
            assert line["registers"] <= 65536 // line["threads"] and line["copies"] == 4 and not line["spilled"], line
        assert line["spilled"] <= (64 if line["kernel"] == "_forward" else 16), line


def test_the_bound_refuses_a_serialized_loop_and_a_spill():
    fine = {"kernel": "_keys", "dtype": "float16", "d": 64, "BM": 64, "BN": 64, "warps": 4, "stages": 2,
            "registers": 255, "spilled": 0, "serialized": 0, "products": 40, "waits": 8}  # fmt: skip
    bounded([fine])
    for wrong in ({"serialized": 1}, {"spilled": 312}, {"waits": 40}):
        with pytest.raises(AssertionError):
            bounded([{**fine, **wrong}])
    fine |= {"kernel": "_specialized", "threads": 384, "registers": 168, "waits": 4, "copies": 4}
    bounded([fine])
    for wrong in ({"spilled": 8}, {"registers": 190}, {"copies": 0}):
        with pytest.raises(AssertionError):
            bounded([{**fine, **wrong}])


def test_the_tuner_s_key_holds_all_that_changes_the_program():
    for kernel in (forward._forward, hopper._specialized, backward._queries, backward._keys):
        source = inspect.getsource(kernel.fn.fn)
        told = set(re.findall(r"(\w+): tl\.constexpr", source.partition("):")[0])) - {"BM", "BN"}
        # these follow from the dtype and the widths, which are in the key
        assert told - {"ACC", "BD", "BE"} <= set(tuning.KEY), kernel
        assert {"LONG", "SPAN"} <= set(tuning.KEY) & set(re.findall(r"\w+", source.partition("):")[0]))


@pytest.mark.prove
def test_hopper_is_given_its_own_instructions(made):
    assert all("wgmma" in line["kinds"] for line in made["a causal call on Hopper"] if line["kernel"] != "_deltas")


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("capability", ahead.ROOM)
def test_every_device_has_room_for_some_block_of_every_width(monkeypatch, capability, dtype):
    monkeypatch.setattr(tuning, "driver", SimpleNamespace(active=ahead.Absent(capability)))

    def largest(kernel, configs, d):
        told = {"q": torch.empty(0, dtype=dtype), "BD": d, "BE": d, kernel: None}
        fit = tuning.fitting(configs, told)
        return max(tuning.shared(config, told, dtype == torch.float32 or capability < 80) for config in fit)

    for d in (16, 64, 128, 256 if capability >= 80 else 128):
        for kernel, configs in (("y", tuning.FORWARD), ("dq", tuning.QUERIES), ("dk", tuning.KEYS)):
            assert largest(kernel, configs, d) <= ahead.ROOM[capability], (kernel, d)
    if capability < 80:  # why kernel.refusal lets no wider rows onto it
        assert largest("dk", tuning.KEYS, 256) > ahead.ROOM[capability]
