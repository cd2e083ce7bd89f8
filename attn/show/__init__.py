"""Figures for the course: still ones (`figures`, matplotlib) and interactive ones (`widgets`, anywidget).

A new interactive figure takes three pieces. A class in a module beside these (grids, rows, steps), derived from
`base.Widget`, with its state as traits from `traits`, its `sentence`, `tables` and `static`. A module js/VIEW.js
that exports `render(host)` and returns kit.js's `figure(host, {title, hint, shape, state, build})`: `build` makes
the parts once and gives back `draw` and `sentence`; a change of a name in `shape` builds anew, one in `state` only
draws. A line in `widgets`. Nothing else: `bundle` finds the view, and the site, Jupyter and the tests run it.
"""
