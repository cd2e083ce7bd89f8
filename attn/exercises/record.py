"""A learner's progress: one readable JSON file on their own computer, never sent, never lost.

It is written beside itself and moved into place, so a stop half-way leaves the old one whole. What this version does
not understand it keeps: another exercise's entry, or a whole file from a later version.
"""

import json
import os
from pathlib import Path

NAME, VERSION = ".attn-progress.json", 1


def place():
    """The file: $ATTN_PROGRESS if set, else .attn-progress.json in the folder one works in; None if set to "off"."""
    chosen = os.environ.get("ATTN_PROGRESS") or NAME
    return None if chosen == "off" else Path(chosen).absolute()


class Record:
    """Entries {id: {"status", "attempts", "passed", "hints", "mistake", "mistakes"}} and where they are kept."""

    def __init__(self, path, content, remarks=()):
        self.path, self.content, self.remarks = path, content, list(remarks)

    @classmethod
    def load(cls, path=None):
        """The record on disk; an empty one if there is none. A damaged file is set aside, not overwritten."""
        path = Path(path) if path else place()
        empty = {"version": VERSION, "exercises": {}}
        if path is None:
            return cls(None, empty)
        try:
            content = json.loads(path.read_text("utf8"))
            if not isinstance(content, dict) or not isinstance(content.get("exercises"), dict):
                raise ValueError
        except FileNotFoundError:
            return cls(path, empty)
        except ValueError:  # not JSON, not UTF-8, or not ours
            return cls(path, empty, [_set_aside(path)])
        except OSError as error:
            return cls(path, empty, [f"The progress file cannot be read ({error.strerror}): nothing is kept."])
        return cls(path, content)

    def entry(self, id):
        """What is known of one exercise."""
        known = self.content["exercises"].get(id)
        return known if isinstance(known, dict) else {}

    def passed(self, id):
        """True once an answer has passed, whatever was tried afterwards."""
        return bool(self.entry(id).get("passed"))

    def note(self, report):
        """Add a check's result. A cell that was only run, not answered, is no attempt.  Report -> self"""
        if report.status == "not started":
            return self
        entry = dict(self.entry(report.exercise))
        named = report.misconceptions[0] if report.misconceptions else None
        if (named, report.status) != (entry.get("mistake"), entry.get("status")) and report.status != "passed":
            entry["hints"] = 0
        entry["status"], entry["mistake"] = report.status, named
        entry["attempts"] = _count(entry, "attempts") + 1
        entry["passed"] = bool(entry.get("passed")) or report.status == "passed"
        seen = entry.get("mistakes") if isinstance(entry.get("mistakes"), list) else []
        entry["mistakes"] = [*seen, *(m for m in report.misconceptions if m not in seen)]
        self.content["exercises"][report.exercise] = entry
        return self

    def hinted(self, id):
        """(hints given so far, the last named mistake or None)."""
        return _count(self.entry(id), "hints"), self.entry(id).get("mistake")

    def count_hint(self, id, given):
        """Note that a hint was shown.  -> self"""
        self.content["exercises"][id] = self.entry(id) | {"hints": given}
        return self

    def revealed(self, id):
        """Note that a solution was shown before the exercise had passed.  -> self"""
        self.content["exercises"][id] = self.entry(id) | {"revealed": True}
        return self

    def save(self):
        """Write the file, whole or not at all. A folder that cannot be written to costs the record, not the check."""
        if self.path is None or not isinstance(self.content.get("version"), int) or self.content["version"] > VERSION:
            return self  # switched off; or a later version's file: ours to read, not to rewrite
        try:
            part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
            with open(part, "w", encoding="utf8") as file:
                json.dump(self.content, file, indent=1, sort_keys=True, ensure_ascii=False)
            os.replace(part, self.path)
        except OSError as error:
            self.remarks.append(f"The progress file cannot be written ({error.strerror}).")
        return self


def _count(entry, name):
    value = entry.get(name)
    return value if isinstance(value, int) and value >= 0 else 0


def _set_aside(path):
    """Rename a damaged file to the first free name beside it."""
    if not path.is_file():  # a device or a folder is not ours to move
        return "The progress file is not a file: nothing is kept."
    for number in range(1, 1000):
        other = path.with_name(f"{path.name}.damaged-{number}")
        if not other.exists():
            try:
                os.replace(path, other)
            except OSError:
                break
            return f"The progress file was damaged; it is kept as {other.name}, and a new one is begun."
    return "The progress file is damaged and could not be set aside."
