"""The book's notebooks keep the rules, the rules bite, and the tool that writes outputs does what it says."""

import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import minutes
import nb_canonical
import nb_rules
import nb_stamp
import nb_text
import nbformat
import notebooks
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parent.parent
BOOK = notebooks.shelf(ROOT)
CHAPTERS = [
    path for path in BOOK if re.fullmatch(r"\d\d[a-z]?_\w+\.ipynb", path.name) and path.parent.name == "chapters"
]
every_notebook = pytest.mark.parametrize("path", BOOK, ids=lambda path: path.stem)

CODE = {
    "imports": "import numpy as np\nfrom matplotlib.figure import Figure\n\nrng = np.random.default_rng(4)",
    "print": "print('one')\nrng.normal(size=3).round(3)",
    "class": """import io


class Plot:
    def __init__(self, figure, alt): self.figure, self.alt = figure, alt
    def __repr__(self): return self.alt

    def _repr_png_(self):
        file = io.BytesIO()
        self.figure.savefig(file)
        return file.getvalue()""",
    "figure": "figure = Figure(figsize=(1, 1))\nfigure.subplots().plot([1, 2, 3])\n"
    "Plot(figure, 'One line that climbs from 1 to 3.')",
    "widget": "import ipywidgets\nipywidgets.IntSlider(3)",
    "timing": "import time\ntime.perf_counter()",
}
OPENING = """# 4 · Why divide by √d
**The question.** What happens to softmax as d grows?
**You will be able to** predict the variance of a score.
**You bring** chapter 3. · 25 minutes, no GPU."""
CLOSING = """## What you can now say
1. The variance of q · k is d.
2. Dividing by √d undoes exactly that.
3. It is the softmax that needed it.

**Still loose:** these q and k were independent.

**Practise:** sheet 4. **Sources:** Vaswani et al. (2017) §3.2.1."""


def small_chapter():
    """A chapter in miniature that keeps every rule, not yet run."""
    cells = [new_markdown_cell(OPENING)]
    for name, source in CODE.items():
        tags = {"tags": [nb_canonical.VOLATILE]} if name == "timing" else {}
        cells += [new_code_cell(source, metadata=tags), new_markdown_cell(f"What {name} shows.")]
    return new_notebook(cells=[*cells, new_markdown_cell(CLOSING)])


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The small chapter, executed once by the tool: the path of the file."""
    path = tmp_path_factory.mktemp("book") / "04_small.ipynb"
    nbformat.write(small_chapter(), path)
    assert notebooks.main(["run", str(path)]) == 0
    return path


@pytest.fixture
def stored(ran):
    return nbformat.read(ran, as_version=4)


def cell_of(notebook, start):
    return next(cell for cell in notebook.cells if cell.source.startswith(start))


# ── the book ────────────────────────────────────────────────────────────────────────────────────────────────


@every_notebook
def test_every_notebook_keeps_the_rules(path):
    assert nb_rules.faults_everywhere(nbformat.read(path, as_version=4)) == []


@every_notebook
def test_every_notebook_is_in_its_one_written_form(path):
    raw = path.read_bytes().decode("utf8")
    assert raw == nb_canonical.text(nbformat.reads(raw, as_version=4)), "run: make run"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_chapter_opens_and_closes_as_chapters_do(path):
    assert nb_rules.faults_in_a_chapter(nbformat.read(path, as_version=4)) == []


@every_notebook
def test_what_a_page_hides_as_a_check_defines_nothing_that_its_other_cells_use(path):
    assert nb_rules.hidden_definitions(nbformat.read(path, as_version=4)) == []


@every_notebook
def test_colab_cells_follow_the_repository_address(path):
    notebook = nbformat.read(path, as_version=4)
    before = [cell.source for cell in notebook.cells]
    nb_stamp.stamp_colab(notebook, path.relative_to(ROOT).as_posix(), *nb_stamp.repository(ROOT / "_config.yml"))
    assert [cell.source for cell in notebook.cells] == before


def test_every_exception_from_nbval_has_its_row_and_reason():
    rows = [
        [field.strip(" `") for field in line.strip("|").split("|")]
        for line in (ROOT / "tests" / "SKIPS.md").read_text("utf8").splitlines()
        if ".ipynb" in line
    ]
    listed = {tuple(row[:3]) for row in rows if len(row) == 4 and len(row[3].split()) >= 3}
    found = {
        (path.relative_to(ROOT).as_posix(), *exception)
        for path in BOOK
        for exception in nb_rules.exceptions(nbformat.read(path, as_version=4))
    }
    assert found == listed


# ── the rules bite ──────────────────────────────────────────────────────────────────────────────────────────


def unrun(notebook):
    cell_of(notebook, "print").execution_count = None


def error(notebook):
    cell_of(notebook, "print").outputs = [new_output("error", ename="ValueError", evalue="no", traceback=[])]


def warned(notebook):
    cell_of(notebook, "print").outputs = [new_output("stream", name="stderr", text="Deprecated")]


def live_widget(notebook):
    cell_of(notebook, "import ipywidgets").outputs[0].data[nb_canonical.WIDGET_VIEW] = {"model_id": "a1"}


def address(notebook):
    cell_of(notebook, "print").outputs[0].text = "<Thing at 0x7f00aa11bb22>"


def mute_figure(notebook):
    cell_of(notebook, "figure").outputs[0].data["text/plain"] = "<Figure size 640x480 with 1 Axes>"


def mute_widget(notebook):
    data = cell_of(notebook, "import ipywidgets").outputs[0].data
    data["text/html"], data["text/plain"] = '<div class="attn-figure"></div>', "IntSlider(value=3)"


def two_pictures(notebook):
    cell_of(notebook, "figure").outputs *= 2


def stale_alt(notebook):
    cell_of(notebook, "figure").metadata["mystnb"]["image"]["alt"] = "One line that falls from 3 to 1."


def long_cell(notebook):
    cell_of(notebook, "print").source = "\n".join(["x = 1"] * 16)


def late_imports(notebook):
    cell_of(notebook, "import numpy").source += "\nx = rng.normal()"


def many_imports(notebook):
    cell_of(notebook, "import numpy").source = "\n\n".join(["import numpy"] * 6)


def crowded_imports(notebook):
    cell_of(notebook, "import numpy").source = "import numpy; import scipy"


def no_prose(notebook):
    notebook.cells = [cell for cell in notebook.cells if not cell.source.startswith("What ")]


def whispered(notebook):
    cell_of(notebook, "print").source = "# NBVAL_IGNORE_OUTPUT\nprint('one')"


def no_promise(notebook):
    notebook.cells[0].source = OPENING.replace("**You will be able to**", "You might")


def two_sentences(notebook):
    notebook.cells[-1].source = CLOSING.replace("3. It", "It")


def no_closing(notebook):
    del notebook.cells[-1]


def strides(notebook):
    for cell in notebook.cells:
        cell.source += "\n\n\n\n\n# end" if cell.cell_type == "code" else ""


MISTAKES = {
    unrun: "was never run",
    error: "stores an error",
    warned: "on stderr",
    live_widget: "random id",
    address: "memory address",
    mute_figure: "without a sentence",
    mute_widget: "without a sentence",
    two_pictures: "draws 2 pictures",
    stale_alt: "not its figure's sentence",
    long_cell: "16 lines",
    late_imports: "more than import",
    many_imports: "more than 5 lines",
    crowded_imports: "more than 5 lines",
    no_prose: "without a sentence between",
    whispered: "in a comment",
    no_promise: "opening lacks",
    two_sentences: "closing lacks",
    no_closing: "closing lacks",
    strides: "median",
}


def test_a_chapter_that_keeps_the_rules_has_no_faults(stored):
    assert nb_rules.faults_everywhere(stored) + nb_rules.faults_in_a_chapter(stored) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.__name__)
def test_each_broken_rule_is_named(stored, mistake):
    mistake(stored)
    faults = nb_rules.faults_everywhere(stored) + nb_rules.faults_in_a_chapter(stored)
    assert any(MISTAKES[mistake] in fault for fault in faults), faults


def test_a_folded_check_does_not_interrupt_the_prose(stored):
    check = new_code_cell("assert True", execution_count=1, metadata={"tags": [nb_rules.FOLDED]})
    at = stored.cells.index(cell_of(stored, "print"))
    stored.cells[at + 1 : at + 1] = [copy.deepcopy(check), copy.deepcopy(check)]
    assert list(nb_rules.prose_stands_between(stored)) == []
    for cell in stored.cells[at + 1 : at + 3]:
        cell.metadata.tags = []
    assert len(list(nb_rules.prose_stands_between(stored))) >= 1


def test_a_definition_that_the_page_hides_as_a_check_is_named(stored):
    check = new_code_cell("def half(x):\n    return x / 2", execution_count=1, metadata={"tags": [nb_rules.FOLDED]})
    use = new_code_cell("[half(x) for x in (1, 2)]", execution_count=2)
    stored.cells[2:2] = [check, use]
    assert nb_rules.hidden_definitions(stored) == ["cell 4 uses half, which only the hidden check in cell 3 defines"]
    check.metadata["mystnb"] = {"code_prompt_show": "How half is computed"}
    assert nb_rules.hidden_definitions(stored) == []
    check.metadata, use.metadata = {}, {"tags": [nb_rules.FOLDED]}
    assert nb_rules.hidden_definitions(stored) == []


# ── running ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_running_again_changes_nothing(ran):
    before, when = ran.read_bytes(), ran.stat().st_mtime_ns
    assert notebooks.main(["run", str(ran)]) == 0
    assert ran.read_bytes() == before
    assert ran.stat().st_mtime_ns == when, "an unchanged file was written again"


def test_a_run_stores_sentences_but_no_widget_views_and_no_clock(stored, ran):
    assert cell_of(stored, "figure").metadata.mystnb.image.alt == "One line that climbs from 1 to 3."
    assert list(cell_of(stored, "import ipywidgets").outputs[0].data) == ["text/plain"]
    assert "widgets" not in stored.metadata
    assert "iopub" not in ran.read_text("utf8")


def test_a_failing_cell_leaves_the_file_untouched_and_is_shown(tmp_path, capsys):
    path = tmp_path / "broken.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1 + 1"), new_code_cell("1 / 0")]), path)
    before = path.read_bytes()
    assert notebooks.main(["run", str(path)]) == 1
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["broken.ipynb"]
    out = capsys.readouterr().out
    assert "code cell 2 failed" in out and "    1 / 0" in out and "ZeroDivisionError" in out


def test_an_edit_made_while_the_notebook_runs_is_not_lost(tmp_path, capsys):
    path = tmp_path / "edited.ipynb"
    edit = f"from pathlib import Path\nPath({str(path)!r}).write_text('the author was here')"
    nbformat.write(new_notebook(cells=[new_code_cell(edit)]), path)
    assert notebooks.main(["run", str(path)]) == 1
    assert "edited while it ran" in capsys.readouterr().out
    assert path.read_text("utf8") == "the author was here"


@pytest.mark.parametrize("content", ["", "not a notebook", '{"cells": [{"cell_type": "poem"}], "nbformat": 4}'])
def test_a_file_that_is_no_notebook_is_said_to_be_none(tmp_path, capsys, content):
    path = tmp_path / "odd.ipynb"
    path.write_text(content, "utf8")
    assert notebooks.main(["run", str(path)]) == 1
    assert capsys.readouterr().out.startswith("odd.ipynb: not a readable notebook")
    assert path.read_text("utf8") == content


def test_a_notebook_that_is_not_there_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        notebooks.main(["check", str(tmp_path / "absent.ipynb")])
    assert "absent.ipynb" in capsys.readouterr().err


@pytest.fixture
def altered(stored, tmp_path):
    """The small chapter with one stored number changed: a promise to the reader that does not hold."""
    cell_of(stored, "print").outputs[0].text = "two\n"
    path = tmp_path / "04_altered.ipynb"
    path.write_text(nb_canonical.text(stored), "utf8")
    return path


def test_check_shows_a_changed_output_and_writes_nothing(altered, capsys):
    before = altered.read_bytes()
    assert notebooks.main(["check", str(altered)]) == 1
    out = capsys.readouterr().out
    assert "-  │ two" in out and "+  │ one" in out
    assert altered.read_bytes() == before


@pytest.mark.prove
def test_strict_nbval_passes_what_was_run_and_fails_what_was_changed(ran, altered):
    tool = [sys.executable, str(ROOT / "tools" / "notebooks.py"), "nbval", str(ran), str(altered)]
    done = subprocess.run(tool, capture_output=True, text=True, encoding="utf8", check=False)
    assert done.returncode == 1
    assert f"1 failed, {2 * len(CODE) - 1} passed" in done.stdout, done.stdout
    assert "04_altered.ipynb::Cell 1" in done.stdout and "Cell outputs differ" in done.stdout


@pytest.fixture(scope="module")
def talkative(tmp_path_factory):
    """A notebook of two cells with five outputs of four kinds, executed: the path of the file."""
    path = tmp_path_factory.mktemp("talkative") / "whole.ipynb"
    says = "from IPython.display import HTML, Latex, display\nprint('one')\n2 + 2"
    shows = "display(HTML('<b>1</b>'), Latex('$x$'))\nHTML('<i>2</i>')"
    nbformat.write(new_notebook(cells=[new_code_cell(says), new_code_cell(shows)]), path)
    assert notebooks.main(["run", str(path)]) == 0
    return path


def swap(outputs):
    outputs[0].data, outputs[2].data = outputs[2].data, outputs[0].data


BREAKS = {  # name -> (cell, what is done to its stored outputs); nbval itself compares no metadata and no bitmaps
    "a printed word": (0, lambda outputs: outputs[0].update(text="two\n")),
    "a line end": (0, lambda outputs: outputs[0].update(text="one")),
    "a warning that is gone": (0, lambda outputs: outputs.append(new_output("stream", name="stderr", text="Old"))),
    "a value": (0, lambda outputs: outputs[1].data.update({"text/plain": "5"})),
    "a value nobody computes": (0, lambda outputs: outputs[1].data.update({"text/html": "4"})),
    "an output too many": (0, lambda outputs: outputs.append(new_output("display_data", {"text/plain": "4"}))),
    "an output too few": (0, lambda outputs: outputs.pop()),
    "no output": (1, lambda outputs: outputs.clear()),
    "markup": (1, lambda outputs: outputs[0].data.update({"text/html": "<b>2</b>"})),
    "a form that is missing": (1, lambda outputs: outputs[0].data.pop("text/html")),
    "the order of two": (1, swap),
    "an error": (1, lambda outputs: outputs.append(new_output("error", ename="E", evalue="no", traceback=[]))),
    "LaTeX": (1, lambda outputs: outputs[1].data.update({"text/latex": "$y$"})),
    "metadata": (1, lambda outputs: outputs[0].metadata.update(width=3)),
}


@pytest.mark.prove
def test_whatever_nbval_sees_check_sees_too(talkative, tmp_path, capsys):
    """Outputs are broken in every way that nbval compares: `make test` leaves nbval out and loses nothing by it."""
    for name, (cell, change) in BREAKS.items():
        broken = nbformat.read(talkative, as_version=4)
        change(broken.cells[cell].outputs)
        (tmp_path / f"{name.replace(' ', '_')}.ipynb").write_text(nb_canonical.text(broken), "utf8")
    never = nbformat.read(talkative, as_version=4)
    never.cells[1].execution_count = None
    (tmp_path / "never_run.ipynb").write_text(nb_canonical.text(never), "utf8")
    (tmp_path / "whole.ipynb").write_bytes(talkative.read_bytes())
    paths = {path.stem: str(path) for path in tmp_path.glob("*.ipynb")}
    tool = [sys.executable, str(ROOT / "tools" / "notebooks.py"), "nbval", *paths.values()]
    said = subprocess.run(tool, capture_output=True, text=True, encoding="utf8", check=False).stdout
    nbval = {name for name in paths if re.search(rf"^FAILED (?:\S*/)?{name}\.ipynb", said, re.MULTILINE)}
    assert notebooks.main(["check", *paths.values()]) == 1
    shown = capsys.readouterr().out
    check = {name for name in paths if f"{name}.ipynb: running it again changes it" in shown}
    assert nbval == {*paths} - {"whole", "metadata"}, said
    assert check == {*paths} - {"whole"}, shown


# ── the written form ────────────────────────────────────────────────────────────────────────────────────────


def test_cell_ids_come_from_headings_and_survive_an_edit_elsewhere():
    cells = [
        new_markdown_cell("# 4 · Why divide by √d"),
        new_code_cell("1"),
        new_markdown_cell("(sec)=\n## Softmax"),
        new_code_cell("2"),
        new_markdown_cell("## Softmax"),
    ]
    ids = list(nb_canonical.cell_ids(cells))
    assert ids == ["4-why-divide-by-d", "4-why-divide-by-d--1", "softmax", "softmax--1", "softmax-again-2"]
    cells.insert(2, new_code_cell("3"))
    assert list(nb_canonical.cell_ids(cells))[3:] == ids[2:]


def test_what_an_editor_leaves_behind_is_dropped_and_what_an_author_wrote_is_kept(stored):
    dirty = copy.deepcopy(stored)
    dirty.metadata["widgets"] = {"state": {}}
    dirty.metadata["kernelspec"] = {"name": "conda-env", "display_name": "mine", "language": "python"}
    for number, cell in enumerate(dirty.cells):
        cell.id = f"random-{number}"
        cell.metadata["ExecuteTime"] = {"end_time": "now"}
        cell.metadata["collapsed"] = True
    assert nb_canonical.text(dirty) == nb_canonical.text(stored)
    dirty.cells[1].metadata["tags"] = ["hide-input"]
    assert "hide-input" in nb_canonical.text(dirty)


def test_pieces_of_one_stream_are_joined_only_when_they_are_neighbours():
    def piece(name, text):
        return new_output("stream", name=name, text=text)

    joined = nb_canonical.canonical_outputs([piece("stdout", "a"), piece("stdout", "b"), piece("stderr", "c")])
    assert [(o.name, o.text) for o in joined] == [("stdout", "ab"), ("stderr", "c")]


def png(**options):
    import base64
    import io

    from matplotlib.figure import Figure

    file, figure = io.BytesIO(), Figure(figsize=(1, 1))
    figure.subplots().plot([1, options.pop("end", 2)])
    figure.savefig(file, format="png", **options)
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    ("other", "same"),
    [({"pil_kwargs": {"compress_level": 1}}, True), ({"dpi": 50}, False), ({"end": 9, "facecolor": "0.9"}, False)],
)
def test_a_picture_is_kept_if_only_its_bytes_moved(other, same):
    def one(picture):
        data = {"image/png": picture, "text/plain": "One line climbs from 1 to 2."}
        return [new_code_cell("draw()", outputs=[new_output("execute_result", data=data)])]

    now, before = one(png(**other)), one(png())
    nb_canonical.keep_what_looks_the_same(now, before)
    assert png(**other) != png()
    assert (now[0].outputs == before[0].outputs) is same


@pytest.mark.parametrize(
    ("other", "same"),
    [("1.234,9.05", True), ("1.2,9.3", False), ("1.2,9.0,1.0", False), ("1.2,9.0 0.7</text><text>x", False)],
)
def test_a_plot_is_kept_if_no_line_moved_and_no_word_changed(other, same):
    def one(numbers):
        html = f'<div class="attn-plot"><svg><path d="{numbers}"/><text>a</text></svg></div>'
        return [new_code_cell("draw()", outputs=[new_output("execute_result", data={"text/html": html})])]

    now, before = one(other), one("1.2,9.0")
    nb_canonical.keep_what_looks_the_same(now, before)
    assert (now[0].outputs == before[0].outputs) is same


def test_a_timing_is_stored_once_and_again_only_when_its_source_changes():
    def timed(source, seconds):
        cell = new_code_cell(source, metadata={"tags": [nb_canonical.VOLATILE]})
        cell.outputs = [new_output("execute_result", data={"text/plain": seconds})]
        return cell

    was = timed("clock()", "0.1")
    nb_stamp.stamp_outputs(new_notebook(cells=[was]))
    again = timed("clock()", "0.2")
    nb_canonical.keep_what_looks_the_same([again], [was])
    assert again.outputs[0].data["text/plain"] == "0.1"
    was.source = "clock(2)"  # the author edits the cell in the stored file
    edited = timed("clock(2)", "0.3")
    nb_canonical.keep_what_looks_the_same([edited], [was])
    assert edited.outputs[0].data["text/plain"] == "0.3"


# ── what is stamped ─────────────────────────────────────────────────────────────────────────────────────────


def test_without_an_address_nothing_about_colab_is_written(tmp_path):
    config = tmp_path / "_config.yml"
    assert nb_stamp.repository(config) == ("", "main")
    config.write_text('title: x\nrepository:\n  url: ""\n', "utf8")
    assert nb_stamp.repository(config) == ("", "main")
    notebook = small_chapter()
    nb_stamp.stamp_colab(notebook, "chapters/04.ipynb", *nb_stamp.repository(config))
    assert "git+" not in nb_canonical.text(notebook) and "colab" not in nb_canonical.text(notebook)


@pytest.mark.parametrize(("url", "hidden"), [("https://github.com/a-name/a-book", 2), ("file:///srv/a-book", 1)])
def test_with_an_address_hidden_cells_come_and_go(tmp_path, url, hidden):
    config = tmp_path / "_config.yml"
    config.write_text(f"repository:\n  url: {url}/\n  branch: trunk\n", "utf8")
    notebook = small_chapter()
    visible = len(notebook.cells)
    for _ in range(2):
        nb_stamp.stamp_colab(notebook, "chapters/04.ipynb", *nb_stamp.repository(config))
    assert len(notebook.cells) == visible + hidden
    assert all("remove-cell" in cell.metadata.tags for cell in notebook.cells[:hidden])
    assert f'"attention-as-linear-algebra[show] @ git+{url}@trunk"' in notebook.cells[hidden - 1].source
    if hidden == 2:
        assert "/github/a-name/a-book/blob/trunk/chapters/04.ipynb" in notebook.cells[0].source
    nb_stamp.stamp_colab(notebook, "chapters/04.ipynb", "", "main")
    assert len(notebook.cells) == visible


def test_the_set_up_cell_does_nothing_where_attn_is_installed(tmp_path):
    source = nb_stamp.SET_UP.format(url="file:///nowhere", ref="main")
    path = tmp_path / "set_up.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(source)]), path)
    assert notebooks.main(["run", str(path)]) == 0
    assert nbformat.read(path, as_version=4).cells[0].outputs == []


def test_the_sentence_becomes_the_alt_text_of_the_page(ran, tmp_path):
    pytest.importorskip("myst_nb", reason="the page's builder is in the extra [book]")
    (tmp_path / "conf.py").write_text('extensions = ["myst_nb"]\nnb_execution_mode = "off"\n', "utf8")
    (tmp_path / "index.ipynb").write_bytes(ran.read_bytes())
    build = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(tmp_path), str(tmp_path / "site")]
    subprocess.run(build, check=True, capture_output=True, text=True)
    page = (tmp_path / "site" / "index.html").read_text("utf8")
    images = re.findall(r"<img[^>]*>", page)
    assert any('alt="One line that climbs from 1 to 3."' in image for image in images), images


def test_a_notebook_reads_as_prose_code_and_outputs_in_a_diff(ran):
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "nb_text.py"), str(ran)],
        capture_output=True,
        text=True,
        encoding="utf8",
        check=True,
    )
    assert "  │ One line that climbs from 1 to 3.\n  │ [image/png, " in done.stdout
    assert "print('one')" in done.stdout and "iVBOR" not in done.stdout
    assert done.stdout == nb_text.readable(json.dumps(nbformat.read(ran, as_version=4)))


# ── minutes ─────────────────────────────────────────────────────────────────────────────────────────────────


def lesson(opening, *cells):
    """A chapter with this opening and these cells; a cell of code is a pair (source, tags)."""
    made = [new_markdown_cell(f"# 4 · Why\n{opening}")]
    for cell in cells:
        code = not isinstance(cell, str)
        made.append(new_code_cell(cell[0], metadata={"tags": cell[1]}) if code else new_markdown_cell(cell))
    return new_notebook(cells=made)


def test_minutes_count_words_open_cells_and_questions():
    words, cell = "word " * 800, ("x = 1", [])
    assert minutes.minutes(minutes.counts(lesson("· 5 minutes", words))) == 10
    assert minutes.minutes(minutes.counts(lesson("· 5 minutes", words, *[cell] * 20))) == 20
    folded = ("x = 1", ["hide-cell"]), f"<details>\n{words}</details>"
    assert minutes.minutes(minutes.counts(lesson("· 5 minutes", words, *folded))) == 10
    asked = "## Check yourself\n" + "".join(f"\n**{k}.** Why?\n" for k in range(1, 11))
    assert minutes.minutes(minutes.counts(lesson("· 5 minutes", words, asked))) == 20


def test_a_formula_is_one_word_in_a_line_and_ten_on_its_own():
    assert minutes.words("Dividing by $\\sqrt{d} + x y$ keeps it.") == 5
    assert minutes.words("So\n\n$$\na = b + c\n$$\n\nholds.") == 12
    assert minutes.words("A [link to somewhere](far/away.ipynb) and `some code here` {cite:p}`key2017`.") == 6


def test_the_opening_is_stamped_and_a_section_that_can_wait_has_minutes_of_its_own():
    later = "· 3 minutes, and 1 more for *Backwards*, which can wait; no GPU."
    notebook = lesson(later, "word " * 1600, "## Backwards\n" + "word " * 800)
    nb_stamp.stamp_minutes(notebook)
    assert notebook.cells[0].source.endswith("· 20 minutes, and 10 more for *Backwards*, which can wait; no GPU.")
    assert list(nb_rules.minutes_are_counted(notebook)) == []
    notebook.cells[1].source += "word " * 800
    assert list(nb_rules.minutes_are_counted(notebook)) == [
        "the opening should say '· 30 minutes, and 10 more for *Backwards*'; run the notebook"
    ]
    later = lesson("The question.", ("x = 1", ["hide-input"]), later, "word " * 1600)  # after its picture
    nb_stamp.stamp_minutes(later)
    assert "· 20 minutes" in later.cells[2].source and list(nb_rules.minutes_are_counted(later)) == []
    sheet = lesson("No time is stated here.", "word " * 800)
    before = sheet.cells[0].source
    nb_stamp.stamp_minutes(sheet)
    assert sheet.cells[0].source == before


def asking(html='<div data-view="predict"></div>'):
    """A cell that asks, as it is stored."""
    return new_code_cell("ask", outputs=[new_output("display_data", data={"text/html": html, "text/plain": "?"})])


def answering(figure=""):
    """A cell with an output: some text, or a figure of a kind."""
    data = {"text/plain": "a figure"} | ({"text/html": f'<div class="{figure}"></div>'} if figure else {})
    return new_code_cell("x", outputs=[new_output("execute_result", data=data, execution_count=1)])


def folded(*cells):
    """Which of these cells' outputs are folded, once the tool has stamped them."""
    notebook = new_notebook(cells=[new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells])
    for _ in range(2):  # twice is as good as once
        nb_stamp.stamp_answers(notebook)
        notebook = nb_canonical.canonical(notebook)
    code = [cell.metadata for cell in notebook.cells if cell.cell_type == "code"]
    assert all(("hide-output" in m.get("tags", [])) == bool(m.get("jupyter", {}).get("outputs_hidden")) for m in code)
    return ["hide-output" in m.get("tags", []) for m in code]


def test_what_answers_a_prediction_is_folded_up_to_the_next_words():
    check = new_code_cell("assert x", metadata={"tags": ["hide-cell"]}, outputs=answering().outputs)
    assert folded("Text.", asking(), answering(), check, answering("attn-figure"), "So.", answering()) == [
        False, True, False, True, False,
    ]  # fmt: skip
    assert folded("It grows. **Will it?**", answering(), "No.", answering()) == [True, False]
    assert folded("**Will it?** And so on.", answering()) == [False]
    for figure in ("attn-figure", "attn-plot"):
        assert folded("**Predict** what it does.", answering(figure)) == [False]  # a figure invites to look


def test_a_picture_with_folded_code_keeps_its_authors_words_and_a_question_the_tools():
    own = {"tags": ["hide-input"], "mystnb": {"code_prompt_show": "How this is drawn"}}
    notebook = new_notebook(cells=[answering("attn-figure"), asking(), answering("attn-figure")])
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(own)
    for _ in range(2):
        nb_stamp.stamp_answers(notebook)
    said = [cell.metadata.mystnb["code_prompt_show"] for cell in notebook.cells]
    assert said[:2] == ["How this is drawn", "How this is asked"] and "guess first" in said[2]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_stored_answer_is_seen_before_the_guess(path):
    notebook = nbformat.read(path, as_version=4)
    nb_stamp.stamp_answers(notebook)
    assert nb_canonical.text(notebook) == path.read_text("utf8"), "run: make run"
    assert any("hide-output" in cell.metadata.get("tags", []) for cell in notebook.cells)


# ── predictions ─────────────────────────────────────────────────────────────────────────────────────────────


def questions(notebook):
    """The state of every question that a notebook asks."""
    pages = ["".join(o.data.get("text/html", "")) for c in notebook.cells for o in c.get("outputs", []) if "data" in o]
    found = [re.search(r'data-view="predict"><script type="application/json">(.*?)</script>', page) for page in pages]
    return [json.loads(one[1]) for one in found if one]


@every_notebook
def test_every_likely_wrong_guess_has_an_answer_and_is_wrong(path):
    asked = questions(nbformat.read(path, as_version=4))
    for one in asked:
        answered = {int(low[0]) for low, _, _ in one["replies"]} if one["choices"] else set()
        assert one["choices"] == [] or answered | {int(one["answer"][0])} == set(range(len(one["choices"]))), one
        assert one["replies"] and one["because"], one["question"]
        for low, high, said in one["replies"] if not one["choices"] else []:
            assert not all(a <= x <= b for a, x, b in zip(low, one["answer"], high, strict=True)), said
    assert len({one["question"] for one in asked}) == len(asked)  # a guess is kept by its question


def test_no_two_notebooks_ask_the_same():
    asked = [
        one["question"]
        for path in BOOK
        if path.parent.name != "exercises"
        for one in questions(nbformat.read(path, as_version=4))
    ]
    assert len(asked) == len(set(asked)) and len(asked) > 20


def test_every_call_that_the_page_on_torch_advises_is_run_by_one_of_its_cells():
    notebook = nbformat.read(ROOT / "chapters/attention_in_torch.ipynb", as_version=4)
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| [^|]+ \|$", notebook.cells[0].source, re.MULTILINE)
    advised = re.findall(r"`([^`]+)`", " ".join(rows))
    ran = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert len(advised) == 12 and [call for call in advised if call not in ran] == []
