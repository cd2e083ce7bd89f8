"""Exceptions in plain words, and the learner's own line where one came from."""

import linecache
import re
from functools import cache
from pathlib import Path

HERE = str(Path(__file__).resolve().parent.parent.parent)
STANDARD = str(Path(linecache.__file__).parent)
MODELS = str(Path(HERE, "exercises", "catalogue"))
CAUSES = [  # (what the message says, what it means); groups of the pattern may be quoted
    (r"takes (\d+) positional arguments? but (\d+)", "The check calls it with {1} argument(s), but it accepts {0}."),
    (r"missing (\d+) required positional", "It asks for more arguments than the exercise gives it."),
    (
        r"matmul: Input operand 1 has a mismatch.*size (\d+) is different from (\d+)",
        "The inner sizes of the product, {1} and {0}, differ; a product (n, k) @ (k, m) needs the same k.",
    ),
    (
        r"shapes (\(.*?\)) and (\(.*?\)) not aligned",
        "The inner sizes of the product {0} @ {1} differ; a product (n, k) @ (k, m) needs the same k.",
    ),
    (r"matmul: Input operand \d does not have enough dimensions", "@ needs arrays; one side here is a single number."),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((.+?) and (.+?)\)",
        "The inner sizes of the product, ({0}) @ ({1}), differ; a product (n, k) @ (k, m) needs the same k.",
    ),
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
        "Sizes {0} and {1} meet in one axis: lined up from the right, sizes must be equal or 1.",
    ),
    (r"same dtype|expected scalar type", "The two sides differ in dtype: bring both to one, with .float() say."),
    (r"same device|is not on the expected device", "Two tensors lie on different devices: make new ones on Q.device."),
    (
        r"shape '(\[.*?\])' is invalid for input of size (\d+)",
        "reshape keeps the number of entries; {1} entries do not fill the shape {0}.",
    ),
    (r"No module named '(\w+)", "{0} is not installed in the Python that runs this."),
    (
        r"could not be broadcast together with shapes (.+)",
        "The shapes {0} do not fit together: lined up from the right, sizes must be equal or 1.",
    ),
    (
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        "An array of shape {0} was put where one of shape {1} fits.",
    ),
    (
        r"cannot reshape array of size (\d+) into shape (\(.*?\))",
        "reshape keeps the number of entries; {0} entries do not fill the shape {1}.",
    ),
    (
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        "Axis {0} was named, but the array has {1} axes, counted from 0.",
    ),
    (r"axes don't match array", "transpose was given more or fewer axes than the array has."),
    (
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        "Position {0} was asked for, but axis {1} has size {2}: positions run from 0.",
    ),
    (
        r"all input array(s must have the same shape| dimensions)",
        "Arrays that are stacked or joined need one shape; for parts of several shapes return a tuple of them.",
    ),
    (r"negative dimensions", "A size came out negative here: which number is smaller than you expected?"),
    (
        r"zero-size array to reduction|(max|min)\(\) .*empty",
        "Nothing is there to take a maximum of: an array is empty here, and that may happen.",
    ),
    (
        r"list index out of range|tuple index out of range",
        "A list has fewer entries than the place that was asked for.",
    ),
    (r"inhomogeneous shape", "np.array needs parts of one shape; for parts of several shapes return a tuple of them."),
    (r"too many indices", "The array has fewer axes than the brackets name."),
    (r"name '(np|torch)' is not defined", "Run the first cell of the sheet, which imports it as {0}, and check again."),
    (
        r"name '(\w+)' is not defined",
        "Nothing is called {0} here: is it spelt so where it is made, in the function or in a cell that has run?",
    ),
    (r"has no attribute '(\w+)'", "There is no {0} on that object: look at its spelling, and at what the object is."),
    (r"referenced before assignment|not associated with a value", "A variable is read before anything is put in it."),
    (r"truth value of an array", "`if` needs one truth value and got a whole array: use np.where, .any() or .all()."),
    (r"only (?:integer scalar|length-1|0-dimensional) arrays", "A whole array stands where one number is needed."),
    (r"cannot cast|Cannot cast", "A result with fractions cannot be stored in an array of whole numbers."),
    (r"read-only", "The array cannot be written to; make a new one."),
    (r"division by zero", "A plain Python number was divided by zero."),
    (r"maximum recursion depth", "The function calls itself without end."),
    (
        r"einstein|subscripts|output axes|operand has more dimensions",
        "The letters of the einsum do not fit the arrays: one letter for each axis.",
    ),
    (r"not subscriptable", "Brackets stand after something that has no entries."),
    (r"not callable", "Parentheses stand after something that is not a function."),
    (r"unsupported operand", "The two sides of the operator are of kinds that do not combine."),
    (r"Unable to allocate|", ""),
]


def plain_words(message):
    """What an exception's message means, as a sentence; '' for one that is not known."""
    for pattern, sentence in CAUSES:
        found = re.search(pattern, message)
        if found:
            return sentence.format(*found.groups())
    return ""


def own_line(error):
    """The deepest line of the learner's own code on the way to the error.  -> (text, number), or ('', 0)"""
    trace, line, number = error.__traceback__, "", 0
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not is_library(file):
            line, number = linecache.getline(file, trace.tb_lineno).strip(), trace.tb_lineno
        trace = trace.tb_next
    return line, number


def is_own(frame, callee=None):
    """True for a frame of the learner's code. A model of the catalogue stands in for a learner, but may call attn."""
    file = frame.f_code.co_filename
    ours = callee is not None and callee.f_code.co_filename.startswith(HERE)
    return not is_library(file) or (file.startswith(MODELS) and not ours)


@cache
def is_library(file):
    """True for code that is not the learner's: attn, the standard library, installed packages, frozen modules."""
    return (
        file.startswith((HERE, STANDARD, "<frozen", "<__array_function__"))
        or "site-packages" in file
        or "dist-packages" in file
    )
