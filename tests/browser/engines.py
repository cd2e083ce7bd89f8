"""Firefox and WebKit, Safari's engine, from Debian's packages: each driven by the protocol that it speaks itself.

Firefox speaks WebDriver BiDi on a WebSocket; WebKit has a WebDriver beside it. What both are asked is the same: run
some JavaScript, press keys, press the mouse.
"""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import websocket

LONG = 240  # seconds: a machine may be busy, and no test is judged by its time
KEYS = {"Control": "\ue009", "Shift": "\ue008", "Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "End": "\ue010", "\n": "\ue007"}


class Driven:
    """One page in one browser.   ask(expression) and act(actions) are the engine's own."""

    def ready(self, condition):
        """Wait until a condition of the page holds."""
        end = time.monotonic() + LONG
        while not self.ask(f"Boolean({condition})"):
            assert time.monotonic() < end, condition
            time.sleep(0.1)

    def place(self, selector, across=0.5):
        """Bring an element to the middle of the window.   -> (x, y), at this part of its width"""
        one = f"document.querySelector({json.dumps(selector)})"
        middle = f"({{x, y, width, height}}) => [x + width * {across}, y + height / 2].map(Math.round)"
        box = f"({middle})({one}.getBoundingClientRect())"
        # what wakes above it while the page scrolls may move it; Firefox scrolls to no part of a drawing
        inside = f"(([x, y]) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)({box})"
        self.ready(f"({one}.ownerSVGElement || {one}).scrollIntoView({{block: 'center'}}) || {inside}")
        x, y = before = self.ask(box)
        while (now := self.ask(f"new Promise((later) => setTimeout(() => later({box}), 100))")) != before:
            x, y = before = now  # it still scrolls
        return x, y

    def click(self, selector, across=0.5):
        """Press the mouse where an element is."""
        self.drag(*self.place(selector, across))

    def drag(self, x, y, *ways):
        """Press the mouse at a place of the window, go these ways from there, and let go."""
        moves = [{"type": "pointerMove", "x": x + right, "y": y + down} for right, down in ((0, 0), *ways)]
        moves.insert(1, {"type": "pointerDown", "button": 0})
        moves.append({"type": "pointerUp", "button": 0})
        self.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves})

    def press(self, *keys):
        """Press keys together."""
        values = [KEYS.get(key, key) for key in keys]
        down = [{"type": "keyDown", "value": value} for value in values]
        self.act({"type": "key", "id": "keys", "actions": down + [{"type": "keyUp", "value": v} for v in values[::-1]]})

    def write(self, text):
        """Type a text, key by key."""
        values = [KEYS.get(key, key) for key in text]
        actions = [{"type": f"key{way}", "value": value} for value in values for way in ("Down", "Up")]
        self.act({"type": "key", "id": "keys", "actions": actions})


class Firefox(Driven):
    """WebDriver BiDi."""

    def __init__(self, address):
        self.socket = websocket.create_connection(f"{address}/session", suppress_origin=True, timeout=LONG)
        self.numbers = count()
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            pass
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        return answer["result"]

    def open(self, address):
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def ask(self, expression):
        code = f"Promise.resolve({expression}).then((found) => JSON.stringify(found ?? null))"
        how = {"target": {"context": self.context}, "awaitPromise": True}
        answer = self.send("script.evaluate", expression=code, **how)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def act(self, actions):
        self.send("input.performActions", context=self.context, actions=[actions])


class WebKit(Driven):
    """WebDriver."""

    def __init__(self, address, browser):
        self.session = address
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.session = f"{address}/session/{self.send('/session', capabilities=wanted)['sessionId']}"

    def send(self, path, **body):
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.session + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=LONG) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read().decode()[:2000]}") from None

    def open(self, address):
        self.send("/url", url=address)

    def ask(self, expression):
        code = f"const done = arguments[0]; Promise.resolve({expression}).then((found) => done(found ?? null))"
        return self.send("/execute/async", script=code, args=[])

    def act(self, actions):
        self.send("/actions", actions=[actions])


def firefox():
    """Where Firefox is, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def webkit():
    """WebKit's browser, or None; its driver and a screen to draw on belong to it."""
    if not (shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
        return None
    return next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))), None)


@contextmanager
def running(command, folder, told, **options):
    """A process while the block lasts.   yields what follows `told` in the first line of its report that has it"""
    log = folder / "log.txt"
    with open(log, "wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, **options)
    try:
        end = time.monotonic() + 60
        while not (found := [line for line in log.read_text("utf8").splitlines(True) if told in line and "\n" in line]):
            assert process.poll() is None and time.monotonic() < end, log.read_text("utf8")[-2000:]
            time.sleep(0.1)
        yield found[0].partition(told)[2].strip() if told else found[0].strip()
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def started(name, folder):
    """A Driven of this name, "firefox" or "webkit", while the block lasts."""
    home = {**os.environ, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
    if name == "firefox":
        command = [firefox(), "--headless", "--remote-debugging-port", "0", "--profile", folder, "--no-remote"]
        with running(command, folder, "WebDriver BiDi listening on ", env=home) as address:
            with closing((page := Firefox(address)).socket):
                yield page
        return
    (folder / "screen").mkdir()
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with running(command, folder / "screen", "") as number:
        home |= {"DISPLAY": f":{number}", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        port = 8950 + os.getpid() % 40
        driver = subprocess.Popen(["WebKitWebDriver", f"--port={port}"], env=home)
        try:
            address = f"http://127.0.0.1:{port}"
            for _ in range(100):
                try:
                    urllib.request.urlopen(f"{address}/status", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.1)
            page = WebKit(address, webkit())
            yield page
            urllib.request.urlopen(urllib.request.Request(page.session, method="DELETE"), timeout=30).close()
        finally:
            driver.terminate()
            driver.wait(timeout=30)
