"""torch's attentions seen as NumPy functions, so that the laws of the heart can examine them."""

import numpy as np
import torch

torch.set_num_threads(1)  # small tensors: a second thread only waits, and the machine is shared


def numpy_way(attend, dtype=None):
    """attend(q, k, v, mask, scale=…) on tensors -> the same on arrays; computed in dtype if one is given."""

    def numpy_attend(q, k, v, mask=None, *, scale=None):
        tensors = [torch.from_numpy(np.array(x)).to(dtype or getattr(torch, x.dtype.name)) for x in (q, k, v)]
        mask = None if mask is None else torch.from_numpy(np.array(mask))
        return attend(*tensors, mask, scale=scale).to(getattr(torch, q.dtype.name)).numpy()

    return numpy_attend
