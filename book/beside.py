"""What stands beside a chapter: its sheet of exercises, and the reference of what it builds. One list for both ways."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILDS = {  # chapter -> the modules that are born in it
    1: ("attn.core", "attn.axes", "attn.laws"),
    2: ("attn.circuits",),
    3: ("attn.lowrank",),
    4: ("attn.softmax", "attn.grads", "attn.features"),
    6: ("attn.heads", "attn.induction", "attn.data", "attn.transformer"),
    8: ("attn.masks",),
    9: ("attn.cache", "attn.cost"),
    10: ("attn.show",),
    11: ("attn.block", "attn.positions"),
    12: ("attn.online", "attn.flash", "attn.tiles", "attn.gpu"),
}
ALSO = {  # chapter -> modules of other chapters that it leans on most
    2: ("attn.grads",),
    3: ("attn.core", "attn.softmax"),
    5: ("attn.circuits", "attn.masks"),
    7: ("attn.heads", "attn.circuits", "attn.lowrank"),
    8: ("attn.flash",),
    9: ("attn.heads",),
    10: ("attn.data", "attn.induction", "attn.transformer"),
    11: ("attn.heads", "attn.cache"),
}


ASIDE = {  # page -> the chapter it goes on, its modules
    "chapters/width_and_rank": (3, ("attn.lowrank",)),
    "chapters/04a_push": (4, ("attn.softmax", "attn.grads")),
    "chapters/jacobian": (4, ("attn.softmax",)),
    "chapters/10a_the_word_it": (10, ("attn.data", "attn.senses")),
    "chapters/10b_encoder": (10, ("attn.encoder", "attn.data")),
}


def pages(folder):
    """Number -> name of the notebook, for every numbered notebook in a folder of the project."""
    return {int(path.stem[:2]): f"{folder}/{path.stem}" for path in sorted((ROOT / folder).glob("[0-9][0-9]_*.ipynb"))}


def chapter_of(module):
    """The chapter that builds a module.   "attn.masks" -> (8, "08_masks"), or None"""
    for number, modules in BUILDS.items():
        if module in modules:
            name = pages("chapters").get(number)
            return (number, Path(name).name) if name else None
    return None


def neighbours(docname):
    """What a chapter or a sheet is linked to: a list of (label, [(page, text), …]); empty for every other page."""
    if docname in ASIDE:
        number, modules = ASIDE[docname]
        return [
            ("Exercises", [(pages("exercises")[number], None)]),
            ("In the library", [reference(m) for m in modules]),
        ]
    for folder, other, label in (("chapters", "exercises", "Exercises"), ("exercises", "chapters", "Read again")):
        numbers = {name: number for number, name in pages(folder).items()}
        if docname in numbers:
            number = numbers[docname]
            links = [(name, None)] if (name := pages(other).get(number)) else []
            links += [(page, None) for page, (of, _) in ASIDE.items() if of == number and folder == "exercises"]
            modules = (*BUILDS.get(number, ()), *ALSO.get(number, ()))
            return [*([(label, links)] if links else []), ("In the library", [reference(m) for m in modules])]
    return []


def reference(module):
    """A module's own page, and what the link to it says."""
    return f"chapters/api/{module.removeprefix('attn.')}", module
