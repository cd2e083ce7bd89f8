"""The key–value cache: what a model that writes one token at a time need not compute twice.

Keys and values of past tokens do not change, so they are kept. A new token brings one query, one key and one value;
its query is aligned with the last key, and attends to everything kept.

    y, cache = prefill(q, k, v)                           the prompt, all at once
    cache.append(k_new, v_new); y = decode(q_new, cache)  then token by token
"""

import numpy as np

from attn.axes import expect, numeric, whole
from attn.flash import flash_attention


class KVCache:
    """Keys and values, in arrays that have room to grow.

        append: O(1) a token on average, since a full array is replaced by one twice as long

    capacity: tokens to make room for at the start. dtype: to keep them in, that of the first append unless given.
    window: drop what no later query can see if each sees `window` keys before itself; memory then stops growing.
    len(cache): tokens held. cache.seen: tokens ever appended, and so the position of the next.
    keys: (..., g, m, d), values: (..., g, m, e), views of the m tokens held.
    Raises ValueError for a negative size, TypeError for one that is no integer and for a dtype that is no float.
    Source: Shazeer (2019), §2.4; the doubling: Cormen et al. (2022), §16.4.

        >>> KVCache().append(np.ones((2, 3, 4)), np.ones((2, 3, 4)))
        KVCache: 3 of 3 tokens, keys (2, 3, 4), values (2, 3, 4)
    """

    def __init__(self, *, capacity=0, window=None, dtype=None):
        self.capacity = whole("capacity", capacity, least=0)
        self.window = None if window is None else whole("window", window, least=0)
        self.dtype = None if dtype is None else np.dtype(dtype)
        if self.dtype is not None and self.dtype.kind != "f" and self.dtype.name != "bfloat16":
            raise TypeError(f"dtype must be a floating-point type, not {self.dtype}")
        self.seen = 0
        self._start = self._stop = 0  # what is held: positions of the arrays, not of the sequence
        self._k = self._v = None

    def __len__(self):
        return self._stop - self._start

    def __repr__(self):
        if self._k is None:
            return "KVCache, empty"
        return f"KVCache: {len(self)} of {self.seen} tokens, keys {self.keys.shape}, values {self.values.shape}"

    @property
    def keys(self):
        """The keys held, oldest first: (..., g, m, d), a read-only view that later appends leave as it is.

        Raises ValueError before the first append, when no shape is known.
        """
        return self._held(self._k)

    @property
    def values(self):
        """The values held, oldest first: (..., g, m, e), a view as keys is. Raises as keys does."""
        return self._held(self._v)

    @property
    def nbytes(self):
        """Bytes of what is held, without the room to grow:  … · g · m · (d + e) · itemsize, shape ()."""
        return 0 if self._k is None else self.keys.nbytes + self.values.nbytes

    def append(self, k, v):
        """Keep the keys and values of the next t tokens.

            K ← [K; k],   V ← [V; v]

        k: (..., g, t, d)   v: (..., g, t, e)   ->   the cache itself. The arguments are copied.
        Raises ValueError where the axes disagree with each other or with what is held, TypeError for what is not
        numbers and for a wider dtype than is kept: digits are only given up where dtype= asked for it.
        """
        k, v = numeric(k=k, v=v)
        expect(k=(k, "... t d"), v=(v, "... t e"))
        if k.shape[:-1] != v.shape[:-1]:
            raise ValueError(f"k and v must agree in all axes but the last: k {k.shape}, v {v.shape}")
        t = k.shape[-2]
        if self._k is None:
            self._k, self._v = (self._room(x, max(self.capacity, t)) for x in (k, v))
        self._fits(k, self._k, "k"), self._fits(v, self._v, "v")
        self._make_way(t)
        end = self._stop + t
        self._k[..., self._stop : end, :] = k
        self._v[..., self._stop : end, :] = v
        self._stop, self.seen = end, self.seen + t
        return self

    def _make_way(self, t):
        """Let go of what the next t queries cannot see, and move into longer arrays if these are full."""
        if self.window is not None:
            self._start = max(self._start, self._stop - self.window)
        if self._stop + t <= self._k.shape[-2]:
            return
        kept, size = len(self), 2 * (len(self) + t)
        # always new arrays, even where shifting would do: a view handed out earlier never changes under its reader
        for name in ("_k", "_v"):
            old, new = getattr(self, name), self._room(getattr(self, name), size)
            new[..., :kept, :] = old[..., self._start : self._stop, :]
            setattr(self, name, new)
        self._start, self._stop = 0, kept

    def _room(self, like, size):
        return np.empty((*like.shape[:-2], size, like.shape[-1]), self.dtype or like.dtype)

    def _held(self, x):
        if x is None:
            raise ValueError("the cache is empty: its shapes are known after the first append")
        view = x[..., self._start : self._stop, :]
        view.flags.writeable = False
        return view

    def _fits(self, new, kept, name):
        if new.shape[:-2] + new.shape[-1:] != kept.shape[:-2] + kept.shape[-1:]:
            told = (*kept.shape[:-2], "t", kept.shape[-1])
            raise ValueError(f"{name} has shape {new.shape}, but the cache keeps ({', '.join(map(str, told))})")
        if self.dtype is None and np.promote_types(new.dtype, kept.dtype) != kept.dtype:
            raise TypeError(f"{name} is {new.dtype}, but the cache keeps {kept.dtype}: convert it, or say dtype=")


def prefill(q, k, v, *, capacity=0, window=None, scale=None):
    """Read a prompt: causal attention over all of it at once, and the cache that remembers it.

        y = flash_attention(q, k, v, is_causal=True),   cache = [k, v]

    q: (..., h, n, d)   k: (..., g, n, d)   v: (..., g, n, e)   ->   (y: (..., h, n, e), KVCache).
    capacity: tokens to make room for, the prompt's included. window: each query sees `window` keys before itself.
    Raises as flash_attention and KVCache do. Source: Pope et al. (2023), §2.

        >>> y, cache = prefill(*[np.ones((2, 3, 4))] * 3)
        >>> len(cache)
        3
    """
    y = flash_attention(q, k, v, is_causal=True, window=window, scale=scale)
    return y, KVCache(capacity=capacity, window=window).append(k, v)


def decode(q, cache, mask=None, *, scale=None):
    """Attend from the last n tokens, whose keys and values are in the cache, to everything they may see.

        y_i = Σ_{j ≤ i} a_ij v_j,   the last query aligned with the last key

    q: (..., h, n, d), g dividing h   ->   (..., h, n, e): the last n rows of attention over the whole sequence.
    mask: broadcasts to (..., h, n, m), m = len(cache); a key must pass it, causality and the cache's window.
    Raises ValueError if the cache no longer holds, or never held, what the n queries see. Else as flash_attention.
    Source: Shazeer (2019), §2.4.

        >>> decode(np.ones((2, 1, 4)), KVCache().append(np.ones((2, 3, 4)), np.ones((2, 3, 4)))).shape
        (2, 1, 4)
    """
    q = numeric(q=q)
    n, m = (q.shape[-2] if q.ndim > 1 else 0), len(cache)
    if n > m or (cache.window is not None and m < min(cache.seen, n + cache.window)):
        raise ValueError(f"q brings {n} queries: too many for a cache that holds {m} of {cache.seen} tokens")
    return flash_attention(q, cache.keys, cache.values, mask, is_causal=True, window=cache.window, scale=scale)
