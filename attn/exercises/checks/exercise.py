"""What an exercise is.

An exercise carries one model: a function whose keyword arguments are *choices*, each right unless chosen otherwise.
A misconception names another value for one of the choices. So the list of known mistakes is at once the diagnosis
(an answer that equals the model with that choice is named) and the test data (each must be caught and named).
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from attn.exercises.checks.compare import RTOL


@dataclass(frozen=True)
class Misconception:
    """A mistake that people make: what it does, why that is wrong, and which choices of the model make it.

    did: a sentence that begins "It …".   why: the reason, in the chapter's words.
    ask, then: the first and the second hint for whoever made it; the exercise's own if empty.
    place: (chapter, heading) of the section that teaches what went wrong; the exercise's own if empty (`taught` of
    attn.exercises.catalogue.sections gives it).
    variants: choices of the model; several where harmless habits give the same mistake different numbers.
    """

    id: str
    did: str
    why: str
    ask: str
    variants: tuple[dict, ...]
    then: str = ""
    place: tuple = ()


def wrong(id, did, why, *also, ask="", then="", **choices):
    """A misconception; `also` holds further choices that make the same mistake in another way.

    -> Misconception. Two misconceptions that set no choice in common can be made together; both are then named.
    """
    return Misconception(id, did, why, ask, (choices, *also) if choices else also, then)


def settled_on(right):
    """The model of an exercise whose answer is one value: the choice `value` is the answer."""
    return lambda *, value=right: value


FIRST = {  # how a check ended that named no mistake -> what helps then
    "error": "Print the shapes just before the line that stopped: which two do not fit?",
    "timeout": "Print the loop's counter: does it move, and is the end ever reached?",
    "failed": "Run your function on the case of the report, by hand too: which step first gives another number?",
}
USUAL = {  # a mistake that any exercise knows -> the first hint for it
    "overwrites_input": "Print an argument before and after a call: which of your lines has written into it?",
    "keeps_state": "What does your function still hold when it is called again?",
    "returns_nothing": "Which line hands the result back, and is it reached?",
    "not_numbers": "Print type(…) of what you give back: what does it hold besides numbers?",
    "none_inside": "Print what you put into the list: which of its places holds no number?",
    "library_call": "Which sums and products does that function do inside?",
    "result_transposed": "What do the rows of your result stand for, and what do those of the expected one?",
    "shape_only": "Print the shape of your result beside that of report.expected: which axis has moved, come or gone?",
    "more_results": "How many arrays does the exercise ask for, and how many do you hand back?",
    "only_at_the_edge": "Call it with a size of 1: which shape is no longer what you expect?",
}


@dataclass(frozen=True)
class Exercise:
    """One exercise: the statement's function, the cases that separate mistakes, the mistakes themselves.

    call: how the answer is called, "attend(Q, K, V)"; a bare name for an exercise whose answer is a number.
    reference: the right answer, attn's own wherever attn has it.   model: the same with choices to get wrong.
    cases: rng -> list of argument tuples; non-square before square, and every axis of another size.
    probes: what values on ordinary numbers cannot show (attn.exercises.checks.probes).
    invariants: (sentence, holds(arguments, output)) pairs, said when no mistake fits.
    observe: what is compared, where many answers are right: (arguments, output) -> array; observed: what it shows;
    missed: the sentence for an answer whose observed property is another, in no known way.
    forbidden: what an answer must not call, "torch.softmax": it is what is to be written.
    another: another way to write the answer, and the idea that it shows: two texts.
    kind: "torch" where the answer takes tensors; cases and reference are arrays all the same.
    """

    id: str
    title: str
    section: str
    call: str
    reference: Callable
    model: Callable
    hints: tuple[str, str, str]
    misconceptions: tuple[Misconception, ...]
    cases: Callable = lambda rng: [()]
    probes: tuple = ()
    invariants: tuple = ()
    observe: Callable | None = None
    observed: str = ""
    missed: str = ""
    forbidden: tuple[str, ...] = ()
    another: tuple[str, ...] = ()
    kind: str = "numpy"
    rtol: float = RTOL
    points: int = 1

    @property
    def chapter(self):
        """The chapter's number: 3 for "3.3"."""
        return int(self.id.split(".")[0])

    @property
    def names(self):
        """The argument names in `call`; none where the answer is a number."""
        inside = self.call.partition("(")[2].rstrip(")")
        return tuple(name.strip() for name in inside.split(",") if name.strip())

    @property
    def wants_function(self):
        """True unless the answer is a number, a tuple or an array."""
        return "(" in self.call

    def place(self, mistakes=()):
        """(chapter, heading) of the section that helps after some named mistakes: the first one's, or its own."""
        first = next((m.place for m in self.misconceptions if m.id in mistakes[:1]), ())
        return first or (self.chapter, self.section)

    def called(self, f):
        """A function of the exercise's kind as one of arrays. Raises ImportError where its library is missing."""
        return f if self.kind == "numpy" else import_module("attn.exercises.checks.tensors").Tensors(f)

    def given(self, arguments):
        """A case as the answer gets it, in copies: arrays, or tensors.  -> tuple"""
        if self.kind == "torch":
            torch = import_module("torch")
            return tuple(torch.tensor(a) if hasattr(a, "shape") and a.shape else a for a in arguments)
        return tuple(a.copy() if hasattr(a, "shape") and a.shape else a for a in arguments)

    def ladder(self, mistake=None, status=None):
        """The three hints: a question, the idea, the shape of the expression.

        mistake, status: what the last check named, and how it ended; the first hints fit them.   -> 3 strings
        """
        first, second, third = self.hints
        if status in FIRST and not mistake:
            first = f"{FIRST[status]} {first}"
        ask, then = next(((m.ask, m.then) for m in self.misconceptions if m.id == mistake), (USUAL.get(mistake), ""))
        return ask or first, then or second, third
