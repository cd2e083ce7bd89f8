"""What moves comes from where its numbers stand, and what a figure finds out by itself is true."""

import numpy as np
import pytest
from figurepage import middle, said
from worked import TOKENS, X

from attn.show import widgets
from attn.show.kit import text

pytestmark = pytest.mark.browser
WAYS = "node => node.getAnimations().length"


def moving(locator):
    return sum(locator.evaluate_all(f"all => all.map({WAYS})"))


def test_a_word_s_numbers_come_out_of_its_row(show):
    page = show([widgets.Embedding(X, TOKENS)])
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


@pytest.mark.parametrize("selected", [0, 1, 2])
def test_an_embedding_names_the_words_that_have_the_same_features(show, selected):
    x = np.array([[1, 0, 2, -1], [0, 1, 1, 1], [1, 1, 0, -2]])
    page = show([widgets.Embedding(x, TOKENS, selected=selected)])
    told = page.locator(".attn-bars li:not([aria-hidden]) > :last-child").all_text_contents()
    framed = page.locator("td[data-source]").evaluate_all("all => all.map((one) => one.dataset.at)")
    shares = (x * x[selected] > 0) & (np.arange(3) != selected)[:, None]
    both = shares.copy()
    both[selected] = shares.any(0)  # the word's own entry too, where another has the feature
    for j, words in enumerate(shares.T):
        others = ", ".join(TOKENS[k] for k in np.flatnonzero(words))
        assert told[j] == (f"shared with {others or 'none'}" if others or x[selected, j] else "")
    assert sorted(framed) == sorted(f"{i},{j}" for i, j in np.argwhere(both))
    assert said(page).startswith(f"“{TOKENS[selected]}”")


@pytest.mark.parametrize(("alpha", "beta", "erase"), [(0.9, 1, True), (1, 1, True), (0.5, 2, False), (1, 2, True)])
def test_a_reading_stands_against_the_value_written_last(show, alpha, beta, erase):
    names, k = list("ABCABD"), np.linalg.qr(np.random.default_rng(4).normal(size=(4, 4)))[0]
    k = (k + 0.3)[[0, 1, 2, 0, 1, 3]]
    one = widgets.WritesSeen(k, names, alpha=alpha, beta=beta, erase=erase)
    page = show([one])
    assert "3 of 6 written; next A = 4" in page.locator(".attn-step").text_content()
    page.locator(".attn-stepper button").first.press("End")
    last = [4, 5, 3, 6]
    near = abs(one.reads - last) < 0.05
    told = page.locator(".attn-bars li > :last-child").all_text_contents()
    assert told == ["✓" if right else f"last: {value}" for right, value in zip(near, last, strict=True)]
    assert page.locator(".attn-live strong").last.text_content() == f"{near.sum()} of 4"
    ends = (
        "all => all.map((one) => (one.getBoundingClientRect().left + 1 - one.parentNode.getBoundingClientRect().left)"
    )
    ends = page.locator(".attn-was:last-child").evaluate_all(ends + " / one.parentNode.clientWidth)")
    np.testing.assert_allclose(ends, (np.array(last) + 2) / 9.5, atol=0.01)
    page.locator("td[data-at='0,3']").hover()
    sums = page.locator(".attn-origin").text_content()
    assert sums.startswith(f"Of “A” = 4 the question “A” sees {text.number(one.seen[0, 3])}. “A” reads")
    assert page.locator("[data-source]").count() == 7  # the row of its weights, and the reading


PIXELS = "c => Array.from(c.getContext('2d').getImageData(0, 0, c.width, c.height).data)"


def test_columns_times_rows_make_the_frame_and_lie_on_its_lines(show):
    q, k = np.random.default_rng(0).normal(size=(2, 24, 3))
    one = widgets.CutTime(q, k, cut=10, sharpness=2)
    page = show([one])
    boxes = "node => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }"
    for cut in (10, 6, 17):
        if cut != 10:  # pressed on the picture
            maps = page.locator(".attn-whole").nth(cut % 2).bounding_box()
            page.mouse.click(maps["x"] + maps["width"] * cut / 24, maps["y"] + 20)
            one.cut = cut
        assert said(page) == one.sentence()
        for (rank, rows), told in zip(one.rows.values(), page.locator(".attn-carry").all_text_contents(), strict=True):
            assert f"kept, {rows} needed; rank {rank}" in told
        for place, (s, (rank, rows)) in enumerate(zip(one.spectra.values(), one.rows.values(), strict=True)):
            rows = min(rows, 12)
            page.get_by_role("slider", name="rows kept").fill(str(rows))
            whole, columns, strip = (
                page.locator(f".attn-field[data-part={part}]").nth(place) for part in ("whole", "columns", "rows")
            )
            left, _, right, bottom = whole.locator("canvas").evaluate(boxes)
            cell = (right - left) / 24
            frame = whole.locator("> .attn-box").first.evaluate(boxes)
            np.testing.assert_allclose(frame, [left, bottom - cell * (24 - cut), left + cell * cut, bottom], atol=2)
            # as wide and as high as what is kept, on the frame's own lines
            for full, many in enumerate((min(rank, 12), rows)):
                beside = columns.locator("> .attn-box").nth(full).evaluate(boxes)
                under = strip.locator("> .attn-box").nth(full).evaluate(boxes)
                np.testing.assert_allclose([beside[1], beside[3]], [frame[1], frame[3]], atol=2)
                np.testing.assert_allclose([under[0], under[2]], [frame[0], frame[2]], atol=2)
                assert beside[2] - beside[0] == pytest.approx(many * cell, abs=2)
                assert under[3] - under[1] == pytest.approx(many * cell, abs=2)
            # a pair of a column and a row has its singular value by halves; full colour is the first pair's largest
            across = np.reshape(strip.locator("canvas").evaluate(PIXELS), (12, 24, 4))[:rows, :, 3] / 255
            along = np.reshape(columns.locator("canvas").evaluate(PIXELS), (24, 12, 4))[:, ::-1, 3][:, :rows] / 255
            assert not across[:, cut:].any() and not along[:cut].any()
            for found in (np.sqrt((across**4).sum(1)), np.sqrt((along**4).sum(0))):
                np.testing.assert_allclose(found / found[0], np.sqrt(s[:rows] / s[0]), atol=0.02)


def test_a_cell_of_the_frame_shows_the_row_and_the_column_that_make_it(show):
    q, k = np.random.default_rng(0).normal(size=(2, 24, 3))
    one = widgets.CutTime(q, k, cut=10)
    page = show([one])
    page.get_by_role("slider", name="rows kept").fill("3")
    whole = page.locator(".attn-whole").last
    box = whole.bounding_box()
    cell = box["width"] / 24
    page.mouse.move(box["x"] + 4.5 * cell, box["y"] + 15.5 * cell)
    value = one.matrices["adding"][15, 4]
    told = page.locator(".attn-times").last.text_content().replace("−", "-")
    head, sum_ = told.split(" = ")
    assert head == f"token 16 reads token 5:\n{text.number(value, 2).replace('−', '-')}"
    assert sum(float(x) for x in sum_.replace(" - ", " + -").split(" + ")) == pytest.approx(value, abs=0.02)
    seen, beside, under = (
        page.locator(f"[data-part={part}] .attn-box").last.bounding_box() for part in ("whole", "columns", "rows")
    )
    assert [seen["width"], seen["height"]] == pytest.approx([cell, cell], abs=1)
    assert beside["y"] == pytest.approx(seen["y"], abs=1) and under["x"] == pytest.approx(seen["x"], abs=1)
    assert [beside["width"], under["height"]] == pytest.approx([3 * cell, 3 * cell], abs=1.5)
    page.mouse.move(box["x"] + 20.5 * cell, box["y"] + 2.5 * cell)
    assert "columns" in page.locator(".attn-times").last.text_content()
    assert page.locator("[data-part=whole] .attn-box").last.is_hidden()


@pytest.mark.parametrize("width", [902, 390])
def test_the_rows_that_every_cut_needs_stand_under_the_sliders(show, width):
    q, k = np.random.default_rng(4).normal(size=(2, 14, 3))
    one = widgets.CutTime(q, k, cut=7)
    page = show([one], width=width)
    page.get_by_text("More").click()
    page.evaluate("scrollTo(0, 0)")
    ways, dots, curve = (page.locator(f".attn-curve{part}") for part in (" path", " i", ""))
    height = page.locator(".attn-live").bounding_box()["height"]

    def look():
        most = max(max(rows) for rows in one.growth.values())
        box = curve.bounding_box()
        for at, (name, rows) in enumerate(one.growth.items()):
            drawn = [[float(x) for x in part.split()] for part in ways.nth(at).get_attribute("d")[1:].split("L")]
            np.testing.assert_allclose([most * (1 - y / 100) for _, y in drawn], rows, atol=0.01)
            dot = middle(dots.nth(at)) - (box["x"], box["y"])
            wanted = [box["width"] * (one.cut - 1) / 12, 48 * (1 - rows[one.cut - 1] / most)]
            np.testing.assert_allclose(dot, wanted, atol=1.5)
            assert page.locator(".attn-growth").get_by_text(f"{name} {rows[one.cut - 1]}").is_visible()

    look()
    page.get_by_role("slider", name="cut after token").fill("4")
    one.cut = 4
    look()
    page.get_by_role("slider", name="scores").fill("3")
    one.sharpness = 3.0
    page.wait_for_timeout(300)  # the curves follow when the hand rests
    look()
    page.evaluate("scrollTo(0, 0)")
    box = curve.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 9 / 12, box["y"] + 20)
    one.cut = 10
    look()
    assert said(page) == one.sentence() and page.locator(".attn-live").bounding_box()["height"] == height


@pytest.mark.parametrize("width", [902, 390])
def test_play_adds_row_after_row_until_both_memories_have_enough(show, width):
    q, k = np.random.default_rng(4).normal(size=(2, 14, 3))
    one = widgets.CutTime(q, k, cut=7)
    page = show([one], width=width)
    kept = page.get_by_role("slider", name="rows kept")
    shares = page.locator(".attn-carry > strong:nth-child(2)")
    live = page.locator(".attn-live")
    height = live.bounding_box()["height"]
    assert kept.input_value() == "1" and page.get_by_role("slider", name="scores").is_hidden()

    def missing(rows):
        tails = [np.sqrt((s[rows:] ** 2).sum() / (s**2).sum()) for s in one.spectra.values()]
        return ["nothing missing" if tail < 1e-9 else f"missing {text.percent(tail)}" for tail in tails]

    assert shares.all_text_contents() == missing(1)
    page.get_by_role("button", name="Play").click()
    most = max(rows for _, rows in one.rows.values())
    page.get_by_role("button", name="Play").wait_for()  # it was Pause while it went
    assert kept.input_value() == str(most) and shares.all_text_contents() == missing(most)
    assert live.bounding_box()["height"] == height
    # what is missing has the frame's own cells, and no words lie on the picture
    rest, whole = (page.locator(f"[data-part={part}]").first.bounding_box() for part in ("missing", "whole"))
    assert rest["width"] == pytest.approx(whole["width"], abs=2)
    carry = page.locator(".attn-carry").first.bounding_box()
    assert carry["y"] + carry["height"] <= whole["y"]


def test_a_filling_matrix_draws_the_mean_of_its_draws_in_a_band_at_every_number_of_pairs(show):
    rng = np.random.default_rng(1)
    k, v = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in rng.normal(size=(2, 9, 30, 6)))
    one = widgets.FillMatrix(k, v, n=10)
    page = show([one])
    chart = page.get_by_role("img", name="How many keys")
    curves = chart.locator("path:not(.attn-zero)").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    bands = chart.locator("polygon").evaluate_all("all => all.map((one) => one.getAttribute('points'))")
    places = [[[float(x) for x in part.split()] for part in d[1:].split("L")] for d in curves[:3]]
    ends = [np.array(points.split(), float).reshape(60, 2) for points in bands]
    rules = list(one.right)
    zero, whole = [float(x) for x in (162, 26)]  # the heights of 0 and 1 in the drawing
    for n in range(1, 31):
        one.n = n
        for rule, place, band in zip(rules, places, ends, strict=True):
            x, y = place[n - 1]
            assert x == pytest.approx(52 + 216 * (n - 1) / 29, abs=0.1)
            assert (zero - y) / (zero - whole) == pytest.approx(one.right[rule], abs=0.002)
            low, high = band[n - 1], band[60 - n]
            assert low[0] == high[0] == x
            found = (zero - np.array([low[1], high[1]])) / (zero - whole)
            np.testing.assert_allclose(found, one.spread[rule], atol=0.002)
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] * (52 + 216 * 19 / 29) / 360, box["y"] + 30)
    one.n = 20
    assert said(page) == one.sentence() and "in the mean of 9 draws" in said(page)
    assert page.locator(".attn-say").is_visible()
    told = set(chart.locator("text").all_text_contents())
    assert {text.percent(share) for share in one.right.values()} | {"1", "6", "16", "24", "30"} <= told
    pixels = "canvas => Array.from(canvas.getContext('2d').getImageData(0, 0, 30, 30).data)"
    painted = np.reshape(page.locator(".attn-live canvas").first.evaluate(pixels), (30, 30, 4))[..., 3] / 255
    near = np.arange(30) * 20 // 30  # what is written fills the picture
    np.testing.assert_allclose(painted, np.minimum(abs(one.crosstalk[np.ix_(near, near)]), 1), atol=1 / 255)


def test_beside_the_keys_stands_who_answers_right_and_a_miss_shows_what_beat_it(show):
    rng = np.random.default_rng(3)
    k, v = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in rng.normal(size=(2, 3, 24, 5)))
    one = widgets.FillMatrix(k, v, n=24)
    page = show([one], width=902)
    height = page.locator(".attn-live").bounding_box()["height"]
    strips = page.locator(".attn-recalled")
    whole = page.locator(".attn-asked .attn-field").bounding_box()
    assert whole["height"] == pytest.approx(whole["width"], abs=1)
    origin = page.locator(".attn-origin")
    heads = page.locator(".attn-asked > strong")
    colour = "(one, part) => getComputedStyle(one)[part]"
    tones = [heads.nth(1 + at).evaluate(colour, "color") for at in (0, 1)]
    assert tones[0] != tones[1] and heads.all_text_contents()[1:] == ["adding", "correcting"]
    for n in (24, 12):
        one.n = n
        page.get_by_role("slider", name="pairs").fill(str(n))
        for at, (rule, found) in enumerate(one.nearest.items()):
            column, filled = strips.nth(at), strips.nth(at).locator("path")
            painted = [place.split("h")[0] for place in filled.get_attribute("d").split("M0 ")[1:]]
            assert painted == [str(24 // n * i) for i in np.flatnonzero(found == np.arange(n))]
            assert filled.evaluate(colour, "fill") == tones[at]
            box = column.bounding_box()
            assert box["height"] == pytest.approx(whole["height"], abs=1) and box["width"] == 28
            assert abs(middle(heads.nth(1 + at))[0] - middle(column)[0]) < 1
            miss = int(np.flatnonzero(found != np.arange(n))[0])
            page.mouse.move(box["x"] + 5, box["y"] + box["height"] * (miss + 0.5) / n)
            beat = found[miss]
            told = f"{rule}: key {miss} reads nearest to value {beat}, not its own; k{miss} · k{beat} = "
            assert origin.text_content() == f"{told}{text.number(one.K[miss] @ np.array(one.K[beat]))}."
            ring = page.locator(".attn-beat").bounding_box()
            centre = [ring["x"] + ring["width"] / 2 - whole["x"], ring["y"] + ring["height"] / 2 - whole["y"]]
            np.testing.assert_allclose(np.divide(centre, whole["width"]), (np.array([beat, miss]) + 0.5) / n, atol=0.01)
    page.mouse.move(1, 1)
    assert page.locator(".attn-beat").is_hidden() and page.locator(".attn-say").is_visible()
    assert page.locator(".attn-live").bounding_box()["height"] == height


@pytest.mark.parametrize("width", [902, 390])
def test_the_curves_of_a_filling_matrix_answer_the_mouse_and_their_words_keep_apart(show, width):
    rng = np.random.default_rng(13)
    k, v = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in rng.normal(size=(2, 4, 64, 8)))
    one = widgets.FillMatrix(k, v, n=32)
    page = show([one], width=width)
    chart = page.get_by_role("img", name="How many keys")
    letters = "all => all.map((one) => [one.textContent, one.getBoundingClientRect().toJSON()])"
    told = [(words, box) for words, box in chart.locator("text").evaluate_all(letters) if words]
    assert not any("draws" in words for words, _ in told)  # the title stands above the chart, not on a name
    for words, box in told:
        assert box["height"] < 24, words  # no larger than the figure's own letters
    assert chart.locator("text").first.evaluate("one => getComputedStyle(one).stroke") == "none"  # cuts no letter
    box = chart.bounding_box()
    page.mouse.move(box["x"] + box["width"] * (52 + 216 * 15 / 63) / 360, box["y"] + box["height"] / 2)
    one.n = 16
    shares = ", ".join(f"{rule} {text.percent(share)}" for rule, share in one.right.items())
    assert page.locator(".attn-origin").text_content() == f"With 16 pairs: {shares} of the keys right."
    light = f"M{52 + 216 * 15 / 63:.1f} 26V162"  # stands where the mouse is
    guide = chart.locator(f"path[d='{light}']")
    assert guide.count() == 1
    page.mouse.move(1, 1)
    assert guide.count() == 0
    for n in (1, 3, 32, 64):  # names and shares stand in the order of the dots
        page.get_by_role("slider", name="pairs").fill(str(n))
        one.n = n
        texts = chart.locator("text").evaluate_all(
            "all => all.filter((x) => x.textContent).map((x) => [x.textContent, +x.getAttribute('y')])"
        )
        told = [(words, y) for words, y in texts if words in one.right]
        by_height = sorted(told, key=lambda name: -one.right[name[0]])  # who ties keeps its place
        assert [y for _, y in by_height] == sorted(y for _, y in told)
    page.get_by_role("slider", name="pairs").fill("32")
    one.n = 32
    assert said(page) == one.sentence()  # nothing was moved


def test_one_draw_has_no_band(show):
    page = show([widgets.FillMatrix(np.eye(4), np.eye(4), n=2)])
    assert page.locator("svg polygon").count() == 0 and "draws" not in page.locator(".attn-live").text_content()
