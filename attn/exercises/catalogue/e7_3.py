"""Exercise 7.3, weights of one attention layer."""

import numpy as np

from attn.exercises.checks.exercise import Exercise, settled_on, wrong

EXERCISE = Exercise(
    "7.3",
    "weights of one attention layer",
    "What W_O costs",
    "weights",
    lambda: 2359296,
    settled_on(4 * 768**2),
    another=(
        "weights = 12 * (3 * 768 * 64 + 64 * 768)",
        "Counted head by head it is the same: cutting a matrix into heads changes no number of entries.",
    ),
    hints=(
        "How many matrices does one layer of attention have, and what is the shape of each?",
        "Cutting a matrix into heads does not change how many numbers it holds.",
        "Four square matrices.",
    ),
    misconceptions=(
        wrong(
            "no_output", "It leaves out W_O.", "Queries, keys, values and the mixing: four matrices.", value=3 * 768**2
        ),
        wrong(
            "times_heads",
            "It counts twelve times too many: full matrices for every head, or for other layers too.",
            "The heads share the width, each holds a twelfth of each matrix; and one layer is asked about.",
            value=12 * 4 * 768**2,
        ),
        wrong(
            "one_head",
            "It counts one head only.",
            "There are twelve heads.",
            {"value": 3 * 768 * 64},
            value=4 * 768 * 64,
        ),
        wrong(
            "head_squared",
            "It takes matrices of 64 by 64 for each head.",
            "A head reads all 768 features.",
            {"value": 64**2},
            {"value": 3 * 64**2},
            {"value": 12 * 64**2},
            value=4 * 64**2,
        ),
        wrong(
            "biases",
            "It counts biases too.",
            "Here there are none.",
            {"value": 4 * 768 * 769},
            {"value": 4 * 768**2 + 768},
            {"value": 3 * 768**2 + 3 * 768},
            {"value": 4 * 768**2 + 3 * 768},
            value=4 * 768**2 + 4 * 768,
        ),
        wrong(
            "units",
            "It counts in millions or thousands.",
            "The whole number is asked for.",
            {"value": 4 * 768**2 / 1e3},
            {"value": 2.36},
            {"value": 2.4},
            value=4 * 768**2 / 1e6,
        ),
        wrong("one_matrix", "It counts one matrix.", "There are four.", value=768**2),
        wrong(
            "bytes",
            "It gives bytes in place of numbers.",
            "Each weight counts once here.",
            {"value": 16 * 768**2},
            value=8 * 768**2,
        ),
        wrong(
            "output_one_head",
            "It counts W_O for one head only.",
            "W_O reads all 12 heads of width 64.",
            value=3 * 768**2 + 64 * 768,
        ),
        wrong(
            "vectors",
            "It counts vectors in place of matrices.",
            "A matrix from 768 to 768 features holds 768².",
            {"value": 4 * 768},
            {"value": 3 * 768},
            value=4 * 768 * 12,
        ),
        wrong(
            "attention_weights",
            "It counts attention weights in place of learned ones.",
            "What is learned are the matrices; the weights of attention are computed for each text.",
            value=12 * 1024 * 1024,
        ),
        wrong(
            "caret",
            "It writes ^ for a power.",
            "In Python ^ is exclusive or; a power is **.",
            {"value": 768 ^ 2},
            value=4 * 768 ^ 2,
        ),
        wrong(
            "not_added",
            "It lists the four matrices and does not add them up.",
            "One number is asked for.",
            {"value": np.full((4, 2), 768)},
            value=np.full(4, 768**2),
        ),
        wrong(
            "whole_block",
            "It counts the other parts of the block too.",
            "Here only the four matrices of attention count.",
            value=12 * 768**2,
        ),
        wrong(
            "overflow",
            "It computes in integers of 16 bits, which overflow.",
            "An int16 ends at 32 767; a Python int has no end.",
            value=0,
        ),
        wrong(
            "sides_added",
            "It adds rows and columns of each matrix in place of multiplying them.",
            "A matrix of 768 rows and 768 columns holds 768 · 768 numbers.",
            {"value": 2 * 768},
            {"value": 768 + 768 + 768 + 64},
            value=4 * (768 + 768),
        ),
        wrong(
            "shared_keys",
            "It counts keys and values for one head only, as in multi-query attention.",
            "GPT-2 has 12 heads of keys and values too: all four matrices are 768 × 768.",
            {"value": 768**2 + 2 * 768 * 64},
            value=2 * 768**2 + 2 * 768 * 64,
        ),
        wrong(
            "all_layers",
            "It counts 12 layers, or all of the model.",
            "One layer is asked about.",
            {"value": 85054464},
            {"value": 124439808},
            value=12 * 12 * 768**2,
        ),
        wrong(
            "twice",
            "It counts two or three matrices, or counts some twice.",
            "W_Q, W_K, W_V and W_O: four, each once.",
            {"value": 5 * 768**2},
            {"value": 6 * 768**2},
            value=2 * 768**2,
        ),
    ),
)
