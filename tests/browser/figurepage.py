"""A page with figures on it and nothing else: what the site does, without building the site."""

import numpy as np

from attn.show.kit import bundle


def write_page(path, widgets, *, theme=None, script=True):
    """Write an HTML page that holds these widgets as the site would, and return its file:// address."""
    (path / "figures.js").write_text(bundle.site_script(), encoding="utf-8")
    figures = "\n".join(widget.html() for widget in widgets)
    chosen = f' data-theme="{theme}"' if theme else ""
    tag = '<script defer src="figures.js"></script>' if script else ""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Figures</title>{tag}'
    ground = "#0d0f13; color: #eee" if theme == "dark" else "#fff"
    # the style stands in the page: a page from the disc may not ask for its stylesheet again, and axe would
    size = "html { font-size: 112.5% }"  # the site's letters
    style = f"<style>{size} {bundle.site_style()} body {{ margin: 10px; background: {ground} }}</style>"
    page = (
        f'<!doctype html><html lang="en"{chosen}><head>{head}{style}</head>'
        f"<body><main><h1>Figures</h1>{figures}</main></body></html>"
    )
    (path / "index.html").write_text(page, encoding="utf-8")
    return (path / "index.html").as_uri()


def said(page, index=0):
    """The sentence of a figure on the page."""
    return page.locator(".attn-say").nth(index).text_content()


def grid(table):
    """The numbers a reader sees in a table."""
    rows = table.locator("tbody tr").all()
    return [
        [float(cell.replace("−", "-").replace("≈", "")) for cell in row.locator("td").all_text_contents()]
        for row in rows
    ]


def slowly(page):
    """The page, with all that moves a thousand times as slow: still on its way however late the test comes to look."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    return page


def middle(element):
    """The middle of an element on the screen.   -> (x, y)"""
    box = element.bounding_box()
    return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
