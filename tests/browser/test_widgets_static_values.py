"""The figures of single steps, rows and values on a page from the disc: driven by mouse and keys, held to attn."""

import re

import numpy as np
import pytest
from figurepage import grid, middle, said, slowly
from sampled import also
from worked import HOSTILE, TOKENS, W_K, W_Q, W_V, X

from attn import core, masks, softmax
from attn.show import widgets
from attn.show.kit import bundle, text

pytestmark = pytest.mark.browser

Q, K, V = X @ W_Q, X @ W_K, X @ W_V
S = core.scores(Q, K, scale=1.0)
A = softmax.softmax(S / np.sqrt(3))


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def click(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def live(page):
    """The tables of the moving figures, not those that stand in for them."""
    return page.locator(".attn-live table")


def random_figures(rng):
    """Each figure on random material, in several places."""
    n, m, e = rng.integers(2, 8, 3)
    scores = rng.normal(size=(n, m)) * 10.0 ** rng.integers(-2, 3)
    weights = softmax.softmax(scores)
    holes = np.where(rng.random((n, m)) < 0.3, -np.inf, scores)
    values, row = rng.normal(size=(m, e)), int(rng.integers(n))
    square = rng.normal(size=(n, n)) * 2
    d = int(rng.integers(1, 12))
    yield widgets.SoftmaxSliders(scores[0] % 90, temperature=rng.uniform(0.1, 9))
    yield from (widgets.Scaling(holes, d, row=row, scaled=scaled) for scaled in (False, True))
    yield widgets.Flow(weights, selected=row)
    yield widgets.Assembly(weights, values, row=row)
    yield widgets.CausalValues(softmax.softmax(square, masks.causal(n)), rng.normal(size=(n, e)), step=int(n))
    yield widgets.Hull(rng.normal(size=(m, 2)), rng.normal(size=m) * 3)


@pytest.mark.prove
def test_random_figures_say_what_python_says(show):
    rng = np.random.default_rng(11)
    shown = [widget for _ in range(6) for widget in random_figures(rng)]
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [repr(widget) for widget in shown]


def finding(page):
    """Give the page what finds a hull, as `corners`."""
    source = bundle.module_source("hull").replace("export default", "export { corners };\nexport default")
    page.evaluate(
        """async (source) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            window.corners = (await import(address)).corners;
        }""",
        source,
    )


def test_the_hull_and_the_entropy_are_the_library_s(show):
    page = show([])
    finding(page)
    rng = np.random.default_rng(13)
    for _ in range(40):
        points = rng.integers(-3, 4, (rng.integers(1, 12), 2)).tolist()  # whole numbers: many lie on one line
        assert page.evaluate("(p) => corners.hull(p)", points) == widgets.Hull(points).corners
        p = rng.dirichlet(np.full(5, 0.1))
        found = page.evaluate("(p) => attnFigures.linalg.entropy(p)", p.tolist())
        assert found == pytest.approx(float(softmax.entropy(p)), abs=1e-12)


def laid(page):
    """Where each bar of a running sum begins and ends, counted in the first one's length."""
    boxes = [one.bounding_box() for one in page.locator(".attn-laid").all()]
    unit, zero = boxes[0]["width"], boxes[0]["x"]
    return np.array([[box["x"] - zero, box["x"] - zero + box["width"]] for box in boxes]) / unit


def test_the_temperature_sharpens_and_flattens(show):
    page = show([widgets.SoftmaxSliders([1, 5, 3], TOKENS)])
    page.get_by_role("slider", name="temperature").focus()
    press(page, "Home")
    assert said(page) == repr(widgets.SoftmaxSliders([1, 5, 3], TOKENS, 0.1))
    press(page, "End")
    assert said(page) == repr(widgets.SoftmaxSliders([1, 5, 3], TOKENS, 10))
    click(page, "Start again")
    assert said(page) == repr(widgets.SoftmaxSliders([1, 5, 3], TOKENS))


def test_the_scale_goes_on_and_off(show):
    page = show([widgets.Scaling(S, 3, TOKENS)])
    click(page, "÷ √3")
    assert said(page) == repr(widgets.Scaling(S, 3, TOKENS, scaled=True))
    assert page.locator(".attn-bars .attn-value").all_text_contents() == [
        "7.0%",
        "70.7%",
        "22.3%",
        "0.58",
        "2.89",
        "1.73",
    ]
    click(page, "AI")
    press(page, "ArrowLeft")
    assert said(page) == repr(widgets.Scaling(S, 3, TOKENS, row=1, scaled=True))
    assert page.locator(".attn-nats").text_content() == "entropy in nats 1.099 → 1.099"
    dot = page.locator(".attn-course > .attn-own")  # the row among the random rows
    assert dot.text_content() == "row “love”" and dot.evaluate("one => one.style.top") == "66.67%"


def points(path):
    """The points of a line on the picture of the largest weight, in shares of its width and height.   -> (n, 2)"""
    told = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get_attribute("d")), float).reshape(-1, 2) / 100
    return np.stack([told[:, 0], 1 - told[:, 1]], axis=1)


def mean_largest(rng, d, by):
    """Of 4000 rows of three random scores, divided by a number: the mean of the largest weights."""
    q, k = rng.normal(size=(4000, 1, d)), rng.normal(size=(4000, 3, d))
    return softmax.softmax((q * k).sum(-1) / by).max(axis=1).mean()


@pytest.mark.parametrize("width", [892, 390])
def test_the_mean_largest_weight_is_a_line_over_all_widths_and_a_press_on_it_goes_there(show, width):
    page = show([widgets.Scaling(S, 3, TOKENS)], width=width, reduced_motion="reduce")
    course, rng, one = page.locator(".attn-course"), np.random.default_rng(5), widgets.Scaling(S, 3, TOKENS)
    ghosts, been = (course.locator(f"g:{child}-child path").all() for child in ("first", "last"))
    for k, ghost in enumerate(ghosts):
        seen = points(ghost)  # at every whole width
        np.testing.assert_allclose(seen[:, 0], np.log2(np.arange(3, 129) / 3) / np.log2(128 / 3), atol=1e-3)
        for d in (3, 8, 32, 128):
            assert seen[d - 3, 1] == pytest.approx(mean_largest(rng, d, np.sqrt(d) if k else 1), abs=0.06)
    box = course.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 20)
    one.width = wide = float(page.get_by_role("slider").get_attribute("aria-valuetext"))
    assert said(page) == repr(one) and abs(np.log2(wide / 3) - 0.6 * np.log2(128 / 3)) < 0.05
    places = [points(ghost)[int(wide) - 3, 1] for ghost in ghosts] + [one.plain.max()]
    for dot, share in zip(course.locator("em, .attn-own").all(), places, strict=True):
        x, y = middle(dot)
        assert abs(x - box["x"] - box["width"] * 0.6) < 3 and abs(y - box["y"] - box["height"] * (1 - share)) < 2
    # what the reader has passed is a line; the divided line begins where the reader divides
    np.testing.assert_array_equal(points(been[0]), points(ghosts[0])[: int(wide) - 2])
    assert not points(been[1]).size
    page.locator(".attn-ways button").last.click()
    assert len(points(been[1])) == 1
    told = page.locator(".attn-verdict strong").all_text_contents()
    assert [float(one[:-1]) / 100 for one in told] == pytest.approx(places[:2], abs=1e-3)
    first, second = [page.locator(".attn-verdict strong").nth(k).bounding_box() for k in (0, 1)]
    assert first["y"] == second["y"]  # no line breaks after an arrow
    click(page, "Start again")
    assert len(points(been[0])) == 1 and not points(been[1]).size


@pytest.mark.parametrize("width", [1280, 390])
def test_the_width_s_slider_and_chart_stay_put_from_end_to_end_and_the_thumb_is_taken_again_there(show, width):
    page = show([widgets.Scaling(S, 16, TOKENS)], width=width, reduced_motion="reduce")
    slider, course = page.get_by_role("slider", name="width d"), page.locator(".attn-course")
    box, chart = slider.bounding_box(), course.bounding_box()
    y, ends = box["y"] + box["height"] / 2, (box["x"] + 9, box["x"] + box["width"] - 9)
    for way in (1, -1, 1):  # there, back from where the thumb has come to, and there again
        told = []
        page.mouse.move(ends[0] if way > 0 else ends[1] + 5, y)  # at its end the thumb's outer half is taken
        page.mouse.down()
        for t in np.linspace(0, 1, 8)[::way]:
            page.mouse.move(ends[0] + t * (ends[1] - ends[0]), y)
            told.append(float(slider.get_attribute("aria-valuetext")))
            assert slider.bounding_box() == box and course.bounding_box() == chart
        page.mouse.up()
        assert told == sorted(told)[::way] and (min(told), max(told)) == (3, 128)
        assert page.evaluate("String(getSelection())") == ""


@pytest.mark.parametrize("width", [892, 374])
def test_the_width_is_told_below_its_thumb_and_the_row_s_dot_is_no_speck(show, width):
    page = show([widgets.Scaling(S, 16, TOKENS)], width=width, reduced_motion="reduce")
    slider, course = page.get_by_role("slider", name="width d"), page.locator(".attn-course")
    told = page.locator(".attn-most .attn-slider .attn-value")
    page.add_style_tag(content=".attn-slider .attn-value { pointer-events: auto !important }")  # so that it is found
    for wide in (3, 16, 128):
        slider.fill(str(np.log2(wide)))
        (x, y), box, line = middle(told), slider.bounding_box(), middle(course.locator("> i"))
        assert told.text_content() == str(wide) and abs(x - line[0]) < 2 and y > box["y"] + box["height"]
        # over the number that stands there: nothing is written twice
        seen = "one => { one.scrollIntoView(); const { x, y, width, height } = one.getBoundingClientRect(); "
        seen += "return document.elementFromPoint(x + width / 2, y + height / 2) === one; }"
        assert told.evaluate(seen)
    name = page.locator(".attn-most .attn-slider .attn-name").bounding_box()
    assert name["y"] > course.bounding_box()["y"] + course.bounding_box()["height"] + 10  # the axis's 0% stands alone
    assert page.locator(".attn-own").bounding_box()["width"] >= 12


def test_an_entropy_of_next_to_nothing_has_no_power_of_ten(show):
    one = widgets.Scaling([[0.0, 9, 1]], 16, TOKENS)
    page = show([one])
    assert page.locator(".attn-nats strong").first.text_content() == "0.004"
    one.width = 128.0
    page.get_by_role("slider", name="width d").fill("7")
    assert page.locator(".attn-nats strong").first.text_content() == "<0.001"
    assert said(page) == repr(one) and said(page).endswith("entropy <0.001 nats.")


def test_random_scores_spread_like_the_root_of_the_width_unless_they_are_divided(show):
    page = show([widgets.Scaling(S, 3, TOKENS)], reduced_motion="reduce")
    click(page, "÷ √3")
    spreads = []
    for wide in (8, 128):
        page.get_by_role("slider", name="width d").fill(str(np.log2(wide)))
        spreads.append([float(one) for one in page.locator(".attn-draws strong").all_text_contents()])
        ways, scores = [one.get_attribute("d") for one in page.locator(".attn-draws path").all()], []
        assert ways[0] == ways[1]  # a ring is a dot and a smaller one of paper
        for dots, bar in (ways[1:3], ways[4:]):  # the bar is the spread of the dots
            scores.append(np.array(re.findall(r"M([\d.]+)", dots), float) - 50)
            low, high = np.array(re.findall(r"[MH]([\d.]+)", bar), float) - 50
            assert len(scores[-1]) == 240 and abs(low + high) < 0.02
            assert high == pytest.approx(np.sqrt(np.mean(np.square(scores[-1]))), abs=0.02)
        np.testing.assert_allclose(scores[0], scores[1] * np.sqrt(wide), atol=0.1)
    (plain, divided), (wider, still) = spreads
    assert wider / plain == pytest.approx(4, rel=0.25) and 0.75 < divided < 1.25 and 0.75 < still < 1.25
    assert wider == pytest.approx(np.sqrt(128), rel=0.25)


def test_wider_queries_sharpen_what_is_not_divided(show):
    page = show([widgets.Scaling(S, 3, TOKENS)])
    one = widgets.Scaling(S, 3, TOKENS)
    sharp, even = [], []
    for k in (0, 0.3, 0.7, 1):
        slide = "(s, k) => { s.value = +s.min + k * (s.max - s.min); s.dispatchEvent(new Event('input')) }"
        page.get_by_role("slider", name="width d").evaluate(slide, k)
        one.width = float(page.get_by_role("slider").get_attribute("aria-valuetext"))
        assert said(page) == repr(one)
        click(page, f"÷ √{text.number(one.width)}")
        one.scaled = True
        assert said(page) == repr(one)
        click(page, "as they are")
        one.scaled = False
        sharp.append(one.plain.max())
        even.append(one.divided.max())
    assert one.width == 128 and sharp == sorted(sharp) and sharp[-1] > 0.999 and np.ptp(even) < 1e-12
    click(page, "Start again")
    assert said(page) == repr(widgets.Scaling(S, 3, TOKENS))


def test_the_rest_is_no_word_and_comes_last(show):
    weights, keys = [[0.3, 0.5, 0.2], [0.6, 0.4, 2e-16]], ["she", "the", "the rest"]
    page = show([widgets.Flow(weights, ["one", "two"], keys, rest=True)])
    assert said(page) == "“one” looks at “the” 50%, “she” 30%, the rest 20%."
    click(page, "two")
    assert said(page) == repr(widgets.Flow(weights, ["one", "two"], keys, 1, rest=True))
    assert "rest" not in said(page) and page.locator(".attn-streams li strong").last.text_content() == ""


def test_a_word_chosen_on_the_right_shows_who_looks_at_it_until_another_is_chosen(show):
    page = show([widgets.Flow(A, TOKENS)], width=902)
    words, gives = page.locator(".attn-streams li"), page.locator(".attn-gives span")
    assert gives.locator("visible=true").count() == 0
    words.nth(1).click()
    page.mouse.move(1, 1)
    assert gives.all_inner_texts() == [text.percent(x) for x in A[:, 1]]
    assert words.locator("strong:visible").count() == 0  # one set of numbers at a time
    for chip, share in zip(page.locator(".attn-streams button").all(), gives.all(), strict=True):
        np.testing.assert_allclose(middle(chip)[1], middle(share)[1], atol=2)  # beside the word that looks
    assert page.locator("path[data-lit]").count() == 4  # three streams and the chosen word's share
    # what is asked for lies on top, opaque: no stream shows through another as a stripe
    assert page.locator(".attn-streams svg > :last-child > path[data-lit]").count() == 3
    paths = page.locator(".attn-streams path")
    assert set(paths.evaluate_all("all => all.map((one) => getComputedStyle(one).opacity)")) == {"1"}
    words.nth(1).press("Enter")
    words.nth(1).blur()
    assert gives.locator("visible=true").count() == 0
    words.nth(2).click()
    click(page, "love")
    page.mouse.move(1, 1)
    assert gives.locator("visible=true").count() == 0 and said(page) == repr(widgets.Flow(A, TOKENS, selected=1))


@pytest.mark.parametrize("width", [902, 390])
def test_what_the_two_sides_of_the_streams_are_stands_over_them(show, width):
    page = show([widgets.Flow(A, TOKENS)], width=width)
    heads = [one for one in page.locator(".attn-side").all() if one.inner_text()]
    assert [one.inner_text() for one in heads] == ["who looks", "at what, how much"]
    below = [page.locator(".attn-streams button").first, page.locator(".attn-streams li").first]
    for head, one in zip(heads, below, strict=True):
        over, under = head.bounding_box(), one.bounding_box()
        assert abs(over["x"] - under["x"]) < 2 and 0 <= under["y"] - over["y"] - over["height"] < 40
        assert over["x"] + over["width"] < page.locator(".attn-live").bounding_box()["width"]


@pytest.mark.parametrize("width", [902, 390])
def test_the_whole_of_a_word_s_attention_is_told_inside_the_figure(show, width):
    page = show([widgets.Flow([[0.99996, 0.00004], [0, 1]], ["wednesday", "thursday"])], width=width)
    share, card = page.locator(".attn-streams li strong").first, page.locator(".attn-live").bounding_box()
    end = "r.selectNodeContents(one); return r.getBoundingClientRect().right"
    end = f"one => {{ const r = document.createRange(); {end}; }}"
    assert share.inner_text() == "100.0%" and share.evaluate(end) < card["x"] + card["width"] - 8


def test_attention_flows_from_the_chosen_word(show):
    page = show([widgets.Flow(A, TOKENS)])
    click(page, "AI")
    assert said(page) == repr(widgets.Flow(A, TOKENS, selected=2))
    assert page.locator(".attn-streams li strong").all_text_contents() == ["16.8%", "53.3%", "29.9%"]
    ways = [re.findall(r"-?[\d.]+", p.get_attribute("d")) for p in page.locator(".attn-share").all()]
    start, end = np.array([[float(way[1]), float(way[-1])] for way in ways]).T  # above and below, at the chosen word
    np.testing.assert_allclose((end - start) / sum(end - start), A[2], atol=1e-3)
    np.testing.assert_allclose(end[:-1], start[1:], atol=1e-9)  # stacked
    press(page, "ArrowUp")
    assert said(page) == repr(widgets.Flow(A, TOKENS, selected=1))


def test_streams_into_one_word_lie_on_each_other_and_its_box_is_as_high_as_their_sum(show):
    page = show([widgets.Flow(A, TOKENS)], width=902)
    words = page.locator(".attn-streams li")
    tall = [one.bounding_box()["height"] for one in words.all()]
    np.testing.assert_allclose(np.array(tall) / sum(tall), A.sum(axis=0) / 3, atol=0.01)
    wide = page.locator(".attn-gives").bounding_box()["width"]
    for j, word in enumerate(words.all()):
        word.hover()
        assert page.locator(".attn-gives").bounding_box()["width"] == wide  # no stream moves
        told = word.evaluate("e => getComputedStyle(e, '::after').content").strip('"')
        assert told == f"{A[:, j].sum():.2f} in all"
        found = page.locator(".attn-streams svg > :last-child > path[data-lit]").all()
        ways = [re.findall(r"-?[\d.]+", one.get_attribute("d")) for one in found]
        start, end = np.array([[float(way[7]), float(way[8])] for way in ways]).T  # above and below, at the word
        np.testing.assert_allclose(end[:-1], start[1:], atol=1e-9)
        top = page.locator(".attn-streams svg").bounding_box()["y"]
        np.testing.assert_allclose(top + (start[0] + end[-1]) / 2, middle(word)[1], atol=1)
    assert page.locator(".attn-say").is_visible()
    lines = page.locator(".attn-title").evaluate(
        "e => e.getClientRects()[0].height / parseFloat(getComputedStyle(e).lineHeight)"
    )
    assert lines < 1.5


def test_an_output_row_is_assembled(show):
    page = show([widgets.Assembly(A, V, TOKENS), widgets.Assembly(A, V - 1.5, TOKENS)])
    narrow = page.locator(".attn-pieces").first.locator("[data-over]")  # what is narrow has its area above it
    assert narrow.all_text_contents() == [".07", ".07"]
    assert page.locator(".attn-weight").all_text_contents()[:3] == [".07", ".71", ".22"]  # once, under its word
    products = page.locator(".attn-pieces").first.locator(".attn-part i:visible")
    assert [one.locator("..").inner_text().split("\n")[0].replace("\xa0", " ") for one in products.all()] == [
        "1 × .71 = .71",
        "1 × .22 = .22",
        "2 × .71 = 1.41",
        "1 × .22 = .22",
    ]
    bars = page.locator(".attn-pieces [role=button]")
    assert bars.nth(1).get_attribute("aria-label") == "d2: melt to 1.637"
    assert page.locator(".attn-stacks .attn-value").all_text_contents()[:3] == ["= 1", "= 1.637", "= 0.070"]
    assert "−" in page.locator(".attn-pieces").nth(1).text_content()  # what takes away
    assert page.locator(".attn-pieces").first.locator(".attn-rule").all_text_contents() == 3 * ["0", "1", "2"]
    first = page.locator(".attn-live").first
    first.get_by_role("button", name="love").click()
    one = widgets.Assembly(A, V, TOKENS, row=1)
    assert said(page) == repr(one)
    np.testing.assert_allclose(grid(first.locator("table")), [*one.contributions, one.output], atol=6e-4)
    press(page, "ArrowRight")
    assert said(page) == repr(widgets.Assembly(A, V, TOKENS, row=2))


def test_a_piece_is_as_wide_as_its_weight_and_as_high_as_its_value(show):
    values = V - 0.5  # one dimension below zero too
    one = widgets.Assembly(A, values, TOKENS)
    page = show([one], width=902)
    tracks = page.locator(".attn-pieces .attn-track")
    heads = [head.bounding_box() for head in tracks.first.locator("> span").all()]
    for e in range(3):
        track = tracks.nth(1 + e).bounding_box()
        pieces = [part.bounding_box() for part in tracks.nth(1 + e).locator(".attn-part:not(.attn-flown)").all()]
        wide = np.array([piece["width"] for piece in pieces]) / track["width"]
        np.testing.assert_allclose(wide, one.weights[0], atol=0.006)
        # the same columns in every dimension, under their names
        np.testing.assert_allclose([p["x"] for p in pieces], [head["x"] for head in heads], atol=1)
        high = np.array([piece["height"] for piece in pieces]) / track["height"]
        np.testing.assert_allclose(high, abs(values[:, e]) / np.ptp(values), atol=0.03)
        zero = track["y"] + track["height"] * values.max() / np.ptp(values)
        for x, piece in zip(values[:, e], pieces, strict=True):
            foot = piece["y"] if x < 0 else piece["y"] + piece["height"]
            assert foot == pytest.approx(zero, abs=1.5)
    assert said(page).endswith(f"= {text.vector(one.output)}.")


@pytest.mark.parametrize("shift", [0, 1.5])
def test_beside_its_pieces_the_output_is_a_bar_as_high_as_their_level(show, shift):
    one = widgets.Assembly(A, V - shift, TOKENS)
    page = show([one], width=902)
    span = np.ptp([*(V - shift).ravel(), 0])
    drawn = "one => ['height', 'bottom'].map((part) => parseFloat(getComputedStyle(one, '::before')[part]))"
    for e, x in enumerate(one.output):
        track = page.locator(".attn-pieces [role=button]").nth(e).bounding_box()
        bar = page.locator(".attn-pieces .attn-level").nth(e)
        high, foot = bar.evaluate(drawn)
        assert high / track["height"] == pytest.approx(abs(x) / span, abs=0.01)
        zero = track["height"] * max(0, -(V - shift).min()) / span
        assert (foot if x > 0 else foot + high) == pytest.approx(zero, abs=1)
        line = page.locator(".attn-pieces .attn-mean").nth(e).bounding_box()
        assert line["x"] + line["width"] == pytest.approx(
            bar.bounding_box()["x"], abs=4
        )  # it ends where the bar begins


def spread(bar):
    """How much of a bar's area each colour has, in units of weight × value.   -> {colour: area}"""
    found = {}
    colour = "one => getComputedStyle(one).backgroundColor"
    for part in bar.locator(".attn-part:visible").all():
        box, shade = part.bounding_box(), part.evaluate(colour)
        found[shade] = found.get(shade, 0) + box["width"] * box["height"]
    return found


@pytest.mark.parametrize("shift", [0, 0.5, 3])
def test_what_stands_above_the_output_flows_into_the_gaps_and_every_colour_keeps_its_area(show, shift):
    values = V - shift  # below zero too, and nowhere above it
    one = widgets.Assembly(A, values, TOKENS)
    page = show([one], width=902, reduced_motion="reduce")
    tracks = page.locator(".attn-pieces [role=button]")
    high = np.ptp([*values.ravel(), 0])
    for e in range(3):
        bar = tracks.nth(e)
        box, before = bar.bounding_box(), spread(bar)
        bar.click(position={"x": 150, "y": 20})
        assert bar.get_attribute("aria-pressed") == "true"
        unit, after = box["width"] * box["height"] / high, spread(bar)
        level = box["y"] + box["height"] * (max(values.max(), 0) - one.output[e]) / high
        line = bar.locator(".attn-mean").bounding_box()
        assert line["y"] + line["height"] / 2 == pytest.approx(level, abs=2) and line["width"] > box["width"]
        assert sum(after.values()) / unit == pytest.approx(abs(one.output[e]), abs=0.04)  # full to the level
        for piece in bar.locator(".attn-part:visible").all():
            part = piece.bounding_box()
            end = part["y"] + (part["height"] if one.output[e] < 0 else 0)
            assert end > level - 1.5 if one.output[e] >= 0 else end < level + 1.5
        if shift != 0.5:  # all on one side of zero: nothing is used up
            for shade, area in before.items():
                assert after[shade] / unit == pytest.approx(area / unit, abs=0.03)
    told = page.locator(".attn-origin").text_content()
    assert told.startswith(f"d3 is level at {text.number(one.output[2])}: ") and (shift or "“I” 100%." in told)
    page.get_by_role("button", name="Start again").click()
    assert tracks.evaluate_all("all => all.map((one) => one.getAttribute('aria-pressed'))") == 3 * ["false"]
    assert not page.locator(".attn-flown:visible").count()


def test_on_a_phone_a_narrow_piece_keeps_its_product_and_no_name_runs_into_the_ruler(show):
    page = show([widgets.Assembly(A, V, TOKENS)], width=390)
    products = page.locator(".attn-part i:visible")
    assert products.count() == 4
    for one in products.all():
        piece, text = one.locator("xpath=../..").bounding_box(), one.locator("..").bounding_box()
        assert piece["y"] < text["y"] and text["y"] + text["height"] < piece["y"] + piece["height"]
    for name in page.locator(".attn-pieces .attn-name").all():
        box = name.bounding_box()
        for mark in name.locator("..").locator(".attn-rule > span").all():
            other = mark.bounding_box()
            assert box["x"] + box["width"] + 4 < other["x"] or box["y"] + box["height"] < other["y"] + 1


def test_a_melted_bar_says_what_its_area_is_the_sum_of_and_stays_until_it_is_pressed_again(show):
    page = slowly(show([widgets.Assembly(A, V, TOKENS)], width=902))
    bar = page.locator(".attn-pieces [role=button]").nth(1)
    bar.click(position={"x": 150, "y": 20})
    moving = "all => all.flatMap((one) => one.getAnimations())"
    parts = bar.locator(".attn-flown")
    halfway = f"all => ({moving})(all).forEach((way) => (way.pause(), way.currentTime = 700))"
    box = bar.bounding_box()
    unit = box["width"] * box["height"] / 2
    for act in (halfway, f"all => ({moving})(all).forEach((way) => way.finish())"):  # on the way and there
        parts.evaluate_all(act)
        found = [one["width"] * one["height"] / unit for one in (part.bounding_box() for part in parts.all())]
        assert found == pytest.approx([A[0, 0] * 1.637, A[0, 2] * 0.637], abs=0.015)
    areas = [area for area in bar.locator(".attn-part:not(.attn-flown)").all_text_contents() if area]
    assert areas == ["1.41", ".22"] and bar.locator(".attn-area").text_content() == "area 1.637 = 1.41 + .22"
    share = np.array(list(spread(bar).values())) / sum(spread(bar).values())
    np.testing.assert_allclose(sorted(share), [0.136, 0.864], atol=0.02)
    told = "d2 is level at 1.637: “love” 86.4%, “AI” 13.6%."
    assert page.locator(".attn-origin").text_content() == bar.get_attribute("aria-label") == told
    assert not page.locator("[data-lit], [data-made]").count()  # the mouse that rests speaks of nothing else
    page.mouse.move(box["x"] + 160, box["y"] + 24)
    page.mouse.move(box["x"] + 20, box["y"] + 24)  # over I there is love now
    assert page.locator(".attn-origin").text_content() == "1.414 = 0.707·2; 86.4% of d2"
    page.get_by_role("button", name="AI", exact=True).click()
    assert bar.get_attribute("aria-pressed") == "true"
    bar.press("Enter")
    assert bar.get_attribute("aria-pressed") == "false" and bar.locator(".attn-area").text_content() == ""
    assert page.locator(".attn-origin").text_content().startswith("Point at")


@pytest.mark.parametrize("shift", [0, 0.5, 3])
@pytest.mark.parametrize("width", [902, also(390)])
def test_the_sum_of_a_melted_bar_stands_beside_its_level_within_the_bar(show, shift, width):
    one = widgets.Assembly(A, V - shift, TOKENS)
    page = show([one], width=width, reduced_motion="reduce")
    for e, bar in enumerate(page.locator(".attn-pieces [role=button]").all()):
        bar.press("Enter")
        box, area = bar.bounding_box(), bar.locator(".attn-area").bounding_box()
        assert box["y"] - 1 <= area["y"] and area["y"] + area["height"] <= box["y"] + box["height"] + 1
        assert box["x"] - 1 <= area["x"] and area["x"] + area["width"] <= box["x"] + box["width"] + 1
        total, terms = bar.locator(".attn-area").text_content().removeprefix("area ").replace("−", "-").split(" = ")
        added = sum(float(term) for term in terms.replace(" + ", " ").replace("- ", "-").split())
        assert float(total) == pytest.approx(one.output[e], abs=6e-4)
        assert added == pytest.approx(float(total), abs=0.016)


def test_the_keys_reach_a_bar_and_melt_it(show):
    page = slowly(show([widgets.Assembly(A, V, TOKENS)], width=902))
    page.get_by_role("button", name="Start again").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    bar = page.locator(".attn-pieces [role=button]").nth(1)
    assert bar.evaluate("one => one === document.activeElement")
    assert bar.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    mark = [bar.locator(".attn-press").bounding_box()[part] for part in ("x", "width")]
    end = "(one) => ((r) => (r.selectNodeContents(one), r.getBoundingClientRect().right))(document.createRange())"
    value = page.locator(".attn-stacks .attn-value").nth(1).evaluate(end)
    assert value < mark[0] and sum(mark) < 890 and mark[1] > 20  # what says that a bar can be pressed
    moving = "all => all.flatMap((one) => one.getAnimations()).length"
    assert bar.locator(".attn-flown").evaluate_all(moving) == 0
    page.keyboard.press("Enter")
    assert bar.locator(".attn-flown").evaluate_all(moving) == 2


def test_a_number_and_its_piece_point_at_each_other(show):
    page = show([widgets.Assembly(A, V, TOKENS)], width=902, reduced_motion="reduce")
    pieces, cells = page.locator(".attn-part:not(.attn-flown)"), page.locator(".attn-matrix tbody td")
    card, track = (page.locator(name).first.bounding_box() for name in (".attn-live", ".attn-track[role]"))
    assert track["width"] > 2 / 3 * card["width"]  # the bars have the width, and the numbers they show lie in a fold
    page.get_by_text("The numbers").click()
    lit = "all => all.flatMap((one, k) => (one.hasAttribute('data-lit') ? [k] : []))"
    made = "all => all.flatMap((one, k) => (one.hasAttribute('data-made') ? [k] : []))"
    for at, found in ((4, [4]), (7, [5]), (10, [3, 4, 5])):  # love and AI in d2, their sum
        cells.nth(at).hover()
        assert pieces.evaluate_all(lit) == found
    pieces.nth(5).hover()
    assert (cells.evaluate_all(made), pieces.evaluate_all(lit)) == ([7], [5])
    assert page.locator(".attn-origin").text_content() == "0.223 = 0.223·1; 13.6% of d2"
    page.locator(".attn-stacks .attn-value").nth(1).hover()
    assert (cells.evaluate_all(made), pieces.evaluate_all(lit)) == ([10], [3, 4, 5])
    page.mouse.move(1, 1)
    assert (cells.evaluate_all(made), pieces.evaluate_all(lit)) == ([], [])


def test_values_are_averaged_word_by_word(show):
    weights = softmax.softmax(S, masks.causal(3))
    page = show([widgets.CausalValues(weights, V, TOKENS)])
    page.get_by_role("button", name="Next").focus()
    for step in range(4):
        assert said(page) == repr(widgets.CausalValues(weights, V, TOKENS, step=step))
        press(page, "ArrowRight")
    np.testing.assert_allclose(grid(live(page).last), weights @ V, atol=6e-3)
    page.locator("td[data-at='1,0']").first.click()
    assert said(page) == repr(widgets.CausalValues(weights, V, TOKENS, step=2))
    assert live(page).nth(1).locator("tbody td").all_text_contents()[6:] == ["·"] * 3  # the future's value


def test_the_values_lie_as_high_as_their_weights_over_their_average(show):
    A, values = np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.5, 0.3]]), np.array([[1, 0], [-1, 2], [0, 1]])
    page = show([widgets.CausalValues(A, values, TOKENS, step=3)], reduced_motion="reduce")
    bands = page.locator(".attn-shrunk > div > div")
    tall = [band.bounding_box()["height"] for band in bands.all()]
    np.testing.assert_allclose(np.array(tall) / sum(tall), A[2], atol=0.01)
    told = [[float(x.replace("−", "-")) for x in band.locator("i").all_text_contents()] for band in bands.all()]
    np.testing.assert_allclose(told, A[2][:, None] * values)  # so that the rows add up to the last one
    average = page.locator(".attn-shrunk > :last-child i").all_text_contents()
    np.testing.assert_allclose([float(x.replace("−", "-")) for x in average], A[2] @ values)
    page.set_viewport_size({"width": 390, "height": 844})
    fits = "all => all.map((one) => one.scrollWidth <= one.clientWidth)"
    assert all(page.locator(".attn-shrunk i").evaluate_all(fits))
    page.get_by_role("button", name="Back").click()
    assert bands.last.bounding_box()["height"] == 0  # what comes later has no part in it


def test_the_stack_stands_right_of_what_it_is_made_of_and_its_sum_is_the_loudest(show):
    A, values = np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.5, 0.3]]), np.array([[1, 0], [-1, 2], [0, 1]])
    page = show([widgets.CausalValues(A, values, TOKENS, step=3)], width=902, reduced_motion="reduce")
    area = lambda one: (box := one.bounding_box())["width"] * box["height"]  # noqa: E731
    stack = area(page.locator(".attn-shrunk"))
    A, V, Y = page.locator(".attn-live .attn-cross .attn-scroll").all()
    assert stack > 2.5 * area(A) and stack > 2.5 * area(V) and stack > area(Y)
    card, box, *left = (one.bounding_box() for one in (page.locator(".attn-live"), page.locator(".attn-shrunk"), A, V))
    assert box["width"] > 0.5 * card["width"]
    assert all(one["x"] + one["width"] < box["x"] for one in left)
    size = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    sums = page.locator(".attn-shrunk > :last-child i").evaluate_all(size)
    assert min(sums) > 1.2 * max(
        page.locator(".attn-live :is(td, th, p), .attn-shrunk > div > div > i").evaluate_all(size)
    )


def test_a_step_is_done_within_a_second_and_meanwhile_its_places_are_seen(show):
    weights = A * np.tri(3) / (A * np.tri(3)).sum(axis=1, keepdims=True)
    page = slowly(show([widgets.CausalValues(weights, V, TOKENS, step=2)], width=902))
    click(page, "Next")
    lasts = """e => Math.max(...e.getAnimations({ subtree: true }).map((one) =>
        one.effect.getComputedTiming().endTime / one.playbackRate))"""
    assert page.locator(".attn-past").evaluate(lasts) <= 1200
    look = "e => [getComputedStyle(e).color, getComputedStyle(e).opacity]"
    assert page.locator(".attn-shrunk > :last-child span").evaluate(look)[0] != "rgba(0, 0, 0, 0)"
    assert page.locator(".attn-shrunk > :last-child i").first.evaluate(look) == ["rgba(0, 0, 0, 0)", "1"]


@pytest.mark.parametrize("width", [902, also(390)])
def test_no_number_that_flies_lies_over_a_number_of_v(show, width):
    weights = A * np.tri(3) / (A * np.tri(3)).sum(axis=1, keepdims=True)
    page = slowly(show([widgets.CausalValues(weights, V, TOKENS, step=2)], width=width))
    click(page, "Next")
    over = """(e) => {
        const all = e.getAnimations({ subtree: true }), found = [];
        const cells = [...e.querySelectorAll(".attn-factor tbody td")].map((one) => one.getBoundingClientRect());
        for (const one of all) one.pause();
        for (let t = 20; t < 2400; t += 40) {
            for (const one of all) one.currentTime = t;
            for (const ghost of e.querySelectorAll(".attn-ghost")) {
                const { visibility, color } = getComputedStyle(ghost);
                const flight = ghost.getAnimations()[0]?.effect.getComputedTiming();
                const seen = Number((color.match(/[\\d.]+(?=\\)$)/g) || [1])[0]);
                const faint = /^rgba/.test(color) && seen < 0.5;
                if (!ghost.textContent || visibility === "hidden" || faint || t >= flight.endTime) continue;
                const range = document.createRange();
                range.selectNodeContents(ghost);
                const box = range.getBoundingClientRect();
                const hit = cells.some(({ left, right, top, bottom }) =>
                    box.left < (left + right) / 2 && (left + right) / 2 < box.right &&
                    box.top < (top + bottom) / 2 && (top + bottom) / 2 < box.bottom);
                if (hit) found.push([t, ghost.textContent]);
            }
        }
        return [found, e.querySelectorAll(".attn-ghost").length];
    }"""
    found, ghosts = page.locator(".attn-past").evaluate(over)
    assert ghosts > 10 and found == []


def test_a_weight_rings_its_part_of_the_stack_and_an_output_all_that_it_sums(show):
    page = show([widgets.CausalValues(np.tri(3) / [[1], [2], [3]], V, TOKENS, step=2)], reduced_motion="reduce")
    page.locator(".attn-live td[data-at='1,1']").first.hover()
    assert page.locator(".attn-shrunk [data-source]").all_text_contents() == [".50· love"]
    page.locator(".attn-result td[data-at='1,0']").hover()
    assert page.locator(".attn-shrunk [data-source]").all_text_contents() == [".50", ".50"]


def test_ribbons_lead_from_the_rows_of_v_to_their_parts_of_the_stack(show):
    A, values = np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.5, 0.3]]), np.array([[1, 0], [-1, 2], [0, 1]])
    page = show([widgets.CausalValues(A, values, TOKENS, step=2)], width=902, reduced_motion="reduce")
    box = page.locator(".attn-shrunk > svg").bounding_box()
    ways = [one.get_attribute("d") for one in page.locator(".attn-shrunk path").all()]
    rows = page.locator(".attn-factor tbody tr").all()
    bands = page.locator(".attn-shrunk > div > div").all()
    assert len(bands) == 3
    assert ways[2] == ""  # what may not be seen has none
    cell = rows[0].locator("td").last.bounding_box()
    assert 0 <= box["x"] - cell["x"] - cell["width"] < 10
    for way, row, band in zip(ways[:2], rows[:2], bands[:2], strict=True):
        start, end = (float(x) for x in re.match(r"M0 ([\d.]+)C.* 1 ([\d.]+)V", way).groups())
        row, band = row.bounding_box(), band.bounding_box()
        assert abs(box["y"] + start * box["height"] - row["y"]) < 2.5
        assert abs(box["y"] + end * box["height"] - band["y"]) < 1


@pytest.mark.parametrize("width", [902, 390])
def test_a_label_of_the_stack_has_a_ground_of_its_own_as_high_as_its_band(show, width):
    A, values = np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.5, 0.3]]), np.array([[1, 0], [-1, 2], [0, 1]])
    page = show([widgets.CausalValues(A, values, TOKENS, step=3)], width=width, reduced_motion="reduce")
    bands = page.locator(".attn-shrunk > div > div")
    labels, ribbons = bands.locator("> span"), page.locator(".attn-shrunk > svg")
    assert [told.split("·") for told in labels.all_text_contents()] == [[".20", " I"], [".50", " love"], [".30", " AI"]]
    ground = labels.evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(ground)) == 1 and "rgba(0, 0, 0, 0)" not in ground
    if width > 700:  # a ribbon ends where its label begins, in the same tone
        end = ribbons.bounding_box()
        assert abs(end["x"] + end["width"] - labels.first.bounding_box()["x"]) < 1
        assert ribbons.evaluate("one => getComputedStyle(one).fill") == ground[0]
    for band, label in zip(bands.all(), labels.all(), strict=True):
        assert label.bounding_box()["height"] == pytest.approx(band.bounding_box()["height"], abs=0.5)
    starts = labels.locator("bdi").evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)")
    assert np.ptp(starts) < 0.5  # names stand below each other


def test_on_a_phone_the_stack_has_the_card_s_width_under_a_and_v_and_over_y(show):
    A, values = np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.5, 0.3]]), np.array([[1, 0], [-1, 2], [0, 1]])
    page = show([widgets.CausalValues(A, values, TOKENS, step=2)], width=390, reduced_motion="reduce")
    tables = page.locator(".attn-live .attn-cross .attn-scroll").all()
    stack, a, v, y = (one.bounding_box() for one in (page.locator(".attn-shrunk"), *tables))
    assert stack["width"] > 0.85 * page.locator(".attn-live").bounding_box()["width"]
    assert max(one["y"] + one["height"] for one in (a, v)) <= stack["y"] <= stack["y"] + stack["height"] <= y["y"]
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    assert page.locator(".attn-shrunk span").first.evaluate(size) > 14


def test_the_weights_of_the_words_to_come_are_not_told_before_their_step(show):
    A, values = np.array([[1, 0, 0], [0.4, 0.6, 0], [0.2, 0.5, 0.3]]), np.array([[1, 0], [-1, 2], [0, 1]])
    page = show([widgets.CausalValues(A, values, TOKENS, step=2)], reduced_motion="reduce")
    cells = live(page).first.locator("tbody tr").last.locator("td")
    assert cells.all_text_contents() == ["·"] * 3
    page.get_by_role("button", name="Next").click()
    assert cells.all_text_contents() == [".20", ".50", ".30"]


def drawn(page):
    """Where the output and the corners of the hull stand in the drawing."""
    star = page.get_by_role("slider", name="output").locator("circle").last.get_attribute("transform")
    corners = page.locator(".attn-mark[data-kind=area] path").get_attribute("d")
    number = r"-?\d+(?:\.\d+)?"
    return np.array(re.findall(number, star), float), np.array(re.findall(number, corners), float).reshape(-1, 2)


def test_a_value_is_dragged_and_the_output_follows(show):
    values = np.array([[0, 0], [4, 0], [0, 3]])
    page = show([widgets.Hull(values, [1, 1, 1], TOKENS)])
    point = page.get_by_role("slider", name="value of love").locator("circle").last.bounding_box()
    page.mouse.move(point["x"] + 8, point["y"] + 8)
    page.mouse.down()
    page.mouse.move(point["x"] - 40, point["y"] - 60)
    page.mouse.move(point["x"] - 90, point["y"] - 110)
    page.mouse.up()
    moved = np.array(grid(live(page).first))[:, :2]
    assert moved[1, 0] < 3.5 and moved[1, 1] > 0.5
    np.testing.assert_array_equal(moved[[0, 2]], values[[0, 2]])
    assert said(page) == repr(widgets.Hull(moved, [1, 1, 1], TOKENS))
    star, corners = drawn(page)
    np.testing.assert_allclose(star, corners.mean(axis=0), atol=0.02)


def test_a_value_among_the_others_is_no_corner(show):
    page = show([widgets.Hull([[0, 0], [4, 0], [1, 1], [0, 4]])])
    _, corners = drawn(page)
    values = [page.get_by_role("slider", name=f"value of t{j}").locator("circle").last for j in (1, 2, 4)]
    places = [re.findall(r"[\d.]+", one.get_attribute("transform")) for one in values]
    np.testing.assert_array_equal(corners, np.array(places, float))


def test_keys_move_a_value_and_shift_moves_it_farther(show):
    page = show([widgets.Hull([[0, 0], [4, 0], [0, 3]], [0, 0, 0], TOKENS)])
    page.get_by_role("slider", name="value of I").focus()
    press(page, "ArrowUp")
    unit = grid(live(page).first)[0][1]
    assert unit > 0
    press(page, "Shift+ArrowRight", "ArrowDown", "ArrowLeft")
    assert grid(live(page).first)[0][:2] == pytest.approx([4 * unit, 0])
    page.get_by_role("slider", name="score of AI").focus()
    press(page, "End")
    assert grid(live(page).first)[2][3] > 0.98
    assert said(page) == repr(widgets.Hull([[4 * unit, 0], [4, 0], [0, 3]], [0, 0, 5], TOKENS))
    click(page, "Start again")
    assert said(page) == repr(widgets.Hull([[0, 0], [4, 0], [0, 3]], [0, 0, 0], TOKENS))


def test_a_finger_drags_a_value_and_no_drag_leaves_the_plane(show):
    page = show([widgets.Hull([[0, 0], [4, 0], [0, 3]], [0, 0, 0], TOKENS)], width=360, has_touch=True)
    point = page.get_by_role("slider", name="value of AI")
    assert point.evaluate("e => getComputedStyle(e).touchAction") == "none"  # the page does not scroll away under it
    box = point.locator("circle").last.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(5000, 5000)
    page.mouse.up()
    x, y, *_ = grid(live(page).first)[2]
    assert 3 < x < 9 and -5 < y < 0


def test_names_that_mean_harm_stay_names_while_the_figures_move(show):
    names = HOSTILE[:4]
    weights = np.full((4, 4), 0.25)
    page = show(
        [
            widgets.Flow(weights, names),
            widgets.Assembly(weights, np.ones((4, 2)), names),
            widgets.Hull(np.eye(4)[:, :2], None, names),
        ]
    )
    page.locator(".attn-live").nth(1).get_by_role("button").nth(1).click()
    assert page.evaluate("window.harmed") is None
    assert page.locator(".attn-live img, .attn-live script").count() == 0


def tip(mark):
    """Where the tip of an arrow, or a ring, stands in its plane, in pixels."""
    path = mark.locator("path.attn-tip")
    if path.count():
        return np.array(re.match(r"M(\S+) ([^L]+)L", path.get_attribute("d")).groups(), float)
    return np.array(re.findall(r"-?[\d.]+", mark.locator("circle").last.get_attribute("transform")), float)


def test_on_a_phone_an_output_s_number_stands_over_its_own_bar(show):
    page = show([widgets.Assembly([[0.07, 0.707, 0.223]], [[1, 0, 1], [1, 2, 0], [1, 1, 0]])], width=390)
    beyond = """(all) => all.map((one) => {
        const text = document.createRange();
        text.selectNodeContents(one.querySelector(".attn-value"));
        const [a, b] = [text, one].map((part) => part.getBoundingClientRect());
        return Math.max(b.left - a.left, a.right - b.right);
    })"""
    assert page.locator(".attn-value").all_text_contents() == ["= 1", "= 1.637", "= 0.070"]
    assert max(page.locator(".attn-level").evaluate_all(beyond)) < 3


def test_what_two_keys_read_is_drawn_beside_what_they_should_read(show):
    page = show([widgets.TwoKeys(60, 1)])
    for angle, beta in [(60, 1), (140, 1.8), (90, 1), (0, 2)]:
        for name, value in (("angle", angle), ("strength β", beta)):
            page.get_by_role("slider", name=name, exact=True).fill(str(value))
        truth = widgets.TwoKeys(angle, beta)
        assert said(page) == repr(truth)
        for k, (kind, reads) in enumerate([("adding", truth.adding), ("correcting", truth.correcting)]):
            plane = page.get_by_role("group", name=f"What a memory that is {kind}")
            np.testing.assert_allclose(grid(live(page).nth(k)), reads, atol=6e-4)
            x, y = (tip(one) for one in plane.locator("[data-kind=point]").all())  # the rings: v1 and v2
            zero, unit = np.array([y[0], x[1]]), x[0] - y[0]
            for arrow, read in zip(plane.locator("[data-kind=arrow]").all(), reads, strict=True):
                seen = (tip(arrow) - zero) / unit * [1, -1]
                np.testing.assert_allclose(seen, read, atol=0.02, err_msg=f"{kind} at {angle}")
        told = page.locator(".attn-two text").all_text_contents()
        gaps = np.linalg.norm([truth.adding - np.eye(2), truth.correcting - np.eye(2)], axis=2).ravel()
        assert sum(one.endswith(" ✓") for one in told) == sum(gaps < 1e-9) == page.locator("[data-hit]").count()
        off = sorted(f"off by {text.number(gap, 2)}" for gap in gaps if gap > 1e-9)
        assert sorted(one for one in told if one.startswith("off")) == off
        heard = page.get_by_role("slider", name="the second key").get_attribute("aria-valuenow")
        assert "e" not in heard and float(heard) == pytest.approx(np.cos(np.radians(angle)), abs=1e-5)
    assert off == ["off by 2.24", "off by 2.24", "off by 2.24", "off by 3.61"]


def test_the_row_s_name_and_that_of_the_divided_keep_apart_and_a_width_is_told_once(show):
    page = show([widgets.Scaling(S, 128, TOKENS, scaled=True)], reduced_motion="reduce")
    width = page.get_by_role("slider", name="width d")
    ticks = page.locator(".attn-course small[data-x]:visible")
    for row in range(len(S)):
        page.locator(".attn-either .attn-chips button").nth(row).click()
        for at, told in ((7, ["8", "32"]), (5, ["8", "128"])):
            width.fill(str(at))
            assert ticks.all_text_contents() == told
            mine, other = (
                page.locator(one).bounding_box() for one in (".attn-own span", ".attn-course strong >> nth=1")
            )
            wide, high = (
                min(mine[k] + mine[size], other[k] + other[size]) - max(mine[k], other[k])
                for k, size in (("x", "width"), ("y", "height"))
            )
            assert wide <= 0 or high <= 4, (row, at)


def test_adding_is_found_to_be_exact_at_a_right_angle_and_then_marked_there(show):
    page = show([widgets.TwoKeys(60, 0.5)])
    aim, mark = page.locator(".attn-aim"), page.locator(".attn-plane").first.locator("text", has_text="✓ 90°")
    angle, strength = (page.get_by_role("slider", name=name, exact=True) for name in ("angle", "strength β"))
    taken = page.locator(".attn-two .attn-note").nth(1)
    assert taken.text_content() == "key 2 reads k Z = 0.25 v₁ before it writes"  # 0.5 · cos 60°
    for to, beta, told in (
        (89, 1, "Find an angle where adding is exact."),
        (90, 0.5, "Nothing leaks. Now set β to 1."),
        (90, 1, "✓ 90°: adding is exact. Is correcting, at other angles?"),
        (30, 1, "✓ Correcting keeps key 2, the newest, exact. Key 1 pays."),
        (90, 0.4, "Nothing leaks. Now set β to 1."),  # both rings say "off by 0.60"
        (30, 0.5, "Find an angle where adding is exact."),
    ):
        strength.fill(str(beta))
        angle.fill(str(to))
        assert aim.text_content() == told and mark.count() == told.startswith("✓")
    rules = page.locator(".attn-two p > span:not(.attn-note)").all_text_contents()
    assert rules == ["Z + β kᵀ v", "Z + β kᵀ (v − k Z)"]


@pytest.mark.parametrize("width", [390, also(902)])
def test_what_leaks_is_as_long_as_the_second_key_s_shadow_and_has_its_colour(show, width):
    page = show([widgets.TwoKeys(60, 1)], width=width)
    long = "(all) => all.map((one) => [one.getTotalLength(), getComputedStyle(one).stroke])"
    unit = "(all) => all.map((one) => one.getTotalLength())"
    for angle in (60, 120):
        page.get_by_role("slider", name="angle", exact=True).fill(str(angle))
        shadow, first, second, *_ = page.locator(".attn-miss > path").evaluate_all(long)
        assert shadow[1] == first[1] == second[1]
        key = page.locator(".attn-turned [data-kind=arrow] > path:not(.attn-tip)").evaluate_all(unit)[0] + 11
        assert shadow[0] / key == pytest.approx(0.5, abs=0.01)  # in its plane's unit
        rings = [tip(one) for one in page.locator(".attn-two [data-kind=point]").all()[:2]]
        one = abs(rings[0] - rings[1])[0]
        np.testing.assert_allclose([first[0] / one, second[0] / one], 0.5, atol=0.01)


def test_turning_and_what_it_does_to_both_memories_are_one_screen(show):
    """On a phone the two memories stand side by side under the keys, and their tables are folded."""
    for width in (390, 360):
        page = show([widgets.TwoKeys(60, 1)], width=width, height=844, has_touch=True)
        planes = [one.bounding_box() for one in page.locator(".attn-plane").all()]
        assert planes[1]["y"] == planes[2]["y"] and planes[1]["x"] + planes[1]["width"] < planes[2]["x"]
        assert planes[1]["y"] + planes[1]["height"] - planes[0]["y"] < 700
        assert page.locator(".attn-live").bounding_box()["height"] < 800
        for angle, beta in ((0, 2), (90, 1), (180, 0.5)):
            for name, value in (("angle", angle), ("strength β", beta)):
                page.get_by_role("slider", name=name, exact=True).fill(str(value))
            assert [one.bounding_box() for one in page.locator(".attn-plane").all()] == planes


@pytest.mark.parametrize("width", [902, 390])
def test_no_turn_moves_the_axes_and_a_key_has_the_colour_of_the_value_it_should_read(show, width):
    page = show([widgets.TwoKeys(60, 1)], width=width, reduced_motion="reduce")
    axes = set()
    for angle in (0, 45, 60, 90, 135, 180):
        page.get_by_role("slider", name="angle", exact=True).fill(str(angle))
        lines = page.locator(".attn-two .attn-zero, .attn-two .attn-grid")
        axes.add(tuple(lines.evaluate_all("all => all.map((one) => one.getAttribute('d'))")))
        for plane in page.locator(".attn-two .attn-plane").all():
            frame = plane.bounding_box()
            for one in [one for one in plane.locator(".attn-tip, circle").all() if one.is_visible()]:
                x, y = middle(one)
                assert frame["x"] < x < frame["x"] + frame["width"] and frame["y"] < y < frame["y"] + frame["height"]
    assert len(axes) == 1
    colour = "all => all.map((one) => getComputedStyle(one).{})"
    for plane in page.locator(".attn-two .attn-plane").all():
        keys = plane.locator("[data-kind=arrow]").evaluate_all(colour.format("stroke"))
        rings = plane.locator("[data-kind=point]").evaluate_all(colour.format("stroke"))
        named = plane.locator("text", has_text="v").evaluate_all(colour.format("fill"))
        misses = plane.locator(".attn-miss").evaluate_all(colour.format("stroke"))
        assert keys == rings == named and len({*keys, *misses}) == 3


def test_two_arrows_on_one_line_are_both_seen_and_share_a_name(show):
    page = show([widgets.TwoKeys(0, 1)])
    wide = "all => all.map((one) => parseFloat(getComputedStyle(one).strokeWidth))"
    for angle, both in ((0, True), (60, False)):
        page.get_by_role("slider", name="angle", exact=True).fill(str(angle))
        keys = ["key 1, key 2"] if both else ["key 1", "key 2"]
        reads = ["both keys read"] if both else ["key 1 reads", "key 2 reads"]
        for plane, wanted in zip(page.locator(".attn-plane").all()[:2], (keys, reads), strict=True):
            first, second = plane.locator("[data-kind=arrow] path:not(.attn-tip, .attn-lead)").evaluate_all(wide)
            assert (first > second + 4) == both, (angle, first, second)  # a band below a line
            names = [one for one in plane.locator("text[data-tone]").all_text_contents() if "key" in one]
            assert names == wanted


def test_the_second_key_is_turned_by_a_drag_and_by_keys(show):
    page = show([widgets.TwoKeys(60, 1)])
    handle = page.get_by_role("slider", name="the second key")
    x, y = middle(handle.locator("circle").last)
    foot = middle(page.locator(".attn-plane").first.locator("[data-kind=arrow] path").first)[1]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 500, foot, steps=8)
    page.mouse.up()
    assert said(page) == repr(widgets.TwoKeys(0, 1))
    handle.focus()
    press(page, *["ArrowUp"] * 3)
    assert said(page) != repr(widgets.TwoKeys(0, 1))
    page.get_by_role("slider", name="angle", exact=True).fill("60")
    page.get_by_text("The numbers").click()
    page.locator(".attn-matrix").nth(1).locator("td").nth(1).hover()
    told = page.locator(".attn-origin").text_content()
    assert told == "0.750 = 1·1 − 1²·0.500·0.500: β · (key 1 · key 1), less what the second write took away"
    click(page, "Start again")
    assert said(page) == repr(widgets.TwoKeys(60, 1))
