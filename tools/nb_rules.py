"""The rules a notebook keeps, each as a function notebook -> the sentences that say where it breaks them."""

import ast
import re
import statistics
import symtable

import minutes
import nb_canonical
import nb_stamp
import sheets

LONGEST, MEDIAN, IMPORTS = 15, 5, 5
FOLDED = "hide-cell"  # the page folds it: an answer's cell, or the check of the numbers in the text
ASKED = "hide-input"  # the page shows what comes of it, and folds the code: a question and its answer
OPENING = (
    r"^# \d+[a-z]? · \S",
    r"\*\*The question\.\*\*",
    r"\*\*You will be able to\*\*",
    r"\*\*You bring\*\*",
    r"\d+ minutes",
)
CLOSING = (
    r"## What you can now say",
    r"^1\. .+\n(?:.+\n)*?2\. .+\n(?:.+\n)*?3\. .+",
    r"\*\*Still loose:\*\*",
    r"\*\*Practise:\*\*",
    r"\*\*Sources:\*\*",
)


def faults_everywhere(notebook):
    """What holds in every notebook of the book: stored outputs are whole, cells are short, prose stands between."""
    return [
        fault
        for rule in (
            outputs_are_stored,
            nothing_went_wrong,
            pictures_speak,
            cells_are_short,
            imports_come_first,
            prose_stands_between,
        )
        for fault in rule(notebook)
    ]


def faults_in_a_chapter(notebook):
    """What a chapter owes besides: the opening, the closing, small steps, and minutes that are true."""
    return [*opens_and_closes(notebook), *steps_are_small(notebook), *minutes_are_counted(notebook)]


def minutes_are_counted(notebook):
    """The opening's minutes are those that its words, cells and questions take."""
    said, counted = minutes.stated(notebook)
    if said != counted:
        yield f"the opening should say {minutes.STATED.search(counted)[0]!r}; run the notebook"


def visible(notebook):
    """(number, cell) of the cells a reader sees, counted from 1; the tool's own cells are not among them."""
    cells = [cell for cell in notebook.cells if nb_stamp.STAMPED not in tags(cell)]
    return list(enumerate(cells, start=1))


def code(notebook):
    """The visible code cells that hold any code."""
    return [(i, cell) for i, cell in visible(notebook) if cell.cell_type == "code" and cell.source.strip()]


def tags(cell):
    """The tags of a cell, none if it has no list of them."""
    return cell.metadata.get("tags", [])


def outputs_are_stored(notebook):
    """nbval never compares a cell without a number: such a cell must not exist, nor an empty one."""
    for i, cell in visible(notebook):
        if cell.cell_type == "code" and cell.execution_count is None and nb_canonical.ELSEWHERE not in tags(cell):
            yield f"cell {i} was never run: {first_line(cell)}"


def nothing_went_wrong(notebook):
    """No stored error, no warning, no widget view (its id is random), no memory address, no hidden exception."""
    for i, cell in code(notebook):
        if re.search(r"^\s*#+\s*(NBVAL|PYTEST_VALIDATE)_", cell.source, flags=re.MULTILINE):
            yield f"cell {i} speaks to nbval in a comment; use a tag, which SKIPS.md counts"
        for output in cell.outputs:
            if output.output_type == "error":
                yield f"cell {i} stores an error: {output.ename}"
            if output.get("name") == "stderr":
                yield f"cell {i} stores a message on stderr: {output.text.strip()[:60]}"
            if nb_canonical.WIDGET_VIEW in output.get("data", {}):
                yield f"cell {i} stores a live widget's random id"
            if re.search(r"\bat 0x[0-9a-f]{6,}", str(output.get("data", output.get("text", "")))):
                yield f"cell {i} shows a memory address, which changes on every run"


def pictures_speak(notebook):
    """Every picture and every widget has a sentence for its text form; one alt text serves one picture a cell."""
    for i, cell in code(notebook):
        shown = [o for o in cell.outputs if nb_stamp.is_picture(o)]
        if len(shown) > 1:
            yield f"cell {i} draws {len(shown)} pictures, but a page has one alt text a cell"
        for output in cell.outputs:
            figure = nb_stamp.is_picture(output) or "attn-figure" in output.get("data", {}).get("text/html", "")
            if figure and not is_sentence(nb_stamp.sentence_of(output)):
                yield f"cell {i} shows a figure without a sentence: {nb_stamp.sentence_of(output)[:60]!r}"
        if shown and cell.metadata.get("mystnb", {}).get("image", {}).get("alt") != nb_stamp.sentence_of(shown[0]):
            yield f"cell {i} has an alt text that is not its figure's sentence"


def is_sentence(words):
    """At least five words, and no <object of some class>."""
    return len(words.split()) >= 5 and not words.startswith("<") and " object at " not in words


def cells_are_short(notebook):
    """No code cell above 15 lines; the marks around a solution are not the learner's and do not count."""
    for i, cell in code(notebook):
        lines = [line for line in cell.source.splitlines() if line.strip() not in (sheets.BEGIN, sheets.END)]
        if len(lines) > LONGEST:
            yield f"cell {i} has {len(lines)} lines, {LONGEST} are allowed"


def imports_come_first(notebook):
    """The first code cell imports, in five lines at most, and may seed rng; nothing else."""
    for i, cell in code(notebook)[:1]:
        try:
            statements = ast.parse(cell.source).body
        except SyntaxError:
            statements = [None]
        if not all(isinstance(s, ast.Import | ast.ImportFrom) or seeds_rng(s) for s in statements):
            yield f"cell {i}, the first with code, does more than import and seed rng"
        if len([line for line in cell.source.splitlines() if line.strip()]) > IMPORTS or ";" in cell.source:
            yield f"cell {i} imports in more than {IMPORTS} lines"


def seeds_rng(statement):
    """True for rng = …"""
    return isinstance(statement, ast.Assign) and [getattr(t, "id", "") for t in statement.targets] == ["rng"]


def prose_stands_between(notebook):
    """Never three open code cells without a sentence between them; a folded one asks nobody to read it.

    Of a prediction the page shows the question and folds the code: it is a sentence.
    """
    shown = ((i, cell) for i, cell in visible(notebook) if FOLDED not in tags(cell))
    open_cells = [(i, "markdown" if ASKED in tags(cell) else cell.cell_type) for i, cell in shown]
    for three in zip(open_cells, open_cells[1:], open_cells[2:], strict=False):
        if all(kind == "code" for _, kind in three):
            yield f"cells {three[0][0]} to {three[2][0]} are code without a sentence between"


def opens_and_closes(notebook):
    """Before the first open code: a question, a promise, a debt, a duration. After the last: what was learnt.

    A picture whose code is folded may stand between them.
    """
    shown = [i for i, cell in code(notebook) if not {FOLDED, ASKED} & {*tags(cell)}]
    first = shown[0] if shown else len(notebook.cells)
    opening = "\n".join(cell.source for i, cell in visible(notebook) if i < first)
    prose = "\n".join(cell.source for _, cell in visible(notebook) if cell.cell_type == "markdown")
    closing = prose[prose.rfind("## What you can now say") :]
    for place, words, patterns in (("opening", opening, OPENING), ("closing", closing, CLOSING)):
        for pattern in patterns:
            if not re.search(pattern, words, flags=re.MULTILINE):
                yield f"the {place} lacks what matches {pattern}"


def steps_are_small(notebook):
    """Half of a chapter's code cells have at most five lines."""
    lengths = [len(cell.source.splitlines()) for _, cell in code(notebook)] or [0]
    if statistics.median(lengths) > MEDIAN:
        yield f"the median code cell has {statistics.median(lengths)} lines, {MEDIAN} are wanted"


def hidden_definitions(notebook):
    """What a page hides as a check of its numbers defines nothing that any other cell uses.   -> list of sentences"""
    faults, shown, hidden = [], set(), {}
    for number, cell in code(notebook):
        defines, uses = names(cell)
        if is_check(cell):
            hidden |= {name: number for name in defines if name not in shown}
            continue
        faults += [
            f"cell {number} uses {name}, which only the hidden check in cell {hidden[name]} defines"
            for name in sorted(uses & hidden.keys())
        ]
        shown |= defines
        hidden = {name: at for name, at in hidden.items() if name not in defines}
    return faults


def is_check(cell):
    """True for a folded cell without a name of its own that shows nothing: book/checks.py hides it."""
    prompt = cell.metadata.get("mystnb", {}).get("code_prompt_show", nb_stamp.CHECK["code_prompt_show"])
    return FOLDED in tags(cell) and prompt == nb_stamp.CHECK["code_prompt_show"] and not cell.outputs


def names(cell):
    """(what a cell defines, what it takes from the cells before it).   -> two sets of names"""
    lines = [line for line in cell.source.splitlines() if not line.startswith(("%", "!"))]
    table = symtable.symtable("\n".join(lines), "cell", "exec")
    scopes = [table]
    for scope in scopes:  # grows while it is read: functions, and what stands in them
        scopes += scope.get_children()
    defines = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    uses = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    uses |= {s.get_name() for scope in scopes for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
    return defines, uses - defines


def exceptions(notebook):
    """(cell id, tag) of every cell that nbval does not compare."""
    wanted = (nb_canonical.VOLATILE, nb_canonical.ELSEWHERE)
    return [(cell.id, tag) for cell in notebook.cells for tag in tags(cell) if tag in wanted]


def first_line(cell):
    """The start of a cell, to find it by."""
    return (cell.source.strip().splitlines() or ["(empty)"])[0][:60]
