"""How a figure says things: numbers, token names, vectors and tables, as text a reader can trust.

kit.js writes numbers and names by the same rules, so a widget's sentence reads the same from Python, in a
notebook and on the page.
"""

import re
from decimal import ROUND_HALF_UP, Decimal
from html import escape

LONGEST = 24  # characters of a token name that are shown; the whole name stays in the tooltip
# A name must not break the line it stands in: controls and direction overrides become visible signs.
_SIGNS = {"\n": "⏎", "\t": "⇥", "\r": "␍"}
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def number(x, digits=3):
    """A number as the figures write it: integers plain, others rounded half away from zero.

    x: float or None (a score of −∞)   ->   str, with a true minus sign; ∞ is written as such.
    What rounding would show as 0 keeps its power of ten: a small weight is not no weight.
    """
    if x is None or x == float("-inf"):
        return "−∞"
    if x == float("inf"):
        return "∞"
    if abs(x) < 1e5 and abs(x - round(x)) < 1e-9:
        return str(round(x)).replace("-", "−")
    if abs(x) >= 1e5 or abs(x) < 0.5 * 10**-digits:
        mantissa, power = f"{x:.1e}".split("e")
        return f"{mantissa}e{int(power)}".replace("-", "−")
    # Decimal, because format() rounds ties to even and JavaScript's toFixed away from zero
    return str(Decimal(x).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)).replace("-", "−")


def vector(values, tell=number):
    """(1, 1.637, 0.070): a row of numbers in a sentence, each told by tell; beyond twelve, the middle is left out."""
    told = [tell(x) for x in values]
    if len(told) > 12:
        told = [*told[:5], "…", *told[-2:]]
    return "(" + ", ".join(told) + ")"


def slight(x):
    """A number where a power of ten would say nothing: what rounding would show as 0 is ≈0.   x: float   ->   str"""
    return "≈0" if 1e-9 <= abs(x) < 0.0005 else number(x)


def percent(share):
    """A share as the figures write it: 0.707 is 70.7%, and what is little is not nothing.   share: float   ->   str"""
    return "<0.1%" if 0 < share < 0.0005 else f"{number(100 * share, 1)}%"


def label(token):
    """A token name fit to be shown: one line, at most LONGEST characters, no invisible controls."""
    shown = _UNSEEN.sub(lambda match: _SIGNS.get(match[0], "\ufffd"), token) or "(empty)"
    letters = list(shown)
    return shown if len(letters) <= LONGEST else "".join(letters[: LONGEST - 1]) + "…"


def quoted(token):
    """“love”: a token in a sentence. Right-to-left names are isolated, so they cannot reorder their neighbours."""
    shown = label(token)
    return f"“\u2068{shown}\u2069”" if _RIGHT_TO_LEFT.search(shown) else f"“{shown}”"


def bare(token):
    """love: a name in a formula, as quoted writes it but without the marks."""
    return quoted(token)[1:-1]


def bdi(token):
    """A token in HTML: escaped, isolated from the text around it, whole name in the tooltip."""
    title = f' title="{escape(token)}"' if label(token) != token else ""
    return f"<bdi{title}>{escape(label(token))}</bdi>"


def table(caption, values, rows=None, cols=None):
    """A matrix as an HTML table with real headers, readable without any script.

    caption: str; values: (n, m), None for −∞; rows, cols: token names, or None for r1…, d1….   ->   str
    """
    rows = rows or [f"r{i + 1}" for i in range(len(values))]
    width = len(values[0]) if len(values) else 0
    cols = cols or [f"d{j + 1}" for j in range(width)]
    head = "".join(f'<th scope="col">{bdi(name)}</th>' for name in cols)
    body = "".join(
        f'<tr><th scope="row">{bdi(name)}</th>' + "".join(f"<td>{number(x)}</td>" for x in row) + "</tr>"
        for name, row in zip(rows, values, strict=True)
    )
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def weight(share):
    """A weight as number writes it, but ≈0 for what softmax made too small to show: it gives no 0.   ->   str"""
    told = number(share)
    return "≈0" if share and told == "0" else told


def extremes(values, names, tell=number):
    """Where a row is largest and smallest: "largest at “love” (5), smallest at “I” (1)", or "even at 3".

    values: (m,), names: (m,) token names; tell: how a value is written   ->   str
    """
    told = [-float("inf") if x is None else x for x in values]
    if max(told) - min(told) < 1e-9 or len(set(told)) == 1:
        return f"even at {tell(told[0])}"
    top, bottom = told.index(max(told)), told.index(min(told))
    return (
        f"largest at {quoted(names[top])} ({tell(told[top])}), "
        f"smallest at {quoted(names[bottom])} ({tell(told[bottom])})"
    )


def products(q, k):
    """2·2 + 0·1 + 1·1: a dot product, written out; beyond eight terms the middle is left out.

    q, k: (d,)   ->   str
    """
    told = [f"{factor(a)}·{factor(b)}" for a, b in zip(q, k, strict=True)]
    if len(told) > 8:
        told = [*told[:4], "…", told[-1]]
    return " + ".join(told)


def factor(x):
    """A number as a factor of a product: negative ones in brackets.   x: float   ->   str"""
    return f"({number(x)})" if x <= -1e-9 else number(x)


def grouped(count):
    """A whole number in full, in groups of three: 268 435 456.   count: int   ->   str"""
    return f"{count:,}".replace(",", "\u202f")


def mixture(weights, names):
    """0.070·v(“I”) + 0.707·v(“love”) + …: a weighted sum in words; beyond six terms the middle is left out."""
    told = [f"{number(a)}·v({quoted(name)})" for a, name in zip(weights, names, strict=False)]
    if len(told) > 6:
        told = [*told[:3], "…", *told[-2:]]
    return " + ".join(told)


def weighed(edit, layer, head, looks, seen, weight):
    """What one word's weight on another is, or was before an edit.   -> str, as heads.js says it"""
    told = f"Layer {layer}, head {head}"
    if edit == "head":
        return f"{told}, switched off: {looks} gave {seen} the weight {number(weight)}."
    if edit == "word":
        return f"{told}: {looks} cannot see {seen}, which had the weight {number(weight)}."
    return f"{told}: {looks} gives {seen} the weight {number(weight)}."
