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
    page = show([one], reduced_motion="reduce")
    page.get_by_role("button", name="Back").click()
    assert "5 of 6 written; next D = 6" in page.locator(".attn-step").text_content()
    page.get_by_role("button", name="Next").click()
    rules = {"delta": (1, 1, True), "gated delta 0.9": (0.9, 1, True)}  # of these four, two have a name
    pressed = page.locator(".attn-chips [aria-pressed=true]").all_text_contents()
    assert pressed == [name for name, rule in rules.items() if rule == (alpha, beta, erase)]
    last = [4, 5, 3, 6]
    off = abs(one.reads - last)
    told = [
        row.all_text_contents()
        for row in map(rows(page).locator, ("> :nth-child(3)", "> :nth-child(4)", "> :nth-child(5)"))
    ]
    assert told[0] == [f"reads {text.number(x)}" for x in one.reads]
    assert told[1] == [f"last {x}" for x in last]
    assert told[2] == [f"off by {text.number(x, 2)}" for x in off]
    assert page.locator(".attn-sums > li").last.text_content().endswith(f"mean{text.number(off.mean(), 2)}")
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
    assert page.locator("[data-source]").count() == 7  # the row of its weights, and the reading


def rows(page):
    return page.locator(".attn-sums > .attn-mark")


def filling(seed, draws, total, width):
    rng = np.random.default_rng(seed)
    return [x / np.linalg.norm(x, axis=-1, keepdims=True) for x in rng.normal(size=(2, draws, total, width))]


def paths(chart):
    """The curves, and what stays pale of those that went further, as points of the drawing."""
    found = chart.locator("path[style*='stroke-width']").evaluate_all("all => all.map((x) => x.getAttribute('d'))")
    return [[[float(x) for x in part.split()] for part in d[1:].split("L")] if d else [] for d in found]


def test_a_filling_matrix_draws_the_mean_of_its_draws_in_a_band_up_to_the_pairs_written(show):
    one = widgets.FillMatrix(*filling(1, 9, 30, 6))
    page = show([one], reduced_motion="reduce")
    chart = page.get_by_role("img", name="How many keys")
    assert [len(curve) for curve in paths(chart)] == [3, 3, 3, 0, 0, 0]  # nothing is told before it is written
    page.get_by_role("button", name="Next").press("End")
    places = paths(chart)[:3]
    bands = chart.locator("polygon").evaluate_all("all => all.map((one) => one.getAttribute('points'))")
    ends = [np.array(points.split(), float).reshape(60, 2) for points in bands]
    zero, whole = [float(x) for x in (162, 26)]  # the heights of 0 and 1 in the drawing
    for n in range(1, 31):
        one.n = n
        for rule, place, band in zip(one.right, places, ends, strict=True):
            x, y = place[n - 1]
            assert x == pytest.approx(52 + 216 * (n - 1) / 29, abs=0.1)
            assert (zero - y) / (zero - whole) == pytest.approx(one.right[rule], abs=0.002)
            low, high = band[n - 1], band[60 - n]
            assert low[0] == high[0] == x
            found = (zero - np.array([low[1], high[1]])) / (zero - whole)
            np.testing.assert_allclose(found, one.spread[rule], atol=0.002)
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] * (52 + 216 * 19 / 29) / 360, box["y"] + 30)
    assert [len(curve) for curve in paths(chart)] == [20] * 3 + [30] * 3  # what was reached stays, pale
    one.n = 20
    assert said(page) == one.sentence() and "in the mean of 9 draws" in said(page)
    assert page.locator(".attn-say").is_visible()
    told = set(chart.locator("text").all_text_contents())
    assert {text.percent(share) for share in one.right.values()} | {"1", "6", "16", "24", "30"} <= told
    page.get_by_role("button", name="Start again").click()
    assert [len(curve) for curve in paths(chart)] == [3, 3, 3, 0, 0, 0]
    assert page.locator(".attn-step").text_content() == "3 of 30 written"


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
    page = show([one])
    most = max(abs(z).max() for n in range(1, 25) for z in after(one, n).values())
    page.get_by_role("button", name="Next").press("Home")
    for n in range(2, 6):
        page.wait_for_timeout(250)  # who writes faster sees the matrices alone
        page.get_by_role("button", name="Next").click()
        for at, (rule, z) in enumerate(after(one, n).items()):
            column, row, matrix, brought = (
                painted(page.locator(".attn-into").nth(at).locator(f"{part} > canvas"))
                for part in (
                    ".attn-k",
                    ".attn-v",
                    ".attn-field:not(.attn-k, .attn-v, .attn-over)",
                    ".attn-field .attn-over",
                )
            )
            update = z - after(one, n - 1)[rule]
            np.testing.assert_allclose(matrix, z / most, atol=0.01)
            np.testing.assert_allclose(brought, update / most, atol=0.01)
            np.testing.assert_allclose(column @ row, update, atol=0.02)
            over = page.locator(".attn-field .attn-over").nth(at)
            assert over.evaluate("one => one.getAnimations().length") == 1  # it is seen alone, then what it makes
            assert over.evaluate("one => one.style.opacity") == "0"


def test_what_the_next_pair_loses_flashes_at_its_own_place_and_no_other_cell_moves(show):
    one = widgets.FillMatrix(*filling(3, 3, 24, 5))
    page = show([one])
    page.get_by_role("button", name="Next").press("Home")
    one.n = 1
    for n in range(2, 13):
        before = one.nearest
        page.get_by_role("button", name="Next").click()
        one.n = n
        for at, (rule, found) in enumerate(one.nearest.items()):
            cells = page.locator(".attn-asked").nth(at).locator("rect")
            seen = "x => [...['x', 'y', 'opacity'].map((y) => x.getAttribute(y)), x.getAnimations().length]"
            x, y, shown, moves = np.array(cells.evaluate_all(f"all => all.map({seen})"), float).T
            np.testing.assert_allclose([x, y], np.array(np.divmod(np.arange(24), 16))[::-1] + 0.06)
            right = found == np.arange(n)
            np.testing.assert_allclose(shown, np.pad(np.where(right, 1, 0.15), (0, 24 - n)))
            changed = np.append(right[:-1] != (before[rule] == np.arange(n - 1)), True)
            assert moves[:n][changed].all() and not moves[n:].any()


def test_a_key_tells_who_leans_on_it_and_a_cell_what_the_last_pair_brought(show):
    one = widgets.FillMatrix(*filling(3, 3, 24, 5))
    page = show([one], width=902, has_touch=True, reduced_motion="reduce")
    height = page.locator(".attn-live").bounding_box()["height"]
    origin = page.locator(".attn-origin")
    heads = page.locator(".attn-into strong")
    colour = "(one, part) => getComputedStyle(one)[part]"
    tones = [heads.nth(at).evaluate(colour, "color") for at in (0, 1)]
    assert tones[0] != tones[1] and heads.all_text_contents() == ["adding", "correcting"]
    for n in (24, 12):
        one.n = n
        page.locator(".attn-stepper button").first.press("Home")
        for _ in range(n - 1):
            page.get_by_role("button", name="Next").click()
        for at, (rule, found) in enumerate(one.nearest.items()):
            keys = page.locator(".attn-asked").nth(at)
            assert keys.locator("rect").first.evaluate(colour, "fill") == tones[at]
            box = keys.bounding_box()
            miss = int(np.flatnonzero(found != np.arange(n))[0])
            down, across = divmod(miss, 16)
            page.mouse.move(box["x"] + box["width"] * (across + 0.5) / 16, box["y"] + box["height"] * (down + 0.5) / 2)
            others = one.crosstalk[miss]
            others[miss] = 0
            if rule == "correcting":
                others[:miss] = 0
            who = "all other keys" if rule == "adding" else "those written later"
            lean = f"{who} lean on it by {text.number(np.linalg.norm(others))}."
            assert origin.text_content() == f"{rule}: key {miss} is answered with value {found[miss]}; {lean}"
            np.testing.assert_allclose(painted(keys.locator("canvas")).ravel()[:n], others, atol=0.01)
            assert keys.locator(".attn-over").is_visible() and page.locator(".attn-beat:visible").count() == 1
        matrix = page.locator(".attn-into > .attn-field:not(.attn-k, .attn-v)").nth(1)
        box = matrix.bounding_box()
        assert box["height"] == pytest.approx(box["width"], abs=1)
        page.touchscreen.tap(box["x"] + box["width"] * 2.5 / 5, box["y"] + box["height"] * 4.5 / 5)
        z, before = (after(one, m)["correcting"] for m in (n, n - 1))
        told = origin.text_content()
        assert told.startswith(f"correcting, row 4, column 2: {text.number(z[4, 2])}. Of this the last pair brought ")
        assert told.endswith(f" = {text.number((z - before)[4, 2])}.")
        assert origin.is_visible() and page.locator(".attn-beat:visible").count() == 3  # and its two factors
    keys = page.locator(".attn-asked").first.bounding_box()
    page.touchscreen.tap(keys["x"] + keys["width"] * 7.5 / 16, keys["y"] + keys["height"] * 0.75)
    assert origin.text_content() == "Nothing is written here yet."
    page.mouse.move(1, 1)
    assert page.locator(".attn-beat:visible").count() == 0 and page.locator(".attn-say").is_visible()
    assert page.locator(".attn-live").bounding_box()["height"] == height


@pytest.mark.parametrize("width", [902, 390])
def test_the_curves_of_a_filling_matrix_answer_the_mouse_and_their_words_keep_apart(show, width):
    one = widgets.FillMatrix(*filling(13, 4, 64, 8), n=32)
    page = show([one], width=width, reduced_motion="reduce")
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
    page.mouse.move(box["x"] + box["width"] * (52 + 216 * 40 / 63) / 360, box["y"] + box["height"] / 2)
    assert guide.count() == 0 and page.locator(".attn-say").is_visible()  # what is not yet written is not told
    steps = page.locator(".attn-stepper button").first
    for key, n in (("Home", 1), ("ArrowRight", 2), ("End", 64)):  # names and shares stand in the order of the dots
        steps.press(key)
        one.n = n
        texts = chart.locator("text").evaluate_all(
            "all => all.filter((x) => x.textContent).map((x) => [x.textContent, +x.getAttribute('y')])"
        )
        told = [(words, y) for words, y in texts if words in one.right]
        by_height = sorted(told, key=lambda name: -one.right[name[0]])  # who ties keeps its place
        assert [y for _, y in by_height] == sorted(y for _, y in told)
        assert said(page) == one.sentence()


def test_the_older_and_the_newer_half_are_counted_in_the_draw_shown_and_play_hides_no_matrix(show):
    one = widgets.FillMatrix(*filling(3, 3, 24, 5), n=11)
    page = show([one])
    right = {rule: found == np.arange(11) for rule, found in one.nearest.items()}
    older, newer = (", ".join(f"{rule} {x[part].sum()}" for rule, x in right.items()) for part in np.s_[:5, 5:])
    told = page.locator(".attn-note", has_text="Right in the first draw").text_content()
    assert told == f"Right in the first draw:\nolder 5 keys: {older}\nnewer 6 keys: {newer}"
    page.wait_for_timeout(250)
    page.get_by_role("button", name="Play").click()
    over = page.locator(".attn-field .attn-over").first
    assert over.evaluate("one => one.getAnimations().length") == 0


def test_one_draw_has_no_band(show):
    page = show([widgets.FillMatrix(np.eye(4), np.eye(4), n=2)])
    assert page.locator("svg polygon").count() == 0 and "draws" not in page.locator(".attn-live").text_content()
