"""The README's picture: the front door's figure, stepped to its last stage.  make site && python tools/picture.py

Prints the sentence that the figure computed; it is the picture's alt text in the README.
"""

import io
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / ".github" / "one_head.png"


def taken(door):
    """Visit the built page and step its figure to the end.  path -> (PNG, the figure's sentence)"""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 880, "height": 900}, reduced_motion="reduce")
        page.goto(door.as_uri())
        figure = page.locator(".attn-figure[data-live]").first
        following = figure.get_by_role("button", name="Next")
        while following.is_enabled():
            following.click()
        page.evaluate("document.activeElement.blur()")
        picture, sentence = figure.screenshot(), figure.locator(".attn-say").first.inner_text()
        browser.close()
        return picture, sentence


def main():
    """Take it, keep 64 colours, store it."""
    from PIL import Image

    picture, sentence = taken(ROOT / "_build" / "html" / "index.html")
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(64).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB\n{sentence}")


if __name__ == "__main__":
    main()
