"""What the site serves for the reader's own sentence: the weights, the word list, the licence, the client."""

import hashlib
import importlib.util
import json
import os
import shutil
import sys
from pathlib import Path

from attn import encoder
from book.encoder import weights
from book.python import supply

HERE = Path(__file__).parent
WISH = "BOOK_ENCODER"  # "off": build without; "require": fail without; else: build without, and say it
SAID = "The site has stored sentences of the encoder only"
NOTICE = """The weights beside this file are those of all-MiniLM-L6-v2 (sentence-transformers), under the Apache
License 2.0; LICENSE.txt is its text. Changed: every matrix is rounded to eight bits in groups of 32, biases of keys and
values are folded into those of the outputs, and only the first positions are kept. words.txt is the model's word list.
"""


def listed():
    """The list: its source, and its two files."""
    return json.loads((HERE / "files.json").read_text(encoding="utf-8"))


def client():
    """The page's part: name -> bytes."""
    return {path.name: path.read_bytes() for path in sorted((HERE / "client").glob("*.js"))}


def mark(*parts):
    """A short digest, for a name that changes with what is behind it."""
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]


def recipe():
    """What the packed weights are made from: the published bytes, the probes and the way of packing."""
    sums = "".join(file["sha256"] for file in listed()["files"]).encode()
    chosen = weights.data.path("encoder_effects.npz").read_bytes()
    return mark(sums, Path(weights.__file__).read_bytes(), chosen)


def edition():
    """The client's folder: its name changes with its content and the weights'."""
    return f"client-{mark(recipe().encode(), *client().values())}"


def made(cache=supply.CACHE):
    """The packed weights, from the cache or made now.   ->   folder with weights.bin, words.txt and about.json, or None

    Raises supply.SupplyError where they are required and cannot be had, and always for a wrong byte.
    """
    wish = supply.wish(variable=WISH)
    if wish == "off":
        return None
    folder = cache / f"encoder-{recipe()}"
    if (folder / "about.json").is_file():
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        if supply.digest(folder / "weights.bin") == about["sha256"]:
            return folder
    files = None
    if not importlib.util.find_spec(encoder.PACKAGE.replace("-", "_")):
        found = supply.available(cache, listed(), wish, SAID)
        if found is None:
            return None
        files = {file["name"]: path for file, path in found}
    return pack(folder, files)


def pack(folder, files):
    """Write the packed weights into a folder, whole or not at all.   ->   the folder"""
    model = weights.load(files)
    about, content = weights.packed(model)
    half = folder.with_name(f"{folder.name}.{os.getpid()}")
    half.mkdir(parents=True)
    words = "\n".join(sorted(model.vocabulary, key=model.vocabulary.get))
    (half / "weights.bin").write_bytes(content)
    (half / "words.txt").write_text(words, encoding="utf-8", newline="\n")
    about |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (half / "about.json").write_text(json.dumps(about), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        half.replace(folder)
    except OSError:  # another build was quicker
        shutil.rmtree(half)
    return folder


def place(target):
    """Write everything into a folder.   ->   True, or False where the weights are not to be had"""
    folder = made()
    if folder is None:
        shutil.rmtree(target, ignore_errors=True)
        return False
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    names = {"weights": f"weights-{about['sha256'][:12]}.bin", "words": "words.txt"}
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        if old.name not in names.values():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    if not (target / names["weights"]).is_file():
        shutil.copyfile(folder / "weights.bin", target / names["weights"])
    shutil.copyfile(folder / "words.txt", target / names["words"])
    shutil.copyfile(HERE / "LICENSE.txt", target / "LICENSE.txt")
    (target / "NOTICE.txt").write_text(NOTICE, encoding="utf-8")
    (inside := target / edition()).mkdir()
    for name, content in client().items():
        (inside / name).write_bytes(content)
    told = about | names | {"all": about["bytes"] + (folder / "words.txt").stat().st_size}
    (inside / "about.json").write_text(json.dumps(told), encoding="utf-8")
    return True


if __name__ == "__main__":
    there = made()
    print(f"{(there / 'weights.bin').stat().st_size / 1e6:.1f} MB in {there}" if there else SAID, file=sys.stderr)
