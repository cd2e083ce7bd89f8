"""Every page of the site, examined by axe: accessibility as far as a machine can tell."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from test_site import pages, wake

from book import audit

pytestmark = pytest.mark.browser


LOOKS = [{"width": 1280, "color_scheme": "light"}, {"width": 412, "color_scheme": "dark"}]  # between them, both of each


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
