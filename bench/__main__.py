"""Measure, print a table, write bench/results-<time>.json."""

import argparse
import json
import os
import platform
import time
from pathlib import Path

import numpy
import torch

from bench.measures import ALL


def main():
    """Run the measures asked for (all unless named) and say which targets were met. -> None"""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("measures", nargs="*", help=f"any of: {', '.join(ALL)}")
    parser.add_argument("--seconds", type=float, default=8.0, help="for each ratio (at least five pairs are run)")
    options = parser.parse_args()
    unknown = set(options.measures) - set(ALL)
    if unknown:
        parser.error(f"no measure named {', '.join(sorted(unknown))}; there are {', '.join(ALL)}")
    rows = []
    print(f"{'ratio to the left of / over the right':76} {'median':>7} {'quartiles':>14} {'target':>7}")
    for name in options.measures or ALL:
        for row in ALL[name](options.seconds):
            rows.append({"measure": name, **row._asdict(), "met": None if row.met is None else bool(row.met)})
            print(line(row), flush=True)
    aimed = [row["met"] for row in rows if row["met"] is not None]
    path = write(rows)
    print(f"{sum(aimed)} of {len(aimed)} targets met; written to {path}")


def line(row):
    """One row of the table. -> str"""
    verdict = {None: "", True: "met", False: "MISSED"}[row.met]
    aim = "" if row.target is None else f"{row.target:.2f}"
    return f"{row.what:76} {row.median:7.3f} {f'{row.low:.3f}–{row.high:.3f}':>14} {aim:>7} {verdict:6} {row.note}"


def write(rows):
    """The rows and what they were measured on, as JSON. -> the path, relative to where the command runs"""
    about = {
        "when": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "machine": platform.machine(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "numpy": numpy.__version__,
        "torch": torch.__version__,
        "threads": {name: os.environ.get(name) for name in ("OPENBLAS_NUM_THREADS", "OMP_WAIT_POLICY")},
    }
    path = Path(__file__).parent / f"results-{time.strftime('%Y%m%d-%H%M%S')}.json"
    path.write_text(json.dumps({"about": about, "rows": rows}, indent=1, ensure_ascii=False, default=float))
    return os.path.relpath(path)


def processor():
    """The processor's name where Linux tells it, else what Python knows. -> str"""
    try:
        told = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((text.split(":", 1)[1].strip() for text in told if text.startswith("model name")), "unknown")


if __name__ == "__main__":
    main()
