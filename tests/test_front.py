"""What the front page says was found stands on the page it links to, and a check there holds its numbers."""

import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
FINDING = re.compile(r"^- \*\*[^*]+\*\* (.*)\]\((chapters/\w+\.ipynb)#([\w-]+)\)\.$", re.M)


def test_the_findings_of_the_front_page_are_held_by_checks():
    text = (ROOT / "index.md").read_text("utf-8").replace("\xa0", " ").split("Three answers", 1)[1].split("\n## ", 1)[0]
    findings = FINDING.findall(text)
    assert len(findings) == text.count("\n- ") == 3
    for told, page, section in findings:
        cells = nbformat.read(ROOT / page, as_version=4).cells
        prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        heads = [re.sub(r"\W+", "-", line.lower()).strip("-") for line in re.findall(r"^## (.*)$", prose, re.M)]
        assert section in heads, section
        code = [cell.source for cell in cells if cell.cell_type == "code"]
        checks = "\n".join(source for source in code if re.search(r"assert|near_to|allclose", source))
        for number in re.findall(r"\d+(?: \d{3})*(?:\.\d+)?", told):
            assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", prose), f"{page} does not say {number}"
            assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)", checks), (
                f"no check of {page} holds {number}"
            )
