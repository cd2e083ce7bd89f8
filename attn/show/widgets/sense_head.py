"""The course's own head at work: a sentence of its language, its queries, keys and values in the plane, its answer."""

import numpy as np

from attn import core, senses
from attn.show import figures
from attn.show.kit import text as telling
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, same
from attn.show.kit.traits import Flag, Matrix, Name, Position, StateError, Tokens
from attn.softmax import softmax

OFF = ""  # in keys_of and values_of: nobody finds the word, or it hands over nothing
TOLD = 3  # changes that the sentence names; of more it gives the number


class SenseHead(Widget):
    """Choose a sentence, see what its ambiguous word asks, finds and collects; switch keys and values off or swap them.

        weights = softmax(q Kᵀ / √d),   y = weights · V,   p = softmax((x_t + y W_O) W_U)

    text: words of the head's language, one of them ambiguous.   keys, values: {word: the word whose key or value it
    gets, or None for none at all}.   causal: the ambiguous word sees only itself and what came before.   row: the
    chosen word.   head: a senses.Head, the trained one unless given; its numbers travel with seven decimals.
    Raises ValueError or TypeError.
    .reading -> attn.senses.Reading, every step
    """

    view = "sense_head"
    text = Name("")
    keys_of = Tokens()
    values_of = Tokens()
    causal = Flag()
    row = Position()
    examples = Tokens()
    asked = Tokens()
    cues = Tokens()
    words = Tokens()
    stand_ins = Tokens()
    w_e = Matrix()
    w_q = Matrix()
    w_k = Matrix()
    w_v = Matrix()
    w_o = Matrix()
    w_u = Matrix()

    EXAMPLES = (
        *senses.SHOWN,
        "the money by the river bank",
        "the owl and paper by the letter note",
        "the bat by the cave",
        "snow and sun by the wheel spring",
    )

    def __init__(self, text=senses.SHOWN[0], *, keys=None, values=None, causal=False, row=None, head=None):
        head = senses.load() if head is None else head
        said = text.split()
        chosen = [[(given or {}).get(word, word) or OFF for word in said] for given in (keys, values)]
        told = dict(examples=list(self.EXAMPLES), asked=list(senses.WORDS), words=list(head.words))
        told |= dict(cues=[cue for pair in senses.WORDS.values() for _, cues in pair for cue in cues.split()])
        told |= dict(stand_ins=list(head.stand_ins))
        told |= {name: np.round(getattr(head, name), 7) for name in senses.WEIGHTS}
        if row is None:  # the word that tells, where there is one
            row = next((i for i, word in enumerate(said) if word in told["cues"]), 0)
        super().__init__(text=" ".join(said), keys_of=chosen[0], values_of=chosen[1], causal=causal, row=row, **told)

    def check(self, s):
        said = s.text.split()
        same("the number of words", {"text": len(said), "keys_of": len(s.keys_of), "values_of": len(s.values_of)})
        unknown = [word for word in (*said, *s.keys_of, *s.values_of) if word not in s.words and word != OFF]
        if unknown:
            raise StateError(f"the head does not know {', '.join(sorted(set(unknown)))}; it knows {' '.join(s.words)}")
        ambiguous = [word for word in said if word in s.asked]
        if len(ambiguous) != 1:
            raise StateError(f"text must hold one of {', '.join(s.asked)}, but holds {len(ambiguous)}: {s.text!r}")
        place("row", s.row, len(said), "words")

    @property
    def reading(self):
        """What the head makes of the sentence, with what was switched.   -> attn.senses.Reading"""
        said = self.text.split()
        at = next(i for i, word in enumerate(said) if word in self.asked)
        weights = {name: np.array(getattr(self, name)) for name in senses.WEIGHTS}
        x, keys, values = (
            weights["w_e"][[self.words.index(other or word) for word, other in zip(said, chosen, strict=True)]]
            for chosen in (said, self.keys_of, self.values_of)
        )
        query, k = x[at] @ weights["w_q"], keys @ weights["w_k"]
        v = values @ weights["w_v"] * [[float(other != OFF)] for other in self.values_of]
        seen = np.array([other != OFF and (not self.causal or j <= at) for j, other in enumerate(self.keys_of)])
        done = core.trace(query[None], k, v, seen)
        residual = x[at] + done.output[0] @ weights["w_o"]
        parts = (done.scores[0], done.weights[0], done.output[0])
        scores, shares, output = parts
        scores = np.where(seen, scores, -np.inf)
        return senses.Reading(query, k, v, scores, shares, output, residual, softmax(residual @ weights["w_u"]))

    def sentence(self):
        said, done = self.text.split(), self.reading
        word = next(word for word in said if word in self.asked)
        changed = ["the causal mask on"] if self.causal else []
        for kind, chosen in (("key", self.keys_of), ("value", self.values_of)):
            for own, other in dict.fromkeys(zip(said, chosen, strict=True)):
                if other != own:
                    what = f"taken from {telling.quoted(other)}" if other else "switched off"
                    changed.append(f"the {kind} of {telling.quoted(own)} {what}")
        if len(changed) > TOLD:
            changed = [f"{len(changed)} changes"]
        top = int(done.weights.argmax())
        looks = f"gives {telling.quoted(said[top])} {telling.percent(done.weights[top])} of its attention"
        two = 2 * self.asked.index(word)
        read = ", ".join(f"“{self.stand_ins[i]}” {telling.percent(done.probabilities[i])}" for i in (two, two + 1))
        return (
            f"{'With ' + ', '.join(changed) + ', ' if changed else ''}{telling.quoted(word)} "
            f"{looks if done.weights.any() else 'sees no word'}. "
            f"Its output is {telling.vector(done.output)}, which reads {read}.{self._idle(said, word)}"
        )

    def _idle(self, said, word):
        """What a key and a value do that the mask hides."""
        if not self.causal or self.row <= said.index(word):
            return ""
        return f" {telling.quoted(said[self.row])} is behind the mask: its key and value change nothing."

    def tables(self):
        said, done = self.text.split(), self.reading
        scores = [None if np.isneginf(s) else s for s in done.scores]
        parts = zip(done.keys, scores, done.weights, done.values, strict=True)
        rows = [[*k, s, a, *v] for k, s, a, v in parts]
        return [
            ("What the ambiguous word sees", rows, said, ["key₁", "key₂", "score", "weight", "value₁", "value₂"]),
            ("What may stand in its place", [done.probabilities], ["probability"], self.stand_ins),
        ]

    def static(self):
        said, done = self.text.split(), self.reading
        return figures.bars(list(done.weights), said, title=self.sentence(), name="weights")
