"""The still figures, all on one shelf: `from attn.show import figures`.

Each drawing function returns a Plot or a Drawing: the picture, and the sentence that says what it shows. Plots puts
some of one figure each beside each other.
"""

from attn.show.still.arrows import arrows, chain, compass
from attn.show.still.blanks import agreed, blanks
from attn.show.still.caches import caching, times
from attn.show.still.casts import casts
from attn.show.still.charts import bars, cloud, plane, roofline
from attn.show.still.codes import codes
from attn.show.still.columns import columns, dots, sums
from attn.show.still.curves import bells, curves
from attn.show.still.devices import programs, ring
from attn.show.still.drifts import drifts
from attn.show.still.fans import fans
from attn.show.still.faults import faults
from attn.show.still.glances import glances
from attn.show.still.heights import height
from attn.show.still.hulls import hulls
from attn.show.still.kept import kept
from attn.show.still.lanes import lanes
from attn.show.still.lines import Drawing, lengths, tiles, two_planes
from attn.show.still.loads import loads
from attn.show.still.looks import masks
from attn.show.still.made import made
from attn.show.still.matrices import axes_names, heatmap, matrices
from attn.show.still.memories import cut, growth, outer_products, ranks
from attn.show.still.moves import moves
from attn.show.still.owners import framed, joined, owners
from attn.show.still.pages import pages
from attn.show.still.planes import planes
from attn.show.still.plot import INK as INK
from attn.show.still.plot import SCALES as SCALES
from attn.show.still.plot import SIGNED as SIGNED
from attn.show.still.plot import SOFT as SOFT
from attn.show.still.plot import WEIGHT as WEIGHT
from attn.show.still.plot import Plot, Plots
from attn.show.still.products import products
from attn.show.still.pushes import handed, pushes
from attn.show.still.rose import rose
from attn.show.still.routes import balance, ladder, tower
from attn.show.still.scales import against, falls
from attn.show.still.shadows import shadows
from attn.show.still.shares import shares
from attn.show.still.sharing import sharing
from attn.show.still.solids import solids
from attn.show.still.stacks import stacks
from attn.show.still.swaps import swap
from attn.show.still.traffic import merges, overlap, roof, steps
from attn.show.still.walks import hops, walks
from attn.show.still.wiring import bus, wiring

__all__ = [
    "Drawing", "Plot", "Plots", "against", "agreed", "arrows", "axes_names", "balance", "bars", "bells", "blanks",
    "bus", "caching", "casts", "chain", "cloud", "codes", "columns", "compass", "curves", "cut", "dots", "drifts",
    "falls", "fans", "faults", "framed", "glances", "growth", "handed", "heatmap", "height", "hops", "hulls",
    "joined", "kept", "ladder", "lanes", "lengths", "loads", "made", "masks", "matrices", "merges", "moves",
    "outer_products", "overlap", "owners", "pages", "plane", "planes", "products", "programs", "pushes", "ranks",
    "ring", "roof", "roofline", "rose", "shadows", "shares", "sharing", "solids", "stacks", "steps", "sums", "swap",
    "tiles", "times", "tower", "two_planes", "walks", "wiring",
]  # fmt: skip
