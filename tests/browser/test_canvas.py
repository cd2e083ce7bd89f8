"""The canvas of a head as a person sees it: what stays, what flies where, and who may drive it."""

import numpy as np
import pytest
from figurepage import grid, middle, said
from sampled import also
from worked import HOSTILE, TOKENS, W_K, W_Q, W_V, X, every_widget, head

from attn import senses
from attn.show import widgets

pytestmark = pytest.mark.browser
BYTES = widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS)
SINCE = {"X": 0, "Q": 1, "K": 1, "V": 1, "S": 2, "A": 4, "Y": 5}


def bank():
    """The protagonist, reading a sentence."""
    trained, words = senses.load(), "she sat by the river bank".split()
    rows = trained.w_e[[trained.words.index(word) for word in words]]
    return widgets.Pipeline(rows, trained.w_q, trained.w_k, trained.w_v, words, focus=5)


def board(page, name):
    """One of the seven matrices."""
    return page.locator(f"[data-board={name}]")


def scrub(page, time):
    """Drag the scrubber to a time between two stages."""
    page.get_by_role("slider").evaluate(
        "(slider, time) => { slider.value = time; slider.dispatchEvent(new Event('input')) }", time
    )


def flying(page):
    """What is in the air: its text, its left, top, width and height on the screen."""
    return page.locator(".attn-ghost:visible").evaluate_all(
        """ghosts => ghosts.map((ghost) => {
            const { left, top, width, height } = ghost.getBoundingClientRect();
            return [ghost.textContent, left, top, width, height];
        })"""
    )


def boxes(page):
    """Where every cell stands, relative to the canvas."""
    return np.array(
        page.evaluate(
            """() => {
                const base = document.querySelector(".attn-canvas").getBoundingClientRect();
                return [...document.querySelectorAll(".attn-canvas td[data-at]")].map((cell) => {
                    const { left, top, width, height } = cell.getBoundingClientRect();
                    return [left - base.left, top - base.top, width, height];
                });
            }"""
        )
    )


@pytest.mark.parametrize("width", [390, also(1280)])
def test_every_matrix_stays_where_it_is_from_the_first_stage_to_the_last(show, width):
    for widget in (BYTES, bank()):
        page = show([widget], width=width, reduced_motion="reduce")
        page.evaluate("document.querySelectorAll('.attn-canvas td').forEach((cell, k) => (cell.mine = k))")
        before = boxes(page)
        for _ in range(6):
            page.get_by_role("button", name="Next").click()
            np.testing.assert_allclose(boxes(page), before, atol=0.6)
        same = "[...document.querySelectorAll('.attn-canvas td')].every((cell, k) => cell.mine === k)"
        assert page.evaluate(same) and "Stage 7 of 7" in said(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_stage_shows_its_numbers_and_those_before_it(show):
    rng = np.random.default_rng(3)
    made = [BYTES, widgets.Pipeline(*head(rng), mask=np.tri(5, dtype=bool))]
    for widget in made:
        page = show([widget], reduced_motion="reduce")
        for stage in range(7):
            truth = dict(X=widget.X, Q=widget.Q, K=np.transpose(widget.K), V=widget.V, A=widget.weights)
            truth |= dict(S=widget.scaled if stage > 2 else widget.scores, Y=widget.output)
            for name, since in SINCE.items():
                if since > stage:
                    assert set(board(page, name).locator("td[data-at]").all_text_contents()) == {"·"}
                elif name == "S" and stage > 2 and not np.isfinite(truth["S"]).all():
                    masked = board(page, name).locator("td[data-gone]").all_text_contents()
                    assert masked == ["−∞"] * 10
                else:
                    cells = board(page, name).locator("td[data-at]").all_text_contents()
                    told = [float(cell.replace("−", "-")) for cell in cells]
                    exact = np.ravel(truth[name])  # from 10 on, whole numbers
                    assert (np.abs(told - exact) < np.where(np.abs(exact) < 9.95, 0.051, 0.5)).all(), name
            if stage < 6:
                page.get_by_role("button", name="Next").click()


@pytest.mark.parametrize("width", [390, also(1280)])
def test_of_many_words_only_the_followed_one_s_numbers_are_written_the_others_until_asked_for(show, width):
    page = show([bank()], width=width, reduced_motion="reduce")
    for _ in range(6):
        page.get_by_role("button", name="Next").click()
    seen = "(cells) => cells.map((cell) => !/rgba.*, 0\\)$|\\/ 0\\)$/.test(getComputedStyle(cell).color))"
    for name in "QSAY":
        shown = board(page, name).locator("td[data-at]").evaluate_all(seen)
        rows = np.reshape(shown, (6, -1))
        assert rows[5].all() and not rows[:5].any(), name
    for name in "KV":  # all that its row is made of, what rounds to zero too
        assert all(board(page, name).locator("td[data-at]").evaluate_all(seen)), name
    other = board(page, "A").locator("td[data-at='0,1']")
    other.hover()
    assert other.evaluate(f"(cell) => ({seen})([cell])[0]")
    page.get_by_role("button", name="sat", exact=True).click()
    assert np.reshape(board(page, "A").locator("td[data-at]").evaluate_all(seen), (6, -1))[1].all()
    small = "all => all.filter((one) => parseFloat(getComputedStyle(one).fontSize) < 11).length"
    assert page.locator(".attn-canvas :is(th, .attn-heap span, .attn-heap i)").evaluate_all(small) == 0


def test_a_query_lies_down_on_each_key_and_the_products_fall_into_the_cell(show):
    page = show([BYTES])
    keys = board(page, "K").locator("td[data-at]")
    target = board(page, "S").locator("td[data-at='0,1']")
    # LEAD is 0.8, three keys with an overlap of 1.2: the second key's turn is over (j + p·1.2) / 3.2
    when = lambda p: 1 + 0.8 * (1 + 1.2 * p) / 3.2  # noqa: E731
    scrub(page, when(0.45))
    lying = flying(page)
    assert [told for told, *_ in lying] == ["2", "0", "1"]  # the query of “I”
    places = [keys.nth(3 * c + 1).bounding_box() for c in range(3)]
    np.testing.assert_allclose([one[1:3] for one in lying], [[box["x"], box["y"]] for box in places], atol=1.5)
    assert board(page, "S").locator("td[data-at='0,0']").text_content() == "1"
    assert target.text_content() == "·"
    assert "2·2 + 0·1 + 1·1 = 5" in page.locator(".attn-origin").text_content()
    seen = []
    for p in np.linspace(0.62, 1, 9):
        scrub(page, when(p))
        seen.append(float(target.text_content()))
    assert seen[0] == 0 and seen[-1] == 5 and seen == sorted(seen) and 1 in seen  # 1·1 falls first, 2·2 last
    assert board(page, "S").locator("td[data-at='1,1']").text_content() == "·"  # the other rows come later


def test_the_weighted_values_stack_to_exactly_one_row(show):
    for widget, row in ((BYTES, 0), (bank(), 5)):
        page = show([widget], width=1000)
        scrub(page, 4.79)
        cell = board(page, "Y").locator(f"td[data-at='{row},0']").bounding_box()
        column = [one for one in flying(page) if abs(one[1] - cell["x"]) < 2]
        assert sum(one[4] for one in column) == pytest.approx(cell["height"], abs=1.5)
        np.testing.assert_allclose(
            [one[4] / cell["height"] for one in column], [a for a in widget.weights[row] if a > 0.01], atol=0.05
        )
        scrub(page, 5)
        assert flying(page) == []
        assert float(board(page, "Y").locator(f"td[data-at='{row},0']").text_content()) == pytest.approx(
            widget.output[row, 0], abs=0.006 if abs(widget.output[row, 0]) < 1 else 0.051
        )


def test_next_glides_and_arrives(show):
    page = show([BYTES])
    page.get_by_role("button", name="Next").click()
    page.wait_for_function("document.querySelectorAll('.attn-ghost:not([hidden])').length > 3")
    assert said(page).startswith("Stage 2 of 7")
    page.wait_for_function("document.querySelectorAll('.attn-ghost:not([hidden])').length === 0")
    assert grid(board(page, "Q").locator("table")) == BYTES.Q.tolist()


def test_next_between_two_stages_goes_one_on(show):
    page = show([BYTES], reduced_motion="reduce")
    scrub(page, 1.3)
    assert said(page).startswith("Stage 3 of 7")  # it is being computed
    page.get_by_role("button", name="Next").click()
    assert said(page).startswith("Stage 4 of 7")
    assert page.locator(".attn-step").text_content() == "4 of 7: scaling"


def test_readers_who_want_no_motion_get_none(show):
    page = show([BYTES], reduced_motion="reduce")
    page.evaluate(
        """() => {
            window.flown = 0;
            const layer = document.querySelector(".attn-layer");
            new MutationObserver(() => (window.flown += 1)).observe(layer, { childList: true, subtree: true });
        }"""
    )
    for _ in range(6):
        page.get_by_role("button", name="Next").click()
    assert page.evaluate("window.flown") == 0 and "Stage 7 of 7" in said(page)


def test_the_keys_drive_it(show):
    page = show([BYTES])
    slider = page.get_by_role("slider", name="way through the head")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert said(page).startswith("Stage 2 of 7") and flying(page) == []
    page.keyboard.press("ArrowRight")
    assert said(page).startswith("Stage 3 of 7") and len(flying(page)) >= 3
    assert slider.get_attribute("aria-valuetext") == "scores"
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.attn-say').textContent.startsWith('Stage 7')")


@pytest.mark.prove
def test_scrolling_drives_the_first_while_the_window_holds_all_of_it(show):
    page = show([bank(), BYTES], height=800)
    page.wait_for_function("document.querySelector('.attn-live').style.position === 'sticky'")
    first, second = page.locator(".attn-figure").all()
    spared = first.bounding_box()["height"] - first.locator(".attn-live").bounding_box()["height"]
    assert 400 < spared < 800  # less than one window to scroll past it
    assert second.bounding_box()["height"] == second.locator(".attn-live").bounding_box()["height"]
    page.mouse.move(640, 400)
    places, stages, whole = [], [], []
    for _ in range(40):
        page.mouse.wheel(0, 40)
        page.wait_for_timeout(60)
        box = first.locator(".attn-live").bounding_box()
        whole.append(box["y"] >= 0 and box["y"] + box["height"] <= 800)
        places.append(middle(board(first, "S"))[1])
        stages.append(int(said(page)[6]))
    assert stages == sorted(stages) and stages[-1] == 7 and set(stages) >= {2, 3, 4, 5, 6}
    moving = [k for k, stage in enumerate(stages) if 2 < stage < 7]
    assert np.ptp([places[k] for k in moving]) < 2 and all(whole[k] for k in moving)
    assert said(page, 1).startswith("Stage 1 of 7")
    for _ in range(40):
        page.mouse.wheel(0, -40)
        page.wait_for_timeout(30)
    assert said(page).startswith("Stage 1 of 7")


def rested(page):
    """Wait until nothing moves any more.   -> the stage of the label (1…7), and where the scrubber stands (0…6)"""
    page.wait_for_timeout(250)
    page.evaluate("window.still = 0")
    page.wait_for_function(
        """() => {
            const { value } = document.querySelector("input[type=range]");
            window.still = window.before === value ? window.still + 1 : 0;
            window.before = value;
            return window.still === 3;  // a busy machine may miss a frame or two
        }""",
        polling=200,
    )
    label = page.locator(".attn-step").first.text_content()
    return int(label[0]), float(page.get_by_role("slider").first.input_value())


def test_where_scrolling_stops_the_head_rests_on_a_whole_stage_and_its_numbers_are_those_of_the_label(show):
    widget = bank()
    page = show([widget, BYTES], height=800)
    page.wait_for_function("document.querySelector('.attn-live').style.position === 'sticky'")
    assert "Scrolling moves it" in page.locator(".attn-title").first.text_content()
    live, top = page.locator(".attn-live").first, widget.weights[5].argmax()
    score, large = board(live, "S").locator(f"td[data-at='5,{top}']"), live.locator(".attn-hero > strong")
    page.mouse.move(640, 400)
    stages = []
    for _ in range(9):
        page.mouse.wheel(0, 70)  # somewhat more than half the way from a stage to the next
        stage, time = rested(page)
        assert time == stage - 1
        stages.append(stage)
        if stage in (3, 4):
            exact = (widget.scores if stage == 3 else widget.scaled)[5, top]
            assert float(score.text_content()) == pytest.approx(exact, abs=0.051)
            assert large.text_content() == score.text_content()
    assert stages == sorted(stages) and {3, 4} <= set(stages)


def test_while_scrolling_the_words_are_those_of_what_moves_on_its_way_back_too(show):
    page = show([bank(), BYTES], height=800)
    page.wait_for_function("document.querySelector('.attn-live').style.position === 'sticky'")
    page.evaluate(
        """() => {
            window.seen = [];
            const [label, slider] = [".attn-step", "input[type=range]"];
            const look = () => {
                const on = [...document.querySelectorAll(".attn-about")[0].querySelectorAll(".attn-note")];
                window.seen.push([Number(document.querySelector(slider).value),
                    parseInt(document.querySelector(label).textContent),
                    on.findIndex((one) => one.hasAttribute("data-on")) + 1,
                    parseInt(document.querySelector(".attn-say").textContent.slice(6))]);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    page.mouse.move(640, 400)
    for by in (170, 130):  # each ends somewhat past a stage, and goes back to it
        page.mouse.wheel(0, by)
        rested(page)
    seen = [one for one in page.evaluate("window.seen") if 0.03 < one[0] % 1 < 0.97]
    assert len(seen) > 10
    for time, *told in seen:
        assert told == [int(np.ceil(time)) + 1] * 3, (time, told)


@pytest.mark.parametrize("width", [902, 390])
def test_at_the_end_all_matrices_are_seen_and_nothing_lies_on_them(show, width):
    page = show([widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=6)], width=width, reduced_motion="reduce")
    for name in "XQKVSAY":
        assert board(page, name).evaluate("one => Number(getComputedStyle(one).opacity)") == 1, name
    assert page.locator(".attn-heap").is_hidden()
    page.get_by_role("button", name="Back").click()
    assert page.locator(".attn-heap").is_visible()
    looks = (
        "one => [getComputedStyle(one).opacity, getComputedStyle(one.querySelector('td')).backgroundImage !== 'none']"
    )
    for name in "QS" if width > 500 else "K":  # what has made the weights steps back in its colours, not in its words
        assert board(page, name).evaluate(looks) == ["1", True], name


def test_the_stack_is_there_while_the_label_says_the_weighted_sum_and_no_longer(show):
    page = show([widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=6)], width=902, reduced_motion="reduce")
    page.get_by_role("slider").focus()
    for _ in range(6):  # a quarter of a stage each, back to the middle of the stacking
        sums = "6 of 7" in page.locator(".attn-step").text_content()
        assert page.locator(".attn-heap").is_visible() == sums == said(page).startswith("Stage 6")
        page.keyboard.press("ArrowLeft")
    assert sums


def test_on_a_phone_the_followed_word_has_a_taller_row_in_every_matrix_and_its_numbers_land_in_it(show):
    page = show([bank()], width=390, reduced_motion="reduce")
    for word, row in (("bank", 5), ("the", 3)):
        page.get_by_role("button", name=word, exact=True).click()
        for name in "XQVSAY":
            cells = board(page, name).locator("tr > td[data-at$=',0']")
            tall = cells.evaluate_all("all => all.map((cell) => cell.getBoundingClientRect().height)")
            assert np.argmax(tall) == row and tall[row] >= 19 > sorted(tall)[-2], name
        scrub(page, 4.79)
        cell = board(page, "Y").locator(f"td[data-at='{row},0']").bounding_box()
        heap = [one for one in flying(page) if abs(one[1] - cell["x"]) < 2]
        assert min(one[2] for one in heap) == pytest.approx(cell["y"], abs=1.5)
        assert sum(one[4] for one in heap) == pytest.approx(cell["height"], abs=1.5)


def test_a_small_head_s_stack_says_whose_share_each_row_is(show):
    for width in (390, 902):
        page = show([widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=5)], width=width, reduced_motion="reduce")
        told = [one for one in page.locator(".attn-heap > :first-child > span").all_text_contents() if one]
        assert told == ["7% of I", "71% of love", "22% of AI"]
    keys, heap = board(page, "K"), page.locator(".attn-heap")
    unseen = "one => Number(getComputedStyle(one).opacity)"
    page.wait_for_timeout(400)
    assert keys.evaluate(unseen) == 0 and heap.is_visible()
    keys.locator("td[data-at]").first.hover()  # it is there when it is asked for
    page.wait_for_timeout(400)
    assert keys.evaluate(unseen) == 1 and not heap.is_visible()


def test_projections_name_the_matrices_that_make_them(show):
    page = show([BYTES], width=902)
    names = lambda: [board(page, name).locator("caption").text_content() for name in "QKV"]  # noqa: E731
    assert names() == ["Q queries", "Kᵀ keys", "V values"]
    for time in (0.4, 1):
        scrub(page, time)
        assert names() == ["Q = X WQ", "Kᵀ = (X WK)ᵀ", "V = X WV"]
    scrub(page, 1.5)
    assert names() == ["Q queries", "Kᵀ keys", "V values"]


def test_no_number_is_told_as_a_power_of_ten(show):
    tiny = widgets.Pipeline(np.eye(2), np.eye(2), np.eye(2), [[1e-5, 2], [5e-4, -3e-4]], ["a", "b"], stage=1)
    page = show([tiny])
    assert said(page) == repr(tiny) and repr(tiny).endswith("hands over v = (≈0, 2).")


def test_who_presses_drives_and_the_scrolling_no_longer_does(show):
    page = show([bank(), BYTES], height=800)
    page.wait_for_function("document.querySelector('.attn-live').style.position === 'sticky'")
    page.get_by_role("button", name="Next").first.click()
    assert rested(page) == (2, 1)
    assert "Scrolling" not in page.locator(".attn-title").first.text_content()
    page.mouse.move(640, 400)
    page.mouse.wheel(0, 260)
    assert rested(page) == (2, 1) and page.evaluate("window.scrollY") == 260


def test_who_presses_in_mid_scroll_keeps_the_figure_in_place_and_has_the_page_to_scroll_again(show):
    page = show([bank(), BYTES], height=800)
    page.wait_for_function("document.querySelector('.attn-live').style.position === 'sticky'")
    page.mouse.move(640, 400)
    page.mouse.wheel(0, 420)
    stage, _ = rested(page)
    first, live = page.locator(".attn-figure").first, page.locator(".attn-live").first
    place = live.bounding_box()["y"]
    page.get_by_role("button", name="Next").first.click()
    assert rested(page)[0] == stage + 1 and abs(live.bounding_box()["y"] - place) < 1
    assert first.bounding_box()["height"] == live.bounding_box()["height"]
    page.mouse.move(640, 400)
    page.mouse.wheel(0, 100)
    page.wait_for_function(
        "y => Math.abs(document.querySelector('.attn-live').getBoundingClientRect().y - y) < 1", arg=place - 100
    )
    assert rested(page)[0] == stage + 1


def test_a_finished_head_opens_where_the_scrolling_has_it(show):
    widget = bank()
    done = widgets.Pipeline(widget.X, widget.W_Q, widget.W_K, widget.W_V, widget.tokens, stage=6, focus=5)
    page = show([done, BYTES], height=800)
    page.wait_for_function("document.querySelector('.attn-live').style.position === 'sticky'")
    assert rested(page) == (1, 0)


def test_a_head_that_opens_on_its_way_waits_for_the_press(show):
    widget = bank()
    opened = widgets.Pipeline(widget.X, widget.W_Q, widget.W_K, widget.W_V, widget.tokens, stage=2, focus=5)
    page = show([opened, BYTES], height=800)
    page.mouse.move(640, 400)
    for _ in range(4):
        page.mouse.wheel(0, 130)
        assert rested(page) == (3, 2)
    title = page.locator(".attn-title").first.text_content()
    assert "Press Next" in title and "Scrolling" not in title
    page.evaluate("window.scrollTo(0, 0)")
    page.get_by_role("button", name="Next").first.click()
    assert rested(page) == (4, 3)


def test_a_score_on_its_way_to_the_next_stage_is_the_same_wherever_it_is_told(show):
    page = show([bank()])
    top = bank().weights[5].argmax()
    for time in (2.25, 2.5, 2.75, 3):
        scrub(page, time)
        told = board(page, "S").locator(f"td[data-at='5,{top}']").text_content()
        assert page.locator(".attn-hero > strong").text_content() == told, time


@pytest.mark.parametrize(("width", "height"), [(390, 700), (1280, 560)])
def test_a_canvas_that_the_window_cannot_hold_scrolls_like_the_page(show, width, height):
    page = show([bank()], width=width, height=height)
    page.wait_for_function("document.querySelector('.attn-formula').offsetHeight > 0")
    page.wait_for_timeout(100)
    figure = page.locator(".attn-figure").bounding_box()
    assert figure["height"] == page.locator(".attn-live").bounding_box()["height"] > height
    page.mouse.move(width / 2, 300)
    for _ in range(10):
        page.mouse.wheel(0, 90)
        page.wait_for_timeout(30)
    assert said(page).startswith("Stage 1 of 7")


def test_the_figure_fits_a_window_and_its_formula_a_line(show):
    page = show([bank()], width=904)  # as wide as the site makes it in a window of 1280
    assert page.locator(".attn-live").bounding_box()["height"] <= 740
    tops = page.locator(".attn-formula span").evaluate_all("spans => spans.map((span) => span.offsetTop)")
    right = page.locator(".attn-formula span").last.bounding_box()
    assert max(tops) - min(tops) < 4
    first = board(page, "V").bounding_box()
    assert right["x"] + right["width"] < first["x"]
    key = board(page, "K").bounding_box()
    assert right["y"] + right["height"] < key["y"]  # above what it multiplies, in a line of its own


# Which words of the canvas lie below something that is in the air, and are not above it
COVERED = """() => {
    const canvas = document.querySelector(".attn-canvas");
    const all = "caption, th > bdi, .attn-note[data-on], .attn-formula span, .attn-hero, .attn-heap span";
    const words = [...canvas.querySelectorAll(all)];
    const air = [...canvas.querySelectorAll(".attn-ghost:not([hidden])")].map((one) => one.getBoundingClientRect());
    const above = (word) => [word, word.parentNode].some((one) => {
        const { position, zIndex } = getComputedStyle(one);
        return position !== "static" && Number(zIndex) > 2;
    });
    return words.filter((word) => {
        const a = word.getBoundingClientRect();
        const across = (b) => b.left < a.right - 1 && b.right > a.left + 1;
        const meets = (b) => across(b) && b.top < a.bottom - 1 && b.bottom > a.top + 1;
        return word.checkVisibility({ visibilityProperty: true }) && air.some(meets) && !above(word);
    }).map((word) => word.textContent);
}"""


@pytest.mark.parametrize("width", [390, also(904)])
def test_nothing_that_flies_covers_a_word(show, width):
    for widget in (BYTES, bank()):
        page = show([widget], width=width)
        seen = 0
        for time in np.arange(0.05, 6, 0.15):
            scrub(page, float(time))
            seen += len(flying(page))
            assert page.evaluate(COVERED) == [], time
        assert seen > 50


@pytest.mark.parametrize("width", [390, also(904)])
def test_queries_keys_and_values_unfold_where_they_stand_while_their_row_is_ringed(show, width):
    page = show([bank()], width=width)
    cells = np.array([list(cell.bounding_box().values()) for cell in page.locator(".attn-canvas td[data-at]").all()])
    for time in np.linspace(0.02, 0.98, 12):
        scrub(page, float(time))
        rings = page.locator(".attn-ghost[data-ring]:visible")
        assert rings.count() in (1, 2)
        row = board(page, "X").locator("tr", has=page.locator("td[data-at]")).all()
        tops = [one.bounding_box()["y"] for one in row]
        assert min(abs(rings.first.bounding_box()["y"] - top) for top in tops) < 3
        for told, left, top, wide, _ in flying(page):
            if wide < 80:  # one number, in its own place
                near = np.abs(cells[:, :3] - [left, top, wide]).max(axis=1)
                assert near.min() < 1.5, (time, told)
    assert "query, key and value" in page.locator(".attn-origin").text_content()


def test_on_a_phone_every_stage_is_on_the_screen_with_what_is_said_of_it(show):
    for widget in (BYTES, bank()):
        page = show([widget], width=390, height=844, reduced_motion="reduce")
        live = page.locator(".attn-live")
        head = 60  # the site's own line
        page.add_style_tag(content=f"body {{ padding: {head}px 8px 844px }}")
        live.evaluate(f"live => window.scrollTo(0, live.getBoundingClientRect().top + window.scrollY - {head})")
        step, press = page.locator(".attn-step"), page.get_by_role("button", name="Next")
        letters = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        for stage, names in enumerate(("X", "QKV", "QKS", "S", "SA", "AVY", "XY")):
            parts = {name: board(page, name) for name in names}
            parts |= {what: page.locator(f".attn-{what}") for what in ("title", "formula", "foot")}
            parts |= dict(step=step, press=press, note=page.locator(".attn-about .attn-note[data-on]"))
            for what, part in parts.items():
                box = part.bounding_box()
                assert head <= box["y"] and box["y"] + box["height"] <= 844, (stage, what, box)
            for name in names.replace("X", ""):
                assert min(board(page, name).locator("td[data-at]").evaluate_all(letters)) >= 11, (stage, name)
            press.evaluate("button => button.click()")
        live.evaluate("live => window.scrollBy(0, 200)")  # a window that holds less of it keeps the buttons
        box = press.bounding_box()
        assert 40 < box["y"] < 80


def test_on_a_phone_no_name_of_a_matrix_lies_over_the_buttons_that_stay(show):
    page = show([bank()], width=390, height=600)
    bar = page.locator(".attn-piloted")
    page.evaluate("document.body.style.paddingBottom = '900px'")
    start, hidden = page.evaluate("document.querySelector('.attn-canvas').getBoundingClientRect().top"), []
    for down in range(0, 460, 20):
        page.evaluate(f"scrollTo(0, {start + down - 160})")
        hidden += bar.evaluate("""bar => [...bar.querySelectorAll("button, input, .attn-step")].filter((part) => {
            const box = part.getBoundingClientRect();
            const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return box.width && above && !bar.contains(above);
        }).map((part) => part.textContent || part.tagName)""")
    assert not hidden


def test_on_a_phone_the_buttons_keep_their_places_to_the_end(show):
    page = show([bank()], width=390)
    places = lambda: page.locator(".attn-stepper button").evaluate_all(  # noqa: E731
        "all => all.slice(0, 3).map((one) => one.getBoundingClientRect().x)"
    )
    first = places()
    scrub(page, 6)
    assert said(page).startswith("Stage 7 of 7") and places() == first


@pytest.mark.parametrize("width", [390, also(902)])
def test_what_is_not_computed_yet_is_a_place_with_a_name_and_no_table_of_empty_cells(show, width):
    page = show([bank()], width=width, reduced_motion="reduce")
    for stage in range(7):
        shown = page.locator(".attn-ahead:visible")
        assert shown.count() == sum(since > stage for since in SINCE.values()), stage
        fits = "all => all.every((one) => one.clientHeight >= one.scrollHeight && one.clientWidth >= one.scrollWidth)"
        assert shown.evaluate_all(fits)
        over = """([cells, places]) => cells.map((cell) => {
            const [a, ...all] = [cell, ...places].map((one) => one.getBoundingClientRect());
            const across = (b) => b.left < a.left + 1 && b.right > a.right - 1;
            const inside = (b) => across(b) && b.top < a.top + 1 && b.bottom > a.bottom - 1;
            return all.some(inside);
        })"""
        for name, since in SINCE.items():
            cells = board(page, name).locator("td[data-at]")
            under = page.evaluate(over, [cells.element_handles(), shown.element_handles()])
            assert set(under) == {since > stage}, (stage, name)
        page.get_by_role("button", name="Next").evaluate("button => button.click()")


def test_a_number_of_the_canvas_tells_what_it_is_made_of(show):
    page = show([BYTES], reduced_motion="reduce")
    origin = page.locator(".attn-origin")
    board(page, "Y").locator("td[data-at='0,1']").hover()
    assert origin.text_content().startswith("Point at a number")  # not computed yet
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("End")
    for name, at, told, glow in [
        ("K", "0,1", "2 = 0·0 + 1·1 + 0·0 + 1·1", 4),
        ("S", "0,1", "2.887 = (2·2 + 0·1 + 1·1) / √3", 6),
        ("Y", "0,1", "1.637 = 0.070·0 + 0.707·2 + 0.223·1", 6),
    ]:
        board(page, name).locator(f"td[data-at='{at}']").hover()
        assert origin.text_content() == told
        assert page.locator("td[data-source]").count() == glow
    board(page, "A").locator("td[data-at='2,0']").click()  # a row that is pressed is followed
    assert "“AI” entered" in said(page)


def test_long_sentences_and_hostile_names_fit(show):
    rng = np.random.default_rng(1)
    many = widgets.Pipeline(*head(rng, n=32), [f"w{i}" for i in range(32)], stage=5)
    page = show([many, widgets.Pipeline(*head(rng, n=len(HOSTILE)), HOSTILE)], width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    scrub_to = "(s) => { s.value = 4.5; s.dispatchEvent(new Event('input')) }"
    page.get_by_role("slider").first.evaluate(scrub_to)
    assert len(flying(page)) > 2


@pytest.mark.prove
def test_a_long_sentence_is_a_picture_for_the_eye_and_numbers_for_a_voice(show):
    whole = widgets.Pipeline(*head(np.random.default_rng(1), n=32))
    page = show([whole], reduced_motion="reduce")
    for _ in range(6):
        page.get_by_role("button", name="Next").click()
    page.wait_for_function("!['', '·'].includes(document.querySelector('[data-board=Y] td[data-at]').textContent)")
    truth = dict(X=whole.X, Q=whole.Q, K=np.transpose(whole.K), V=whole.V, S=whole.scaled, A=whole.weights)
    for name, numbers in (truth | dict(Y=whole.output)).items():
        told = grid(board(page, name).locator("table"))
        np.testing.assert_allclose(told, numbers, atol=6e-4)
        pixels = (
            board(page, name)
            .locator("canvas")
            .evaluate("e => [...e.getContext('2d').getImageData(0, 0, e.width, e.height).data]")
        )
        red, alpha = np.reshape(pixels, (*np.shape(numbers), 4))[..., [0, 3]].transpose(2, 0, 1)
        if name == "A":
            np.testing.assert_allclose(alpha / 255, numbers, atol=0.005)
        else:
            clear = np.abs(numbers) > 0.01
            assert ((red > 200) == (np.array(numbers) < 0))[clear].all()  # orange below zero
            assert alpha.ravel()[np.argmax(np.abs(numbers))] == alpha.max()
        cells = board(page, name).locator("td[data-at]")
        cell, picture = (part.bounding_box() for part in (cells.last, board(page, name).locator("canvas")))
        for place, size in (("x", "width"), ("y", "height")):
            assert cell[place] + cell[size] == pytest.approx(picture[place] + picture[size], abs=0.6)


def test_no_cell_of_a_long_sentence_is_touched_while_it_moves(show):
    page = show([widgets.Pipeline(*head(np.random.default_rng(1), n=32), stage=6)])
    page.wait_for_function("document.querySelector('[data-board=Y] td[data-at]').textContent")
    touched = """(from) => {
        const slider = document.querySelector("input[type=range]");
        const line = document.querySelector(".attn-origin").firstChild;
        const watch = new MutationObserver(() => {});
        const all = { subtree: true, childList: true, attributes: true, characterData: true };
        watch.observe(document.querySelector(".attn-canvas"), all);
        for (let k = 1; k < 10; k++) {
            slider.value = from + k / 10;
            slider.dispatchEvent(new Event("input"));
        }
        const kept = document.querySelector(".attn-origin").firstChild === line && line.isConnected;
        const cell = ({ target }) => (target.closest ? target : target.parentNode).closest("td");
        return [kept, watch.takeRecords().filter(cell).length];
    }"""
    for stage in range(6):
        assert page.evaluate(touched, stage) == [True, 0], stage


def changed(page, figure, told):
    """Press one control after the other, and move what moves by keys, until the figure says something else."""
    parts = figure.locator("button:not([aria-pressed='true'], [aria-disabled='true']), td[data-at], [role='slider']")
    for part in [*figure.locator("input[type='range']").all(), *parts.all()]:
        if "again" in part.text_content() or not part.is_visible():
            continue
        part.focus()
        for key in ("Enter", "ArrowRight", "ArrowLeft", "ArrowDown"):
            page.keyboard.press(key)
            page.wait_for_timeout(20)
            if figure.locator(".attn-say").text_content() != told:
                return
    raise AssertionError(f"nothing changes: {told}")


def face(figure):
    """What a reader sees of a figure's state: its numbers, what is chosen, its sliders, and what is drawn."""
    return figure.evaluate("""figure => {
        const all = (what, told) => [...figure.querySelectorAll(what)].filter((one) => one.checkVisibility()).map(told);
        return [
            ...all("td, .attn-value, strong, .attn-plane text[data-tone]", (one) => one.textContent),
            ...all("tr, th, td, li, span", (one) => ["on", "pick"].some((name) => name in one.dataset)),
            ...all("input", (one) => one.value),
            ...all("button[aria-pressed]", (one) => one.getAttribute("aria-pressed")),
            ...all(".attn-fill, .attn-part, .attn-level, .attn-cursor", (one) => one.getAttribute("style")),
            ...all(".attn-mark[data-kind=point] > *", (one) => one.getAttribute("transform")),
            ...all(".attn-filled rect", (one) => one.getAttribute("height")),
        ];
    }""")


@pytest.mark.parametrize("stride", [4, also(1)])
def test_every_figure_has_one_way_back_to_its_first_state(show, stride):
    for widget in every_widget()[::stride]:
        if widget.view in ("predict", "pipeline"):  # a guess is no state to go back to; the canvas is below
            continue
        page = show([widget], reduced_motion="reduce")
        figure = page.locator(".attn-live")
        back = figure.get_by_role("button", name="Start again")
        if figure.get_by_role("group", name="Steps").count():
            back.click()  # steps start again at the first
        told, first = said(page), face(figure)
        changed(page, figure, told)
        assert face(figure) != first, widget.view
        assert back.count() == 1, widget.view
        back.click()
        page.wait_for_timeout(30)
        assert said(page) == told, widget.view
        assert face(figure) == first, widget.view
        page.context.close()


def test_the_canvas_starts_again_where_it_came(show):
    page = show([bank()], reduced_motion="reduce")
    before = said(page)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="sat").click()
    page.get_by_role("button", name="Start again").click()
    assert said(page) == before


def test_a_stage_of_many_words_styles_captions_not_cells(show):
    rng = np.random.default_rng(0)
    page = show([widgets.Pipeline(rng.normal(size=(32, 8)), *rng.normal(size=(3, 8, 3)))])
    page.wait_for_timeout(800)
    # what is written once all rests is no matter of a stage: on a busy machine it would come between two of them
    page.evaluate("() => { const after = setTimeout; window.setTimeout = (f, ms) => after(f, ms < 200 ? ms : 1e6); }")
    events, ended = [], []
    tracer = page.context.new_cdp_session(page)
    tracer.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    tracer.on("Tracing.tracingComplete", lambda _: ended.append(True))
    tracer.send("Tracing.start", {"transferMode": "ReportEvents", "categories": "devtools.timeline"})
    for _ in range(4):
        page.get_by_role("button", name="Next").click()
        page.wait_for_timeout(100)  # on its way already
    tracer.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    styled = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    print(sorted(styled)[-8:])
    assert max(styled) < 600, sorted(styled)[-5:]  # the scores alone have 1024 cells


@pytest.mark.parametrize("width", [904, 390])
def test_rows_that_are_not_followed_are_filled_tiles_and_not_empty_boxes(show, width):
    page = show([bank()], width=width, reduced_motion="reduce")
    for _ in range(6):
        page.get_by_role("button", name="Next").click()
    paper = page.locator(".attn-live").evaluate("one => getComputedStyle(one).backgroundColor")
    looks = "all => all.map((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).outlineColor])"
    for name in "XQSAY":
        tiles = board(page, name).locator("td[data-pale]").evaluate_all(looks)
        assert len(tiles) >= 10
        for ground, edge in tiles:
            assert ground != paper and "0, 0, 0, 0" in edge, name


@pytest.mark.parametrize("few", [False, True])
def test_what_the_stage_does_is_said_directly_under_the_equation_in_letters_of_16_pixels(show, few):
    page = show([BYTES if few else bank()], width=904, reduced_motion="reduce")
    page.add_style_tag(content="html { font-size: 112.5% }")  # the site's letters
    for _ in range(6):
        told = page.locator(".attn-note[data-on]")
        equation, box = page.locator(".attn-formula").bounding_box(), told.bounding_box()
        assert 16 <= float(told.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) < 17
        assert 0 <= box["y"] - equation["y"] - equation["height"] < 16
        assert abs(box["x"] - equation["x"]) < 6
        page.get_by_role("button", name="Next").click()


def test_a_sentence_has_a_few_of_many_numbers(show):
    page = show([bank()], reduced_motion="reduce")
    assert said(page).endswith("“bank” enters as (−1.599, −0.125, 0.911, …).") and said(page) == repr(bank())


@pytest.mark.parametrize("width", [390, also(904)])
def test_what_flies_past_names_carries_no_number_there_and_no_caption_cuts_it_off(show, width):
    page = show([bank()], width=width)
    for name in "QKSAVY":
        caption = board(page, name).locator("caption")
        assert caption.evaluate("one => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    crossed = 0
    for time in np.arange(1.05, 1.8, 0.02):
        scrub(page, float(time))
        names = board(page, "S").locator("caption").bounding_box()
        for told, _, top, _, high in flying(page):
            if names["y"] + 1 < top + high and top < names["y"] + names["height"] - 1:
                crossed += 1
                assert told == "", time
    assert crossed


def test_on_a_phone_the_keys_are_read_as_easily_as_the_scores(show):
    page = show([bank()], width=390, reduced_motion="reduce")
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    keys, scores = (board(page, name).locator("td[data-at]").first for name in "KS")
    assert keys.evaluate(size) >= max(11, scores.evaluate(size))
    assert keys.bounding_box()["height"] > 1.15 * scores.bounding_box()["height"]
