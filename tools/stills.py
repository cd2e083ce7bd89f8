"""Draw the still pictures of the book's figures, each by its own view, in a browser.

python tools/stills.py             draw what the notebooks show and what is not yet drawn; drop what no notebook shows
python tools/stills.py flow hull   draw the figures of these views again as well, after a change of theirs
python tools/stills.py all         draw everything again, after a change of the kit

The pictures lie in book/stills/drawn/, under a name that its figure's state gives them.
"""

import argparse
import base64
import re
import sys
from pathlib import Path

import matplotlib
import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from attn.show.kit import bundle
from book import audit, stills
from book.stills import picture

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 680  # pixels: a sheet of A4 between its margins, and a little less than the page's column
# Eight maps abreast of what they show, an equation as it lies; narrower they are another picture, which a phone gets.
WIDER = {"head_browser": 872, "playground": 872}
LIVE = (872, 380)  # how wide the figure itself is, beside a list of chapters and on a phone
# The same letters on every machine, hardly narrower than any reader's own: those that matplotlib brings.
FACES = {400: "DejaVuSans.ttf", 700: "DejaVuSans-Bold.ttf"}
FACE = "@font-face {{ font-family: Still; font-weight: {}; src: url(data:font/ttf;base64,{}) }}"
# A figure in a state, alive.   -> its height
BEGIN = """async ([view, state]) => {
    document.documentElement.dataset.theme = "light";
    document.body.innerHTML =
        `<div class="attn-figure" data-view="${view}"><script type="application/json"></script></div>`;
    const figure = document.body.firstChild;
    figure.firstChild.textContent = state;
    attnFigures.wake(document);
    const frames = (n) => new Promise((on) => requestAnimationFrame(() => n ? frames(n - 1).then(on) : on()));
    for (let k = 0; !figure.hasAttribute("data-live"); k++) {
        if (k === 600 || figure.querySelector(".attn-sorry")) throw new Error(`${view} could not start`);
        await frames(1);
    }
    await frames(4);
    return Math.round(figure.getBoundingClientRect().height);
}"""
FROZEN = """(theme) => {
    document.documentElement.dataset.theme = theme;
    return still.freeze(document.querySelector(".attn-live"));
}"""


def wanted(root=ROOT):
    """Every figure that the notebooks' stored outputs show: {name of its picture: (view, state)}."""
    found = {}
    for folder in ("chapters", "exercises"):
        for path in sorted((root / folder).glob("*.ipynb")):
            for cell in nbformat.read(path, as_version=4).cells:
                for output in cell.get("outputs", []):
                    found |= stills.figures(output.get("data", {}).get("text/html", ""))
    return found


def studio(browser):
    """A page that draws.   ->   function (view, state, narrow=False) -> str, the SVG of the figure in that state"""
    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    faces = "".join(
        FACE.format(weight, base64.b64encode((fonts / file).read_bytes()).decode()) for weight, file in FACES.items()
    )
    source = (Path(stills.__file__).parent / "freeze.js").read_text(encoding="utf-8")
    exports = ", ".join(re.findall(r"^export (?:async )?(?:function|const) (\w+)", source, re.MULTILINE))
    source = re.sub(r"^export ", "", source, flags=re.MULTILINE)
    page = browser.new_page(viewport={"width": WIDTH, "height": 1200}, reduced_motion="reduce")
    style = f"{faces} {bundle.site_style()} body {{ margin: 0 }} .attn-live * {{ font-family: Still !important }}"
    page.set_content(f'<!doctype html><html data-theme="light"><meta charset="utf-8"><style>{style}</style><body>')
    page.add_script_tag(content=bundle.site_script())
    page.add_script_tag(content=f"window.still = (() => {{ {source} return {{ {exports} }}; }})();")
    page.add_style_tag(content=page.evaluate("still.style"))
    page.evaluate("Promise.all([400, 700].map((weight) => document.fonts.load(`${weight} 15px Still`)))")

    def alive(width, view, state, bare):
        page.set_viewport_size({"width": width, "height": 1200})
        page.evaluate("(bare) => document.documentElement.classList.toggle('bare', bare)", bare)
        return page.evaluate(BEGIN, [view, state])

    def draw(view, state, narrow=False):
        tall = [alive(width, view, state, bare=False) for width in LIVE]
        alive(LIVE[1] if narrow else WIDER.get(view, WIDTH), view, state, bare=True)
        page.evaluate("still.finish(document.querySelector('.attn-live')).then(() => still.rest(document.body))")
        return picture.picture(*(page.evaluate(FROZEN, theme) for theme in ("light", "dark")), tall)

    return draw


def main(arguments=None):
    """The command line."""
    from playwright.sync_api import Error, sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="*", help="views whose pictures are drawn again, or all")
    again = set(parser.parse_args(arguments).which)
    stills.DRAWN.mkdir(exist_ok=True)
    figures = wanted()
    if unknown := again - {"all"} - {view for view, _ in figures.values()}:
        parser.error(f"no notebook shows {', '.join(sorted(unknown))}")
    for path in stills.DRAWN.glob("*.svg"):
        if not {path.name, path.name.replace(stills.NARROW, "")} & set(figures):
            path.unlink()
    missing = {
        name: (view, state)
        for name, (view, state) in figures.items()
        if {"all", view} & again or not (stills.DRAWN / name).is_file()
    }
    drawn, stuck = 0, []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=audit.browser_path(), args=audit.FLAGS[1:])
        draw = studio(browser)
        for name, (view, state) in missing.items():
            try:
                texts = {name: draw(view, state)}
                if view in WIDER:
                    texts[stills.narrow(name)] = draw(view, state, narrow=True)
            except Error as error:
                stuck.append(f"{name}: {error.message.splitlines()[0]}")
                continue
            for file, text in texts.items():
                (stills.DRAWN / file).write_text(text, encoding="utf-8", newline="\n")
            drawn += 1
        browser.close()
    print(*stuck, f"{len(figures)} pictures, {drawn} of them drawn now", sep="\n")
    if stuck:
        raise SystemExit("A figure that cannot start may hold an older state: execute its notebook again.")


if __name__ == "__main__":
    main()
