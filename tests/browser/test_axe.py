"""Every page of the site, examined by axe: accessibility as far as a machine can tell."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from test_site import pages, wake

from book import audit

pytestmark = pytest.mark.browser


LOOKS = [{"width": 1280, "color_scheme": "light"}, {"width": 412, "color_scheme": "dark"}]  # between them, both of each


def test_axe_finds_nothing_on_a_phone_where_it_once_did(open_page, site_url):
    """An empty header, a link in a report that was too low for a finger."""
    page = open_page(**LOOKS[1], reduced_motion="reduce")
    for name in ("chapters/gallery", "exercises/13_memory"):
        page.goto(f"{site_url}/{name}.html")
        wake(page)
        found = Axe().run(page, options=audit.RULES).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"][:120]) for rule in found] == [], name


@pytest.mark.prove
@pytest.mark.parametrize(("turn", "stride"), [(0, 12), (0, 1), (1, 1)], ids=["sample", "one look", "the other"])
def test_axe_finds_nothing_to_mend(open_page, site, site_url, turn, stride):
    """Every page in both looks; or, for CI, every twelfth in one look or the other, by turns."""
    looks = [open_page(**look, reduced_motion="reduce") for look in LOOKS]  # a colour on its way is no colour
    found = {}
    for number, name in enumerate(pages(site)[::stride]):
        page = looks[(number + turn) % 2]
        page.goto(f"{site_url}/{name}")
        wake(page)
        for rule in Axe().run(page, options=audit.RULES).response["violations"]:
            found.setdefault(rule["id"], []).append((name, rule["nodes"][0]["html"][:120]))
    assert found == {}
