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
            "It takes the spread of one product for the spread of their sum.",
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
        wrong("squared", "It squares the variance.", "Variances add up once: 64, and a root follows.", value=4096.0),
        wrong(
            "fourth_root",
            "It takes the root once too often.",
            "One root leads from variance to standard deviation.",
            value=np.sqrt(8.0),
        ),
        wrong("halved", "It halves d first.", "All 64 products count.", {"value": 32.0}, value=np.sqrt(32.0)),
    ),
)
