"""Finding one's way: the search, from a chapter to its sheet and back, the library, paper, a page from the disk."""

import re

import pytest
from sampled import some
from test_site import pages, settle, wake

pytestmark = pytest.mark.browser

WANTED = {  # what a reader types -> where it should lead
    "causal": "08_masks.html#the-causal-mask",
    "why sqrt d": "03_scores.html#why-d",
    "GQA": "09_sharing.html#groups-of-queries",
    "sliding_window": "api/masks.html#attn.masks.sliding_window",
    "grouped_query_attention": "api/heads.html#attn.heads.grouped_query_attention",
    "KV cache": "09_sharing.html#token-by-token",
}


@pytest.mark.parametrize("words", some(WANTED, 3))
def test_the_search_leads_to_the_right_section(page, site_url, words):
    page.goto(f"{site_url}/search.html?q={words}")
    page.locator(f"#search-results a[href*='{WANTED[words]}']").first.wait_for(timeout=60_000)


def test_the_search_finds_a_title_without_a_server(page, site):
    page.goto(f"{(site / 'search.html').as_uri()}?q=projections")
    page.locator("#search-results a[href*='02_projections.html']").first.wait_for(timeout=60_000)


@pytest.mark.parametrize("stride", [6, pytest.param(1, marks=pytest.mark.prove)])
def test_every_page_opens_from_the_disk(page, site, stride):
    for name in pages(site)[::stride]:
        page.goto((site / name).as_uri())
        settle(page)


@pytest.mark.prove
def test_a_chapter_leads_to_its_sheet_and_the_sheet_back(page, site_url):
    page.goto(f"{site_url}/chapters/04_softmax.html")
    wake(page)  # these links stand at the foot: what still grows above would move them from under the mouse
    beside = page.get_by_role("navigation", name="Beside this page")
    beside.get_by_role("link", name="Sheet 4").click()
    page.locator("h1", has_text="Sheet 4").wait_for()
    wake(page)
    page.get_by_role("navigation", name="Beside this page").get_by_role("link", name="4 ·").click()
    page.locator("h1", has_text="4 ·").wait_for()
    wake(page)
    page.get_by_role("link", name="attn.softmax").click()
    page.locator("dt[id='attn.softmax.softmax']").wait_for()


def test_a_report_on_a_sheet_leads_to_the_section_it_names(page, site_url):
    page.goto(f"{site_url}/exercises/04_softmax.html")
    page.get_by_role("link", name='Chapter 4, "Stability"').first.click()
    page.wait_for_url("**/chapters/04_softmax.html#stability")
    settle(page)
    page.wait_for_function("() => document.querySelectorAll('.attn-figure:not([data-live], [data-far])').length === 0")
    assert 0 <= page.get_by_role("heading", name="Stability").bounding_box()["y"] < 200


def test_without_javascript_a_solution_is_shown_when_it_is_asked_for(open_page, site_url):
    """Where the page runs, it waits for an answer that has passed: tests/browser/test_python.py."""
    page = open_page(java_script_enabled=False)
    page.goto(f"{site_url}/exercises/04_softmax.html")
    toggle = page.locator("details", has_text="One way to write it").first
    assert not toggle.locator("pre").is_visible()
    toggle.locator("summary").press("Enter")
    assert "def softmax" in toggle.locator("pre").inner_text()
    assert "SOLUTION" not in page.locator("article").inner_text()


@pytest.mark.prove
def test_on_paper_a_figure_is_its_table_and_code_wraps(page, site_url):
    page.goto(f"{site_url}/chapters/04_softmax.html")
    page.wait_for_function("() => document.querySelectorAll('.attn-figure:not([data-live], [data-far])').length === 0")
    page.emulate_media(media="print")
    for figure in page.locator(".attn-figure:not([data-view=predict])").all():  # of a question the question is printed
        assert figure.locator("table").first.is_visible()
        assert figure.locator("button:visible, input:visible").count() == 0
    code = page.locator("div.cell_input pre").first
    assert code.evaluate("e => getComputedStyle(e).whiteSpace") == "pre-wrap"


def test_the_cheat_sheet_fits_on_two_sides(page, site_url):
    """The reference has pages to itself; between them and the rest of its page the paper is turned."""
    page.goto(f"{site_url}/chapters/reference_sheet.html")
    settle(page)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 between margins of 15 mm, at 96 dots an inch
    assert 1010 < page.locator("#the-reference").bounding_box()["height"] <= 2 * 1010


def test_a_figure_with_a_large_state_wakes_when_the_reader_comes_near(page, site):
    page.goto((site / "chapters/13_memory.html").as_uri())  # from the disk, where nothing can be fetched but scripts
    figure = page.locator(".attn-figure:has(> script[data-src])").first
    # sections above take their true height on the way, so the way is gone again until the figure stands still in view
    come = "e => { e.scrollIntoView({ block: 'center' }); return e.hasAttribute('data-live'); }"
    page.wait_for_function(come, arg=figure.element_handle(), polling=200)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_picture_of_a_heavy_figure_is_whole_on_a_phone_too(open_page, site_url, width):
    page = open_page(width)
    page.goto(f"{site_url}/chapters/06_heads.html")
    figure = page.locator("[data-view=head_browser]").first
    figure.scroll_into_view_if_needed()
    still = figure.locator("img.attn-still")
    page.wait_for_function("(still) => still.complete && still.naturalWidth", arg=still.element_handle())
    assert ("-narrow" in still.evaluate("(still) => still.currentSrc")) == (width == 390)
    assert still.bounding_box()["width"] <= figure.bounding_box()["width"] + 1  # nothing of it is cut
    assert still.evaluate("(still) => still.clientWidth / still.naturalWidth") > 0.85  # nor its letters small
    told = figure.locator(".attn-fallback > p").last.bounding_box()
    assert told["y"] + told["height"] <= figure.bounding_box()["y"] + figure.bounding_box()["height"] + 1
    card = figure.locator(".attn-fallback")
    edge = card.evaluate("one => [getComputedStyle(one).borderTopStyle, getComputedStyle(one).borderTopWidth]")
    box = card.bounding_box()
    assert edge == ["solid", "1px"]
    parts = [figure.locator(one) for one in (".attn-start", ".attn-fallback > p:first-child", "img.attn-still")]
    for part in [*parts, figure.locator(".attn-fallback > p").last]:  # in one card
        one = part.bounding_box()
        assert box["x"] < one["x"] + 2 and one["x"] + one["width"] < box["x"] + box["width"] + 2
        assert box["y"] < one["y"] and one["y"] + one["height"] < box["y"] + box["height"]


@pytest.mark.prove
def test_a_figure_with_a_heavy_state_is_its_picture_until_the_press(browser, site_url):
    page = browser.new_page()
    page.goto(f"{site_url}/chapters/06_heads.html")
    figure = page.locator("[data-view=head_browser]")
    press = figure.locator(".attn-start")
    press.wait_for(state="attached")
    press.scroll_into_view_if_needed()
    assert re.fullmatch(r"▶ Start \(\d\d kB\)", press.text_content())
    still = figure.locator("img.attn-still")
    assert still.is_visible() and not figure.locator("summary").is_visible()
    # the picture is all there, in its full colours
    assert press.bounding_box()["y"] + press.bounding_box()["height"] <= still.bounding_box()["y"]
    assert still.evaluate("(still) => getComputedStyle(still).opacity") == "1"
    page.route("**/state-*", lambda route: route.abort())
    press.press("Enter")
    figure.get_by_role("button", name="It did not arrive. Try again").wait_for()
    assert figure.locator("img.attn-still").is_visible()
    page.unroute("**/state-*")
    still.click()  # or on the picture
    figure.locator(".attn-live:focus").wait_for()  # who pressed by key goes on from here
    assert press.count() == 0 and not figure.locator("img.attn-still").is_visible()
    told = figure.locator(".attn-fallback > p").last.text_content()
    assert figure.locator(".attn-say").text_content() == told
    page.close()


def test_a_figure_far_down_wakes_when_the_reader_comes_also_after_all_were_called(page, site_url):
    page.goto(f"{site_url}/chapters/gallery.html")
    page.evaluate("attnFigures.wake(document)")
    figures = page.locator(".attn-figure[data-view]")
    page.wait_for_function("() => !document.querySelector('.attn-figure[data-view]:not([data-live], [data-far])')")
    for figure in (figures.last, figures.nth(figures.count() // 2)):
        page.wait_for_function(
            "e => { e.scrollIntoView({ block: 'center' }); return e.hasAttribute('data-live'); }",
            arg=figure.element_handle(),
            polling=200,
        )


def test_the_mark_of_folded_code_is_there_when_its_cell_is_wanted(page, open_page, site_url):
    where = f"{site_url}/chapters/05_values.html"
    cells = "div.cell.tag_hide-input:has(> details.above-input)"
    mark = "details.above-input > summary"
    seen = f"cell => Number(getComputedStyle(cell.querySelector('{mark}')).opacity)"
    finger = open_page(width=390, has_touch=True, is_mobile=True)
    finger.goto(where)
    assert finger.locator(cells).first.evaluate(seen) == 1
    page.goto(where)
    cell = page.locator(cells).first
    page.mouse.move(0, 0)
    assert cell.evaluate(seen) == 0
    cell.hover()
    assert cell.evaluate(seen) == 1
    page.mouse.move(0, 0)
    cell.locator(mark).focus()
    assert cell.evaluate(seen) == 1
