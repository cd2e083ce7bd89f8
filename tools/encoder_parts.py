"""What each part of each layer brings a word: exchanged for what it brings in another sentence (encoder_study.py)."""

import itertools

import numpy as np
from encoder_distances import at_place, towards, unit

from attn.block import feed_forward, layer_norm
from attn.encoder import post_norm_block

TOLD = [(1, 10), (2, 9)]  # of layer 0: the pair of the story, and the one that moves a word most without either head
HEADS = np.zeros((15, 12))  # every head alone, all twelve, none, and the pair
HEADS[:12], HEADS[12], HEADS[14, list(TOLD[0])] = np.eye(12), 1, 1
FED = np.arange(15) == 13  # whether the feed-forward is exchanged
BORROWED = [12, 13]  # what is also taken from other frames: of all twelve heads, of the feed-forward


def fast_gelu(x):
    """gelu by Abramowitz and Stegun's 7.1.26, within 1e-6: a hundred times faster than one call a number."""
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    tail *= np.exp(-z * z) / 2
    return x * np.where(x >= 0, 1 - tail, tail)


def parts(model, items):
    """Each part of each layer exchanged, at the word only, for what it brings in the frame's other reading.

    ->   (l, 15, 2): the word's lead, of 1 untouched: right after that layer, and after the last. In the order of HEADS;
    the fourteenth is the feed-forward.
    """
    plain = at_place(items, lambda f: f.at)
    whole = [towards(plain[:, :, [k]], plain[:, :, k]).mean() for k in range(plain.shape[2])]
    found = []
    for i in range(len(model.layers)):
        made = np.array([[exchanged(model, f, s, i, (f, 1 - s)) for s in (0, 1)] for f in items])  # (4, 2, 2, 15, c)
        ends = zip(np.moveaxis(made, 2, 0), (i + 1, len(model.layers)), strict=True)
        found.append([towards(x, plain[:, :, k]).mean((1, 2)) / whole[k] for x, k in ends])
    return np.moveaxis(found, 1, 2)


def borrowed(model, items):
    """BORROWED parts taken from another frame, where the cue has the word's own sense, or the other one.

    ->   (l, 2, 2, 4, 2): the lead after the last layer, own sense and other, of each frame and sense: the mean of three
    givers, each time against the two frames that are left. So nothing that a word is compared with shares a cue with
    what it is given; and untouched, this is the lead against all three.
    """
    plain = unit(at_place(items, lambda f: f.at)[:, :, -1])  # (4, 2, c)
    found = np.zeros((len(model.layers), len(BORROWED), 2, 4, 2))
    for i, (f, g) in itertools.product(range(len(model.layers)), np.argwhere(~np.eye(4, dtype=bool))):
        rest = [k for k in range(4) if k not in (f, g)]
        for s, kind in np.ndindex(2, 2):
            made = exchanged(model, items[f], s, i, (items[g], s if kind == 0 else 1 - s), BORROWED)[1]
            found[i, :, kind, f, s] += unit(made) @ (plain[rest, s] - plain[rest, 1 - s]).mean(0) / 3
    return found


def halves(model, items):
    """Each head of layer 0 exchanged by halves: only its weights, only its values, from the frame's other reading.

    ->   (2, h): the word's lead after the last layer, of 1 untouched. Both readings have one length, word under word.
    """
    plain, found = at_place(items, lambda f: f.at)[:, :, -1], np.zeros((len(items), 2, 24, model.w_e.shape[-1]))
    for (i, f), s in itertools.product(enumerate(items), (0, 1)):
        run, own = f.run, f.run.outputs[0, s, :, f.at]
        swaps = [(run.weights[0, a, :, f.at], run.values[0, b]) for a, b in ((1 - s, s), (s, 1 - s))]
        made = np.repeat(own[None], 24, 0)
        for k, (weights, values) in enumerate(swaps):
            made[12 * k + np.arange(12), np.arange(12)] = (weights[:, None] @ values)[:, 0]
        w, x = model.layers[0], np.repeat(run.residual[1, s][None], 24, 0)
        z = after_heads(w, run.residual[0, s, f.at], made)
        x[:, f.at] = layer_norm(z + fed_on(w, z), w.gain_2, w.bias_2, eps=1e-12)
        for later in model.layers[1:]:
            x = post_norm_block(x, later, heads=model.heads, activation=fast_gelu).stream
        found[i, s] = x[:, f.at]
    lead = towards(found, plain).mean((1, 2)) / towards(plain[:, :, None], plain).mean()
    return lead.reshape(2, 12)


def exchanged(model, f, sense, layer, giver, which=slice(None)):
    """A reading of a frame with parts of a layer from the giver (frame, sense). -> the word after it, at the end"""
    w, (g, t) = model.layers[layer], giver
    take, fed = HEADS[which, :, None], FED[which, None]
    own, other = f.run.outputs[layer, sense, :, f.at], g.run.outputs[layer, t, :, g.at]
    z = after_heads(w, f.run.residual[layer, sense, f.at], own * (1 - take) + other * take)
    there = fed_on(w, after_heads(w, g.run.residual[layer, t, g.at], other[None]))
    y = layer_norm(z + np.where(fed, there, fed_on(w, z)), w.gain_2, w.bias_2, eps=1e-12)
    x = np.repeat(f.run.residual[layer + 1, sense][None], len(y), 0)
    x[:, f.at] = y
    for later in model.layers[layer + 1 :]:
        x = post_norm_block(x, later, heads=model.heads, activation=fast_gelu).stream
    return np.stack([y, x[:, f.at]])


def traced(model, items):
    """All twelve heads of a layer exchanged, at the word or at the full stop, and read after every layer from there.

    ->   (2, l, l): the lead at the place after each layer, of 1 untouched; 1 before the layer that was changed.
    """
    ends, found = len(model.layers), []
    for place in (lambda f: f.at, lambda f: len(f.words[0]) - 2):
        plain, lead = at_place(items, place), np.ones((ends, ends))
        for i in range(ends):
            made = np.array([[handed_on(model, f, s, i, place(f)) for s in (0, 1)] for f in items])  # (4, 2, l − i, c)
            for k in range(i, ends):
                here = plain[:, :, k + 1]
                lead[i, k] = towards(made[:, :, [k - i]], here).mean() / towards(here[:, :, None], here).mean()
        found.append(lead)
    return np.stack(found)


def handed_on(model, f, sense, layer, at):
    """The row at a place after `layer` and after each later one, its heads of that layer from the other reading."""
    w, stream = model.layers[layer], f.run.residual[layer + 1, sense].copy()
    z = after_heads(w, f.run.residual[layer, sense, at], f.run.outputs[layer, 1 - sense, :, at][None])
    stream[at] = layer_norm(z + fed_on(w, z), w.gain_2, w.bias_2, eps=1e-12)[0]
    rows = [stream[at]]
    for later in model.layers[layer + 1 :]:
        stream = post_norm_block(stream, later, heads=model.heads, activation=fast_gelu).stream
        rows.append(stream[at])
    return rows


def sources(model, items):
    """All twelve heads of a layer, exchanged only in what they take from one place: the cue, the word itself, the rest.

    ->   (l, 3): the word's lead after the last layer, of 1 untouched. A head's output is the sum of what it takes from
    each place, weight times value; the three changes add up to the whole exchange, but what they bring need not.
    """
    plain, found = at_place(items, lambda f: f.at)[:, :, -1], []
    for i in range(len(model.layers)):
        made = np.array([[from_place(model, f, s, i) for s in (0, 1)] for f in items])  # (4, 2, 3, c)
        found.append(towards(made, plain).mean((1, 2)) / towards(plain[:, :, None], plain).mean())
    return np.array(found)


def from_place(model, f, sense, layer):
    """The word's row at the end, with what the heads of a layer take from each of three places exchanged. -> (3, c)"""
    w, n = model.layers[layer], f.ids.shape[1]
    taken = f.run.weights[layer, :2, :, f.at, :, None] * f.run.values[layer, :2]  # (2, h, n, e)
    where = np.stack([np.arange(n) == f.cue, np.arange(n) == f.at])
    where = np.concatenate([where, ~where.any(0, keepdims=True)]).astype(np.float32)
    change = np.einsum("bn,hne->bhe", where, taken[1 - sense] - taken[sense])
    z = after_heads(w, f.run.residual[layer, sense, f.at], f.run.outputs[layer, sense, :, f.at] + change)
    x = np.repeat(f.run.residual[layer + 1, sense][None], 3, 0)
    x[:, f.at] = layer_norm(z + fed_on(w, z), w.gain_2, w.bias_2, eps=1e-12)
    for later in model.layers[layer + 1 :]:
        x = post_norm_block(x, later, heads=model.heads, activation=fast_gelu).stream
    return x[:, f.at]


def after_heads(w, x, outputs):
    """The word's row after attention and its norm. x: (c,)  outputs: (B, h, e) -> (B, c)"""
    return layer_norm(x + outputs.reshape(len(outputs), -1) @ w.w_o + w.b_o, w.gain_1, w.bias_1, eps=1e-12)


def fed_on(w, z):
    return feed_forward(z, w.w_in, w.w_out, w.b_in, w.b_out, activation=fast_gelu)
