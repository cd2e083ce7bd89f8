"""Train the head that reads "bank", in NumPy, and write its weights down.

    python tools/train_senses.py              train, write chapters/data/senses.npz and senses.json
    python tools/train_senses.py --check      train again and compare, bit by bit

The same command on the same processor and the same NumPy gives the same bits. Another processor may sum in another
order; 1500 steps magnify that a little, and the weights then agree to a few digits. The weights are rounded to
float32, in the gauge of the drawings, and everything the course says is said of what is stored.
"""

import os

if __name__ == "__main__":  # before NumPy loads: the order of a sum must not depend on the number of threads
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import argparse
import json
import platform
import sys
from pathlib import Path

import numpy as np

from attn import senses

DATA = Path(__file__).resolve().parents[1] / "chapters" / "data"
CORPUS, SEED = 0, 5  # one of the seeds 0 to 11, which all learn the task; senses_facts.json tells how alike they are
STEPS = 1500


def generator(seed):
    """The generator a seed trains with; the corpus has one of its own."""
    return np.random.default_rng(100 + seed)


def corpus():
    """The sentences trained on and those held out, the same for every seed. -> two lists"""
    return senses.corpus(np.random.default_rng(CORPUS))


def make(number=None):
    """Train the head of the course. -> (Head, losses). number: stop the same schedule early (for a test)."""
    rng, (fit, _) = generator(SEED), corpus()
    head, losses = senses.start(rng), []
    for loss, trained in senses.steps(rng, head, senses.encode(fit), number=STEPS):
        head, losses = trained, [*losses, loss]
        if len(losses) == number:
            break
    return senses.upright(head), losses


def stored(head):
    """What goes into the file: the names, and the weights as float32. -> dict of arrays"""
    names = dict(words=np.array(head.words), stand_ins=np.array(head.stand_ins))
    return names | {name: getattr(head, name).astype(np.float32) for name in senses.WEIGHTS}


def main():
    """Train, then write or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with chapters/data instead of writing it")
    checking = parser.parse_args().check
    head, losses = make()
    arrays, file = stored(head), DATA / "senses.npz"
    if checking:
        with np.load(file) as old:
            differing = [name for name in arrays if arrays[name].tobytes() != old[name].tobytes()]
        print("not the same bits: " + ", ".join(differing) if differing else "the same bits")
        sys.exit(bool(differing))
    np.savez_compressed(file, **arrays)
    about = dict(command="python tools/train_senses.py", numpy=np.__version__, python=platform.python_version())
    about |= dict(
        corpus_seed=CORPUS, seed=SEED, steps=STEPS, parameters=sum(getattr(head, n).size for n in senses.WEIGHTS)
    )
    about["losses"] = {str(step): round(losses[step - 1], 6) for step in (1, 5, 50, 600, STEPS)}
    (DATA / "senses.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(about))


if __name__ == "__main__":
    main()
