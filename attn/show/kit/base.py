"""What every interactive figure is: a state, a sentence, a readable table, and a view that moves.

The state is plain JSON. It travels to a notebook's front end as synchronised traitlets and to the static page
inside the widget's own HTML; both hosts run the same JavaScript on it.
"""

import json
from types import SimpleNamespace

import traitlets

from attn.show.kit import bundle, text

try:
    from anywidget import AnyWidget
except ImportError:  # Python inside a page has no Jupyter behind it: there a figure is its state and its HTML

    class AnyWidget(traitlets.HasTraits):
        """What a figure needs of anywidget where there is none."""

        def _repr_mimebundle_(self, **kwargs):
            return {}, {}


class Widget(AnyWidget):
    """The base of the interactive figures. A figure names its `view` (widgets/VIEW.js) and writes `sentence`,
    `tables` and `static`; the rest is here.
    """

    view = None
    one_of = None  # (a list of the state, the part that says which one of it is shown): the site sends the others later

    def __init_subclass__(cls, **options):
        if "view" in cls.__dict__:  # not on the nameless subclasses traitlets makes
            cls._esm, cls._css = bundle.module_source(cls.view), bundle.site_style()
            parts = [name for name, trait in vars(cls).items() if _is_state(trait)]
            cls._fits = traitlets.validate(*parts)(cls._validated)
        super().__init_subclass__(**options)

    def __init__(self, **state):
        for name in state.keys() - self.trait_names(figure=True):
            raise TypeError(f"{type(self).__name__} has no argument {name!r}")
        super().__init__(**state)

    def check(self, s):
        """Raise StateError where parts of the state do not fit together.   s: the state that is proposed"""

    def _validated(self, proposal):
        self.check(SimpleNamespace(**{**self.state, proposal["trait"].name: proposal["value"]}))
        return proposal["value"]

    def set(self, **state):
        """Change several parts at once; they are checked together. Raises StateError and then changes nothing."""
        with self.hold_trait_notifications():
            for name, value in state.items():
                setattr(self, name, value)

    def sentence(self):
        """What the figure shows now, in words and numbers.   ->   str"""
        raise NotImplementedError

    def tables(self):
        """The figure as (caption, values, rows, cols) tables, for readers without scripts.   ->   list"""
        raise NotImplementedError

    def static(self):
        """The figure as it stands, as a still picture.   ->   attn.show.figures.Plot"""
        raise NotImplementedError

    @property
    def state(self):
        """Everything the picture depends on, as plain JSON values.   ->   dict"""
        return {name: getattr(self, name) for name in sorted(self.trait_names(figure=True))}

    def html(self):
        """The figure as HTML: its state, and the tables that stand until a script brings it to life.   ->   str"""
        # "<" never occurs in the state, so no token name can close the script element
        state = json.dumps(self.state, allow_nan=False)
        for sign in "<>&":
            state = state.replace(sign, f"\\u{ord(sign):04x}")
        return (
            f'<div class="attn-figure" data-view="{self.view}"><script type="application/json">{state}</script>'
            f'<div class="attn-fallback">{self.fallback()}</div></div>'
        )

    def fallback(self):
        """What stands until a script comes, or where none does: the tables and the sentence, as HTML.   ->   str"""
        shown = "".join(text.table(*parts) for parts in self.tables())
        return f"{shown}<p>{text.escape(self.sentence())}</p>"

    def __repr__(self):
        return self.sentence()

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": self.sentence(), "text/html": self.html()}, metadata


def _is_state(trait):
    return isinstance(trait, traitlets.TraitType) and trait.metadata.get("figure", False)
