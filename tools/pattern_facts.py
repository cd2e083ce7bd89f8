"""Measure how many patterns layer 1 of the induction model needs, in fresh trainings, and write it down for a chapter.

    python tools/pattern_facts.py                print the sheet, write chapters/data/pattern_facts.json (four minutes)

Each seed trains twice: with a pattern for each head, as the stored model was, and with one pattern for all heads of
layer 1. Then the first of the two is cut. Losses are of the float16 weights, where the next token can be known.
"""

import os

if __name__ == "__main__":  # before NumPy loads, as in train_induction
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import json
from pathlib import Path

import numpy as np
from train_induction import MODELS, as_model, train

from attn import heads
from attn.induction import repeated, seen
from attn.transformer import losses, run

FILE = Path(__file__).resolve().parents[1] / "chapters" / "data" / "pattern_facts.json"
SEEDS = (0, 1, 2, 3)


def trained(seed, **options):
    """One training, with the weights rounded as they would be stored. -> attn.transformer.Model"""
    spec = MODELS["induction"] | {"seed": seed}
    w, _ = train(**spec, **options)
    return as_model({name: array.astype(np.float16) for name, array in w.items()}, spec["heads"])


def lend(model, layer, head):
    """Give all heads of a layer the queries and keys of one of them. -> Model"""
    w_q, w_k = model.w_q.copy(), model.w_k.copy()
    for w in (w_q, w_k):
        w[layer] = np.tile(heads.split(w[layer], model.heads)[head], model.heads)
    return model._replace(w_q=w_q, w_k=w_k)


def loss(model, without=()):
    """Mean loss where the next token is known, on fresh sequences.   ->   float"""
    tokens, _ = repeated(np.random.default_rng(99), 256, MODELS["induction"]["periods"])
    each = losses(run(model, tokens, without=without).logits, tokens)
    return float(each[seen(tokens)[:, :-1]].mean())


def measure(seed):
    """One seed's losses. -> dict"""
    model, every = trained(seed), range(MODELS["induction"]["heads"])
    return dict(
        trained=round(loss(model), 4),
        trained_with_one_pattern=round(loss(trained(seed, one_pattern=1)), 4),
        one_pattern_lent=round(min(loss(lend(model, 1, t)) for t in every), 4),
        layer_0_one_head=round(min(loss(model, [(0, k) for k in every if k != t]) for t in every), 4),
    )


def main():
    """Print and write."""
    text = json.dumps({str(seed): measure(seed) for seed in SEEDS}, indent=1)
    print(text)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
