"""Where an encoder makes the sense of "bank", and what *it* looks at: experiments on all-MiniLM-L6-v2, for chapter 10.

    python tools/encoder_study.py               write chapters/data/encoder_study.npz (minutes; needs the weights)

Each ambiguous word stands in four frames. A frame has two readings that differ in one other word, the cue. How far a
place's vectors keep the two readings apart *across* frames is `attn`-free arithmetic, so the chapter does it itself;
here is what needs the weights. Sentences: encoder_sentences.py. The tests compute a sample again and compare.
"""

import itertools
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from encoder_distances import apart, at_place, left, nearer, separation, share, towards, unit
from encoder_parts import TOLD, borrowed, fast_gelu, halves, parts, sources, traced
from encoder_sentences import EITHER, FAR, FIRST, FITS, FRESH, GENDER, NUMBER, PLAIN, THIRD

from attn import encoder
from attn.block import feed_forward, layer_norm
from attn.encoder import post_norm_block

FILE = Path(__file__).resolve().parents[1] / "chapters" / "data" / "encoder_study.npz"
WORDS = FIRST | FRESH
FRAMES = {word: rows[1:] for word, rows in (WORDS | THIRD).items()}
L, H = 6, 12
PAIRS = list(itertools.combinations(range(H), 2))  # of heads, in layer 0
STOP = set("the a of to in on at was is were be will for and its it by with that from than i we he she they him her "
           "this all us each so too very then more about near beside next [CLS] [SEP] . ,".split())  # fmt: skip


class Frame(NamedTuple):
    """One frame read three times: with the cue of sense a, of sense b, and with a plain word."""

    words: list  # three lists of tokens
    at: int  # where the ambiguous word stands
    cue: int
    ids: np.ndarray  # (3, n)
    run: encoder.Run


def frames(model, word, noun=None):
    """The four frames of a word, with another noun in its place if one is given. -> list of Frame"""
    found = []
    for frame in FRAMES[word]:
        before, cues, after = re.fullmatch(r"(.*)\{(.*)\}(.*)", frame).groups()
        texts = [re.sub(rf"\b{word}\b", noun or word, f"{before}{cue}{after}") for cue in cues.split("|")]
        words = [encoder.tokens(text, model.vocabulary) for text in texts]
        (cue,) = {i for i, column in enumerate(zip(*words, strict=True)) if len(set(column)) > 1}
        ids = np.array([[model.vocabulary[token] for token in line] for line in words])
        run = encoder.run(model, ids, activation=fast_gelu)
        found.append(Frame(words, words[0].index(noun or word), cue, ids, run))
    return found


def onward(model, stream, edit, end=L):
    """Layers 0 to `end` − 1 under an edit (layer, outputs, weights, values). -> the stream after each"""
    kept = []
    for i in range(end):
        options = dict(heads=H, activation=fast_gelu, edit=lambda o, a, v, i=i: edit(i, o, a, v))
        stream = post_norm_block(stream, model.layers[i], **options).stream
        kept.append(stream)
    return kept


def under(model, items, make):
    """The word's vectors after layer 0 and layer 5, for B edits at once. -> two of (4, 2, B, c)"""
    ends = [[], []]
    for f in items:
        kept = onward(model, f.run.residual[0, :2], make(f))
        for end, x in zip(ends, (kept[0], kept[-1]), strict=True):
            end.append(np.moveaxis(x[..., f.at, :], 0, 1))
    return [np.stack(end) for end in ends]


def averaged(sheet):
    """Each head's mean output over all tokens of all readings. -> (l, h, 1, e)"""
    runs = [f.run.outputs[:, :2] for items in sheet.values() for f in items]
    return (sum(o.sum((1, 3)) for o in runs) / sum(o.shape[1] * o.shape[3] for o in runs))[:, :, None]


def silenced(which, fill):
    """which: (B, l, h) of 0 and 1: those heads hand on their average, the same for every word."""

    def make(f):
        def edit(i, o, a, v):
            k = which[:, i, None, :, None, None].astype(np.float32)
            return o * (1 - k) + fill[i] * k

        return edit

    return make


def hidden(which):
    """which: (B, l, h) of 0 and 1: there the word does not see the cue; its row sums to one again."""

    def make(f):
        def edit(i, o, a, v):
            weight = a[..., f.at, f.cue, None]
            row = (o[..., f.at, :] - weight * v[..., f.cue, :]) / np.maximum(1 - weight, 1e-3)
            k = which[:, i, None, :, None].astype(np.float32)
            o = np.broadcast_to(o, np.broadcast_shapes(o.shape, (len(which), *o.shape[-4:]))).copy()
            o[..., f.at, :] = o[..., f.at, :] * (1 - k) + row * k
            return o

        return edit

    return make


def heads_of_layer_0(pairs):
    which = np.zeros((len(pairs), L, H))
    for row, pair in zip(which, pairs, strict=True):
        row[0, list(pair)] = 1
    return which


def early(model, items, fill):
    """Layer 0 edited and read right after it, where nothing but layer 0 can have spoken. -> dict of shares left

    Two heads averaged away (by_pair), and the only two that see the cue (kept_by_pair), of PAIRS. In steps of 1/512,
    nine bits for a share: it is read in whole percent, and finer steps are noise that does not compress.
    """
    which = heads_of_layer_0(PAIRS)

    def stays(make):
        ends = [onward(model, f.run.residual[0, :2], make(f), 1)[0][..., f.at, :] for f in items]
        return np.round(512 * left(items, np.stack([np.moveaxis(end, 0, 1) for end in ends]), 1)) / 512

    return dict(by_pair=stays(silenced(which, fill)), kept_by_pair=stays(hidden(1 - which)))


def handed(model, items):
    """What each head of layer 0 hands the word with one cue and not with the other, and what four frames share of it.

        d_f = W_O (what it hands over in the first reading of frame f − in the second)

    ->   (2, 2, h): as it is, and with the whole weight on the cue; the mean of d_f · d_f over frames, and of d_f · d_g
    over two different ones.
    """
    w_o = model.layers[0].w_o.reshape(H, -1, model.w_e.shape[-1])
    found = []
    for f in items:
        both = np.stack([f.run.outputs[0, :2, :, f.at], f.run.values[0, :2, :, f.cue]])  # (2, readings, h, e)
        found.append(np.einsum("khe,hec->khc", both[:, 0] - both[:, 1], w_o))
    dots = np.einsum("fkhc,gkhc->khfg", found, found)
    return np.stack([dots[..., np.eye(4) == 1].mean(-1), dots[..., np.eye(4) == 0].mean(-1)], 1)


def given(which):
    """which: (B, h) of 0 and 1: in layer 0 those heads hand the word what they hand it in the frame's other reading."""

    def make(f):
        other = f.run.outputs[0, 1::-1, :, f.at]  # (2, h, e), the readings of senses b and a

        def edit(i, o, a, v):
            if i:
                return o
            k = which[:, None, :, None].astype(np.float32)
            o = np.broadcast_to(o, (len(which), *o.shape)).copy()
            o[..., f.at, :] = o[..., f.at, :] * (1 - k) + other * k
            return o

        return edit

    return make


PATCHES = heads_of_layer_0([(), *TOLD, set(range(H)) - {*TOLD[0]}, range(H)])[:, 0]


def patched(model, items, patches=PATCHES):
    """Parts of layer 0 at the word, from the other reading: nobody's, two pairs', the other ten heads', all twelve's.

    ->   (5, 2, 4, 2): how much nearer the word then is to its own sense than to the other, by mean cosine with the
    unedited readings of the other three frames; after layers 0 and 5, of each frame and sense. Below 0 it has changed.
    """
    found = []
    for made, layer in zip(under(model, items, given(patches)), (1, L), strict=True):
        found.append(towards(made, at_place(items, lambda f: f.at)[:, :, layer]))
    return np.stack(found, 1)


def halfway(model, items, outputs=None):
    """The word's vectors in layer 0 after attention and its norm, before the feed-forward. -> (4, 2, c)"""
    w = model.layers[0]
    x = np.stack([f.run.residual[0, :2, f.at] for f in items])
    outputs = np.stack([f.run.outputs[0, :2, :, f.at] for f in items]) if outputs is None else outputs
    return layer_norm(x + outputs.reshape(4, 2, -1) @ w.w_o + w.b_o, w.gain_1, w.bias_1, eps=1e-12)


def fed(model, items, nouns=()):
    """Layer 0 in two steps: attention with its norm, then the feed-forward with its own.

        Z = norm(X + heads),   Y = norm(Z + F),   F = feed-forward(Z)

    ->   of Z: the lead, its share of the mean distance, the readings right, and where the pair exchanged leaves it, of
    its own lead; of Y, of its lead: with F exchanged between a frame's two readings, with both given the mean of the
    two; then, of Z again, the median lead of the other nouns in the word's place, of the word's.
    """
    w, z = model.layers[0], halfway(model, items)
    outputs = np.stack([f.run.outputs[0, :2, :, f.at] for f in items])
    swapped = outputs.copy()
    swapped[:, :, list(TOLD[0])] = outputs[:, ::-1, list(TOLD[0])]
    f = feed_forward(z, w.w_in, w.w_out, w.b_in, w.b_out, activation=fast_gelu)

    def end(f):
        return layer_norm(z + f, w.gain_2, w.bias_2, eps=1e-12)

    distances, y = apart(z), end(f)
    whole, at_end = separation(distances), separation(apart(y))
    both = np.broadcast_to(f.mean(1, keepdims=True), f.shape)
    found = [
        whole, share(distances), nearer(distances),
        towards(halfway(model, items, swapped)[:, :, None], z).mean() / whole,
        towards(end(f[:, ::-1])[:, :, None], y).mean() / at_end,
        separation(apart(end(both))) / at_end,
    ]  # fmt: skip
    if nouns:
        found.append(np.median([separation(apart(halfway(model, other))) for other in nouns]) / whole)
    return np.array(found)


def edges(model, items):
    """The cue hidden from the word in one layer, or in all. -> share of the last separation left, (7,)"""
    layers = np.repeat(np.concatenate([np.eye(L), np.ones((1, L))])[:, :, None], H, 2)
    return left(items, under(model, items, hidden(layers))[1], L)


def looks(sheet):
    """How much each word looks at its cue, and at three other things. -> (4, words, 72)"""
    far = {}
    for f in itertools.chain(*sheet.values()):
        for s, line in enumerate(f.words):
            for j, token in enumerate(line):
                if token not in STOP and j not in (f.at, f.cue):
                    far.setdefault(j - f.at, []).append(f.run.weights[:, s, :, f.at, j])
    rows = []
    for items in sheet.values():
        found = []
        for f in items:
            mine = f.run.weights[:, :, :, f.at]  # (l, 3, h, n)
            rest = [j for j in range(1, mine.shape[-1] - 1) if j not in (f.at, f.cue)]
            same = np.mean(far.get(f.cue - f.at) or far[f.at - f.cue], 0)
            random = mine[:, :2][..., rest].mean((1, -1))
            found.append(np.stack([mine[:, :2, :, f.cue].mean(1), same, random, mine[:, 2, :, f.cue]]))
        rows.append(np.mean(found, 0).reshape(4, -1))
    return np.stack(rows, 1)


def leans(model, pairs):
    """How much more a pronoun looks at the first noun than at the second, by deciding word. -> (pairs, words, 72)"""
    found = []
    for frame, one, other, *deciding in pairs:
        text = frame.replace("{}", "\0").replace("{", "").replace("}", "")
        for word in deciding:
            words, run = encoder.read(model, text.replace("\0", word), activation=fast_gelu)
            it = next(j for j, token in enumerate(words) if token in ("it", "he", "she", "they"))
            found.append((run.weights[:, :, it, words.index(one)] - run.weights[:, :, it, words.index(other)]).ravel())
    return np.reshape(found, (len(pairs), -1, L * H))


def looks_from(model, f, nouns):
    """How much each noun in the word's place would look at the cue in layer 0. -> (nouns, h)"""
    ids = np.repeat(f.ids[None, :2], len(nouns), 0)
    ids[..., f.at] = np.array([model.vocabulary[noun] for noun in nouns])[:, None]
    first = encoder.run(model._replace(layers=model.layers[:1]), ids, activation=fast_gelu)
    return first.weights[0, ..., f.at, f.cue].mean(1)


def looks_by_noun(model, items, word):
    """The weight on the cue in layer 0, from the word and from the other nouns in its place. -> (2, h)"""
    seen = np.mean([looks_from(model, f, list(WORDS)) for f in items], 0)
    own = list(WORDS).index(word)
    return np.stack([seen[own], np.delete(seen, own, 0).mean(0)])


def third(model, words=THIRD, report=lambda word: None):
    """The main facts again, on words and frames written to break them. -> dict of arrays"""
    sheet = {word: frames(model, word) for word in THIRD}
    fill, found = averaged(sheet), []
    for word in words:
        report(word)
        items = sheet[word]
        found.append(
            dict(
                patched=patched(model, items, PATCHES[:1]),
                parts=parts(model, items),
                borrowed=borrowed(model, items),
                traced=traced(model, items),
                **{f"early_{name}": share for name, share in early(model, items, fill).items()},
            )
        )
    return {f"third_{name}": np.stack([row[name] for row in found]).astype(np.float16) for name in found[0]}


def word_facts(model, sheet, word, fill):
    """Everything that is measured of one word. -> dict of arrays"""
    items = sheet[word]
    places = [(items, lambda f: f.at), (frames(model, word, "thing"), lambda f: f.at), (items, lambda f: -2)]
    in_its_place = {noun: frames(model, word, noun) for noun in WORDS}
    nouns = [separation(apart(at_place(some, lambda f: f.at)[:, :, 1])) for some in in_its_place.values()]
    del in_its_place[word]
    cues = np.stack([model.w_e[f.ids[:2, f.cue]] for f in items])
    every = np.stack([apart(at_place(some, place)[:, :, 1:]) for some, place in places])
    return dict(
        apart=every[0, [0, -1]], separation=separation(every), right=nearer(every), share=share(every),
        by_noun=np.stack(nouns), left_by_edge=edges(model, items), cues_apart=apart(cues),
        patched=patched(model, items), handed=handed(model, items), fed=fed(model, items, list(in_its_place.values())),
        parts=parts(model, items), borrowed=borrowed(model, items), looks_by_noun=looks_by_noun(model, items, word),
        traced=traced(model, items), halves=halves(model, items),
        **{f"early_{name}": share for name, share in early(model, items, fill).items()},
    )  # fmt: skip


def pronouns(model):
    """Every list of pairs: which way each of 72 heads leans, and how far head L3·H1 does. -> dict of arrays"""
    lists = dict(
        fits=FITS, either=EITHER, far=FAR, gender=GENDER, number=NUMBER, plain=[(*p[:3], *PLAIN) for p in FITS]
    )
    found = {name: leans(model, pairs) for name, pairs in lists.items()}
    ways = {f"way_{name}": np.sign(lean).astype(np.int8) for name, lean in found.items()}
    for name in ("fits", "either", "far"):  # how alike the two deciding words are before any layer
        a, b = (unit(model.w_e[[model.vocabulary[pair[k]] for pair in lists[name]]]) for k in (3, 4))
        ways[f"alike_{name}"] = (a * b).sum(-1).astype(np.float16)
    told = ("fits", "either", "far", "plain")
    return ways | {f"lean_{name}": found[name][..., 3 * H + 1].astype(np.float16) for name in told}


def make(model, words=tuple(WORDS), more=THIRD, report=lambda word: None):
    """The whole study. -> dict of arrays to store"""
    sheet = {word: frames(model, word) for word in WORDS}
    fill, found = averaged(sheet), []
    for word in words:
        report(word)
        found.append(word_facts(model, sheet, word, fill))
    facts = {name: np.stack([row[name] for row in found]).astype(np.float16) for name in found[0]}
    facts["apart"] = facts["apart"][:1]  # pair by pair the first word's suffices, which is bank
    facts["sources"] = sources(model, sheet[words[0]])[None].astype(np.float16)  # and so does where it comes from
    return facts | pronouns(model) | third(model, more, report) | dict(
        words=np.array(" ".join(words)), frames=np.array("\n".join(FRAMES[words[0]])),
        looks=looks(sheet).astype(np.float16), next_to=np.array([[f.cue == f.at - 1 for f in sheet[w]] for w in words]),
    )  # fmt: skip


if __name__ == "__main__":
    np.savez_compressed(FILE, **make(encoder.load(), report=lambda word: print(word, end=" ", flush=True)))
