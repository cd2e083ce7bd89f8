"""The reader's own sentence: the weights of a real encoder beside the pages, and what computes with them there.

files.json   which bytes, from where; held to their sha256       weights    the same numbers in a quarter of the bytes
place        what the site serves in _static/encoder             client/    the page's part: loaded on a press
"""
