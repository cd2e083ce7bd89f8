"""The site as a reader meets it, in a real browser with the rest of the world switched off."""

import pytest

pytestmark = pytest.mark.browser


def pages(site):
    """Every page of the site, as addresses below its root."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


def settle(page):
    """Wait until the page has its fonts and has laid itself out."""
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready.then(() => true)")


def wake(page):
    """Wait for the late sections and for every figure but the far ones, which wait for the reader: nothing moves."""
    settle(page)
    page.wait_for_function("""() => "laidOut" in document.documentElement.dataset
        && !document.querySelector(".attn-figure:not([data-live], [data-far])")""")


INK = """() => {
    const ground = getComputedStyle(document.documentElement).backgroundColor;
    const blocks = [...document.querySelectorAll("article p, article .attn-figure td")];
    const shown = blocks.filter((e) => e.checkVisibility()).slice(0, 40);
    return shown.map((e) => [ground, getComputedStyle(e).color, e.textContent]);
}"""


@pytest.mark.parametrize("stride", [12, pytest.param(1, marks=pytest.mark.prove)])
def test_every_page_loads_without_an_error_or_a_foreign_host_fits_a_phone_and_prints_black_on_white(
    open_page, site, site_url, stride
):
    page = open_page(color_scheme="dark")
    for name in pages(site)[::stride]:
        assert page.goto(f"{site_url}/{name}").status == 200
        settle(page)
        assert page.locator("h1").count() == 1, name
        page.emulate_media(media="print", color_scheme="dark")
        for ground, ink, words in page.evaluate(INK):
            dark = max(int(part) for part in ink.removeprefix("rgb(").removesuffix(")").split(","))
            assert ground == "rgb(255, 255, 255)" and dark < 0x70, (name, ink, words)
        page.emulate_media(media="screen", color_scheme="dark")
        page.set_viewport_size({"width": 360, "height": 900})
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        page.set_viewport_size({"width": 1280, "height": 900})


def test_what_is_wider_than_a_phone_can_be_scrolled_from_the_keyboard(open_page, site_url):
    page = open_page(width=360)
    page.goto(f"{site_url}/chapters/claims.html")
    settle(page)
    wide = page.locator(".wide[tabindex='0']").first
    wide.wait_for()
    assert "scrolls sideways" in wide.get_attribute("aria-label")


def test_a_table_of_three_columns_fits_on_a_phone(open_page, site_url):
    page = open_page(width=390)
    for name, tables in (("notation", 4), ("attention_in_torch", 3)):
        page.goto(f"{site_url}/chapters/{name}.html")
        settle(page)
        told = """() => [...document.querySelectorAll(".wide:has(> table):not(:has(th:nth-child(4)))")]
            .map((x) => x.scrollWidth - x.clientWidth)"""
        assert page.evaluate(told) == [0] * tables, name


def test_the_theme_follows_the_system_until_the_reader_chooses(open_page, site_url):
    page = open_page(color_scheme="dark")
    page.goto(f"{site_url}/index.html")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Change between light and dark").click()
    assert page.evaluate(ground) != dark
    page.goto(f"{site_url}/chapters/notation.html")
    assert page.locator("html").get_attribute("data-theme") == "light"
    page.emulate_media(color_scheme="light")
    page.emulate_media(color_scheme="dark")
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_the_theme_is_set_before_the_first_paint(open_page, site_url):
    """The script that sets it stands before the stylesheet and is part of the page, so nothing can flash."""
    page = open_page(color_scheme="dark")
    page.goto(f"{site_url}/index.html")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    head = page.content().split("</head>")[0]
    assert head.index("dataset.theme") < head.index('rel="stylesheet"')


def test_the_skip_link_comes_first_and_leads_to_the_text(page, site_url):
    page.goto(f"{site_url}/chapters/notation.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_on_a_phone_the_chapters_open_from_one_button_and_escape_closes_them(open_page, site_url):
    page = open_page(width=360)
    page.goto(f"{site_url}/index.html")
    contents = page.locator("#contents")
    assert not contents.is_visible()
    page.get_by_role("button", name="Chapters").press("Enter")
    assert contents.is_visible()
    page.keyboard.press("Escape")
    assert not contents.is_visible()


def test_a_page_has_one_search_field_and_it_finds_a_word(page, site_url):
    page.goto(f"{site_url}/index.html")
    field = page.get_by_role("searchbox")
    assert field.count() == 1
    field.fill("projection")
    field.press("Enter")
    page.locator("#search-results a", has_text="Notation").first.wait_for()
    assert page.get_by_role("searchbox").count() == 1


def test_a_formula_is_drawn_in_the_shipped_font_without_a_script(open_page, site_url):
    page = open_page(java_script_enabled=False)
    page.goto(f"{site_url}/index.html")
    page.wait_for_load_state("networkidle")
    box = page.locator("math[display=block]").first.bounding_box()
    assert box["height"] > 40 and box["width"] > 200  # the fraction is stacked and the root stretched


def test_the_reading_works_straight_from_the_disk(page, site):
    page.goto((site / "index.html").as_uri())
    settle(page)
    assert page.evaluate("[...document.fonts].some(f => f.family === 'Mathematics' && f.status === 'loaded')")
    page.get_by_role("link", name="Notation").first.click()
    page.locator("h1", has_text="Notation").wait_for()


def test_paper_gets_the_text_and_not_the_buttons(page, site_url):
    page.goto(f"{site_url}/index.html")
    page.emulate_media(media="print")
    assert not page.locator("header.top").is_visible()
    assert not page.locator("#contents").is_visible()
    assert page.locator("article").is_visible()


def test_at_twice_the_letter_size_nothing_is_cut_off(open_page, site_url):
    page = open_page(width=1280)
    page.goto(f"{site_url}/chapters/notation.html")
    page.add_style_tag(content="html { font-size: 225% }")
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_one_switch_shows_what_checks_the_numbers_in_the_text(open_page, site_url):
    for script in (True, False):
        page = open_page(java_script_enabled=script)
        page.goto(f"{site_url}/chapters/04_softmax.html")
        check = page.locator(".cell.check").first
        assert check.is_hidden()
        page.get_by_label("number checks").check()
        assert check.is_visible() and check.locator("pre").first.is_visible() == script
        page.get_by_label("number checks").uncheck()
        assert check.is_hidden()


def test_the_page_s_own_tables_do_not_move_the_numbers_of_a_figure(page, site_url):
    page.goto(f"{site_url}/chapters/gallery.html#")
    page.evaluate("attnFigures.wake(document)")
    page.locator(".attn-grand[data-live] td, [data-live] .attn-grand td").first.wait_for()
    placed = page.evaluate("""[...document.querySelectorAll("[data-live] .attn-live tbody td")]
        .map((cell) => getComputedStyle(cell).verticalAlign)""")
    assert set(placed) == {"middle"}
