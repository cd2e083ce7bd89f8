"""The figures of single steps, rows and values on a page from the disc: driven by mouse and keys, held to attn."""

import re

import numpy as np
import pytest
from figurepage import grid, middle, said
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
    yield from (widgets.Transpose(scores, step=step) for step in (0, 1))
    yield widgets.DotProduct(*rng.normal(size=(2, d)), step=int(rng.integers(d + 1)))
    yield from (widgets.RankSlider(scores, int(rank)) for rank in (0, 1, min(n, m) - 1, min(n, m)))
    yield widgets.SoftmaxSliders(scores[0] % 90, temperature=rng.uniform(0.1, 9))
    yield from (widgets.Scaling(holes, d, row=row, scaled=scaled) for scaled in (False, True))
    yield from (widgets.SoftmaxPhases(holes, phase=phase, row=row) for phase in range(3))
    yield widgets.Sentence(square, None, rng.dirichlet(np.ones(n)), temperature=rng.uniform(0.1, 9))
    yield widgets.Sentence(square, row=row)
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


def decomposing(page):
    """Give the page the kit's decompositions, as `decompose`."""
    source = bundle.module_source("rank_slider").replace("export default", "export { decompose };\nexport default")
    page.evaluate(
        """async (source) => {
            const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            window.decompose = (await import(address)).decompose;
        }""",
        source,
    )


def test_the_singular_values_are_the_library_s(show):
    page = show([])
    decomposing(page)
    rng = np.random.default_rng(12)
    decompose = "(a) => { const { u, s, v } = decompose.svd(a); return [u, s, v]; }"
    for trial in range(25):
        n, m, r = rng.integers(1, 13, 3)
        a = rng.normal(size=(n, r)) @ rng.normal(size=(r, m)) * 10.0 ** rng.integers(-3, 4)
        u, s, v = (np.array(part) for part in page.evaluate(decompose, a.tolist()))
        exact = np.linalg.svd(a, compute_uv=False)
        np.testing.assert_allclose(s, exact, rtol=1e-9, atol=1e-12 * exact[0], err_msg=f"trial {trial}")
        np.testing.assert_allclose((u.T * s) @ v, a, atol=1e-12 * exact[0])
        rank = page.evaluate("(a) => decompose.rank(decompose.svd(a).s)", a.tolist())
        assert rank == np.linalg.matrix_rank(a) == min(n, m, r)
        assert page.evaluate("(a) => decompose.matrixRank(a)", a.tolist()) == rank
    for a, rank in ((np.zeros((2, 3)), 0), (np.ones((4, 1)), 1), (np.diag([1, 2e-9]), 2), (np.diag([1, 5e-10]), 1)):
        assert page.evaluate("(a) => decompose.matrixRank(a)", a.tolist()) == rank


def test_the_hull_and_the_entropy_are_the_library_s(show):
    page = show([])
    decomposing(page)
    rng = np.random.default_rng(13)
    for _ in range(40):
        points = rng.integers(-3, 4, (rng.integers(1, 12), 2)).tolist()  # whole numbers: many lie on one line
        assert page.evaluate("(p) => decompose.hull(p)", points) == widgets.Hull(points).corners
        p = rng.dirichlet(np.full(5, 0.1))
        found = page.evaluate("(p) => attnFigures.linalg.entropy(p)", p.tolist())
        assert found == pytest.approx(float(softmax.entropy(p)), abs=1e-12)


def test_a_transpose_by_mouse_and_keys(show):
    page = show([widgets.Transpose(K, TOKENS, name="K")])
    turning = live(page).nth(1)
    np.testing.assert_array_equal(grid(turning), K)
    flying = page.get_by_role("button", name="Next").evaluate("""async (next) => {
        next.focus();
        next.click();
        await new Promise(requestAnimationFrame);   // counted in the first frame: a flight is over in a moment
        return document.getAnimations().length;
    }""")
    assert flying == 2  # both entries are on their way
    np.testing.assert_array_equal(grid(turning), [[0, 2, 1], [1, 1, 1], [1, 1, 1]])
    assert turning.locator("td[data-pick]").all_text_contents() == ["2", "1"]
    press(page, "End")
    np.testing.assert_array_equal(grid(turning), K.T)
    assert turning.locator("th[scope=col]").all_text_contents() == TOKENS
    assert said(page) == repr(widgets.Transpose(K, TOKENS, name="K", step=3))
    press(page, "ArrowLeft")  # neither K nor Kᵀ: the places have numbers, not names
    assert turning.locator("th[scope=row]").all_text_contents() == ["1", "2", "3"]
    turning.locator("td[data-at='0,2']").click()
    assert said(page) == repr(widgets.Transpose(K, TOKENS, name="K", step=2))
    click(page, "K")
    np.testing.assert_array_equal(grid(turning), K)


def stripes(table):
    """The ground of every cell of a matrix, as painted."""
    paint = "cells => cells.map(cell => getComputedStyle(cell).backgroundColor)"
    return [row.locator("td").evaluate_all(paint) for row in table.locator("tbody tr").all()]


def test_a_row_keeps_its_colour_while_it_becomes_a_column(show):
    page = show([widgets.Transpose(K, TOKENS, name="K")], reduced_motion="reduce")
    still, turning = (live(page).nth(k) for k in range(2))
    lying = stripes(still)
    assert [len(set(row)) for row in lying] == [1, 1, 1] and len({row[0] for row in lying}) == 3
    assert stripes(turning) == lying
    click(page, "Kᵀ")
    assert np.transpose(stripes(turning)).tolist() == lying == stripes(still)
    turning.locator("tbody td").nth(1).hover()
    assert page.locator(".attn-origin").text_content() == "2 was in row 2, column 1: “love”, d1"
    assert still.locator("td[data-source]").all_text_contents() == ["2"]


def test_a_transpose_does_not_fly_for_readers_who_want_less_motion(show):
    page = show([widgets.Transpose(W_Q)], reduced_motion="reduce")
    click(page, "Mᵀ")
    assert page.evaluate("document.getAnimations().length") == 0
    np.testing.assert_array_equal(
        np.array(live(page).nth(1).locator("td:visible").all_text_contents())[1:].astype(float).reshape(3, 4), W_Q.T
    )


def laid(page):
    """Where each bar of a running sum begins and ends, counted in the first one's length."""
    boxes = [one.bounding_box() for one in page.locator(".attn-laid").all()]
    unit, zero = boxes[0]["width"], boxes[0]["x"]
    return np.array([[box["x"] - zero, box["x"] - zero + box["width"]] for box in boxes]) / unit


def test_a_dot_product_adds_up_step_by_step(show):
    page = show([widgets.DotProduct(Q[0], K[1], ["q(I)", "k(love)"])], reduced_motion="reduce")
    page.get_by_role("button", name="Next").focus()
    for step in range(4):
        reached = page.locator(".attn-reached")
        assert reached.all_text_contents() == ["4", "4", "5"][:step] + ["·"] * (3 - step)
        assert page.locator(".attn-reached:visible").count() == step  # where the sum will be is not given away
        assert said(page) == repr(widgets.DotProduct(Q[0], K[1], ["q(I)", "k(love)"], step=step))
        press(page, "ArrowRight")
    assert page.locator("[data-on] td").all_text_contents() == ["1", "×", "1", "=", "1"]
    assert page.locator("[data-on] .attn-reached").text_content() == "5"
    assert page.locator(".attn-total").text_content() == "q(I) · k(love) = 4 + 0 + 1 = 5"
    np.testing.assert_allclose(laid(page)[[0, 2]], [[0, 1], [1, 1.25]], atol=0.02)  # each begins where the sum ended
    click(page, "Start again")
    assert page.locator(".attn-reached").all_text_contents() == ["·"] * 3


def test_two_numbers_fly_into_their_product_and_it_into_the_sum(show):
    page = show([widgets.DotProduct(Q[0], K[1])])
    told = page.get_by_role("button", name="Next").evaluate("""async (next) => {
        next.click();
        await new Promise(requestAnimationFrame);
        return [...document.querySelectorAll(".attn-ghost")].map((one) => one.textContent);
    }""")
    assert told == ["2", "×", "2", "4"]
    page.wait_for_function("() => !document.querySelector('.attn-ghost')")


@pytest.mark.parametrize("width", [390, 902])
def test_two_numbers_meet_side_by_side_and_the_sum_s_line_stays(show, width):
    page = show([widgets.DotProduct([-2.696, 3.595], [-0.572, 0.806], ["q(bank)", "k(river)"])], width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Next").dispatch_event("click")
    page.evaluate("""() => document.getAnimations().forEach((one) => (one.pause(), one.currentTime = 800))""")
    inside = """all => all.map((one) => {
        const r = document.createRange(); r.selectNodeContents(one);
        const { left, right } = r.getBoundingClientRect();
        return [one.textContent, left, right, getComputedStyle(one).backgroundColor];
    })"""
    ghosts = page.locator(".attn-ghost:visible").evaluate_all(inside)
    assert [one[0] for one in ghosts] == ["−2.696", "×", "−0.572"]
    cell = page.locator(".attn-made").first.bounding_box()
    ends = [cell["x"], *(x for one in ghosts for x in one[1:3]), cell["x"] + cell["width"]]
    assert (np.diff(ends) > 1).all()  # in this order, none on another, all in the cell
    assert len({one[3] for one in ghosts}) == 1
    total = page.locator(".attn-total")
    assert total.text_content() == "q(bank) · k(river) = 1.542 + …"
    seen = total.locator("span").evaluate_all("all => all.map((one) => Number(getComputedStyle(one).opacity))")
    assert seen == [1, 0]  # what was said stays, the product is not given away


def test_a_number_of_a_dot_product_is_changed_by_keys_and_by_a_drag(show):
    page = show([widgets.DotProduct(Q[0], K[1])], reduced_motion="reduce")
    page.get_by_role("spinbutton", name="q, d2").focus()
    press(page, "ArrowDown", "ArrowDown")
    q = Q[0] - [0, 1, 0]
    assert said(page) == repr(widgets.DotProduct(q, K[1], step=3))
    np.testing.assert_allclose(laid(page), [[0, 1], [0.75, 1], [0.75, 1]], atol=0.02)  # a negative product goes back
    page.keyboard.press("Shift+ArrowUp")
    assert page.get_by_role("spinbutton", name="q, d2").text_content() == "-0.9".replace("-", "−")
    page.keyboard.press("Shift+ArrowDown")
    dial = page.get_by_role("spinbutton", name="k, d3")
    x, y = middle(dial)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 57, y, steps=6)
    page.mouse.up()
    assert said(page) == repr(widgets.DotProduct(q, K[1] + [0, 0, 2], step=3))
    click(page, "Start again")
    assert said(page) == repr(widgets.DotProduct(Q[0], K[1]))


@pytest.mark.parametrize("width", [390, 902])
def test_the_sum_has_a_line_of_its_own_on_a_phone_and_no_column_moves(show, width):
    page = show([widgets.DotProduct([-2.696, 3.595], [-0.572, 0.806])], width=width, reduced_motion="reduce")
    table, axis = page.locator(".attn-sum").bounding_box(), page.locator(".attn-run ol").bounding_box()
    if width == 390:
        assert axis["y"] > table["y"] + table["height"] and axis["width"] > 240
    else:
        assert axis["x"] > table["x"] + table["width"]
    places = "all => all.map((one) => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.width]; })"
    room = (
        "all => all.map((one) => { const r = document.createRange(); r.selectNodeContents(one);"
        " return one.closest('td').getBoundingClientRect().width - r.getBoundingClientRect().width; })"
    )
    cells, was = page.locator(".attn-sum td"), None
    for _ in range(3):
        was = was or cells.evaluate_all(places)
        assert cells.evaluate_all(places) == was
        assert min(page.locator(".attn-sum .attn-dial, .attn-made").evaluate_all(room)) > 3  # bold touches no edge
        page.get_by_role("button", name="Next").dispatch_event("click")
    if width > 390:  # each bar stands in the row of its product
        rows, bars = (page.locator(at).evaluate_all(places) for at in (".attn-sum tbody tr", ".attn-run li"))
        np.testing.assert_allclose([one[1] for one in rows], [one[1] for one in bars], atol=2.5)


def test_the_scale_of_a_sum_stays_until_half_of_it_is_empty(show):
    page = show([widgets.DotProduct(Q[0], K[1], step=3)], reduced_motion="reduce")
    ends = page.locator(".attn-ends")
    start = ends.text_content()
    dial = page.get_by_role("spinbutton", name="k, d1")
    x, y = middle(dial)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 140, y, steps=6)
    wide = ends.text_content()
    page.mouse.move(x + 90, y, steps=6)
    assert ends.text_content() == wide != start  # the scale only widens
    page.mouse.move(x, y, steps=6)
    assert ends.text_content() != wide  # until less than half of it is needed
    page.mouse.up()
    click(page, "Start again")
    assert ends.text_content() == start


def test_the_rank_slider_cuts_and_counts(show):
    scores = np.random.default_rng(14).normal(size=(6, 6))
    page = show([widgets.RankSlider(scores, 6)])
    page.get_by_role("slider").focus()
    for rank in (5, 4, 3, 2, 1, 0):
        press(page, "ArrowLeft")
        one = widgets.RankSlider(scores, rank)
        assert said(page) == repr(one)
        order = np.ix_(*one.order)  # the same at every rank: that of the largest layer
        np.testing.assert_allclose(grid(live(page).nth(0)), one.truncated[order], atol=6e-4)
        np.testing.assert_allclose(grid(live(page).nth(1)), one.weights[order], atol=0.0051)
        heads = live(page).nth(1).locator("th").all_text_contents()
        assert heads == [f"t{i + 1}" for line in one.order[::-1] for i in line]
        if rank == 1:  # each row rises or falls all the way, and leads at one of its ends
            steps = np.sign(np.diff(one.truncated[order], axis=1))
            assert (np.abs(steps.sum(axis=1)) == 5).all()
        assert page.locator(".attn-spectra strong").all_text_contents() == [f"rank {r}" for r in one.ranks]
        assert page.locator("ol [data-cut]").count() == 6 - rank
        assert f"{text.percent(one.kept)} of its squared length kept" in page.locator(".attn-spectra").text_content()


def test_the_singular_values_of_the_weights_stand_beside_those_of_the_scores(show):
    scores = np.random.default_rng(14).normal(size=(6, 6))
    page = show([widgets.RankSlider(scores, 6)], reduced_motion="reduce")
    columns = page.get_by_role("list", name="Singular values of the weights").locator("li:not([role])")
    line = page.locator(".attn-floor").bounding_box()["y"]
    for rank in (6, 3, 1, 0):
        page.get_by_role("slider").fill(str(rank))
        shares = np.linalg.svd(widgets.RankSlider(scores, rank).weights, compute_uv=False)
        shares /= shares[0]
        ends = columns.locator("> :last-child").evaluate_all(
            "all => all.map((one) => { const box = one.getBoundingClientRect(); return [box.top, box.height]; })"
        )
        tops, tall = np.transpose(ends)
        counted = shares > 1e-9
        assert (tops[counted] < line).all() and (tops[~counted] > line).all()  # the headline's rank can be counted
        logs = 1 + np.log10(shares[counted]) / 12
        np.testing.assert_allclose((tall[counted] - 4) / (tall[0] - 4), logs, atol=0.04)  # the middle of its dot


def test_a_large_matrix_is_cut_on_two_pictures(show):
    scores = np.random.default_rng(15).normal(size=(24, 24))
    page = show([widgets.RankSlider(scores, 3)], width=360)
    assert live(page).count() == 0  # no table of 576 cells
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    one, cells = widgets.RankSlider(scores, 3), page.locator(".attn-cursor")
    cells.first.focus()
    press(page, "ArrowDown", "ArrowRight", "ArrowRight")
    i, j = one.order[0][1], one.order[1][2]
    told = f"row “t{i + 1}”, column “t{j + 1}”: {text.number(one.truncated[i, j])}"
    assert cells.first.get_attribute("aria-label") == f"S cut to rank 3, {told}"
    weight = text.number(one.weights[i, j])
    assert cells.nth(1).get_attribute("aria-label").endswith(f"column “t{j + 1}”: {weight}")
    assert f"{weight} in softmax(S_3)" in page.locator(".attn-note").first.text_content()
    page.get_by_role("slider").focus()
    for rank in (4, 5):
        press(page, "ArrowRight")
        assert said(page) == repr(widgets.RankSlider(scores, rank))
    one = widgets.RankSlider(scores, 5)
    assert cells.first.get_attribute("aria-label").endswith(text.number(one.truncated[i, j]))
    pixels = "canvas => Array.from(canvas.getContext('2d').getImageData(0, 0, 24, 24).data)"
    painted = np.reshape(page.locator(".attn-live canvas").nth(1).evaluate(pixels), (24, 24, 4))
    np.testing.assert_allclose(painted[..., 3] / 255, one.weights[np.ix_(*one.order)], atol=1 / 255)


def test_the_temperature_sharpens_and_flattens(show):
    page = show([widgets.SoftmaxSliders([1, 5, 3], TOKENS)])
    page.get_by_role("slider", name="temperature").focus()
    press(page, "Home")
    assert said(page) == repr(widgets.SoftmaxSliders([1, 5, 3], TOKENS, 0.1))
    press(page, "End")
    assert said(page) == repr(widgets.SoftmaxSliders([1, 5, 3], TOKENS, 10))
    click(page, "↺ Start again")
    assert said(page) == repr(widgets.SoftmaxSliders([1, 5, 3], TOKENS))


def test_the_scale_goes_on_and_off(show):
    page = show([widgets.Scaling(S, 3, TOKENS)])
    click(page, "÷ √3")
    assert said(page) == repr(widgets.Scaling(S, 3, TOKENS, scaled=True))
    assert page.locator(".attn-bars .attn-value").all_text_contents() == [
        "0.58",
        "2.89",
        "1.73",
        "7.0%",
        "70.7%",
        "22.3%",
    ]
    click(page, "AI")
    press(page, "ArrowLeft")
    assert said(page) == repr(widgets.Scaling(S, 3, TOKENS, row=1, scaled=True))
    assert page.locator(".attn-told").text_content() == "Largest weight 33.3% → 33.3%; entropy 1.099 → 1.099 nats"


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
    click(page, "↺ Start again")
    assert said(page) == repr(widgets.Scaling(S, 3, TOKENS))


def test_softmax_in_phases_by_mouse_and_keys(show):
    scores = S / np.sqrt(3)
    page = show([widgets.SoftmaxPhases(scores, TOKENS)])
    later = live(page).locator("visible=true").nth(2)
    assert set(later.locator("tbody td").all_text_contents()) == {"·"}  # its place is kept
    tall = page.locator(".attn-live").bounding_box()["height"]
    page.get_by_role("button", name="Next").focus()
    press(page, "ArrowRight", "ArrowRight")
    assert page.locator(".attn-live").bounding_box()["height"] == tall
    seen = [grid(table) for table in live(page).locator("visible=true").all()]
    for found, stage in zip(seen[::2], (scores, np.exp(scores), A), strict=True):
        np.testing.assert_allclose(found, stage, atol=6e-4)
    np.testing.assert_allclose(seen[5], 1)
    click(page, "AI")
    assert said(page) == repr(widgets.SoftmaxPhases(scores, TOKENS, phase=2, row=2))


def test_the_shares_of_a_row_tile_its_width(show):
    scores = np.array([[0.6, 2.9, -1.7], [1, 1, -np.inf], [0, 4, 2]])
    page = show([widgets.SoftmaxPhases(scores, TOKENS)], reduced_motion="reduce")
    parts = (
        "all => all.map((one) => { const a = one.parentNode.getBoundingClientRect(), b = one.getBoundingClientRect();"
    )
    parts += " return [(b.left - a.left) / a.width, b.width / a.width]; })"
    for row, name in enumerate(TOKENS):
        click(page, "Start again")
        click(page, name)
        weights = softmax.softmax(scores)[row]
        starts = [np.zeros(3), np.cumsum(weights) - weights]
        for start in starts:
            click(page, "Next")
            found = np.array(page.locator(".attn-tiles .attn-fill").evaluate_all(parts))
            np.testing.assert_allclose(found, np.c_[start, weights], atol=0.005)
        told = page.locator(".attn-tiles strong").all_text_contents()
        assert told == [text.number(x) for x in weights]


def test_the_sentence_is_walked_row_by_row(show):
    scores = np.round(np.random.default_rng(15).normal(size=(6, 6)), 1)
    printed = [0.01, 0.52, 0.01, 0.02, 0.01, 0.43]
    one = widgets.Sentence(scores, "The cat sat on the mat", printed, row=2)
    page = show([one])
    np.testing.assert_allclose(grid(live(page).nth(1)), one.weights, atol=0.0051)
    told = page.locator(".attn-bars li").evaluate_all("all => all.map((one) => one.lastChild.textContent)")
    assert told == ["printed", *(text.number(x) for x in printed)]
    values = page.locator(".attn-bars .attn-value").all_text_contents()
    assert values == [text.number(x) for x in one.weights[2]]
    live(page).nth(0).locator("td[data-at='4,0']").click()
    one.row = 4
    assert said(page) == repr(one)
    live(page).nth(0).locator("td[data-at='4,1']").hover()
    assert "key of “cat”" in page.locator(".attn-origin").text_content()
    press(page, "ArrowUp")
    one.row = 3
    assert said(page) == repr(one)


# What a figure shows: its texts in sight, and whether a line is drawn where a printed bar ends
SHOWN = """(live) => {
    const seen = (one) => one.checkVisibility({ visibilityProperty: true });
    const texts = [...live.querySelectorAll(".attn-bars span, .attn-missed text, .attn-missed p")].filter(seen);
    const lines = [...live.querySelectorAll(".attn-bars .attn-was")].filter(seen);
    return [texts.map((one) => one.textContent).join(" "), lines.length, live.getBoundingClientRect().height];
}"""


def test_what_was_printed_of_one_row_is_compared_with_no_other(show):
    scores = np.round(np.random.default_rng(15).normal(size=(6, 6)), 1)
    page = show([widgets.Sentence(scores, "The cat sat on the mat", [0.01, 0.52, 0.01, 0.02, 0.01, 0.43], row=2)])
    own, lines, height = page.locator(".attn-live").evaluate(SHOWN)
    assert lines == 6 and "0.520" in own and "never below" in own and "Choose it" not in own
    live(page).nth(0).locator("td[data-at='4,0']").click()
    assert page.locator(".attn-bars .attn-value").evaluate_all("all => all.flatMap((one) => one.getAnimations())") == []
    other, lines, still = page.locator(".attn-live").evaluate(SHOWN)
    assert lines == 0 and still == height
    assert "0.520" not in other and "never below" not in other and "prints the row of “sat” only" in other
    live(page).nth(0).locator("td[data-at='2,0']").click()
    assert page.locator(".attn-live").evaluate(SHOWN) == [own, 6, height]


@pytest.mark.parametrize("width", [360, 700, also(902)])
def test_a_table_of_scores_is_whole_and_the_slider_stands_beside_its_bars_and_its_curve(show, width):
    scores = np.round(np.random.default_rng(15).normal(size=(6, 6)), 1)
    names = "The cat sat on the mat"
    page = show([widgets.Sentence(scores, names, [0.01, 0.52, 0.01, 0.02, 0.01, 0.43], row=2)], width=width)
    for table in live(page).all():
        room = table.evaluate(
            "one => { const box = one.parentNode; return [box.clientWidth, box.scrollWidth,"
            " one.caption.scrollWidth - one.caption.clientWidth]; }"
        )
        assert room[1] <= room[0] and room[2] <= 0
    slider, curve = page.get_by_role("slider"), page.locator(".attn-missed svg")
    top, bottom = (one.bounding_box() for one in (slider, curve))
    assert bottom["y"] + bottom["height"] - top["y"] < 560
    if width > 600:  # two and two beside each other
        boxes = [one.bounding_box() for one in (*live(page).all(), page.locator(".attn-bars"), curve)]
        assert boxes[0]["y"] == boxes[1]["y"] and abs(boxes[2]["y"] - boxes[3]["y"]) < 8
        size = curve.locator("text").first.evaluate("one => one.getBoundingClientRect().height")
        assert size < 22 and page.locator(".attn-live").bounding_box()["height"] < 740


def test_a_printed_row_is_held_against_every_temperature(show):
    scores = np.round(np.random.default_rng(15).normal(size=(6, 6)), 1)
    one = widgets.Sentence(scores, "The cat sat on the mat", [0.01, 0.52, 0.01, 0.02, 0.01, 0.43], row=2)
    page = show([one])
    far = []
    for step in np.linspace(-1, 1, 201):
        one.temperature = 10**step
        far.append(one.difference)
    chart = page.get_by_role("img", name=f"at least {text.number(min(far))}")
    box = chart.bounding_box()
    for share in (0.1, 0.5, 0.9):
        page.mouse.click(box["x"] + box["width"] * (52 + 296 * share) / 360, box["y"] + 20)
        one.temperature = round(10 ** (2 * share - 1), 3)
        assert chart.locator("text").last.text_content() == text.number(one.difference)
        assert page.get_by_role("slider").get_attribute("aria-valuetext") == text.number(one.temperature)
    page.get_by_role("slider").focus()
    press(page, "End")
    one.temperature = 10
    assert said(page) == repr(one)


def test_the_rest_is_no_word_and_comes_last(show):
    weights, keys = [[0.3, 0.5, 0.2], [0.6, 0.4, 2e-16]], ["she", "the", "the rest"]
    page = show([widgets.Flow(weights, ["one", "two"], keys, rest=True)])
    assert said(page) == "“one” looks at “the” 50%, “she” 30%, the rest 20%."
    click(page, "two")
    assert said(page) == repr(widgets.Flow(weights, ["one", "two"], keys, 1, rest=True))
    assert "rest" not in said(page) and page.locator(".attn-streams li strong").last.text_content() == ""


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


def test_an_output_row_is_assembled(show):
    page = show([widgets.Assembly(A, V, TOKENS), widgets.Assembly(A, V - 1.5, TOKENS)])
    assert page.locator(".attn-pieces small").all_text_contents()[:6] == ["7%", "71%", "22%", "86%", "14%", "100%"]
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


def test_a_melted_bar_says_the_shares_of_its_area_and_stays_until_it_is_pressed_again(show):
    page = show([widgets.Assembly(A, V, TOKENS)], width=902)
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
    assert bar.locator("small").all_text_contents() == ["86%", "14%"]
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
    assert bar.get_attribute("aria-pressed") == "false"
    assert page.locator(".attn-origin").text_content().startswith("Point at")


def test_the_keys_reach_a_bar_and_melt_it(show):
    page = show([widgets.Assembly(A, V, TOKENS)], width=902)
    page.get_by_role("button", name="Start again").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    bar = page.locator(".attn-pieces [role=button]").nth(1)
    assert bar.evaluate("one => one === document.activeElement")
    assert bar.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    moving = "all => all.flatMap((one) => one.getAnimations()).length"
    assert bar.locator(".attn-flown").evaluate_all(moving) == 0
    page.keyboard.press("Enter")
    assert bar.locator(".attn-flown").evaluate_all(moving) == 2


def test_a_number_and_its_piece_point_at_each_other(show):
    page = show([widgets.Assembly(A, V, TOKENS)], width=902, reduced_motion="reduce")
    pieces, cells = page.locator(".attn-part:not(.attn-flown)"), page.locator(".attn-matrix tbody td")
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
    np.testing.assert_allclose(grid(live(page).last), weights @ V, atol=6e-4)
    page.locator("td[data-at='1,0']").first.click()
    assert said(page) == repr(widgets.CausalValues(weights, V, TOKENS, step=2))
    assert live(page).nth(1).locator("tbody td").all_text_contents()[6:] == ["·"] * 3  # the future's value


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
    page.mouse.move(point["x"] - 60, point["y"] - 80)
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
    click(page, "↺ Start again")
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
            widgets.Transpose(weights, names, names),
        ]
    )
    page.get_by_role("button", name="Mᵀ").click()
    page.locator(".attn-live").nth(1).get_by_role("button").nth(1).click()
    assert page.evaluate("window.harmed") is None
    assert page.locator(".attn-live img, .attn-live script").count() == 0


def tip(mark):
    """Where the tip of an arrow, or a ring, stands in its plane, in pixels."""
    path = mark.locator("path.attn-tip")
    if path.count():
        return np.array(re.match(r"M(\S+) ([^L]+)L", path.get_attribute("d")).groups(), float)
    return np.array(re.findall(r"-?[\d.]+", mark.locator("circle").last.get_attribute("transform")), float)


def test_what_two_keys_read_is_drawn_beside_what_they_should_read(show):
    page = show([widgets.TwoKeys(60, 1)])
    for angle, beta in [(60, 1), (140, 1.8), (90, 1), (0, 2)]:
        for name, value in (("angle", angle), ("β", beta)):
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
    off = page.locator(".attn-tone").all_text_contents()
    assert off[:4] == ["key 1: off by 2.236", "key 2: off by 2.236", "key 1: off by 3.606", "key 2: off by 2.236"]


def test_two_arrows_on_one_line_are_both_seen_and_share_a_name(show):
    page = show([widgets.TwoKeys(0, 1)])
    wide = "all => all.map((one) => parseFloat(getComputedStyle(one).strokeWidth))"
    for angle, both in ((0, True), (60, False)):
        page.get_by_role("slider", name="angle", exact=True).fill(str(angle))
        for plane in page.locator(".attn-plane").all()[:2]:
            first, second = plane.locator("[data-kind=arrow] path:not(.attn-tip, .attn-lead)").evaluate_all(wide)
            assert (first > second + 4) == both, (angle, first, second)  # a band below a line
            names = [one for one in plane.locator("text[data-tone]").all_text_contents() if one.startswith("key")]
            assert names == (["key 1, key 2"] if both else ["key 1", "key 2"])


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
    page.locator(".attn-matrix").nth(1).locator("td").nth(1).hover()
    told = page.locator(".attn-origin").text_content()
    assert told == "0.750 = 1·1 − 1²·0.500·0.500: β · (key 1 · key 1), less what the second write took away"
    click(page, "↺ Start again")
    assert said(page) == repr(widgets.TwoKeys(60, 1))
