"""The induction task and its scores, on cases small enough to check by eye."""

import numpy as np
import pytest

from attn import masks
from attn.induction import induction_score, induction_slots, previous_token_score, repeated, seen

ABC = np.array([0, 1, 2, 0, 1, 2, 0])


def looking_back(distance, n=32):
    """A head that looks a fixed distance back, or at the first token where that is not possible."""
    return np.eye(n)[np.maximum(np.arange(n) - distance, 0)]


def batch(periods, number=64):
    return repeated(np.random.default_rng(7), number, periods)


def test_sequences_repeat_with_the_period_they_say_and_nothing_sooner():
    tokens, drawn = batch((8, 11, 16))
    assert set(drawn) == {8, 11, 16}
    for row, n in zip(tokens, drawn, strict=True):
        assert len(set(row[:n])) == n
        np.testing.assert_array_equal(row[n:], row[:-n])


def test_a_period_of_one_repeats_one_token():
    tokens, drawn = batch((1,))
    assert set(drawn) == {1} and (tokens == tokens[:, :1]).all()


def test_the_same_generator_gives_the_same_sequences():
    np.testing.assert_array_equal(batch((8, 11))[0], batch((8, 11))[0])


def test_a_period_longer_than_the_vocabulary_is_refused():
    with pytest.raises(ValueError, match="a period of 9 needs more distinct tokens than the 8"):
        repeated(np.random.default_rng(0), 2, (9,), vocabulary=8)


def test_seen_means_strictly_before():
    np.testing.assert_array_equal(seen(ABC), [False, False, False, True, True, True, True])


def test_slots_follow_every_earlier_copy():
    found = [tuple(map(int, pair)) for pair in np.argwhere(induction_slots(ABC))]
    assert found == [(3, 1), (4, 2), (5, 3), (6, 1), (6, 4)]


def test_a_token_twice_in_a_row_is_its_own_slot():
    np.testing.assert_array_equal(induction_slots([5, 5]), [[False, False], [False, True]])


def test_a_perfect_induction_head_scores_one():
    tokens, _ = batch((8, 11, 16))
    slots = induction_slots(tokens)
    weights = slots / np.maximum(slots.sum(-1, keepdims=True), 1)
    np.testing.assert_allclose(induction_score(weights[:, None], tokens), [1])


def test_a_fixed_distance_looks_perfect_at_one_period_and_not_over_many():
    cheat = np.broadcast_to(looking_back(15), (64, 1, 32, 32))
    assert induction_score(cheat, batch((16,))[0]) == pytest.approx([1])
    assert induction_score(cheat, batch(range(8, 17))[0]) < 0.4


def test_the_last_query_is_not_asked():
    tokens, _ = batch((8,))
    weights = induction_slots(tokens)[:, None] / 3.0
    spoilt = weights.copy()
    spoilt[..., -1, :] = 0
    np.testing.assert_array_equal(induction_score(spoilt, tokens), induction_score(weights, tokens))


def test_a_previous_token_head_scores_one_and_every_head_gets_its_own_score():
    tokens, _ = batch((8, 11))
    weights = np.stack([looking_back(1), looking_back(2), np.tri(32) / np.arange(1, 33)[:, None]])
    scores = previous_token_score(np.broadcast_to(weights, (64, 3, 32, 32)), tokens)
    assert scores[0] == 1
    assert scores[1] == pytest.approx(seen(tokens)[:, :1].size / (~seen(tokens)[:, 1:]).sum())  # position 1 looks at 0
    assert 0.1 < scores[2] < 0.5


def test_previous_tokens_are_only_asked_for_where_something_new_stands():
    tokens, _ = batch((8,))
    weights = np.where(seen(tokens)[:, None, :, None], np.eye(32), looking_back(1))
    assert previous_token_score(weights, tokens) == [1]


def test_arguments_are_left_alone():
    tokens, _ = batch((8,))
    weights = np.broadcast_to(masks.causal(32) / np.arange(1, 33)[:, None], (64, 1, 32, 32))  # read-only
    before = tokens.copy()
    induction_score(weights, tokens), previous_token_score(weights, tokens)
    np.testing.assert_array_equal(tokens, before)
