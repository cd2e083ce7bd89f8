"""What a reader drags, presses or points at changes a figure's numbers, not its layout: nothing slides from a hand."""

from types import SimpleNamespace

import nbformat
import pytest
from figurepage import middle
from sampled import also, some

from attn.show import widgets
from book import stills
from tools.stills import ROOT

pytestmark = pytest.mark.browser
ROOM = 1.5  # pixels
BOTH = (390, also(902))
# what is pressed chooses another sentence or another projection: other words, another size
ANOTHER = {"head_browser", "encoder_heads", "projection"}
# How high the card is, and where each thing that is drawn in it stands, from its upper edge.
PLACES = """(live) => {
    const top = live.getBoundingClientRect().top;
    const drawn = [...live.querySelectorAll(".attn-plane, .attn-field, .attn-matrix, .attn-bars, .attn-foot, canvas")];
    const taken = (one) => one.closest("[data-shown]") ? " in hand" : ""; // of several matrices, on a phone
    const named = (one, k) =>
        `${k} ${one.querySelector("caption")?.textContent ?? one.getAttribute("class")}${taken(one)}`;
    const shown = drawn.filter((one) => one.checkVisibility());
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
@pytest.mark.parametrize("view", some(FIGURES, 8))
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


# Every sentence that can be chosen, every word of it, every switch of every word, each pressed twice, and the mask.
SWITCHED = """async (live) => {
    const rest = () => new Promise((done) => setTimeout(done));
    const all = (what) => [...live.querySelectorAll(what)];
    const start = new Map(PLACES(live));
    const moved = [];
    let looks = 0;
    async function look(what) {
        await rest();
        looks += 1;
        for (const [name, at] of PLACES(live)) {
            if (Math.abs(at - start.get(name)) > ROOM) return moved.push(`${what}: ${name} by ${at - start.get(name)}`);
        }
    }
    const select = live.querySelector("select");
    for (const { value, disabled } of [...select.options]) {
        if (disabled) continue;
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
        await look(value);
        for (let j = 0; j < all(".attn-line button").length; j++) {
            all(".attn-line button")[j].click();
            await look(`${value}, word ${j}`);
            for (const group of [0, 1]) {
                const switches = () => [...all("[role=group][aria-label*=' of ']")[group].querySelectorAll("button")];
                for (let k = switches().length - 1; k >= 0; k--) { // its own the last
                    switches()[k].click();
                    await look(`${value}, word ${j}, ${switches()[k].textContent}`);
                }
            }
        }
        for (const on of [1, 0]) {
            all("button").find((one) => one.textContent === "causal mask").click();
            await look(`${value}, mask ${on}`);
        }
        for (const one of all(".attn-line button")) { // one switch after the other
            one.click();
            await rest();
            all("[role=group][aria-label*=' of '] button")[1].click();
            await look(`${value}, off at ${one.textContent}`);
        }
    }
    return [looks, moved];
}"""


@pytest.mark.prove
@pytest.mark.parametrize("width", BOTH)
def test_no_sentence_and_no_switch_of_the_head_moves_anything(show, width):
    page = show([FIGURES["sense_head"]], width=width, reduced_motion="reduce")
    page.wait_for_timeout(100)
    script = SWITCHED.replace("PLACES(", f"({PLACES})(").replace("ROOM", str(ROOM))
    looks, moved = page.locator(".attn-live").evaluate(script)
    assert looks > 400 and moved == []
    live, complaint = page.locator(".attn-live"), page.get_by_role("status")
    page.locator("summary").click()
    before = live.evaluate(PLACES)
    page.get_by_label("Your own sentence").fill("she sat by the hello bank")
    assert complaint.is_visible() and live.evaluate(PLACES) == before


# Every slider of a figure that is in view, from end to end.   -> its name, how many boxes its track has had, and
# whether a press near each end meets it
SLIDE = """async (live) => {
    const seen = [];
    for (const one of live.querySelectorAll("input[type=range]")) {
        if (!one.checkVisibility()) continue;
        one.scrollIntoView({ block: "center" });
        const [boxes, low, high] = [new Set(), Number(one.min), Number(one.max)];
        for (const t of [0, 0.35, 0.72, 1]) {
            one.value = low + t * (high - low);
            one.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((then) => setTimeout(then));
            const { x, width } = one.getBoundingClientRect();
            boxes.add(`${x.toFixed(1)}, ${width.toFixed(1)} wide`);
        }
        const { left, right, top, height } = one.getBoundingClientRect();
        const met = [left + 2, right - 2].map((x) => document.elementFromPoint(x, top + height / 2));
        seen.push([one.getAttribute("aria-label"), boxes.size, met.every((two) => two === one)]);
    }
    return seen;
}"""


@pytest.mark.parametrize("width", BOTH)
def test_a_slider_keeps_its_track_from_end_to_end_and_nothing_lies_on_it(show, width):
    page = show(list(FIGURES.values()), width=width, reduced_motion="reduce")
    lives = zip(FIGURES, page.locator(".attn-live").all(), strict=True)
    seen = [(view, *one) for view, live in lives for one in live.evaluate(SLIDE)]
    assert len(seen) > 12
    assert [one for one in seen if one[2:] != (1, True)] == []


def test_the_card_is_as_high_whichever_goal_of_the_mask_is_open(show):
    page = show([widgets.MaskPainter()], width=902, reduced_motion="reduce")
    card, high = page.locator(".attn-live"), set()
    for goal in page.locator(".attn-aims button").all():
        goal.click()
        high.add(card.bounding_box()["height"])
    assert len(high) == 1
