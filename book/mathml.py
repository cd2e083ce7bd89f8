"""LaTeX becomes MathML while the book is built, so a reader's browser needs no script to show a formula."""

import re
from functools import cache
from pathlib import Path

from docutils.nodes import SkipNode
from math_core import LatexError, LatexToMathML
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number

GLYPHS = Path(__file__).parent / "theme" / "static" / "fonts" / "stix-two-math.txt"
INVISIBLE = set("\n\t\u200b\u2061\u2062\u2063\u2064\ufe00")  # spacing and function application draw nothing
NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|gather|alignat|multline)\}")
ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)


class MathematicsError(ExtensionError):
    """A formula that this book cannot show."""

    category = "Mathematics error"


@cache
def covered():
    """The code points that the shipped mathematics font can draw."""
    points = set()
    for line in GLYPHS.read_text(encoding="ascii").split():
        first, _, last = line.partition("-")
        points.update(range(int(first, 16), int(last or first, 16) + 1))
    return points


@cache
def converter(macros):
    return LatexToMathML(macros=dict(macros), fancy_error=False)


def to_mathml(latex, *, display=False, macros=()):
    """One formula as a <math> element.

    latex: source without dollar signs; macros: pairs (name, body). -> str
    Raises MathematicsError for a command that cannot be shown, or a sign that the shipped font lacks.
    """
    try:
        markup = converter(tuple(macros)).convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise MathematicsError(f"{str(error).strip()} in {latex!r}") from None
    drawn = set(re.sub(r"<[^>]*>|&\w+;", "", markup)) - INVISIBLE
    missing = sorted(sign for sign in drawn if ord(sign) not in covered())
    if missing:
        names = ", ".join(f"{sign} (U+{ord(sign):04X})" for sign in missing)
        raise MathematicsError(f"the shipped mathematics font has no {names}, needed by {latex!r}")
    return markup


def arrange(latex, *, environment=False):
    """Display source as one expression: numbers are ours to give, and loose line breaks need an environment."""
    if environment:
        return NUMBERED.sub(r"\\\1{\2*}", latex)
    latex = latex.replace("{split}", "{aligned}")
    parts = [part.strip() for part in re.split(r"\n\s*\n", latex) if part.strip()]
    joined = r" \\ ".join(parts)
    if r"\\" in ENVIRONMENT.sub("", joined):
        return rf"\begin{{aligned}}{joined}\end{{aligned}}"
    return joined


def render(translator, node, latex, display):
    """The formula of a document node; what goes wrong names the page and the line."""
    macros = tuple(sorted(translator.builder.config.mathml_macros.items()))
    try:
        return to_mathml(latex, display=display, macros=macros)
    except MathematicsError as error:
        page = translator.builder.env.doc2path(translator.builder.current_docname, base=False)
        raise MathematicsError(f"{page}:{node.line or '?'}: {error}") from None


def visit_inline(translator, node):
    translator.body.append(render(translator, node, node.astext(), display=False))
    raise SkipNode


def visit_block(translator, node):
    latex = arrange(node.astext(), environment=node.get("nowrap", False))
    translator.body.append(translator.starttag(node, "div", "", CLASS="math"))
    translator.body.append(f'<div class="wide">{render(translator, node, latex, display=True)}</div>')
    if node.get("number"):
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise SkipNode


def register(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
