"""The figures in the plane, from Python: their numbers are attn's, their sentences say them, bad states are refused."""

import numpy as np
import pytest

pytest.importorskip("anywidget")

from attn import positions, senses
from attn.show import widgets
from attn.softmax import softmax

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


def test_each_word_in_the_gap_is_read_by_the_library_s_head():
    fillers = ["river", "money", "song"]
    shown = widgets.Cloze("the note by the _", ["piano", "desk"]), widgets.Cloze("she sat by the _ bank", fillers)
    for widget, text, two in zip(shown, ("the note by the {}", "she sat by the {} bank"), (6, 0), strict=True):
        for i, word in enumerate(widget.fillers):
            widget.selected = i
            seen = senses.ask(HEAD, text.format(word))
            np.testing.assert_allclose(widget.row, seen.weights, atol=1e-6)
            np.testing.assert_allclose(widget.answers[i], seen.probabilities[two : two + 2], atol=1e-6)
    assert shown[1].stand_ins == ["shore", "lender"]
    assert shown[1].sentence() == "With “song”, “bank” has no clue: “shore” 48.5%, “lender” 50.5%."
    shown[1].selected = 1
    assert shown[1].sentence() == "With “money”, “bank” looks most at “money”, 86.5%: “shore” 0.1%, “lender” 99.7%."
    swapped = widgets.Cloze("she sat by the _ bank", fillers, swaps={"river": "money"}, selected=3)
    assert swapped.row.tolist() == shown[1].weights[0] and "looks most at “river”, 85.6%" in swapped.sentence()
    seen = senses.ask(HEAD, "she sat by the river bank", values={"river": "money"})
    np.testing.assert_allclose(swapped.answers[3], seen.probabilities[:2], atol=1e-6)


def test_a_score_is_the_shadow_times_the_length():
    rng = np.random.default_rng(3)
    shown = widgets.QueryPlane(*rng.normal(size=(1, 2)), rng.normal(size=(5, 2)), row=2)
    long = np.linalg.norm(shown.q)
    np.testing.assert_allclose(shown.scores, shown.shadows * long / np.sqrt(2))
    np.testing.assert_allclose(shown.weights, np.exp(shown.scores) / np.exp(shown.scores).sum())
    shown.q = 3 * np.array(shown.q)
    np.testing.assert_allclose(shown.scores, 3 * shown.shadows * long / np.sqrt(2))
    made = widgets.QueryPlane([0, 2], [[1, 2], [3, 0]], ["a", "b"])
    assert made.sentence().startswith(
        "The query is 2 long. The shadow of “a” on it is 2, so its scaled score is 2 × 2 / √2 = 2.828. Weights: "
        "largest at “a”"
    )


def test_no_choice_of_r_changes_a_score():
    rng = np.random.default_rng(5)
    q, k = rng.normal(size=(3, 2)), rng.normal(size=(4, 2))
    for _ in range(20):
        shown = widgets.Gauge(q, k, R=rng.normal(size=(2, 2)) + 2 * np.eye(2))
        assert np.abs(shown.moved[0] - q).max() > 0.01 and np.abs(shown.moved[1] - k).max() > 0.01
        np.testing.assert_allclose(shown.scores, q @ k.T / np.sqrt(2), atol=1e-12)
    head = senses.turned(HEAD, np.array(shown.R))  # the same move, of a whole head
    moved = widgets.Gauge(HEAD.query("bank", "bat"), HEAD.key("river", "owl"), R=shown.R).moved
    np.testing.assert_allclose(moved[0], head.query("bank", "bat"), atol=1e-6)
    np.testing.assert_allclose(moved[1], head.key("river", "owl"), atol=1e-6)


def test_rows_walk_to_the_eigenvector():
    rng = np.random.default_rng(7)
    for _ in range(20):
        a = rng.dirichlet(np.ones(3), 3)
        shown = widgets.Powers(a, power=3)
        np.testing.assert_allclose(shown.power_of_a, a @ a @ a)
        np.testing.assert_allclose(shown.pi @ a, shown.pi, atol=1e-12)
        np.testing.assert_allclose(np.linalg.matrix_power(a, 60), np.tile(shown.pi, (3, 1)), atol=1e-2)
    assert widgets.Powers(np.eye(3)).pi is None and "nothing moves at several places" in repr(widgets.Powers(np.eye(3)))
    np.testing.assert_allclose(widgets.Powers(np.eye(3)[[1, 2, 0]]).pi, 1 / 3)  # it turns for ever, round its middle


def test_a_pushed_score_moves_the_weights_straight_to_its_corner():
    a, h = np.random.default_rng(9).dirichlet(np.ones(3)), 1e-6
    shown = widgets.Nudge(a, col=1)
    for j, e in enumerate(np.eye(3)):
        moved = (softmax(np.log(a) + h * e) - softmax(np.log(a) - h * e)) / (2 * h)
        np.testing.assert_allclose(shown.jacobian[:, j], moved, atol=1e-9)
        np.testing.assert_allclose(shown.jacobian[:, j], a[j] * (e - a))


def river_moved(**how):
    said = RIVER.split()
    x = HEAD.w_e[[HEAD.words.index(word) for word in said]]
    return widgets.NullSpace(x, HEAD.w_k, HEAD.query("bank"), said, row=4, **how)


def test_a_word_moves_along_the_null_space_and_nothing_notices():
    still, unseen, seen = river_moved(), river_moved(along=3), river_moved(across=0.5)
    assert np.abs(unseen.moved - still.moved)[4].min() > 1e-4  # no entry stays
    np.testing.assert_allclose(unseen.weights, still.weights, atol=1e-8)
    assert unseen.sentence() == "“river” has moved by 3, and its key by 0. Its scaled score is 3.139, its weight 0.856."
    assert np.abs(seen.weights - still.weights).max() > 0.05
    np.testing.assert_allclose(still.weights, senses.ask(HEAD, RIVER).weights, atol=1e-12)


def answering(**how):
    """The figure of chapter 2: along the lost direction that the value sees most, with what the head answers."""
    shore = HEAD.w_v[:, 0]
    lost = shore - HEAD.w_k @ np.linalg.lstsq(HEAD.w_k, shore, rcond=None)[0]
    own = HEAD.w_e[HEAD.words.index("bank")] @ HEAD.w_u
    more = dict(unseen=-lost, answers=HEAD.stand_ins, W_A=HEAD.w_v @ HEAD.w_o @ HEAD.w_u, own=own)
    return river_moved(**more | how)


@pytest.mark.parametrize(("along", "across", "told"), [(0, 0, "shore"), (1, 0, "lender"), (-4, 0, "shore"), (1, 1, "")])
def test_a_word_with_the_same_badge_says_something_else(along, across, told):
    shown = answering(along=along, across=across)
    assert np.abs(np.array(shown.unseen) @ HEAD.w_k).max() < 1e-8
    rows = HEAD.w_e.copy()
    rows[HEAD.words.index("river")] = shown.moved[4]
    read = senses.ask(HEAD._replace(w_e=rows), RIVER)
    np.testing.assert_allclose(shown.answer, read.probabilities, atol=1e-9)
    np.testing.assert_allclose(shown.weights, read.weights, atol=1e-9)
    likely = HEAD.stand_ins[read.probabilities.argmax()]
    assert likely == (told or likely) and f"The head answers “{likely}”, " in shown.sentence()


def test_the_score_of_turned_pairs_asks_only_for_the_distance():
    q, k = np.random.default_rng(11).normal(size=(2, 8))
    shown = widgets.RotatingPairs(q, k, m=9, n=4)
    r = positions.rotation(np.array(9 - 4), 8, interleaved=True)
    np.testing.assert_allclose(shown.score, q @ r @ k, atol=1e-12)
    np.testing.assert_allclose(widgets.RotatingPairs(q, k, m=105, n=100).parts, shown.parts, atol=1e-12)
    assert abs(widgets.RotatingPairs(q, k, m=4, n=9).score - shown.score) > 1e-3
    assert "Query at 4, key at 9, −5 apart" in widgets.RotatingPairs(q, k, m=4, n=9).sentence()


def test_no_line_keeps_more_than_the_first_singular_direction():
    m = np.random.default_rng(14).normal(size=(7, 2)) @ [[2, 0.5], [0, 0.7]]
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    best = widgets.SqueezedCloud(m, angle=widgets.SqueezedCloud(m).best)
    np.testing.assert_allclose(best.rank_one, s[0] * np.outer(u[:, 0], vt[0]), atol=1e-12)
    assert best.kept == pytest.approx(best.most) == pytest.approx(s[0] ** 2 / (s**2).sum())
    assert all(widgets.SqueezedCloud(m, angle=a).kept <= best.most + 1e-12 for a in range(-90, 91, 5))


def test_no_turn_brings_two_heads_closer_than_the_one_by_singular_vectors():
    a, b = np.random.default_rng(16).normal(size=(2, 5, 2))
    b[0] += 3 * a[0]
    u, _, vt = np.linalg.svd(b.T @ a)
    turn = u @ np.diag([1, np.linalg.det(u @ vt)]) @ vt  # no mirror: the reader can only turn
    best = widgets.TurnBack(a, b, angle=widgets.TurnBack(a, b).best)
    np.testing.assert_allclose(best.turned, b @ turn, atol=1e-12)
    both = np.linalg.norm([a - best.mean, best.turned - best.mean]) / np.linalg.norm([a, b])
    assert best.error == pytest.approx(both) == pytest.approx(best.least)
    for angle in range(-180, 181, 5):
        other = widgets.TurnBack(a, b, angle=angle)
        assert other.error >= best.least - 1e-12
        assert ("no turn has less" in other.sentence()) == (abs(angle - best.best) < 2)
    assert "no turn has less" in best.sentence()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.SenseHead("the cat by the bank"), "the head does not know cat; it knows a and ball"),
        (lambda: widgets.SenseHead("she sat by the river"), "text must hold one of bank, bat, .* but holds 0"),
        (lambda: widgets.SenseHead("the bat by the bank"), "but holds 2"),
        (lambda: widgets.SenseHead(RIVER, keys={"river": "sea"}), "does not know sea"),
        (lambda: widgets.Cloze("she sat by the bank", ["river"]), "text must hold one gap, written _, but holds 0"),
        (lambda: widgets.Cloze("the _ by the bank", []), "fillers must hold at least one word"),
        (lambda: widgets.Cloze("the _ by the bank", ["sea"]), "the head does not know sea"),
        (lambda: widgets.Cloze("the _ by the bank", ["note"]), "text must hold one ambiguous word, but holds 2"),
        (lambda: widgets.Cloze("the _ by the bank", ["sun"], selected=1), "selected is 1, but there are 1 fillers"),
        (lambda: widgets.QueryPlane([0, 0], np.eye(2)), "q is zero: it points nowhere"),
        (lambda: widgets.QueryPlane([1, 0, 0], np.eye(2)), "the width d is 2 in the plane but 3 in q"),
        (lambda: widgets.QueryPlane([1, 0], np.eye(2), row=2), "row is 2, but there are 2 keys"),
        (lambda: widgets.Gauge(np.eye(2), np.eye(2), R=[[1, 2], [2, 4]]), "R has determinant 0; its inverse needs"),
        (lambda: widgets.Gauge(np.eye(2), np.eye(3)), "the width d is 2 in the plane but 3 in K"),
        (lambda: widgets.Powers(np.eye(2)), "the number of words is 3 in the triangle but 2 in A"),
        (lambda: widgets.Powers(np.ones((3, 3))), "the rows of A must be weights"),
        (lambda: widgets.Powers(np.eye(3), power=25), "power must lie between 0 and 24, but is 25"),
        (lambda: widgets.Nudge([0.5, 0.6, -0.1]), "weights must be none negative"),
        (lambda: widgets.Nudge([0.5, 0.5]), "the number of words is 3 in the triangle but 2 in weights"),
        (lambda: widgets.NullSpace(np.eye(3), np.ones((3, 2)), [1, 2]), "W_K must have rank 2 and at least 3 rows"),
        (lambda: widgets.NullSpace(np.eye(2), np.eye(2), [1, 2]), "W_K must have rank 2 and at least 3 rows"),
        (lambda: river_moved(along=7), "along must lie between −4 and 4, but is 7"),
        (lambda: widgets.RotatingPairs([1, 2, 3], [1, 2, 3]), "q has width 3; pairs need an even one"),
        (lambda: widgets.RotatingPairs([1, 2], [1, 2], m=201), "m must lie between 0 and 200, but is 201"),
        (lambda: answering(unseen=HEAD.w_k[:, 0]), "unseen must be a direction that W_K loses"),
        (lambda: answering(unseen=[1, 0]), "the model width c is 8 in W_K but 2 in unseen"),
        (lambda: answering(answers=["shore"]), "how many answers there are is 1 in answers but 8 in W_A"),
        (lambda: widgets.SqueezedCloud(np.zeros((2, 2))), "M is zero: every line holds all of it"),
        (lambda: widgets.SqueezedCloud(np.eye(2), angle=91), "angle must lie between −90 and 90, but is 91"),
        (lambda: widgets.TurnBack(np.eye(2), np.zeros((2, 2))), "B is zero: no turn changes it"),
        (lambda: widgets.TurnBack(np.eye(2), np.eye(2), angle=181), "angle must lie between −180 and 180, but is 181"),
        (lambda: widgets.TurnBack(np.eye(2), np.ones((3, 2))), "the number of rows is 2 in A but 3 in B"),
        (lambda: widgets.SenseHead(RIVER, row=6), "row is 6, but there are 6 words"),
    ],
)
def test_what_cannot_be_shown_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_still_pictures_say_what_they_show():
    for shown in (
        widgets.SenseHead(),
        widgets.QueryPlane([1, 2], np.eye(2)),
        widgets.Gauge(np.eye(2), np.eye(2)),
        widgets.Powers(np.eye(3)),
    ):
        assert len(repr(shown.static()).split()) > 5
