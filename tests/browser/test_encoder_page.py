"""The reader's own sentence: the page's encoder is attn.encoder, it loads on a press only, and says how much."""

import re
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from figurepage import said, write_page
from test_encoder_engines import turn

from attn import encoder
from attn.show import widgets
from book.assets import set_aside
from book.encoder import place, weights
from book.serve import serve

pytestmark = pytest.mark.browser

SENTENCES = """The violin was older than the man who played it.
Rain fell on the tin roof until the kettle boiled.
My sister's bicycle cost $120, and the lock cost more.
Nobody told the pilot that the runway had been moved.
A naïve café owner served jalapeños to the mayor.
He read the letter twice and then burned it.
The committee postponed its decision about the bridge.
Small birds sleep with one eye open!
Which of these two keys opens the cellar door?
Bread rises because yeast eats sugar and makes gas.
The judge asked the witness whether she had seen the red car.
An unaffable antidisestablishmentarian waved from the balcony.
Snow had covered the tracks before the hunters came back.
They counted 3,482 stars and lost count at dawn.
The old map shows a village that no longer exists.
Copper is soft, but bronze is not.
If the clock is right, the train left an hour ago.
She taught the parrot to whistle the anthem.
The recipe calls for two eggs; we only had one.
Under the floor lay a box of unpaid bills.
The bark of the birch is white and peels like paper.
Its bark frightened the postman every morning.
The lawyer drew a circle round the last paragraph.
Our satellite will pass over the desert at noon.
Grandfather never trusted machines that talk.
The river froze, so the mill stood still.
Two strangers shared an umbrella as far as the station.
He paid the fine with coins from a jar.
The singer forgot the words and hummed instead.
Light from that galaxy left before the Earth was formed.""".splitlines()
WORK = """async ([sentences, edits]) => {
    const about = await (await fetch("encoder/" + CLIENT + "/about.json")).json();
    const [source, list, buffer] = await Promise.all([
        fetch("encoder/" + CLIENT + "/worker.js").then((answer) => answer.text()),
        fetch("encoder/" + about.words).then((answer) => answer.text()),
        fetch("encoder/" + about.weights).then((answer) => answer.arrayBuffer()),
    ]);
    const more = "asked.state = () => Array.from(base.streams.at(-1));";
    const worker = new Worker(URL.createObjectURL(new Blob([source + more], { type: "text/javascript" })));
    const ask = (name, what = {}) => new Promise((kept, broken) => {
        worker.onmessage = ({ data }) => data.failed ? broken(new Error(data.failed)) : kept(data.told);
        worker.postMessage({ id: 1, ask: name, ...what });
    });
    await ask("load", { buffer, about, list });
    const told = [];
    for (const text of sentences) {
        const { number, tokens, cut, weights, took, names, close } = await ask("read", { text });
        const after = [await ask("edit", { number: number - 1, hidden: [0, 0] })];
        for (const edit of edits) after.push(await ask("edit", { number, ...edit }));
        told.push({ tokens, cut, took, names, close, after, weights: weights.map((layer) => Array.from(layer)),
                    state: await ask("state") });
    }
    worker.terminate();
    return told;
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A folder with the encoder's files, and its address."""
    folder = tmp_path_factory.mktemp("encoder")
    if not place.place(folder / "encoder"):
        pytest.skip("the encoder's weights cannot be had here")
    (folder / "empty.html").write_text("<!doctype html><title>empty</title>", encoding="utf-8")
    server = serve(8900, folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def model(served):
    files = {file["name"]: place.supply.kept(file) for file in place.listed()["files"]}
    return weights.load(files)


def computed(page, address, sentences, edits=()):
    """What the page's encoder makes of sentences.   -> list of dict"""
    page.goto(f"{address}/empty.html")
    return page.evaluate(WORK.replace("CLIENT", f'"{place.edition()}"'), [sentences, list(edits)])


def compare(model, told, text):
    """The largest difference between the page's maps and the library's.   -> float, and both embeddings"""
    words, run = encoder.read(model, text)
    assert told["tokens"] == words
    n, c = len(words), run.residual.shape[-1]
    maps = np.array(told["weights"]).reshape(run.weights.shape)
    np.testing.assert_allclose(maps.sum(-1), 1, atol=1e-5)
    mine = encoder.embed(np.array(told["state"]).reshape(n, c))
    return abs(maps - run.weights).max(), mine, encoder.embed(run.residual[-1])


def test_three_sentences_give_the_library_s_maps(page, served, model):
    for text, told in zip(SENTENCES[2:5], computed(page, served[1], SENTENCES[2:5]), strict=True):
        worst, mine, theirs = compare(model, told, text)
        assert 0 < worst <= 0.04 and mine @ theirs > 0.999


@pytest.mark.prove
def test_thirty_new_sentences_keep_their_maps_and_their_neighbours(page, served, model):
    found = [
        compare(model, told, text) for text, told in zip(SENTENCES, computed(page, served[1], SENTENCES), strict=True)
    ]
    worst, mine, theirs = (np.array(part) for part in zip(*found, strict=True))
    print(f"the page's maps differ by {worst.max():.3f} at most, {worst.mean():.4f} on average of the largest")
    assert worst.max() <= 0.04

    def first(x):
        return (x @ x.T - 2 * np.eye(len(x))).argmax(-1)

    assert (first(mine) == first(theirs)).all()


@pytest.mark.prove
def test_hostile_text_becomes_the_library_s_tokens(page, served, model):
    nasty = [
        "", "…", "It cost $5 + 3 < 9 = ok? ~x^2|y `z`", "emoji 🙂 test\u200bzero\x00w\ttab",
        "İstanbul ŒUVRE ß", "深度学习 is 学习", "한글 テスト ー", "[MASK] and [cls]", "a" * 120 + " end", "x²+y³ ½ ™ ©",
        "\ufeffbom \u2028 ls",
        "don't can't won't I'm", "unaffable hyperparameterization",
    ]  # fmt: skip
    for text, told in zip(nasty, computed(page, served[1], nasty), strict=True):
        assert told["tokens"] == encoder.tokens(text, model.vocabulary), text
        assert not told["cut"]


def test_a_head_off_and_a_word_hidden_are_what_the_stored_effects_say(page, served):
    tired = widgets.EncoderHeads(layer=3, head=1, row="it", col="animal", edit="head")
    (told,) = computed(page, served[1], [tired.texts[0]], [{"off": [3, 1]}, {"hidden": [10, 2]}])
    known, i = tired.effects, tired.row
    assert told["names"][i][:3] == known.near[i][:3]
    assert told["after"].pop(0) is None  # asked of another sentence
    for after, edit in zip(told["after"], ("head", "word"), strict=True):
        tired.edit = edit
        turn, close = tired.changed
        assert after["turn"][i] == pytest.approx(turn, abs=1) and after["close"][i][:3] == pytest.approx(
            close[:3], abs=0.03
        )


def opened(page, served, shown, **options):
    """A page that has the encoder beside it, with one figure on it."""
    folder, address = served
    write_page(folder, [shown])
    html = (
        (folder / "index.html")
        .read_text("utf-8")
        .replace("<html", f'<html data-encoder="encoder/{place.edition()}/"', 1)
    )
    (folder / "index.html").write_text(html, encoding="utf-8")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/index.html")
    page.wait_for_selector("[data-live]")
    page.get_by_text("Your own sentence").click()
    return asked


def test_on_the_site_a_sentence_comes_when_it_is_chosen_and_until_then_the_figure_stays(browser, tmp_path):
    """From the disc, where nothing can be fetched but scripts."""
    shown = widgets.EncoderHeads()
    address = write_page(tmp_path, [shown])
    (tmp_path / "_static").mkdir()
    text = (tmp_path / "index.html").read_text("utf-8")
    (tmp_path / "index.html").write_text(set_aside(SimpleNamespace(outdir=tmp_path), text), encoding="utf-8")
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "state-" in request.url else None)
    page.goto(address)
    page.wait_for_selector("[data-live]")
    first = said(page)
    assert first == shown.sentence() and len(asked) == 1
    (tmp_path / "_static").rename(tmp_path / "away")
    page.get_by_role("combobox").select_option(index=4)  # the first is "your own"
    news = page.locator("[role=status]", has_text="That sentence could not be loaded")
    news.wait_for()
    assert said(page) == first and page.get_by_role("combobox").input_value() == "0"
    (tmp_path / "away").rename(tmp_path / "_static")
    page.get_by_role("combobox").select_option(index=4)
    page.wait_for_function("(first) => document.querySelector('.attn-say').textContent !== first", arg=first)
    other = widgets.EncoderHeads(sentence=3)
    assert said(page) == other.sentence() and news.count() == 0 and len(asked) == 3
    page.get_by_role("button", name="Start again").click()
    assert said(page) == first
    page.get_by_role("combobox").select_option(index=4)
    page.wait_for_function("(first) => document.querySelector('.attn-say').textContent !== first", arg=first)
    assert len(asked) == 3  # it is here by now
    page.close()


@pytest.mark.prove
def test_nothing_loads_before_the_press_and_then_the_reader_s_sentence_is_read(page, served, model):
    asked = opened(page, served, widgets.EncoderHeads())
    line = page.get_by_label("Your own sentence")
    line.fill("The rusty nail held the picture of her uncle.")
    assert not [url for url in asked if "/encoder/" in url]
    page.get_by_role("button", name="Read it").click()
    page.wait_for_function(
        "() => document.querySelector('.attn-own').textContent.includes('word pieces')", timeout=60_000
    )
    tried = page.locator(".attn-desk > .attn-note").last  # how many heads have been switched off so far
    assert re.fullmatch(r"Switching each head off in turn: \d+ of 72 done …", tried.text_content())
    assert "“picture” at 6" in said(page)  # it opens on the longest word, not on “the”
    words, run = encoder.read(model, "The rusty nail held the picture of her uncle.")
    assert page.locator(".attn-across span").all_text_contents() == words
    page.get_by_role("button", name="head L0·H2", exact=True).click()
    page.get_by_role("group", name="Who looks").get_by_role("button", name="nail").click()
    j = int(run.weights[0, 2, 3].argmax())
    assert said(page).startswith(f"Layer 0, head 2: “nail” at 3 gives “{words[j]}” at {j} the weight ")
    page.get_by_role("button", name=f"Hide “{words[j]}” from “nail”").click()
    page.wait_for_function("() => document.querySelector('.attn-say').textContent.includes('turns by')")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.attn-many button')].every(one => one.title.includes('turns'))"
    )
    page.wait_for_function("() => document.querySelector('.attn-own').textContent.includes('turns most')")
    assert tried.text_content().startswith("Dark: a lot of attention. Orange: how far ")  # no “before hiding”
    maps = page.locator(".attn-many canvas")  # what later layers see is that of the run without the word
    painted = "(c) => Array.from(c.getContext('2d').getImageData(0, 0, c.width, c.height).data)"
    mask = np.ones((len(words), len(words)), bool)
    mask[3, j] = False
    after = encoder.run(model, [model.vocabulary[word] for word in words], mask=mask).weights
    for layer, head in ((0, 2), (3, 1), (5, 11)):
        seen = np.reshape(maps.nth(12 * layer + head).evaluate(painted), (len(words), len(words), 4))[..., 3] / 255
        np.testing.assert_allclose(seen, np.sqrt(after[layer, head]), atol=0.05)
    assert np.abs(np.sqrt(after[5, 11]) - np.sqrt(run.weights[5, 11])).max() > 0.1
    turned = {
        (layer, head): turn(model, [model.vocabulary[word] for word in words], 3, without=[(layer, head)])
        for layer in range(6)
        for head in range(12)
    }
    layer, head = max(turned, key=turned.get)
    assert f"“nail” turns most without L{layer}·H{head}: by " in page.locator(".attn-own").text_content()
    assert said(page).startswith("Layer 0, head 2: “nail” at 3 cannot see")  # what was chosen stays chosen
    page.get_by_role("combobox").select_option(index=2)
    assert said(page).startswith("Layer 0, head 2: “it” at 10")
    before = len(asked)
    page.context.set_offline(True)
    line.fill("Another sentence, without a network.")
    line.press("Enter")
    page.wait_for_function("() => document.querySelector('.attn-across').textContent.includes('network')")
    assert len(asked) == before


def test_weights_that_do_not_come_are_told_and_the_next_press_tries_again(browser, served):
    page = browser.new_page()
    asked = opened(page, served, widgets.EncoderHeads())
    page.route("**/weights-*", lambda route: route.abort())
    page.get_by_label("Your own sentence").fill("A first try.")
    page.get_by_role("button", name="Read it").click()
    page.wait_for_function("document.querySelector('.attn-own').textContent.includes('could not be loaded')")
    assert "“it” at 10" in said(page) and any("weights-" in url for url in asked)
    page.unroute("**/weights-*")
    page.get_by_role("button", name="Read it").click()
    page.wait_for_function("document.querySelector('.attn-own').textContent.includes('word pieces')", timeout=60_000)
    page.close()


def test_a_sentence_too_long_is_cut_and_says_so(page, served):
    opened(page, served, widgets.EncoderHeads())
    page.get_by_label("Your own sentence").fill("one two three four five " * 12)
    page.get_by_role("button", name="Read it").click()
    page.wait_for_function(
        "() => document.querySelector('.attn-own').textContent.includes('word pieces')", timeout=60_000
    )
    assert "cut" in page.locator(".attn-own").text_content()
    assert len(page.locator(".attn-across span").all()) == weights.LONGEST


def test_without_the_weights_there_is_no_line_to_write_on(show):
    page = show([widgets.EncoderHeads()])
    assert page.get_by_label("Your own sentence").count() == 0
