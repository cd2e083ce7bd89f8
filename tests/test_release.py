"""The package as others get it: as a wheel, and from a git address, each into an environment and a folder of its own.

Both environments borrow this one's NumPy and notebook tools; of attn they see only what was installed into them.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
import yaml

import attn

ROOT = Path(__file__).resolve().parents[1]
FRESH = """
import json, sys
import attn, numpy
assert "torch" not in sys.modules and "matplotlib" not in sys.modules
from attn import core, data, masks
from attn.exercises import check, start
y = core.scaled_dot_product_attention(numpy.eye(3), numpy.eye(3), numpy.eye(3), masks.causal(3))
sheets = start("mine")
def softmax(S):
    e = numpy.exp(S - S.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
print(json.dumps({"home": attn.__file__, "first": y[0].tolist(), "sheets": len(sheets),
                  "status": check("4.1", softmax).status,
                  "maps": len(data.encoder_maps()), "data": data.path("induction.npz").is_file()}))
"""

EXECUTE = """
import nbformat
from nbclient import NotebookClient
book = nbformat.read("chapter.ipynb", as_version=4)
book.cells.append(nbformat.v4.new_code_cell("import attn; print(attn.__file__)"))
NotebookClient(book, kernel_name="python3", timeout=600).execute()
nbformat.write(book, "done.json")
"""


def run(command, folder, **more):
    """Run to the end in a folder, away from this checkout; what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=1200,
        env={**environment, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "IPYTHONDIR": str(folder), **more},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def environment(folder):
    """A new environment that can use this one's packages, except attn.   -> its Python"""
    run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], folder)
    bin_ = "Scripts" if os.name == "nt" else "bin"
    python = folder / "env" / bin_ / "python"
    own = Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    # A plain line in a .pth file adds a folder but not that folder's own .pth files, so the editable attn stays unseen.
    (own / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python, own


def install(what, own, folder):
    """Put a wheel or a git address into an environment's folder, with this environment's pip and without a network."""
    run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--no-index",
            "--target",
            own,
            what,
        ],
        folder,
    )


def read(name):
    """A text file of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_project_says_one_thing_of_itself_wherever_it_speaks_of_itself():
    """Authors, licence and address agree; the version is attn's; a date is given only for what was released."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    cited, book = yaml.safe_load(read("CITATION.cff")), yaml.safe_load(read("_config.yml"))
    assert cited["title"] == book["title"]
    assert cited["authors"] == project["authors"] == [{"name": book["author"]}]
    assert f"Copyright (c) {book['copyright']} {book['author'].replace('The', 'the', 1)}\n" in read("LICENSE")
    assert " AND ".join(cited["license"]) == project["license"]
    assert (
        cited.get("repository-code", "") == project.get("urls", {}).get("Repository", "") == book["repository"]["url"]
    )
    released = re.findall(r"^## \[(.+)\] - (\d{4}-\d\d-\d\d)$", read("CHANGELOG.md"), re.MULTILINE)
    assert project["dynamic"] == ["version"] and "version" not in cited
    assert str(cited.get("date-released", "")) == (released[0][1] if released else "")
    assert not released or released[0][0] == attn.__version__


def test_every_place_that_the_map_names_is_there():
    named = re.findall(r"`((?:attn|tests|tools|book|grader)/[\w./]*)`", read("CONTRIBUTING.md").split("## Code")[0])
    assert len(named) > 15 and [place for place in named if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_what_a_page_of_the_repository_leads_to_is_there(page):
    text = read(page)
    leads = [lead for lead in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in lead]
    assert [lead for lead in leads if not (ROOT / lead).is_file()] == []
    for words, picture in re.findall(r"!\[(.*?)\]\((.+?)\)", text):
        assert len(words) > 15 and (ROOT / picture).stat().st_size <= 60_000
    assert page != "README.md" or re.search(r"!\[.+\]\(.+\)\]\(chapters/01_\w+\.ipynb\)", text)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from the checkout."""
    pytest.importorskip("hatchling", reason="the wheel is built with hatchling, an extra of [test]")
    out = tmp_path_factory.mktemp("wheel")
    run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--no-index",
            "--wheel-dir",
            out,
            ROOT,
        ],
        out,
    )
    (found,) = out.glob("*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_works_in_a_fresh_environment_and_an_empty_folder(wheel, tmp_path):
    python, own = environment(tmp_path)
    install(wheel, own, tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    found = json.loads(run([python, "-c", FRESH], empty).splitlines()[-1])
    assert Path(found["home"]).is_relative_to(own)
    assert found["first"] == [1, 0, 0] and found["status"] == "passed" and found["data"] and found["maps"] > 5
    sheets = {path.name for path in (ROOT / "exercises").glob("*.ipynb")}
    assert {path.name for path in (empty / "mine").glob("*.ipynb")} == sheets and found["sheets"] == len(sheets)


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """(Python, its packages, the clone) after `pip install git+…`: the way of Colab."""
    if not (ROOT / ".git").exists():
        pytest.skip("this copy of the project is not a git repository")
    pytest.importorskip("hatchling", reason="the wheel is built with hatchling, an extra of [test]")
    folder = tmp_path_factory.mktemp("colab")
    copy = folder / "repository"
    run(["git", "clone", "--quiet", "--no-local", ROOT.as_uri(), copy], folder)  # whole: pip fetches from it in part
    python, own = environment(folder)
    install(f"git+{copy.as_uri().replace('file:///', 'file://localhost/')}", own, folder)
    return python, own, copy


@pytest.mark.prove
@pytest.mark.parametrize("chapter", sorted(path.stem for path in (ROOT / "chapters").glob("[01]*.ipynb")))
def test_a_chapter_runs_from_an_empty_folder_after_installing_from_a_git_address(colab, tmp_path, chapter):
    """In a folder with nothing else, with live figures from the kernel."""
    python, own, copy = colab
    (tmp_path / "chapter.ipynb").write_bytes((copy / "chapters" / f"{chapter}.ipynb").read_bytes())
    run([python, "-c", EXECUTE], tmp_path)
    cells = json.loads((tmp_path / "done.json").read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    assert not [output for output in outputs if output["output_type"] == "error"]
    live = [output for output in outputs if "application/vnd.jupyter.widget-view+json" in output.get("data", {})]
    assert live, "no figure of the chapter was alive"
    assert all("text/html" in output["data"] and "text/plain" in output["data"] for output in live)
    said = "".join("".join(output.get("text", "")) for output in cells[-1]["outputs"])  # it may come in pieces
    assert str(own) in said
