"""What the tool writes into a notebook by itself: alt texts, timings' hashes, minutes, folded answers, Colab cells."""

import re
from pathlib import Path

import minutes
import nbformat
import yaml
from nb_canonical import IMAGES, LATER, PLOT, VOLATILE, fingerprint

STAMPED = "stamped"  # the tag by which the tool knows its own cells again
ASKS = re.compile(r"\?\*\*\W*$|\*\*Predict|\*\*Before you run")  # a paragraph that ends with a question to the reader
CHECK = {"code_prompt_show": "The numbers in the text, checked", "code_prompt_hide": "Hide the check"}
PROMPTS = {
    "hide-input": {"code_prompt_show": "How this is asked", "code_prompt_hide": "Hide how this is asked"},
    LATER: {"code_prompt_show": "What comes out (guess first)", "code_prompt_hide": "Hide what came out"},
}

SET_UP = '''\
# A fresh Colab machine has no attn yet; everywhere else this cell does nothing.
from importlib.util import find_spec

if find_spec("attn") is None:
    %pip install -q "attention-as-linear-algebra[show] @ git+{url}@{ref}"'''


def repository(config):
    """The (url, branch) of _config.yml, the one place that knows them; ('', …) until the owner sets one."""
    path = Path(config)
    settings = (yaml.safe_load(path.read_text("utf8")) or {}) if path.exists() else {}
    entry = settings.get("repository") or {}
    return (entry.get("url") or "").rstrip("/"), entry.get("branch") or "main"


def stamp_colab(notebook, name, url, ref):
    """Put the link to Colab and the hidden set-up cell on top, or take them away when there is no url.

    name: the notebook's path inside the repository. The link is the page's own; not every address has one.
    """
    notebook.cells = [cell for cell in notebook.cells if STAMPED not in cell.metadata.get("tags", [])]
    if not url:
        return
    hidden = {"tags": ["remove-cell", STAMPED]}
    cells = [nbformat.v4.new_code_cell(SET_UP.format(url=url, ref=ref), metadata=dict(hidden))]
    from book.launch import launch_links  # brings the site's builder with it, so only when there is a link to make

    for label, address in launch_links(url, ref, name):
        if label == "Colab":
            link = f"[Open this page in {label}]({address})"
            cells.insert(0, nbformat.v4.new_markdown_cell(link, metadata=dict(hidden)))
    notebook.cells[:0] = cells


def stamp_minutes(notebook):
    """Write into a chapter's opening how long it takes, as minutes.py counts it."""
    authored = [cell for cell in notebook.cells if STAMPED not in cell.metadata.get("tags", [])]
    said, counted = minutes.stated(nbformat.from_dict({"cells": authored}))
    for cell in authored:
        if cell.source == said:
            cell.source = counted


def stamp_answers(notebook):
    """Fold what answers a prediction: the outputs between a question and the next words.

    After a `Predict` all of them; a guess opens them. After a question in the text all but figures, which invite to
    look. Jupyter shows an output when its cell is run.
    """
    asked = None
    for cell in notebook.cells:
        tags = [tag for tag in cell.metadata.get("tags", []) if tag != LATER]
        if cell.cell_type == "markdown":
            asked = "text" if ASKS.search(cell.source.strip().split("\n\n")[-1]) else None
            continue
        if is_question(cell):
            asked = "figure"
        elif asked and cell.get("outputs") and "hide-cell" not in tags:
            if asked == "figure" or not any(is_figure(output) for output in cell.outputs):
                tags.append(LATER)
        own = "hide-cell" in tags  # its prompts are the author's, if there are any
        stored = cell.metadata.get("mystnb", {}).get("code_prompt_show")
        picture = "hide-input" in tags and LATER not in tags and not is_question(cell)
        kept = own or (picture and stored not in PROMPTS[LATER].values())  # and so are those of a picture's code
        myst = {k: v for k, v in cell.metadata.get("mystnb", {}).items() if kept or k not in PROMPTS[LATER]}
        for tag in tags:
            myst = PROMPTS.get(tag, {}) | myst if kept else myst | PROMPTS.get(tag, {})
        myst = (CHECK if own else {}) | myst
        fresh = {"tags": tags, "mystnb": myst}
        for name, value in fresh.items():
            cell.metadata.pop(name, None)
            if value:
                cell.metadata[name] = value


def is_question(cell):
    """True for a cell that shows a question with a place to guess."""
    return any(
        'data-view="predict"' in output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])
    )


def is_figure(output):
    """True for a picture, a plot and a figure of the book."""
    html = output.get("data", {}).get("text/html", "")
    return is_picture(output) or PLOT in html or "attn-figure" in html


def stamp_outputs(notebook):
    """Copy each figure's sentence to where Jupyter Book looks for alt text; note which source was timed."""
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if VOLATILE in cell.metadata.get("tags", []):
            cell.metadata["measured"] = fingerprint(cell.source)
        myst = dict(cell.metadata.get("mystnb", {}))
        image = {k: v for k, v in myst.get("image", {}).items() if k != "alt"}
        sentence = next((sentence_of(o) for o in cell.outputs if is_picture(o)), None)
        if sentence:
            image["alt"] = sentence
        myst = {k: v for k, v in (myst | {"image": image}).items() if v != {}}
        cell.metadata.pop("mystnb", None)
        if myst:
            cell.metadata["mystnb"] = myst


def is_picture(output):
    """True for an output that a browser draws as an image."""
    return any(kind in IMAGES for kind in output.get("data", {}))


def sentence_of(output):
    """The text form of an output on one line: for a figure, the sentence that says what it shows."""
    return " ".join(output.data.get("text/plain", "").split())
