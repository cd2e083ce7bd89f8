"""Running a learner's answer: in copies, with a time limit, in silence, never raising."""

import contextlib
import dis
import io
import warnings
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from attn.exercises.checks import causes, instruments
from attn.exercises.checks.stopping import Stop, within


@dataclass(frozen=True)
class Outcome:
    """What an answer did on one case.

    kind: "value", "none" (no answer yet), "nothing" (returned None), "error", "timeout", or "type" (not numbers).
    value: an array, or a tuple of arrays.
    overwritten: positions of changed arguments.
    peak: bytes held at once, reread: a second pass over the first argument, where the call was run to see that.
    notes: what else was seen, "word: more words".   prints: what it printed, the beginning.
    """

    kind: str
    value: object = None
    error: str = ""
    message: str = ""
    line: str = ""
    lineno: int = 0
    overwritten: tuple = ()
    peak: int = 0
    reread: bool = False
    notes: tuple = ()
    prints: str = ""

    @classmethod
    def of(cls, result):
        """A returned value as an outcome."""
        if isinstance(result, cls):  # whoever called the answer has looked at the result already
            return result
        if result is Ellipsis or result is NotImplemented:
            return cls("none")
        if result is None:
            return cls("nothing")
        try:
            value = _arrays(result)
        except (TypeError, ValueError, RuntimeError):
            return cls("type", message=_sort(result))
        return cls("value", value)


def _arrays(result):
    """An array, or a tuple of arrays; a list of unlike arrays can only be meant as a tuple."""
    if isinstance(result, tuple):
        return tuple(map(_array, result))
    try:
        return _array(result)
    except ValueError:
        if isinstance(result, list):
            return tuple(map(_array, result))
        raise


def _sort(result):
    """What is no array of numbers, in words: its type, and for a list of tuples that too."""
    if isinstance(result, (list, tuple)) and any(part is None for part in result):
        return f"a {type(result).__name__} that holds None"
    pairs = isinstance(result, list) and result and all(isinstance(part, (tuple, list)) for part in result)
    if pairs and all(isinstance(x, np.ndarray) for part in result for x in part):
        return f"a list of {len(result)} {type(result[0]).__name__}s of arrays"
    return type(result).__name__


def _array(part):
    if isinstance(part, (str, bytes, dict, set)):
        raise TypeError
    array = np.asarray(part)
    if array.dtype.kind == "O":  # whole numbers beyond 64 bits, fractions
        array = np.vectorize(_double, otypes=[float])(array) if array.size else array
    if array.dtype.kind not in "biufc":
        raise TypeError
    return array


def _double(x):
    """Whatever is one number as a float, beyond the largest as infinity. Raises TypeError for anything else."""
    if isinstance(x, (str, bytes, np.ndarray)) or not hasattr(x, "__float__"):
        raise TypeError
    try:
        return float(x)
    except OverflowError:
        return np.inf if x > 0 else -np.inf


def local(f, silent=True):
    """How to call f in this process, in silence.  f -> run(arguments, deadline, instrument=None) -> Outcome"""

    def run(arguments, deadline, instrument=None):
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        with _silence() if silent else contextlib.nullcontext() as heard:
            outcome = within(deadline, lambda: through(instrument, f)(f, copies))
        if outcome is None:
            return Outcome("timeout")
        changed = tuple(i for i, (a, c) in enumerate(zip(arguments, copies, strict=True)) if _differs(a, c))
        return replace(outcome, overwritten=changed, prints=heard.getvalue() if heard else "")

    return run


def settled(value):
    """An answer that is a value, not a function: the same outcome whatever it is asked."""
    outcome = Outcome("none") if value is None else Outcome.of(value)
    return lambda arguments, deadline, instrument=None: outcome


def attempt(f, arguments):
    """Call an answer; whatever it does becomes an outcome."""
    try:
        with np.errstate(all="ignore"):
            outcome = Outcome.of(f(*arguments))
    except NotImplementedError:
        return Outcome("none")
    except Stop:
        return None
    except BaseException as error:  # an answer may raise SystemExit or KeyboardInterrupt: no reason to die
        line, lineno = causes.own_line(error)
        return Outcome("error", error=type(error).__name__, message=_message(error), line=line, lineno=lineno)
    return Outcome("none") if outcome.kind == "nothing" and is_stub(f) else outcome


def _message(error):
    """What an exception says, as far as it can be read."""
    try:
        return str(error)[:300]
    except Exception:
        return ""


INSTRUMENTS = {
    None: attempt,
    "memory": partial(instruments.weighed, attempt),
    "passes": partial(instruments.watched, attempt),
    "calls": partial(instruments.listened, attempt),
}


def through(instrument, f):
    """How to run f so that an instrument sees it; a function of tensors brings instruments of its own."""
    return getattr(type(f), "instruments", INSTRUMENTS)[instrument]


def is_stub(f):
    """True for a function with an empty body: `pass`, `...` or a docstring alone."""
    code = getattr(getattr(f, "__wrapped__", f), "__code__", None)
    if code is None:
        return False
    idle = {"RESUME", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "NOP", "POP_TOP"}
    return all(step.opname in idle for step in dis.get_instructions(code))


@contextlib.contextmanager
def _silence():
    """No prints and no warnings. They are the whole process's, so never in two threads at once."""
    with contextlib.redirect_stdout(Beginning()) as heard, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield heard


class Beginning(io.StringIO):
    """Remembers the beginning of what is printed, however much it is."""

    MOST = 400

    def write(self, text):
        """Keep what there is room for."""
        super().write(text[: max(self.MOST - self.tell(), 0)])
        return len(text)


def _differs(a, copy):
    """True if an argument was changed, even in its last bit."""
    return isinstance(a, np.ndarray) and (a.shape != copy.shape or a.tobytes() != copy.tobytes())
