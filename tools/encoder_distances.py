"""How far a word's eight readings lie apart, four frames with two senses each: the measures of encoder_study.py."""

import numpy as np

UPPER = np.triu_indices(8, 1)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def apart(vectors):
    """1 − cosine of every two of a word's eight readings. vectors: (4 frames, 2 senses, ..., c) -> (..., 28)"""
    u = np.moveaxis(unit(np.asarray(vectors, np.float64)).reshape(8, *vectors.shape[2:]), 0, -2)
    return (1 - u @ u.mT)[..., UPPER[0], UPPER[1]]


def separation(distances):
    """How much nearer the same sense is than the other, over pairs of different frames. (..., 28) -> (...)"""
    frame, sense = np.divmod(np.arange(8), 2)
    other, same = (np.not_equal.outer(x, x)[UPPER] for x in (frame, sense))
    return distances[..., other & same].mean(-1) - distances[..., other & ~same].mean(-1)


def share(distances):
    """The separation, of the mean distance between readings of different frames: free of a layer's unit. (..., 28)"""
    frame = np.arange(8) // 2
    return separation(distances) / distances[..., np.not_equal.outer(frame, frame)[UPPER]].mean(-1)


def nearer(distances):
    """The share of readings nearer to their own sense than to the other, over different frames. (..., 28) -> (...)"""
    frame, sense = np.divmod(np.arange(8), 2)
    far = np.zeros((*distances.shape[:-1], 8, 8))
    far[..., UPPER[0], UPPER[1]] = far[..., UPPER[1], UPPER[0]] = distances
    elsewhere, own = np.not_equal.outer(frame, frame), np.equal.outer(sense, sense)
    return ((far * (elsewhere & ~own)).sum(-1) > (far * (elsewhere & own)).sum(-1)).mean(-1)


def towards(made, plain):
    """How much nearer each reading made is to its own sense than to the other, in the other three frames' plain ones.

    made: (4 frames, 2 senses, B, c)   plain: (4, 2, c)   ->   (B, 4, 2), by mean cosine
    """
    plain, made = (unit(np.asarray(x, np.float64)) for x in (plain, made))
    near = np.einsum("fsbc,gtc->bfsgt", made, plain)
    near = (near * ~np.eye(4, dtype=bool)[:, None, :, None]).sum(3) / 3  # (B, frame, sense, sense)
    return np.stack([near[..., s, s] - near[..., s, 1 - s] for s in (0, 1)], -1)


def at_place(items, place):
    """Vectors after every layer at a place of each reading. -> (4, 2, l + 1, c)"""
    return np.stack([np.moveaxis(f.run.residual[:, :2, place(f)], 0, 1) for f in items])


def left(items, made, layer):
    """The share of the separation that an edit leaves, after a layer's number of layers. -> (B,)"""
    whole = separation(apart(at_place(items, lambda f: f.at)[:, :, layer]))
    return separation(apart(made)) / whole
