# ruff: noqa
"""Wrong answers to 12.4; each docstring is the diagnosis on record."""


def other_library_call_1(Q, K, V, block):
    """library_call"""
    import torch.nn.functional as F

    n, m = len(Q), len(K)
    mask = F.scaled_dot_product_attention.__doc__ and (K.new_ones(n, m).tril(m - n) > 0)
    return F.scaled_dot_product_attention(Q[None], K[None], V[None], attn_mask=mask)[0]


def other_top_left_1(Q, K, V, block):
    """top_left"""
    import torch

    return torch.nn.functional.scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=True)[0]


def other_all_scores_1(Q, K, V, block):
    """all_scores"""
    import torch

    n, m = len(Q), len(K)
    S = Q.float() @ K.float().T / Q.shape[1] ** 0.5
    S = S.masked_fill(torch.ones(n, m, dtype=torch.bool, device=Q.device).triu(m - n + 1), -torch.inf)
    return (torch.softmax(S, -1) @ V.float()).half()


def other_all_scores_2(Q, K, V, block):
    """all_scores"""
    import torch

    n, m = len(Q), len(K)
    blocks = [Q.float() @ k.float().T / Q.shape[1] ** 0.5 for k in K.split(block)]
    S = torch.cat(blocks, 1)
    mask = torch.arange(m, device=Q.device)[None] <= torch.arange(n, device=Q.device)[:, None] + m - n
    A = torch.where(mask, S, -torch.inf).softmax(1)
    return sum(a @ v.float() for a, v in zip(A.split(block, 1), V.split(block))).half()


def other_all_scores_3(Q, K, V, block):
    """all_scores"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    full = torch.ones(n, m, device=Q.device).tril(m - n).bool()
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(~full[:, i:i + block], -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_made_elsewhere_1(Q, K, V, block):
    """made_elsewhere"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf)
    l, o = torch.zeros(n, 1), torch.zeros(n, V.shape[1])
    rows = torch.arange(n)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k))
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_made_elsewhere_2(Q, K, V, block):
    """made_elsewhere"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_made_elsewhere_3(Q, K, V, block):
    """made_elsewhere"""
    import torch

    out = torch.zeros(len(Q), V.shape[1], dtype=torch.float16)
    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    out[:] = o / l
    return out


def other_leaves_device_1(Q, K, V, block):
    """leaves_device"""
    import torch

    Q, K, V = Q.cpu(), K.cpu(), V.cpu()
    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_leaves_device_2(Q, K, V, block):
    """leaves_device"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float().to('cpu'), V[i:i + block].float().to('cpu')
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_leaves_device_3(Q, K, V, block):
    """leaves_device"""
    import numpy as np
    import torch

    q, k, v = (x.cpu().numpy().astype(np.float32) for x in (Q, K, V))
    n, m = len(q), len(k)
    top, l, o = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, v.shape[1]))
    rows = np.arange(n)[:, None] + m - n
    for i in range(0, m, block):
        s = q @ k[i:i + block].T / q.shape[1] ** 0.5
        s = np.where(np.arange(i, i + s.shape[1]) <= rows, s, -np.inf)
        new = np.maximum(top, s.max(1, keepdims=True))
        c, e = np.exp(top - new), np.exp(s - new)
        l, o, top = l * c + e.sum(1, keepdims=True), o * c + e @ v[i:i + block], new
    return torch.from_numpy(o / l).half().to(Q.device)


def other_returns_array_1(Q, K, V, block):
    """returns_array"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).half().numpy()


def other_returns_array_2(Q, K, V, block):
    """returns_array"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    import numpy as np
    return np.array((o / l).cpu())


def other_stays_single_1(Q, K, V, block):
    """stays_single"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l)


def other_stays_single_2(Q, K, V, block):
    """stays_single"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(torch.bfloat16)


def other_waits_1(Q, K, V, block):
    """waits"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        if torch.isinf(new).all():
            continue
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_waits_2(Q, K, V, block):
    """waits"""
    import torch

    out = torch.zeros(len(Q), V.shape[1], dtype=Q.dtype, device=Q.device)
    for i, q in enumerate(Q.float()):
        m, l, o = float("-inf"), 0.0, 0.0
        for j in range(0, i + len(K) - len(Q) + 1, block):
            stop = min(j + block, i + len(K) - len(Q) + 1)
            s = K[j:stop].float() @ q / Q.shape[1] ** 0.5
            new = max(m, s.max().item())
            e, c = torch.exp(s - new), 2.718281828459045 ** (m - new)
            l, o, m = l * c + float(e.sum()), o * c + e @ V[j:stop].float(), new
        out[i] = o / l
    return out


def other_half_scores_1(Q, K, V, block):
    """half_scores"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = (Q @ K[i:i + block].T / Q.shape[1] ** 0.5).float()
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_half_scores_2(Q, K, V, block):
    """half_scores"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = (Q * Q.shape[1] ** -0.5 @ K[i:i + block].T).float()
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_half_sums_1(Q, K, V, block):
    """half_sums"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), Q.new_zeros(n, V.shape[1])
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), (o * c + e @ v).to(o.dtype), new
    return (o / l).to(Q.dtype)


def other_half_sums_2(Q, K, V, block):
    """half_sums"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return o.to(Q.dtype) / l.to(Q.dtype)


def other_all_half_1(Q, K, V, block):
    """all_half"""
    import torch

    n, m = len(Q), len(K)
    top = Q.new_full((n, 1), -torch.inf)
    l, o = Q.new_zeros(n, 1), Q.new_zeros(n, V.shape[1])
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        s = Q @ K[i:i + block].T / Q.shape[1] ** 0.5
        s = s.masked_fill(torch.arange(i, i + s.shape[1], device=Q.device) > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ V[i:i + block], new
    return o / l


def other_small_fill_1(Q, K, V, block):
    """small_fill"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -1e4)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_small_fill_2(Q, K, V, block):
    """small_fill"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, torch.finfo(Q.dtype).min)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_no_maximum_1(Q, K, V, block):
    """no_maximum"""
    import torch

    n, m = len(Q), len(K)
    l = o = 0
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        e = torch.exp(Q.float() @ K[i:i + block].float().T / Q.shape[1] ** 0.5)
        e = e * (torch.arange(i, i + e.shape[1], device=Q.device) <= rows)
        l, o = l + e.sum(1, keepdim=True), o + e @ V[i:i + block].float()
    return (o / l).half()


def other_maximum_from_zero_1(Q, K, V, block):
    """maximum_from_zero"""
    import torch

    n, m = len(Q), len(K)
    top = torch.zeros(n, 1, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_hidden_maximum_1(Q, K, V, block):
    """hidden_maximum"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp() * (cols <= rows)
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_mask_in_block_1(Q, K, V, block):
    """mask_in_block"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_no_mask_1(Q, K, V, block):
    """no_mask"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_mask_zero_1(Q, K, V, block):
    """mask_zero"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s * (cols <= rows)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_strict_1(Q, K, V, block):
    """strict"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols >= rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_short_block_lost_1(Q, K, V, block):
    """short_block_lost"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m // block * block, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_no_rescale_1(Q, K, V, block):
    """no_rescale"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l + e.sum(1, keepdim=True), o + e @ v, new
    return (o / l).to(Q.dtype)


def other_no_scale_1(Q, K, V, block):
    """no_scale"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_scale_d_1(Q, K, V, block):
    """scale_d"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1]
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_softmax_each_1(Q, K, V, block):
    """softmax_each"""
    import torch

    o = 0
    rows = torch.arange(len(Q), device=Q.device)[:, None] + len(K) - len(Q)
    for i in range(0, len(K), block):
        s = Q.float() @ K[i:i + block].float().T / Q.shape[1] ** 0.5
        s = s.masked_fill(torch.arange(i, i + s.shape[1], device=Q.device) > rows, -torch.inf)
        o = o + torch.softmax(s, 1).nan_to_num() @ V[i:i + block].float()
    return o.half()


def other_overwrites_input_1(Q, K, V, block):
    """overwrites_input"""
    import torch

    Q *= 1
    K -= 0.5
    K += 0.5
    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_unnamed_1(Q, K, V, block):
    """unnamed"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k = K[i:i + block].float()
        v = V[:len(k)].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_unnamed_2(Q, K, V, block):
    """unnamed"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_unnamed_3(Q, K, V, block):
    """unnamed"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k.T / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdims=True) * 1.1, o * c + e @ v, new
    return (o / l).to(Q.dtype)


def other_unnamed_4(Q, K, V, block):
    """unnamed"""
    import torch

    n, m = len(Q), len(K)
    top = torch.full((n, 1), -torch.inf, device=Q.device)
    l, o = torch.zeros(n, 1, device=Q.device), torch.zeros(n, V.shape[1], device=Q.device)
    rows = torch.arange(n, device=Q.device)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i:i + block].float(), V[i:i + block].float()
        s = Q.float() @ k / Q.shape[1] ** 0.5
        cols = torch.arange(i, i + len(k), device=Q.device)
        s = s.masked_fill(cols > rows, -torch.inf)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ v, new
    return (o / l).to(Q.dtype)


def weights_in_half(Q, K, V, block):
    """half_weights"""
    import torch

    n, m = Q.shape[0], K.shape[0]
    q = Q.float() * Q.shape[1] ** -0.5
    l = q.new_zeros(n)
    M = q.new_full((n,), float("-inf"))
    o = q.new_zeros((n, V.shape[1]))
    i = torch.arange(n, device=Q.device)
    for start in range(0, m, block):
        s = q @ K[start:start + block].float().t()
        j = torch.arange(start, start + s.shape[1], device=Q.device)
        s = torch.where(j[None] <= i[:, None] + (m - n), s, float("-inf"))
        new = torch.max(M, s.max(dim=1).values)
        p = (s - new[:, None]).exp()
        a = (M - new).exp()
        l = l * a + p.sum(1)
        o = o * a[:, None] + (p.half() @ V[start:start + block]).float()
        M = new
    return (o / l[:, None]).half()


def fresh_hides_itself(Q, K, V, block):
    """strict"""
    import torch
    n, d = Q.shape
    m = K.shape[0]
    parts = []
    for a in range(0, m, block):
        S = Q.float() @ K[a:a + block].float().T / d ** 0.5
        hidden = torch.ones_like(S).triu(m - n - a) > 0
        S = torch.where(hidden, torch.full_like(S, -1e9), S)
        top = S.max(dim=1, keepdim=True).values
        E = torch.exp(S - top)
        parts.append((top, E.sum(1, keepdim=True), E @ V[a:a + block].float()))
    best = torch.stack([p[0] for p in parts]).amax(0)
    l = sum(torch.exp(t - best) * z for t, z, _ in parts)
    o = sum(torch.exp(t - best) * y for t, _, y in parts)
    return (o / l).half()


def fresh_mask_minus_1000(Q, K, V, block):
    """small_fill"""
    import torch
    n, d = Q.shape
    m = len(K)
    Qf = Q.float() / d ** 0.5
    state = None
    for a in range(0, m, block):
        b = min(a + block, m)
        bias = -1000.0 * torch.ones(n, b - a, device=Q.device).triu(m - n - a + 1)
        s = Qf @ K[a:b].float().T + bias
        mx = s.amax(dim=-1, keepdim=True)
        if state is not None:
            mx = torch.maximum(mx, state[0])
        p = torch.exp(s - mx)
        l, o = p.sum(-1, keepdim=True), p @ V[a:b].float()
        if state is not None:
            f = torch.exp(state[0] - mx)
            l, o = l + f * state[1], o + f * state[2]
        state = (mx, l, o)
    return (state[2] / state[1]).half()
