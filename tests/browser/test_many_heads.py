"""The diagram of many heads: every number the library's, every square of one size, each head its own blocks."""

import numpy as np
import pytest
from figurepage import said

from attn import heads
from attn.show import widgets

pytestmark = pytest.mark.browser
WORDS = "she sat by the river".split()


def layer(n=5, c=12, h=3, d=4, **options):
    """A layer of random weights."""
    rng = np.random.default_rng(6)
    x, w_o = rng.normal(size=(n, c)), rng.normal(size=(h * d, c)) / c**0.5
    return widgets.ManyHeads(x, *rng.normal(size=(3, c, h * d)) / c**0.5, w_o, h, WORDS[:n], **options)


def square(page, name):
    """The picture of a matrix by the name above it."""
    names = page.locator(".attn-square p").all_text_contents()
    return page.locator(".attn-square .attn-field").nth(names.index(name))


def point(page, picture, size, at):
    """Put the mouse on one number of a picture."""
    box = picture.bounding_box()
    x, y = box["width"] * (at[1] + 0.5) / size[1], box["height"] * (at[0] + 0.5) / size[0]
    page.mouse.move(box["x"] + x, box["y"] + y)
    return page.locator(".attn-origin").text_content()


def test_the_stream_is_the_library_s(show):
    shown = layer(head=1, row=4)
    whole = heads.multi_head_attention(shown.X, shown.W_Q, shown.W_K, shown.W_V, shown.W_O, heads=3)
    np.testing.assert_allclose(shown.stream, shown.X + whole, atol=1e-12)
    page = show([shown])
    for name, matrix in {
        "X + Y WO, the stream": shown.stream,
        "Y WO": whole,
        "this head adds": shown.writes[1],
        "Q = X WQ": np.array(shown.X) @ shown.W_Q,
    }.items():
        picture = square(page, name)
        for i, j in [(0, 0), (2, 7), (4, 11)]:
            told = point(page, picture, (5, 12), (i, j)).split(": ")[1].split(" = ")[0]
            assert float(told.replace("−", "-").replace("e−", "e-")) == pytest.approx(matrix[i, j], abs=0.0006), name
    cards = page.locator(".attn-card")
    for t in range(3):
        told = point(page, cards.nth(t).locator(".attn-field").first, (5, 5), (4, 2)).split(": ")[1].split(" = ")[0]
        assert float(told.split(": ")[-1]) == pytest.approx(shown.weights[t, 4, 2], abs=0.0006)
    assert said(page) == repr(shown)


def test_pointing_at_a_query_lights_its_word_and_its_column(show):
    page = show([layer()])
    point(page, square(page, "Q = X WQ"), (5, 12), (3, 6))
    lit = page.locator(".attn-glow:visible")
    assert lit.count() == 3
    styles = sorted(lit.evaluate_all("all => all.map((one) => one.style.cssText.replace(/[ ]|;$/g, ''))"))
    assert styles == sorted(["--i:3;--j:6;--p:1;--q:1", "--i:3;--j:0;--p:1;--q:12", "--i:0;--j:6;--p:12;--q:1"])
    page.mouse.move(1, 1)
    assert page.locator(".attn-glow:visible").count() == 0


def test_a_head_switched_off_adds_nothing_and_comes_back(show):
    page = show([layer()])
    page.get_by_role("button", name="head 2", exact=True).click()
    assert said(page) == repr(layer(head=2))
    page.get_by_role("button", name="Switch head 2 off").click()
    without = layer(head=2, on=[1, 1, 0])
    assert said(page) == repr(without) and "switched off" in said(page)
    told = point(page, square(page, "X + Y WO, the stream"), (5, 12), (1, 3)).split(": ")[1].split(" = ")[0]
    assert float(told.replace("−", "-")) == pytest.approx(without.stream[1, 3], abs=0.0006)
    page.get_by_role("button", name="river").click()
    page.get_by_role("button", name="Start again").click()
    assert said(page) == repr(layer())


def test_the_arrow_keys_reach_every_number_of_every_matrix(show):
    shown = layer()
    page = show([shown])
    pictures = page.locator(".attn-layer-map .attn-field")
    assert pictures.evaluate_all("all => all.map((one) => one.tabIndex)") == [0] * (12 + 2 * 3)
    picture = square(page, "K = X WK")
    page.get_by_role("button", name="Start again").focus()
    while not picture.evaluate("one => one === document.activeElement"):
        page.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowDown", "End", "ArrowLeft"):
        page.keyboard.press(key)
    told = page.locator(".attn-origin").text_content()
    by_mouse = point(page, picture, (5, 12), (2, 10))
    assert told == by_mouse == picture.get_attribute("aria-label").replace("W K", "W_K")
    page.mouse.move(1, 1)
    page.keyboard.press("Enter")
    assert said(page) == repr(layer(head=2, row=2))
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.locator(".attn-glow:visible").count() == 3  # the number, its word and its column
    page.locator(".attn-live").click(position={"x": 4, "y": 4})
    assert page.locator(".attn-glow:visible").count() == 0


def test_the_matrices_of_a_layer_stand_together(show):
    page = show([layer(4, 6, 3, 2)], width=902)
    page.add_style_tag(content="html { font-size: 112.5% }")  # the site's letters
    boxes = [one.bounding_box() for one in page.locator(".attn-layer-map canvas").all()]
    covered = sum(box["width"] * box["height"] for box in boxes)
    ground = page.locator(".attn-layer-map").bounding_box()
    assert covered / (ground["width"] * ground["height"]) > 0.2
    assert page.locator(".attn-live").bounding_box()["height"] < 760


@pytest.mark.parametrize("width", [390, 1280])
def test_every_number_is_a_square_of_one_size(show, width):
    page = show([layer(4, 8, 2, 6)], width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cells = page.locator(".attn-layer-map canvas").evaluate_all(
        "all => all.map((one) => [one.clientWidth / one.width, one.clientHeight / one.height])"
    )
    assert len(cells) == 12 + 2 * 2
    assert np.ptp(cells) < 0.2 and np.min(cells) > 3  # pixels are whole, squares need not be


def test_a_column_of_a_projection_chooses_its_head_and_a_row_of_the_output_matrix_too(show):
    page = show([layer()])
    square(page, "WK").click(position={"x": 110, "y": 30})
    assert said(page) == repr(layer(head=2))
    square(page, "WO").click(position={"x": 30, "y": 60})
    assert said(page) == repr(layer(head=1))


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
