"""The field's terms in the index and the search: each leads to the section that explains it.

terms.yml lists, for a section of a page, what a reader may look for: abbreviations, other names, whole questions.
"""

from functools import cache
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from book.sheets import plain

LIST = Path(__file__).with_name("terms.yml")
logger = logging.getLogger(__name__)


@cache
def listed():
    """Page -> section -> terms."""
    return yaml.safe_load(LIST.read_text(encoding="utf-8"))


class Terms(SphinxTransform):
    """Put a page's terms into its document before Sphinx collects the index."""

    default_priority = 840  # the index is collected at 850

    def apply(self):
        page = self.env.docname
        waiting = dict(listed().get(page, {}))
        if waiting:
            self.env.note_dependency(str(LIST))
        for section in list(self.document.findall(nodes.section)) if waiting else ():
            terms = waiting.pop(plain(section[0].astext()), ())
            anchor = section["ids"][0]
            entries = [("single", term, anchor, "", None) for term in terms]
            if entries:
                section.insert(1, addnodes.index(entries=entries))
        for heading in waiting:
            logger.warning("terms.yml names a section that is not there: %r", heading, location=page)
