"""A question on the page: guess by mouse and keys, hear the reply, find the guess again tomorrow."""

import json
import re

import numpy as np
import pytest
from figurepage import middle, said, write_page
from sampled import also
from test_widgets_predict import mix, place, ratio, word

from attn.show import widgets
from attn.show.kit import text

pytestmark = pytest.mark.browser


def guessed(question, guess, again=False):
    """What Python says to a guess; again: to one that was wrong and is the first."""
    question.set(guess=guess, again=again)
    return repr(question)


def numbers(told):
    """(−1, 2.5) as it is written   ->   [-1, 2.5]"""
    return json.loads(told.replace("−", "-").replace("(", "[").replace(")", "]"))


def test_a_number_is_guessed_with_the_keyboard_alone(show):
    page = show([ratio()])
    assert page.locator(".attn-say").is_hidden() and page.locator(".attn-live").text_content().count("54.6") == 0
    page.keyboard.press("Tab")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    assert said(page) == guessed(ratio(), 5, again=True) and "54.6" not in said(page)
    assert page.locator(".attn-say").is_visible()
    page.keyboard.press("Enter")  # the same once more is no second guess
    assert "54.6" not in said(page)
    page.get_by_label("My guess").fill("20")
    page.keyboard.press("Enter")
    assert said(page) == guessed(ratio(), 20) and "54.6" in said(page)
    page.get_by_label("My guess").fill("54")
    page.keyboard.press("Enter")
    assert said(page) == guessed(ratio(), 54)


def test_a_number_is_set_on_the_axis_by_mouse_by_finger_and_by_keys(show):
    page = show([ratio()], has_touch=True)
    box, slider = page.get_by_label("My guess"), page.get_by_role("slider")
    assert box.input_value() == "" and slider.get_attribute("aria-valuetext") == "nothing set"
    page.get_by_role("button", name="This is my guess").click()
    assert page.locator(".attn-say").is_hidden()  # where it stands at first is no guess
    rail = page.locator(".attn-rail").bounding_box()  # from 1 to 1000
    tall = page.locator(".attn-live").bounding_box()["height"]
    marks = {one.text_content(): middle(one)[0] for one in page.locator(".attn-rail small").all()}
    assert list(marks) == ["1", "10", "100", "1000"]
    assert marks["100"] == pytest.approx(rail["x"] + rail["width"] * 2 / 3, abs=1)
    y = rail["y"] + rail["height"] / 2
    page.mouse.click(marks["100"], y)
    assert float(box.input_value()) == pytest.approx(100, rel=0.05)
    page.touchscreen.tap(marks["10"], y)
    assert float(box.input_value()) == pytest.approx(10, rel=0.05)
    box.fill("9.9")
    slider.focus()
    for key, there in (("ArrowRight", "10"), ("ArrowRight", "11"), ("ArrowLeft", "10"), ("ArrowLeft", "9.9")):
        page.keyboard.press(key)
        assert box.input_value() == there and slider.get_attribute("aria-valuetext") == f"{there} times"
    assert page.locator(".attn-say").is_hidden() and page.locator(".attn-live").bounding_box()["height"] == tall
    page.get_by_role("button", name="This is my guess").click()
    assert said(page) == guessed(ratio(), 9.9, again=True)


@pytest.mark.parametrize("unit", ["", "heads", "°"])
def test_a_number_that_may_have_an_end_or_a_sign_has_no_axis_to_tell_them(show, unit):
    page = show([widgets.Predict("How many?", 54, unit=unit)])
    assert page.get_by_role("slider").count() == 0
    page.get_by_label("My guess").fill("-20")
    page.keyboard.press("Enter")
    assert said(page) == guessed(widgets.Predict("How many?", 54, unit=unit), -20, again=True)


@pytest.mark.parametrize(("answer", "guesses"), [(73, (30, 40)), (0.32, (1.6, 0.5)), (-3, (2, 4))])
def test_what_has_no_axis_before_its_answer_gets_one_with_it_for_guess_and_answer(show, answer, guesses):
    page = show([widgets.Predict("How many?", answer)], reduced_motion="reduce")
    rail, press = page.locator(".attn-rail"), page.get_by_role("button", name="This is my guess")
    buttons = press.bounding_box()
    for guess in guesses:
        assert rail.is_hidden()
        page.get_by_label("My guess").fill(str(guess))
        press.click()
    box, (low, high) = rail.bounding_box(), (min(0, answer, *guesses), max(0, answer, *guesses))
    for name, x in (("early", guesses[0]), ("yours", guesses[1]), ("true", answer)):
        at = (middle(page.locator(f".attn-{name}"))[0] - box["x"]) / box["width"]
        assert at == pytest.approx((x - low) / (high - low), abs=0.01), name
    told = [page.locator(f".attn-{name} > span").text_content() for name in ("yours", "true")]
    assert told == [f"yours {guesses[1]}", f"answer {text.number(answer)}"]
    assert page.locator(".attn-rail[inert]").count() == 1  # to look at
    assert press.bounding_box() == buttons and box["y"] > buttons["y"]


@pytest.mark.parametrize("answer", [2.0, 0.37, 54.6, 640e9, 99.0])
def test_the_axis_does_not_say_where_the_answer_is(show, answer):
    page = show([widgets.Predict(asked, answer, unit="times") for asked in ("How many?", "How many is it?")])
    assert "answer" not in "".join(page.locator(".attn-rail").all_text_contents())
    page.get_by_role("button", name="Show the answer").last.click()
    page.get_by_role("button", name="Show the answer").first.click()
    for rail in page.locator(".attn-rail").all():
        box = rail.bounding_box()
        place = (middle(rail.locator("> span > span"))[0] - box["x"]) / box["width"]
        assert 0.05 < place < 0.95 and abs(place - 0.5) > 0.02


@pytest.mark.parametrize(
    ("typed", "guess"),
    [("1/4", 0.25), ("0,25", 0.25), ("25%", 0.25), ("−3", -3), ("1e3", 1000), ("1,000", 1000), ("7 times", 7)],
)
def test_numbers_are_read_as_people_type_them(show, typed, guess):
    page = show([widgets.Predict("?", 0.1, unit="times")])
    page.get_by_label("My guess").fill(typed)
    page.keyboard.press("Enter")
    assert said(page) == guessed(widgets.Predict("?", 0.1, unit="times"), guess, again=True)


@pytest.mark.parametrize("typed", ["", "much", "1/0", "/2", "3 or 4"])
def test_what_is_no_number_is_no_guess(show, typed):
    page = show([ratio()])
    page.get_by_label("My guess").fill(typed)
    page.keyboard.press("Enter")
    assert page.locator(".attn-say").is_hidden()
    assert page.locator("input:invalid").count() == 1


def test_a_guess_stands_there_as_it_was_typed_also_after_a_reload(open_page, tmp_path):
    page = open_page()
    page.goto(write_page(tmp_path, [ratio()]))
    for guess in ("30", "22.5"):
        page.get_by_label("My guess").fill(guess)
        page.keyboard.press("Enter")
    page.reload()
    page.wait_for_function("() => document.querySelector('[data-live]')")
    assert page.get_by_label("My guess").input_value() == "22.5" and "You said 22.5 times." in said(page)


def choice(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_a_press_on_a_choice_is_the_guess_by_mouse_and_by_keys(show):
    page = show([word()])
    assert page.locator(".attn-options button").all_text_contents() == ["she", "river", "by"]
    wide = [one.bounding_box()["width"] for one in page.locator(".attn-options button").all()]
    choice(page, "by").click()
    assert [one.bounding_box()["width"] for one in page.locator(".attn-options button").all()] == pytest.approx(wide)
    assert said(page) == guessed(word(), "by", again=True)
    assert page.locator("[data-right]").count() == 0
    assert page.locator("[aria-pressed=true]").all_text_contents() == ["by"]
    choice(page, "by").click(force=True)  # the same once more is no second guess
    assert said(page) == guessed(word(), "by", again=True)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert said(page) == guessed(word(), "river")
    assert page.locator("[data-right]").all_text_contents() == ["river"]
    choice(page, "she").click(force=True)  # what is known is not guessed
    assert said(page) == guessed(word(), "river")


def test_of_two_a_wrong_choice_is_the_answer(show):
    page = show([widgets.Predict("Which?", "shore", choices=["shore", "lender"])])
    choice(page, "lender").click()
    assert said(page) == "You said “lender”. The answer: “shore”."


@pytest.mark.parametrize("touch", [False, True])
@pytest.mark.parametrize("part", [0, 0.25, 0.5, 1])
def test_every_place_of_an_untouched_rail_can_be_pressed(show, part, touch):
    """The thumb waits in the middle, in a halo, and goes along; a press where it waits is a guess too."""
    page = show([widgets.Predict("?", 7.0, unit="%")], has_touch=touch)
    rail = page.locator(".attn-rail").bounding_box()
    waiting = page.locator(".attn-rail > span > i")
    assert middle(waiting) == pytest.approx([rail["x"] + rail["width"] / 2, rail["y"] + rail["height"] / 2], abs=1)
    press = page.touchscreen.tap if touch else page.mouse.click
    press(rail["x"] + part * rail["width"], rail["y"] + rail["height"] / 2)
    assert float(page.get_by_label("My guess").input_value()) == pytest.approx(100 * part, abs=1)
    assert waiting.count() == 0


def test_the_way_from_a_guess_to_its_answer_is_a_band_in_the_colours_of_both(show):
    page = show([widgets.Predict("?", 7.0, unit="%")], reduced_motion="reduce")
    look = "(one, [name, pseudo]) => getComputedStyle(one, pseudo)[name]"
    box = page.get_by_label("My guess")
    assert box.get_attribute("placeholder") == "?" and box.evaluate(look, ["borderTopWidth", None]) == "2px"
    for guess, way in (("50", "-90deg"), ("3", "90deg")):
        for typed in ("99", guess):
            box.fill(typed)
            page.get_by_role("button", name="This is my guess").click()
        join, yours, truth = (page.locator(f".attn-{one}") for one in ("join", "yours", "true"))
        ends = [one.evaluate(look, ["color", None]) for one in (yours, truth)]
        assert join.evaluate(look, ["backgroundImage", None]) == f"linear-gradient({way}, {ends[0]}, {ends[1]})"
        ends = sorted(middle(one)[0] for one in (yours, truth))
        edge = join.bounding_box()
        assert [edge["x"], edge["x"] + edge["width"]] == pytest.approx(ends, abs=1)
        assert "✓" in truth.evaluate(look, ["content", "::before"])
        page.get_by_role("button", name="Ask me again").click()


def test_a_point_by_mouse_by_finger_and_by_keys(show):
    page = show([place()], has_touch=True)
    grip = page.get_by_role("slider", name="my guess")
    start = float(grip.get_attribute("aria-valuenow"))
    x, y = middle(grip.locator("circle").last)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 50, y, steps=4)
    page.mouse.up()
    dragged = float(grip.get_attribute("aria-valuenow"))
    assert 0.5 < dragged - start < 3
    grip.focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowUp")
    x, y = numbers(grip.get_attribute("aria-valuetext"))
    assert x < dragged and y > -start
    page.get_by_role("button", name="This is my guess").click()
    assert said(page) == guessed(place(), (x, y), again=True)
    assert page.locator(".attn-plane text", has_text="answer").is_hidden()
    grip.focus()
    page.keyboard.press("Shift+ArrowUp")
    x, y = numbers(grip.get_attribute("aria-valuetext"))
    page.get_by_role("button", name="This is my guess").click()
    assert said(page) == guessed(place(), (x, y))
    assert page.locator(".attn-plane text", has_text="answer").is_visible()
    assert numbers(page.locator(".attn-places dd").last.text_content()) == [x, y]


def test_the_way_to_the_answer_is_drawn_with_it_and_a_first_guess_stays(show):
    page = show([mix()])
    grip, names = page.get_by_role("slider", name="my guess"), page.locator(".attn-plane text", has_text="0.6 a")
    start = numbers(grip.get_attribute("aria-valuetext"))
    grip.focus()
    page.keyboard.press("Shift+ArrowRight")
    where = numbers(grip.get_attribute("aria-valuetext"))
    page.get_by_role("button", name="This is my guess").click()
    assert said(page) == guessed(mix(), where, again=True) and "No weight is below 0." in said(page)
    assert names.is_hidden()
    page.get_by_role("button", name="Show the answer").click()
    assert names.is_visible() and numbers(grip.get_attribute("aria-valuetext")) == where
    page.get_by_role("button", name="Ask me again").click()
    assert names.is_hidden() and numbers(grip.get_attribute("aria-valuetext")) == start


def test_a_wrong_guess_has_its_own_way_of_three_shares_and_keeps_it_beside_the_answer(show):
    page = show([mix()], reduced_motion="reduce")
    grip = page.get_by_role("slider", name="my guess")

    def names():
        """Of the three arrows; the dot's own comes last."""
        return page.locator(".attn-plane text[data-tone=query]").all_text_contents()[:3]

    ways = page.locator(".attn-mark[data-kind=arrow]:visible")
    assert ways.count() == 3 and names() == [""] * 3
    grip.focus()
    for key in ["ArrowRight"] * 6 + ["ArrowDown"] * 6:
        page.keyboard.press(f"Shift+{key}")
    x, y = numbers(grip.get_attribute("aria-valuetext"))
    page.get_by_role("button", name="This is my guess").click()
    shares = [float(name.replace("−", "-").split()[0]) for name in names()]
    np.testing.assert_allclose(np.array(shares) @ np.array([*mix().marks.values()]), [x, y], atol=0.03)
    assert "That is " + " + ".join(names()).replace("+ −", "− ") in said(page)
    assert ways.count() == 6
    tip = page.locator(".attn-mark[data-tone=query] .attn-tip").last.bounding_box()
    dot = middle(grip.locator("circle").last)
    assert np.hypot(tip["x"] + tip["width"] / 2 - dot[0], tip["y"] + tip["height"] / 2 - dot[1]) < 12
    page.get_by_role("button", name="Show the answer").click()
    assert ways.count() == 9 and names() == [""] * 3  # the answer's shares are named, and no more
    page.get_by_role("button", name="Ask me again").click()
    assert ways.count() == 3


@pytest.mark.parametrize("how", ["guess", "show"])
def test_a_dot_stays_where_it_was_guessed_once_the_answer_is_there(show, how):
    page = show([mix()], reduced_motion="reduce")
    grip = page.get_by_role("slider", name="my guess")
    ghost = page.locator(".attn-mark[data-kind=point]", has=page.locator("circle")).nth(0)
    grip.focus()
    page.keyboard.press("Shift+ArrowRight")
    first = grip.get_attribute("aria-valuetext")
    spot = middle(grip.locator("circle").last)
    page.get_by_role("button", name="This is my guess").click()
    if how == "guess":
        grip.focus()
        page.keyboard.press("Shift+ArrowRight")
        page.get_by_role("button", name="This is my guess").click()
    else:
        page.get_by_role("button", name="Show the answer").click()
    assert middle(ghost) == pytest.approx(spot, abs=0.5)  # the first guess stays in sight
    told, there = grip.get_attribute("aria-valuetext"), middle(grip.locator("circle").last)
    assert (told == first) == (how == "show")
    page.mouse.move(*there)
    page.mouse.down()
    page.mouse.move(there[0] + 60, there[1] + 40, steps=4)
    page.mouse.up()
    grip.focus()
    page.keyboard.press("Shift+ArrowDown")
    assert grip.get_attribute("aria-valuetext") == told and "The answer: " in said(page)
    page.get_by_role("button", name="Ask me again").click()
    grip.focus()
    page.keyboard.press("Shift+ArrowDown")
    assert grip.get_attribute("aria-valuetext") != told and ghost.is_hidden()


def test_a_wrong_first_guess_stays_marked_beside_the_second(show):
    page = show([word(), ratio()])
    choice(page, "by").click()
    choice(page, "river").click()
    assert page.locator("[data-mine]").all_text_contents() == ["river", "by"]
    page.get_by_role("button", name="Ask me again").click()
    assert page.locator("[data-mine]").count() == 0
    for guess in ("5", "30"):
        page.get_by_label("My guess").fill(guess)
        page.keyboard.press("Enter")
    rail, mark = page.locator(".attn-rail"), page.locator(".attn-early")
    at = (middle(mark)[0] - rail.bounding_box()["x"]) / rail.bounding_box()["width"]
    assert at == pytest.approx(np.log10(5) / 3, abs=0.02)


def test_a_wrong_number_stays_on_its_axis_beside_an_answer_that_is_asked_for(show):
    page = show([ratio()], reduced_motion="reduce")
    rail, name, join = (page.locator(f".attn-{one}") for one in ("rail", "yours", "join"))
    page.get_by_label("My guess").fill("5")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Show the answer").click()
    at = (middle(name)[0] - rail.bounding_box()["x"]) / rail.bounding_box()["width"]
    assert at == pytest.approx(np.log10(5) / 3, abs=0.02) and name.text_content() == "yours 5 times"
    assert join.bounding_box()["width"] > 20 and said(page).startswith("The answer:")
    page.get_by_role("button", name="Ask me again").click()
    assert name.count() == join.count() == 0
    page.get_by_role("button", name="Show the answer").click()
    assert name.count() == join.count() == 0  # nothing was guessed


def test_the_dot_waits_where_it_hides_no_arrow_and_the_arrows_are_quieter_than_it(show):
    page = show([mix()])
    (x, y), places = numbers(page.get_by_role("slider").get_attribute("aria-valuetext")), mix().marks.values()
    assert min(np.hypot(x - a, y - b) for a, b in [(0, 0), *places]) > mix().reach / 2
    arrows = page.locator(".attn-mark[data-kind=arrow]:visible path:not(.attn-tip)").all()
    assert {one.evaluate("(one) => getComputedStyle(one).strokeWidth") for one in arrows} == {"1.5px"}
    assert page.locator(".attn-places dt").all_text_contents() == ["your dot"]  # the axes tell whole numbers


def test_a_dot_that_was_never_moved_is_no_guess(show):
    page = show([place()])
    page.get_by_role("button", name="This is my guess").click()
    assert page.locator(".attn-say").is_hidden()
    assert page.locator(".attn-far").text_content() == "Drag the dot first."
    x, _ = page.get_by_role("slider", name="my guess").get_attribute("aria-valuetext").strip("()").split(", ")
    for key in ("ArrowDown", "ArrowDown"):
        page.get_by_role("slider", name="my guess").focus()
        page.keyboard.press(key)
        page.get_by_role("button", name="This is my guess").click()
    assert said(page).startswith(f"You said ({x}, ") and page.locator(".attn-far").text_content().endswith(" away.")


def test_a_dot_stays_where_all_of_it_is_seen(show):
    page = show([place()])
    grip, most = page.get_by_role("slider", name="my guess"), 0.8 * place().reach
    grip.focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"):
        for _ in range(20):
            page.keyboard.press(f"Shift+{key}")
        assert np.abs(numbers(grip.get_attribute("aria-valuetext"))).max() <= most + 1e-9
        board, dot = page.locator(".attn-plane").bounding_box(), grip.locator(".attn-grip").bounding_box()
        for start, long in (("x", "width"), ("y", "height")):
            assert board[start] <= dot[start] and dot[start] + dot[long] <= board[start] + board[long]


@pytest.mark.parametrize("width", [390, also(892)])
@pytest.mark.parametrize("make", [ratio, word, place])
def test_an_answer_comes_below_its_question_and_a_guess_is_made_once(show, make, width):
    """Nothing above it moves, no blank asks what is missing: the box grows by its answer, or has it beside a plane."""
    page = show([make()], width=width)
    form = {ratio: ".attn-rail", word: ".attn-options", place: ".attn-plane"}[make]

    def box(name):
        return page.locator(name).bounding_box()

    tall, asked, buttons = box(".attn-live")["height"], box(form), box(".attn-asked")
    if make is place:
        page.get_by_role("slider", name="my guess").focus()
        page.keyboard.press("Shift+ArrowLeft")
    elif make is ratio:
        page.get_by_label("My guess").fill("5")
    press = choice(page, "by" if make is word else "This is my guess")
    assert press.get_attribute("aria-disabled") == "false"
    press.click()
    assert page.locator(".attn-say").is_visible()
    assert box(form) == pytest.approx(asked, abs=1)
    assert [box(".attn-asked")[k] for k in "xy"] == pytest.approx([buttons[k] for k in "xy"], abs=1)
    answer = box(".attn-say")
    if make is place and width > 700:
        assert answer["x"] >= asked["x"] + asked["width"]
    else:
        assert answer["y"] >= asked["y"] + asked["height"]
    beside = make is place and width > 700
    assert box(".attn-live")["height"] == pytest.approx(tall + (0 if beside else answer["height"]), abs=32)
    assert press.get_attribute("aria-disabled") == "true"


def test_giving_up_shows_the_answer_and_asking_again_hides_it(show):
    page = show([word()])
    page.get_by_role("button", name="Show the answer").click()
    assert said(page).startswith("The answer: “river”.")
    assert page.get_by_role("button", name="Show the answer").is_hidden()
    choice(page, "by").click(force=True)  # what was shown is no guess
    assert said(page).startswith("The answer: “river”.")
    page.get_by_role("button", name="Ask me again").click()
    assert page.locator(".attn-say").is_hidden() and page.locator("[aria-pressed=true]").count() == 0
    assert page.evaluate("document.activeElement.textContent") == "she"


def test_a_guess_is_there_again_after_a_reload_and_only_its_own(open_page, tmp_path):
    page = open_page()
    address = write_page(tmp_path, [word(), ratio()])
    alive = "() => document.querySelectorAll('[data-live]').length === 2"
    page.goto(address)
    page.wait_for_function(alive)
    for guess in ("by", "she"):  # the second is wrong too
        choice(page, guess).click()
    page.reload()
    page.wait_for_function(alive)
    assert said(page) == guessed(word(), "she")
    assert page.locator(".attn-say").nth(1).is_hidden()
    assert page.locator(".attn-voice").first.text_content() == ""  # what was known yesterday is not announced
    page.get_by_role("button", name="Ask me again").click()
    page.reload()
    page.wait_for_function(alive)
    assert page.locator(".attn-say:visible").count() == 0


@pytest.mark.parametrize(
    "kept", ["{", "[]", "7", '{"Which word?": [9]}', '{"Which word?": "she"}', '{"Which word?": [1, 1]}']
)
def test_a_damaged_or_foreign_guess_is_no_guess(open_page, tmp_path, kept):
    page = open_page()
    page.add_init_script(f"localStorage.setItem('attn:guesses', {json.dumps(kept)})")
    page.goto(write_page(tmp_path, [word()]))
    page.wait_for_function("() => document.querySelector('[data-live]')")
    assert page.locator(".attn-say").is_hidden()
    choice(page, "she").click()
    assert said(page) == guessed(word(), "she", again=True)


def test_a_page_that_may_keep_nothing_still_asks(open_page, tmp_path):
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page.goto(write_page(tmp_path, [word()]))
    choice(page, "she").click()
    assert said(page) == guessed(word(), "she", again=True)


def test_a_guess_opens_what_was_folded_below_the_question(open_page, tmp_path):
    page = open_page()
    address = write_page(tmp_path, [word()])
    fold = '<div class="cell {}"><details class="{}"><summary>more</summary><p>{}</p></details></div>'
    after = fold.format("tag_hide-output", "hide below-input", "the output")
    after += fold.format("tag_hide-cell", "hide above-input", "the check") + "<p>Next.</p>"
    after += fold.format("tag_hide-output", "hide below-input", "another answer")
    html = (tmp_path / "index.html").read_text("utf8").replace("</h1>", '</h1><div class="cell">')
    (tmp_path / "index.html").write_text(html.replace("</main>", f"</div>{after}</main>"), "utf8")
    page.goto(address)
    for guess in ("by", "she"):
        assert page.get_by_text("the output").is_hidden()
        choice(page, guess).click()
    for _ in range(2):  # the guess is kept, and with it what it opened
        page.get_by_text("the output").wait_for(state="visible")
        assert page.get_by_text("the check").is_hidden() and page.get_by_text("another answer").is_hidden()
        page.reload()
    page.get_by_role("button", name="Ask me again").click()
    assert page.get_by_text("the output").is_hidden()
    # who has opened a fold before its question is alive keeps it open
    html = (tmp_path / "index.html").read_text("utf8").replace("<details class", "<details open class")
    (tmp_path / "index.html").write_text(html, "utf8")
    page.reload()
    page.wait_for_selector("[data-live]")
    assert page.get_by_text("the output").is_visible()


def test_the_reply_is_announced_once(show):
    page = show([word()])
    choice(page, "by").click()
    page.wait_for_function("() => document.querySelector('.attn-voice').textContent")
    assert page.locator(".attn-voice").text_content() == said(page)
    assert page.get_by_role("group", name="Which word?").is_visible()


def test_without_a_script_the_answer_unfolds(show):
    page = show([word()], script=False, ready=False, java_script_enabled=False)
    answer = page.get_by_text("It says which bank.")
    assert answer.is_hidden()
    page.get_by_text("The answer", exact=True).click()
    assert answer.is_visible()


@pytest.mark.parametrize("theme", ["dark", also("light")])
@pytest.mark.parametrize("width", [390, also(1280)])
def test_questions_fit_and_break_no_rule_before_and_after(show, theme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    long = widgets.Predict("What then? " * 20, 1, unit="units of measurement", replies={2: "Not this. " * 30})
    page = show([ratio(), word(), place(), long], theme=theme, width=width)
    for reveal in (False, True):
        if reveal:
            for button in page.get_by_role("button", name="Show the answer").all()[::-1]:
                button.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        grave = [r for r in axe.run(page).response["violations"] if r["impact"] in ("serious", "critical")]
        assert not grave, json.dumps([(rule["id"], rule["nodes"][0]["html"][:300]) for rule in grave], indent=1)


@pytest.mark.parametrize(
    ("typed", "guess"), [("0.99", 99), ("1/3", 33.3333333333), ("0.99%", 0.99), ("50", 50), ("1", 1), ("50 %", 50)]
)
def test_where_percent_are_asked_for_a_fraction_is_a_share(show, typed, guess):
    asked = lambda: widgets.Predict("?", 99.4, unit="%", digits=1)  # noqa: E731
    page = show([asked()])
    page.get_by_label("My guess").fill(typed)
    page.keyboard.press("Enter")
    assert said(page) == guessed(asked(), guess, again=guess != 99)
    assert float(page.get_by_label("My guess").input_value()) == pytest.approx(guess, abs=1e-4)


def test_a_guess_not_yet_made_has_a_button_that_can_be_pressed_and_a_dot_that_says_what_to_do(show):
    page = show([ratio(), place()])
    ground = "(one) => getComputedStyle(one).backgroundColor"
    number_, dot = page.get_by_role("button", name="This is my guess").all()
    clear = "rgba(0, 0, 0, 0)"
    full = page.locator(".attn-live").first.evaluate("""(one) => {
        const probe = one.appendChild(document.createElement("i"));
        probe.style.background = "var(--attn-accent)";
        return getComputedStyle(probe).backgroundColor;
    }""")
    assert number_.evaluate(ground) == full and number_.is_enabled()
    page.get_by_label("My guess").first.fill("9")
    assert number_.evaluate(ground) == full
    tag = page.locator(".attn-plane text", has_text="drag me")
    assert tag.is_visible() and dot.evaluate(ground) != clear
    page.get_by_role("slider", name="my guess").press("ArrowLeft")
    assert tag.count() == 0 or tag.is_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_not_yet_guessed_is_hollow_and_what_is_set_is_filled(show, theme):
    page = show([ratio(), place()], color_scheme=theme)
    paper = page.locator(".attn-live").first.evaluate("""(one) => {
        const probe = one.appendChild(document.createElement("i"));
        probe.style.background = "var(--attn-paper)";
        return getComputedStyle(probe).backgroundColor;
    }""")
    style = "(one, name) => getComputedStyle(one)[name]"
    waiting, line = page.locator(".attn-rail > span > i"), page.locator(".attn-rail > i")
    dot = page.get_by_role("slider", name="my guess")
    assert waiting.evaluate(style, "backgroundColor") == dot.locator("> *").last.evaluate(style, "fill") == paper
    assert float(re.search(r"[\d.]+", line.evaluate(style, "backgroundSize"))[0]) == 0
    thumb = page.get_by_label("a guess on the scale")
    filled = "(one) => getComputedStyle(one).getPropertyValue('--thumb')"
    assert thumb.evaluate(filled) != ""  # by keys the thumb itself is seen, and is hollow too
    thumb.press("PageUp")
    dot.press("ArrowUp")
    assert waiting.count() == 0 and thumb.evaluate(filled) == ""
    size = line.evaluate(style, "backgroundSize")
    at = float(re.search(r"[\d.]+", size)[0]) / 100
    assert at == pytest.approx(float(thumb.input_value()), abs=0.01) and at > 0
    assert dot.locator("> *").last.evaluate(style, "fill") != paper
    page.get_by_role("textbox").fill("")
    assert waiting.count() == 1


def test_after_a_wrong_first_guess_the_dot_waits_again_beside_the_first_which_has_its_name(show):
    page = show([ratio()], width=902, reduced_motion="reduce")
    page.get_by_label("My guess").fill("5")
    page.get_by_role("button", name="This is my guess").click()
    ring, early = page.locator(".attn-rail i.attn-disc"), page.locator(".attn-early")
    asks = "one => getComputedStyle(one, '::after').content"
    assert ring.is_visible() and ring.evaluate(asks).startswith('"drag, or type"')  # another guess is asked for
    assert early.text_content() == "first guess" and page.locator(".attn-now").count() == 0
    page.get_by_label("My guess").fill("20")
    assert ring.count() == 0 and page.locator(".attn-now").text_content() == "20 times"
    assert early.text_content() == "first guess"
    page.get_by_role("button", name="This is my guess").click()
    assert early.count() == 1 and page.locator(".attn-yours").text_content() == "yours 20 times"
