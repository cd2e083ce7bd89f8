"""Grading a class: one submission, one result; answers absent from where a submission runs; nothing is ever lost."""

__version__ = "0.1.0"
