"""Exercises that name the mistake.

    from attn.exercises import check, hint, predict, solution, progress, mistakes, review, start

check says what an answer did, on the smallest case, why that is wrong, and where to go next. It needs NumPy only,
no network, and no files beside the notebook; it never raises.
"""

from attn.exercises.api import check, hint, mistakes, predict, progress, review, solution
from attn.exercises.sheets import start

__all__ = ["check", "hint", "mistakes", "predict", "progress", "review", "solution", "start"]
