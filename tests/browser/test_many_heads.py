"""The diagram of many heads: every number the library's, every square of one size, each head its own blocks."""

import itertools
import re

import numpy as np
import pytest
from figurepage import middle, said, slowly

from attn import heads
from attn.show import widgets
from attn.show.kit import text

pytestmark = pytest.mark.browser
WORDS = "she sat by the river".split()


def layer(n=5, c=12, h=3, d=4, **options):
    """A layer of random weights."""
    rng = np.random.default_rng(6)
    x, w_o = rng.normal(size=(n, c)), rng.normal(size=(h * d, c)) / c**0.5
    return widgets.ManyHeads(x, *rng.normal(size=(3, c, h * d)) / c**0.5, w_o, h, WORDS[:n], **options)


ALL = 8  # after the seven stages


def to(page, stage):
    """Go to a stage, 1 to 7, or to the whole picture."""
    following = page.get_by_role("button", name="Next", exact=True)
    following.press("Home" if stage < ALL else "End")
    for _ in range((stage - 1) % (ALL - 1)):
        following.press("ArrowRight")
    page.evaluate("document.activeElement.blur()")


@pytest.fixture
def show(show):
    """The figure at a stage: as a whole, unless one is asked for; as it opens with None."""

    def at(shown, *, stage=ALL, **options):
        page = show(shown, **options)
        if stage:
            to(page, stage)
        return page

    return at


def square(page, name):
    """The picture of a matrix by the name above it."""
    named = page.locator(".attn-square", has=page.get_by_text(name, exact=True))
    return named.locator(".attn-field")


LANE = "Q A K V O adds".split()
ADDED = """async () => {
    const at = [];
    for (let k = 0; k < 40; k++) {
        for (const one of document.querySelectorAll(".attn-adding")) at.push(one.getBoundingClientRect().left);
        await new Promise((on) => setTimeout(on, 60));
    }
    return at;
}"""  # where the copies that fly are


def lane(page, t, name):
    """The picture of one of a head's own matrices, after X and the three projections; the heads share one W_O."""
    if name == "W_O":
        return page.locator(".attn-lanes > .attn-square .attn-field")
    return page.locator(".attn-lanes .attn-field").nth(4 + len(LANE) * t + LANE.index(name))


def point(page, picture, size, at):
    """Put the mouse on one number of a picture."""
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    x, y = box["width"] * (at[1] + 0.5) / size[1], box["height"] * (at[0] + 0.5) / size[0]
    page.mouse.move(box["x"] + x, box["y"] + y)
    return page.locator(".attn-origin").text_content()


def light(colour):
    """How light a computed colour is: 0 to 1."""
    part = np.array(re.findall(r"[\d.]+", colour)[:3], float) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def value(told):
    """The number in "what it is: number = formula"."""
    return float(re.match(r"[−\d]+(\.\d+)?", told.split(": ")[1])[0].replace("−", "-"))


def test_the_stream_is_the_library_s(show):
    shown = layer(head=1, row=4)
    whole = heads.multi_head_attention(shown.X, shown.W_Q, shown.W_K, shown.W_V, shown.W_O, heads=3)
    np.testing.assert_allclose(shown.stream, shown.X + whole, atol=1e-12)
    page = show([shown])
    for name, matrix in {
        "X + Y, the stream": shown.stream,
        "Y, the sum of all heads": whole,
    }.items():
        for i, j in [(0, 0), (2, 7), (4, 11)]:
            told = value(point(page, square(page, name), (5, 12), (i, j)))
            assert told == pytest.approx(matrix[i, j], abs=0.0006), name
    for t in range(3):
        own = slice(4 * t, 4 * t + 4)
        matrices = dict(Q=shown.X @ np.array(shown.W_Q)[:, own], A=shown.weights[t], adds=shown.writes[t])
        matrices |= {"W_O": np.array(shown.W_O)}
        for name, matrix in matrices.items():
            for i, j in [(0, 0), (3, 3), tuple(np.array(matrix.shape) - 1)]:
                told = value(point(page, lane(page, t, name), matrix.shape, (i, j)))
                assert told == pytest.approx(matrix[i, j], abs=0.0006), (t, name)
    assert said(page) == repr(shown)


def test_what_the_heads_add_is_the_sum_that_is_told(show):
    shown = layer(on=[1, 0, 1])
    page = show([shown])
    told = point(page, square(page, "Y, the sum of all heads"), (5, 12), (2, 3)).split(" = ")[1]
    terms = [float(x) for x in told.replace("− ", "+ −").replace("−", "-").split(" + ")]
    assert terms == pytest.approx(shown.writes[:, 2, 3], abs=6e-4) and terms[1] == 0


def test_pointing_at_a_query_lights_its_word_and_its_column(show):
    page = show([layer()])
    point(page, lane(page, 1, "Q"), (5, 4), (3, 2))
    lit = page.locator(".attn-glow:visible")
    assert lit.count() == 3
    styles = sorted(lit.evaluate_all("all => all.map((one) => one.style.cssText.replace(/[ ]|;$/g, ''))"))
    assert styles == sorted(["--i:3;--j:2;--p:1;--q:1", "--i:3;--j:0;--p:1;--q:12", "--i:0;--j:6;--p:12;--q:1"])
    page.mouse.move(1, 1)
    assert page.locator(".attn-glow:visible").count() == 0


def test_pointing_at_the_output_matrix_lights_its_column_and_what_it_makes(show):
    shown = layer(row=3)
    page = show([shown])
    told = point(page, lane(page, 0, "W_O"), (12, 12), (5, 7))  # a row of head 1, while head 0 is chosen
    assert told.startswith(f"W_O, row 5, column 7, of head 1: {text.number(shown.W_O[5][7])}. ")
    assert f"head 1 adds to “the”: {text.number(shown.writes[1, 3, 7])} = " in told
    lit = page.locator(":is(.attn-glow, .attn-along):visible")
    styles = lit.evaluate_all("all => all.map((one) => one.style.cssText.replace(/[ ]|;$/g, ''))")
    assert sorted(styles) == sorted(
        ["--i:5;--j:7;--p:1;--q:1", "--i:4;--j:7;--p:4;--q:1", "--i:3;--j:0;--p:1;--q:4", "--i:3;--j:7;--p:1;--q:1"]
    )


def test_one_stage_is_lit_at_a_time_and_its_product_has_its_shapes(show):
    shown = layer(4, 6, 3, 2)
    page = show([shown], reduced_motion="reduce")
    assert page.locator(".attn-step").text_content() == "all stages"
    assert page.locator("[data-dim], [data-lit]").count() == 0 and said(page) == repr(shown)
    height = page.locator(".attn-live").bounding_box()["height"]
    shapes = [
        "X: 4×6",
        "columns: 6×2 of 6×6",
        "Q, K, V: 4×6 · 6×2 = 4×2",
        "A: 4×2 · 2×4 = 4×4",
        "O = A V: 4×4 · 4×2 = 4×2",
    ]
    shapes += ["adds: 4×2 · 2×6 = 4×6", "Y: 4×6 + 4×6 + 4×6 = 4×6"]
    lit = ["X", "W_Q W_K W_V", "Q K V" + " Q K V" * 2, "A A A", "O O O", "adds adds adds", "Y X+Y"]
    for k, told in enumerate(shapes):
        to(page, k + 1)
        assert page.locator(".attn-step").text_content() == f"{k + 1} of 7 · {told}"
        assert page.locator(".attn-square[data-lit]").count() == len(lit[k].split())
        assert page.locator(".attn-live").bounding_box()["height"] == height
    page.get_by_role("button", name="Start again").click()
    assert page.locator(".attn-step").text_content() == "all stages" and said(page) == repr(shown)


@pytest.mark.parametrize("width", [902, 390])
def test_the_ribbons_tell_what_is_made_of_what(show, width):
    """X goes to the three W, a query from one side and the keys from the other to A, V past A to the fan."""
    page = show([layer(4, 6, 3, 2, row=2)], width=width, reduced_motion="reduce")
    home = page.locator(".attn-joins").bounding_box()
    for t in range(3):
        page.get_by_role("button", name=f"head {t}", exact=True).click()
        q, a, k, v = (lane(page, t, name).bounding_box() for name in "QAKV")
        assert q["x"] + q["width"] < a["x"] and a["x"] + a["width"] < k["x"] < v["x"]
        ways = page.locator(".attn-joins g").nth(t).locator("path:not(.attn-bus)").all()
        found = [[float(x) for x in re.findall(r"-?[\d.]+", way.get_attribute("d"))] for way in ways[:2]]
        ends = [(one[0] + home["x"], one[6] + home["x"]) for one in found]
        np.testing.assert_allclose(ends[0], [q["x"] + q["width"], a["x"]], atol=2)
        np.testing.assert_allclose(ends[1], [a["x"] + a["width"], k["x"]], atol=2)
        rows = [np.array(one[1:2] + one[-1:]) + home["y"] for one in found]  # where they are at their left ends
        for one, box in zip(rows, (q, a), strict=True):  # the followed row
            assert min(one) == pytest.approx(box["y"] + box["height"] * 2 / 4, abs=2)
        rest = [
            way.bounding_box() for way in page.locator(".attn-joins g").nth(t).locator("path:not(.attn-bus)").all()[2:]
        ]
        between = a["x"] + a["width"] + 3, v["x"] + v["width"] - 3
        if width > 500:  # on a phone the fan's sum turns back under them
            assert not [box for box in rest if between[0] < box["x"] < between[1]]
        bus = page.locator(".attn-joins g").nth(t).locator(".attn-bus").get_attribute("d")
        start, low, end = (float(re.search(part, bus)[1]) for part in (r"M([\d.]+)", r"V([\d.]+)", r"H([\d.]+)"))
        assert start + home["x"] < q["x"] and low + home["y"] > v["y"] + v["height"]  # along below all, and up into V
        assert end + home["x"] == pytest.approx(v["x"] + v["width"] / 2, abs=1)
    x, learned = square(page, "X").bounding_box(), [square(page, name).bounding_box() for name in ("WQ", "WK", "WV")]
    stems = page.locator(".attn-stem")
    reach = stems.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert min(one["x"] for one in reach) == pytest.approx(x["x"] + x["width"], abs=2)
    if width > 500:
        assert [one["x"] + one["width"] for one in reach] == pytest.approx([box["x"] for box in learned], abs=2)
    else:
        assert max(one["x"] + one["width"] for one in reach) == pytest.approx(
            learned[2]["x"] + learned[2]["width"] / 2, abs=3
        )


@pytest.mark.parametrize("stage", range(1, ALL + 1))
def test_at_every_stage_all_words_stand_inside_the_card(show, stage):
    page = show([layer(3, 4, 2, 3)], stage=stage, width=902, reduced_motion="reduce")
    edge = page.locator(".attn-lanes").bounding_box()
    ends = """all => all.map((one) => {
        const r = document.createRange(); r.selectNodeContents(one);
        const { left, right } = r.getBoundingClientRect(); return [left, right];
    })"""
    words = np.array(page.locator(".attn-lanes p").evaluate_all(ends))  # headings to come, too
    words = words[words[:, 1] > 0]  # those of the second lane are above the first
    assert len(words) == 6 + 7 and words[:, 0].min() > edge["x"] - 1
    assert words[:, 1].max() <= edge["x"] + edge["width"] + 1


def test_of_what_comes_later_there_is_an_outline_a_pale_name_and_a_pale_way(show):
    page = show([layer(4, 6, 3, 2)], width=902, reduced_motion="reduce")
    assert page.locator("[data-blank]").count() == 0
    # what was learned is there from the first stage on
    later = {1: 6 * 3 + 2, 2: 6 * 3 + 2, 3: 3 * 3 + 2, 4: 2 * 3 + 2, 5: 1 * 3 + 2, 6: 2, 7: 0}
    for step, count in later.items():
        to(page, step)
        blank = page.locator(".attn-square[data-blank]")
        assert blank.count() == count, step
        assert page.locator(".attn-square[data-blank] canvas:visible").count() == 0
        assert page.locator(".attn-square[data-blank] .attn-field:visible").count() == 0
        to_come = page.locator(".attn-half > [data-blank] > p")
        pale = to_come.evaluate_all("all => all.map((one) => getComputedStyle(one).visibility)")
        assert pale == ["visible"] * (3 * [6, 6, 3, 2, 1, 0, 0][step - 1])
        outlines = blank.locator(".attn-field").evaluate_all(
            "all => all.map((one) => getComputedStyle(one, '::after'))"
            ".map((one) => one.visibility + one.borderTopStyle)"
        )
        assert outlines == ["visibledashed"] * count
        assert page.locator(".attn-joins g:not(.attn-owned) text:visible").count() == (
            0 if step < 5 else 12 if step < 6 else 15
        )
        assert page.locator("circle.attn-plus:visible").count() == (step == 7)
        blends = page.locator(".attn-joins g:not(.attn-carry) .attn-blend")
        pale = blends.evaluate_all("all => all.map((one) => Number(getComputedStyle(one).opacity) < 0.1)")
        assert len(pale) == 15 and pale.count(False) == (0 if step < 5 else 3 * 4 if step < 7 else 3 * 5)
        owned = page.locator(".attn-owned text:visible").all_text_contents()
        assert owned == ["cols 0–1"] * 3 * (step > 1) + ["rows 0–1"] * (step > 5)
    to(page, 4)
    styles = page.locator(".attn-glow:visible").evaluate_all(
        "all => all.map((one) => one.style.cssText.replace(/[ ]|;$/g, ''))"
    )
    assert sorted(styles) == sorted(
        ["--i:0;--j:0;--p:1;--q:1", "--i:0;--j:0;--p:1;--q:2", "--i:0;--j:0;--p:4;--q:2"]
    )  # a weight, its query's row, the keys' rows


NAMES = """all => all.filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => {
    let seen = 1;
    for (let at = one; at.closest(".attn-lanes"); at = at.parentElement) seen *= getComputedStyle(at).opacity;
    const { color, fill } = getComputedStyle(one);
    return [one.textContent, one.matches("text") ? fill : color, seen];
})"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_name_fades_at_any_stage_and_what_was_made_stays_legible(show, theme):
    page = show([layer(4, 6, 3, 2)], width=902, theme=theme, reduced_motion="reduce")
    paper = light(page.locator(".attn-live").evaluate("one => getComputedStyle(one).backgroundColor"))
    for stage in range(1, ALL + 1):
        to(page, stage)
        names = page.locator(".attn-lanes p, .attn-joins text").evaluate_all(NAMES)
        assert len(names) > 10
        for name, ink, seen in names:
            low, high = sorted((seen * light(ink) + (1 - seen) * paper, paper))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (stage, name)
        past = page.locator(".attn-square[data-dim] > .attn-field:visible")
        shown = past.evaluate_all("all => all.map((one) => Number(getComputedStyle(one).opacity))")
        assert min(shown, default=1) >= 0.65
        ways = page.locator(".attn-joins g > path[data-dim]:not([data-blank])")
        ways = ways.evaluate_all("all => all.map((one) => Number(getComputedStyle(one).opacity))")
        assert min(ways, default=1) >= 0.65 * 0.4 - 0.001


def test_what_is_to_come_is_paler_than_what_is_there_and_its_numbers_name_stands_apart(show):
    page = show([layer(4, 6, 3, 2)], stage=1, width=902, reduced_motion="reduce")
    edges = page.locator(".attn-square[data-blank] .attn-field").evaluate_all(
        "all => all.map((one) => getComputedStyle(one, '::after').borderTopColor)"
    )
    assert edges and all(float([*re.findall(r"[\d.]+", one), 1][3]) <= 0.4 for one in edges)
    for stage in (1, 4, 5):
        to(page, stage)
        name = page.locator(".attn-strip strong")
        words = name.evaluate("""(one) => {
            const letters = document.createRange();
            letters.selectNodeContents(one);
            return letters.getBoundingClientRect().right;
        }""")
        assert page.locator(".attn-strip i").first.bounding_box()["x"] - words >= 8


def test_a_head_s_colour_is_none_of_the_numbers_colours(show):
    page = show([layer(4, 8, 8, 1)], width=902)
    hues = page.locator(".attn-lane-bar").evaluate_all("all => all.map((one) => one.style.getPropertyValue('--k'))")
    assert len(set(hues)) == 8
    for hue in map(float, hues):  # below zero is orange, above it violet
        assert 50 < hue < 230 or 290 < hue < 360


@pytest.mark.parametrize("width", [902, 390])
def test_what_a_head_owns_is_written_above_its_blocks(show, width):
    page = show([layer(4, 6, 3, 2)], width=width, reduced_motion="reduce")
    for t in range(3):
        page.get_by_role("button", name=f"head {t}", exact=True).click()
        written = page.locator(".attn-owned text")
        own = f"{2 * t}–{2 * t + 1}"
        assert written.all_text_contents() == [f"cols {own}"] * 3 + [f"rows {own}"]
        learned = [square(page, name) for name in ("WQ", "WK", "WV")]
        for one, matrix in zip(written.all(), [*learned, lane(page, 0, "W_O")], strict=True):
            told, box = one.bounding_box(), matrix.bounding_box()
            assert box["y"] - 24 < told["y"] and told["y"] + told["height"] < box["y"] + 1  # above, close to it
            # and not beyond its edges, where the ribbons are
            assert box["x"] - 6 < told["x"] and told["x"] + told["width"] < box["x"] + box["width"] + 6
            if matrix is not learned[0]:
                continue
            block = matrix.locator(".attn-block").nth(t).bounding_box()
            assert told["x"] < block["x"] + block["width"] / 2 < told["x"] + told["width"]
        name = page.locator(".attn-lanes > .attn-square > p")
        assert name.is_visible() and name.text_content() == "WO"
        spot, letters = written.nth(3).bounding_box(), page.locator(".attn-lanes > .attn-square sub").bounding_box()
        assert spot["x"] > letters["x"] + letters["width"] or spot["y"] > letters["y"] + letters["height"] - 4
        boxes = [one.bounding_box() for one in written.all()]
        assert width > 500 or all(a["x"] + a["width"] < b["x"] for a, b in itertools.pairwise(boxes[:3]))


@pytest.mark.parametrize("width", [902, 390])
def test_what_has_made_the_queries_steps_back_once_they_meet_the_keys(show, width):
    page = show([layer(4, 6, 3, 2)], width=width, reduced_motion="reduce")
    seen = "all => all.map((one) => Number(getComputedStyle(one).opacity))"
    found = []
    for stage in range(1, 5):
        to(page, stage)
        found.append(max(page.locator("path.attn-stem, g:not([data-off]) > .attn-bus").evaluate_all(seen)))
    assert found == pytest.approx([0.08, 0.08, 0.91, 0.455])
    shares = "(one) => getComputedStyle(one, '::before').visibility"
    value_ = page.locator(".attn-half[data-on] > :nth-child(4)")
    for stage, told in ((4, "hidden"), (5, "visible")):
        to(page, stage)
        assert value_.evaluate(shares) == told  # no heading before there are numbers


def test_on_a_phone_the_sentence_follows_the_title_and_the_drawing_the_numbers_closely(show):
    page = show([layer(4, 6, 3, 2)], width=390, height=800, reduced_motion="reduce")
    tops = set()
    for t, word in itertools.product(range(3), WORDS[:4]):
        page.get_by_role("button", name=word, exact=True).click()
        page.get_by_role("button", name=f"head {t}", exact=True).click()
        named = [
            page.locator(one).bounding_box() for one in (".attn-title", ".attn-say", ".attn-strip", ".attn-ground")
        ]
        title, told, numbers, ground = named
        tops.add(ground["y"])
        assert 0 < told["y"] - title["y"] - title["height"] < 24
        assert 0 < ground["y"] - numbers["y"] - numbers["height"] < 24
    assert len(tops) == 1
    assert lane(page, 0, "Q").count() and min(lane(page, 2, name).bounding_box()["height"] for name in "QAKV") >= 72


def added_lengths(page):
    """The numbers beside the followed row of what each head adds."""
    return page.locator(".attn-joins > g").last.locator("text")


def test_how_much_a_head_adds_stands_beside_the_row_that_is_followed(show):
    shown = layer(4, 6, 3, 2)
    page = show([shown], width=902, reduced_motion="reduce")
    for i, word in enumerate(WORDS[:4]):
        page.get_by_role("button", name=word, exact=True).click()
        told = [text.number(np.linalg.norm(one[i]), 1) for one in shown.writes]
        seen = added_lengths(page).evaluate_all("all => all.map((one) => getComputedStyle(one).opacity)")
        assert seen == (["1", "0", "0"] if i else ["1"] * 3)  # of all heads, or of the one that is asked for
        assert added_lengths(page).all_text_contents() == told
        for t, one in enumerate(added_lengths(page).all()):
            number, adds, output = (of.bounding_box() for of in (one, lane(page, t, "adds"), lane(page, t, "W_O")))
            assert number["y"] + number["height"] / 2 == pytest.approx(
                adds["y"] + adds["height"] * (i + 0.5) / 4, abs=3
            )
            assert output["x"] + output["width"] < number["x"] and number["x"] + number["width"] < adds["x"]
        if not i:
            page.get_by_role("button", name="All heads").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_head_s_colour_stands_out_from_the_paper(show, theme):
    page = show([layer(4, 8, 8, 1)], width=902, theme=theme)
    inks = page.locator(".attn-lane-bar").evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    paper = page.locator(".attn-live").evaluate("one => getComputedStyle(one).backgroundColor")

    for ink in inks:
        low, high = sorted(map(light, (ink, paper)))
        assert (high + 0.05) / (low + 0.05) >= (1.9 if theme == "light" else 4.5)  # yellow is pale on white


def test_a_head_switched_off_adds_nothing_and_comes_back(show):
    page = show([layer()])
    page.get_by_role("button", name="head 2", exact=True).click()
    assert said(page) == repr(layer(head=2))
    page.get_by_role("button", name="Switch head 2 off").click()
    without = layer(head=2, on=[1, 1, 0])
    assert said(page) == repr(without) and "switched off" in said(page)
    assert "looks" not in said(page)  # nothing is told of what the head would do
    lengths = [np.linalg.norm(one.writes[:, 0].sum(axis=0)) for one in (without, layer())]
    told = "The other heads add a vector of length {}; with head 2 it would be {}."
    assert said(page).endswith(told.format(*map(text.number, lengths)))
    assert added_lengths(page).all_text_contents()[2] == "off"
    told = value(point(page, square(page, "X + Y, the stream"), (5, 12), (1, 3)))
    assert told == pytest.approx(without.stream[1, 3], abs=0.0006)
    page.get_by_role("button", name="river").click()
    page.get_by_role("button", name="Start again").click()
    assert said(page) == repr(layer())


def test_at_the_last_stage_a_head_switched_off_is_answered_by_the_length_before_and_after(show):
    page = show([layer(row=3)], stage=7, width=390, height=800, reduced_motion="reduce")
    before, without = (np.linalg.norm(layer(on=on).writes[:, 3].sum(axis=0)) for on in ([1, 1, 1], [1, 0, 1]))
    assert said(page).endswith(f"The row of “the” in Y has length {text.number(before)}.")
    height = page.locator(".attn-live").bounding_box()["height"]
    page.get_by_role("button", name="head 1", exact=True).click()
    page.get_by_role("button", name="Switch head 1 off").click()
    assert said(page).endswith(f"{text.number(before)} with all heads, {text.number(without)} without head 1.")
    for name in ("she", "river", "head 2"):
        page.get_by_role("button", name=name, exact=True).click()
        assert page.locator(".attn-live").bounding_box()["height"] == height
    steps, told, ground = (page.locator(f".attn-{name}").bounding_box()["y"] for name in ("stepper", "foot", "ground"))
    assert told < steps < ground  # under the title


def test_the_arrow_keys_reach_every_number_of_every_matrix(show):
    shown = layer()
    page = show([shown])
    pictures = page.locator(".attn-lanes .attn-field")
    assert (
        pictures.evaluate_all("all => all.map((one) => one.tabIndex)").count(0) == 7 + 6
    )  # all that all share, one head
    page.get_by_role("button", name="head 2", exact=True).click()
    picture = lane(page, 2, "K")
    page.get_by_role("button", name="Start again").focus()
    while not picture.evaluate("one => one === document.activeElement"):
        page.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowDown", "End", "ArrowLeft"):
        page.keyboard.press(key)
    told = page.locator(".attn-origin").text_content()
    assert told == picture.get_attribute("aria-label").replace("W K", "W_K")
    assert told == point(page, picture, (5, 4), (2, 2)) and "column 10, of head 2" in told
    page.mouse.move(1, 1)
    page.keyboard.press("Enter")
    assert said(page) == repr(layer(head=2, row=2))
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.locator(".attn-glow:visible").count() == 3  # the number, its word and its column
    page.locator(".attn-live").click(position={"x": 4, "y": 4})
    assert page.locator(".attn-glow:visible").count() == 0


def test_the_row_that_is_followed_is_joined_from_matrix_to_matrix(show):
    shown = layer(row=3)
    page = show([shown], reduced_motion="reduce")
    blends = page.locator(".attn-joins g").nth(1).locator(".attn-blend")
    ends = blends.evaluate_all("all => all.map((one) => one.getAttribute('d').match(/-?[\\d.]+/g).map(Number))")
    thick = np.array([one[8] - one[7] for one in ends])  # where a value's row arrives, V goes down by its weight
    row = ends[5][14] - ends[5][1]  # of what the head adds, where its ribbon leaves
    assert len(ends) == 5 + 1
    np.testing.assert_allclose(thick[:5] / row, shown.weights[1, 3], atol=0.02)
    assert thick[:5].sum() == pytest.approx(row, abs=0.5)  # stacked, they fill one row
    assert [one[8] for one in ends[:4]] == pytest.approx([one[7] for one in ends[1:5]], abs=0.1)
    page.get_by_role("button", name="she", exact=True).click()
    moved = blends.first.get_attribute("d")
    assert moved and page.locator(".attn-adding").count() == 0  # who asked for less motion sees nothing fly


@pytest.mark.parametrize("width", [902, 390])
def test_x_goes_around_the_heads_and_is_added_to_their_sum(show, width):
    page = show([layer(4, 6, 3, 2, row=1)], width=width, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for row in (1, 3):
        page.get_by_role("button", name=WORDS[row], exact=True).click()
        carried = page.locator(".attn-carry path").evaluate_all("""all => all.slice(0, 3).map((one) => {
            const seen = (far) => one.getPointAtLength(far).matrixTransform(one.getScreenCTM());
            return [seen(0), seen(one.getTotalLength())].map(({ x, y }) => [x, y]);
        })""")
        plus = page.locator("circle.attn-plus").bounding_box()
        centre = [plus["x"] + plus["width"] / 2, plus["y"] + plus["height"] / 2]
        rows = {}
        for name in ("X", "Y, the sum of all heads", "X + Y, the stream"):
            box = square(page, name).bounding_box()
            middle = box["y"] + box["height"] * (row + 0.5) / 4
            rows[name] = [[x, middle] for x in (box["x"], box["x"] + box["width"])]
        x, y, stream = rows.values()
        (start, met), (added, joined), (summed, end) = carried
        np.testing.assert_allclose([met, joined, summed], [centre] * 3, atol=1)  # both meet at the plus
        np.testing.assert_allclose([start, added], [x[1], y[1]], atol=2.5)  # from the row that is followed
        np.testing.assert_allclose(end, stream[width > 500], atol=2.5)
        lowest = max(lane(page, 0, name).bounding_box()["y"] + 20 for name in LANE)
        foot = page.locator(".attn-carry path").first.bounding_box()
        assert foot["y"] + foot["height"] > lowest and foot["x"] > 0 and foot["x"] + foot["width"] < width


@pytest.mark.parametrize("width", [902, 390])
def test_the_heads_rows_land_one_after_another_and_then_x_and_y_together(show, width):
    page = slowly(show([layer(4, 6, 3, 2, on=[1, 1, 0] if width > 500 else [1, 1, 1])], width=width))
    page.get_by_role("button", name="the", exact=True).click()
    ends = page.locator(".attn-adding").evaluate_all("""all => all.map((one) => {
        const { delay, duration } = one.getAnimations()[0].effect.getTiming();
        return [one.closest(".attn-square").textContent, delay, delay + duration];
    })""")
    heads_, last = (
        [end for name, _, end in ends if name.startswith("Y")],
        [e for n, _, e in ends if n.startswith("X + Y")],
    )
    assert len(heads_) == (2 if width > 500 else 1) and (np.diff(heads_) > 300).all()
    assert len(last) == 2 and last[0] == last[1] > max(heads_)
    if width == 390:  # a row is never wider than what it leaves
        page.locator(".attn-adding").evaluate_all(
            "all => all.map((one) => one.getAnimations()[0]).forEach((way) => (way.pause(), way.currentTime = 0))"
        )
        box = page.locator(".attn-adding").first.bounding_box()
        assert box["width"] == pytest.approx(lane(page, 0, "adds").bounding_box()["width"], abs=4)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_others_are_seen_when_the_chosen_head_is_off(show):
    page = show([layer(4, 6, 3, 2)], width=902, reduced_motion="reduce")
    page.get_by_role("button", name="Switch head 0 off").click()
    seen = "all => all.map((one) => Number(getComputedStyle(one).opacity))"
    dim = np.array(page.locator(".attn-half .attn-field").evaluate_all(seen)).reshape(3, 6)
    assert (dim[0] < 0.5).all() and (dim[1:] == 1).all()


def test_a_column_of_blocks_has_one_name_above_the_first_and_each_lane_a_ground_of_its_own(show):
    page = show([layer(4, 6, 3, 2)], width=902, reduced_motion="reduce")
    for name in LANE:
        blocks = [lane(page, t, name) for t in range(3)]
        told = [one.locator("xpath=../p") for one in blocks]
        words, box = told[0].bounding_box(), blocks[0].bounding_box()
        assert [one.is_visible() for one in told] == [True, False, False] and told[0].text_content() == name
        assert 0 <= box["y"] - words["y"] - words["height"] < 8 and words["x"] == pytest.approx(box["x"], abs=2)
        assert [one.bounding_box()["x"] for one in blocks] == pytest.approx([box["x"]] * 3, abs=1)
    grounds = [one.bounding_box() for one in page.locator(".attn-lane").all()]
    assert len(grounds) == 3
    for t, ground in enumerate(grounds):
        for name in LANE[:-1]:  # all of a head's own but what it adds, which is behind the one W_O
            box = lane(page, t, name).bounding_box()
            assert ground["y"] < box["y"] and box["y"] + box["height"] < ground["y"] + ground["height"]
            assert ground["x"] - 1 <= box["x"] and box["x"] + box["width"] < ground["x"] + ground["width"]
    assert all(a["y"] + a["height"] + 3 < b["y"] for a, b in itertools.pairwise(grounds))  # paper between lanes
    inks = page.locator(".attn-lane").evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(inks)) == 3


@pytest.mark.parametrize("width", [902, 390])
def test_it_opens_as_one_whole_diagram_and_next_begins_at_x(show, width):
    page = show([layer(4, 6, 3, 2)], stage=None, width=width, reduced_motion="reduce")
    assert page.locator("[data-blank], [data-dim]").count() == 0
    assert page.locator(".attn-step").text_content() == "all stages"
    back, following = (page.get_by_role("button", name=name, exact=True) for name in ("Back", "Next"))
    assert (back.get_attribute("aria-disabled"), following.get_attribute("aria-disabled")) == ("true", "false")
    following.click()
    assert page.locator(".attn-step").text_content() == "1 of 7 · X: 4×6"
    for _ in range(7):
        following.click()
    assert page.locator(".attn-step").text_content() == "all stages"
    assert following.get_attribute("aria-disabled") == "true"


def test_every_head_has_a_bar_with_its_name(show):
    page = show([layer(4, 6, 3, 2)], width=902, reduced_motion="reduce")
    bars = page.locator(".attn-lane-bar")
    assert bars.all_text_contents() == ["head 0", "head 1", "head 2"]
    for t, bar in enumerate(bars.all()):
        bar, q = bar.bounding_box(), lane(page, t, "Q").bounding_box()
        assert [bar["y"], bar["height"]] == pytest.approx([q["y"], q["height"]], abs=3)


@pytest.mark.parametrize("width", [902, 390])
def test_the_controls_are_a_group_for_the_word_and_one_for_the_heads(show, width):
    page = show([layer(4, 6, 3, 2)], width=width, reduced_motion="reduce")
    groups = page.locator(".attn-chips")
    assert groups.evaluate_all("all => all.map((one) => one.ariaLabel)") == ["Follow", "Heads"]
    seen = groups.nth(1).locator("button:visible")
    assert seen.all_text_contents() == ["0", "1", "2", *["all"] * (width > 500)]
    tops = seen.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert np.ptp(tops) < 4
    off = page.get_by_role("button", name="Switch head 0 off")  # it says so itself, and stands apart from the numbers
    gap, under = (off.bounding_box()[at] - seen.last.bounding_box()[at] for at in "xy")
    assert gap > seen.last.bounding_box()["width"] + 12 or under > 30
    off.click()
    assert page.get_by_role("button", name="Switch head 0 on").is_visible()
    assert said(page) == repr(layer(4, 6, 3, 2, on=[0, 1, 1]))


def test_the_legend_ends_in_the_colours_of_the_cells_in_the_dark_too(show):
    page = show([layer(4, 6, 3, 2)], theme="dark", reduced_motion="reduce")
    far = """all => all.flatMap((one) => {
        const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
        return Array.from({ length: data.length / 4 }, (_, k) => [...data.slice(4 * k, 4 * k + 4)]);
    }).filter((pixel) => pixel[3] > 220).map((pixel) => pixel.slice(0, 3).join(", "))"""
    cells = set(page.locator(".attn-field:not([data-kind=weight]) canvas").evaluate_all(far))
    ramp = page.locator(".attn-ramp").first.evaluate("(one) => getComputedStyle(one).backgroundImage")
    ends = [np.array(one.split(","), int) for one in re.findall(r"rgb\(([\d, ]+)\)", ramp)]
    assert cells  # the strongest; a canvas rounds what it lays on thinly
    for cell in cells:
        assert min(np.abs(end - np.array(cell.split(","), int)).max() for end in (ends[0], ends[-1])) <= 2, cell


def test_the_shares_of_a_head_that_is_off_are_soft(show):
    page = show([layer(4, 6, 3, 2)], width=902, reduced_motion="reduce")
    page.get_by_role("button", name="Switch head 0 off").click()
    seen = "all => all.map((one) => getComputedStyle(one).fill)"
    inks = [set(page.locator(".attn-joins g").nth(t).locator("text").evaluate_all(seen)) for t in range(3)]
    assert len(inks[0] | inks[1]) == 2 and inks[1] == inks[2]


@pytest.mark.parametrize("width", [902, 390])
def test_the_words_stand_beside_their_rows_and_their_weights(show, width):
    shown = layer(4, 6, 3, 2)
    page = show([shown], width=width, reduced_motion="reduce")
    words, x = page.locator(".attn-joins > text"), square(page, "X").bounding_box()
    assert words.all_text_contents() == WORDS[:4]
    assert [word.is_visible() for word in words.all()] == [True] * 4
    for k, word in enumerate(words.all()):
        box = word.bounding_box()
        if not box:  # rows lower than letters
            continue
        assert 0 < box["x"] and box["x"] + box["width"] < x["x"]
        middle = box["y"] + box["height"] / 2
        assert middle == pytest.approx(x["y"] + x["height"] * (k + 0.5) / 4, abs=3)
    told = page.locator(".attn-joins g").nth(0).locator("text").all_text_contents()
    numbers = [text.number(a, 2).removeprefix("0") for a in shown.weights[0, 0]]
    assert told == [f"{word} {a}" for word, a in zip(WORDS, numbers, strict=False)]


def test_the_matrices_of_a_layer_stand_together(show):
    page = show([layer(4, 6, 3, 2)], width=902)
    page.add_style_tag(content="html { font-size: 112.5% }")  # the site's letters
    boxes = [one.bounding_box() for one in page.locator(".attn-lanes canvas").all()]
    covered = sum(box["width"] * box["height"] for box in boxes)
    ground = page.locator(".attn-lanes").bounding_box()
    assert covered / (ground["width"] * ground["height"]) > 0.2
    assert page.locator(".attn-live").bounding_box()["height"] < 700  # a window of 800 holds it, below the bar


@pytest.mark.parametrize("width", [390, 1280])
def test_the_numbers_of_the_lanes_have_one_size_and_those_beside_them_another(show, width):
    page = show([layer(4, 8, 2, 6)], width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    given, lanes, sums = (
        np.array(
            page.locator(f".attn-lanes {where} canvas").evaluate_all(
                "all => all.map((one) => [one.clientWidth / one.width, one.clientHeight / one.height])"
            )
        )
        for where in (".attn-given", ".attn-half", ".attn-sums")
    )
    assert len(given) == 4 and len(lanes) == 2 * 6 and len(sums) == 2
    lanes = lanes[lanes[:, 0] > 0]  # a phone shows one head
    assert len(lanes) == (6 if width == 390 else 12)
    if width > 700:  # X is as large as what the heads make of it
        np.testing.assert_allclose(given[0], lanes.mean(axis=0), rtol=0.02)
        given = given[1:]
    for cells in (given, lanes, sums):
        assert np.ptp(cells, axis=0).max() < 0.2 and np.min(cells) > 3  # pixels are whole, cells need not be
    assert (lanes.mean(axis=0) > 0.99 * given.mean(axis=0)).all() and lanes[:, 1].mean() > 1.05 * given[:, 1].mean()
    assert (sums.mean(axis=0) > 0.98 * lanes.mean(axis=0)).all()  # the result is not the smallest


@pytest.mark.parametrize("heads_", [2, 3])
def test_on_a_phone_a_lane_is_two_lines_and_no_weight_lies_on_a_matrix(show, heads_):
    page = show([layer(4, 8, heads_, 3)], width=390)
    for t in range(heads_):
        page.get_by_role("button", name=f"head {t}", exact=True).click()
        boxes = {name: lane(page, t, name).bounding_box() for name in LANE}
        tops = np.array([boxes[name]["y"] for name in LANE])
        assert np.ptp(tops[:4]) < 1 and np.ptp(tops[4:]) < 1 and tops[4] > tops[3] + boxes["V"]["height"] + 20
        assert boxes["adds"]["x"] + boxes["adds"]["width"] > 330 and min(box["width"] for box in boxes.values()) > 30
        told = page.locator(".attn-joins g").nth(t).locator("text")
        assert told.count() == 4 and "" not in told.all_text_contents()
        for one in told.all():
            text = one.bounding_box()
            assert text["x"] + text["width"] < 372
            for box in boxes.values():
                apart = [text["x"] >= box["x"] + box["width"], text["x"] + text["width"] <= box["x"]]
                apart += [text["y"] >= box["y"] + box["height"], text["y"] + text["height"] <= box["y"]]
                assert any(apart), (one.text_content(), text, box)


def test_a_column_of_a_projection_chooses_its_head_and_a_row_of_the_output_matrix_too(show):
    page = show([layer()])
    wide = square(page, "WK").bounding_box()["width"]
    square(page, "WK").click(position={"x": 0.9 * wide, "y": 30})
    assert said(page) == repr(layer(head=2))
    output = lane(page, 0, "W_O")
    output.click(position={"x": 30, "y": output.bounding_box()["height"] / 2})
    assert said(page) == repr(layer(head=1))


@pytest.mark.parametrize("width", [902, 390])
def test_the_one_output_matrix_has_its_true_proportions_and_the_head_s_own_rows_outlined(show, width):
    page = show([layer()], width=width, reduced_motion="reduce")
    if width > 700:  # a phone shows one head
        page.get_by_role("button", name="All heads").click()
    for t in range(3):
        page.get_by_role("button", name=f"head {t}", exact=True).click()
        output, adds = lane(page, t, "W_O"), lane(page, t, "adds")
        assert output.count() == 1
        assert output.locator("canvas").evaluate("one => [one.width, one.height]") == [12, 12]
        box = output.bounding_box()
        assert box["height"] == pytest.approx(adds.bounding_box()["height"] / 5 * 12, abs=12)  # rows as high as theirs
        assert box["width"] == pytest.approx(adds.bounding_box()["width"], abs=2)
        rows = output.locator(".attn-block")
        assert rows.count() == 3
        for k, one in enumerate(rows.all()):
            part = one.bounding_box()
            assert part["height"] == pytest.approx(box["height"] / 3, abs=2)
            assert part["y"] == pytest.approx(box["y"] + k * box["height"] / 3, abs=2)
            drawn = "one => [getComputedStyle(one).outlineStyle, getComputedStyle(one).backgroundColor]"
            outline, veil = one.evaluate(drawn)
            assert (outline == "solid") == (veil == "rgba(0, 0, 0, 0)") == (k == t)  # the others are pale
    page.get_by_role("button", name="Switch head 2 off").click()
    veils = output.locator(".attn-block").evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert veils == ["rgba(0, 0, 0, 0)"] * 3
    page.get_by_role("button", name="Switch head 2 on").click()
    page.get_by_role("button", name="head 1", exact=True).click()
    point(page, lane(page, 1, "adds"), (5, 12), (2, 7))
    lit = page.locator(".attn-glow:visible").evaluate_all("all => all.map((one) => one.style.cssText)")
    assert any(one.replace(" ", "").startswith("--i:4;--j:7;--p:4;--q:1") for one in lit)  # its four rows, one column


@pytest.mark.parametrize("width", [902, 390])
def test_the_weights_stand_in_a_column_before_the_rows_of_v_and_their_ribbons_start_behind_them(show, width):
    shown = layer(4, 6, 3, 2)
    page = show([shown], width=width, reduced_motion="reduce")
    for t in range(3):
        page.get_by_role("button", name=f"head {t}", exact=True).click()
        group = page.locator(".attn-joins g").nth(t)
        # the letters alone: a bounding box has their outline too
        boxes = "all => all.map((one) => one.getBoundingClientRect().toJSON())"
        numbers, ribbons = (group.locator(kind).evaluate_all(boxes) for kind in ("text", ".attn-blend:not(.attn-turn)"))
        v = lane(page, t, "V").bounding_box()
        rights = [text["x"] + text["width"] for text in numbers]
        assert len(numbers) == 4 and np.ptp(rights) < 1.5  # one under another
        assert v["x"] - 8 < max(rights) < v["x"]  # no number cuts a ribbon: they begin at the rows of V
        assert [one["x"] for one in ribbons[:4]] == pytest.approx([v["x"] + v["width"]] * 4, abs=1.5)
        k = lane(page, t, "K").bounding_box()
        assert min(text["x"] for text in numbers) > k["x"] + k["width"]
        for j, one in enumerate(numbers):
            assert one["y"] + one["height"] / 2 == pytest.approx(v["y"] + v["height"] * (j + 0.5) / 4, abs=3)
        assert group.locator("rect").count() == 0
        ways = group.locator(".attn-blend:not(.attn-turn)").evaluate_all(
            "all => all.map((one) => one.getAttribute('d'))"
        )
        points = np.array([re.findall(r"-?[\d.]+", way) for way in ways[:4]], float)
        start, end = points[:, 14] - points[:, 1], points[:, 8] - points[:, 7]
        np.testing.assert_allclose(start, end, atol=0.1)  # as thick as the weight all along
        np.testing.assert_allclose(start / sum(start), shown.weights[t, 0], atol=0.01)


def test_one_path_is_lit_and_a_pointed_number_s_sources_are_never_dim(show):
    page = show([layer(head=1, on=[1, 1, 0])], reduced_motion="reduce")
    seen = "all => all.map((one) => Number(getComputedStyle(one).opacity))"
    dim = np.array(page.locator(".attn-half .attn-field").evaluate_all(seen)).reshape(3, 6)
    assert (dim[1] == 1).all() and (dim[0] == 1).all() and (dim[2] < dim[0]).all()  # switched off is fainter
    point(page, square(page, "Y, the sum of all heads"), (5, 12), (2, 3))
    dim = np.array(page.locator(".attn-half .attn-field").evaluate_all(seen)).reshape(3, 6)
    assert (dim[:, LANE.index("adds")] == 1).all()


def test_on_a_phone_one_head_stands_open_and_another_takes_its_place(show):
    page = show([layer(4, 6, 3, 2)], width=390, height=800, has_touch=True, reduced_motion="reduce")
    names = [page.get_by_role("button", name=f"head {t}", exact=True) for t in range(3)]
    before = [one.bounding_box() for one in names]
    assert np.ptp([box["y"] for box in before]) < 1 and page.locator(".attn-live").bounding_box()["height"] < 1240
    for t, one in enumerate(names):
        one.tap()
        assert [lane(page, k, "Q").is_visible() for k in range(3)] == [k == t for k in range(3)]
        assert page.locator(".attn-joins path").count() > 0
        tops = [one.bounding_box()["y"] for one in names]
        assert tops == [box["y"] for box in before]  # nothing moves under the finger


def test_a_finger_s_tap_says_the_number_on_the_screen_and_follows_no_other_word(show):
    shown = layer(4, 6, 3, 2)
    page = show([shown], width=390, height=700, has_touch=True, is_mobile=True, reduced_motion="reduce")
    before = said(page)
    lane(page, 0, "Q").scroll_into_view_if_needed()
    for name, at in (("Q", (2, 1)), ("A", (1, 3)), ("adds", (3, 0))):
        picture = lane(page, 0, name)
        box, size = picture.bounding_box(), dict(Q=(4, 2), A=(4, 4), adds=(4, 6))[name]
        place = {"x": box["width"] * (at[1] + 0.5) / size[1], "y": box["height"] * (at[0] + 0.5) / size[0]}
        picture.tap(position=place)
        matrix = dict(Q=shown.X @ np.array(shown.W_Q)[:, :2], A=shown.weights[0], adds=shown.writes[0])[name]
        assert value(page.locator(".attn-origin").text_content()) == pytest.approx(matrix[at], abs=6e-4)
        bubbles = page.locator(".attn-glow[data-told]:visible")  # the number stands at the square
        [told] = bubbles.evaluate_all("all => all.map((one) => getComputedStyle(one, '::after').content)")
        assert told.strip('"') == text.number(matrix[at])
        glow, card = bubbles.bounding_box(), page.locator(".attn-live").bounding_box()
        wide = bubbles.evaluate("one => parseFloat(getComputedStyle(one, '::after').width) + 12") / 2
        assert glow["y"] > 20 and card["x"] < middle(bubbles)[0] - wide and middle(bubbles)[0] + wide < 390
        assert said(page) == before
    page.get_by_role("button", name="by", exact=True).tap()
    assert not page.locator(".attn-origin").is_visible() and said(page) == repr(layer(4, 6, 3, 2, row=2))


def test_sizes_that_do_not_fit_are_named():
    shown = layer()
    parts = [shown.X, shown.W_Q, shown.W_K, shown.W_V, shown.W_O]
    with pytest.raises(ValueError, match="5 heads do not divide the width h·d, which is 12"):
        widgets.ManyHeads(*parts, 5)
    with pytest.raises(ValueError, match="the number of heads is 3 in heads but 2 in on"):
        widgets.ManyHeads(*parts, 3, on=[1, 0])
    with pytest.raises(ValueError, match="head is 3, but there are 3 heads"):
        widgets.ManyHeads(*parts, 3, head=3)
    with pytest.raises(ValueError, match="the model width c is 12 in X but 4 in W_K"):
        widgets.ManyHeads(shown.X, shown.W_Q, np.ones((4, 12)), shown.W_V, shown.W_O, 3)


def test_on_a_phone_a_head_that_is_off_stays_legible_and_the_copy_of_x_stays_in_the_card(show):
    page = show([layer(4, 6, 3, 2)], width=390)
    card = page.locator(".attn-live").bounding_box()
    page.get_by_role("button", name="sat", exact=True).click()
    left = page.evaluate(ADDED)
    assert len(left) > 10 and min(left) >= card["x"]
    page.get_by_role("button", name="Switch head 0 off").click()
    page.wait_for_timeout(1000)  # the lane has faded
    off = page.locator(".attn-half[data-on] .attn-square[data-off] .attn-field")
    assert min(off.evaluate_all("all => all.map((one) => Number(getComputedStyle(one).opacity))")) >= 0.5
    assert page.locator(".attn-adding").count() == 0  # nothing flies over the names


def test_it_opens_on_all_heads_for_they_add_and_the_others_stand_back_when_one_is_asked_for(show):
    page = show([layer()], reduced_motion="reduce")
    seen = "all => all.map((one) => Number(getComputedStyle(one).opacity))"

    def bright():
        """The heads of which what they add is seen, the rest of them no less."""
        dim = np.array(page.locator(".attn-half .attn-field").evaluate_all(seen)).reshape(3, 6)
        assert np.isin(dim, [0.2, 0.65, 1]).all() and ((dim < 0.3).any(axis=1) == (dim < 0.3).all(axis=1)).all()
        return [t for t in range(3) if dim[t, 5] == 1]

    every = page.get_by_role("button", name="All heads")
    assert bright() == [0, 1, 2] and every.get_attribute("aria-pressed") == "true"
    every.click()
    assert bright() == [0] and every.get_attribute("aria-pressed") == "false"
    page.get_by_role("button", name="head 2", exact=True).click()
    assert bright() == [2]
    page.get_by_role("button", name="Start again").click()
    assert bright() == [0, 1, 2]
    every.click()
    to(page, 7)
    assert bright() == [0, 1, 2]  # the sum is all heads'
    assert said(page).startswith("What the heads add is summed")


def test_next_moves_no_matrix(show):
    page = show([layer(4, 6, 3, 2)], width=902, reduced_motion="reduce")
    boxes = "all => all.map((one) => one.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width])"
    before = page.locator(".attn-lanes canvas").evaluate_all(boxes)
    for stage in range(1, 5):
        to(page, stage)
        np.testing.assert_allclose(page.locator(".attn-lanes .attn-field").evaluate_all(boxes)[:4], before[:4], atol=2)


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_the_line_of_the_stage_moves_nothing(show, width):
    page = show([layer(4, 6, 3, 2)], width=width, reduced_motion="reduce")
    tops = []
    for stage in range(1, ALL + 1):
        to(page, stage)
        tops.append(page.locator(".attn-lanes").bounding_box()["y"])
    assert tops == pytest.approx([tops[0]] * ALL, abs=0.1)


@pytest.mark.parametrize("width", [902, 390])
def test_it_opens_on_x_and_what_was_learned_with_the_followed_word_s_numbers(show, width):
    shown = layer(4, 6, 3, 2, head=1, row=2)
    page = show([shown], stage=1, width=width, reduced_motion="reduce")
    assert page.locator(".attn-square:not([data-blank]) p:visible").all_text_contents()[:4] == ["X", "WQ", "WK", "WV"]
    assert not lane(page, 0, "W_O").locator("xpath=..").get_attribute("data-dim")
    x, own = np.array(shown.X), slice(2, 4)
    q, k, v = (x[2] @ np.array(w)[:, own] for w in (shown.W_Q, shown.W_K, shown.W_V))
    whole = shown.writes.sum(axis=0)[2]
    made = [x[2], x[2], [*q, *k, *v], shown.weights[1, 2], shown.weights[1, 2] @ x @ np.array(shown.W_V)[:, own]]
    for stage, line in enumerate([*made, shown.writes[1, 2], [*whole, *(x[2] + whole)]], 1):
        to(page, stage)
        cells = page.locator(".attn-strip i")
        told = [float(one.split()[-1].replace("−", "-").replace("≈", "")) for one in cells.all_text_contents()]
        np.testing.assert_allclose(told, line, atol=0.051)
        assert cells.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth + 1)"), stage
        if stage == 4:
            assert [one.split()[0] for one in cells.all_text_contents()] == WORDS[:4]


def test_a_matrix_is_drawn_about_as_wide_as_it_is(show):
    page = show([layer(4, 6, 3, 2)], width=902)
    for name, (n, m) in {"Q": (4, 2), "A": (4, 4), "adds": (4, 6)}.items():
        box = lane(page, 0, name).bounding_box()
        assert 1 < (box["height"] / n) / (box["width"] / m) < 1.65  # cells little higher than wide: a word's height


def test_no_ribbon_runs_through_a_name_and_no_two_names_lie_on_each_other(show):
    small = layer(3, 4, 2, 3)  # a narrow W_O: its name and that of its rows stand side by side
    page = show([small], width=390, reduced_motion="reduce")
    for t in range(2):
        page.get_by_role("button", name=f"head {t}", exact=True).click()
        name, rows = page.locator(".attn-lanes > .attn-square sub"), page.locator(".attn-owned text").last
        assert rows.text_content() == f"rows {3 * t}–{3 * t + 2}"
        box = name.bounding_box()
        assert box["x"] + box["width"] < rows.bounding_box()["x"]
    page = show([small], width=902, reduced_motion="reduce")
    named = page.locator(".attn-sums p")
    assert [one.evaluate("one => getComputedStyle(one).position") for one in named.all()] == ["relative"] * 2
    paper = page.locator(".attn-live").evaluate("one => getComputedStyle(one).backgroundColor")
    assert {one.evaluate("one => getComputedStyle(one).backgroundColor") for one in named.all()} == {paper}
    borders = [page.get_by_role("button", name=f"head {t}", exact=True) for t in range(2)]
    seen = [one.evaluate("one => getComputedStyle(one).borderTopColor") for one in borders]
    assert len(set(seen)) == 2 and "rgba(0, 0, 0, 0)" not in seen  # each head's own colour
