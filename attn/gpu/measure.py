"""Predicted and measured, on the GPU of this machine:  python -m attn.gpu.measure [--out FILE] [--runs N]

Writes one JSON: device, driver, versions, date, the measured ceilings, and for each way and size the dtype, shapes,
runs, median and quartiles, with the operations, exponentials and bytes that attn.cost predicts. Nothing is timed that
was not first compared, row by row, with a float64 reference: values, and where they are asked for gradients. Rivals
take turns, with a cold second-level cache; clocks, power and temperature are written down before and after, and so are
the blocks that the autotuner chose. A way that cannot run is written down with its reason.
"""

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from attn import cost, data
from attn.gpu import Refused, torch
from attn.gpu.timing import once, rows

FILE, FORMAT = "gpu.json", "attn.gpu.measure/2"
SIZES = {"b": 1, "h": 16, "d": 128, "lengths": (4096, 8192, 16384), "window": 1024, "batch": 16, "context": 16384}
SMALL = {**SIZES, "lengths": (1024, 2048, 4096), "batch": 4, "context": 8192}  # what a T4 of 15 GiB can hold
ROOM, LEAST = 20 << 30, 6 << 30  # bytes free for SIZES, and for SMALL


def refusal():
    """Why nothing can be measured here, in one sentence, or None. -> str or None"""
    if not torch.cuda.is_available():
        return "there is no CUDA device here, so there is nothing to measure: run this on a machine with an NVIDIA GPU"
    if torch.cuda.get_device_capability() < (7, 5):
        return "this GPU is older than compute capability 7.5 (Turing), which the kernel needs: use a newer one"
    free = torch.cuda.mem_get_info()[0]
    if free < LEAST:
        told = f"only {cost.readable(free)} of the GPU's memory are free"
        return f"{told}, of {cost.readable(LEAST)} needed: end what else runs there, or take a larger one"
    return None


def fitting():
    """What to measure on this GPU: shorter sequences where memory is scarce, float16 where bfloat16 is emulated.

    ->   (sizes, name of the dtype)
    """
    sizes = SIZES if torch.cuda.mem_get_info()[0] >= ROOM else SMALL
    return sizes, "bfloat16" if torch.cuda.get_device_capability() >= (8, 0) else "float16"


def digest():
    """A fingerprint of the code that measures and is measured. -> str"""
    here = Path(__file__).parent
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(here.glob("*.py")))).hexdigest()[:16]


def verdict(record):
    """What is wrong with a file of measurements, in one sentence, or None if it is of this code and whole.

    record: what the JSON held   ->   str or None
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        return "it was not written by this version of attn.gpu.measure"
    about, rows = record.get("about", {}), record.get("rows", [])
    missing = [key for key in ("device", "driver", "versions", "date", "code") if not about.get(key)]
    if missing or not rows:
        return f"it lacks {', '.join(missing) or 'any row'}, so nobody can say what it measured"
    if about["code"] != digest():
        return "it measured an earlier state of the code: measure again"
    return None


def stored():
    """The committed measurements, and a sentence about them. -> (record or None, str)"""
    try:
        record = json.loads(data.path(FILE).read_text("utf8"))
    except FileNotFoundError:
        return None, "No GPU has been measured yet: the figures of this section are still to be measured."
    except ValueError:
        return None, f"The file {FILE} is not readable JSON: measure again."
    wrong = verdict(record)
    if wrong:
        return None, f"The file {FILE} is not used: {wrong}."
    about = record["about"]
    made = f"driver {about['driver']}, torch {about['versions']['torch']}"
    return record, f"Measured on {about['device']} ({made}), {about['date']}."


def table(record):
    """A file of measurements as lines to print, one for each row; none where there is no file. -> list of str"""
    lines = []
    for r in record["rows"] if record else ():
        what = ", causal" if r.get("causal") else ""
        times = [1e3 * r.get(x, 0) for x in ("median", "low", "high")]
        told = r.get("reason") or "{:.3f} ms ({:.3f} to {:.3f})".format(*times)
        told += f", {cost.readable(r['memory'])}" if r.get("memory") else ""
        lines.append(f"{r['question'] + what:30} {r['name']:22} {r['dtype']} q {r['q']} k {r['k']}: {told}")
    return lines


OURS = ("our kernel", "our kernel, specialized")


def ratios(record):
    """What the measurements were for, as lines to print: speed beside torch's, the roof, and decoding beside copying.

        best SDPA time / our time        least time by the roof / our time        (bytes / time) / copy bandwidth

    record: as stored gives it; none of it, no lines   ->   list of str
    """
    timed, lines = [r for r in record["rows"] if "median" in r] if record else [], []
    for ours in (r for r in timed if r["question"] == "prefill" and r["name"] in OURS):
        what = f"{ours['q'][-2]} tokens{', causal' if ours['causal'] else ''}"
        same = [
            r for r in timed if (r["question"], r.get("q"), r.get("causal")) == ("prefill", ours["q"], ours["causal"])
        ]
        best = min((r for r in same if r["name"].startswith("SDPA")), key=lambda r: r["median"], default=None)
        if best:
            times = best["median"] / ours["median"]
            lines.append(f"{what:22} {times:.2f} × the speed of {best['name']}: {ours['name']}")
        least = bounds(ours, record["ceilings"])
        if least:
            held = max(least, key=least.get)
            lines.append(f"{what:22} {least[held] / ours['median']:.0%} of the roof, by its {held}: {ours['name']}")
    for r in (r for r in timed if r["question"] == "decode"):
        share = r["bytes"] / r["median"] / record["ceilings"]["bandwidth"]
        lines.append(f"decode, {r['kv_heads']:2} key–value heads {share:.0%} of copy bandwidth: {r['name']}")
    return lines


def ceilings(device, runs, elements=1 << 28, side=8192):
    """The two roofs, measured: copying (bytes a second) and a product of 16-bit matrices (flops). -> dict"""
    source = torch.empty(elements, dtype=torch.bfloat16, device=device)
    target = torch.empty_like(source)
    a, b = (torch.randn(side, side, device=device).bfloat16() for _ in range(2))
    copy, product = (statistics.median(once(work, device) for _ in range(runs + 3))
                     for work in (lambda: target.copy_(source), lambda: a @ b))  # fmt: skip
    return {"bandwidth": 4 * elements / copy, "peak": 2 * side**3 / product, **exponentials(device)}


def exponentials(device):
    """How many base-2 exponentials a second the device can start: by data sheet, not measured. -> dict

        multiprocessors · 16 a cycle · clock

    Source: the CUDA C++ programming guide's table of arithmetic throughput, for compute capabilities 7.5 to 9.0.
    """
    clock = [float(x.split()[0]) for x in state(("clocks.max.sm",)).values() if x.split()[0].replace(".", "").isdigit()]
    count = torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 0
    return {"exponentials": 16e6 * count * clock[0]} if clock and count else {}


def bounds(row, roof):
    """The least seconds a row can take, by what holds it up: products, exponentials, bytes. -> dict

    flops / peak,   exponentials / rate,   bytes / bandwidth
    """
    told = {"flops": "peak", "exponentials": "exponentials", "bytes": "bandwidth"}
    return {key: row[key] / roof[name] for key, name in told.items() if row.get(key) and roof.get(name)}


STATE = ("clocks.sm", "clocks.mem", "clocks.max.sm", "power.draw", "power.limit", "temperature.gpu")


def state(names=STATE):
    """Clocks, power and temperature as the driver tells them now. -> dict of str, empty without nvidia-smi"""
    try:
        command = ["nvidia-smi", f"--query-gpu={','.join(names)}", "--format=csv,noheader"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return {}
    return dict(zip(names, (x.strip() for x in said.split(",")), strict=False))


def survey(device, *, sizes=SIZES, dtype="bfloat16", runs=50):
    """Every question, every way. -> list of rows"""
    from attn.gpu import questions

    torch.manual_seed(12)
    kind = getattr(torch, dtype)
    return [row for asked in questions.every(device, kind, sizes) for row in rows(*asked, runs)]


def about():
    """What was measured on, and with what. -> dict"""
    import numpy

    try:
        import triton

        version = triton.__version__
    except ModuleNotFoundError:
        version = "none"
    driver = state(("driver_version",)).get("driver_version")
    return {"device": torch.cuda.get_device_name(), "capability": list(torch.cuda.get_device_capability()),
            "driver": driver or "unknown", "date": datetime.now(UTC).strftime("%Y-%m-%d"), "code": digest(),
            "versions": {"python": sys.version.split()[0], "torch": torch.__version__, "triton": version,
                         "numpy": numpy.__version__, "cuda": torch.version.cuda}}  # fmt: skip


def main(arguments=None):
    """The command. -> exit status"""
    parser = argparse.ArgumentParser(prog="python -m attn.gpu.measure", description=__doc__.split("\n")[0])
    parser.add_argument("--out", default=FILE, help=f"the file to write ({FILE}; the book keeps it in chapters/data)")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--dtype", choices=["bfloat16", "float16"], help="what the device does best unless given")
    parser.add_argument("--lengths", type=int, nargs="+", help="what its memory holds unless given")
    options = parser.parse_args(arguments)
    try:
        reason = refusal()
    except Refused as error:
        reason = str(error)
    if reason:
        print(reason, file=sys.stderr)
        return 2
    from attn.gpu import parallel

    device, before = torch.device("cuda"), state()
    sizes, dtype = fitting()
    sizes, dtype = {**sizes, "lengths": options.lengths or sizes["lengths"]}, options.dtype or dtype
    roof = ceilings(device, options.runs)
    record = {"format": FORMAT, "about": {**about(), "before": before}, "ceilings": roof,
              "rows": survey(device, sizes=sizes, dtype=dtype, runs=options.runs)
              + parallel.rows(device, dtype, sizes, options.runs)}  # fmt: skip
    record["about"]["after"] = state()
    Path(options.out).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf8")
    print(f"{len(record['rows'])} rows written to {options.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
