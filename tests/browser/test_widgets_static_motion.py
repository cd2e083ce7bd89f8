"""What moves comes from where its numbers stand, and what a figure finds out by itself is true."""

import numpy as np
import pytest
from figurepage import middle, said
from worked import TOKENS, X

from attn.show import widgets

pytestmark = pytest.mark.browser
WAYS = "node => node.getAnimations().length"


def moving(locator):
    return sum(locator.evaluate_all(f"all => all.map({WAYS})"))


def test_a_word_s_numbers_come_out_of_its_row(show):
    page = show([widgets.Embedding(X, TOKENS)])
    values = page.locator(".attn-bars .attn-value")
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
    told = page.locator(".attn-bars li > :last-child").all_text_contents()
    framed = page.locator("td[data-source]").evaluate_all("all => all.map((one) => one.dataset.at)")
    shares = (x * x[selected] > 0) & (np.arange(3) != selected)[:, None]
    for j, words in enumerate(shares.T):
        others = ", ".join(TOKENS[k] for k in np.flatnonzero(words))
        assert told[j] == (f"also {others}" if others else "alone" if x[selected, j] else "")
    assert sorted(framed) == sorted(f"{i},{j}" for i, j in np.argwhere(shares))
    assert said(page).startswith(f"“{TOKENS[selected]}”")
