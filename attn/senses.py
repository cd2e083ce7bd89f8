"""Lexical substitution: a language of 39 words, and one attention head that reads its four ambiguous ones.

    X = E[words],   y = x_t + softmax(x_t W_Q (X W_K)ᵀ / √d) X W_V W_O,   p = softmax(y W_U)

At the ambiguous word t the head is asked which word could stand in its place: for "bank", "shore" or "lender"? Queries,
keys and values have two dimensions, so all of it can be drawn. There are no positions and nothing else in the model.
Source: the task is McCarthy and Navigli's (2009) lexical substitution; language, model and training are ours.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from attn import data, memory
from attn.core import trace
from attn.grads import attention_vjp
from attn.softmax import softmax

WORDS = {  # ambiguous word: twice (what may stand in its place, the words that tell)
    "bank": (("shore", "river boat water"), ("lender", "money loan cash")),
    "bat": (("animal", "cave wing owl"), ("club", "ball team game")),
    "spring": (("season", "snow sun garden"), ("coil", "metal wheel clock")),
    "note": (("tone", "song piano voice"), ("memo", "paper desk letter")),
}
MORE_WORDS = WORDS | {  # six more, to ask how many a plane can hold
    "match": (("flame", "fire candle smoke"), ("contest", "referee rival trophy")),
    "mouse": (("rodent", "cheese tail cat"), ("pointer", "screen cable click")),
    "palm": (("hand", "finger thumb skin"), ("tree", "beach coconut desert")),
    "bark": (("growl", "dog puppy kennel"), ("rind", "oak trunk forest")),
    "light": (("lamp", "bulb switch dark"), ("slight", "feather scale weight")),
    "crane": (("stork", "heron marsh egg"), ("hoist", "tower steel cargo")),
}
TEMPLATES = (  # A the ambiguous word, C its cue, D distractors of one foreign topic, S she or he; each kind's share
    (0.18, "S sat by the C A|S put C in the A|S saw the C and the A|the C had a A|the A by the C"
     "|S saw the A by the C|the A and the C|S put the A by the C"),
    (0.20, "the D by the C A|the A and the D by C|the C by the D and A"),
    (0.25, "D and D by the C A|the C A by D and D|the A by D D and C|S saw D and D by C A"),
    (0.20, "D D and D by C A|the A by D D D and C|the C A by D D D"),
    (0.17, "S saw the A|the A by the D|S put D in the A|D and D by the A|the A by D D and D"),
)  # fmt: skip
FUNCTION_WORDS = "a and by had he in put sat saw she the".split()
SHOWN = ("she sat by the river bank", "he put money in the bank", "she saw the bank by the river", "he saw the bank")


class Sentence(NamedTuple):
    """A sentence: where its ambiguous word and its cue stand (None without one), what may stand in the word's place."""

    words: tuple
    at: int
    cue: int | None
    stand_ins: tuple


class Batch(NamedTuple):
    """Sentences as arrays, padded to the longest: b of them, n words, s stand-ins."""

    tokens: np.ndarray  # (b, n)
    at: np.ndarray  # (b,)       where the ambiguous word stands
    mask: np.ndarray  # (b, n)   True = a word, not padding
    target: np.ndarray  # (b, s) 1 for the right stand-in; without a cue, ½ for both


class Head(NamedTuple):
    """The weights, 440 numbers, and the words their rows and columns stand for."""

    words: tuple
    stand_ins: tuple
    w_e: np.ndarray  # (words, c)
    w_q: np.ndarray  # (c, d)
    w_k: np.ndarray  # (c, d)
    w_v: np.ndarray  # (c, e)
    w_o: np.ndarray  # (e, c)
    w_u: np.ndarray  # (c, stand-ins)

    def query(self, *words):
        """Where words ask: (words, d), or (d,) for one."""
        return self._project(words, self.w_q)

    def key(self, *words):
        """Where words are found: (words, d), or (d,) for one."""
        return self._project(words, self.w_k)

    def value(self, *words):
        """What words hand over: (words, e), or (e,) for one."""
        return self._project(words, self.w_v)

    def _project(self, words, w):
        rows = self.w_e[[self.words.index(word) for word in words]] @ w
        return rows[0] if len(words) == 1 else rows


WEIGHTS = Head._fields[2:]


class Reading(NamedTuple):
    """What a head made of a sentence, every step kept."""

    query: np.ndarray  # (..., d)          of the ambiguous word
    keys: np.ndarray  # (..., n, d)
    values: np.ndarray  # (..., n, e)
    scores: np.ndarray  # (..., n)         q · k_j / √d, −∞ where hidden
    weights: np.ndarray  # (..., n)
    output: np.ndarray  # (..., e)         the average of the values
    residual: np.ndarray  # (..., c)       the word's own row plus output W_O
    probabilities: np.ndarray  # (..., s)  of the stand-ins


class Rule(NamedTuple):
    """How a query comes to weights, and the way back: softmax, or what may stand in its place.

    weigh: (query (..., 1, d), keys (..., n, d), mask) -> scores, weights, both (..., 1, n)
    vjp: (query, keys, values, gradient by the output (..., 1, e), mask) -> the gradients by the first three
    """

    weigh: Callable
    vjp: Callable


class Score(NamedTuple):
    """How a head did on sentences that have a cue; excess is over all of them."""

    right: float  # the right stand-in is the likeliest of all
    right_of_two: float  # it is likelier than the word's other sense
    chance: float  # mean P(right) / (P(right) + P(other sense))
    on_cue: float  # mean share of attention on the cue
    excess: float  # mean loss above the best possible, in nats


# ── the language ────────────────────────────────────────────────────────────────────────────────────────────


def vocabulary(words=WORDS):
    """All words of the language, sorted, and all stand-ins, the two of one ambiguous word side by side.

    ->   (words: tuple of 39 strings -> rows of w_e, stand-ins: tuple of 8 -> columns of w_u)
    """
    cues = [cue for pair in words.values() for _, cues in pair for cue in cues.split()]
    return tuple(sorted({*words, *cues, *FUNCTION_WORDS})), tuple(sense for pair in words.values() for sense, _ in pair)


def sentences(rng, number=800, *, words=WORDS):
    """Distinct sentences in random order, four to eight words each; 17 % have no cue.

    ->   list of at most `number` Sentences (shape: a list). Distractors come from one topic of another ambiguous word.
    """
    found, names = {}, list(words)
    for share, templates in TEMPLATES:
        templates = [template.split() for template in templates.split("|")]
        full, tries = len(found) + int(share * number), 0
        while len(found) < full and tries < 20 * number:
            sentence = _sentence(rng, words, names[tries % len(names)], tries // len(names) % 2, templates)
            found.setdefault(sentence.words, sentence)
            tries += 1
    drawn = list(found.values())
    return [drawn[i] for i in rng.permutation(len(drawn))]


def _sentence(rng, words, name, side, templates):
    sense, cues = words[name][side]
    template = templates[rng.integers(len(templates))]
    cue = str(rng.choice(cues.split())) if "C" in template else None
    foreign = [topic.split() for other in words if other != name for _, topic in words[other]]
    distractors = iter(rng.permutation(foreign[rng.integers(len(foreign))]))
    slots = {"A": name, "C": cue, "S": ("she", "he")[rng.integers(2)]}
    said = tuple(str(next(distractors)) if slot == "D" else slots.get(slot, slot) for slot in template)
    both = tuple(stand_in for stand_in, _ in words[name])
    return Sentence(said, said.index(name), said.index(cue) if cue else None, (sense,) if cue else both)


def corpus(rng, number=800, *, words=WORDS):
    """Sentences to train on, and sentences held out: a quarter, among them the four the book shows.

    ->   (train, held_out), lists of Sentences, in shape 3 : 1. What is held out are sentences, not cue words.
    """
    drawn = sorted(sentences(rng, number, words=words), key=lambda sentence: " ".join(sentence.words) in SHOWN)
    cut = len(drawn) * 3 // 4
    return drawn[:cut], drawn[cut:]


def encode(some, *, words=WORDS):
    """Sentences as arrays.   list of Sentences   ->   Batch(tokens (b, n), at (b,), mask (b, n), target (b, s))."""
    known, stand_ins = vocabulary(words)
    row, n = {word: i for i, word in enumerate(known)}, max(len(sentence.words) for sentence in some)
    tokens = np.zeros((len(some), n), int)
    mask = np.zeros((len(some), n), bool)
    for i, sentence in enumerate(some):
        length = len(sentence.words)
        tokens[i, :length], mask[i, :length] = [row[word] for word in sentence.words], True
    target = [[(s in sentence.stand_ins) / len(sentence.stand_ins) for s in stand_ins] for sentence in some]
    return Batch(tokens, np.array([sentence.at for sentence in some]), mask, np.array(target))


# ── the head ────────────────────────────────────────────────────────────────────────────────────────────────


def load():
    """The course's trained head, in float64 -> Head, w_e: (39, 8). How it was trained: chapters/data/README.md."""
    with np.load(data.path("senses.npz")) as stored:
        arrays = {name: stored[name].astype(np.float64) for name in WEIGHTS}
        return Head(tuple(stored["words"].tolist()), tuple(stored["stand_ins"].tolist()), **arrays)


def attending(scale=None):
    """The rule of attention: softmax of q · k_j / √d.   scale: in place of 1/√d   ->   Rule, weights (..., 1, n)."""

    def weigh(q, k, mask):
        t = trace(q, k, k, mask, scale=scale)
        return t.scores, t.weights

    return Rule(weigh, lambda *given: attention_vjp(*given, scale=scale))


def remembering(*, alpha=1.0, erase=True):
    """The rule of a memory: write the words one after another into one (d, e) matrix, then read it with the query.

        Z ← αZ + kᵀ(v − αkZ) for each word that may be seen,   output = q Z

    alpha, erase: as attn.memory.recurrent   ->   Rule; its weights (..., 1, n) may be negative and need not sum to one.
    """

    def gates(k, mask):
        seen = np.broadcast_to(True if mask is None else mask, (*k.shape[:-2], 1, k.shape[-2]))[..., 0, :]
        return dict(beta=seen.astype(float), alpha=np.where(seen, alpha, 1.0), erase=erase)

    def weigh(q, k, mask):
        state = memory.chunked(k, k, np.eye(k.shape[-2]), **gates(k, mask))[1]
        return q @ state, q @ state

    def vjp(q, k, v, d_output, mask):
        how = gates(k, mask)
        state = memory.chunked(k, k, v, **how)[1]
        _, d_k, d_v, _, _ = memory.memory_vjp(k, k, v, np.zeros_like(v), **how, d_state=q.mT @ d_output)
        return d_output @ state.mT, d_k, d_v

    return Rule(weigh, vjp)


def read(head, tokens, at, mask=None, *, keys_of=None, values_of=None, scale=None, rule=None):
    """Ask the head about the word at position `at`, and keep every step.

        weights = softmax(x_at W_Q (X W_K)ᵀ / √d)
        output = weights · X W_V
        probabilities = softmax((x_at + output W_O) W_U)

    tokens: integers (..., n)   at: (...,)   mask: (..., n), True = may be looked at   ->   Reading.
    keys_of, values_of: other tokens (..., n) to take keys or values from: what if "river" had the key of "money"?
    scale: 1/√d unless given; 0 makes a plain average. A mask that allows nothing leaves the word to itself.
    rule: what makes the weights, attending(scale) unless given.
    """
    tokens, at = np.asarray(tokens), np.asarray(at)
    x = head.w_e[tokens]
    x_at = np.take_along_axis(x, at[..., None, None], -2)
    query = x_at @ head.w_q
    keys = head.w_e[tokens if keys_of is None else keys_of] @ head.w_k
    values = head.w_e[tokens if values_of is None else values_of] @ head.w_v
    rule = attending(scale) if rule is None else rule
    scores, weights = rule.weigh(query, keys, None if mask is None else mask[..., None, :])
    output = weights @ values
    residual = (x_at + output @ head.w_o)[..., 0, :]
    query, scores, weights, output = (part[..., 0, :] for part in (query, scores, weights, output))
    return Reading(query, keys, values, scores, weights, output, residual, softmax(residual @ head.w_u))


def ask(head, text, *, keys=None, values=None, hide=(), causal=False, scale=None, rule=None):
    """Read one sentence, as it is or with an intervention.

        ask(load(), "she sat by the river bank", values={"river": "money"})

    text: words of the language, one of them ambiguous   ->   Reading without leading axes, weights: (n,).
    keys, values: {word: the word whose key or value it gets}.   hide: words nobody looks at.   causal: only what came
    before, and itself.   Raises ValueError for a word the head does not know, or unless exactly one is ambiguous.
    """
    said = text.split()
    unknown = {*said, *(keys or {}).values(), *(values or {}).values(), *hide} - set(head.words)
    if unknown:
        raise ValueError(f"the head does not know {', '.join(sorted(unknown))}")
    ambiguous = [i for i, word in enumerate(said) if word in MORE_WORDS]
    if len(ambiguous) != 1:
        raise ValueError(f"text must hold one ambiguous word, but holds {len(ambiguous)}: {text!r}")
    rows = lambda changed: np.array([head.words.index((changed or {}).get(word, word)) for word in said])  # noqa: E731
    mask = np.array([word not in hide for word in said])
    if causal:
        mask &= np.arange(len(said)) <= ambiguous[0]
    return read(head, rows({}), ambiguous[0], mask, keys_of=rows(keys), values_of=rows(values), scale=scale, rule=rule)


def score(head, some, *, words=WORDS, **intervention):
    """How a head does on sentences.   list of Sentences   ->   Score, each a mean over (b,) sentences.

    intervention: what `read` takes: mask, keys_of, values_of, scale, rule. Raises as read does.
    """
    batch = encode(some, words=words)
    done = read(head, batch.tokens, batch.at, **{"mask": batch.mask, **intervention})
    p, clear, row = done.probabilities, np.array([s.cue is not None for s in some]), np.arange(len(some))
    sense = batch.target.argmax(-1)
    good, bad = p[row, sense], p[row, sense ^ 1]  # the two stand-ins of a word are neighbours
    best = np.where(batch.target > 0, batch.target, 1)
    excess = -(batch.target * np.log(p / best)).sum(-1)
    means = (p.argmax(-1) == sense, good > bad, good / (good + bad), (done.weights * cues(some)).sum(-1))
    return Score(*(float(m[clear].mean()) for m in means), float(excess.mean()))


# ── interventions on many sentences ─────────────────────────────────────────────────────────────────────────


def cues(some):
    """Where the cues stand.   list of b Sentences   ->   bool (b, n)."""
    places = np.arange(max(len(sentence.words) for sentence in some))
    return places == np.array([-1 if sentence.cue is None else sentence.cue for sentence in some])[:, None]


def before(batch):
    """The causal mask at the ambiguous word: itself and what stands before it.   Batch   ->   bool (b, n)."""
    return batch.mask & (np.arange(batch.mask.shape[-1]) <= batch.at[:, None])


def opposite(some, *, words=WORDS):
    """The tokens with every cue exchanged for one of the word's other sense: for keys_of or values_of.

    list of b Sentences   ->   integers (b, n)
    """
    other = {}
    for (_, one), (_, two) in words.values():
        other |= dict(zip(f"{one} {two}".split(), f"{two} {one}".split(), strict=True))
    return exchanged(some, other, words=words)


def exchanged(some, other, *, words=WORDS):
    """The tokens with every cue exchanged for other[cue], and no other word touched.

    list of b Sentences   ->   integers (b, n)
    """
    changed = [
        s if s.cue is None else s._replace(words=(*s.words[: s.cue], other[s.words[s.cue]], *s.words[s.cue + 1 :]))
        for s in some
    ]
    return encode(changed, words=words).tokens


def turned(head, r, u=None):
    """The same head in another gauge: nothing that it computes changes.

        W_Q R,   W_K R⁻ᵀ,   W_V U,   U⁻¹ W_O

    r: (d, d) invertible   u: (e, e) invertible   ->   Head
    """
    u = np.eye(head.w_v.shape[-1]) if u is None else np.asarray(u)
    return head._replace(
        w_q=head.w_q @ r, w_k=head.w_k @ np.linalg.inv(r).T, w_v=head.w_v @ u, w_o=np.linalg.inv(u) @ head.w_o
    )


def upright(head):
    """The head in the gauge of the drawings: bank's query points up, river's value lies to the right of money's.

    Head -> Head, rotated by R (2, 2) and U (2, 2). The rotation of a trained head is arbitrary.
    """
    towards_x = lambda a, b: np.array([[a, -b], [b, a]]) / np.hypot(a, b)  # noqa: E731
    a, b = head.query("bank")
    return turned(head, towards_x(b, -a), towards_x(*(head.value("river") - head.value("money"))))


# ── training ────────────────────────────────────────────────────────────────────────────────────────────────


def start(rng, *, words=WORDS, c=8, d=2, e=2):
    """A head that knows nothing: normal weights of deviation 1/√c (embeddings ½, w_o 0.35) -> Head, w_e: (words, c)."""
    known, stand_ins = vocabulary(words)
    shapes = dict(
        w_e=(len(known), c, 0.5), w_q=(c, d, c**-0.5), w_k=(c, d, c**-0.5),
        w_v=(c, e, c**-0.5), w_o=(e, c, 0.35), w_u=(c, len(stand_ins), c**-0.5),
    )  # fmt: skip
    return Head(known, stand_ins, **{name: rng.standard_normal((m, n)) * s for name, (m, n, s) in shapes.items()})


def loss_and_gradient(head, batch, *, scale=None, rule=None):
    """Mean cross-entropy with the targets, and its derivative in every weight.

        ∂loss/∂logits = p − target,   then the chain rule; attention's part is attn.grads.attention_vjp

    scale, rule: as in `read`.
    Batch of b sentences   ->   float, {name: array shaped as the weight (..., ...)}
    """
    tokens, at, mask, target = batch
    rule = attending(scale) if rule is None else rule
    done = read(head, tokens, at, mask, rule=rule)
    d_logits = (done.probabilities - target) / len(tokens)
    d_residual = d_logits @ head.w_u.T
    x, x_at = head.w_e[tokens], head.w_e[tokens[np.arange(len(tokens)), at]]
    d_output = (d_residual @ head.w_o.T)[:, None]
    d_q, d_k, d_v = rule.vjp(done.query[:, None], done.keys, done.values, d_output, mask[:, None])
    d_q = d_q[:, 0]
    grad = dict(
        w_e=np.zeros_like(head.w_e),
        w_q=x_at.T @ d_q,
        w_k=np.einsum("bnc,bnd->cd", x, d_k),
        w_v=np.einsum("bnc,bne->ce", x, d_v),
        w_o=done.output.T @ d_residual,
        w_u=done.residual.T @ d_logits,
    )
    np.add.at(grad["w_e"], tokens, d_k @ head.w_k.T + d_v @ head.w_v.T)
    np.add.at(grad["w_e"], tokens[np.arange(len(tokens)), at], d_residual + d_q @ head.w_q.T)
    best = np.where(target > 0, done.probabilities, 1)
    return float(-(target * np.log(best)).sum() / len(tokens)), grad


def steps(rng, head, batch, *, number=1500, size=128, rate=0.1, decay=1e-3, longest=None, **how):
    """Train step by step: Adam with a pull towards zero, on `size` sentences drawn from the batch each time.

    Head, Batch of b ≥ size sentences   ->   yields (loss: float, Head) `number` times. The rate falls to zero over the
    second half. longest: a gradient longer than this is cut to it. how: scale or rule, as in `read`.
    Source: Kingma and Ba (2015), algorithm 1.
    """
    mean, square = ({name: np.zeros_like(getattr(head, name)) for name in WEIGHTS} for _ in range(2))
    for t in range(1, number + 1):
        some = rng.choice(len(batch.tokens), size, replace=False)
        loss, grad = loss_and_gradient(head, Batch(*(part[some] for part in batch)), **how)
        cut = 1.0 if longest is None else min(1.0, longest / np.sqrt(sum((g**2).sum() for g in grad.values())))
        pace, moved = rate * min(1, 2 - 2 * t / number), {}
        for name in WEIGHTS:
            g = cut * grad[name] + decay * getattr(head, name)
            mean[name] = 0.9 * mean[name] + 0.1 * g
            square[name] = 0.99 * square[name] + 0.01 * g**2
            move = mean[name] / (1 - 0.9**t) / (np.sqrt(square[name] / (1 - 0.99**t)) + 1e-8)
            moved[name] = getattr(head, name) - pace * move
        head = head._replace(**moved)
        yield loss, head


def train(rng, batch, *, words=WORDS, c=8, d=2, e=2, **how):
    """Train a fresh head; under a second for the 600 sentences of the corpus.

    Batch of b sentences   ->   (Head, losses (number,)). how: what `steps` takes; scale=0 trains a plain average.
    The same rng, batch and machine give the same bits; another machine may round otherwise.
    """
    head, losses = start(rng, words=words, c=c, d=d, e=e), []
    for loss, trained in steps(rng, head, batch, **how):
        head, losses = trained, [*losses, loss]
    return head, np.array(losses)
