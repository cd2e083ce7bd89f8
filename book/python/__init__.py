"""Pages that run: the runtime is supplied and placed, the cells are marked, the client is written beside them.

supply     files.json: which bytes, from where; cached, and held to their sha256
place      what the site serves in _static/python
cells      which cells run, under which name, and what they need
page.py    Python's part, in the browser       client/   the page's part, plain ES modules
"""

from book.python.supply import SupplyError, available, listed

__all__ = ["SupplyError", "available", "listed"]
