"""Still figures and the words they are told in."""

import re
import subprocess
import sys

import numpy as np
import pytest
from worked import HOSTILE, TOKENS, WEIGHTS, X

pytest.importorskip("matplotlib")

from matplotlib.colors import to_rgb
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from attn.show import figures
from attn.show.kit import text
from attn.show.still import panels, planes
from attn.show.still.curves import spread
from attn.show.still.lines import VEIL


@pytest.mark.parametrize(
    ("x", "told"),
    [
        (2, "2"),
        (-2.0, "−2"),
        (-0.0, "0"),
        (0.07, "0.070"),
        (0.0625, "0.063"),  # a tie goes away from zero, as in JavaScript
        (-0.0625, "−0.063"),
        (1 - 1e-12, "1"),
        (0.0004, "4.0e−4"),
        (123456.0, "1.2e5"),
        (None, "−∞"),
        (-np.inf, "−∞"),
    ],
)
def test_a_number_is_written_by_one_rule(x, told):
    assert text.number(x) == told


def test_a_small_weight_is_not_told_as_no_weight():
    assert text.number(1e-7) != text.number(0)


@pytest.mark.parametrize("token", HOSTILE)
def test_a_label_is_one_short_visible_line(token):
    shown = text.label(token)
    assert 0 < len(shown) <= text.LONGEST
    assert not set(shown) & set("\n\t\x00\u202e\u2028")


def test_right_to_left_names_are_isolated_and_others_left_alone():
    assert text.quoted("שלום") == "“\u2068שלום\u2069”"
    assert text.quoted("love") == "“love”"


def test_a_long_vector_and_a_long_product_leave_out_their_middle():
    assert text.vector(range(40)) == "(0, 1, 2, 3, 4, …, 38, 39)"
    assert text.products(range(40), range(40)) == "0·0 + 1·1 + 2·2 + 3·3 + … + 39·39"
    assert text.products([1, -2], [3, -4]) == "1·3 + (−2)·(−4)"


def test_a_table_has_headers_and_no_markup_from_names():
    shown = text.table("X", X, ["<b>", "love", "AI"])
    assert shown.count('<th scope="row">') == 3
    assert shown.count('<th scope="col">') == 4
    assert "<b>" not in shown


def test_a_heatmap_says_where_each_row_is_largest():
    plot = figures.heatmap(WEIGHTS, TOKENS, name="A")
    assert "row “I” is largest at “love” (0.707), smallest at “I” (0.070)" in plot.alt
    assert "row “love” is even at 0.333" in plot.alt
    assert repr(plot) == plot.alt


def test_a_large_heatmap_says_its_peak():
    values = np.zeros((9, 9))
    values[4, 7] = 1
    assert figures.heatmap(values).alt == "A, 9×9: largest 1 at row “r5”, column “r8”."


def test_bars_say_their_numbers():
    assert figures.bars([1, -2], ["a", "b"]).alt == "values: (1, −2); largest at “a” (1), smallest at “b” (−2)."


def rungs(values=((100, 100), (50, np.nan), (-25, 120)), ends=(0, 100)):
    panel = dict(zip(["all open", "one closed", "exchanged"], values, strict=True))
    return figures.ladder({"layer 0": panel}, ["first", "bank"], ends=ends, title="Left, of 100")


def test_a_ladder_says_what_is_left_on_every_rung():
    plot = rungs()
    assert plot.alt == "Left, of 100 (first, bank): all open 100, 100; one closed 50, –; exchanged −25, 120."
    ladder, key = plot.pictures
    assert "50 · –" in ladder and ladder.count("<circle") == 3  # a circle for each number of the first list
    assert re.findall(r'cx="([-\d.]+)"', ladder) == ["280.0", "140.0", "-70.0"]  # 280 pixels from rail to rail
    assert re.findall(r'd="M([\d.]+) \d+m0 -9l9', ladder) == ["280.0", "336.0"]  # nothing where nothing was measured
    assert ">first<" in key and ">bank<" in key
    assert re.findall(r'cx="([-\d.]+)"', rungs(ends=(-100, 100)).pictures[0]) == ["280.0", "210.0", "105.0"]


def test_an_arrow_leads_from_where_a_mark_stood():
    now, was = {"here": {"moved": [50, 0]}}, {"here": {"moved": [0, 100]}}
    plot = figures.ladder(now, ["first", "bank"], before=was, title="Moved")
    assert plot.alt == "Moved (first, bank): moved 50, 0, from 0, 100."
    arrows = re.findall(r'd="M([\d.]+) \d+H([\d.]+)m(-?[\d.]+) -3l', plot.pictures[0])
    assert arrows == [("0.0", "140.0", "-6.0"), ("280.0", "0.0", "6.0")]  # each tip lies behind its end


def test_a_joined_ladder_leads_each_mark_to_the_rung_below():
    plot = figures.ladder({"here": {"was": [0, 50], "is": [50, 100]}}, ["first", "bank"], joined=True, title="Climbs")
    ways = re.findall(r'd="M([\d.]+) \d+L([\d.]+) \d+" fill="none"', plot.pictures[0])
    assert ways == [("0.0", "140.0"), ("140.0", "280.0")]  # a line for each list, from rung to rung
    numbers = [float(x) for x in re.findall(r'<text font-weight="600" x="([\d.]+)"', plot.pictures[0])]
    assert len(numbers) == 2 and max(numbers) < 60  # left, beside the rung's name: no line crosses them
    assert 'fill="none"' not in rungs().pictures[0]


def test_no_mark_of_a_joined_ladder_hides_another():
    panels = {"here": {"apart": [0, 50], "alike": [98, 99]}}
    drawn = figures.ladder(panels, ["first", "bank"], joined=True, title="Climbs").pictures[0]
    disc = [float(y) for y in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)"', drawn)]
    rhomb = [float(y) for y in re.findall(r'd="M[\d.]+ ([\d.]+)m0 -9l9', drawn)]
    assert [b - a for a, b in zip(disc, rhomb, strict=True)] == [0, 24]  # one above the rung, the other below it


def floors(values=((50, 20), (-4, 0)), control=((2, 0), (0, 1))):
    return figures.tower(
        {"bank": values}, {"bank": control}, ["heads", "feed-forward"], ["seen", "control"], title="Enters"
    )


def test_a_tower_says_what_enters_in_each_layer_and_how_little_the_control_does():
    plot = floors()
    assert plot.alt == (
        "Enters (heads, feed-forward): bank, layer 0: 50 and 20; bank, layer 1: −4 and 0. control: at most 2."
    )
    drawn, key = plot.pictures
    assert ">control<" in key
    widths = [float(x) for x in re.findall(r'width="([\d.]+)" height="14"', drawn)]
    assert widths[0] / widths[1] == 2.5 and widths[2:] == [1.5, 1.5]  # nothing, and less than nothing, is a line
    control = r'height="9"[^>]*/><g font-size="10.5"><text [^>]*>([^<]*)<'
    assert re.findall(control, drawn) == ["2", "0", "0", "1"]  # each has its bar and its number
    first, second = (float(re.search(rf'y="([\d.]+)"[^>]*>layer {i}<', drawn)[1]) for i in (0, 1))
    assert first > second  # the row comes in from below


def test_answers_balance_where_their_average_lies():
    plot = figures.balance([-2, 1, 2], [0.5, 0.25, 0.25], ["a", "b", "c"], ("left", "right"))
    assert plot.alt == "From left to right: a at -2.00 weighs 0.50; b at 1.00 weighs 0.25; c at 2.00 weighs 0.25; " + (
        "merged at -0.25."
    )
    assert "M136.9 51.0" in plot._repr_html_()  # the star's tip: 150 − 105 · 0.25 / 2


def test_a_stream_says_what_is_added_to_it():
    plot = figures.wiring([("norm", "attention"), ("norm",)], ("X", "Y", "Z"))
    assert plot.alt == (
        "A stream starts as X; Y is the sum before it and norm, then attention of a copy; "
        "Z is the sum before it and norm of a copy."
    )
    assert plot._repr_html_().count("<rect") == 3 and plot._repr_html_().count("<circle") == 2
    lanes = figures.wiring([("norm", "attention")], ("X", "Y"), rows=("a", "b"), across=("attention",))
    assert lanes.alt == (
        "2 lines, a, b: each starts as X; Y is the sum before it and norm, then attention of a copy. "
        "Only attention reads all lines."
    )
    drawn = lanes._repr_html_()  # a norm for each line, one attention for both
    assert drawn.count(">norm<") == 2 and drawn.count(">attention<") == 1 and drawn.count("<circle") == 2
    (alone,) = figures.wiring([("attention",)], ("X", "Y"), rows=("a",), across=("attention",)).alt.splitlines()
    assert alone.startswith("The line of a starts as X; ") and alone.endswith("Only attention reads other lines too.")
    with pytest.raises(ValueError, match="2 branches have 3 states"):
        figures.wiring([("a",), ("b",)], ("X", "Y"))


def test_tiles_say_what_their_rows_and_columns_are():
    plot = figures.tiles({"R": np.eye(2)}, legend="down: pairs of words")
    assert plot.alt == "R, 2×2, from 0 to 1. down: pairs of words."
    assert ">down: pairs of words</text>" in plot._repr_html_()
    assert figures.tiles({"R": np.eye(2)}).alt == "R, 2×2, from 0 to 1."


def test_a_key_shows_a_row_of_shades_for_each_kind_of_tile():
    plain, both = ({"A": np.eye(2)}, {"W": -np.eye(2), "A": np.eye(2)})
    plots = [figures.tiles(drawn, key=key) for drawn, key in ((plain, False), (plain, True), (both, True))]
    assert [len(plot.pictures) for plot in plots] == [1, 3, 5]
    assert ">0</text>" in plots[1].pictures[-1] and ">−</text>" in plots[2].pictures[-1]


def test_a_bus_says_what_is_carried_and_who_votes():
    moves = [("a note", 0, 1), ("the note, found", 1, 3)]
    plot = figures.bus([*"RORS"], moves, {"1.0": 2.0, "1.1": -1.0}, title="votes for O")
    assert plot.alt == (
        "4 lines of the stream, R O R S. Carried from R at 0 to O at 1: a note; "
        "from O at 1 to S at 3: the note, found. votes for O: 1.0 2, 1.1 −1."
    )
    drawn = plot._repr_html_()
    assert drawn.count('opacity=".35"') == 1  # the line that nobody reads or writes
    bars = re.findall(r'width="([\d.]+)" height="13" fill="(#\w+)"', drawn)
    assert bars == [("64.0", "#7a6bb5"), ("32.0", "#d98324")]  # as long as the votes, and of their signs
    assert "M32 " in drawn and "H96" in drawn  # the second arrow goes from place 1 to place 3
    lines, votes = figures.bus([*"RORS"], moves, {"1.0": 2.0, "1.1": -1.0}, title="votes for O", apart=True).pictures
    assert "votes for O" not in re.sub("<title>.*</title>", "", lines) and votes.count('height="13"') == 2
    long = figures.bus([*"RORS"], moves, {"L1·H0": 2.0, "L1·H1": -1.0}, title="votes for O").pictures[0]
    name, bar = (float(re.search(pattern, long)[1]) for pattern in (r'x="(\S+)"[^>]*>L1·H0<', r'x="(\S+)" [^>]*="13"'))
    assert bar - name > 0.56 * 12.5 * len("L1·H0")  # no bar begins under a name
    silent = figures.bus([*"RORS"], moves[:1], {}, title="votes for O")  # before anybody votes
    assert len(silent.pictures) == 1 and silent.alt.endswith("at 1: a note.")
    assert float(re.search(r'viewBox="-16 \S+ (\d+) ', silent.pictures[0])[1]) > 3 * 32 + 16  # all four lines, whole
    marked = figures.bus([*"RORS"], moves, {"1.0": 2.0}, title="votes", step=50, marks={3: "now"}, tones=("red",))
    drawn = marked._repr_html_()
    assert re.findall(r'<circle cx="(\d+)" cy="-?\d+" r="5" fill="(\S+)"', drawn) == [("0", "red"), ("50", "#7a6bb5")]
    assert re.search(r'x="150.0" y="34.0"[^>]*>now<', drawn)
    with pytest.raises(ValueError, match="places 0 to 3"):
        figures.bus([*"RORS"], [("a note", 0, 4)], {"1.0": 2.0}, title="votes")


def test_a_fan_says_where_its_arrows_end():
    plot = figures.fans({"near": {"q": (0, 1), "k": (0.6, 0.8)}, "far": {"q": (0, 1), "k": (-1, 0)}})
    assert plot.alt == "near: q ends at (0, 1), k ends at (0.600, 0.800); far: q ends at (0, 1), k ends at (−1, 0)."
    near, far = plot.pictures
    assert "M0 0L156.0 -208.0M" in near and "M0 0L-260.0 -0.0M" in far
    swung = figures.fans({"turned": {"q": (0, 1), "k": ((0, 1), (1, 0))}}, {"k": ("k 0.5", "8 × 0.2")})
    assert swung.alt == "turned: q ends at (0, 1), k ends at (1, 0) (turned by 8 × 0.2; before, k 0.5)."
    drawn = swung.pictures[0]
    assert drawn.count("M0 0L0.0 -260.0M") == 2  # the query, and the key where it stood
    assert ">k 0.5<" in drawn and ">8 × 0.2<" in drawn
    assert "A135.2 135.2 0 0 1 135.2 -0.0" in drawn  # a quarter turn, clockwise
    leaning = {"q": (0, 1), "k": ((-1, 1), (1, 1))}
    (drawn,) = figures.fans({"turned": leaning}, {"k": ("k 0.5", "8 × 0.2")}).pictures
    ((x, y),) = re.findall(r'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>q<', drawn)
    assert float(x) < float(y) < 0  # left of the pale arrow, which at half the query's height is as far to the left
    with pytest.raises(ValueError, match="k of near must lie in the plane"):
        figures.fans({"near": {"k": (1, 2, 3)}})


def test_a_cut_splits_a_causal_matrix_to_scale():
    once, chunks = figures.cut(256, 16, [128]), figures.cut(256, 16, [64, 128, 192])
    assert once.alt == (
        "The causal matrix of 256 tokens, cut after 128: its block future × past, 128 × 128, is a product of "
        "128 × 16 and 16 × 128."
    )
    assert chunks.alt == "The causal matrix of 256 tokens in 4 chunks: within each its matrix, before it only Z."
    assert 'x="0.0" y="84.0" width="84.0" height="84.0"' in once.pictures[0]
    assert 'width="10.5" height="84.0"' in once.pictures[0] and 'width="84.0" height="10.5"' in once.pictures[0]
    with pytest.raises(ValueError, match="between 0 and 256"):
        figures.cut(256, 16, [256])


def test_a_shared_key_is_cut_where_the_bars_over_its_queries_say_what_is_lost():
    queries, key = np.array([[[3.0, 0], [0, 0.5]], [[4.0, 0], [0, 0]]]), np.eye(3)[:, :2]
    plot = figures.sharing(queries @ key.T, queries, key, kept=1)
    assert plot.alt == (
        "2 maps of 2×3, one above the other, are queries of 2 columns times one key. The columns are from 5 to 0.500 "
        "long. With 1 of them kept, 0.100 of the stack is lost."
    )
    (drawn,) = plot.pictures
    bars = re.findall(r'<rect x="(\d+)" y="-[.\d]+" width="2" height="([.\d]+)" fill="([^"]+)"', drawn)
    assert [(x, long) for x, long, _ in bars] == [("32", "64.0"), ("34", "6.4")]  # as long as the columns
    assert bars[0][2] != bars[1][2]  # what is kept has another colour than what is lost
    assert {"B⁰", "B¹", "queries 0", "queries 1", "kept: 1 of 2"} <= {*re.findall(r">([^<]+)</text>", drawn)}
    for kept in (0, 3):
        with pytest.raises(ValueError, match="from 1 to 2"):
            figures.sharing(queries @ key.T, queries, key, kept=kept)
    many = np.ones((11, 2, 2))
    assert "B¹⁰" in figures.sharing(many, many, np.eye(2), kept=1).pictures[0]
    with pytest.raises(ValueError, match="queries are all zero"):
        figures.sharing(many, 0 * many, np.eye(2), kept=1)


def test_a_memorys_block_has_its_rank_at_every_cut():
    outer, full = np.tril(np.outer([1, 2, 3, 4], [1, 2, 3, 4])), np.tril(np.arange(1.0, 17).reshape(4, 4) ** 2)
    plot = figures.ranks({"one row": outer, "full": full}, [1, 2, 3], title="Rank")
    assert plot.alt == "Rank, cut after 1, 2, 3 tokens: one row 1, 1, 1; full 1, 2, 1."
    assert [re.findall(r">rank (\d)<", drawn) for drawn in plot.pictures] == [["1", "1", "1"], ["1", "2", "1"]]
    assert (
        re.findall(r'<rect y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill', plot.pictures[0])[1] == ("40.0",) * 3
    )
    with pytest.raises(ValueError, match="between 0 and 4"):
        figures.ranks({"one row": outer}, [4], title="Rank")


def test_a_long_number_is_written_smaller_so_that_it_keeps_clear_of_its_tile():
    drawn = figures.outer_products([[1, 0], [0.6, 0.8]], [[4, 1], [1, -2]])._repr_html_()
    assert ' font-size="9.5">−1.2<' in drawn and ' font-size="9.5">4<' not in drawn


def test_outer_products_say_what_each_layer_answers():
    plot = figures.outer_products([[1, 0], [0.6, 0.8]], [[4.0], [-1]], ask=1)
    assert plot.alt.startswith(
        "A memory of 2 pairs is the sum of 2 outer products. Asked with k₂ it reads 0.6 times (4)"
    )
    assert plot.alt.endswith("1 times (−1): together (1.400), where (−1) was written.")
    (drawn,) = plot.pictures
    told = re.findall(r">([^<]+)</text>", drawn)
    assert {"k₂ · k₁ = 0.6", "k₂ · k₂ = 1", "0.6×", "k₂ Z", "v₂ is −1"} <= {*told}
    assert told.count("1.4") == 1 and told.count("3.4") == 1 and told.count("−0.8") == 2  # what is read, and Z
    assert told.count("+") == told.count("=") == 2
    with pytest.raises(ValueError, match="axis n is 2"):
        figures.outer_products(np.eye(2), np.eye(3))
    with pytest.raises(IndexError):
        figures.outer_products(np.eye(2), np.eye(2), ask=2)


def test_a_cache_grows_square_by_square_and_the_matrix_does_not():
    plot = figures.growth(3, 2, [1, 4])
    assert plot.alt == "After 1, 4 words a cache holds 5, 20 numbers, and the matrix 6 each time."
    squares = [path.count("z") for path in re.findall(r'<path d="([^"]*)"', plot.pictures[0])]
    assert squares == [3, 2, 6, 12, 8, 6]


def test_a_compass_joins_the_nearest_two_across_the_cut_of_the_circle():
    plot = figures.compass({"three": {"up": 90, "right": 5, "also right": 353}})
    assert plot.alt == "three: up at 90°, right at 5°, also right at 353°; the nearest two stand 12° apart."
    (drawn,) = plot.pictures
    assert ">12°</text>" in drawn and f"L{118 * np.cos(np.radians(5)):.1f} {-118 * np.sin(np.radians(5)):.1f}M" in drawn
    with pytest.raises(ValueError, match="one must hold two arrows or more, but holds 1"):
        figures.compass({"one": {"up": 90}})


def test_the_names_of_a_crowded_compass_stand_clear_of_each_other():
    (drawn,) = figures.compass({"crowd": {f"word {k}": 85 - 4 * k for k in range(6)}}).pictures
    tops = [float(y) for y in re.findall(r'y="([-\d.]+)"[^>]*>word', drawn)]
    assert len(tops) == 6 and np.diff(sorted(tops)).min() > 12.5


def test_arrows_of_one_foot_stand_in_panels_of_one_scale():
    drawn = figures.arrows(
        {"apart": {"u": (0.6, 0.8), "v": (-1, 0), "0.80": ((0.6, 0.8), (0.6, 0))}, "b": {"u": (0, 1)}}
    )
    assert (
        drawn.alt == "apart: u ends at (0.600, 0.800); v ends at (−1, 0); 0.80 ends at (0.600, 0). b: u ends at (0, 1)."
    )
    first, second = drawn.pictures
    assert "M0.0 0.0L90.0 -120.0M" in first and "M0.0 0.0L-150.0 0.0M" in first and "M0.0 0.0L0.0 -150.0M" in second
    assert 'd="M90.0 -120.0L90.0 0.0" fill="none" stroke="currentColor" stroke-dasharray' in first
    with pytest.raises(ValueError, match=r"u must lie in the plane, but has shape .3,."):
        figures.arrows({"": {"u": (1, 0, 0)}})


def test_no_name_of_an_arrow_is_cut_at_its_foot():
    drawn = figures.arrows({"a": {"up": (1, 0.5), "pygmy": (0.6, -1)}, "b": {"up": (0.4, 1)}})
    boxes = [re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', one).groups() for one in drawn.pictures]
    _, top, _, tall = map(float, boxes[0])
    line = float(re.search(r'y="([-\d.]+)"[^>]*>pygmy<', drawn.pictures[0])[1])
    assert line + 4 <= top + tall  # a y reaches as far below its line
    assert boxes[0][1::2] == boxes[1][1::2]  # and the panels stay equally high


def test_times_are_to_scale_and_an_unknown_one_is_a_row_of_pieces():
    drawn = figures.times(
        {"to scale": {"read": (0.5, "half"), "write": (2, "two")}, "": {"a": (1, "1 s"), "b": (None, "?")}}
    )
    assert drawn.alt == "to scale: read, half; write, two. a, 1 s; b, ?."
    assert "h85.0v18h-85.0z" in drawn.pictures[0] and "h340.0v18" in drawn.pictures[0]
    assert drawn.pictures[1].count("h17v18h-17z") == 5
    with pytest.raises(ValueError, match="a panel must hold at least one time"):
        figures.times({"": {"b": (None, "?")}})


def test_loads_lie_on_one_scale_and_show_their_pieces():
    lanes = {"two": [("weights", 1, 1), ("cache", 0.5, 2)], "one": [("", 0.5, 1), ("cache", 0.5, 1)]}
    drawn = figures.loads(lanes, title="bytes", ends={"one": "full"})
    assert drawn.alt == "bytes. two: 1 × weights 1, 2 × cache 0.500; one: 1 × cache 0.500, full."
    assert "M0.0 34h210.00v22" in drawn.pictures[0]  # half of the longest lane, 420 pixels
    assert "M210.0 34h104.00v22h-104.00zM315.0 34h104.00" in drawn.pictures[0]  # two, a pixel apart
    assert "M105.0 86h105.00v22" in drawn.pictures[0] and ">full<" in drawn.pictures[0]  # behind a gap
    with pytest.raises(ValueError, match="one holds a negative size"):
        figures.loads({"one": [("cache", -1, 1)]}, title="bytes")


def test_points_on_either_side_of_zero_share_both_axes():
    plot = figures.against({"near": ((1, -1), (0, 0)), "far": ((2, 0), (-3, 1.5))}, across="true", up="off")
    assert plot.alt == "off against true. near: 2 points up to 0 from zero; far: 2 points up to 3 from zero."
    assert "M170.3 90.0h0M59.7 90.0h0" in plot.pictures[0] and "M225.6 176.5h0M115.0 46.7h0" in plot.pictures[1]
    assert all(f">{x}<" in plot.pictures[0] for x in ("−2", "0", "2"))  # both axes are numbered
    with pytest.raises(ValueError, match=r"far has y of shape .1,., but x of shape .2,."):
        figures.against({"far": ((1, 2), (1,))}, across="true", up="read")


def test_equal_falls_are_equal_lines_on_a_logarithmic_axis():
    rows = {"a": (800, 100), "b": (80, 10), "c": (1000, 1000)}
    plot = figures.falls(rows, ("own", "kept"), title="KiB", long=250)
    assert plot.alt == "KiB: a 800 to 100, b 80 to 10, c 1\u202f000."
    (drawn,) = plot.pictures
    lines = re.findall(r'd="M([\d.]+) \d+H([\d.]+)"', drawn)
    lengths = [float(was) - float(now) for was, now in lines]
    assert len(lengths) == 2 and abs(lengths[0] - lengths[1]) < 0.11 and lengths[0] > 0
    assert drawn.count("<circle") == 2 + 5 and 'cx="250.0"' in drawn  # the key, the discs, the largest at the end
    with pytest.raises(ValueError, match="rows holds 0, but a logarithm is taken"):
        figures.falls({"a": (1, 0)}, ("own", "kept"), title="KiB")


def test_a_chain_ends_where_its_steps_add_up_to():
    steps = {"up": (0.5, 1.0, 0), "down": (0.5, -1.0, 0)}
    straight, bent = (figures.chain((1, 0, 0), steps | last, name="a line") for last in ({}, {"on": (0, 1.0, 0)}))
    assert straight.alt == "a line, and beside it, tip to tail, up, down: together they end at its tip."
    assert "M0.0 0.0L125.0 -250.0M" in straight.pictures[0] and "M125.0 -250.0L250.0 0.0M" in straight.pictures[0]
    assert bent.alt.endswith("up, down, on: together they end 45.0° from it.")
    assert ">45.0° apart<" in bent.pictures[0] and "apart" not in straight.pictures[0]
    assert straight.pictures == figures.chain((-1, 0, 0), {k: np.negative(v) for k, v in steps.items()},
                                              name="a line").pictures  # fmt: skip
    assert "M125.0 -250.0L250.0 0.0M" in figures.chain((1, 0, 0), steps, name="a line", long=250).pictures[0]
    assert "M250.0 -500.0L500.0 0.0M" in figures.chain((1, 0, 0), steps, name="a line", long=500).pictures[0]
    _, ends = figures.chain((1, 0, 0), steps | {"on": (0, 0.01, 0)}, name="a line", long=100, closer=20).pictures
    assert "M0.0 0.0L150.0 0.0M" in ends and "M0.0 20.0L150.0 20.0M" in ends and ">0.6°<" in ends  # 0.01 · 100 · 20
    with pytest.raises(ValueError, match=r"up has shape .2,., and the line has .3,."):
        figures.chain((1, 0, 0), {"up": (0, 1)}, name="a line")


def test_a_cache_makes_one_key_a_value_and_a_row_of_scores_at_each_word():
    plot = figures.caching(["she", "sat", "by"])
    assert plot.alt.endswith("with a cache and without: she 3 and 3, sat 4 and 7, by 5 and 12.")
    last = plot.pictures[-1]
    kept, made = (re.findall(rf'<path d="([^"]+)" fill="[^"]+"{end}', last) for end in (' opacity=".22"/>', "/>"))
    assert [path.count("M") for path in kept] == [2, 2]  # keys and values of the two words before
    assert [path.count("M") for path in made] == [1, 1, 3, 3, 3, 1, 2, 3]
    with pytest.raises(ValueError, match="two words or more, but holds 1"):
        figures.caching(["she"])


def test_programs_hold_one_tile_each():
    plot = figures.programs((1, 0), 3)
    assert plot.alt.startswith("2 programs, one for each block of queries, at tiles 1, 0 of 3 blocks of keys.")
    drawn = plot._repr_html_()
    assert drawn.count('fill-opacity="0.85"') == 2 and drawn.count('fill-opacity="0.1"') == 1
    assert drawn.count('fill-opacity="0"') == 3
    shelf = ("HBM", "80 GB", "3.35 TB/s", "Q, K, V")
    both = figures.programs((1, 0), 3, [("L2", "50 MB", "12 TB/s", "shared"), shelf])
    assert both.alt.endswith("the fastest first: L2, 50 MB, 12 TB/s, shared; HBM, 80 GB, 3.35 TB/s, Q, K, V.")
    _, pile = both.pictures
    assert [pile.count(f">{word}<") for word in shelf] == [1] * 4 and pile.index(">L2<") < pile.index(">HBM<")
    with pytest.raises(ValueError, match="columns from 0 to 2"):
        figures.programs((3,), 3)


def test_a_ring_fills_its_discs_with_work_and_names_the_keys_that_came():
    plot = figures.ring([[0.5, 0], [0.5, 1]])
    assert plot.alt == (
        "devices, 2 in a ring, share of a block that each works in step 0 0.50, 0.50; step 1 0.00, 1.00."
    )
    first, second = plot.pictures
    assert first.index(">k0<") < first.index(">k1<") and second.index(">k1<") < second.index(">k0<")
    assert first.count("<path") == 4 and second.count("<path") == 3  # with an arrow after each device
    assert "M-15.0 -42.0A15 15 0 0 0 15.0 -42.0z" in first  # half a disc, filled from below
    with pytest.raises(ValueError, match="shares from 0 to 1"):
        figures.ring([[2.0]])


def test_steps_draw_matrices_to_one_scale_and_count_their_bytes():
    strip, square = (64, 16), (64, 64)
    plot = figures.steps({"S": ({"Q": strip, "K": strip}, {"S": square}), "Y": ({"S": square}, {"Y": strip})})
    assert plot.alt == (
        "S reads 4 KiB (Q 64 × 16, K 64 × 16) and writes 8 KiB (S 64 × 64); "
        "Y reads 8 KiB (S 64 × 64) and writes 2 KiB (Y 64 × 16)."
    )
    first, second = plot.pictures
    assert first.count('width="26.0" height="104.0"') == 2 and first.count('width="104.0" height="104.0"') == 1
    assert second.count('fill-opacity=".25"') == 1 and first.count('fill-opacity=".25"') == 0  # pale is read
    with pytest.raises(ValueError, match="read or write"):
        figures.steps({"nothing": ({}, {})})


def test_a_roof_puts_work_where_its_traffic_allows():
    plot = figures.roof(8e12, 1e12, {"slow": 2, "quick": 32})
    assert plot.alt == (
        "Flops a byte under a roof that bends at 8, and the share of the peak allowed: slow at 2, 25%; "
        "quick at 32, 100%."
    )
    (drawn,) = plot.pictures
    slow, quick = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawn)
    (bend,) = re.findall(r'<path d="M44 266L([\d.]+) 34H', drawn)
    assert float(slow[0]) < float(bend) < float(quick[0]) and float(quick[1]) == 34 < float(slow[1])
    assert np.isclose((float(slow[0]) - 44) / (float(bend) - 44), (266 - float(slow[1])) / 232, atol=1e-3)
    with pytest.raises(ValueError, match="positive"):
        figures.roof(8e12, 1e12, {"nothing": 0})


def test_merges_join_all_pieces_in_their_order():
    plot = figures.merges([2, 3, 1], {"left": [0, 0], "right": [1, 0]})
    assert plot.alt == "Pieces of 2, 3, 1 keys, merged two by two: left, at places 0, 0; right, at places 1, 0."
    left, right = plot.pictures
    assert left.count("<rect") == right.count("<rect") == 3
    assert "M5.0 47V27H17.5V47" in left and "M17.5 47V27H27.5V47" in right
    with pytest.raises(ValueError, match="must hold 2 places"):
        figures.merges([2, 3, 1], {"short": [0]})
    with pytest.raises(ValueError, match="a piece after it"):
        figures.merges([2, 3, 1], {"beyond": [2, 0]})


def test_a_transfer_hides_behind_work_that_takes_as_long():
    plot = figures.overlap({"short": 0.05, "long": 0.2}, 0.1, 3)
    assert plot.alt == (
        "One process going forward. short: 2 transfers of 0.100 s, waited for; long: 2 transfers of 0.100 s, hidden."
    )
    short, long = plot.pictures
    assert [picture.count("dasharray") for picture in (short, long)] == [2, 0]  # where it waits
    with pytest.raises(ValueError, match="positive"):
        figures.overlap({"none": 0}, 0.1, 3)


def test_names_in_a_cloud_hide_neither_names_nor_points():
    x, y = [0, 0.93, 1, 0.96], [0, 1, 1, 0.97]
    plot = figures.cloud(x, y, {"the first of two": 1, "the second": 2}, across="x", up="y", alt="Four.")
    (axes,) = plot.figure.axes
    first, second = (note.get_window_extent() for note in axes.texts)
    points = axes.transData.transform(np.column_stack([x, y]))
    assert not first.overlaps(second) and not first.count_contains(points) and not second.count_contains(points)


def test_a_cloud_names_the_points_it_is_told_to():
    plot = figures.cloud(
        [0, 1, 2], [3, 5, 4], {"best": 1}, across="x", up="y", alt="Three points, and the best of them."
    )
    (axes,) = plot.figure.axes
    (named,) = axes.texts
    assert named.get_text() == "best" and tuple(named.xy) == (1, 5) and plot.alt.startswith("Three")
    (small,) = figures.cloud([0], [1], {"a": 0}, across="x", up="y", alt="One.", letters=9).figure.axes[0].texts
    assert (named.get_fontsize(), small.get_fontsize()) == (10, 9)


def test_the_crowd_of_a_cloud_is_small_and_every_point_is_drawn():
    crowd = [True, True, False]
    plot = figures.cloud([0, 1, 2], [0, 0, 9], {"far": 2}, across="x", up="y", alt="Three.", crowd=crowd)
    pale, seen, named = plot.figure.axes[0].lines[2:]  # behind the two lines at zero
    assert pale.get_xdata().tolist() == [0, 1] and seen.get_xdata().tolist() == [2]
    assert pale.get_markersize() < seen.get_markersize() / 2 < named.get_markersize()


def test_the_groups_of_a_cloud_differ_in_colour_and_sign_and_stand_in_a_legend():
    first, last = np.array([True, False, False]), np.array([False, False, True])
    groups = {"first": first, "between": ~first & ~last, "last": last}
    plot = figures.cloud([0, 1, 2], [0, 9, 4], {"far": 1}, across="x", up="y", alt="Three.", groups=groups)
    (axes,) = plot.figure.axes
    seen = {line.get_label(): line for line in axes.lines if line.get_label() in groups}
    points = {name: line.get_xdata().tolist() for name, line in seen.items()}
    assert points == {"between": [1], "first": [0], "last": [2]}
    assert len({line.get_color() for line in seen.values()}) == len({line.get_marker() for line in seen.values()}) == 3
    assert [told.get_text() for told in axes.get_legend().get_texts()] == [*groups]
    with pytest.raises(ValueError, match="first has shape"):
        figures.cloud([0, 1], [0, 1], {}, across="x", up="y", alt=".", groups={"first": [True]})


def test_bells_are_named_one_by_one_or_where_they_meet_together():
    x = np.linspace(-9, 9, 91)
    heights = {name: np.exp(-((x / wide) ** 2)) for name, wide in (("narrow", 1), ("wide", 5))}
    alt = "Two bells, and twice the same."
    plot = figures.bells({"Apart": (x, heights), "Met": (x, dict(a=x**2, b=x**2))}, across="x", up="y", alt=alt)
    named = [[text.get_text() for text in axes.texts] for axes in plot.figure.axes]
    assert named == [["narrow", "wide"], ["a\nb"]] and plot.alt == alt


def test_curves_and_matrices_can_be_as_wide_as_the_figures_that_move():
    x, how = np.arange(9.0), dict(across="x", up="y", alt="Some numbers.")
    drawn = [
        [figures.curves(x, {"a": x}, wide=large, **how) for large in (False, True)],
        [figures.matrices([("M", np.eye(2))], ["i", "j"], large=large) for large in (False, True)],
    ]
    for small, wide in drawn:
        room = [int(re.search(r"max-width:(\d+)px", plot._repr_html_())[1]) for plot in (small, wide)]
        assert room[1] > 1.1 * room[0] and small.alt == wide.alt


def test_a_curve_s_errors_stand_up_and_down_at_its_points():
    x, how = np.arange(1.0, 5), dict(across="x", up="y", alt="A curve with its errors.")
    plot = figures.curves(x, {"measured": 3 * x, "law": x}, errors={"measured": x / 10}, **how)
    (axes,) = plot.figure.axes
    (bars,) = axes.collections
    np.testing.assert_allclose(bars.get_segments(), [[[a, 2.9 * a], [a, 3.1 * a]] for a in x])
    with pytest.raises(ValueError, match="errors of law"):
        figures.curves(x, {"law": x}, errors={"law": x[:2]}, **how)


def test_a_curve_keeps_its_colour_in_every_picture():
    x, how = np.arange(1.0, 5), dict(across="x", up="y", alt="Two rules.", colours={"adding": 0, "correcting": 1})
    seen = []
    for names in (("adding", "correcting"), ("law", "correcting", "adding")):
        (axes,) = figures.curves(x, {name: x * len(name) for name in names}, **how).figure.axes
        lines = dict(zip(names, axes.lines, strict=True))
        seen.append([lines[name].get_color() for name in how["colours"]])
        assert [text.get_color() for text in axes.texts] == [line.get_color() for line in axes.lines]
        assert len({line.get_linestyle() for line in axes.lines}) == len(names)  # and each picture still has its dashes
    assert seen[0] == seen[1] and seen[0][0] != seen[0][1]


def test_steps_along_a_logarithm_are_counted_in_plain_numbers():
    plot = figures.curves([1, 30, 1500], {"a": [1e-3, 1, 1e6]}, across="step", up="loss", log="xy", alt="A curve.")
    (axes,) = plot.figure.axes
    plot.figure.draw_without_rendering()
    assert {"1", "10", "100", "1000"} < {label.get_text() for label in axes.get_xticklabels()}
    assert any("10^" in label.get_text() for label in axes.get_yticklabels())  # a wide range is told by its powers


def test_on_a_phone_letters_of_wide_bells_wide_curves_shares_clouds_and_ladders_have_11_pixels():
    x, how = np.linspace(1, 9, 30), dict(across="score", up="share", alt="Some numbers.", wide=True)
    bells = {title: (x, {"d = 16": np.exp(-((x - 4) ** 2))}) for title in ("Scores", "Divided by √d")}
    drawn = [
        figures.bells(bells, **how),
        figures.curves(x, {"divided by √d": x, "share of river": -x}, **how),
        figures.shares({f"{m} others": (m, 1) for m in (4, 99, 9999)}, ends=(-2, 14)),
        figures.cloud(x, x, {"5.4": 3}, across="how much", up="what", alt="A cloud."),
        figures.ladder(
            {"%": {"exchanged": (37, 64)}}, ["one", "other"], before={"%": {"exchanged": (0, 100)}}, title=""
        ),
        figures.ladder({"%": {"no places": (37, 64)}}, ["one", "other"], joined=True, title=""),
    ]
    for one in drawn:
        for picture in re.findall("<svg.*?</svg>", one._repr_html_(), re.S):
            wide = float(re.search(r'viewBox="\S+ \S+ (\S+)', picture)[1])
            letters = [float(size) for size in re.findall(r"font(?:-size)?[:=]\W*([\d.]+)", picture)]
            assert min(letters) * 312 / wide >= 11, one.alt  # as wide as what an answer holds


def ends(count=7, turn=0.0, log="", apart=0):
    """Curves that end close to one another; apart: each ends so many steps before the one above it."""
    x = np.arange(1, 41)
    series = {f"curve {k}": 3 + k * turn + x / 200 + k / 9 for k in range(count)}
    last = {name: len(x) - apart * k for k, name in enumerate(series)}
    across = {name: x[: last[name]] for name in series} if apart else x
    series = {name: y[: last[name]] for name, y in series.items()}
    plot = figures.curves(across, series, across="x", up="y", log=log, alt="Curves.")
    plot.figure.draw_without_rendering()
    return plot.figure.axes[0]


@pytest.mark.parametrize("case", [{}, dict(turn=-0.1), dict(turn=-0.12, log="y"), dict(turn=-0.1, count=3, apart=12)])
def test_the_names_of_curves_lie_neither_on_one_another_nor_on_a_curve(case):
    axes = ends(**case)
    boxes = [Text.get_window_extent(name) for name in axes.texts]
    assert sorted(name.get_text() for name in axes.texts) == [f"curve {k}" for k in range(case.get("count", 7))]
    assert not any(Bbox.intersection(a, b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert all(axes.bbox.y0 - 12 < box.y0 and box.y1 < axes.bbox.y1 + 12 for box in boxes)
    heights = [axes.transData.transform(name.xy)[1] for name in axes.texts]
    assert "apart" in case or np.argsort([box.y0 for box in boxes]).tolist() == np.argsort(heights).tolist()
    for line in axes.lines:
        x, y = axes.transData.transform(line.get_xydata()).T
        points = np.c_[np.linspace(x[0], x[-1], 999), np.interp(np.linspace(x[0], x[-1], 999), x, y)]
        assert not any(box.count_contains(points) for box in boxes)


def test_names_move_no_further_than_their_distance_asks():
    assert spread([3, 3], 2, 0, 10).tolist() == [2, 4]
    assert spread([9, 0, 9.5], 2, 0, 10).tolist() == [8, 0, 10]
    assert spread([1, 5, 9], 2, 0, 10).tolist() == [1, 5, 9]
    assert spread([4, 4, 4, 9], 1, 0, 10).tolist() == [3, 4, 5, 9]
    rng = np.random.default_rng(3)
    wanted = rng.uniform(0, 20, 6)
    placed = spread(wanted, 2, -50, 50)
    order = wanted.argsort()
    others = placed[order] + rng.normal(size=(4000, 6)) / 10
    others = others[(np.diff(others) >= 2).all(axis=1)]
    assert len(others) and (np.diff(placed[order]) >= 2 - 1e-9).all()
    assert ((others - wanted[order]) ** 2).sum(axis=1).min() >= ((placed - wanted) ** 2).sum() - 1e-9


def test_matrices_side_by_side_say_every_number():
    assert figures.matrices([("X", X)], TOKENS).alt == "X is [(1, 0, 1, 0), (0, 1, 0, 1), (1, 1, 0, 0)]."


def test_panels_that_are_too_wide_for_a_phone_are_broken_into_rows():
    def tops(*columns):
        parts = [(f"M{k}", np.zeros((3, m))) for k, m in enumerate(columns)]
        figure = figures.matrices(parts, TOKENS).figure
        figure.draw_without_rendering()
        assert figure.get_size_inches()[0] <= panels.WIDEST or len(columns) == 1
        return [round(axes.get_position().y1, 3) for axes in figure.axes]

    assert len(set(tops(2, 2))) == 1
    first, second, third, fourth = tops(4, 4, 4, 4)
    assert first == second > third == fourth
    first, second, third = tops(7, 7, 2)
    assert first > second > third or first > second == third
    assert panels.shelves([2, 2, 2]) == [[0, 1], [2]]
    assert panels.shelves([3, 3, 1, 9]) == [[0], [1, 2], [3]]


@pytest.mark.parametrize(
    ("values", "digits"),
    [([1, -2], 0), ([-8.8, 1], 1), ([0.25, -np.inf], 2), ([0.1 + 0.2], 1), ([1 / 3], 3), ([1e-4], 3)],
)
def test_numbers_have_no_more_decimals_than_they_need(values, digits):
    assert panels.decimals(values) == digits


def test_panels_write_short_numbers_and_say_what_full_colour_stands_for():
    plot = figures.matrices([("S", [[-8.8, 1.5]]), ("T", [[0.5, -np.inf]]), ("O", [[0, 0]])], ["a"], title="long " * 30)
    drawn = [words.get_text() for axes in plot.figure.axes for words in axes.texts]
    assert drawn == ["−8.8", "1.5", "0.5", "−∞", "0", "0"]
    assert plot.figure.get_supxlabel().replace("\n", " ") == "No colour is 0, full colour is ±8.8 in S; ±0.5 in T."
    assert panels.scale(["S", "T"], [2, 2], 5) == "No colour is 0, full colour is ±2."
    assert "\n" not in plot.alt


def test_the_numbers_of_a_panel_have_the_same_decimals_and_zero_has_none():
    assert [panels.written(x, 1) for x in (5.3, 8, -6.5, 0, -1, -np.inf)] == ["5.3", "8.0", "−6.5", "0", "−1.0", "−∞"]
    assert [panels.written(x, 3) for x in (1 / 3, 1, 1e-5)] == ["0.333", "1.000", "1.0e−5"]
    assert panels.written(8, 0) == "8"
    for plot in (figures.heatmap([[5.3, 8]], kind="signed"), figures.matrices([("S", [[5.3, 8]])], ["a"])):
        assert [words.get_text() for words in plot.figure.axes[0].texts] == ["5.3", "8.0"]


def test_a_heatmap_names_its_axes_and_the_ends_of_its_scale():
    named = dict(down="who asks", across="who stood before")
    drawn = [figures.heatmap([[1, -4]], kind="signed", **named), figures.matrices([("S", [[1, -4]])], ["a"], **named)]
    for plot in drawn:
        axes = plot.figure.axes[0]
        assert (axes.get_ylabel(), axes.get_xlabel()) == ("who asks", "who stood before")
        assert axes.xaxis.get_label_position() == "top"
    scale = drawn[0].figure.axes[1]
    assert [told.get_text() for told in scale.get_xticklabels()] == ["−4", "0", "4"]
    weights = figures.heatmap(WEIGHTS, TOKENS).figure.axes[1]
    assert [told.get_text() for told in weights.get_xticklabels()] == ["0", "1"]


@pytest.mark.parametrize("kind", ["weight", "signed"])
def test_every_number_of_a_heatmap_can_be_read_on_its_colour(kind):
    def light(colour):
        parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in to_rgb(colour)]
        return np.dot(parts, [0.2126, 0.7152, 0.0722]) + 0.05

    values = np.linspace(0 if kind == "weight" else -1, 1, 20)
    axes = figures.heatmap([values], kind=kind).figure.axes[0]
    image = axes.images[0]
    for x, words in zip(values, axes.texts, strict=True):
        pair = sorted([light(image.cmap(image.norm(x))[:3]), light(words.get_color())])
        assert pair[1] / pair[0] >= 4.5, x


def test_terms_of_a_sum_share_one_scale_of_colour():
    terms = [("a", [[1, 0]]), ("b", [[0, 3]]), ("a + b", [[1, 3]])]
    plot = figures.matrices(terms, ["row"], common=True)
    assert plot.figure.get_supxlabel() == "No colour is 0, full colour is ±3."
    assert {axes.images[0].norm.vmax for axes in plot.figure.axes} == {3}
    assert [axes.images[0].norm.vmax for axes in figures.matrices(terms, ["row"]).figure.axes] == [1, 3, 3]


def test_drawing_twice_gives_the_same_bytes():
    first, second = (figures.heatmap(WEIGHTS, TOKENS)._repr_html_() for _ in range(2))
    assert first == second and first.startswith('<div class="attn-plot" role="img" aria-label="A, 3×3')


def test_a_plot_is_letters_and_short_numbers_in_a_page_with_other_plots():
    one, two = (
        figures.curves(range(9), {"fall": values}, across="step", up="share", alt=name)._repr_html_()
        for name, values in (("One.", np.arange(9.0)), ("Two.", np.arange(9.0) ** 2))
    )
    assert ">fall</text>" in one and "font-family" not in one  # the page's own letters
    assert max(len(x) for x in re.findall(r"\.(\d+)", "".join(re.findall(r' d="([^"]*)"', one)))) == 1
    ids = [re.findall(r' id="([^"]+)"', picture) for picture in (one, two)]
    assert all(ids) and not set(ids[0]) & set(ids[1])
    for picture, names in zip((one, two), ids, strict=True):
        assert set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', picture)) and all(
            f"#{name}" in picture for name in names
        )


def test_white_is_zero_on_the_signed_scale_and_ink_is_one_on_the_other():
    assert figures.SIGNED["cmap"](0.5)[:3] == pytest.approx((1, 1, 1), abs=0.01)
    assert (figures.WEIGHT["vmin"], figures.WEIGHT["vmax"]) == (0, 1)


def test_forbidden_scores_are_drawn_and_told():
    values = np.array([[1.0, -np.inf], [2.0, 3.0]])
    plot = figures.heatmap(values, kind="signed", name="S")
    assert "smallest at “r2” (−∞)" in plot.alt
    assert plot.svg().startswith("<?xml")


def test_hostile_names_are_drawn():
    names = [name.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for name in HOSTILE]
    plot = figures.bars(np.arange(len(names)), names)
    assert "<script" not in plot.svg()
    assert figures.heatmap(np.eye(len(names)), names)._repr_html_()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.heatmap(WEIGHTS, ["a"]), "3 rows but 1 row names"),
        (lambda: figures.heatmap([1, 2]), "must be a matrix"),
        (lambda: figures.heatmap(np.zeros((0, 3))), "at least one row"),
        (lambda: figures.bars([1, 2], ["a"]), "there are 1 names"),
        (lambda: figures.balance([1, 2], [0.5, 0.6], ["a", "b"], ("l", "r")), "must be shares of 1"),
        (lambda: figures.balance([1, 2], [1], ["a", "b"], ("l", "r")), "there are 2 names"),
        (lambda: rungs(((1, 1), (1,), (1, 1))), r"one closed has shape \(1,\), but there are 2 names"),
        (lambda: figures.ladder({}, [*"abcde"], title="."), "5 names, but only 4 marks"),
        (lambda: floors(control=((1, 2),)), r"bank has shapes \(2, 2\) and \(1, 2\), but there are 2 sides"),
        (
            lambda: figures.cloud([1, 2], [1], {}, across="x", up="y", alt="."),
            r"y has shape \(1,\), but x has shape \(2,\)",
        ),
        (
            lambda: figures.cloud([1, 2], [1, 2], {}, across="x", up="y", alt=".", crowd=[True]),
            r"crowd has shape \(1,\), but x has shape \(2,\)",
        ),
        (
            lambda: figures.bells({"one": ([1, 2], {"a": [1]})}, across="x", up="y", alt="."),
            r"a has shape \(1,\), but x has shape \(2,\)",
        ),
        (lambda: figures.heatmap(WEIGHTS, kind="rainbow"), "kind is 'rainbow'"),
    ],
)
def test_bad_arguments_are_named(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_text_is_not_numbers():
    with pytest.raises(TypeError, match="values must hold real numbers"):
        figures.heatmap([["a"]])


def test_figures_keep_no_state_and_import_no_pyplot():
    code = "import sys, attn.show.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_planes_say_where_arrows_end_and_what_moves_the_grid():
    shown = figures.planes({
        "moved": {"by": [[2, 0.5], [0, 1]], "arrows": {"x": [2, 1.5]}},
        "walked": {"arrows": {"step": [[1, 1], [0, 1]]}, "points": np.zeros((3, 2))},
    })  # fmt: skip
    assert shown.alt == (
        "moved: rows (2, 0.500) and (0, 1), x ends at (2, 1.500); walked: 3 points, step ends at (0, 1)."
    )
    assert shown._repr_html_()


def test_a_marked_point_is_drawn_and_told():
    plot = figures.planes({"a plane": {"marks": {"river": (0.5, 1)}}})
    assert "river lies at (0.500, 1)" in plot.alt and plot.figure.axes[0].texts[0].get_text() == "river"


def test_a_name_in_a_plane_covers_no_dot_no_arrow_and_no_other_name_and_stays_in_its_frame():
    crowd = np.random.default_rng(0).normal(size=(40, 2)) / 4
    arrows = {"bat": [0.02, -0.05], "spring": [0.03, -0.3], "note": [[0, 0], [0, 1]], "query": [0, 1]}
    plot = figures.planes({"a crowd": {"heaps": {"bat": crowd}, "arrows": arrows, "marks": {"river": [-1, 0]}}})
    axis = plot.figure.axes[0]
    boxes = [Text.get_window_extent(name) for name in axis.texts if name.get_text()]
    for dots in (crowd, np.outer(np.linspace(0, 1, 99), [0, 1]), [[-1, 0]]):
        at = axis.transData.transform(dots)
        assert not any(box.contains(*dot) for box in boxes for dot in at)
    assert len(boxes) == 5 and all(box.count_overlaps(boxes) == 1 for box in boxes)  # itself
    assert all(axis.bbox.contains(x, y) for box in boxes for x, y in box.corners())


def test_where_names_keep_off_the_axes_none_lies_on_one():
    marks = {"river": (1.2, 0), "money": (-1.3, 0), "no clue": (0, 0), "song": (0, 1)}
    for clear in (False, True):
        axis = figures.planes({"": {"marks": marks}}, bare=True, reach=2, clear=clear).figure.axes[0]
        x, y = axis.transData.transform((0, 0))
        boxes = [Text.get_window_extent(name) for name in axis.texts if name.get_text()]
        assert len(boxes) == 4
        assert any(box.x0 < x < box.x1 or box.y0 < y < box.y1 for box in boxes) is not clear


def test_lines_lead_from_where_points_were_to_where_they_are():
    plot = figures.planes({"": {"arrows": {"up": [0, 1], "right": [1, 0]}, "heaps": {"right": [[1, 0.1], [1, -0.1]]}}})
    assert "2 points in the colour of right" in repr(plot)
    (heap,) = (line for line in plot.figure.axes[0].lines if line.get_marker() == "o")
    assert heap.get_color() == planes.TONES[1] and heap.get_xydata().tolist() == [[1, 0.1], [1, -0.1]]
    plot = figures.planes({"pressed": {"points": [[1, 0], [0, 2]], "before": [[1, 1], [2, 2]]}})
    (lines,) = plot.figure.axes[0].collections
    assert [line.tolist() for line in lines.get_segments()] == [[[1, 1], [1, 0]], [[2, 2], [0, 2]]]
    assert "2 points, each on a line from where it was" in plot.alt
    far = figures.planes({"far": {"points": [[0, 0], [1, 1]]}}, reach=3).figure.axes[0]
    assert far.get_xlim() == far.get_ylim() == (-3, 3)
    wide = figures.planes({"wide": {"points": [[0, 0], [1, 1]]}}, room=0.5).figure.axes[0]
    np.testing.assert_allclose([wide.get_xlim(), wide.get_ylim()], [(-0.5, 1.5)] * 2)
    marks = {"": {"marks": {"river": [0, 1]}, "heaps": {"river": [[0, 2]]}}}
    axis = figures.planes(marks, tones={"river": "#123456"}).figure.axes[0]
    coloured = {line.get_color() for line in axis.lines if line.get_marker() != "None"}
    assert coloured == {"#123456"} and axis.texts[0].get_color() == "#123456"
    with pytest.raises(ValueError, match="before must lie in the plane"):
        figures.planes({"": {"points": [[1, 0]], "before": [1, 2, 3]}})


def test_a_plane_moves_through_its_steps_and_says_where_it_stands_after_each():
    turn, stretch = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.diag([2.0, 1.0])
    drawn = figures.moves("still", {"turn": turn, "stretch": stretch}, {"p": [1, 0]}, arrows={"q": [0, 1]})
    assert (
        drawn.alt
        == "still: p at (1, 0), q at (0, 1); turn: p at (0, 1), q at (−1, 0); stretch: p at (0, 1), q at (−2, 0)."
    )
    page = drawn._repr_html_()
    own = re.search(r'id="(moves-[0-9a-f]{8})"', page)[1]
    assert page.count('type="radio"') == 3 and page.count(" checked>") == 1
    assert f"#{own}-1:checked~svg .s0,#{own}-2:checked~svg .s0{{transform:matrix(0.00000,1.00000,-1.00000" in page
    assert f"}}#{own}-2:checked~svg .s1{{transform:matrix(2.00000,0.00000,0.00000,1.00000,0,0)}}" in page
    assert page.index('class="s1"') < page.index('class="s0"')  # the first step is nearest to the shapes
    with pytest.raises(ValueError, match="the step mirror must"):
        figures.moves("still", {"mirror": np.diag([1, -1])}, {})
    with pytest.raises(ValueError, match="p must lie in the plane"):
        figures.moves("still", {"turn": turn}, {"p": [1, 0, 0]})


def test_a_plane_that_falls_flat_glides_there_and_no_name_lies_on_another():
    fallen = figures.moves("still", {"flat": [[2, 0.5], [0, 0]]}, {"over": [0.1, 1], "under": [0.1, -1]})._repr_html_()
    a, b, c, d = map(float, re.search(r"-1:checked~svg \.s0\{transform:matrix\(([^)]+),0,0\)", fallen)[1].split(","))
    assert 0 < a * d - b * c < 0.01 and np.abs(np.array([a, b, c, d]) - [2, 0.5, 0, 0]).max() < 2e-3
    over, under = (
        int(re.search(rf"-1:checked~svg \.n{k}\{{transform:translate\(-?\d+px,(-?\d+)px", fallen)[1]) for k in (0, 1)
    )
    assert under - over > 34  # each stands on the side it came from


def test_a_code_is_kept_while_the_heads_move_to_their_queries():
    drawn = figures.codes(width=20, code=5, head_width=7, heads=2, words=3)
    assert "codes z of 5 are kept" in drawn.alt and "2 heads make 6 keys" in drawn.alt
    page = drawn._repr_html_()
    assert page.count('type="radio"') == 2 and page.count(" checked>") == 1
    assert page.count('class="u"') == 2 and "#codes-1:checked~svg .u{transform:translate(66px)}" in page
    assert page.count("v38.0h-8z") == 3 and page.count("v9.5h-8z") == 3 + 2  # as long as their rows
    assert page.count("v13.3h-8z") == 2 * (3 + 1)
    with pytest.raises(ValueError, match="code must be narrower than width 8"):
        figures.codes(width=8, code=8)


def test_what_is_kept_of_a_token_is_drawn_bar_by_bar_and_what_a_device_keeps_in_full_colour():
    drawn = figures.kept({"MHA": 32, "GQA": 4, "MQA": 1, "MLA": (50, 6)}, width=10, devices=4)
    assert "MHA: 640 numbers, 160 of them on each of 4 devices" in drawn.alt
    assert "GQA: 80 numbers, 20 of them" in drawn.alt and "MQA: 20 numbers, 20 of them" in drawn.alt
    assert "MLA: 56 numbers, 56 of them" in drawn.alt
    full, pale = (
        [sum(path.count("h3v") for path in re.findall(rf'd="([^"]*)"[^>]*opacity="{shade}"/', picture))
         for picture in drawn.pictures]
        for shade in ("1", "0.3")
    )  # fmt: skip
    assert full == [16, 2, 2, 2] and pale == [48, 6, 0, 0]
    with pytest.raises(ValueError, match="6 heads cannot be dealt evenly to 4"):
        figures.kept({"odd": 6}, devices=4)


def test_a_row_hops_along_the_lines_that_it_is_made_of():
    pi, y, z = np.array([0.5, 0.25, 0.25]), np.array([0.4, -0.2, -0.2]), np.array([0, 0.1, -0.1])
    row = np.array([pi + (-0.5) ** n * y for n in range(5)])
    plot = figures.hops(row, {"−½": y, "0.1": z}, pi, ["I", "love", "AI"])
    assert plot.alt.startswith("The row of “I”: after 0 (0.900, 0.050, 0.050); after 1 (0.300, 0.350, 0.350)")
    lines = plot.figure.axes[0].lines
    along, hopped = lines[0].get_xydata(), lines[2].get_xydata()
    way = along[1] - along[0]
    off = (hopped - along[0]) @ [way[1], -way[0]]  # how far each hop leaves the line, times its length
    np.testing.assert_allclose(off, 0, atol=1e-12)
    assert {text.get_text() for text in plot.figure.axes[0].texts} >= {"−½", "0.1", "0", "3"}
    with pytest.raises(ValueError, match=r"row has shape \(2, 2\), but there are 3 words"):
        figures.hops(np.eye(2), {}, pi, ["I", "love", "AI"])


def test_borrowed_patterns_say_whose_they_are_and_what_comes_of_them():
    plans = {"lent": (1, [0, 0], [0, 1], 0.014), "alone": (1, [0, None], [0, None], 1.7)}
    plot = figures.casts(plans, title="loss")
    assert plot.alt == (
        "lent: patterns L1·H0, L1·H0; circuits L1·H0, L1·H1; loss 0.014. "
        "alone: patterns L1·H0, none; circuits L1·H0, none; loss 1.700."
    )
    drawn = plot._repr_html_()
    assert drawn.count("stroke-dasharray") == 2 and [drawn.count(f">L1·H{k}</text>") for k in (0, 1)] == [5, 1]
    with pytest.raises(ValueError, match="lent has 1 patterns, but 2 circuits"):
        figures.casts({"lent": (1, [0], [0, 1], 0.014)}, title="loss")


def test_a_swap_says_who_gives_whom_the_heads_of_which_layer():
    tones = {"the river bank": 0, "the savings bank": 1}
    plot = figures.swap({"Swapped": (*tones, 0), "As they are": (*tones, None)}, tones)
    assert plot.alt == (
        "The row of bank. Swapped: two towers of 6 layers read “the river bank” and “the savings bank”; the second "
        "gets what the heads of layer 0 hand on in the first. As they are: two towers of 6 layers read “the river "
        "bank” and “the savings bank”; each runs as it is."
    )
    drawn = plot._repr_html_()
    assert drawn.count(">heads</text>") == 24 and drawn.count('fill-opacity="0.4"') == 2
    assert (drawn.count(">●<"), drawn.count(">◆<"), drawn.count(">?<")) == (2, 1, 1)
    with pytest.raises(ValueError, match="layer must lie between 0 and 5, but is 6"):
        figures.swap({"Swapped": (*tones, 6)}, tones)


def test_what_drifts_says_where_it_began_and_where_it_ends():
    places = {"still": [[1, -1], [1, -1]], "moved": [[1, -1], [3, 0]]}
    plot = figures.drifts(places, ["a", "b"], ("left", "right"))
    assert plot.alt == (
        "From left to right, with 0 between. still: a from 1 to 1, b from −1 to −1; "
        "moved: a from 1 to 3, b from −1 to 0."
    )
    drawn = plot._repr_html_()
    assert drawn.count("<circle") == 2 * 2 * 2 + 2 and 'cx="140.0" cy="150.0"' in drawn and 'cx="0.0" cy="0.0"' in drawn
    with pytest.raises(ValueError, match=r"still has shape \(2, 2\), but there are 1 names"):
        figures.drifts(places, ["a"], ("left", "right"))


def test_walks_start_and_end_where_their_rows_say():
    steps = np.stack([np.eye(3), np.full((3, 3), 1 / 3)])
    plot = figures.walks({"twice": steps}, ["I", "love", "AI"])
    assert plot.alt.startswith("twice: after 1 steps the row of “I” at (0.333, 0.333, 0.333)") and plot._repr_html_()
    trails = [line.get_xydata() for line in plot.figure.axes[0].lines if len(line.get_xydata()) == 2]
    np.testing.assert_allclose([trail[0] for trail in trails], [[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])
    np.testing.assert_allclose([trail[1] for trail in trails], [[0.5, np.sqrt(3) / 6]] * 3)
    with pytest.raises(ValueError, match=re.escape("flat must have the shape (steps, 3, 3), but has (3, 3)")):
        figures.walks({"flat": np.eye(3)}, ["I", "love", "AI"])


def test_large_planes_are_pictures_of_their_own_with_one_sentence():
    panels = {name: {"arrows": {"up": [0, tip]}} for name, tip in (("early", 1), ("late", 2))}
    large, small = (figures.planes(panels, bare=True, reach=2, large=one) for one in (True, False))
    assert repr(large) == repr(small) == "early: up ends at (0, 1); late: up ends at (0, 2)."
    page = large._repr_html_()
    assert page.count("<svg") == 2 and page.count('role="img"') == 1
    assert len(names := re.findall(r' id="([^"]+)"', page)) == len(set(names))
    low = figures.planes(panels, bare=True, reach=2, large=0.5)._repr_html_()
    tall, less = ([float(y) for y in re.findall(r'viewBox="0 0 [\d.]+ ([\d.]+)"', drawn)] for drawn in (page, low))
    assert len(less) == 2 and all(0.4 * y < half < 0.6 * y for y, half in zip(tall, less, strict=True))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"by": np.eye(3)}, "by must lie in the plane, but has shape (3, 3)"),
        ({"points": [1, 2, 3]}, "points must lie in the plane, but has shape (3,)"),
        ({"arrows": {"long": [1, 2, 3]}}, "long must lie in the plane, but has shape (3,)"),
    ],
)
def test_what_lies_outside_the_plane_is_named(parts, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        figures.planes({"": parts})


# ── line drawings ───────────────────────────────────────────────────────────────────────────────────────────


def test_outlined_tiles_keep_their_place_and_number_and_are_no_solid_ink():
    solid = figures.tiles({"": [[0, 1], [1, 0]]})
    [full], [edged] = solid.pictures, solid.outlined().pictures
    assert full.count('fill-opacity="1.00"') == 2 and 'fill-opacity="1.00"' not in edged
    assert edged.count('fill-opacity=".13" stroke="currentColor"') == edged.count("<title>1</title>") == 2


def test_a_mask_is_told_row_by_row_and_drawn_square_by_square():
    mask = np.array([[True, False, True], [False, False, False]])
    drawn = figures.masks({"odd": mask})
    assert repr(drawn) == "odd, 2 of 6 may look: row 0 sees 0 and 2; row 1 sees nothing."
    pale, filled = re.findall(r'd="([^"]*)"', drawn._repr_html_())
    assert (pale.count("M"), filled.count("M")) == (4, 2)
    with pytest.raises(ValueError, match="truth values"):
        figures.masks({"numbers": np.eye(2)})


def test_the_words_of_a_mask_stand_beside_it_filling_is_hatched_and_new_words_have_a_bar():
    drawn = figures.masks({"old": np.tri(3, dtype=bool), "new": np.ones((1, 3), bool)}, words="·ab")
    assert repr(drawn).count("filling") == 2 and "old, 6 of 9 may look: row 0 sees 0; row 1 sees 0–1" in repr(drawn)
    one, other, _, key = drawn.pictures
    assert re.findall(r">(.)</text>", one) == list("·ab·ab") and re.findall(r">(.)</text>", other) == list("b·ab")
    forbidden, allowed = re.findall(r'<path d="([^"]*)" stroke=', one)  # row 0 and column 0: five lines a square
    assert (forbidden.count("M"), allowed.count("M")) == (2 * 5, 3 * 5)
    assert "<rect" not in one and "<rect" in other
    assert "hatched: filling; bar: new words" in key
    plain = figures.masks({"all": np.ones((2, 2), bool)}, words=range(2))
    assert len(plain.pictures) == 1 and "filling" not in repr(plain)
    with pytest.raises(ValueError, match="3 columns, but there are 2 words"):
        figures.masks({"odd": np.ones((2, 3), bool)}, words="ab")


def test_what_is_wrong_in_a_mask_is_crossed_where_it_is_allowed_framed_where_it_is_missing_and_told():
    mask, off = np.tri(3, dtype=bool), np.zeros((3, 3), bool)
    off[0, 2] = off[1, :2] = True
    drawn = figures.faults({"odd": mask, "right": mask}, {"odd": off}, words="·ab")
    assert repr(drawn).startswith("odd, 6 of 9 may look: row 0 sees 0;")
    assert "; wrong: row 0 at 2, row 1 at 0–1. right, 6 of 9" in repr(drawn) and repr(drawn).count("wrong") == 1
    one, other, _, *key = drawn.pictures
    assert (one.count('stroke-width="1.4"'), one.count('stroke-width="2"')) == (2, 1)
    assert "var(--bad" not in other and "width:min(" in one
    assert [re.search(r">([^<]*)</text>", word)[1] for word in key] == [
        "looks, and must not", "a look that is missing", "filling",
    ]  # fmt: skip


def test_a_row_of_the_filling_that_sees_nothing_has_one_frame_and_no_look_is_missing_in_it():
    mask = np.zeros((3, 3), bool)
    off = mask | (np.arange(3)[:, None] < 2)
    drawn = figures.faults({"odd": mask}, {"odd": off}, words="·ab")
    assert repr(drawn).endswith("; wrong: row 0 is empty, row 1 at 0–2.")  # row 1 is a letter's: looks are missing
    assert drawn.pictures[0].count('stroke-width="2"') == 1 + 3 and "v13h-47z" in drawn.pictures[0]
    assert [re.search(r">([^<]*)</text>", word)[1] for word in drawn.pictures[2:]] == [
        "a look that is missing", "an empty row", "filling",
    ]  # fmt: skip


def test_masks_are_joined_by_signs_and_only_the_first_repeats_its_rows():
    mask = np.ones((2, 3), bool)
    first, second = figures.faults({"a": mask, "b": mask}, words="xyz", signs=("", "=")).pictures[:2]
    assert re.findall(r">(.)</text>", first) == list("ayzxyz") and re.findall(r">(.)</text>", second) == list("b=xyz")
    assert "bar" not in first and "new words" in "".join(figures.faults({"a": mask}, words="xyz").pictures)
    assert len(figures.faults({"a": mask[:, :2]}, words="xy").pictures) == 1
    with pytest.raises(ValueError, match="3 columns, but there are 2 words"):
        figures.faults({"a": mask}, words="ab")
    with pytest.raises(ValueError, match="wrong has shape"):
        figures.faults({"a": mask}, {"a": mask[:, :2]}, words="xyz")


def test_tiles_tell_few_numbers_and_shade_many():
    few, many = np.array([[0.5, -2.0]]), np.arange(400.0).reshape(20, 20)
    drawn = figures.tiles({"few": few})._repr_html_()
    assert "<title>0.500</title>" in drawn and "<title>−2</title>" in drawn
    assert drawn.count('fill-opacity="1.00"') == 1 and drawn.count('fill-opacity="0.25"') == 1
    assert figures.tiles({"many": many})._repr_html_().count("<path") == 12
    ink = figures.tiles({"weights": np.full((1, 2), 0.5)})._repr_html_()
    assert ink.count('fill="currentColor" fill-opacity="0.50"') == 2
    assert [p for p in figures.tiles({c: few for c in "abc"}, across=2).pictures].index("<br>") == 2


def test_tiles_write_their_numbers_and_name_rows_and_columns_apart():
    tiles = figures.tiles({"few": [[0.5, -0.25, 0]]}, names="a", cols="xyz", side=36, numbers=True)
    assert tiles.alt == "few is [(0.500, −0.250, 0)]."
    drawn = tiles._repr_html_()
    assert re.findall(r">([^<]+)</text>", drawn) == ["few", "a", "x", "y", "z", "0.5", "−0.25", "0"]
    assert 'fill-opacity="1.00"' in drawn and 'fill-opacity="0.50"' in drawn  # the shades of 0.5 and −0.25
    pair = {"one": [[1]], "four": [[4]]}
    fine = figures.tiles({"fine": [[0.0017, 0.5]]}, numbers=True, digits=3)
    assert ">0.002<" in fine._repr_html_() and fine.alt == "fine is [(0.002, 0.500)]."
    shades = [figures.tiles(pair, numbers=True, common=x)._repr_html_().count('opacity="1.00"') for x in (False, True)]
    assert shades == [2, 1]  # in common only the largest of all is full
    whole = figures.tiles({"whole": [[0, 8, 10]]}, numbers=True, digits=0)._repr_html_()
    assert [f">{x}</text>" in whole for x in (0, 8, 10)] == [True] * 3


def test_pushes_are_areas_that_balance():
    drawn = figures.pushes([0.75, 0.25, 0.0], [1, -3, 9], ["a", "b", "no share"], title="pushes")
    wide, tall = (re.findall(rf'<rect [^>]*{side}="([\d.]+)"', drawn._repr_html_()) for side in ("width", "height"))
    areas = [float(w) * float(h) for w, h in zip(wide, tall, strict=True)]
    assert len(areas) == 2 and areas[0] == pytest.approx(areas[1], rel=0.01)
    assert "a 0.75 × +1.00 = +0.750, b 0.25 × −3.00 = −0.750" in drawn.alt
    picture = drawn._repr_html_()
    dashed, boxes = float(re.search(r"0V(-[\d.]+)\" [^>]*dasharray", picture)[1]), [float(h) for h in tall]
    assert boxes[1] == pytest.approx(3 * boxes[0], rel=0.01)
    assert boxes[0] < -dashed < boxes[0] + 40  # it is cut short, or it would leave a page half empty
    assert (
        "no share: height +9.00, area 0" in picture
        and picture.count("stroke-dasharray") == 1
        and "rotate" not in picture
    )
    many = figures.pushes([0.05, 0.05, 0.9], [-0.9, -0.9, 0.1], ["first", "second", "c"], title="two narrow boxes")
    ends = re.findall(r'V([\d.]+)" stroke="currentColor"', many._repr_html_())
    assert float(ends[0]) > float(ends[1])  # the first name stands below the second, and no line crosses either
    with pytest.raises(ValueError, match="must balance"):
        figures.pushes([0.5, 0.5], [1, 1], ["a", "b"], title="odd")
    with pytest.raises(ValueError, match="there are 1 names"):
        figures.pushes([0.5, 0.5], [1, -1], ["a"], title="odd")


def test_boxes_and_curves_have_letters_no_larger_than_the_page_s():
    for drawn in (
        figures.pushes([0.5, 0.5], [1, -1], ["a", "b"], title="pushes"),
        figures.handed([0.2, 0.8], ["a", "b"], "b", 0.1),
        figures.shares({"river": (3.9, 1)}),
    ):
        picture = drawn._repr_html_()
        rem, wide, letter = (
            float(re.search(size, picture)[1])
            for size in (r"max-width:(\d+)rem", r'viewBox="\S+ \S+ (\S+) ', r'font-size="([\d.]+)"')
        )
        assert 0.85 < letter * rem / wide < 1.01


def test_narrow_pushes_have_one_name_together():
    shares, gains = [0.05, 0.05, 0.9], [0.9, 0.9, -0.1]
    drawn = figures.pushes(shares, gains, ["a", "b", "c"], title="pushes", together="both")
    assert re.findall(r">([^<>]*: area [^<]*)<", drawn._repr_html_()) == ["both: area +0.090", "c: area −0.090"]
    turned = figures.pushes(shares, np.negative(gains), ["a", "b", "c"], title="pushes", together="both")
    assert re.findall(r">([^<>]*: area [^<]*)<", turned._repr_html_()) == ["both: area −0.090", "c: area +0.090"]
    wide = figures.pushes([0.5, 0.5], [1, -1], ["a", "b"], title="pushes", together="both")
    assert "both" not in wide._repr_html_()  # no box is narrow


def test_one_cut_takes_the_same_part_of_every_word_and_hands_it_to_one():
    shares, part = np.array([0.2, 0.3, 0.5]), 0.1
    drawn = figures.handed(shares, ["a", "b", "river"], "river", part)
    boxes = re.findall(r'x="([\d.]+)" width="([\d.]+)" [^>]* y="([\d.]+)" height="([\d.]+)"', drawn._repr_html_())
    kept, cut = (np.array([box for box in boxes if (box[2] == "0") == top], float) for top in (True, False))
    np.testing.assert_allclose(kept[:, 1] / kept[:, 1].sum(), shares, atol=1e-3)
    np.testing.assert_allclose(cut[:, :2], kept[:, :2])  # what is cut off lies under its own word
    np.testing.assert_allclose(cut[:, 3] / (cut[:, 3] + kept[:, 3]), part, atol=1e-3)
    assert drawn.alt == (
        "Every word gives up 10.0 % of its share, and river gets all of it: 0.050 of its own and 0.050 from the "
        "others. So river rises from 0.500 to 0.550."
    )
    for wrong, told in (
        ((shares[:2], ["a", "b", "river"], "river", 0.1), "there are 3 names"),
        ((shares, ["a", "b", "c"], "river", 0.1), "must be one of the names"),
        ((2 * shares, ["a", "b", "river"], "river", 0.1), "their sum 1, not 2"),
        ((shares, ["a", "b", "river"], "river", 1), "between 0 and 1, not 1"),
    ):
        with pytest.raises(ValueError, match=told):
            figures.handed(*wrong)


def test_sums_begin_where_the_part_before_them_ends():
    drawn = figures.sums({"own": [4, 4], "added": [2, -3]}, ["up", "down"], ends=["most", "least"], long=60)
    boxes = re.findall(r'<rect x="([\d.]+)" width="([\d.]+)"', drawn._repr_html_())
    np.testing.assert_allclose(np.array(boxes, float), [[0, 40], [40, 20], [0, 60], [0, 40], [10, 30], [0, 10]])
    assert (
        drawn.alt == "up: own 4.00, added 2.00, together 6.00, most; down: own 4.00, added −3.00, together 1.00, least."
    )
    with pytest.raises(ValueError, match="there are 3 names"):
        figures.sums({"own": [4, 4]}, ["a", "b", "c"])


def test_a_word_on_a_plane_has_no_dot():
    drawn = figures.planes({"halves": {"words": {"shore": (1, 1)}, "marks": {"here": (0, 0)}}}, bare=True, reach=2)
    (axis,) = drawn.figure.axes
    (word,) = [one for one in axis.texts if one.get_text() == "shore"]
    assert word.get_position() == (1, 1) and "“shore” stands at (1, 1)" in drawn.alt


def test_hulls_join_a_pair_by_an_edge_or_say_that_none_does():
    flat = {"a": (1, 0), "b": (0, 1), "c": (-1, 0), "d": (0, -1), "inside": (0.1, 0.2)}
    high = {name: (x, y, x * x - y * y) for name, (x, y) in flat.items()}
    panels = {
        "flat": {"keys": flat, "pair": ("a", "c")},
        "high": {"keys": high, "pair": ("c", "a"), "query": (0, 0, 2)},
    }
    drawn = figures.solids(panels)
    assert drawn.alt == (
        "flat: 4 sides, none of them between “a” and “c”; high: 6 edges, one of them between “c” and “a”."
    )
    plane, space = drawn.pictures
    assert plane.count("stroke-dasharray") == 1 and "query" not in plane
    assert 'd="M90.0 0.0L-90.0 0.0"' in plane  # straight on: a lies right of c, as far as they are apart
    assert "stroke-dasharray" not in space and ">query<" in space and space.count("<circle") == 5
    frames = [re.search('viewBox="([^"]+)"', one)[1] for one in figures.solids(panels, beside=True).pictures]
    assert frames[0] == frames[1] != re.search('viewBox="([^"]+)"', plane)[1]  # one frame, so one scale
    assert all("max-width:48%" in one for one in figures.solids(panels, beside=True).pictures)  # on a phone, too
    assert "max-width" not in plane
    rng = np.random.default_rng(0)
    for n in (5, 9):  # a ball's hull has triangles only, so Euler's formula gives the number of its edges
        ball = rng.normal(size=(n, 3))
        ball /= np.linalg.norm(ball, axis=1, keepdims=True)
        alt = figures.solids({"ball": {"keys": dict(zip("abcdefghi", ball, strict=False)), "pair": ("a", "b")}}).alt
        assert f"ball: {3 * n - 6} edges" in alt
    with pytest.raises(ValueError, match="the pair is a and e, but the keys are a, b, c, d"):
        figures.solids({"flat": {"keys": dict(list(flat.items())[:4]), "pair": ("a", "e")}})


def test_two_planes_say_the_angle_at_which_they_stand():
    slope = np.radians(40)
    floor = np.array([[1, 0, 0], [0, 1, 0]]).T
    ramp = np.array([[1, 0, 0], [0, np.cos(slope), np.sin(slope)]]).T
    assert "40° apart" in repr(figures.two_planes(floor, ramp, ("floor", "ramp")))
    with pytest.raises(ValueError, match=r"first must hold .* not \(2, 2\)"):
        figures.two_planes(np.eye(2), ramp, ("floor", "ramp"))


def test_a_cross_stands_only_where_no_weights_reach():
    from attn.show import widgets

    square = widgets.Hull([[0, 0], [2, 0], [2, 2], [0, 2]])
    drawn = lambda hull, never: figures.hulls({"words": ({"": hull}, never)})  # noqa: E731
    assert "far at (3, 1)" in repr(drawn(square, {"far": (3, 1)}))
    pressed = widgets.Hull([[0, 0], [1, 1], [2, 2]])
    assert "aside at (1, 0)" in repr(drawn(pressed, {"aside": (1, 0)}))
    for hull, inside in ((square, (1, 1)), (square, (2, 1)), (pressed, (0.5, 0.5))):
        with pytest.raises(ValueError, match="inside the hull"):
            drawn(hull, {"near": inside})
    dotted = lambda never: figures.hulls({"words": ({"": square}, never, [[0.5, 0.5], [1.5, 0.5]])})  # noqa: E731
    assert "dotted are the outputs of 2 queries; out of reach is top at (1, 1.500)" in repr(dotted({"top": (1, 1.5)}))
    with pytest.raises(ValueError, match="on a dot"):
        dotted({"near": (0.5, 0.52)})
    pair = lambda never: figures.hulls({"two": ({"": widgets.Hull([[1, 0], [0, 2]])}, never)}, cones=["two"])  # noqa: E731
    assert "shaded is their cone, with its mirror image; out of reach is less at (1, −2)" in repr(
        pair({"less": (1, -2)})
    )
    for gained in ((3, 8), (-3, -8)):
        with pytest.raises(ValueError, match="some gain reaches it"):
            pair({"loud": gained})


def test_spokes_are_as_thick_as_the_weights_and_two_readers_may_take_home_the_same():
    from attn.show import widgets

    square = [[0, 0], [2, 0], [2, 2], [0, 2]]
    one, two = (widgets.Hull(square, scores) for scores in ([0, -30, 0, -30], [-30, 0, -30, 0]))
    drawn = figures.hulls({"one": ({"output": one}, {}), "both": ({"first": one, "second": two}, {})})
    assert repr(drawn).count("put the output at (1, 1)") == 3 and "“t1” 50 %, “t3” 50 %" in repr(drawn)
    assert re.findall(r'<line .*?stroke-width="(\S+)"', drawn._repr_html_()) == ["4.5"] * 6
    many = figures.hulls({"many": ({"": widgets.Hull(np.eye(9, 2))}, {})})  # too many to name
    assert "9 values put the output at (0.111, 0.111)" in repr(many) and "t1" not in many._repr_html_()


def test_small_tiles_have_room_for_words_beside_their_rows():
    drawn = figures.tiles({"x": np.eye(2)}, names=["spring", "a"], cols=["", ""], side=14)._repr_html_()
    assert float(re.search(r'viewBox="(\S+)', drawn)[1]) < -0.6 * 10 * len("spring")
    single = figures.tiles({"x": np.eye(2)}, names=["s", "a"], side=14)._repr_html_()
    assert 'viewBox="-16 ' in single  # one letter needs no more than it had


def test_a_tile_has_the_colour_of_its_head_and_a_number_that_is_no_head_is_named():
    drawn = figures.owners({"X": [[-1, -1]], "W": [[0, 1], [-2, 1]]}, signs=["·"])
    assert repr(drawn) == "X, 1×2, read by every head; W, 2×2, of 2 heads."
    html = drawn._repr_html_()
    assert html.count("<rect") == 2 + 3 + 3 and "head 1" in html and "head 2" not in html and "·" in html
    with pytest.raises(ValueError, match="Y holds 0 to 3, but heads go from 0 to 2"):
        figures.owners({"Y": [[0, 3]]})


def test_a_frame_has_a_title_over_its_drawing():
    framed = figures.framed(figures.tiles({"A": np.eye(2)}), "Two words")
    assert repr(framed) == "Two words: A, 2×2, from 0 to 1." and ">Two words</p><svg" in framed._repr_html_()


def test_cuts_stand_before_the_columns_that_are_named():
    drawn = figures.tiles({"W": np.ones((2, 6)), "X": np.ones((2, 6))}, side=10, cuts={"W": [2, 4]})
    assert re.findall(r'<path d="M(\d+) -3', drawn._repr_html_()) == ["20", "40"]


def test_a_faint_row_lies_under_a_veil_and_the_others_have_the_full_colours():
    drawn = figures.tiles({"X": [[1, -2], [8, 8]]}, names="ab", side=10, faint="b")
    assert drawn.pictures[0].count(VEIL) == 1 and f'<rect y="10" width="20" height="10" {VEIL}' in str(drawn.pictures)
    assert drawn.pictures != figures.tiles({"X": [[1, -2], [8, 8]]}, names="ab", side=10).pictures


def test_a_sign_stands_between_joined_drawings_and_none_before_the_first():
    one, two = (figures.tiles({name: np.eye(2)}) for name in "AB")
    assert [">·<" in picture for picture in figures.joined([one, two], "·").pictures] == [False, True, False]
    with pytest.raises(ValueError):
        figures.joined([one, two], "··")


def test_a_row_to_look_at_has_a_frame_around_all_of_its_tiles():
    drawn = figures.tiles({"C": np.ones((2, 3))}, names="ab", cols="xyz", side=10, framed="b")
    assert re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" fill="none"', drawn._repr_html_()) == [
        ("1.5", "11.5", "27", "7")
    ]
    assert 'x="1.5"' not in figures.tiles({"C": np.ones((2, 3))}, names="ab", cols="xyz")._repr_html_()


def test_bars_start_at_a_common_zero_and_numbers_stand_clear_of_them():
    drawn = figures.lengths([2, -1], ["up", "down"], title="both ways")
    assert repr(drawn) == "both ways: (2, −1); largest at “up” (2), smallest at “down” (−1)."
    (up, up_wide), (down, down_wide) = re.findall(r'<rect x="(\S+)" y="\d+" width="(\S+)"', drawn._repr_html_())
    assert float(up) == 0 and float(down) == -float(down_wide) and float(up_wide) == 2 * float(down_wide)
    assert float(re.search(r'x="(\S+)"[^>]*>−1<', drawn._repr_html_())[1]) > 0
    wider = figures.lengths([2, -1], ["up", "down"], title="both ways", long=480)._repr_html_()
    assert re.findall(r'<rect x="(\S+)" y="\d+" width="(\S+)"', wider) == [("0.0", "320.0"), ("-160.0", "160.0")]
    with pytest.raises(ValueError, match="1 names"):
        figures.lengths([1, 2], ["a"], title="odd")


def test_columns_of_a_common_scale_draw_equal_numbers_equally_long():
    panels = {"without": [1, 4], "with": [1, 2]}
    longest = [
        [float(x) for x in re.findall(r'<rect[^>]*width="([\d.]+)"', picture)]
        for picture in figures.columns(panels, ["a", "b"], common=True, long=100).pictures
    ]
    assert longest == [[25, 100], [25, 50]]
    own = figures.columns(panels, ["a", "b"], long=100).pictures
    assert 'width="50.0"' in own[1] and 'width="100.0"' in own[1]


def test_two_measures_of_the_same_rows_stand_in_columns_with_two_rows_marked():
    drawn = figures.columns({"vote": [6.9, -0.04], "loss": [1, 3.46]}, ["a", "b"], marked=("a", "b"), long=100)
    assert repr(drawn) == "vote: a 6.9, b 0.0. loss: a 1.0, b 3.5."
    finer = figures.columns({"vote": [6.9], "loss": [3.46]}, ["a"], digits={"vote": 1, "loss": 2})
    assert len(drawn.pictures) == 2 and repr(finer) == "vote: a 6.9. loss: a 3.46."
    bars = [re.findall(r'width="(\S+)" height="14" fill="([^"]+)"', picture) for picture in drawn.pictures]
    assert [tone for _, tone in bars[0]] == [tone for _, tone in bars[1]] and len({*bars[0], *bars[1]}) == 4
    assert float(bars[1][1][0]) == 100 and abs(float(bars[1][0][0]) - 100 / 3.46) < 0.1  # each its own scale
    assert (
        "currentColor" not in bars[0][0][1] and figures.columns({"x": [1]}, ["a"])._repr_html_().count("fill-op") == 1
    )
    with pytest.raises(ValueError, match="1 names"):
        figures.columns({"vote": [1, 2]}, ["a"])


def test_an_arrow_stands_over_a_plane_by_its_height():
    low, high = (figures.height(degrees, ("the others", "row", "δ")) for degrees in (10, 60))
    assert low.alt == "row stands 10° above the plane, the others; its height above it is δ."
    tips = [float(re.search(r'<circle cx="\S+" cy="(\S+)"', drawn.pictures[0])[1]) for drawn in (low, high)]
    assert tips[1] < tips[0] < 0
    with pytest.raises(ValueError, match="over 0 and not over 90"):
        figures.height(0, ("a", "b", "c"))


def test_two_heads_glance_from_the_last_word_with_an_arc_for_each_share():
    shares = np.array([[0.5, 0.01, 0.49], [0.0, 1.0, 0.0]])
    drawn = figures.glances({"money river bank": shares}, ("topic", "one back"))
    assert repr(drawn) == (
        "In “money river bank” topic gives “money” 0.50, “bank” 0.49; "
        "In “money river bank” one back gives “river” 1.00."
    )
    widths = re.findall(r'stroke-width="(\S+)"', drawn.pictures[0])
    assert widths == ["4.5", "4.4", "8.0"] and "0.01" not in drawn.pictures[0]
    edge = float(re.search(r'viewBox="(\S+)', drawn.pictures[0])[1])
    share = re.search(r'<text[^>]* x="(\S+?)"[^>]*>0.50<', drawn.pictures[0])
    assert float(share[1]) - 4 * 7 > edge  # four letters that end there
    with pytest.raises(ValueError, match="shape \\(2, 2\\)"):
        figures.glances({"river bank": shares}, ("topic", "one back"))


def test_dots_stand_on_one_axis_and_a_band_says_how_far_one_may_lie():
    drawn = figures.dots({"one": [0, 90], "two": [45, 60]}, ends=(0, 90), ticks={45: "45°"}, across="angles",
                         give={"two": [9, 0]}, long=100)  # fmt: skip
    assert repr(drawn) == "angles: one (0, 90); two (45, 60)."
    page = drawn._repr_html_()
    assert '"M0.0 15h0M100.0 15h0"' in page and '"M50.0 45h0M66.7 45h0"' in page
    assert re.findall(r'<rect x="(\S+)" y="37" width="(\S+)"', page) == [("40.0", "20.0")]
    with pytest.raises(ValueError, match="one must lie between 0 and 90"):
        figures.dots({"one": [91]}, ends=(0, 90), ticks={}, across="angles")


def test_what_was_asked_of_memory_is_drawn_by_its_bytes():
    plot = figures.made({"a": ("kernel", [4 * 64, 4 * 8]), "b": ("formula", [2 * 4 * 64])}, 8)
    assert plot.alt == "a, kernel: 288 B, 1 squares of 8 × 8; b, formula: 512 B, 2 squares of 8 × 8."
    wide, tone = zip(*re.findall(r'width="([\d.]+)" height="40" fill="([^"]+)"', plot._repr_html_()), strict=True)
    assert wide == ("40.0", "5.0", "80.0") and tone[0] == tone[2] != tone[1]  # a square, an eighth, two squares
    assert plot._repr_html_().count(">8²<") == 2
    with pytest.raises(ValueError, match="must be positive, but are 0 and 4"):
        figures.made({}, 0)


def test_rows_without_numbers_are_crossed_and_said():
    plot = figures.blanks({"lost": [[np.nan, np.nan], [0.25, 0.75]]}, ["pad", "bank"])
    assert plot.alt == "lost: pad NaN, bank (0.250, 0.750)."
    assert plot._repr_html_().count("l8 8m0 -8l-8 8") == 2
    with pytest.raises(ValueError, match=r"lost has shape \(1, 3\), but there are 2 names"):
        figures.blanks({"lost": np.zeros((1, 3))}, ["pad", "bank"])


def test_ways_that_agree_share_one_map_and_others_are_refused():
    one = np.array([[1.0, 0.0], [0.25, 0.75]])
    plot = figures.agreed({"by hand": one, "by rule": one + 1e-7}, ["she", "sat"])
    assert plot.alt == "by hand, by rule all give one map: she (1, 0), sat (0.250, 0.750)."
    drawn = plot._repr_html_()
    assert drawn.count("<rect") == 4 and drawn.count("<path") == 2
    with pytest.raises(ValueError, match="by hand, by rule do not agree"):
        figures.agreed({"by hand": one, "by rule": one.T}, ["she", "sat"])


def test_a_product_is_drawn_with_its_columns_and_rows():
    left, above = np.array([[1.0, 0.0], [-2.0, 1.0]]), np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 6.0]])
    plot = figures.products({"R": (left, above), "one": (left[:, :1], above[:1])})
    assert plot.alt == "R: 2×3, 2 columns times 2 rows; one: 2×3, a column times a row."
    of_sum, of_one = plot.pictures
    assert left @ above == pytest.approx(np.array([[1, 0, 3], [-2, 1, 0]]))
    assert of_sum.count("<rect x=") == 3 + 4 + 4 and of_one.count("<rect x=") == 2 + 2 + 4  # a zero is not drawn
    assert of_sum.count("#d98324") == 2  # −2, in a column and in the table
    named = figures.products({"R": (left, above)}, sides=("weights", "circuit"))
    assert named.alt == "R: 2×3, 2 columns times 2 rows. At the left of each the weights, on top the circuit."
    assert ">weights<" in named.pictures[0] and ">circuit<" in named.pictures[0]
    with pytest.raises(ValueError, match=r"odd: \(2, 2\) cannot be multiplied by \(3, 2\)"):
        figures.products({"odd": (left, above.T)})


def test_pages_that_two_texts_share_are_drawn_once():
    shared = {"1": [(2, "she sat"), (0, "bank")], "2": [(2, "she sat"), (1, "boat")]}
    plot = figures.pages(shared, 4, ("text", "room"))
    assert plot.alt == "1: pages 2, 0; 2: pages 2, 1; 3 of 4 pages hold words."
    drawn = plot._repr_html_()
    assert drawn.count(">she sat<") == 3 and drawn.count("stroke-dasharray") == 1 and drawn.count('fill="none"/>') == 4
    with pytest.raises(ValueError, match="page 2 holds “she sat” of 4 pages, and cannot hold “boat”"):
        figures.pages({"1": [(2, "she sat")], "2": [(2, "boat")]}, 4, ("text", "room"))
    with pytest.raises(ValueError, match="table has 1 sequences"):
        figures.pages({"1": []}, 4, ("text", "room"))


def test_lanes_say_how_busy_the_first_one_is():
    plot = figures.lanes({"turns": {"products": [(0, 1, 0), (2, 1, 1)], "exponentials": [(1, 1, 0)]}}, 4)
    assert plot.alt == "turns: products busy 50% of the time."
    assert re.findall(r'<rect x="([\d.]+)" y="(\d+)"', plot._repr_html_()) == [
        ("96.5", "0"), ("246.5", "0"), ("171.5", "28"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="products works until 5, but its lane ends at 4"):
        figures.lanes({"turns": {"products": [(4, 1, 0)]}}, 4)


def test_a_shadow_says_what_a_key_scores_and_stands_where_it_falls():
    keys = {"along": (3, 4), "aside": (-4, 3), "against": (-0.6, -0.8)}
    drawn = figures.shadows((0.6, 0.8), keys, scale=2, name="asker", wall="doubled")
    assert "Doubled" in drawn.alt and "along 10.00, aside 0.00, against −2.00" in drawn.alt
    falls = [np.diff(line.get_xydata(), axis=0)[0] for line in drawn.figure.axes[0].lines if line.get_linewidth() == 7]
    np.testing.assert_allclose(falls, np.outer([5, 0, -1], [0, 1]), atol=1e-12)  # upright, wherever the query points
    wall = figures.shadows((0, 1), {"right": (2, 1)}).figure.axes[0].lines[0].get_xydata()
    assert (wall[:, 0] < -0.5).all()  # clear of the query, too, where every key is on its other side
    words = {one.get_text() for one in drawn.figure.axes[0].texts}
    assert "0" in words
    near = figures.shadows((0, 1), {"left": (-0.1, 1), "right": (0, 1)}).figure.axes[0].texts
    assert {one.get_text(): one.get_ha() for one in near}["left"] == "right"  # its name ends before the other key
    with pytest.raises(ValueError, match="query is zero"):
        figures.shadows((0, 0), keys)
    with pytest.raises(ValueError, match=r"must lie in the plane, but have shapes \(3,\)"):
        figures.shadows((1, 0, 0), keys)


def test_shares_are_softmax_with_one_score_moved():
    row = np.array([0.5, -1.0, 2.0, 3.0])
    others = np.exp(np.delete(row, 2)).sum()
    drawn = figures.shares({"x": (others, 1)}, {"here": 2.0}, slopes=True)
    a = np.exp(row) / np.exp(row).sum()
    assert f"x reaches one half at {np.log(others):.2f}; here: score 2, share {a[2]:.2f}" in drawn.alt
    assert f"slope {a[2] * (1 - a[2]):.2f}" in drawn.alt
    x, y = map(float, re.search(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawn._repr_html_()).groups())
    assert (x / 270, 1 - y / 140) == pytest.approx((6 / 12, a[2]), abs=2e-3)
    ground = figures.shares({"x": (others, 1)}, tint=[(2, "steep")])._repr_html_()
    depths = [float(d) for d in re.findall(r'Z" opacity="([\d.]+)"', ground)]
    assert len(depths) == 48 and max(depths) == pytest.approx(0.3, abs=0.01) and ">steep<" in ground
    assert -4 + 12 * (np.argmax(depths) + 0.5) / 48 == pytest.approx(np.log(others), abs=0.25)  # darkest at one half
    crowd = figures.shares({"few": (4, 1), "many": (999, 1), "hot": (4, 2)}, {"b": 1})
    assert crowd._repr_html_().count("stroke-dasharray") == 1 and ">many<" in crowd._repr_html_()
    for bad in ((0, 1), (4, 0)):
        with pytest.raises(ValueError, match="both must be positive"):
            figures.shares({"no": bad})


def test_stacks_pile_parts_up_and_mark_their_sums():
    parts = {"one": [1.0, 2.0], "two": [3.0, -1.0]}
    drawn = figures.stacks({"here": parts, "there": {"one": [1, 1], "two": [1, 1]}}, ["a", "b"], across="letters")
    assert drawn.alt == "here: sums from 1 to 4; there: sums from 2 to 2. Columns: letters."
    picture = drawn._repr_html_()
    boxes = re.findall(r'd="([^"]+)" fill', picture)[:4]  # above zero: one, two; below zero: one, two
    ends = [[abs(float(x)) for x in re.findall(r"M[\d.]+ (-?[\d.]+)h[\d.]+V(-?[\d.]+)", box)[0]] for box in boxes[:2]]
    assert ends[0][1] == ends[1][0] and ends[1][1] == pytest.approx(4 * ends[0][1], abs=0.3)
    assert picture.count("<title>") == 2
    with pytest.raises(ValueError, match="there are 1 names"):
        figures.stacks({"here": parts}, ["a"])


def test_a_rose_draws_an_arrow_along_its_direction():
    around = {0: ("east", "right"), 90: ("north",), 180: ("west",), 270: ("south",)}
    drawn = figures.rose(around, {"wind": [0.0, 2.0]})
    assert drawn.alt == "east, right at 0°; north at 90°; west at 180°; south at 270°; wind is (0, 2)."
    x, y = map(float, re.search(r'M0 0L(-?[\d.]+) (-?[\d.]+)M[^"]*" fill="none"', drawn._repr_html_()).groups())
    assert x == 0 and y == pytest.approx(-0.8 * 78, abs=0.1)
    with pytest.raises(ValueError, match="must lie in the plane"):
        figures.rose(around, {"wind": [1, 2, 3]})
