"""How a page opens: the number of a chapter stands apart from its name, and its question leads."""

import re

NUMBER = re.compile(r"(<h1>)(\w+ ·)(?= )")
NAMED = r"<p><strong>{}</strong>.*?</p>"
UNDER = NAMED.format("You will be able to") + r"\s*" + NAMED.format("You bring")
OPENING = re.compile(rf"<p>(<strong>The question\.</strong>.*?)</p>\s*({UNDER})", re.DOTALL)


def lead(body):
    """Mark the number, the question, and what stands under the question.   str -> str"""
    body = NUMBER.sub(r'\1<span class="number">\2</span>', body, count=1)
    return OPENING.sub(r'<div class="opening"><p>\1</p>\n<div>\2</div></div>', body, count=1)
