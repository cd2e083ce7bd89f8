"""The figures on a page opened from the disc: no kernel, no server, no network."""

import json
import re
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from figurepage import grid, middle, said, slowly
from PIL import Image
from sampled import also
from worked import HOSTILE, TOKENS, W_K, W_Q, W_V, X, every_widget, head

from attn import core, softmax
from attn.show import widgets
from attn.show.kit import bundle
from attn.show.kit.text import number, percent, weight
from book import assets, audit

pytestmark = pytest.mark.browser


def test_every_figure_wakes_and_says_what_python_says(show):
    shown = every_widget()
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [repr(widget) for widget in shown]
    assert page.locator(".attn-fallback:visible").count() == 0


def test_random_figures_say_what_python_says(show):
    rng = np.random.default_rng(5)
    x, w_q, w_k, w_v = head(rng)
    mask = np.tri(5, dtype=bool) & (rng.random((5, 5)) < 0.7)
    shown = [widgets.Pipeline(x, w_q, w_k, w_v, mask=mask, stage=stage, focus=stage % 5) for stage in range(7)]
    shown += [widgets.Projection(x, w_q, w_k, w_v, step=step) for step in (0, 5, 11, 15)]
    shown += [widgets.ScoreCells(x @ w_q, x @ w_k, row=row, col=4 - row) for row in range(5)]
    shown += [widgets.Heatmap(10 ** rng.uniform(-6, 6, (4, 3)), kind="signed", row=row) for row in range(4)]
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [repr(widget) for widget in shown]


def test_the_javascript_mathematics_is_the_library(show):
    page = show([])
    rng = np.random.default_rng(7)
    for trial in range(40):
        n, m, d, e = rng.integers(1, 12, 4)
        q, k, v = rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=(m, e))
        q *= 10.0 ** rng.integers(-2, 4)  # from even rows to saturated ones
        mask = [None, rng.random((n, m)) < 0.5, np.where(rng.random((n, m)) < 0.5, rng.normal(size=(n, m)), -np.inf)]
        mask = mask[trial % 3]
        ours = core.trace(q, k, v, mask)
        sent = None if mask is None else [[None if x == -np.inf else x for x in row] for row in mask.tolist()]
        theirs = page.evaluate(
            """([q, k, v, mask]) => {
                const step = attnFigures.linalg.attention(q, k, v, { mask });
                const plain = (a) => a.map((row) => row.map((x) => (x === -Infinity ? "-inf" : x)));
                return [step.raw, plain(step.scores), step.weights, step.output];
            }""",
            [q.tolist(), k.tolist(), v.tolist(), sent],
        )
        for mine, name in zip(theirs, ("raw", "scores", "weights", "output"), strict=True):
            np.testing.assert_allclose(np.array(mine, float), getattr(ours, name), rtol=1e-6, atol=1e-6, err_msg=name)


def test_the_smaller_pieces_of_the_mathematics_agree_too(show):
    page = show([])
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=(3, 5)), rng.normal(size=(5, 2))
    product, turned, rows = page.evaluate(
        "([a, b]) => { const l = attnFigures.linalg; return [l.matmul(a, b), l.transpose(a), l.softmax(a)]; }",
        [a.tolist(), b.tolist()],
    )
    np.testing.assert_allclose(product, a @ b, atol=1e-12)
    np.testing.assert_array_equal(turned, a.T)
    np.testing.assert_allclose(rows, softmax.softmax(a), atol=1e-12)
    with pytest.raises(Exception, match="the inner axis is 5 on the left but 3 on the right"):
        page.evaluate("(a) => attnFigures.linalg.matmul(a, a)", a.tolist())


def test_mouse_choosing_a_word_shows_its_embedding(show):
    page = show([widgets.Embedding(X, TOKENS)])
    page.get_by_role("button", name="AI", exact=True).click()
    assert said(page) == "“AI” is row 2 of X: (1, 1, 0, 0)."
    assert page.locator(".attn-bars .attn-value").all_text_contents() == ["1", "1", "0", "0"]
    page.locator("td[data-at='1,2']").click()
    assert said(page) == "“love” is row 1 of X: (0, 1, 0, 1)."


def test_keys_choose_a_word(show):
    page = show([widgets.Embedding(X, TOKENS)])
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "love"
    assert said(page).startswith("“love” is row 1")


def test_the_projection_walks_through_nine_rows(show):
    page = show([widgets.Projection(X, W_Q, W_K, W_V, TOKENS)])
    seen = [said(page)]
    for _ in range(9):
        page.get_by_role("button", name="Next").click()
        seen.append(said(page))
    assert seen == [repr(widgets.Projection(X, W_Q, W_K, W_V, TOKENS, step=step)) for step in range(10)]
    assert page.get_by_role("button", name="Next").get_attribute("aria-disabled") == "true"
    np.testing.assert_array_equal(grid(page.locator("table", has_text="V (3×3)")), X @ W_V)
    page.get_by_role("button", name="Start again").click()
    assert said(page).startswith("Step 0 of 9")


# When the parts of the working and the sentence come, and when the columns of W_Q are outlined, in milliseconds
WAITS = """() => {
    const wait = (one) => Math.max(0, ...one.getAnimations().map((move) => move.effect.getTiming().delay));
    const all = (where) => [...document.querySelectorAll(where)];
    const column = all(".attn-factor")[0].querySelectorAll("tbody tr:first-child td");
    return [all(".attn-lines li"), all(".attn-lines strong"), all(".attn-say"), [...column]].map((x) => x.map(wait));
}"""


def test_a_projection_tells_no_result_before_its_tiles_have_landed(show):
    page = slowly(show([widgets.Projection(X, W_Q, W_K, W_V, TOKENS)]))
    page.get_by_role("button", name="Next").click()
    lines, results, (sentence,), columns = page.evaluate(WAITS)
    assert [len(lines), len(results), len(columns)] == [3] * 3
    turns = zip(columns, lines, results, strict=True)
    assert all(0 < column < line < done for column, line, done in turns)
    assert sentence == max(results) and results == sorted(set(results))
    result, factor = (page.locator(one).first.bounding_box() for one in (".attn-lines strong", ".attn-factor"))
    assert result["x"] + result["width"] < factor["x"]  # which would cover it
    page.get_by_role("button", name="Back").click()
    assert page.evaluate(WAITS)[2] == [0]  # going back hides nothing
    told = "d1: " + " + ".join(f"{x:g}·{w:g}" for x, w in zip(X[0], W_Q[:, 0], strict=True))
    page = show([widgets.Projection(X, W_Q, W_K, W_V, TOKENS)], reduced_motion="reduce")
    page.get_by_role("button", name="Next").click()
    assert page.evaluate(WAITS)[1:3] == [[0] * 3, [0]]
    assert page.locator(".attn-lines li").first.text_content() == f"{told} = {(X @ W_Q)[0, 0]:g}"


@pytest.mark.parametrize("width", [390, also(375)])
def test_a_phone_shows_both_factors_and_their_product_whole_and_nothing_flies_beside_the_card(show, width):
    rng = np.random.default_rng(0)
    x, *weights = rng.integers(0, 3, (3, 6)), *rng.integers(0, 3, (3, 6, 3))
    page = show([widgets.Projection(x, *weights, ["Ada milk", "Bob tea", "Cy milk"])], width=width)
    card = page.locator(".attn-live").bounding_box()
    for step in range(10):
        room = page.locator(".attn-cross").evaluate("box => box.scrollWidth - box.clientWidth")
        cells = [one.bounding_box() for one in page.locator(".attn-cross td").all() if one.is_visible()]
        assert room <= 0 and len(cells) >= 45
        tables = [one for one in page.locator(".attn-cross table").all() if one.is_visible()]
        left, right = (one.locator("tbody tr").last.bounding_box() for one in (tables[0], tables[-1]))
        assert left["y"] == pytest.approx(right["y"], abs=1) and left["height"] == pytest.approx(right["height"], abs=1)
        for box in cells:
            assert box["x"] >= card["x"] and box["x"] + box["width"] <= card["x"] + card["width"]
        if step < 9:
            page.get_by_role("button", name="Next").click()
    names = page.locator(".attn-cross th[scope='row'] bdi").evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).map((one) => one.scrollWidth - one.clientWidth)"
    )
    assert max(names) <= 0  # no name is cut


def test_on_a_phone_no_column_of_the_last_view_is_cut(show):
    """W_V and V stand where W_Q and Q stood: what is away leaves no gap."""
    page = show([widgets.Projection(X, W_Q, W_K, W_V, ["I", "love", "AI"], step=7)], width=374, reduced_motion="reduce")
    assert page.locator(".attn-cross").evaluate("box => box.scrollWidth - box.clientWidth") == 0
    places = []
    for lens in "QKV":
        page.get_by_role("button", name=lens, exact=True).click()
        table = page.locator(".attn-cross table").filter(visible=True).last
        places.append(table.bounding_box()["x"])
    assert len(set(places)) == 1


def test_a_projection_s_features_have_their_names_and_its_sentence_is_never_that_of_another_step(show):
    names = ["Ada", "tea", "milk", "rum"]
    page = show([widgets.Projection(X, W_Q, W_K, W_V, TOKENS, features=names)])
    boards = page.locator(".attn-cross table")
    assert boards.first.locator("thead th").all_text_contents() == names
    assert page.locator(".attn-factor").first.locator("tbody th").all_text_contents() == names
    for _ in range(2):  # the second comes while the first's numbers fly
        page.get_by_role("button", name="Next").click()
        shown = "one => [one.textContent.slice(0, 11), Number(getComputedStyle(one).opacity)]"
        seen = page.locator(".attn-before, .attn-say").evaluate_all(f"all => all.map({shown})")
        step = page.locator(".attn-step").text_content()
        assert seen == [[step, 0]]
    page.wait_for_timeout(2500)
    assert page.locator(".attn-say").evaluate("one => Number(getComputedStyle(one).opacity)") == 1
    assert "features" not in widgets.Projection(X, W_Q, W_K, W_V).state


def test_the_stepper_listens_to_arrow_keys(show):
    page = show([widgets.Projection(X, W_Q, W_K, W_V, TOKENS)])
    page.get_by_role("button", name="Next").focus()
    walk = [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 9), ("ArrowRight", 9), ("Home", 0)]
    for key, step in walk:
        page.keyboard.press(key)
        assert said(page).startswith(f"Step {step} of 9")


@pytest.mark.prove
def test_play_runs_to_the_end_and_stops(show):
    page = show([widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=4)])
    page.get_by_role("button", name="Play").click()
    assert page.get_by_role("button", name="Pause").count() == 1
    page.wait_for_function("() => document.querySelector('.attn-say').textContent.startsWith('Stage 7')")
    assert page.get_by_role("button", name="Play").count() == 1  # it ends with its last step


# What a reader sees of the button, how far its words stand from its middle, and the size of it, its row and its card.
PLAY = """(live) => {
    const play = live.querySelector(".attn-stepper button[title='Play'], .attn-stepper button[title='Pause']");
    const seen = [...play.children].filter((one) => getComputedStyle(one).visibility === "visible");
    const middle = (one) => { const b = one.getBoundingClientRect(); return (b.top + b.bottom) / 2; };
    const size = (one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height];
    return [seen.map((one) => one.textContent), middle(seen[0]) - middle(play),
        [play, play.parentNode, live].map(size)];
}"""


@pytest.mark.parametrize("width", [902, also(390)])
def test_play_has_one_face_from_the_start_and_nothing_changes_its_size_with_the_first_press(show, width):
    for one in (widgets.Projection(X, W_Q, W_K, W_V, TOKENS), widgets.CausalValues(np.eye(3), X @ W_V, TOKENS)):
        page = show([one], width=width)
        live = page.locator(".attn-live")
        faces, aside, sizes = live.evaluate(PLAY)
        assert faces == [" Play"]
        assert abs(aside) < 1
        for name, face in (("Next", " Play"), ("Play", " Pause"), ("Pause", " Play")):
            page.get_by_role("button", name=name, exact=True).click()
            assert live.evaluate(PLAY)[::2] == [[face], sizes]
        for sign in live.locator(".attn-stepper bdi > svg path").all():  # drawn: no font has to have it
            assert sign.bounding_box()["width"] > 5 and sign.bounding_box()["height"] > 5


SEEN = np.random.default_rng(8).normal(size=(3, 3))  # scores under a causal mask


def masked(**options):
    return widgets.Heatmap(core.softmax(SEEN, np.tri(3, dtype=bool)), TOKENS, scores=SEEN, **options)


@pytest.mark.parametrize("width", [902, also(390)])
def test_the_mask_is_lifted_and_put_back_and_the_other_bars_stay_as_outlines(show, width):
    page = show([masked(row=1, col=0)], reduced_motion="reduce", width=width)
    switch = page.get_by_role("button", name="causal mask")
    kept, free = core.softmax(SEEN, np.tri(3, dtype=bool)), core.softmax(SEEN)
    height = page.locator(".attn-live").bounding_box()["height"]
    for on, shown, other in [(True, kept, free), (False, free, kept), (True, kept, free)]:
        assert switch.text_content() == f"causal mask: {'on' if on else 'off'}"
        assert switch.get_attribute("aria-pressed") == str(on).lower()
        assert page.locator("td[data-gone]").count() == (3 if on else 0)
        assert said(page) == repr(masked(row=1, col=0, masked=on))
        np.testing.assert_allclose(grid(page.locator(".attn-live table")), shown, atol=6e-4)
        track = page.locator(".attn-heated .attn-track").first.bounding_box()["width"]
        fills = [one.bounding_box() for one in page.locator(".attn-heated .attn-fill").all()]
        np.testing.assert_allclose([box["width"] / track for box in fills], shown[1], atol=0.01)
        ghosts = [one.bounding_box() for one in page.locator(".attn-mirror").all()]  # none where the other is 0
        np.testing.assert_allclose([box["width"] / track if box else 0 for box in ghosts], other[1], atol=0.02)
        assert page.locator(".attn-heated p").text_content().endswith(f"dashed: {'no mask' if on else 'masked'}")
        assert page.locator(".attn-live").bounding_box()["height"] == height
        switch.click()


def test_a_weight_is_told_from_the_scores_of_its_row_and_a_forbidden_one_too(show):
    page = show([masked()], reduced_motion="reduce")
    a, b, c = (number(x) for x in SEEN[1])
    told = page.locator(".attn-origin")
    page.locator(".attn-live td[data-at='1,0']").hover()
    one = number(core.softmax(SEEN, np.tri(3, dtype=bool))[1, 0])
    assert told.text_content() == f"“love”, I: {one} = exp({a}) / (exp({a}) + exp({b}))"
    page.locator(".attn-live td[data-at='1,2']").hover()
    assert told.text_content() == f"“love”, AI: 0 = exp(−∞) / (exp({a}) + exp({b})): the score {c} is forbidden"
    page.get_by_role("button", name="causal mask").click()
    page.locator(".attn-live td[data-at='1,2']").hover()
    assert (
        told.text_content()
        == f"“love”, AI: {number(core.softmax(SEEN)[1, 2])} = exp({c}) / (exp({a}) + exp({b}) + exp({c}))"
    )


def test_a_column_s_name_frames_the_column_and_draws_it_as_bars(show):
    page = show([masked(row=2, col=2)], reduced_motion="reduce", has_touch=True)
    weights, head = core.softmax(SEEN, np.tri(3, dtype=bool)), page.locator(".attn-live thead th")
    values, title = page.locator(".attn-heated .attn-value"), page.locator(".attn-heated p > span:first-child")
    whole = page.locator(".attn-live table").bounding_box()
    for k, act in enumerate((head.nth(0).hover, head.nth(1).focus, head.nth(2).tap)):
        act()
        assert title.text_content() == "column " and page.locator(".attn-heated strong").text_content() == TOKENS[k]
        assert values.all_text_contents() == [weight(x) for x in weights[:, k]]
        assert f"{3 - k} of 3 words may look at it" in page.locator(".attn-origin").text_content()
        sums = " + ".join(number(x) for x in weights[k:, k]) + f" = {number(weights[:, k].sum())}"  # as arithmetic
        assert page.locator(".attn-origin").text_content().endswith(f"; {sums}; a column need not sum to 1.")
        line, room = (page.locator(one).bounding_box() for one in (".attn-origin", ".attn-foot"))
        assert line["y"] + line["height"] <= room["y"] + room["height"] + 1  # inside the room that is kept for it
        feet = page.locator(".attn-live tfoot td")  # under each column its sum, that of the framed one in bold
        assert feet.all_text_contents() == [number(x, 2) for x in weights.sum(axis=0)]
        strong = feet.evaluate_all("all => all.map((e) => getComputedStyle(e).fontWeight)")
        assert strong == ["700" if j == k else "400" for j in range(3)]
        bold = page.locator(".attn-heated li[data-on] .attn-value")  # who looks most at it
        assert bold.all_text_contents() == [weight(weights[:, k].max())]
        assert page.locator("th[data-down]").count() == 1 and page.locator("tr[data-on]").count() == 0
        long = head.nth(k).evaluate("(one) => parseFloat(getComputedStyle(one, '::after').height)")
        assert long == pytest.approx(whole["y"] + whole["height"] - head.nth(k).bounding_box()["y"], abs=6)
    page.locator(".attn-live td[data-at='1,0']").hover()
    assert title.text_content() == "row " and page.locator("th[data-down]").count() == 0
    assert values.all_text_contents() == [weight(x) for x in weights[1]]
    assert head.first.get_attribute("tabindex") == "0"
    page = show([widgets.Heatmap(np.full((2, 3), 1 / 3), TOKENS[:2], TOKENS)])  # its columns have other words
    assert page.locator(".attn-live thead th[tabindex]").count() == 0


def test_a_cell_and_its_bar_ring_each_other_and_a_column_takes_the_ring_of_the_chosen_cell(show):
    page = show([widgets.Heatmap([[0.1, 0.7, 0.2], [0.2, 0.6, 0.2], [0.2, 0.5, 0.3]], TOKENS, col=1)], width=902)
    chosen, told = page.locator(".attn-live td[data-at='0,1']"), page.locator(".attn-origin")
    ring, bars = "(one) => getComputedStyle(one).outlineStyle", page.locator(".attn-heated .attn-bars li")
    page.locator(".attn-live td[data-at='2,0']").hover()
    assert [one.locator(".attn-fill").evaluate(ring) for one in bars.all()[:3]] == ["solid", "none", "none"]
    bars.nth(1).focus()
    assert chosen.evaluate(ring) == "solid" and told.text_content().startswith("“I” takes 70% of its mix from “love”")
    bars.nth(2).hover()
    at = "all => all.map((one) => one.dataset.at)"
    assert page.locator(".attn-live td[data-source]").evaluate_all(at) == ["0,2"]
    page.locator(".attn-live thead th").nth(1).click()
    assert page.locator(".attn-live td[data-pick]").get_attribute("data-at") == "0,1"
    assert chosen.evaluate(ring) == "none"  # one selection at a time
    bars.nth(2).hover()
    assert page.locator(".attn-live td[data-source]").evaluate_all(at) == ["2,1"]


def test_one_frame_goes_around_the_whole_row_and_nothing_else_is_framed_or_pale(show):
    page = show([masked(row=0, col=0)], reduced_motion="reduce")
    page.locator(".attn-live td[data-at='2,1']").hover()
    frame = (
        page.locator(".attn-live tbody tr")
        .nth(2)
        .locator("th")
        .evaluate("(one) => ['width', 'height'].map((size) => parseFloat(getComputedStyle(one, '::after')[size]))")
    )
    box = page.locator(".attn-live tbody tr").nth(2).bounding_box()
    assert frame == pytest.approx([box["width"], box["height"]], abs=6)
    cells = page.locator(".attn-live tbody td")
    assert set(cells.evaluate_all("all => all.map((one) => getComputedStyle(one).opacity)")) == {"1"}
    chosen = page.locator(".attn-live td[data-pick]")
    assert chosen.evaluate("(one) => getComputedStyle(one).outlineStyle") == "none"


def test_readers_who_want_less_motion_are_offered_no_play(show):
    page = show([widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS)], reduced_motion="reduce")
    assert page.get_by_role("button", name="Play").count() == 0
    page.get_by_role("button", name="Next").click()
    assert said(page).startswith("Stage 2")


def test_every_score_opens_its_dot_product(show):
    Q, K = X @ W_Q, X @ W_K
    page = show([widgets.ScoreCells(Q, K, TOKENS)])
    np.testing.assert_array_equal(grid(page.locator("table[role=grid]")), core.scores(Q, K, scale=1.0))
    for i in range(3):
        for j in range(3):
            page.locator(f"td[data-at='{i},{j}']").click()
            assert said(page) == repr(widgets.ScoreCells(Q, K, TOKENS, row=i, col=j))
            assert page.locator(".attn-total").last.text_content() == f"= {Q[i] @ K[j]}"
            assert page.locator("td[data-col]").all_text_contents() == [str(x) for x in (*Q[i], *K[j])]


def flown(page, press):
    """What flies after a press: (the number, where from, where to), by the middles of boxes on the page."""
    return page.evaluate(
        """async (press) => {
            document.querySelector(press).click();
            await new Promise(requestAnimationFrame);
            const home = document.querySelector(".attn-layer").getBoundingClientRect();
            return [...document.querySelectorAll(".attn-ghost")].map((one) => {
                const ends = one.getAnimations()[0].effect.getKeyframes().map((frame) => {
                    const [x, y] = frame.transform.match(/-?[\\d.]+(?=px)/g).map(Number);
                    const [width, height] = [frame.width, frame.height].map(parseFloat);
                    return [home.left + x + width / 2, home.top + y + height / 2];
                });
                return [one.textContent, ...ends];
            });
        }""",
        press,
    )


def where(page, table, i, j):
    cell = page.locator(".attn-live table").nth(table).locator("tbody tr").nth(i).locator("td").nth(j)
    return middle(cell)


def test_a_query_slides_onto_its_key_and_the_products_fall_into_the_score(show):
    Q, K = X @ W_Q, X @ W_K
    page = show([widgets.ScoreCells(Q, K, TOKENS)], height=900)
    flights = flown(page, "td[data-at='1,2']")
    assert [told for told, *_ in flights] == ["0", "0", "2", "2", "1", "1"]  # q, product; q, product; …
    for c in range(3):
        (_, start, on_key), (_, from_key, end) = flights[2 * c : 2 * c + 2]
        np.testing.assert_allclose(start, where(page, 0, 1, c), atol=1)
        np.testing.assert_allclose([on_key, from_key], [where(page, 1, c, 2)] * 2, atol=1)
        np.testing.assert_allclose(end, where(page, 2, 1, 2), atol=1)
    page.wait_for_function("() => !document.querySelector('.attn-ghost')")


# Which words a flying number lies over, at twenty moments of its way
CROSSED = """() => {
    const live = document.querySelector(".attn-live");
    const ways = [...live.querySelectorAll(".attn-ghost")].flatMap((one) => one.getAnimations());
    const words = [...live.querySelectorAll(".attn-cross :is(caption, th, .attn-corner-note p)")];
    const above = (word) => [word, word.parentNode].some((one) => {
        const { position, zIndex } = getComputedStyle(one);
        return position !== "static" && Number(zIndex) > 2;
    });
    const found = new Set();
    for (let time = 0; time < 2000; time += 100) {
        for (const way of ways) Object.assign(way, { currentTime: time }).pause();
        const seen = (one) => {
            const { visibility, opacity } = getComputedStyle(one);
            return visibility === "visible" && Number(opacity) > 0.2 && one.textContent;
        };
        const boxes = [...live.querySelectorAll(".attn-ghost")].filter(seen).map((one) => one.getBoundingClientRect());
        for (const word of words) {
            const a = word.getBoundingClientRect();
            if (getComputedStyle(word).clipPath !== "none" || above(word)) continue;
            const across = (b) => b.left < a.right - 1 && b.right > a.left + 1;
            const meets = (b) => across(b) && b.top < a.bottom - 1 && b.bottom > a.top + 1;
            if (boxes.some(meets)) found.add(word.textContent);
        }
    }
    return [ways.length, [...found]];
}"""


@pytest.mark.parametrize("width", [390, also(902)])
def test_no_number_flies_over_a_word(show, width):
    page = show([widgets.ScoreCells(X @ W_Q, X @ W_K, TOKENS)], width=width, height=900)
    page.locator("td[data-at='1,0']").evaluate("one => one.click()")
    assert page.evaluate(CROSSED) == [6, []]
    A = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]])
    page = show([widgets.CausalValues(A, np.eye(3), TOKENS, step=2)], width=width, height=900)
    page.get_by_role("button", name="Next").evaluate("one => one.click()")
    flown, crossed = page.evaluate(CROSSED)
    assert flown == 21 + 9 and crossed == []  # nine numbers appear on their way


def test_weights_shrink_the_values_that_fill_one_row(show):
    A = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]])
    page = show([widgets.CausalValues(A, np.eye(3), TOKENS, step=2)], height=900)
    next_ = ".attn-stepper button:nth-child(2)"
    flights = flown(page, next_)
    told = [told for told, *_ in flights]  # as the cells write it: a third decimal would be cut
    assert told[::7] == [".20", ".30", ".50"] and set(told[1::7] + told[3::7] + told[5::7]) == {""}
    assert [told[k::7] for k in (2, 4, 6)] == [[".20", "0", "0"], ["0", ".30", "0"], ["0", "0", ".50"]]
    landed = [end for told, _, end in flights[2::7] + flights[4::7] + flights[6::7]]
    places = [where(page, 2, 2, c)[0] for c in range(3)]  # the stack has the columns of Y
    stack = page.locator(".attn-shrunk > div").first.bounding_box()
    for x, y in landed:  # each falls into a column of the stack
        assert min(abs(x - at) for at in places) < 2.5 and stack["y"] < y < stack["y"] + stack["height"]
    page = show([widgets.CausalValues(A, np.eye(3), TOKENS, step=2)], reduced_motion="reduce")
    assert flown(page, next_) == []


def test_arrow_keys_walk_over_a_matrix(show):
    page = show([widgets.Heatmap(np.eye(3), TOKENS)])
    page.keyboard.press("Tab")
    walk = [
        ("ArrowRight", (0, 1)),
        ("ArrowDown", (1, 1)),
        ("End", (1, 2)),
        ("Home", (1, 0)),
        ("Control+End", (2, 2)),
        ("ArrowDown", (2, 2)),
        ("ArrowUp", (1, 2)),
        ("ArrowLeft", (1, 1)),
        ("Control+Home", (0, 0)),
    ]
    for key, (i, j) in walk:
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.at") == f"{i},{j}"
        assert said(page) == repr(widgets.Heatmap(np.eye(3), TOKENS, row=i, col=j))
    assert page.locator("td[tabindex='0']").count() == 1


def test_the_chosen_row_stands_beside_a_matrix_as_bars_with_its_numbers_on_one_scale(show):
    weights = np.array([[0.1, 0.7, 0.2], [0.4, 0.3, 0.3], [0.25, 0.25, 0.5]])
    for values, kind, both in ((weights, "weight", False), (np.array([[1, -4, 2], [3, 0.5, -1]]), "signed", True)):
        page = show([widgets.Heatmap(values, TOKENS[: len(values)], TOKENS, kind=kind)], reduced_motion="reduce")
        most = 1 if kind == "weight" else 4
        boards = [page.locator(where).bounding_box() for where in (".attn-matrix", ".attn-bars")]
        assert boards[0]["x"] + boards[0]["width"] < boards[1]["x"]
        for i, line in enumerate(values):
            page.locator(f"td[data-at='{i},1']").click()
            # shares that sum to 1 are the parts of one bar, others have bars of their own
            bars = page.locator(".attn-track").evaluate_all("""tracks => tracks.map(track => {
                const [home, bar] = [track, track.firstChild].map(one => one.getBoundingClientRect());
                const whole = track.closest("[data-whole]");
                if (whole) return [0, bar.width / (whole.clientWidth - 9)];
                return [bar.left - home.left, bar.right - home.left].map(x => x / home.width);
            })""")
            for ends, x in zip(bars, line, strict=True):
                zero, unit = (0.5, 0.5 / most) if both else (0, 1 / most)
                assert ends == pytest.approx([zero + unit * min(x, 0), zero + unit * max(x, 0)], abs=0.02)
            told = [float(x.replace("−", "-")) for x in page.locator(".attn-value").all_text_contents()]
            np.testing.assert_allclose(told, line, atol=0.0005 if both else 0.0051)
        ticks = page.locator(".attn-heat-ticks > span").all_text_contents()
        assert ticks == (["−4", "0", "4"] if both else ["0", "0.5", "1"])


def test_the_chosen_row_of_a_wide_matrix_stands_below_its_columns_as_bars(show):
    scores = np.array([[1, -4, 2, 0, 1, 1, 0, 0, 1], [3, 0.5, -1, 0, 0, 1, 1, 2, 2]])
    names = [f"k{j}" for j in range(9)]
    page = show([widgets.Heatmap(scores, TOKENS[:2], names, kind="signed", name="S")], reduced_motion="reduce")
    for i in range(2):
        page.locator(f"td[data-at='{i},1']").click()
        feet = page.locator("tfoot td").evaluate_all("""cells => cells.map(cell => {
            const [home, bar] = [cell, cell.firstChild].map(one => one.getBoundingClientRect());
            const zero = (home.top + home.bottom) / 2;
            return [zero - bar.top, bar.bottom - zero].map(x => 2 * x / home.height)
                .concat(bar.left >= home.left && bar.right <= home.right);
        })""")
        for (up, down, inside), x in zip(feet, scores[i], strict=True):
            assert inside and (up, down) == pytest.approx((max(x, 0) / 4, max(-x, 0) / 4), abs=0.03)
    page.locator("td[data-at='0,2']").hover()
    assert page.locator("tfoot th").text_content() == "I"  # the bars are those of the row under the pointer
    page.locator("h1").hover()
    assert page.locator("tfoot th").text_content() == "love"  # and go back to the chosen one


def test_a_cell_says_its_place_or_what_it_is_made_of(show):
    scores = np.array([[1, -4, 2], [3, 0.5, -1]])
    page = show([widgets.Heatmap(scores, TOKENS[:2], TOKENS, kind="signed", name="S", row=1)])
    page.locator("td[data-at='0,2']").hover()
    told = page.locator(".attn-origin").text_content()
    assert told == "2: S at “I”, “AI”, the largest of its row, 1 above “I” (1)."
    page.locator("td[data-at='0,1']").hover()
    told = page.locator(".attn-origin").text_content()
    assert told == "−4: S at “I”, “love”, 6 below the largest of its row, “AI” (2)."
    row = page.locator(".attn-heated strong")
    assert row.text_content() == "I"  # the bars are those of the row under the pointer
    page.locator("h1").hover()
    assert row.text_content() == "love"  # and go back to the chosen one
    bare = widgets.Heatmap(scores, TOKENS[:2], TOKENS, kind="signed")
    assert "made" not in bare.state
    texts = [["1 = 2·0.5", "", "2 = 1 + 1"], ["", "", ""]]
    page = show([widgets.Heatmap(scores, TOKENS[:2], TOKENS, kind="signed", made=texts)])
    for at, start in (("0,2", "“I”, AI: 2 = 1 + 1"), ("0,1", "−4: A at")):
        page.locator(f"td[data-at='{at}']").hover()
        assert page.locator(".attn-origin").text_content().startswith(start)


def test_a_number_of_a_step_is_traced_to_what_its_text_names(show):
    values = [[0.5, 0.988, 3.139, 0.856], [1, 2, 4, 0.144]]
    names, made = (
        ["key₁", "key₂", "score", "weight"],
        [["", "", "3.139 = 4.494·(0.988) / √2", "0.856 = e^(3.139) / 27"]],
    )
    one = widgets.Heatmap(values, TOKENS[:2], names, kind="signed", scale="column", made=[*made, [""] * 4])
    page = show([one])
    for at, sources in {"0,2": ["0,1"], "0,3": ["0,2"], "1,0": ["0,0"]}.items():
        page.locator(f"td[data-at='{at}']").hover()
        found = page.locator("td[data-source]:not([data-made])").evaluate_all("all => all.map((td) => td.dataset.at)")
        assert found == sources  # without a text, those it is compared with


@pytest.mark.parametrize("n", [3, 6])
def test_a_number_of_the_map_stands_in_its_cell_its_bar_and_above_in_one_form(show, n):
    causal = core.softmax(np.random.default_rng(8).normal(size=(n, n)), np.tri(n, dtype=bool))
    page = show([widgets.Heatmap(causal, list("abcdef")[:n], row=n - 1, col=0)], width=902, reduced_motion="reduce")
    read = """all => all.map((e) => {
        const told = getComputedStyle(e, "::after").content;
        return told === "none" ? e.textContent : told.slice(1, -1);
    })"""
    cells = page.locator("tr[data-on] > td").evaluate_all(read)
    assert page.locator(".attn-heated .attn-value").all_text_contents() == cells
    assert page.locator(".attn-peak > span").text_content().split()[1] == cells[int(causal[-1].argmax())]
    bold = "all => all.filter((e) => getComputedStyle(e).fontWeight > 500).length"
    assert page.locator("tbody td").evaluate_all(bold) == 1


def test_the_pointed_cell_is_found_in_its_bars_and_heads(show):
    page = show([widgets.Heatmap(np.full((3, 3), 1 / 3), TOKENS)])

    def on():
        where = (".attn-bars li[data-on] bdi", "thead th[data-on]", "tr[data-on] > th")
        return [page.locator(one).text_content() for one in where]

    assert on() == ["I", "I", "I"]
    page.locator("td[data-at='1,2']").hover()
    assert on() == ["AI", "AI", "love"]
    page.locator("h1").hover()
    assert on() == ["I", "I", "I"]
    page.locator("td[data-pick][data-at='0,0']").wait_for()


def test_what_a_causal_mask_forbids_is_hatched_and_what_is_nearly_0_says_so(show):
    causal = widgets.Heatmap([[1, 0], [0.25, 0.75]], TOKENS[:2])
    tiny = widgets.Heatmap([[1, 1e-11], [0.25, 0.75]], TOKENS[:2], col=1)
    rounded = widgets.Heatmap([[0, 1], [0.25, 0.75]], TOKENS[:2])
    for one, hatched, told in (
        (causal, ["0,1"], "“I” may not look at “love”, a later word."),
        (tiny, [], "“I” takes <0.1% of its mix from “love”; its row sums to 1."),
        (rounded, [], "“I” takes 100% of its mix from “love”; its row sums to 1."),
    ):
        page = show([one])
        gone = page.locator("td[data-gone]").evaluate_all("all => all.map((td) => td.dataset.at)")
        page.locator("td[data-at='0,1']").hover()
        assert gone == hatched and page.locator(".attn-origin").text_content() == told
        assert said(page) == repr(one)
        assert (page.locator("td[data-at='0,1']").text_content() == "≈0") == (one is tiny)
    assert repr(tiny) == "“I” takes <0.1% of its mix from “love”; most, 100%, from “I”."


def test_a_cell_of_weights_says_what_it_is_a_part_of(show):
    weights = np.array([[0.25, 0.75, 0], [0.1, 0.6, 0.3]])
    named = dict(down="temperatures", title="Hot and cold.")
    kinds = [({}, "“I” takes 75% of its mix from “love”; its row sums to 1."), (named, "75% of the row “I” stands at")]
    for options, start in kinds:
        page = show([widgets.Heatmap(weights, TOKENS[:2], TOKENS, **options)])
        page.locator("td[data-at='0,1']").hover()
        assert page.locator(".attn-origin").text_content().startswith(start)
    page = show([widgets.Heatmap(weights / 2, TOKENS[:2], TOKENS, name="right")])  # shares of nothing whole
    page.locator("td[data-at='0,1']").hover()
    told = page.locator(".attn-origin").text_content()
    assert told == "0.375: right at “I”, “love”, the largest of its row, 0.250 above “I” (0.125)."
    scores = np.array([[1, -np.inf, 2], [3, 0.5, 2]])
    page = show([widgets.Heatmap(scores, TOKENS[:2], TOKENS, kind="signed", name="S", scale="column")])
    for at, told in {
        "0,1": "−∞: S at “I”, “love”, which is forbidden.",
        "0,0": "1: S at “I”, “I”, 2 below the largest of its column, “love” (3).",
        "0,2": "2: S at “I”, “AI”, equal to “love” (2).",
        "1,1": "0.500: S at “love”, “love”.",
    }.items():
        page.locator(f"td[data-at='{at}']").hover()
        assert page.locator(".attn-origin").text_content() == told


@pytest.mark.parametrize("width", [902, also(390)])
def test_columns_with_scales_of_their_own_have_bars_of_their_own_and_say_what_is_full(show, width):
    values = np.array([[2.472, 0.856, -7.856], [-1.236, 0.1, 3.139], [0.0, 0.044, 7.856 / 2]])
    names = ["key", "weight", "score"]
    one = widgets.Heatmap(values, TOKENS, names, kind="signed", name="bank", scale="column", title="The whole equation")
    page = show([one], width=width)
    assert page.locator(".attn-title strong").text_content() == "The whole equation."
    full = "each column has its own scale, full at its largest number, shares at 1; orange: minus"
    assert page.locator(".attn-legend").text_content().startswith(full)
    shot = np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"), int)
    for cell, x, j in zip(page.locator("td[data-at]").all(), values.ravel(), [0, 1, 2] * 3, strict=True):
        box = cell.bounding_box()
        left, right = round(box["x"]) + 2, round(box["x"] + box["width"]) - 2
        line = shot[round(box["y"] + box["height"]) - 8, left:right]
        full = [2.472, 1, 7.856][j] * (1 if j == 1 else 2)
        dark = np.ptp(line, axis=1) > 40  # the bar's colour, neither paper nor the grey of zero
        if cell.get_attribute("data-at") != "0,0":  # which is chosen: its ring lies over it
            assert dark.mean() == pytest.approx(abs(x) / full, abs=0.06)
    page.locator("td[data-at='1,2']").click()
    assert page.locator(".attn-say").text_content().startswith("bank (3×3): row “love”, column “score” holds 3.139")


def test_a_table_of_steps_ends_in_its_total_and_says_what_the_chosen_number_is_made_of(show):
    total = ["output", "", "1.21"]
    made = [["", "1.21 = 0.856·1.417"], ["", ""]]
    one = dict(kind="signed", scale="column", col=1, made=made, total=total)
    one = widgets.Heatmap([[0.856, 1.417], [0.144, 0]], TOKENS[:2], ["weight", "value"], **one)
    page = show([one])
    foot = page.locator("tfoot tr > *")
    assert foot.all_text_contents() == total
    last, cell = foot.last.bounding_box(), page.locator("td[data-at='1,1']").bounding_box()
    assert last["y"] >= cell["y"] + cell["height"] and abs(last["x"] - cell["x"]) < 2  # below its column
    assert said(page) == repr(one) == "“I”, value: 1.21 = 0.856·1.417."
    page.locator("td[data-at='0,1']").hover()
    found = page.locator("td[data-source]:not([data-made])").evaluate_all("all => all.map((td) => td.dataset.at)")
    assert found == ["0,0"]
    page.locator("td[data-at='1,0']").click()
    assert said(page).endswith("the column is largest at “I” (0.856), smallest at “love” (0.144).")  # no row of units


def test_what_the_keys_are_multiplied_by_stands_above_them_and_is_a_source_of_the_score(show):
    made = [["", "", "3.139 = (0·0.026 + 4.494·0.988) / √2"], ["", "", "0.007 = (0·0.1 + 4.494·0.002) / √2"]]
    one = dict(kind="signed", scale="column", col=2, made=made, ask=["query", "0", "4.494", ""])
    page = show(
        [widgets.Heatmap([[0.026, 0.988, 3.139], [0.1, 0.002, 0.007]], ["river", "the"], ["k₁", "k₂", "s"], **one)]
    )
    asks = page.locator("thead tr").last.locator("td")
    assert asks.all_text_contents() == ["0", "4.494", ""]
    top, cell = asks.nth(1).bounding_box(), page.locator("td[data-at='0,1']").bounding_box()
    assert top["y"] < cell["y"] and abs(top["x"] - cell["x"]) < 2
    page.locator("td[data-at='0,2']").hover()
    found = page.locator("td[data-source]:not([data-made])").all_text_contents()
    assert found == ["0", "4.494", "0.026", "0.988"]


def test_products_with_the_weights_stand_in_columns_of_their_own_under_which_they_are_summed(show):
    weights, values = np.array([0.856, 0.144, 0]), np.array([[1.417, 0.5], [-0.5, 0], [-1.691, -0.707]])
    table, names = np.column_stack([weights, values]), ["weight", "v₁", "v₂"]
    options = dict(kind="signed", scale="column", weigh="weight", row=0)
    page = show([widgets.Heatmap(table, TOKENS, names, total=["output", "", "1.14", "0.43"], **options)], width=902)
    assert page.locator(".attn-live thead th").all_text_contents() == [*names, "weight × v"]
    parts, sums, full = page.locator("[data-part]"), page.locator("tfoot [data-sum]"), np.abs(values).max(axis=0)
    assert parts.all_text_contents() == ["1.213", "0.428", "−0.072", "0", "0", "0"]
    assert sums.all_text_contents() == ["1.14", "0.43"]  # of what can be read above them
    for j, left in enumerate([parts.nth(0), parts.nth(1)]):
        assert abs(left.bounding_box()["x"] - sums.nth(j).bounding_box()["x"]) < 1
    page.mouse.move(1, 1)
    shot = np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"), int)
    bars = [(parts.nth(j), weights[0] * values[0, j]) for j in (0, 1)]
    for j, (cell, x) in enumerate(bars + [(sums.nth(j), weights @ values[:, j]) for j in (0, 1)]):
        box = cell.bounding_box()  # one scale for the product, its sum and what it is a part of
        line = shot[round(box["y"] + box["height"]) - 8, round(box["x"]) + 3 : round(box["x"] + box["width"]) - 3]
        dark = (np.ptp(line - np.median(line, axis=0).astype(int), axis=1) > 25).mean()
        assert dark == pytest.approx(abs(x) / full[j % 2] / 2, abs=0.05), j
    parts.nth(2).hover()
    at = "all => all.map((e) => e.dataset.at)"
    assert page.locator("td[data-source]").evaluate_all(at) == ["1,0", "1,1"]
    sums.first.hover()
    assert page.locator(".attn-origin").text_content() == "1.141 = 1.213 − 0.072 + 0"
    assert page.locator("td[data-source]").all_text_contents() == ["1.213", "−0.072", "0"]
    page.locator("h1").hover()
    assert not page.locator("[data-made]").count()
    sums.last.focus()
    told = page.locator(".attn-origin").text_content()
    assert told == "0.428 = 0.428 + 0 + 0" == sums.last.get_attribute("aria-label")
    with pytest.raises(ValueError, match="weigh is 'share'; the columns are weight, v₁, v₂"):
        widgets.Heatmap(table, TOKENS, names, kind="signed", weigh="share")


def test_a_row_and_its_partner_are_two_sets_of_bars_from_one_zero(show):
    values = np.array([[3.1, -3.2, 0.1], [0.2, 0.3, -3.0], [-3.0, 3.3, -0.1]])
    one = widgets.Heatmap(values, TOKENS, kind="signed", name="S", against=["AI", "", "I"])
    page = show([one], width=902, reduced_motion="reduce")
    outlines, fills = page.locator(".attn-mirror"), page.locator(".attn-heated .attn-fill")
    for row, partner in ((2, 0), (0, 2)):
        page.locator(f"td[data-at='{row},0']").click()
        assert page.locator(".attn-heated p").text_content() == f"row {TOKENS[row]}; outlined: {TOKENS[partner]}"
        track = page.locator(".attn-heated .attn-track").first.bounding_box()
        boxes = [[box.bounding_box() for box in found.all()] for found in (outlines, fills)]
        wide = np.array([[box["width"] for box in found] for found in boxes]) / track["width"] * 2 * 3.3
        np.testing.assert_allclose(wide, np.abs(values[[partner, row]]), atol=0.15)
        middle = track["x"] + track["width"] / 2
        right = [box["x"] + box["width"] / 2 > middle for box in boxes[0]]
        assert right == list(values[partner] > 0)
        assert all(top["y"] + top["height"] <= low["y"] + 1 for low, top in zip(*boxes, strict=True))
        again = widgets.Heatmap(values, TOKENS, kind="signed", name="S", against=["AI", "", "I"], row=row)
        assert said(page) == repr(again)
    page.locator("td[data-at='1,0']").click()  # which has no partner
    assert not page.locator(".attn-mirror:visible").count()
    assert page.locator(".attn-heated p").inner_text().strip() == "row love"
    with pytest.raises(ValueError, match="against has 'she'; the rows are I, love, AI"):
        widgets.Heatmap(values, TOKENS, kind="signed", against=["she", "", ""])


WHOLE = dict(
    kind="signed", scale="column", weigh="weight", groups=["ask"] * 4 + ["share"] * 2 + ["take"] * 2, name="bank"
)
STEPS = ["key₁", "key₂", "score", "÷ √2", "exp", "weight", "value₁", "value₂"]
ASKS = ["query", "0", "4.494", "q·k", "/ √2", "e^x", "/ sum", "× weight", "× weight"]
# Where the words above the columns begin and end: of the second row of heads and of what is below each name
SPANS = """() => [...document.querySelectorAll(".attn-live thead tr")].slice(1).flatMap((line) =>
    ["bdi", "small", ""].map((what) => [...line.children].slice(1).flatMap((cell) => {
        const one = what ? cell.querySelector(what) : cell.matches("td") ? cell : null;
        if (!one) return [];
        const range = document.createRange();
        range.selectNodeContents(one);
        const { left, right, width } = range.getBoundingClientRect();
        return width ? [[left, right]] : [];
    }))).filter((spans) => spans.length)"""


STEPS_OF_BANK = np.array([
    [-0.043, 0.007, 0.031, 0.022, 1.022, 0.038, -0.020, -0.034],
    [-0.025, -0.002, -0.010, -0.007, 0.993, 0.037, -0.005, 0.011],
    [-0.143, -0.078, -0.353, -0.249, 0.779, 0.029, 0.036, -0.060],
    [0.057, 0.030, 0.137, 0.097, 1.101, 0.041, -0.037, 0.010],
    [0.026, 0.988, 4.439, 3.139, 23.074, 0.856, 1.417, 0.004],
    [-1.237, -2.472, -11.11, -7.856, 3.9e-4, 1.4e-5, -1.691, -0.707],
])  # fmt: skip
SIZES = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"


def whole_equation(show, width):
    """A page with the whole equation of one word, and what is true of it at every width.   ->   page"""
    out = ["sum", "", "", "", "", "26.971", "1", "1.211", "0.001"]
    words = "she sat by the river bank".split()
    page = show([widgets.Heatmap(STEPS_OF_BANK, words, STEPS, ask=ASKS, total=out, **WHOLE)], width=width)
    read = page.locator(".attn-live thead :is(bdi, small, td:not(:empty)):visible").evaluate_all(SIZES)
    assert min(read) >= 11
    assert page.locator(".attn-heat .attn-scroll").evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    return page


def joins(page):
    """What is read between the numbers of the row in hand, from its start to its end."""
    return [one.strip() for one in page.locator("tr[data-on] > [data-join]").all_inner_texts()]


@pytest.mark.parametrize("width", [902, also(390)])
def test_the_row_in_hand_of_the_whole_equation_is_read_as_one_equation(show, width):
    page = whole_equation(show, width)
    page.locator("td[data-at='4,2']").click()
    said = [re.sub(r"\s+", " ", one) for one in joins(page)]
    assert said == (["+", "=", "→", "→", "→", "×", "="] if width > 700 else ["+", "=q·k", "→", "ex", "÷ sum", "×", "="])
    if width > 700:  # what is done stands above its column, once
        assert page.locator("thead tr").last.locator("td:visible:not(:empty)").all_inner_texts() == [
            *("0", "4.494", "q·k", "ex", "÷ sum")
        ]
    line = page.locator("tr[data-on] > td:is([data-at], [data-part])")
    told = [float(x.replace("−", "-")) for x in line.all_text_contents()]
    key, (score, scaled, e, weight), values, parts = told[:2], told[2:6], told[6:8], told[8:]
    assert key[0] * 0 + key[1] * 4.494 == pytest.approx(score, abs=0.003)
    assert score / 2**0.5 == pytest.approx(scaled, abs=0.001) and np.exp(scaled) == pytest.approx(e, rel=0.001)
    assert e / 26.971 == pytest.approx(weight, abs=0.001)
    np.testing.assert_allclose(parts, weight * np.array(values), atol=0.001)
    others = page.locator("tr:not([data-on]) > [data-join]")
    assert set(others.evaluate_all("all => all.map((e) => e.innerText.trim())")) == {""}  # where they would be noise
    boxes = [one.bounding_box() for one in page.locator("tr[data-on] > td").all()]
    side, size = ("x", "width") if width > 700 else ("y", "height")
    assert all(b[side] >= a[side] + a[size] - 1 for a, b in pairwise(boxes))  # each has a place of its own


def test_the_row_in_hand_begins_with_no_sign_where_nothing_stands_before_its_first_number(show):
    words, whole = "she sat by the river bank".split(), {**WHOLE, "groups": WHOLE["groups"][2:]}
    out = ["sum", "", "", "26.971", "1", "1.211", "0.001"]
    made = widgets.Heatmap(STEPS_OF_BANK[:, 2:], words, STEPS[2:], ask=["query", *ASKS[3:]], total=out, row=4, **whole)
    assert joins(show([made], width=902)) == ["", "→", "→", "→", "×", "="]
    assert joins(show([made], width=390))[0] == "q·k"  # there each step says what it does


@pytest.mark.parametrize("width", [880, 1280])
def test_no_number_of_the_whole_equation_is_wider_than_its_cell_whichever_word_is_in_hand(show, width):
    page = whole_equation(show, width)
    cut = """all => all.filter((e) => e.scrollWidth > e.clientWidth ||
        getComputedStyle(e).overflowX !== "visible").map((e) => e.textContent)"""
    ends = """all => all.filter((e) => e.textContent).map((e) => {
        const range = document.createRange();
        range.selectNodeContents(e);
        const { left, right } = range.getBoundingClientRect();
        return [left, right];
    })"""
    for i in range(6):
        page.locator(f"td[data-at='{i},2']").click()
        assert page.locator(".attn-live :is(tbody, tfoot) td").evaluate_all(cut) == []
        read = page.locator("tr[data-on] > td").evaluate_all(ends)
        assert min(b[0] - a[1] for a, b in pairwise(read)) > 2  # a sign does not touch a number


def test_a_value_of_the_whole_equation_says_what_it_becomes_and_all_that_is_summed_is_told(show):
    page = whole_equation(show, 902)
    page.locator("td[data-at='4,6']").click()
    words, made = "she sat by the river bank".split(), [["its place"] * 8] * 6
    one = widgets.Heatmap(
        STEPS_OF_BANK, words, STEPS, made=made, total=["sum", *[""] * 8], ask=ASKS, row=4, col=6, **WHOLE
    )
    assert said(page) == repr(one) == "“river”, value₁: 1.417; times 0.856 = 1.213."
    assert page.locator("td[data-source]").all_text_contents() == ["0.856"]
    one.col = 5
    assert repr(one) == "“river”, weight: its place."
    page.locator("td[data-at='5,7']").hover()  # what is next to nothing in its cell says how much it is
    assert page.locator(".attn-origin").text_content().endswith("−0.707; times 1.4e−5 = −9.9e−6")


@pytest.mark.parametrize("width", [902, also(390)])
def test_the_whole_equation_is_one_grid_of_plain_numbers_and_bold_is_the_one_in_hand(show, width):
    page = whole_equation(show, width)
    page.locator("td[data-at='4,5']").click()
    numbers = page.locator(".attn-live :is(tbody, tfoot) td:not([data-join], :empty)")
    bold = "all => all.filter((e) => getComputedStyle(e).fontWeight > 500).map((e) => e.textContent)"
    assert numbers.evaluate_all(bold) == ["0.856"]
    told = numbers.evaluate_all(
        """(all, wide) => all.map((e) => wide ? e.textContent : getComputedStyle(e, "::after").content.slice(1, -1))""",
        width > 700,
    )
    assert not [one for one in told if "e" in one]  # no powers among plain numbers
    if width > 700:
        ends = """all => all.map((e) => {
            const range = document.createRange();
            range.selectNodeContents(e);
            return range.getBoundingClientRect().right;
        })"""
        for j in range(8):
            assert np.ptp(page.locator(f"td[data-at$=',{j}']").evaluate_all(ends)) < 1
    ground = "e => getComputedStyle(e).backgroundColor"
    tones = [page.locator(f"td[data-at='4,{j}']").evaluate(ground) for j in range(8)]
    assert (
        len(set(tones)) == 3 and tones[0] == tones[3] != tones[4] == tones[5] != tones[6] == tones[7]
    )  # ask, share, take
    pale = page.locator("tbody tr:not([data-on]) > td").evaluate_all(
        "all => [...new Set(all.map((e) => getComputedStyle(e).backgroundColor))]"
    )
    assert pale == ["rgba(0, 0, 0, 0)"]  # what is not in hand recedes


def test_on_a_phone_each_step_of_the_whole_equation_is_a_row_with_its_whole_name(show):
    page = whole_equation(show, 390)
    boxes = [one.bounding_box() for one in page.locator("thead tr:nth-child(2) th").all()]
    assert all(low["y"] >= top["y"] + top["height"] for top, low in pairwise(boxes))
    for name in page.locator(".attn-live :is(thead, tbody, tfoot) th:visible > bdi").all():
        assert name.evaluate("e => e.scrollWidth - e.clientWidth") <= 0  # not cut
    asked = page.locator("thead .attn-asked")
    assert [one.inner_text().replace("\u00a0", " ") for one in asked.all()] == ["× 0", "× 4.494"]
    seen = "all => all.map((e) => getComputedStyle(e, '::after').content.replaceAll('\"', ''))"
    assert page.locator("tfoot td:not(:empty)").evaluate_all(seen) == ["27.0", "1", "1.21", "≈0"]
    drawn = page.locator("[data-sum]").evaluate_all(
        "all => all.map((e) => parseFloat(getComputedStyle(e, '::after').fontSize))"
    )
    assert drawn == [15, 15]
    for group, (first, last) in zip(page.locator("td[data-group]").all(), [(0, 3), (4, 5), (6, 8)], strict=True):
        box, ends = group.bounding_box(), [boxes[first], boxes[last]]
        assert box["y"] <= ends[0]["y"] + 2
        assert box["y"] + box["height"] == pytest.approx(ends[1]["y"] + ends[1]["height"], abs=2)


def test_on_a_phone_what_is_shared_and_summed_can_be_read_of_every_word_and_all_of_the_one_in_hand(show):
    page = whole_equation(show, 390)
    say = page.locator(".attn-title").inner_text()
    assert "Choose a word: follow its numbers." in say
    look = """all => all.map((e) => {
        const { content, fontSize } = getComputedStyle(e, "::after");
        return content === "none" ? "" : [content.replaceAll('"', ""), parseFloat(fontSize)];
    })"""
    row = lambda i: page.locator(".attn-live tbody tr").nth(i).locator("td:not([data-join])")  # noqa: E731
    for i, told in ((1, ["−.03", "≈0", "−.01"]), (5, ["−1.2", "−2.5", "−11.1", "−7.9", "≈0", "≈0"])):
        row(i).nth(2).click()
        drawn = row(i).evaluate_all(look)
        assert [one[0] for one in drawn][: len(told)] == told
        assert {one[1] for one in drawn} == {14}
        others = [row(k).evaluate_all(look) for k in range(6) if k != i]
        assert all(one[0] and one[1] >= 11 for line in others for one in line)  # nothing looks as if it had not come
        assert {line[4][0] for line in others} >= {"1.02", ".78", "1.10", "23.1"}  # the whole row of exp
        assert {line[5][0] for line in others} >= {".04", ".03", ".86"}  # of weights, and of products
        assert [line[8][0] for line in others].count("1.21") == 1
        assert min(one[1] for line in others for one in [line[4], line[5], line[8]]) >= 11
        opaque = row(i).evaluate_all("all => all.map((e) => getComputedStyle(e).opacity)")
        assert set(opaque) == {"1"}  # also while it is traced
        assert all(row(k).evaluate_all(INSIDE) for k in range(6))


def test_the_row_in_hand_of_the_whole_equation_is_plain_and_all_others_are_pale(show):
    page = whole_equation(show, 902)
    colour = lambda i: page.locator(f"td[data-at='{i},2']").evaluate("e => getComputedStyle(e).color")  # noqa: E731
    assert colour(0) != colour(1) == colour(4)
    before = colour(0)
    page.locator("td[data-at='4,2']").click()
    page.mouse.move(1, 1)
    page.locator("td[data-at='4,2']").evaluate("e => e.blur()")
    assert colour(4) == before != colour(0) == colour(1)
    page.locator("td[data-at='0,3']").hover()  # another word's number: the row in hand stays what it is
    opaque = page.locator("tbody td").evaluate_all("all => all.map((e) => getComputedStyle(e).opacity)")
    assert set(opaque) == {"1"}


def test_names_and_numbers_of_the_whole_equation_share_a_line_and_the_row_in_hand_is_tall(show):
    page = whole_equation(show, 902)
    line = """tr => [...tr.children].filter((one) => one.textContent && !one.dataset.join).map((one) => {
        const mark = document.createElement("img"); // an empty picture stands on the line of the words beside it
        (one.querySelector("bdi") || one).append(mark);
        const { bottom } = mark.getBoundingClientRect();
        mark.remove();
        return bottom;
    })"""
    rows = page.locator(".attn-live :is(tbody, tfoot) tr")
    tall = lambda: rows.evaluate_all("all => all.map((e) => e.getBoundingClientRect().height)")  # noqa: E731
    room = page.locator(".attn-live").bounding_box()["height"]
    for i in (0, 5, 4):
        page.locator(f"td[data-at='{i},2']").click()
        assert max(tall()[:6]) == tall()[i] > 1.5 * sorted(tall()[:6])[-2]
        assert page.locator(".attn-live").bounding_box()["height"] == room
        for k in range(7):
            assert np.ptp(rows.nth(k).evaluate(line)) <= 1
        told = rows.nth(i).locator("td:not([data-join])").all_inner_texts()
        assert all(len(re.sub(r"e.*|\D", "", one).lstrip("0")) <= 4 for one in told)


def test_the_names_above_the_whole_equation_stand_apart_and_its_result_is_large(show):
    page = whole_equation(show, 902)
    spans = page.evaluate(SPANS)
    assert len(spans) == 2  # the names, and what the query asks with
    shares = page.locator("tbody td:is([data-at$=',4'], [data-at$=',5']):not([data-nil])")  # a bar there is can be seen
    assert min(shares.evaluate_all("all => all.map((e) => e.style.getPropertyValue('--t') * e.clientWidth)")) >= 3
    assert page.locator("[data-at='5,4'][data-nil], [data-at='5,5'][data-nil]").count() == 2
    for line in spans:
        assert min(b[0] - a[1] for a, b in pairwise(line)) > 2, line
    sums, cells = [page.locator(found).evaluate_all(SIZES) for found in ("[data-sum]", ".attn-live tbody th")]
    assert len(sums) == 2 and min(sums) > 20 and sums[0] >= max(cells) - 2
    assert page.locator("thead sup:visible").all_inner_texts() == ["x"]
    groups = page.locator("td[data-group]")
    assert groups.all_text_contents() == ["ask", "share", "take"]
    for group, (first, last) in zip(groups.all(), [(0, 3), (4, 5), (6, 9)], strict=True):
        box, cells = group.bounding_box(), page.locator("tr[data-on] > td:is([data-at], [data-part])")
        ends = [cells.nth(j).bounding_box() for j in (first, last)]
        assert box["x"] <= ends[0]["x"] + 2  # what joins it to the one before is its own
        assert box["x"] + box["width"] == pytest.approx(ends[1]["x"] + ends[1]["width"], abs=2)
    with pytest.raises(ValueError, match="the number of columns is 8 in key_tokens but 1 in groups"):
        widgets.Heatmap(STEPS_OF_BANK, list("abcdef"), STEPS, **WHOLE | dict(groups=["ask"]))


# Whether each number, as it is written in its cell, ends inside of it
INSIDE = """cells => cells.every((cell) => {
    const style = getComputedStyle(cell, parseFloat(getComputedStyle(cell).fontSize) ? undefined : "::after");
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    const told = parseFloat(getComputedStyle(cell).fontSize) ? cell.textContent : style.content.replaceAll('"', "");
    const wide = style.position === "absolute" ? parseFloat(style.width) : cell.getBoundingClientRect().width;
    return pen.measureText(told).width < wide;
})"""


@pytest.mark.parametrize("width", [390, also(902)])
def test_the_numbers_of_the_row_in_hand_stay_inside_their_cells(show, width):
    scores = np.random.default_rng(8).normal(size=(6, 6))
    causal = core.softmax(scores, np.tri(6, dtype=bool))
    even = widgets.Heatmap([[0.070, 0.707, 0.223], [1 / 3] * 3, [0.168, 0.533, 0.299]], TOKENS)
    for one in (even, widgets.Heatmap(causal, list("abcdef"), scores=scores, row=2)):
        page = show([one], width=width, reduced_motion="reduce")
        assert page.locator(".attn-live tbody td").evaluate_all(INSIDE)
        if one is even:  # the parts of its row have its colours
            looks = "all => all.map((e) => getComputedStyle(e).backgroundColor)"
            cells, parts = (page.locator(found) for found in ("tr[data-on] > td", ".attn-heated .attn-fill"))
            assert cells.evaluate_all(looks) == parts.evaluate_all(looks)


def test_a_column_drawn_in_place_of_a_row_takes_no_less_room(show):
    weights = core.softmax(np.random.default_rng(8).normal(size=(3, 3)))
    page = show([widgets.Heatmap(weights, TOKENS)], width=390, reduced_motion="reduce")
    tall = lambda: page.locator(".attn-live").bounding_box()["height"]  # noqa: E731
    row = tall()
    page.locator("thead th[tabindex]").nth(1).focus()
    assert page.locator(".attn-heated p").inner_text().strip() == "column love"
    assert tall() == row


@pytest.mark.parametrize("width", [902, also(390)])
def test_what_the_row_in_hand_says_is_the_largest_and_of_its_numbers_the_chosen_one(show, width):
    weights = np.array([[0.1, 0.7, 0.2], [1 / 3, 1 / 3, 1 / 3], [0.2, 0.5, 0.3]])
    page = show([widgets.Heatmap(weights, TOKENS, col=1)], width=width, reduced_motion="reduce")
    peak, cell = page.locator(".attn-peak"), lambda i, j: page.locator(f"td[data-at='{i},{j}']")
    size = lambda one: float(one.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))  # noqa: E731
    bold = "all => all.filter((e) => getComputedStyle(e).fontWeight > 500).map((e) => e.dataset.at)"
    assert size(peak) > size(cell(0, 1)) > size(cell(0, 0)) > size(cell(2, 1)) >= 11
    assert page.locator("td[data-at]").evaluate_all(bold) == ["0,1"]  # the others are quiet
    if width < 700:  # what is said of the row stands above the map
        assert peak.bounding_box()["y"] < cell(0, 0).bounding_box()["y"]
    assert peak.text_content() == "“I” looks most atlove 0.700"
    page.locator("td[data-at='2,0']").hover()
    assert page.locator("td[data-at]").evaluate_all(bold) == ["0,1", "2,0"]
    assert peak.text_content() == "“AI” looks most atlove 0.500"
    assert said(page) == "“I” takes most from “love”: 70% of its mix."
    page.locator("td[data-at='1,0']").click()
    assert said(page) == "“love” takes the same from every word: 33.3%."
    page.locator("td[data-at='2,0']").click()
    assert said(page) == "“AI” takes 20% of its mix from “I”; most, 50%, from “love”."


def test_a_map_without_a_mask_has_its_columns_sums_too_and_one_that_is_no_attention_has_none(show):
    weights = np.array([[0.1, 0.7, 0.2], [1 / 3, 1 / 3, 1 / 3], [0.2, 0.5, 0.3]])
    page = show([widgets.Heatmap(weights, TOKENS)], width=902)
    assert page.locator(".attn-live tfoot tr > *").all_text_contents() == ["sum", "0.63", "1.53", "0.83"]
    page = show([widgets.Heatmap(weights, TOKENS, down="temperatures", title="Hot and cold.")], width=902)
    assert page.locator(".attn-live tfoot").count() == 0


@pytest.mark.parametrize("width", [390, also(760)])
def test_sixteen_words_are_all_in_sight(show, width):
    words = "[CLS] the animal didn ' t cross the street because it was too tired . [SEP]".split()
    page = show([widgets.Heatmap(softmax.softmax(4 * np.cos(np.outer(range(16), range(16)))), words)], width=width)
    box = page.locator(".attn-live .attn-scroll")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth + 1")
    # a number that its narrow cell cannot hold is read aloud and in the sentence, not seen
    assert page.locator("td[data-at='3,4']").evaluate("cell => getComputedStyle(cell).fontSize") == "0px"


def test_what_the_mask_takes_flies_to_those_that_may_take_it(show):
    page = show([masked(row=1, col=0)], width=902)
    kept, free = core.softmax(SEEN, np.tri(3, dtype=bool))[1], core.softmax(SEEN)[1]
    assert said(page).endswith(f"The mask takes {percent(free[2])} from later words and shares it out.")
    switch = page.get_by_role("button", name="causal mask")
    switch.click()
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    assert said(page).startswith("Without the mask, “love” takes") and "shares it out" not in said(page)
    switch.evaluate("""(one) => new Promise((paused) => {
        one.click();
        setTimeout(() => { document.getAnimations().forEach((way) => way.pause()); paused(); }, 50);
    })""")  # a slow machine misses them else
    at = """([time]) => { for (const one of document.getAnimations()) { one.pause(); one.currentTime = time; }
        return [...document.querySelectorAll(".attn-piece")].map((one) => {
            const { left, top, width } = one.getBoundingClientRect(); return [left, top, width]; }); }"""
    tracks = [one.bounding_box() for one in page.locator(".attn-heated .attn-track").all()]
    start, end = (np.array(page.evaluate(at, [time])) for time in (0, 799.9))
    wide = tracks[0]["width"]
    np.testing.assert_allclose(start[:, 2] / wide, free[2] * kept[:2], atol=0.004)
    assert (np.abs(start[:, 1] - tracks[2]["y"]) < tracks[2]["height"]).all()  # they leave the bar that is forbidden
    ends = (end[:, 0] + end[:, 2] - tracks[0]["x"]) / wide
    np.testing.assert_allclose(ends, kept[:2], atol=0.006)  # and end where the longer bars do
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    page.wait_for_function("!document.querySelector('.attn-piece')")  # a finish is told with the next frame


def test_a_name_answers_as_its_cells_do(show):
    values = np.array([[3.1, -3.2, 0.1], [0.2, 0.3, -3.0], [-3.0, 3.3, -0.1]])
    names = ["x", "y", "z"]
    made = [[f"made of {i}{j}" for j in range(3)] for i in range(3)]
    for scale in ("matrix", "column"):
        one = dict(kind="signed", name="S", scale=scale, made=made, row=0, col=1)
        page = show([widgets.Heatmap(values, TOKENS, names, **one)])
        page.locator(".attn-live tbody th").nth(2).hover()
        assert page.locator(".attn-origin").text_content() == "“AI”, y: made of 21"
        assert page.locator("td[data-made]").get_attribute("data-at") == "2,1"
        page.locator(".attn-live thead th").nth(2).hover()
        assert page.locator(".attn-origin").text_content() == "“I”, z: made of 02"
        page.locator(".attn-live tbody th").nth(1).click()
        assert said(page) == repr(widgets.Heatmap(values, TOKENS, names, **one | dict(row=1)))
        page.locator(".attn-live thead th").nth(0).click()
        assert said(page) == repr(widgets.Heatmap(values, TOKENS, names, **one | dict(row=1, col=0)))


def test_a_row_that_is_compared_has_one_frame(show):
    page = show([widgets.Heatmap(np.full((3, 3), 1 / 3), TOKENS)])
    page.locator("td[data-at='1,2']").hover()
    style = "all => all.map((one) => getComputedStyle(one).outlineStyle)"
    around = "all => all.map((one) => getComputedStyle(one, '::after').borderTopStyle)"
    assert page.locator(".attn-live tbody th").evaluate_all(around) == ["none", "solid", "none"]
    assert page.locator("td[data-source]:not([data-made])").evaluate_all(style) == ["none", "none"]


@pytest.mark.parametrize("width", [390, also(375)])
@pytest.mark.parametrize(("n", "m"), [(8, 4), (8, 8), (6, 6)])
def test_a_phone_shows_every_column_of_a_small_matrix_and_no_number_touches_its_cell(show, width, n, m):
    values = np.random.default_rng(0).normal(size=(n, m)) - 1
    keys = ["previous", "control", "induction", "weight"] if m == 4 else [f"[{j}SP]" for j in range(m)]
    rows = [f"head {i}.3" if m == 4 else f"[{i}SP]" for i in range(n)]
    page = show([widgets.Heatmap(values, rows, keys, kind="signed", name="S")], width=width)
    room = page.locator(".attn-scroll").evaluate("box => box.scrollWidth - box.clientWidth")
    assert room <= 0
    for at in (f"{n - 1},{m - 1}", "1,1"):
        page.locator(f"td[data-at='{at}']").click()
        cell = page.locator(f"td[data-at='{at}']")
        # as wide as its number is written, in bold
        wide, size, inside = cell.evaluate("""cell => {
            const pen = document.createElement("canvas").getContext("2d");
            const style = getComputedStyle(cell, "::after");
            pen.font = `700 ${style.fontSize} ${style.fontFamily}`;
            const told = style.content === "none" ? cell.textContent : style.content.slice(1, -1);
            return [pen.measureText(told).width, parseFloat(style.fontSize), cell.clientWidth];
        }""")
        assert size >= 11 and wide < inside - 1


@pytest.mark.parametrize("scale", ["matrix", "row", "column"])
def test_full_colour_is_the_largest_of_the_matrix_of_a_row_or_of_a_column(show, scale):
    values = np.array([[0.5, -8.0], [0.25, 2.0]])
    page = show([widgets.Heatmap(values, ["a", "b"], ["x", "y"], kind="signed", name="S", scale=scale)])
    full = {"matrix": 8, "row": [[8], [2]], "column": [[0.5, 8]]}[scale]
    assert page.locator(".attn-heat-ticks").count() == (scale != "column")  # no one scale for what has several
    shares = page.locator("td[data-at]").evaluate_all(
        "all => all.map(cell => Number(cell.style.getPropertyValue('--t')))"
    )
    np.testing.assert_allclose(np.reshape(shares, (2, 2)), values / full, atol=1e-3)
    told = page.locator(".attn-legend").text_content()
    assert told.startswith("−8" if scale == "matrix" else f"each {scale} has its own scale")


def test_a_heatmap_is_headed_as_attention_unless_it_says_otherwise(show):
    title = "Taps <of> a filter."
    kinds = [{}, dict(title=title, name="T"), dict(title=title, name="h", kind="signed")]
    page = show([widgets.Heatmap(np.eye(3) - 2 * np.tri(3, k=-3), **kind) for kind in kinds])
    assert page.locator(".attn-title strong").all_text_contents() == ["Where each word looks.", title, title]
    legends = page.locator(".attn-legend").all_text_contents()
    assert [told.removesuffix("queries down, keys across") for told in legends] == [
        "01share of the attention",
        "01T",  # what the numbers are
        "01no colour is zero",
    ]


def test_many_columns_share_the_width_and_their_numbers_are_told_when_pointed_at(show):
    votes = np.linspace(-1, 7, 4 * 32).reshape(4, 32)
    page = show([widgets.Heatmap(votes, [*"abcd"], [f"k{j}" for j in range(32)], kind="signed", title="Votes.")])
    card, table = (page.locator(where).bounding_box() for where in (".attn-figure", ".attn-matrix"))
    assert table["width"] <= card["width"] and table["height"] < 300
    cells = page.locator("td[data-at]").evaluate_all("all => all.map(cell => getComputedStyle(cell).fontSize)")
    assert set(cells) == {"0px"}
    page.locator("td[data-at='3,31']").hover()
    assert page.locator(".attn-origin").text_content().startswith("7: A at “d”, “k31”, the largest")
    assert "share" not in page.locator(".attn-legend").text_content()  # votes are no shares


def test_the_pipeline_shows_every_matrix_of_the_library(show):
    x, w_q, w_k, w_v = head(np.random.default_rng(9))
    whole = widgets.Pipeline(x, w_q, w_k, w_v, mask=np.tri(5, dtype=bool))
    page = show([whole], reduced_motion="reduce")
    last = {2: ("S", whole.scores), 4: ("A", whole.weights), 6: ("Y", whole.output)}
    for stage in range(7):
        if stage:
            page.get_by_role("button", name="Next").click()
        if stage in last:
            name, truth = last[stage]
            told = grid(page.locator(f"[data-board={name}] table"))
            # whole numbers from 10 on
            assert (np.abs(told - truth) < np.where(np.abs(truth) < 9.95, 0.051, 0.5)).all(), name
    assert said(page).startswith("Stage 7 of 7")


def test_following_another_word(show):
    page = show([widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=6)], reduced_motion="reduce")
    page.get_by_role("button", name="love", exact=True).click()
    assert said(page) == repr(widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=6, focus=1))


def test_dragging_a_score_moves_the_weights(show):
    page = show([widgets.SoftmaxSliders([0.577, 2.887, 1.732], TOKENS)])
    shares = page.locator("[data-row='share'] td")
    slider = page.get_by_role("slider", name="AI")
    slider.fill("2.887")
    assert said(page) == repr(widgets.SoftmaxSliders([0.577, 2.887, 2.887], TOKENS))
    slider.focus()
    page.keyboard.press("Home")
    assert said(page) == repr(widgets.SoftmaxSliders([0.577, 2.887, -5], TOKENS))
    assert shares.all_text_contents() == ["9.0%", "90.9%", "<0.1%"]
    page.get_by_role("button", name="All equal").click()
    assert shares.all_text_contents() == ["33.3%"] * 3
    page.get_by_role("button", name="Start again").click()
    assert said(page) == repr(widgets.SoftmaxSliders([0.577, 2.887, 1.732], TOKENS))


@pytest.mark.parametrize("width", [390, also(902)])
def test_a_score_is_dragged_by_the_end_of_its_bar_and_its_exponential_is_an_area(show, width):
    page = show([widgets.SoftmaxSliders([1, 2, -3], TOKENS)], width=width)
    columns = page.locator(".attn-lift")
    grips = [page.evaluate(GRIP, [k, 5]) for k in range(3)]
    for k, (_, end) in enumerate(grips):
        bar = columns.nth(k).locator("i").bounding_box()
        assert end == pytest.approx(bar["y"] + (bar["height"] if k == 2 else 0), abs=1.5)  # the grip lies on the end
    x, y = grips[0]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, page.evaluate(GRIP, [1, 5])[1], steps=4)
    page.mouse.up()
    scores = [float(one.input_value()) for one in page.locator(".attn-lift input").all()]
    np.testing.assert_allclose(scores, [2, 2, -3], atol=0.08)  # a pixel of a phone
    page.get_by_role("slider", name="I", exact=True).fill("1")
    sides = [one.bounding_box()["width"] for one in page.locator(".attn-square > i").all()]
    np.testing.assert_allclose(np.square(sides) / sides[1] ** 2, np.exp([-1, 0, -5]), atol=0.01)
    parts = [one.bounding_box()["width"] for one in page.locator(".attn-whole > span").all()]
    np.testing.assert_allclose(parts / np.sum(parts), softmax.softmax(np.array([1.0, 2, -3])), atol=0.002)


def test_on_a_small_phone_the_sliders_of_six_words_need_no_scrolling_and_their_letters_can_be_read(show):
    page = show(
        [widgets.SoftmaxSliders([0.02, -0.01, -0.25, 0.1, 3.14, -7.86], "she sat by the river bank".split())], width=342
    )
    assert page.locator(".attn-stage").bounding_box()["width"] < 302  # as in a chapter on 360 pixels
    assert page.locator(".attn-stage > .attn-scroll").evaluate("one => one.scrollWidth <= one.clientWidth")
    sizes = "all => all.filter((one) => one.offsetParent).map((one) => parseFloat(getComputedStyle(one).fontSize))"
    assert min(page.locator(".attn-lifts :is(td, th, bdi, .attn-lifted)").evaluate_all(sizes)) >= 11


@pytest.mark.parametrize("width", [902, also(390)])
def test_the_sliders_fill_the_card_and_each_part_of_the_whole_is_named_and_led_to(show, width):
    page = show([widgets.SoftmaxSliders([0.577, 2.887, 1.732], TOKENS, temperature=1)], width=width)
    live, whole = page.locator(".attn-live").bounding_box(), page.locator(".attn-whole").bounding_box()
    assert whole["width"] > live["width"] - 50
    names = page.locator(".attn-whole bdi")
    assert names.evaluate_all("all => all.map((one) => getComputedStyle(one).visibility)") == ["visible"] * 3
    columns = [middle(one)[0] for one in page.locator(".attn-square > i").all()]
    parts = [one.bounding_box() for one in page.locator(".attn-whole > span").all()]
    ways = page.locator(".attn-fall path").get_attribute("d").split("Z")[:-1]
    left = page.locator(".attn-fall > svg").bounding_box()["x"]
    for way, column, part in zip(ways, columns, parts, strict=True):
        corners = left + np.array(
            re.findall(r"[MHL]([-\d.]+)", way), float
        )  # over its square; on its part of the whole
        np.testing.assert_allclose(np.mean(corners[:2]), column, atol=1.5)
        np.testing.assert_allclose(sorted(corners[2:]), [part["x"], part["x"] + part["width"]], atol=2)
    power = page.locator("[data-row='area'] > th sup")
    page.get_by_role("slider", name="temperature").fill("0.3")
    assert power.evaluate("one => one.getClientRects().length") == 1


# Where the grip of the k-th score stands, whose sliders go this far to either side
GRIP = """([k, reach]) => {
    const input = document.querySelectorAll(".attn-lift input")[k], box = input.getBoundingClientRect();
    const grip = 2.2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const part = (Number(input.value) + reach) / (2 * reach);
    return [box.x + box.width / 2, box.bottom - grip / 2 - part * (box.height - grip)];
}"""


def test_each_number_of_the_sliders_says_what_it_is_made_of(show):
    page = show([widgets.SoftmaxSliders([1, 5, 3], TOKENS, temperature=2)])
    told = page.locator(".attn-origin")
    page.locator("[data-row='area'] td").nth(2).hover()
    assert told.text_content() == "“AI”: 0.368 = e^((3 − 5) / 2)"
    assert told.locator("sup").all_inner_texts() == ["((3 − 5) / 2)"]
    page.locator("[data-row='share'] td").nth(1).focus()
    assert told.text_content() == "“love”: 66.5% = 1 / 1.503, its part of all areas"
    assert page.locator("td[data-source]").count() == 3


def test_bars_of_equal_value_are_equally_long(show):
    for kind, axis in (("weight", "y"), ("signed", "x")):  # the parts of one bar, or below each other
        page = show([widgets.Heatmap([[0.5, 0.5]], ["y"], ["x", "a much longer name"], kind=kind)])
        left, right = (bar.bounding_box() for bar in page.locator(".attn-fill").all())
        assert (left[axis], left["width"]) == (right[axis], right["width"])


@pytest.mark.parametrize("width", [360, also(1280)])
def test_nothing_overflows_sideways(show, width):
    page = show([*every_widget(), *every_widget(HOSTILE)], width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_names_are_shown_and_do_nothing(show):
    page = show(every_widget(HOSTILE))
    assert page.evaluate("window.harmed") is None
    assert page.locator(".attn-live img, .attn-live script, .attn-live b").count() == 0
    assert page.get_by_role("button", name="<script>window.harmed", exact=False).count() >= 2
    shown = [repr(widget) for widget in every_widget(HOSTILE)]
    assert page.locator(".attn-say").all_text_contents() == shown
    assert page.locator(".attn-live bdi", has_text="שלום עולם").first.is_visible()


def test_without_a_script_the_tables_stand(show):
    page = show(every_widget(), script=False, ready=False, java_script_enabled=False)
    assert page.locator(".attn-fallback:visible").count() == len(every_widget())
    assert page.locator(".attn-fallback td", has_text="0.707").first.is_visible()


def test_a_figure_that_cannot_start_keeps_its_table_and_apologises(show):
    class Broken:
        def html(self):
            return widgets.Embedding(X, TOKENS).html().replace('"X":', '"Y":')

    page = show([Broken()], ready=False)
    page.locator(".attn-sorry").wait_for()
    assert page.locator(".attn-fallback table").is_visible()
    assert page.locator(".attn-live").count() == 0


def test_print_falls_back_to_the_table(show):
    page = show(every_widget())
    page.emulate_media(media="print")
    assert page.locator(".attn-fallback:visible").count() == len(every_widget())
    assert page.locator(".attn-live:visible").count() == 0


@pytest.mark.prove
def test_numbers_survive_forced_colours(show):
    page = show(every_widget(), forced_colors="active")
    cell = page.locator("td", has_text="0.707").locator("visible=true").first
    assert cell.evaluate("e => getComputedStyle(e).color !== getComputedStyle(e).backgroundColor")


@pytest.mark.prove
@pytest.mark.parametrize("theme", ["light", also("dark"), also(None)])
def test_no_rule_of_accessibility_is_broken(show, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    options = {"color_scheme": "dark"} if theme is None else {}
    whole = [widgets.Pipeline(X, W_Q, W_K, W_V, TOKENS, stage=stage) for stage in (1, 5)]
    page = show([*every_widget(), *whole, widgets.Embedding(X, HOSTILE[:3])], theme=theme, **options)
    if theme is None:  # the page itself stays light: only the figures follow the system
        page.add_style_tag(content="body { background: #14161b !important; color: #eee }")
    found = axe.run(page, options=audit.RULES).response["violations"]
    assert not found, json.dumps([(rule["id"], rule["nodes"][0]["html"][:300]) for rule in found], indent=1)


@pytest.mark.prove
def test_the_theme_is_followed(show):
    paper = "e => getComputedStyle(e).backgroundColor"
    for theme, ground in [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 22, 27)")]:
        page = show(every_widget(), theme=theme, color_scheme="dark")  # the page's choice outranks the system's
        assert page.locator(".attn-live").first.evaluate(paper) == ground


def test_weights_stay_readable_at_every_shade_in_both_themes(show):
    shades = np.linspace(0, 1, 41)[None]
    contrast = """() => {
        const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const light = (colour) => {
            canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
            return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
        };
        return [...document.querySelectorAll(".attn-live .attn-matrix tbody td")].map((cell) => {
            const style = getComputedStyle(cell);
            const [a, b] = [light(style.color), light(style.backgroundColor)];
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        });
    }"""
    for theme in ("light", "dark"):
        page = show([widgets.Heatmap(shades), widgets.Heatmap(2 * shades - 1, kind="signed")], theme=theme)
        assert min(page.evaluate(contrast)) >= 4.5


def from_the_site(page, path, count):
    """The same page, its figures brought to life by the site's own scripts instead of the sources."""
    for name, text in assets.sources().items():
        if name.startswith("figures"):
            (path / name).parent.mkdir(exist_ok=True)
            (path / name).write_text(text, encoding="utf-8")
    page.reload()
    page.wait_for_function(f"() => document.querySelectorAll('[data-live]').length === {count}")


def test_the_site_s_scripts_write_what_the_sources_write(show, tmp_path):
    shown = [
        widgets.Heatmap(np.eye(3), kind="signed"),
        widgets.SqueezedCloud(np.eye(2) * 3),
        widgets.Predict("Who?", "I", choices=TOKENS, because="."),
        widgets.MaskPainter(4),
        widgets.OnlineSoftmax([1, 5, -3], X[:, :2], 1, step=1),
    ]
    page = show(shown, height=2400)  # all of them are near
    page.wait_for_function("() => document.querySelectorAll('.attn-say').length === 5")
    told = """all => all.map((one) => {
        const copy = one.cloneNode(true);
        copy.querySelectorAll("style").forEach((rules) => rules.remove());  // they name the one figure they are for
        return copy.textContent;
    })"""
    written = page.locator(".attn-live").evaluate_all(told)
    assert any("; the row is" in text for text in written) and any("squared lengths" in text for text in written)
    from_the_site(page, tmp_path, len(shown))
    assert page.locator(".attn-live").evaluate_all(told) == written


def test_a_page_asks_for_the_parts_its_figures_need_and_for_each_only_once(show, tmp_path):
    shown = [widgets.Hull(np.eye(2)), widgets.Heatmap(np.eye(2)), widgets.Hull(np.eye(2)), widgets.MaskPainter(4)]
    page = show(shown, ready=False)
    from_the_site(page, tmp_path, len(shown))
    asked = page.evaluate("[...document.scripts].map(one => one.src.replace(/.*figures./, '').replace(/-.*/, ''))")
    needed = {part for widget in shown for part in bundle.needs(widget.view)}
    assert sorted(name for name in asked if name in bundle.site_parts()) == sorted(needed)
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]


def test_of_many_figures_each_waits_for_its_part_until_the_reader_comes_near(show, tmp_path):
    shown = [widgets.Hull(np.eye(2))] * 6 + [widgets.Heatmap(np.eye(2))] * 6 + [widgets.MaskPainter(4)]
    page = show(shown, ready=False)
    for name, text in assets.sources().items():
        if name.startswith("figures"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
    page.reload()
    page.wait_for_function("document.querySelectorAll('[data-live]').length >= 2")
    asked = "[...document.scripts].filter(one => one.src.includes('mask_painter')).length"
    page.locator("[data-far]").first.wait_for(state="attached")
    assert page.evaluate(asked) == 0
    page.wait_for_function(
        """() => {
            document.querySelector(".attn-figure:not([data-live])")?.scrollIntoView();
            return document.querySelectorAll("[data-live]").length === 13;
        }"""
    )
    assert page.evaluate(asked) == 1 and page.locator("[data-far]").count() == 0
