"""A real browser for the tests: Chromium from the system, the site of all tests, every foreign host out of reach."""

import os
import shutil
import threading
from urllib.parse import urlsplit

import pytest
from figurepage import write_page
from runpage import Notebook

from book.serve import serve

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


WHOLE = ("chromium", "chromium-browser", "google-chrome")
LEAN = "chromium-headless-shell"  # draws the same, has no window to keep, and takes a third of the processor's time


@pytest.fixture(scope="session")
def launch():
    """launch(lean=True) -> a Chromium that runs for the session, the lean one if it may be and is on this machine.

    Without any the test is skipped, except where CI promises to run it.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = []

        def start(lean=True):
            if where := next(filter(None, map(shutil.which, (LEAN, *WHOLE) if lean else WHOLE)), None):
                launched.append(playwright.chromium.launch(executable_path=where, args=FLAGS))
                return launched[-1]
            reason = "no Chromium on this machine; the browser tests run in CI"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)

        yield start
        for running in launched:
            running.close()


@pytest.fixture(scope="session")
def browser(launch):
    """One Chromium for the session."""
    return launch()


@pytest.fixture(scope="session")
def site_url(site):
    """The site's address on this machine while the session lasts."""
    server = serve(8500 + os.getpid() % 400, site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


class Visit:
    """What a page did that it should not: errors it raised, other hosts it asked for."""

    def __init__(self, page):
        self.errors, self.foreign = [], []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self.gate)

    def gate(self, route):
        host = urlsplit(route.request.url).hostname
        if host in (None, "127.0.0.1", "localhost"):
            return route.continue_()
        self.foreign.append(route.request.url)
        return route.abort()


@pytest.fixture
def open_page(browser):
    """open_page(width=…, **context options) -> a fresh page; at the end none may have erred or called abroad."""
    contexts, visits = [], []

    def opened(width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(60_000)  # a busy machine is no fault of the page
        contexts.append(context)
        page = context.new_page()
        visits.append(Visit(page))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [visit.foreign for visit in visits if visit.foreign] == []
    assert [visit.errors for visit in visits if visit.errors] == []


@pytest.fixture
def page(open_page):
    """One page of the usual size."""
    return open_page()


@pytest.fixture(scope="session")
def runs(site):
    """Without the runtime's files there is nothing to test; CI requires them."""
    if not (site / "_static" / "python").is_dir():
        pytest.skip("this site is built without Run")


@pytest.fixture
def opened(open_page, site_url, runs):
    """opened("exercises/04_softmax") -> a Notebook"""
    return lambda name, **options: Notebook(open_page(**options), f"{site_url}/{name}.html")


@pytest.fixture
def show(open_page, tmp_path):
    """show(widgets, …) -> a page from the disc on which they are alive."""

    def shown_page(shown, *, theme=None, script=True, ready=True, **options):
        page = open_page(**options)
        page.goto(write_page(tmp_path, shown, theme=theme, script=script))
        if ready:
            page.wait_for_function(f"() => document.querySelectorAll('[data-live]').length === {len(shown)}")
        return page

    return shown_page
