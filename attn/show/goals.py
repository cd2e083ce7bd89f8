"""The playground's challenges in words; js/goals.js knows when each is reached."""

GOALS = {  # name: (what to do, a hint, why it matters)
    "sink": (
        "Every token attends to the first one.",
        "One key must stand above all others for every query. A preset does it.",
        "One key that agrees with every query is enough. Trained models park attention they do not need "
        "on the first token: an attention sink.",
    ),
    "average": (
        "Every token averages all tokens up to itself, evenly.",
        "Causal mask; then make all scores of a row alike.",
        "Equal scores make equal weights, whatever their size. The causal mask decides over how many: 1, 2, 3, …",
    ),
    "back": (
        "Every token attends to the token two back, without painting a mask.",
        "Start from the previous-token head and hand every query to the next token.",
        "A query is a description of a place. Shifting Q by one row shifts every row of weights: "
        "positions are just vectors that can be matched.",
    ),
    "next": (
        "A head no causal model can have: every token attends to the next one.",
        "In the self head, no mask is on. What if every key carried the place of the token before its own?",
        "The next token is what a causal model is asked to predict. A head that reads it would read the "
        "answer: the mask forbids exactly these weights.",
    ),
    "induction": (
        "Build an induction head: under a causal mask, every repeated token attends to what followed its "
        "last copy. The preset does not count: its first key is set by hand.",
        "Start from the same-token head. What if every key carried the token before its own? Then set the causal mask.",
        "Matching the current token against the token before each key finds what came next last time. In "
        "a trained model an earlier head writes the previous token into each key's vector.",
    ),
    "partners": (
        "Partners: every token attends to one other token, which attends back.",
        "With every word there twice, the same-token head looks at both copies. Paint the diagonal away.",
        "Softmax shares out what is left: forbid the token itself and its copy gets everything.",
    ),
    "nothing": (
        "One token sees nothing at all, and no other row suffers.",
        "Paint a row of the mask empty, cell by cell.",
        "There is no average of nothing. Here the row is all zeros; other libraries answer NaN or the "
        "mean of all values, which is why masks are a common source of bugs.",
    ),
    "documents": (
        "Two documents in one row: no weight between the first half and the second, and inside each half "
        "every token sees all tokens up to itself.",
        "Start from a causal mask and few differences between scores; then paint the block below.",
        "Several short texts are trained in one row to waste no place. The mask keeps them apart: block-"
        "diagonal, and causal inside the blocks.",
    ),
    "rank": (
        "Weights of full rank from scores of rank at most 4, with no mask.",
        "Which pattern has full rank, one 1 in each row and column?",
        "Q Kᵀ has at most the rank of its width. The exponential is taken entry by entry, and that can "
        "raise the rank to anything.",
    ),
    "melt": (
        "Undecided: every row almost even, no mask, though the scores have rank 2 or more.",
        "Leave Q and K alone. Two sliders can do it.",
        "A high temperature, or a small scale, shrinks the differences between scores, and softmax sees "
        "nothing but differences.",
    ),
}
