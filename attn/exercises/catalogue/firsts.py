"""In your head first: a small case of an exercise as a question. Its answer is the exercise's own, never typed here."""

from typing import NamedTuple

import numpy as np

from attn import cost


class First(NamedTuple):
    """A question about a case that fits in the head.

    answer: the exercise's reference -> a number, or one of `choices`.   replies: {likely wrong guess: what to say}
    """

    question: str
    answer: object
    replies: dict
    because: str
    options: dict


def _first(question, answer, replies, because, **options):
    return First(question, answer, replies, because, options)


def _rows(*rows):
    return np.array(rows, float)


LOG2, LOG3 = np.log([2.0, 3.0])
SHAPES = ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]
HALF = ["as 120 000", "as ∞", "as 30 000"]
TWO = _rows([1, 2], [2, 1])

FIRSTS = {
    "1.1": _first(
        "One query and one key of width 1, and a value of width 2. What is the shape of the output?",
        lambda shapes: str(np.shape(_rows([1]) @ _rows([1, 1]))),
        {
            "(1, 1)": "That is the shape of the scores and of the weights.",
            "(2, 1)": "Rows are queries, and there is one.",
            "(2, 2)": "Two is the width of the values; nothing else has it.",
        },
        "A row for each query, as wide as a value.",
        choices=SHAPES,
    ),
    "1.2": _first(
        "q = [1, 0, 0, 0] looks at the keys [0, 0, 0, 0] and [2 log 3, 0, 0, 0] with the values 0 and 4. "
        "What is the output?",
        lambda f: f(np.eye(4)[0], np.eye(4)[[0, 0]] * [[0], [2 * LOG3]], _rows([0], [4]))[0],
        {
            3.6: "That is the output without the division by √4.",
            2: "So it would be with equal scores.",
            4: "The other key keeps a share.",
        },
        "The scores are 0 and log 3, the weights 1/4 and 3/4.",
    ),
    "2.1": _first(
        "X = [[1, 2]] and W_Q = [[3], [4]]. What is Q?",
        lambda f: f(_rows([1, 2]), _rows([3], [4]), _rows([0], [0]), _rows([0], [0]))[0][0, 0],
        {10: "That is 1 · 4 + 2 · 3: the pairs are crossed.", 7: "The features of X weigh the rows of W_Q."},
        "1 · 3 + 2 · 4.",
    ),
    "2.3": _first(
        "W_Q = [[1], [0]] and W_K = [[0], [1]]. Where in B is the only entry that is not zero?",
        lambda f: "row {}, column {}".format(*np.argwhere(f(_rows([1], [0]), _rows([0], [1])))[0]),
        {
            "row 1, column 0": "Then y's first feature would be met by x's second: the transpose.",
            "row 0, column 0": "The query reads the first feature, the key reads another.",
            "row 1, column 1": "The key reads the second feature, the query another.",
        },
        "The first feature of x looks for the second feature of y.",
        choices=["row 0, column 0", "row 0, column 1", "row 1, column 0", "row 1, column 1"],
    ),
    "3.1": _first(
        "The query [2, 0, 1] meets the keys [0, 1, 1] and [2, 1, 1]. What is the second score?",
        lambda f: f(_rows([2, 0, 1]), _rows([0, 1, 1], [2, 1, 1]))[0, 1],
        {1: "That is the first.", 6: "The middle features do not meet: 0 · 1 is 0.", 4: "The last features meet, too."},
        "2·2 + 0·1 + 1·1; and the first score is 1.",
    ),
    "3.2": _first(
        "Q = [[1, 2]] and K = [[3, 4]] give two terms. What is the second?",
        lambda f: f(_rows([1, 2]), _rows([3, 4]))[1, 0, 0],
        {11: "That is the sum of both, the score.", 3: "That is the first.", 6: "Feature 1 of Q meets feature 1 of K."},
        "2 · 4; with the first, 3, it adds up to the score 11.",
    ),
    "3.3": _first(
        "Q = [[1, 0, 0, 0]], K has the rows [0, 0, 0, 0] and [2 log 3, 0, 0, 0], V has the rows [0] and [4]. "
        "What is the output?",
        lambda f: f(np.eye(4)[:1], np.eye(4)[[0, 0]] * [[0], [2 * LOG3]], _rows([0], [4]))[0, 0],
        {
            3.6: "That is the output without the division by √4.",
            2: "So it would be with equal scores.",
            4: "The other key keeps a share.",
        },
        "√4 halves the second score to log 3, so the weights are 1/4 and 3/4.",
    ),
    "3.4": _first(
        "For d = 1 instead of 64: what is the standard deviation of q·k?",
        lambda spread: np.sqrt(1.0),
        {0: "The mean is 0. The product still strays."},
        "The mean square of a product of independent numbers is the product of their mean squares: 1 · 1.",
    ),
    "3.5": _first(
        "For width 1: what is the largest rank that QKᵀ can have, with 1000 queries and 2000 keys?",
        lambda rank: np.linalg.matrix_rank(np.outer(np.ones(10), np.arange(20))),
        {1000: "All rows of this QKᵀ are multiples of one row.", 0: "Only if Q or K is zero."},
        "QKᵀ is one outer product.",
        tolerance=0,
    ),
    "4.1": _first(
        "What is the first weight of the row [0, log 3]?",
        lambda f: f(_rows([0, LOG3]))[0, 0],
        {1 / 3: "That is the ratio of the two. They have to sum to one.", 0: "exp(0) is 1, not 0."},
        "The exponentials are 1 and 3. The row [1000, 1000 + log 3] has the same weights.",
    ),
    "4.2": _first(
        "The row [0, 2 log 3] at T = 2: what is the first weight?",
        lambda f: f(_rows([0, 2 * LOG3]), 2.0)[0, 0],
        {
            0.1: "That is its weight at T = 1, where the exponentials are 1 and 9.",
            1 / 82: "Divide by T, do not multiply.",
        },
        "The scores are halved: the softmax of [0, log 3].",
        digits=4,
    ),
    "4.3": _first(
        "The row [1000, 1000]: how far above 1000 is its log-sum-exp?",
        lambda f: f(_rows([1000, 1000]))[0] - 1000,
        {
            0: "There are two terms.",
            1000: "The exponentials are added, not the scores.",
            2: "The logarithm of 2 is left.",
        },
        "log(2 · exp(1000)) is 1000 + log 2.",
    ),
    "4.4": _first(
        "p = [1/2, 1/2]. What is the entry of J off the diagonal?",
        lambda f: f(_rows([0.5, 0.5])[0])[0, 1],
        {
            0.25: "What one weight gains, the other loses.",
            0: "The weights sum to one, so one cannot move alone.",
            -0.5: "It is a product of two weights.",
        },
        "−p_i p_j; and 1/4 on the diagonal.",
    ),
    "4.5": _first(
        "A = [[1/2, 1/2], [1/4, 3/4]]. What is the first entry of p?",
        lambda f: f(_rows([0.5, 0.5], [0.25, 0.75]))[0],
        {
            0.375: "That is the mean of the first column: one step from an even start.",
            0.5: "The even row is left as it is by columns that sum to one, not by rows.",
        },
        "1/3 · 1/2 + 2/3 · 1/4 = 1/3.",
    ),
    "5.1": _first(
        "The weights .5, .2 and .3 meet the values 1, 2 and 3. What is their average?",
        lambda f: f(_rows([0.5, 0.2, 0.3]), _rows([1], [2], [3]))[0, 0],
        {2: "That is the even average.", 0.6: "The weights sum to one already; nothing is divided again."},
        "0.5 · 1 + 0.2 · 2 + 0.3 · 3.",
        tolerance=0.04,
    ),
    "6.1": _first(
        "h = 2, and W_Q has 6 columns. By the root of which number are the scores of head 1 divided?",
        lambda f: 6 // 2,
        {
            6: "That is the width of both heads together.",
            2: "That is the number of heads.",
            1: "The scale is of use here.",
        },
        "Head 1 owns the columns 3, 4 and 5, so its width is 3.",
        tolerance=0,
    ),
    "6.4": _first(
        "The heads [[1], [2]] and [[3], [4]] are merged. What is the first row?",
        lambda f: str(f(np.array([[[1], [2]], [[3], [4]]]))[0].tolist()),
        {"[1, 2]": "Those are two words of one head.", "[1, 4]": "4 is the second word's.", "[4]": "Nothing is added."},
        "The first word in head 0, then the first word in head 1.",
        choices=["[1, 2]", "[1, 3]", "[1, 4]", "[4]"],
    ),
    "7.1": _first(
        "The heads [[1]] and [[2]] meet W_O = [[10], [100]]. What comes out?",
        lambda f: f(np.array([[[1.0]], [[2.0]]]), _rows([10], [100]))[0, 0],
        {120: "The rows of W_O are exchanged.", 330: "Each head has rows of W_O for itself."},
        "1 · 10 + 2 · 100.",
        tolerance=0,
    ),
    "7.3": _first(
        "Width 2 and one head of width 2: how many weights have W_Q, W_K, W_V and W_O?",
        lambda weights: cost.attention_weights(2, heads=1, head_width=2),
        {12: "Three matrices make 12. The way back is the fourth.", 4: "That is one matrix."},
        "Four matrices, 2 × 2 each.",
        tolerance=0,
    ),
    "8.4": _first(
        "The scores [5, 5] with nothing allowed. What do the weights sum to?",
        lambda f: f(_rows([5, 5]), np.array([[False, False]])).sum(),
        {1: "Every other row does. Here there is nobody to share with.", 0.5: "No key may get anything."},
        "An empty average: [0, 0].",
        tolerance=0.01,
    ),
    "9.2": _first(
        "h = 4 query heads, g = 2 groups. Which group's keys does query head 2 read?",
        lambda f: f(np.ones((4, 1, 1)), np.ones((2, 1, 1)), np.array([[[0.0]], [[1.0]]]))[2, 0, 0],
        {0: "So it is when the groups go round like a carousel. Here neighbours share."},
        "Heads 0 and 1 share group 0, heads 2 and 3 share group 1.",
        tolerance=0,
    ),
    "9.3": _first(
        "One layer, one key–value head of width 1, one token, 16 bits a number: how many bytes?",
        lambda total: cost.kv_cache_bytes(1, kv_heads=1, head_width=1),
        {2: "There is a key, and there is a value.", 32: "Those are the bits."},
        "A key and a value, two bytes each.",
        unit="bytes",
        tolerance=0,
    ),
    "9.4": _first(
        "The past is empty. Which weight has the new token's own value?",
        lambda f: f(np.array([7.0]), np.array([3.0]), np.array([1.0]), np.zeros((0, 1)), np.zeros((0, 1)))[0][0],
        {0: "The new token sees itself, too.", 0.5: "There is one key, and no other."},
        "One key takes all, whatever q says, and the output is v.",
    ),
    "10.3": _first(
        "For n = 2: the points 10 and −10 on a line are queries and keys. "
        "What is the score of the first with the second?",
        lambda f: (_rows([10], [-10]) @ _rows([10], [-10]).T)[0, 1],
        {100: "That is its score with itself.", 0: "They point in opposite directions, not at right angles."},
        "10 · (−10); and 100 with itself, which is far ahead.",
    ),
    "10.6": _first(
        "Two words, one head: cue 0.6 and 0.4, near 0.5 and 0.1, other 0.1 and 0.3, plain 0.2 and 0.2. "
        "What is the head's lift?",
        lambda f: f(*np.reshape([0.6, 0.4, 0.5, 0.1, 0.1, 0.3, 0.2, 0.2], (4, 2, 1)))[0],
        {
            0.5: "That is the weight on the cue. What does a head give that always looks in this direction?",
            0.3: "It leads other and plain by so much. It must beat near as well.",
            0.1: "So it would be with the hardest control of each word. The mean over words comes first.",
            0.267: "That is the mean of the three lifts. The hardest control decides.",
        },
        "The means are 0.5 for the cue, and 0.3, 0.2 and 0.2: near is the hardest.",
    ),
    "10.7": _first(
        "b_V = [1, 1], W_O = [[1, 2], [0, 1]], b_O = [1, 0]. What is the second entry of the one bias?",
        lambda f: f(_rows([1, 1])[0], _rows([1, 2], [0, 1]), _rows([1, 0])[0])[1],
        {
            1: "That is b_O + W_O b_V, or b_O + b_V. A row meets the rows of W_O.",
            0: "That is b_O alone. b_V reaches every output.",
        },
        "b_V W_O is [1, 3].",
    ),
    "11.1": _first(
        "The token [1, 3], with eps = 0, gain 1 and bias 0: what is its second entry then?",
        lambda f: f(_rows([1, 3]), np.ones(2), np.zeros(2), 0.0)[0, 1],
        {
            1.5: "The mean goes first: 3 becomes 1.",
            0.707: "The variance is the mean of the squares, divided by 2 and not by 1.",
            3: "It is normed, not kept.",
        },
        "Mean 2 and variance 1: [−1, 1].",
    ),
    "11.2": _first(
        "Both parts of a block return 0. What does the block make of x?",
        lambda f: "x" if (f(TWO, *[np.zeros_like] * 2, *[lambda x: x - 1] * 2) == TWO).all() else "something else",
        {
            "0": "The stream itself is not replaced.",
            "a normed x": "The norms stand before the parts, not on the stream.",
            "2x": "Nothing is added twice.",
        },
        "Each part adds what it computes, here nothing.",
        choices=["0", "x", "a normed x", "2x"],
    ),
    "12.1": _first(
        "s = [0, log 2] in blocks of 1. What is the running sum after the second block?",
        lambda f: np.exp(_rows([0, LOG2]) - LOG2).sum(),
        {
            3: "That is relative to the old maximum, 0.",
            2: "The old term, 1, must be scaled down.",
            1: "The new term is 1; something is left of the old.",
        },
        "The maximum rises to log 2, so the old sum of 1 becomes 1/2, and the new term is 1.",
    ),
    "12.2": _first(
        "(m, ℓ, o) = (0, 1, [1]) and (log 2, 1, [4]) merge. What is o?",
        lambda f: f(0.0, 1.0, np.array([1.0]), LOG2, 1.0, np.array([4.0]))[2][0],
        {
            5: "Both parts were measured from different maxima.",
            9: "That is relative to the smaller maximum.",
            3: "That would be divided by ℓ already.",
        },
        "The first is scaled by 1/2: 1/2 + 4. And ℓ is 3/2.",
    ),
    "12.4": _first(
        "Four values of 30 000 have equal weights. "
        "In which form does half precision hold their sum, before it is divided?",
        lambda f: HALF[int(4 * 30_000 > float(np.finfo(np.float16).max))],
        {HALF[0]: "The largest number in half precision is 65 504.", HALF[2]: "The average, 30 000, would fit."},
        "So the sum stays in single precision until it has been divided.",
        choices=HALF,
    ),
    "12.5": _first(
        "For n = 1 and d = 1, 16 bits a number: how many bytes move?",
        lambda total: cost.naive_bytes(1, heads=1, head_width=1),
        {
            8: "Those are the numbers. Each has two bytes.",
            12: "What is written is read again: S and A.",
            14: "Three trips: 3 numbers, 2, and 3.",
        },
        "3 + 2 + 3 numbers of two bytes.",
        unit="bytes",
        tolerance=0,
    ),
    "13.1": _first(
        "Z = [[2], [0]], k = [1, 0], v = [5] and β = ½. What is the first entry of the memory then?",
        lambda f: f(_rows([2], [0]), np.array([1.0, 0.0]), np.array([5.0]), 0.5)[0, 0],
        {
            4.5: "Half of v was added. Only half of what is missing should be.",
            5: "So it is with β = 1.",
            2.5: "That is half of v, and the old content is gone.",
        },
        "The memory says 2, so 3 is missing, and half of that is written.",
    ),
    "13.2": _first(
        "alpha = [½, ⅘, ¼, 9/10]. What is left for token 3 of what token 2 wrote?",
        lambda f: f(_rows([0.5, 0.8, 0.25, 0.9])[0])[3, 2],
        {
            0.225: "That is left of what token 1 wrote.",
            1: "That is for its own.",
            0.25: "Token 2's decay came before it wrote.",
        },
        "When token 3 comes, everything is multiplied by 9/10.",
        tolerance=0.01,
    ),
    "13.3": _first(
        "All keys are unit vectors at right angles. What is there to correct?",
        lambda f: (
            "nothing"
            if np.allclose(f(np.eye(3), np.eye(3), TWO.repeat(2, 0)[:3], np.ones(3)), TWO.repeat(2, 0)[:3])
            else "something"
        ),
        {"the last write": "No other key reads any of it.", "every write": "No key reads what another wrote."},
        "The outputs are the lower triangle of Q Kᵀ times beta[:, None] * V.",
        choices=["nothing", "the last write", "every write"],
    ),
    "13.4": _first(
        "One state of 2 × 2, and one key–value head of width 1. At how many tokens do they keep as many numbers?",
        lambda tokens: cost.state_bytes(heads=1, head_width=2) / cost.kv_cache_bytes(1, kv_heads=1, head_width=1),
        {4: "Each token brings a key and a value.", 1: "The state has four numbers."},
        "4 numbers, and 2 a token.",
        tolerance=0,
    ),
}


def question(exercise):
    """The small case of an exercise as a figure.   Exercise -> widgets.Predict, None where it has none"""
    asked = FIRSTS.get(exercise.id)
    if asked is None:
        return None
    from attn.show.widgets.predict import Predict  # a check needs no figures

    question, answer, replies, because, options = asked
    told = answer(exercise.reference)
    if isinstance(told, float):
        told = round(told, 12)  # a product's last digit depends on the processor
    return Predict(question, told, replies=replies, because=because, **options)
