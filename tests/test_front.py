"""What the front page says was found stands on the page it links to, and a check there holds its numbers."""

import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
FINDING = re.compile(r"^\*\*[^*]+\*\* (.*)\]\((chapters/\w+\.ipynb)#([\w-]+)\)\.$", re.M)
QUESTION = re.compile(r"^- .*\]\((chapters/\w+\.ipynb)#([\w-]+)\).*\?$", re.M)


def markdown_and_heads(page):
    cells = nbformat.read(ROOT / page, as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    heads = [re.sub(r"\W+", "-", line.lower()).strip("-") for line in re.findall(r"^## (.*)$", prose, re.M)]
    return cells, prose, heads


def test_the_finding_of_the_front_page_is_held_by_checks_and_its_questions_lead_somewhere():
    text = (ROOT / "index.md").read_text("utf-8").replace("\xa0", " ")
    text = text.split("How far does that lead?", 1)[1].split("\n## ", 1)[0]
    [(told, page, section)], questions = FINDING.findall(text), QUESTION.findall(text)
    assert len(questions) == text.count("\n- ") == 2
    for asked, where in questions:
        assert where in markdown_and_heads(asked)[2], where
    cells, prose, heads = markdown_and_heads(page)
    assert section in heads, section
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    checks = "\n".join(source for source in code if re.search(r"assert|near_to|allclose", source))
    drawn = re.sub("<[^>]+>", "", " ".join(re.findall(r"<figcaption>(.*?)</figcaption>", text)))
    for number in re.findall(r"\d+(?: \d{3})*(?:\.\d+)?", f"{told} {drawn}"):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", prose), f"{page} does not say {number}"
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)", checks), f"no check of {page} holds {number}"
