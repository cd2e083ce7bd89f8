"""What the site serves for its running pages: the runtime as supplied, attn as one archive, the client."""

import hashlib
import io
import json
import shutil
import zipfile
from pathlib import Path

from book.python.supply import available, listed

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
DATE = (2026, 1, 1, 0, 0, 0)  # the same files give the same archive
SHIPPED = (  # folder of the project -> its place in the archive, as in the wheel
    ("attn", "attn"),
    ("chapters/data", "attn/data"),
    ("exercises", "attn/exercises/sheets"),
)
KINDS = {".py", ".js", ".css", ".json", ".npz", ".ipynb", ".md", ".svg", ".txt"}


def members(root=ROOT):
    """The files of attn that a page needs: pairs (path, name in the archive)."""
    for folder, inside in SHIPPED:
        for path in sorted((root / folder).rglob("*")):
            hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(root).parts)
            if path.suffix in KINDS and path.is_file() and not hidden:
                yield path, f"{inside}/{path.relative_to(root / folder).as_posix()}"


def archive(root=ROOT):
    """attn, its data and the sheets, as one zip.   -> bytes"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for path, name in members(root):
            made.writestr(zipfile.ZipInfo(name, DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def mark(content):
    """A short digest, for an address that changes with what lies there."""
    return hashlib.sha256(content).hexdigest()[:8]


def client():
    """The page's part: name -> bytes."""
    return {path.name: path.read_bytes() for path in [*sorted((HERE / "client").glob("*.[jc]s*")), HERE / "page.py"]}


def manifest():
    """What the client must know: where the rest lies, and how much of it there is."""
    files = listed()["files"]
    parts = {}
    for file in files:
        parts.setdefault(file["part"], []).append(file)
    shipped = archive()
    wheels = [file["name"] for file in parts["start"] if file["name"].endswith(".whl")]
    return {
        "attn": f"attn-{mark(shipped)}.zip",
        "bytes": sum(file["bytes"] for file in parts["start"] if not file["name"].endswith(".js")) + len(shipped),
        "parts": {"start": wheels} | {n: [f["name"] for f in parts[n]] for n in ("figures", "pictures")},
    }


def edition():
    """The client's folder: its name changes with its content, so that no browser mixes two."""
    return f"client-{mark(b''.join(client().values()) + json.dumps(manifest(), sort_keys=True).encode())}"


def place(target):
    """Write everything into a folder.   -> True, or False where the runtime is not to be had"""
    supplied = available()
    if supplied is None:
        shutil.rmtree(target, ignore_errors=True)
        return False
    target.mkdir(parents=True, exist_ok=True)
    for file, path in supplied:
        there = target / file["name"]
        if not there.is_file() or there.stat().st_size != file["bytes"]:
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, there)
    supply, told = listed(), manifest()
    lock = {"info": {"abi_version": "2024_0", "arch": "wasm32", "platform": "emscripten_3_1_58"}, "packages": {}}
    lock["info"] |= {"python": supply["python"], "version": supply["pyodide"]}
    for old in [*target.glob("client-*"), *target.glob("attn-*.zip")]:
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    (target / "lock.json").write_text(json.dumps(lock), encoding="utf-8")
    (target / told["attn"]).write_bytes(archive())
    (folder := target / edition()).mkdir()
    for name, content in client().items():
        (folder / name).write_bytes(content)
    (folder / "manifest.json").write_text(json.dumps(told), encoding="utf-8")
    return True
