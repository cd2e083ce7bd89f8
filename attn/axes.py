"""The alphabet of axes, one check that speaks it, one rule for dtypes and one for whole numbers.

b batch · h head · g key–value head · n query position · m key position
d query/key width · e value width · c model width
"""

import numpy as np


def numeric(**arrays):
    """The named arguments as floating-point arrays, or an error that names the one that cannot be.

    Floats keep their dtype; integers and booleans become float64. Nothing is copied that need not be.
    -> one array for one argument, a list for several.
    Raises TypeError for text, objects and complex numbers, ValueError for ragged lists.
    """
    converted = [_numeric(name, value) for name, value in arrays.items()]
    return converted[0] if len(converted) == 1 else converted


def _numeric(name, value):
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is not a rectangular array of numbers ({error})") from None
    if array.dtype.kind in "biu":
        return array.astype(np.float64)
    if array.dtype.kind == "f" or array.dtype.name == "bfloat16":
        return array
    raise TypeError(f"{name} must hold real numbers, not {array.dtype} (shape {array.shape})")


def working(*arrays):
    """(arrays in the dtype to compute in, the dtype to hand back).

    Half precision (float16, bfloat16) is computed in float32: its exponentials overflow at 11.1 and a sum of
    2049 ones stays 2048. Everything else is computed as it came.
    """
    result = np.result_type(*arrays)
    half = result == np.float16 or result.name == "bfloat16"
    compute = np.dtype(np.float32) if half else result
    return [array.astype(compute, copy=False) for array in arrays], result


def expect(**arguments):
    """Check that arrays have the axes they claim, and that axes of one name have one size.

        expect(q=(q, "... n d"), k=(k, "... m d"))

    "..." stands for leading axes, which must broadcast together. Returns the broadcast leading shape.
    Raises ValueError: "axis d is 7 in q but 6 in k (k has shape (5, 6))".
    """
    seen, leading = {}, {}
    for name, (array, pattern) in arguments.items():
        letters = pattern.replace("...", "").split()
        shape = np.shape(array)
        if len(shape) < len(letters) or ("..." not in pattern and len(shape) > len(letters)):
            axes = "axis" if len(letters) == 1 else "axes"
            raise ValueError(f"{name} needs {axes} ({pattern}) but has shape {shape}")
        for letter, size in zip(letters, shape[len(shape) - len(letters) :], strict=True):
            other, owner = seen.setdefault(letter, (size, name))
            if size != other:
                raise ValueError(f"axis {letter} is {other} in {owner} but {size} in {name} ({name} has shape {shape})")
        leading[name] = shape[: len(shape) - len(letters)]
    return _broadcast(leading)


def whole(name, value, least=None):
    """The value as an int, or an error that names it: TypeError if it is not one, ValueError if below `least`.

    ->   int, of shape ().
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__} ({value!r})")
    if least is not None and value < least:
        raise ValueError(f"{name} must be at least {least}, but is {value}")
    return int(value)


def _broadcast(leading):
    try:
        return np.broadcast_shapes(*leading.values())
    except ValueError:
        told = ", ".join(f"{name} {shape}" for name, shape in leading.items())
        raise ValueError(f"the leading (batch and head) axes do not broadcast together: {told}") from None
