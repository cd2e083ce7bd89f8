"""Train the course's small attention-only transformers, in NumPy, with gradients derived by hand.

    python tools/train_induction.py              train every model, write chapters/data
    python tools/train_induction.py --check      train again and compare, bit by bit

The same command on the same processor and the same NumPy gives the same bits: one thread of BLAS, one generator for
each model. Another processor may sum in another order, and 800 steps magnify that: the weights then differ, the
measured facts hardly do. What is written is rounded to float16, and everything the course says is said of that.
"""

import os

if __name__ == "__main__":  # before NumPy loads: the order of a sum must not depend on the number of threads
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import argparse
import json
import platform
import sys
import time
from pathlib import Path

import numpy as np

from attn.induction import repeated, seen
from attn.transformer import Model, losses, run

DATA = Path(__file__).resolve().parents[1] / "chapters" / "data"
HELD_OUT = (10, 13)  # never seen in training; nor is the right distance back, 9 or 12, right for any trained period
TRAINED = tuple(n for n in range(8, 17) if n not in HELD_OUT)
MODELS = {
    "induction": dict(layers=2, heads=4, periods=TRAINED, seed=0),
    "one_layer": dict(layers=1, heads=4, periods=TRAINED, seed=0),
    "fixed_period": dict(layers=1, heads=2, periods=(12,), seed=0, steps=1200),
}
LENGTH = VOCABULARY = 32
WIDTH, HEAD_WIDTH = 64, 16
STEPS, SEQUENCES, RATE, WARM_UP, DECAY_FROM = 800, 64, 1e-2, 50, 0.6
BETAS, EPSILON = (0.9, 0.99), 1e-8


def start(rng, layers, heads, dtype=np.float32):
    """Fresh weights: normal, embeddings of deviation 1, maps of deviation 1/√c. -> dict of arrays, as Model holds."""
    c, p = WIDTH, heads * HEAD_WIDTH
    shapes = dict(
        w_e=(VOCABULARY, c), w_p=(LENGTH, c),
        w_q=(layers, c, p), w_k=(layers, c, p), w_v=(layers, c, p), w_o=(layers, p, c), w_u=(c, VOCABULARY),
    )  # fmt: skip
    spread = {name: 1.0 if name in ("w_e", "w_p") else c**-0.5 for name in shapes}
    return {name: (spread[name] * rng.standard_normal(shape)).astype(dtype) for name, shape in shapes.items()}


def loss_and_gradient(w, tokens, heads):
    """Mean loss over all next tokens, and its derivative in every weight.   tokens: (b, n)   ->   float, dict."""
    x, tape = w["w_e"][tokens], []
    for layer in range(len(w["w_q"])):
        x, kept = _layer(w, layer, x, heads)
        tape.append(kept)
    loss, dlogits = _cross_entropy(x @ w["w_u"], tokens)
    grad = {name: np.zeros_like(array) for name, array in w.items()}
    grad["w_u"] = _rows(x).T @ _rows(dlogits)
    dx = dlogits @ w["w_u"].T
    for layer in reversed(range(len(tape))):
        dx = _layer_backward(w, grad, layer, dx, *tape[layer])
    one_hot = np.eye(len(w["w_e"]), dtype=x.dtype)[tokens.ravel()]
    grad["w_e"] = one_hot.T @ _rows(dx)
    return loss, grad


def _layer(w, layer, x, heads):
    """One layer of attention: x plus what the heads write, and what the way back needs."""
    n = x.shape[1]
    placed = x + w["w_p"][:n]
    q, k = (_split(placed @ w[name][layer], heads) for name in ("w_q", "w_k"))
    v = _split(x @ w["w_v"][layer], heads)
    q *= x.dtype.type(HEAD_WIDTH**-0.5)  # the scale rides in q, so dk needs none and dq needs it once more
    a = q @ k.mT
    a += np.triu(np.full((n, n), -np.inf, x.dtype), 1)
    a = np.exp(a - a.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    o = _merge(a @ v)
    return x + o @ w["w_o"][layer], (x, placed, q, k, v, a, o)


def _layer_backward(w, grad, layer, dx, x, placed, q, k, v, a, o):
    """Chapter 4's gradient of attention, then the chain rule through four linear maps. -> dx of the layer before."""
    grad["w_o"][layer] = _rows(o).T @ _rows(dx)
    do = _split(dx @ w["w_o"][layer].T, a.shape[1])
    da = do @ v.mT
    ds = a * (da - (da * a).sum(-1, keepdims=True))
    dq = _merge(ds @ k) * x.dtype.type(HEAD_WIDTH**-0.5)
    dk, dv = _merge(ds.mT @ q), _merge(a.mT @ do)
    grad["w_q"][layer] = _rows(placed).T @ _rows(dq)
    grad["w_k"][layer] = _rows(placed).T @ _rows(dk)
    grad["w_v"][layer] = _rows(x).T @ _rows(dv)
    dplaced = dq @ w["w_q"][layer].T + dk @ w["w_k"][layer].T
    grad["w_p"][: x.shape[1]] += dplaced.sum(0)
    return dx + dplaced + dv @ w["w_v"][layer].T


def _cross_entropy(logits, tokens):
    """Mean −log p(next token), and its derivative p − y; the last position predicts nothing."""
    z = logits[:, :-1] - logits[:, :-1].max(-1, keepdims=True)
    p = np.exp(z)
    total = p.sum(-1, keepdims=True)
    said = np.take_along_axis(z, tokens[:, 1:, None], -1)
    p /= total
    np.put_along_axis(p, tokens[:, 1:, None], np.take_along_axis(p, tokens[:, 1:, None], -1) - 1, -1)
    dlogits = np.zeros_like(logits)
    dlogits[:, :-1] = p / logits.dtype.type(said.size)
    return float((np.log(total) - said).mean()), dlogits


def _split(x, heads):
    b, n, width = x.shape
    return np.ascontiguousarray(x.reshape(b, n, heads, width // heads).swapaxes(1, 2))


def _merge(x):
    b, h, n, d = x.shape
    return x.swapaxes(1, 2).reshape(b, n, h * d)


def _rows(x):
    return x.reshape(-1, x.shape[-1])


def rate(step, steps):
    """Learning rate: up a ramp, along a plateau, down a ramp.   step: 1 … steps   ->   float."""
    falling = max(0.05, (steps - step + 1) / ((1 - DECAY_FROM) * steps)) if step > DECAY_FROM * steps else 1.0
    return RATE * min(1.0, step / WARM_UP) * falling


def train(layers, heads, periods, seed, steps=STEPS, until=None, one_pattern=None):
    """Adam on freshly drawn sequences. -> (weights: dict of float32 arrays, losses: list, one a step).

    until: stop after so many steps of the same schedule (a test looks at the beginning only)
    one_pattern: a layer whose heads have one pattern, from first to last: the queries and keys of its head 0
    """
    rng = np.random.default_rng(seed)
    w = start(rng, layers, heads)
    if one_pattern is not None:
        _tie(w, one_pattern, heads, lambda each: each[:, 0])
    mean, square = ({name: np.zeros_like(array) for name, array in w.items()} for _ in range(2))
    history = []
    for step in range(1, (until or steps) + 1):
        tokens, _ = repeated(rng, SEQUENCES, periods, length=LENGTH, vocabulary=VOCABULARY)
        loss, grad = loss_and_gradient(w, tokens, heads)
        if one_pattern is not None:
            _tie(grad, one_pattern, heads, lambda each: each.mean(axis=1))
        history.append(loss)
        for name in w:
            mean[name] += np.float32(1 - BETAS[0]) * (grad[name] - mean[name])
            square[name] += np.float32(1 - BETAS[1]) * (grad[name] ** 2 - square[name])
            size = np.float32(rate(step, steps) / (1 - BETAS[0] ** step))
            w[name] -= size * mean[name] / (np.sqrt(square[name] / np.float32(1 - BETAS[1] ** step)) + EPSILON)
    return w, history


def _tie(w, layer, heads, pick):
    """Give every head of a layer the same queries and keys, in place.   pick: (c, heads, d) -> (c, d), which"""
    for name in ("w_q", "w_k"):
        each = w[name][layer].reshape(len(w[name][layer]), heads, -1)
        w[name][layer] = np.tile(pick(each), heads)


def as_model(w, heads):
    """The weights as the course's Model, in float64."""
    return Model(heads, **{name: array.astype(np.float64) for name, array in w.items()})


def repeat_loss(model, periods, sequences=256, seed=99):
    """Loss and accuracy on the tokens that can be predicted, on fresh sequences of these periods. -> (float, float)"""
    tokens, _ = repeated(np.random.default_rng(seed), sequences, periods)
    logits, known = run(model, tokens).logits, seen(tokens)[:, :-1]
    right = logits[:, :-1].argmax(-1) == tokens[:, 1:]
    return float(losses(logits, tokens)[known].mean()), float(right[known].mean())


def make(name):
    """Train one model. -> (arrays to store: dict, record: dict)"""
    spec, began = MODELS[name], time.perf_counter()
    before = start(np.random.default_rng(spec["seed"]), spec["layers"], spec["heads"])
    w, history = train(**spec)
    stored = {key: array.astype(np.float16) for key, array in w.items()}
    after = as_model(stored, spec["heads"])
    record = dict(spec, periods=list(spec["periods"]), parameters=sum(a.size for a in w.values()))
    record["losses"] = {str(s): round(history[s - 1], 6) for s in (1, 5, 20, 100, 200, 400, len(history))}
    sets = {"trained": spec["periods"], "held_out": HELD_OUT}
    initial = as_model(before, spec["heads"])
    record["repeat_loss_before"] = {key: round(repeat_loss(initial, periods)[0], 4) for key, periods in sets.items()}
    for key, periods in sets.items():
        loss, accuracy = repeat_loss(after, periods)
        record[key] = dict(repeat_loss=round(loss, 4), accuracy=round(accuracy, 4))
    print(f"{name}: {time.perf_counter() - began:.1f} s", json.dumps(record), flush=True)
    return dict(heads=np.int64(spec["heads"]), **stored), record


def main():
    """Train, then write or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with chapters/data instead of writing it")
    checking = parser.parse_args().check
    records, differing = {}, []
    for name in MODELS:
        arrays, records[name] = make(name)
        file = DATA / f"{name}.npz"
        if checking:
            with np.load(file) as old:
                differing += [f"{name}.{key}" for key in arrays if arrays[key].tobytes() != old[key].tobytes()]
        else:
            np.savez_compressed(file, **arrays)
    if checking:
        print("not the same bits: " + ", ".join(differing) if differing else "the same bits, every model")
        sys.exit(bool(differing))
    about = dict(command="python tools/train_induction.py", numpy=np.__version__, python=platform.python_version())
    text = json.dumps(dict(about, held_out_periods=HELD_OUT, models=records), indent=1)
    (DATA / "training.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
