"""Exercise 12.5, bytes moved by naive attention."""

from attn.exercises.catalogue.sections import TILES, taught
from attn.exercises.checks.exercise import Exercise, settled_on, wrong

N, D = 4096, 128


NAIVE = 2 * (4 * N * D + 4 * N * N)


EXERCISE = Exercise(
    "12.5",
    "bytes moved by naive attention",
    "The roof",
    "naive_bytes",
    lambda: NAIVE,
    settled_on(NAIVE),
    another=(
        "naive_bytes = 2 * sum([2 * 4096 * 128 + 4096**2, 2 * 4096**2, 4096**2 + 2 * 4096 * 128])",
        "Trip by trip: S and A alone are 97 of 100 bytes.",
    ),
    hints=(
        "Which matrices does each of the three steps read, and which does it write?",
        "QKᵀ reads Q and K and writes S; the softmax reads S and writes A; AV reads A and V and writes O.",
        "Four matrices n × d and four passes over n × n, 2 bytes a number.",
    ),
    misconceptions=(
        wrong(
            "scores_once",
            "It counts one pass over the n × n scores.",
            "S is written, read, written as A, and read again.",
            value=2 * (4 * N * D + N * N),
        ),
        wrong(
            "scores_twice",
            "It counts two passes over n × n.",
            "S is written and read, A is written and read.",
            value=2 * (4 * N * D + 2 * N * N),
        ),
        wrong(
            "scores_thrice",
            "It counts three passes over n × n.",
            "S is written and read, A is written and read.",
            value=2 * (4 * N * D + 3 * N * N),
        ),
        wrong(
            "tiled",
            "It counts no n × n matrix: that is the tiled way.",
            "Naively S and A go to memory and back.",
            value=2 * 4 * N * D,
        ),
        wrong(
            "scores_only",
            "It counts the n × n matrices and forgets Q, K, V and O.",
            "Each is read or written once.",
            value=2 * 4 * N * N,
        ),
        wrong(
            "units",
            "It gives another unit in place of bytes.",
            "A plain number of bytes is asked for: no kilobytes, megabytes or gigabytes.",
            *({"value": NAIVE / 1024**k} for k in (1, 3)),
            *({"value": NAIVE / 1000**k} for k in (1, 2, 3)),
            value=NAIVE / 1024**2,
        ),
        wrong(
            "no_output",
            "It counts three matrices n × d: O is forgotten, or two of Q, K and V are taken for one.",
            "Q, K and V are read, each by itself, and O is written.",
            value=2 * (3 * N * D + 4 * N * N),
        ),
        wrong(
            "more_passes",
            "It counts more than four passes over n × n.",
            "S is written and read, A is written and read; the softmax needs no further trip.",
            {"value": 2 * (4 * N * D + 5 * N * N)},
            {"value": 2 * (4 * N * D + 8 * N * N)},
            value=2 * (4 * N * D + 6 * N * N),
        ),
        wrong(
            "thousands",
            "It takes 4000 for 4096.",
            "All 4096 queries and keys count.",
            value=2 * (4 * 4000 * D + 4 * 4000**2),
        ),
        wrong(
            "single",
            "It is twice what is right: 4 bytes were taken for a number, or every trip was counted twice.",
            "16 bits are 2 bytes, and what is read or written moves once each time.",
            value=2 * NAIVE,
        ),
        wrong("numbers", "It counts numbers, not bytes.", "16 bits are 2 bytes.", value=NAIVE // 2),
        wrong(
            "flops",
            "It counts multiplications and additions, not bytes.",
            "Bytes are what memory moves.",
            value=4 * N * N * D,
        ),
        wrong("bits", "It counts bits, not bytes.", "16 bits are 2 bytes.", value=NAIVE * 8),
        wrong(
            "first_trip",
            "It counts the first of the three trips only.",
            "The softmax reads S and writes A; the last product reads A and V and writes O.",
            value=2 * (2 * N * D + N * N),
        ),
        wrong(
            "causal",
            "It counts only the scores that a causal mask leaves.",
            "Naively the whole matrix is written and read, and no mask is spoken of.",
            value=2 * (4 * N * (N + 1) // 2 + 4 * N * D),
        ),
        wrong(
            "read_again",
            "It counts Q and K, or others of that size, more than once.",
            "Each of Q, K, V and O moves once.",
            {"value": 2 * (4 * N * N + 8 * N * D)},
            {"value": 2 * (4 * N * N + 10 * N * D)},
            {"value": 2 * (4 * N * N + 12 * N * D)},
            value=2 * (4 * N * N + 6 * N * D),
        ),
        wrong(
            "reads_only",
            "It counts what is read and not what is written.",
            "S, A and O are written too.",
            value=2 * (2 * N * N + 3 * N * D),
        ),
        wrong(
            "writes_only",
            "It counts what is written and not what is read.",
            "Q, K, V, S and A are read too.",
            value=2 * (2 * N * N + N * D),
        ),
        wrong(
            "width_squared",
            "It takes d × d for the size of Q, K, V and O.",
            "They have a row for each of the n tokens: n × d.",
            value=2 * (4 * N * N + 4 * D * D),
        ),
        wrong(
            "each_pair",
            "It lets each query read all keys again, or each pair its rows.",
            "Each trip reads a matrix once: n · d numbers for Q, and for K.",
            {"value": 2 * (2 * N * N * D + 4 * N * N + 2 * N * D)},
            {"value": 2 * 4 * N * N * D},
            {"value": 2 * (N * N * D + 4 * N * N)},
            {"value": 2 * 3 * N * N * D},
            value=2 * (2 * N * N * D + 4 * N * N),
        ),
        wrong(
            "trips_partly",
            "It leaves out a trip, or a matrix, and counts the others.",
            "Q, K, S; S, A; A, V, O: eight moves of matrices in three trips.",
            {"value": 2 * (3 * N * N + 3 * N * D)},
            {"value": 2 * 3 * N * N},
            {"value": 2 * (4 * N * N + 2 * N * D)},
            {"value": 2 * (3 * N * N + 2 * N * D)},
            value=2 * (2 * N * N + 3 * N * D) + 2 * N * N,
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        TILES: "tiled",
    },
)
