"""How many submissions are graded in a second, and what one costs: the figures of the instructor's page.

    python -m bench.grading                       a class of 60, right and wrong, on one core, two cores and Dask
    python -m bench.grading --record              also writes them to bench/grading.json and into grader/README.md
    python -m bench.grading --isolation none      one isolation alone; --image IMAGE is for docker and podman

Processor time is nearly the same on a busy machine; submissions a second are not, and are left out there.
"""

import argparse
import json
import os
import platform
import re
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psutil
from attn_grader.batch import Batch
from attn_grader.isolation import Isolation, Refused
from attn_grader.notebooks import Submission, code_cells
from attn_grader.remote import Worker
from attn_grader.store import Store
from attn_grader.unit import Settings, grade

ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS, RECORD, PAGE = (
    ROOT / "exercises" / "solutions",
    Path(__file__).with_suffix(".json"),
    ROOT / "grader/README.md",
)
CHAPTERS = tuple(range(1, 12))
AIMS = {"right": 15, "wrong": 8}  # submissions a second on one core, without isolation
BUSY = 20  # percent of the machine at work on something else, beyond which the clock says nothing
BEGIN, END = "<!-- measured: python -m bench.grading --record -->\n", "<!-- end -->"


def handed_in(k, kind):
    """A submission of all solutions; wrong: each answer returns twice what is asked for."""
    books = [(path.name, code_cells(path.read_bytes())) for path in sorted(SOLUTIONS.glob("*.ipynb"))]
    return Submission(f"s{k:05}", tuple(
        (name, tuple(re.sub(r"return (.+)", r"return 2 * (\1)", cell) if kind == "wrong" else cell for cell in cells))
        for name, cells in books if int(name[:2]) in CHAPTERS
    ))  # fmt: skip


def settings(isolation):
    """Chapters 1 to 11: NumPy's exercises, without the large cases of chapter 12."""
    return Settings("bench", CHAPTERS, isolation)


def cost(isolation, kind, count):
    """Processor time of one submission.  -> {"first", "grader", "worker", "exercises"}, seconds and a count

    first: what the first of its kind costs the grader more than others.
    """
    worked, close = [0.0], Worker.close

    def closed(worker):
        found = worker.tree()
        worked[0] += found[0] if found else 0.0
        close(worker)

    Worker.close = closed
    grade(handed_in(0, "right"), settings(isolation))
    begun = time.process_time()
    grade(handed_in(0, kind), settings(isolation))
    first, worked[0] = time.process_time() - begun, 0.0
    begun = time.process_time()
    for k in range(count):
        result = grade(handed_in(k, kind), settings(isolation))
        assert result.complete
    grader = (time.process_time() - begun) / count
    return {"first": first - grader, "grader": grader, "worker": worked[0] / count, "exercises": len(result.marks)}


def rate(isolation, kind, count, cores, dask=False):
    """Submissions a second, from the first to the last result on disk, where only some cores may be used. -> float"""
    class_, before = [handed_in(k, kind) for k in range(count)], os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:cores])
    client = cluster = None
    try:
        if dask:
            from distributed import Client, LocalCluster

            cluster = LocalCluster(n_workers=cores, threads_per_worker=1, dashboard_address=None)
            client = Client(cluster, set_as_default=False)
        pool = (lambda: client.get_executor(retries=0)) if dask else (lambda: ProcessPoolExecutor(cores))
        with tempfile.TemporaryDirectory() as there:
            begun = time.perf_counter()
            own = settings(isolation)
            results = Batch(Store(there, own.digest), own, pool, room=4 * cores).run(class_)
            took = time.perf_counter() - begun
    finally:
        for one in filter(None, (client, cluster)):
            one.close()
        os.sched_setaffinity(0, before)
    assert all(result.complete for result in results)
    return count / took


def measured(isolations, count):
    """All figures.  -> a record, as JSON has it"""
    busy = psutil.cpu_percent(2.0)
    record = {"class": count, "python": platform.python_version(), "cores": os.cpu_count(), "busy": busy,
              "isolations": {}}  # fmt: skip
    if busy > BUSY:
        print(f"{busy:.0f}% of this machine's cores are at work already: no submissions a second are taken.")
    for isolation in isolations:
        try:
            isolation.find()
        except Refused as reason:
            print(f"{isolation.kind}: {reason}")
            continue
        found = record["isolations"][isolation.kind] = {}
        for kind, aim in AIMS.items():
            with ProcessPoolExecutor(1) as apart:  # so that nothing is known yet where the class is graded
                found[kind] = apart.submit(cost, isolation, kind, min(count, 20)).result()
            one = found[kind]
            print(f"{isolation.kind}, {kind}: {1000 * one['grader']:.0f} and {1000 * one['worker']:.0f} ms of work")
            if busy <= BUSY:
                one |= {"one": rate(isolation, kind, count, 1), "two": rate(isolation, kind, count, 2),
                        "dask": rate(isolation, kind, count, 2, dask=True)}  # fmt: skip
                print(f"  {one['one']:.1f} a second on one core (without isolation {aim} are wanted), {one['two']:.1f} "
                      f"on two, {one['dask']:.1f} by two workers of Dask", flush=True)  # fmt: skip
    return record


def page(record):
    """What the instructor's page says, made of a record.  -> Markdown"""
    rows = [(isolation, kind, one) for isolation, kinds in record["isolations"].items() for kind, one in kinds.items()]
    exercises, first = rows[0][2]["exercises"], max(one["first"] for _, _, one in rows)
    text = [f"Chapters {CHAPTERS[0]} to {CHAPTERS[-1]}, all {exercises} exercises. Processor time, which other work on "
            "a machine changes little:", "",
            "| isolation | a submission that is | grader | its worker | a second, on one core | 10,000 on one core |",
            "|---|---|---|---|---|---|"]  # fmt: skip
    for isolation, kind, one in rows:
        both = one["grader"] + one["worker"]
        text.append(f"| `{isolation}` | all {kind} | {1000 * one['grader']:.0f} ms | {1000 * one['worker']:.0f} ms | "
                    f"{1 / both:.0f} | {10_000 * both / 60:.0f} minutes |")  # fmt: skip
    text += ["", f"The first wrong answers of a class cost each process {first:.1f} s more, once. Divide the last "
             "column by the number of cores that have nothing else to do: each works for itself."]  # fmt: skip
    if rows := [row for row in rows if "one" in row[2]]:
        text += ["", f"On the clock, a class of {record['class']}, from the first submission to the last result:",
                 "", "| isolation | a submission that is | one core | two cores | gain | two workers of Dask |",
                 "|---|---|---|---|---|---|"]  # fmt: skip
    text += [f"| `{isolation}` | all {kind} | {one['one']:.1f} a second | {one['two']:.1f} | "
             f"{one['two'] / one['one']:.2f} times | {one['dask']:.1f} |" for isolation, kind, one in rows]  # fmt: skip
    return "\n".join(text) + "\n"


def between(text):
    """A page's text before the measured part, that part, and what follows.  -> 3 strings"""
    before, _, rest = text.partition(BEGIN)
    part, _, after = rest.partition(END)
    return before + BEGIN, part, END + after


def main():
    """Print the figures; with --record, keep them."""
    parser = argparse.ArgumentParser(prog="python -m bench.grading", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--class", dest="count", type=int, default=60)
    parser.add_argument("--isolation", nargs="+", default=["none", "bwrap"])
    parser.add_argument("--image", default="", help="for docker and podman")
    parser.add_argument("--record", action="store_true", help="write bench/grading.json and grader/README.md")
    options = parser.parse_args()
    record = measured([Isolation(kind, image=options.image) for kind in options.isolation], options.count)
    if options.record:
        RECORD.write_text(json.dumps(record, indent=1) + "\n", "utf8")
        before, _, after = between(PAGE.read_text("utf8"))
        PAGE.write_text(before + page(record) + after, "utf8")


if __name__ == "__main__":
    main()
