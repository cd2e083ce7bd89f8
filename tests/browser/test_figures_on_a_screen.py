"""Cause and effect stand on one screen, nothing that moves is below it, and what a figure says is of what it shows."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from figurepage import middle, said, slowly
from PIL import Image
from worked import every_widget

from attn.show import widgets

pytestmark = pytest.mark.browser
RIVER = "she sat by the river bank"
SITE = Path(__file__).resolve().parents[2] / "book" / "theme" / "static"
RULES = "".join((SITE / name).read_text(encoding="utf-8") for name in ("base.css", "page.css", "notebook.css"))
PAGE = re.sub(r"@font-face {.*?}", "", RULES)  # the letters lie elsewhere


def ends(element):
    """Where an element begins and ends on the page.   -> (upper edge, lower edge)"""
    box = element.bounding_box()
    return box["y"], box["y"] + box["height"]


@pytest.mark.parametrize("width", [892, 390])
def test_a_word_s_switches_hang_on_it_and_the_answer_stands_under_them(show, width):
    page = show([widgets.SenseHead(RIVER)], width=width, reduced_motion="reduce")
    reads, bar, swaps = (page.locator(one) for one in (".attn-reads", ".attn-answer", ".attn-swaps"))
    for word in ("river", "she"):
        page.locator(".attn-asks button", has_text=word).click()
        chosen = page.locator(".attn-asks [aria-pressed=true]")
        key, value = (page.locator(f"[role=group][aria-label='{kind} of {word}']") for kind in ("key", "value"))
        assert ends(chosen)[1] == pytest.approx(ends(swaps)[0], abs=1.5)  # one shape, without a line between them
        ground = chosen.evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).borderBottomColor]")
        assert set(ground) == {swaps.evaluate("e => getComputedStyle(e).backgroundColor")}
        for one in (key, value):
            assert ends(swaps)[0] < ends(one)[0] and ends(one)[1] < ends(swaps)[1]
        assert ends(value)[1] < ends(reads)[0] < ends(bar)[1] < ends(chosen)[1] + (220 if width == 390 else 150)
    box = page.locator(".attn-asks button").nth(2).bounding_box()  # of another word nothing hides the frame's line
    assert colour(page, swaps, box["x"] + box["width"] / 2 - swaps.bounding_box()["x"], 0.5) != (255, 255, 255)
    if width == 390:
        return
    assert page.locator(".attn-live").bounding_box()["height"] < 880
    again, choice = page.get_by_role("button", name="Start again"), page.get_by_role("combobox")
    assert ends(again)[0] == pytest.approx(ends(choice)[0], abs=2)


def test_on_a_phone_one_plane_is_seen_at_a_time_and_a_swap_shows_its_own(show):
    page = show([widgets.SenseHead(RIVER)], width=390, reduced_motion="reduce")
    keys, values = page.locator(".attn-plane").all()
    assert keys.is_visible() and not values.is_visible()
    page.get_by_role("button", name="values and output").click()
    assert values.is_visible() and not keys.is_visible()
    tabs = [one.bounding_box() for one in page.locator(".attn-switch button").all()]
    assert tabs[0]["y"] == tabs[1]["y"] and values.bounding_box()["width"] > 320
    for kind, plane in (("key", keys), ("value", values)):
        page.locator(f"[role=group][aria-label='{kind} of river'] button", has_text="off").click()
        assert plane.is_visible()
    page = show([widgets.SenseHead(RIVER)], width=892, reduced_motion="reduce")
    assert page.locator(".attn-plane:visible").count() == 2 and not page.locator(".attn-switch").is_visible()


@pytest.mark.parametrize("width", [892, 390])
@pytest.mark.parametrize("text", widgets.SenseHead.EXAMPLES[-3:])
def test_every_word_of_a_sentence_is_in_sight_with_its_arc(show, text, width):
    page = show([widgets.SenseHead(text)], width=width, reduced_motion="reduce")
    words = page.locator(".attn-line")
    assert words.evaluate("box => box.parentNode.scrollWidth - box.parentNode.clientWidth") <= 0
    left, card = words.locator("button").first.bounding_box(), page.locator(".attn-live").bounding_box()
    right = words.locator("button").last.bounding_box()
    assert right["x"] + right["width"] - left["x"] > 0.75 * card["width"]  # as wide as the figure
    letters = words.locator("bdi").evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
    assert min(letters) >= 11
    starts = words.locator("path").evaluate_all(
        "all => all.map((arc) => arc.getAttribute('d').match(/M([-\\d.]+)/)[1])"
    )
    assert len(set(starts)) >= len(starts) - 1  # no two but its own arcs end in one place


@pytest.mark.parametrize("way", ["start again", "choose"])
def test_what_was_refused_leaves_with_the_sentence(show, way):
    page = show([widgets.SenseHead(RIVER)], width=892, reduced_motion="reduce")
    line, status = page.get_by_label("Your own sentence"), page.get_by_role("status")
    page.locator("summary").click()
    reads = page.locator(".attn-reads").bounding_box()
    line.fill("no such word here")
    assert status.text_content() == "It does not know “no”, “such”, “word” and 1 more."
    assert line.get_attribute("aria-invalid") == "true"
    box, known = status.bounding_box(), page.get_by_text("words it knows").bounding_box()
    assert box["y"] > reads["y"] + reads["height"] and box["height"] < 30  # one line, and it hides no answer
    assert box["y"] + box["height"] <= known["y"]  # nor the words that can be chosen
    if way == "choose":
        page.get_by_role("combobox").select_option("she saw the bank by the river")
    else:
        page.get_by_role("button", name="Start again").click()
    assert line.input_value() == "" and status.text_content() == "" and line.get_attribute("aria-invalid") == "false"


def test_on_a_phone_what_is_refused_hides_no_word_that_is_known(show):
    page = show([widgets.SenseHead(RIVER)], width=390, reduced_motion="reduce")
    page.locator("summary").click()
    known = page.get_by_text("words it knows")
    before = known.bounding_box()
    page.get_by_label("Your own sentence").fill("the river asked for money at the bank")
    status = page.get_by_role("status")
    told = status.evaluate("""one => {
        const letters = document.createRange();
        letters.selectNodeContents(one);
        return letters.getBoundingClientRect().bottom;
    }""")
    assert status.text_content().startswith("It does not know “asked”") and told <= before["y"]
    assert known.bounding_box() == before


def colour(page, element, dx, dy):
    """What is seen so far right of and below an element's corner.   -> (red, green, blue)"""
    shot = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    box = element.bounding_box()
    return shot.getpixel((round(box["x"] + dx), round(box["y"] + dy)))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_fold_in_a_figure_lies_on_the_figure_s_paper_and_is_as_wide(show, theme):
    page = show([widgets.SenseHead(RIVER)], width=892, theme=theme, reduced_motion="reduce")
    page.add_style_tag(content=PAGE)
    page.locator("summary").click()
    live, fold = page.locator(".attn-live"), page.locator("details")
    assert colour(page, fold, 3, 3) == colour(page, live, 5, 40)  # no panel of another colour
    ground = page.locator("details .attn-scroll").first
    assert colour(page, ground, 1, 1) == colour(page, live, 5, 40)
    assert fold.bounding_box()["width"] == pytest.approx(page.locator(".attn-foot").bounding_box()["width"], abs=2)


def test_a_figure_in_a_fold_of_the_page_stands_on_the_fold_s_ground(show):
    page = show([widgets.Heatmap([[0, 1], [1, 0]])], width=892, reduced_motion="reduce")
    page.add_style_tag(content=PAGE)
    page.evaluate("""() => {
        const figure = document.querySelector(".attn-figure");
        const output = document.createElement("div"), fold = document.createElement("details");
        [output.className, fold.open] = ["cell_output", true];
        figure.before(fold);
        fold.append(output);
        output.append(figure);
    }""")
    figure, fold = page.locator(".attn-figure"), page.locator("details")
    beside = colour(page, fold, 6, 6)
    box = figure.bounding_box()
    for dy in (-4, box["height"] + 3):
        assert colour(page, figure, 40, dy) == beside


WRITES = np.linalg.qr(np.random.default_rng(4).normal(size=(4, 4)))[0][[0, 1, 2, 0, 1, 3]] + 0.1
# Where the parts of each reading begin and end, in units of its values: the axis has its numbers
PARTS = """rows => {
    const at = (x) => [x.left, x.right].reduce((a, b) => (a + b) / 2);
    const marks = [...document.querySelectorAll(".attn-ends span")];
    const [zero, last] = [marks[0], marks.at(-1)].map((one) => at(one.getBoundingClientRect()));
    return rows.map((row) => [...row.querySelectorAll(".attn-part, .attn-miss, .attn-read")].map((one) => {
        const { left, right } = one.getBoundingClientRect();
        return [left, right].map((x) => +marks.at(-1).textContent * (x - zero) / (last - zero));
    }));
}"""


@pytest.mark.parametrize(
    ("alpha", "beta", "erase", "most"),
    [(0.9, 1, True, 10), (0.5, 1.2, False, 15), (1, 2, False, 20), (0, 2, False, 20)],
)
def test_a_reading_is_its_writes_end_to_end_in_the_colours_of_their_columns(show, alpha, beta, erase, most):
    one = widgets.WritesSeen(WRITES, list("ABCABD"), alpha=alpha, beta=beta, erase=erase)
    page = show([one], width=892, reduced_motion="reduce")
    page.locator(".attn-stepper button").first.press("End")
    assert page.locator(".attn-ends span").last.text_content() == str(most)  # wide enough for every sum
    for k, (row, seen) in enumerate(zip(page.locator(".attn-track").evaluate_all(PARTS), one.seen, strict=True)):
        parts, backs, (miss, dot) = row[:6], row[6:12], row[12:]
        long = seen * np.arange(1, 7)
        above, back = 0, long[long > 0].sum()  # what is below zero is taken off the right end
        for part, behind, x in zip(parts, backs, long, strict=True):
            ends = (above, above + x) if x >= 0 else (back + x, back)
            above, back = above + max(x, 0), back + min(x, 0)
            there, empty = (part, behind) if x >= 0 else (behind, part)
            assert empty[1] - empty[0] < 0.01
            if x:
                np.testing.assert_allclose(there, ends, atol=0.025 * most)
        assert np.mean(dot) == pytest.approx(back, abs=0.02 * most)  # the colours end at what is read
        last = 1 + max(j for j, name in enumerate("ABCABD") if name == "ABCD"[k])
        np.testing.assert_allclose(miss, sorted([back, last]), atol=0.02 * most)  # as long as what it is off by
    overflow = """all => all.flatMap((track) => [...track.children].filter((one) =>
        one.getBoundingClientRect().right > track.getBoundingClientRect().right + 6))"""
    assert page.locator(".attn-track").evaluate_all(overflow) == []
    colour = "all => all.map((one) => getComputedStyle(one).{})"
    shown = "all => all.map((one) => getComputedStyle((one.hidden = false, one)).{})"
    first = page.locator(".attn-sums .attn-mark").first
    parts = first.locator(".attn-part:not(.attn-back)").evaluate_all(shown.format("backgroundColor"))
    hatched = first.locator(".attn-back").evaluate_all(shown.format("backgroundImage"))
    heads = page.locator(".attn-live thead th > bdi").evaluate_all(colour.format("borderBottomColor"))
    assert parts == heads and len(set(heads)) == 6
    assert all(
        one.startswith("repeating-linear-gradient(45deg") and own in one
        for one, own in zip(hatched, heads, strict=True)
    )


@pytest.mark.parametrize("width", [340, 354, 700])
def test_where_there_is_little_room_each_bar_stands_under_its_row_and_every_column_is_seen(show, width):
    """Six writes under words, in a card as wide as the page of a phone leaves it."""
    names = "river money loan river money boat".split()
    page = show([widgets.WritesSeen(WRITES, names, erase=False)], width=width + 20, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth") <= width + 20
    table = page.locator(".attn-seen .attn-scroll")
    assert table.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    edge = table.bounding_box()
    for one in page.locator(".attn-seen .attn-matrix").locator("td[data-at], thead th").all():
        box = one.bounding_box()
        assert box["x"] + box["width"] <= edge["x"] + edge["width"] + 0.5
        assert one.evaluate("one => one.scrollWidth <= one.clientWidth + 2")
    for name in page.locator(".attn-seen tbody th > bdi, .attn-seen .attn-corner").all():
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth")  # no word is cut, in any row
    rows, bars = page.locator(".attn-seen tbody tr").all(), page.locator(".attn-sums > .attn-mark > .attn-track").all()
    for i, (row, bar) in enumerate(zip(rows, bars, strict=True)):
        assert 0 <= ends(bar)[0] - ends(row)[1] < 15
        assert i == 3 or ends(bar)[1] + 12 <= ends(rows[i + 1])[0]  # nearer to its own row than to the next


@pytest.mark.parametrize("width", [374, 902])
def test_the_way_of_time_stands_beside_the_names_of_the_writes(show, width):
    page = show([widgets.WritesSeen(WRITES, list("ABCABD"))], width=width, reduced_motion="reduce")
    corner, first = page.locator(".attn-seen .attn-corner"), page.locator(".attn-seen thead th").first
    assert corner.text_content() == "time\u00a0→"
    time, head = corner.bounding_box(), first.bounding_box()
    assert time["x"] + time["width"] <= head["x"] + 1
    assert head["y"] <= time["y"] + time["height"] <= head["y"] + head["height"] + 1
    table, bars = (page.locator(f".attn-seen {one}").bounding_box() for one in (".attn-scroll", ".attn-sums"))
    assert width < 720 or bars["x"] - table["x"] - table["width"] > 20


@pytest.mark.parametrize("width", [902, 374])
def test_no_reading_below_zero_leaves_its_column(show, width):
    k = np.random.default_rng(13).normal(size=(4, 8))
    k = (k / np.linalg.norm(k, axis=1, keepdims=True))[[0, 1, 2, 0, 1, 3]]
    page = show([widgets.WritesSeen(k, list("ABCABD"), erase=False, alpha=0.6)], width=width, reduced_motion="reduce")
    told = page.locator(".attn-sums .attn-mark > :nth-child(3)")
    assert told.first.text_content() == "reads −0.81"
    inner = "one => { const r = document.createRange(); r.selectNodeContents(one.lastChild);"
    inner += (
        " const [a, b] = [r, one].map((x) => x.getBoundingClientRect()); return [a.left - b.left, b.right - a.right]; }"
    )
    for one in told.all():
        assert min(one.evaluate(inner)) >= -1


def test_the_smallest_part_of_a_reading_has_its_colour_and_no_gap_before_it(show):
    """Keys that overlap by a tenth: of the first write a tenth of 1 is seen, two pixels of the bar."""
    k = np.linalg.cholesky(0.9 * np.eye(4) + 0.1)[[0, 1, 2, 0, 1, 3]]
    page = show([widgets.WritesSeen(k, list("ABCABD"), erase=False)], width=900, reduced_motion="reduce")
    bar = page.locator(".attn-mark").nth(2)  # 0.1·1 + 0.1·2 + 3 + 0.1·4 + 0.1·5 + 0.1·6
    track, parts = bar.locator(".attn-track"), bar.locator(".attn-part:visible")
    boxes = [parts.nth(j).bounding_box() for j in range(6)]
    zero = page.locator(".attn-ends span").first
    assert boxes[0]["x"] == pytest.approx(middle(zero)[0], abs=0.6) and boxes[0]["width"] > 1.5
    corner, paper = track.bounding_box(), colour(page, track, 2, 2)
    for box, after in zip(boxes, [*boxes[1:], None], strict=True):
        assert after is None or box["x"] + box["width"] == pytest.approx(after["x"], abs=0.1)
        for x in np.arange(box["x"], box["x"] + box["width"] - 0.6):  # every whole pixel of it
            assert colour(page, track, x - corner["x"], box["y"] + 8 - corner["y"]) != paper


@pytest.mark.parametrize("width", [390, 1000])
def test_no_write_and_no_slider_moves_the_zero_of_a_reading_or_the_figure(show, width):
    page = show([widgets.WritesSeen(WRITES, list("ABCABD"), alpha=0.9)], width=width, reduced_motion="reduce")
    page.add_style_tag(content="* { box-sizing: border-box }")  # as the page of a book has it
    live, seen = page.locator(".attn-live"), []

    def look():
        boxes = [
            page.locator(".attn-track").first,
            page.locator(".attn-rules").first,
            page.locator("td[data-at='0,5']"),
        ]
        boxes = [one.bounding_box() for one in boxes]
        seen.append([live.bounding_box()["height"], *(box[k] for box in boxes for k in ("x", "width"))])

    page.locator(".attn-stepper button").first.press("Home")
    for _ in range(6):
        look()
        page.get_by_role("button", name="Next").click()
    for name, value in (("α", "0.5"), ("β", "2")):
        page.get_by_role("slider", name=name).fill(value)
        look()
    page.get_by_role("button", name="adding").click()
    look()
    page.get_by_role("button", name="gated delta").click()
    look()
    assert np.ptp(seen, axis=0).max() < 1


def test_all_rules_share_one_axis_and_each_bar_stands_on_its_row(show):
    page = show([widgets.WritesSeen(WRITES, list("ABCABD"), erase=False)], width=1000, reduced_motion="reduce")
    middle = "all => all.map((one) => one.getBoundingClientRect()).map((box) => box.top + box.height / 2)"
    axes = set()
    for rule in ("adding", "decay", "delta", "gated delta"):
        page.get_by_role("button", name=rule, exact=True).click()
        axes.add(tuple(page.locator(".attn-ends span").evaluate_all("all => all.map((one) => one.outerHTML)")))
        rows, bars = (page.locator(x).evaluate_all(middle) for x in (".attn-live tbody tr", ".attn-sums > .attn-mark"))
        np.testing.assert_allclose(rows, bars, atol=2)
    assert len(axes) == 1


def test_each_pair_and_the_score_are_drawn_over_the_distance_and_only_a_distance_moves_their_dots(show):
    q, k = np.random.default_rng(3).normal(size=(2, 8))
    page = show([widgets.RotatingPairs(q, k, m=30, n=10)], width=892, reduced_motion="reduce")
    page.locator("summary").click()  # the pairs' own curves
    field, dot = (page.locator(f".attn-course {part}") for part in ("svg", "em"))
    assert field.count() == dot.count() == 5  # their sum, then four pairs
    scale = page.locator(".attn-lane:not(.attn-apart) > :first-child")
    for lane in range(5):
        path = page.locator(".attn-course path:not(.attn-one)").nth(lane).get_attribute("d")
        points = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path), float)[::4]  # at every whole distance
        far = np.arange(-32, 33)
        np.testing.assert_array_equal(points[:, 0] / 4 - 32, far)
        shown = [widgets.RotatingPairs(q, k, m=max(t, 0), n=max(-t, 0)) for t in far.tolist()]
        shares = np.array([one.parts[lane - 1] if lane else one.score for one in shown])
        ends = [float(told.replace("−", "-")) for told in scale.nth(lane).locator("span").all_text_contents()]
        assert ends[0] > ends[1] == 0 and ends[2] == -ends[0]
        np.testing.assert_allclose(points[:, 1], 50 - 38 * shares / ends[0], atol=2.5)  # ends are rounded
        frame = field.nth(lane).bounding_box()
        at = [frame["x"] + frame["width"] * 52 / 64, frame["y"] + frame["height"] * points[52, 1] / 100]
        np.testing.assert_allclose(middle(dot.nth(lane)), at, atol=1)
    page.locator("summary").click()
    first, frame = middle(dot.first), field.first.bounding_box()
    page.get_by_role("slider", name="both").fill("12")
    np.testing.assert_allclose(middle(dot.first), first, atol=0.1)
    page.get_by_role("slider", name="key at n").fill("2")
    assert middle(dot.first)[0] > first[0] + 10
    page.mouse.click(frame["x"] + frame["width"] / 4, frame["y"] + 20)  # a press moves there: 16 before the key
    place = dict(re.findall(r"(Query|key) at (\d+)", said(page)))
    assert int(place["Query"]) - int(place["key"]) == pytest.approx(-16, abs=1)
    page.locator(".attn-hero .attn-mark").hover()
    assert page.locator(".attn-origin").text_content().count(" + ") == 3  # the score is the sum of four
    page.locator(".attn-share .attn-mark").last.hover()
    assert page.locator(".attn-origin").text_content().count("·") == 2  # and each of them a product of two pairs


def test_circles_their_shares_and_the_score_with_its_curve_are_one_picture_that_a_window_holds(show):
    """The score is on a screen with the circles, over its own curve; what each pair has alone is in the fold."""
    q, k = np.random.default_rng(3).normal(size=(2, 8))
    page = show([widgets.RotatingPairs(q, k, m=3)], width=892, reduced_motion="reduce")
    figure = page.locator(".attn-live")
    assert figure.bounding_box()["height"] < 700
    assert page.locator(".attn-course:visible svg").count() == 1
    told = [float(x.replace("−", "-")) for x in page.locator(".attn-share").all_text_contents()]
    np.testing.assert_allclose(told, widgets.RotatingPairs(q, k, m=3).parts, atol=1e-3)
    curve, circles = (page.locator(one).bounding_box() for one in (".attn-summed .attn-course >> nth=0", ".attn-rings"))
    assert curve["y"] > circles["y"] + circles["height"] and curve["height"] > 2 * circles["height"] / 3


CLOUD = np.random.default_rng(2).normal(size=(9, 2)) * 2


@pytest.mark.parametrize(("width", "most"), [(710, 680), (390, 800)])  # a fold of a chapter, and a phone
def test_a_cloud_its_line_and_what_is_kept_stand_on_one_screen(show, width, most):
    page = show([widgets.SqueezedCloud(CLOUD)], width=width, reduced_motion="reduce")
    card, plane, curve = (page.locator(at).first.bounding_box() for at in (".attn-live", ".attn-plane", ".attn-kept"))
    assert card["height"] < most and plane["width"] > (0.9 if width == 390 else 0.45) * card["width"]
    if width > 390:  # side by side, and equally high
        assert curve["x"] > plane["x"] + plane["width"] and abs(curve["y"] - plane["y"]) < 4
        assert curve["height"] == pytest.approx(plane["height"], rel=0.05)
    spread = [one.bounding_box() for one in page.locator(".attn-cloud [data-kind=point] > :last-child").all()]
    high = max(one["y"] for one in spread) - min(one["y"] for one in spread)
    wide = max(one["x"] for one in spread) - min(one["x"] for one in spread)
    assert max(high / plane["height"], wide / plane["width"]) > 0.5  # the plane is fitted to the cloud
    page.get_by_role("slider", name="direction", exact=True).fill("-90")
    labels = page.locator(".attn-kept text[text-anchor=end]:not(.attn-now, .attn-finest)")
    page.get_by_role("button", name="the best line").click()
    line = page.locator(".attn-kept path:not(.attn-grid, .attn-summit)").bounding_box()
    ends_at = [box["x"] + box["width"] - 6 for box in (one.bounding_box() for one in labels.all())]  # less their halo
    assert len(ends_at) == 3 and max(ends_at) <= line["x"]  # outside of the axis
    thumb = page.get_by_role("slider", name="direction", exact=True).bounding_box()
    axis = page.locator(".attn-kept .attn-grid").first.bounding_box()
    assert abs(thumb["x"] + 9 - axis["x"]) < 2 and abs(thumb["x"] + thumb["width"] - 9 - axis["x"] - axis["width"]) < 2
    # its line is as long as the axis: half a thumb is left free at each end
    ground = "one => getComputedStyle(one).backgroundSize"
    assert page.get_by_role("slider", name="direction", exact=True).evaluate(ground) == "calc(100% - 18px) 4px"
    assert not page.locator(".attn-live .attn-matrix").is_visible()
    point = page.locator("[data-kind=point][role=slider]").nth(int(np.square(CLOUD).sum(1).argmax()))
    ring = point.locator(".attn-grip")
    opacity = "one => getComputedStyle(one).opacity"
    assert ring.evaluate(opacity) == "0"  # nine rings would hide each other's points
    point.hover()
    assert ring.evaluate(opacity) == "1"


def test_a_score_is_told_at_once_and_its_query_flies_meanwhile(show):
    page = slowly(show([widgets.ScoreCells(np.eye(3), np.eye(3) + 1, ["I", "love", "AI"])], width=892))
    page.locator("td[data-at='2,2']").dispatch_event("click")
    seen = "() => Number(getComputedStyle(document.querySelector('strong.attn-total')).opacity)"
    assert page.evaluate(seen) == 1 and page.locator("strong.attn-total").text_content() == "= 2"
    page.wait_for_selector(".attn-ghost", state="attached")


@pytest.mark.parametrize("width", [892, 390])
def test_the_roof_s_words_stand_on_their_own_side_of_the_bend(show, width):
    page = show([widgets.Roofline(length=8192)], width=width, reduced_motion="reduce")
    roof = page.locator(".attn-roof polyline").first.bounding_box()
    bend = page.locator(".attn-bend").bounding_box()["x"]
    words = {one.text_content(): one.bounding_box() for one in page.locator(".attn-side").all()}
    box, other = words["compute-"], words["memory-bound"]
    assert bend < box["x"] and box["x"] + box["width"] <= roof["x"] + roof["width"]
    assert other["x"] + other["width"] < bend


@pytest.mark.parametrize(("power", "told"), [(1, "the identity"), (2, "A"), (3, "A2")])
def test_a_power_is_the_product_of_a_row_and_a_column_of_the_power_before(show, power, told):
    walk = np.array([[0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.4, 0.4, 0.2]])
    page = show([widgets.Powers(walk, ["I", "love", "AI"], power=power)], width=892, reduced_motion="reduce")
    page.locator(".attn-live .attn-matrix").first.locator("td[data-at='0,1']").hover()
    assert page.locator(".attn-origin").inner_text().replace("\n", "").endswith(f"column “love” of {told}")


@pytest.mark.parametrize("view", ["scaling", "flow", "cloze", "two_keys"])
def test_on_a_phone_the_way_back_is_its_whole_sign_in_the_corner_and_says_its_name(show, view):
    page = show([next(one for one in every_widget() if one.view == view)], width=390, reduced_motion="reduce")
    page.evaluate("document.querySelector('.attn-live .attn-title > button').style.visibility = ''")
    back = page.get_by_role("button", name="Start again", exact=True)
    assert back.evaluate("one => [one.innerText, one.scrollWidth - one.clientWidth <= 0]") == ["↺", True]


@pytest.mark.parametrize("view", ["pipeline", "cloze", "nudge", "scaling"])
def test_on_a_phone_every_control_is_as_tall_as_a_finger_needs(show, view):
    page = show([next(one for one in every_widget() if one.view == view)], width=390, reduced_motion="reduce")
    controls = page.locator(".attn-live :is(button, .attn-slider input):visible")
    low = controls.evaluate_all("all => all.map((one) => [one.getBoundingClientRect().height, one.outerHTML])")
    assert low and min(low)[0] >= 32, min(low)
    back = ".attn-live .attn-title > button"
    if page.locator(back).count():  # it comes with the first change
        assert page.locator(back).evaluate("one => one.getBoundingClientRect().height") >= 32


def test_what_a_gap_does_is_said_in_one_line_where_there_is_room(show):
    cloze = widgets.Cloze("she sat by the _ bank", ["river", "money", "song"])
    title = show([cloze], width=904, reduced_motion="reduce").locator(".attn-title")
    lines = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    assert title.evaluate(lines) < 1.5
