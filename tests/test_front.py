"""The front page's questions lead to sections that exist, and its puzzle has the answer that it gives."""

import re
from itertools import combinations
from pathlib import Path

import nbformat
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
QUESTION = re.compile(r"^- .*\]\((chapters/\w+\.ipynb)#([\w-]+)\).*\?$", re.M)
LINK = re.compile(r"\]\((chapters/\w+\.ipynb)#([\w-]+)\)")


def heads(page):
    cells = nbformat.read(ROOT / page, as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return [re.sub(r"\W+", "-", line.lower()).strip("-") for line in re.findall(r"^## (.*)$", prose, re.M)]


def far():
    """What stands between the equation and the arc."""
    text = (ROOT / "index.md").read_text("utf-8").replace("\xa0", " ")
    return text.split("How far does that lead?", 1)[1].split("\n## ", 1)[0]


def test_the_questions_of_the_front_page_lead_somewhere():
    text = far()
    assert len(QUESTION.findall(text)) == text.count("\n- ") == 2
    links = LINK.findall(text)
    assert len(links) == 4
    for page, section in links:
        assert section in heads(page), section


def lead(keys, i, j):
    """By how much the keys i and j, scored alike, lead all others at best."""
    apart = keys[j] - keys[i]
    asked = np.array([[-apart[1], apart[0]], [apart[1], -apart[0]]]) @ keys.T
    return (asked[:, i] - np.delete(asked, [i, j], axis=1).max(axis=1)).max()


def test_on_the_drawn_circle_a_query_finds_only_neighbours_together():
    text = far()
    svg = text.split("Eight keys on a circle", 1)[1].split("</svg>", 1)[0]
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="(?:6|4\.5)"', svg)
    names = re.findall(r"<text [^>]*>(\w+)</text>", svg)
    keys = np.array(dots, float) - (95, 80)
    assert len(keys) == len(names) == 8
    pairs = list(combinations(range(8), 2))
    found = [pair for pair in pairs if lead(keys, *pair) > 0]
    assert all(j - i in (1, 7) for i, j in found)
    assert f"{len(found)} of the {len(pairs)} pairs" in text
    river, song, money, wing, loan = (names.index(word) for word in ("river", "song", "money", "wing", "loan"))
    assert (min(river, money), max(river, money)) in found
    np.testing.assert_allclose(keys[river], -keys[song], atol=0.05)
    level = np.array([[1, 0], [-1, 0]]) @ keys.T  # at a right angle to both
    assert level.argmax(axis=1).tolist() == [wing, loan]
    np.testing.assert_allclose(level[:, [river, song]], 0, atol=0.05)
