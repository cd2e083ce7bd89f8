"""Run the book's notebooks and store their outputs: the only way a stored output changes.

python tools/notebooks.py run [PATH …]     execute in a fresh kernel, write what changed
python tools/notebooks.py check [PATH …]   execute in memory, report any difference, write nothing
python tools/notebooks.py nbval [PATH …]   compare every stored output with pytest's nbval, strictly
"""

import argparse
import asyncio
import difflib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nb_canonical
import nb_stamp
import nb_text
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat.reader import NotJSONError

ROOT = Path(__file__).resolve().parent.parent
SHELVES = ("chapters", "exercises", "exercises/solutions")
STEADY = {  # one thread: two would add up in another order; and nothing of the person who runs it
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Haswell",  # AVX2 everywhere: wider registers would add up in another order, too,
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",  # and a training of 1500 steps makes it visible
    "ATTN_PROGRESS": "off",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "TZ": "UTC",
    "COLUMNS": "80",
    "NO_COLOR": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}


class Failed(Exception):
    """A cell that did not run; the message shows the cell and the error."""


def shelf(root=ROOT):
    """Every notebook of the book, in reading order."""
    return [path for folder in SHELVES for path in sorted((Path(root) / folder).glob("*.ipynb"))]


async def execute(path, stored, environment):
    """Run a notebook (its stored text) in a fresh kernel and return its canonical text; nothing is saved."""
    old, new = (nbformat.reads(stored, as_version=4) for _ in range(2))
    name = nb_text.name_in(ROOT, path)
    nb_stamp.stamp_minutes(new)
    nb_stamp.stamp_colab(new, name, *nb_stamp.repository(ROOT / "_config.yml"))
    client = NotebookClient(
        new,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--IPKernelApp.log_level=40"],  # not the kernel's advice about encryption
        skip_cells_with_tag=nb_canonical.ELSEWHERE,
        resources={"metadata": {"path": path.parent}},
    )
    try:
        await client.async_execute(env=environment)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise Failed(describe_failure(name, new, error)) from None
    own = [cell for cell in old.cells if nb_stamp.STAMPED not in cell.metadata.get("tags", [])]
    authored = [cell for cell in new.cells if nb_stamp.STAMPED not in cell.metadata.get("tags", [])]
    nb_canonical.keep_what_looks_the_same(authored, own)
    nb_stamp.stamp_outputs(new)
    if name.startswith("chapters/"):
        nb_stamp.stamp_answers(new)
    return nb_canonical.text(new)


def describe_failure(name, notebook, error):
    """The cell that failed, as a person would point at it."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    broken = next((cell for cell in code if any(o.output_type == "error" for o in cell.outputs)), None)
    if broken is None:
        return f"{name}: {error}"
    problem = next(o for o in broken.outputs if o.output_type == "error")
    source = "\n".join("    " + line for line in broken.source.splitlines())
    return f"{name}: code cell {code.index(broken) + 1} failed\n{source}\n  {problem.ename}: {problem.evalue}"


def write(path, text):
    """Replace a file in one step, so that a stop half-way leaves the old one whole."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    with os.fdopen(handle, "w", encoding="utf8", newline="\n") as file:
        file.write(text)
    os.chmod(temporary, path.stat().st_mode & 0o777)
    os.replace(temporary, path)


async def work(path, environment, save):
    """Execute one notebook; save or compare.  -> (line to print, everything is well)"""
    name, began = nb_text.name_in(ROOT, path), time.perf_counter()
    stored = path.read_bytes().decode("utf8")
    try:
        text = await execute(path, stored, environment)
    except Failed as failure:
        return str(failure), False
    except (NotJSONError, nbformat.ValidationError) as error:
        return f"{name}: not a readable notebook: {str(error).splitlines()[0][:200]}", False
    if path.read_bytes().decode("utf8") != stored:
        return f"{name}: edited while it ran, so nothing was written; run it again", False
    took = f"{time.perf_counter() - began:.1f} s"
    if text == stored:
        return f"{name}: unchanged ({took})", True
    if save:
        write(path, text)
        return f"{name}: written ({took})", True
    return f"{name}: running it again changes it\n{difference(stored, text)}", False


async def work_through(paths, jobs, environment, save):
    """Execute the notebooks, some at once, and say how each went.  -> exit status"""
    places, well = asyncio.Semaphore(jobs), True

    async def one(path):
        async with places:
            return await work(path, environment, save)

    for done in asyncio.as_completed([one(path) for path in paths]):
        line, fine = await done
        print(line, flush=True)
        well &= fine
    return 0 if well else 1


def difference(stored, text, most=60):
    """The difference as a reader would see it; of the raw files if no reader could."""
    one, two = nb_text.readable(stored).splitlines(), nb_text.readable(text).splitlines()
    if one == two:
        one, two = stored.splitlines(), text.splitlines()
    lines = list(difflib.unified_diff(one, two, "stored", "now", lineterm="", n=1))
    lines = lines or ["only line ends differ"]
    rest = [f"… and {len(lines) - most} lines more"] if len(lines) > most else []
    return "\n".join("  " + line[:200] for line in lines[:most] + rest)


def nbval(paths, jobs, environment):
    """Strict nbval over the notebooks, one kernel each, as its own pytest run.  -> exit status"""
    inside = all(path.is_relative_to(ROOT) for path in paths)  # outside its root pytest confuses two files' cells
    root = ROOT if inside else os.path.commonpath([path.parent for path in paths])
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--nbval",
        "--nbval-current-env",
        "--nbval-sanitize-with",
        str(ROOT / "tools" / "nbval.cfg"),
        "-n",
        str(min(jobs, len(paths))),
        "--dist",
        "loadfile",
        "-p",
        "no:cacheprovider",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        str(root),
        *map(str, paths),
    ]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def main(arguments=None):
    """The command line.  -> exit status"""
    raw = argparse.RawDescriptionHelpFormatter  # keep the lines of the text above as they are
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("action", choices=["run", "check", "nbval"])
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; all of them if none is named")
    parser.add_argument("-j", "--jobs", type=int, default=3, help="kernels at once (default 3)")
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.paths] or shelf()
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        parser.error(f"no such notebook: {', '.join(missing)}")
    if not paths:
        print("no notebooks yet")
        return 0
    with tempfile.TemporaryDirectory() as profile:
        environment = os.environ | STEADY | {"IPYTHONDIR": profile}
        if options.action == "nbval":
            return nbval(paths, options.jobs, environment)
        return asyncio.run(work_through(paths, options.jobs, environment, save=options.action == "run"))


if __name__ == "__main__":
    sys.exit(main())
