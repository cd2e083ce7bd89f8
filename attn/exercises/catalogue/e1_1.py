"""Exercise 1.1, shapes in attention."""

from attn.exercises.catalogue.sections import AVERAGE, SCORES, SHARES, taught
from attn.exercises.checks.exercise import Exercise, wrong


def shapes_model(*, scores=(3, 5), weights=None, output=(3, 11), whole=None):
    """The shapes of S, A and O for n = 3, m = 5, d = 7, e = 11; whole: all of the answer at once."""
    if whole:
        return whole
    return scores, scores if weights is None else weights, output


EXERCISE = Exercise(
    "1.1",
    "shapes in attention",
    "The equation, and a library",
    "shapes",
    shapes_model,
    shapes_model,
    another=(
        """\
n, m, d, e = 3, 5, 7, 11
shapes = (n, m), (n, m), (n, e)
""",
        "The letters say it for any sizes: d is in none of the three shapes.",
    ),
    hints=(
        "How many scores does one query have, and how many numbers are in its output?",
        "Read the shapes off the products: QKᵀ is (n, d) @ (d, m); "
        "the softmax changes no shape; AV is (n, m) @ (m, e).",
        "Three pairs: rows are queries in all of them; the columns are keys, keys, features of V.",
    ),
    misconceptions=(
        wrong(
            "square",
            "It makes the scores square, one row and one column for each query.",
            "A score belongs to a query and a key. Only where a sequence attends to itself are there as many of both.",
            scores=(3, 3),
        ),
        wrong(
            "square_keys",
            "It makes the scores square, one row and one column for each key.",
            "A score belongs to a query and a key: n rows, m columns.",
            scores=(5, 5),
        ),
        wrong(
            "transposed",
            "It gives the shape of KQᵀ, keys by queries.",
            "Row i belongs to query i: n rows, one for each question asked.",
            scores=(5, 3),
        ),
        wrong(
            "features",
            "It gives the shape of QᵀK, features by features.",
            "The features are what is summed over in a score, so d does not appear in its shape.",
            scores=(7, 7),
        ),
        wrong(
            "inner",
            "It takes the scores to be as wide as the queries.",
            "In (n, d) @ (d, m) the inner size d is summed away.",
            dict(scores=(3, 7), weights=(3, 5)),
            scores=(3, 7),
        ),
        wrong(
            "weights_one_row",
            "It lets the softmax reduce the scores to one number for each query.",
            "Softmax turns each row of m scores into a row of m weights: the shape stays.",
            weights=(3,),
        ),
        wrong(
            "output_keys",
            "It gives the output one row for each key.",
            "There is one output for each query: A has n rows, and so has AV.",
            output=(5, 11),
        ),
        wrong(
            "output_width_d",
            "It makes the output as wide as the queries and keys.",
            "The output is made of rows of V, so it is as wide as V: e.",
            output=(3, 7),
        ),
        wrong(
            "output_weights",
            "It gives the output the shape of the weights.",
            "Multiplying by V turns m weights into e features.",
            output=(3, 5),
        ),
        wrong(
            "inputs",
            "It gives the shapes of Q, K and V, which go in.",
            "Asked for are the scores, the weights and the output, which are made of them.",
            scores=(3, 7),
            weights=(5, 7),
            output=(5, 11),
        ),
        wrong(
            "batched",
            "It puts a batch axis of 1 in front of every shape.",
            "There is one head and one sequence here: every array has two axes.",
            scores=(1, 3, 5),
            output=(1, 3, 11),
        ),
        wrong(
            "all_transposed",
            "It gives every shape the other way round.",
            "Rows come first: one for each query, in all three.",
            whole=((5, 3), (5, 3), (11, 3)),
        ),
        wrong(
            "flat",
            "It gives six numbers in one row.",
            "Three shapes are asked for, each a pair: (rows, columns).",
            whole=(3, 5, 3, 5, 3, 11),
        ),
        wrong(
            "two_shapes",
            "It gives two shapes, where three are asked for.",
            "S and A have one shape, but both are asked for: S, A, O.",
            whole=((3, 5), (3, 11)),
        ),
        wrong(
            "order",
            "It gives the shapes in another order than S, A, O.",
            "The scores come first, the output last.",
            dict(whole=((3, 5), (3, 11), (3, 5))),
            whole=((3, 11), (3, 5), (3, 5)),
        ),
        wrong(
            "counts",
            "It gives the number of entries of each matrix.",
            "A shape is a pair: (rows, columns).",
            whole=(15, 15, 33),
        ),
        wrong(
            "weights_one_column",
            "It gives the weights one column.",
            "Softmax turns each row of m scores into a row of m weights: the shape stays.",
            dict(weights=(1, 5)),
            weights=(3, 1),
        ),
        wrong(
            "feature_axis",
            "It keeps the axis of the features in the scores.",
            "A score is a sum over the d features: they are added up, and the axis is gone.",
            dict(scores=(3, 5, 7)),
            scores=(3, 5, 7),
            weights=(3, 5),
        ),
        wrong(
            "one_query",
            "It gives the shapes of a single query and key.",
            "Here n = 3 queries meet m = 5 keys.",
            dict(whole=((1, 1), (1, 1), (1, 2))),
            dict(whole=((1, 5), (1, 5), (1, 11))),
            whole=((1, 1), (1, 1), (1, 11)),
        ),
        wrong(
            "scores_transposed",
            "It gives the scores the shape of KQᵀ, keys by queries, and the weights another.",
            "Row i belongs to query i; and the softmax changes no shape.",
            scores=(5, 3),
            weights=(3, 5),
        ),
        wrong(
            "weights_transposed",
            "It turns the weights round: keys by queries.",
            "Softmax changes no shape: the weights have a row for each query, as the scores have.",
            weights=(5, 3),
        ),
        wrong(
            "output_transposed",
            "It turns the output round: features by queries.",
            "The output has a row for each query: (n, e).",
            output=(11, 3),
        ),
        wrong(
            "output_not_summed",
            "It keeps the axis of the keys in the output.",
            "The weighted values are added up over the keys, and that axis is gone.",
            dict(output=(3, 11, 5)),
            dict(output=(5, 3, 11)),
            output=(3, 5, 11),
        ),
        wrong(
            "output_one_row",
            "It gives one output for all queries.",
            "There is an output for each query, a row of its own.",
            dict(output=(1, 11)),
            dict(output=(3,)),
            dict(output=(3, 1)),
            output=(11,),
        ),
        wrong(
            "weights_square",
            "It makes the weights square.",
            "Softmax changes no shape: the weights have a row for each query and a column for each key.",
            dict(weights=(5, 5)),
            weights=(3, 3),
        ),
        wrong(
            "weights_of_values",
            "It gives the weights the shape of the values, or of the output.",
            "Softmax changes no shape: A is n × m, as S is.",
            dict(weights=(3, 11)),
            dict(weights=(3, 7)),
            weights=(5, 11),
        ),
        wrong(
            "output_of_values",
            "It gives the output another width than that of V.",
            "AV is (n, m) @ (m, e): n rows, e columns.",
            dict(output=(7, 11)),
            dict(output=(5, 7)),
            dict(output=(3, 18)),
            dict(output=(11, 11)),
            dict(output=(11, 7)),
            output=(3, 3),
        ),
        wrong(
            "one_shape",
            "It gives one shape alone.",
            "Three are asked for: those of S, of A and of O.",
            dict(whole=(3, 5)),
            dict(whole=((3, 11),)),
            whole=(3, 11),
        ),
        wrong(
            "numbered",
            "It counts the axes, or names them, in place of giving their lengths.",
            "A shape holds lengths: (3, 5).",
            dict(whole=((2, 2), (2, 2), (2, 2))),
            whole=(2, 2, 2),
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        SCORES: "square square_keys transposed features inner feature_axis one_query scores_transposed",
        SHARES: "weights_one_row weights_one_column weights_transposed weights_square weights_of_values",
        AVERAGE: "output_keys output_width_d output_weights output_transposed output_not_summed output_one_row "
        "output_of_values",
    },
)
