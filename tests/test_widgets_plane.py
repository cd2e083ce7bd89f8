"""The figures in the plane, from Python: their numbers are attn's, their sentences say them, bad states are refused."""

import numpy as np
import pytest

pytest.importorskip("anywidget")

from attn import senses
from attn.show import widgets

HEAD = senses.load()
RIVER = "she sat by the river bank"


@pytest.mark.parametrize(
    "change",
    [
        {},
        dict(keys={"river": "money"}),
        dict(values={"river": "money"}),
        dict(keys={"the": "river"}, values={"river": "piano"}, causal=True),
    ],
)
@pytest.mark.parametrize("text", [*widgets.SenseHead.EXAMPLES])
def test_the_head_in_the_figure_is_the_library_s(text, change):
    done, asked = widgets.SenseHead(text, **change).reading, senses.ask(HEAD, text, **change)
    for name in senses.Reading._fields:
        np.testing.assert_allclose(getattr(done, name), getattr(asked, name), atol=1e-5, err_msg=name)


def test_a_key_that_is_off_is_hidden_and_a_value_that_is_off_is_nothing():
    done, hidden = widgets.SenseHead(RIVER, keys={"river": None}).reading, senses.ask(HEAD, RIVER, hide=["river"])
    np.testing.assert_allclose(done.probabilities, hidden.probabilities, atol=1e-6)
    np.testing.assert_allclose(done.probabilities[:2], 0.5, atol=0.05)
    mute = widgets.SenseHead(RIVER, values={"river": None}).reading
    np.testing.assert_allclose(mute.weights, senses.ask(HEAD, RIVER).weights, atol=1e-6)
    np.testing.assert_allclose(mute.output, mute.weights @ np.where(np.arange(6)[:, None] == 4, 0, mute.values))
    assert np.abs(mute.output).max() < 0.02


def test_the_head_s_sentence_says_what_was_switched():
    shown = widgets.SenseHead(RIVER, keys={"the": None}, values={"river": "money"}, causal=True)
    assert shown.sentence().startswith(
        "With the causal mask on, the key of “the” switched off, the value of “river” taken from “money”, "
        "“bank” gives “river” 8"
    )
    nothing = widgets.SenseHead("bank", keys={"bank": None})
    assert nothing.sentence().startswith(
        "With the key of “bank” switched off, “bank” sees no word. Its output is (0, 0)"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.SenseHead("the cat by the bank"), "the head does not know cat; it knows a and ball"),
        (lambda: widgets.SenseHead("she sat by the river"), "text must hold one of bank, bat, .* but holds 0"),
        (lambda: widgets.SenseHead("the bat by the bank"), "but holds 2"),
        (lambda: widgets.SenseHead(RIVER, keys={"river": "sea"}), "does not know sea"),
        (lambda: widgets.SenseHead(RIVER, row=6), "row is 6, but there are 6 words"),
    ],
)
def test_what_cannot_be_shown_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_still_pictures_say_what_they_show():
    for shown in (widgets.SenseHead(),):
        assert len(repr(shown.static()).split()) > 5
