"""Figures where no script runs and on paper: a drawn picture, a sentence, the numbers behind it; in both themes."""

import base64
import re
from io import BytesIO

import nbformat
import numpy as np
import pytest
from PIL import Image
from runpage import ROOT
from sampled import also, some

from book import stills
from tools import stills as drawing

pytestmark = pytest.mark.browser

PAGES = ("index", "chapters/01_attention_in_one_equation", "chapters/08_masks", "chapters/10_playground")
PIXELS = re.compile(r'data:image/png;base64,([^"]*)')
WORDS = re.compile(r"<(?:text|tspan|title|desc)\b[^>]*>([^<]+)")
NUMBER = re.compile(r"(?<![#\w])-?\d+(?:\.\d+)?")


def seen(page, still):
    """What stands on the screen where a picture is, once it has come.   -> float (height, width, 3)"""
    # what lies above takes its true height on the way, so the way is gone again
    come = "(one) => { one.scrollIntoView({ block: 'center' }); return !one.matches('img') || one.naturalWidth > 0 }"
    page.wait_for_function(come, arg=still.element_handle(), polling=200, timeout=90_000)
    return np.asarray(Image.open(BytesIO(still.screenshot())).convert("RGB"), float)


def apart(one, other):
    """How two pictures differ, beyond a few pixels and shades.   -> str or None"""
    if WORDS.findall(one) != WORDS.findall(other):
        return "other words"
    if PIXELS.sub("", NUMBER.sub("", one)) != PIXELS.sub("", NUMBER.sub("", other)):
        return "other shapes or colours"
    ours, theirs = ([float(x) for x in NUMBER.findall(PIXELS.sub("", text))] for text in (one, other))
    if np.abs(np.subtract(ours, theirs)).max() > 3:
        return "another place"
    for a, b in zip(PIXELS.findall(one), PIXELS.findall(other), strict=True):
        a, b = (np.asarray(Image.open(BytesIO(base64.b64decode(x))).convert("RGBA"), float) for x in (a, b))
        if a.shape != b.shape or np.abs(a - b).max() > 3:
            return "other pixels"
    return None


@pytest.fixture(scope="module")
def draw(launch):
    """draw(view, state) -> the picture, drawn now; by the whole Chromium, for the lean one sets letters otherwise."""
    return drawing.studio(launch(lean=False))


@pytest.mark.prove
def test_each_stored_picture_is_what_its_figure_draws_today(draw):
    for name, (view, state) in drawing.wanted().items():
        stored = (stills.DRAWN / name).read_text(encoding="utf-8")
        assert not (found := apart(stored, draw(view, state))), f"{name}: {found}; `make stills ALL=all`"


@pytest.mark.parametrize("name", some(PAGES, 4))
@pytest.mark.parametrize("width", [390, also(1280)])
def test_without_scripts_each_figure_is_a_picture_a_sentence_and_numbers_folded_away(open_page, site_url, name, width):
    page = open_page(width=width, java_script_enabled=False)
    page.goto(f"{site_url}/{name}.html")
    figures = page.locator(".attn-figure:not([data-view=predict])").all()
    assert len(figures) > 1
    for figure in figures:
        pixels = seen(page, figure.locator("img.attn-still"))
        assert pixels.std() > 5, "nothing is drawn"
        assert figure.locator(".attn-fallback > p").last.is_visible()
        assert figure.locator("strong").inner_text().strip()
        assert not figure.locator("table").first.is_visible()
        figure.locator("summary").click()
        assert figure.locator("table").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.prove
def test_a_picture_follows_the_theme(open_page, site_url):
    looks = {}
    for theme in ("light", "dark"):
        page = open_page(java_script_enabled=False, color_scheme=theme)
        page.goto(f"{site_url}/chapters/gallery.html")
        stands = page.locator("img.attn-still").all()
        assert len(stands) > 20
        looks[theme] = {still.get_attribute("src"): seen(page, still).mean(axis=2) for still in stands}
    for name, light in looks["light"].items():
        dark = looks["dark"][name]
        assert np.median(light) > 240 and np.median(dark) < 50, name  # the ground, or a panel of it
        assert light.min() < 110 and dark.max() > 150, name  # what is written on it


@pytest.mark.parametrize("script", [False, also(True)])
@pytest.mark.parametrize("name", some(["stochastic", "03_scores", "small_heads", "13_memory"], 4))
def test_no_picture_is_a_white_slab_in_the_dark(open_page, site_url, name, script):
    page = open_page(java_script_enabled=script, color_scheme="dark")
    page.goto(f"{site_url}/chapters/{name}.html")
    if not script:  # where scripts run, what answers a question stays folded until the guess
        page.evaluate("document.querySelectorAll('details').forEach((folded) => { folded.open = true })")
    pictures = [one for one in page.locator("div.cell_output .attn-plot").all() if one.is_visible()]
    assert pictures
    for picture in pictures:
        pixels = seen(page, picture).mean(axis=2)
        assert np.median(pixels) < 50 and (pixels > 140).any()  # a map's own ground is 43
        assert (pixels > 200).mean() < 0.25


def test_a_plot_stands_in_the_middle_as_a_drawing_does(open_page, site_url):
    page = open_page()
    page.goto(f"{site_url}/chapters/stochastic.html")
    plot = page.locator("div.cell_output .attn-plot").first
    plot.scroll_into_view_if_needed()
    room, drawn = plot.bounding_box(), plot.locator("svg").bounding_box()
    assert drawn["width"] < room["width"] - 20
    assert abs(drawn["x"] + drawn["width"] / 2 - room["x"] - room["width"] / 2) < 2


def test_a_page_with_scripts_asks_for_no_picture(open_page, site_url):
    page, asked = open_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}/chapters/01_attention_in_one_equation.html#")
    page.evaluate("attnFigures.wake(document)")
    for figure in page.locator(".attn-figure").all():
        figure.scroll_into_view_if_needed()  # a far figure waits for the reader
    page.wait_for_function("() => document.querySelectorAll('.attn-figure:not([data-live])').length === 0")
    assert page.locator(".attn-still").count() > 5 and page.locator(".attn-still:visible").count() == 0
    assert [url for url in asked if "/stills/" in url] == []


def test_where_a_figure_cannot_start_its_picture_is_there(browser, site_url):
    page = browser.new_page()
    page.route("**/figures/hull-*", lambda route: route.fulfill(body="throw 0"))
    page.goto(f"{site_url}/chapters/05_values.html")
    figure = page.locator(".attn-figure[data-view=hull]").first
    figure.scroll_into_view_if_needed()
    figure.locator(".attn-sorry").wait_for(timeout=60_000)
    assert seen(page, figure.locator(".attn-still")).std() > 5
    page.close()


def test_a_picture_printed_from_the_dark_theme_is_black_on_white(open_page, site_url):
    page = open_page(color_scheme="dark", java_script_enabled=False)
    page.goto(f"{site_url}/chapters/04_softmax.html")
    page.emulate_media(media="print", color_scheme="dark")
    for still in page.locator("img.attn-still").all():
        assert np.median(seen(page, still)) > 240


WRITTEN = re.compile(r'<svg viewBox="[^"]*" width="\d+" height="\d+" font-size.*?</svg>', re.DOTALL)
# How far each text reaches over the side of its picture, where it does.
CUT = """() => [...document.querySelectorAll("svg")].flatMap((picture) => {
    const box = picture.getBoundingClientRect();
    return [...picture.querySelectorAll("text")].map((one) => [one.textContent, one.getBoundingClientRect()])
        .map(([told, at]) => [told, Math.max(box.left - at.left, at.right - box.right)])
        .filter(([, over]) => over > 1);
})"""


def test_no_word_of_a_line_drawing_is_cut_at_its_side(open_page):
    page, seen = open_page(), 0
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        outputs = [o for cell in nbformat.read(path, as_version=4).cells for o in cell.get("outputs", [])]
        drawn = WRITTEN.findall("".join(one.get("data", {}).get("text/html", "") for one in outputs))
        page.set_content("".join(f"<div>{picture}</div>" for picture in drawn))
        assert page.evaluate(CUT) == [], path.name
        seen += len(drawn)
    assert seen > 100
