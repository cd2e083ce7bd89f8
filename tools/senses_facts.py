"""Measure what the head that reads "bank" does, and write it down for the chapters.

    python tools/senses_facts.py                print the sheet, write chapters/data/senses_facts.json

`head` is of the stored weights and held-out sentences. `seeds` trains twelve heads and the controls afresh, `planes`
asks how many ambiguous words a plane can hold, `memories` puts a fixed memory in the place of softmax. The tests
compute everything again and compare: `head` each time, the rest with `-m prove`.
"""

import json
from pathlib import Path

import numpy as np
from train_senses import SEED, corpus, generator

from attn import senses
from attn.softmax import softmax

FILE = Path(__file__).resolve().parents[1] / "chapters" / "data" / "senses_facts.json"
SEEDS = range(12)
SENTENCES = (*senses.SHOWN, "the song and piano by the river bank", "the money by the river bank")
NONE = np.zeros((1, 1), bool)  # a mask that hides every word: the head must do without attention


def rounded(x):
    """Numbers, arrays and tuples of them as plain Python, four decimals."""
    return np.round(np.asarray(x, float), 4).tolist()


def scored(head, some, **intervention):
    """A score as a dict of rounded numbers."""
    return {name: rounded(x) for name, x in senses.score(head, some, **intervention)._asdict().items()}


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def angle(rows):
    """Angles in degrees, from the first axis, counter-clockwise. (..., 2) -> (...)"""
    return np.degrees(np.arctan2(rows[..., 1], rows[..., 0]))


def topics(words=senses.WORDS):
    """For each ambiguous word the cues of its two senses. -> {word: (list, list)}"""
    return {word: tuple(cues.split() for _, cues in pair) for word, pair in words.items()}


def alignment(head, words=senses.WORDS):
    """Mean cosine of a word's query with its cues' keys, and of its two senses' values. -> two floats"""
    asks = [(unit(head.key(*one, *two)) @ unit(head.query(a))).mean() for a, (one, two) in topics(words).items()]
    says = [(unit(head.value(*one)) @ unit(head.value(*two)).T).mean() for one, two in topics(words).values()]
    return np.mean(asks), np.mean(says)


def gaps(head, words=senses.WORDS):
    """The angles between neighbouring queries of the ambiguous words, all the way round, sorted. -> (words,)"""
    at = np.sort(angle(head.query(*words)))
    return np.sort(np.diff(np.append(at, at[0] + 360)))


def directions(head, words):
    """Where the queries of the ambiguous words point in degrees, the first upwards. -> {word: degrees}"""
    at = angle(head.query(*words))
    return dict(zip(words, rounded((at - at[0] + 90) % 360), strict=True))


def strays(head, some, words):
    """What the two words whose queries are nearest give to a word of another's topics, on average.

    -> {word: {the other word: weight}}, of both
    """
    at = directions(head, words)
    apart = {(a, b): abs((at[a] - at[b] + 180) % 360 - 180) for a in words for b in words if a != b}
    near, batch, found = min(apart, key=apart.get), senses.encode(some, words=words), {}
    belongs = {cue: name for name, pair in topics(words).items() for cues in pair for cue in cues}
    weights = senses.read(head, batch.tokens, batch.at, batch.mask).weights
    for sentence, shares in zip(some, weights, strict=True):
        asks = sentence.words[sentence.at]
        for word, share in zip(sentence.words, shares, strict=False):
            if asks in near and belongs.get(word, asks) != asks:
                found.setdefault(asks, {}).setdefault(belongs[word], []).append(share)
    return {a: {b: rounded(np.mean(x)) for b, x in of.items()} for a, of in found.items()}


def opposite(head):
    """How far the two senses' mean values are from pointing in opposite directions, the worst word, in degrees."""
    means = [(head.value(*one).mean(0), head.value(*two).mean(0)) for one, two in topics().values()]
    return max(np.degrees(np.arccos(np.clip(-(unit(a) @ unit(b)), -1, 1))) for a, b in means)


# ── the head ────────────────────────────────────────────────────────────────────────────────────────────────


def sentence(head, text, **intervention):
    """One sentence: attention, output, and the two stand-ins' probabilities. -> dict"""
    done = senses.ask(head, text, **intervention)
    name = next(word for word in text.split() if word in senses.WORDS)
    two = [head.stand_ins.index(s) for s, _ in senses.WORDS[name]]
    return dict(weights=rounded(done.weights), output=rounded(done.output), two=rounded(done.probabilities[two]))


def compass(head):
    """Directions and lengths of queries, keys and values. -> dict"""
    told = [cue for pair in topics().values() for cues in pair for cue in cues]
    length = lambda rows: np.linalg.norm(rows, axis=-1)  # noqa: E731
    by_word = {
        name: dict(
            query=rounded([length(head.query(name)), angle(head.query(name))]),
            keys=rounded([length(mean := head.key(*one, *two).mean(0)), angle(mean)]),
            values=[rounded([length(mean := head.value(*cues).mean(0)), angle(mean)]) for cues in (one, two)],
        )
        for name, (one, two) in topics().items()
    }
    return dict(
        words=by_word,
        gaps=rounded(gaps(head)),
        cosines=rounded(alignment(head)),
        key_length_of_cues=rounded(length(head.key(*told)).mean()),
        key_length_of_function_words=rounded(length(head.key(*senses.FUNCTION_WORDS)).mean()),
        embedding_length_of_cues=rounded(length(head.w_e[[head.words.index(cue) for cue in told]]).mean()),
    )


def matrices(head):
    """Singular values of the two circuits, and directions of the stream that no projection sees. -> dict"""
    seen = np.linalg.matrix_rank(np.hstack([head.w_q, head.w_k, head.w_v]))
    return dict(
        qk=rounded(np.linalg.svd(head.w_q @ head.w_k.T)[1]),
        ov=rounded(np.linalg.svd(head.w_v @ head.w_o)[1]),
        unseen_directions=int(len(head.w_q) - seen),
        score_of_river=rounded(head.query("bank") @ head.key("river") / np.sqrt(2)),
        score_of_bank_at_river=rounded(head.query("river") @ head.key("bank") / np.sqrt(2)),
    )


def same_output(head):
    """What the output of "she sat by the river bank" would mean at each ambiguous word. -> {word: {stand-in: p}}"""
    output, found = senses.ask(head, senses.SHOWN[0]).output, {}
    for name, pair in senses.WORDS.items():
        p = softmax((head.w_e[head.words.index(name)] + output @ head.w_o) @ head.w_u)
        found[name] = {s: rounded(p[head.stand_ins.index(s)]) for s, _ in pair}
    return found


def interventions(head, held):
    """Scores on the held-out sentences with one thing changed. -> dict"""
    batch, swapped = senses.encode(held), senses.opposite(held)
    now, before = senses.before(batch), [s for s in held if s.cue is not None and s.cue < s.at]
    after = [s for s in held if s.cue is not None and s.cue > s.at]
    found = {
        "as_trained": scored(head, held),
        "value_of_the_other_sense": scored(head, held, values_of=swapped),
        "key_of_the_other_sense": scored(head, held, keys_of=swapped),
        "cue_hidden": scored(head, held, mask=batch.mask & ~senses.cues(held)),
        "causal": scored(head, held, mask=now),
        "causal_cue_before": scored(head, before, mask=senses.before(senses.encode(before))),
        "causal_cue_after": scored(head, after, mask=senses.before(senses.encode(after))),
        "key_of_another_topic": scored(head, held, keys_of=elsewhere(held)),
    }
    scales = {"none": 0, "a seventh": 0.1, "half": 0.35, "without 1/√d": 1, "fourteen times": 10}
    return found | dict(scale={name: scored(head, held, scale=scale) for name, scale in scales.items()})


def elsewhere(some):
    """The tokens with every cue exchanged for a cue of the next ambiguous word. -> integers (b, n)"""
    lists = [[*one, *two] for one, two in topics().values()]
    pairs = zip(lists, [*lists[1:], lists[0]], strict=True)
    return senses.exchanged(some, {cue: new for own, next_ in pairs for cue, new in zip(own, next_, strict=True)})


def cue_moved(head, held, length=5.0):
    """The cues' rows moved along a direction W_K cannot see, and along one it sees best. -> dict

    The weights' largest change, and the score. Values stay where they were: only the key's vector moves.
    """
    directions = np.linalg.svd(head.w_k.T)[2]  # the last rows u have u W_K = 0
    null, row = directions[2:].sum(0) / np.sqrt(len(directions) - 2), directions[0] * np.sign(directions[0].sum())
    batch, spot = senses.encode(held), senses.cues(held)
    x, before = head.w_e[batch.tokens], senses.read(head, batch.tokens, batch.at, batch.mask)
    found = {}
    for name, u in (("null_space", null), ("row_space", row)):
        keys = (x + length * spot[..., None] * u) @ head.w_k
        scores = np.where(batch.mask, (before.query[:, None] * keys).sum(-1) / np.sqrt(2), -np.inf)
        weights = softmax(scores)
        found[name] = dict(largest_change=float(f"{abs(weights - before.weights)[spot.any(1)].max():.0e}"),
                           on_cue=rounded((weights * spot).sum(-1)[spot.any(1)].mean()))  # fmt: skip
    return found


def measure_head(head=None):
    """The sheet of one head, by default the stored one. -> dict"""
    fit, held = corpus()
    head = senses.load() if head is None else head
    return dict(
        sentences=dict(trained=len(fit), held_out=len(held), with_cue=sum(s.cue is not None for s in held)),
        held_out=scored(head, held),
        read={text: sentence(head, text) for text in SENTENCES},
        compass=compass(head),
        matrices=matrices(head),
        same_output=same_output(head),
        interventions=interventions(head, held),
        cue_moved=cue_moved(head, held),
    )


# ── many heads ──────────────────────────────────────────────────────────────────────────────────────────────


def spread(rows):
    """Mean, least and greatest of each column. list of dicts -> {name: [mean, least, greatest]}"""
    return {name: rounded([f([row[name] for row in rows]) for f in (np.mean, np.min, np.max)]) for name in rows[0]}


def seeds(number=SEEDS, held=None, *, masked=None, **how):
    """Heads trained afresh, one a seed. -> (list of heads, spread of their scores on held-out sentences)"""
    fit, held = corpus()
    batch, test = senses.encode(fit), senses.encode(held)
    mask, seen = (None, {}) if masked is None else (masked(batch), dict(mask=masked(test)))
    batch = batch if mask is None else batch._replace(mask=mask)
    scale = {name: how[name] for name in ("scale",) if name in how}
    heads = [senses.train(generator(seed), batch, **how)[0] for seed in number]
    return heads, spread([scored(head, held, **scale, **seen) for head in heads])


def measure_seeds():
    """Twelve heads, what averaging or nothing does instead, heads untrained, causal, without decay. -> dict"""
    heads, attention = seeds()
    few = range(3)
    fit, held = corpus()
    fresh = [senses.start(np.random.default_rng(seed)) for seed in range(20)]
    aligned = {"trained": heads, "untrained": fresh}
    curve = [senses.score(head, held).right for _, head in zip(range(600), trail(fit), strict=False)]
    return dict(
        attention=attention,
        average_e2=seeds(few, scale=0)[1],
        average_e3=seeds(few, scale=0, e=3)[1],
        average_e4=seeds(few, scale=0, e=4)[1],  # as many numbers as a memory of 2 × 2
        average_e8=seeds(few, scale=0, e=8)[1],
        without_attention=seeds(few, masked=lambda batch: batch.mask & False)[1],
        trained_causally=seeds(few, masked=senses.before)[1],
        without_decay=seeds(few, decay=0)[1],
        untrained=spread([scored(head, held) for head in fresh]),
        query_and_keys={
            name: rounded(low_mean_high([alignment(h)[0] for h in some])) for name, some in aligned.items()
        },
        values_of_two_senses={
            name: rounded(low_mean_high([alignment(h)[1] for h in some])) for name, some in aligned.items()
        },
        gaps=[rounded(gaps(head)) for head in heads],
        opposite_values=sum(bool(opposite(head) < 5) for head in heads),
        compasses=sum(bool(abs(gaps(head) - 90).max() < 15) for head in heads),
        compasses_by_chance=chance_of_a_compass(),
        right_after_steps={str(step): rounded(curve[step - 1]) for step in (10, 25, 50, 100, 200, 600)},
    )


def low_mean_high(x):
    return np.mean(x), np.min(x), np.max(x)


def trail(fit):
    """The heads along the training of the stored one."""
    rng = generator(SEED)
    yield from (head for _, head in senses.steps(rng, senses.start(rng), senses.encode(fit)))


def chance_of_a_compass(draws=200_000):
    """How often four random directions stand within 15° of a cross."""
    at = np.sort(np.random.default_rng(0).uniform(0, 360, (draws, 4)), axis=1)
    between = np.diff(np.concatenate([at, at[:, :1] + 360], 1), axis=1)
    return rounded((abs(between - 90).max(1) < 15).mean())


def measure_planes(heads=4):
    """Two to ten ambiguous words in one line, plane or space. -> {"d = 2": {"6": {...}}}"""
    found = {}
    for d, sizes in ((1, (4, 6, 10)), (2, (2, 3, 4, 5, 6, 8, 10)), (3, (10,))):
        found[f"d = {d}"] = {str(n): plane(n, d, heads) for n in sizes}
    return found


def plane(n, d, heads):
    """So many ambiguous words, their queries and keys in d dimensions: scores over seeds, the best seed's angles."""
    words = dict(list(senses.MORE_WORDS.items())[:n])
    fit, held = senses.corpus(np.random.default_rng(0), 200 * n, words=words)
    trained = [senses.train(generator(s), senses.encode(fit, words=words), words=words, d=d)[0] for s in range(heads)]
    rows = [scored(head, held, words=words) for head in trained]
    best = trained[int(np.argmin([row["excess"] for row in rows]))]
    if d != 2:
        return spread(rows)
    pictured = dict(angles=directions(best, words), strays=strays(best, fit + held, words))
    return spread(rows) | dict(gaps=rounded(gaps(best, words))) | pictured


# ── softmax replaced ────────────────────────────────────────────────────────────────────────────────────────


MEMORIES = {
    "adding": dict(erase=False),
    "adding with decay 0.8": dict(erase=False, alpha=0.8),
    "delta": dict(erase=True),
    "gated delta 0.8": dict(erase=True, alpha=0.8),
}


def names_the_opposite(sentence, head):
    """Whether a sentence holds a cue of the ambiguous word whose query points the other way."""
    own = head.query(sentence.words[sentence.at])
    others = {cue for name, pair in topics().items() if head.query(name) @ own < -10 for cues in pair for cue in cues}
    return any(word in others for word in sentence.words)


def measure_memories(number=range(3)):
    """The stored head and heads trained afresh, with each memory in the place of softmax. -> dict

    The stored head's ambiguous word is hidden from itself: softmax gave it no weight, a dot product would. The heads
    trained afresh see it, and their gradients are cut to a length of 1.
    """
    fit, held = corpus()
    head, batch = senses.load(), senses.encode(held)
    itself = np.arange(batch.mask.shape[1]) == batch.at[:, None]
    opposed = np.array([names_the_opposite(s, head) for s in held])
    clear, sense, found = np.array([s.cue is not None for s in held]), batch.target.argmax(-1), {}
    for name, how in MEMORIES.items():
        rule = senses.remembering(**how)
        right = (
            senses.read(head, batch.tokens, batch.at, batch.mask & ~itself, rule=rule).probabilities.argmax(-1) == sense
        )
        trained = [senses.train(generator(s), senses.encode(fit), rule=rule, longest=1.0)[0] for s in number]
        found[name] = dict(
            as_stored=rounded(right[clear].mean()),
            with_opposite_topic=rounded(right[clear & opposed].mean()),
            others=rounded(right[clear & ~opposed].mean()),
            retrained=spread([scored(h, held, rule=rule) for h in trained]),
        )
    return found


def main():
    """Print and write."""
    sheet = dict(head=measure_head(), seeds=measure_seeds(), planes=measure_planes(), memories=measure_memories())
    text = json.dumps(sheet, indent=1, ensure_ascii=False)
    print(text)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
