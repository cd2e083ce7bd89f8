"""The encoder's matrices in eight bits: W ≈ scale · round(W / scale), one scale for every 32 numbers of a row.

A row is what makes one number of the output, so nn.Linear's (out, in). Groups of 32 weigh 1.4 MB more than one scale a
row and halve the error of the maps. Four bits distort them. b_K and b_V are folded away: attn.encoder.folded.
"""

import importlib.util
import shutil
import tempfile
from pathlib import Path

import numpy as np

from attn import data, encoder

GROUP = 32
LONGEST = 32  # tokens of a reader's sentence: the map's words must be readable
MATRICES = ("w_q", "w_k", "w_v", "w_o", "w_in", "w_out")
VECTORS = ("b_q", "b_o", "gain_1", "bias_1", "b_in", "b_out", "gain_2", "bias_2")


def load(files):
    """The model from the installed package, else from these files.   files: {name: path} or None   ->   Encoder"""
    if importlib.util.find_spec(encoder.PACKAGE.replace("-", "_")):
        return encoder.load()
    with tempfile.TemporaryDirectory() as folder:
        for name, path in files.items():
            shutil.copyfile(path, Path(folder) / name)
        return encoder.load(folder)


def quantised(w):
    """W ≈ scale · q, q from −127 to 127.   w: (rows, columns)   ->   int8 of that shape, scales float16"""
    groups = w.reshape(len(w), -1, GROUP)
    scales = (abs(groups).max(-1, keepdims=True) / 127).astype(np.float16)
    scales = np.maximum(scales, np.finfo(np.float16).tiny)
    q = np.clip(np.rint(groups / scales.astype(np.float32)), -127, 127).astype(np.int8)
    return q.reshape(w.shape), scales[..., 0]


def restored(q, scales):
    """What the page computes with.   ->   float32, as quantised's w"""
    return (q.reshape(len(q), -1, GROUP) * scales[..., None].astype(np.float32)).reshape(q.shape)


def tables(model):
    """The matrices in the order they travel: the word list's, then each layer's.   ->   list of (rows, columns)"""
    return [model.w_e, *(getattr(layer, name).T for layer in model.layers for name in MATRICES)]


def probes(model):
    """The probe words, and the last state of each, read alone.   ->   list of str, (p, c) on the unit sphere"""
    with np.load(data.path("encoder_effects.npz")) as stored:
        words = str(stored["probes"]).split()
    states = np.stack([encoder.read(model, word)[1].residual[-1, 1] for word in words])
    return words, states / np.linalg.norm(states, axis=-1, keepdims=True)


def packed(model):
    """Everything the page needs of the model.   ->   (what it must know, as plain JSON; the numbers, as bytes)

    All int8, then all scales as float16, then float32: positions, the first norm, each layer's vectors, the probes.
    """
    model = model._replace(layers=[encoder.folded(layer) for layer in model.layers])
    pairs = [quantised(np.ascontiguousarray(w)) for w in tables(model)]
    words, states = probes(model)
    vectors = [getattr(layer, name) for layer in model.layers for name in VECTORS]
    plain = [model.w_p[:LONGEST], model.gain, model.bias, *vectors, states]
    small = [scales for _, scales in pairs], [np.asarray(part, np.float32) for part in plain]
    parts = [q for q, _ in pairs], *small
    content = b"".join(part.tobytes() for kind in parts for part in kind)
    about = dict(
        layers=len(model.layers), heads=model.heads, width=model.w_e.shape[1], inner=model.layers[0].w_in.shape[1],
        tokens=len(model.w_e), longest=LONGEST, group=GROUP, probes=words,
    )  # fmt: skip
    return about, content
