"""Exercise 9.3, bytes in a key–value cache."""

from attn import cost
from attn.exercises.checks.exercise import Exercise, settled_on, wrong

RIGHT = cost.kv_cache_bytes(8192, kv_heads=8, head_width=128, layers=80)


EXERCISE = Exercise(
    "9.3",
    "bytes in a key–value cache",
    "The size of a cache",
    "cache_bytes",
    lambda: RIGHT,
    settled_on(RIGHT),
    another=(
        "cache_bytes = 80 * 8192 * (2 * 8 * 128) * 2",
        "Layers, tokens, numbers a token, bytes a number: each factor is something that one may save.",
    ),
    hints=(
        "What is kept for each token, in each layer, and how many numbers is that?",
        "A key and a value for every key–value head; then times layers, times tokens, times bytes a number.",
        "A product of six factors.",
    ),
    misconceptions=(
        wrong(
            "half",
            "It is half of what is right: keys or values were counted, not both, or numbers in place of bytes.",
            "Both keys and values are kept, and each number of 16 bits takes 2 bytes.",
            value=RIGHT // 2,
        ),
        wrong(
            "eightfold",
            "It is 8 times what is right: query heads were counted "
            "in place of key–value heads, or bits in place of bytes.",
            "Queries are not kept; keys and values exist once for each of the 8 groups. 16 bits are 2 bytes.",
            value=RIGHT * 8,
        ),
        wrong(
            "model_width",
            "It is 64 times what is right: 8192 stands where a head's width belongs, or bits were counted too.",
            "Eight key–value heads of width 128 are kept, and 16 bits are 2 bytes.",
            value=RIGHT * 64,
        ),
        wrong(
            "fourfold",
            "It is 4 times what is right: 64 query heads were counted, and keys alone or numbers in place of bytes.",
            "Keys and values exist once for each of the 8 groups, and 16 bits are 2 bytes.",
            value=RIGHT * 4,
        ),
        wrong("one_layer", "It counts one layer.", "Each of the 80 layers has a cache of its own.", value=RIGHT // 80),
        wrong(
            "quarter",
            "It is a quarter of what is right: keys alone were counted, and numbers in place of bytes.",
            "A key and a value, 2 bytes for each number.",
            value=RIGHT // 4,
        ),
        wrong(
            "four_bytes",
            "It is twice what is right: 4 bytes were taken for a number, or a factor of 2 was counted twice.",
            "16 bits are 2 bytes; keys and values are 2 for each token, once.",
            value=RIGHT * 2,
        ),
        wrong("one_token", "It counts one token.", "Every token of the 8192 is kept.", value=RIGHT // 8192),
        wrong(
            "one_head",
            "It counts one key–value head, or divides by 8 once more.",
            "There are 8 key–value heads, and 16 bits are 2 bytes.",
            value=RIGHT // 8,
        ),
        wrong(
            "units",
            "It gives another unit in place of bytes.",
            "A plain number of bytes is asked for: no kilobytes, megabytes or gigabytes.",
            *({"value": RIGHT / 1024**k} for k in (1, 2)),
            *({"value": RIGHT / 1000**k} for k in (1, 2, 3)),
            value=RIGHT / 1024**3,
        ),
        wrong("no_width", "It leaves out the width of a head.", "A key holds 128 numbers.", value=RIGHT // 128),
        wrong(
            "both_heads",
            "It adds query heads to key–value heads.",
            "Only keys and values are kept, 8 heads of each.",
            value=80 * 2 * (64 + 8) * 128 * 8192 * 2,
        ),
        wrong(
            "scores",
            "It counts scores, tokens times tokens.",
            "Scores are not kept; keys and values are.",
            {"value": 80 * 64 * 8192 * 8192 * 2},
            value=80 * 8 * 8192 * 8192 * 2,
        ),
        wrong(
            "with_queries",
            "It keeps the queries too.",
            "A query is used once, by its own token; only keys and values are kept.",
            value=RIGHT * 3 // 2,
        ),
        wrong(
            "thousands",
            "It takes 8000 for 8192.",
            "All 8192 tokens are kept.",
            value=RIGHT // 8192 * 8000,
        ),
        wrong(
            "queries_too",
            "It adds the queries, 64 heads of them, to what is kept.",
            "Queries are used once and forgotten: keys and values of 8 heads are kept.",
            value=80 * (64 + 8 + 8) * 128 * 8192 * 2,
        ),
        wrong(
            "one_side_shared",
            "It counts 8 heads of keys and 64 of values, or the reverse.",
            "Keys and values are shared alike: 8 heads of each.",
            {"value": 80 * (64 + 8) * 128 * 8192},
            value=80 * (8 + 64) * 128 * 8192 * 2,
        ),
        wrong(
            "heads_divided",
            "It divides by the number of heads or of groups once more.",
            "Each of the 8 key–value heads is 128 wide.",
            {"value": RIGHT // 16},
            {"value": RIGHT * 2 // 64},
            value=RIGHT // 64,
        ),
        wrong(
            "added",
            "It adds the sizes in place of multiplying them.",
            "Layers × 2 × heads × width × tokens × bytes: every size multiplies.",
            value=80 + 8 + 128 + 8192 + 2,
        ),
    ),
)
