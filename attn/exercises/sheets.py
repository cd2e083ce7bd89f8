"""Where the sheets are, copying them to a learner's folder, and reading a solution out of one."""

import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"


def shelf():
    """The folder with the sheets: in a checkout beside the package, in an installed copy inside it.

    Raises FileNotFoundError where the package was installed without them.
    """
    for folder in (HERE.parent.parent / "exercises", HERE / "sheets"):
        if (folder / "solutions").is_dir():
            return folder
    raise FileNotFoundError("the exercise sheets are not installed here")


def start(folder="attention-exercises"):
    """Copy the sheets into a folder of your own. A file that is already there is never touched.

    -> list of the new files. Run it again after an upgrade: new sheets join the ones you have worked in.
    """
    target, new = Path(folder), []
    try:
        target.mkdir(parents=True, exist_ok=True)
        for sheet in sorted(shelf().glob("*.ipynb")):
            if _copy(sheet, target / sheet.name):
                new.append(target / sheet.name)
    except OSError as error:
        print(f"The sheets could not be copied to {target}: {error.strerror or error}.")
        return new
    kept = len(list(target.glob("*.ipynb"))) - len(new)
    print(f"{len(new)} new sheets in {target}" + (f"; {kept} files there were left as they are." if kept else "."))
    return new


def _copy(sheet, target):
    """Copy unless the target exists.  -> True if copied"""
    try:
        with open(target, "xb") as copy:  # x: fails rather than overwrites
            copy.write(sheet.read_bytes())
    except FileExistsError:
        return False
    return True


def solution_text(exercise):
    """The answer cell of an exercise, as its solution notebook has it.  Exercise -> str, '' if not installed"""
    try:
        paths = sorted((shelf() / "solutions").glob(f"{exercise.chapter:02}_*.ipynb"))
        cells = [cell for path in paths for cell in json.loads(path.read_text("utf8"))["cells"]]
    except OSError:
        return ""
    waiting = ""
    for cell in cells:
        source = "".join(cell["source"])
        if BEGIN in source:
            waiting += source + "\n"
        elif re.search(rf'check\("{re.escape(exercise.id)}"', source):
            return without_markers(waiting)
        elif "check(" in source:
            waiting = ""
    return ""


def another(exercise):
    """Another way to write an answer, with the idea it shows, as a text; nothing where there is none.  -> list"""
    if not exercise.another:
        return []
    code, idea = exercise.another
    return [f"# Another way. {idea}\n{code.strip()}"]


def without_markers(source):
    """A solution cell as one would write it by hand."""
    lines = [line for line in source.splitlines() if line.strip() not in (BEGIN, END)]
    return "\n".join(lines).strip()
