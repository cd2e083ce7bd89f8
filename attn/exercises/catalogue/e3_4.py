"""Exercise 3.4, the spread of a score."""

import numpy as np

from attn.exercises.checks.exercise import Exercise, settled_on, wrong

EXERCISE = Exercise(
    "3.4",
    "the spread of a score",
    "Why √d",
    "spread",
    lambda: 8.0,
    settled_on(8.0),
    another=(
        "spread = np.sqrt(sum(1.0 for feature in range(64)))",
        "Variances of independent terms add up, one by one; the root comes last.",
    ),
    hints=(
        "What is the variance of one product of two independent numbers with mean 0 and variance 1?",
        "Variances of independent terms add up. The standard deviation is the root of their sum.",
        "A root of the number of terms.",
    ),
    misconceptions=(
        wrong(
            "variance",
            "It gives the variance in place of the standard deviation.",
            "64 products of variance 1 sum to a variance of 64; the standard deviation is its root.",
            value=64.0,
        ),
        wrong(
            "one",
            "It gives 1: the spread of one product alone, or of the score once it is divided by √d.",
            "Each product has variance 1, and there are 64 of them.",
            value=1.0,
        ),
        wrong(
            "inverse",
            "It gives the factor that repairs the spread, not the spread itself.",
            "Scores are divided by the standard deviation: this is its inverse.",
            value=1 / 8,
        ),
        wrong(
            "both_factors",
            "It counts the variances of q and of k for each product and adds them.",
            "The variance of a product of independent numbers with mean 0 is the product of the variances, 1·1.",
            value=np.sqrt(128.0),
        ),
        wrong(
            "variances_of_both",
            "It adds the variances of q and of k, and takes no root.",
            "Each product has variance 1 · 1; the 64 of them add up, and the standard deviation is the root.",
            value=128.0,
        ),
        wrong("squared", "It squares the variance.", "Variances add up once: 64, and a root follows.", value=4096.0),
        wrong(
            "fourth_root",
            "It takes the root once too often.",
            "One root leads from variance to standard deviation.",
            value=np.sqrt(8.0),
        ),
        wrong("halved", "It halves d first.", "All 64 products count.", {"value": 32.0}, value=np.sqrt(32.0)),
        wrong(
            "logarithm",
            "It takes a logarithm in place of a root.",
            "A standard deviation is the root of a variance.",
            {"value": np.log(64.0)},
            {"value": np.log10(64.0)},
            value=6.0,
        ),
        wrong(
            "with_mean",
            "It gives the mean too.",
            "One number is asked for, the standard deviation.",
            {"value": (8.0, 0.0)},
            value=(0.0, 8.0),
        ),
        wrong(
            "mean_of_terms",
            "It takes the mean of the 64 products in place of their sum.",
            "A score adds its products up and does not divide by their number.",
            value=1 / 64,
        ),
        wrong(
            "one_less",
            "It counts one term too few.",
            "The score is the sum of all 64 products; nothing is estimated from a sample here.",
            {"value": np.sqrt(64 * 64 / 63)},
            {"value": np.sqrt(64 / 63)},
            {"value": 63.0},
            value=np.sqrt(63.0),
        ),
        wrong(
            "negative",
            "It takes the negative root.",
            "A spread is never negative.",
            value=-8.0,
        ),
        wrong(
            "doubled",
            "It counts the deviation of q and that of k and adds them.",
            "Each product of the two has variance 1; 64 of them make a variance of 64, whose root is asked for.",
            value=16.0,
        ),
        wrong(
            "zero",
            "It gives the mean of a score, which is 0.",
            "Asked for is how far scores lie from it: their standard deviation.",
            value=0.0,
        ),
        wrong(
            "mean_size",
            "It gives the mean size of a score, the mean of |q·k|.",
            "The standard deviation is the root of the mean square; the mean size is smaller.",
            {"value": 64 * 2 / np.pi},
            {"value": np.sqrt(64.0) * 2 / np.pi},
            value=np.sqrt(2 / np.pi) * 8,
        ),
        wrong(
            "one_more",
            "It counts one term too many.",
            "The score is the sum of 64 products.",
            {"value": 65.0},
            value=np.sqrt(65.0),
        ),
        wrong(
            "other_root",
            "It takes another root than the square root.",
            "A standard deviation is the square root of a variance.",
            {"value": 2.0},
            value=4.0,
        ),
        wrong(
            "scaled_twice",
            "It divides by another root than asked, or by a power of d.",
            "Nothing is divided: the standard deviation of the sum itself is asked for.",
            {"value": 1 / 64**2},
            {"value": 0.5},
            {"value": 2 / 8},
            {"value": 1 / np.sqrt(8)},
            value=1 / 512,
        ),
    ),
)
