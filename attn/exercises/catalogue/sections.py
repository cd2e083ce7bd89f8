"""Sections of the book that teach what a mistake got wrong, for mistakes that another exercise's section cures better.

A section is (chapter, heading). A test finds each in its chapter, and on its page.
"""

from dataclasses import replace

SCORES = 1, "Scores: every query meets every key"
ROOT = 1, "Scaling: divide by the root of the width"
SHARES = 1, "Softmax: each row becomes shares"
AVERAGE = 1, "Values: the weighted average"
ROLES = 2, "Three projections"
FEWER = 2, "Why three? Try fewer"
PRODUCT = 3, "One entry, one dot product"
WHY_ROOT = 3, "Why √d"
DEMANDS = 4, "Three demands on a row"
SIMPLEX = 4, "Where the rows live"
STABILITY = 4, "Stability"
TEMPERATURE = 4, "Temperature"
APART = 6, "What one head cannot do"
COLUMNS = 6, "Block columns"
SPLIT = 6, "Split and merge"
SEVERAL = 6, "Several heads at once"
RESHAPE = 6, "The reshape that looks right"
MIXED = 7, "Side by side is not yet together"
WRITTEN = 7, "A sum over heads"
BUS = 7, "The bus"
FORBIDDEN = 8, "Forbid before you share"
CAUSAL = 8, "The causal mask"
EMPTY = 8, "Rows with nothing allowed"
HIDDEN = 8, "What is hidden must stay hidden"
CORNER = 8, "Which corner?"
WINDOW = 8, "A window"
CACHE = 9, "The size of a cache"
REPEAT = 9, "Two orders"
BY_HAND = 10, "Heads made by hand"
NORM = 11, "Layer norm"
PLUS = 11, "What the plus signs do"
MERGE = 12, "One merge"
TILES = 12, "Once: tiles of one processor"
ADDING = 13, "Writing by adding"
CORRECTING = 13, "Writing by correcting"
FADING = 13, "Correcting forgets"

SOFTMAX = {  # the families of attn.exercises.catalogue.kin
    SHARES: "no_softmax not_divided mean euclidean softmax_twice whole_scores "
    "over_queries columns over_everything whole_matrix keepdims",
    DEMANDS: "no_exp sign sizes absolute squares sigmoid softplus",
    SIMPLEX: "hard logarithm best_two",
    TEMPERATURE: "base_two base_ten double spread_to_one divided_by_maximum",
    STABILITY: "no_shift one_shift one_maximum shift_mean shift_min shift_size shift_in_numerator shift_below_only "
    "column_shift keepdims_shift nan_hidden clipped epsilon",
    PRODUCT: "keys_first",
    CAUSAL: "causal",
}
MASKED = {
    SHARES: "not_divided mean euclidean softmax_twice weights_kept_raw over_queries columns over_everything",
    SIMPLEX: "hard logarithm",
    TEMPERATURE: "base_two base_ten",
    STABILITY: "no_shift one_shift one_maximum nan_hidden clipped shift_min",
    FORBIDDEN: "mask_after after infinite_weights multiply multiplies plus_infinity adds_truth minus_one tiny "
    "small_negative leaks zero_times_infinity",
    EMPTY: "finite_fill",
}
SCALED = {
    WHY_ROOT: "no_scale scale_d scale_model scale_tokens scale_values scale_length scale_block scale_after scale_twice "
    "scale_square scale_half scale_inverse scale_times_d scale_constant whole_root",
}
READ = {
    ROLES: "roles_exchanged keys_from_queries queries_from_keys values_from_keys values_from_queries "
    "values_not_projected",
    AVERAGE: "softmax_last returns_weights weights_transposed plain_mean divided_again",
}


def taught(exercise, sections, family=False):
    """An exercise whose mistakes name the section that teaches them.

    sections: {section: "ids of mistakes"}.   family: mistakes of many exercises, of which this one has some.
    """
    place = {id: section for section, ids in sections.items() for id in ids.split()}
    if not family and (unknown := place.keys() - {m.id for m in exercise.misconceptions}):
        raise ValueError(f"{exercise.id} has no mistake {', '.join(sorted(unknown))}")
    named = tuple(replace(m, place=place.get(m.id, m.place)) for m in exercise.misconceptions)
    return replace(exercise, misconceptions=named)
