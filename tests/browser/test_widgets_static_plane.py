"""The figures in the plane on a page from the disc: driven by mouse, finger and keys, held to attn."""

import re

import numpy as np
import pytest
from figurepage import grid, middle, said
from sampled import also
from worked import TOKENS

from attn import senses
from attn.show import widgets
from attn.show.kit.text import number, percent
from attn.softmax import softmax

pytestmark = pytest.mark.browser
RIVER = "she sat by the river bank"


def numbers(page, table=0):
    """The numbers of a visible matrix."""
    return np.array(grid(page.locator(".attn-live .attn-matrix").nth(table)))


def choose(page, group, name):
    page.get_by_role("group", name=group).get_by_role("button", name=name, exact=True).click()


def place(page, kind, tone, index=0):
    """Where a mark stands on the screen.   -> its middle (x, y)"""
    box = page.locator(f".attn-mark[data-kind={kind}][data-tone={tone}] >> nth={index}").bounding_box()
    return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def test_the_head_reads_in_the_page_what_it_reads_in_python(show):
    rng = np.random.default_rng(16)
    _, held = senses.corpus(rng)
    words, shown = senses.load().words, [widgets.SenseHead(text) for text in widgets.SenseHead.EXAMPLES]
    for sentence in held[:12]:
        text = " ".join(sentence.words)
        change = {w: rng.choice([*words, None]) for w in rng.choice(sentence.words, 2)}
        shown.append(widgets.SenseHead(text, **{rng.choice(["keys", "values"]): change}, causal=bool(rng.integers(2))))
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]


def test_another_word_in_the_gap_turns_bank_round_and_moves_nothing_below(show):
    text, fillers = "she sat by the _ bank", "river boat money song cave".split()
    page = show([widgets.Cloze(text, fillers)], width=390, reduced_motion="reduce")
    tall = page.locator(".attn-live").bounding_box()["height"]
    for i, word in enumerate(fillers):
        page.get_by_role("button", name=word).click()
        assert said(page) == widgets.Cloze(text, fillers, selected=i).sentence()
        assert page.locator("[data-gap] bdi").text_content() == word
        assert page.locator(".attn-live").bounding_box()["height"] == tall
        row = senses.ask(senses.load(), text.replace("_", word)).weights
        widths = page.locator(".attn-gapped path").evaluate_all(
            "all => all.map((p) => parseFloat(p.style.strokeWidth))"
        )
        thick = np.subtract(widths[:5], 0.6)
        np.testing.assert_allclose(thick / thick.max(), row[:5] / row[:5].max(), atol=0.01)
        assert widths[5] == 0
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert said(page) == widgets.Cloze(text, fillers, selected=2).sentence()
    swapped = widgets.Cloze(text, fillers, swaps={"river": "money"}, selected=5)
    page = show([swapped], width=390, reduced_motion="reduce")
    assert said(page) == swapped.sentence() and page.locator("[data-gap] bdi").text_content() == "river"


def test_while_a_word_runs_to_the_one_that_asks_bars_numbers_and_sentence_say_the_same(show):
    page = show([widgets.Cloze("she sat by the _ bank", ["river", "money", "song"])])
    look = """async () => {
        const [bar, told] = [".attn-fill", ".attn-bars .attn-value"].map((one) => document.querySelector(one));
        const seen = [];
        for (let k = 0; k < 60; k++) {
            await new Promise((next) => requestAnimationFrame(next));
            seen.push([bar.getBoundingClientRect().width, parseFloat(told.textContent)]);
        }
        return seen;
    }"""
    page.get_by_role("button", name="money").click()
    assert page.locator(".attn-before").count() == 0 and said(page).startswith("With “money”")  # with the picture
    pixels, told = np.array(page.evaluate(look)).T
    np.testing.assert_allclose(pixels, pixels[0] / told[0] * told, atol=2.5)  # no bar is behind its number
    page.get_by_role("button", name="song").click()
    assert "“bank” has no clue: " in page.locator(".attn-say").text_content()


def test_a_meaning_stands_beside_its_bars_where_there_is_room(show):
    for width, beside in ((902, True), (390, False)):
        page = show([widgets.Cloze("she sat by the _ bank", ["river", "money"])], width=width)
        meant, bars = (page.locator(one).bounding_box() for one in (".attn-means", ".attn-weighed"))
        assert (meant["x"] + meant["width"] <= bars["x"]) == beside
        assert (meant["y"] + meant["height"] <= bars["y"]) != beside


def test_the_arc_has_the_colour_of_the_meaning_that_its_word_gives_and_without_a_clue_none(show):
    page = show(
        [widgets.Cloze("she sat by the _ bank", ["river", "money", "song"])], width=390, reduced_motion="reduce"
    )
    arcs = page.locator(".attn-gapped path")
    fills = page.locator(".attn-fill").evaluate_all("all => all.map((fill) => getComputedStyle(fill).backgroundColor)")
    strokes = lambda: arcs.evaluate_all("all => all.map((arc) => getComputedStyle(arc).stroke)")  # noqa: E731
    grey = strokes()[0]
    assert len({grey, *fills}) == 3
    for word, colour in (("river", fills[0]), ("money", fills[1]), ("song", grey)):
        page.get_by_role("button", name=word).click()
        assert strokes() == [*[grey] * 4, colour, grey], word
        clueless = page.get_by_text("a toss-up")
        assert clueless.is_visible() == (word == "song")
    mark, told = (
        page.locator(f".attn-means > {one}").bounding_box() for one in ("span:first-of-type", ".attn-clueless")
    )
    assert mark["y"] < told["y"] + told["height"] / 2 < mark["y"] + mark["height"]  # beside the “?”, on no bar
    assert (
        told["x"] + told["width"] < 390 and told["y"] + told["height"] <= page.locator(".attn-bars").bounding_box()["y"]
    )
    ends = arcs.evaluate_all("all => all.map((arc) => parseFloat(arc.getAttribute('d').slice(1)))")[:-1]
    assert np.diff(ends).max() <= -3  # no two in one place


# How far each arc runs beyond the letters of the words that it joins, in pixels
BEYOND = """async ([arcs, words]) => {
    for (let k = 0; k < 2; k++) await new Promise((next) => requestAnimationFrame(next)); // they are drawn by then
    const spans = [...document.querySelectorAll(words)].map((word) => {
        const range = document.createRange();
        range.selectNodeContents(word);
        return range.getBoundingClientRect();
    });
    const asks = spans.findIndex((_, j) => document.querySelectorAll(words)[j].closest("[data-asked]"));
    return [...document.querySelectorAll(arcs)].flatMap((arc, j) => {
        const half = parseFloat(getComputedStyle(arc).strokeWidth) / 2;
        if (!half) return [];
        return [[0, asks], [arc.getTotalLength(), j]].map(([at, k]) => {
            const { x } = arc.getPointAtLength(at).matrixTransform(arc.getScreenCTM());
            return Math.max(spans[k].left - x + half, x + half - spans[k].right);
        });
    });
}"""


@pytest.mark.parametrize("width", [390, also(902)])
def test_every_arc_ends_on_the_letters_of_its_words(show, width):
    page = show([widgets.Cloze("she sat by the _ bank", ["river", "money"])], width=width, reduced_motion="reduce")
    for word in ("money", "river"):
        page.get_by_role("button", name=word).click()
        found = page.evaluate(BEYOND, [".attn-gapped path", ".attn-gapped bdi"])
        assert len(found) == 10 and max(found) <= 0.6
    page = show([widgets.SenseHead(RIVER)], width=width, reduced_motion="reduce")
    for text in widgets.SenseHead.EXAMPLES:
        page.get_by_role("combobox").select_option(text)
        assert max(page.evaluate(BEYOND, [".attn-asks path", ".attn-asks bdi"])) <= 0.6, text


def test_a_swapped_value_flips_the_answer_and_the_output_moves(show):
    page = show([widgets.SenseHead(RIVER)], reduced_motion="reduce")
    before = place(page, "point", "query")
    choose(page, "value of river", "money’s")
    assert said(page) == widgets.SenseHead(RIVER, values={"river": "money"}).sentence()
    after = place(page, "point", "query")
    assert after[0] < before[0] - 100 and abs(after[1] - before[1]) < 5
    choose(page, "value of river", "own")
    choose(page, "key of river", "money’s")
    assert said(page) == widgets.SenseHead(RIVER, keys={"river": "money"}).sentence()
    choose(page, "key of river", "off")
    assert said(page) == widgets.SenseHead(RIVER, keys={"river": None}).sentence()
    page.get_by_role("button", name="Start again").click()
    assert said(page) == widgets.SenseHead(RIVER).sentence()


def test_the_answer_stands_beside_the_sentence_and_each_plane_says_what_it_shows(show):
    page = show([widgets.SenseHead(RIVER)], reduced_motion="reduce")
    reads, bar = page.locator(".attn-reads"), page.locator(".attn-answer li")
    assert reads.text_content() == "“bank” means shore" and bar.all_text_contents() == ["shore99.6%", "lender0.2%"]
    choose(page, "value of river", "money’s")
    assert reads.text_content() == "“bank” means lender" and bar.all_text_contents()[1] == "lender99.7%"
    lengths = bar.locator(".attn-fill").evaluate_all("all => all.map((one) => one.style.getPropertyValue('--t'))")
    assert float(lengths[1]) == pytest.approx(0.997, abs=1e-3)  # the whole length is 100%
    names = page.locator(".attn-plane").first.locator("text").all_text_contents()
    assert {"1", "2", "3"} <= {name.strip() for name in names}  # the lines of equal score
    for plane in page.locator(".attn-plane").all():
        assert plane.bounding_box()["width"] >= 360
    for plane, title in zip(page.locator(".attn-plane").all(), ("query and keys", "values and output"), strict=True):
        above = plane.locator("xpath=preceding-sibling::p")
        assert (
            above.text_content().startswith(f"{title}; dashed: ")
            and above.bounding_box()["y"] < plane.bounding_box()["y"]
        )


def test_the_arcs_are_as_thick_as_the_weights_and_the_widest_has_the_colour_of_the_answer(show):
    page = show([widgets.SenseHead(RIVER)], reduced_motion="reduce")
    arcs, fills = page.locator(".attn-asks path"), page.locator(".attn-answer .attn-fill")
    drawn = "(all, what) => all.map((one) => getComputedStyle(one)[what])"
    colours = fills.evaluate_all(drawn, "backgroundColor")
    for choice, sense in (("own", 0), ("money’s", 1)):
        choose(page, "value of river", choice)
        thick = [float(width[:-2]) for width in arcs.evaluate_all(drawn, "strokeWidth")]
        weights = senses.ask(senses.load(), RIVER).weights
        np.testing.assert_allclose(thick, 0.6 + 26 * np.array(weights), atol=0.02)  # a word wide enough for its arcs
        strokes = arcs.evaluate_all(drawn, "stroke")
        assert strokes[4] == colours[sense] and not set(strokes[:4] + strokes[5:]) & set(colours)
    page.get_by_role("combobox").select_option("he saw the bank")  # a tie: no arc has an answer's colour
    assert not set(arcs.evaluate_all(drawn, "stroke")) & set(colours)


def test_of_two_answers_as_likely_none_stands_out(show):
    page = show([widgets.SenseHead("he saw the bank")], reduced_motion="reduce")
    reads = page.locator(".attn-reads")
    weights = "one => [...one.children].map((part) => Number(getComputedStyle(part).fontWeight))"
    assert " or " in reads.text_content() and set(reads.evaluate(weights)) == {400}
    page.get_by_role("combobox").select_option(RIVER)
    assert " or " not in reads.text_content() and sorted(set(reads.evaluate(weights))) == [400, 700]


def test_the_output_moves_through_the_plane_unless_less_motion_is_wanted(show):
    step = """async () => {
        const output = document.querySelector(".attn-mark[data-kind=point][data-tone=query]");
        const seen = new Set();
        [...document.querySelectorAll("button")].filter((one) => one.textContent === "money’s")[1].click();
        for (let k = 0; k < 40; k++) {
            await new Promise((done) => setTimeout(done, 20));
            seen.add(output.getBoundingClientRect().x);
        }
        return seen.size;
    }"""
    assert show([widgets.SenseHead(RIVER)]).evaluate(step) > 4
    assert show([widgets.SenseHead(RIVER)], reduced_motion="reduce").evaluate(step) == 1


def test_a_sentence_is_chosen_written_and_refused_with_a_reason(show):
    page = show([widgets.SenseHead(RIVER)], reduced_motion="reduce")
    page.get_by_role("combobox").select_option("she saw the bank by the river")
    page.locator("summary").click()
    page.get_by_role("button", name="causal mask").click()
    assert said(page) == widgets.SenseHead("she saw the bank by the river", causal=True).sentence()
    line = page.get_by_label("Your own sentence")
    line.fill("the song by the note")
    assert said(page) == widgets.SenseHead("the song by the note", causal=True).sentence()
    assert line.evaluate("line => line === document.activeElement")
    for text, reason in (
        ("the cat by the bank", "It does not know “cat”."),
        ("the bat by the bank", "It is asked about one word: bank, bat, spring, note."),
    ):
        line.fill(text)
        assert page.get_by_role("status").text_content() == reason
    assert said(page) == widgets.SenseHead("the song by the note", causal=True).sentence()


def test_a_score_s_sources_glow_in_the_table_and_in_the_plane(show):
    page = show([widgets.SenseHead(RIVER)], reduced_motion="reduce")
    river = 4
    page.locator("summary").click()
    page.locator(".attn-matrix").first.locator("tbody tr").nth(river).locator("td").nth(2).hover()
    told = page.locator(".attn-origin").text_content()
    assert told == "3.139 = (0·0.026 + 4.494·0.988) / √2: query of “bank”, key of “river”"
    assert page.locator(".attn-mark[data-source]").count() == 2  # the query's arrow, the key's point
    page.locator(".attn-title").hover()
    assert page.locator("[data-source]").count() == 0
    page.locator(".attn-mark[data-kind=point][data-tone=query]").hover()
    assert page.locator(".attn-origin").text_content().startswith("output (1.211, ")
    assert page.locator(".attn-mark[data-source]").count() == 6  # the values


def test_the_table_s_weights_are_attn_s(show):
    page = show([widgets.SenseHead(RIVER)])
    np.testing.assert_allclose(numbers(page)[:, 3], senses.ask(senses.load(), RIVER).weights, atol=1e-3)


def test_a_push_moves_the_weights_as_a_higher_score_does(show):
    page = show([widgets.Nudge([0.2, 0.3, 0.5], TOKENS, col=1)], reduced_motion="reduce")
    before = place(page, "point", "query")
    page.get_by_role("button", name="Raise its score by 1").click()
    after = widgets.Nudge(softmax(np.log(np.array([0.2, 0.3, 0.5])) + np.eye(3)[1]).round(6), TOKENS, col=1)
    assert said(page) == after.sentence()
    corner = place(page, "point", "level", 1)
    way, whole = place(page, "point", "query") - before, corner - before
    assert way @ whole / np.linalg.norm(way) / np.linalg.norm(whole) > 0.999  # straight to the corner
    choose(page, "Word", "I")
    page.get_by_role("button", name="Raise its score by 1").click()
    assert said(page) != after.sentence()


def test_the_angle_between_a_query_and_a_key_is_drawn_and_moving_both_leaves_it(show):
    q, k = np.array([1.0, 0, 0, 1]), np.array([0, 1.0, 0, 2])
    page = show([widgets.RotatingPairs(q, k)], reduced_motion="reduce")
    angles = page.locator(".attn-plane text[data-tone=value]")
    assert angles.all_text_contents() == ["90°", "0°"]
    page.get_by_role("slider", name="both").fill("7")
    assert angles.all_text_contents() == ["90°", "0°"]
    page.get_by_role("slider", name="query at m").fill("8")
    assert angles.all_text_contents() == ["33°", "1°"]  # 90° − 57.3°, and 57.3° / 100


def test_each_plane_of_r_has_a_scale_that_no_move_and_no_hand_changes(show):
    page = show([widgets.Gauge(KEYS, KEYS)], reduced_motion="reduce")
    scales = """planes => planes.map((plane) => [...plane.querySelectorAll(".attn-ticks text")].map((one) =>
        [one.textContent, ...["x", "y"].map((at) => Math.round(one.getAttribute(at)))].join(" ")))"""
    planes = page.locator(".attn-plane")
    before = planes.evaluate_all(scales)
    assert min(map(len, before)) > 4
    for name in ("halve", "turn", "shear"):
        page.get_by_role("button", name=name).click()
        assert planes.evaluate_all(scales) == before, name
    page.get_by_role("button", name="nothing").click()
    x, y = middle(page.get_by_role("slider", name="row 1 of R").locator(".attn-grip"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 120, y - 60, steps=6)
    assert planes.evaluate_all(scales) == before
    page.mouse.up()
    assert planes.evaluate_all(scales) == before


@pytest.mark.parametrize("width", [390, 902])
def test_queries_and_keys_have_one_scale_and_on_a_phone_each_the_whole_width(show, width):
    page = show([widgets.Gauge(4 * KEYS, KEYS)], width=width, reduced_motion="reduce")
    cells = [one.bounding_box() for one in page.locator(".attn-mark[data-kind=area]").all()]  # 1 by 1
    assert all(cells[0][side] == pytest.approx(cells[1][side], abs=0.5) for side in ("width", "height"))
    asking, found = (one.bounding_box() for one in page.locator(".attn-plane").all())
    assert asking["width"] == pytest.approx(found["width"], abs=1)
    if width == 390:
        assert found["y"] > asking["y"] + asking["height"] and asking["width"] > 300
        assert found["height"] < asking["height"]  # only as high as the keys need
    else:
        assert found["y"] == asking["y"] and found["x"] >= asking["x"] + asking["width"]


def test_halving_looks_like_it_and_the_rows_of_r_lie_on_top(show):
    page = show([widgets.Gauge(KEYS, KEYS)], reduced_motion="reduce")
    cells = page.locator(".attn-mark[data-kind=area]")
    before = [one.bounding_box() for one in cells.all()]
    page.get_by_role("button", name="halve").click()
    after = [one.bounding_box() for one in cells.all()]
    for side, factor in enumerate((0.5, 2)):  # the keys do the opposite
        assert after[side]["width"] / before[side]["width"] == pytest.approx(factor, rel=0.1)
        assert after[side]["height"] / before[side]["height"] == pytest.approx(factor, rel=0.1)
    tones = page.locator(".attn-plane").first.locator(".attn-mark[data-kind=arrow]")
    order = tones.evaluate_all("all => all.map((one) => one.dataset.tone)")
    assert order[-2:] == ["value", "value"] and set(order[:-2]) == {"query"}


def test_what_is_held_of_r_stands_before_its_arrow_and_follows_the_hand(show):
    page = show([widgets.Gauge(KEYS, KEYS)], width=902, reduced_motion="reduce")
    row = page.get_by_role("slider", name="row 1 of R")
    seen = row.locator(".attn-grip, .attn-tip").evaluate_all("all => all.map((one) => one.getBoundingClientRect())")
    grip, tip = sorted(seen, key=lambda box: -box["height"])
    assert grip["left"] > tip["right"] - 2  # R₁ points to the right, and its tip is in sight
    x, y = middle(row.locator(".attn-grip"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 30, steps=4)
    page.mouse.up()
    np.testing.assert_allclose(middle(row.locator(".attn-tip")) - (x - 13 + 40 - 4, y - 30 + 4), 0, atol=9)


@pytest.mark.parametrize("width", [390, also(1280)])
@pytest.mark.parametrize("way", [(-56, -80), also((150, 20)), also((10, 90))])
def test_nothing_that_is_dragged_leaves_its_plane(show, width, way):
    page = show([widgets.Gauge(KEYS, KEYS, list("abcd"), list("efgh"))], width=width, reduced_motion="reduce")
    x, y = middle(page.get_by_role("slider", name="row 1 of R").locator(".attn-grip"))
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 9):
        page.mouse.move(x + k * way[0] / 8, y + k * way[1] / 8)
        for plane in page.locator(".attn-plane").all():
            frame = plane.bounding_box()
            parts = plane.locator(".attn-tip, [data-kind=point] circle, text[data-tone]").all()
            for part in [one for one in parts if one.is_visible()]:
                box = part.bounding_box()
                for k_, size in (("x", "width"), ("y", "height")):
                    assert frame[k_] - 4 <= box[k_] and box[k_] + box[size] <= frame[k_] + frame[size] + 4, way
    page.mouse.up()
    moved = said(page)
    assert moved != repr(widgets.Gauge(KEYS, KEYS, list("abcd"), list("efgh")))


def test_on_a_phone_both_planes_and_the_scores_of_a_move_are_seen_in_one_screen(show):
    page = show([widgets.Gauge(KEYS, KEYS)], width=390, height=844, reduced_motion="reduce")
    page.get_by_role("button", name="halve").click()
    first, last = page.locator(".attn-moves").bounding_box(), page.locator(".attn-same td[data-at]").last.bounding_box()
    assert last["y"] + last["height"] - first["y"] < 844
    heads = [page.locator(".attn-same thead th > bdi").nth(j).bounding_box() for j in range(3)]
    cells = [page.locator(".attn-same tbody tr:first-child td").nth(j).bounding_box() for j in range(3)]
    for head, cell in zip(heads, cells, strict=True):
        assert abs(head["x"] + head["width"] / 2 - cell["x"] - cell["width"] / 2) < 3  # over its numbers


@pytest.mark.parametrize("width", [390, 1280])
def test_seven_scores_in_a_row_lie_in_their_cells_and_every_head_is_whole(show, width):
    words = "river money cave snow song paper the".split()
    keys = [[0, 2.22], [0.01, 2.2], [2.3, 0.1], [-2.34, -0.13], [0.15, -2.22], [0.05, -2.2], [0.11, 0.07]]
    page = show([widgets.Gauge(keys[:4], keys, words[:4], words)], width=width, reduced_motion="reduce")
    wide = """(all) => all.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const [a, b] = [range, one.closest("td, th")].map((of) => of.getBoundingClientRect());
        return [one.textContent, Math.max(b.left - a.left, a.right - b.right), one.scrollWidth - one.clientWidth];
    })"""
    cells = page.locator(".attn-same :is(tbody td, thead th)").filter(has_text=re.compile(".")).evaluate_all(wide)
    assert [one for one in cells if one[1] > 1.5] == []
    heads = page.locator(".attn-same thead th > bdi").evaluate_all(wide)
    assert [one for one in heads if one[2] > 1] == [] and len(heads) == 7


def test_a_name_of_a_query_stands_beyond_its_arrow(show):
    queries = [[-1.123, 1.946], [1.5, 1.2], [-1.6, -1.1], [1.2, -1.9]]
    page = show([widgets.Gauge(queries, KEYS)], width=902, reduced_motion="reduce")
    tips = page.locator("[data-kind=arrow][data-tone=query] .attn-tip").all()
    names = page.locator(".attn-plane text[data-tone=query]").all()
    for tip, name, way in zip(tips, names, np.array(queries) * [1, -1], strict=True):
        assert (middle(name) - middle(tip)) @ way / np.linalg.norm(way) > 5


WALK = np.array([[0.07, 0.707, 0.223], [0.2, 0.4, 0.4], [0.168, 0.533, 0.299]])


def names(page):
    """The boxes of all names and numbers in the planes, plane by plane."""
    box = "all => all.filter(one => one.textContent).map(one => one.getBoundingClientRect().toJSON())"
    planes = page.locator(".attn-plane:visible").all()
    return [(plane.bounding_box(), plane.locator("text[data-tone]").evaluate_all(box)) for plane in planes]


@pytest.mark.parametrize("width", [390, also(1280)])
def test_names_in_the_plane_keep_apart_and_inside(show, width):
    shown = [widgets.SenseHead(text) for text in widgets.SenseHead.EXAMPLES]
    shown += [widgets.QueryPlane([1, 2], KEYS), widgets.Hull(SQUARE), widgets.Gauge(KEYS, KEYS)]
    near = [[0.03, 2.22], [2.3, 0.1], [-2.34, -0.13], [0.15, -2.22], [0.05, -2.2], [0.11, 0.07]]  # two on one spot
    shown.append(widgets.QueryPlane([0, 2], near, ["river", "cave", "snow", "song", "paper", "the"]))
    shown += [widgets.Powers(WALK, TOKENS, power=power) for power in (0, 1, 6)] + [widgets.Nudge()]
    shown.append(widgets.NullSpace(np.eye(3), WALK[:, :2], [1, 2], TOKENS))
    for figure in shown:
        text = figure.sentence()
        page = show([figure], width=width, reduced_motion="reduce")
        for frame, boxes in names(page):
            for i, a in enumerate(boxes):
                assert a["left"] >= frame["x"] - 1 and a["right"] <= frame["x"] + frame["width"] + 1, (text, i)
                for b in boxes[:i]:
                    wide = min(a["right"], b["right"]) - max(a["left"], b["left"])
                    high = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
                    assert wide <= 3 or high <= 4, (text, a, b)


def test_no_name_lies_on_the_head_of_an_arrow(show):
    page = show([widgets.TwoKeys()], width=902)
    area = """(plane) => {
        const boxes = (what) => [...plane.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
        const both = (a, b, from, to) => Math.max(0, Math.min(a[to], b[to]) - Math.max(a[from], b[from]));
        const share = (a, b) => both(a, b, "left", "right") * both(a, b, "top", "bottom") / (b.width * b.height);
        return Math.max(...boxes("text[data-tone]").flatMap((a) => boxes(".attn-tip").map((b) => share(a, b))));
    }"""
    worst = {}
    for angle in range(0, 181, 9):
        page.get_by_role("slider", name="angle").fill(str(angle))
        for k, plane in enumerate(page.locator(".attn-plane").all()):
            worst[angle, k] = plane.evaluate(area)
    assert max(worst.values()) < 0.5, {place: share for place, share in worst.items() if share >= 0.5}


@pytest.mark.parametrize("width", [902, 390])
def test_the_name_of_two_keys_lies_on_no_other_name_and_inside_the_plane(show, width):
    page = show([widgets.TwoKeys()], width=width, reduced_motion="reduce")
    boxes = """(plane) => [plane, ...plane.querySelectorAll("text")].map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return [one.textContent, left, top, right, bottom];
    })"""
    for angle in (0, 8, 16, 60, 75, 90, 105, 120, 150):
        page.get_by_role("slider", name="angle", exact=True).fill(str(angle))
        for plane in page.locator(".attn-two .attn-plane").all():
            (_, *frame), *names = (one for one in plane.evaluate(boxes) if one[3] > one[1])
            keys = [one for one in names if "key" in one[0]]
            assert keys
            for told, left, top, right, bottom in keys:
                assert frame[0] <= left and right <= frame[2], (angle, told)
                for other, a, b, c, d in names:
                    if other != told:  # the feet of letters are empty
                        assert min(right, c) - max(left, a) <= 3 or min(bottom, d) - max(top, b) <= 5, (
                            angle,
                            told,
                            other,
                        )


@pytest.mark.parametrize(("width", "every"), [(902, 15), (390, 5)])
def test_no_name_lies_on_an_arrow_or_a_gap_of_the_two_keys(show, width, every):
    page = show([widgets.TwoKeys()], width=width, reduced_motion="reduce")
    lies = """async ([betas, angles]) => {
        const [turn, strength] = document.querySelectorAll(".attn-live input[type=range]");
        const put = (one, to) => { one.value = to; one.dispatchEvent(new Event("input")); };
        const walk = (plane) => {
            const boxes = [...plane.querySelectorAll("text[data-tone]")].filter((one) => one.textContent)
                .map((one) => [one.textContent, one.getBoundingClientRect()]);
            const found = new Set();
            for (const path of plane.querySelectorAll(".attn-miss > path, [data-kind=arrow] > path:first-of-type")) {
                const line = path.closest("[data-kind]");
                if (getComputedStyle(line).display === "none") continue;
                const long = path.getTotalLength(), m = path.getScreenCTM();
                for (let k = 0; k <= long; k++) {
                    const at = path.getPointAtLength(k);
                    const [x, y] = [m.a * at.x + m.e, m.d * at.y + m.f];
                    for (const [told, b] of boxes)
                        if (x > b.left + 3 && x < b.right - 3 && y > b.top + 4 && y < b.bottom - 4) found.add(told);
                }
            }
            return [...found];
        };
        const all = [];
        for (const beta of betas) for (const angle of angles) {
            put(strength, beta);
            put(turn, angle);
            await new Promise((done) => setTimeout(done));
            const shown = Number(document.querySelectorAll(".attn-cos strong")[0].textContent.replace("−", "-"));
            if (Math.abs(shown - Math.cos(angle * Math.PI / 180)) > 0.006) throw Error(`not drawn at ${angle}`);
            for (const plane of document.querySelectorAll(".attn-live .attn-plane"))
                for (const told of walk(plane)) all.push([beta, angle, told]);
        }
        return all;
    }"""
    angles = sorted({*range(0, 181, every), 1, 74, 76, 89, 91, 179})  # where a gap is short its name is the widest
    assert page.evaluate(lies, [[0, 0.5, 1], angles]) == []


@pytest.mark.parametrize("width", [902, 390])
def test_how_far_a_key_is_off_stands_at_its_gap(show, width):
    page = show([widgets.TwoKeys()], width=width, reduced_motion="reduce")
    far = """(plane) => {
        const gaps = [...plane.querySelectorAll(".attn-miss > path")].map((one) => one.getBoundingClientRect());
        const names = [...plane.querySelectorAll("text[data-tone]")]
            .filter((one) => /^(off by )?\\d/.test(one.textContent));
        const away = (a, b, [low, high]) => Math.max(0, a[low] - b[high], b[low] - a[high]);
        const from = (a, b) => Math.hypot(away(a, b, ["left", "right"]), away(a, b, ["top", "bottom"]));
        return names.map((one) => Math.min(...gaps.map((gap) => from(one.getBoundingClientRect(), gap))));
    }"""
    for angle in (20, 60, 75, 120, 140):
        page.get_by_role("slider", name="angle", exact=True).fill(str(angle))
        adding, correcting = (plane.evaluate(far) for plane in page.locator(".attn-two .attn-plane").all())
        assert len(adding) == 2 and len(correcting) == 1
        assert max(adding + correcting) < 30, (angle, adding, correcting)


def drag(page, mark, by, steps=8):
    """Take a mark with the mouse, move it by (dx, dy) and let it go."""
    x, y = middle(mark.locator("circle").last if mark.locator("circle").count() > 2 else mark.locator(".attn-tip"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=steps)
    page.mouse.up()


KEYS = np.array([[2, 1], [-1, 2], [0.5, -1.5], [0, 0.25]])


def shown_query(page):
    return np.array([float(x) for x in re.findall(r"-?[\d.]+", valuetext(page, "query"))])


def valuetext(page, name):
    return page.get_by_role("slider", name=name, exact=True).get_attribute("aria-valuetext").replace("−", "-")


@pytest.mark.parametrize("width", [390, 902])
def test_levels_are_named_on_their_lines_in_order_and_off_the_axes_numbers(show, width):
    page = show([widgets.QueryPlane([0, 2.2], KEYS)], width=width)
    box = "all => all.filter((one) => one.textContent).map((one) => { const b = one.getBBox();"
    box += " return [one.textContent, b.x, b.y + 0.2 * b.height, b.x + b.width, b.y + 0.8 * b.height]; })"
    for degrees in range(-180, 180, 15):
        slide = "(s, to) => { s.value = to; s.dispatchEvent(new Event('input')) }"
        page.get_by_role("slider", name="direction").evaluate(slide, degrees)
        named = page.locator(".attn-plane text[data-tone=level]").evaluate_all(box)
        levels = [float(told.removeprefix("score").replace("−", "-")) for told, *_ in named]
        boxes = np.array([one[1:] for one in named])
        middles = (boxes[:, :2] + boxes[:, 2:]) / 2
        turn = np.radians(degrees)
        along = middles @ [np.cos(turn), -np.sin(turn)]  # on the screen, y grows downwards
        line = np.polyval(np.polyfit(levels, along, 1), levels)
        assert len(levels) > 2 and abs(along - line).max() < 8, degrees  # the lines are 26 apart at least
        for _, left, top, right, bottom in page.locator(".attn-ticks text").evaluate_all(box):
            apart = (boxes[:, 2] < left) | (right < boxes[:, 0]) | (boxes[:, 3] < top) | (bottom < boxes[:, 1])
            assert apart.all(), degrees


@pytest.mark.parametrize("width", [390, 902])
def test_no_name_is_cut_by_the_frame_whichever_way_the_query_points(show, width):
    keys = [[1.2, 1.5], [1.7, -1.1], [-1.7, 1.2], [-1, -1.7]]
    page = show([widgets.QueryPlane([1.3, 1.8], keys, list("abcd"))], width=width)
    found = page.evaluate(
        """() => {
            const turn = document.querySelector("input[type=range]");
            const frame = document.querySelector(".attn-plane").getBoundingClientRect();
            const cut = [];
            for (let degrees = -180; degrees <= 180; degrees += 2) {
                turn.value = degrees;
                turn.dispatchEvent(new Event("input"));
                for (const one of document.querySelectorAll(".attn-plane text[data-tone]")) {
                    const box = one.getBoundingClientRect();
                    const lost = Math.max(frame.left - box.left, box.right - frame.right);
                    if (one.textContent && lost > 0) cut.push([degrees, one.textContent, lost]);
                }
            }
            return cut;
        }"""
    )
    assert not found


def test_a_query_is_turned_and_lengthened_by_mouse_keys_and_sliders(show):
    page = show([widgets.QueryPlane([1, 2], KEYS, list("abcd"), row=1)])
    drag(page, page.get_by_role("slider", name="query"), (90, 60))
    q = shown_query(page)
    assert q[0] > 1.5 and q[1] < 1.7
    assert said(page) == widgets.QueryPlane(q, KEYS, list("abcd"), row=1).sentence()
    page.get_by_role("slider", name="query").focus()
    page.keyboard.press("Shift+ArrowUp")
    assert shown_query(page)[1] > q[1] + 0.1
    page.get_by_role("slider", name="length").focus()
    before = shown_query(page)
    page.keyboard.press("ArrowRight")
    after = shown_query(page)
    assert np.hypot(*after) > np.hypot(*before)
    assert np.arctan2(*after) == pytest.approx(np.arctan2(*before), abs=2e-3)  # its direction stays
    page.get_by_role("button", name="Start again").click()
    assert said(page) == widgets.QueryPlane([1, 2], KEYS, list("abcd"), row=1).sentence()


@pytest.mark.parametrize("width", [390, 902])
def test_however_long_a_query_is_made_its_tip_can_be_taken_and_no_drag_moves_the_plane(show, width):
    page = show([widgets.QueryPlane([1.35, 1.8], KEYS, list("abcd"))], width=width)
    slide = "(s, to) => { s.value = to; s.dispatchEvent(new Event('input')) }"
    page.get_by_role("slider", name="length").evaluate(slide, 9)
    for degrees in (0, 45, 90, 137, -90):
        page.get_by_role("slider", name="direction").evaluate(slide, degrees)
        plane, tip = (
            page.locator(".attn-plane").bounding_box(),
            page.locator("[data-tone=query] .attn-grip").bounding_box(),
        )
        for start, size in (("x", "width"), ("y", "height")):
            assert plane[start] < tip[start] and tip[start] + tip[size] < plane[start] + plane[size], degrees
    key = middle(page.get_by_role("slider", name="key of a").locator("circle").last)
    x, y = middle(page.get_by_role("slider", name="query", exact=True).locator(".attn-grip"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5, y - 60, steps=4)
    np.testing.assert_allclose(
        middle(page.get_by_role("slider", name="key of a").locator("circle").last), key, atol=0.1
    )
    page.mouse.up()  # a query that fits needs less of the plane: the keys grow apart again
    assert np.hypot(*(middle(page.get_by_role("slider", name="key of a").locator("circle").last) - key)) > 5


def test_a_weight_is_a_bar_and_a_key_says_what_its_score_is_made_of(show):
    page = show([widgets.QueryPlane([1, 2], KEYS, list("abcd"), row=1)], reduced_motion="reduce")
    weights = widgets.QueryPlane([1, 2], KEYS).weights
    cells = page.locator(".attn-live tbody td:last-child")
    wide = "all => all.map((one) => parseFloat(getComputedStyle(one, '::before').width))"
    bars = np.array(cells.evaluate_all(wide)) - 1
    np.testing.assert_allclose(bars / bars.sum(), weights, atol=0.01)
    page.get_by_role("slider", name="key of c").hover()
    assert page.locator(".attn-origin").text_content().startswith("−1.768 = 2.236 · (−1.118) / √2")


def test_random_queries_say_what_python_says(show):
    rng = np.random.default_rng(4)
    shown = [widgets.QueryPlane(rng.normal(size=2), rng.normal(size=(n, 2)) * 3, row=n - 1) for n in (1, 2, 5, 9)]
    shown += [widgets.QueryPlane([1e-3, 0], [[1e5, 2]]), widgets.QueryPlane([0, -700], np.eye(2))]
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]


def test_two_handles_on_one_place_both_stay_within_reach(show):
    page = show([widgets.QueryPlane([1, 2], [[1.05, 2], [-1, 0]], ["a", "b"])])
    drag(page, page.get_by_role("slider", name="query"), (-80, 40))
    assert shown_query(page)[0] < 0.5
    drag(page, page.get_by_role("slider", name="key of a"), (60, 0))
    assert float(page.get_by_role("slider", name="key of a").get_attribute("aria-valuenow")) > 1.4


SQUARE = np.array([[0, 0], [4, 0], [4, 3], [0, 3], [2, 1]])
AMONG = [[1.42, 0], [-0.03, 1.52], [-1.53, 0], [-0.01, -1.46]]  # as in chapter 5


@pytest.mark.parametrize("width", [390, also(902)])
def test_the_name_of_the_output_does_not_lie_on_its_ring(show, width):
    page = show([widgets.Hull(AMONG, [1, 1, 0, 0], ["river", "cave", "money", "game"])], width=width)
    name = page.locator(".attn-plane text", has_text="output").bounding_box()
    ring = page.locator("g.attn-mark[data-tone=query] .attn-grip").bounding_box()
    assert name["x"] + name["width"] <= ring["x"] or ring["x"] + ring["width"] <= name["x"]


def test_the_output_is_dragged_and_the_weights_follow(show):
    page = show([widgets.Hull(SQUARE, np.zeros(5))], reduced_motion="reduce")
    start = page.get_by_role("slider", name="output")
    drag(page, start, (60, -50))
    got = np.array(re.findall(r"-?[\d.]+", valuetext(page, "output")), float)
    table = numbers(page)
    assert got[0] > 2.3 and got[1] > 1.7
    np.testing.assert_allclose(table[:, 3] @ SQUARE, got, atol=5e-3)
    np.testing.assert_allclose(np.exp(table[:, 2]) / np.exp(table[:, 2]).sum(), table[:, 3], atol=2e-3)


def test_an_output_that_is_pulled_out_slides_along_the_edge(show):
    page = show([widgets.Hull(SQUARE, np.zeros(5))], width=902, reduced_motion="reduce")
    x, y = middle(page.get_by_role("slider", name="output").locator("circle").last)
    page.mouse.move(x, y)
    page.mouse.down()
    seen = []
    for to in [(260, 0), (260, -60), (260, -120), (100, -250), (-250, -200), (-250, 0)]:  # around a corner and another
        page.mouse.move(*np.add((x, y), to), steps=5)
        seen.append([float(one) for one in re.findall(r"-?[\d.]+", valuetext(page, "output"))])
    page.mouse.up()
    seen = np.array(seen)
    assert (seen[:3, 0] > 3.9).all() and (np.diff(seen[:3, 1]) > 0.4).all()  # up the right side with the hand
    assert seen[3, 1] > 2.9 and 2.5 < seen[3, 0] < 3.6  # on the upper one abreast of it
    assert (seen[4:, 0] < 0.1).all() and seen[5, 1] == pytest.approx(1.4, abs=0.1)


def test_the_output_springs_back_at_the_edge(show):
    page = show([widgets.Hull(SQUARE, np.zeros(5))])
    drag(page, page.get_by_role("slider", name="output"), (440, 10))
    x, y = np.array(re.findall(r"-?[\d.]+", valuetext(page, "output")), float)
    assert 3.9 < x <= 4 and 0.9 < y < 1.6  # at the edge, abreast of the hand
    page.wait_for_timeout(400)
    band = page.locator(".attn-mark[data-kind=line][data-tone=query] path")
    assert band.bounding_box()["width"] < 2  # nothing is stretched any longer
    assert np.abs(numbers(page)[:, 2]).max() <= 5  # the sliders can show it


@pytest.mark.parametrize(("start", "degrees"), [(0, 150), (0, -100), (-11, -89)])
def test_an_angle_s_name_stands_outside_of_its_arc(show, start, degrees):
    q, k = (
        [x * np.cos(at), x * np.sin(at)] * 2 for x, at in ((0.7, np.radians(start + degrees)), (1, np.radians(start)))
    )
    # two circles, as small as on a phone
    page = show([widgets.RotatingPairs(q, k)], width=390, reduced_motion="reduce")
    ring, name = (page.locator(f".attn-plane{part}").first.bounding_box() for part in ("", " text[data-tone=value]"))
    x, y = (name[at] + name[size] / 2 - ring[at] - ring[size] / 2 for at, size in (("x", "width"), ("y", "height")))
    off = np.degrees(np.arctan2(-y, x)) - start - degrees / 2
    assert abs(off) < 25 and np.hypot(x, y) < 60


def test_r_moves_both_planes_and_no_score(show):
    rng = np.random.default_rng(6)
    q, k = rng.normal(size=(3, 2)) * 2, rng.normal(size=(4, 2)) * 2
    page = show([widgets.Gauge(q, k)], reduced_motion="reduce")
    assert said(page) == widgets.Gauge(q, k).sentence() and said(page).endswith("Will any score change?")
    scores, before = numbers(page), [place(page, "arrow", "query"), place(page, "point", "key", -1)]
    same = page.locator(".attn-hero > span")
    assert same.text_content() == "before R"
    for name in ("halve", "turn", "shear"):
        page.get_by_role("button", name=name).click()
        assert same.text_content() == "✓ 12 of 12 scores unchanged"
        moved = [place(page, "arrow", "query"), place(page, "point", "key", -1)]
        assert np.abs(np.subtract(moved, before)).max(axis=1).min() > 3, name
        np.testing.assert_array_equal(numbers(page), scores)
    page.get_by_role("button", name="nothing").click()
    drag(page, page.get_by_role("slider", name="row 1 of R"), (30, -40))
    r = [[float(x) for x in re.findall(r"-?[\d.]+", valuetext(page, f"row {i} of R"))] for i in (1, 2)]
    assert said(page) == widgets.Gauge(q, k, R=r).sentence() and r[0][1] > 0.1 and r[1] == [0, 1]
    page.get_by_role("slider", name="row 2 of R").focus()
    for _ in range(60):
        page.keyboard.press("Shift+ArrowDown")  # towards a singular R: it stops before
    np.testing.assert_allclose(numbers(page), scores, atol=2e-3)


def test_random_walks_say_what_python_says(show):
    rng = np.random.default_rng(8)
    shown = [widgets.Powers(rng.dirichlet(np.ones(3), 3), power=int(n)) for n in rng.integers(0, 25, 12)]
    shown += [widgets.Powers(np.eye(3)), widgets.Powers(np.eye(3)[[1, 2, 0]], power=4)]
    assert show(shown).locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]


def test_the_rows_walk_and_a_row_of_a_is_dragged(show):
    page = show([widgets.Powers(WALK, TOKENS)], reduced_motion="reduce")
    corners = [place(page, "point", "level", j) for j in range(3)]
    for power in (2, 3):
        page.get_by_role("button", name="Next").click()
        rows = np.linalg.matrix_power(WALK, power)
        for i in range(3):  # each walker stands where its row says, the corners being one word each
            np.testing.assert_allclose(place(page, "point", "query", i), rows[i] @ corners, atol=0.7)
    np.testing.assert_allclose(numbers(page), rows, atol=1e-3)
    drag(page, page.get_by_role("slider", name="row of I in A"), (-400, -300))  # out of the triangle
    assert said(page).startswith("After 3 looks")
    for _ in range(2):
        page.get_by_role("button", name="Back").click()
    changed = numbers(page)  # A itself
    assert changed[0].min() >= 0 and changed[0].sum() == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(changed[1:], WALK[1:], atol=1e-3)
    assert said(page) == widgets.Powers([changed[0], *WALK[1:]], TOKENS, power=1).sentence()
    page.get_by_role("button", name="Start again").click()
    assert said(page) == widgets.Powers(WALK, TOKENS).sentence()


def test_weights_are_dragged_through_the_flow(show):
    rng = np.random.default_rng(10)
    shown = [widgets.Nudge(rng.dirichlet(np.ones(3)), col=int(j)) for j in rng.integers(0, 3, 5)]
    shown += [widgets.Nudge([1, 0, 0], col=1), widgets.Nudge([0.2, 0.3, 0.5], TOKENS)]
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]
    figure = page.locator(".attn-live").last
    figure.get_by_role("button", name="love").click()
    drag(page, figure.get_by_role("slider", name="weights"), (50, 60))
    (a,) = grid(figure.locator(".attn-matrix").first)
    assert a[1] > 0.4 and sum(a) == pytest.approx(1)
    assert said(page, len(shown) - 1) == widgets.Nudge(a, TOKENS, col=1).sentence()
    j = np.array(grid(figure.locator(".attn-matrix").last))
    np.testing.assert_allclose(j, np.diag(a) - np.outer(a, a), atol=1e-3)


def test_every_bar_of_the_moved_word_is_its_change_from_one_zero(show):
    rng = np.random.default_rng(2)
    x, w_k, q = rng.normal(size=(4, 6)).round(3), rng.normal(size=(6, 2)).round(3), rng.normal(size=2).round(3)
    one = widgets.NullSpace(x, w_k, q, row=1)
    page = show([one], reduced_motion="reduce")
    bars = page.locator(".attn-embedded .attn-track")
    assert not bars.first.is_visible()  # folded with the numbers: two planes and what comes of them are the figure
    page.get_by_text("The numbers").click()
    seen = "all => all.map((one) => one.getBoundingClientRect().toJSON())"

    def look():
        tracks, fills = bars.evaluate_all(seen), bars.locator(".attn-fill").evaluate_all(seen)
        zeros = [track["left"] + track["width"] / 2 for track in tracks]  # the bars stand in two columns
        ends = zip(fills, zeros, strict=True)
        return np.array([(part["left"] if part["left"] < zero - 1.6 else part["right"]) - zero for part, zero in ends])

    np.testing.assert_allclose(look(), 0, atol=2)  # at rest nothing has changed
    one.along, one.across = 4.0, 1.5
    page.get_by_role("slider", name="null space").fill("4")
    page.get_by_role("slider", name="across").fill("1.5")
    change, seen_ = one.moved[1] - x[1], look()
    most = np.abs(change).argmax()
    assert abs(seen_[most]) > 30
    np.testing.assert_allclose(seen_, seen_[most] / change[most] * change, atol=4)  # one scale, zero in the middle
    assert page.locator(".attn-tight .attn-scroll").evaluate("one => getComputedStyle(one).backgroundImage") == "none"
    page.locator(".attn-embedded .attn-value").nth(2).hover()
    assert page.locator(".attn-origin").text_content().startswith(f"{number(one.moved[1][2])} = {number(x[1][2])} + ")


def test_a_push_shows_what_its_arrow_said_and_what_came(show):
    start = np.array([0.2, 0.3, 0.5])
    page = show([widgets.Nudge(start, TOKENS, col=1)], reduced_motion="reduce")
    arrows, lines = (page.locator(f".attn-mark[data-kind={kind}]:visible") for kind in ("arrow", "line"))
    trail = page.locator(".attn-mark[data-kind=line][data-tone=value]:visible")
    before, height = arrows.count(), page.locator(".attn-live").bounding_box()["height"]
    corners = [middle(one) for one in page.locator(".attn-mark[data-kind=point][data-tone=level]").all()]
    told = page.locator(".attn-last strong")
    assert lines.count() == 0 and told.all_text_contents() == ["+0.210", "?"]  # the answer is asked for first
    now, seen = start, []
    for _ in range(3):
        page.get_by_role("button", name="Raise its score by 1").click()
        after = softmax(np.log(now) + np.eye(3)[1]).round(6)
        promised, came = now[1] * (1 - now[1]), after[1] - now[1]
        seen.append([f"+{number(promised)}", f"+{number(came)}"])
        assert told.all_text_contents() == seen[-1]
        assert trail.count() == 1 and arrows.count() == before  # of the last push alone, and no arrow is added
        tick = page.locator(".attn-mark.attn-said:visible")
        end = now + now[1] * (np.eye(3)[1] - now)  # where the arrow ended
        np.testing.assert_allclose(middle(tick), end @ corners, atol=1.5)
        across = "one => { const { x, y } = one.getPointAtLength(one.getTotalLength()), a = one.getPointAtLength(0); "
        way = tick.locator("path").evaluate(f"{across} return [x - a.x, y - a.y]; }}")
        way, along = np.array(way), corners[1] - end @ corners
        assert abs(way @ along) < 0.02 * np.linalg.norm(way) * np.linalg.norm(along)  # it stands across, on no arrow
        now = after
    assert len(set(map(tuple, seen))) == 3
    assert page.locator(".attn-live").bounding_box()["height"] == height
    choose(page, "Word", "AI")  # nothing stale: the way and the tick were of another word
    assert lines.count() == 0 and told.last.text_content() == "?"
    page.get_by_role("button", name="Start again").click()
    assert lines.count() == 0 and arrows.count() == before


@pytest.mark.parametrize("width", [922, 374])
def test_the_colours_of_a_push_are_told_under_its_triangle(show, width):
    page = show([widgets.Nudge([0.452, 0.489, 0.059], ["river", "money", "the rest"])], width=width)
    plane, legend = (
        page.locator(f".attn-pushes {part}").first.bounding_box() for part in (".attn-plane", ".attn-legend")
    )
    assert 0 <= legend["y"] - plane["y"] - plane["height"] < 12
    buttons = [page.locator(".attn-lift"), page.get_by_role("button", name="Start again")]
    assert len({round(middle(one)[1]) for one in buttons}) == 1  # in one line, on a phone too


def test_all_arrows_of_the_pushes_have_one_scale(show):
    page = show([widgets.Nudge([0.2, 0.3, 0.5], TOKENS, col=1)], reduced_motion="reduce")
    corners = np.array([middle(one) for one in page.locator(".attn-mark[data-kind=point][data-tone=level]").all()])
    ends = """all => all.map((one) => {
        const [foot, tip] = one.querySelectorAll("path");
        const at = (path, k) => { const { x, y } = path.getPointAtLength(k); return [x, y]; };
        const m = one.getScreenCTM();
        const place = ([x, y]) => [m.a * x + m.e, m.d * y + m.f];
        return [place(at(foot, 0)), place(at(tip, 0))];
    })"""
    arrows = np.array(page.locator(".attn-mark[data-kind=arrow]:visible").evaluate_all(ends))
    assert len(arrows) > 10
    feet = np.linalg.solve(np.vstack([corners.T, np.ones(3)]), np.vstack([arrows[:, 0].T, np.ones(len(arrows))]))
    went = (arrows[:, 1] - arrows[:, 0]) / (corners[1] - arrows[:, 0])
    np.testing.assert_allclose(went[:, 0], feet[1], atol=0.02)  # as much of the way as the word has of the attention


def test_a_push_is_nothing_at_both_flat_ends_of_its_hill(show):
    page = show([widgets.Nudge([0.2, 0.3, 0.5], TOKENS, col=1)], reduced_motion="reduce")
    far, ends = page.locator(".attn-pushes .attn-hero > span"), page.locator(".attn-hill text[data-on]")
    assert far.text_content() == "+0.210" and ends.count() == 0
    way = page.locator(".attn-hill circle")
    places = [middle(way)]
    for corner, end in ((0, "neglected"), (1, "has it all")):
        to = middle(page.locator(".attn-mark[data-tone=level][data-kind=point]").nth(corner))
        drag(page, page.get_by_role("slider", name="weights"), to - middle(page.get_by_role("slider", name="weights")))
        assert far.text_content() in ("0", "+0.010") and ends.all_text_contents() == [end]
        places.append(middle(way))
    assert page.locator(".attn-hill text").first.text_content() == "0"  # what an end means is told only there
    (x, y), left, right = places
    assert left[0] < x < right[0] and min(left[1], right[1]) > y + 20


def test_on_the_edge_a_push_has_nothing_to_multiply(show):
    page = show([widgets.Nudge([0.4, 0, 0.6], TOKENS, col=1)], reduced_motion="reduce")
    edge = page.locator(".attn-plane text[data-tone=ink]")
    assert edge.text_content() == "Nothing to multiply"
    told = page.locator(".attn-last small")
    assert told.text_content() == "Its weight is 0: nothing to multiply."
    before = said(page)
    page.get_by_role("button", name="Raise its score by 1").click()
    assert said(page) == before  # and so it is
    choose(page, "Word", "AI")
    assert edge.text_content() == "" and told.text_content().startswith("Raise the score")


def test_a_word_moves_in_the_null_space_in_the_page(show):
    rng = np.random.default_rng(12)
    x, w_k, q = rng.normal(size=(4, 5)), rng.normal(size=(5, 2)), rng.normal(size=2)
    moves = [(0, 0), (3, 0), (0, -2), (-3, 1.5)]
    says = dict(answers=["yes", "no", "or"], W_A=rng.normal(size=(5, 3)), own=[0, 0.2, -0.1])
    shown = [widgets.NullSpace(x, w_k, q, row=k, along=a, across=b, **says) for k, (a, b) in enumerate(moves)]
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]
    before = numbers(page)
    figure = page.locator(".attn-live").first
    figure.get_by_role("slider", name="null space").fill("-4")
    assert said(page) == widgets.NullSpace(x, w_k, q, along=-4, **says).sentence()
    likely = widgets.NullSpace(x, w_k, q, along=-4, **says).answer
    parts = figure.locator(".attn-stack > *").evaluate_all("all => all.map((one) => parseFloat(one.style.width))")
    np.testing.assert_allclose(parts, 100 * likely, atol=0.01)  # the answer moves and the key does not
    assert np.abs(likely - shown[0].answer).max() > 0.05
    np.testing.assert_array_equal(numbers(page), before)
    figure.get_by_role("slider", name="across").fill("2")
    assert np.abs(numbers(page) - before)[0].max() > 0.01


def test_pairs_turn_and_moving_both_changes_no_score(show):
    rng = np.random.default_rng(13)
    places = rng.integers(0, 200, (6, 2)).tolist()
    pairs = [rng.normal(size=(2, d)) for d in (2, 4, 6, 8, 8, 8)]
    shown = [widgets.RotatingPairs(*both, m=m, n=n) for both, (m, n) in zip(pairs, places, strict=True)]
    page = show(shown)
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]
    first, widget = page.locator(".attn-live").first, shown[0]
    before, arrow = numbers(page)[:, 4], place(page, "arrow", "query")
    first.get_by_role("slider", name="both").fill("0")
    low = min(widget.m, widget.n)
    moved = widgets.RotatingPairs(widget.q, widget.k, m=widget.m - low, n=widget.n - low)
    assert said(page) == moved.sentence()
    np.testing.assert_allclose(numbers(page)[:, 4], before, atol=2e-3)
    assert np.abs(place(page, "arrow", "query") - arrow).max() > 2
    first.get_by_role("slider", name="query at m").fill("11")
    assert said(page) == widgets.RotatingPairs(widget.q, widget.k, m=11, n=moved.n).sentence()


def test_a_cloud_is_squeezed_onto_the_line_that_the_reader_turns(show):
    rng = np.random.default_rng(15)
    shown = [widgets.SqueezedCloud(rng.normal(size=(n, 2)), angle=a) for n, a in ((1, 0), (2, -80), (6, 33.3), (9, 90))]
    page = show(shown, reduced_motion="reduce")
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]
    m, figure = shown[2].M, page.locator(".attn-live").nth(2)
    summit = figure.locator(".attn-summit")
    assert not summit.get_attribute("d")  # the top is marked by who has found it
    way = figure.locator(".attn-kept path[style*=round]").get_attribute("d")
    places = np.array(re.findall(r"([\d.]+) ([\d.]+)", way), float)  # the whole curve stands there from the first
    low, high = (widgets.SqueezedCloud(m, angle=a).kept for a in (-90, round(shown[2].best)))
    kept = (318 - places[:, 1]) / 294
    assert len(kept) == 181
    np.testing.assert_allclose([kept[0], kept.max()], [low, high], atol=1e-3)
    assert "no line keeps more" not in said(page, 2)
    figure.get_by_role("button", name="the best line").click()
    assert "no line keeps more" in said(page, 2)
    tick, spot = (one.bounding_box() for one in (summit, figure.locator(".attn-cloud div circle")))
    middle_ = [spot[side] + spot[size] / 2 for side, size in (("x", "width"), ("y", "height"))]
    assert [tick["x"] + tick["width"] / 2, tick["y"]] == pytest.approx(middle_, abs=1.5)  # from the top of the curve
    finest, top = figure.locator(".attn-finest"), tick["y"] - figure.locator(".attn-kept").bounding_box()["y"]
    assert finest.text_content() == f"best {number(round(shown[2].best, 1), 1)}°"
    figure.locator("input").fill("80" if shown[2].best < 40 else "-80")
    tick, name, stem = (one.bounding_box() for one in (summit, finest, figure.locator(".attn-kept line").last))
    low_ = figure.locator(".attn-kept").bounding_box()["y"]
    assert tick["y"] - low_ == pytest.approx(top, abs=1.5)  # it stays when the line turns on: nothing above the curve
    assert abs(name["y"] + name["height"] - tick["y"] - tick["height"]) < 12  # its degrees stand at its foot
    assert min(abs(name["x"] - tick["x"]), abs(name["x"] + name["width"] - tick["x"])) < 12
    assert name["x"] > stem["x"] + 2 or name["x"] + name["width"] < stem["x"] - 2
    figure.get_by_role("button", name="the best line").click()
    best = widgets.SqueezedCloud(m, angle=round(shown[2].best, 1))
    assert said(page, 2) == best.sentence()
    figure.get_by_role("button", name="squeeze").click()
    points = [figure.get_by_role("slider", name=f"row t{i}").get_attribute("aria-valuetext") for i in range(1, 7)]
    found = [[float(x) for x in re.findall(r"-?[\d.]+(?:e-?\d+)?", one.replace("−", "-"))] for one in points]
    np.testing.assert_allclose(found, best.rank_one, atol=2e-3)
    row = figure.get_by_role("slider", name=f"row t{np.square(found).sum(1).argmax() + 1}")
    row.scroll_into_view_if_needed()
    drag(page, row, (30, 60))
    assert figure.get_by_role("button", name="squeeze").get_attribute("aria-pressed") == "true"
    assert "no line keeps more" not in said(page, 2)  # a row on the line turns it
    tip = figure.get_by_role("slider", name="direction u")
    tip.scroll_into_view_if_needed()
    drag(page, tip, (-30, -60))
    told = figure.locator(".attn-say").text_content()
    angle = float(re.search(r"at (−?[\d.]+)°", told)[1].replace("−", "-"))
    kept = widgets.SqueezedCloud(m, angle=angle).kept
    assert figure.locator(".attn-now").text_content() == percent(kept)
    assert angle != round(shown[2].best, 1) and told == widgets.SqueezedCloud(m, angle=angle).sentence()


def test_a_head_is_turned_back_by_its_slider_by_an_arrow_or_to_the_best(show):
    a, b = np.random.default_rng(17).normal(size=(2, 3, 2))
    shown = [widgets.TurnBack(a, b, TOKENS, angle=angle) for angle in (0, -117.3)]
    page = show(shown, reduced_motion="reduce")
    assert page.locator(".attn-say").all_text_contents() == [widget.sentence() for widget in shown]
    slider = page.get_by_role("slider", name="turn B back by").first
    curve, span = (page.locator(f".attn-turning path[style*={what}]").first for what in ("round", "opacity"))
    assert "L" not in curve.get_attribute("d")  # nothing of the curve is given away
    slider.fill("40")
    assert said(page) == widgets.TurnBack(a, b, angle=40).sentence()
    way = curve.get_attribute("d")
    assert way.count("L") == 40  # the curve is drawn where the reader has been, and the span below it filled
    first, *under, last = re.findall(r"[\d.]+ [\d.]+", span.get_attribute("d"))
    assert under == re.findall(r"[\d.]+ [\d.]+", way)
    for foot, point in ((first, under[0]), (last, under[-1])):  # straight up from the ground
        assert foot.split()[0] == point.split()[0] and float(foot.split()[1]) >= float(point.split()[1])
    arrow = page.get_by_role("slider", name=f"{TOKENS[0]} in head B").first
    arrow.scroll_into_view_if_needed()
    drag(page, arrow, (-30, -60))
    angle = float(re.search(r"by (−?[\d.]+)°", said(page))[1].replace("−", "-"))
    moved = widgets.TurnBack(a, b, angle=angle)
    assert angle != 40 and said(page) == moved.sentence()
    page.locator(".attn-more summary").first.click()
    np.testing.assert_allclose(numbers(page), np.hstack([a, moved.turned, moved.mean]), atol=2e-3)
    page.get_by_role("button", name="the best turn").first.click()
    best = widgets.TurnBack(a, b, angle=round(moved.best, 1))
    assert said(page) == best.sentence() and said(page).endswith("no turn has less.")
    assert curve.get_attribute("d").count("L") == 360  # that none is better is to be seen
    page.get_by_role("button", name="Start again").first.click()
    assert "L" not in curve.get_attribute("d")


@pytest.mark.parametrize("values", [[[0, 0], [3, 0.1], [1, 0.7]], [[0, 0], [1, 0], [0.5, 3]], [[0, 0], [4, 3], [1, 2]]])
def test_a_hull_fills_its_plane(show, values):
    page = show([widgets.Hull(values, [0, 1, 2], TOKENS)], width=902)
    plane, hull = page.locator(".attn-plane").bounding_box(), page.locator("[data-kind=area]").bounding_box()
    shares = [hull[side] / plane[side] for side in ("width", "height")]
    assert (max(shares) > 0.6 and min(shares) > 0.4) or (plane["width"] < 500 and max(shares) > 0.6), shares


def test_a_value_is_as_large_as_its_weight_and_says_it(show):
    one = widgets.Hull(SQUARE[:3], [0, 2, 1], TOKENS)
    page = show([one])
    told = page.locator(".attn-plane text[data-tone=value]").all_text_contents()
    assert told == [f"{name} {percent(a)}" for name, a in zip(TOKENS, one.weights, strict=True)]
    sizes = page.locator(".attn-mark[data-tone=value][data-kind=point] > :last-child").evaluate_all(
        "all => all.map((one) => Number(one.getAttribute('r')))"
    )
    np.testing.assert_allclose(sizes, 4 + 9 * one.weights**0.5, atol=0.01)


def test_a_word_is_dragged_along_the_null_space_and_its_key_stands_still(show):
    rng = np.random.default_rng(12)
    x, w_k, q = rng.normal(size=(4, 5)), rng.normal(size=(5, 2)), rng.normal(size=2)
    page = show([widgets.NullSpace(x, w_k, q, ["I", "love", "AI", "so"])], width=902)
    home, keys = page.locator(".attn-unseen .attn-plane").all()
    boxes = [one.bounding_box() for one in (home, keys)]
    assert all(abs(boxes[0][side] - boxes[1][side]) < 1 for side in ("width", "height", "y"))
    word, key = (one.locator(".attn-mark[data-tone=value][data-kind=point]:not([data-ghost])") for one in (home, keys))
    places = [middle(one) for one in (word, key)]
    drag(page, page.get_by_role("slider", name="row of I"), (80, 1))  # a hand that trembles stays on the line
    assert page.get_by_role("slider", name="across").input_value() == "0"
    moved = [middle(one) - was for one, was in zip((word, key), places, strict=True)]
    assert moved[0][0] > 60 and np.abs(moved[1]).max() < 0.5
    drag(page, page.get_by_role("slider", name="row of I"), (0, -50))
    assert np.abs(middle(key) - places[1]).max() > 10
    assert keys.locator("text", has_text="its key").count() == 1


def test_what_a_key_does_not_see_is_told_large(show):
    rng = np.random.default_rng(12)
    x, w_k, q = rng.normal(size=(4, 5)), rng.normal(size=(5, 2)), rng.normal(size=2)
    page = show([widgets.NullSpace(x, w_k, q)])
    moved = page.locator(".attn-effects strong")
    page.get_by_role("slider", name="null space").fill("4")
    weight = number(widgets.NullSpace(x, w_k, q).weights[0])
    assert moved.all_text_contents() == [re.search(r"moved by ([^,]+),", said(page))[1], "0", weight]
    page.get_by_role("slider", name="across").fill("2")
    one = widgets.NullSpace(x, w_k, q, along=4, across=2)
    far = one.moved[0] - x[0]
    ways = [np.linalg.norm(v) for v in (far, far @ w_k)]
    assert moved.all_text_contents() == [number(x) for x in (*ways, one.weights[0])]
    assert number(one.weights[0]) != weight


@pytest.mark.parametrize("width", [390, also(902)])
def test_the_space_of_words_is_told_from_that_of_keys_at_a_glance_and_each_bar_has_its_scale(show, width):
    rng = np.random.default_rng(12)
    x, w_k, q = rng.normal(size=(4, 5)), rng.normal(size=(5, 2)), rng.normal(size=2)
    page = show([widgets.NullSpace(x, w_k, q)], width=width, reduced_motion="reduce")
    leaves = page.locator(".attn-leaves > div").all()
    assert [one.locator("strong").inner_text() for one in leaves] == ["The space of words", "The space of keys"]
    papers = [one.locator("svg").evaluate("one => getComputedStyle(one).backgroundColor") for one in leaves]
    assert len({*papers, "rgb(255, 255, 255)"}) == 3  # two tints, and neither is the card's
    grids = [one.locator(".attn-grid").is_visible() for one in leaves]
    assert grids == [False, True]  # squares of keys; of words lines, along which the key stays
    lines = leaves[0].locator("[data-fibre] path")
    ways = [re.findall(r"-?[\d.]+", one.get_attribute("d")) for one in lines.all()]
    assert all(way[1] == way[3] for way in ways) and lines.first.bounding_box()["width"] > 300
    by = page.locator(".attn-by").bounding_box()
    ends_at = "r.selectNodeContents(one); return r.getBoundingClientRect().right"
    name = leaves[1].locator("p").evaluate(f"one => {{ const r = document.createRange(); {ends_at}; }}")
    key = leaves[1].bounding_box()
    beside = by["x"] > name or by["x"] + by["width"] <= key["x"] + 1
    assert beside or by["y"] + by["height"] < key["y"] + 4  # the sign between them lies on no word
    page.get_by_role("slider", name="null space").fill("4")
    bars = page.locator(".attn-effects")
    ends = [float(one.locator(".attn-ends > :last-child").inner_text()) for one in bars.all()]
    told = [float(one.locator("strong").inner_text()) for one in bars.all()]
    fills = [one.locator(".attn-fill").bounding_box()["width"] for one in bars.all()]
    tracks = [one.locator(".attn-track").bounding_box()["width"] for one in bars.all()]
    np.testing.assert_allclose(np.divide(fills, tracks), np.divide(told, ends), atol=0.02)


# What is cut of the words and numbers that are in view: HTML that is wider than its box, drawn text that leaves its
# picture, and drawn words that lie on each other or on an arrow's shaft.
CUT = """(live) => {
    const box = (one) => one.getBoundingClientRect();
    const shown = [...live.querySelectorAll("*")].filter((one) => one.checkVisibility());
    const own = (one) => [...one.childNodes].some((two) => two.nodeType === 3 && two.data.trim());
    const html = shown.filter((one) => one instanceof HTMLElement && own(one) && !one.closest(".attn-room"));
    const drawn = shown.filter((one) => one.localName === "text" && one.textContent);
    const [inner, words] = [(one) => box(one.ownerSVGElement), drawn.filter((one) => !one.closest(".attn-ticks"))];
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
    const arrows = shown.filter((one) => one.closest(".attn-mark[data-kind=arrow]") && one.localName === "path");
    return [
        ...shown.filter((one) => getComputedStyle(one).overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1),
        ...html.filter((one) => box(one).right > box(live).right + 0.5),
        ...drawn.filter((one) => box(one).left < inner(one).left || box(one).right > inner(one).right),
        ...words.filter((a) => words.some((b) => a !== b && over(box(a), box(b)))),
        ...words.filter((a) => a.dataset.tone === "ink" && arrows.some((b) => over(box(a), box(b)))),
    ].map((one) => one.textContent);
}"""


@pytest.mark.parametrize("width", [902, 390, also(360)])
def test_no_word_of_what_a_key_does_not_see_is_cut_and_a_step_is_as_long_in_both_planes(show, width):
    head, said = senses.load(), "she sat by the river bank".split()
    x = head.w_e[[head.words.index(word) for word in said]]
    answers = {"answers": ["shore", "lender"], "W_A": x.T[:, :2], "own": [1, 0]}
    one = widgets.NullSpace(x, head.w_k, head.query("bank"), said, row=4, **answers)
    page = show([one], width=width, reduced_motion="reduce")
    live, ways = (
        page.locator(".attn-live"),
        [page.get_by_role("slider", name=name) for name in ("null space", "across")],
    )
    for moves in ((0, 0), (2, 1.5), (-4, -2), (0, 2)):
        for way, move in zip(ways, moves, strict=True):
            way.fill(str(move))
        page.wait_for_timeout(50)
        assert live.evaluate(CUT) == [], moves
    steps = []
    for plane in page.locator(".attn-plane").all():
        told = [one for one in plane.locator(".attn-ticks text").all() if float(one.get_attribute("x")) > 5]
        values = [float(one.text_content().replace("−", "-")) for one in told]
        places = [float(one.get_attribute("x")) for one in told]
        steps.append((places[-1] - places[0]) / (values[-1] - values[0]))
    assert steps[0] == pytest.approx(steps[1], abs=0.05)
    tops = {round(one.bounding_box()["y"]) for one in page.locator(".attn-effects").all()}
    assert len(tops) == 1  # three numbers in one row


@pytest.mark.parametrize("width", [922, 680, 640, 480, 390])
def test_the_name_of_a_key_beside_the_axis_does_not_lie_on_it(show, width):
    head, said = senses.load(), "she sat by the river bank".split()
    x = head.w_e[[head.words.index(word) for word in said]]
    page = show([widgets.NullSpace(x, head.w_k, head.query("bank"), said, row=4)], width=width, reduced_motion="reduce")
    keys = page.locator(".attn-plane").last
    name = keys.locator("text", has_text="bank").bounding_box()
    axis = keys.bounding_box()["x"] + float(re.search(r"M([\d.]+)", keys.locator(".attn-zero").get_attribute("d"))[1])
    assert name["x"] > axis or name["x"] + name["width"] < axis


@pytest.mark.parametrize("width", [922, 360])
def test_who_gains_and_who_pays_have_a_line_each(show, width):
    page = show([widgets.Nudge([0.452, 0.489, 0.059], ["river", "money", "the rest"])], width=width)
    numbers = page.locator(".attn-payers li > *")
    lines = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize)"
    assert numbers.count() == 15 and max(numbers.evaluate_all(f"all => all.map({lines})")) < 1.9
    assert max(numbers.evaluate_all("all => all.map((one) => one.scrollWidth - one.clientWidth)")) <= 0
    # each bar is as wide as the list: what a word keeps, then what it gains or pays
    boxes = "all => all.map((one) => [one, ...one.children].map((x) => x.getBoundingClientRect().width))"
    bars = np.array(page.locator(".attn-payers .attn-track").evaluate_all(boxes))
    assert min(bars[:, 0]) == page.locator(".attn-payers").bounding_box()["width"]
    np.testing.assert_allclose(bars[:, 1:] / bars[:, :1], [[0.452, 0.248], [0.268, 0.221], [0.032, 0.027]], atol=0.003)
    first = page.locator(".attn-payers li:nth-child(2) > *").all()
    assert first[3].bounding_box()["y"] > first[1].bounding_box()["y"] + 10  # under its name and numbers
