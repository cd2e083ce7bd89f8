"""Results on disk: one file for each submission, written when it ends, never half."""

import contextlib
import hashlib
import json
import os
import re
import tempfile
from pathlib import Path

from attn_grader.unit import Result

KIND = "results"


class Store:
    """A folder of results that all have the same settings.

    folder: where; made if it is not there.   settings: their digest.
    Raises ValueError if the folder holds results of other settings: a table of both would compare what is not alike.
    """

    def __init__(self, folder, settings):
        self.folder, self.settings = Path(folder), settings
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # names and marks: nobody else's to read
        (self.folder / KIND).mkdir(parents=True, exist_ok=True)
        mark = self.folder / KIND / "settings.json"
        if mark.exists():
            found = json.loads(mark.read_text("utf8")).get("settings")
            if found != settings:
                raise ValueError(f"output: {self.folder} holds results of another seed, limit or choice of chapters; "
                                 "take another folder, and `merge` joins tables of different chapters")  # fmt: skip
        else:
            write(mark, json.dumps({"settings": settings}))

    @classmethod
    def found(cls, folder):
        """The store that a folder holds. Raises ValueError if it holds none."""
        mark = Path(folder) / KIND / "settings.json"
        try:
            return cls(folder, json.loads(mark.read_text("utf8"))["settings"])
        except (OSError, KeyError, TypeError, json.JSONDecodeError):
            raise ValueError(f"{folder} holds no results") from None

    def path(self, name):
        """The file of one submission's result."""
        return self.folder / KIND / f"{file_name(name)}.json"

    def put(self, submission, result):
        """Keep a result, with a mark of what was handed in."""
        said = result.as_dict() | {"content": content(submission)}
        write(self.path(result.submission), json.dumps(said, indent=1, ensure_ascii=False))

    def get(self, submission):
        """The result of a submission, if it was graded as it is now and nothing is left ungraded; else None."""
        said = self._read(self.path(submission.name))
        if said is None or said.get("content") != content(submission):
            return None
        result = Result.of(said)
        return result if result.complete else None

    def results(self):
        """Every result, in order of names."""
        paths = sorted((self.folder / KIND).glob("*.json"))
        said = [self._read(path) for path in paths if path.name != "settings.json"]
        return sorted((Result.of(one) for one in said if one), key=lambda result: result.submission)

    def _read(self, path):
        """A result file's content; None for one that is missing or no result (a disk that was full, say)."""
        try:
            said = json.loads(path.read_text("utf8"))
            Result.of(said)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return said if said["settings"] == self.settings else None


def content(submission):
    """A mark of what was handed in: a changed notebook is graded again."""
    return hashlib.sha256(repr((submission.notebooks, submission.skipped)).encode("utf8", "replace")).hexdigest()[:16]


def file_name(name):
    """A file name that stays in its folder and is no other submission's."""
    mark = hashlib.sha256(name.encode("utf8", "surrogateescape")).hexdigest()[:32]
    return f"{re.sub(r'[^A-Za-z0-9-]+', '_', name)[:60]}-{mark}"


def write(path, text):
    """Write a file so that a reader sees the old text or the new one, and a power cut leaves one of them."""
    path = Path(path)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(descriptor, "w", encoding="utf8", errors="replace", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, 0o644)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
