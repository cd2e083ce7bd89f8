# ruff: noqa
"""Wrong answers to 13.4; each docstring is the diagnosis on record."""

VALUES = {
    "hand_1": (128 * 128 // 1024, "one_head"),
    "hand_2": (32 * 128 * 128 // (2 * 256), "one_of_two"),
    "hand_3": (16 * 128 * 128 // 1024, "key_heads"),
    "hand_4": (32 * 128 * 128 // (2 * 16 * 256), "query_heads"),
    "hand_5": (2 * 32 * 128 * 128 // 1024, "one_of_two"),
    "hand_6": (36 * 32 * 128 * 128 // (12 * 1024), "whole_model"),
    "hand_7": (36 * 512, "many_against_one"),
    "hand_8": (32 * 256 // 1024, "added_widths"),
    "hand_9": (32 * 128 * 128 // 256, "four_times"),
    "hand_11": (32 * 128 * 128 // 1024 + 1, "one_more"),
    "hand_12": ((16 + 32) * 128 * 128 // 1024, "both_kinds_of_head"),
    "hand_10": (524_288, "state_alone"),
}
