"""The playground and the figures of cost from Python: what they take, compute, say and refuse."""

import json
import re

import numpy as np
import pytest
from worked import HOSTILE

pytest.importorskip("anywidget")


from attn import core, cost, data, induction, masks, online, softmax, transformer
from attn.show import presets, widgets
from attn.show.kit import bundle

WORDS = "do re mi fa do re mi fa".split()
LONG = [f"w{i % 8}" for i in range(32)]


def made(tokens=None):
    """One of each figure of this group; with tokens where it takes any."""
    rng = np.random.default_rng(10)
    tokens = tokens or WORDS
    n = len(tokens)
    return [
        widgets.Playground(tokens, preset="induction"),
        widgets.MaskPainter(n, "window", tokens=tokens),
        widgets.OnlineSoftmax(rng.normal(size=n), rng.normal(size=(n, 2)), 3, tokens=tokens, step=2),
    ]


def plain():
    return [
        widgets.CacheCalculator(),
        widgets.HeadBrowser(edit="head"),
        widgets.EncoderHeads(edit="word"),
        widgets.Roofline(points={"ours": (100, 5e13)}),
    ]


@pytest.mark.parametrize("widget", [*made(), *plain()], ids=lambda widget: type(widget).__name__)
def test_every_host_gets_its_form(widget):
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == repr(widget)
    assert "<table>" in data["text/html"]
    state = data["text/html"].split('json">')[1].split("</script>")[0]
    assert json.loads(state) == widget.state
    assert widget.static().alt and widget.static()._repr_html_()


@pytest.mark.parametrize("widget", made(HOSTILE), ids=lambda widget: type(widget).__name__)
def test_hostile_names_do_not_inject(widget):
    html = widget.html()
    assert html.count("<script") == 1 and "<img" not in html and "<b>" not in html
    html.encode("utf-8")
    assert widget.static()._repr_html_()


# ---- presets


def looks(tokens, name, **options):
    weights = widgets.Playground(tokens, preset=name, **options).weights
    np.testing.assert_allclose(weights.sum(1), 1)
    return weights


@pytest.mark.parametrize("n", [2, 3, 5, 8, 17, 32, 63, 128])
def test_positional_presets_look_where_they_say(n):
    tokens = [f"t{i % 7}" for i in range(n)]
    i = np.arange(n)
    targets = {"previous": np.maximum(i - 1, 0), "self": i, "first": 0 * i, "edge": np.maximum(i - 2, 0)}
    for name, target in targets.items():
        weights = looks(tokens, name, window=3)
        assert weights[i, target].min() > 0.998, name
    np.testing.assert_allclose(looks(tokens, "uniform"), np.tri(n) / (i[:, None] + 1))


@pytest.mark.parametrize("tokens", [WORDS, LONG, list("abcabdabcabe"), list("aabbaabb"), list("abcdefgh"), ["x"] * 6])
def test_induction_attends_to_what_followed_the_last_copy_else_to_the_first_token(tokens):
    weights = looks(tokens, "induction")
    for i, token in enumerate(tokens):
        earlier = [j for j in range(i) if tokens[j] == token]
        assert weights[i, earlier[-1] + 1 if earlier else 0] > 0.99, (i, token)


def test_what_the_trained_head_does_the_induction_preset_does():
    order = np.random.default_rng(10).permutation(32)[:9]
    ids = np.resize(order, 32)
    weights = looks(list(transformer.decode(ids)), "induction")
    assert induction.induction_score(weights[None], ids)[0] > 0.99


@pytest.mark.parametrize("tokens", [WORDS, LONG, list("abca")])
def test_same_token_shares_its_attention_among_all_copies(tokens):
    same = np.array([[a == b for b in tokens] for a in tokens])
    np.testing.assert_allclose(looks(tokens, "same"), same / same.sum(1, keepdims=True), atol=1e-3)


def test_two_digit_ranks_are_those_of_the_singular_values():
    rng = np.random.default_rng(3)
    for r in range(1, 9):
        assert presets.rank(rng.normal(size=(13, r)) @ rng.normal(size=(r, 11))) == r
    assert presets.rank(np.zeros((3, 3))) == 0
    assert presets.rank(np.diag([1, 0.5, 1e-4])) == 2


@pytest.mark.parametrize("name", ["none", "causal", "window", "prefix", "blocks"])
def test_masks_by_name_are_the_library_s(name):
    theirs = {
        "none": np.ones((7, 7), bool),
        "causal": masks.causal(7),
        "window": masks.causal(7) & masks.sliding_window(7, left=2),
        "prefix": masks.prefix(7, length=2),
        "blocks": masks.blocks(7, size=3),
    }
    np.testing.assert_array_equal(presets.pattern(name, 7, window=3), theirs[name])
    if name != "blocks":
        shown = widgets.Playground(WORDS[:7], mask=name, window=3)
        np.testing.assert_array_equal(shown.mask_matrix, theirs[name])


def test_documents_are_three_and_causal():
    mask = presets.pattern("documents", 8)
    assert (np.flatnonzero(mask.sum(1) == 1) == [0, 4, 6]).all()
    assert not np.triu(mask, 1).any()
    assert np.bincount(presets.packed(9)).tolist() == [4, 2, 3]  # as in chapter 8


# ---- the playground


def test_the_playground_is_the_library():
    rng = np.random.default_rng(4)
    q, k, v = rng.normal(size=(5, 7)), rng.normal(size=(5, 7)), rng.normal(size=(5, 3))
    mask = rng.random((5, 5)) < 0.6
    shown = widgets.Playground(list("abcde"), q, k, v, mask=mask, temperature=0.5)
    ours = core.trace(q, k, v, mask, scale=2 / 7**0.5)
    np.testing.assert_allclose(shown.scores, core.scores(q, k))
    np.testing.assert_allclose(shown.weights, ours.weights)
    np.testing.assert_allclose(shown.output, ours.output)
    np.testing.assert_allclose(shown.entropies, softmax.entropy(ours.weights))
    assert shown.mask == "painted"


def test_the_playground_starts_alone_and_the_same():
    assert repr(widgets.Playground()) == repr(widgets.Playground())
    assert widgets.Playground().tokens == WORDS
    assert len(widgets.Playground(Q=np.eye(5)).tokens) == 5
    assert widgets.Playground(preset="induction").output[-1].round(2).tolist() == [5, 1]  # what followed "fa"


def test_at_least_eight_challenges_each_with_hint_and_why():
    goals = bundle.source("goals")
    names = re.findall(r'^    id: "(\w+)",$', goals, re.MULTILINE)
    assert len(names) >= 8
    for part in ("ask", "hint", "why"):
        said = re.findall(rf"^    {part}:\s+(.*?),\n    \w+:", goals, re.MULTILINE | re.DOTALL)
        assert len(said) == len(names) and all(text.endswith(('."', '?"', '…"')) for text in said)


# ---- costs


def test_painting_counts_what_the_library_counts():
    for n in (1, 8, 64):
        shown = widgets.MaskPainter(n, d=16)
        assert shown.pairs == cost.pairs(n, right=0)
        work = cost.attention(n, width=3, heads=1, head_width=16, allowed=shown.pairs)
        assert shown.multiply_adds == work.scores + work.values
    empty = np.tri(4, k=-1, dtype=bool)
    assert widgets.MaskPainter(4, empty).empty_rows == [0]
    assert "Nothing to see for “t0”" in repr(widgets.MaskPainter(4, empty))


def test_llama_3_70b_keeps_two_and_a_half_gib():
    sizes = widgets.CacheCalculator("Llama-3-70B", 8192).bytes
    assert sizes == {"MHA": 20 * 2**30, "as published": 2.5 * 2**30, "MQA": 320 * 2**20}
    assert widgets.CacheCalculator("Llama-3-70B", 8192, bits=4).bytes["MHA"] == 5 * 2**30
    assert widgets.CacheCalculator("Llama-3-70B", 1).per_token == 320 * 2**10


def test_every_model_has_a_source_and_an_unknown_one_is_said_to_be_unknown():
    from attn.show.widgets.cache_calculator import SOURCES

    assert list(SOURCES) == list(cost.MODELS)
    with pytest.raises(ValueError, match="not publicly known"):
        widgets.CacheCalculator("GPT-4")


def test_blocks_end_in_the_whole_softmax():
    rng = np.random.default_rng(5)
    scores, values = 5 * rng.normal(size=11), rng.normal(size=(11, 3))
    for block in (1, 4, 11, 20):
        last = -(-11 // block)
        shown = widgets.OnlineSoftmax(scores, values, block, step=last)
        np.testing.assert_allclose(shown.output, softmax.softmax(scores) @ values)
        whole = online.partial(np.ones((1, 1)), scores[:, None], values, scale=1.0)
        for mine, theirs in zip(shown.running, whole, strict=True):
            np.testing.assert_allclose(mine, theirs[0])
    assert shown.memory == (11 + 5, 11 + 3)


def test_a_new_maximum_rescales_what_was_held():
    shown = widgets.OnlineSoftmax([0, 1, 3], [[1], [1], [1]], 1, step=3)
    assert shown.rescale == pytest.approx(np.exp(-2))
    assert widgets.OnlineSoftmax([3, 1], [[1], [1]], 1, step=2).rescale == 1


def test_decode_is_bound_by_memory_and_batches_help_only_the_projections():
    one, many = widgets.Roofline(batch=1), widgets.Roofline(batch=256)
    assert one.intensity["decode, attention"] == many.intensity["decode, attention"] < one.ridge
    assert many.intensity["decode, projections"] > 100 * one.intensity["decode, projections"]
    assert one.intensity["prefill, attention"] > one.ridge
    for name, x in one.intensity.items():
        flops, moved = one.work[list(one.intensity).index(name)]
        best = cost.roofline(flops, moved, peak=one.peak, bandwidth=one.bandwidth)
        assert one.attainable[name] == pytest.approx(flops / best.seconds)
        assert x == pytest.approx(best.intensity)


def test_the_roof_s_dashed_ceiling_adds_the_time_of_the_exponentials_to_that_of_the_products():
    shown = widgets.Roofline(model="Llama-3-8B", length=2048, row=1)
    model = cost.MODELS["Llama-3-8B"]
    work = cost.attention(2048, width=0, heads=model.heads, head_width=model.head_width)
    seconds = work.flops / shown.peak + work.exponentials / shown.exponentials
    assert shown.in_turns == pytest.approx(work.flops / seconds)
    assert 0.66 < shown.in_turns / shown.peak < 0.67 and "reach 66.9% at most" in shown.sentence()
    assert "in turns" not in widgets.Roofline(row=0).sentence()
    assert widgets.Roofline(exponentials=1e30).in_turns == pytest.approx(shown.peak)


def test_without_exponentials_there_is_one_roof_and_no_word_of_another():
    shown = widgets.Roofline(length=2048, row=1, exponentials=None)
    assert shown.reached == shown.attainable and shown.in_turns == shown.peak
    assert "turns" not in shown.sentence() + str(shown.tables()) + shown.static().alt
    assert "turns" in str(widgets.Roofline(length=2048, row=1).tables())


def test_a_share_that_is_small_is_not_called_nothing_and_a_large_one_not_all():
    told = widgets.Playground(preset="previous").sentence()
    assert "weight ≈1. " in told
    shown = widgets.Playground(preset="previous", row=7, col=0)
    assert 0 < shown.weights[7, 0] < 0.0005 and "weight ≈0. " in shown.sentence()
    assert "masked, weight 0. " in widgets.Playground(preset="previous", row=0, col=7).sentence()


# ---- trained heads


@pytest.mark.parametrize("name", ["induction", "one_layer", "fixed_period"])
def test_the_browser_s_model_is_the_trained_one(name):
    model, shown = transformer.load(name), widgets.HeadBrowser(name)
    for mine, theirs in zip(shown.model, model, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    run = transformer.run(model, transformer.encode("".join(shown.tokens)))
    np.testing.assert_array_equal(shown.weights, run.weights)
    np.testing.assert_array_equal(shown.logits, run.logits)


def test_the_browser_finds_the_previous_token_head_and_the_induction_heads():
    shown = widgets.HeadBrowser()
    assert shown.previous_token[0, 3] > 0.99
    assert shown.induction[1].min() > 0.9
    assert np.isnan(widgets.HeadBrowser(tokens="ABCD").induction).all()


@pytest.mark.parametrize(("edit", "options"), [("head", dict(without=[(0, 3)])), ("word", {}), ("", {})])
def test_an_edit_is_what_the_library_s_run_says_without_that_head_or_that_word(edit, options):
    shown = widgets.HeadBrowser(tokens="ABCDABCD", layer=0, head=3, row=6, col=3, edit=edit)
    ids, hidden = transformer.encode("ABCDABCD"), np.ones((8, 8), bool)
    hidden[6, 3] = edit != "word"
    run = transformer.run(shown.model, ids, mask=hidden, **options)
    np.testing.assert_allclose(shown.changed, softmax.softmax(run.logits))
    moved = abs(shown.changed - shown.probabilities).max(-1)
    assert (moved > 1e-3).any() == bool(edit)
    assert edit != "word" or not moved[:6].any()  # what came before cannot see it


def test_a_sentence_of_the_encoder_is_what_is_stored_of_it():
    for one in data.encoder_effects():
        shown = widgets.EncoderHeads(one.text, layer=2, head=7, row=1, col=2, sentences=[one.text])
        for mine, theirs in zip(shown.effects, one, strict=True):
            np.testing.assert_array_equal(mine, theirs)
        np.testing.assert_array_equal(shown.chosen, one.weights[2, 7])
        assert shown.changed is None
        shown.edit = "head"
        assert shown.changed[0] == one.off_turn[2, 7, 1] and (shown.changed[1] == one.off_close[2, 7, 1]).all()
        shown.edit = "word"
        assert shown.changed[0] == one.hidden_turn[1, 2] and (shown.changed[1] == one.hidden_close[1, 2]).all()


def test_words_may_be_named_and_a_sentence_too():
    tired = "The animal didn't cross the street because it was too tired."
    shown = widgets.EncoderHeads(tired, row="it", col="street")
    assert (shown.tokens[shown.row], shown.tokens[shown.col]) == ("it", "street")
    assert widgets.EncoderHeads(tired).tokens[widgets.EncoderHeads(tired).col] == "animal"


# ---- refusals


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.Playground(["a"] * 129), "tokens has 129 names; the playground takes 1 to 128"),
        (lambda: widgets.Playground(["a", "b"], np.eye(3)), "the number of tokens is 2 in tokens but 3 in Q"),
        (lambda: widgets.Playground(Q=np.eye(3), K=np.ones((3, 2))), "the width d is 3 in Q but 2 in K"),
        (lambda: widgets.Playground(mask="hidden"), "mask is 'hidden'; the masks are none, causal"),
        (lambda: widgets.Playground(mask=np.ones((8, 8))), "mask must be a name or boolean, not float64"),
        (lambda: widgets.Playground(mask=np.ones((3, 3), bool)), "the number of tokens is 8 in tokens but 3 in mask"),
        (lambda: widgets.Playground(preset="magic"), "there is no preset 'magic'; the presets are previous"),
        (lambda: widgets.Playground(Q=np.eye(8), preset="self"), "give them or a preset, not both"),
        (lambda: widgets.Playground(temperature=0), "temperature must be positive"),
        (lambda: widgets.Playground(window=0), "window must be positive"),
        (lambda: widgets.Playground(row=8), "row is 8, but there are 8 tokens"),
        (lambda: widgets.MaskPainter(65), "n is 65; the painter takes 1 to 64"),
        (lambda: widgets.MaskPainter(3, np.ones((2, 3))), "mask is 2×3, but there are 3 tokens"),
        (lambda: widgets.MaskPainter(2, [[1, 2], [0, 1]]), "mask must be boolean"),
        (lambda: widgets.MaskPainter(3, "stripes"), "there is no mask 'stripes'"),
        (lambda: widgets.CacheCalculator("GPT-9"), "model is 'GPT-9'; the models are GPT-2 small"),
        (lambda: widgets.CacheCalculator(bits=7), "bits is 7; a number takes 4, 8, 16 or 32"),
        (lambda: widgets.OnlineSoftmax([1, 2], [[1]]), "the number of keys is 2 in scores but 1 in V"),
        (lambda: widgets.OnlineSoftmax([1, 2], [[1], [2]], 1, step=3), "step is 3, but there are 3 steps"),
        (lambda: widgets.Roofline(0), "peak must be positive"),
        (lambda: widgets.Roofline(exponentials=0), "exponentials must be positive"),
        (lambda: widgets.Roofline(points={"a": (1, 2, 3)}), "points must be .name: .intensity"),
        (lambda: widgets.Roofline(points={"a": (0, 1)}), "points must hold positive numbers"),
        (lambda: widgets.HeadBrowser(tokens="AB!"), "tokens holds '!'; the model's symbols are ABC"),
        (lambda: widgets.HeadBrowser(tokens="A" * 33), "tokens has 33 symbols; the model reads 1 to 32"),
        (lambda: widgets.HeadBrowser(layer=2), "layer is 2, but there are 2 layers"),
        (lambda: widgets.HeadBrowser(edit="all"), "edit is 'all'; it may be 'head', 'word'"),
        (lambda: widgets.EncoderHeads("No such"), "there is no sentence 'No such'; there are .The animal"),
        (lambda: widgets.EncoderHeads(99), "sentence is 99, but there are 11 sentences"),
        (lambda: widgets.EncoderHeads(row="bank"), "row is 'bank', which is none of the words"),
        (lambda: widgets.EncoderHeads(col=16), "col is 16, but there are 16 words"),
        (lambda: widgets.EncoderHeads(layer=6), "layer is 6, but there are 6 layers"),
        (lambda: widgets.EncoderHeads(edit="both"), "edit is 'both'; it may be 'head', 'word'"),
        (lambda: widgets.EncoderHeads(sentences=["A new one"]), "sentences has 'A new one'"),
    ],
)
def test_bad_values_are_named_with_both_sizes(make, message):
    with pytest.raises(ValueError, match=message):
        make()
