"""The book's own Sphinx extension: a light page, mathematics as MathML, figures alive where a page has them."""

from pathlib import Path

import yaml

from book import api, assets, borrow, citations, mathml, pages, sheets, terms
from book.python import cells, credits

THEME = Path(__file__).parent / "theme"


def read_repository(app, config):
    """Jupyter Book keeps `repository` to its own theme, so it is read from the file that holds it."""
    settings = Path(app.confdir) / "_config.yml"
    if settings.exists() and not config.repository:
        config.repository = yaml.safe_load(settings.read_text(encoding="utf-8")).get("repository") or {}


def setup(app):
    """Register the theme, the mathematics renderer and the hooks that shape every page."""
    app.add_html_theme("course", str(THEME))
    app.add_config_value("repository", {}, "html")
    app.add_config_value("asset_digests", {}, "html")
    app.add_config_value("mathml_macros", {}, "html")
    app.add_config_value("python_edition", "", "env")  # the running pages' client; empty where nothing runs
    app.add_config_value("encoder_edition", "", "html")  # the same of the encoder for the reader's own sentences
    app.add_config_value("comments_config", {}, "")  # Jupyter Book always sets it; this book has no comments
    mathml.register(app)
    citations.register()
    app.connect("config-inited", read_repository)
    app.connect("config-inited", assets.digest)
    app.connect("builder-inited", assets.write)
    for shape in (api.expand, sheets.unfold, sheets.practise):  # in this order
        app.connect("source-read", shape)
    app.connect("doctree-read", cells.name_cells)
    app.connect("html-collect-pages", credits.page)
    app.add_directive("figure-of", borrow.FigureOf)
    app.add_transform(terms.Terms)
    app.connect("html-page-context", pages.complete, priority=900)
    app.connect("build-finished", assets.finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
