"""The interactive figures, all on one shelf: `from attn.show import widgets`.

Each is a class, a module js/VIEW.js, and a sentence. They take plain arrays and token names, say what is wrong
with bad ones, and expose what the reader sees. `.static()` gives the still picture.
"""

from attn.show.base import Widget
from attn.show.browse import HeadBrowser
from attn.show.costs import CacheCalculator, HeadFlow
from attn.show.device import OnlineSoftmax, Roofline
from attn.show.grids import Heatmap, ScoreCells
from attn.show.painter import MaskPainter
from attn.show.playground import Playground
from attn.show.products import DotProduct, RankSlider, Transpose
from attn.show.rows import Scaling, SoftmaxPhases, SoftmaxSliders
from attn.show.sentence import Sentence
from attn.show.steps import Embedding, Pipeline, Projection
from attn.show.traits import StateError
from attn.show.values import Assembly, CausalValues, Flow, Hull

__all__ = [
    "Assembly", "CacheCalculator", "CausalValues", "DotProduct", "Embedding", "Flow", "HeadBrowser",
    "HeadFlow", "Heatmap", "Hull", "MaskPainter", "OnlineSoftmax", "Pipeline", "Playground", "Projection",
    "RankSlider", "Roofline", "Scaling", "ScoreCells", "Sentence", "SoftmaxPhases", "SoftmaxSliders",
    "StateError", "Transpose", "Widget",
]  # fmt: skip
