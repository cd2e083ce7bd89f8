"""The reader's own sentence in Firefox and in WebKit, Safari's engine: the same maps, nothing before the press."""

import json
import threading

import engines
import numpy as np
import pytest
from figurepage import write_page

from attn import encoder
from attn.show import widgets
from book.encoder import place, weights
from book.serve import serve

pytestmark = [pytest.mark.browser, pytest.mark.prove]

PACKAGES = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver and xvfb"}
TEXT = "The rusty nail held the picture of her uncle."


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where a page lies that has the encoder beside it, with one figure on it."""
    folder = tmp_path_factory.mktemp("engines")
    if not place.place(folder / "encoder"):
        pytest.skip("the encoder's weights cannot be had here")
    write_page(folder, [widgets.EncoderHeads()])
    page = (folder / "index.html").read_text("utf-8")
    page = page.replace("<html", f'<html data-encoder="encoder/{place.edition()}/"', 1)
    (folder / "index.html").write_text(page, encoding="utf-8")
    server = serve(9500, folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(params=PACKAGES)
def driven(request, tmp_path):
    """A page in each browser that is installed here."""
    if not getattr(engines, request.param)():
        pytest.skip(f"{request.param} is not installed (Debian: {PACKAGES[request.param]})")
    with engines.started(request.param, tmp_path) as page:
        yield page


def loaded(page):
    """The encoder's files that the page has asked for."""
    names = page.ask("performance.getEntriesByType('resource').map((one) => one.name)")
    return [name for name in names if "/encoder/" in name]


def turn(model, ids, word, **options):
    """How far an edit turns a word's last state, in degrees."""
    a, b = (encoder.run(model, ids, **what).residual[-1, word] for what in ({}, options))
    return np.degrees(np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))


def press(page, start):
    """Press the figure's first button whose text begins so."""
    buttons = "[...document.querySelectorAll('.attn-live button')]"
    page.ask(
        f"void {buttons}.forEach((one) => one.removeAttribute('data-sought'))"
        f" || void {buttons}.find((one) => one.textContent.startsWith({json.dumps(start)}))"
        ".setAttribute('data-sought', '')"
    )
    page.click("[data-sought]")


def test_a_sentence_is_read_a_head_switched_off_and_a_word_hidden(driven, address):
    files = {file["name"]: place.supply.kept(file) for file in place.listed()["files"]}
    model = weights.load(files)
    words, run = encoder.read(model, TEXT)
    driven.open(f"{address}/index.html")
    driven.ready("document.querySelector('[data-live] .attn-own')")
    assert loaded(driven) == []
    driven.click(".attn-live .attn-more > summary")
    driven.click(".attn-live input[type=text]")
    driven.write(TEXT)
    press(driven, "Read it")
    driven.ready("document.querySelector('.attn-own').textContent.includes('word pieces')")
    assert any("weights-" in name for name in loaded(driven))
    assert driven.ask("[...document.querySelectorAll('.attn-across span')].map((one) => one.textContent)") == words

    driven.click(".attn-many button[aria-label='head L0·H2']")
    press(driven, "nail")
    said = "document.querySelector('.attn-say').textContent"
    i, j = 3, int(run.weights[0, 2, 3].argmax())
    told = f"Layer 0, head 2: “nail” at {i} gives “{words[j]}” at {j} the weight "
    driven.ready(f"{said}.startsWith({json.dumps(told)})")
    assert float(driven.ask(f"{said}.slice({len(told)}).match(/^[0-9.]*[0-9]/)[0]")) == pytest.approx(
        run.weights[0, 2, i, j], abs=0.04
    )
    model = model._replace(layers=[encoder.folded(layer) for layer in model.layers])
    mask = np.ones((len(words), len(words)), bool)
    mask[i, j] = False
    ids = [model.vocabulary[word] for word in words]
    for edit, options in (("Switch L", dict(without=[(0, 2)])), ("Hide", dict(mask=mask))):
        press(driven, edit)
        what = "With L" if edit == "Switch L" else "hidden from it"
        driven.ready(f"{said}.includes({json.dumps(what)})")
        turned = float(driven.ask(f"{said}.match(/turns by ([0-9.]+)°/)[1]"))
        assert turned == pytest.approx(turn(model, ids, i, **options), abs=1)
