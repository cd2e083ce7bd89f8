"""Every public docstring of the heart shows an example that runs, and prints what it says."""

import ast
import doctest
import importlib
from pathlib import Path

import numpy as np
import pytest

import attn

HEART = sorted(path.stem for path in Path(attn.__file__).parent.glob("[a-z]*.py"))
# A law's docstring is the hint a learner reads; data deals in files; senses trains, and its chapter shows it at work.
SPARED = {"laws", "data", "senses"}


@pytest.mark.parametrize("name", sorted(set(HEART) - SPARED))
def test_the_examples_print_what_they_say(name):
    module = importlib.import_module(f"attn.{name}")
    found = doctest.testmod(module, extraglobs={"np": np}, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0 and found.attempted > 0


@pytest.mark.parametrize("name", sorted(set(HEART) - SPARED))
def test_everything_public_has_an_example(name):
    body = ast.parse(Path(attn.__file__).with_name(f"{name}.py").read_text("utf8")).body
    public = [n for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")]
    assert [n.name for n in public if ">>> " not in (ast.get_docstring(n) or "")] == []
