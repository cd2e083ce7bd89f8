"""The same attention without the (n, m) matrix: softmax taken block by block, exactly.

The scores are made a tile at a time, small enough to stay in the processor's cache, turned into a Partial and
overwritten; the Partials merge. What makes it fast, and why none of it approximates, stands where it is done: here
(skipped keys, views, threads), in attn.online (rows that need no maximum, sums as products) and in attn.tiles.
Source: Dao et al. (2022), algorithm 1.
"""

from typing import NamedTuple

import numpy as np

from attn import tiles
from attn.axes import numeric, whole, working
from attn.masks import apply
from attn.online import Partial, calm_rows, finish, merge, partial, piece

__all__ = ["Partial", "finish", "flash_attention", "merge", "partial"]

QUERIES, KEYS = 256, 512  # a tile of float32 scores takes 512 KiB and stays in a core's second-level cache
SMALL = 256 * 256  # up to here the whole matrix is one such tile, and cutting it would only add overhead
FEW = 16  # with so few queries (decoding) the scores take less room than the keys, however many those are


def flash_attention(
    q, k, v, mask=None, *, is_causal=False, window=None, offset=None, scale=None, block=None, workers=None
):
    """scaled_dot_product_attention, in memory that does not grow with n · m.

        Y = finish(merge over blocks of keys of partial(Q, K_block, V_block))

    q: (..., h, n, d)   k: (..., g, m, d)   v: (..., g, m, e)   ->   (..., h, n, e)
    g divides h: each key–value head serves h / g query heads, without a copy. Head and batch axes may be missing.
    mask: broadcasts to (..., h, n, m); bool, True means "may attend", or float, added to the scores.
    is_causal: query i, at position i + offset, sees no later key. offset: m − n unless given, so that the last query
        sees the last key (torch's is_causal is offset 0).
    window: (left, right) as in masks.sliding_window, or left alone for (left, 0); None on a side is unlimited. Keys
        outside the window cost nothing. A key must pass mask, is_causal and window.
    block: (queries, keys) in a tile, or one number for both. Unless given: none for small inputs, else (256, 512).
    workers: threads that share the blocks, 1 unless given. With more, keep the BLAS to one (OPENBLAS_NUM_THREADS=1).
    Empty rows, dtypes, errors: as scaled_dot_product_attention. Source: Dao et al. (2022), algorithm 1.
    """
    (q, k, v), dtype = working(*numeric(q=q, k=k, v=v))
    heads = tiles.grouped(q, k, v)
    mask = tiles.laid(mask, heads)
    n, m = q.shape[-2], k.shape[-2]
    band = tiles.band(n, m, is_causal=is_causal, window=window, offset=offset)
    workers = 1 if workers is None else whole("workers", workers, least=1)
    if m == 0 or (block is None and (n * m <= SMALL or n <= FEW)):
        y = _at_once(heads, mask, band, scale)
    else:
        y = _in_blocks(heads, mask, band, scale, _shape(block, band), workers)
    return y.reshape(*heads.lead, n, v.shape[-1]).astype(dtype, copy=False)


def _at_once(heads, mask, band, scale):
    """All scores in one matrix. Queries that share a head are rows of one product: its keys are read once for all."""
    r, n, d = heads.q.shape[-3:]
    group, m = heads.k.shape[:-2], band.m
    mask = tiles.narrowed(mask, band.allowed(0, n, 0, m))
    if mask is not None:
        mask = np.broadcast_to(mask, (*group, r, n, m)).reshape(*group, r * n, m)
    return finish(partial(heads.q.reshape(*group, r * n, d), heads.k, heads.v, mask, scale=scale))


def _shape(block, band):
    if block is None:
        # a block of n queries sees left + right + n keys: under a narrow window, fewer queries waste less
        return min(QUERIES, max(64, (band.left + band.right) // 4)), KEYS
    block = block if isinstance(block, (tuple, list)) else (block, block)
    if len(block) != 2:
        raise ValueError(f"block must be one number or (queries, keys), not {block}")
    return tuple(whole("block", size, least=1) for size in block)


def _in_blocks(heads, mask, band, scale, shape, workers):
    r, n, d = heads.q.shape[-3:]
    scale = heads.q.dtype.type(max(d, 1) ** -0.5 if scale is None else scale)
    y = np.empty((*heads.q.shape[:-1], heads.v.shape[-1]), heads.q.dtype)
    rows = max(1, shape[0] // max(r, 1))  # the r query heads of a group lie one below the other in a tile
    at = {index: _head(heads, mask, band, scale, index) for index in np.ndindex(y.shape[:-3])}

    def work(job):
        index, start = job
        stop = min(n, start + rows)
        # NumPy keeps its error handling per thread: set outside, it would not reach the workers
        with np.errstate(invalid="ignore", over="ignore", under="ignore"):
            y[index][:, start:stop] = _block(at[index], band, scale, start, stop, shape[1])

    # under a causal mask the last blocks see most keys: the longest first, so that no thread ends up alone with one
    jobs = [(index, start) for start in reversed(range(0, n, rows)) for index in at]
    if workers == 1:
        for job in jobs:
            work(job)
        return y
    from concurrent.futures import ThreadPoolExecutor  # 5 ms to import: only those who ask for workers pay

    with ThreadPoolExecutor(workers) as pool:  # while NumPy multiplies, it lets the other threads run
        list(pool.map(work, jobs))
    return y


class _Head(NamedTuple):
    """One key–value head and the r query heads that read it; all views but the two verdicts."""

    q: np.ndarray  # (r, n, d)
    k: np.ndarray  # (m, d)
    v: np.ndarray  # (m, e)
    mask: np.ndarray | None  # (r, n, m)
    calm: np.ndarray  # (r, n): rows whose exponentials need no maximum
    sound: bool  # v holds neither NaN nor inf


def _head(heads, mask, band, scale, index):
    q, k, v = heads.q[index], heads.k[index], heads.v[index]
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        if mask is None:
            last = np.clip(np.arange(q.shape[-2]) + band.offset + band.right, 0, band.m - 1)
            calm = calm_rows(q, k, v, scale=scale, last=last)
        else:  # a float mask moves the scores out of any bound, and what a mask hides must not decide either
            calm = np.zeros(q.shape[:-1], bool)
        sound = bool(np.isfinite(np.vecdot(v, v)).all())
    return _Head(q, k, v, None if mask is None else mask[index], calm, sound)


def _block(head, band, scale, start, stop, width):
    """The answers to queries start … stop − 1, folded over the tiles of keys they see.  -> (r, stop − start, e)"""
    q = (head.q[:, start:stop] * scale).reshape(-1, head.q.shape[-1])  # scaling q costs n · d, scaling scores n · m
    calm = head.calm[:, start:stop].reshape(-1)
    still = calm.all()
    buffer = np.empty(len(q) * width, q.dtype)  # every tile is written here, so it never leaves the cache
    done = None
    for low, high in band.spans(start, stop, width):
        near = band.allowed(start, stop, low, high)
        mask = None if head.mask is None else head.mask[:, start:stop, low:high]
        if mask is not None and mask.dtype == bool and not mask.any():
            continue  # a weight of zero adds nothing: a tile with nothing allowed need not be made
        s = np.matmul(q, head.k[low:high].T, out=buffer[: len(q) * (high - low)].reshape(len(q), high - low))
        _forbid(s.reshape(-1, stop - start, high - low), near, mask)
        part = piece(s, head.v[low:high], calm=calm, sound=head.sound)
        if done is None:
            done = part
        elif still:  # every m is 0, every factor of merge is 1: what remains is the addition
            done = Partial(part.m, done.l + part.l, done.o + part.o)
        else:
            done = merge(done, part)
    return 0 if done is None else finish(done).reshape(-1, stop - start, head.v.shape[-1])


def _forbid(s, near, mask):
    """Lay the band and the mask on a tile of scores (r, queries, keys), in place."""
    if mask is not None:
        s[...] = apply(mask, s)
    if near is not None:
        np.copyto(s, s.dtype.type(-np.inf), where=~near)
