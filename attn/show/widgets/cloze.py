"""A sentence with a gap: whatever fills it, the course's own head has read it already."""

import numpy as np

from attn import senses
from attn.show import figures
from attn.show.kit import text as telling
from attn.show.kit.base import Widget
from attn.show.kit.checks import check_weights, place, same
from attn.show.kit.traits import Matrix, Position, StateError, Tokens

GAP = "_"
SURE = 0.6  # where neither meaning has more, the sentence gives no clue, here and in cloze.js


class Cloze(Widget):
    """Choose the word in the gap, see where the ambiguous word then looks and what it means.

    text: words of the head's language, one of them ambiguous, and _ for the gap.   fillers: words for the gap.
    swaps: {filler: word}, such fillers once more, with their own key and that word's value.
    selected: which of them.   head: a senses.Head, the trained one unless given. The head reads each of the sentences
    here; only its weights and its two probabilities travel.
    Raises ValueError or TypeError.   .row -> (n,), the weights in the chosen sentence
    """

    view = "cloze"
    words = Tokens()
    fillers = Tokens()
    weights = Matrix()
    answers = Matrix()
    stand_ins = Tokens()
    at = Position()
    selected = Position()

    def __init__(self, text, fillers, *, swaps=None, selected=0, head=None):
        head, words, fillers = senses.load() if head is None else head, text.split(), list(fillers)
        if words.count(GAP) != 1:
            raise StateError(f"text must hold one gap, written {GAP}, but holds {words.count(GAP)}: {text!r}")
        if not fillers:
            raise StateError("fillers must hold at least one word")
        read = [senses.ask(head, text.replace(GAP, word)) for word in fillers]
        for word, value in (swaps or {}).items():
            read.append(senses.ask(head, text.replace(GAP, word), values={word: value}))
            fillers.append(f"{word}, but {value}’s value")
        at = next(i for i, word in enumerate(words) if word in senses.WORDS)
        two = 2 * list(senses.WORDS).index(words[at])
        answers = np.round([seen.probabilities[two : two + 2] for seen in read], 6)
        super().__init__(
            words=words, fillers=fillers, weights=np.round([seen.weights for seen in read], 6), answers=answers,
            stand_ins=list(head.stand_ins[two : two + 2]), at=at, selected=selected,
        )  # fmt: skip

    def check(self, s):
        same("the number of fillers", {n: len(getattr(s, n)) for n in ("fillers", "weights", "answers")})
        same("the number of words", {"words": len(s.words), "weights": len(s.weights[0])})
        same("the number of answers", {"stand_ins": len(s.stand_ins), "answers": len(s.answers[0])})
        check_weights(s)
        place("at", s.at, len(s.words), "words")
        place("selected", s.selected, len(s.fillers), "fillers")

    @property
    def row(self):
        """The weights in the chosen sentence.   -> (n,)"""
        return np.array(self.weights[self.selected])

    def _said(self):
        filler = self.fillers[self.selected].partition(",")[0]  # without whose value it has
        return [filler if word == GAP else word for word in self.words]

    def sentence(self):
        said, word = self._said(), telling.quoted(self.words[self.at])
        top = int(self.row.argmax())
        read = zip(self.stand_ins, self.answers[self.selected], strict=True)
        told = ", ".join(f"{telling.quoted(name)} {telling.percent(p)}" for name, p in read)
        looks = f"looks most at {telling.quoted(said[top])}, {telling.percent(self.row[top])}"
        clue = max(self.answers[self.selected]) > SURE
        return f"With {telling.quoted(self.fillers[self.selected])}, {word} {looks if clue else 'has no clue'}: {told}."

    def tables(self):
        asked = f"Where “{self.words[self.at]}” looks, for each word in the gap"
        return [
            (asked, self.weights, self.fillers, self.words),
            ("What it means", self.answers, self.fillers, self.stand_ins),
        ]

    def static(self):
        return figures.bars(list(self.row), self._said(), title=self.sentence(), name="weights")
