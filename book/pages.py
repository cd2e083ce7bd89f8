"""What the template needs to know about one page, worked out from its document."""

import base64
import hashlib
import json
import re
import struct
from pathlib import Path

from docutils import nodes

from book import assets, checks, heights, opening, sheets, stills, told
from book.beside import neighbours
from book.launch import launch_links
from book.python import cells, credits

FIGURE = 'class="attn-figure"'
CURRENT = re.compile(r'<a class="current reference internal".*?</a>', re.DOTALL)
SECTIONS = re.compile(r"</a>(<ul>.*</ul>)\s*</li>\s*</ul>\s*$", re.DOTALL)  # what a page's toc has below its title
ROLES = re.compile(r' role="(?:doc-biblioentry|doc-biblioref|doc-backlink|list|heading)"')  # ill-formed or withdrawn
IMAGE = re.compile(r'<img\b[^>]*?src="([^"]*/)?([^"/]+)"[^>]*>')
ROW = re.compile(r"index$|chapters/\d\d|chapters/api/|exercises/")  # pages that are read one after another
CLOSING = re.compile(r"(<math>(?:(?!</math>).)*</math>)([.,;:?!)’”]+)", re.DOTALL)  # a formula, and a comma
UNIT = re.compile(r"(<(script|pre)\b.*?</\2>)|(?<=\d) (?=%|(?:[mµ]s|[KMGT]i?B)\b)", re.DOTALL)  # 5 %, outside of code
EMPTY = re.compile(r"<th\b([^>]*)>(?:<p></p>)?</th>")  # a header that names nothing is no header
TABLE = re.compile(r'(<table class="[^"]*docutils.*?</table>)', re.DOTALL)

# This site and no other; a page's own first script by its digest; Python's machine, which is WebAssembly.
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "worker-src blob:; object-src 'none'; base-uri 'self'; form-action 'self'"
)


def policy(script):
    """The page's Content-Security-Policy, which binds also the worker that it starts from a Blob.   str -> str"""
    return POLICY.format(base64.b64encode(hashlib.sha256(str(script).encode()).digest()).decode())


def describe(doctree, limit=160):
    """The page in a sentence or two: its first paragraph that says something, cut at a word."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else ():
        text = " ".join(paragraph.astext().split())
        if len(text) >= 40:
            return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"
    return ""


def chapter_list(context):
    """The list of chapters, with this page's own sections under its name."""
    listing = context["toctree"](maxdepth=1, collapse=True, includehidden=True, titles_only=True) or ""
    listing = ROLES.sub("", listing)
    sections = SECTIONS.search(context.get("toc", ""))
    if not sections:
        return listing
    return CURRENT.sub(lambda link: link[0].replace("<a ", '<a aria-current="page" ') + sections[1], listing, count=1)


def png_size(path):
    """Width and height in pixels, from a PNG's header.   -> (int, int)"""
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:24])


def steady_images(app, body):
    """Pictures say their size before they load, so the text below never jumps, and load when they come near."""
    paths = {name: Path(app.srcdir) / source for source, name in app.builder.images.items()}

    def steady(tag):
        path = paths.get(tag[2])
        size = png_size(path) if path and path.suffix == ".png" and path.is_file() else None
        room = f' width="{size[0]}" height="{size[1]}"' if size and " width=" not in tag[0] else ""
        return tag[0].replace("<img", f'<img loading="lazy"{room}', 1)

    return IMAGE.sub(steady, body)


def notebook_links(app, pagename, context):
    """How to take this page's notebook away: the download always, Colab and Binder when the address is known."""
    source = Path(app.env.doc2path(pagename))
    if source.suffix != ".ipynb":
        return None
    repository = app.config.repository or {}
    path = source.relative_to(app.srcdir).as_posix()
    return {
        "download": context["pathto"]("_sources/" + context["sourcename"], 1),
        "name": source.name,
        "elsewhere": launch_links(repository.get("url"), repository.get("branch") or "main", path),
    }


def beside(app, pagename, pathto):
    """Links between a chapter, its sheet and the library:  [(label, [(address, text), …]), …]"""
    groups = []
    for label, links in neighbours(pagename):
        there = [(page, text or app.env.titles[page].astext()) for page, text in links if page in app.env.titles]
        groups += [(label, [(pathto(page), text) for page, text in there])] if there else []
    return groups


def turns(app, pagename, context):
    """The page before and the page after, where both are read in a row; a page to look things up in has none.

    -> {"prev": …, "next": …}, each what the template takes, or None
    """
    _, *both = app.builder.relations.get(pagename) or (None, None, None)
    kept = [ROW.match(pagename) and page and ROW.match(page) for page in both]
    return {name: context.get(name) if keep else None for name, keep in zip(("prev", "next"), kept, strict=True)}


def complete(app, pagename, templatename, context, doctree):
    """Add to the template's context: digest-stamped addresses, description, figures, notebook links."""
    body = context.get("body", "")
    context["asset"] = lambda name: f"{context['pathto']('_static/' + name, 1)}?v={app.config.asset_digests[name]}"
    context["policy"] = policy
    context["description"] = context.get("description") or describe(doctree)
    context["html_baseurl"] = app.config.html_baseurl
    context["has_figure"] = FIGURE in body
    context["encoder_edition"] = app.config.encoder_edition if 'data-view="encoder_heads"' in body else ""
    context["chapters"] = chapter_list(context)
    context["notebook"] = notebook_links(app, pagename, context) if doctree else None
    context |= turns(app, pagename, context)
    context["beside"] = beside(app, pagename, context["pathto"])
    body = stills.stamp(body, context["pathto"]("_static", 1))
    body = assets.set_aside(app, body, context["pathto"]("_static", 1))
    body = sheets.lead_on(app, steady_images(app, body), context["pathto"])
    body = CLOSING.sub(r'<span class="keep">\1\2</span>', ROLES.sub("", body))
    body = EMPTY.sub(r"<td\1></td>", body)
    context["runs"] = cells.runs(pagename) and "data-cell" in (body := cells.mark_cells(body))
    body, context["checks"] = checks.gather(told.name_apart(told.fold(credits.tally(pagename, body))))
    context["python_edition"] = app.config.python_edition
    context["has_credits"] = app.config.python_edition or app.config.encoder_edition
    context["sheet"] = pagename.startswith("exercises/")
    sections = json.dumps(sheets.sections(app, pagename, context["pathto"]), ensure_ascii=False)
    context["sections"] = sections.replace("<", r"\u003c")
    body = UNIT.sub(lambda found: found[1] or "\xa0", heights.keep(body))  # a number and its unit stay on one line
    context["body"] = TABLE.sub(r'<div class="wide">\1</div>', opening.lead(body))
