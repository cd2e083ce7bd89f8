"""Speed and memory of attn beside torch, measured in pairs: `make bench`, or `python -m bench --help`.

These settings must stand before NumPy and torch are first imported, which is why they stand here: one BLAS thread,
because our own workers share the blocks, and idle threads that sleep, because one that waits by spinning takes the
processor from whoever is measured next. Values already in the environment are respected.
"""

import os

for name, value in {
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "KMP_BLOCKTIME": "0",
}.items():
    os.environ.setdefault(name, value)
