"""The reader's own sentence: the weights of a real encoder beside the pages, and what computes with them there.

files.json   which bytes, from where; held to their sha256       weights    the same numbers in a quarter of the bytes
place        what the site serves in _static/encoder             client/    the page's part: loaded on a press

Plain JavaScript computes, not the page's Python: on a phone's processor it needs about half the time for a sentence
(python -m bench.encoder), and the reader waits for no runtime. The word list's rows travel with the rest, 12 of the
24 MB. Range requests would fetch a sentence's rows alone, but their offsets would tell the server each word; what a
reader writes stays on the page.
"""
