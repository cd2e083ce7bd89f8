"""JavaScript without what is there for its writers alone: remarks, indentation, spaces and lines around signs.

It knows no more grammar than where a string, a template within a template and a regular expression end; what they hold
stays as it is, and so does every name. Each statement must end in a semicolon or a brace, as `deno fmt` writes it.
(rjsmin, which does the site's two small scripts, takes the text of a template within a template for code.)
"""

import re

TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\w$#@]+|.""", re.DOTALL)
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/\w*")  # a regular expression
WRITTEN = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)", re.DOTALL)  # of a template, to its end or its next hole
BEFORE_PATTERN = re.compile(r"[(,=:\[!&|?{};+*%<>~^-]|return|case|typeof|in|of")
WORD = re.compile(r"[\w$#@]")


def slim(text):
    """The same script, shorter.   text: str   ->   str"""
    kept, gap = [], ""
    for token in tokens(text):
        if not token.strip() or token.startswith(("//", "/*")):
            gap = "\n" if "\n" in gap + token else " "
            continue
        if token in ("}", ")", "]") and kept[-1:] == [","] and kept[-2] not in ("[", ","):
            kept.pop()  # a comma after the last one of several
        between = _between(kept[-1][-1], token[0], gap) if gap and kept else ""
        kept += [between, token] if between else [token]
        gap = ""
    return "".join(kept) + "\n"


def tokens(text):
    """Strings, names, signs, remarks and the space between, in order.   text: str   ->   yields str"""
    at, open_braces, last = 0, [], ""  # of each template that has a hole here: the braces open in it
    while at < len(text):
        sign = text[at]
        template = sign == "`" or (sign == "}" and open_braces and not open_braces[-1])
        if template:
            if sign == "}":
                open_braces.pop()
            token = sign + WRITTEN.match(text, at + 1)[0]
            if token.endswith("${"):
                open_braces.append(0)
        elif sign == "/" and text[at + 1] not in "/*" and BEFORE_PATTERN.fullmatch(last or ";"):
            token = PATTERN.match(text, at)[0]
        else:
            token = TOKEN.match(text, at)[0]
            if open_braces:
                open_braces[-1] += (token == "{") - (token == "}")
        at += len(token)
        if token.strip() and not token.startswith(("//", "/*")):
            last = token
        yield token


def _between(left, right, gap):
    """What must stay of a gap between two signs.   -> "", " " or a line's end"""
    if (WORD.match(left) and WORD.match(right)) or (left == right and left in "+-"):
        return gap
    if gap == "\n" and left in "})]\"'`/" and right not in "})],;:?.&|=<>*":
        return gap  # a statement may end here
    return ""
