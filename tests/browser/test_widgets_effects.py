"""What a reader does in a figure of costs, scores and memories, and what moves, fills or stays for it."""

import numpy as np
import pytest
from figurepage import grid, middle, said, slowly
from sampled import also
from worked import TOKENS, W_K, W_Q, X

from attn import cost
from attn.show import widgets
from attn.show.kit import text

pytestmark = pytest.mark.browser


def scrolls(page):
    """Boxes of the page that hide a part of what they hold."""
    hidden = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    return page.locator(".attn-live .attn-scroll").evaluate_all(hidden)


def test_attention_stands_under_its_own_roof(show):
    one = widgets.Roofline(row=1)
    page = show([one])
    places = page.locator(".attn-point").evaluate_all(
        "all => all.map(({ transform }) => transform.baseVal[0].matrix.f)"
    )
    dashed = page.locator(".attn-second").evaluate("({ points }) => points[0].y")
    assert places[1] == pytest.approx(dashed, abs=0.1) and places[0] < places[1] - 5
    assert said(page) == repr(one) and "but products and exponentials in turns reach 66.9% at most" in said(page)
    page.locator(".attn-point").nth(3).locator("circle").last.click()
    assert "in turns" not in said(page)  # what memory holds up does not wait for exponentials
    shares = page.locator(".attn-works > span:not(:first-child)").all_text_contents()
    assert shares[1::2] == [text.percent(flops / one.peak) for flops in one.reached.values()]


def test_caches_grow_in_their_places(show):
    page = show([widgets.CacheCalculator("Llama-3-70B", 8192)], width=902, reduced_motion="reduce")
    places = "all => all.map((one) => [one.offsetLeft, one.offsetTop, one.offsetWidth, one.offsetHeight])"
    before = page.locator(".attn-pour > *").evaluate_all(places)
    page.get_by_role("slider", name="tokens").fill("20")
    assert page.locator(".attn-pour > *").evaluate_all(places) == before
    told = page.locator(".attn-memory").all_text_contents()
    bytes_ = cost.kv_cache_bytes(2**20, layers=80, kv_heads=8, head_width=128)
    for gb, one in zip((24, 80, 640), told, strict=True):
        part = bytes_ / (gb * 2**30)
        most = text.grouped(int(2**20 / part))
        fits = f"{text.percent(part)} fullholds {most} tokens"
        assert one.endswith(f"does not fittakes {int(np.ceil(part))} of these" if part > 1 else fits)


def test_no_model_that_is_chosen_moves_anything_on_a_phone(show):
    page = show([widgets.CacheCalculator("Llama-3-70B", 8192)], width=390, reduced_motion="reduce")
    page.add_style_tag(content="html { font-size: 112.5% }")  # the site's letters
    models, parts = page.get_by_role("combobox", name="Model"), page.locator(".attn-live > *")
    places = "all => all.map((one) => [one.offsetLeft, one.offsetTop, one.offsetWidth])"
    before, height = parts.evaluate_all(places), page.locator(".attn-live").bounding_box()["height"]
    for name in models.locator("option").all_text_contents():
        models.select_option(name)
        assert (
            page.locator(".attn-hero").text_content().startswith(f"{name}, {cost.MODELS[name].kv_heads} as published (")
        )
        assert parts.evaluate_all(places) == before
        assert page.locator(".attn-live").bounding_box()["height"] == pytest.approx(height, abs=0.5)


def test_undivided_is_hollow_and_divided_is_filled_and_comes_when_the_reader_divides(show):
    scores = [4.0, -2.0, 8.0]
    one = widgets.Scaling(scores, 16, TOKENS)
    page = show([one], reduced_motion="reduce")
    page.locator("summary").click()
    # where it begins and ends, in shares of the bars' track
    edges = """all => all.map((one) => [one, one.parentNode].map((one) => one.getBoundingClientRect()))
        .map(([{ left, right }, track]) => [left, right].map((x) => (x - track.left) / track.width))"""

    def look(where, what, child=""):
        return page.locator(where).evaluate_all(f"all => all.map((one) => getComputedStyle(one, {child!r}).{what})")

    hollow, filled = (".attn-hollow", ".attn-fill:not(.attn-hollow)")
    paper = page.locator(".attn-live").evaluate("one => getComputedStyle(one).backgroundColor")
    for scaled in (False, True):
        if scaled:
            page.get_by_role("button", name="÷ √16").click()
        far = 20  # twice 10, the round number above 8, undivided
        for where, by, weights in ((hollow, 1, one.plain), (filled, 4, one.divided)):
            if not scaled:
                by, weights = 1, one.plain  # the filled bars start where the hollow ones end
            ends = np.array([[0, x] for x in weights] + [[0.5, 0.5 + x / by / far] for x in scores])
            seen = page.locator(where).evaluate_all(edges)
            np.testing.assert_allclose(seen, np.sort(ends, axis=1), atol=0.01)
        told = page.locator(".attn-either .attn-value").all_text_contents()
        shown = one.divided if scaled else one.plain
        assert told == [text.percent(x) for x in shown] + [text.number(x / (4 if scaled else 1), 2) for x in scores]
        # what is divided has a colour of its own, in the cloud, the curve, the numbers and the bars
        plain, divided = {look(hollow, "borderTopColor")[0]}, {look(filled, "backgroundColor")[0]}
        assert plain != divided
        for where, what in (
            (".attn-course g:first-child path", "stroke"),
            (".attn-course g:last-child path", "stroke"),
            (".attn-course > em", "borderTopColor"),
            (".attn-course > strong", "color"),
            (".attn-verdict strong", "color"),
            (".attn-nats strong", "color"),
            (".attn-draws path:nth-child(3n)", "stroke"),
        ):
            first, second = look(where, what)
            assert ({first}, {second}) == (plain, divided), where
        assert set(look(filled, "backgroundColor")) == divided  # a score below zero too
        assert set(look(hollow, "backgroundColor")) == {"rgba(0, 0, 0, 0)"}
        assert look(".attn-course > em", "backgroundColor") == [paper, *divided]
        signs = look(".attn-ways bdi", "backgroundColor", "::before")  # its key, where it is chosen
        assert signs[0] == "rgba(0, 0, 0, 0)" and signs[1] != signs[0]
        for where in (
            filled,
            ".attn-course > em + em",
            ".attn-course g:last-child path + path",
            ".attn-verdict span strong",
            ".attn-nats span strong",
        ):
            assert set(look(where, "visibility")) == {"visible" if scaled else "hidden"}, where
        assert set(look(hollow, "visibility")) == {"visible"}
        ghosts = ".attn-course g:first-child path"  # what a division will do is seen from the start, and paler
        assert set(look(ghosts, "visibility")) == {"visible"} and set(look(ghosts, "opacity")) == {"0.5"}
    assert "entropy" in page.locator(".attn-nats").text_content()


@pytest.mark.parametrize("width", [390, 360, 902])
def test_what_the_curve_is_the_mean_of_is_told_in_one_line_under_both_curves(show, width):
    page = show([widgets.Scaling([4.0, -2.0, 8.0], 16, TOKENS)], width=width, reduced_motion="reduce")
    page.get_by_role("button", name="÷ √16").click()
    course, told = (page.locator(one).bounding_box() for one in (".attn-course", ".attn-course > p"))
    assert told["height"] < 25 and told["x"] + told["width"] < course["x"] + course["width"]
    curves = [one.bounding_box() for one in page.locator(".attn-course g:first-child path").all()]
    assert all(one["y"] + one["height"] < told["y"] for one in curves)
    gap = """one => {
        const [a, b] = [...one.querySelectorAll("strong")].map((x) => x.getBoundingClientRect());
        return [a.left - one.getBoundingClientRect().left, b.left - a.right];
    }"""
    before, between = page.locator(".attn-draws > small + small").evaluate(gap)
    assert before < 60 and between < 30  # “spread 4.1 → 1.0” has no hole


# How long each bar is and where each label of the ruler stands, in shares of the bars' track.
LONG = "all => all.map((one) => one.getBoundingClientRect().width / one.parentNode.clientWidth)"
STAND = """all => all.filter((one) => one.checkVisibility()).map((one) => {
    const [b, track] = [one, one.closest("ul").querySelector(".attn-track")].map((one) => one.getBoundingClientRect());
    return [one.textContent, ...[b.left, b.right].map((x) => (x - track.left) / track.width)];
})"""


@pytest.mark.parametrize("width", [902, also(390)])
@pytest.mark.parametrize("low", [4.0, -4.0])
def test_bars_half_fill_one_ruler_for_all_rows_that_doubles_as_the_width_asks_for_more(show, width, low):
    rows = np.array([[low, 1.0, 8.0], [1.0, 2.0, 0.5]])
    d, span = 16, 2 if low < 0 else 1
    page = show([widgets.Scaling(rows, d, TOKENS)], width=width, reduced_motion="reduce")
    page.locator("summary").click()  # the scores are folded
    names = page.locator(".attn-either .attn-name").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert min(names) > 10
    # the round number above 8 is 10: half of it holds 8·√(3/16), twice twice of it holds 8·√(128/16)
    for wide, row, far in ((3, 0, 5), (d, 1, 10), (d, 0, 10), (128, 0, 40)):
        scores = rows[row]
        page.get_by_role("group", name="Row").get_by_role("button").nth(row).click()
        page.get_by_role("slider", name="width d").fill(str(np.log2(wide)))
        grown = np.abs(scores) * np.sqrt(wide / d) / far
        seen = page.locator(".attn-either .attn-hollow").evaluate_all(LONG)[-3:]
        np.testing.assert_allclose(seen, grown / span, atol=0.01)
        assert row or 0.5 < max(grown) <= 1
        page.locator(".attn-ways button").last.click()
        still = page.locator(".attn-either .attn-fill:not(.attn-hollow)").evaluate_all(LONG)[-3:]
        np.testing.assert_allclose(still, np.abs(scores) / 4 / far / span, atol=0.01)
        page.locator(".attn-ways button").first.click()
        ruler = page.locator(".attn-ends").last.locator("span span").evaluate_all(STAND)
        for told, start, end in ruler:
            x = float(told.replace("−", "-"))
            assert x == round(x) and (start + end) / 2 == pytest.approx(x / far / span + (span - 1) / 2, abs=0.01)
        edges = np.array([ends for _, *ends in ruler])
        assert len(edges) > 1 and (edges[1:, 0] - edges[:-1, 1]).min() > 0.02  # no two run together


@pytest.mark.parametrize("width", [902, also(390)])
def test_no_dot_and_no_axis_touches_the_names_of_the_curves_at_the_largest_width(show, width):
    page = show([widgets.Scaling([1.0, 5.0, 3.0], 3, TOKENS)], width=width, reduced_motion="reduce")
    page.get_by_role("slider", name="width d").fill("7")
    boxes = (
        "all => all.map((one) => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"
    )
    dots, names, (axis,) = (
        page.locator(f".attn-course > {one}").evaluate_all(boxes)
        for one in ("em, .attn-course > .attn-own", "strong", "i")
    )
    told = page.locator(".attn-verdict").bounding_box()
    above = told["y"] + told["height"] if width < 600 else 0
    for left, top, right, bottom in names:
        assert right < axis[0] - 3 and top > above + 4
        assert not any(a < right and c > left and b < bottom and d > top for a, b, c, d in dots)


def test_one_write_after_another_is_told_and_the_last_state_is_the_figure_s(show):
    names, k = list("ABA"), np.eye(2)[[0, 1, 0]]
    one = widgets.WritesSeen(k, names, erase=True)
    page = show([one])
    whole = grid(page.locator(".attn-live table"))
    np.testing.assert_allclose(whole, one.seen, atol=0.005)
    page.get_by_role("button", name="Back").click()
    assert not page.get_by_text("Hatched").is_visible()  # nothing is taken off an end
    first = page.locator(".attn-live tbody td").all_text_contents()
    assert first == ["1", "0", "·", "0", "1", "·"]  # the first write of A is still there
    assert page.locator(".attn-bars .attn-mark > :last-child").all_text_contents() == ["off by 0", "off by 0"]
    page.get_by_role("button", name="Next").click()
    assert grid(page.locator(".attn-live table")) == whole
    for _ in names:
        page.get_by_role("button", name="Back").click()
    assert set(page.locator(".attn-live tbody td").all_text_contents()) == {"·"}
    assert page.locator(".attn-step").text_content() == "0 of 3, next A = 1"
    page.get_by_role("button", name="decay").click()
    page.get_by_role("button", name="Start again").click()  # as it came: all is written, by the first rule
    assert page.locator(".attn-step").text_content() == "3 of 3 written"
    assert grid(page.locator(".attn-live table")) == whole and said(page) == repr(one)


def test_a_memory_may_open_half_written_and_a_name_is_paler_only_once_it_is_written_again(show):
    k, names = np.eye(6)[[0, 1, 2, 0, 1, 3]], list("ABCABD")
    page = show([widgets.WritesSeen(k, names, erase=False, written=3)], reduced_motion="reduce")
    first = page.locator(".attn-mark").first.locator(".attn-part").first
    colour = "one => getComputedStyle(one).backgroundColor"
    opening, strong = said(page), first.evaluate(colour)
    assert opening == widgets.WritesSeen(k, names, erase=False, written=3).sentence() and "3 of 6 written" in opening
    page.get_by_role("button", name="Next").click()
    assert said(page) == widgets.WritesSeen(k, names, erase=False, written=4).sentence()
    assert first.evaluate(colour) != strong
    page.get_by_role("button", name="Start again").click()
    assert said(page) == opening and first.evaluate(colour) == strong


def test_a_one_takes_a_row_out_of_x(show):
    page = show([widgets.Embedding(X, TOKENS)])
    page.get_by_role("button", name="love", exact=True).click()
    e = np.array([float(x) for x in page.locator(".attn-e").all_text_contents()])
    product = [float(x) for x in page.locator("[data-sum] td:not([aria-hidden])").all_text_contents()]
    np.testing.assert_array_equal(e @ X, product)
    np.testing.assert_array_equal(product, X[1])
    for k, entry in enumerate(page.locator(".attn-e").all()):  # each entry stands before its row
        row, one = page.locator(f"td[data-at='{k},0']").bounding_box(), entry.bounding_box()
        assert one["y"] == pytest.approx(row["y"], abs=1) and one["x"] + one["width"] < row["x"]
    bars = [float(x) for x in page.locator(".attn-embedded .attn-value").all_text_contents()]
    assert bars == product  # the bars say e X, too


def test_a_pointed_score_s_query_slides_and_the_corner_tells_its_sum(show):
    page = slowly(show([widgets.ScoreCells(X @ W_Q, X @ W_K, TOKENS)], height=900))
    before = page.locator(".attn-total").last.text_content()
    page.locator("td[data-at='1,2']").hover()
    page.wait_for_selector(".attn-ghost", state="attached")
    assert page.locator(".attn-total").all_text_contents() == ["0·1 + 2·1 + 1·1", "= 3"]
    page.locator(".attn-title").hover()
    assert page.locator(".attn-total").last.text_content() == before
    assert said(page) == repr(widgets.ScoreCells(X @ W_Q, X @ W_K, TOKENS))  # to point is not to choose


def insist(page, guess):
    """Guess something else first, which is wrong: the answer comes with the second guess."""
    for typed in ("-987", guess):
        page.get_by_label("My guess").fill(typed)
        page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("answer", "unit", "guess", "told", "places"),
    [
        (10.1, "times", "0.5", "Far: 20 times too small.", [(1 + np.log10(0.5)) / 4, (1 + np.log10(10.1)) / 4]),
        (60.0, "%", "50", "Near: 10 points too low.", [0.5, 0.6]),
        (60.0, "%", "40", "20 points too low.", [0.4, 0.6]),
        (54.6, "times", "35.5", "1.54 times too small.", [(1 + np.log10(35.5)) / 4, (1 + np.log10(54.6)) / 4]),
        (54.6, "times", "50", "Near: 1.09 times too small.", [(1 + np.log10(50)) / 4, (1 + np.log10(54.6)) / 4]),
        (5, "heads", "3", "2 heads too low.", None),  # a count of few is off by so many
        (4608, "tokens", "768", "Far: 6 times too small.", None),  # another size
        (4608, "tokens", "4000", "Near: 608 tokens too low.", None),
        (-2.0, "", "1", "Far: 3 too high.", None),  # an axis would tell its sign
        (8.0, "times", "8", "On the spot.", [(2 + np.log10(8)) / 4] * 2),
    ],
)
def test_a_guess_stands_beside_the_answer(show, answer, unit, guess, told, places):
    page = show([widgets.Predict("?", answer, unit=unit)], reduced_motion="reduce")
    assert page.locator(".attn-far").text_content().strip() == ""
    insist(page, guess)
    assert page.locator(".attn-far").text_content() == told
    scaled = places is not None
    if not scaled:  # from the smallest to the largest of 0, the answer and both guesses
        low, high = min(-987, answer), max(0, answer, float(guess))
        places = [(x - low) / (high - low) for x in (float(guess), answer)]
    line = page.locator(".attn-rail").bounding_box()
    dots = page.locator(".attn-rail > span > span:not(.attn-early)").all()
    at = [(middle(one)[0] - line["x"]) / line["width"] for one in dots]
    np.testing.assert_allclose(at, places, atol=0.01)
    if scaled:
        assert float(page.get_by_role("slider").input_value()) == pytest.approx(places[0], abs=1e-6)


@pytest.mark.parametrize(
    ("answer", "span", "guess", "told", "marks"),
    [
        (30, (0, 72), "36", "Near: 6 heads too high.", ["0", "36", "72"]),
        (30, (0, 72), "72", "Far: 42 heads too high.", ["0", "36", "72"]),
        (-12, (-100, 100), "34", "46 heads too high.", ["−100", "0", "100"]),
        (0.25, (0, 1), "0.3", "Near: 0.05 heads too high.", ["0", "0.5", "1"]),
    ],
)
def test_where_the_question_says_the_whole_the_axis_has_it(show, answer, span, guess, told, marks):
    page = show(
        [widgets.Predict("?", answer, unit="heads", span=span, tolerance=0)], reduced_motion="reduce", width=390
    )
    line, low, wide = page.locator(".attn-rail").bounding_box(), span[0], span[1] - span[0]
    before = page.locator(".attn-rail small").all_text_contents()
    assert [float(x.replace("−", "-")) for x in before] == [low, low + wide / 2, span[1]]
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    step = 1 if isinstance(answer, int) else 0.01
    box = page.get_by_label("My guess")
    assert float(box.input_value().replace("−", "-")) == pytest.approx(
        low + wide / 2 + step
    )  # from where its thumb waits
    page.mouse.click(line["x"] + line["width"] / 4, line["y"] + line["height"] / 2)
    assert float(box.input_value().replace("−", "-")) == pytest.approx(low + wide / 4, abs=2 * step)
    insist(page, guess)
    assert page.locator(".attn-far").text_content() == told
    assert page.locator(".attn-rail small").all_text_contents() == marks
    dots = page.locator(".attn-rail > span > span:not(.attn-early)").all()
    at = [(middle(one)[0] - line["x"]) / line["width"] for one in dots]
    np.testing.assert_allclose(at, [(float(guess) - low) / wide, (answer - low) / wide], atol=0.01)


@pytest.mark.parametrize("guess", ["48", "50", "52", "3", "99"])
@pytest.mark.parametrize("answer", [50, 53, 2, 98])
def test_the_names_of_a_guess_and_of_its_answer_do_not_touch(show, answer, guess):
    page = show([widgets.Predict("?", float(answer), unit="%", tolerance=0)], reduced_motion="reduce", width=390)
    insist(page, guess)
    line = page.locator(".attn-rail").bounding_box()
    yours, truth = (page.locator(".attn-rail span", has_text=name).last.bounding_box() for name in ("yours", "answer"))
    assert truth["y"] + truth["height"] <= line["y"] + line["height"] / 2 <= yours["y"]
    for one in page.locator(".attn-rail small").all():
        box = one.bounding_box()
        assert box["y"] + box["height"] <= yours["y"] + 3  # the numbers stay, its name stands below them
    for box in (yours, truth):
        assert line["x"] - 9 <= box["x"] and box["x"] + box["width"] <= line["x"] + line["width"] + 9


def test_a_guess_that_is_named_as_a_mistake_is_not_praised_as_near(show):
    page = show([widgets.Predict("?", 3.0, replies={3.6: "Without the division."})], reduced_motion="reduce")
    for guess, told in (("3.6", "0.6 too high."), ("3.3", "Near: 0.3 too high.")):
        insist(page, guess)
        assert page.locator(".attn-far").text_content() == told


@pytest.mark.parametrize(
    "widget",
    [
        widgets.TwoKeys(60, 0.85),
        widgets.WritesSeen(np.random.default_rng(0).normal(size=(6, 4)) / 2, list("ABCABD"), alpha=0.9),
        widgets.Embedding(X, TOKENS),
    ],
    ids=lambda one: one.view,
)
def test_no_column_hides_on_a_phone(show, widget):
    page = show([widget], width=390)
    assert scrolls(page) == 0


def test_e_can_be_changed_and_its_product_adds_rows(show):
    """Another 1 and a ½ add rows of X: e X is a product, and choosing a word makes it one row again."""
    page = show([widgets.Embedding(X, TOKENS)], reduced_motion="reduce")
    first = said(page)
    entry = page.locator(".attn-e button")
    entry.nth(1).click()
    entry.nth(2).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert entry.all_text_contents() == ["1", "1", "½"]
    x = np.array(X, float)
    made = x[0] + x[1] + x[2] / 2
    told = page.locator("tr[data-sum] td:not(.attn-out)").all_text_contents()
    assert [float(one.replace("−", "-")) for one in told] == made.tolist()
    assert [float(x) for x in page.locator(".attn-embedded .attn-value").all_text_contents()] == made.tolist()
    assert said(page).endswith(f"½ · row “{TOKENS[2]}” = {text.vector(made)}.")
    page.get_by_role("button", name=TOKENS[0], exact=True).click()
    assert said(page) == first and entry.all_text_contents() == ["1", "0", "0"]


def test_a_row_of_r_that_stops_says_why(show):
    """Where R would have no inverse the handle stays behind the hand; the line says so until it is let go."""
    page = show([widgets.Gauge([[1, 0], [0, 1]], [[1, 1], [0, 1]], ["a", "b"], ["c", "d"])])
    grip = page.get_by_role("slider", name="row 2 of R").locator("circle").last
    line = page.locator(".attn-origin")
    before = line.text_content()
    page.mouse.move(*middle(grip))
    page.mouse.down()
    plane = page.locator(".attn-plane").first.bounding_box()
    page.mouse.move(plane["x"] + plane["width"] / 2, plane["y"] + plane["height"] / 2, steps=4)  # to zero
    assert line.text_content() == "R₂ stops: there both rows would lie on one line, and R would have no inverse."
    page.mouse.up()
    assert line.text_content() == before
