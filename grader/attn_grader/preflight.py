"""Before the first submission: does this isolation grade a known-good notebook as good, and a bad one as bad?"""

from dataclasses import replace

from attn_grader.isolation import Refused
from attn_grader.notebooks import Submission
from attn_grader.unit import grade

GOOD = """import numpy as np
def scores(Q, K):
    return Q @ K.T
def softmax(S):
    E = np.exp(S - S.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True)"""
BAD = """import numpy as np
def scores(Q, K):
    return K @ Q.T
def softmax(S):
    return np.exp(S) / np.exp(S).sum(0)"""
ABSENT = """import importlib.util, os, sys
def scores(Q, K):
    held = [name for name in ("attn.core", "attn.exercises.catalogue", "attn_grader") if found(name)]
    if held:
        raise RuntimeError("readable: " + ", ".join(held))
    return Q @ K.T
def found(name):
    import importlib.machinery
    return importlib.machinery.PathFinder.find_spec(name.partition(".")[0]) is not None"""


def fly(settings):
    """Grade two notebooks in the very isolation to be used. Raises Refused unless every verdict is the known one."""
    settings.isolation.find()
    trial = replace(settings, chapters=(3, 4))
    for source, right in ((GOOD, True), (BAD, False)):
        result = grade(Submission("preflight", (("preflight.ipynb", (source,)),)), trial)
        for mark in result.marks:
            if mark.exercise not in ("3.1", "4.1"):
                continue
            if mark.score is None:
                raise Refused(f"the isolation does not grade here: {mark.text.splitlines()[-1].strip()}")
            if bool(mark.score) != right:
                raise Refused(
                    f"a known-{'good' if right else 'bad'} answer to {mark.exercise} was graded {mark.status}"
                )
    if settings.isolation.kind == "none":
        return
    mark = next(
        m for m in grade(Submission("preflight", (("preflight.ipynb", (ABSENT,)),)), trial).marks if m.exercise == "3.1"
    )
    if not mark.score:
        raise Refused(f"answers are within reach of a submission: {mark.text.splitlines()[-1].strip()}")
