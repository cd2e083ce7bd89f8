"""The interactive figures, all on one shelf: `from attn.show import widgets`.

Each is a class, a module js/VIEW.js, and a sentence. They take plain arrays and token names, say what is wrong
with bad ones, and expose what the reader sees. `.static()` gives the still picture.
"""

from attn.show.base import Widget
from attn.show.grids import Heatmap, ScoreCells
from attn.show.rows import ScoreSliders
from attn.show.steps import Embedding, Pipeline, Projection
from attn.show.traits import StateError

__all__ = ["Embedding", "Heatmap", "Pipeline", "Projection", "ScoreCells", "ScoreSliders", "StateError", "Widget"]
