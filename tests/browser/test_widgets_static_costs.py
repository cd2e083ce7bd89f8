"""Masks, flows, caches, trained heads, online softmax and the roofline, from the disc, by mouse and by keys."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from figurepage import grid, middle, said
from sampled import also, some
from test_widgets_costs import made, plain
from test_widgets_seen import contrast
from worked import HOSTILE

from attn import cost, data, induction, softmax, transformer
from attn.show import presets, widgets
from attn.show.kit import bundle, text
from book import audit

pytestmark = pytest.mark.browser
SIDES = (".attn-all", ".attn-sight")
BOX = "all => all.map((one) => one.getBoundingClientRect().toJSON())"
TOP = "one => { const { top, bottom } = one.getBoundingClientRect(); return [top, bottom]; }"
FITS = (
    "all => all.every((one) => one.getClientRects().length === 1 && one.offsetWidth <= one.parentNode.offsetWidth + 1)"
)


def test_every_figure_wakes_and_says_what_python_says(show):
    shown = [*made(), *made(HOSTILE), *plain()]
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [repr(widget) for widget in shown]
    assert page.evaluate("window.harmed") is None
    assert page.locator(".attn-live img, .attn-live script, .attn-live b").count() == 0


@pytest.mark.prove
@pytest.mark.parametrize("width", [360, also(1280)])
def test_nothing_overflows_sideways(show, width):
    large = [widgets.Playground(["w"] * 32), widgets.MaskPainter(40)]
    page = show([*made(), *made(HOSTILE), *plain(), *large], width=width)
    for summary in page.locator(".attn-live .attn-more > summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.prove
@pytest.mark.parametrize("theme", ["dark", also("light")])
def test_no_rule_of_accessibility_is_broken(show, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = show([*made(), *plain(), widgets.Playground(["w"] * 32), widgets.MaskPainter(40)], theme=theme)
    for summary in page.locator(".attn-live summary:visible").all():
        summary.click()
    found = axe.run(page, options=audit.RULES).response["violations"]
    assert not found, json.dumps([(rule["id"], rule["nodes"][0]["html"][:300]) for rule in found], indent=1)


@pytest.mark.prove
def test_print_and_missing_scripts_fall_back_to_the_tables(show):
    shown = [*made(), *plain()]
    page = show(shown)
    page.emulate_media(media="print")
    assert page.locator(".attn-fallback:visible").count() == len(shown)
    page = show(shown, script=False, ready=False, java_script_enabled=False)
    assert page.locator(".attn-fallback:visible").count() == len(shown)


def test_painting_by_mouse_and_by_keys(show):
    page = show([widgets.MaskPainter(4)])
    page.locator("td[data-at='0,0']").first.click()
    mask = np.tri(4, dtype=bool)
    mask[0, 0] = False
    assert said(page) == repr(widgets.MaskPainter(4, mask, row=0))
    assert "Nothing to see for “t0”" in said(page)
    assert page.get_by_text("Your own mask.").is_visible() and not page.get_by_text("sees itself and").is_visible()
    page.keyboard.press("ArrowRight")
    assert said(page) == repr(widgets.MaskPainter(4, mask, row=0, col=1))  # walking paints nothing
    page.keyboard.press("Enter")
    mask[0, 1] = True
    np.testing.assert_array_equal(painted(page), mask)
    for name in ("window", "prefix", "blocks", "documents", "causal"):
        page.get_by_role("button", name=name, exact=True).click()
        assert said(page) == repr(widgets.MaskPainter(4, name))  # the pair of the beginning: what was painted is past
        pressed = page.locator(".attn-chips:visible [aria-pressed='true']").all_text_contents()
        assert pressed == [name] and not page.get_by_text("Your own mask.").is_visible()
    page.get_by_role("button", name="window", exact=True).click()
    page.get_by_role("slider").fill("1")
    np.testing.assert_array_equal(painted(page), np.eye(4))
    page.get_by_role("button", name="Start again").click()
    assert said(page) == repr(widgets.MaskPainter(4))


def painted(page):
    """Where the painter's mask is open.   -> bool (n, n)"""
    told = [line.locator("td").all_text_contents() for line in page.locator("[data-board='mask'] tbody tr").all()]
    return np.array(told) != "–"


def looks(page):
    """What the painter's small square says, infinity where it says never.   -> (n, n)"""
    lines = page.locator("table", has_text="hears after").locator("tbody tr").all()
    told = [line.locator("td").all_text_contents() for line in lines]
    return np.array([[{"·": 0, "–": np.inf}.get(x) if x in "·–" else float(x) for x in line] for line in told])


def test_the_painter_s_weights_and_looks_are_the_library_s(show):
    rng = np.random.default_rng(8)
    shown = [
        widgets.MaskPainter(n, rng.random((n, n)) < share) for n, share in [(4, 0.3), (7, 0.2), (9, 0.15), (10, 0.4)]
    ]
    page = show(shown)
    for k, one in enumerate(shown):
        figure = page.locator(".attn-live").nth(k)
        np.testing.assert_array_equal(painted(figure), one.mask)
        told = "all => all.map((cell) => [cell.textContent, getComputedStyle(cell).getPropertyValue('--t')])"
        cells = figure.locator("[data-board='mask'] td[data-at]").evaluate_all(told)
        numbers = [[float(told.replace("–", "0")), float(shade)] for told, shade in cells]
        for weights, most in zip(np.transpose(numbers), (0.0051, 0.00006), strict=True):
            np.testing.assert_allclose(weights.reshape(one.mask.shape), one.weights, atol=most)
        np.testing.assert_array_equal(looks(figure), one.looks)
        assert said(page, k) == repr(one)


def test_a_task_is_ticked_while_it_holds_and_no_longer(show):
    window = np.tri(9, dtype=bool) & ~np.tri(9, k=-3, dtype=bool)
    page = show([widgets.MaskPainter(9, window, window=3)])
    solved = lambda: page.locator(".attn-goals [data-solved] .attn-ask").all_text_contents()  # noqa: E731
    first = page.get_by_role("button", name="Goal 1")
    assert solved() == []
    page.locator("td[data-at='8,4']").first.click()  # the last sees the fifth: four looks become three
    assert len(solved()) == 1 and solved()[0].startswith("✓ done: The last word hears of the first after three looks")
    page.locator("td[data-at='4,0']").first.click()  # and the fifth the first: two
    assert "hears of it in 1 look." in said(page) and solved() == []
    assert first.get_attribute("aria-label") == "Goal 1, done" and first.text_content() == "✓"
    assert seen_goal(page) == "Goal: A word that sees nothing."  # the next one
    page.locator("td[data-at='0,0']").first.click()
    assert len(solved()) == 1 and "sees nothing" in solved()[0]
    blocks = [i // 3 == j // 3 or (j % 3 == 2 and j < i) for i in range(9) for j in range(9)]
    frugal = np.reshape(blocks, (9, 9)) & np.tri(9, dtype=bool)
    assert frugal.sum() == 27 and np.nanmax(np.where(np.tri(9), widgets.MaskPainter(9, frugal).looks, 0)) == 2
    page.get_by_role("button", name="causal", exact=True).click()
    for i, j in np.argwhere(np.tri(9, dtype=bool) & ~frugal)[:15]:  # at most 30 of the 45
        assert solved() == []
        page.locator(f"td[data-at='{i},{j}']").first.click()
    assert len(solved()) == 1 and "few pairs" in solved()[0]


def seen_goal(page):
    """The one goal that stands there in words: the others are a number to press."""
    (open_,) = [one for one in page.locator(".attn-ask").all() if one.bounding_box()["width"] > 100]
    return open_.text_content()


@pytest.mark.parametrize("width", [892, 390])
def test_one_goal_stands_there_with_its_counts_and_what_is_reached_stays_until_it_ends(show, width):
    page = show([widgets.MaskPainter(9, "window")], width=width, reduced_motion="reduce")
    height = page.locator(".attn-live").bounding_box()["height"]
    counts = lambda: [  # noqa: E731
        one.text_content() for one in page.locator(".attn-aims small").all() if one.bounding_box()["width"] > 60
    ]
    assert seen_goal(page).startswith("Goal: The last word") and counts() == ["now after 4 looks"]
    buttons = page.locator(".attn-aims button")
    assert min(min(one.bounding_box()[side] for side in ("width", "height")) for one in buttons.all()) >= 24
    buttons.nth(2).click()
    assert seen_goal(page).startswith("Goal: Nobody sees the future") and len(counts()) == 1
    assert page.locator(".attn-aims [aria-pressed='true']").text_content() == "3"
    page.locator("td[data-at='0,0']").first.click()  # another one is reached: it shows itself
    assert seen_goal(page) == "✓ done: A word that sees nothing."
    buttons.nth(0).click()
    page.locator("td[data-at='8,5']").first.click()  # who has chosen one keeps it
    assert seen_goal(page).startswith("Goal: The last word")
    assert page.locator(".attn-live").bounding_box()["height"] == height


def test_the_goals_stand_first_and_say_how_far_they_are(show):
    page = show([sinks()], reduced_motion="reduce")
    goals, far = page.locator(".attn-goals"), page.locator(".attn-goals small")
    box, trio = goals.bounding_box(), page.locator("[data-board='mask']").bounding_box()
    assert box["y"] + box["height"] < trio["y"]
    rng = np.random.default_rng(4)
    for _ in range(6):
        i, j = rng.integers(0, 9, 2)
        page.locator(f"[data-board='mask'] td[data-at='{i},{j}']").click()
        mask = painted(page)
        one = widgets.MaskPainter(9, mask)
        last, least = one.looks[-1, 0], mask.sum(axis=1).min()
        ahead, slow = np.triu(mask, 1).sum(), (np.tril(one.looks) > 2).sum()
        assert far.all_text_contents() == [
            f"now after {last:.0f} look{'s' * int(last != 1)}" if np.isfinite(last) else "now never",
            f"now each sees at least {least} word{'s' * int(least != 1)}" if least else "now one sees none",
            f"now {f'{ahead} ahead, ' if ahead else ''}{slow} too slow, {mask.sum()} of at most 30 pairs",
        ]


@pytest.mark.parametrize("width", [892, 390])
def test_what_a_goal_still_lacks_has_another_colour_than_what_is_reached(show, width):
    page = show([sinks()], width=width, reduced_motion="reduce")
    parts = page.locator(".attn-aims small > span")
    told = ["after 1 look", "each sees at least 1 word", "6 too slow", "30 of at most 30 pairs"]
    assert parts.all_text_contents() == told
    colours = parts.evaluate_all("all => all.map((one) => getComputedStyle(one).color)")
    assert colours[0] == colours[1] == colours[2] != colours[3]
    edge = page.locator(".attn-aims").bounding_box()
    for k in range(3):
        page.locator(".attn-aims button").nth(k).click()
        card = page.locator(".attn-aims li").nth(k)
        last = card.locator("small").bounding_box()  # none is cut
        assert last["width"] > 60 and last["x"] + last["width"] <= edge["x"] + edge["width"] - 4
        assert last["y"] + last["height"] <= edge["y"] + edge["height"]
        size = "all => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize)))"
        assert card.locator("*").evaluate_all(size) >= 12
    assert page.locator(".attn-aims").bounding_box() == edge
    page.locator("[data-board='mask'] td[data-at='0,0']").click()
    assert parts.nth(1).evaluate("one => getComputedStyle(one).color") == colours[3]


def sinks():
    """The painter as chapter 8 shows it."""
    seen = [i - 3 < j <= i or j == 0 for i in range(9) for j in range(9)]
    return widgets.MaskPainter(9, np.reshape(seen, (9, 9)), window=3, col=1, tokens=[f"t{i}" for i in range(9)])


def way(page):
    """The hops of the strip: how many are drawn, and over which words they lead."""
    picture = page.locator(".attn-hops svg")
    return picture.locator("path").count(), picture.get_attribute("aria-label")


@pytest.mark.parametrize(("width", "theme"), [(902, "light"), (374, "dark")])
def test_every_colour_of_the_right_square_is_told_and_the_way_is_one_line(show, width, theme):
    words = "the cat sat up dogs run we sing too".split()
    page = show([widgets.MaskPainter(9, "window", tokens=words, row=8, col=1)], width=width, theme=theme)
    line, letter = page.locator(".attn-hops p"), "one => parseFloat(getComputedStyle(one).fontSize)"
    told = """one => { const all = document.createRange(); all.selectNodeContents(one);
        return all.getBoundingClientRect().height; }"""
    assert line.evaluate(told) < 1.9 * line.evaluate(letter)
    page.evaluate("document.querySelector('[data-show]').dataset.show = 2 - 1")
    colour = "all => [...new Set(all.map((one) => getComputedStyle(one).backgroundColor))]"
    never = page.locator("[data-board='heard'] td[data-way='']").evaluate_all(colour)
    sign = page.locator("[data-board='heard'] caption i").last
    assert [sign.evaluate("one => getComputedStyle(one).backgroundColor")] == never
    assert sign.evaluate("one => one.parentNode.textContent") == "never"
    assert sign.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"  # white on white has an edge


def test_the_way_of_a_pair_is_drawn_as_hops_and_lies_in_the_mask(show):
    page = show([sinks()])
    line, lit = page.locator(".attn-hops p"), page.locator("[data-board='mask'] [data-source]")
    places = "cells => cells.map(cell => cell.dataset.at)"
    assert way(page) == (4, "“t8” → “t6” → “t4” → “t2” → “t1”")
    assert line.text_content() == "“t8” hears of “t1” after 4 looks."
    assert sorted(lit.evaluate_all(places)) == ["2,1", "4,2", "6,4", "8,6"]
    page.locator("[data-board='heard'] td[data-at='7,3']").hover()
    assert way(page) == (2, "“t7” → “t5” → “t3”") and sorted(lit.evaluate_all(places)) == ["5,3", "7,5"]
    page.locator("[data-board='mask'] td[data-at='7,5']").hover()
    told = line.text_content()
    assert (
        way(page)[0] == 1
        and told.startswith("“t7” looks at “t5”: e^")
        and told.endswith(f"= {sinks().weights[7, 5]:.3f}.")
    )
    assert sorted(lit.evaluate_all(places)) == ["7,0", "7,5", "7,6", "7,7"]
    page.locator("[data-board='mask'] td[data-at='2,7']").hover()  # nothing recedes where one paints
    assert page.locator("[data-tracing]").count() == 0
    assert way(page)[0] == 0 and line.text_content() == "“t2” never hears of “t7”."
    page.mouse.move(1, 1)
    assert way(page)[0] == 4
    page.locator("[data-board='mask'] td[data-at='0,0']").click()
    assert line.text_content() == "“t0” may look at nothing: weights 0, output 0."


def test_a_hop_comes_down_on_the_word_it_leads_to(show):
    page = show([sinks()])
    words = page.locator(".attn-hops span").evaluate_all(
        "all => all.map((one) => { const box = one.getBoundingClientRect(); return (box.left + box.right) / 2 })"
    )
    ends = page.locator(".attn-hops path").evaluate_all(
        """all => all.map((one) => {
            const to = one.getScreenCTM();
            const numbers = one.getAttribute("d").match(/-?[\\d.]+/g).map(Number);
            return [numbers[0], numbers[4]].map((x) => x * to.a + to.e);
        })"""
    )
    np.testing.assert_allclose(
        ends, [[words[8], words[6]], [words[6], words[4]], [words[4], words[2]], [words[2], words[1]]], atol=1
    )


def test_a_pattern_s_slider_keeps_to_it(show):
    page = show([sinks()])
    lit = page.get_by_role("group", name="Start from").get_by_role("button", pressed=True)
    assert lit.all_text_contents() == ["window + sink"]
    page.get_by_role("slider", name="window").fill("5")
    assert lit.all_text_contents() == ["window + sink"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_forbidden_is_hatched_or_dotted_and_has_no_digits(show, theme):
    """Grey is open, orange what comes through others; a dot is what two looks add; numbers are asked for."""
    page = show([sinks()], theme=theme, reduced_motion="reduce")
    style = """cells => cells.map((cell) => {
        const { fontSize, backgroundColor } = getComputedStyle(cell);
        const colour = backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const full = backgroundColor.startsWith("rgb") ? 1 : 255;
        const dot = getComputedStyle(cell, "::after").content === '""';
        const marks = [getComputedStyle(cell).backgroundImage.includes("gradient"), dot];
        return [cell.dataset.at, fontSize !== "0px", ...marks, colour.map((x) => x * full)];
    })"""

    def seen(name):
        cells = page.locator(f"[data-board='{name}'] td[data-at]").evaluate_all(style)
        hatched, dotted = (np.reshape([cell[k] for cell in cells], (9, 9)) for k in (2, 3))
        colours = np.reshape([colour for *_, colour in cells], (9, 9, 3))
        return {at for at, told, *_ in cells if told}, colours, hatched, dotted

    one, looks = sinks(), sinks().looks
    for name in ("mask", "heard"):
        _, colour, hatched, dotted = seen(name)
        warm = colour[..., 0] - colour[..., 2]  # red less blue
        blank = abs(colour - colour[0, 8]).max(axis=-1) < 1
        orange = warm > warm[0, 8] + 40
        np.testing.assert_array_equal(orange, (looks > 1) & np.isfinite(looks) & (name == "heard"))
        np.testing.assert_array_equal(blank, ~one.mask if name == "mask" else np.isinf(looks))
        np.testing.assert_array_equal(hatched, ~one.mask & (name == "mask"))
        np.testing.assert_array_equal(dotted, (looks == 2) & (name == "mask"))
        assert len(set(warm[looks == 2])) == 1
    way = {"8,6", "6,4", "4,2", "2,1"}  # of the chosen pair; its own cell is closed
    assert seen("mask")[0] == way
    assert seen("heard")[0] == {"8,1"}
    page.locator("[data-board='mask'] td[data-at='7,5']").hover()
    assert seen("mask")[0] == {"7,0", "7,5", "7,6", "7,7"}  # those that share with it
    page.locator("[data-board='mask'] td[data-at='2,7']").hover()
    assert seen("mask")[0] == set()
    page.locator("[data-board='heard'] td[data-at='7,3']").hover()
    assert seen("heard")[0] == {"7,3", "8,1"}
    frame = "one => parseFloat(getComputedStyle(one).outlineWidth)"
    chosen = page.locator("[data-board='mask'] td[data-at='8,1']")
    assert chosen.evaluate(frame) == 1  # one thing has the frame: what is pointed at
    page.mouse.move(1, 1)
    assert seen("mask")[0] == way and chosen.evaluate(frame) == 3
    page.locator("[data-board='mask'] td[data-at='8,1']").focus()
    for key in ("ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    assert {"7,0"} <= seen("mask")[0] <= {"7,0", "7,5", "7,6", "7,7"} and seen("heard")[0] == {"7,0"}


def test_on_a_phone_the_strip_stands_below_the_square_and_follows_a_tap(show):
    page = show([sinks()], width=390, height=844, has_touch=True)
    page.get_by_role("button", name="hears after").tap()
    page.locator("[data-board='heard'] td[data-at='6,1']").tap()
    assert way(page) == (3, "“t6” → “t4” → “t2” → “t1”")
    square, strip = (page.locator(one).bounding_box() for one in (".attn-trio", ".attn-hops"))
    assert 0 <= strip["y"] - square["y"] - square["height"] < 60 and strip["height"] < 170
    assert page.locator(".attn-live").bounding_box()["height"] < 1200


def test_a_large_mask_is_painted_on_a_picture(show):
    page = show([widgets.MaskPainter(32)])
    page.locator(".attn-live canvas").first.click(position={"x": 2, "y": 2})
    mask = np.tri(32, dtype=bool)
    mask[0, 0] = False
    assert said(page) == repr(widgets.MaskPainter(32, mask, row=0))
    cursor = page.locator(".attn-cursor").first
    cursor.focus()
    page.keyboard.press("ArrowDown")
    assert cursor.get_attribute("aria-label") == "row may look at column, row “t1”, column “t0”: 1"
    page.keyboard.press("Enter")
    mask[1, 0] = False
    assert said(page) == repr(widgets.MaskPainter(32, mask, row=1))
    page.keyboard.press("Control+End")
    assert "row “t31”, column “t31”" in cursor.get_attribute("aria-label")
    pixels = "canvas => Array.from(canvas.getContext('2d').getImageData(0, 0, 32, 32).data)"
    painted = np.reshape(page.locator(".attn-live canvas").first.evaluate(pixels), (32, 32, 4))
    np.testing.assert_array_equal(painted[..., 3] > 0, mask)


@pytest.mark.parametrize("n", [4, 32])
def test_a_drag_paints_what_it_crosses(show, n):
    page = show([widgets.MaskPainter(n)])
    page.locator("[data-board='mask']").scroll_into_view_if_needed()
    picture = page.locator(".attn-live canvas").first.bounding_box() if n > 10 else None

    def to(i, j, **how):
        box = picture or page.locator(f"td[data-at='{i},{j}']").first.bounding_box()
        x, y = ((j + 0.5) / n, (i + 0.5) / n) if picture else (0.5, 0.5)
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], **how)

    to(0, 0)
    page.mouse.down()
    to(0, n - 1)  # in one leap
    to(n - 1, n - 1, steps=3)
    page.mouse.up()
    mask = np.tri(n, dtype=bool)
    mask[0], mask[:, -1] = False, False  # what the first cell became, (n, n) too: the click after a drag does nothing
    assert said(page) == repr(widgets.MaskPainter(n, mask, col=n - 1))
    to(1, 1)
    to(n - 2, 1, steps=3)  # no button, no paint
    assert said(page) == repr(widgets.MaskPainter(n, mask, col=n - 1))


def test_heads_stand_two_in_a_row_on_a_phone(show):
    page = show([widgets.HeadBrowser()], width=360)
    first, second = (page.locator(".attn-heads button").nth(k).bounding_box() for k in (0, 1))
    assert first["y"] == second["y"]
    assert first["x"] < second["x"]


def test_every_model_s_cache_is_the_library_s(show):
    page = show([widgets.CacheCalculator()])
    for name in cost.MODELS:
        page.get_by_role("button", name=name, exact=True).click()
        assert said(page) == repr(widgets.CacheCalculator(name))
    page.get_by_role("slider", name="tokens").fill("17")
    page.get_by_role("slider", name="sequences").fill("5")
    for bits in (4, 8, 16, 32):
        page.get_by_role("button", name=str(bits), exact=True).click()
        assert said(page) == repr(widgets.CacheCalculator(name, 2**17, 32, bits))
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("ArrowRight")  # round to the first
    assert said(page) == repr(widgets.CacheCalculator("GPT-2 small", 2**17, 32, 32))
    assert page.get_by_text("not publicly known").first.is_visible()


def test_online_softmax_steps_to_the_whole_row(show):
    rng = np.random.default_rng(12)
    scores, values = 4 * rng.normal(size=7), rng.normal(size=(7, 3))
    page = show([widgets.OnlineSoftmax(scores, values, 2)])
    page.get_by_role("button", name="Next").focus()
    for step in range(5):
        ours = widgets.OnlineSoftmax(scores, values, 2, step=step)
        assert said(page) == repr(ours)
        shown = grid(page.locator("table", has_text="o / ℓ"))
        np.testing.assert_allclose(shown, [ours.output], atol=6e-4)
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Start again").click()
    assert said(page).startswith("Block 0 of 4")
    assert "7 numbers" in page.locator(".attn-note").text_content()


def parts(page):
    """How long each token's part of the four bars is.   -> (4, tokens), in the length of a bar"""
    widths = "bars => bars.map(bar => [...bar.children].map(part => parseFloat(part.style.width)))"
    return np.array(page.locator(".attn-rescale .attn-stack").evaluate_all(widths)) / 100


def test_a_new_maximum_shrinks_what_was_held_and_the_block_is_laid_beside_it(show):
    scores, values = np.array([0.5, 1, 3, 2, 0, 3.5]), np.eye(6)
    page = show([widgets.OnlineSoftmax(scores, values, 2)], reduced_motion="reduce")
    page.get_by_role("button", name="Next").click(click_count=2)
    page.locator("summary").click()
    before, shrunk, read, weights = parts(page)
    most = max(widgets.OnlineSoftmax(scores, values, 2, step=step).running.l for step in range(4))
    np.testing.assert_allclose(before * most, [*np.exp(scores[:2] - 1), 0, 0, 0, 0], atol=1e-4)
    np.testing.assert_allclose(shrunk, np.exp(1 - 3) * before, atol=1e-4)
    np.testing.assert_allclose(read * most, [*np.exp(scores[:4] - 3), 0, 0], atol=1e-4)
    np.testing.assert_allclose(weights, softmax.softmax(np.where(np.arange(6) < 4, scores, -np.inf)), atol=1e-4)
    cells = page.locator(".attn-matrix").first.locator("tbody td")
    cells.nth(2 * 8 + 1).hover()
    told = page.locator(".attn-origin").text_content()
    assert told == "1.585 = 0.135·1.607 + e^(3 − 3) + e^(2 − 3)"
    page.get_by_role("spinbutton", name="score of t3").focus()
    page.keyboard.press("ArrowDown")  # 2.75
    assert said(page) == repr(widgets.OnlineSoftmax(scores - [0, 0, 0.25, 0, 0, 0], values, 2, step=2))
    page.get_by_role("button", name="Start again").click()
    assert said(page) == repr(widgets.OnlineSoftmax(scores, values, 2))


# How visible elements are so many milliseconds after what moves began to
SEEN_AT = """([selector, at]) => {
    for (const one of document.getAnimations()) { one.pause(); one.currentTime = at; }
    return [...document.querySelectorAll(selector)].map((one) => Number(getComputedStyle(one).opacity));
}"""


def test_no_row_of_the_running_softmax_is_there_before_the_one_that_it_is_made_of(show):
    page = show([widgets.OnlineSoftmax([0.5, 1, 3, 2, 0, 3.5], np.eye(6), 2, step=1)])
    page.get_by_role("button", name="Next").click()
    shares, sums = ".attn-rescale li:nth-child(4) .attn-part", ".attn-rescale .attn-value"
    held = ".attn-rescale li:nth-child(3) .attn-part"
    assert page.evaluate(SEEN_AT, [held, 500])[:4] == [0] * 4  # the first row still shrinks
    assert page.evaluate(SEEN_AT, [held, 1400])[:4] == [1, 1, 0, 0]  # the block still falls
    assert page.evaluate(SEEN_AT, [shares, 1400])[:4] == [0] * 4
    assert page.evaluate(SEEN_AT, [sums, 1400]) == [1, 1, 0, 0]
    assert page.evaluate(SEEN_AT, [f"{held}, {shares}, {sums}", 4000]) == [1] * 16


def test_a_sum_is_told_when_its_parts_have_come(show):
    page = show([widgets.CausalValues(np.eye(2), np.eye(2), list("ab"))])
    page.get_by_role("button", name="Next").click()
    ink = """at => {
        for (const one of document.getAnimations()) { one.pause(); one.currentTime = at; }
        return [...document.querySelectorAll(".attn-shrunk > :last-child i")].map((one) => getComputedStyle(one).color);
    }"""
    assert set(page.evaluate(ink, 300)) == {"rgba(0, 0, 0, 0)"}
    assert "rgba(0, 0, 0, 0)" not in page.evaluate(ink, 3000)


def test_the_maximum_is_a_line_no_score_read_rises_above(show):
    page = show([widgets.OnlineSoftmax([0.5, 1, 3, 2, 0, 3.5], np.eye(6), 2)], reduced_motion="reduce")
    tops = "all => all.map(one => one.getBoundingClientRect().top)"
    for read in (2, 4, 6):
        page.get_by_role("button", name="Next").click()
        heads = page.locator(".attn-skyline i").evaluate_all(tops)
        line = page.locator(".attn-level-m").bounding_box()
        assert abs(line["y"] + line["height"] - min(heads[:read])) < 2
        chart = page.locator(".attn-skyline").bounding_box()
        assert line["width"] / chart["width"] == pytest.approx(read / 6, abs=0.01)


@pytest.mark.parametrize("width", [902, 390])
def test_a_block_s_rise_of_the_maximum_is_drawn_with_what_it_makes_of_what_was_held(show, width):
    scores = [0.5, 1, 3, 2, 0, 3.5, -1, 2.25]
    page = show([widgets.OnlineSoftmax(scores, np.eye(8), 2)], width=width, reduced_motion="reduce")
    rise, told, was = (page.locator(f".attn-{kind}") for kind in ("rise", "by", "was-m"))
    chart = page.locator(".attn-skyline").bounding_box()
    tops = "all => all.map(one => one.getBoundingClientRect().top)"
    for step in range(1, 5):
        page.get_by_role("button", name="Next").click()
        ours = widgets.OnlineSoftmax(scores, np.eye(8), 2, step=step)
        rises = step > 1 and max(scores[2 * step - 2 : 2 * step]) > max(scores[: 2 * step - 2])
        assert [one.is_visible() for one in (rise, told, was)] == [rises] * 3 and rises == (step in (2, 3))
        if not rises:
            continue
        heads = page.locator(".attn-skyline i").evaluate_all(tops)
        box, label = rise.bounding_box(), told.bounding_box()
        assert abs(box["y"] - min(heads[: 2 * step])) < 2  # from the old maximum to the new one
        assert abs(box["y"] + box["height"] - min(heads[: 2 * step - 2])) < 3
        assert box["x"] == pytest.approx(chart["x"] + chart["width"] * (step - 1) / 4, abs=2)
        assert told.text_content().endswith(f"× {text.number(ours.rescale)}")
        inside = chart["x"] - 1 <= label["x"] and label["x"] + label["width"] <= chart["x"] + chart["width"] + 1
        flag = page.locator(".attn-level-name").bounding_box()
        apart = label["x"] >= flag["x"] + flag["width"] or label["y"] >= flag["y"] + flag["height"] - 1
        assert inside and apart, (step, label, flag)
        for bar in page.locator(".attn-skyline [data-read] > i").all():  # it hides no score that is read
            other = bar.bounding_box()
            beside = other["x"] >= label["x"] + label["width"] or label["x"] >= other["x"] + other["width"]
            assert beside or label["y"] + label["height"] <= other["y"] + 3, (step, label, other)


def test_a_window_holds_the_running_softmax_with_its_buttons(show):
    page = show([widgets.OnlineSoftmax([0.5, 1, 3, 2, 0, 3.5], np.eye(6)[:, :3], 2, step=2)], width=902)
    assert page.locator(".attn-figure").bounding_box()["height"] < 830


@pytest.mark.prove
def test_a_score_s_bar_flies_from_the_plot_into_its_strip_of_the_sum(show):
    page = show([widgets.OnlineSoftmax([0.5, 1, 3, 2], np.eye(4), 2, tokens="the money by bank".split())])
    seen = """() => new Promise((done) => {
        const found = [], start = performance.now();
        let lowest = -1e9;
        const plot = document.querySelector(".attn-skyline").getBoundingClientRect();
        const strip = document.querySelectorAll(".attn-stack")[2].getBoundingClientRect();
        const look = () => {
            for (const one of document.querySelectorAll(".attn-ghost")) {
                if (getComputedStyle(one).visibility === "hidden") continue;
                const box = one.getBoundingClientRect();
                found.push(box.top >= plot.top - 1 && box.bottom <= strip.bottom + 1);
                lowest = Math.max(lowest, box.top - strip.top);
                found.push(one.scrollWidth <= one.clientWidth);
            }
            performance.now() - start < 2200 ? requestAnimationFrame(look) : done([found, lowest]);
        };
        look();
    })"""
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
        found, lowest = page.evaluate(seen)
        assert len(found) > 5 and all(found)
        assert lowest > -8  # it arrived


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_score_is_an_outline_until_it_is_read(show, theme):
    page = show([widgets.OnlineSoftmax([0.5, 1, 3, 2], np.eye(4), 2, step=1)], theme=theme, reduced_motion="reduce")
    looks = "all => all.map((x) => getComputedStyle(x)).map((x) => [x.backgroundColor, x.borderTopColor])"
    paper = page.locator(".attn-live").evaluate("x => getComputedStyle(x).backgroundColor")
    bars = page.locator(".attn-skyline i").evaluate_all(looks)
    nothing = "rgba(0, 0, 0, 0)"
    assert [ground == nothing for ground, _ in bars] == [False, False, True, True]
    for seen in (bars[0][0], bars[1][0], bars[2][1], bars[3][1]):
        assert contrast(*([float(x) for x in re.findall(r"[\d.]+", colour)[:3]] for colour in (seen, paper))) >= 2


@pytest.mark.parametrize("touch", [False, True])
def test_a_bar_is_the_handle_of_its_score(show, touch):
    scores = np.array([0.5, 1, 3, 2, -1, 3.5])
    page = show([widgets.OnlineSoftmax(scores, np.eye(6), 2, step=2)], has_touch=touch, reduced_motion="reduce")
    bars, grips = page.locator(".attn-skyline i"), page.locator(".attn-skyline em")
    assert bars.first.evaluate("one => getComputedStyle(one).cursor") == "ns-resize"
    tall = bars.nth(3).bounding_box()["height"] / 2  # pixels to one
    for j, to in ((1, 2.5), (4, -0.5), (3, -0.75)):
        box = grips.nth(j).bounding_box()
        assert box["width"] >= 44 and box["height"] >= 24
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - tall * (to - scores[j]), steps=3)
        page.mouse.up()
        scores[j] = to
        told = float(page.locator(".attn-skyline strong").nth(j).text_content().replace("−", "-"))
        assert told == pytest.approx(to, abs=0.051)
        scores[j] = told
    assert said(page) == repr(widgets.OnlineSoftmax(scores, np.eye(6), 2, step=2))


FILL = "all => all.map((one) => getComputedStyle(one).backgroundColor)"
TIP = "one => one.getAttribute('d').split('M')[1].split('L').map((point) => point.split(/[, ]/).map(Number))"


@pytest.mark.parametrize("turned", [False, True])
def test_the_output_is_carried_as_an_arrow_that_shrinks_by_r_and_takes_the_values_of_the_block(show, turned):
    scores, values = [0.5, 1, 3, 2, 0, 3.5], [[0, 1], [1, 0], [1, 1], [0, 2], [-2, 0], [3, 1]]
    values = [one[::-1] for one in values] if turned else values  # the number that needs more room goes across
    page = show([widgets.OnlineSoftmax(scores, values, 2)], reduced_motion="reduce")
    picture = page.locator(".attn-carried svg")
    assert picture.get_attribute("aria-label") == "nothing held yet"
    assert picture.locator("path[d^=M]:visible").count() == 0 and picture.locator("text:visible").count() == 1
    assert page.locator(".attn-rescale li").first.text_content().startswith("nothing held yet")
    held = np.zeros(2)
    for step in range(1, 4):
        page.get_by_role("button", name="Next").click()
        ours = widgets.OnlineSoftmax(scores, values, 2, step=step)
        ends = {kind: picture.locator(f".attn-{kind}") for kind in ("whole", "mean", "past", "kept")}
        ends = {kind: np.diff(one.evaluate(TIP), axis=0)[0] for kind, one in ends.items() if one.get_attribute("d")}
        unit = np.hypot(*ends["whole"]) / np.hypot(*ours.running.o)
        for kind, vector in {
            "whole": ours.running.o,
            "mean": ours.output,
            **({"past": held, "kept": ours.rescale * held} if step > 1 else {}),
        }.items():
            np.testing.assert_allclose(ends[kind] / unit, vector[:: -1 if turned else 1] * [1, -1], atol=0.02)
        names = [picture.get_by_text(f"d{c}", exact=True).bounding_box()["x"] for c in (1, 2)]
        assert (names[1] > names[0]) == turned
        chain = [one.evaluate(TIP) for one in picture.locator(".attn-brought[d^=M]").all()]
        added = [
            np.exp(scores[j] - ours.running.m) * np.array(values[j][:: -1 if turned else 1])
            for j in (2 * step - 2, 2 * step - 1)
        ]
        np.testing.assert_allclose(
            [np.diff(one, axis=0)[0] / unit for one in chain],
            [one * [1, -1] for one in added if np.hypot(*one) * unit >= 2],
            atol=0.02,
        )
        held = ours.running.o


def test_each_arrow_of_the_output_lies_in_its_picture_and_has_a_head_of_a_third_at_most(show):
    scores = [-1.071, -0.264, 0.21, 0.251, 0.723, 1.281, 1.894, 2.608]
    values = [[-0.4, -2], [0.3, -1.5], [-1, -1], [0.1, 2], [0.4, 1], [-0.3, 2], [-1, -0.6], [0.4, -1.4]]
    page = show([widgets.OnlineSoftmax(scores, values, 3)], reduced_motion="reduce")
    ends = """all => all.filter((one) => one.getAttribute("d")).map((one) => {
        const box = one.getBBox(), { width, height } = one.ownerSVGElement.viewBox.baseVal;
        const [, line, around] = one.getAttribute("d").split("M");
        const [[x, y], [p, q]] = line.split("L").map((place) => place.split(/[, ]/).map(Number));
        const barb = around?.split("L")[2].split(" ").map(Number);
        const long = Math.hypot(p - x, q - y);
        const head = barb ? ((p - barb[0]) * (p - x) + (q - barb[1]) * (q - y)) / long / long : 0;
        return [box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, head];
    })"""
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
        arrows = page.locator(".attn-carried :is(.attn-past, .attn-kept, .attn-whole, .attn-mean, .attn-brought)")
        inside, heads = zip(*arrows.evaluate_all(ends), strict=True)
        assert len(inside) >= 4 and all(inside) and 0 < max(heads) <= 0.36


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_bar_has_the_shade_of_its_strip_in_the_dark_and_its_hue_always(show, theme):
    page = show([widgets.OnlineSoftmax([0.5, 1, 3, 2], np.eye(4), 2, step=2)], theme=theme, reduced_motion="reduce")
    bars, strips = (
        np.array([[float(x) for x in re.findall(r"[\d.]+", one)[:3]] for one in page.locator(where).evaluate_all(FILL)])
        for where in (".attn-skyline i", ".attn-rescale li:nth-child(3) .attn-part")
    )
    assert (np.argsort(bars) == np.argsort(strips)).all()  # the same hue
    assert theme == "light" or np.abs(bars - strips).max() < 3


def test_scores_below_zero_hang_from_zero(show):
    scores = [-2.5, 1, -0.5, 2]
    page = show([widgets.OnlineSoftmax(scores, np.eye(4), 2)], reduced_motion="reduce")
    box = "all => all.map((one) => { const b = one.getBoundingClientRect(); return [b.top, b.bottom]; })"
    bars = np.array(page.locator(".attn-skyline i").evaluate_all(box))
    tops, ends = bars.T
    zero, unit = ends[1], (ends[1] - tops[1]) / 1
    np.testing.assert_allclose(zero - tops, np.maximum(scores, 0) * unit, atol=1)
    np.testing.assert_allclose(zero - ends, np.minimum(scores, 0) * unit, atol=1)


@pytest.mark.parametrize("model", ["Llama-3-8B", "GPT-3", "Falcon-7B"])
def test_the_roofline_counts_what_the_library_counts(show, model):
    page = show([widgets.Roofline(model=model)])
    for length, batch in [(2**12, 1), (2**12, 2**8), (2**17, 1), (1, 2**10)]:
        page.get_by_role("slider", name="length").fill(str(np.log2(length)))
        page.get_by_role("slider", name="batch").fill(str(np.log2(batch)))
        for row in range(4):
            page.locator(".attn-chip").nth(row).click()
            assert said(page) == repr(widgets.Roofline(model=model, length=length, batch=batch, row=row))


@pytest.mark.parametrize("name", ["induction", "one_layer", "fixed_period"])
def test_the_page_s_transformer_is_the_library_s(show, name):
    page = show([])
    source = bundle.module_source("head_browser").replace("export default", "export { head_browser };\nexport default")
    rng = np.random.default_rng(13)
    sequences = [rng.integers(0, 32, n).tolist() for n in (1, 2, 17, 32)]
    sequences.append(np.resize(rng.permutation(32)[:9], 32).tolist())
    shown = widgets.HeadBrowser(name)
    made = page.evaluate(
        """async ([source, numbers, sizes, sequences]) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const { head_browser: { run, unpack, scores } } = await import(address);
            return sequences.map((ids) => {
                const { weights, logits } = run(unpack(numbers, sizes), ids);
                return [weights, logits, weights.map((layer) => layer.map((A) => scores(A, ids)))];
            });
        }""",
        [source, shown.numbers, shown.sizes, sequences],
    )
    for ids, (weights, logits, scores) in zip(sequences, made, strict=True):
        run = transformer.run(transformer.load(name), np.array(ids))
        np.testing.assert_allclose(weights, run.weights, atol=1e-5)
        np.testing.assert_allclose(logits, run.logits, atol=1e-5)
        ours = widgets.HeadBrowser(name, tokens=np.array(ids))
        expected = np.stack([ours.previous_token, ours.induction], -1)
        np.testing.assert_allclose(np.array(scores, float), expected, atol=1e-5)


def test_typing_a_sequence_runs_every_head(show):
    page = show([widgets.HeadBrowser()])
    page.get_by_label("Sequence").fill("hello! 23hello")  # o, h, e, l … and what the model does not know is left out
    ours = widgets.HeadBrowser(tokens="HELLO23HELLO")
    assert said(page) == repr(ours)
    page.get_by_role("button", name="L0·H3").click()
    page.locator(".attn-live .attn-cursor").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert said(page) == repr(widgets.HeadBrowser(tokens="HELLO23HELLO", layer=0, head=3, row=10, col=0))
    best = np.argsort(-ours.probabilities[10])[:5]
    assert page.locator(".attn-bars .attn-name").all_text_contents() == [transformer.SYMBOLS[k] for k in best]
    page.get_by_label("Sequence").fill("")
    assert "HELLO" in said(page) or "“L”" in said(page)  # nothing to read is no sequence: the last one stays
    page.get_by_role("button", name="New random repeat").click()
    assert len(page.get_by_label("Sequence").input_value()) == 24


def test_the_page_switches_a_head_off_and_hides_a_word_as_the_library_does(show):
    page = show([widgets.HeadBrowser(tokens="HELLO23HELLO", layer=0, head=3, row=9, col=3)])
    for name, edit in (("Switch L0·H3 off", "head"), ("Hide “L” at 3 from “L” at 9", "word")):
        page.get_by_role("button", name=name).click()
        assert said(page) == repr(widgets.HeadBrowser(tokens="HELLO23HELLO", layer=0, head=3, row=9, col=3, edit=edit))
        assert page.locator(".attn-was:visible").count() == 5
        ours = widgets.HeadBrowser(tokens="HELLO23HELLO", layer=0, head=3, row=9, col=3, edit=edit)
        best = np.argsort(-ours.changed[9])[:5]  # the ranks are those of now
        listed = page.locator(".attn-bars .attn-name").all_text_contents()
        assert listed == [transformer.SYMBOLS[k] for k in best]
        likely = ours.probabilities[9].argmax()
        both = [text.percent(p[9, likely]) for p in (ours.probabilities, ours.changed)]
        hero = page.locator(".attn-hero > :not(small)").all_text_contents()
        assert hero == [f"{transformer.SYMBOLS[likely]} {both[0]} → ", both[1]]
        how = "L0·H3 off" if edit == "head" else "“L” at 3 hidden"
        assert page.locator(".attn-hero small").text_content() == f"after “L” at 9, {how}"
    page.get_by_role("button", name="L1·H2").hover()  # pointed at is not chosen
    ground = "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
    pointed, chosen = (
        page.locator(f".attn-heads {which}").evaluate_all(ground) for which in (":hover", "[aria-pressed=true]")
    )
    assert pointed[:1] != chosen
    page.get_by_role("button", name="Show “L” at 3 to “L” at 9").click()  # pressed, it says the way back
    assert said(page) == repr(widgets.HeadBrowser(tokens="HELLO23HELLO", layer=0, head=3, row=9, col=3))
    assert page.locator(".attn-was:visible").count() == 0


@pytest.mark.parametrize("made", [widgets.EncoderHeads, widgets.HeadBrowser])
def test_another_pair_of_words_is_not_hidden_with_the_first(show, made):
    page = show([made()])
    hide, cut = page.get_by_role("button", name="Hide “"), page.locator(".attn-cut")
    for choose in (
        lambda: page.locator(".attn-words button").nth(3).click(),
        lambda: page.locator(".attn-large .attn-cursor").press("ArrowUp"),
        lambda: page.locator(".attn-large canvas").click(position={"x": 5, "y": 200}),
    ):
        hide.click()
        assert hide.count() == 0 and cut.is_visible()
        choose()
        assert hide.count() == 1 and cut.is_hidden() and page.locator(".attn-words [data-gone]").count() == 0
    page.get_by_role("button", name="Switch L").click()
    page.locator(".attn-words button").nth(5).click()
    assert cut.is_visible()  # a head is off for all words


@pytest.mark.parametrize("width", [390, 902])
def test_a_new_sequence_starts_whole_and_a_strange_sign_moves_nothing(show, width):
    page = show([widgets.HeadBrowser(tokens="FROGSWIM" * 2, row=9, col=2)], width=width)
    top = page.locator(".attn-heads").bounding_box()["y"]
    page.get_by_role("button", name="Hide “O” at 2 from “R” at 9").click()
    assert page.locator(".attn-heads").bounding_box()["y"] == top
    page.get_by_label("Sequence").fill("ABC1ABC!")
    assert page.get_by_text("left out: the model reads").is_visible() and page.locator(".attn-cut").is_hidden()
    assert page.locator(".attn-heads").bounding_box()["y"] == top
    page.get_by_label("Sequence").fill("FROGSWIM" * 2)
    page.locator(".attn-large .attn-cursor").press("Home")
    page.get_by_role("button", name="Switch L").click()
    page.locator(".attn-words button").first.click()  # the first symbol: nothing foretells what follows
    after = page.locator(".attn-outcome .attn-note").text_content()
    said_ = page.locator(".attn-hero").text_content()
    was, now = (float(x) for x in re.findall(r"([\d.]+)%", said_))
    assert after.startswith("The answer hardly moves." if abs(was - now) < 0.4 else "The five likeliest now.")


def test_what_is_orange_or_dotted_is_named_beside_it_and_a_bar_is_always_now(show):
    one = widgets.EncoderHeads("The muddy bank is known to everyone here.", row="bank", col="muddy")
    page = show([one])
    i, fills, dots = one.row, page.locator(".attn-near .attn-fill"), page.locator(".attn-near .attn-was")
    under, heads = page.locator(".attn-desk > .attn-note").all()
    most = [text.number(float(turns.max()), 1) for turns in (one.effects.hidden_turn[i], one.effects.off_turn[..., i])]
    assert (
        under.text_content()
        == f"Orange under a word: how far “bank” turns if that word is hidden (longest: {most[0]}°)."
    )
    orange = f" Orange: how far the word’s meaning turns if this head is switched off (longest: {most[1]}°)."
    assert heads.text_content() == f"Dark: a lot of attention.{orange}"
    arc = page.locator(".attn-arcs path[data-on]").evaluate("one => getComputedStyle(one).stroke")
    chip = page.locator(".attn-words [data-source]").evaluate("one => getComputedStyle(one).color")
    effect = page.locator(".attn-words .attn-effect").first.evaluate("one => getComputedStyle(one).backgroundColor")
    assert arc == chip != effect  # orange is an effect, and nothing else
    at = "all => all.map((one) => Number(one.style.getPropertyValue('--t')))"
    style = "all => all.map((one) => getComputedStyle(one).borderLeft)"
    now, other, drawn = fills.evaluate_all(at), dots.evaluate_all(at), dots.evaluate_all(style)
    page.get_by_role("button", name="Hide “").click()
    assert (fills.evaluate_all(at), dots.evaluate_all(at), dots.evaluate_all(style)) == (other, now, drawn)
    told = page.locator(".attn-near p").text_content()
    assert told.startswith("“bank” without “muddy”: turned ") and told.endswith("; dotted line: before hiding “muddy”.")
    assert heads.text_content() == f"Maps: before hiding it.{orange}"  # a stored sentence has no others
    page.get_by_role("button", name="Switch L").click()
    assert heads.text_content() == f"Maps: all heads on.{orange}"


@pytest.mark.parametrize("width", [390, also(902)])
def test_a_head_that_is_off_changes_what_later_layers_see_and_the_old_score_stands_beside(show, width):
    one = widgets.HeadBrowser(layer=0, head=3)
    page = show([one], width=width)
    ids = transformer.encode("".join(one.tokens))
    without = transformer.run(one.model, ids, without=[(0, 3)]).weights
    painted = """(all) => all.map((c) => [...c.getContext("2d").getImageData(0, 0, c.width, c.height).data])"""
    maps, scores = page.locator(".attn-heads canvas"), page.locator(".attn-heads ins")

    def drawn():
        return np.reshape(maps.evaluate_all(painted), (2, 4, 24, 24, 4))[..., 3] / 255

    np.testing.assert_allclose(drawn(), one.weights, atol=0.01)
    page.get_by_role("button", name="Switch L0·H3 off").click()
    np.testing.assert_allclose(drawn(), without, atol=0.01)
    assert np.abs(without[1] - one.weights[1]).max(axis=(1, 2)).min() > 0.5  # none of the four is what it was
    told = [told for told in scores.all_text_contents() if told.endswith("0.99 → 0.17")]
    was, now = one.induction[1, 0], induction.induction_score(without[1], ids)[0]
    assert told[0].endswith(f"{text.number(was, 2)} → {text.number(now, 2)}") and scores.evaluate_all(FITS)
    page.get_by_role("button", name="Switch L0·H3 on").click()
    np.testing.assert_allclose(drawn(), one.weights, atol=0.01)
    assert scores.count() == 0


@pytest.mark.parametrize("view", ["head_browser", "encoder_heads"])
def test_what_an_edit_takes_away_is_drawn_as_gone(show, view):
    one = widgets.EncoderHeads(col="animal") if view == "encoder_heads" else widgets.HeadBrowser()
    page = show([one])
    n, weight = len(one.tokens), one.chosen[one.row, one.col]
    arcs, cut, big = page.locator(".attn-arcs path"), page.locator(".attn-cut"), page.locator(".attn-large canvas")
    dashed = "(all) => all.flatMap((one, k) => getComputedStyle(one).strokeDasharray.includes(',') ? [k] : [])"
    painted = "(c) => Array.from(c.getContext('2d').getImageData(0, 0, c.width, c.height).data)"
    assert arcs.evaluate_all(dashed) == [] and cut.is_hidden()
    page.get_by_role("button", name="Hide “").click()
    assert arcs.evaluate_all(dashed) == [one.col]
    box, whole = cut.bounding_box(), big.bounding_box()
    for at, side, k in (("x", "width", one.col), ("y", "height", one.row)):
        assert box[side] == pytest.approx(whole[side] / n, abs=1)
        assert box[at] - whole[at] == pytest.approx(whole[side] * k / n, abs=1.5)
    told = page.locator(".attn-origin").text_content()
    assert told.endswith(f"0, it is hidden. It was {text.number(weight)}.") and "which had the weight" in said(page)
    if view == "head_browser":  # its other weights are what they become
        hidden = np.ones((n, n), bool)
        hidden[one.row, one.col] = False
        after = transformer.run(one.model, transformer.encode("".join(one.tokens)), mask=hidden)
        seen = np.reshape(big.evaluate(painted), (n, n, 4))[..., 3] / 255
        np.testing.assert_allclose(seen, after.weights[one.layer, one.head], atol=0.01)
    page.get_by_role("button", name="Switch L").click()
    assert arcs.evaluate_all(dashed) == list(range(n)) and cut.bounding_box()["width"] == pytest.approx(whole["width"])
    look = "(one) => [getComputedStyle(one).opacity, getComputedStyle(one).backgroundImage]"
    assert cut.text_content() == "off" and cut.evaluate(look) == ["1", "none"] and big.evaluate(look)[0] == "0.35"
    assert "the head is off: it writes nothing" in page.locator(".attn-origin").text_content()
    page.get_by_role("button", name="Switch L").click()
    assert arcs.evaluate_all(dashed) == [] and cut.is_hidden() and said(page) == repr(one)


def test_a_trained_head_s_line_is_as_wide_as_the_figure_and_the_kind_it_is_stands_out(show):
    ours = widgets.HeadBrowser(tokens="FROGSWIM" * 2, row=9, col=2)
    page = show([ours])
    live, line = page.locator(".attn-live").bounding_box(), page.locator(".attn-words").bounding_box()
    assert line["width"] > live["width"] - 50
    told = page.locator(".attn-heads strong").all_text_contents()  # what a head does to more than half
    assert told == ["previous 1.00", "induction 0.98", "induction 0.98", "induction 0.99", "induction 0.85"]
    assert page.locator(".attn-heads strong").evaluate_all(FITS)
    tone = "(one) => getComputedStyle(one).color"
    for side, who in (("down", "[aria-pressed=true]"), ("across", "[data-source]")):  # the same two on the line
        on = page.locator(f".attn-{side} [data-on]").evaluate(tone)
        assert on == page.locator(f".attn-words {who}").evaluate(tone)
    assert "In the text O follows (99.3%)." in page.locator(".attn-outcome .attn-note").text_content()
    low = page.locator(".attn-outcome .attn-chips").bounding_box()
    rails = page.locator(".attn-heads .attn-rail").evaluate_all(BOX)  # a short bar has its whole length behind it
    maps = page.locator(".attn-heads .attn-field").evaluate_all(BOX)
    assert all(rail["width"] >= map_["width"] and rail["height"] == 4 for rail, map_ in zip(rails, maps, strict=True))
    hero = page.locator(".attn-hero").bounding_box()
    assert hero["y"] + hero["height"] <= low["y"]  # what is expected, then what changes it


def test_the_encoder_s_stored_sentences_answer_as_python_does(show):
    ours = widgets.EncoderHeads(col="animal")
    page = show([ours])
    assert said(page) == repr(ours)
    page.get_by_role("button", name="Switch L3·H1 off").click()
    page.get_by_role("button", name="head L3·H1", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "head L4·H2"
    ours.set(layer=4, head=2)  # another head is chosen: none is off
    assert said(page) == repr(ours)
    page.get_by_role("button", name="Hide “animal” from “it”").click()
    ours.set(edit="word")
    assert said(page) == repr(ours)
    page.get_by_role("group", name="Who looks").get_by_role("button", name="cross").click()
    ours.set(row=6, col=int(ours.chosen[6].argmax()), edit="")
    assert said(page) == repr(ours)
    page.get_by_role("combobox").select_option("The muddy bank is known to everyone here.")
    muddy = widgets.EncoderHeads("The muddy bank is known to everyone here.", layer=4, head=2)
    assert said(page) == repr(muddy)
    page.locator(".attn-live .attn-cursor").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    muddy.set(row=2, col=0)
    assert said(page) == repr(muddy)
    page.get_by_role("button", name="Start again").click()
    assert said(page) == repr(widgets.EncoderHeads(col="animal"))


def test_a_switch_and_what_it_changes_are_seen_together(show):
    """The switches and their answer are one frame above the maps; on a phone the map follows its heads."""
    one = widgets.HeadBrowser()
    page = show([one], width=902, height=900)
    press, bars = page.get_by_role("button", name="Switch L").bounding_box(), page.locator(".attn-bars").bounding_box()
    assert max(press["y"], bars["y"] + bars["height"]) - min(press["y"], bars["y"]) < 420
    ends = [max(b["y"] + b["height"] for b in page.locator(f"{side} > *").evaluate_all(BOX)) for side in SIDES]
    assert abs(ends[0] - ends[1]) < 110  # neither column leaves a third of the card empty
    phone = show([one], width=390, has_touch=True)
    heads, large, bars = (
        phone.locator(part).first.evaluate(TOP) for part in (".attn-heads", ".attn-large", ".attn-bars")
    )
    assert heads[1] <= large[0] < heads[1] + 40 and bars[1] < heads[0] < bars[1] + 130
    press = phone.get_by_role("button", name="Hide “").evaluate(TOP)
    assert 0 < bars[0] - press[1] < 180  # its turn stands between
    assert phone.locator(".attn-live").bounding_box()["height"] <= 1620


@pytest.mark.parametrize("sentence", some([one.text for one in data.encoder_effects()], 4))
def test_words_heads_and_what_they_do_to_a_word_are_one_screen(show, sentence):
    """All of the encoder's figure in a window of 1280 × 800; on a phone words, what is pressed and what it does."""
    one = widgets.EncoderHeads(sentence)
    page = show([one], width=902, height=800)
    assert page.locator(".attn-live").bounding_box()["height"] < 770
    ends = [
        max(b["bottom"] for b in page.locator(f"{side} > *").evaluate_all(BOX))
        for side in (".attn-aside", ".attn-sight")
    ]
    assert abs(ends[0] - ends[1]) < 12  # both columns end together
    for edit in ("Switch", "Hide"):
        where = page.locator(".attn-live :is(.attn-words, .attn-many, .attn-bars, .attn-large)").evaluate_all(BOX)
        page.get_by_role("button", name=f"{edit} ").click()
        now = page.locator(".attn-live :is(.attn-words, .attn-many, .attn-bars, .attn-large)").evaluate_all(BOX)
        assert [(box["top"], box["height"]) for box in where] == [(box["top"], box["height"]) for box in now]
    phone = show([one], width=390, has_touch=True)
    parts = (".attn-words", ".attn-swing", ".attn-bars", ".attn-many", ".attn-large")
    places = [phone.locator(part).first.evaluate(TOP) for part in parts]
    assert all(a[1] <= b[0] + 1 for a, b in pairwise(places)) and places[1][0] - places[0][1] < 20
    assert places[2][1] - places[0][0] < 420  # the words, what is pressed and what it does
    low = "all => Math.min(...all.map((one) => one.getBoundingClientRect().height))"
    assert phone.locator(".attn-words button").evaluate_all(low) >= 32
    press = phone.get_by_role("button", name="Switch L").evaluate(TOP)
    assert abs(press[0] - places[1][0]) < 10  # beside the angle that it makes
    assert phone.locator(".attn-live").bounding_box()["height"] < 1380


def test_a_head_under_the_mouse_shows_what_it_sees_before_it_is_chosen(show):
    one = widgets.EncoderHeads(col="animal")
    page = show([one])
    arc, title = page.locator(".attn-arcs path").nth(one.col), page.locator(".attn-large figcaption")
    thick = "(path) => Number(path.getAttribute('stroke-width'))"
    assert arc.evaluate(thick) > 7
    page.get_by_role("button", name="Switch L3·H1 off").click()
    switched = said(page)
    page.get_by_role("button", name="head L2·H9", exact=True).hover()
    seen = one.weights[2, 9, one.row, one.col]
    assert title.text_content().startswith("L2·H9: ") and said(page) == switched  # the choice stays
    told = f"“it” gives “animal” {text.percent(float(seen))} of its attention in L2·H9."
    assert page.locator(".attn-plain").text_content() == told
    assert arc.evaluate(thick) == pytest.approx(max(0.4, 11 * seen), abs=0.01)
    assert page.locator(".attn-cut").is_hidden()  # this head is on
    page.mouse.move(1, 1)
    assert title.text_content().startswith("L3·H1: ") and page.locator(".attn-cut").is_visible()


def test_a_finger_slides_over_the_heads_and_chooses_those_it_passes(show):
    page = show([widgets.EncoderHeads()], width=390, has_touch=True)
    assert page.locator(".attn-many").evaluate("one => getComputedStyle(one).touchAction") == "pan-y"
    start, over = (page.get_by_role("button", name=f"head {name}", exact=True) for name in ("L3·H2", "L1·H8"))
    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(*middle(over), steps=6)
    assert said(page).startswith("Layer 1, head 8: ") and over.get_attribute("aria-pressed") == "true"
    page.mouse.up()
    page.mouse.move(*middle(start))
    assert said(page).startswith("Layer 1, head 8: ")


def test_the_encoder_opens_on_what_hiding_each_word_would_do(show):
    one = widgets.EncoderHeads("The muddy bank is known to everyone here.", row="bank", col="muddy")
    page = show([one])
    known, i, j = one.effects, one.row, one.col
    told = f"{text.number(float(known.hidden_turn[i, j]), 1)}°"
    turned, may = page.locator(".attn-swing text"), page.locator(".attn-swing [data-may]")
    assert turned.text_content() == told and may.count() == 1
    arrows = page.locator(".attn-swing path").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    tips = np.array([d.replace("M", "L").split("L")[2].split(",") for d in arrows], float)
    steep = np.arctan2(tips[:, 0] - 75, 112 - tips[:, 1])  # from upright: half of the turn to either side
    np.testing.assert_allclose(np.degrees(steep), np.array([-0.5, 0.5]) * known.hidden_turn[i, j], atol=0.1)
    named = page.locator(".attn-near p").text_content()
    assert named.startswith(f"“bank” without “muddy”: turned {told}") and named.endswith(
        "; dotted line: after hiding “muddy”."
    )
    lengths = page.locator(".attn-words .attn-effect").evaluate_all(
        "all => all.map((e) => +e.style.getPropertyValue('--t'))"
    )
    np.testing.assert_allclose(lengths, known.hidden_turn[i] / known.hidden_turn[i].max(), atol=1e-6)
    page.get_by_role("button", name="Hide “").click()
    assert turned.text_content() == told and may.count() == 0
    page.get_by_role("button", name="Switch L").click()
    assert turned.text_content() == f"{text.number(float(known.off_turn[one.layer, one.head, i]), 1)}°"


def test_the_prediction_its_switch_and_all_heads_are_seen_together(show):
    page = show([widgets.HeadBrowser(tokens="FROGSWIM" * 2)], width=904, height=800)
    page.add_style_tag(content="html { font-size: 112.5% }")  # the site's letters
    top = page.locator(".attn-words").bounding_box()["y"]
    heads = page.locator(".attn-heads").bounding_box()
    assert heads["y"] + heads["height"] - top < 700  # below the site's own line


@pytest.mark.parametrize("width", [390, also(902)])
def test_what_an_edit_does_is_said_first_in_one_line_beside_its_button_and_the_sentence_is_whole(show, width):
    one = widgets.EncoderHeads("The muddy bank is known to everyone here.", row="bank", col="muddy")
    page = show([one], width=width)
    page.add_style_tag(content="html { font-size: 112.5% }")  # the site's letters
    effect, height = page.locator(".attn-near strong"), "one => one.getClientRects()[0].height"
    sizes = "one => parseFloat(getComputedStyle(one).fontSize)"
    before = page.locator(".attn-live").bounding_box()["height"]
    for edit in ("", "Hide", "Switch"):
        if edit:
            page.get_by_role("button", name=f"{edit} ").click()
        assert effect.evaluate(height) < 1.6 * effect.evaluate(sizes)  # a line
        assert page.locator(".attn-near > p > span").evaluate(sizes) < effect.evaluate(sizes)
        assert page.locator(".attn-live").bounding_box()["height"] == before
    bars = page.locator(".attn-near .attn-bars").bounding_box()
    said_ = effect.bounding_box()
    assert said_["y"] < bars["y"] and bars["y"] + bars["height"] - said_["y"] < 260  # cause and numbers together
    room = page.locator("select").evaluate("""(menu) => {
        const one = document.createElement("span");
        one.textContent = menu.selectedOptions[0].textContent;
        one.style.cssText = `position:absolute;white-space:nowrap;font:${getComputedStyle(menu).font}`;
        document.body.append(one);
        return menu.clientWidth - one.offsetWidth;
    }""")
    assert room > 24  # the arrow of the menu


def test_the_chosen_small_map_marks_the_chosen_word_s_row(show):
    one = widgets.EncoderHeads("The muddy bank is known to everyone here.", row="bank", col="muddy")
    page = show([one])
    row = """(all) => all.map((one) => { const { top, height } = getComputedStyle(one, "::after");
             return [top, height].map((x) => parseFloat(x) / one.clientHeight); })"""
    for word in ("bank", "known"):
        page.locator(".attn-words").get_by_role("button", name=word).click()
        found, n = page.locator(".attn-many [aria-pressed=true] .attn-field").evaluate_all(row), len(one.tokens)
        np.testing.assert_allclose(found, [[one.tokens.index(word) / n, 1 / n]], atol=0.01)


@pytest.mark.parametrize("width", [390, also(902)])
def test_an_arrow_key_goes_where_it_points_among_the_encoder_s_heads(show, width):
    page = show([widgets.EncoderHeads()], width=width)
    page.get_by_role("button", name="head L3·H1", exact=True).click()
    places = [page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")]
    for key, name in (("Down", "L4·H1"), ("Right", "L4·H2")):
        page.keyboard.press(f"Arrow{key}")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"head {name}"
        places.append(page.evaluate("document.activeElement.getBoundingClientRect().toJSON()"))
    assert places[0]["bottom"] <= places[1]["top"] + 1 and places[1]["right"] <= places[2]["left"]


def test_each_column_of_the_encoder_s_map_has_its_whole_name_upright_over_it(show):
    because = next(one.text for one in data.encoder_effects() if "because" in one.text)
    for width in (902, 390):
        page = show([widgets.EncoderHeads(because)], width=width)
        names, map_ = page.locator(".attn-across bdi").evaluate_all(BOX), page.locator(".attn-large canvas")
        whole = map_.bounding_box()
        cell = whole["width"] / len(names)
        for j, box in enumerate(names):
            assert (box["left"] + box["right"]) / 2 == pytest.approx(whole["x"] + (j + 0.5) * cell, abs=2)
            assert box["width"] < cell and 0 <= whole["y"] - box["bottom"] < 10  # all end at the map
        cut = "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"
        assert page.locator(".attn-across span").evaluate_all(cut) == []


def test_on_a_phone_a_word_s_ground_tells_its_weight(show):
    one = widgets.EncoderHeads(col="animal")
    page = show([one], width=390, has_touch=True)
    words, weights = page.locator(".attn-words button"), one.chosen[one.row]
    share = "all => all.map((one) => Number(one.style.getPropertyValue('--t')))"
    np.testing.assert_allclose(words.evaluate_all(share), weights, atol=0.001)
    assert page.locator(".attn-arcs svg").is_hidden()
    page.get_by_role("button", name="Hide “").tap()
    assert words.nth(one.col).get_attribute("data-gone") == "" and words.evaluate_all(share)[one.col] == 0
    page.get_by_role("button", name="Switch L").tap()
    assert set(words.evaluate_all(share)) == {0}


@pytest.mark.parametrize("made", [widgets.HeadBrowser, widgets.EncoderHeads])
def test_a_weight_is_a_plain_sentence_until_it_is_pointed_at(show, made):
    one = made()
    page = show([one])
    plain, origin = page.locator(".attn-plain"), page.locator(".attn-origin")
    assert plain.is_visible() and origin.is_hidden()
    assert text.percent(float(one.chosen[one.row, one.col])) in plain.text_content()
    page.locator(".attn-large canvas").hover()
    assert origin.is_visible() and plain.is_hidden()
    page.mouse.move(1, 1)
    page.locator(".attn-large .attn-cursor").focus()  # by keys too
    assert origin.is_visible() and plain.is_hidden()


def test_pointing_at_a_weight_shows_the_row_it_comes_from_and_the_arc(show):
    page = show([widgets.EncoderHeads(col="animal")])
    told = page.locator(".attn-origin")
    assert told.text_content().startswith("“it” to “animal”: 0.678 = e^0 / (e^0 + e^−1.90 + ")
    page.locator(".attn-large canvas").scroll_into_view_if_needed()
    box = page.locator(".attn-large canvas").bounding_box()
    cell = box["width"] / 16
    page.mouse.move(box["x"] + 8.5 * cell, box["y"] + 6.5 * cell)  # cross, street
    assert told.text_content().startswith("“cross” to “street”: ")
    assert page.locator(".attn-band").is_visible()
    shadow = page.locator(".attn-band").evaluate("e => getComputedStyle(e).boxShadow")
    assert shadow == "none"  # an outline: the greys are the data
    sizes = page.locator(".attn-made-of > *").evaluate_all("all => all.map((e) => getComputedStyle(e).fontSize)")
    assert len(set(sizes)) == 1  # what is told of a cell is as large as what it takes the place of
    marked = "all => all.filter((e) => getComputedStyle(e, '::after').content !== 'none').length"
    assert page.locator(".attn-many .attn-field").evaluate_all(marked) == 1  # the chosen head's row
    assert page.locator(".attn-words button[data-source]").text_content() == "street"
    page.mouse.move(1, 1)
    assert told.text_content().startswith("“it” to “animal”") and not page.locator(".attn-band").is_visible()


@pytest.mark.parametrize("width", [390, also(1280)])
def test_the_encoder_s_map_is_large_and_words_stand_on_both_sides(show, width):
    page = show([widgets.EncoderHeads()], width=width, has_touch=width < 500)
    map_ = page.locator(".attn-large canvas")
    assert map_.bounding_box()["width"] >= (320 if width > 500 else 250)
    words = widgets.EncoderHeads().tokens
    for side in (".attn-across", ".attn-down"):
        assert page.locator(f"{side} span").all_text_contents() == words
    boxes = page.locator(".attn-many button:visible").evaluate_all(BOX)
    assert len(boxes) == 72 and len({round(box["top"]) for box in boxes}) == 6  # a layer a line, all in sight
    fields = page.locator(".attn-many .attn-field").evaluate_all(BOX)
    assert all(box["width"] == pytest.approx(box["height"], abs=0.5) for box in fields)
    assert min(box["width"] for box in fields) > (25 if width < 500 else 32)  # all of its button
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = page.locator(".attn-many .attn-nth").all_text_contents()
    assert names == ["", *(f"H{t}" for t in range(12)), *(f"L{l}" for l in range(6))]
    if width < 500:
        page.locator(".attn-many button").nth(30).tap()
        map_.scroll_into_view_if_needed()
        box = map_.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] * 2.5 / 16, box["y"] + box["height"] * 4.5 / 16)
        assert said(page) == repr(widgets.EncoderHeads(layer=2, head=6, row=4, col=2))


def test_all_seven_weigh_little_enough_for_a_page():
    assert len(widgets.HeadBrowser().numbers) < 105_000
    assert set(presets.PRESETS) == {"previous", "induction", "same", "first", "uniform", "self", "edge"}


def test_on_a_phone_a_goal_is_a_number_until_it_is_tapped(show):
    page = show([widgets.MaskPainter(8)], width=360, height=800, has_touch=True)
    goals = page.get_by_role("list", name="Goals")
    assert goals.locator("li").count() == 3 and goals.bounding_box()["height"] < 180
    for k in (2, 1, 0):
        goals.get_by_role("button").nth(k).tap()
        assert goals.locator(".attn-ask").nth(k).bounding_box()["width"] > 200
        assert goals.evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("width", [902, 390])
@pytest.mark.parametrize("n", [8, 9])
def test_words_for_names_leave_the_painter_s_squares_whole(show, width, n):
    words = "the cat sat on the mat and slept".split() if n == 8 else None
    page = show([widgets.MaskPainter(n, tokens=words)], width=width)
    edge = page.locator(".attn-aims").bounding_box()
    seen = [one.bounding_box() for one in page.locator(f"td[data-at='{n - 1},{n - 1}']:visible").all()]
    words = page.locator(".attn-hops .attn-row").bounding_box()
    assert len(seen) == (2 if width > 600 else 1)
    for one in (seen[-1], words):
        assert one["x"] + one["width"] <= edge["x"] + edge["width"] + 1


def test_the_painter_s_words_are_texts_that_documents_keeps_apart(show):
    page = show([widgets.MaskPainter(9, "documents")], width=902)
    names = page.locator("[data-board='mask'] tbody th").all_text_contents()
    _, starts = np.unique(np.argmax(painted(page), axis=1), return_index=True)
    assert [" ".join(part) for part in np.split(np.array(names), starts[1:])] == [
        "the cat sat up",
        "dogs run",
        "we sing too",
    ]


def test_on_a_phone_the_goal_stays_in_sight_while_one_paints(show):
    page = show([widgets.MaskPainter(8), widgets.MaskPainter(8)], width=390, height=844, has_touch=True)
    square, goal = page.locator("[data-board='mask']").first, page.locator(".attn-aims").first
    page.evaluate("y => scrollTo(0, y)", square.bounding_box()["y"] - 250)
    page.wait_for_timeout(100)
    seen, below = goal.bounding_box(), square.bounding_box()
    assert seen["y"] >= 0 and seen["y"] + seen["height"] <= below["y"] and below["y"] + below["height"] <= 844
    assert page.evaluate("scrollY") > 100 and seen["height"] < 140  # a sixth of the screen


def test_on_a_phone_the_words_of_a_pattern_end_above_the_switch(show):
    page = show([widgets.MaskPainter(8)], width=374, height=800, has_touch=True)
    switch = page.locator(".attn-switch")
    for k in range(page.get_by_role("combobox").locator("option").count() - 1):
        page.get_by_role("combobox").select_option(index=k)
        own = page.locator(".attn-size > p").bounding_box()
        assert own["y"] + own["height"] <= switch.bounding_box()["y"]


def test_what_a_pair_does_not_use_steps_back_a_little_only(show):
    page = show([widgets.MaskPainter(6, "window", window=2)], width=902, reduced_motion="reduce")
    page.locator("[data-board='heard'] td[data-at='5,1']").hover()
    rest = page.locator("[data-board='mask'] tbody td:not([data-source], [data-made])").first
    assert page.locator("td[data-source]").count() and rest.evaluate("one => getComputedStyle(one).opacity") == "0.75"


@pytest.mark.parametrize("width", [902, 390])
def test_the_maximum_s_name_covers_no_score_and_letters_can_be_read(show, width):
    scores = [0.5, 1, 3, 2, 0, 3.5, -1, 2.25]
    page = show([widgets.OnlineSoftmax(scores, np.eye(8), 2)], width=width, reduced_motion="reduce")
    for _ in range(4):
        page.get_by_role("button", name="Next").click()
        name = page.locator(".attn-level-name").bounding_box()
        for bar in page.locator(".attn-skyline i").all():
            assert name["y"] + name["height"] <= bar.bounding_box()["y"]
    sizes = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    assert min(page.locator(".attn-skyline :is(strong, small)").evaluate_all(sizes)) >= 11
    hues = page.locator(".attn-skyline i").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(hues)) == 8
