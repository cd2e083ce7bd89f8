"""The interactive figures from Python: state, sentences, HTML, errors."""

import gzip
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from sampled import some
from worked import HOSTILE, TOKENS, W_K, W_Q, W_V, X, every_widget, head

pytest.importorskip("anywidget")

from attn import core
from attn.show import figures, widgets
from attn.show.kit import bundle, text
from book import assets

HEAD = (X, W_Q, W_K, W_V, TOKENS)


class Outline(HTMLParser):
    """The tags of a piece of HTML, and the text of its script."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.script, self.cells = [], "", []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] == "script" and not self.script:
            self.script = data
        if self.tags and self.tags[-1][0] == "td":
            self.cells.append(data)


def test_the_worked_example_comes_out():
    whole = widgets.Pipeline(*HEAD)
    np.testing.assert_array_equal(whole.Q, [[2, 0, 1], [0, 2, 1], [1, 1, 1]])
    np.testing.assert_array_equal(whole.scores, [[1, 5, 3], [3, 3, 3], [2, 4, 3]])
    np.testing.assert_allclose(whole.weights[0], [0.070, 0.707, 0.223], atol=5e-4)
    np.testing.assert_allclose(whole.output[0], [1, 1.637, 0.070], atol=5e-4)


def test_the_pipeline_is_the_library():
    x, w_q, w_k, w_v = head(np.random.default_rng(1))
    mask = np.tri(5, dtype=bool)
    whole = widgets.Pipeline(x, w_q, w_k, w_v, mask=mask)
    np.testing.assert_allclose(
        whole.output, core.scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, mask), atol=1e-15
    )


@pytest.mark.parametrize(
    ("widget", "sentence"),
    [
        (lambda: widgets.Embedding(X, TOKENS, selected=1), "“love” is row 1 of X: (0, 1, 0, 1)."),
        (
            lambda: widgets.Projection(*HEAD, step=4),
            "Step 4 of 9: the embedding of “I” times W_K is its row of K, (0, 1, 1).",
        ),
        (
            lambda: widgets.ScoreCells(X @ W_Q, X @ W_K, TOKENS, col=1),
            "q(“I”) · k(“love”) = 2·2 + 0·1 + 1·1 = 5.",
        ),
        (
            lambda: widgets.SoftmaxSliders([0, 0, 0]),
            "Equal scores make equal shares: 33.3% each.",
        ),
        (
            lambda: widgets.Pipeline(*HEAD, stage=4),
            "Stage 5 of 7, softmax: softmax turns them into the weights (0.070, 0.707, 0.223).",
        ),
    ],
)
def test_a_widget_is_a_sentence(widget, sentence):
    assert repr(widget()) == sentence


def test_the_sentence_follows_the_state():
    whole = widgets.Pipeline(*HEAD)
    told = set()
    for stage in range(7):
        whole.stage = stage
        told.add(repr(whole))
    assert len(told) == 7


@pytest.mark.parametrize("widget", every_widget(), ids=lambda widget: type(widget).__name__)
def test_every_host_gets_its_form(widget):
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == repr(widget)
    assert "application/vnd.jupyter.widget-view+json" in data
    outline = Outline(data["text/html"])
    assert outline.tags[0] == ("div", {"class": "attn-figure", "data-view": widget.view})
    assert json.loads(outline.script) == widget.state
    assert {"table", "details"} & {tag for tag, _ in outline.tags}
    assert widget.static().alt


@pytest.mark.parametrize("widget", every_widget(), ids=lambda widget: type(widget).__name__)
def test_showing_a_widget_twice_gives_the_same_html(widget):
    assert widget.html() == widget.html()
    assert widget.model_id not in widget.html()


@pytest.mark.parametrize("widget", some(every_widget(HOSTILE), 4), ids=lambda widget: type(widget).__name__)
def test_hostile_names_neither_break_nor_inject(widget):
    html = widget.html()
    outline = Outline(html)
    allowed = set("div script table caption thead tbody tr td th bdi p strong ul li details summary".split())
    assert {tag for tag, _ in outline.tags} <= allowed
    assert sum(tag == "script" for tag, _ in outline.tags) == 1
    assert "<" not in outline.script  # so nothing in it can close the element, whatever a browser calls a close
    assert not any(name.startswith("on") for _, attributes in outline.tags for name in attributes)
    state = json.loads(outline.script)
    names = next(state[part] for part in ("tokens", "rows", "names", "choices") if part in state)
    assert names[:2] == HOSTILE[:2]
    html.encode("utf-8")  # a lone surrogate would stop here


@pytest.mark.prove
@pytest.mark.parametrize("widget", every_widget(HOSTILE), ids=lambda widget: type(widget).__name__)
def test_a_picture_with_hostile_names_is_drawn(widget):
    assert widget.static()._repr_html_()


def test_the_html_holds_the_numbers_without_a_script():
    cells = Outline(widgets.Heatmap([[0.25, 0.75]], ["a"], ["x", "y"]).html()).cells
    assert cells == ["0.250", "0.750"]


def test_arrays_are_borrowed():
    x = X.copy()
    widgets.Embedding(x, TOKENS).X[0][0] = 99.0
    np.testing.assert_array_equal(x, X)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.Embedding(X, ["a"]), "the number of words is 3 in X but 1 in tokens"),
        (lambda: widgets.Embedding(X, selected=3), "selected is 3, but there are 3 words"),
        (lambda: widgets.Embedding(X, selected=-1), "selected is -1"),
        (lambda: widgets.Embedding([1, 2]), r"X must be a matrix, not an array of shape \(2,\)"),
        (lambda: widgets.Embedding(np.zeros((0, 3))), "at least one row"),
        (lambda: widgets.Embedding([[1, np.nan]]), r"X must be finite, but entry \(0, 1\) is nan"),
        (lambda: widgets.Embedding([[1, 2], [3]]), "X is not a rectangular array"),
        (lambda: widgets.Projection(X, W_Q.T, W_K, W_V), "the model width c is 4 in X but 3 in W_Q"),
        (lambda: widgets.Projection(X, W_Q[:, :2], W_K, W_V), "the width d is 2 in W_Q but 3 in W_K"),
        (lambda: widgets.Projection(*HEAD, step=10), "step is 10"),
        (lambda: widgets.ScoreCells(X, W_Q), "the width d is 4 in Q but 3 in K"),
        (lambda: widgets.ScoreCells(X, X[:2], TOKENS, TOKENS), "the number of keys is 2 in K but 3 in key_tokens"),
        (lambda: widgets.Heatmap([[0.5, 2.0]]), "values leave 0…1"),
        (lambda: widgets.Heatmap([[0.5]], kind="hot"), "kind is 'hot'"),
        (lambda: widgets.Heatmap([[0.5, 0.5]], scores=[[1, 2]]), "values are not the softmax of scores"),
        (lambda: widgets.Heatmap([[0.5, 0.5]], scores=[[1]]), "scores must be finite numbers, as many as values"),
        (
            lambda: widgets.Heatmap([[0.5]], scale="cell"),
            'scale is .cell.; the scales are "matrix", "row" and "column"',
        ),
        (lambda: widgets.Heatmap([[np.inf]], kind="signed"), "entry .0, 0. is inf"),
        (lambda: widgets.SoftmaxSliders([1, 2], ["a"]), "the number of scores is 2 in scores but 1 in tokens"),
        (lambda: widgets.SoftmaxSliders([]), "at least one number"),
        (lambda: widgets.SoftmaxSliders([1, np.inf]), "scores must be finite, but entry 1 is inf"),
        (lambda: widgets.SoftmaxSliders([101]), "scores reach 101"),
        (lambda: widgets.Pipeline(*HEAD, mask=[[2]]), "mask must be boolean"),
        (lambda: widgets.Pipeline(*HEAD, mask=np.ones((2, 2))), r"mask has shape \(2, 2\)"),
        (lambda: widgets.Pipeline(*HEAD, stage=7), "stage is 7"),
    ],
)
def test_bad_values_are_named_with_both_sizes(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.Embedding("abc"), "X must hold real numbers"),
        (lambda: widgets.Embedding(X, [1, 2, 3]), "tokens must be strings, but one is 1"),
        (lambda: widgets.Embedding(X, 5), "tokens must be strings"),
        (lambda: widgets.Heatmap([[0.5]], colour="red"), "Heatmap has no argument 'colour'"),
        (lambda: widgets.Embedding(X, selected="two"), "selected must be a whole number"),
    ],
)
def test_bad_types_are_named(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_a_refused_change_changes_nothing():
    whole = widgets.Pipeline(*HEAD)
    before = whole.state
    for change in (dict(X=[[1, 2]]), dict(X=[[1, 2]], tokens=["a"]), dict(stage=7), dict(focus=3, stage=1)):
        with pytest.raises(ValueError, match="but"):
            whole.set(**change)
        assert whole.state == before


def test_parts_that_belong_together_change_together():
    shown = widgets.Embedding(X, TOKENS)
    shown.set(X=[[1, 2]], tokens="alone")
    assert repr(shown) == "“alone” is row 0 of X: (1, 2)."


def test_minus_infinity_is_a_masked_score():
    shown = widgets.Heatmap([[1.0, -np.inf]], ["a"], ["x", "y"], kind="signed", name="S", col=1)
    assert "column “y” holds −∞" in repr(shown)
    assert shown.state["values"] == [[1.0, None]]
    assert np.isneginf(shown.weights[0, 1])
    shown.values = shown.values  # as the front end sends it back
    assert shown.state["values"] == [[1.0, None]]


def test_a_heatmap_carries_a_title_only_where_one_was_given():
    assert not {"title", "scale"} & set(widgets.Heatmap(np.eye(2)).state)
    assert widgets.Heatmap(np.eye(2), scale="row").state["scale"] == "row"
    shown = widgets.Heatmap(np.eye(2), title="Taps of a filter.")
    assert json.loads(Outline(shown.html()).script)["title"] == "Taps of a filter."
    assert shown.static().figure.axes[0].get_title(loc="left") == "Taps of a filter."
    assert repr(shown) == repr(widgets.Heatmap(np.eye(2)))


def test_a_word_that_may_see_nothing_gets_zeros():
    whole = widgets.Pipeline(*HEAD, mask=np.array([[False] * 3, [True] * 3, [True] * 3]), stage=4)
    np.testing.assert_array_equal(whole.weights[0], 0)
    assert repr(whole).endswith("the weights (0, 0, 0).")


@pytest.mark.parametrize("view", bundle.views())
def test_each_module_stands_alone(view):
    source = bundle.module_source(view)
    assert not re.search(r"^\s*import\b(?!\()", source, re.MULTILINE)
    assert "export default { render:" in source


def test_the_site_script_is_no_module_and_asks_no_other_host():
    source = bundle.site_script()
    assert not re.search(r"^\s*(import\b(?!\()|export\b)", source, re.MULTILINE)
    assert not re.search(r"https?://|fetch\(|innerHTML|insertAdjacentHTML|eval\(", source)
    assert "</script" not in source


def test_what_is_imported_may_not_hide_a_module_that_is_imported_too(monkeypatch):
    text = 'import { legend } from "./kit.js";\nimport { slight } from "./legend.js";\nexport const x = slight;\n'
    monkeypatch.setattr(bundle, "source", lambda name: text)
    with pytest.raises(ValueError, match=r"imports from legend\.js and also something called legend"):
        bundle._scoped("one")


def test_the_kit_stays_light():
    sent = assets.sources()
    size = {name: len(gzip.compress(text.encode())) for name, text in sent.items() if name.startswith("figures")}
    parts = {name: size[f] for f in size for name in bundle.site_parts() if f.startswith(f"figures/{name}-")}
    core = size["figures.js"] + size["figures.css"]
    views = {view: sum(parts[name] for name in bundle.needs(view)) for view in bundle.views()}
    print(f"compressed: the core {core} bytes, all parts {sum(parts.values())}, views {views}")
    assert core <= 20_000 and max(views.values()) <= 13 * 1024


def test_each_part_of_the_site_s_script_needs_only_what_comes_before_it():
    parts = bundle.site_parts()
    for view in bundle.views():
        needed = bundle.needs(view)
        assert needed[-1] == view
        for i, name in enumerate(needed):
            here = {"kit", "linalg", *needed[:i]}
            for made, one in re.findall(r"(?:^parts\.(\w+) = \w+|= parts\.(\w+));$", parts[name], re.MULTILINE):
                assert not one or one in here, (view, name, one)
                here.add(made)
            assert name in here
            foreign = r"^\s*(import\b(?!\()|export\b)|https?://|innerHTML|</script"
            assert not re.search(foreign, parts[name], re.MULTILINE), name


def test_an_unknown_view_is_named():
    with pytest.raises(ValueError, match="there is no view 'nonsense'"):
        bundle.module_source("nonsense")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: widgets.Roofline(bandwidth=1e-300), "bandwidth must lie between 1e-30 and 1e\\+30, but it is 1e-300"),
        (lambda: widgets.Roofline(peak=1e308), "peak must lie between 1e-30 and 1e\\+30, but it is 1e\\+308"),
        (lambda: widgets.Roofline(length=10**400), "length must lie between 0 and .* larger than any float"),
        (lambda: widgets.CacheCalculator(length=10**400), "length must lie between"),
        (
            lambda: widgets.CacheCalculator(batch=10**30),
            "batch must lie between 0 and 1.09951e\\+12, but it is 1e\\+30",
        ),
        (lambda: widgets.Heatmap([[np.inf, 1], [0, 1]], kind="signed"), "values must be finite, but entry \\(0, 0\\)"),
        (lambda: figures.heatmap([[np.inf, 1], [0, 1]]), "values must be finite or −∞, but entry \\(0, 0\\) is \\+∞"),
        (lambda: figures.bars([0, np.inf], ["a", "b"]), "values must be finite or −∞, but entry \\(1,\\) is \\+∞"),
    ],
)
def test_what_no_figure_can_show_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_infinity_is_a_number_with_a_sign():
    assert text.number(float("inf")) == "∞" and text.number(-float("inf")) == "−∞"
