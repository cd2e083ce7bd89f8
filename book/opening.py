"""How a page opens: the number of a chapter stands apart from its name, and its question leads."""

import re

NUMBER = re.compile(r"(<h1>)(\w+ ·)(?= )")
QUESTION = re.compile(r"<p>(?=<strong>The question\.</strong>)")
AIM = re.compile(r"<p>(?=<strong>You (?:will be able to|bring)</strong>)")
PAIR = re.compile(r'(<p class="aim">(?:(?!</p>).)*</p>\s*){2}', re.DOTALL)


def lead(body):
    """Mark the number, the question, and what a reader will be able to do and brings.   str -> str"""
    for part, marked in ((NUMBER, r'\1<span class="number">\2</span>'), (QUESTION, '<p class="question">')):
        body = part.sub(marked, body, count=1)
    return PAIR.sub(r'<div class="aims">\g<0></div>', AIM.sub('<p class="aim">', body, count=2), count=1)
