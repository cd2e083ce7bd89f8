"""Exercise 3.5, the rank of the score matrix."""

from attn.exercises.checks.exercise import Exercise, settled_on, wrong

EXERCISE = Exercise(
    "3.5",
    "the rank of the score matrix",
    "How much can it say?",
    "rank",
    lambda: 64,
    settled_on(64),
    another=(
        "rank = np.linalg.matrix_rank(np.eye(100, 64) @ np.eye(200, 64).T)",
        "A smaller pair of matrices of width 64 shows it: the width decides, not the numbers of rows.",
    ),
    hints=(
        "QKᵀ is a sum of outer products. How many, and what is the rank of each?",
        "The rank of a sum is at most the sum of the ranks, and never more than the number of rows.",
        "The smallest of three numbers.",
    ),
    misconceptions=(
        wrong(
            "tokens",
            "It takes the number of tokens: a matrix of that size has that rank at most, but this one is a product.",
            "QKᵀ is the product of an n × d and a d × m matrix; all goes through d.",
            value=1000,
        ),
        wrong("keys", "It takes the number of keys.", "All goes through d features, which are fewer.", value=2000),
        wrong("model", "It takes the model's width.", "A head sees d features, not all c.", value=768),
        wrong(
            "square",
            "It multiplies d by d.",
            "A product of thin matrices has the rank of the thinner one at most.",
            value=4096,
        ),
        wrong(
            "sum",
            "It adds the ranks of Q and K.",
            "Ranks do not add up in a product: the smaller one limits.",
            value=128,
        ),
        wrong("one", "It takes the rank of a single outer product.", "There are d of them.", value=1),
        wrong(
            "less_one", "It takes one off.", "d independent features give a rank of d: nothing is lost here.", value=63
        ),
        wrong(
            "entries",
            "It counts the entries of the score matrix.",
            "The rank counts rows that are independent, not numbers.",
            value=2000000,
        ),
        wrong(
            "heads",
            "It takes the number of heads.",
            "One head of width 64 is asked about.",
            value=12,
        ),
        wrong(
            "tokens_added",
            "It adds up numbers of tokens.",
            "QKᵀ is a product of thin matrices: all goes through d features.",
            {"value": 1000 + 2000 + 64},
            value=3000,
        ),
        wrong(
            "pair",
            "It gives two numbers, the ranks of Q and of K.",
            "One number is asked for, the rank of QKᵀ.",
            value=(64, 64),
        ),
        wrong(
            "root",
            "It takes the root of the width.",
            "A root of d is the scale of the scores; their rank is not scaled.",
            value=8,
        ),
        wrong(
            "small",
            "It takes the rank of a matrix that is smaller than the one asked about.",
            "Take so many rows and columns that d is the smallest of the three numbers.",
            value=10,
        ),
        wrong(
            "axes",
            "It counts the axes of the matrix.",
            "np.ndim is the number of axes; the rank is the number of independent rows: np.linalg.matrix_rank.",
            value=2,
        ),
    ),
)
