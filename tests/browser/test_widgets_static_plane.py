"""The figures in the plane on a page from the disc: driven by mouse, finger and keys, held to attn."""

import numpy as np
import pytest
from figurepage import grid, said

from attn import senses
from attn.show import widgets

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


def names(page):
    """The boxes of all names and numbers in the planes, plane by plane."""
    box = "all => all.filter(one => one.textContent).map(one => one.getBoundingClientRect().toJSON())"
    planes = page.locator(".attn-plane").all()
    return [(plane.bounding_box(), plane.locator("text[data-tone]").evaluate_all(box)) for plane in planes]


@pytest.mark.parametrize("width", [1280, 390])
def test_names_in_the_plane_keep_apart_and_inside(show, width):
    for text in widgets.SenseHead.EXAMPLES:
        page = show([widgets.SenseHead(text)], width=width, reduced_motion="reduce")
        for frame, boxes in names(page):
            for i, a in enumerate(boxes):
                assert a["left"] >= frame["x"] - 1 and a["right"] <= frame["x"] + frame["width"] + 1, (text, i)
                for b in boxes[:i]:
                    wide = min(a["right"], b["right"]) - max(a["left"], b["left"])
                    high = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
                    assert wide <= 3 or high <= 4, (text, a, b)
