"""Ordinary notebooks are read, whatever program wrote them; what is not read is listed with its reason."""

import json

import pytest
from attn_grader.notebooks import LARGEST, Unreadable, code_cells, submissions

from .conftest import SOFTMAX, marks, submission


def book(*cells):
    """A notebook of format 4, as bytes."""
    made = [
        {"cell_type": "code", "source": cell, "outputs": [], "metadata": {}, "execution_count": None} for cell in cells
    ]
    return json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode()


OLD = json.dumps({"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}]})


@pytest.mark.parametrize("data, cells", [
    (book("x = 1"), ["x = 1"]),
    (b"\xef\xbb\xbf" + book("x = 1"), ["x = 1"]),
    (book("x = 1").decode().encode("utf-16"), ["x = 1"]),
    (book("x = 'é'").decode().encode(), ["x = 'é'"]),
    ('{"cells": [{"cell_type": "code", "source": "x = \'é\'"}]}'.encode("latin-1"), ["x = 'é'"]),
    (OLD.encode(), ["x = 1\ny = 2"]),
    (book(["x = 1\n", "y = 2"]), ["x = 1\ny = 2"]),
])  # fmt: skip
def test_formats_and_encodings(data, cells):
    assert code_cells(data) == cells


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"null", b'{"cells": 3}', b"[" * 100_000, b"\x00\xff", b'{"cells": [1]}']
)
def test_what_is_no_notebook_has_a_reason(data):
    with pytest.raises(Unreadable, match=r"not a notebook|nested"):
        code_cells(data)


@pytest.mark.parametrize("cell", [
    "%matplotlib inline\n" + SOFTMAX,
    "%%time\n" + SOFTMAX,
    "!pip install numpy\n" + SOFTMAX,
    "import matplotlib.pyplot as plt\n" + SOFTMAX + "\nplt.plot([1, 2]); plt.show()",
    "import no_such_thing, json\n" + SOFTMAX,
    "from IPython.display import display, HTML\ndisplay(HTML('x'))\n" + SOFTMAX,
    SOFTMAX + "\ndisplay(softmax(np.eye(2)))",
    "from attn.exercises import check, hint\nfrom attn import core\n" + SOFTMAX + "\ncheck('4.1', softmax)",
    "np?\n" + SOFTMAX,
    "files = !ls\n" + SOFTMAX,
    "name = input('who? ')\n" + SOFTMAX,
    "from tqdm.auto import tqdm\nfor _ in tqdm(range(3)): pass\n" + SOFTMAX,
])  # fmt: skip
def test_ordinary_cells_run(cell):
    from attn_grader.notebooks import plain

    assert marks(submission(plain(cell)))["4.1"].score == 1


def test_a_folder_is_read_whole(tmp_path):
    (tmp_path / "ada.ipynb").write_bytes(book("x = 1"))
    (tmp_path / "bob" / "week 4").mkdir(parents=True)
    (tmp_path / "bob" / "week 4" / "Sheet.IPYNB").write_bytes(book("y = 1"))
    (tmp_path / "bob" / ".ipynb_checkpoints").mkdir()
    (tmp_path / "bob" / ".ipynb_checkpoints" / "Sheet-checkpoint.ipynb").write_bytes(book("y = 2"))
    (tmp_path / "bob" / "broken.ipynb").write_bytes(b"{")
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "ada.ipynb")
    found, left_out = submissions(tmp_path)
    assert [s.name for s in found] == ["ada.ipynb", "bob"]
    assert found[1].notebooks == (("week 4/Sheet.IPYNB", ("y = 1",)),)
    assert dict(found[1].skipped) == {
        ".ipynb_checkpoints": "a copy made by a program",
        "broken.ipynb": "not a notebook",
    }
    copy = "a copy made by a program"
    assert dict(left_out) == {".ipynb_checkpoints": copy, "notes.txt": "not a notebook",
                              "empty": "a folder without a notebook", "link.ipynb": "a symbolic link"}  # fmt: skip


def test_a_name_in_another_encoding_and_a_giant(tmp_path):
    import os

    with open(os.path.join(os.fsencode(tmp_path), b"Ren\xe9.ipynb"), "wb") as file:
        file.write(book("x = 1"))
    with open(tmp_path / "giant.ipynb", "wb") as file:
        file.truncate(LARGEST + 1)
    found, _ = submissions(tmp_path)
    assert "Ren\\xe9.ipynb" in [submission.name for submission in found]
    assert next(s for s in found if s.name == "giant.ipynb").skipped[0][1].startswith("larger than")
