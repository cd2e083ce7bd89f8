"""The figures as a person meets them: focus and contrast by the pixels, a real finger, paper, a patient voice."""

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from figurepage import middle, said
from PIL import Image
from sampled import also
from worked import TOKENS, W_K, W_Q, W_V, X, every_widget

from attn.show import widgets

pytestmark = pytest.mark.browser
BYTES = widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS)


def pixels(page, box):
    """What stands on the screen in a box of page coordinates.   -> float (height, width, 3)"""
    shot = page.screenshot(clip=box, animations="disabled", caret="hide")
    return np.asarray(Image.open(BytesIO(shot)).convert("RGB"), float)


def luminance(colours):
    """Relative luminance as WCAG counts it.   (…, 3) of 0…255 -> (…)"""
    c = np.asarray(colours, float) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(a, b):
    """WCAG's contrast of two colours, 1 to 21."""
    a, b = luminance(a), luminance(b)
    return (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)


def around(handle, room=7):
    """A box of page coordinates round an element, with some room."""
    box = handle.bounding_box()
    left, top = max(box["x"] - room, 0), max(box["y"] - room, 0)
    return dict(x=left, y=top, width=box["width"] + 2 * room, height=box["height"] + 2 * room)


# ---- focus


def with_grids():
    """Every figure whose cells take the keyboard's focus."""
    return [
        widgets.Embedding(X, TOKENS),
        widgets.Heatmap(BYTES.weights, TOKENS),
        widgets.ScoreCells(BYTES.Q, BYTES.K, TOKENS),
        widgets.CausalValues(np.tri(3) / [[1], [2], [3]], BYTES.V, TOKENS, step=1),
        widgets.MaskPainter(5),
        widgets.Playground("a b c a"),
    ]


@pytest.mark.prove
@pytest.mark.parametrize("theme", ["light", also("dark")])
def test_focus_on_a_chosen_cell_can_be_seen(show, theme):
    page = show(with_grids(), theme=theme, height=1200)
    for k, figure in enumerate(page.locator(".attn-live").all()):
        cell = figure.locator("td[tabindex='0']").first
        cell.scroll_into_view_if_needed()
        page.keyboard.press("Shift")  # the keyboard is in use: focus is to be shown
        cell.evaluate("cell => cell.focus({ focusVisible: true })")
        box = around(cell)
        focused = pixels(page, box)
        cell.evaluate("cell => cell.blur()")
        blurred = pixels(page, box)
        changed = (contrast(focused, blurred) >= 3).sum()
        size = cell.bounding_box()
        ring = 2 * (size["width"] + size["height"])  # WCAG 2.4.13: at least a ring one pixel thick, at 3:1
        assert changed >= ring, f"figure {k}: {changed} pixels change, a ring has {ring:.0f}"


# ---- contrast


def colour(page, expression):
    """A computed colour as the browser paints it.   expression: JavaScript that gives a CSS colour   -> (3,)"""
    return page.evaluate(
        f"""() => {{
            const pen = new OffscreenCanvas(1, 1).getContext("2d", {{ willReadFrequently: true }});
            pen.fillStyle = {expression};
            pen.fillRect(0, 0, 1, 1);
            return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }}"""
    )


def style(selector, part):
    """JavaScript for a computed style of the first element of a selector."""
    return f"getComputedStyle(document.querySelector({selector!r})).{part}"


@pytest.mark.parametrize("theme", ["light", also("dark")])
def test_bars_and_borders_of_controls_stand_out_from_the_paper(show, theme):
    page = show([widgets.Embedding(X - 0.5, TOKENS), widgets.Playground("a b c")], theme=theme)
    paper = colour(page, style(".attn-live", "backgroundColor"))
    assert contrast(colour(page, style(".attn-fill:not([data-minus])", "backgroundColor")), paper) >= 3
    assert contrast(colour(page, style(".attn-fill[data-minus]", "backgroundColor")), paper) >= 3
    for control in (
        ".attn-live button:not(.attn-quiet)",
        ".attn-live input[type=number]",
        ".attn-live input[type=text]",
    ):
        assert contrast(colour(page, style(control, "borderTopColor")), paper) >= 3, control


# ---- size


def test_figures_grow_with_the_reader_s_letters(show):
    page = show([widgets.Hull([[0, 0], [2, 0], [0, 1]], tokens=TOKENS), widgets.Roofline()])
    size = "parts => parts.map(part => parseFloat(getComputedStyle(part).fontSize))"
    parts = page.locator(".attn-live, .attn-live td, .attn-live svg text:not(.attn-ticks text)")  # ticks come and go
    before = np.array(parts.evaluate_all(size))
    page.evaluate("document.documentElement.style.fontSize = '225%'")
    np.testing.assert_allclose(parts.evaluate_all(size), 2 * before, rtol=0.01)


def test_what_can_be_pressed_is_24_pixels_at_least(show):
    long = [f"w{i % 8}" for i in range(10)]
    page = show([widgets.MaskPainter(10), widgets.Playground(long)], width=390, height=900)
    sizes = page.locator("td[tabindex]:visible").evaluate_all(
        "cells => cells.map(cell => [cell.getBoundingClientRect().width, cell.getBoundingClientRect().height])"
    )
    assert np.min(sizes) >= 24


# ---- voice


def test_a_slider_on_the_move_speaks_once_when_it_rests(show):
    page = show([widgets.SoftmaxSliders([1.0, 5.0, 3.0], TOKENS)])
    assert page.locator("output").count() == 0  # an <output> is a status of its own: each would speak too
    heard = page.evaluate(
        """async () => {
            const live = [...document.querySelectorAll("[aria-live='polite'], [role='status']")];
            let times = 0;
            const watch = new MutationObserver((changes) => (times += changes.length));
            for (const one of live) watch.observe(one, { childList: true, characterData: true, subtree: true });
            const slider = document.querySelector("input[type=range]");
            for (let k = 0; k < 30; k++) {
                slider.value = k / 10;
                slider.dispatchEvent(new Event("input"));
                await new Promise((done) => setTimeout(done, 15));
            }
            await new Promise((done) => setTimeout(done, 900));
            return [times, live.map((one) => one.textContent).join("")];
        }"""
    )
    assert heard[0] == 1
    assert heard[1] == said(page)


def test_no_two_controls_of_a_figure_share_a_name_and_handles_say_how_far_they_go(show):
    page = show([widgets.Hull([[0, 0], [2, 0], [0, 1]], tokens=TOKENS)])
    names = page.get_by_role("slider").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert len(names) == len(set(names)) == 7
    for one in page.locator("g[role=slider]").all():
        low, now, high = (float(one.get_attribute(f"aria-value{part}")) for part in ("min", "now", "max"))
        assert low <= now <= high and low < high


def test_names_are_spoken_without_their_underscores(show):
    page = show([widgets.Projection(X, W_Q, W_K, W_V, TOKENS, step=1)])
    for figure in page.locator(".attn-live").all():
        figure.locator("button, input[type=range]").first.focus()
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(600)
    spoken = page.locator("[aria-live]").all_text_contents()
    spoken += page.locator(".attn-live [aria-label]").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert any("W Q" in text for text in spoken) and not [text for text in spoken if "_" in text]


# ---- a finger


class Finger:
    """One finger on the glass, as the browser gets it from a touch screen."""

    def __init__(self, page):
        self.line = page.context.new_cdp_session(page)

    def drag(self, start, end, steps=12):
        """Down at start, up at end; both are points of the page."""
        way = np.linspace(start, end, steps + 1)
        self.touch("touchStart", way[0])
        for point in way[1:]:
            self.touch("touchMove", point)
        self.line.send("Input.dispatchTouchEvent", dict(type="touchEnd", touchPoints=[]))

    def touch(self, kind, point):
        """One event with the finger at a point."""
        points = [dict(x=float(point[0]), y=float(point[1]))]
        self.line.send("Input.dispatchTouchEvent", dict(type=kind, touchPoints=points))


def on_a_phone(show, shown):
    page = show(shown, width=390, height=800, has_touch=True, is_mobile=True)
    return page, Finger(page)


def values(page):
    """Where the values of the hull stand, from its table."""
    return np.array([[float(x.replace("−", "-")) for x in row.split("\t")[1:3]] for row in rows(page)])


def rows(page):
    told = "all => all.map(row => [...row.cells].map(cell => cell.textContent).join('\\t'))"  # folded, too
    return page.locator(".attn-matrix").first.locator("tbody tr").evaluate_all(told)


def test_a_finger_drags_a_value_all_the_way(show):
    page, finger = on_a_phone(show, [widgets.Hull([[0, 0], [2, 0], [0, 1]], tokens=TOKENS)])
    before = values(page)
    handle = page.locator("g[role=slider]").nth(1)
    box = page.locator(".attn-plane").bounding_box()
    start = middle(handle.locator("circle").last)
    finger.drag(start, [start[0] - 30, start[1] - 90])
    moved = (values(page) - before)[1]
    unit = 0.6 * box["height"]  # the hull's height, 1, is at most this much of the plane
    assert moved[1] >= 90 / unit * 0.6 and moved[0] < 0, f"the value moved by {moved}"
    assert page.evaluate("scrollY") == 0


def test_a_finger_on_the_empty_plane_still_scrolls_the_page(show):
    page, finger = on_a_phone(show, [widgets.Hull([[0, 0], [2, 0], [0, 1]], tokens=TOKENS)] * 3)
    box = page.locator(".attn-plane").first.bounding_box()
    start = np.array([box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.5])
    finger.drag(start, start - [0, 200])
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") > 50


def test_the_corners_of_a_simplex_stand_still_and_its_point_is_the_row_of_shares(show):
    row = widgets.Hull([[0, 0], [1, 0], [0.5, 0.9]], [0, 1, 2], TOKENS, simplex=True)
    page = show([row])
    assert said(page) == repr(row) and page.locator("g[role=slider]").count() == 1
    x, y = middle(page.locator("g[role=slider] circle").last)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=4)
    page.mouse.up()
    assert said(page) != repr(row) and said(page).startswith("Shares (")


def test_a_value_grabbed_beside_its_middle_does_not_jump(show):
    page = show([widgets.Hull([[0, 0], [2, 0], [0, 1]], tokens=TOKENS)])
    before = values(page)
    x, y = np.add(middle(page.locator("g[role=slider]").nth(1).locator("circle").last), (11, -8))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 1, y)
    page.mouse.up()
    assert np.abs(values(page) - before).max() < 0.03


def test_dragging_over_the_plane_selects_no_text(show):
    page = show([widgets.Hull([[0, 0], [2, 0], [0, 1]], tokens=TOKENS)])
    x, y = np.add(middle(page.locator(".attn-plane")), (60, -60))  # among the names
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 150, y + 120, steps=8)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()").strip() == ""


def test_dragging_over_a_grid_selects_no_text_and_its_title_may_be_copied(show):
    selected = "String(getSelection()).trim()"
    for widget in (widgets.Embedding(X, TOKENS), widgets.Heatmap(np.eye(3))):
        page = show([widget])
        table = page.locator(".attn-live [role=grid]").first
        first, last = (table.locator("td[data-at]").nth(k).bounding_box() for k in (0, -1))
        page.mouse.move(first["x"] + 9, first["y"] + 9)
        page.mouse.down()
        page.mouse.move(last["x"] + last["width"] - 4, last["y"] + last["height"] - 4, steps=8)
        page.mouse.up()
        assert page.evaluate(selected) == ""
        page.locator(".attn-title").click(click_count=3, position={"x": 30, "y": 8})
        assert page.evaluate(selected)


def test_a_finger_paints_the_mask_in_any_direction(show):
    page, finger = on_a_phone(show, [widgets.MaskPainter(6, "none")])
    cells = page.locator("td[data-at]")
    finger.drag(middle(cells.nth(0)), middle(cells.nth(24)))  # down the first column
    finger.drag(middle(cells.nth(8)), middle(cells.nth(11)))  # along the second row
    mask = np.ones((6, 6), bool)
    mask[:5, 0] = mask[1, 2:] = False
    assert said(page) == repr(widgets.MaskPainter(6, mask, row=1, col=5))


def test_a_finger_slides_along_the_letters_that_share_a_phone(show):
    page, finger = on_a_phone(show, [widgets.HeadBrowser()])
    line = page.locator(".attn-words")
    letters = line.locator("button")
    assert line.bounding_box()["height"] >= 44  # as high as a finger
    box, boxes = line.bounding_box(), [one.bounding_box() for one in letters.all()]
    assert len(boxes) == 24 and boxes[0]["x"] >= box["x"] and boxes[-1]["x"] + boxes[-1]["width"] <= 380
    assert page.locator(".attn-arcs").evaluate("box => box.scrollWidth <= box.clientWidth")
    assert letters.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth + 1)")
    finger.drag(middle(letters.nth(20)), middle(letters.nth(9)))
    assert letters.nth(9).get_attribute("aria-pressed") == "true" and page.evaluate("scrollY") == 0
    assert "After 10 symbols" in said(page)


def pressed(page, title):
    """Which of a group of choices are marked as chosen."""
    group = page.get_by_role("group", name=title)
    return [one.text_content() for one in group.get_by_role("button", pressed=True).all()]


def test_the_gallery_s_mask_opens_where_what_is_closed_is_heard_through_others(show):
    gallery = (Path(__file__).parents[2] / "chapters" / "gallery.ipynb").read_text(encoding="utf-8")
    assert 'widgets.MaskPainter(8, \\"window\\")' in gallery
    page = show([widgets.MaskPainter(8, "window")])
    assert pressed(page, "Start from") == ["window"] and "hears of it in 4 looks" in said(page)
    assert page.locator("[data-board=mask] td[data-way=two]").count() == 9
    assert page.locator(".attn-hops path").count() == 4


def test_the_painter_says_which_pattern_is_on_and_its_slider_keeps_to_it(show):
    page = show([widgets.MaskPainter(8)])

    def choose(name):
        page.get_by_role("button", name=name, exact=True).click()

    assert pressed(page, "Start from") == ["causal"] and page.get_by_role("slider").count() == 0
    choose("prefix")
    page.get_by_role("slider", name="prefix").fill("4")
    assert pressed(page, "Start from") == ["prefix"]
    assert said(page) == repr(widgets.MaskPainter(8, np.tri(8, dtype=bool) | (np.arange(8) < 4)))
    choose("blocks")
    choose("↺ Start again")
    choose("window")
    page.get_by_role("slider", name="window").fill("4")
    assert said(page) == repr(widgets.MaskPainter(8, "window", 4))
    page.locator("td[data-at='6,0']").first.click()
    assert pressed(page, "Start from") == []


# ---- colours and quantities


GROUND = "cells => cells.map(cell => getComputedStyle(cell).backgroundColor)"


def test_scores_and_scaled_scores_do_not_look_alike(show):
    page = show([widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=2)], reduced_motion="reduce")
    cells = page.locator("[data-board=S] td[data-at]")
    raw = cells.evaluate_all(GROUND)
    page.get_by_role("button", name="Next").click()
    assert raw[4] != cells.evaluate_all(GROUND)[4]
    assert page.locator(".attn-legend").count() == 0  # each cell has its number


def test_the_legend_of_the_canvas_is_true_where_its_cells_have_no_numbers(show):
    rng = np.random.default_rng(3)
    many = widgets.Pipeline(rng.normal(size=(12, 4)), *rng.normal(size=(3, 4, 3)), stage=2)
    page = show([many], reduced_motion="reduce")
    parts = (many.X, many.Q, many.K, many.V, many.scores, many.scaled, many.output)
    most = max(np.abs(part).max() for part in map(np.array, parts))
    assert f"{most:.3f}" in page.locator(".attn-legend").first.text_content()
    box = page.locator(".attn-ramp").first.bounding_box()
    strip = pixels(page, dict(x=box["x"] + 2, y=box["y"] + box["height"] / 2, width=box["width"] - 4, height=1))[0]
    for part in (0.2, -0.2):
        i, j = np.unravel_index(np.abs(many.scores - part * most).argmin(), many.scores.shape)
        cell = page.locator(f"[data-board=S] td[data-at='{i},{j}']").bounding_box()
        x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
        ground = pixels(page, dict(x=x, y=y, width=1, height=1))[0, 0]
        at = abs(strip - ground).sum(axis=1).argmin() / len(strip)
        assert at == pytest.approx((1 + many.scores[i, j] / most) / 2, abs=0.04)


def area(node):
    """What an element covers of the page, in square pixels."""
    box = node.bounding_box()
    return box["width"] * box["height"]


# How many cells of 1 GiB each cache fills of each memory: the area of a drawn path in the drawing's own units
FILLED = """all => all.map((drawing) => [...drawing.querySelectorAll('path:not(.attn-cells)')].map((path) => {
    const sheet = document.createElement('canvas').getContext('2d');
    [sheet.canvas.width, sheet.canvas.height] = [320, 200];
    sheet.scale(10, 10);
    sheet.fill(new Path2D(path.getAttribute('d')));
    const bytes = sheet.getImageData(0, 0, 320, 200).data;
    return bytes.reduce((sum, x, i) => sum + (i % 4 === 3 ? x / 255 : 0), 0) / 100;
}))"""


def test_caches_and_memories_are_drawn_to_one_scale(show):
    shown = widgets.CacheCalculator("Llama-3-8B", 2**17, 8)
    page = show([shown], reduced_motion="reduce")
    memories, unit = page.locator(".attn-memory > svg"), page.locator(".attn-unit > svg")
    sizes = np.array([24, 80, 640])
    np.testing.assert_allclose([area(one) for one in memories.all()] / sizes, area(memories.first) / 24, rtol=0.01)
    side = page.locator(".attn-memory rect").first.bounding_box()["width"] / 4
    assert unit.bounding_box()["width"] == pytest.approx(side, abs=1.5)
    assert page.locator(".attn-unit").text_content() == "= 1 GiB"
    held = np.array([*shown.bytes.values()]) / 2**30
    filled = np.array(memories.evaluate_all(FILLED))
    np.testing.assert_allclose(filled, np.minimum(held, sizes[:, None]), rtol=0.02)
    assert "8 sequences ·" in page.locator(".attn-live").text_content()
    page.get_by_role("slider", name="sequences").fill("0")
    filled = np.array(memories.evaluate_all(FILLED))
    np.testing.assert_allclose(filled, np.minimum(held / 8, sizes[:, None]), rtol=0.02)


def test_what_is_kept_is_full_and_what_more_heads_would_take_is_pale(show):
    page = show([widgets.CacheCalculator()], reduced_motion="reduce")
    tints = "all => all.map((one) => parseFloat(getComputedStyle(one).fillOpacity))"
    for name, expected in [
        ("8 as published (GQA)", [0.2, 1, 0]),
        ("one head (MQA)", [0.2, 0.42, 1]),
        ("all 64 heads (MHA)", [1, 0, 0]),
    ]:
        page.get_by_role("button", name=name).click()
        for memory in page.locator(".attn-memory > svg").all():
            assert memory.locator("path:not(.attn-cells)").evaluate_all(tints) == pytest.approx(expected)


def test_over_a_memory_that_is_too_small_the_caches_that_would_fit_keep_their_outlines(show):
    page = show([widgets.CacheCalculator("Llama-3-70B", 8192, 64)], reduced_motion="reduce")
    page.get_by_role("button", name="all 64 heads (MHA)").click()
    largest = page.locator(".attn-memory").last
    line = "all => all.map((one) => getComputedStyle(one).stroke)"
    assert (np.array(largest.locator("path:not(.attn-cells)").evaluate_all(line)) != "none").tolist() == [0, 1, 1]
    told = largest.locator("text:visible")
    assert told.all_text_contents() == ["", "8 heads would fit", "1 head would fit"][-told.count() :]
    assert told.count() >= 2
    page.get_by_role("button", name="8 as published (GQA)").click()
    assert largest.get_by_text("would fit").locator("visible=true").count() == 0


def test_what_is_poured_is_what_is_computed_below(show):
    page = show([widgets.CacheCalculator("GPT-3", 2**17)], reduced_motion="reduce")
    height = page.locator(".attn-live").bounding_box()["height"]
    for name, told in [
        ("one head (MQA)", "GPT-3 (with one head, MQA): 2 for keys and values · 1 head of 128"),
        ("96 as published (MHA)", "GPT-3 (as published, MHA): 2 for keys and values · 96 heads of 128"),
        ("all 96 heads (MHA)", "GPT-3 (with all its heads, MHA): 2 for keys and values · 96 heads of 128"),
    ]:
        cache = page.get_by_role("button", name=name)
        cache.click()
        formula = page.locator(".attn-told > span").first.text_content()
        assert formula.startswith(told) and formula.endswith(cache.locator("strong").text_content())
        assert page.locator(".attn-live").bounding_box()["height"] == height


def test_a_longer_text_fills_more_of_the_memory(show):
    page = show([widgets.CacheCalculator("Llama-3-8B", 8192)], reduced_motion="reduce")
    drawn, told = page.locator(".attn-memory > svg"), page.locator(".attn-memory")

    def filled(kind):
        return [one[kind] for one in drawn.evaluate_all(FILLED)]

    assert filled(1) == pytest.approx([1] * 3, rel=0.02)  # 8192 tokens take 1 GiB
    assert "1 sequence ·" in page.locator(".attn-live").text_content()
    assert told.nth(1).text_content() == "80 GiB, a large GPU1.3% fullholds 655\u202f360 tokens"
    page.get_by_role("slider", name="tokens").fill("16")
    assert filled(1) == pytest.approx([8] * 3, rel=0.02)
    page.get_by_role("button", name="all 32 heads (MHA)").click()
    assert page.get_by_role("button", pressed=True).all_text_contents()[-1] == "all 32 heads (MHA)32 GiB"
    assert told.first.text_content().endswith("does not fittakes 2 of these")
    assert page.locator(".attn-memory[data-over]").count() == 1 and filled(0) == pytest.approx([24, 32, 32], rel=0.02)
    page.get_by_role("slider", name="tokens").fill("20")
    page.get_by_role("slider", name="sequences").fill("10")
    assert filled(0) == pytest.approx([24, 80, 640], rel=0.02)
    needed = [int("".join(re.findall(r"\d", one.split("takes")[1]))) for one in told.all_text_contents()]
    total = 32 * 2**30 * 2**7 * 2**10  # 2**20 tokens · 2**10 sequences, in GiB: 8192 of one take 4 with all heads
    assert needed == [-(-total // (gb * 2**33)) for gb in (24, 80, 640)]
    page.get_by_role("button", name="Start again").click()
    assert filled(1) == pytest.approx([1] * 3, rel=0.02)


def test_an_arrow_key_moves_a_score_by_a_tenth(show):
    page = show([widgets.SoftmaxSliders([0.577, 2.887, 1.732], TOKENS)])
    page.get_by_role("slider", name="love").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert said(page) == repr(widgets.SoftmaxSliders([0.577, 3.387, 1.732], TOKENS))


# ---- start again


AGAIN = [
    (widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=0), "AI"),
    (widgets.CacheCalculator(), "PaLM"),
    (widgets.Roofline(), "prefill, projections"),
]


@pytest.mark.parametrize(("widget", "choice"), AGAIN, ids=lambda part: getattr(part, "view", ""))
def test_every_change_can_be_taken_back(show, widget, choice):
    page = show([widget])
    before = said(page)
    if choice:
        page.get_by_role("button", name=choice, exact=True).click()
    slider = page.get_by_role("slider")
    if slider.count():
        slider.first.focus()
        page.keyboard.press("ArrowLeft")
    assert said(page) != before
    page.get_by_role("button", name="Start again").click()
    assert said(page) == before


# ---- typing


def test_a_sign_the_model_does_not_know_is_named_and_the_caret_stays(show):
    page = show([widgets.HeadBrowser(tokens="COFFEECOFFEE")])
    line = page.get_by_label("Sequence")
    line.evaluate("line => { line.focus(); line.setSelectionRange(3, 3); }")
    page.keyboard.type("!1")
    assert line.input_value() == "COFFEECOFFEE"
    assert line.evaluate("line => line.selectionStart") == 3
    assert "“1” left out" in page.get_by_role("status").text_content()
    page.keyboard.type("A")
    assert line.input_value() == "COFAFEECOFFEE" and line.evaluate("line => line.selectionStart") == 4
    assert page.get_by_role("status").text_content() == ""


def test_what_is_typed_is_shown_where_its_head_looks(show):
    page = show([widgets.HeadBrowser()])
    page.get_by_label("Sequence").fill("COFFEECOFFEE")
    assert said(page) == repr(widgets.HeadBrowser(tokens="COFFEECOFFEE"))
    assert "weight 0. After" not in said(page)


@pytest.mark.prove
def test_a_large_heatmap_lives(show):
    page = show([widgets.Heatmap(np.linspace(0, 1, 160_000).reshape(400, 400))])
    assert said(page).startswith("A (400×400): row “t1”, column “t1” holds 0")


# ---- room


def test_a_layer_s_heads_stand_on_one_line_above_a_map_large_enough_to_read(show):
    for width in (1280, 390):
        page = show([widgets.HeadBrowser()], width=width)
        boxes = [one.bounding_box() for one in page.locator(".attn-heads button").all()]
        lines = [sum(box["y"] == pytest.approx(y, abs=2) for box in boxes) for y in sorted({b["y"] for b in boxes})]
        assert lines == [4, 4]
        assert page.locator(".attn-large canvas").bounding_box()["width"] >= min(350, width - 90)
        letters = page.locator(".attn-across span").all_text_contents()
        assert "".join(letters) == "CAFEBRUN" * 3


@pytest.mark.prove
def test_no_operator_ends_a_line(show):
    shown = [w for w in every_widget() if w.view in ("pipeline", "projection", "causal_values")]
    for width in (1280, 700, 390):
        page = show(shown, width=width)
        for stage in range(7):
            page.evaluate("document.querySelectorAll('.attn-stepper button:nth-child(2)').forEach(one => one.click())")
            for operator in page.locator(".attn-sign:visible").all():
                end = operator.bounding_box()
                after = operator.locator("xpath=following-sibling::*[not(@hidden)][1]").bounding_box()
                assert after["x"] >= end["x"] and after["y"] <= end["y"] <= after["y"] + after["height"], stage


def test_an_embedding_s_bars_are_long_enough_to_compare(show):
    for width in (1280, 390):
        page = show([widgets.Embedding(X, TOKENS)], width=width)
        assert page.locator(".attn-fill").first.bounding_box()["width"] >= 100


def test_the_roofline_has_values_on_its_axes_and_points_to_choose(show):
    page = show([widgets.Roofline()])
    marks = page.locator(".attn-scalemark text").all_text_contents()
    assert {"1", "10", "100"} <= set(marks) and any("T" in told for told in marks)
    page.locator(".attn-point").nth(2).locator("circle").last.click()
    assert said(page) == repr(widgets.Roofline(row=2))


@pytest.mark.prove
def test_the_chosen_work_is_named_beside_its_point_and_no_words_lie_on_each_other(show):
    edge = "all => all.map((one) => { const b = one.getBBox(); const m = one.parentNode.transform.baseVal[0]?.matrix;"
    edge += " const [x, y] = [b.x + (m?.e ?? 0), b.y + (m?.f ?? 0)]; return [x, y, x + b.width, y + b.height]; })"
    roof = "one => [...one.points].map(({ x, y }) => [x, y])"
    for model, width in [("Llama-3-8B", 902), ("Llama-3-70B", 902), ("Llama-3-8B", 390)]:
        page = show([widgets.Roofline(model=model)], reduced_motion="reduce", width=width)
        (x0, y0), (x1, y1), _ = page.locator(".attn-roof > polyline:not([class])").evaluate(roof)
        fixed = page.locator("text.attn-side").evaluate_all(edge)
        for length, batch in [(2**12, 1), (2**13, 2**6), (2**17, 2**10), (2**9, 2**3), (2**10, 1), (2**5, 1)]:
            page.get_by_role("slider", name="length").fill(str(np.log2(length)))
            page.get_by_role("slider", name="batch").fill(str(np.log2(batch)))
            for row, name in enumerate(widgets.Roofline().intensity):
                page.locator(".attn-chip").nth(row).click()
                named = page.locator(".attn-point text:visible")
                told, boxes = named.all_text_contents(), named.evaluate_all(edge)
                left, top, right, bottom = boxes[
                    told.index(name)
                ]  # it always has its name, another where there is room
                case = (model, width, length, batch, name)
                for k, (a, b, c, d) in enumerate(boxes):
                    for p, q, r, s in boxes[:k]:
                        assert c < p or r < a or d < q or s < b, (*case, told)
                assert left > 0 and right < 480 and top > 0, case
                for k, (a, b, c, d) in enumerate(fixed):  # their lines touch by less than a letter's foot
                    assert right < a + 1 or c < left + 1 or bottom < b + 5 or d < top + 5, (*case, k)
                slope = [y0 + (x - x0) * (y1 - y0) / (x1 - x0) for x in (left, right)]  # the roof, at both ends
                assert bottom < y1 + 4 or top > slope[0] - 4 or bottom < slope[1] + 6, case


@pytest.mark.parametrize("width", [902, 390])
def test_prefill_and_decode_have_signs_and_every_point_its_name_in_its_colour(show, width):
    page = show([widgets.Roofline()], width=width, reduced_motion="reduce")
    for where in (".attn-point", ".attn-works button"):
        dots = page.locator(f"{where} .attn-dot").evaluate_all(
            "all => all.map((one) => [one.getAttribute('r'), one.dataset.work])"
        )
        large, small = {r for r, _ in dots[:2]}, {r for r, _ in dots[2:]}
        assert len(large) == len(small) == 1 and float(*large) > 1.5 * float(*small)
        assert [work for _, work in dots] == ["projections", "attention"] * 2
    tones = "all => all.map((one) => [getComputedStyle(one.querySelector('text')).fill,"
    tones += " getComputedStyle(one.querySelector('.attn-dot')).stroke])"
    batch = page.get_by_role("slider", name="batch")
    for power in ("0", "6", "10"):
        batch.fill(power)
        assert page.locator(".attn-point text:visible").all_text_contents() == list(widgets.Roofline().intensity)
        assert all(word == ring for word, ring in page.locator(".attn-point").evaluate_all(tones))
        for point in page.locator(".attn-point").all():
            dot, word = point.locator(".attn-dot").bounding_box(), point.locator("text").bounding_box()
            gap = max(dot["x"] - word["x"] - word["width"], word["x"] - dot["x"] - dot["width"], 0)
            assert gap < 16, (power, point.text_content())
    trails = page.locator(".attn-trail").evaluate_all("all => all.map((one) => getComputedStyle(one).stroke)")
    assert trails[0] == trails[2] != trails[1] == trails[3]  # a trail under another point is its own point's


def test_the_longest_text_s_attention_has_its_place_on_the_axis(show):
    page = show([widgets.Roofline()], reduced_motion="reduce")
    length = page.get_by_role("slider").first
    length.fill(length.get_attribute("max"))
    dots, axis = page.locator(".attn-point .attn-dot"), page.locator(".attn-roof .attn-axis").first.bounding_box()
    at = dots.nth(1).bounding_box()
    assert at["x"] + at["width"] < axis["x"] + axis["width"]


def test_a_roofline_without_exponentials_has_one_roof(show):
    one = widgets.Roofline(row=1, exponentials=None)
    page = show([one])
    assert said(page) == repr(one) and page.locator(".attn-second").count() == 0
    assert "turns" not in page.locator(".attn-live").text_content() and page.get_by_text("66.9%").count() == 0
    assert page.locator(".attn-works > span:not(:first-child)").all_text_contents()[3] == "100%"


def test_a_point_of_the_roofline_leaves_a_trail_until_the_start(show):
    page = show([widgets.Roofline(length=4096)])
    trails = page.locator(".attn-trail")
    assert set(trails.evaluate_all("all => all.map((one) => one.points.numberOfItems)")) == {1}
    batch = page.get_by_role("slider", name="batch")
    for _ in range(3):
        batch.press("ArrowRight")
    steps = trails.evaluate_all("all => all.map((one) => one.points.numberOfItems)")
    assert steps[2] == 4 and steps[3] == 1  # a larger batch helps the projections, not the attention
    place = "one => [...one.points].map(({ x, y }) => [x, y])"
    way = np.array(trails.nth(2).evaluate(place))
    at = page.locator(".attn-point").nth(2).evaluate("one => one.transform.baseVal[0].matrix.e")
    assert way[-1][0] == pytest.approx(at, abs=0.01) and (np.diff(way[:, 0]) > 0).all()
    drop = page.locator(".attn-drop").first.evaluate("one => [one.x1, one.x2].map((end) => end.baseVal.value)")
    chosen = page.locator(".attn-point[data-on]").evaluate("one => one.transform.baseVal[0].matrix.e")
    assert drop == pytest.approx([chosen, chosen], abs=0.01)
    page.get_by_role("button", name="Start again").click()
    assert set(trails.evaluate_all("all => all.map((one) => one.points.numberOfItems)")) == {1}
    batch.press("End")  # a far step goes around the bend, not below the roof
    bend = page.locator(".attn-roof > polyline:not([class])").evaluate(place)[1]
    np.testing.assert_allclose(trails.nth(2).evaluate(place)[1], bend, atol=0.1)


PRESETS = [  # a figure, what sets it somewhere, what takes it away again
    (lambda: widgets.Gauge(X[:, :2] + 0.5, X[:, 1:3] - 0.7), ["halve", "turn", "shear", "nothing"]),
    (lambda: widgets.SqueezedCloud(X[:, :2] * 2 - 0.6, TOKENS, angle=30), ["the best line"]),
    (lambda: widgets.TurnBack(X[:, :2] + 0.5, X[:, 1:3] - 0.7, TOKENS), ["the best turn"]),
    (lambda: widgets.Hull([[0, 0], [2, 0], [0, 1]], [0, 1, 2], TOKENS), ["Equal scores"]),
    (lambda: widgets.SoftmaxSliders([1.0, 5.0, 3.0], TOKENS), ["All equal"]),
]


@pytest.mark.parametrize(("make", "names"), PRESETS, ids=["gauge", "cloud", "back", "hull", "sliders"])
def test_a_figure_says_which_of_its_presets_is_on(show, make, names):
    page = show([make()])
    on = page.get_by_role("button", pressed=True)
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()
        assert on.all_text_contents() == [name]
    page.get_by_role("button", name="Start again").click()
    assert on.all_text_contents() == (["nothing"] if "nothing" in names else [])


@pytest.mark.parametrize("n", [8, 10, 32])
def test_what_follows_a_mask_stands_beside_it_and_is_as_large_where_cells_can_be_read(show, n):
    page = show([widgets.MaskPainter(n)], width=902)  # a page's column in a window of 1280
    boards = page.locator(".attn-trio > [data-board]")
    assert boards.count() == (2 if n <= 10 else 3)  # a large one has its weights in a picture of their own
    whole = page.locator(".attn-live").bounding_box()
    mask, *others = [one.bounding_box() for one in boards.locator("table, .attn-field").all()]
    assert mask["width"] > (0.4 if n <= 10 else 0.5) * whole["width"]
    for one in others:
        assert one["x"] >= mask["x"] + mask["width"]
        assert mask["y"] - 12 < one["y"] and one["y"] + one["height"] < mask["y"] + mask["height"] + 40
    if n <= 10:
        (heard,) = others
        assert abs(heard["y"] - mask["y"]) < 1 and heard["y"] + heard["height"] == mask["y"] + mask["height"]
        cells = page.locator("td[data-at='0,0']").evaluate_all("all => all.map((one) => one.offsetWidth)")
        assert cells[0] == cells[1] > 30
        way, cost = page.locator(".attn-hops").bounding_box(), page.locator(".attn-spent").bounding_box()
        assert abs(way["y"] - cost["y"]) < 1 and way["x"] + way["width"] <= cost["x"]  # below them, side by side
    page.set_viewport_size({"width": 390, "height": 844})
    assert boards.locator("visible=true").count() == 1


@pytest.mark.parametrize("width", [902, also(400)])
def test_a_product_stands_below_its_right_factor_and_beside_its_left(show, width):
    A = np.tri(5) / np.arange(1, 6)[:, None]
    shown = [
        widgets.CausalValues(A, np.arange(15).reshape(5, 3) / 7, "I am a cat lover".split(), step=5),
        widgets.ScoreCells(BYTES.Q, BYTES.K, TOKENS),
        widgets.Projection(X, W_Q, W_K, W_V, TOKENS, step=1),
    ]
    page = show(shown, width=width)
    for figure in page.locator(".attn-live").all():
        boxes = [
            [[cell.bounding_box() for cell in row.locator("td").all()] for row in table.locator("tbody tr").all()]
            for table in figure.locator("table").all()[:3]
        ]
        left, top, made = boxes
        stack = figure.locator(".attn-shrunk > :last-child i").all()  # in the columns of Y where there is one
        over = [one.bounding_box()["x"] for one in stack] or [one["x"] for one in top[0]]
        for i, row in enumerate(made):
            assert abs(row[0]["y"] - left[i][0]["y"]) < 1 or (stack and width < 700)
            for j, cell in enumerate(row):
                assert abs(cell["x"] - over[j]) < 1 and cell["width"] >= 24
        assert max(cell["x"] + cell["width"] for cell in made[0]) < width
        tall = figure.bounding_box()["height"]
        assert tall < 780 or width < 700, tall  # a window holds it


def test_a_shared_link_shows_the_figure_it_is_about(show):
    page = show([widgets.Roofline(), widgets.Roofline(), widgets.Playground("a b c a")], height=500)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this state").input_value()
    other = page.context.new_page()
    other.goto(link)
    other.wait_for_timeout(800)
    top = other.locator("[data-view=playground]").bounding_box()["y"]
    assert -1 < top < 300  # the window scrolls by whole pixels


# ---- where numbers come from


def glowing(figure):
    """The numbers that are marked as sources, and the line that tells the sum."""
    sources = figure.locator("td[data-source]:visible").all_text_contents()
    return sources, figure.locator(".attn-origin").text_content()


def traced():
    """Figures with a number to point at: the widget, which visible matrix, which cell, its sources, its formula."""
    causal = np.tri(3) / [[1], [2], [3]]
    first = ([".58", "2.89", "1.73"], "0.707 = e^2.887 / (e^0.577 + e^2.887 + e^1.732)")
    return [
        (widgets.ScoreCells(BYTES.Q, BYTES.K, TOKENS), 2, 1, ["2", "0", "1", "2", "1", "1"], "5 = 2·2 + 0·1 + 1·1"),
        (widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=4), 5, 1, *first),
        (
            widgets.CausalValues(causal, BYTES.V, TOKENS, step=2),
            2,
            3,
            [".50", ".50", "1", "1"],
            "1 = 0.500·1 + 0.500·1",
        ),
        (widgets.Assembly(BYTES.weights, BYTES.V, TOKENS), 0, 10, ["0", "1.414", "0.223"], "1.637 = 0 + 1.414 + 0.223"),
    ]


def test_what_a_number_is_made_of_glows_and_the_rest_recedes(show):
    for widget, table, at, sources, formula in traced():
        page = show([widget])
        figure = page.locator(".attn-live")
        figure.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
        cells = figure.locator(".attn-matrix:visible").nth(table).locator("tbody td")
        cells.nth(at).hover()
        found, told = glowing(figure)
        assert (found, told[: len(formula)]) == (sources, formula), widget.view
        others = figure.locator(".attn-matrix tbody td:not([data-source], [data-made]):visible").first
        # it steps back and can still be read
        assert 0.45 <= float(others.evaluate("cell => getComputedStyle(cell).opacity")) < 0.7
        figure.locator(".attn-title").hover()
        assert glowing(figure)[0] == []
        cells.nth(at).focus()
        assert glowing(figure)[0] == sources  # the keyboard sees the same


def test_a_finger_s_tap_keeps_the_sources_in_view(show):
    page = show([traced()[0][0]], width=390, height=800, has_touch=True, is_mobile=True)
    page.locator(".attn-matrix").nth(2).locator("tbody td").nth(5).tap()
    assert glowing(page.locator(".attn-live"))[1].startswith("3 = ")


# ---- how a sentence is set


def test_symbols_of_a_sentence_are_set_and_names_of_words_are_not(show):
    page = show([widgets.Projection(X, W_Q, W_K, W_V, ["d_1", "e^2", "AI"])])
    line = page.locator(".attn-say")
    assert line.locator("sub").all_inner_texts() == list("QKV")
    assert said(page) == repr(widgets.Projection(X, W_Q, W_K, W_V, ["d_1", "e^2", "AI"]))  # who copies finds the signs
    page.get_by_role("button", name="Next").click()
    assert "“d_1” times" in said(page) and line.locator("sub").all_inner_texts() == ["Q"]
    page = show([widgets.Pipeline(X, -W_Q, W_K, W_V, TOKENS, stage=4)])
    page.locator(".attn-matrix:visible").nth(5).locator("tbody td").nth(1).hover()
    assert page.locator(".attn-origin sup").all_inner_texts() == ["−2.887", "−0.577", "−2.887", "−1.732"]


def test_the_way_back_comes_without_moving_anything(show):
    page = show([widgets.Flow([[0.5, 0.5], [1, 0]], ["left", "right"])], width=390)
    tall = page.locator(".attn-live").bounding_box()["height"]
    assert not page.get_by_role("button", name="Start again").is_visible()
    page.get_by_role("button", name="right").click()
    assert page.get_by_role("button", name="Start again").is_visible()
    assert page.locator(".attn-live").bounding_box()["height"] == tall


def test_a_finger_taps_what_a_mouse_points_at(show):
    hint = "() => [document.querySelector('.attn-title').textContent, document.querySelector('.attn-say').dataset.hint]"
    shown = [widgets.ScoreCells(BYTES.Q, BYTES.K, TOKENS)], [BYTES]
    for options, verb in ((dict(width=390, has_touch=True, is_mobile=True), "Tap"), ({}, "Point at")):
        title, about = (show(one, **options).evaluate(hint)[k] for k, one in enumerate(shown))
        assert f" {verb} a cell of S" in title and about.startswith(f"{verb} a number")


def test_a_sentence_keeps_no_line_for_a_hint_that_does_not_fit(show):
    """Where the sentence stands, there is room for its own longest form and for the first with its hint, no more."""
    page = show(
        [widgets.CausalValues(np.tri(3) / [[1], [2], [3]], BYTES.V, TOKENS)], width=902, reduced_motion="reduce"
    )
    foot, say = page.locator(".attn-foot"), page.locator(".attn-say")
    line = say.evaluate("one => parseFloat(getComputedStyle(one).lineHeight)")
    assert foot.bounding_box()["height"] <= 2 * line + 1
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
        assert say.evaluate("one => one.scrollHeight - one.clientHeight") <= 2 * line
    assert say.bounding_box()["height"] <= foot.bounding_box()["height"]


def test_a_product_has_the_colour_of_its_two_numbers_and_a_part_of_its_cell(show):
    page = show([widgets.ScoreCells(BYTES.Q, BYTES.K, TOKENS, row=0, col=1)], width=902, reduced_motion="reduce")
    page.mouse.move(1, 1)
    colour = "(all, name) => all.map((one) => getComputedStyle(one)[name])"
    terms = page.locator(".attn-total > i").evaluate_all(colour, "borderBottomColor")
    query = page.locator(".attn-live table").nth(0).locator("tbody tr").nth(0).locator("td")
    key = page.locator(".attn-live table").nth(1).locator("tbody td:nth-child(3)")
    assert page.locator(".attn-total > i").all_text_contents() == ["2·2", "0·1", "1·1"]
    assert len(set(terms)) == 3
    assert query.evaluate_all(colour, "outlineColor") == terms == key.evaluate_all(colour, "outlineColor")
    made = page.locator("td[data-pick]").evaluate("one => getComputedStyle(one, '::after').backgroundImage")
    assert [float(x) for x in re.findall(r"([\d.]+)%", made)] == [0, 80, 80, 80, 80, 100]  # 4, 0 and 1 of 5
