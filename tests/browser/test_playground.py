"""The playground as a reader uses it: presets, masks, challenges, the link, and what a hostile link cannot do."""

import base64
import json

import numpy as np
import pytest
from figurepage import grid, said, write_page
from sampled import some
from worked import HOSTILE

from attn.show import presets, widgets
from attn.show.kit import bundle, text

pytestmark = pytest.mark.browser
WORDS = "do re mi fa do re mi fa".split()
PRESETS = dict(zip(presets.PRESETS, "previous_induction_same_first_uniform_self_window edge".split("_"), strict=True))
PRESETS |= {"previous": "previous token", "same": "same token", "first": "first token"}


MORE = "Presets, masks, moves"  # the fold that holds them


def press(page, *names):
    """Press buttons, after opening what they are folded into."""
    for name in names:
        unfold(page)
        page.get_by_role("button", name=name, exact=True).click()


def unfold(page):
    page.locator("summary", has_text=MORE).evaluate_all("all => all.forEach((one) => (one.parentNode.open = true))")


def shared(page):
    """The state in the link that the Share button makes."""
    press(page, "Share")
    link = page.get_by_label("Link to this state").input_value()
    coded = link.split("#playground=")[1]
    return link, json.loads(base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)))


def board(page, name):
    """One of the six matrices: Q, K (turned, as it stands in the equation), S, A, V, Y."""
    return page.locator(f"[data-board='{name}']")


def cell(page, name, i, j):
    return board(page, name).locator(f"td[data-at='{i},{j}']")


def drag(page, box, by, up=0):
    """Hold the mouse on the middle of a box and move it sideways or up."""
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y - up, steps=6)
    page.mouse.up()


def solved(page):
    return set(page.eval_on_selector_all("[data-solved]", "all => all.map((item) => item.dataset.goal)"))


def test_every_preset_of_the_page_is_python_s(show):
    page = show([widgets.Playground(list("abcadbcab"), window=3)])
    for name, told in PRESETS.items():
        press(page, told)
        ours = widgets.Playground(list("abcadbcab"), preset=name, window=3)
        _, state = shared(page)
        for part in ("Q", "K", "V"):
            np.testing.assert_allclose(state[part], getattr(ours, part), atol=1e-5)
        assert state["mask"] == ours.mask
        np.testing.assert_allclose(grid(board(page, "A")), ours.weights, atol=0.0051)


def test_the_page_makes_presets_masks_and_ranks_as_the_library_does(show):
    page = show([])
    source = bundle.module_source("playground").replace("export default", "export { presets };\nexport default")
    rng = np.random.default_rng(10)
    cases = [[f"t{i}" for i in rng.integers(0, kinds, n)] for n in (1, 2, 7, 33, 128) for kinds in (1, 3, 20)]
    matrices = [(rng.normal(size=(9, r)) @ rng.normal(size=(r, 9))).tolist() for r in range(1, 9)]
    made = page.evaluate(
        """async ([source, cases, names, masks, matrices]) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const { presets } = await import(address);
            return [cases.map((tokens) => names.map((name) => presets.preset(name, tokens, 3))),
                masks.map((name) => presets.pattern(name, 13, 3, 2)), matrices.map(presets.rank)];
        }""",
        [source, cases, presets.PRESETS, presets.PATTERNS, matrices],
    )
    for tokens, states in zip(cases, made[0], strict=True):
        for name, state in zip(presets.PRESETS, states, strict=True):
            ours = presets.preset(name, tokens, window=3)
            for part, value in ours.items():
                if isinstance(value, str):
                    assert state[part] == value
                else:
                    np.testing.assert_allclose(state[part], value, rtol=1e-6, atol=1e-6, err_msg=f"{name} {part}")
    for name, mask in zip(presets.PATTERNS, made[1], strict=True):
        np.testing.assert_array_equal(mask, presets.pattern(name, 13, window=3))
    assert made[2] == [presets.rank(a) for a in matrices] == list(range(1, 9))


@pytest.mark.prove
def test_random_playgrounds_say_what_python_says(show):
    rng = np.random.default_rng(12)
    shown = []
    for mask in ("none", "causal", "window", "prefix", rng.random((9, 9)) < 0.4):
        q, k, v = rng.normal(size=(9, 3)), rng.normal(size=(9, 3)), rng.normal(size=(9, 4))
        options = dict(temperature=rng.uniform(0.1, 3), scale=rng.uniform(0, 3), window=3, row=int(rng.integers(9)))
        shown.append(widgets.Playground(list("abcdefghi"), q, k, v, mask=mask, **options))
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [repr(widget) for widget in shown]
    for index, widget in enumerate(shown):
        figure = page.locator(".attn-live").nth(index)
        shown_as = {"Q": widget.Q, "K": np.transpose(widget.K), "V": widget.V}
        for name, values in (shown_as | {"S": widget.scores, "A": widget.weights, "Y": widget.output}).items():
            np.testing.assert_allclose(grid(board(figure, name)), values, atol=0.051, rtol=0.05)
        i, j = widget.row, widget.col
        told = figure.locator(".attn-told > p").all_text_contents()
        made = text.products(widget.Q[i], widget.K[j])
        _, score, share, about = told
        seen = figure.locator(".attn-told > p").nth(2)
        assert score == f"score {text.number(widget.scores[i, j], 2)} = {text.number(widget.scale)} · ({made})"
        if widget.mask_matrix[i, j]:
            assert repr(widget).endswith(about) and f"entropy is {text.number(widget.entropies[i])} nats" in about
            assert f" = e^{text.number(widget.scores[i, j] / widget.temperature, 1)} / sum" in share
            assert share.startswith("share ") and f" → of v {text.vector(widget.V[j])}" in share
        else:
            assert seen.inner_text() == "masked: takes nothing" and about == ""


def test_a_preset_chooses_its_telling_cell_and_says_what_it_shows(show):
    page = show([widgets.Playground(WORDS, preset="self", row=0, col=3)])
    said = {"previous": "the one before it", "induction": "what followed its last copy", "first": "the first token"}
    unfold(page)
    for name, words in said.items():
        page.get_by_role("group", name="Preset").get_by_role("button").nth(presets.PRESETS.index(name)).click()
        assert page.locator(".attn-title").text_content().endswith(f"Each looks at {words}.")
        key = widgets.Playground(WORDS, preset=name).col
        assert page.locator(".attn-told strong").first.text_content() == f"fa₈ → {WORDS[key]}{'₁₂₃₄₅₆₇₈'[key]}"
    press(page, "Q × 2")
    assert "Drag a number of Q, Kᵀ or V" in page.locator(".attn-title").text_content()


def test_scores_and_weights_are_colour_and_the_chosen_one_says_what_it_is_made_of(show):
    one = widgets.Playground(WORDS, preset="previous", row=7, col=6)
    page = show([one])
    size = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    for name in "SA":
        sizes = board(page, name).locator("td[data-at]").evaluate_all(size)
        assert [k for k, x in enumerate(sizes) if x] == [7 * 8 + 6]  # the chosen cell tells its number
    for name in "QKVY":
        assert min(board(page, name).locator("td[data-at]").evaluate_all(size)) > 9
    large, strip = page.locator(".attn-told strong"), page.locator(".attn-told > p")
    assert large.evaluate_all(size)[1] > 1.3 * strip.last.evaluate_all(size)[0]  # the score
    assert large.all_text_contents() == ["fa₈ → mi₇", text.number(one.scores[7, 6], 2), "≈1", "(7, 3)"]
    told = strip.all_text_contents()
    # no product that is 0
    assert told[:2] == ["fa₈ → mi₇", "score 12 = 0.447 · ((−13.416)·(−1) + 13.416·1)"]
    assert told[2] == "share ≈1 = e^12 / sum → of v (7, 3)" and told[3].startswith("The row sums to 1,")
    cell(page, "S", 2, 5).hover()
    assert large.all_text_contents()[:2] == ["mi₃ → re₆", text.number(one.scores[2, 5], 2)]
    assert strip.nth(2).inner_text() == "masked: takes nothing"  # and nothing of its row
    assert strip.nth(3).text_content() == ""
    cell(page, "A", 7, 0).hover()
    assert large.all_text_contents()[2] == "≈0"
    page.mouse.move(1, 1)
    assert large.all_text_contents()[0] == "fa₈ → mi₇"
    for name in "SA":  # masked, not small
        assert board(page, name).locator("td[data-shut]").count() == 28


def test_names_and_numbers_go_with_the_frame_to_what_is_pointed_at(show):
    page = show([widgets.Playground(WORDS, preset="previous")])
    bold = ".attn-bench :is(tr, thead th)[data-on]"
    size = "all => all.filter((one) => parseFloat(getComputedStyle(one).fontSize)).map((one) => one.dataset.at)"
    on = lambda name: board(page, name).locator("tbody tr[data-on] th").all_text_contents()  # noqa: E731
    column = lambda name: board(page, name).locator("thead th[data-on]").all_text_contents()  # noqa: E731
    assert page.locator(bold).count() and on("Q") == on("A") == ["fa₈"] and column("S") == column("A") == ["mi₇"]
    cell(page, "A", 5, 1).hover()
    assert on("Q") == on("S") == on("A") == on("Y") == ["re₆"] and on("V") == ["re₂"]
    assert column("S") == column("A") == column("K") == ["re₂"]
    for name in "SA":  # the pin stays, and tells its number too
        assert board(page, name).locator("td[data-at]").evaluate_all(size) == ["5,1", "7,6"]
    assert said(page) == repr(widgets.Playground(WORDS, preset="previous"))
    page.mouse.move(1, 1)
    assert on("Q") == ["fa₈"] and board(page, "A").locator("td[data-at]").evaluate_all(size) == ["7,6"]


def test_no_frame_runs_through_a_title(show):
    page = show([widgets.Playground(WORDS, preset="previous")])
    titles = [box(one) for one in page.locator(".attn-bench caption").all()]
    assert len(titles) == 6
    for j in range(8):
        cell(page, "S", 7, j).hover()
        for beam in page.locator(".attn-beam").all():
            left, top, right, bottom = box(beam)
            for title in titles:
                assert right < title[0] or left > title[2] or bottom < title[1] + 1 or top > title[3] - 8


def box(locator):
    found = locator.bounding_box()
    return np.array([found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]])


@pytest.mark.parametrize("n", [8, 10, 32])
def test_the_row_of_q_and_the_column_of_k_meet_at_their_score(show, n):
    page = show([widgets.Playground((4 * WORDS)[:n], preset="previous")], width=902, height=900)
    i, j = 5, 3

    def place(name, row, col):
        if n < 11:
            return box(cell(page, name, row, col))
        left, top, right, bottom = box(board(page, name).locator("canvas"))
        wide, tall = dict(Q=(5, n), K=(n, 5), V=(2, n), Y=(2, n)).get(name, (n, n))
        x, y = (right - left) / wide, (bottom - top) / tall
        return np.array([left + col * x, top + row * y, left + (col + 1) * x, top + (row + 1) * y])

    spot = place("S", i, j)
    for choose in (page.mouse.move, page.mouse.click):  # pointed at, and chosen
        choose(*(spot[:2] + spot[2:]) / 2)
        beams = [box(one) for one in page.locator(".attn-beam").all()]
        ends = [("Q", i, 0, "S", i, j), ("K", 0, j, "K", 4, j), ("A", i, 0, "Y", i, 1), ("V", j, 0, "V", j, 1)]
        ends.append(("S", 0, j, "S", i, j))
        for beam, (one, a, b, other, c, d) in zip(beams, ends, strict=True):
            np.testing.assert_allclose(beam, [*place(one, a, b)[:2], *place(other, c, d)[2:]], atol=0.6)
        page.mouse.move(1, 1)
    assert said(page).startswith(f"“{WORDS[i]}” to “{WORDS[j]}”: ")
    rows = [place(name, i, 0)[1] for name in "QSAY"]
    columns = [[place(name, 0, c)[0] for c in (0, j)] for name in "KS"]
    np.testing.assert_allclose(rows, rows[0], atol=0.6)
    np.testing.assert_allclose(*columns, atol=0.6)
    assert place("K", 4, j)[3] < place("S", 0, j)[1] and place("Q", 0, 4)[2] <= place("S", 0, 0)[0]
    np.testing.assert_allclose(place("V", 0, 1)[0], place("Y", 0, 1)[0], atol=0.6)


@pytest.mark.parametrize("n", [8, 32])
@pytest.mark.parametrize(("name", "token", "dim"), [("Q", 5, 1), ("K", 2, 3), ("V", 6, 1)])
def test_a_number_is_dragged_typed_and_stepped_where_it_stands(show, n, name, token, dim):
    one = widgets.Playground((4 * WORDS)[:n], preset="previous")
    page = show([one], width=902, height=900)
    at = (dim, token) if name == "K" else (token, dim)

    def spot():
        if n < 11:
            return cell(page, name, *at).bounding_box()
        size = dict(Q=(n, 5), K=(5, n), V=(n, 2))[name]
        left, top, right, bottom = box(board(page, name).locator("canvas"))
        wide, tall = (right - left) / size[1], (bottom - top) / size[0]
        return {"x": left + at[1] * wide, "y": top + at[0] * tall, "width": wide, "height": tall}

    value = getattr(one, name)[token][dim]
    pen = page.locator(".attn-bench > input")
    step = max(0.02, np.abs(getattr(one, name)).max() / 200)  # a pixel's worth: the larger the numbers, the more
    drag(page, spot(), 50)
    assert shared(page)[1][name][token][dim] == pytest.approx(value + 50 * step, abs=0.051)
    assert not pen.is_visible() and shared(page)[1]["preset"] == ""
    value = shared(page)[1][name][token][dim]
    drag(page, spot(), 0, 15)
    assert shared(page)[1][name][token][dim] == pytest.approx(value + 15 * step, rel=0.02, abs=0.1)
    value = shared(page)[1][name][token][dim]
    drag(page, spot(), -25, -15)
    assert shared(page)[1][name][token][dim] == pytest.approx(value - 40 * step, rel=0.02, abs=0.1)
    x, y, width, height = spot().values()
    page.mouse.click(x + width / 2, y + height / 2)
    assert pen.get_attribute("aria-label") == f"{name.lower()} of “{(4 * WORDS)[token]}”, d{dim + 1}"
    pen.fill("2.5")
    page.keyboard.press("ArrowUp")
    assert shared(page)[1][name][token][dim] == 2.6
    page.mouse.click(x + width / 2, y + height / 2)
    pen.fill("")  # no number: the last one stays
    page.keyboard.press("Escape")
    state = shared(page)[1]
    assert state[name][token][dim] == 2.6 and not pen.is_visible()
    given = {part: np.array(getattr(one, part)) for part in "QKV"}
    given[name][token, dim] = 2.6
    for part, values in given.items():
        np.testing.assert_allclose(state[part], values, atol=1e-5)


def test_a_finger_drags_a_number_and_the_page_scrolls_on_the_scores_but_where_the_mask_is_painted(show):
    page = show([widgets.Playground(WORDS, preset="previous")], width=390, height=800, has_touch=True)
    thumbs = page.get_by_role("group", name="Show").get_by_role("button")
    touch = "one => getComputedStyle(one).touchAction"
    assert cell(page, "A", 0, 0).evaluate(touch) == "auto"
    unfold(page)
    page.get_by_role("combobox", name="Mask").select_option("paint")
    assert cell(page, "A", 0, 0).evaluate(touch) == "pinch-zoom"
    thumbs.nth(0).tap()
    assert cell(page, "Q", 0, 0).evaluate(touch) == "pan-y"
    at = cell(page, "Q", 3, 1).bounding_box()
    x, y = at["x"] + 9, at["y"] + 9
    finger = page.context.new_cdp_session(page)
    for kind, points in [("touchStart", [(x, y)]), ("touchMove", [(x + 30, y)]), ("touchMove", [(x + 60, y)])]:
        points = [{"x": a, "y": b} for a, b in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    before = widgets.Playground(WORDS, preset="previous").Q[3][1]
    assert shared(page)[1]["Q"][3][1] == pytest.approx(before + 4, abs=0.1)  # 60 of 200 pixels of the largest, 13.4


@pytest.mark.parametrize("way", [[(2, -12), (4, -40)], [(8, 1), (9, 3), None]])
def test_a_finger_that_scrolls_the_page_has_changed_no_number(show, way):
    page = show([widgets.Playground(WORDS, preset="previous")], width=390, height=800, has_touch=True)
    page.get_by_role("group", name="Show").get_by_role("button").nth(0).tap()
    send = """(one, [kind, x, y]) => { const { left, top } = one.getBoundingClientRect(); one.dispatchEvent(
        new PointerEvent(kind, { bubbles: true, pointerType: "touch", pointerId: 1, buttons: 1,
            clientX: left + 9 + x, clientY: top + 9 + y })) }"""
    page.evaluate("Element.prototype.setPointerCapture = () => {}")  # of a finger that is not there
    number = cell(page, "Q", 3, 1)
    number.evaluate(send, ["pointerdown", 0, 0])
    for to in way:
        number.evaluate(send, ["pointermove", *to] if to else ["pointercancel", 0, 0])
    state = shared(page)[1]
    np.testing.assert_allclose(state["Q"], widgets.Playground(WORDS, preset="previous").Q, atol=1e-5)
    assert state["preset"] == "previous"


# Q and K that chapter 10 opens on: each token asks for the one before it
FIRST = [[[1, 0, 1], [1, 0, 1], [0, 1, -1], [-1, 0, 1]], [[1, 0, 1], [0, 1, -1], [-1, 0, 1], [0, -1, -1]]]


def test_a_first_sight_is_a_few_large_numbers_in_greys_and_one_button(show):
    one = widgets.Playground("do re do re", *FIRST, mask="causal", scale=0.75)
    page = show([one], width=902)
    told = [float(x or 0) for x in board(page, "A").locator("td[data-at]").all_text_contents()]
    np.testing.assert_allclose(told, one.weights.ravel(), atol=0.0051)
    assert 0.5 < one.weights[1:].max(axis=1).min() and one.weights[1:].max() < 0.95
    for name in "QKSAVY":  # every number is told, and can be read
        size = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        assert min(board(page, name).locator("td[data-at]").evaluate_all(size)) >= 14
        assert cell(page, name, 0, 0).bounding_box()["width"] > 45
    quiet = page.locator("button:visible:not(.attn-quiet)")
    assert quiet.all_text_contents() == ["Q ← 0"]
    wide = {name: cell(page, name, 1, 1).bounding_box()["width"] for name in "QKSAVY"}
    assert max(wide.values()) - min(wide.values()) < 1, wide
    for name in ("scale", "temperature τ"):
        assert page.get_by_role("slider", name=name).bounding_box()["width"] > 120
    # one goal at a time, the challenges after it; then no product is left, and no brackets around nothing
    assert page.locator(".attn-news").text_content() == "First: Press Q ← 0. What does A become if no word asks?"
    assert page.locator("td[data-want]").count() == 0
    quiet.click()
    told = page.locator(".attn-told > p").all_text_contents()
    assert told[1] == "score 0" and told[3].startswith("The row sums to 1, its entropy is 1.386 nats.")


ASKED = "First: Press Q ← 0. What does A become if no word asks?"
EVEN = "Answer: All scores are 0: every open token of a row gets the same share, "


@pytest.mark.parametrize("width", [902, 390, 360])
def test_the_first_question_stands_until_it_is_tried_and_has_its_answer(show, width):
    page = show([widgets.Playground("do re do re", *FIRST, mask="causal", scale=0.75)], width=width, height=800)
    news, following = page.locator(".attn-news"), page.get_by_role("button", name="Next challenge")
    if width < 600:
        page.get_by_role("group", name="Show").get_by_role("button").nth(0).click()
    tall = page.locator(".attn-live").bounding_box()["height"]
    cell(page, "Q", 3, 0).click()
    page.locator(".attn-bench > input").fill("2")
    page.keyboard.press("Enter")
    assert news.text_content() == ASKED and not following.is_visible()
    press(page, "Q ← 0")
    assert news.text_content() == EVEN + "1, ½, ⅓, ¼."
    assert page.locator("td[data-want]").count() == 0
    page.locator("summary", has_text=MORE).evaluate("one => (one.parentNode.open = false)")
    assert page.locator(".attn-live").bounding_box()["height"] == tall
    following.focus()
    page.keyboard.press("Enter")
    assert news.text_content().startswith("Challenge, outlined in A: Every token attends to the first one")
    assert page.locator("td[data-want]").count() == 4 and not following.is_visible()
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"  # who goes by keys is not lost
    press(page, "↺ Start again")
    assert news.text_content() == ASKED


def test_the_answer_goes_with_the_mask_and_ends_with_the_scores(show):
    page = show([widgets.Playground("do re do re", *FIRST, scale=0.75)], width=902)
    news = page.locator(".attn-news")
    press(page, "Q ← 0")
    assert news.text_content() == EVEN + "¼, ¼, ¼, ¼."
    press(page, "window")
    assert news.text_content() == EVEN + "1, ½, ½, ½."
    press(page, "self")
    assert news.text_content().startswith("Challenge")


def test_a_token_that_comes_twice_is_told_by_its_place_and_k_has_its_names(show):
    page = show([widgets.Playground("A B C A D".split(), *np.eye(5)[None].repeat(2, 0))], width=902)
    heads = lambda name, part: board(page, name).locator(part).all_text_contents()  # noqa: E731
    assert heads("K", "thead th") == heads("S", "tbody th") == ["A₁", "B", "C", "A₄", "D"]
    assert heads("K", "tbody th") == [f"d{c}" for c in range(1, 6)]
    for head, column in zip(board(page, "K").locator("thead th").all(), range(5), strict=True):
        named, number = box(head), box(cell(page, "K", 0, column))
        assert named[3] <= number[1] + 1 and number[0] - 1 <= named[0] and named[2] <= number[2] + 1
    side = box(board(page, "K").locator("tbody th").first)
    assert box(board(page, "Q"))[2] <= side[2] <= box(cell(page, "K", 0, 0))[0] + 1 and side[2] - side[0] > 12


@pytest.mark.parametrize("n", [8, 32])
def test_a_digit_opens_a_chosen_number_for_typing(show, n):
    page = show([widgets.Playground((4 * WORDS)[:n], preset="previous")], width=902)
    board(page, "K").locator("td[tabindex='0'], .attn-cursor").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.type("2.5")
    page.keyboard.press("Enter")
    assert shared(page)[1]["K"][1][0] == 2.5
    press(page, "paint")
    board(page, "S").locator("td[tabindex='0'], .attn-cursor").focus()
    page.keyboard.type("2")
    assert page.locator(".attn-bench > input").is_hidden()


def test_the_next_challenge_stands_above_the_squares_until_it_is_solved(show):
    page = show([widgets.Playground(WORDS)])
    news = page.locator(".attn-news")
    assert news.text_content().startswith("Challenge, outlined in A: Every token attends to the first one,")
    build_a_sink(page)
    assert news.text_content().startswith("✓ Solved: Every token attends to the first one,")
    press(page, "uniform")
    assert news.text_content().startswith("Challenge, outlined in A: Every token averages three tokens evenly:")
    assert news.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")


def build_a_sink(page):
    """From the uniform head: the first key alone is not zero, and every query gets a number."""
    press(page, "uniform", "none")
    type_queries(page)


def type_queries(page, value="12"):
    for i in range(8):
        cell(page, "Q", i, 0).click()
        page.locator(".attn-bench > input").fill(value)
        page.keyboard.press("Enter")


def test_a_preset_does_not_solve_the_challenge_of_its_name_changed_a_little_either(show):
    page = show([widgets.Playground(WORDS)])
    press(page, "first token", "none")
    assert np.min(np.array(grid(board(page, "A")))[:, 0]) > 0.9 and solved(page) == set()
    press(page, "Q × 2")
    assert solved(page) == set()
    press(page, "uniform", "none")
    type_queries(page)
    assert solved(page) == {"sink"}


def test_the_pattern_of_a_challenge_is_outlined_until_it_is_solved(show):
    page = show([widgets.Playground(WORDS, preset="previous")])
    wanted = page.locator("td[data-want]")
    places = lambda: wanted.evaluate_all("all => all.map((one) => one.dataset.at)")  # noqa: E731
    assert places() == [f"{i},0" for i in range(8)] and board(page, "A").locator("td[data-want]").count() == 8
    outline = "one => getComputedStyle(one).outlineStyle + parseFloat(getComputedStyle(one).outlineWidth)"
    assert cell(page, "A", 3, 0).evaluate(outline) == "solid1"  # thin
    build_a_sink(page)
    press(page, "uniform")
    assert places() == [f"{i},{j}" for i in range(8) for j in range(max(i - 2, 0), i + 1)]


WAYS = {  # buttons to press, cells of the mask to paint, sliders to set
    "sink": (["uniform", "none"], [], {}),
    "average": (["uniform", "window"], [], {"window": 3}),
    "back": (["previous token", "Shift Q down"], [], {}),
    "next": (["self", "Shift K down"], [], {}),
    "induction": (["same token", "causal", "Shift K down"], [], {}),
    "partners": (["same token"], [(i, i) for i in range(8)], {}),
    "nothing": (["causal"], [(0, 0)], {}),
    "documents": (["uniform"], [(i, j) for i in range(4, 8) for j in range(4)], {}),
    "rank": (["self"], [], {"scale": 0.05}),
    "melt": (["self"], [], {"temperature": 3, "scale": 0.01}),
}
ALSO = {"melt": {"rank"}}


@pytest.mark.parametrize("goal", some(WAYS, 4))
def test_each_challenge_can_be_reached_and_nothing_else_counts(show, goal):
    buttons, cells, sliders = WAYS[goal]
    page = show([widgets.Playground(WORDS)])
    for name in buttons + ["paint"] * bool(cells):
        assert goal not in solved(page)
        press(page, name)
    for i, j in cells:
        assert goal not in solved(page)
        cell(page, "SA"[i % 2], i, j).click()  # either stands for the mask
    if goal == "sink":
        assert goal not in solved(page)
        type_queries(page)
    for name, value in sliders.items():
        assert goal not in solved(page)
        page.get_by_role("slider", name=name).fill(str(value))
    assert solved(page) == {goal} | ALSO.get(goal, set())
    assert page.locator(".attn-news").is_visible()
    page.locator("summary", has_text="Challenges").click()
    item = page.locator(f"[data-goal='{goal}']")
    asked = item.evaluate("item => item.childNodes[1].textContent.trim()")
    assert asked in page.locator(".attn-news").text_content() or goal in ("rank",)
    assert item.locator("p", has_text="Why:").is_visible()


def test_every_challenge_has_its_way(show):
    page = show([widgets.Playground(WORDS)])
    assert set(page.locator("[data-goal]").evaluate_all("all => all.map(item => item.dataset.goal)")) == set(WAYS)


@pytest.mark.parametrize("tokens", [WORDS, "do re do re"])
def test_no_preset_alone_solves_a_challenge(show, tokens):
    page = show([widgets.Playground(tokens, preset="previous", temperature=8)])
    for name in PRESETS.values():
        press(page, name)
        assert solved(page) == set(), name


def test_what_is_solved_is_said_where_the_eye_is(show):
    page = show([widgets.Playground(WORDS)])
    press(page, "self")
    button = page.get_by_role("button", name="Shift K down", exact=True)
    button.click()
    news, pressed = box(page.locator(".attn-news")), box(page.get_by_role("button", name="none", exact=True))
    assert box(board(page, "A"))[3] - news[1] <= 600 and pressed[3] - news[1] <= 740  # above A, and on one screen


@pytest.mark.parametrize("width", [902, 390])
def test_what_to_do_is_one_line_of_text_above_all_and_its_button_stands_beside_it(show, width):
    page = show([widgets.Playground("do re do re", *FIRST, mask="causal", scale=0.75)], width=width, height=800)
    band, news, press_ = (page.locator(one) for one in (".attn-task", ".attn-news", ".attn-task button >> nth=0"))
    assert page.get_by_text("Press Q ← 0.").count() == 1 and press_.text_content() == "Q ← 0"
    assert news.evaluate("one => getComputedStyle(one).fontSize") == "15px"
    told = news.locator("span").evaluate("one => one.getBoundingClientRect().toJSON()")
    button, whole = box(press_), box(band)
    assert whole[2] - whole[0] > 0.93 * page.locator(".attn-live").bounding_box()["width"] - 20
    assert whole[3] <= box(page.locator(".attn-bench"))[1]
    if width == 902:
        assert told["height"] < 24 and told["right"] < button[0] < told["right"] + 140
        assert button[1] < (told["top"] + told["bottom"]) / 2 < button[3]
    else:
        assert 0 <= button[1] - box(news)[3] < 20
    places = box(page.locator(".attn-bench"))
    for goal in range(10):  # the longest has room too
        news.locator("span").evaluate("(one, told) => (one.textContent = told)", "a challenge " * goal)
        np.testing.assert_allclose(box(page.locator(".attn-bench")), places)


@pytest.mark.parametrize("name", ["Q", "Kᵀ", "V"])
def test_on_a_phone_the_row_of_a_is_in_sight_below_what_is_dragged(show, name):
    page = show(
        [widgets.Playground("do re do re", np.ones((4, 3)), np.eye(4, 3), scale=0.75)],
        width=390,
        height=800,
        has_touch=True,
    )
    page.get_by_role("group", name="Show").get_by_role("button", name=name, exact=True).tap()
    rows = board(page, "A").locator("tbody tr:visible")
    assert rows.count() == 1 and rows.locator("th").text_content() == "re₄"
    before = rows.locator("td").all_text_contents()
    cell = board(page, name[0]).locator("tbody tr").last.locator("td").last
    cell.tap()
    page.keyboard.type("3")
    assert (rows.locator("td").all_text_contents() != before) == (name != "V")
    dragged, seen = cell.bounding_box(), rows.bounding_box()
    assert 0 < seen["y"] - dragged["y"] < 300  # both on one screen


def test_the_score_s_story_fills_the_corners_above_q_and_a(show):
    page = show([widgets.Playground(WORDS, preset="previous")], width=902, height=800)
    score, share = (box(page.locator(".attn-told").nth(k)) for k in (0, 1))
    for corner, slider in ((score, 0), (share, 1)):
        assert corner[3] <= box(page.locator(".attn-gap").nth(slider))[1]
    assert score[2] <= box(board(page, "K"))[0] and box(board(page, "K"))[2] <= share[0]
    assert share[2] <= box(board(page, "V"))[0]
    cut = "all => all.filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth).length"
    assert page.locator(".attn-told > p").evaluate_all(cut) == 0
    size = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    score_, share_, taken = page.locator(".attn-told span > strong").evaluate_all(size)
    assert score_ == share_ > 1.4 * taken  # the two numbers are what is read first


@pytest.mark.parametrize("n", [1, 4, 8, 32])
def test_the_whole_playground_stands_on_one_screen_and_so_do_the_squares_and_what_is_folded_below_them(show, n):
    page = show([widgets.Playground((4 * WORDS)[:n])], width=902, height=800)  # a page's column in a window of 1280
    figure = page.locator(".attn-live")
    assert figure.bounding_box()["width"] < 910
    assert figure.bounding_box()["height"] <= 740
    press(page, "window")
    fold = box(page.locator("details", has=page.get_by_role("group", name="Mask")))
    assert fold[3] - box(board(page, "S"))[1] <= 700
    feet = [box(board(page, name))[3] for name in "QSAY"]
    assert max(feet) - min(feet) < 4  # side by side
    assert figure.locator(".attn-bench").evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize("n", [1, 8, 10, 32])
def test_a_phone_shows_what_a_choice_changes_and_nothing_is_cut(show, n):
    page = show([widgets.Playground((4 * WORDS)[:n])], width=390, height=800, has_touch=True)
    figure, thumbs = page.locator(".attn-live"), page.get_by_role("group", name="Show").get_by_role("button")
    top, tall = (figure.bounding_box()[part] for part in ("y", "height"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390 and tall < 1250
    names = [
        "Q, queries",
        "Kᵀ, keys",
        "S, scores: scale · Q Kᵀ",
        "A, weights: softmax(S / τ + M)",
        "V, values",
        "Y = A V",
    ]
    for k, name in enumerate(names):
        thumbs.nth(k).tap()
        captions = figure.locator(".attn-bench :is(caption, figcaption)")
        seen = [one.text_content() for one in captions.all() if one.is_visible()]
        below = names[2 if k == 3 else 3]  # the row of A that a drag changes; below A, that of S
        assert sorted(seen) == sorted([name, below] if n < 11 else [name])
        boxes = [one.bounding_box() for one in figure.locator(".attn-bench :is(table, .attn-map)").all()]
        bottom = max(box["y"] + box["height"] for box in boxes if box)
        assert bottom - top < 830  # the menus above, all of the square and the row of A
        cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
        assert figure.locator(".attn-scroll, td, button, select").evaluate_all(cut) == []
    low = "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"
    assert figure.locator(".attn-told > p").evaluate_all(low) == []
    pictures = thumbs.locator("canvas")
    before = pictures.evaluate_all("all => all.map((one) => one.toDataURL())")
    unfold(page)
    page.get_by_role("combobox", name="Mask").select_option("causal")
    after = pictures.evaluate_all("all => all.map((one) => one.toDataURL())")
    changed = [a != b for a, b in zip(before, after, strict=True)]
    assert changed == [False, False, n > 10, n > 1, False, n > 1]  # a picture of many scores shows what is masked
    page.get_by_role("combobox", name="Preset").select_option("uniform")
    assert said(page) == repr(widgets.Playground((4 * WORDS)[:n], preset="uniform"))
    assert page.get_by_role("combobox", name="Preset").input_value() == "uniform"
    page.get_by_role("button", name="Q × 2", exact=True).tap()
    assert page.get_by_role("combobox", name="Preset").input_value() == "your own"


def test_the_playground_says_whose_numbers_are_on(show):
    page = show([widgets.Playground(WORDS)])
    own = page.get_by_text("Drag a number of Q, Kᵀ or V up or down.")
    assert (
        own.is_visible() and page.get_by_role("group", name="Preset").get_by_role("button", pressed=True).count() == 0
    )
    press(page, "self")
    assert not own.is_visible()
    assert page.get_by_role("button", pressed=True).all_text_contents() == ["self", "none"]
    press(page, "Q × 2")
    assert own.is_visible()


@pytest.mark.parametrize("width", [902, 390])
def test_what_turns_a_score_stands_below_it_and_what_turns_q_above(show, width):
    page = show([widgets.Playground(WORDS, preset="previous")], width=width)
    bench = box(page.locator(".attn-bench"))
    score, weight = (box(page.locator(".attn-gap").nth(k)) for k in (0, 1))
    for told, name in ((score, "scale of S"), (weight, "temperature τ of A")):  # each says what it changes
        slider = box(page.get_by_role("slider", name=name))
        assert (told[:2] <= slider[:2] + 2).all() and (slider[2:] <= told[2:] + 2).all()  # 32 px to touch
    if width == 902:  # in one line, below the scores and below the weights
        s, a = (box(board(page, name)) for name in "SA")
        assert score[1] == weight[1] >= s[3] and score[2] <= s[2] + 1 and abs(weight[0] - a[0]) < 1
    assert box(page.get_by_role("button", name="Q ← 0", exact=True))[3] < bench[1]
    page.get_by_text("Challenges:").click()
    hint = page.locator(".attn-goals summary").first
    item = page.locator("[data-goal='sink']").bounding_box()
    assert item["height"] < (30 if width == 902 else 90)  # the hint stands in the challenge's line
    hint.click()
    assert page.get_by_text("What must every query hold?").is_visible()


def test_the_first_line_says_what_to_drag_and_a_finger_where_to(show):
    page = show([widgets.Playground(WORDS)], width=390, height=800, has_touch=True, is_mobile=True)
    assert page.locator(".attn-title").text_content().endswith("Drag a number of Q, Kᵀ or V sideways.")


def test_a_mask_s_own_slider_stands_with_the_masks_and_moves_nothing(show):
    page = show([widgets.Playground(WORDS)], width=390, height=800)
    unfold(page)
    tall, mask = page.locator(".attn-live").bounding_box()["height"], page.get_by_role("combobox", name="Mask")
    for name in ("window", "prefix", "none"):
        mask.select_option(name)
        seen = [page.get_by_role("slider", name=one, exact=True).count() for one in ("window", "prefix")]
        assert seen == [name == "window", name == "prefix"]
        assert page.locator(".attn-live").bounding_box()["height"] == tall


def test_start_again_brings_back_the_tokens_too(show):
    page = show([widgets.Playground(WORDS)])
    unfold(page)
    line = page.get_by_label("Tokens")
    line.fill("a b c")
    line.press("Enter")
    assert board(page, "A").locator("tbody tr").count() == 3
    press(page, "↺ Start again")
    assert board(page, "A").locator("tbody tr").count() == 8
    assert said(page) == repr(widgets.Playground(WORDS))


@pytest.mark.parametrize("name", "SA")
def test_dragging_over_scores_or_weights_paints_the_mask_and_selects_no_text(show, name):
    page = show([widgets.Playground(WORDS)])
    press(page, "paint")
    assert page.get_by_text("over S or A to forbid or allow").is_visible()
    cell(page, name, 2, 1).hover()
    page.mouse.down()
    for j in range(2, 7):
        cell(page, name, 2, j).hover()
    page.mouse.up()
    assert page.evaluate("getSelection().toString()").strip() == ""
    state = shared(page)[1]
    assert state["mask"] == "painted" and state["painted"][2] == [1, 0, 0, 0, 0, 0, 0, 1]
    hatched = "all => all.map((one) => one.dataset.at)"
    for one in "SA":
        assert board(page, one).locator("[data-shut]").evaluate_all(hatched) == [f"2,{j}" for j in range(1, 7)]
    press(page, "none")
    cell(page, name, 3, 3).click()  # not painting: a click chooses
    assert shared(page)[1]["mask"] == "none" and said(page).startswith("“fa” to “fa”")


def test_the_scale_s_slider_changes_the_colours_of_the_scores(show):
    page = show([widgets.Playground(WORDS)])
    score = cell(page, "S", 1, 1)
    ground = "cell => getComputedStyle(cell).backgroundColor"
    page.get_by_role("slider", name="scale").fill("0.1")
    pale = score.evaluate(ground)
    page.get_by_role("slider", name="scale").fill("0.4")
    assert score.evaluate(ground) != pale


def test_progress_is_kept_and_can_be_forgotten(show):
    page = show([widgets.Playground(WORDS)])
    press(page, "self", "Shift K down")
    page.reload()
    page.wait_for_selector("[data-live]")
    assert solved(page) == {"next"}
    page.locator("summary", has_text="Challenges: 1 of 10 solved").click()
    press(page, "Forget my progress")
    page.reload()
    page.wait_for_selector("[data-live]")
    assert solved(page) == set()


def test_without_storage_the_challenges_still_work(open_page, tmp_path):
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })")
    page.goto(write_page(tmp_path, [widgets.Playground(WORDS)]))
    page.wait_for_selector("[data-live]")
    press(page, "self", "Shift K down")
    assert solved(page) == {"next"}


def test_the_keyboard_does_everything(show):
    page = show([widgets.Playground(WORDS)])
    unfold(page)
    page.get_by_role("button", name="window edge").focus()
    page.keyboard.press("ArrowRight")  # round to the first
    assert said(page) == repr(widgets.Playground(WORDS, preset="previous", row=7))
    press(page, "paint")
    board(page, "A").locator("td[tabindex='0']").focus()
    page.keyboard.press("Control+Home")
    assert cell(page, "A", 0, 0).get_attribute("data-shut") is None
    page.keyboard.press("Enter")
    assert said(page).startswith("“do” to “do”: score 12, masked, weight 0. The row sums to 0,")
    board(page, "K").locator("td[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter", "ArrowUp", "ArrowUp", "Enter", "ArrowRight"):
        page.keyboard.press(key)
    assert shared(page)[1]["K"][1][1] == pytest.approx(0.9)  # 0.707, up to the next tenth and by one more
    assert cell(page, "K", 1, 2).get_attribute("tabindex") == "0"
    page.get_by_role("slider", name="temperature").focus()
    page.keyboard.press("Home")
    assert page.get_by_role("slider", name="temperature").get_attribute("aria-valuetext") == "0.05"


def test_names_can_be_edited(show):
    page = show([widgets.Playground(WORDS, preset="uniform")])
    press(page, "induction")
    page.get_by_label("Tokens").fill("a <b>x</b> a <b>x</b> a")
    page.get_by_label("Tokens").press("Enter")
    ours = widgets.Playground("a <b>x</b> a <b>x</b> a", preset="induction", col=0)
    assert said(page) == repr(ours)
    page.get_by_label("Tokens").fill("word " * 200)
    page.get_by_label("Tokens").press("Enter")
    assert len(shared(page)[1]["tokens"]) == 128


def test_a_link_says_what_it_is_for_and_covers_nothing(show):
    page = show([widgets.Playground(WORDS)], width=902)
    news = page.locator(".attn-news")
    asked, before = news.text_content(), box(page.locator(".attn-bench"))
    press(page, "Share")
    link = page.get_by_label("Link to this state")
    assert news.text_content() == "Copy the link."
    told = box(news.locator("span"))  # the words, not their box
    assert told[2] < box(link)[0] and box(link)[2] <= box(page.get_by_role("button", name="Q ← 0", exact=True))[0]
    np.testing.assert_allclose(box(page.locator(".attn-bench")), before)
    assert link.evaluate("one => [one.selectionStart, one.selectionEnd === one.value.length, one.scrollLeft]") == [
        0,
        True,
        0,
    ]
    page.keyboard.press("Tab")
    assert not link.is_visible() and news.text_content() == asked


def test_on_a_phone_the_link_covers_no_challenge_and_goes_with_the_focus(show):
    page = show([widgets.Playground(WORDS, preset="previous")], width=390, height=800)
    press(page, "Share")
    link = page.get_by_label("Link to this state")
    at, button, told = box(link), box(page.get_by_role("button", name="Share")), box(page.locator(".attn-news span"))
    assert told[3] <= at[1] and at[3] <= button[1] and at[2] - at[0] > 250  # below the words, above what to press
    page.keyboard.press("Tab")
    assert not link.is_visible()


def test_a_link_brings_the_state_back(show, open_page):
    page = show([widgets.Playground(HOSTILE[:8], preset="edge", window=3)])
    press(page, "paint")
    cell(page, "S", 2, 7).click()
    press(page, "Shift K down")
    link, state = shared(page)
    other = open_page()
    other.goto(link)
    other.wait_for_selector("[data-live]")
    assert shared(other)[1] == state
    assert state["tokens"][:3] == HOSTILE[:3] and state["mask"] == "painted" and state["painted"][2][7] == 1
    assert other.evaluate("window.harmed") is None
    press(other, "uniform")
    other.evaluate("location.hash = 'elsewhere'")
    assert said(other).endswith("Ranks to a thousandth: S 0, A 8.")
    other.evaluate("(link) => { location.hash = link.split('#')[1] }", link)
    other.wait_for_function("() => !document.querySelector('.attn-say').textContent.includes('rank 0')")
    assert shared(other)[1] == state


def coded(state):
    text = state if isinstance(state, str) else json.dumps(state)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def wrong_states():
    shown = widgets.Playground(WORDS, preset="first")
    good = {name: value for name, value in shown.state.items() if name not in ("goals", "row", "col", "painted")}
    wrong = [dict(tokens="<script>"), dict(tokens=[]), dict(tokens=["a"] * 129), dict(tokens=[{"a": 1}] * 8)]
    wrong += [dict(Q=[[1]]), dict(Q=[["<b>"] * 5] * 8), dict(K=[[1e300] * 5] * 8), dict(V=None), dict(V=[[]] * 8)]
    wrong += [dict(mask="__proto__"), dict(mask="painted"), dict(mask="painted", painted=[[2] * 8] * 8)]
    wrong += [dict(window=0), dict(window=1.5), dict(prefix=-1), dict(temperature=0), dict(temperature="1")]
    wrong += [dict(scale=None), dict(preset="constructor"), dict(tokens=["x" * 201] * 8)]
    return good, [{**good, **change} for change in wrong] + ["", "null", "[]", "{", "\x00", '{"__proto__":{"x":1}}']


@pytest.mark.prove
def test_a_hostile_link_changes_nothing(open_page, tmp_path):
    good, wrong = wrong_states()
    address = write_page(tmp_path, [widgets.Playground(WORDS)])
    page = open_page()
    page.goto(f"{address}#playground={coded(good)}")
    page.wait_for_selector("[data-live]")
    assert shared(page)[1]["preset"] == "first"  # a good one is taken, so the others are refused for a reason
    before = repr(widgets.Playground(WORDS))
    for bad in [*map(coded, wrong), "%3Cscript%3E", "<img src=x onerror=alert(1)>", "A" * 500_000]:
        page.goto("about:blank")
        page.goto(f"{address}#playground={bad}")
        page.wait_for_selector("[data-live]")
        assert said(page) == before, bad[:80]
    assert page.evaluate("({}).x") is None


def test_other_figures_and_other_playgrounds_ignore_the_link(open_page, tmp_path):
    good, _ = wrong_states()
    address = write_page(tmp_path, [widgets.Playground(WORDS), widgets.Playground("a b c")])
    page = open_page()
    page.goto(f"{address}#playground={coded(good)}")
    page.wait_for_function("() => document.querySelectorAll('[data-live]').length === 2")
    assert said(page, 1) == repr(widgets.Playground("a b c"))
    assert page.get_by_role("button", name="Share").count() == 1


def test_start_again_brings_back_the_beginning(show):
    shown = widgets.Playground(WORDS)
    page = show([shown])
    press(page, "same token", "Shift K down", "causal")
    assert said(page) != repr(shown)
    press(page, "↺ Start again")
    assert said(page) == repr(shown)


@pytest.mark.parametrize("n", [32, 128])
def test_many_tokens_follow_a_slider(show, n):
    """How fast is told by `python -m bench.frames`; here, that they do."""
    rng = np.random.default_rng(1)
    shown = widgets.Playground([f"w{i % 8}" for i in range(n)], *rng.normal(size=(2, n, 16)))
    page = show([shown])
    page.get_by_label("temperature τ").fill("2")
    shown.temperature = 2.0
    assert said(page) == repr(shown)


def test_what_can_be_dragged_is_underlined_and_the_colours_are_told(show):
    page = show([widgets.Playground("do re do re", *FIRST, mask="causal", scale=0.75)], width=902)
    style = "all => [...new Set(all.map((one) => getComputedStyle(one).textDecorationStyle))]"
    line = "all => [...new Set(all.map((one) => getComputedStyle(one).textDecorationLine))]"
    for name in "QKVSAY":
        cells = board(page, name).locator("td[data-at]")
        assert cells.evaluate_all(line) == ["underline" if name in "QKV" else "none"], name
        assert name not in "QKV" or cells.evaluate_all(style) == ["dotted"]
    assert page.locator(".attn-told > small").text_content() == "orange < 0 < purple"
    blue_less_red = """one => { const [r, , b] = getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).map(Number);
        return b - r; }"""
    low, high = (board(page, "S").locator("td[data-at]").nth(k).evaluate(blue_less_red) for k in (4 * 3 + 1, 4 * 3 + 2))
    assert low < 0 < high  # −0.75 and 1.5


def test_no_query_at_all_is_the_first_thing_to_press_and_steps_back_after_its_answer(show):
    page = show([widgets.Playground("do re do re", *FIRST, mask="causal", scale=0.75)], width=902)
    zero = page.get_by_role("button", name="Q ← 0", exact=True)
    border = "one => getComputedStyle(one).borderTopColor"
    asked, quiet = zero.evaluate(border), page.get_by_role("button", name="Start again").evaluate(border)
    assert asked != quiet
    press(page, "Q ← 0")
    page.get_by_role("button", name="Next challenge").click()
    page.mouse.move(0, 0)
    zero.evaluate("one => one.blur()")
    assert zero.is_visible() and zero.evaluate(border) == quiet
