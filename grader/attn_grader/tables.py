"""Tables and pages made of results: for the instructor, for a course's page, for each learner."""

import csv
import html
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from attn_grader.store import file_name, write
from attn_grader.unit import Result

ROSTER = ("submission", "name", "id", "email", "late", "override")


@dataclass(frozen=True)
class Entry:
    """Who handed in a file, and what the instructor says about it.

    late: points to take off.   override: the score that counts whatever was graded; "" for none.
    """

    submission: str
    name: str = ""
    id: str = ""
    email: str = ""
    late: str = ""
    override: str = ""


def roster(path):
    """{submission: Entry} from a table with the columns of ROSTER; only the first is needed.

    Raises ValueError, with the line, for a column that is missing, a file named twice or points that are no number.
    """
    entries = {}
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        if "submission" not in (rows.fieldnames or ()):
            raise ValueError(f"roster: {path} has no column named submission")
        for line, row in enumerate(rows, 2):
            entry = Entry(**{name: (row.get(name) or "").strip() for name in ROSTER})
            if entry.submission in entries:
                raise ValueError(f"roster: line {line} names {entry.submission!r} a second time")
            for name in ("late", "override"):
                try:
                    float(getattr(entry, name) or 0)
                except ValueError:
                    raise ValueError(f"roster: line {line}: {name} is {getattr(entry, name)!r}, not a number") from None
            entries[entry.submission] = entry
    return entries


def final(result, entry):
    """The score that counts: the override, or the points less what lateness costs. None while something is ungraded."""
    if entry and entry.override:
        return float(entry.override)
    if not result.complete:
        return None
    return max(0.0, result.score - float((entry and entry.late) or 0))


def everything(store, entries=None):
    """Write grades.csv, misconceptions.csv, skipped.csv, canvas.csv, moodle.csv and a page for each submission.

    -> list of results. Each file is replaced whole or not at all.
    """
    entries, results = entries or {}, store.results()
    folder = store.folder
    (folder / "feedback").mkdir(exist_ok=True)
    write(folder / "grades.csv", grades(results, entries))
    write(folder / "misconceptions.csv", misconceptions(results))
    write(folder / "skipped.csv", rows(["submission", "file", "reason"],
          ((r.submission, *pair) for r in results for pair in r.skipped)))  # fmt: skip
    write(folder / "canvas.csv", canvas(results, entries))
    write(folder / "moodle.csv", moodle(results, entries))
    for result in results:
        write(folder / "feedback" / f"{file_name(result.submission)}.html", page(result))
    return results


def grades(results, entries):
    """One row for each submission: points in every exercise ("?" where ungraded), their sum, and what counts."""
    ids = [mark.exercise for mark in results[0].marks] if results else []
    table = []
    for result in results:
        entry = entries.get(result.submission)
        points = ["?" if mark.score is None else mark.score for mark in result.marks]
        counts = final(result, entry)
        table.append([result.submission, entry.name if entry else "", *points, result.score,
                      sum(mark.max_score for mark in result.marks), "?" if counts is None else f"{counts:g}",
                      " ".join(mark.exercise for mark in result.marks if mark.score is None)])  # fmt: skip
    missing = [entry for name, entry in entries.items() if name not in {r.submission for r in results}]
    table += [[entry.submission, entry.name, *[""] * len(ids), "", "", "", "not handed in"] for entry in missing]
    return rows(["submission", "name", *ids, "score", "max_score", "counts", "ungraded"], table)


def misconceptions(results):
    """How many submissions made each mistake; no names."""
    seen = Counter((m.exercise, id) for result in results for m in result.marks for id in set(m.misconceptions))
    return rows(["exercise", "misconception", "submissions"], ((*key, n) for key, n in seen.most_common()))


def canvas(results, entries):
    """What Canvas imports: who a student is, in five columns, then an assignment, with a row of points possible."""
    most = max((sum(mark.max_score for mark in result.marks) for result in results), default=0)
    table = [["    Points Possible", "", "", "", "", most]]
    for result, entry in known(results, entries):
        table.append([entry.name or entry.submission, entry.id, entry.id, entry.email, "", points(result, entry)])
    return rows(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Attention exercises"], table)


def moodle(results, entries):
    """What Moodle's grade import reads: one column that says who, one with the grade, one with the feedback."""
    table = [[entry.email or entry.id or entry.submission, points(result, entry),
              " ".join(f"{mark.exercise}: {mark.status}." for mark in result.marks)]
             for result, entry in known(results, entries)]  # fmt: skip
    return rows(["Email address", "Grade", "Feedback"], table)


def known(results, entries):
    """(result, Entry) pairs for another system's table; only those that a roster names: a file's name is no proof."""
    if entries:
        return [(result, entries[result.submission]) for result in results if result.submission in entries]
    return [(result, Entry(result.submission)) for result in results]


def points(result, entry):
    """What counts, as text; empty while something is ungraded, so that an import changes nothing."""
    score = final(result, entry)
    return "" if score is None else f"{score:g}"


def rows(header, table):
    """A table as CSV; no cell of it is taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([harmless(cell) for cell in row] for row in table)
    return text.getvalue()


def harmless(cell):
    """A cell that a spreadsheet will not take for a formula; numbers as they are."""
    risky = isinstance(cell, str) and (cell.lstrip()[:1] in tuple("=+-@＝＋－＠") or cell[:1] in ("\t", "\r", "\n"))
    return "'" + cell if risky else cell


def page(result):
    """A learner's own messages as a page."""
    name, most = html.escape(result.submission), sum(mark.max_score for mark in result.marks)
    body = "".join(mark.html or f"<pre>{html.escape(mark.text)}</pre>" for mark in result.marks)
    skipped = "".join(f"<li>{html.escape(f'{file}: {reason}')}</li>" for file, reason in result.skipped)
    left_out = f"<h2>Not read</h2><ul>{skipped}</ul>" if skipped else ""
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{name}</title>'
            f"<h1>{name}: {result.score} of {most}</h1>{left_out}{body}</html>\n")  # fmt: skip


def merge(stores, target):
    """Join shards of one class: every result of the stores into the target. Raises ValueError if settings differ.

    A submission in two shards keeps the complete result; two that disagree are named and refused.
    """
    for store in stores:
        if store.settings != target.settings:
            raise ValueError(f"merge: {store.folder} was graded with other settings than {target.folder}")
    for store in stores:
        for path in sorted((store.folder / "results").glob("*.json")):
            there = target.folder / "results" / Path(path).name
            if path.name == "settings.json":
                continue
            text = path.read_text("utf8")
            if there.exists() and complete(there) and there.read_text("utf8") != text:
                if not complete(path):
                    continue
                raise ValueError(f"merge: {path.name} differs in {store.folder} and {target.folder}")
            write(there, text)


def complete(path):
    """True for a result file with nothing left ungraded."""
    return Result.of(json.loads(path.read_text("utf8"))).complete
