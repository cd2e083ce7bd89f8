"""Exercise 13.1, a correcting write."""

import numpy as np

from attn import memory
from attn.exercises.catalogue.sections import ADDING, FADING, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import MEMORY


def write_model(
    z,
    k,
    v,
    beta,
    *,
    key=lambda k: k,
    step=lambda beta, k: beta,
    old=lambda z, k, v, b: z - b * np.outer(k, k @ z),
    new=lambda k, v, b: b * np.outer(k, v),
    whole=None,
):
    """(d, e) -> (d, e): what is left of the old state, plus what is written."""
    if whole:
        return whole(z, k, v, beta)
    k = key(k)
    b = step(beta, k)
    return old(z, k, v, b) + new(k, v, b)


def row_by_row(z, k, v, b):
    """Each row corrected by what the memory says after the rows before it were."""
    z = z.copy()
    for i in range(len(k)):
        z[i] += b * k[i] * (v - k @ z)
    return z


def erased_after_adding(z, k, v, b):
    """What is left when the new pair is added first, and erased in part with the rest."""
    return z - b * np.outer(k, k @ (z + b * np.outer(k, v)))


def cases(rng):
    """Shapes tall, wide and square; keys of any length; β below and above one."""
    drawn = [
        (rng.normal(size=(d, e)), rng.normal(size=d), rng.normal(size=e), beta)
        for d, e, beta in ((3, 2, 0.7), (2, 4, 0.25), (3, 3, 0.6), (4, 4, 1.3), (1, 2, 0.4))
    ]
    return [*drawn, (np.array([[2.0], [0.0]]), np.array([1.0, 0.0]), np.array([5.0]), 0.5)]


EXERCISE = Exercise(
    "13.1",
    "a correcting write",
    "Writing by correcting",
    "write(Z, k, v, beta)",
    memory.write,
    write_model,
    another=(
        """\
def write(Z, k, v, beta):
    return (np.eye(len(k)) - beta * np.outer(k, k)) @ Z + beta * np.outer(k, v)
""",
        "The old memory is multiplied by I − β k kᵀ: what lies along k shrinks, the rest stays.",
    ),
    hints=(
        "What does the memory say about k before you write? What is missing from v?",
        "Write the key times the missing part, and only a share β of it.",
        "Z plus β times an outer product of k with a difference.",
    ),
    cases=cases,
    forbidden=MEMORY,
    misconceptions=(
        wrong(
            "outer_reshaped",
            "It takes the outer product the other way round, and turns it by a reshape, so its numbers change places.",
            "reshape keeps the order in memory. The key comes first: np.outer(k, …) is (d, e) by itself.",
            whole=lambda z, k, v, beta: z + beta * np.outer(v - k @ z, k).reshape(z.shape),
        ),
        wrong(
            "adds",
            "It adds the pair and erases nothing.",
            "A write that corrects first takes away what the memory already says under k.",
            ask="Write the same pair twice. What does its key read afterwards?",
            old=lambda z, k, v, b: z,
        ),
        wrong(
            "sign",
            "It goes the wrong way: it adds what the memory says and takes away the value.",
            "The step goes towards v: the difference is v − kZ.",
            old=lambda z, k, v, b: z + b * np.outer(k, k @ z),
            new=lambda k, v, b: -b * np.outer(k, v),
        ),
        wrong(
            "grows",
            "It adds what the memory already says, in place of taking it away.",
            "What is missing is v minus kZ.",
            old=lambda z, k, v, b: z + b * np.outer(k, k @ z),
        ),
        wrong(
            "from_the_right",
            "It erases from the right: Z(I − βkᵀk).",
            "Rows of Z belong to directions of the key, so the factor stands on the left. Where Z is (e, d), it stands "
            "on the right.",
            old=lambda z, k, v, b: z @ (np.eye(len(k)) - b * np.outer(k, k)),
        ),
        wrong(
            "erases_all",
            "It erases along k completely, and scales by β only what it writes.",
            "β is the share of the whole correction: of what goes and of what comes.",
            old=lambda z, k, v, b: z - np.outer(k, k @ z),
        ),
        wrong(
            "writes_all",
            "It writes the value in full, and scales by β only what it erases.",
            "β is the share of the whole correction: of what goes and of what comes.",
            new=lambda k, v, b: np.outer(k, v),
        ),
        wrong(
            "no_beta",
            "It leaves β out.",
            "Only a share β of what is missing is written.",
            step=lambda beta, k: 1.0,
        ),
        wrong(
            "fades_everything",
            "It fades the whole memory by 1 − β, not only what lies along k.",
            "Keys at right angles to k must read what they read before.",
            ask="Ask with a key at right angles to k, before and after. What should it read?",
            old=lambda z, k, v, b: (1 - b) * z,
        ),
        wrong(
            "fades_by_length",
            "It fades the whole memory by 1 − β‖k‖², not only what lies along k.",
            "That factor is right for the direction of k alone.",
            old=lambda z, k, v, b: (1 - b * (k @ k)) * z,
        ),
        wrong(
            "unit_key",
            "It makes k a unit vector first.",
            "The statement takes k as it comes; whoever wants unit keys makes them before.",
            key=lambda k: k / np.linalg.norm(k),
        ),
        wrong(
            "divides_by_length",
            "It divides the step by ‖k‖².",
            "That is the normalised rule; here the step is β itself.",
            step=lambda beta, k: beta / (k @ k),
        ),
        wrong(
            "erases_by_length",
            "It divides the step by ‖k‖² where it erases, and not where it writes.",
            "One step β stands in front of the whole correction: of what goes and of what comes.",
            old=lambda z, k, v, b: z - b / (k @ k) * np.outer(k, k @ z),
        ),
        wrong(
            "value_direction",
            "It erases along the direction of v, not of k.",
            "A key finds what was written under it: old content goes along k.",
            old=lambda z, k, v, b: z - b * z @ np.outer(v, v) / (v @ v),
        ),
        wrong(
            "adds_first",
            "It adds the new pair first, and then erases a part of that too.",
            "What is missing is measured before the write.",
            old=erased_after_adding,
        ),
        wrong(
            "outer_turned",
            "The outer product is turned: (v − kZ)ᵀk in place of kᵀ(v − kZ).",
            "Z is (d, e): rows for the key, columns for the value.",
            old=lambda z, k, v, b: z - b * np.outer(k @ z, k),
            new=lambda k, v, b: b * np.outer(v, k),
        ),
        wrong(
            "forgets_all",
            "It returns only the new pair, and the old state is gone.",
            "A write changes the memory along k and keeps the rest.",
            old=lambda z, k, v, b: 0 * z,
        ),
        wrong(
            "erases_only",
            "It erases along k and writes nothing.",
            "What is missing must be written in the same place.",
            new=lambda k, v, b: 0 * np.outer(k, v),
        ),
        wrong(
            "change_only",
            "It returns the change, without the memory it is made to.",
            "The memory after the write is asked for: Z plus the change.",
            dict(whole=lambda z, k, v, b: np.outer(k, v - k @ z)),
            whole=lambda z, k, v, b: b * np.outer(k, v - k @ z),
        ),
        wrong(
            "not_read_together",
            "It subtracts from each row its own product k_i Z_i, and not the sum of all.",
            "What Z says under k is k @ Z, one sum over the rows.",
            dict(whole=lambda z, k, v, b: z + b * (v - k[:, None] * z)),
            whole=lambda z, k, v, b: z + b * k[:, None] * (v - k[:, None] * z),
        ),
        wrong(
            "no_outer",
            "It adds the same correction to every row: the key is left out, or added up.",
            "Row i gets k_i times the correction: np.outer(k, …).",
            dict(whole=lambda z, k, v, b: z + b * v),
            dict(whole=lambda z, k, v, b: z + b * k.sum() * (v - k @ z)),
            whole=lambda z, k, v, b: z + b * (v - k @ z),
        ),
        wrong(
            "clipped",
            "It cuts off what is missing at ±1, or β at 1, or both.",
            "The correction is as large as what is missing, times β as it is.",
            dict(whole=lambda z, k, v, b: z + b * np.outer(k, np.clip(v - k @ z, -1, 1))),
            dict(whole=lambda z, k, v, b: z + min(b, 1.0) * np.outer(k, np.clip(v - k @ z, -1, 1))),
            step=lambda beta, k: min(beta, 1.0),
        ),
        wrong(
            "reading",
            "It returns what the memory says under k, not the memory.",
            "The memory after the write is asked for, (d, e).",
            dict(whole=lambda z, k, v, b: k @ z),
            dict(whole=lambda z, k, v, b: v - k @ z),
            dict(whole=lambda z, k, v, b: b * (v - k @ z)),
            whole=lambda z, k, v, b: k @ (z + b * np.outer(k, v - k @ z)),
        ),
        wrong(
            "read_again",
            "It reads the half-written memory again for every row.",
            "Read once, before anything is written.",
            whole=row_by_row,
        ),
        wrong(
            "reads_rows",
            "It reads Z @ k, along the rows, in place of k @ Z.",
            "Rows of Z belong to entries of the key: the reading is their weighted sum, (e,).",
            old=lambda z, k, v, b: z - b * np.outer(k, z @ k),
        ),
        wrong(
            "beta_twice",
            "It takes β twice: the share of a share.",
            "The missing part is multiplied by β once.",
            dict(new=lambda k, v, b: b * b * np.outer(k, v)),
            dict(old=lambda z, k, v, b: z - b * b * np.outer(k, k @ z)),
            step=lambda beta, k: beta**2,
        ),
        wrong(
            "reads_otherwise",
            "It reads with a changed key: its softmax, its root, or divided by its length.",
            "What Z says under k is k @ Z, with the key as it is.",
            dict(old=lambda z, k, v, b: z - b * np.outer(k, np.exp(k) / np.exp(k).sum() @ z)),
            dict(old=lambda z, k, v, b: z - b * np.outer(k, k / np.linalg.norm(k) @ z)),
            dict(old=lambda z, k, v, b: z - b * np.outer(k, k @ z) / len(k)),
            old=lambda z, k, v, b: z - b * np.outer(k, k @ z) / np.sqrt(len(k)),
        ),
        wrong(
            "largest_row",
            "It writes in one row alone, that of the key's largest entry.",
            "Every row gets its share of the key.",
            dict(key=lambda k: np.eye(len(k))[k.argmax()]),
            key=lambda k: np.eye(len(k))[abs(k).argmax()] * k,
        ),
        wrong(
            "fades_and_corrects",
            "It fades the whole memory and corrects as well.",
            "Only what lies along k is corrected.",
            whole=lambda z, k, v, b: (1 - b) * z + b * np.outer(k, v - k @ z),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        FADING: "fades_everything fades_by_length fades_and_corrects",
        ADDING: "adds",
    },
)
