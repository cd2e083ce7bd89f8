"""The same attention without the (n, m) matrix: softmax taken block by block, exactly.

The scores are made a tile at a time, small enough to stay in the processor's cache, turned into a Partial and
overwritten; the Partials merge. What makes it fast, and why none of it approximates, stands where it is done: here
(blocks, views, threads), in attn.tiles (skipped keys) and in attn.online (rows that need no maximum, sums as products).
Source: Dao et al. (2022), algorithm 1.
"""

import numpy as np

from attn.axes import grouped, numeric, whole, working
from attn.masks import fitting
from attn.online import Partial, calm_rows, finish, fold, merge, partial
from attn.tiles import band

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

        >>> q, k = np.ones((6, 300, 4)), np.ones((2, 300, 4))
        >>> flash_attention(q, k, k, is_causal=True).shape
        (6, 300, 4)
    """
    (q, k, v), dtype = working(*numeric(q=q, k=k, v=v))
    heads = grouped(q, k, v)
    mask = None if mask is None else heads.like_scores(fitting(mask, heads.scores))
    n, m = q.shape[-2], k.shape[-2]
    near = band(n, m, is_causal=is_causal, window=window, offset=offset)
    workers = 1 if workers is None else whole("workers", workers, least=1)
    scale = q.dtype.type(max(q.shape[-1], 1) ** -0.5 if scale is None else scale)
    y = np.empty((*heads.q.shape[:-1], v.shape[-1]), q.dtype)
    if m == 0 or (block is None and (n * m <= SMALL or n <= FEW)):
        rows, width = max(n, 1), max(m, 1)
        known = {(): (np.zeros(heads.q.shape[-3:-1], bool), False)}  # heads.q[()] is all of it: one tile for all heads
    else:
        rows, width = _tile(block, near, heads.q.shape[-3])
        known = {at: _known(heads, at, mask, near, scale) for at in np.ndindex(heads.k.shape[:-2])}

    def work(job):
        at, start = job
        here = slice(start, min(n, start + rows))
        (calm, sound), seen = known[at], None if mask is None else mask[at][..., here, :]
        queries, tiles = heads.q[at][..., here, :], near.tiles(start, here.stop, width)
        y[at][..., here, :] = fold(
            queries * scale, heads.k[at], heads.v[at], seen, tiles, width=width, calm=calm[:, here], sound=sound
        )

    # under a causal mask the last blocks see most keys: the longest first, so that no thread ends up alone with one
    _each(work, [(at, start) for start in reversed(range(0, n, rows)) for at in known], workers)
    return y.reshape(*heads.lead, n, v.shape[-1]).astype(dtype, copy=False)


def _tile(block, near, r):
    """How many queries of each of r heads, and how many keys, make a tile."""
    if block is None:
        # a block of n queries sees left + right + n keys: under a narrow window, fewer queries waste less
        rows, width = min(QUERIES, max(64, (near.left + near.right) // 4)), KEYS
    else:
        block = block if isinstance(block, (tuple, list)) else (block, block)
        if len(block) != 2:
            raise ValueError(f"block must be one number or (queries, keys), not {block}")
        rows, width = (whole("block", size, least=1) for size in block)
    return max(1, rows // max(r, 1)), width  # the r query heads of a group lie one below the other in a tile


def _known(heads, at, mask, near, scale):
    """Of one key–value head: the rows (r, n) whose exponentials need no maximum, and whether its values are finite."""
    q, k, v = heads.q[at], heads.k[at], heads.v[at]
    if mask is None:
        calm = calm_rows(q, k, v, scale=scale, last=near.last(q.shape[-2]))
    else:  # a float mask moves the scores out of any bound, and what a mask hides must not decide either
        calm = np.zeros(q.shape[:-1], bool)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return calm, bool(np.isfinite(np.vecdot(v, v)).all())


def _each(work, jobs, workers):
    if workers == 1 or len(jobs) < 2:
        for job in jobs:
            work(job)
        return
    from concurrent.futures import ThreadPoolExecutor  # 5 ms to import: only those who ask for workers pay

    with ThreadPoolExecutor(workers) as pool:  # while NumPy multiplies, it lets the other threads run
        list(pool.map(work, jobs))
