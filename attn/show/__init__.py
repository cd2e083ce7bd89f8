"""Figures for the course: still ones (`figures`, matplotlib) and interactive ones (`widgets`, anywidget).

    widgets/   one pair a figure: mask_painter.py is its state and its words, mask_painter.js its view
    kit/       what figures share: Widget, traits, checks, text, presets; kit.js, linalg.js, kit.css; the bundle
    still/     still pictures: matrices, charts

A new interactive figure is a pair in widgets/ and a line in its __init__. The class derives from `kit.base.Widget`,
with its state as traits from `kit.traits`, its `sentence`, `tables` and `static`. The view exports `render(host)` and
returns kit.js's `figure(host, {title, hint, shape, state, build})`: `build` makes the parts once and gives back `draw`
and `sentence`; a change of a name in `shape` builds anew, one in `state` only draws. `kit.bundle` finds the view, and
the site, Jupyter and the tests run it.
"""

from attn.show.kit import presets

__all__ = ["presets"]
