"""Which causes are known in which exercises: a mistake with a name in one exercise has one in each of its sisters."""

import pytest

from attn.exercises import catalogue
from attn.exercises.catalogue.kin import SAME

CAUSES = {  # family: (exercises, causes that make sense in each of them)
    "a softmax": (
        "1.2 2.2 3.3 4.1 4.2 6.1 6.3 9.2 9.4",
        "no_softmax no_exp not_divided hard base_two base_ten sign sizes softmax_twice sigmoid mean euclidean "
        "logarithm no_shift shift_mean shift_min nan_hidden clipped epsilon",
    ),
    "of several rows": (
        "2.2 3.3 4.1 4.2 6.1 6.3 9.2",
        "over_queries over_everything keepdims keepdims_shift one_shift",
    ),
    "under a mask": (
        "8.2 8.3 8.4",
        "mask_after infinite_weights multiply plus_infinity adds_truth minus_one tiny small_negative "
        "zero_times_infinity no_mask weights_kept_raw inverted over_queries unmasked_maximum finite_fill "
        "not_divided hard base_two no_shift one_shift nan_hidden clipped epsilon",
    ),
    "a scale": (
        "1.2 2.2 2.3 3.3 6.1 6.3 9.2 9.4 12.3 12.4",
        "no_scale scale_d scale_square scale_inverse scale_times_d scale_constant whole_root",
    ),
    "three matrices": ("2.1 2.2 6.1 6.3", "queries_from_keys keys_from_queries values_from_keys roles_exchanged"),
    "an average of values": ("1.2 2.2 3.3 6.1 6.3 9.2", "returns_weights plain_mean"),
    "heads cut from columns": ("5.2 6.1 6.2 6.4 7.1", "interleaved"),
    "heads in order": ("5.2 6.1 6.2 6.3 6.4 7.1 9.1", "reversed"),
    "all heads": ("5.2 6.2 6.4 7.1", "last_left_out"),
    "no bare reshape": ("5.2 6.1 6.2 6.3 6.4 7.1", "reshape_only"),
    "a running sum": (
        "12.1 12.3 12.4",
        "no_rescale no_rescale_sum no_rescale_average short_block_lost first_block last_block",
    ),
    "bytes": ("9.3 12.5", "units"),
}
ALSO = {  # one cause under the name that an exercise has for it
    "interleaved": {"interleaved_rows", "interleaved_columns"},
    "reversed": {"reversed_rows"},
    "reshape_only": {"reshaped_columns", "split_reshape", "merge_reshape"},
    "roles_exchanged": {"swapped", "matrices_exchanged"},
    "values_from_keys": {"averages_keys"},
    "first_block": {"first_block"},
}
SENSELESS = {  # cells without a mark, and why
    ("9.2", "keepdims"): "with heads in front the shapes rarely meet",
    ("9.2", "keepdims_shift"): "the same",
}
CELLS = [
    (family, id, cause)
    for family, (ids, causes) in CAUSES.items()
    for id in ids.split()
    for cause in causes.split()
    if (id, cause) not in SENSELESS
]


@pytest.mark.parametrize("family", CAUSES)
def test_every_marked_cell_has_a_name_and_a_variant(family):
    missing = []
    for _, id, cause in (cell for cell in CELLS if cell[0] == family):
        names = {cause} | SAME.get(cause, set()) | ALSO.get(cause, set())
        known = {m.id: m for m in catalogue.find(id).misconceptions}
        if not any(known[name].variants for name in names & known.keys()):
            missing.append((id, cause))
    assert not missing, missing


def test_the_table_has_hundreds_of_cells():
    assert len(CELLS) > 300
