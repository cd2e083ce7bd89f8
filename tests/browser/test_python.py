"""The pages run: Python in a real browser, from the site's own files, with the rest of the world switched off.

Each test starts Python anew, five seconds of the processor. So `make test` walks the main paths (a wrong and a right
answer, hints, the keyboard, work carried away and back); the other ways and what goes wrong are for `make prove`, of
which CI runs all of this file.
"""

import json
import re
import socket
import sys
import threading
import zipfile
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from engines import running
from playwright.sync_api import Error
from runpage import COLUMNS, LONG, ROOT, SOFTMAX, STUB, Notebook, ids_of, python, report, typed_into
from sampled import also

from book.pack import pack

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runs")]


def test_nothing_of_python_is_fetched_before_the_first_press(open_page, site_url):
    page = open_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("exercises/04_softmax", "chapters/04_softmax"):
        page.goto(f"{site_url}/{name}.html", wait_until="networkidle")
        assert page.locator("html").get_attribute("data-python") == "off"
    assert not [url for url in asked if "/_static/python/" in url]


def test_a_wrong_answer_gets_the_desk_s_report_and_a_right_one_passes(opened):
    sheet = opened("exercises/04_softmax")
    assert sheet.run(STUB, COLUMNS) == ("done", report("4.1", python(COLUMNS, "softmax")))
    assert sheet.page.locator("html").get_attribute("data-python") == "ready"
    cure = sheet.output(STUB).locator("a", has_text='Chapter 1, "Softmax: each row becomes shares"')
    assert cure.get_attribute("href") == "../chapters/01_attention_in_one_equation.html#softmax-each-row-becomes-shares"
    assert sheet.run(STUB, SOFTMAX) == ("done", report("4.1", python(SOFTMAX, "softmax")))
    sheet.page.locator("[data-runs] .note", has_text="1 of 5 passed").wait_for()


@pytest.mark.prove
def test_the_solution_is_shown_once_the_check_has_passed(opened):
    sheet = opened("exercises/04_softmax")
    button = sheet.cell(STUB).locator(".run [data-does=solution]")
    assert "passed" not in sheet.run(STUB, "def softmax(S): return S")[1] and not button.is_visible()
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    button.click()
    ways = sheet.page.locator("details.sd-dropdown").first.locator("pre")
    for way in (ways.first, ways.locator("nth=1")):
        way.locator("span", has_text="def").first.wait_for()  # in colours
        assert way.is_visible() and "def softmax(S):" in way.text_content()
    button.click()
    sheet.page.wait_for_function("() => document.activeElement.matches('details.sd-dropdown[open]')")
    assert ways.count() == 2
    sheet.page.reload()
    button.wait_for()  # and tomorrow too


@pytest.mark.prove
def test_one_way_to_write_it_opens_when_an_answer_has_passed_or_after_the_third_hint(opened):
    sheet = opened("exercises/04_softmax")
    ways = sheet.page.locator("details.sd-dropdown")
    for way in ways.all()[:2]:
        way.locator("summary").click()
        assert way.locator("pre").is_hidden()
    sheet.run(STUB, COLUMNS)
    sheet.output(STUB).get_by_title("Try it here").click()  # a cell that comes between an answer and its solution
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    for way in ways.all()[:2]:
        way.locator("summary").click()
    assert [way.locator("pre").is_visible() for way in ways.all()[:2]] == [True, False]
    for count in (1, 2, 3):
        sheet.cell("4-2-temperature--2").locator("[data-does=hint]").click()
        sheet.cell("4-2-temperature--2").locator(".hints p").nth(count - 1).wait_for()
    assert "opens now" in sheet.cell("4-2-temperature--2").locator(".hints p").last.text_content()
    ways.nth(1).locator("summary").click()
    assert ways.nth(1).locator("pre").is_visible()


@pytest.mark.prove
def test_the_check_s_own_cell_runs_what_it_needs_from_above(opened):
    sheet = opened("exercises/04_softmax")
    sheet.cell(STUB).locator("[data-source]").fill(SOFTMAX)
    assert "passed" in sheet.run("4-1-row-softmax--3")[1]


OVERFLOWS = "def softmax(S):\n    e = np.exp(S)\n    return e / e.sum(axis=1, keepdims=True)"
RENAMED = SOFTMAX.replace("softmax", "soft_max")


@pytest.mark.prove
def test_an_answer_under_another_name_is_told_so_and_not_judged_by_an_older_one(opened):
    sheet = opened("exercises/04_softmax")
    for own in (STUB, "4-1-row-softmax--3"):  # the button of the answer, and that of the check below it
        assert "passed" in sheet.run(STUB, SOFTMAX)[1]
        sheet.cell(STUB).locator("[data-source]").fill(RENAMED)
        state, told = sheet.run(own)
        assert state == "done" and "Your cell defines soft_max; the check looks for softmax." in told
        assert "stopped with an error" in told and "NameError" not in told
        assert sheet.cell(STUB).get_attribute("data-passed") is None


@pytest.mark.prove
def test_an_exercise_on_tensors_says_that_torch_is_missing_and_blames_nobody(opened):
    sheet = opened("exercises/12_gpu")
    _, told = sheet.run(
        "12-4-attention-in-blocks-in-half-precisi--2", "def half_attention(Q, K, V, block):\n    return Q"
    )
    assert "not started" in told and "needs torch" in told


@pytest.mark.prove
def test_an_endless_answer_is_named_and_what_was_computed_stays(opened):
    sheet = opened("exercises/04_softmax")
    state, told = sheet.run(STUB, "kept = 7\ndef softmax(S):\n    while True:\n        pass")
    assert state == "done" and "did not finish" in told and "still running" in told
    assert "passed" in sheet.run(STUB, SOFTMAX + "\nassert kept == 7")[1]


@pytest.mark.prove
def test_a_cell_that_hears_nothing_is_ended_and_the_next_check_works(opened):
    sheet = opened("exercises/04_softmax")
    sheet.cell(STUB).locator("[data-source]").fill("import itertools\nsum(itertools.count())")
    sheet.cell(STUB).locator("button[data-run]").click()
    sheet.page.wait_for_function("() => document.documentElement.dataset.python === 'ready'", timeout=LONG)
    sheet.page.locator("[data-stop]").click()
    assert sheet.settled(STUB) == "stopped" and sheet.note(STUB).startswith("Stopped.")
    assert "itertools" in sheet.source(STUB)
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]


def test_what_was_typed_is_there_after_a_reload_and_reset_can_be_undone(opened):
    sheet = opened("exercises/04_softmax")
    original = sheet.source(STUB)
    sheet.cell(STUB).locator("[data-source]").fill(COLUMNS)
    sheet.cell(STUB).locator("[data-reset]").wait_for()
    sheet.page.reload()
    sheet.page.wait_for_function(
        "t => [...document.querySelectorAll('[data-source]')].some(f => f.value === t)", arg=COLUMNS
    )
    assert sheet.source(STUB) == COLUMNS
    reset = sheet.cell(STUB).locator("[data-reset]")
    reset.click()
    assert sheet.source(STUB) == original
    reset.click()
    assert sheet.source(STUB) == COLUMNS


@pytest.mark.prove
def test_who_returns_finds_the_last_verdict_and_a_passed_answer_is_not_called_changed(opened):
    sheet = opened("exercises/04_softmax")
    sheet.run(STUB, COLUMNS)
    sheet.page.reload()
    sheet.output(STUB).locator(".last", has_text="As of last time").wait_for()
    assert report("4.1", python(COLUMNS, "softmax")) in sheet.output(STUB).text_content()
    assert stale_of(sheet) == [] and sheet.output("4-1-row-softmax--3").text_content() == ""
    assert sheet.cell(STUB).get_attribute("data-passed") is None
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    sheet.page.reload()
    sheet.output(STUB).locator(".last").wait_for()
    assert "passed" in sheet.output(STUB).text_content() and stale_of(sheet) == []
    assert sheet.cell(STUB).get_attribute("data-passed") is not None
    sheet.cell(STUB).locator("[data-source]").fill(COLUMNS)
    sheet.cell(STUB).and_(sheet.page.locator("[data-stale]")).wait_for(state="attached")
    sheet.page.reload()  # what stands there is the verdict on another text
    sheet.cell(STUB).and_(sheet.page.locator("[data-stale]:not([data-passed])")).wait_for(state="attached")


@pytest.mark.prove
def test_a_reload_comes_back_to_the_same_exercise_though_its_panels_are_gone(opened):
    sheet = opened("exercises/04_softmax")
    sheet.run(STUB, COLUMNS)
    sheet.output(STUB).get_by_title("Try it here").click()
    sheet.page.locator(".scratch [data-output][data-state=done]").wait_for()
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    assert sheet.output(STUB).locator(".attn-report.passed").count() == 1
    for read in (sheet.output(STUB), sheet.page.locator(".another")):  # a verdict, and a solution far below it
        sheet.cell(STUB).locator(".run [data-does=solution]").click()
        sheet.page.locator(".another").wait_for()
        read.evaluate("e => scrollBy(0, e.getBoundingClientRect().bottom - innerHeight / 2 - 20)")
        sheet.page.reload()
        sheet.output(STUB).locator(".last").wait_for()
        sheet.page.wait_for_timeout(500)
        bottom, high = sheet.output(STUB).evaluate("e => [e.getBoundingClientRect().bottom, innerHeight]")
        assert high / 3 < bottom < high


DAMAGE = {
    "{": "was damaged: it is set aside",
    "[1]": "was damaged: it is set aside",
    '{"4-1-row-softmax--2": 3}': "",
    '{"gone": {"text": "x", "was": "0"}}': "1 of your texts belong",
}


@pytest.mark.prove
@pytest.mark.parametrize(
    ("entry", "damage", "said"),
    [("", damage, said) for damage, said in DAMAGE.items()]  # all of a page in one entry, as it was kept once
    + [("|gone", '{"text": "x"}', "1 of your texts belong"), (f"|{STUB}", "{", "was damaged: it is set aside")],
)
def test_a_damaged_store_costs_only_itself(opened, entry, damage, said):
    sheet = opened("exercises/04_softmax")
    sheet.page.evaluate("([k, t]) => localStorage.setItem('attn:exercises/04_softmax' + k, t)", [entry, damage])
    sheet.page.reload()
    sheet.page.locator("[data-runs] .note", has_text=said).wait_for()
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    kept = sheet.page.evaluate("Object.keys(localStorage).filter((key) => key.endsWith(':damaged')).length")
    assert kept == ("damaged" in said)


@pytest.mark.prove
@pytest.mark.parametrize("damage", ["{", '{"exercises": 3}', '{"exercises": {"4.1": 3}}', '{"exercises": []}'])
def test_a_damaged_record_of_progress_stops_no_check(opened, damage):
    sheet = opened("exercises/04_softmax")
    sheet.page.evaluate("t => localStorage.setItem('attn:progress', t)", damage)
    sheet.page.reload()
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    sheet.page.locator("[data-runs] .note", has_text="1 of 5 passed").wait_for()


@pytest.mark.prove
def test_memory_that_runs_out_is_said_and_the_next_check_works(opened):
    sheet = opened("exercises/04_softmax")
    filling = "kept = []\nwhile True:\n    kept.append(np.zeros(2**24))"
    assert sheet.run(STUB, f"{filling}\n{SOFTMAX}")[0] == "stopped"
    assert "memory of a page" in sheet.note(STUB) and "Python starts afresh" in sheet.note(STUB)
    assert sheet.source(STUB).startswith(filling)
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    state, told = sheet.run(STUB, "np.zeros(10**9)")
    assert state == "error" and "This array is larger than the memory of a page" in told
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]


@pytest.mark.prove
def test_python_that_breaks_down_starts_afresh_and_what_was_typed_stays(browser, site_url):
    context = browser.new_context()  # of its own: Python's last words go to the console
    sheet = Notebook(context.new_page(), f"{site_url}/exercises/04_softmax.html")
    fatal = "import os\nos.abort()"
    try:
        assert sheet.run(STUB, fatal)[0] == "stopped"
        assert "Python broke down" in sheet.note(STUB) and sheet.source(STUB) == fatal
        assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    finally:
        context.close()


def test_a_tab_that_is_closed_at_once_or_crashes_loses_nothing(browser, site_url):
    context = browser.new_context()  # of its own: a crash is told on the console
    address = f"{site_url}/exercises/04_softmax.html"
    try:
        for text, end in (
            ("first = 1", lambda page: page.close()),
            ("second = 2", lambda page: page.goto("chrome://crash")),
        ):
            sheet = Notebook(context.new_page(), address)
            sheet.cell(STUB).locator("[data-source]").fill(text)
            with suppress(Error):  # a crash
                end(sheet.page)
            again = Notebook(context.new_page(), address)
            again.cell(STUB).and_(again.page.locator("[data-edited]")).wait_for(state="attached")
            assert again.source(STUB) == text
            again.page.close()
    finally:
        context.close()


def test_what_is_typed_while_the_scripts_cannot_be_loaded_is_kept(browser, site_url):
    context = browser.new_context()
    page = context.new_page()
    page.route("**/client.js*", lambda route: route.abort())
    sheet = Notebook(page, f"{site_url}/exercises/04_softmax.html")
    try:
        sheet.cell(STUB).locator("[data-source]").fill(SOFTMAX)
        sheet.cell(STUB).locator("button[data-run]").click()
        sheet.page.locator(".note", has_text="could not be loaded").wait_for()
        page.unroute("**/client.js*")
        page.reload()
        sheet.cell(STUB).and_(page.locator("[data-edited]")).wait_for(state="attached")
        assert sheet.source(STUB) == SOFTMAX
    finally:
        context.close()


def test_two_tabs_share_what_is_typed_and_where_both_type_both_texts_are_kept(browser, site_url):
    context = browser.new_context()
    address = f"{site_url}/exercises/04_softmax.html"
    one, two = (Notebook(context.new_page(), address) for _ in range(2))
    other = next(id for id in ids_of(one) if id != STUB)
    try:
        one.cell(STUB).locator("[data-source]").fill("one = 1")
        two.cell(other).locator("[data-source]").fill("two = 2")  # another cell: each tab has both
        two.cell(STUB).and_(two.page.locator("[data-edited]")).wait_for(state="attached")
        one.cell(other).and_(one.page.locator("[data-edited]")).wait_for(state="attached")
        assert (one.source(other), two.source(STUB)) == ("two = 2", "one = 1")
        two.cell(STUB).locator("[data-source]").focus()
        one.cell(STUB).locator("[data-source]").fill("one = 11")
        two.page.wait_for_timeout(300)
        two.cell(STUB).locator("[data-source]").fill("two = 22")
        two.cell(STUB).locator(".note", has_text="Another tab has typed").wait_for()
        take = two.cell(STUB).locator("[data-reset]")
        take.click()
        assert two.source(STUB) == "one = 11"
        take.click()
        assert two.source(STUB) == "two = 22"
    finally:
        context.close()


def test_what_is_typed_in_two_tabs_that_do_not_yet_see_each_other_is_kept(browser, site_url):
    context = browser.new_context()
    address = f"{site_url}/exercises/04_softmax.html"
    late = (
        "Storage.prototype.getItem = () => null; addEventListener('storage', e => e.stopImmediatePropagation(), true);"
    )
    try:
        tabs = [context.new_page() for _ in range(2)]
        for tab in tabs:
            tab.add_init_script(late)
        one, two = (Notebook(tab, address) for tab in tabs)
        other = next(id for id in ids_of(one) if id != STUB)
        for tab, id in ((one, STUB), (two, other)):
            tab.cell(id).locator("[data-source]").fill("mine = 1")
            tab.cell(id).and_(tab.page.locator("[data-edited]")).wait_for(state="attached")
            tab.page.close()
        later = Notebook(context.new_page(), address)
        for id in (STUB, other):
            later.cell(id).and_(later.page.locator("[data-edited]")).wait_for(state="attached")
            assert later.source(id) == "mine = 1"
    finally:
        context.close()


@pytest.mark.prove
def test_where_storage_is_forbidden_the_page_runs_and_says_what_it_cannot_do(opened, open_page, site_url):
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } });")
    sheet = Notebook(page, f"{site_url}/exercises/04_softmax.html")
    sheet.cell(STUB).locator("[data-source]").fill(SOFTMAX)
    sheet.page.locator("[data-runs] .note", has_text="keeps nothing").wait_for()
    assert "passed" in sheet.run(STUB)[1]


@pytest.mark.prove
def test_hints_come_one_by_one(opened):
    sheet = opened("exercises/04_softmax")
    for count in (1, 2):
        sheet.cell(STUB).locator("[data-does=hint]").click()
        sheet.cell(STUB).locator(".hints p").nth(count - 1).wait_for()
    hints = sheet.cell(STUB).locator(".hints p").all_text_contents()
    assert [hint.split(":")[0] for hint in hints] == ["4.1, hint 1 of 3", "4.1, hint 2 of 3"]


@pytest.mark.prove
def test_after_the_last_hint_no_other_is_offered(opened):
    sheet = opened("exercises/04_softmax")
    sheet.run(STUB, COLUMNS)
    hints = sheet.cell(STUB).locator(".hints p")
    for count in (1, 2, 3):
        sheet.cell(STUB).locator(".run [data-does=hint]").click()
        hints.nth(count - 1).wait_for()
    sheet.cell(STUB).locator(".run [data-does=hint]").click()
    sheet.cell(STUB).locator(".note", has_text="That was the last hint.").wait_for()
    assert hints.count() == 3
    assert sheet.output(STUB).locator("dd").last.text_content().startswith('Chapter 1, "Softmax')
    assert "of 3)" not in sheet.run(STUB)[1]


@pytest.mark.prove
def test_hints_say_for_which_mistake_and_fold_when_another_answer_has_come(opened):
    sheet = opened("exercises/04_softmax")
    groups = sheet.cell(STUB).locator(".hints details")
    sheet.run(STUB, COLUMNS)
    assert "(1 of 3)" in sheet.output(STUB).text_content()
    sheet.output(STUB).get_by_role("button", name='hint("4.1")').click()
    groups.locator("p").wait_for()
    sheet.output(STUB).locator("dd", has_text="(2 of 3)").wait_for()
    named = sheet.output(STUB).locator("dd").first.text_content()
    assert "normalises down each column" in named
    assert groups.locator("summary").all_text_contents() == [f"Hints on “{named}”"]
    assert sheet.run(STUB, "def softmax(S):\n    return (S")[0] == "error"
    assert groups.locator("p").is_hidden() and groups.locator("summary").is_visible()
    sheet.run(STUB, COLUMNS)
    assert groups.locator("p").is_visible()
    sheet.page.reload()
    sheet.output(STUB).locator(".last").wait_for()
    assert groups.locator("summary").all_text_contents() == [f"Hints on “{named}”"]
    assert groups.locator("p").is_visible() and "(2 of 3)" in sheet.output(STUB).text_content()
    hint = sheet.cell(STUB).locator(".run [data-does=hint]")
    assert "passed" not in sheet.run(STUB, OVERFLOWS)[1]
    hint.click()  # on another mistake: in a place of its own
    groups.nth(1).locator("p").wait_for()
    assert [groups.nth(k).locator("p").is_visible() for k in (0, 1)] == [False, True]
    assert "It overflows" in groups.nth(1).locator("summary").text_content()
    sheet.run(STUB, COLUMNS)  # the first mistake again: its hints go on where they were
    hint.click()
    groups.first.locator("p").nth(1).wait_for()
    assert [groups.nth(k).locator("p").count() for k in (0, 1)] == [2, 1] and groups.count() == 2
    assert "hint 2 of 3" in groups.first.locator("p").nth(1).text_content()
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    assert not any(p.is_visible() for p in groups.locator("p").all()) and groups.locator("summary").first.is_visible()


@pytest.mark.prove
def test_what_a_report_says_to_try_runs_below_the_exercise_and_stands_beside_what_is_right(opened):
    sheet = opened("exercises/04_softmax")
    sheet.run(STUB, COLUMNS)
    sheet.output(STUB).get_by_title("Try it here").click()
    scratch = sheet.page.locator(".scratch")
    told = scratch.locator("[data-output]")
    scratch.locator("[data-output][data-state=done]").wait_for()
    _, yours, right, given = re.split("yours:|expected:|S:", told.text_content())
    assert "0.1257" in given and "0.5052" in yours and "0.2902" in right
    assert told.evaluate("e => e === document.activeElement")  # on a phone no keyboard comes up over it
    scratch.locator("[data-source]").focus()
    sheet.page.keyboard.press("Control+End")
    sheet.page.keyboard.type("; print(S.sum() * 0 + 77)")
    sheet.page.keyboard.press("Shift+Enter")
    told.get_by_text("77.0").wait_for()
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]  # the exercise's own buttons are still its own
    assert "Of an earlier answer" in scratch.text_content() and told.text_content() == ""
    scratch.get_by_role("button", name="Run").click()  # the case that failed is kept
    scratch.locator("[data-output][data-state=done]").wait_for()
    assert told.text_content().count("0.2902") == 2 and "Of an earlier answer" not in scratch.text_content()
    sheet.run(STUB, COLUMNS)
    sheet.page.reload()
    sheet.output(STUB).get_by_title("Try it here").click()  # Python has the report no longer: the check runs first
    told.get_by_text("0.5052").wait_for()
    assert sheet.output(STUB).locator(".last").count() == 0


@pytest.mark.prove
def test_what_a_report_says_to_call_is_a_press_away(opened):
    sheet = opened("exercises/04_softmax")
    assert sheet.cell(ids_of(sheet)[0]).locator("[data-run-all]").is_hidden()  # nothing is above it
    for answer, call, shown in ((COLUMNS, 'hint("4.1")', ".hints p"), (SOFTMAX, 'solution("4.1")', ".another pre")):
        sheet.run(STUB, answer)
        sheet.output(STUB).get_by_role("button", name=call).click()
        sheet.page.locator(shown).wait_for()


@pytest.mark.prove
@pytest.mark.parametrize("height", [900, 500])
def test_as_much_of_a_report_as_fits_comes_into_view_and_the_code_stays(opened, height):
    sheet = opened("exercises/04_softmax", width=390, height=height)
    sheet.cell(STUB).locator("[data-source]").fill(COLUMNS)
    sheet.cell(STUB).evaluate("e => scrollBy(0, e.getBoundingClientRect().top - innerHeight * 0.6)")
    sheet.run(STUB)
    sheet.page.wait_for_timeout(200)
    box = sheet.output(STUB).bounding_box()
    assert sheet.cell(STUB).bounding_box()["y"] >= 79 and box["y"] < height
    if height == 900:
        assert box["y"] + box["height"] < height
    else:
        assert sheet.cell(STUB).bounding_box()["y"] < 81


@pytest.mark.prove
def test_a_hint_that_a_long_report_calls_comes_into_view(opened):
    sheet = opened("exercises/04_softmax", width=390, height=500)
    sheet.run(STUB, COLUMNS)
    call = sheet.output(STUB).get_by_role("button", name='hint("4.1")')
    call.evaluate("e => scrollBy(0, e.getBoundingClientRect().top - 100)")
    assert sheet.cell(STUB).locator("[data-run]").bounding_box()["y"] < 0  # the hint's place is off the window
    call.click()
    sheet.cell(STUB).locator(".hints p").wait_for()
    sheet.page.wait_for_function(
        "() => { const { top, bottom } = document.querySelector('.hints p').getBoundingClientRect();"
        " return top > 50 && bottom < innerHeight; }"
    )


@pytest.mark.prove
def test_a_hint_that_is_asked_for_first_says_how_far_python_has_come(opened):
    sheet = opened("exercises/04_softmax")
    sheet.page.route("**/numpy*", lambda route: sheet.page.wait_for_timeout(500) or route.fallback())
    sheet.cell(STUB).locator("[data-does=hint]").click()
    sheet.cell(STUB).locator(
        ".note", has_text=re.compile(r"^(Loading Python: [\d.]+ of [\d.]+ MB|Starting)")
    ).wait_for()
    sheet.cell(STUB).locator(".hints p").wait_for()


@pytest.mark.prove
def test_work_is_carried_away_as_a_notebook_and_brought_back(opened, tmp_path):
    sheet = opened("exercises/04_softmax")
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    with sheet.page.expect_download() as download:
        sheet.page.locator("[data-does=download]").click()
    download.value.save_as(tmp_path / "mine.ipynb")
    mine = json.loads((tmp_path / "mine.ipynb").read_text("utf8"))
    ours = json.loads((ROOT / "exercises" / "04_softmax.ipynb").read_text("utf8"))
    assert [cell["id"] for cell in mine["cells"]] == [cell["id"] for cell in ours["cells"]]
    assert {"".join(cell["source"]) for cell in mine["cells"]} - {"".join(c["source"]) for c in ours["cells"]} == {
        SOFTMAX
    }
    other = opened("exercises/04_softmax")
    with other.page.expect_file_chooser() as chooser:
        other.page.locator("[data-does=bring]").click()
    chooser.value.set_files(tmp_path / "mine.ipynb")
    other.page.locator("[data-runs] .note", has_text="brought in").wait_for()
    assert other.source(STUB) == SOFTMAX


@pytest.mark.prove
def test_a_changed_cell_and_those_below_it_are_marked_until_they_run(opened):
    chapter = opened("chapters/05_values")
    first, second, third, *_ = typed_into(chapter)
    for id, source in ((third, "print(mine)"), (second, "mine = 1")):
        chapter.cell(id).locator("[data-source]").fill(source)
        chapter.cell(id).and_(chapter.page.locator("[data-stale]")).wait_for(state="attached")
    assert chapter.run(third) == ("done", "1\n")
    assert not {first, second, third} & set(stale_of(chapter))
    chapter.cell(second).locator("[data-source]").fill("mine = 2")
    chapter.cell(third).and_(chapter.page.locator("[data-stale]")).wait_for(state="attached")
    assert chapter.run(third) == ("done", "2\n") and first not in stale_of(chapter)


def stale_of(notebook):
    """The names of the cells that are marked as not run since a change."""
    marked = notebook.page.locator("[data-cell][data-stale]")
    return marked.evaluate_all("cells => cells.map((cell) => cell.dataset.cell)")


@pytest.mark.prove
def test_a_changed_answer_makes_only_what_uses_it_stale_and_no_prediction(opened):
    sheet = opened("exercises/04_softmax")
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    sheet.cell(STUB).locator("[data-source]").fill(COLUMNS)
    sheet.cell(STUB).and_(sheet.page.locator("[data-stale]")).wait_for(state="attached")
    assert stale_of(sheet) == [STUB, "4-1-row-softmax--3"]  # the answer and its check
    used = "def tempered_softmax(S, T):\n    return softmax(S / T)"
    sheet.cell("4-2-temperature--2").locator("[data-source]").fill(used)
    assert sheet.run("4-2-temperature--2")[0] == "done"
    sheet.cell(STUB).locator("[data-source]").fill(SOFTMAX + "\n")
    sheet.cell("4-2-temperature--2").and_(sheet.page.locator("[data-stale]")).wait_for(state="attached")


@pytest.mark.prove
@pytest.mark.parametrize("broken", ["def softmax(S):\n    return (S", "softmax = 1 / 0"])
def test_an_error_is_fresh_and_takes_the_green_bar_of_what_had_passed(opened, broken):
    sheet = opened("exercises/04_softmax")
    assert "passed" in sheet.run(STUB, SOFTMAX)[1]
    assert sheet.cell(STUB).get_attribute("data-passed") is not None
    assert sheet.run(STUB, broken)[0] == "error"
    assert sheet.cell(STUB).get_attribute("data-stale") is None
    assert sheet.cell(STUB).get_attribute("data-passed") is None


@pytest.mark.prove
def test_what_is_long_is_scrolled_back_to_its_beginning_by_a_press(opened):
    sheet = opened("exercises/04_softmax", width=390)
    field = sheet.cell(STUB).locator("[data-source]")
    sheet.cell(STUB).locator("[data-source]").focus()
    sheet.cell(STUB).locator(".prism-code-editor").wait_for()
    field.fill(SOFTMAX + "  # " + "a long remark " * 9)
    editor = sheet.cell(STUB).locator(".prism-code-editor")
    assert editor.evaluate("e => (e.scrollLeft = 200, e.scrollLeft)") > 0
    sheet.run(STUB)
    assert editor.evaluate("e => e.scrollLeft") == 0


@pytest.mark.prove
def test_an_error_shows_the_reader_s_own_line_first(opened):
    sheet = opened("exercises/04_softmax")
    state, told = sheet.run(STUB, "a = np.ones((2, 3))\na @ a\ndef softmax(S): return S")
    assert state == "error" and told.startswith("line 2: a @ aValueError: matmul")


def test_the_keyboard_runs_a_cell_and_leaves_the_editor(opened):
    sheet = opened("exercises/04_softmax")
    field = sheet.cell(STUB).locator("[data-source]")
    field.focus()
    editor = sheet.cell(STUB).locator(".prism-code-editor")
    assert editor.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"  # its own paper would cover one below it
    sheet.page.keyboard.press("Control+a")
    sheet.page.keyboard.insert_text("def softmax(S):")
    sheet.page.keyboard.press("Enter")
    sheet.page.keyboard.insert_text("return S")
    assert sheet.source(STUB) == "def softmax(S):\n    return S"
    sheet.page.keyboard.press("Shift+Home")
    assert field.evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)") == "return S"
    sheet.page.keyboard.press("Home")
    sheet.page.keyboard.press("Tab")
    assert field.evaluate("e => e === document.activeElement")
    sheet.page.keyboard.press("Shift+Tab")
    sheet.page.keyboard.press("Shift+Enter")
    assert sheet.settled(STUB) == "done"
    sheet.page.keyboard.press("Escape")
    sheet.page.keyboard.press("Tab")
    assert sheet.page.evaluate(
        "document.activeElement.closest('[data-cell]')?.querySelector('[data-source]') !== document.activeElement"
    )


@pytest.mark.prove
@pytest.mark.parametrize("keys", ["Shift+Enter", also("Control+Enter")])
def test_the_keys_on_the_button_check_and_enter_indents_before_the_editor_has_come(browser, site_url, keys):
    context = browser.new_context()  # of its own: what the page tells its console here is meant
    page = context.new_page()
    page.route("**/editor.js", lambda route: route.abort())
    sheet = Notebook(page, f"{site_url}/exercises/04_softmax.html")
    try:
        assert keys.replace("Control", "Ctrl") in sheet.cell(STUB).locator("[data-run]").get_attribute("title")
        sheet.cell(STUB).locator("[data-source]").focus()
        page.keyboard.press("Control+a")
        for line in ("def softmax(S):", "e = np.exp(S)", "return e / e.sum(axis=0)"):
            page.keyboard.type(line)
            if "return" not in line:
                page.keyboard.press("Enter")
        assert sheet.source(STUB) == "def softmax(S):\n    e = np.exp(S)\n    return e / e.sum(axis=0)"
        page.keyboard.press(keys)
        assert sheet.settled(STUB) == "done" and "down each column" in sheet.output(STUB).text_content()
    finally:
        context.close()


@pytest.mark.prove
def test_keys_run_a_cell_of_a_chapter_too(opened):
    chapter = opened("chapters/04_softmax")
    second = typed_into(chapter)[1]
    assert "Ctrl+Enter" in chapter.cell(second).locator("[data-run]").get_attribute("title")
    chapter.cell(second).locator("[data-source]").focus()
    chapter.cell(second).locator(".prism-code-editor").wait_for()
    chapter.page.keyboard.press("Control+Enter")
    assert chapter.settled(second) == "done"


@pytest.mark.prove
def test_a_picture_and_a_live_figure_appear_and_follow_what_is_changed(opened):
    chapter = opened("chapters/04_softmax")
    first = typed_into(chapter)[0]
    code = "from attn.show import figures, widgets\nimport numpy as np\n"
    assert chapter.run(first, code + "figures.heatmap(np.eye(2), ['a', 'b'])")[0] == "done"
    assert chapter.output(first).locator(".attn-plot svg").bounding_box()["width"] > 100
    figure = chapter.output(first).locator(".attn-figure[data-live]")
    for words, weight in ((["left", "right"], 0.25), (["up", "down"], 0.75)):
        drawn = f"widgets.Heatmap([[{weight}, {1 - weight}], [0, 1]], tokens={words})"
        assert chapter.run(first, code + drawn)[0] == "done"
        figure.wait_for()
        assert all(word in figure.text_content() for word in [*words, str(weight)])
    said = figure.locator(".attn-say").text_content()
    figure.locator("td[tabindex='0']").focus()
    chapter.page.keyboard.press("ArrowRight")
    figure.locator(".attn-say").filter(has_not_text=said).wait_for()


@pytest.mark.prove
def test_a_network_lost_before_the_first_picture_is_said_and_the_next_run_draws(browser, site_url):
    context = browser.new_context()  # of its own: what the page tells its console here is meant
    page = context.new_page()
    page.route("**/matplotlib*", lambda route: route.abort())
    chapter = Notebook(page, f"{site_url}/chapters/04_softmax.html")
    first = typed_into(chapter)[0]
    try:
        state, told = chapter.run(first, "import numpy as np\nimport matplotlib.pyplot as plt\nplt.plot([0, 1])")
        assert state == "error" and "the connection was lost" in told
        page.unroute("**/matplotlib*")
        state, told = chapter.run(first)
        assert state == "done", told
        assert chapter.output(first).locator("img").count() == 1
    finally:
        context.close()


# ---- nothing leaves the host


class Ear(BaseHTTPRequestHandler):
    """A second origin that only listens."""

    heard = ()

    def do_GET(self):
        self.server.heard.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()

    do_POST = do_OPTIONS = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture
def elsewhere():
    """Another origin: its address, and what it has heard; raw connections are counted too."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Ear)
    server.heard = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with socket.create_connection(("127.0.0.1", server.server_port)):
        pass
    yield server
    server.shutdown()
    server.server_close()


ESCAPES = {
    "fetch": "import js\nwaiting = js.fetch('{0}/fetch')",
    "XMLHttpRequest": "import js\nr = js.XMLHttpRequest.new()\nr.open('GET', '{0}/xhr', False)\nr.send()",
    "WebSocket": "import js\nw = js.WebSocket.new('{1}/ws')",
    "importScripts": "import js\njs.importScripts('{0}/script.js')",
    "EventSource": "import js\nw = js.EventSource.new('{0}/events')",
    "eval": "import js\njs.eval('fetch(\"{0}/eval\").catch(() => 0)')",
    "import": "import js\njs.eval('import(\"{0}/module.js\").catch(() => 0)')",
    "Worker": "import js\nb = js.Blob.new([\"fetch('{0}/nested')\"])\nw = js.Worker.new(js.URL.createObjectURL(b))",
    "open_url": "from pyodide.http import open_url\nopen_url('{0}/open')",
    **{
        name: f"class I:\n    def _repr_html_(self):\n        return {html!r}\nI()"
        for name, html in {
            "image": '<img src="{0}/image">',
            "style": '<p style="background: url({0}/style)">x</p>',
            "handler": '<img src=x onerror="fetch(`{0}/handler`)">',
            "frame": '<iframe src="{0}/frame"></iframe>',
            "refresh": '<meta http-equiv="refresh" content="0; url={0}/">',
            "prefetch": '<link rel="prefetch" href="{0}/prefetch">',
        }.items()
    },
}


@pytest.mark.prove
def test_no_cell_reaches_another_origin(browser, site_url, elsewhere):
    """No gate of the test's own stands in the way here: only the page's policy does."""
    context = browser.new_context()
    sheet = Notebook(context.new_page(), f"{site_url}/exercises/04_softmax.html")
    first = sheet.page.locator("[data-cell]").first.get_attribute("data-cell")
    host = f"//127.0.0.1:{elsewhere.server_port}"
    for name, escape in ESCAPES.items():
        state, _ = sheet.run(first, escape.replace("{0}", f"http:{host}").replace("{1}", f"ws:{host}"))
        assert state in ("done", "error"), name
    sheet.page.evaluate(f"fetch('http:{host}/page').catch(() => 0)")
    sheet.page.wait_for_timeout(500)
    assert elsewhere.heard == []
    sheet.page.goto(f"http:{host}/heard")  # it does listen
    assert elsewhere.heard[0] == "/heard"  # and perhaps an icon, which the browser asks for itself
    context.close()


@pytest.mark.prove
def test_a_network_lost_in_mid_load_is_said_and_a_second_press_goes_on(browser, site_url):
    context = browser.new_context()  # of its own: what the page tells its console here is meant
    page = context.new_page()
    page.route("**/*numpy*", lambda route: route.abort())
    sheet = Notebook(page, f"{site_url}/exercises/04_softmax.html")
    try:
        assert sheet.run(STUB, SOFTMAX)[0] == "error"
        assert "connection was lost" in sheet.note(STUB) and sheet.source(STUB) == SOFTMAX
        page.unroute("**/*numpy*")
        assert "passed" in sheet.run(STUB)[1]
    finally:
        context.close()


def test_without_webassembly_the_page_says_so_in_a_sentence(open_page, site_url):
    page = open_page()
    page.add_init_script("delete window.WebAssembly;")
    page.goto(f"{site_url}/exercises/04_softmax.html")
    assert "no WebAssembly" in page.locator("[data-runs] .note").text_content()
    assert page.locator("button[data-run]:visible").count() == 0


def test_without_javascript_the_page_says_so_in_a_sentence(open_page, site_url):
    page = open_page(java_script_enabled=False)
    page.goto(f"{site_url}/exercises/04_softmax.html")
    assert page.locator(".note:visible").text_content().startswith("Without JavaScript no cell")
    assert page.locator("button[data-run]:visible, [data-runs]:visible").count() == 0


def test_from_the_disk_the_page_says_how_to_run_it(open_page, site):
    page = open_page()
    page.goto((site / "exercises" / "04_softmax.html").as_uri())
    assert "python serve.py" in page.locator("[data-runs] .note").text_content()


@pytest.mark.prove
def test_the_zip_unpacked_serves_itself_and_a_sheet_runs_there(open_page, site, tmp_path):
    """With nothing but Python, as somebody without a network would; the page is shut off from all other hosts."""
    pack(tmp_path / "book.zip", site)
    zipfile.ZipFile(tmp_path / "book.zip").extractall(tmp_path)
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    with running([sys.executable, "-I", "serve.py", "8900"], tmp_path, "The book is at ", cwd=folder) as told:
        sheet = Notebook(open_page(), f"{told.split()[0]}/exercises/04_softmax.html")
        assert sheet.run(STUB, COLUMNS) == ("done", report("4.1", python(COLUMNS, "softmax")))
        assert "passed" in sheet.run(STUB, SOFTMAX)[1]


@pytest.mark.prove
@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_line_is_scrolled_to_and_the_page_stays_as_wide_as_its_window(opened, width):
    sheet = opened("exercises/04_softmax", width=width)
    sheet.run(STUB, SOFTMAX + "  # " + "a long remark " * 20)
    assert sheet.page.evaluate("document.documentElement.scrollWidth") <= width
