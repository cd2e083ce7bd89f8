"""Exercise 13.4, from how many tokens on a state is smaller than a cache."""

import numpy as np

from attn import cost
from attn.exercises.catalogue.sections import ADDING, CACHE, taught
from attn.exercises.checks.exercise import Exercise, settled_on, wrong

STATE = cost.state_bytes(heads=32, head_width=128, itemsize=1)
TOKEN = cost.kv_cache_bytes(1, kv_heads=2, head_width=256, itemsize=1)
RIGHT = STATE // TOKEN

EXERCISE = Exercise(
    "13.4",
    "when a state is smaller than a cache",
    "When a linear layer pays",
    "tokens",
    lambda: RIGHT,
    settled_on(RIGHT),
    another=(
        "tokens = 32 * 128**2 / (2 * 2 * 256)",
        "A fixed number over a number a token.",
    ),
    hints=(
        "How many numbers does a linear layer keep, whatever the length, and a layer of attention for each token?",
        "32 states of 128 × 128 on one side; a key and a value of width 256, twice, on the other.",
        "A quotient of two products.",
    ),
    misconceptions=(
        wrong(
            "one_head",
            "It counts the state of one head.",
            "Each of the 32 value heads has a state of its own.",
            value=RIGHT // 32,
        ),
        wrong(
            "one_of_two",
            "It is twice what is right: keys without values, one key–value head, heads of 128 in the cache, "
            "bytes against numbers, or what one token keeps.",
            "A token keeps a key and a value in each of 2 heads, and both sides must be counted in the same unit.",
            value=2 * RIGHT,
        ),
        wrong(
            "key_heads",
            "It is half of what is right: 16 states were counted, or numbers were set against bytes.",
            "There is one state for each of the 32 value heads; and both sides must be counted in the same unit.",
            value=RIGHT // 2,
        ),
        wrong(
            "query_heads",
            "It caches all 16 query heads.",
            "Only the 2 key–value heads are kept.",
            value=RIGHT // 8,
        ),
        wrong(
            "whole_model",
            "It compares 36 linear layers with 12 of attention.",
            "The question is about one layer of each kind.",
            value=3 * RIGHT,
        ),
        wrong(
            "many_against_one",
            "It compares 36 linear layers with one of attention.",
            "The question is about one layer of each kind.",
            value=36 * RIGHT,
        ),
        wrong(
            "added_widths",
            "It adds the two widths of a state in place of multiplying them.",
            "A state is a matrix of 128 × 128 numbers.",
            value=32 * (128 + 128) // TOKEN,
        ),
        wrong(
            "four_times",
            "It is four times what is right: one key–value head was counted without its values, or 256 was taken for "
            "the width of a linear head.",
            "Two heads keep a key and a value of width 256 each; a state is 128 × 128.",
            value=4 * RIGHT,
        ),
        wrong(
            "one_more",
            "It is the first number of tokens at which the state is smaller.",
            "Asked is the number at which both are equal, one token earlier.",
            value=RIGHT + 1,
        ),
        wrong(
            "both_kinds_of_head",
            "It counts 48 states: the 16 key heads have one each, and so have the 32 value heads.",
            "Key heads are shared; there is one state for each of the 32 value heads.",
            value=3 * RIGHT // 2,
        ),
        wrong(
            "sixteen_queries_against_keys",
            "It is a quarter of what is right.",
            "One layer has 32 states, and a token costs 2 · 2 · 256 numbers.",
            value=RIGHT // 4,
        ),
        wrong(
            "layers_weighed",
            "It weighs the two kinds of layer by their numbers, 36 and 12.",
            "The question is about one layer of each kind.",
            {"value": RIGHT * 12 / 36},
            {"value": 171},
            {"value": 170},
            {"value": RIGHT * 36 / 48},
            {"value": RIGHT * 48},
            {"value": RIGHT * 12},
            value=RIGHT / 3,
        ),
        wrong(
            "state_alone",
            "It gives the size of the state, not a number of tokens.",
            "Divide the numbers of the states by those that a token adds to the cache.",
            {"value": 2 * STATE},
            {"value": 4 * STATE},
            {"value": 128 * 128},
            value=STATE,
        ),
        wrong(
            "queries_cached",
            "It counts the queries with the keys and values of a token.",
            "Queries are used once and forgotten.",
            {"value": 102},
            {"value": 103},
            {"value": STATE / (18 * 256)},
            {"value": STATE / (16 + 2 * 2) / 256},
            value=STATE / (20 * 256),
        ),
        wrong(
            "scores",
            "It sets the state against the scores, tokens times tokens.",
            "Scores are not kept; keys and values are, 2 · 2 · 256 numbers for each token.",
            {"value": 725},
            {"value": np.sqrt(STATE)},
            {"value": int(np.sqrt(STATE / 16))},
            value=724,
        ),
        wrong(
            "state_a_vector",
            "It takes a state for a vector of 128 numbers.",
            "A state is a matrix: 128 × 128.",
            {"value": 128 / 1024},
            {"value": 128 / 512},
            value=32 * 128 / TOKEN,
        ),
        wrong("one_less", "It is one token too few.", "Asked is the number at which both are equal.", value=RIGHT - 1),
        wrong(
            "ratio_upside_down",
            "It divides the other way round.",
            "How many times does what one token adds go into the states?",
            value=TOKEN / STATE,
        ),
        wrong(
            "pairs_of_heads",
            "It counts a state for each pair of a key head and a value head.",
            "There are 32 states: one for each value head.",
            value=16 * RIGHT,
        ),
        wrong(
            "all_heads_cached",
            "It caches query heads and key–value heads together, or takes 18 of them.",
            "Keys and values of 2 heads are kept.",
            {"value": STATE / (2 * 18 * 256)},
            {"value": 57},
            {"value": 56},
            value=STATE // (2 * 18 * 256) + 0.0,
        ),
    ),
)
EXERCISE = taught(
    EXERCISE,
    {
        CACHE: "query_heads all_heads_cached queries_cached",
        ADDING: "added_widths state_a_vector",
    },
)
