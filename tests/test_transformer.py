"""The small trained transformer: equal to torch, its parts add up, and it really has learnt induction."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attn import heads, transformer
from attn.induction import repeated, seen
from attn.transformer import decode, encode, load, losses, run

NAMES = ("induction", "one_layer", "fixed_period")


def some_tokens(sequences=3, periods=(8, 11, 13), seed=6):
    return repeated(np.random.default_rng(seed), sequences, periods)[0]


def torch_logits(model, tokens):
    """The same network, written with torch's own operators, one head at a time."""
    w = {name: torch.from_numpy(np.asarray(getattr(model, name))) for name in model._fields if name != "heads"}
    x, p = w["w_e"][torch.from_numpy(tokens)], w["w_p"][: tokens.shape[-1]]
    for q, k, v, o in zip(w["w_q"], w["w_k"], w["w_v"], w["w_o"], strict=True):
        added = torch.zeros_like(x)
        for qh, kh, vh, oh in zip(*(m.chunk(model.heads, 1) for m in (q, k, v)), o.chunk(model.heads, 0), strict=True):
            added = added + F.scaled_dot_product_attention((x + p) @ qh, (x + p) @ kh, x @ vh, is_causal=True) @ oh
        x = x + added
    return (x @ w["w_u"]).numpy()


@pytest.mark.parametrize("name", NAMES)
def test_the_forward_pass_equals_torch_in_float64(name):
    model, tokens = load(name), some_tokens(64)
    logits = run(model, tokens).logits
    assert logits.dtype == np.float64
    np.testing.assert_allclose(logits, torch_logits(model, tokens), rtol=0, atol=1e-10)


def test_a_mask_hides_more_than_the_future_and_never_shows_it():
    model, tokens = load(), some_tokens()
    last = run(model, tokens, mask=np.eye(tokens.shape[-1], dtype=bool))
    np.testing.assert_array_equal(last.weights, np.broadcast_to(np.eye(tokens.shape[-1]), last.weights.shape))
    everything = run(model, tokens, mask=np.ones((1, 1), bool))
    np.testing.assert_array_equal(everything.logits, run(model, tokens).logits)


@pytest.mark.parametrize("name", NAMES)
def test_every_step_has_the_shape_it_says(name):
    model, tokens = load(name), some_tokens()
    done, layers, h = run(model, tokens), len(model.w_q), model.heads
    assert done.logits.shape == (3, 32, 32)
    assert done.residual.shape == (layers + 1, 3, 32, 64)
    assert done.weights.shape == (layers, 3, h, 32, 32)
    assert done.outputs.shape == (layers, 3, h, 32, 16)
    assert done.writes.shape == (layers, 3, h, 32, 64)


def test_a_single_sequence_gives_what_it_gives_in_a_batch():
    model, tokens = load(), some_tokens()
    np.testing.assert_allclose(run(model, tokens[1]).logits, run(model, tokens).logits[1], atol=1e-12)


def test_the_logits_are_a_sum_of_what_the_embedding_and_every_head_say():
    model, tokens = load(), some_tokens()
    done = run(model, tokens)
    np.testing.assert_array_equal(done.residual[0], model.w_e[tokens])
    np.testing.assert_allclose(np.diff(done.residual, axis=0), done.writes.sum(-3), atol=1e-12)
    np.testing.assert_allclose((done.residual[0] + done.writes.sum((0, -3))) @ model.w_u, done.logits, atol=1e-11)


def test_a_heads_own_matrices_make_its_write():
    model, tokens = load(), some_tokens()
    done = run(model, tokens)
    for layer, head in ((0, 3), (1, 1)):
        q, k, v, o = model.head(layer, head)
        assert (q.shape, k.shape, v.shape, o.shape) == ((64, 16), (64, 16), (64, 16), (16, 64))
        written = done.weights[layer, :, head] @ done.residual[layer] @ v @ o
        np.testing.assert_allclose(written, done.writes[layer, :, head], atol=1e-12)
        placed = done.residual[layer] + model.w_p
        raw = placed @ q @ k.T @ placed.mT / 4
        ratio = np.log(done.weights[layer, :, head, -1]) - raw[:, -1]  # log-weights differ from scores by a constant
        np.testing.assert_allclose(ratio, ratio[:, :1] * np.ones(32), atol=1e-10)


def test_the_future_cannot_reach_the_past():
    model, tokens = load(), some_tokens()
    changed = np.concatenate([tokens[:, :20], (tokens[:, 20:] + 1) % 32], -1)
    np.testing.assert_array_equal(run(model, changed).logits[:, :20], run(model, tokens).logits[:, :20])


def test_silencing_a_head_is_dropping_its_rows_of_w_o():
    model, tokens = load(), some_tokens()
    w_o = model.w_o.copy()
    w_o[0, 48:] = 0
    silent = run(model, tokens, without=[(0, 3)])
    np.testing.assert_array_equal(silent.logits, run(model._replace(w_o=w_o), tokens).logits)
    assert not silent.writes[0, :, 3].any()
    assert silent.outputs[0, :, 3].any()


def test_with_every_head_silent_only_the_embedding_speaks():
    model, tokens = load(), some_tokens()
    silent = run(model, tokens, without=[(layer, head) for layer in range(2) for head in range(4)])
    np.testing.assert_array_equal(silent.logits, model.w_e[tokens] @ model.w_u)


@pytest.mark.parametrize("g", [1, 2])
def test_shared_keys_and_values_are_repeated_for_neighbouring_heads(g):
    model, tokens = load(), some_tokens()
    pooled = {name: np.stack([heads.pool_kv(w, 4, g) for w in getattr(model, name)]) for name in ("w_k", "w_v")}
    spread = {name: np.repeat(w.reshape(2, 64, g, 16), 4 // g, axis=2).reshape(2, 64, 64) for name, w in pooled.items()}
    shared, written_out = run(model._replace(**pooled), tokens), run(model._replace(**spread), tokens)
    np.testing.assert_allclose(shared.logits, written_out.logits, atol=1e-11)
    for layer, head in ((0, 0), (0, 3), (1, 1), (1, 2)):
        for one, other in zip(
            model._replace(**pooled).head(layer, head), model._replace(**spread).head(layer, head), strict=True
        ):
            np.testing.assert_array_equal(one, other)


def test_nothing_is_modified():
    model, tokens = load(), some_tokens()
    before = [np.copy(array) for array in (*model[1:], tokens)]
    losses(run(model, tokens, without=[(1, 0)]).logits, tokens)
    assert all(np.array_equal(x, y) for x, y in zip(before, (*model[1:], tokens), strict=True))


def test_a_word_written_twice_is_finished():
    """Ten and thirteen letters: periods that no training sequence had."""
    for word in ("TRAMPOLINE", "DOCUMENTARILY"):
        guessed = run(load(), encode(word * 2)).logits.argmax(-1)
        assert decode(guessed[len(word) : -1]) == word[1:]


def test_even_guesses_cost_the_logarithm_of_the_vocabulary():
    tokens = some_tokens()
    np.testing.assert_allclose(losses(np.zeros((3, 32, 32)), tokens), np.full((3, 31), np.log(32)))


def test_losses_equal_torchs_cross_entropy():
    model, tokens = load(), some_tokens()
    logits = run(model, tokens).logits
    theirs = F.cross_entropy(torch.from_numpy(logits[:, :-1]).mT, torch.from_numpy(tokens[:, 1:]), reduction="none")
    np.testing.assert_allclose(losses(logits, tokens), theirs.numpy(), atol=1e-12)


def test_unpredictable_tokens_stay_unpredictable():
    """What cannot be known costs at least log of the tokens not yet seen, whatever was learnt."""
    tokens = some_tokens(256)
    new = ~seen(tokens)[:, 1:]
    assert losses(run(load(), tokens).logits, tokens)[new].mean() > np.log(32 - 16)


def test_symbols_and_tokens_are_two_ways_to_write_one_thing():
    np.testing.assert_array_equal(encode("BAD7"), [1, 0, 3, 31])
    assert decode(np.arange(32)) == transformer.SYMBOLS
    with pytest.raises(ValueError, match="have no 8 a"):
        encode("a8")


@pytest.mark.parametrize(
    "tokens, error, said",
    [
        ([0.0, 1.0], TypeError, "tokens must be integers, not float64"),
        ([0, 32], ValueError, "tokens range 0 to 32"),
        ([-1, 3], ValueError, "tokens range -1 to 3"),
        ([0] * 33, ValueError, "1 to 32 positions"),
        (3, ValueError, "1 to 32 positions"),
    ],
)
def test_tokens_the_model_has_not_are_refused_by_name(tokens, error, said):
    with pytest.raises(error, match=said):
        run(load(), tokens)


def test_a_head_or_a_model_that_is_not_there_is_refused_by_name():
    with pytest.raises(ValueError, match=r"head \(2, 0\), but there are 2 layers of 4"):
        run(load(), [0, 1], without=[(2, 0)])
    with pytest.raises(FileNotFoundError, match=r"three_layers.npz"):
        load("three_layers")
    with pytest.raises(ValueError, match="do not fit"):
        losses(np.zeros((3, 31, 32)), some_tokens())


def test_an_empty_text_is_no_tokens():
    assert encode("").shape == (0,) and encode("").dtype == encode("BAD").dtype
