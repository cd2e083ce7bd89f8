"""What may be done to one array, or to a tuple of results, that an exercise did not ask for.

The tables name each change as a report says it: "It …" before the words, the argument's name in the braces, and
[row] and [column] for what the first and the last axis count: of a vector entries, of a stack parts and columns.
"""

import numpy as np

from attn.exercises.checks.arrays import flat, mirrored, one_line, quietly, share, soft, standard, unit, wide, without
from attn.exercises.checks.relations import line, plural


def worded(words, axes=2):
    """The words of a change, for an array of so many axes."""
    row, column = line(axes), "entry" if axes == 1 else "column"
    return words.replace("[row]s", plural(row)).replace("[row]", row).replace("[column]", column)


GIVEN = (  # what an argument is taken for: id, the words after "It …", and how
    ("input_transposed", "takes {0} the other way round, transposed", flat(lambda x: x.T)),
    (
        "input_reshaped",
        "turns {0} round by reshape in place of a transpose",
        flat(lambda x: x.reshape(x.shape[::-1]).T),
    ),
    *(
        (
            "input_standardised",
            "brings each row of {0} to mean 0 and variance 1 first: a layer norm",
            lambda x, eps=eps, inside=inside: standard(x, eps, inside),
        )
        for eps in (0.0, 1e-12, 1e-8, 1e-6, 1e-5)
        for inside in (False, True)
    ),
    ("input_centred", "subtracts the mean of each row from {0} first", lambda x: x - x.mean(-1, keepdims=True)),
    ("input_unit", "brings the rows of {0} to length 1 first", unit),
    ("input_unit", "brings the columns of {0} to length 1 first", wide(lambda x: unit(x, 0))),
    ("input_softmaxed", "takes a softmax of the rows of {0} first", soft),
    ("input_softmaxed", "takes a softmax of the columns of {0} first", wide(lambda x: soft(x, 0))),
    ("input_normalised", "divides the rows of {0} by their sums first", lambda x: share(x, -1)),
    ("input_normalised", "divides the columns of {0} by their sums first", wide(lambda x: share(x, -2))),
    ("input_normalised", "divides all of {0} by its sum first", lambda x: x / x.sum()),
    ("input_sizes", "takes {0} without its signs", abs),
    ("input_negated", "takes {0} with its signs reversed", lambda x: -x),
    ("input_squared", "squares {0} first", lambda x: x * x),
    ("input_positive", "sets what is negative in {0} to 0", lambda x: np.maximum(x, 0)),
    ("input_whole", "cuts {0} off to whole numbers", np.trunc),
    ("input_whole", "rounds {0} to whole numbers", np.round),
    ("input_doubled", "takes {0} twice", lambda x: 2 * x),
    ("input_halved", "takes half of {0}", lambda x: x / 2),
    ("input_scaled", "divides {0} by the root of its width", lambda x: x / np.sqrt(x.shape[-1])),
    ("input_scaled", "divides {0} by its width", lambda x: x / x.shape[-1]),
    ("input_raised", "adds 1 to {0}", lambda x: x + 1),
    ("input_sorted", "sorts each row of {0} first", lambda x: np.sort(x, -1)),
    ("input_sorted", "sorts each column of {0} first", wide(lambda x: np.sort(x, 0))),
    ("input_reversed", "takes the [row]s of {0} in the reverse order", lambda x: x[::-1]),
    ("input_reversed", "takes the columns of {0} in the reverse order", wide(lambda x: x[..., ::-1])),
    (
        "input_moved",
        "takes the [row] after each [row] of {0}, and the first after the last",
        lambda x: np.roll(x, -1, 0),
    ),
    (
        "input_moved",
        "takes the [row] before each [row] of {0}, and the last before the first",
        lambda x: np.roll(x, 1, 0),
    ),
    ("input_part", "leaves out the first [row] of {0}, or takes it for 0", wide(lambda x: without(x, 0, 0))),
    ("input_part", "leaves out the last [row] of {0}, or takes it for 0", wide(lambda x: without(x, 0, -1))),
    ("input_part", "leaves out the first [column] of {0}, or takes it for 0", lambda x: without(x, -1, 0)),
    ("input_part", "leaves out the last [column] of {0}, or takes it for 0", lambda x: without(x, -1, -1)),
    ("input_part", "leaves out all [row]s of {0} but the last", wide(lambda x: x * 0 + without(x, 0, slice(0, -1)))),
    ("input_part", "leaves out all [row]s of {0} but the first", wide(lambda x: without(x, 0, slice(1, None)))),
    ("input_one_row", "uses the first [row] of {0} in place of each", lambda x: one_line(x, 0)),
    ("input_one_row", "uses the last [row] of {0} in place of each", lambda x: one_line(x, -1)),
    ("input_summed", "adds up the [row]s of {0} one after the other", lambda x: np.cumsum(x, 0)),
    ("input_mean", "uses the mean [row] of {0} in place of each", wide(lambda x: x * 0 + x.mean(0))),
    ("input_ignored", "leaves {0} out, as if it were all 0", np.zeros_like),
    ("input_ignored", "leaves {0} out, as if it were all 1", np.ones_like),
    ("input_ignored", "leaves {0} out, as if it were the identity", flat(lambda x: np.eye(*x.shape))),
    ("input_inverse", "uses the pseudo-inverse of {0} in place of its transpose", flat(lambda x: np.linalg.pinv(x).T)),
    ("input_triangle", "uses the lower triangle of {0} alone", flat(np.tril)),
    ("input_triangle", "uses the upper triangle of {0} alone", flat(np.triu)),
    *(
        ("input_small", f"sets what is smaller than {c} in {{0}} to 0", lambda x, c=c: np.where(abs(x) < c, 0.0, x))
        for c in (0.5, 0.2, 0.1, 0.05, 0.01, 0.001)
    ),
    ("input_logarithm", "takes the logarithm of {0} first", np.log),
    ("input_exponential", "takes exponentials of {0} first", np.exp),
)
JOINED = (  # what an argument does to the result once more: id, the words, and how
    ("residual", "adds {0} to the result", np.add),
    ("input_joined", "subtracts {0} from the result", np.subtract),
    ("input_joined", "multiplies the result by {0}, entry by entry", np.multiply),
    ("input_joined", "adds the mean [row] of {0} to the result", lambda y, a: y + a.mean(0)),
    ("input_joined", "averages the result with {0}", lambda y, a: (y + a) / 2),
    ("input_joined", "multiplies the result by {0} once more", lambda y, a: y @ a),
    ("input_joined", "multiplies the result by the transpose of {0}", lambda y, a: y @ a.T),
    ("input_joined", "multiplies {0} by the result", lambda y, a: a @ y),
)
POWERS = (  # which power of a size a result is divided by, or multiplied
    (0.25, "the fourth root of {0}"),
    (0.5, "the root of {0}"),
    (1, "{0}"),
    (1.5, "{0} to the power 3/2"),
    (2, "the square of {0}"),
    (3, "the cube of {0}"),
)
MADE = (  # what is done to the result afterwards
    ("lower_only", "keeps the lower triangle of the result and sets the rest to 0", wide(np.tril)),
    ("upper_only", "keeps the upper triangle of the result and sets the rest to 0", wide(np.triu)),
    ("lower_only", "keeps what is below the diagonal and sets the rest to 0", wide(lambda y: np.tril(y, -1))),
    ("upper_only", "keeps what is above the diagonal and sets the rest to 0", wide(lambda y: np.triu(y, 1))),
    (
        "diagonal_alone",
        "keeps the diagonal of the result and sets the rest to 0",
        wide(lambda y: y * np.eye(*y.shape[-2:])),
    ),
    ("diagonal_zero", "sets the diagonal of the result to 0", wide(lambda y: y * (1 - np.eye(*y.shape[-2:])))),
    (
        "pairs_only",
        "pairs row i with row i alone: of the result it gives the diagonal, one number for each i",
        flat(np.diag),
    ),
    (
        "mirrored_half",
        "computes the upper half and mirrors it, as if the result were symmetric",
        wide(lambda y: mirrored(y, False)),
    ),
    (
        "mirrored_half",
        "computes the lower half and mirrors it, as if the result were symmetric",
        wide(lambda y: mirrored(y, True)),
    ),
    ("made_symmetric", "averages the result with its transpose", flat(lambda y: (y + y.T) / 2)),
    ("result_softmaxed", "takes a softmax of each row at the end", soft),
    ("result_softmaxed", "takes a softmax of each column at the end", wide(lambda y: soft(y, -2))),
    ("result_exponential", "takes exponentials at the end", np.exp),
    ("result_logarithm", "takes the logarithm at the end", np.log),
    ("result_logarithm", "takes the logarithm to base 2 at the end", np.log2),
    ("result_squared", "squares the result", lambda y: y * y),
    ("result_root", "takes the root of the result", np.sqrt),
    ("result_inverse", "gives one over the result", lambda y: 1 / y),
    ("result_positive", "sets what is negative in the result to 0", lambda y: np.maximum(y, 0)),
    ("result_sigmoid", "puts the result through a sigmoid", lambda y: 1 / (1 + np.exp(-y))),
    ("result_tanh", "puts the result through a tanh", np.tanh),
    ("result_clipped", "cuts the result off at 1 and −1", lambda y: np.clip(y, -1, 1)),
    ("result_clipped", "cuts the result off at 0 and 1", lambda y: np.clip(y, 0, 1)),
    ("result_standardised", "brings each row of the result to mean 0 and variance 1: a layer norm", standard),
    ("result_centred", "subtracts the mean of each row at the end", lambda y: y - y.mean(-1, keepdims=True)),
    ("result_centred", "subtracts the mean of each column at the end", wide(lambda y: y - y.mean(0))),
    (
        "result_below_maximum",
        "subtracts the largest entry of each row at the end",
        lambda y: y - y.max(-1, keepdims=True),
    ),
    ("result_unit", "brings each row of the result to length 1", unit),
    ("result_unit", "brings each column of the result to length 1", wide(lambda y: unit(y, -2))),
    ("result_normalised", "divides each row of the result by its sum", lambda y: share(y, -1)),
    ("result_normalised", "divides each column of the result by its sum", wide(lambda y: share(y, -2))),
    ("result_normalised", "divides the whole result by its sum", wide(lambda y: y / y.sum())),
    ("result_scaled", "divides each row of the result by its largest entry", lambda y: y / y.max(-1, keepdims=True)),
    ("result_scaled", "divides the result by its largest entry", wide(lambda y: y / y.max())),
    ("result_sorted", "sorts each row of the result", lambda y: np.sort(y, -1)),
    ("result_sorted", "sorts each row of the result, the largest first", lambda y: -np.sort(-y, -1)),
    ("result_sorted", "sorts each column of the result", wide(lambda y: np.sort(y, -2))),
    ("result_sorted", "sorts along the first axis of the result", wide(lambda y: np.sort(y, 0))),
    (
        "result_sorted",
        "puts the parts of the result in the order of their size, the largest first",
        wide(lambda y: y[np.argsort(-np.linalg.norm(y.reshape(len(y), -1), axis=1))]),
    ),
    (
        "result_sorted",
        "puts the parts of the result in the order of their size, the smallest first",
        wide(lambda y: y[np.argsort(np.linalg.norm(y.reshape(len(y), -1), axis=1))]),
    ),
    (
        "result_hard",
        "puts a 1 at the largest entry of each row, and 0 elsewhere",
        lambda y: np.eye(y.shape[-1])[y.argmax(-1)],
    ),
    ("result_places", "gives the places of the largest entries, not the entries", lambda y: y.argmax(-1)),
    ("result_places", "gives the order of the entries, not the entries", lambda y: np.argsort(y, -1)),
    (
        "result_running",
        "adds up along each row: every entry holds the sum of those before it",
        lambda y: np.cumsum(y, -1),
    ),
    (
        "result_running",
        "adds up the [row]s: every [row] holds the sum of those before it",
        wide(lambda y: np.cumsum(y, 0)),
    ),
    ("identity_added", "adds the identity to the result", flat(lambda y: y + np.eye(*y.shape))),
    ("identity_subtracted", "subtracts the identity from the result", flat(lambda y: y - np.eye(*y.shape))),
    ("complement", "gives 1 minus the result", lambda y: 1 - y),
    ("result_one_row", "gives one number for all: the mean of the result", lambda y: y * 0 + y.mean()),
    ("result_one_row", "gives one number for all: the sum of the result", lambda y: y * 0 + y.sum()),
    ("result_one_row", "gives the mean [row] in place of each [row]", wide(lambda y: y * 0 + y.mean(0))),
    (
        "result_one_row",
        "gives the sum of all [row]s in place of each [row]",
        wide(lambda y: y * 0 + y.sum(0)),
    ),
    ("result_one_row", "gives the first [row] in place of each [row]", wide(lambda y: one_line(y, 0))),
    (
        "result_one_row",
        "gives one number for all rows: the log-sum-exp of everything",
        lambda y: y * 0 + np.log(np.exp(y - y.max()).sum()) + y.max() if y.ndim == 1 else None,
    ),
    ("result_doubled_back", "multiplies the result by its own transpose", flat(lambda y: y @ y.T)),
    ("result_cut", "puts 0 in the place of the first [row] of the result", wide(lambda y: without(y, 0, 0))),
    ("result_cut", "puts 0 in the place of the last [row] of the result", wide(lambda y: without(y, 0, -1))),
)


def folded(y):
    """What is left when an axis is summed away, kept or pulled apart: (id, words, result)"""
    for axis in range(y.ndim if y.ndim > 1 else 1):
        name = {0: "the first", 1: "the second", 2: "the third"}.get(axis, "an")
        for f, word in ((np.sum, "adds up"), (np.mean, "averages"), (np.max, "takes the largest")):
            yield f"axis_{f.__name__}", f"{word} along {name} axis of the result, which should stay", f(y, axis)
            yield (
                f"axis_{f.__name__}",
                f"{word} along {name} axis of the result, which should stay",
                f(y, axis, keepdims=True),
            )
        yield "axis_first", f"gives only the first along {name} axis of the result", y.take(0, axis)
        yield "axis_last", f"gives only the last along {name} axis of the result", y.take(-1, axis)
        if y.shape[axis] > 0:
            for place, word in ((0, "first"), (-1, "last")):
                yield "axis_short", f"leaves out the {word} along {name} axis of the result", np.delete(y, place, axis)
        for place, word in ((0, "before"), (y.shape[axis], "behind")):
            yield "axis_long", f"puts zeros {word} the result along {name} axis", np.insert(y, place, 0, axis)
    yield "squeezed", "squeezes axes of size 1 away", np.squeeze(y)
    for axis in (0, -1, 1):
        yield "axis_added", "adds an axis of size 1 to the result", np.expand_dims(y, min(axis, y.ndim))
    if y.ndim > 2:
        yield "joined", "joins the parts one under the other", y.reshape(-1, y.shape[-1])
        yield "joined", "joins the parts side by side", np.hstack(list(y))
    if y.ndim == 1:
        yield "made_matrix", "puts the result on the diagonal of a matrix", np.diag(y)
        yield "made_matrix", "repeats the result, row under row", np.tile(y, (len(y), 1))


NUMBER = (  # what a number is taken for
    ("squared", lambda x: x * x),
    ("its root", lambda x: x**0.5),
    ("1 minus it", lambda x: 1 - x),
    ("one over it", lambda x: 1 / x),
    ("with its sign reversed", lambda x: -x),
    ("twice what it is", lambda x: 2 * x),
    ("half of what it is", lambda x: x / 2),
)


def many(parts):
    """What becomes of several results: (id, words, result)"""
    yield "first_result", "returns the first of the results alone", parts[0]
    yield "last_result", "returns the last of the results alone", parts[-1]
    yield "order_reversed", "returns the results in the reverse order", parts[::-1]
    for k in range(1, len(parts)):
        yield "results_cut", f"returns the first {k} of the results alone", parts[:k]
    for f, word in ((np.hstack, "side by side"), (np.vstack, "one under the other"), (np.stack, "as one array")):
        try:
            yield "one_array", f"returns the results {word}, in one array", f(parts)
        except ValueError:
            continue
    for k, one in enumerate(parts):
        if one.ndim > 1:
            yield "result_turned", f"returns result {k + 1} transposed", (*parts[:k], one.T, *parts[k + 1 :])


def sizes(name, a):
    """Every size of an argument: (how it is called, number)"""
    shape = getattr(a, "shape", ())
    first = {1: (), 2: ("the number of rows of {0}",)}.get(len(shape))
    if first is None:
        first = [f"the length of axis {axis} of {{0}}" for axis in range(len(shape) - 1)]
    last = "the length of {0}" if len(shape) == 1 else "the width of {0}"
    yield from ((words.format(name), n) for words, n in zip((*first, last), shape, strict=False))
    if isinstance(a, (int, float)) and not isinstance(a, bool) and a > 0:
        yield name, a


def resized(name, a, y):
    """The result divided by a power of a size of an argument, and multiplied: (id, words, result)"""
    for word, n in sizes(name, a):
        for power, how in POWERS:
            words = how.format(word)
            if isinstance(y, tuple):
                yield "factor_of_size", f"divides the results by {words}", tuple(part / n**power for part in y)
            else:
                yield "factor_of_size", f"divides the result by {words}", y / n**power
                yield "factor_of_size", f"multiplies the result by {words}", y * n**power


def numbers(a):
    """What a number is taken for: (id, words, number)"""
    for c in (0, 1, 2, 3, 4, 8, 10, 0.5):
        if isinstance(c, int) or isinstance(a, float):
            yield "fixed_number", f"takes {{0}} to be {c}, whatever it is", type(a)(c)
    if isinstance(a, float):
        for word, f in NUMBER:
            yield "number_changed", f"takes {{0}} to be {word}", quietly(f, a)
    for by, word in ((1, "one more than it is"), (-1, "one less than it is")):
        yield "number_moved", f"takes {{0}} to be {word}", a + by


def masks(a):
    """What a mask is taken for: (id, words, mask)"""
    yield "mask_inverted", "takes {0} with True and False exchanged", ~a
    yield "mask_ignored", "leaves {0} out, as if all were True", a | True
    if a.ndim == 2:
        yield "mask_transposed", "takes {0} transposed", a.T


def counts(a):
    """What an array of whole numbers is taken for: (id, words, array)"""
    for by, word in ((1, "one more"), (-1, "one less")):
        yield "number_moved", f"takes each of {{0}} for {word} than it is", a + by
    yield "input_reversed", "takes {0} in the reverse order", a[::-1]
    yield "input_sorted", "sorts {0} first", np.sort(a)


def altered(a):
    """Every change of one argument: (id, words, argument, None where it makes no sense)"""
    kind = a.dtype.kind if getattr(a, "ndim", 0) else ""
    if kind == "f":
        return ((id, worded(words, a.ndim), quietly(change, a)) for id, words, change in GIVEN)
    if isinstance(a, (int, float)) and not isinstance(a, bool):
        return numbers(a)
    if kind == "b":
        return masks(a)
    return counts(a) if kind in ("i", "u") else ()
