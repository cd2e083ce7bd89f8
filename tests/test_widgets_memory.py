"""The figures of chapter 13 from Python: their numbers are attn's, their sentences say them, bad states are refused."""

import numpy as np
import pytest

pytest.importorskip("anywidget")

from attn import memory
from attn.show import widgets


def test_two_keys_read_what_the_chapter_derives():
    shown = widgets.TwoKeys(60)
    np.testing.assert_allclose(shown.adding, [[1, 0.5], [0.5, 1]])
    np.testing.assert_allclose(shown.correcting, [[0.75, 0.5], [0, 1]], atol=1e-12)
    assert shown.sentence() == (
        "Keys at 60°, β = 1: adding reads (1, 0.500) with key 1 and (0.500, 1) with key 2; "
        "correcting reads (0.750, 0.500) with key 1 and (0, 1) with key 2."
    )
    right = widgets.TwoKeys(90, beta=1)
    np.testing.assert_allclose(right.adding, right.correcting, atol=1e-12)


def test_a_name_written_again_is_replaced_by_correcting_and_summed_by_adding():
    k = np.eye(3)[[0, 1, 0]]
    shown = widgets.WritesSeen(k, list("ABA"))
    assert shown.questions == ["A", "B"] and shown.reads.tolist() == [3, 2]
    shown.set(erase=False)
    assert shown.reads.tolist() == [4, 2]
    shown.set(alpha=0.5)
    np.testing.assert_allclose(shown.seen, [[0.25, 0, 1], [0, 0.5, 0]])
    assert shown.sentence() == "Adding, α = 0.500, β = 1: “A” reads 3.250, “B” reads 1."
    for alpha in (1, 0.79):  # whatever is kept, a rule adds or corrects
        told = [shown.set(alpha=alpha, erase=erase) or shown.sentence().split(",")[0] for erase in (False, True)]
        assert told == ["Adding", "Correcting"]
    half = widgets.WritesSeen(k, list("ABA"), erase=False, written=2)
    assert half.seen.tolist() == [[1, 0, 0], [0, 1, 0]] and half.reads.tolist() == [1, 2]
    assert half.sentence() == "Adding, α = 1, β = 1, 2 of 3 written: “A” reads 1, “B” reads 2."
    half.set(written=0)
    assert not half.seen.any() and half.seen.shape == (2, 3)


def test_filling_a_matrix_counts_who_reads_nearest_to_its_own_value():
    rng = np.random.default_rng(1)
    k, v = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in rng.normal(size=(2, 60, 12)))
    shown = widgets.FillMatrix(k, v, n=40)
    read = {"adding": k[:40].T @ v[:40], "correcting": memory.recurrent(k[:40], k[:40], v[:40])[1]}
    for rule, z in read.items():
        share = (((k[:40] @ z)[:, None] - v[:40]) ** 2).sum(-1).argmin(1) == np.arange(40)
        assert shown.right[rule] == pytest.approx(share.mean(), abs=1e-4)
        np.testing.assert_allclose(shown.matrices[rule], z, atol=0.04)  # the picture's numbers are rounded
    assert shown.right["softmax"] == 1 > shown.right["adding"] > shown.right["correcting"]
    shown.set(n=1)
    assert set(shown.right.values()) == {1.0} and shown.sentence().startswith("1 pair written into")


def test_several_draws_have_a_mean_and_a_band_of_eight_in_ten():
    rng = np.random.default_rng(2)
    k, v = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in rng.normal(size=(2, 11, 24, 6)))
    shown = widgets.FillMatrix(k, v, n=20)
    alone = [widgets.FillMatrix(keys, values, n=20).right for keys, values in zip(k, v, strict=True)]
    for rule, (low, high) in shown.spread.items():
        shares = sorted(one[rule] for one in alone)
        assert shown.right[rule] == pytest.approx(np.mean(shares), abs=1e-4)
        assert (low, high) == pytest.approx((shares[1], shares[-2]), abs=5.1e-3)
    assert shown.right["adding"] < shown.right["softmax"]
    assert shown.sentence().endswith("of its keys right, in the mean of 11 draws.")
    np.testing.assert_allclose(shown.crosstalk, k[0, :20] @ k[0, :20].T, atol=0.03)
    assert len(shown.html()) < 20 * 24 * 6 * 2 * 11 / 3  # less than what the draws would weigh


def test_of_two_pairs_correcting_loses_the_first_where_the_keys_product_is_above_the_golden_one():
    """The figure says so: beside u = v₀·v₁ the first reads (1 − c² − c)(1 − u) nearer to its own value."""
    rng = np.random.default_rng(2)
    for c in (-0.9, -0.3, 0.3, 0.61, 0.617, 0.619, 0.63, 0.9):
        v = rng.normal(size=(2, 8))
        v /= np.linalg.norm(v, axis=-1, keepdims=True)
        shown = widgets.FillMatrix(np.array([[1, 0], [c, (1 - c * c) ** 0.5]]), v, n=2)
        assert shown.right["adding"] == 1 and shown.right["correcting"] == (0.5 if c > 0.618 else 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.TwoKeys(200), "angle must lie between 0 and 180, but is 200"),
        (lambda: widgets.TwoKeys(beta=3), "beta must lie between 0 and 2, but is 3"),
        (lambda: widgets.WritesSeen(np.eye(3), ["A", "B"]), "the number of writes is 3 in K but 2 in tokens"),
        (lambda: widgets.WritesSeen(np.eye(3), alpha=1.5), "alpha must lie between 0 and 1, but is 1.5"),
        (lambda: widgets.WritesSeen(np.eye(3), written=4), "written is 4, but there are 4 steps: it must lie in 0…3"),
        (lambda: widgets.FillMatrix(np.eye(3), np.eye(4)), "number of pairs"),
        (lambda: widgets.FillMatrix(np.ones((2, 3, 3)), np.eye(3)), "number of draws is 2 in K but 1 in V"),
        (lambda: widgets.FillMatrix(np.ones(3), np.eye(3)), r"K must be \(N, width\)"),
        (lambda: widgets.FillMatrix(np.full((3, 3), np.nan), np.eye(3)), "K must be finite"),
        (lambda: widgets.FillMatrix(np.eye(129), np.eye(129)), "up to 128 pairs, but there are 129"),
        (lambda: widgets.FillMatrix(np.eye(3), np.eye(3), n=4), "n must lie between 1 and 3, but is 4"),
    ],
)
def test_what_cannot_be_shown_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_still_pictures_say_what_they_show():
    for shown in (widgets.TwoKeys(), widgets.WritesSeen(np.eye(3))):
        assert len(repr(shown.static()).split()) > 5
