"""The one written form of a notebook: two executions of the same cells give the same bytes."""

import base64
import hashlib
import io
import re
import unicodedata

import nbformat

VOLATILE = "nbval-ignore-output"  # the output must vary (a timing): compared by nobody
LATER = "hide-output"  # stored, but not shown before the reader has guessed or run the cell
ELSEWHERE = "nbval-skip"  # cannot run here at all; its output came from another machine
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # its model id is random on every run
PLOT = '<div class="attn-plot"'  # a picture of curves, points or cells: attn.show.still.plot
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+")
MOVED = 0.1  # of a point of type
IMAGES = ("image/png", "image/jpeg", "image/svg+xml")

NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "pygments_lexer": "ipython3",
    },  # the page's highlighting reads the lexer
}
HEADING = r"\s*(?:\(\S+\)=\s+)?#{1,6} +(.+)"  # a MyST target may stand on the line before
EDITORS_LEFTOVERS = set(
    """
    widgets colab vscode toc signature orig_nbformat papermill execution accelerator celltoolbar ExecuteTime
    collapsed scrolled id outputId jp-MarkdownHeadingCollapsed trusted editable slideshow deletable jupyter
    """.split()
)


def text(notebook):
    """The canonical text of a notebook: sorted keys, one newline at the end.  notebook -> str"""
    return nbformat.writes(canonical(notebook), version=4) + "\n"


def canonical(notebook):
    """A copy with stable cell ids, the fixed kernel, and nothing an editor or a clock left behind."""
    nb = nbformat.from_dict(notebook)
    nb.metadata = nbformat.from_dict(authored(nb.metadata) | NOTEBOOK_METADATA)
    nb.nbformat, nb.nbformat_minor = 4, 5
    for cell, name in zip(nb.cells, cell_ids(nb.cells), strict=True):
        cell.id = name
        cell.metadata = nbformat.from_dict(authored(cell.metadata))
        cell.source = cell.source.strip("\n")
        if not cell.get("attachments"):
            cell.pop("attachments", None)
        if cell.cell_type == "code":
            cell.outputs = canonical_outputs(cell.outputs)
    nbformat.validate(nb)
    return nb


def authored(metadata):
    """The metadata that an author, not an editor, wrote; Jupyter folds an output by two keys, the page by a tag."""
    folded = {"collapsed": True, "jupyter": {"outputs_hidden": True}} if LATER in metadata.get("tags", []) else {}
    return {key: value for key, value in metadata.items() if key not in EDITORS_LEFTOVERS} | folded


def cell_ids(cells):
    """Ids from the nearest heading and the place under it, so that an edit renames only its own section."""
    section, place, seen = "start", 0, {}
    for cell in cells:
        heading = re.match(HEADING, cell.source) if cell.cell_type == "markdown" else None
        if heading:
            name = slug(heading[1])
            seen[name] = seen.get(name, 0) + 1
            section, place = (name if seen[name] == 1 else f"{name}-again-{seen[name]}"), 0
        yield section if heading else f"{section}--{place}"  # two hyphens: no slug has them
        place += 1


def slug(heading):
    """A heading as an id: '4 · Why divide by √d' -> '4-why-divide-by-d'."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "section"


def canonical_outputs(outputs):
    """Outputs without widget views, with neighbouring pieces of one stream joined."""
    kept = []
    for output in outputs:
        if output.output_type in ("display_data", "execute_result"):
            output.data.pop(WIDGET_VIEW, None)
            output.metadata.pop(WIDGET_VIEW, None)
            if not output.data:
                continue
        last = kept[-1] if kept else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            kept.append(output)
    return kept


def keep_what_looks_the_same(cells, stored_cells):
    """Keep a stored picture whose pixels did not move, and a volatile output whose source did not change.

    Compressors and the last bit of a float differ between machines; a reader's picture does not.
    The two lists hold the same cells in the same order; the first is changed in place.
    """
    for cell, before in zip(cells, stored_cells, strict=True):
        if cell.cell_type != "code":
            continue
        same_source = before.metadata.get("measured") == fingerprint(before.source)
        if VOLATILE in cell.metadata.get("tags", []) and same_source:
            cell.outputs = before.outputs
        for kind, alike in SEEN.items():
            pictures, stored = (
                [o.data for o in outputs if kind in o.get("data", {})] for outputs in (cell.outputs, before.outputs)
            )
            for data, was in zip(pictures, stored, strict=False):  # figures may have come or gone at the end
                if others(data, kind) == others(was, kind) and alike(data[kind], was[kind]):
                    data[kind] = was[kind]


def fingerprint(source):
    """Eight hexadecimal digits that change when the source of a cell does."""
    return hashlib.sha256(source.strip("\n").encode()).hexdigest()[:8]


def others(data, picture):
    """The forms of an output beside its picture: above all its sentence."""
    return {kind: value for kind, value in data.items() if kind != picture}


def looks_the_same(png, other):
    """True if two base64 PNGs have the same size and no channel differs by more than 2 of 255."""
    if png.strip() == other.strip():
        return True
    import numpy as np
    from matplotlib.image import imread

    try:
        one, two = (imread(io.BytesIO(base64.b64decode(p)), format="png") for p in (png, other))
    except (ValueError, OSError, SyntaxError):  # what is stored there is no picture
        return False
    return one.shape == two.shape and bool(np.abs(one - two).max() <= 2 / 255)


def lies_the_same(html, other):
    """True if two plots differ in no word and no line of theirs has moved by more than MOVED."""
    if PLOT not in html or NUMBER.sub("", html) != NUMBER.sub("", other):
        return html == other
    return all(abs(float(a) - float(b)) <= MOVED for a, b in zip(*map(NUMBER.findall, (html, other)), strict=True))


SEEN = {"image/png": looks_the_same, "text/html": lies_the_same}  # what a picture is, and when one looks like another
