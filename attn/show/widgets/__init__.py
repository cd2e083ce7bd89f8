"""The interactive figures, all on one shelf: `from attn.show import widgets`.

Each is a pair of files with one name, a class and its view: mask_painter.py, mask_painter.js. They take plain arrays
and token names, say what is wrong with bad ones, and expose what the reader sees. `.static()` gives the still picture.
"""

from attn.show.kit.base import Widget
from attn.show.kit.traits import StateError
from attn.show.widgets.assembly import Assembly
from attn.show.widgets.cache_calculator import CacheCalculator
from attn.show.widgets.causal_values import CausalValues
from attn.show.widgets.cloze import Cloze
from attn.show.widgets.embedding import Embedding
from attn.show.widgets.encoder_heads import EncoderHeads
from attn.show.widgets.fill_matrix import FillMatrix
from attn.show.widgets.flow import Flow
from attn.show.widgets.gauge import Gauge
from attn.show.widgets.head_browser import HeadBrowser
from attn.show.widgets.heatmap import Heatmap
from attn.show.widgets.hull import Hull
from attn.show.widgets.many_heads import ManyHeads
from attn.show.widgets.mask_painter import MaskPainter
from attn.show.widgets.nudge import Nudge
from attn.show.widgets.null_space import NullSpace
from attn.show.widgets.online_softmax import OnlineSoftmax
from attn.show.widgets.pipeline import Pipeline
from attn.show.widgets.playground import Playground
from attn.show.widgets.powers import Powers
from attn.show.widgets.predict import Predict
from attn.show.widgets.projection import Projection
from attn.show.widgets.query_plane import QueryPlane
from attn.show.widgets.roofline import Roofline
from attn.show.widgets.rotating_pairs import RotatingPairs
from attn.show.widgets.scaling import Scaling
from attn.show.widgets.score_cells import ScoreCells
from attn.show.widgets.sense_head import SenseHead
from attn.show.widgets.softmax_sliders import SoftmaxSliders
from attn.show.widgets.squeezed_cloud import SqueezedCloud
from attn.show.widgets.turn_back import TurnBack
from attn.show.widgets.two_keys import TwoKeys
from attn.show.widgets.writes_seen import WritesSeen

__all__ = [
    "Assembly", "CacheCalculator", "CausalValues", "Cloze", "Embedding", "EncoderHeads",
    "FillMatrix", "Flow", "Gauge", "HeadBrowser", "Heatmap", "Hull", "ManyHeads", "MaskPainter",
    "Nudge", "NullSpace", "OnlineSoftmax", "Pipeline", "Playground", "Powers", "Predict", "Projection", "QueryPlane",
    "Roofline", "RotatingPairs", "Scaling", "ScoreCells", "SenseHead", "SoftmaxSliders",
    "SqueezedCloud", "StateError", "TurnBack", "TwoKeys", "Widget", "WritesSeen",
]  # fmt: skip
