"""Pages and figures on paper, printed by the whole Chromium, as people do: the lean one cuts off what is too wide."""

import re
from io import BytesIO

import numpy as np
import pytest
from pypdf import PdfReader
from sampled import also
from test_site import settle

from attn.show import widgets
from book import stills

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(launch):
    """The whole Chromium, in place of the one that the other tests share."""
    return launch(lean=False)


def printed(page):
    """Where the words of the printed page stand.   -> list of (text, left edge in points, page width)"""
    found = []
    for sheet in PdfReader(BytesIO(page.pdf(format="A4"))).pages:
        width = float(sheet.mediabox.width)

        def seen(told, matrix, place, *_, width=width):
            if told.strip():
                left = place[4] * matrix[0] + place[5] * matrix[2] + matrix[4]
                found.append((told.strip(), left, width))

        sheet.extract_text(visitor_text=seen)
    return found


@pytest.mark.prove
def test_no_column_is_lost_on_paper(show):
    sizes = {"a": 3, "b": 16, "c": 24, "d": 32}
    rng = np.random.default_rng(3)
    squares = [rng.random((n, n)) for n in sizes.values()]
    names = [[f"{letter}{j}" for j in range(n)] for letter, n in sizes.items()]
    words = printed(show([widgets.Heatmap(a, told) for a, told in zip(squares, names, strict=True)]))
    for name in (name for told in names for name in told):
        places = [left for told, left, width in words if name in told.split() and 0 <= left < width - 30]
        assert len(places) >= 2, f"column {name}"  # at the head of its column, and at the side of its row


@pytest.mark.parametrize("script", [True, also(False)])
def test_paper_gets_the_pictures_and_nothing_to_press(open_page, site_url, script):
    page = open_page(java_script_enabled=script, color_scheme="dark")
    page.goto(f"{site_url}/chapters/01_attention_in_one_equation.html")
    settle(page) if script else None
    pictures = [still.get_attribute("src") for still in page.locator("img.attn-still").all()]
    names = [src.rpartition("/")[2].partition("?")[0] for src in pictures]
    sheets = PdfReader(BytesIO(page.pdf(format="A4"))).pages
    words = " ".join(" ".join(sheet.extract_text().split()) for sheet in sheets)
    assert len(names) > 4
    for name in names:
        text = (stills.DRAWN / name).read_text(encoding="utf-8")
        own = re.findall(r"<text[^>]*>([^<]{3,})</text>", text)
        assert sum(told in words for told in own) > 0.9 * len(own), name
    assert "Start again" not in words and "Next ›" not in words
