"""A question with a place to guess: a choice, a number or a point. The answer comes after the guess."""

import math

import numpy as np
import traitlets

from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.traits import Flag, Name, Position, Real, StateError, StateTypeError, Tokens

FAR = float(np.finfo(float).max)  # JSON has no ∞


class Guess(traitlets.TraitType):
    """What a reader said, as numbers: [place of the choice], [number], [x, y], or [] before any guess."""

    info_text = "one of the choices, a number or a point"

    def __init__(self):
        super().__init__([])
        self.tag(sync=True, figure=True)

    def validate(self, obj, value):
        """A choice by its text, a number or a point   ->   list of float. Raises StateError or StateTypeError."""
        if isinstance(value, str):
            if value not in obj.choices:
                raise StateError(f"{self.name} is {value!r}, which is none of the choices {obj.choices}")
            return [obj.choices.index(value)]
        try:
            found = np.asarray(value, float).ravel().tolist()
        except (TypeError, ValueError):
            raise StateTypeError(f"{self.name} must be {self.info_text}, not {value!r}") from None
        if len(found) > 2 or not np.isfinite(found).all():
            raise StateError(f"{self.name} must be one finite number or a point (x, y), not {value!r}")
        return found


class Predict(Widget):
    """Ask before showing: the reader guesses, then sees the answer and a reply to the guess.

    question: str;  answer: one of `choices`, a number, or a point (x, y), computed by the cell that asks
    choices: texts to choose from;  unit: of a number, "times";  tolerance: how far off is still right (5 % of a
    number, a tenth of the picture's reach for a point);  because: why the answer is what it is
    span: (least, most), only where the question itself says the whole ("of 72 heads", "a share"): the guess can be
    set on a line between them. Its ends must not tell more than the question does.
    replies: {likely wrong guess: what to say to it}; a guess is a choice, a number, a pair (least, most) of
    numbers, or a point.   because and each reply: str, or a function answer -> str
    marks: {name: (x, y)}, points that are drawn where a point is asked for;  steps: {name: (x, y)}, arrows that lead
    to it head to tail, drawn with the answer; a guess among three marks is then told as their average.
    Raises ValueError or TypeError.
    .guess -> [] or what the reader said, as numbers;  .right -> bool;  .again -> bool, whether this first guess was
    wrong and another is waited for: on the page the reply comes at once, the answer with the second guess
    The page and the notebook keep a guess in the reader's browser, by its question.
    """

    view = "predict"
    question, unit, because = Name(""), Name(""), Name("")
    choices = Tokens()
    answer = Guess()
    tolerance = Real(0.0)
    replies = traitlets.List().tag(sync=True, figure=True)
    marks, steps = (traitlets.Dict().tag(sync=True, figure=True) for _ in range(2))
    reach = Real(1.0)
    digits = Position()
    span = traitlets.List().tag(sync=True, figure=True)
    guess = Guess()
    shown = Flag()
    again = Flag()

    def __init__(
        self,
        question,
        answer,
        *,
        choices=(),
        unit="",
        tolerance=None,
        replies=None,
        because="",
        marks=None,
        steps=None,
        digits=3,
        span=(),
    ):
        told = answer.item() if isinstance(answer, np.generic) else answer
        say = {"because": because, **dict(enumerate((replies or {}).values()))}
        say = {name: words(told) if callable(words) else words for name, words in say.items()}
        super().__init__(question=question, choices=list(choices), unit=unit, because=say["because"], digits=digits)
        self.marks = _places("marks", marks)
        self.answer = answer
        if not self.answer or (self.choices and not isinstance(answer, str)):
            raise StateError(f"answer must be {Guess.info_text}, not {answer!r}")
        self.steps = _places("steps", steps)
        self.reach = 1.25 * max(map(abs, (1e-9, *self.answer, *(x for p in self.marks.values() for x in p))))
        if tolerance is None:
            wide = self.reach / 10 if len(self.answer) == 2 else abs(self.answer[0]) / 20
            tolerance = 0 if self.choices else wide
        self.tolerance = tolerance
        self.replies = [self._reply(wrong, say[i]) for i, wrong in enumerate(replies or {})]
        self.span = [float(end) for end in span]

    @property
    def state(self):
        """What the picture depends on; what only some questions have stands there only where given.   ->   dict"""
        some = ("span", "again", "steps")
        return {name: value for name, value in super().state.items() if name not in some or value}

    def check(self, s):
        span = getattr(s, "span", ())
        for name, value in (("answer", s.answer), ("guess", s.guess)):
            if value and s.choices and (len(value) > 1 or value[0] not in range(len(s.choices))):
                raise StateError(f"{name} must be one of the choices {s.choices}")
        if s.guess and len(s.guess) != len(s.answer):
            raise StateError(f"guess has {len(s.guess)} numbers, but answer has {len(s.answer)}")
        if span and (s.choices or len(s.answer) != 1):
            raise StateError("span is for a number, not for a choice or a point")
        if span and not (len(span) == 2 and np.isfinite(span).all() and span[0] < span[1]):
            raise StateError(f"span must be two finite numbers, least and most, not {tuple(span)}")
        if span and not span[0] <= s.answer[0] <= span[1]:
            raise StateError(f"span {tuple(span)} does not hold the answer {s.answer[0]:.4g}")
        steps = getattr(s, "steps", {})
        end = np.sum([*steps.values()], axis=0)
        if steps and (len(s.answer) != 2 or math.dist(end, s.answer) > 1e-9):
            raise StateError(f"steps lead to {np.round(end, 3).tolist()}, but answer is {s.answer}")
        if steps and len(s.marks) == 3 and np.linalg.matrix_rank(self._corners(s.marks)) < 3:
            raise StateError("three marks on one line: a guess beside it is no average of them")
        if s.tolerance < 0:
            raise StateError(f"tolerance must not be negative, but it is {s.tolerance:.4g}")

    def _reply(self, wrong, said):
        """[least, most, text]: a box of guesses and what to say to them."""
        if isinstance(wrong, tuple) and len(self.answer) == 1 and not self.choices:
            low, high = ([max(-FAR, min(float(end), FAR))] for end in wrong)
        else:
            middle = np.array(Guess.validate(self.traits()["guess"], self, wrong))
            if middle.size != len(self.answer):
                raise StateError(f"a reply is to {wrong!r}, which cannot be a guess here")
            low, high = (middle - self.tolerance).tolist(), (middle + self.tolerance).tolist()
        return [low, high, str(said)]

    @property
    def right(self):
        """True if the guess is within the tolerance of the answer.   ->   bool"""
        return bool(self.guess) and math.dist(self.guess, self.answer) <= self.tolerance * (1 + 1e-9)

    def told(self, guess, write=None):
        """A guess or the answer, as it is written in a sentence.   write: how, a number -> str   ->   str"""
        if self.choices:
            return f"“{self.choices[int(guess[0])]}”"
        if len(guess) == 2:
            return text.vector(guess)
        space = "" if self.unit[:1] in ("", "%", "°") else " "
        told = write(guess[0]) if write else text.number(guess[0], self.digits)
        return f"{told}{space}{self.unit}"

    def sentence(self):
        if not (self.guess or self.shown):
            among = f" ({' / '.join(self.choices)})" if self.choices else ""
            return f"Predict: {self.question}{among}"
        verdict = "Right." if self.right else f"You said {self.told(self.guess, as_typed)}." if self.guess else ""
        fits = (say for low, high, say in self.replies if _within(self.guess, low, high))
        reply = "" if self.right or not self.guess else next(fits, self._hint() if self.again else "")
        end = ["Guess once more."] if self.again else [f"The answer: {self.told(self.answer)}.", self.because]
        return " ".join(filter(None, [verdict, reply, *end]))

    def _hint(self):
        """What is said of a wrong guess that no known mistake leads to."""
        if self.steps and len(self.marks) == 3:
            return self._mixture()
        if self.choices or len(self.answer) > 1:
            return "That is not it."
        return "Too low." if self.guess[0] < self.answer[0] else "Too high."

    @staticmethod
    def _corners(marks):
        """Three points, each over a 1: what turns weights that sum to 1 into their average.   ->   (3, 3)"""
        return np.vstack([np.array([*marks.values()], float).T, np.ones(3)])

    def _mixture(self):
        """Of which weights the guess is the average, the three that sum to 1, and which of them is too large."""
        weights, right = (np.linalg.solve(self._corners(self.marks), [*at, 1]) for at in (self.guess, self.answer))
        most = [*self.marks][int(np.argmax(weights - right))]
        terms = [f"{text.number(w, 2)} {name}" for w, name in zip(weights, self.marks, strict=True)]
        outside = " No weight is below 0." if min(weights) < 0 else ""
        return f"That is {' + '.join(terms).replace('+ −', '− ')}: too much {most}.{outside}"

    def tables(self):
        return []

    def fallback(self):
        """Without a script: the question, what there is to choose from, and the answer folded away."""
        choices = "".join(f"<li>{text.escape(choice)}</li>" for choice in self.choices)
        wrong = "".join(f"<li>{self._thought(*reply)}</li>" for reply in self.replies)
        return (
            f"<p><strong>Predict.</strong> {text.escape(self.question)}</p>"
            + (f"<ul>{choices}</ul>" if choices else "")
            + f"<details><summary>The answer</summary><p>{text.escape(self.told(self.answer))} "
            + f"{text.escape(self.because)}</p>{f'<ul>{wrong}</ul>' if wrong else ''}</details>"
        )

    def _thought(self, low, high, said):
        """If you thought 5 times: …"""
        middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
        if high[0] == FAR:
            guess = f"more than {self.told(low)}"
        elif low[0] == -FAR:
            guess = f"less than {self.told(high)}"
        elif len(low) == 1 and low != high and not math.isclose(high[0] - low[0], 2 * self.tolerance):  # a range
            ends = self.told(low), self.told(high)
            guess = " to ".join(ends) if ends[0] != ends[1] else self.told(middle, as_typed)
        else:
            guess = self.told(middle)
            if len(middle) == 1 and guess == self.told(self.answer):  # rounding must not call the answer wrong
                guess = self.told(middle, as_typed)
        return text.escape(f"If you thought {guess}: {said}")

    def static(self):
        from attn.show.still import guesses  # matplotlib, which a page loads only for a picture

        return guesses.guess(self)


def as_typed(x):
    """A guess as a reader types it: 0.25, not 0.250.   float   ->   str"""
    told = text.number(x, 6)
    return told.rstrip("0").rstrip(".") if "." in told and "e" not in told else told


def _places(name, places):
    """{name: [x, y]} of points as they are given, or of none."""
    found = {str(one): np.asarray(place, float).tolist() for one, place in (places or {}).items()}
    for one, place in found.items():
        if np.shape(place) != (2,):
            raise StateError(f"{name} must be points (x, y), but {one!r} is {place}")
    return found


def _within(guess, low, high):
    return bool(guess) and all(a <= x <= b for a, x, b in zip(low, guess, high, strict=True))
