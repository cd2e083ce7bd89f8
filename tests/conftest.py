"""Makes the material in this folder (worked.py) importable from every test, whichever is run alone."""
