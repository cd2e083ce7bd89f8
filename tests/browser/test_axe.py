"""Every page of the site, examined by axe: accessibility as far as a machine can tell."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from test_site import pages, settle

pytestmark = pytest.mark.browser


def wake(page):
    """Wait for the late sections and for every figure but the large ones, which wait for the reader."""
    page.wait_for_function("""() => "laidOut" in document.documentElement.dataset
        && !document.querySelector(".attn-figure:not([data-live]):not(:has(> script[data-src]))")""")


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 412)])  # between them, both of each
def test_axe_finds_nothing_to_mend(open_page, site, site_url, theme, width):
    page = open_page(width=width, color_scheme=theme, reduced_motion="reduce")  # a colour on its way is no colour
    found = {}
    for name in pages(site):
        page.goto(f"{site_url}/{name}")
        settle(page)
        wake(page)
        for rule in Axe().run(page).response["violations"]:
            found.setdefault(rule["id"], []).append((name, rule["nodes"][0]["html"][:120]))
    assert found == {}
