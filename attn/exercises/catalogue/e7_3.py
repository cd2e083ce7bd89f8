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
            "It counts full matrices for every head.",
            "The heads share the width: each holds a twelfth of each matrix.",
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
            value=4 * 64**2,
        ),
        wrong("biases", "It counts biases too.", "Here there are none.", value=4 * 768**2 + 4 * 768),
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
    ),
)
