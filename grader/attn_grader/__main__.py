"""Grading a class, from a terminal.

    attn-grader grade FOLDER -o OUT --seed SECRET     grade what is handed in; a second run goes on where it stopped
    attn-grader tables OUT                            make the tables again: a new roster, an override
    attn-grader merge OUT SHARD [SHARD ...]           join the shards of several machines
    attn-grader export gradescope|otter|nbgrader      for another grader
"""  # fmt: skip

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

from attn_grader import exports, tables
from attn_grader.batch import Batch, shard
from attn_grader.isolation import KINDS, Isolation, Refused
from attn_grader.notebooks import submissions
from attn_grader.preflight import fly
from attn_grader.store import Store
from attn_grader.unit import Settings

DONE, REFUSED, UNGRADED, INTERRUPTED = 0, 2, 3, 130


def parser():
    """The command line's grammar."""
    raw = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser(prog="attn-grader", description=__doc__, formatter_class=raw)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    grading(commands.add_parser("grade"))
    made = commands.add_parser("tables")
    made.add_argument("output", type=Path)
    made.add_argument("--roster", type=Path)
    joined = commands.add_parser("merge")
    joined.add_argument("output", type=Path)
    joined.add_argument("shards", type=Path, nargs="+")
    joined.add_argument("--roster", type=Path)
    exporting(commands.add_parser("export"))
    return top


def grading(command):
    """The arguments of `grade`."""
    command.add_argument("folder", type=Path, help="one notebook, or one folder of notebooks, for each submission")
    command.add_argument("-o", "--output", type=Path, required=True, help="results, tables and pages go here")
    command.add_argument("--seed", default=os.environ.get("ATTN_GRADER_SEED", ""),
                         help="a secret that draws the cases; or in the environment, as ATTN_GRADER_SEED")  # fmt: skip
    command.add_argument("--chapters", type=int, nargs="*", default=(), help="only these chapters")
    command.add_argument("--isolation", choices=[kind for kind in KINDS if kind != "user"], default="docker")
    command.add_argument("--image", default="", help="for docker and podman: a Python with NumPy, without attn")
    command.add_argument("--python", default="", help="the interpreter that runs the submissions")
    command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="submissions at once, on this machine")
    command.add_argument("--scheduler", default="", help="a Dask scheduler, tcp://…: its workers grade")
    command.add_argument("--shard", default="", help="i/n: only every n-th submission, from the i-th on")
    command.add_argument("--limit", type=float, default=5.0, help="seconds of processor time for one call")
    command.add_argument("--roster", type=Path, help="who handed in what: submission,name,id,email,late,override")


def exporting(command):
    """The arguments of `export`."""
    command.add_argument("kind", choices=["gradescope", "otter", "nbgrader"])
    command.add_argument("-o", "--output", type=Path, required=True, help="a .zip, or a folder")
    command.add_argument("--chapters", type=int, nargs="*", default=(), help="only these chapters")
    command.add_argument("--seed", default=os.environ.get("ATTN_GRADER_SEED", ""), help="for gradescope: a secret")
    command.add_argument("--wheels", type=Path, default=Path("dist"), help="for gradescope: where `make wheel` built")


def executor(options):
    """() -> where submissions are graded: a Dask cluster, or processes of this machine."""
    if options.scheduler:
        from distributed import Client

        client = Client(options.scheduler, set_as_default=False)
        return lambda: client.get_executor(retries=0)
    if options.jobs == 1:
        return lambda: ThreadPoolExecutor(1)
    return lambda: ProcessPoolExecutor(options.jobs)


def grade(options):
    """Grade a folder.  -> exit status: 0 all graded, 3 something is ungraded, 130 interrupted with all that was done"""
    settings = Settings(options.seed, tuple(options.chapters), isolation_of(options), options.limit)
    entries = tables.roster(options.roster) if options.roster else None
    found, left_out = submissions(options.folder)
    if options.shard:
        part, _, parts = options.shard.partition("/")
        if not (part.isdecimal() and parts.isdecimal()):
            raise ValueError(f"shard: {options.shard!r} is not of the form i/n")
        found = shard(found, int(part), int(parts))
    store = Store(options.output, settings.digest)
    fly(settings)
    for name, reason in left_out:
        print(f"left out: {name} ({reason})")
    counter = Counter(len(found))
    batch = Batch(store, settings, executor(options), room=4 * max(1, options.jobs), told=counter)
    try:
        results = batch.run(found)
    except KeyboardInterrupt:
        tables.everything(store, entries)
        print(f"\nInterrupted: {counter.done} results are kept in {options.output}; the same command goes on there.")
        return INTERRUPTED
    tables.everything(store, entries)
    missing = [result.submission for result in results if not result.complete]
    print(f"{len(results)} submissions, {len(results) - len(missing)} graded; see {options.output}.")
    for name in missing:
        print(f"ungraded: {name}")
    return UNGRADED if missing else DONE


class Counter:
    """Says how far a batch is, on one line of a terminal."""

    def __init__(self, total):
        self.total, self.done = total, 0

    def __call__(self, result):
        self.done += 1
        if sys.stdout.isatty():
            print(f"\r{self.done} of {self.total}  ", end="", flush=True)


def isolation_of(options):
    """The isolation that was asked for."""
    return Isolation(options.isolation, options.image, options.python)


def made(options):
    """Make the tables of a folder of results again.  -> exit status"""
    store = Store.found(options.output)
    results = tables.everything(store, tables.roster(options.roster) if options.roster else None)
    print(f"{len(results)} results; see {options.output}.")
    return DONE if all(result.complete for result in results) else UNGRADED


def merged(options):
    """Join shards.  -> exit status"""
    shards = [Store.found(folder) for folder in options.shards]
    tables.merge(shards, Store(options.output, shards[0].settings))
    return made(options)


def exported(options):
    """Write an export.  -> exit status"""
    chapters = tuple(options.chapters)
    if options.kind == "gradescope":
        exports.gradescope(options.output, seed=options.seed, wheels=options.wheels, chapters=chapters)
    else:
        {"otter": exports.otter, "nbgrader": exports.nbgrader}[options.kind](options.output, chapters=chapters)
    print(f"Written to {options.output}.")
    return DONE


def main(arguments=None):
    """The command line.  -> exit status"""
    options = parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # a terminal that knows no √ shows ? in its place
        stream.reconfigure(errors="replace")
    if os.name == "nt":
        print("Grading needs a Unix system: a worker is killed as a group of processes.")
        return REFUSED
    try:
        return {"grade": grade, "tables": made, "merge": merged, "export": exported}[options.command](options)
    except (Refused, ValueError, OSError) as error:
        print(f"attn-grader: {error}")
        return REFUSED


if __name__ == "__main__":
    sys.exit(main())
