"""Random layers of several heads, for the exercises that cut them apart."""


def layer(rng, n, c, h, d, e):
    """Random X, W_Q, W_K, W_V and the number of heads."""
    return *(rng.normal(size=s) for s in ((n, c), (c, h * d), (c, h * d), (c, h * e))), h
