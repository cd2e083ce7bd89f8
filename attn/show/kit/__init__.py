"""What the interactive figures share, in Python and in JavaScript."""
