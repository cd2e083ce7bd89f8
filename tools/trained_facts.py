"""Measure what the trained models do, and write it down for the chapters.

    python tools/trained_facts.py                print the sheet, write chapters/data/trained_facts.json

Every number is recomputed and compared by the tests. Sequences are drawn with a fixed seed; weights are the stored
float16 ones, computed with in float64, so the sheet does not depend on the processor beyond the last digit.
"""

import json
from pathlib import Path

import numpy as np

from attn import circuits, data
from attn.heads import pool_kv
from attn.induction import induction_score, previous_token_score, repeated, seen
from attn.lowrank import LowRank, overlap
from attn.transformer import load, losses, run

FILE = Path(__file__).resolve().parents[1] / "chapters" / "data" / "trained_facts.json"
MODELS = ("induction", "one_layer", "fixed_period")
PAIRS = (("animal", "street"), ("trophy", "suitcase"), ("dog", "ball"))  # sentences 1–2, 3–4, 5–6


def rounded(x):
    """Numbers, arrays of numbers and bits as plain Python, four decimals."""
    return np.round(np.asarray(x, float), 4).tolist()


def sequences(periods, number=256, seed=99):
    """Fresh sequences of these periods. -> tokens (number, 32)"""
    return repeated(np.random.default_rng(seed), number, periods)[0]


def repeat_loss(model, tokens, without=()):
    """Mean loss where the next token can be predicted, in nats."""
    return losses(run(model, tokens, without=without).logits, tokens)[seen(tokens)[:, :-1]].mean()


def behaviour(model, tokens):
    """Loss, accuracy, both scores of every head, and what silencing each costs. -> dict"""
    done, known = run(model, tokens), seen(tokens)[:, :-1]
    layers, last = range(len(model.w_q)), len(model.w_q) - 1
    right = done.logits[:, :-1].argmax(-1) == tokens[:, 1:]
    return dict(
        repeat_loss=rounded(repeat_loss(model, tokens)),
        accuracy=rounded(right[known].mean()),
        induction_score=[rounded(induction_score(done.weights[layer], tokens)) for layer in layers],
        previous_token_score=[rounded(previous_token_score(done.weights[layer], tokens)) for layer in layers],
        repeat_loss_without=[
            [rounded(repeat_loss(model, tokens, [(layer, head)])) for head in range(model.heads)] for layer in layers
        ],
        repeat_loss_without_last_layer=rounded(
            repeat_loss(model, tokens, [(last, head) for head in range(model.heads)])
        ),
    )


def wiring(model):
    """Copying, composition and the full circuits of the two-layer model. -> dict"""
    ov = [circuits.ov(v, o, heads=model.heads) for v, o in zip(model.w_v, model.w_o, strict=True)]
    qk = [circuits.qk(q, k, heads=model.heads) for q, k in zip(model.w_q, model.w_k, strict=True)]
    full = [layer.between(model.w_e, model.w_u) for layer in ov]
    pairs = [(earlier, later) for earlier in range(model.heads) for later in range(model.heads)]
    square = (model.heads, model.heads)
    return dict(
        copying_score=[rounded(circuits.copying_score(layer)) for layer in full],
        share_of_positive_eigenvalues=[rounded((layer.eigenvalues().real > 0).mean(-1)) for layer in full],
        k_composition=rounded(np.reshape([circuits.k_composition(ov[0][a], qk[1][b]) for a, b in pairs], square)),
        q_composition=rounded(np.reshape([circuits.q_composition(ov[0][a], qk[1][b]) for a, b in pairs], square)),
        v_composition=rounded(np.reshape([circuits.v_composition(ov[0][a], ov[1][b]) for a, b in pairs], square)),
        random_composition=rounded(random_composition()),
        matches_previous_token=rounded(
            np.reshape([diagonal_share(model, qk[1][b], ov[0][a]) for a, b in pairs], square)
        ),
        looks_one_back_by_position=[
            [one_back_share(model, qk[layer][head]) for head in range(model.heads)] for layer in range(2)
        ],
        write_overlap=[overlaps(model, layer) for layer in range(2)],
    )


def random_composition(c=64, d=16, draws=200, seed=0):
    """What two random rank-16 circuits of width 64 score: the number to compare with."""
    left, right = np.random.default_rng(seed).normal(size=(2, 2, draws, c, d))
    first, second = (LowRank(a, b.mT) for a, b in (left, right))
    return circuits.k_composition(first, second).mean()


def diagonal_share(model, later_qk, earlier_ov):
    """Tokens t for which W_E W_QK W_OVᵀ W_Eᵀ, row t, is largest at t: "find what stood after me"."""
    table = model.w_e @ (later_qk @ earlier_ov.mT).matrix() @ model.w_e.T
    return (table.argmax(-1) == np.arange(len(table))).mean()


def one_back_share(model, qk, positions=16):
    """Positions 1 … 15 for which positions alone, p_i W_QK p_jᵀ over j ≤ i, are largest at i − 1."""
    table = model.w_p[:positions] @ qk.matrix() @ model.w_p[:positions].T
    looked = np.where(np.tri(positions, dtype=bool), table, -np.inf).argmax(-1)
    return rounded((looked[1:] == np.arange(positions - 1)).mean())


def overlaps(model, layer):
    """How far the subspaces two heads of a layer write into coincide, (h, h)."""
    written = [model.head(layer, head)[3].T for head in range(model.heads)]
    return [[rounded(overlap(a, b)) for b in written] for a in written]


def sharing(model, tokens):
    """Repeat loss when keys and values are averaged into fewer heads, nothing retrained. -> dict by g"""
    found = {}
    for g in (4, 2, 1):
        shared = {name: np.stack([pool_kv(w, model.heads, g) for w in getattr(model, name)]) for name in ("w_k", "w_v")}
        found[str(g)] = rounded(repeat_loss(model._replace(**shared), tokens))
    return found


def encoder():
    """What the sentence encoder's maps show, and what minimal pairs make of it. -> dict"""
    sentences = data.encoder_maps()
    sink = np.mean([s.weights[:, :, 1:, 0].mean(-1) for s in sentences], 0)
    back = np.mean([np.diagonal(s.weights, -1, -2, -1).mean(-1) for s in sentences], 0)
    ahead = np.mean([np.diagonal(s.weights, 1, -2, -1).mean(-1) for s in sentences], 0)
    looks = [it_looks(sentences[i], *PAIRS[(i - 1) // 2]) for i in range(1, 7)]  # first word meant, then the second
    right = sum(first > second if i % 2 == 0 else second > first for i, (first, second) in enumerate(looks))
    return dict(
        heads_with_half_on_cls=int((sink > 0.5).sum()),
        previous_token_heads={f"{a}.{b}": rounded(back[a, b]) for a, b in np.argwhere(back > 0.5)},
        next_token_heads={f"{a}.{b}": rounded(ahead[a, b]) for a, b in np.argwhere(ahead > 0.5)},
        it_by_layer_3_head_1=[[rounded(first[3, 1]), rounded(second[3, 1])] for first, second in looks],
        heads_right_on_how_many_of_six=np.bincount(right.ravel(), minlength=7).tolist(),
    )


def it_looks(sentence, first, second):
    """How much every head lets "it" look at each of two words. -> two arrays (6, 12)"""
    it, a, b = (sentence.tokens.index(word) for word in ("it", first, second))
    return sentence.weights[:, :, it, a], sentence.weights[:, :, it, b]


def measure():
    """The whole sheet. -> dict"""
    training = json.loads(data.path("training.json").read_text("utf-8"))
    sheet = {}
    for name in MODELS:
        model = load(name)
        periods = {"trained": training["models"][name]["periods"], "held_out": training["held_out_periods"]}
        sheet[name] = {which: behaviour(model, sequences(choice)) for which, choice in periods.items()}
    model, tokens = load(), sequences(training["models"]["induction"]["periods"])
    sheet["induction"] |= wiring(model) | dict(repeat_loss_by_kv_heads=sharing(model, tokens))
    return sheet | dict(encoder=encoder())


def main():
    """Print and write."""
    text = json.dumps(measure(), indent=1)
    print(text)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
