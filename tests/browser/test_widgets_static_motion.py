"""What moves comes from where its numbers stand, and what a figure finds out by itself is true."""

import numpy as np
import pytest
from figurepage import middle, said, slowly
from worked import TOKENS, X

from attn.show import widgets
from attn.show.kit import text

pytestmark = pytest.mark.browser
WAYS = "node => node.getAnimations().length"


def moving(locator):
    return sum(locator.evaluate_all(f"all => all.map({WAYS})"))


def test_a_word_s_numbers_come_out_of_its_row(show):
    page = slowly(show([widgets.Embedding(X, TOKENS)]))
    values = page.locator("[data-sum] td:not([aria-hidden])")  # e X, below X
    assert moving(values) == 0
    from_, to = middle(page.locator("td[data-at='2,1']")), middle(values.nth(1))
    page.get_by_role("button", name="AI", exact=True).click()
    assert moving(values) == 4
    at = values.nth(1).evaluate(
        "node => { const [one] = node.getAnimations(); one.pause(); one.currentTime = 0;"
        " const b = node.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; }"
    )
    assert abs(at - from_).max() < 2 < abs(to - from_).max()


def test_nothing_moves_for_whoever_wants_less_motion(show):
    page = show([widgets.Embedding(X, TOKENS)], reduced_motion="reduce")
    page.get_by_role("button", name="AI", exact=True).click()
    assert moving(page.locator(".attn-live *")) == 0


@pytest.mark.parametrize(("alpha", "beta", "erase"), [(0.9, 1, True), (1, 1, True), (0.5, 2, False), (1, 2, True)])
def test_a_reading_stands_against_the_value_written_last(show, alpha, beta, erase):
    names, k = list("ABCABD"), np.linalg.qr(np.random.default_rng(4).normal(size=(4, 4)))[0]
    k = (k + 0.3)[[0, 1, 2, 0, 1, 3]]
    one = widgets.WritesSeen(k, names, alpha=alpha, beta=beta, erase=erase)
    page = show([one], reduced_motion="reduce")
    page.get_by_role("button", name="Back").click()
    assert page.locator(".attn-step").text_content() == "5 of 6, next D = 6"
    page.get_by_role("button", name="Next").click()
    pressed = page.locator(".attn-chips [aria-pressed=true]").all_text_contents()
    assert pressed == [[["adding", "decay"], ["delta", "gated delta"]][erase][alpha < 1]]
    assert page.get_by_text("takes away the old").count() == erase
    last = [4, 5, 3, 6]
    off = abs(one.reads - last)
    told = [
        row.all_text_contents()
        for row in map(rows(page).locator, ("> :nth-child(3)", "> :nth-child(4)", "> :nth-child(5)"))
    ]
    assert told[0] == [f"reads {text.number(x, 2)}" for x in one.reads]
    assert told[1] == [f"should be {x}" for x in last]
    assert told[2] == [f"off by {text.number(x, 2)}" for x in off]
    assert page.locator(".attn-wanted").all_text_contents() == ["should be 4", "5", "3", "6"]  # said once
    ends = (
        "all => all.map((one) => (one.getBoundingClientRect().left + 1 - one.parentNode.getBoundingClientRect().left)"
    )
    ends = page.locator(".attn-track > .attn-was").evaluate_all(ends + " / one.parentNode.clientWidth)")
    marks = page.locator(".attn-ends span").evaluate_all(
        "all => all.map((x) => [+x.textContent, parseFloat(x.style.left)])"
    )
    np.testing.assert_allclose(ends, np.interp(last, *np.transpose(marks)) / 100, atol=0.01)
    page.locator("td[data-at='0,3']").hover()
    assert said(page) == one.sentence()
    sums = page.locator(".attn-origin").text_content()
    assert sums.startswith(f"Of “A” = 4 the question “A” sees {text.number(one.seen[0, 3])}. “A” reads")
    assert page.locator("[data-source]").count() == 8  # the row of its weights, the reading and its part of the bar
    part = page.locator(".attn-part[data-source]")
    assert part.evaluate("one => [...one.parentNode.children].indexOf(one)") == 4  # the rules, then one part a write
    assert rows(page).first.locator("[data-source]").count() == 1
    assert page.locator("[data-source].attn-mark [data-source]").count() == 1


def test_the_name_of_the_rule_is_lit_that_comes_of_the_sliders(show):
    page = show([widgets.WritesSeen(np.eye(4)[[0, 1, 2, 0]], list("ABCA"), erase=False)], reduced_motion="reduce")
    lit, gate = page.locator(".attn-chips [aria-pressed=true]"), page.get_by_role("slider", name="α")
    assert lit.all_text_contents() == ["adding"]
    for press, there, slid in [("decay", "0.7", "0.79"), ("gated delta", "0.9", "0.5"), ("delta", "1", "1")]:
        page.get_by_role("button", name=press, exact=True).click()
        assert lit.all_text_contents() == [press] and gate.input_value() == there
        gate.fill(slid)  # as much of a decay, and no other rule
        assert lit.all_text_contents() == [press]
        rule = "Correcting" if "delta" in press else "Adding"
        assert said(page).startswith(f"{rule}, α = {text.number(float(slid))}, β = 1:")
    gate.fill("0.9")
    assert lit.all_text_contents() == ["gated delta"]
    page.get_by_role("button", name="decay", exact=True).click()
    gate.fill("1")
    assert lit.all_text_contents() == ["adding"]


def test_the_steps_stand_over_what_they_move(show):
    page = show([widgets.WritesSeen(np.eye(4)[[0, 1, 2, 0]], list("ABCA"), erase=False)], reduced_motion="reduce")
    steps, table = (page.locator(one).bounding_box() for one in (".attn-stepper", ".attn-seen"))
    assert steps["y"] + steps["height"] <= table["y"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_the_last_write_changed_is_told_first_and_every_number_is_read_on_its_colour(show, theme):
    k = np.linalg.cholesky(0.9 * np.eye(4) + 0.1)[[0, 1, 2, 0, 1, 3]]
    one = widgets.WritesSeen(k, list("ABCABD"), erase=False, written=4)
    page = show([one], theme=theme, reduced_motion="reduce")
    news, reads = page.locator(".attn-news"), rows(page).locator("> :nth-child(3) > :last-child")
    assert news.text_content() == "A = 4 is in. It reads 1.50 → 5.50, and should read 4."
    size = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    assert np.argmax(reads.evaluate_all(size)) == 0 and news.bounding_box()["y"] < reads.first.bounding_box()["y"]
    page.get_by_role("button", name="delta", exact=True).click()
    assert news.text_content().endswith("→ 4, as it should. 2 do not.")
    off = page.locator(".attn-sums .attn-mark > :last-child > :last-child")
    of = "all => all.map((one) => [Number(one.textContent) > 0, getComputedStyle(one).color])"
    assert len(set(map(tuple, off.evaluate_all(of)))) == len({wrong for wrong, _ in off.evaluate_all(of)}) == 2
    for rule in ("delta", "decay", "adding"):
        page.get_by_role("button", name=rule, exact=True).click()
        for step in range(7):
            page.locator(".attn-stepper button").first.press("Home" if step == 0 else "ArrowRight")
            assert min(page.locator(".attn-seen td[data-at]").evaluate_all(READ)) >= 4.5
    page.locator(".attn-stepper button").first.press("Home")
    assert news.text_content() == "Nothing is written yet."


@pytest.mark.parametrize("width", [390, 1280])
def test_a_tap_on_a_number_of_what_is_seen_tells_of_it_wherever_the_bars_lie(show, width):
    k = np.linalg.cholesky(0.9 * np.eye(4) + 0.1)[[0, 1, 2, 0, 1, 3]]
    page = show([widgets.WritesSeen(k, list("ABCABD"), erase=False, written=4)], width=width, has_touch=True)
    for row, column in ((0, 0), (1, 1), (0, 3)):
        page.locator(".attn-seen tbody tr").nth(row).locator("td").nth(column).tap()
        told = page.locator(".attn-origin").text_content()
        assert f"Of “{'ABCA'[column]}” = {column + 1} the question “{'ABC'[row]}” sees" in told


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_the_writes_come_before_the_sliders_and_no_write_has_the_colour_of_a_miss(show, theme):
    k, names = (
        np.linalg.cholesky(0.9 * np.eye(4) + 0.1)[[0, 1, 2, 0, 1, 3]],
        "river money loan river money boat".split(),
    )
    page = show([widgets.WritesSeen(k, names, erase=False, written=4)], width=390, theme=theme)
    boxes = [page.locator(one).bounding_box() for one in (".attn-live", ".attn-news", ".attn-seen", ".attn-knobs")]
    card, news, seen, knobs = (one["y"] for one in boxes)
    assert news - card < 270 and seen - card < 345 and knobs > seen + boxes[2]["height"]
    assert len({one.bounding_box()["y"] for one in page.locator(".attn-chips button").all()}) == 1
    hue = """(all) => all.map(([node, name]) => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.fillStyle = getComputedStyle(node)[name];
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = pen.getImageData(0, 0, 1, 1).data, most = Math.max(r, g, b), far = most - Math.min(r, g, b);
        const turn = most === r ? (g - b) / far : most === g ? 2 + (b - r) / far : 4 + (r - g) / far;
        return (60 * turn + 360) % 360;
    })"""
    miss = page.locator(".attn-news strong").evaluate(f"one => ({hue})([[one, 'color']])[0]")
    heads = page.locator(".attn-seen thead bdi").evaluate_all(
        f"all => ({hue})(all.slice(0, 4).map((one) => [one, 'borderBottomColor']))"
    )
    assert min(abs((one - miss + 180) % 360 - 180) for one in heads) > 30


# How a number stands out from the colour of its cell: WCAG's contrast
READ = """all => {
    const pen = document.createElement("canvas").getContext("2d");
    const light = (colour) => {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const linear = (x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
        const rgb = [...pen.getImageData(0, 0, 1, 1).data].map((x) => linear(x / 255));
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05;
    };
    const paper = getComputedStyle(all[0].closest(".attn-live")).backgroundColor;
    return all.map((one) => {
        pen.fillStyle = paper;
        pen.fillRect(0, 0, 1, 1);
        const [a, b] = ["backgroundColor", "color"].map((name) => light(getComputedStyle(one)[name]));
        return Math.max(a, b) / Math.min(a, b);
    });
}"""


def rows(page):
    return page.locator(".attn-sums > .attn-mark")


def filling(seed, draws, total, width):
    rng = np.random.default_rng(seed)
    return [x / np.linalg.norm(x, axis=-1, keepdims=True) for x in rng.normal(size=(2, draws, total, width))]


def paths(chart):
    """The curves, and what stays pale of those that went further, as points of the drawing."""
    ways = [chart.locator(f".attn-curve[opacity='{seen}']") for seen in ("1", "0.3")]
    found = [d for way in ways for d in way.evaluate_all("all => all.map((x) => x.getAttribute('d'))")]
    return [[[float(x) for x in part.split()] for part in d[1:].split("L")] if d else [] for d in found]


def unfolded(page):
    """A filling matrix with its matrices in sight: they are folded, the curve is what it is about."""
    page.locator(".attn-more summary").click()
    return page


def unguessed(page):
    """The page, with nothing guessed and all steps free."""
    page.get_by_role("button", name="Skip the guess").click()
    return page


def across(page, n, total):
    """Where on the screen the number n stands on the axis of a filling matrix."""
    box = page.locator(".attn-recall").bounding_box()
    return box["x"] + box["width"] * (n - 0.5) / total, box["y"] + box["height"] * 0.7


def test_a_filling_matrix_draws_the_mean_of_its_draws_in_a_band_up_to_the_pairs_written(show):
    one = widgets.FillMatrix(*filling(1, 9, 30, 6))
    page = unguessed(show([one], reduced_motion="reduce"))
    chart = page.get_by_role("img", name="How many keys")
    assert [len(curve) for curve in paths(chart)] == [3, 3, 3, 0, 0, 0]  # nothing is told before it is written
    page.get_by_role("button", name="Next").press("End")
    places = paths(chart)[:3]
    bands = chart.locator("polygon").evaluate_all("all => all.map((one) => one.getAttribute('points'))")
    ends = [np.array(points.replace(",", " ").split(), float).reshape(60, 2) for points in bands]
    for n in range(1, 31):
        one.n = n
        for rule, place, band in zip(one.right, places, ends, strict=True):
            x, y = place[n - 1]
            assert x == n - 0.5
            assert 1 - y / 100 == pytest.approx(one.right[rule], abs=0.002)
            low, high = band[n - 1], band[60 - n]
            assert low[0] == high[0] == x
            np.testing.assert_allclose(1 - np.array([low[1], high[1]]) / 100, one.spread[rule], atol=0.002)
    page.mouse.click(*across(page, 20, 30))
    assert [len(curve) for curve in paths(chart)] == [20] * 3 + [30] * 3  # what was reached stays, pale
    one.n = 20
    assert said(page) == one.sentence() and "in the mean of 9 draws" in said(page)
    page.mouse.move(1, 1)
    assert page.locator(".attn-say").is_visible()
    shares = page.locator(".attn-shares > span").all_text_contents()
    assert shares == [f"{rule} {text.percent(share)}" for rule, share in one.right.items()]
    ticks = page.locator(".attn-recall .attn-at").all_text_contents()
    assert set(ticks) == {"0%", "50%", "90%", "100%", "1", "6", "16", "24", "30", "as wide as a key"}
    page.get_by_role("button", name="Start again").click()
    assert [len(curve) for curve in paths(chart)] == [3, 3, 3, 0, 0, 0]
    assert page.locator(".attn-step").text_content() == "3 of 30 written"


@pytest.mark.parametrize("width", [900, 374])  # the second as the page of a phone leaves it
def test_the_keys_and_the_curves_of_a_filling_matrix_have_one_axis(show, width):
    page = show([widgets.FillMatrix(*filling(1, 3, 30, 6), n=11)], width=width, reduced_motion="reduce")
    ends = page.locator(".attn-end").all()
    for strip in page.locator(".attn-asked").all():  # the key written last stands over the dots
        newest = middle(strip.locator("rect").nth(10))[0]
        assert [middle(end)[0] for end in ends] == pytest.approx([newest] * 3, abs=0.6)
        assert strip.locator("rect:not([opacity='0'])").count() == 11
    pictures = page.locator(".attn-into").all()
    unfolded(page)
    for side_by_side in (page.locator(".attn-shares > span").all(), pictures):
        assert len({round(one.bounding_box()["y"]) for one in side_by_side}) <= 1
    buttons, chart = page.locator(".attn-stepper").bounding_box(), page.locator(".attn-recall").bounding_box()
    assert chart["y"] + chart["height"] - buttons["y"] < 500  # what a press changes is on the screen with it
    assert chart["width"] > 0.8 * page.locator(".attn-live").bounding_box()["width"]


@pytest.mark.parametrize("touch", [False, True])
def test_a_guess_is_dragged_into_the_empty_frame_and_judged_once_the_curve_has_been_there(show, touch):
    one = widgets.FillMatrix(*filling(1, 9, 30, 12), n=2)
    good = np.array(one.answers)[:, :2] >= 0.9
    truth = [int(np.flatnonzero(column)[-1]) + 2 for column in good.T]
    page = show([one], width=390 if touch else 900, has_touch=touch, reduced_motion="reduce")
    told, rings = page.locator(".attn-verdict"), page.get_by_role("slider")
    assert told.text_content().startswith("Guess first") and rings.count() == 2
    page.mouse.move(*middle(rings.first))
    page.mouse.down()
    page.mouse.move(*across(page, 9, 30), steps=4)
    page.mouse.up()
    assert rings.first.get_attribute("aria-valuenow") == "9" and page.locator("[data-set]").count() == 1
    assert middle(rings.first)[0] == pytest.approx(across(page, 9, 30)[0], abs=1)
    assert page.locator(".attn-step").text_content() == "2 of 30 written"  # a guess writes nothing
    rings.last.press("Home")
    for _ in range(6):
        rings.last.press("ArrowRight")
    assert rings.last.get_attribute("aria-valuenow") == "7" and told.text_content() == "Guessed. Now fill it: is it so?"
    assert page.locator(".attn-off[d^=M]").count() == 0  # and nothing is given away
    page.get_by_role("button", name="Next").press("End")
    assert told.text_content().split("\n") == [
        "below 90% for good:",
        *(
            f"{rule} from {there} pairs, guess {guess}{' ✓' if abs(there - guess) < 3 else ''}"
            for rule, there, guess in zip(("adding", "correcting"), truth, (9, 7), strict=True)
        ),
    ]
    box, plot = told.bounding_box(), page.locator(".attn-recall").bounding_box()
    assert plot["x"] < box["x"] and box["x"] + box["width"] <= plot["x"] + plot["width"]
    colour = "one => getComputedStyle(one).backgroundColor"  # no line goes through its letters
    assert told.evaluate(colour) == "rgb(255, 255, 255)" and box["width"] < 0.72 * plot["width"]
    page.get_by_role("button", name="Start again").click()
    assert told.text_content().startswith("Guess first") and page.locator("[data-set]").count() == 0
    unguessed(page).get_by_role("button", name="Next").press("End")
    assert rings.count() == 0 and told.text_content() == ""  # whoever guessed nothing is not judged


@pytest.mark.parametrize("width", [902, 390])
def test_no_step_tells_the_answer_before_it_is_guessed_or_skipped(show, width):
    page = show([widgets.FillMatrix(*filling(1, 9, 30, 12), n=2)], width=width)
    height = page.locator(".attn-live").bounding_box()["height"]
    onwards = [page.get_by_role("button", name=name, exact=True) for name in ("Next", "Play")]
    written, skip = page.locator(".attn-step"), page.get_by_role("button", name="Skip the guess")
    rings = page.get_by_role("slider")

    def locked():
        return [one.get_attribute("aria-disabled") for one in onwards] == ["true"] * 2

    def try_all():
        for one in onwards:
            one.click(force=True)
        for key in ("ArrowRight", "End", "Enter"):
            onwards[0].press(key)
        page.mouse.click(*across(page, 20, 30))
        page.wait_for_timeout(300)  # two paces
        assert written.text_content() == "2 of 30 written" and locked()

    try_all()
    rings.first.press("ArrowRight")  # one of two is guessed
    try_all()
    rings.last.press("ArrowRight")
    assert not locked() and not skip.is_visible()
    onwards[0].click()
    assert written.text_content() == "3 of 30 written"
    page.get_by_role("button", name="Start again").click()
    try_all()
    skip.click()
    assert not locked() and not skip.is_visible() and page.locator(".attn-verdict").text_content() == ""
    page.keyboard.press("ArrowRight")  # the next step has the focus
    assert written.text_content() == "3 of 30 written"
    page.mouse.click(*across(page, 20, 30))
    assert written.text_content() == "20 of 30 written"
    assert page.locator(".attn-live").bounding_box()["height"] == height


def test_a_filling_matrix_speaks_of_as_many_rings_as_it_shows(show):
    """What the curve has already told is not asked: of two rings one may be gone when the figure starts."""
    one = widgets.FillMatrix(*filling(1, 9, 30, 12))
    good = np.array(one.answers)[:, :2] >= 0.9
    truth = [int(np.flatnonzero(column)[-1]) + 2 for column in good.T]
    page = show([widgets.FillMatrix(*filling(1, 9, 30, 12), n=min(truth))], reduced_motion="reduce")
    rule = ("adding", "correcting")[int(np.argmax(truth))]
    assert page.get_by_role("slider").count() == 1 and truth[0] != truth[1]
    assert page.locator(".attn-verdict").text_content() == (
        f"Guess first: drag the ring to where {rule} falls below 90% for good."
    )


@pytest.mark.parametrize("width", [902, 390])
def test_why_correcting_fails_first_is_told_once_both_have_failed(show, width):
    one = widgets.FillMatrix(*filling(1, 9, 30, 12), n=2)
    good = np.array(one.answers)[:, :2] >= 0.9
    adding, correcting = (int(np.flatnonzero(column)[-1]) + 2 for column in good.T)
    assert correcting < adding
    page = unguessed(show([one], width=width, reduced_motion="reduce"))
    why, height = page.get_by_text("Why correcting fails first"), page.locator(".attn-live").bounding_box()["height"]
    step = page.get_by_role("button", name="Next")
    assert not why.is_visible()
    for n in range(3, adding + 1):
        step.click()
        assert why.is_visible() == (n == adding)
        assert page.locator(".attn-live").bounding_box()["height"] == height
    page.get_by_role("button", name="Start again").click()
    assert not why.is_visible()
    even = show([widgets.FillMatrix(np.eye(3), np.eye(3), n=3)], reduced_motion="reduce")
    assert not even.get_by_text("Why correcting fails first").is_visible()  # nothing fails


def test_what_a_pair_brings_moves_onto_the_matrix_unless_motion_is_unwanted(show):
    for motion, ghosts in (("no-preference", 4), ("reduce", 0)):
        page = unguessed(show([widgets.FillMatrix(*filling(3, 3, 24, 5))], reduced_motion=motion))
        page.get_by_role("button", name="Next").click()
        assert page.locator(".attn-fall").count() == 0  # folded
        unfolded(page)
        page.wait_for_timeout(400)  # what follows at once is as if they wrote themselves
        next_one = page.get_by_role("button", name="Next")
        next_one.click()
        assert page.locator(".attn-fall").count() == ghosts  # of both rules, what was there and what comes
        page.wait_for_function("!document.querySelector('.attn-fall')")


def test_the_answers_are_grey_and_no_rule_has_a_colour_of_a_matrix(show):
    page = show([widgets.FillMatrix(*filling(1, 3, 30, 6), n=30)])
    colour = "(one, part) => getComputedStyle(one)[part]"
    fills = {one.evaluate(colour, "fill") for one in page.locator(".attn-asked rect").all()}
    assert fills == {page.locator(".attn-title").evaluate(colour, "color")}
    rules = [page.locator(".attn-shares > span").nth(k).evaluate(colour, "color") for k in range(3)]
    curves = [page.locator(".attn-curve[opacity='1']").nth(k).evaluate(colour, "stroke") for k in range(3)]
    assert rules == curves and len(set(rules)) == 3 and not fills & set(rules)


def painted(canvas):
    """The numbers of a picture whose colours grow with their roots, as shares of full colour."""
    read = """canvas => [canvas.height, canvas.width,
        ...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data]"""
    n, m, *pixels = canvas.evaluate(read)
    red, _, _, full = np.moveaxis(np.reshape(pixels, (n, m, 4)), -1, 0)
    return np.where(red > 200, -1, 1) * (full / 255) ** 2  # orange is below zero


def after(one, n):
    one.n = n
    return one.matrices


def test_each_pair_adds_its_column_times_its_row_to_both_matrices(show):
    one = widgets.FillMatrix(*filling(3, 3, 24, 5))
    page = unguessed(show([one], reduced_motion="reduce"))
    page.get_by_role("button", name="Next").press("Home")
    for n in range(2, 6):
        most = max(abs(z).max() for m in (n - 1, n) for z in after(one, m).values())  # the largest number there is now
        page.get_by_role("button", name="Next").click()
        for at, (rule, z) in enumerate(after(one, n).items()):
            fields = page.locator(".attn-into").nth(at).locator("canvas").all()
            before, row, column, layer, matrix = map(painted, fields)  # Z + kᵀ(row) = Z, as they stand
            had = after(one, n - 1)[rule]
            np.testing.assert_allclose(before, had / most, atol=0.01)
            np.testing.assert_allclose(matrix, z / most, atol=0.01)
            np.testing.assert_allclose(layer, (z - had) / most, atol=0.01)
            np.testing.assert_allclose(column @ row, z - had, atol=0.02)
        under = page.locator(".attn-into").first.locator("small").all_text_contents()
        assert under == [f"{n - 1} before", f"the {nth(n)}", f"{n} written"]
    sums = page.locator(".attn-into > :first-child").all_text_contents()
    assert sums == ["adding lays kTv on Z", "correcting lays kT(v − kZ) on Z"]
    assert page.locator(".attn-into sup").all_text_contents() == ["T", "T"]  # a letter that every font has


def test_what_the_next_pair_loses_flashes_at_its_own_place_and_no_other_cell_moves(show):
    one = widgets.FillMatrix(*filling(3, 3, 24, 5))
    page = slowly(unguessed(show([one])))
    page.get_by_role("button", name="Next").press("Home")
    one.n = 1
    for n in range(2, 13):
        before = one.nearest
        page.get_by_role("button", name="Next").click()
        one.n = n
        for at, (rule, found) in enumerate(one.nearest.items()):
            cells = page.locator(".attn-asked").nth(at).locator("rect")
            seen = "x => [...['x', 'opacity', 'height'].map((y) => x.getAttribute(y) || 0), x.getAnimations().length]"
            x, shown, high, moves = np.array(cells.evaluate_all(f"all => all.map({seen})"), float).T
            np.testing.assert_allclose(x, np.arange(24) + 0.09)
            right = found == np.arange(n)
            np.testing.assert_allclose(shown, np.pad(np.where(right, 1, 0.25), (0, 24 - n)))
            np.testing.assert_allclose(high[:n], np.where(right, 100, 35))
            changed = np.append(right[:-1] != (before[rule] == np.arange(n - 1)), True)
            assert moves[:n][changed].all() and not moves[n:].any()


def test_a_key_tells_whose_value_it_reads_and_a_cell_what_the_last_pair_brought(show):
    one = widgets.FillMatrix(*filling(3, 3, 24, 5))
    page = unguessed(unfolded(show([one], width=902, has_touch=True, reduced_motion="reduce")))
    height = page.locator(".attn-live").bounding_box()["height"]
    origin = page.locator(".attn-origin")
    for n in (24, 12):
        one.n = n
        page.locator(".attn-stepper button").first.press("Home")
        for _ in range(n - 1):
            page.get_by_role("button", name="Next").click()
        for at, (rule, found) in enumerate(one.nearest.items()):
            cells = page.locator(".attn-asked").nth(at).locator("rect")
            right, miss = (int(np.flatnonzero((found == np.arange(n)) == told)[0]) for told in (True, False))
            page.mouse.move(*middle(cells.nth(right)))
            assert origin.text_content() == f"{rule}: the {nth(right + 1)} of {n} keys is answered right."
            assert page.locator(".attn-beat:visible").count() == 1
            page.mouse.move(*middle(cells.nth(miss)))
            told = f"is answered with the value of the {nth(found[miss] + 1)}."
            assert origin.text_content() == f"{rule}: the {nth(miss + 1)} of {n} keys {told}"
            rings = page.locator(".attn-beat:visible")
            for ring, key in zip(rings.all(), (miss, found[miss]), strict=True):
                assert middle(ring)[0] == pytest.approx(middle(cells.nth(key))[0], abs=1)
        page.locator(".attn-into").nth(1).scroll_into_view_if_needed()
        box = page.locator(".attn-into").nth(1).locator(".attn-field").last.bounding_box()
        assert box["height"] == pytest.approx(box["width"], abs=1)
        page.touchscreen.tap(box["x"] + box["width"] * 2.5 / 5, box["y"] + box["height"] * 4.5 / 5)
        z, before = (after(one, m)["correcting"] for m in (n, n - 1))
        told = origin.text_content()
        assert told.startswith(f"correcting, row 4, column 2: {text.number(before[4, 2])} + ")
        assert told.endswith(f" = {text.number(z[4, 2])}.")
        assert origin.is_visible() and page.locator(".attn-beat:visible").count() == 5  # in all that is added
    page.mouse.move(*middle(page.locator(".attn-asked").first.locator("rect").nth(20)))
    strip = page.locator(".attn-asked").first.bounding_box()
    page.touchscreen.tap(strip["x"] + strip["width"] * 20.5 / 24, strip["y"] + 5)
    assert origin.text_content() == "Nothing is written here yet."
    page.mouse.move(1, 1)
    assert page.locator(".attn-beat:visible").count() == 0 and page.locator(".attn-say").is_visible()
    assert page.locator(".attn-live").bounding_box()["height"] == height


def nth(n):
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10 if n // 10 != 1 else 0, 'th') }"


@pytest.mark.parametrize("width", [902, 390])
def test_the_curves_of_a_filling_matrix_answer_the_mouse_and_their_words_keep_apart(show, width):
    one = widgets.FillMatrix(*filling(13, 4, 64, 8), n=32)
    page = show([one], width=width, reduced_motion="reduce")
    letters = "all => all.map((one) => [one.textContent, one.getBoundingClientRect().toJSON()])"
    told = page.locator(".attn-at, .attn-shares > span").evaluate_all(letters)
    for k, (words, box) in enumerate(told):
        assert 8 < box["height"] < 30, words
        for others, other in told[:k]:
            apart = box["right"] <= other["left"] or other["right"] <= box["left"]
            assert apart or box["bottom"] <= other["top"] or other["bottom"] <= box["top"], (words, others)
    page.mouse.move(*across(page, 16, 64))
    one.n = 16
    shares = ", ".join(f"{rule} {text.percent(share)}" for rule, share in one.right.items())
    assert page.locator(".attn-origin").text_content() == f"With 16 pairs: {shares} of the keys right."
    guide = page.locator(".attn-guide")
    hidden = "one => getComputedStyle(one).display === 'none'"
    assert not guide.evaluate(hidden) and guide.get_attribute("x1") == "15.5"  # stands where the mouse is
    page.mouse.move(*across(page, 40, 64))
    assert guide.evaluate(hidden) and page.locator(".attn-say").is_visible()  # what is not yet written is not told
    steps = page.locator(".attn-stepper button").first
    for key, n in (("Home", 1), ("ArrowRight", 2), ("End", 64)):
        steps.press(key)
        one.n = n
        assert said(page) == one.sentence()


def test_one_draw_has_no_band(show):
    page = show([widgets.FillMatrix(np.eye(4), np.eye(4), n=2)])
    assert page.locator("svg polygon").count() == 0 and "draws" not in page.locator(".attn-live").text_content()
