"""The exercises from a terminal.

python -m attn.exercises list                 every exercise, and which ones have passed
python -m attn.exercises start [FOLDER]       copy the sheets to a folder of your own; nothing there is overwritten
python -m attn.exercises check SHEET.ipynb    run a sheet and show what its checks say
python -m attn.exercises watch SHEET.ipynb    the same, again whenever the sheet is saved
python -m attn.exercises hint ID              the next hint
python -m attn.exercises solution ID          one way to write it, once it has passed
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from attn.exercises import api, catalogue, cells, sheets
from attn.exercises.record import Record

LIMIT = 120.0


def listing():
    """Print every exercise with its mark."""
    record = Record.load()
    for number, exercises in catalogue.chapters().items():
        print(f"Chapter {number}")
        for exercise in exercises:
            mark = "✓" if record.passed(exercise.id) else "·"
            print(f"  {mark} {exercise.id:5} {exercise.title}")
    return 0


def check(path, limit=LIMIT):
    """Run a sheet in a process of its own, so that an endless loop in a cell ends with it.  -> exit status"""
    if not path.is_file():
        print(f"There is no file {path}.")
        return 2
    command = [sys.executable, "-m", "attn.exercises", "run-cells", str(path.resolve())]
    try:
        return subprocess.run(command, cwd=path.resolve().parent, timeout=limit, check=False).returncode
    except subprocess.TimeoutExpired:
        print(f"✗ {path.name}: still running after {limit:g} s, so it was stopped.")
        return 1


def watch(path, pause=0.5, rounds=None):
    """Check a sheet whenever it changes on disk, until interrupted; rounds: stop after so many checks."""
    last, done = None, 0
    try:
        while rounds is None or done < rounds:
            now = path.stat().st_mtime_ns if path.is_file() else None
            if now is not None and now != last:
                last, done = now, done + 1
                print(f"── {path.name} ── watching; Ctrl-C ends", flush=True)
                check(path)
            time.sleep(pause)
    except KeyboardInterrupt:
        print()
    return 0


def parser():
    """The command line's grammar."""
    raw = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser(prog="python -m attn.exercises", description=__doc__, formatter_class=raw)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list")
    commands.add_parser("start").add_argument("folder", nargs="?", default="attention-exercises")
    for name in ("check", "watch", "run-cells"):
        commands.add_parser(name).add_argument("sheet", type=Path)
    for name in ("hint", "solution"):
        commands.add_parser(name).add_argument("id")
    commands.choices["solution"].add_argument("--reveal", action="store_true", help="also before it has passed")
    return top


def main(arguments=None):
    """The command line.  -> exit status"""
    options = parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # a terminal that knows no √ shows ? in its place
        stream.reconfigure(errors="replace")
    actions = {
        "list": listing,
        "start": lambda: not sheets.start(options.folder) and 0,
        "check": lambda: check(options.sheet),
        "watch": lambda: watch(options.sheet),
        "run-cells": lambda: cells.run_file(options.sheet),
        "hint": lambda: api.hint(options.id) and 0,
        "solution": lambda: api.solution(options.id, options.reveal) and 0,
    }
    return int(actions[options.command]() or 0)


if __name__ == "__main__":
    sys.exit(main())
