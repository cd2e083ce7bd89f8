"""The book's own extension, and what every built page promises. No browser is needed here."""

import ast
import gzip
import html
import json
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

import nbformat
import numpy as np
import pytest
import yaml

from attn.exercises import catalogue
from attn.exercises.report import section
from attn.show import figures, widgets
from attn.show.kit import bundle
from book import audit, checks, heights, opening, told
from book.api import documented, markdown, path_of
from book.assets import set_aside, sitemap
from book.beside import ALSO, ASIDE, BUILDS, pages
from book.borrow import figure_of
from book.launch import launch_links
from book.mathml import MathematicsError, arrange, to_mathml
from book.pack import pack
from book.serve import serve
from book.slim import slim, tokens

ROOT = Path(__file__).parents[1]
FIGURE = '<div class="attn-figure" data-view="none"><script type="application/json">{}</script><p>A table.</p></div>'


def build(folder):
    """Build a book folder with warnings as errors; the finished process, its output joined."""
    command = Path(sys.executable).parent / "jupyter-book"
    return subprocess.run(
        [command, "build", folder, "-W", "-n", "--keep-going", "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1200,
    )


def stand_in(folder, *, url="", formula="$$a = b$$ (first)\n\nSee {eq}`first`."):
    """A book of one door and one notebook, under this book's own settings."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings["repository"]["url"] = url
    settings["sphinx"]["local_extensions"]["book"] = str(ROOT)
    (folder / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    chapters = folder / "chapters"
    chapters.mkdir()
    shutil.copy(ROOT / "chapters" / "references.bib", chapters)
    toc = {"format": "jb-book", "root": "index", "chapters": [{"file": "chapters/one"}]}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    door = "# A door\n\nA paragraph long enough to describe the page with.\n"
    (folder / "index.md").write_text(door, encoding="utf-8")
    cells = [nbformat.v4.new_markdown_cell(f"# One\n\n{formula}"), nbformat.v4.new_code_cell("1 + 1")]
    cells[1].outputs = [nbformat.v4.new_output("display_data", {"text/html": FIGURE, "text/plain": "A sentence."})]
    language = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=language), chapters / "one.ipynb")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The stand-in book, built without a repository address."""
    folder = stand_in(tmp_path_factory.mktemp("small"))
    done = build(folder)
    assert done.returncode == 0, done.stdout
    return folder


class Links(HTMLParser):
    """What a page loads, and where it leads."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.leads, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.add(given.get("id"))
        loads = tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload")
        if given.get("src") or loads:
            self.loads.append(given.get("src") or given["href"])
        elif tag == "a" and given.get("href"):
            self.leads.append(given["href"])


def read(page):
    return page.read_text(encoding="utf-8")


def test_without_an_address_there_is_nothing_to_launch():
    assert launch_links("", "main", "chapters/01.ipynb") == []
    assert launch_links(None, "main", "chapters/01.ipynb") == []


def test_a_github_address_gives_colab_and_binder():
    links = dict(launch_links("https://github.com/owner/name.git/", "v1/x", "chapters/01 a.ipynb"))
    assert links["Colab"].endswith("/github/owner/name/blob/v1/x/chapters/01%20a.ipynb")
    assert links["Binder"].endswith("/gh/owner/name/v1%2Fx?urlpath=lab%2Ftree%2Fchapters%2F01%20a.ipynb")


def test_an_address_elsewhere_gives_binder_alone():
    assert [label for label, _ in launch_links("file:///some/place.git", "main", "a.ipynb")] == ["Binder"]


@pytest.mark.parametrize("url", ["owner/name", "github.com/owner/name", "https://"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ValueError, match="absolute address"):
        launch_links(url, "main", "a.ipynb")


def test_a_formula_becomes_mathml():
    markup = to_mathml(r"\frac{Q K^\top}{\sqrt{d_h}}", display=True)
    assert markup.startswith('<math display="block">') and "<mfrac>" in markup and "<msqrt>" in markup


def test_an_unknown_command_is_refused_by_name():
    with pytest.raises(MathematicsError, match="notacommand"):
        to_mathml(r"\notacommand x")


def test_a_sign_the_font_lacks_is_refused_by_name():
    with pytest.raises(MathematicsError, match=r"U\+2603"):
        to_mathml("x + ☃")


def test_a_macro_is_spelt_out():
    assert to_mathml(r"\R", macros=(("R", r"\mathbb{R}"),)) == "<math><mi>ℝ</mi></math>"


def test_loose_line_breaks_are_aligned_and_a_matrix_keeps_its_own():
    assert arrange(r"a \\ b") == r"\begin{aligned}a \\ b\end{aligned}"
    assert arrange(r"\begin{pmatrix}a \\ b\end{pmatrix}") == r"\begin{pmatrix}a \\ b\end{pmatrix}"
    assert arrange("\\begin{align}a\\end{align}", environment=True) == "\\begin{align*}a\\end{align*}"


@pytest.mark.prove
def test_a_formula_that_cannot_be_shown_stops_the_build_and_says_where(tmp_path):
    done = build(stand_in(tmp_path, formula=r"Text with $\notacommand$ in it."))
    assert done.returncode != 0
    assert "chapters/one.ipynb" in done.stdout and "notacommand" in done.stdout


def test_a_numbered_formula_can_be_cited(small):
    links = Links(read(small / "_build/html/chapters/one.html"))
    (target,) = {lead for lead in links.leads if lead.startswith("#equation-")}
    assert target[1:] in links.ids


def test_only_pages_with_a_figure_load_the_figures(small):
    html = small / "_build" / "html"
    assert "figures.js" in read(html / "chapters/one.html") and "figures.css" in read(html / "chapters/one.html")
    assert "figures.js" not in read(html / "index.html")


def test_without_an_address_no_page_offers_to_launch_or_install(small, site):
    for page in [*small.rglob("*.html"), *site.rglob("*.html")]:
        assert not re.search(r"git\+|colab\.research|mybinder|canonical", read(page)), page.name


@pytest.mark.prove
def test_with_an_address_a_chapter_offers_to_launch(tmp_path):
    done = build(stand_in(tmp_path, url="file:///some/place"))
    assert done.returncode == 0, done.stdout
    html = tmp_path / "_build" / "html"
    assert "Open in Binder" in read(html / "chapters/one.html")
    assert "Open in Binder" not in read(html / "index.html")


def test_the_notebook_can_be_downloaded_as_it_is(small):
    page = small / "_build/html/chapters/one.html"
    (lead,) = [lead for lead in Links(read(page)).leads if lead.endswith(".ipynb")]
    assert (page.parent / lead).read_bytes() == (small / "chapters/one.ipynb").read_bytes()


@pytest.mark.prove
def test_building_again_with_nothing_changed_writes_no_page(small):
    page = small / "_build/html/chapters/one.html"
    before = page.stat().st_mtime_ns
    assert build(small).returncode == 0
    assert page.stat().st_mtime_ns == before


def test_a_page_loads_only_files_of_the_site(site):
    for page in site.rglob("*.html"):
        for address in Links(read(page)).loads:
            parts = urlsplit(address)
            assert not parts.scheme and not parts.netloc, address
            assert (page.parent / unquote(parts.path)).is_file(), f"{page.name} asks for {address}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(https?:)?//|@import", read(sheet)), sheet.name


def test_every_link_inside_the_site_leads_somewhere(site):
    ids = {page: Links(read(page)).ids for page in site.rglob("*.html")}
    for page in ids:
        for lead in Links(read(page)).leads:
            parts = urlsplit(lead)
            if parts.scheme:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.exists(), f"{page.name} leads to {lead}"
            if parts.fragment and target in ids:
                assert unquote(parts.fragment) in ids[target], f"{page.name} leads to {lead}"


def test_a_cold_visit_to_any_page_transfers_less_than_400_kb(site):
    fonts = sum(font.stat().st_size for font in site.rglob("*.woff2"))
    for page in site.rglob("*.html"):
        loaded = {(page.parent / urlsplit(address).path).resolve() for address in Links(read(page)).loads}
        weight = fonts + sum(len(gzip.compress(path.read_bytes())) for path in {page, *loaded})
        assert weight < 400_000, f"{page.name}: {weight / 1000:.0f} kB"


def test_every_page_has_a_language_a_title_of_its_own_one_heading_and_one_main(site):
    titles = []
    for page in site.rglob("*.html"):
        text = read(page)
        assert '<html lang="en"' in text and text.count("<main") == 1 and text.count("<h1") == 1, page.name
        titles += re.findall(r"<title>(.+?)</title>", text.partition("</head>")[0])  # a drawing's parts have titles too
    assert len(set(titles)) == len(list(site.rglob("*.html")))


def test_every_page_of_text_describes_itself(site):
    for page in site.rglob("*.html"):
        if page.name not in ("search.html", "genindex.html"):
            assert re.search(r'<meta name="description" content="[^"]{40,160}">', read(page)), page.name


@pytest.mark.parametrize(("view", "page"), [("cloze", "gallery"), ("pipeline", "01_attention_in_one_equation")])
def test_the_front_door_shows_figures_that_a_notebook_made(site, view, page):
    shown = re.search(rf'<div class="attn-figure" data-view="{view}">.*?</script>', read(site / "index.html"), re.S)
    assert shown and shown[0] in read(site / "chapters" / f"{page}.html")


def test_a_figure_that_is_not_there_cannot_be_borrowed():
    chapter = ROOT / "chapters" / "01_attention_in_one_equation.ipynb"
    with pytest.raises(LookupError, match="has no cell nowhere that shows a figure"):
        figure_of(chapter, "nowhere")


def test_a_picture_says_its_size_and_its_meaning(site):
    for page in site.rglob("*.html"):
        for image in re.findall(r"<img\b[^>]*>", read(page)):
            assert re.search(r' width="\d+" height="\d+"', image) or ".svg" in image, image
            assert re.search(r' alt="[^"]{15,}"', image), image


def test_the_sitemap_lists_absolute_addresses():
    text = sitemap("https://example.org/book/", ["index", "chapters/one"])
    assert "<loc>https://example.org/book/chapters/one.html</loc>" in text and text.count("<url>") == 2


def test_the_server_takes_the_next_port_when_one_is_taken(tmp_path):
    with serve(8931, tmp_path) as first, serve(first.server_port, tmp_path) as second:
        assert second.server_port > first.server_port


def public(module):
    """The public functions and classes of a module that say what they are."""
    return [node.name for node in documented(ast.parse(read(path_of(module))).body)]


def test_every_public_name_of_the_heart_and_its_wings_has_a_place_in_the_library(site):
    described = Links("".join(read(page) for page in (site / "chapters" / "api").glob("*.html"))).ids
    modules = [f"attn.{path.stem}" for path in (ROOT / "attn").glob("*.py") if path.stem != "__init__"]
    for module in [*modules, "attn.gpu.merge", "attn.gpu.kernel", "attn.gpu.ring"]:
        missing = [name for name in public(module) if f"{module}.{name}" not in described]
        assert not missing, f"{module}: {missing} (a new module needs a page in chapters/api and a line in _toc.yml)"
    shelves = {
        f"attn.show.{shelf.__name__.split('.')[-1]}.{name}" for shelf in (figures, widgets) for name in shelf.__all__
    }
    assert shelves <= described
    assert {"attn.exercises.check", "attn.exercises.start", "attn.cost.Work.flops"} <= described


def test_a_docstring_keeps_its_formula_and_says_its_shapes_in_prose():
    text = markdown("Average.\n\n        y_i = Σ_j a_ij v_j\n\nq: (..., n, d)   k: (m, d)   ->   y\nSource: X & Y.")
    assert "```{code-block} text\ny_i = Σ_j a_ij v_j\n```" in text
    assert "**q**: (..., n, d)   **k**: (m, d)   →   y\\\n**Source**: X \\& Y." in text
    assert "```{code-block} pycon\n>>> 1 + 1\n2\n```" in markdown("Add.\n\nx: one.\n\n    >>> 1 + 1\n    2")


def test_every_module_is_built_by_one_chapter_and_every_link_beside_a_chapter_has_a_page():
    built = [module for modules in BUILDS.values() for module in modules]
    assert len(built) == len(set(built))
    for module in {*built, *(module for modules in ALSO.values() for module in modules)}:
        assert (ROOT / "chapters" / "api" / f"{module.removeprefix('attn.')}.md").is_file(), module


def test_every_chapter_leads_to_its_sheet_and_every_sheet_back(site):
    chapters, sheets = pages("chapters"), pages("exercises")
    assert set(chapters) <= set(sheets)
    for page, (number, _) in ASIDE.items():
        assert f"../{sheets[number]}.html" in Links(read(site / f"{page}.html")).leads
        assert f"../{page}.html" in Links(read(site / f"{sheets[number]}.html")).leads
    for number in chapters:
        there, back = site / f"{chapters[number]}.html", site / f"{sheets[number]}.html"
        assert f"../{sheets[number]}.html" in Links(read(there)).leads
        assert f"../{chapters[number]}.html" in Links(read(back)).leads


def test_chapters_and_sheets_lead_on_and_a_page_to_look_things_up_in_leads_nowhere(site):
    def turn(page):
        return re.findall(r'rel="(prev|next)" href="([^"]*)"', read(site / page).split('class="turn"')[-1])

    last = max(pages("exercises").values())
    assert turn("chapters/02_projections.html") == [
        ("prev", "01_attention_in_one_equation.html"),
        ("next", "03_scores.html"),
    ]
    assert [way for way, _ in turn(f"{last}.html")] == ["prev"]
    for page in ("refresher", "notation", "stochastic", "why_heads_differ", "write_spaces", "references"):
        assert 'class="turn"' not in read(site / "chapters" / f"{page}.html")


def test_every_report_on_a_sheet_leads_to_the_section_it_names(site):
    read_with = {number: {name} for number, name in pages("chapters").items()}
    for page, (number, _) in ASIDE.items():
        read_with[number].add(page)
    for number, name in pages("exercises").items():
        reports = re.findall(r'(?s)<div class="attn-report">.*?</div>', read(site / f"{name}.html"))
        assert len(reports) == len(catalogue.chapter(number)), name
        for report in reports:  # that the address exists is held by the test of all links
            found = re.search(r'<a href="\.\./([^"]+)\.html#[^"]+">Chapter', report)
            assert found and found[1] in read_with[number], (name, report)


def test_a_sheet_knows_where_every_section_is_that_a_report_may_name(site):
    for number, name in pages("exercises").items():
        given = re.search(r"<script[^>]* data-sections>(.*?)</script>", read(site / f"{name}.html"))
        there, ids_of = json.loads(given[1]), cache(lambda page: Links(read(page)).ids)
        for exercise in catalogue.chapter(number):
            for ids in ((), *((mistake.id,) for mistake in exercise.misconceptions)):
                page, _, anchor = there[section(*exercise.place(ids))].partition("#")
                assert anchor in ids_of((site / name).parent / page), (exercise.id, ids)


def test_each_answer_of_a_sheet_is_followed_by_a_solution_and_the_download_has_none(site):
    for name in pages("exercises").values():
        solved = read(ROOT / "exercises" / "solutions" / f"{Path(name).name}.ipynb").count("# BEGIN SOLUTION")
        page = read(site / f"{name}.html")
        assert 0 < page.count("One way to write it") <= solved and "SOLUTION" not in page, name
        (lead,) = [lead for lead in Links(page).leads if lead.endswith(".ipynb")]
        copy = ((site / name).parent / lead).read_bytes()
        assert copy == (ROOT / f"{name}.ipynb").read_bytes() and b"One way to write it" not in copy


def test_a_term_of_the_field_is_in_the_index_and_leads_to_its_section(site):
    index = read(site / "genindex.html")
    for page, sections in yaml.safe_load(read(ROOT / "book" / "terms.yml")).items():
        for term in (term for terms in sections.values() for term in terms):
            name = re.escape(html.escape(term, quote=False))
            assert re.search(rf'href="{page}\.html#[^"]+"(>{name}<| aria-label="{name}, place)', index), term


def test_a_large_state_travels_beside_the_page_and_comes_back_whole(tmp_path):
    app = SimpleNamespace(outdir=tmp_path)
    (tmp_path / "_static").mkdir()
    state = json.dumps({"weights": [0.123] * 3000})
    small, large = (f'<div data-view="hull"><script type="application/json">{text}</script>' for text in ("{}", state))
    body = set_aside(app, f"{small}{large}{large}", "../_static")
    (script,) = (tmp_path / "_static").iterdir()
    assert small in body and state not in body and body.count(f'data-src="../_static/{script.name}"></script>') == 2
    assert read(script) == f"document.currentScript.holds = {state};\n"


def test_a_large_state_travels_with_six_digits_and_a_heavy_one_says_what_it_weighs(tmp_path):
    app = SimpleNamespace(outdir=tmp_path)
    (tmp_path / "_static").mkdir()
    numbers = np.random.default_rng(0).normal(size=12_000)
    figure = '<div data-view="hull"><script type="application/json">{}</script>'
    body = set_aside(app, figure.format(json.dumps({"V": [numbers.tolist()]})))
    (script,) = (tmp_path / "_static").iterdir()
    kept = json.loads(read(script).removeprefix("document.currentScript.holds = ").removesuffix(";\n"))["V"][0]
    np.testing.assert_allclose(kept, numbers, rtol=5e-6)
    assert 100_000 < script.stat().st_size < 160_000
    assert re.search(r'data-weighs="(\d+)"', body)[1] == str(round(len(gzip.compress(script.read_bytes())) / 1000))


def test_of_a_list_of_which_one_item_is_shown_the_others_travel_when_they_are_chosen(tmp_path):
    app = SimpleNamespace(outdir=tmp_path)
    (tmp_path / "_static").mkdir()
    shown = widgets.EncoderHeads(sentence=2)
    body = set_aside(app, shown.html(), "../_static")

    def held(address):
        text = read(tmp_path / "_static" / address.removeprefix("../_static/"))
        return json.loads(text.removeprefix("document.currentScript.holds = ").removesuffix(";\n"))

    state = held(re.search(r'data-src="([^"]*)"', body)[1])
    assert state["numbers"][2] == shown.numbers[2] and "data-weighs" not in body
    whole = [item if k == 2 else held(item["beside"]) for k, item in enumerate(state["numbers"])]
    assert {**state, "numbers": whole} == shown.state


@pytest.mark.prove
def test_with_addresses_set_a_page_says_where_it_is_and_what_it_looks_like(tmp_path):
    folder = stand_in(tmp_path, url="https://github.com/owner/name")
    settings = yaml.safe_load(read(folder / "_config.yml"))
    settings["html"]["baseurl"] = "https://example.org/book/"
    (folder / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    done = build(folder)
    assert done.returncode == 0, done.stdout
    built = folder / "_build" / "html"
    page = read(built / "chapters" / "one.html")
    assert '<link rel="canonical" href="https://example.org/book/chapters/one.html">' in page
    assert "colab.research.google.com/github/owner/name/blob/main/chapters/one.ipynb" in page and "mybinder.org" in page
    assert '<meta property="og:image" content="https://example.org/book/_static/card.png">' in page
    assert (built / "_static" / "card.png").is_file()
    assert "https://example.org/book/chapters/one.html" in read(built / "sitemap.xml")


def test_the_zip_holds_the_site_and_every_notebook(site, tmp_path):
    count = pack(tmp_path / "book.zip", site)
    names = set(zipfile.ZipFile(tmp_path / "book.zip").namelist())
    assert len(names) == count
    for path in [*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("exercises/*.ipynb")]:
        assert f"attention-as-linear-algebra/notebooks/{path.relative_to(ROOT).as_posix()}" in names
    assert "attention-as-linear-algebra/site/index.html" in names


def test_a_compressed_answer_is_the_file_and_a_picture_stays_as_it_is(tmp_path):
    (tmp_path / "index.html").write_text("<p>words</p>" * 100, encoding="utf-8")
    (tmp_path / "a.png").write_bytes(b"picture")
    with serve(8951, tmp_path, compressed=True) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urlopen(f"http://127.0.0.1:{server.server_port}/") as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(answer.read()).decode() == "<p>words</p>" * 100
        with urlopen(f"http://127.0.0.1:{server.server_port}/a.png") as answer:
            assert answer.headers["Content-Encoding"] is None and answer.read() == b"picture"
        server.shutdown()


def test_the_audit_says_which_page_is_below_target():
    good, slow = ([100, 1, 1, speed, 100, 100, 100, []] for speed in (99, 80))
    heavy = [900, 1, 1, *[None] * 4, []]
    assert not audit.short("a.html", good) and audit.short("b.html", slow) and audit.short("c.html", heavy)
    assert audit.short("d.html", [*good[:-1], ["color-contrast"]])
    assert not audit.short("search.html", [*good[:6], 60, []])
    assert audit.worst({"a": good, "b": slow}) == "b"
    assert audit.line("b.html", slow).split()[:5] == ["b", "100", "1.0", "1.0", "80"]


def test_the_cells_that_only_check_wait_for_the_switch_and_those_that_tell_do_not():
    cell = '<div class="cell tag_hide-cell x" data-cell="x"><details><summary><p>{}</p></summary>{}</details></div>'
    name, output = "The numbers in the text, checked", '<div class="cell_output">1</div>'
    body = cell.format(name, "") + cell.format("The proof, run", "") + cell.format(name, output)
    marked, count = checks.gather(f"<p>a</p>{body}<p>b</p>")
    assert count == 1 and marked == f"<p>a</p>{body}<p>b</p>".replace("cell tag", "cell check tag", 1)


def test_every_page_with_checks_has_one_switch_for_them(site):
    for page in site.rglob("*.html"):
        text = read(page)
        count = len(re.findall(r'<div class="cell check ', text))
        assert re.findall(r'id="checks"> Show (\d+) number checks', text) == ([str(count)] if count else []), page.name
        assert (checks.NAME in text) >= (count > 0)
    assert count_of_checks(site / "chapters" / "04_softmax.html") > 5


def count_of_checks(page):
    """How many cells of a built page only check."""
    return len(re.findall(r'<div class="cell check ', read(page)))


def test_each_section_keeps_about_the_place_that_it_will_need():
    part = "<section id='{}'><h2>A</h2><p>{}</p><section><pre>{}</pre></section></section>"
    short, long = part.format("a", "word " * 10, "x\n"), part.format("b", "word " * 400, "x\n" * 50)
    kept = heights.keep(f"<section><h1>Page</h1>{short}{long}</section>")
    assert re.sub(r' style="--tall:\d+rem"', "", kept) == f"<section><h1>Page</h1>{short}{long}</section>"
    low, high = (int(x) for x in re.findall(r'<section style="--tall:(\d+)rem" id', kept))
    assert 10 < low < 30 and 150 < high < 300 and kept.count("--tall") == 2
    figure = '<div class="attn-fallback" style="--wide:9px;--narrow:1800px">a table<details>b</details></div>'
    assert 140 <= heights.ROOM * heights.tall(figure) / 18 <= 165


def test_a_chapter_opens_with_its_question_and_only_its_own_number_stands_apart():
    title, asked = "<h1>3 · The score matrix</h1>", "<p><strong>The question.</strong> Why?</p>"
    able, bring = "<p><strong>You will be able to</strong> say.</p>", "<p><strong>You bring</strong> chapter 1.</p>"
    together = opening.lead(f"{title}{asked}{able}\n{bring}<p>On.</p><h1>4 · Softmax</h1>")
    assert together.startswith('<h1><span class="number">3 ·</span> The score matrix</h1><p class="question"><strong>')
    assert together.count('class="aim"') == 2 and together.count('<div class="aims">') == 1
    assert together.endswith("chapter 1.</p></div><p>On.</p><h1>4 · Softmax</h1>")
    apart = opening.lead(f"{asked}{bring}<p>A picture.</p>{able}")
    assert apart.count('class="aim"') == 2 and "aims" not in apart


def test_what_is_said_of_an_answer_waits_in_its_fold():
    cell = '<div class="cell tag_{}"><details><summary>s</summary>{}</details></div>'
    answer, check = cell.format("hide-output", "<details>a table</details>"), cell.format("hide-cell", "")
    said = "<p>It is <b>10</b>.</p>"
    inside = answer.replace("</details></div>", f"{said}\n</details></div>")
    for between in ("", check):
        assert told.fold(f"{answer}{between}<!-- told -->\n{said}\n<p>Next.</p>") == f"{inside}{between}<p>Next.</p>"
    shown = cell.format("hide-input", "").replace("details", "div")
    for before in (check, answer + shown, answer + "<p>More.</p>"):
        with pytest.raises(ValueError, match="no folded answer stands right before: <p>It is"):
            told.fold(f"{before}<!-- told -->{said}")


def test_where_code_and_answer_are_both_folded_each_fold_has_its_name(site):
    folds = re.compile(r'<div class="cell tag_hide-input tag_hide-output.*?(?=<div class="cell |</section>)', re.S)
    names = re.compile(r'<p class="collapsed admonition-title">(.*?)</p>')
    pages = [folds.findall(read(page)) for page in (site / "chapters").glob("0*.html")]
    asked = [names.findall(cell) for cells in pages for cell in cells]
    assert len(asked) > 5 and {tuple(two[:2]) for two in asked} == {
        ("How this is computed", "What comes out (guess first)")
    }


def test_a_fold_is_called_by_its_own_name_and_a_bare_one_is_marked(site):
    summary = '<summary aria-label="Toggle hidden content">\n<p class="collapsed admonition-title">{}</p></summary>'
    fold = f'<div class="cell tag_hide-cell"><details class="hide">{summary}</details></div>'
    named = {name: told.name_apart(fold.format(name)) for name in ("The imports", "Show the cell", "How it is trained")}
    assert [name for name, one in named.items() if "cell bare" in one] == ["The imports", "Show the cell"]
    assert not any("aria-label" in one for one in named.values())
    page = read(site / "chapters" / "02_projections.html")
    assert 'class="cell bare' in page and "Toggle hidden content" not in page


def test_a_script_travels_without_its_remarks_and_with_all_of_its_strings():
    text = '  // whole line\n  f(x); // why\n  g("a; // b");\n  h("https://x");\n'
    assert slim(text) == 'f(x);g("a; // b");h("https://x");\n'
    text = 'const a = `x  ${ b ? `{ ${c} }  ` : d } // y`;\nif (a) return /[/"] \\/  /.test(e) / 2;\n'
    assert slim(text) == 'const a=`x  ${b?`{ ${c} }  `:d} // y`;if(a)return/[/"] \\/  /.test(e)/2;\n'
    assert slim("f({ a, b, }, [,], [c,, ], 'd, }',);\n") == "f({a,b},[,],[c,,],'d, }');\n"
    assert slim("x = a + +b - -c;\ny = c /* why */ in d\nz()\n") == "x=a+ +b- -c;y=c in d\nz()\n"


@pytest.mark.parametrize("name", bundle.site_parts())
def test_every_part_travels_with_all_of_its_signs(name):
    def signs(text):
        told = [token for token in tokens(text) if token.strip() and not token.startswith(("//", "/*"))]
        return [one for one, after in zip(told, [*told[1:], ""], strict=True) if one != "," or after not in "}])"]

    text = bundle.site_parts()[name]
    assert signs(slim(text)) == signs(text) and len(slim(text)) < len(text)
