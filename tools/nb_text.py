"""A notebook as plain text, for git's diffs: prose, code, and outputs without the JSON around them.

Only the standard library, so that git can call it with any Python:  python3 tools/nb_text.py NOTEBOOK
"""

import hashlib
import json
import sys
from pathlib import Path


def name_in(root, path):
    """The path inside the repository, with forward slashes; the bare name for a notebook from elsewhere."""
    path = Path(path).resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def readable(text):
    """The text of an .ipynb -> the same notebook as a person reads it."""
    pieces = []
    for cell in json.loads(text)["cells"]:
        tags = " ".join(cell["metadata"].get("tags", []))
        pieces.append(f"──── {cell['cell_type']} {cell.get('id', '')} {tags}".rstrip())
        pieces.append("".join(cell["source"]))
        for output in cell.get("outputs", []):
            pieces += [f"  │ {line}" for line in output_lines(output)]
    return "\n".join(pieces) + "\n"


def output_lines(output):
    """One output as lines; a picture and a widget's markup as their size and a fingerprint."""
    if output["output_type"] == "stream":
        return "".join(output["text"]).splitlines()
    if output["output_type"] == "error":
        return [f"{output['ename']}: {output['evalue']}"]
    lines = "".join(output["data"].get("text/plain", "")).splitlines()
    for kind, data in sorted(output["data"].items()):
        if kind != "text/plain":
            raw = "".join(data) if isinstance(data, list) else str(data)
            lines.append(f"[{kind}, {len(raw)} characters, {hashlib.sha256(raw.encode()).hexdigest()[:8]}]")
    return lines


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf8")
    print(readable(Path(sys.argv[1]).read_text("utf8")), end="")
