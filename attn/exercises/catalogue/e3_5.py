"""Exercise 3.5, the rank of the score matrix."""

from attn.exercises.checks.exercise import Exercise, settled_on, wrong

EXERCISE = Exercise(
    "3.5",
    "the rank of the score matrix",
    "Rank at most d",
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
    ),
)
