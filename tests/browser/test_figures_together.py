"""Each figure looks on a page with all the others as it looks alone: what one view brings along reaches no other."""

import pytest
from sampled import also
from test_figures_stay_put import FIGURES

pytestmark = pytest.mark.browser
ROOM = 0.5  # pixels
# Where everything in every figure stands and how it looks, among the rules of all and by its own rules alone.
# -> {view: (how many things were looked at, what differs)}
BOTH = """(ROOM) => {
    const looks = ["color", "backgroundColor", "fontSize", "fontWeight", "opacity", "position", "visibility"];
    const brought = [...document.querySelectorAll(".attn-live style")];
    const seen = (live) => {
        const from = live.getBoundingClientRect();
        return [live, ...live.querySelectorAll("*:not(style, option, source)")].map((one) => {
            const [box, style] = [one.getBoundingClientRect(), getComputedStyle(one)];
            if (!one.getClientRects().length) return [[], []]; // not shown
            return [[box.left - from.left, box.top - from.top, box.width, box.height], looks.map((x) => style[x])];
        });
    };
    const differ = ([was, how], [is, now]) =>
        was.length !== is.length || was.some((x, k) => Math.abs(x - is[k]) > ROOM) || how.some((x, k) => x !== now[k]);
    return Object.fromEntries([...document.querySelectorAll(".attn-figure")].map((figure) => {
        const live = figure.querySelector(".attn-live");
        const all = [live, ...live.querySelectorAll("*:not(style, option, source)")];
        const among = seen(live);
        for (const one of brought) one.disabled = !live.contains(one);
        const alone = seen(live);
        for (const one of brought) one.disabled = false;
        const told = (k) => `${all[k].localName}.${all[k].getAttribute("class")}: ${among[k]} alone ${alone[k]}`;
        const found = all.flatMap((_, k) => differ(among[k], alone[k]) ? [told(k)] : []);
        return [figure.dataset.view, [all.length, found.slice(0, 3)]];
    }));
}"""
STILL = "* { transition: none !important; animation: none !important }"


@pytest.mark.parametrize("width", (1280, also(390)))
def test_the_rules_of_one_view_reach_no_other(show, width):
    page = show(list(FIGURES.values()), width=width, reduced_motion="reduce")
    page.add_style_tag(content=STILL)
    page.wait_for_timeout(500)
    found = page.evaluate(BOTH, ROOM)
    assert set(found) == set(FIGURES)
    assert min(count for count, _ in found.values()) > 10  # there was something to see
    assert {view: differences for view, (_, differences) in found.items() if differences} == {}
