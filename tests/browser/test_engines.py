"""The pages run in Firefox and in WebKit, Safari's engine, as they do in Chromium: the main path, by mouse and keys."""

import json

import engines
import pytest
from figurepage import write_page
from runpage import COLUMNS, ROOT, SOFTMAX, STUB, TEXT, code_of, python, report, stored

from attn.show import widgets

pytestmark = [pytest.mark.browser, pytest.mark.prove]

PACKAGES = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver and xvfb"}


@pytest.fixture(params=PACKAGES)
def driven(request, tmp_path):
    """A page in each browser that is installed here."""
    if not getattr(engines, request.param)():
        pytest.skip(f"{request.param} is not installed (Debian: {PACKAGES[request.param]})")
    with engines.started(request.param, tmp_path) as page:
        yield page


def within(id, selector):
    """An element of a cell, as a selector."""
    return f"[data-cell='{id}'] {selector}"


def found(selector):
    """An element, in JavaScript."""
    return f"document.querySelector({json.dumps(selector)})"


def write(page, text):
    """Put the course's first exercise into the reader's words, as a reader does: click, select all, type."""
    field = within(STUB, "[data-source]")
    page.ready(found(field))
    page.click(field)
    page.ready(found(within(STUB, ".prism-code-editor")))
    page.ready(f"document.activeElement === {found(field)}")
    page.press("Control", "a")
    page.write("\n".join(line.strip() for line in text.split("\n")))  # the editor indents by itself
    assert page.ask(f"{found(field)}.value") == text


def check(page):
    """Press Check.   -> (state, text of the result)"""
    output = found(within(STUB, "[data-output]"))
    page.ask(f"void ({output}.dataset.state = 'idle')")
    page.click(within(STUB, "[data-run]"))
    page.ready(f"!['idle', 'loading', 'running'].includes({output}.dataset.state)")
    return page.ask(f"[{output}.dataset.state, {output}.textContent]")


def test_the_main_path_of_a_sheet(driven, site, site_url):
    if not (site / "_static" / "python").is_dir():
        pytest.skip("this site is built without Run")
    wrong, right = (report("4.1", python(source, "softmax")) for source in (COLUMNS, SOFTMAX))
    driven.open(f"{site_url}/exercises/04_softmax.html")
    write(driven, COLUMNS)
    assert check(driven) == ["done", wrong]
    write(driven, SOFTMAX)
    assert check(driven) == ["done", right]
    write(driven, "def softmax(S):\n    while True:\n        S = S")
    state, told = check(driven)
    assert state == "done" and "did not finish" in told
    driven.open(f"{site_url}/exercises/04_softmax.html")
    driven.ready(f"{found(within(STUB, '[data-source]'))}.value.includes('while True')")
    write(driven, "import itertools\nsum(itertools.count())")
    driven.click(within(STUB, "[data-run]"))
    driven.ready("document.documentElement.dataset.python === 'ready'")
    driven.click("[data-stop]")
    driven.ready(f"{found(within(STUB, '[data-output]'))}.dataset.state === 'stopped'")
    write(driven, SOFTMAX)
    assert check(driven) == ["done", right]


def test_a_chapter_runs_and_its_figures_are_alive(driven, site, site_url):
    if not (site / "_static" / "python").is_dir():
        pytest.skip("this site is built without Run")
    driven.open(f"{site_url}/chapters/05_values.html")
    driven.click("[data-runs] [data-run-all]")
    outputs = "[...document.querySelectorAll('[data-output]')]"
    driven.ready(f"{outputs}.every((one) => ['done', 'error', 'stopped'].includes(one.dataset.state))")
    told = driven.ask(
        f"{outputs}.map((one) => [one.closest('[data-cell]').dataset.cell, one.dataset.state, ({TEXT})(one)])"
    )
    cells = code_of(ROOT / "chapters" / "05_values.ipynb")
    assert [id for id, _, _ in told] == [cell["id"] for cell in cells]
    for cell, (id, state, text) in zip(cells, told, strict=True):
        assert state == "done", id
        assert " ".join(text.split()) == stored(cell), id
    driven.ask("document.documentElement.classList.add('whole')")
    driven.ask("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")  # it is folded
    driven.ready("document.querySelectorAll('.attn-figure:not([data-live], [data-far])').length === 0")
    figure = ".attn-figure[data-view='causal_values']"
    come = f"{found(figure)}.scrollIntoView({{block: 'center'}})"  # a figure far down wakes when it is come to
    driven.ready(f"{come} || {found(figure)}.hasAttribute('data-live')")
    say = found(f"{figure} .attn-say")
    said = driven.ask(f"{say}.textContent")
    driven.click(f"{figure} [role=gridcell][data-at^='3']")  # by mouse: a window without a screen has no focus
    driven.ready(f"{say}.textContent !== {json.dumps(said)}")


# What a reader may touch: marked in the page, so that the driver finds each by its number.
PARTS = """(figure, kinds) => {
    const idle = (one) => one.matches("[aria-disabled=true], [aria-pressed=true], :disabled")
        || /Play|again|answer/.test(one.textContent) || !one.checkVisibility({ visibilityProperty: true })
        || one.closest("details:not([open]) > :not(summary)");
    figure.querySelectorAll("[data-part]").forEach((one) => one.removeAttribute("data-part"));
    const parts = [...figure.querySelectorAll(kinds)].filter((one) => !idle(one));
    parts.forEach((one, k) => one.setAttribute("data-part", k));
    return parts.length;
}"""
ANY = "button, td[data-at], input, [role=slider], [role=spinbutton], select"
HANDLES = "input[type=range], [role=slider], [role=spinbutton], .attn-skyline i"
# What a figure says and holds: its sentence, its numbers, where its controls stand
HELD = """(figure) => figure.querySelector(".attn-live").textContent
    + [...figure.querySelectorAll("input, select")].map((one) => one.type === "radio" ? one.checked : one.value)
    + [...figure.querySelectorAll("[aria-valuenow]")].map((one) => one.ariaValueNow + one.ariaValueText)"""


def parts(page, view, kinds, most):
    """Mark what a reader may touch of a figure.   -> selectors, at most so many"""
    figure = f".attn-figure[data-view='{view}']"
    count = page.ask(f"({PARTS})({found(figure)}, {json.dumps(kinds)})")
    return [f"{figure} [data-part='{k}']" for k in range(min(most, count))]


def changes(page, view, part, *touches):
    """Touch one part of a figure, one way after the other, until the figure holds something else.   -> bool"""
    held = f"({HELD})({found(f'.attn-figure[data-view={view!r}]')})"
    before = page.ask(held)
    for touch in touches:
        touch(part)
        page.ask("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 60)))")
        if page.ask(held) != before:
            return True
    return False


def figures(page, url):
    """The book's figures, each once it is awake.   yields its view"""
    seen = {"encoder_heads"}  # which has a chapter of its own
    for place in ("gallery", "converting"):  # the second holds turn_back, for which the gallery has no room
        page.open(f"{url}/chapters/{place}.html")
        views = page.ask("[...document.querySelectorAll('.attn-figure[data-view]')].map((one) => one.dataset.view)")
        for view in [view for view in views if view not in seen]:
            seen.add(view)
            figure = found(f".attn-figure[data-view='{view}']")
            page.ready(f"{figure}.scrollIntoView({{block: 'center'}}) || {figure}.querySelector('.attn-live, button')")
            if not page.ask(f"Boolean({figure}.querySelector('.attn-live'))"):
                page.click(f".attn-figure[data-view='{view}'] button")  # a large one is started by its reader
            page.ready(f"{figure}.querySelector('.attn-live')")
            yield view
    assert seen == {path.stem for path in (ROOT / "attn/show/widgets").glob("*.js")}


def keys(page, *names):
    """Ways to press a part by keys."""

    def way(name):
        def press(part):
            page.ask(f"void {found(part)}.focus({{ preventScroll: true }})")
            page.press(name)

        return press

    return map(way, names)


def test_every_figure_answers_to_mouse_and_keys(driven, site, site_url):
    dead = []
    for view in figures(driven, site_url):

        def by_mouse(part):
            driven.click(part, across=0.7)  # the middle of a slider may be where it stands

        for how, touches in (("mouse", [by_mouse]), ("keys", keys(driven, "ArrowRight", "Enter"))):
            ways = list(touches)
            if not any(changes(driven, view, part, *ways) for part in parts(driven, view, ANY, 30)):
                dead.append(f"{view} by {how}")
    assert dead == []


def test_every_handle_is_dragged_and_moved_by_keys(driven, site, site_url):
    dead, handles = [], 0
    for view in figures(driven, site_url):

        def by_drag(part, way):
            grip = f"{part} circle:last-of-type"  # an arrow is taken at its tip
            at = driven.place(grip if driven.ask(f"Boolean({found(grip)})") else part)
            driven.drag(*at, *((round(way * share * 20), round(-way * share * 14)) for share in (0.3, 0.6, 1)))

        for k in range(len(parts(driven, view, HANDLES, 6))):
            part = parts(driven, view, HANDLES, 6)[k]  # a figure may have drawn itself anew
            handles += 1
            name = driven.ask(f"{found(part)}.getAttribute('aria-label')")
            ways = [lambda part: by_drag(part, 1), lambda part: by_drag(part, -1)]
            if not changes(driven, view, part, *ways):
                dead.append(f"{view}: {name} by a drag")
            if name and not changes(driven, view, part, *keys(driven, "ArrowRight", "ArrowLeft", "ArrowUp")):
                dead.append(f"{view}: {name} by keys")
    assert dead == [] and handles > 50


def test_a_number_of_the_playground_is_dragged_and_typed_where_it_stands(driven, tmp_path):
    playground = widgets.Playground(preset="previous")
    driven.open(write_page(tmp_path, [playground]))
    driven.ready("document.querySelector('[data-live]')")
    cell = "[data-board=Q] td[data-at='3,0']"
    driven.drag(*driven.place(cell), (12, 0), (25, 0), (50, 0))
    assert playground.Q[3][0] == 0
    by = round(50 / 200 * max(map(max, playground.Q)), 1)  # 200 pixels are the largest number
    driven.ready(f"{found(cell)}.textContent === '{by}'")
    assert driven.ask("getSelection().toString()") == ""
    pen = found(".attn-bench > input")
    assert driven.ask(f"{pen}.hidden")  # the drag's end opens nothing
    driven.click(cell)
    driven.ready(f"!{pen}.hidden && document.activeElement === {pen}")
    driven.write("2.5\n")
    driven.ready(f"{pen}.hidden && {found(cell)}.textContent === '2.5'")
