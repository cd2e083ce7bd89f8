"""How large the kernels' blocks may be: what is tried on a device, and what the device has no room for.

Triton times each configuration that it is given, and takes the quickest. One whose tiles do not fit into the shared
memory of the device would only be compiled in vain, so those are left out first.
"""

from attn.gpu import torch

# torch first: without a GPU it asks for the interpreter, before Triton is imported
# isort: split
import triton
from triton.runtime import driver

INTERPRETED = not torch.cuda.is_available()
FAR = 1 << 30  # farther than any key is from any query
SMALL = [triton.Config({"BM": 32, "BN": 32}, num_warps=4)]


def _configs(*sizes):
    return [triton.Config({"BM": bm, "BN": bn}, num_warps=warps, num_stages=stages) for bm, bn, warps, stages in sizes]


FORWARD = _configs(
    (16, 16, 4, 1), (32, 32, 4, 1), (16, 64, 4, 3), (64, 32, 4, 3), (64, 64, 4, 3), (128, 32, 4, 3),
    (128, 64, 8, 3), (128, 128, 8, 2), (128, 128, 8, 3))  # fmt: skip
QUERIES = _configs((16, 16, 4, 1), (32, 32, 4, 1), (32, 64, 4, 2), (64, 32, 4, 2), (64, 64, 4, 2), (128, 64, 8, 2))
KEYS = _configs(
    (16, 16, 4, 1), (32, 32, 4, 1), (32, 64, 4, 2), (32, 64, 4, 3), (64, 64, 4, 2), (32, 128, 8, 2),
    (64, 128, 8, 2))  # fmt: skip
# Three groups of four warps each, of which one fetches and two compute (hopper.py); num_warps counts one group.
SPECIALIZED = _configs((128, 64, 4, 2), (128, 64, 4, 3), (128, 128, 4, 2))
# The autotuner times anew when one of these, or a dtype, changes: all that changes the program, and the sizes.
KEY = ["D", "E", "LONG", "SPAN", "LEFT", "RIGHT", "MASK", "ALIGNED", "PACKED", "PRE", "SOUND", "DIVIDED",
       "WHOLE"]  # fmt: skip


def tried(configs):
    """What the autotuner is given: in the interpreter, where nothing is timed, one configuration."""
    configs = SMALL if INTERPRETED else configs
    return {"configs": configs, "key": KEY, "prune_configs_by": {"early_config_prune": fitting}}


def fitting(configs, arguments, **named):
    """The configurations that the device has room for, the smallest at least.

    Products of 4-byte floats, and all on a device before Ampere, are single multiply–adds that Triton writes out one
    by one: large blocks would take minutes to compile, so these have the small ones alone. So have values that may
    hold NaN, which keep three sums a block: in large ones they would not stay in the registers.
    """
    told = {**arguments, **named}
    target, device = driver.active.get_current_target(), driver.active.get_current_device()
    room = driver.active.utils.get_device_properties(device)["max_shared_mem"]
    single = told["q"].element_size() == 4 or target.arch < 80
    most = 32 * 32 if single or not told.get("SOUND", True) else 128 * 128
    small = [c for c in configs if c.kwargs["BM"] * c.kwargs["BN"] <= most]
    return [c for c in small if shared(c, told, single) <= room and registers(c, told) <= HELD] or small[:1]


HELD = 160  # of a thread's 255 registers: above it, those compiled ahead for Hopper spill


def registers(config, told):
    """How many registers of a thread the sums take, and the tiles between products. -> int

    (sums + tiles) / threads
    """
    rows, keys = config.kwargs["BM"], config.kwargs["BN"]
    if "WHOLE" in told:  # two groups of four warps compute
        return (rows * told["BE"] + rows * keys) // 256
    if "dk" in told:
        held = keys * (told["BD"] + told["BE"]) + 2 * rows * keys
    elif "dq" in told:
        held = rows * told["BD"] + 2 * rows * keys
    else:  # softmax keeps more beside them
        held = rows * told["BE"] + rows * keys + 16 * 32 * config.num_warps
    return held // (32 * config.num_warps)


def shared(config, told, single):
    """Bytes of shared memory that a configuration takes at most. -> int

        size · (held + stages · fetched), and the scores if they pass through it

    told: the kernel's arguments by name; single: whether products are single multiply–adds, in 4-byte floats.
    """
    rows, keys = config.kwargs["BM"], config.kwargs["BN"]
    both, scores = told["BD"] + told["BE"], 2 * rows * keys
    if "WHOLE" in told:  # and the sums of one group, in float32, on their way out
        return 2 * (rows * told["BD"] + config.num_stages * keys * both) + 4 * 64 * told["BE"] + 1024
    if "dk" in told:
        held, fetched = keys * both, rows * both
        scores = max(scores, rows * max(told["BD"], told["BE"]))  # one tile of queries lies there turned as well
    elif "dq" in told:
        held, fetched, scores = rows * both, keys * both, scores if single else 0
    else:
        held, fetched, scores = rows * told["BD"], keys * both, scores if single else 0
    return (4 if single else told["q"].element_size()) * (held + config.num_stages * fetched + scores)
