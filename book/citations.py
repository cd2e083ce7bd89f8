"""Citations as the prose writes them: Vaswani et al. (2017), or (Vaswani et al., 2017)."""

from dataclasses import dataclass, field

from sphinxcontrib.bibtex.plugin import register_plugin
from sphinxcontrib.bibtex.style.referencing import BracketStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

NAME = "author_year_round"


def round_brackets():
    return BracketStyle(left="(", right=")")


@dataclass
class RoundReferences(AuthorYearReferenceStyle):
    """Author and year in round brackets, everywhere."""

    bracket_parenthetical: BracketStyle = field(default_factory=round_brackets)
    bracket_textual: BracketStyle = field(default_factory=round_brackets)
    bracket_author: BracketStyle = field(default_factory=round_brackets)
    bracket_label: BracketStyle = field(default_factory=round_brackets)
    bracket_year: BracketStyle = field(default_factory=round_brackets)


def register():
    register_plugin("sphinxcontrib.bibtex.style.referencing", NAME, RoundReferences)
