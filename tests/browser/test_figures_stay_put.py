"""What a reader drags, presses or points at changes a figure's numbers, not its layout: nothing slides from a hand."""

from types import SimpleNamespace

import nbformat
import pytest
from figurepage import also, middle, some

from book import stills
from tools.stills import ROOT

pytestmark = pytest.mark.browser
ROOM = 1.5  # pixels
BOTH = (390, also(902))
ANOTHER = {"head_browser", "encoder_heads"}  # what is pressed chooses another sentence: other words, another size
# How high the card is, and where each thing that is drawn in it stands, from its upper edge.
PLACES = """(live) => {
    const top = live.getBoundingClientRect().top;
    const drawn = [...live.querySelectorAll(".attn-plane, .attn-field, .attn-matrix, .attn-bars, .attn-foot, canvas")];
    const named = (one, k) => `${k} ${one.querySelector("caption")?.textContent ?? one.getAttribute("class")}`;
    const shown = drawn.filter((one) => one.getClientRects().length);
    return [["the card's end", live.getBoundingClientRect().height],
        ...shown.map((one, k) => [named(one, k), one.getBoundingClientRect().top - top])];
}"""
# Press the k-th button, or move the k-th slider.   -> what it is called, null where there is none
USE = """(live, k) => {
    const one = [...live.querySelectorAll("button, input[type=range]")].filter((one) => !one.closest("details"))[k];
    if (!one) return null;
    if (one.localName === "button") one.click();
    else {
        one.value = Number(one.min) + 0.83 * (one.max - one.min);
        one.dispatchEvent(new Event("input", { bubbles: true }));
    }
    return one.localName === "button" ? one.textContent : one.getAttribute("aria-label");
}"""


def gallery():
    """A figure of each kind, as the gallery shows it.   -> {view: something that has .html()}"""
    found = {}
    for cell in nbformat.read(ROOT / "chapters" / "gallery.ipynb", as_version=4).cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            for view, _ in stills.figures(html).values():
                found[view] = SimpleNamespace(html=lambda html=html: html)
    return found


FIGURES = gallery()


@pytest.mark.parametrize("width", BOTH)  # as wide as the site makes a figure in a window of 1280, and a phone
@pytest.mark.parametrize("view", some(FIGURES, 4))
def test_a_figure_stays_put_while_it_is_used(show, view, width):
    page = show([FIGURES[view]], width=width, reduced_motion="reduce")
    live = page.locator(".attn-live")
    page.wait_for_timeout(100)  # names find their places
    was, moved = dict(live.evaluate(PLACES)), []

    def look(what):
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        for name, at in live.evaluate(PLACES):
            if name in was and abs(at - was[name]) > ROOM:
                moved.append(f"{what}: {name} went from {was[name]:.0f} to {at:.0f}")
                break

    for cell in live.locator("td[tabindex], td[data-at]").all()[::5][:5]:
        if cell.is_visible():
            cell.hover(force=True)
            look(f"pointing at {cell.text_content()}")
    page.mouse.move(1, 1)
    for handle in [one for one in live.locator("g.attn-mark[tabindex]").all() if one.is_visible()][:3]:
        handle.scroll_into_view_if_needed()
        x, y = middle(handle.locator(".attn-grip"))
        page.mouse.move(x, y)
        page.mouse.down()
        for dx, dy in ((30, -40), (60, -70)):
            page.mouse.move(x + dx, y + dy, steps=3)
            look(f"dragging {handle.get_attribute('aria-label')}")
        page.mouse.up()
        look(f"leaving {handle.get_attribute('aria-label')}")
    k = 0
    while view not in ANOTHER and (name := live.evaluate(USE, k)) is not None:
        look(f"using {name}")
        k += 1
    assert moved == []
