"""About how tall each section of a page will be. Far sections are laid out late; until then each keeps that much place,
and what it holds does not lie over what follows.
"""

import re

SECTION = re.compile(r"<(/?)section\b")
PICTURE = re.compile(r'<div class="attn-fallback".*?</details></div>', re.DOTALL)  # of a figure: its height is known
NARROW = re.compile(r"--narrow:(\d+)px")
UNSEEN = re.compile(r"<(script|style|details|annotation)\b.*?</\1>", re.DOTALL)
CODE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
BLOCK = re.compile(r"<(?:p|li|h[2-5]|tr|summary)\b")
ROOM = 1.3  # rather too tall than too low


def tall(section):
    """The height of a section on a phone, in pixels: its letters, blocks, code, formulas and figures.

    The factors are near a least-squares fit to the chapters' sections as Chromium lays them out 412 pixels wide.
    """
    shown = PICTURE.sub("", section)
    figures = sum(map(int, NARROW.findall(section)))
    blocks = len(BLOCK.findall(CODE.sub("", shown)))
    shown = UNSEEN.sub("", shown)
    code = sum(found.count("\n") for found in CODE.findall(shown))
    formulas = shown.count('<math display="block"')
    letters = len(" ".join(re.sub(r"<[^>]*>", "", CODE.sub("", shown)).split()))
    cells = shown.count("cell_input")  # below each its buttons
    return 200 + 0.5 * letters + 18 * blocks + 34 * code + 45 * cells + 150 * formulas + 1.1 * figures


def keep(body):
    """Write on each section of a page how much place it keeps.   -> body"""
    depth, begun, made = 0, None, []
    for edge in SECTION.finditer(body):
        depth += -1 if edge[1] else 1
        if depth == 2 and not edge[1]:
            begun = edge.end()
        elif depth == 1 and edge[1]:
            made.append((begun, f' style="--tall:{round(ROOM * tall(body[begun : edge.start()]) / 18)}rem"'))
    for place, style in reversed(made):
        body = body[:place] + style + body[place:]
    return body
