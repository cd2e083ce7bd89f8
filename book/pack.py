"""Put the built site and the notebooks into one zip:  python -m book.pack   ->   dist/attention-as-linear-algebra.zip

Unpacked, site/index.html opens in a browser straight from the disk, and the notebooks lie beside it as they are.
"""

import zipfile
from pathlib import Path

from book.serve import SITE

ROOT = Path(__file__).resolve().parent.parent
NAME = "attention-as-linear-algebra"
NOTEBOOKS = ("chapters/*.ipynb", "chapters/data/*", "exercises/*.ipynb", "exercises/solutions/*.ipynb")
DATE = (2026, 1, 1, 0, 0, 0)  # the same files give the same zip


def members(site, root=ROOT):
    """What goes into the zip: pairs (file, its name inside)."""
    for path in sorted(site.rglob("*")):
        if path.is_file() and path.name not in (".buildinfo", "objects.inv"):
            yield path, f"{NAME}/site/{path.relative_to(site).as_posix()}"
    for pattern in NOTEBOOKS:
        for path in sorted(filter(Path.is_file, root.glob(pattern))):
            yield path, f"{NAME}/notebooks/{path.relative_to(root).as_posix()}"
    for name in ("README.md", "LICENSE"):
        yield root / name, f"{NAME}/{name}"
    yield root / "book" / "serve.py", f"{NAME}/serve.py"  # pages that run need an address: python serve.py


def pack(target, site=SITE):
    """Write the zip.   -> the number of files in it. Raises SystemExit where no site is built."""
    if not (site / "index.html").is_file():
        raise SystemExit(f"there is no site in {site}; `make site` builds it")
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as out:
        for path, name in members(site):
            out.writestr(zipfile.ZipInfo(name, DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
        return len(out.namelist())


if __name__ == "__main__":
    where = ROOT / "dist" / f"{NAME}.zip"
    count = pack(where)
    encoder = any((SITE / "_static" / "encoder").glob("weights-*.bin"))
    told = (
        "with the encoder's weights (BOOK_ENCODER=off leaves them out)" if encoder else "without the encoder's weights"
    )
    print(f"dist/{where.name}: {count} files, {where.stat().st_size / 1e6:.1f} MB, {told}")
