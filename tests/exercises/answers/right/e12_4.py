# ruff: noqa
"""Right answers to 12.4 in many hands: tensors of half precision, causal, block by block. Also called without torch."""

import math


def plain(Q, K, V, block):
    import torch

    n, m, dev = len(Q), len(K), Q.device
    top = torch.full((n, 1), -math.inf, device=dev)
    total, sums = torch.zeros(n, 1, device=dev), torch.zeros(n, V.shape[1], device=dev)
    place = torch.arange(n, device=dev)[:, None] + m - n
    for i in range(0, m, block):
        k, v = K[i : i + block].float(), V[i : i + block].float()
        S = Q.float() @ k.T / math.sqrt(Q.shape[1])
        key = torch.arange(i, i + len(k), device=dev)
        S = S.masked_fill(key > place, -math.inf)
        new = torch.maximum(top, S.amax(1, keepdim=True))
        c, E = torch.exp(top - new), torch.exp(S - new)
        total, sums, top = total * c + E.sum(1, keepdim=True), sums * c + E @ v, new
    return (sums / total).to(Q.dtype)


def by_logsumexp(Q, K, V, block):
    import torch

    n, m = len(Q), len(K)
    L, y = None, None
    rows = torch.arange(m - n, m, device=Q.device).unsqueeze(1)
    for j, (k, v) in enumerate(zip(K.split(block), V.split(block))):
        s = torch.einsum("nd,md->nm", Q.float(), k.float()) / Q.size(-1) ** 0.5
        cols = j * block + torch.arange(k.size(0), device=Q.device)
        s.masked_fill_(cols > rows, -torch.inf)
        l = torch.logsumexp(s, 1, keepdim=True)
        a = torch.exp(s - torch.where(torch.isneginf(l), torch.zeros_like(l), l)) @ v.float()
        if L is None:
            L, y = l, a
        else:
            both = torch.logaddexp(L, l)
            y = y * (L - both).exp() + a * (l - both).exp()
            L = both
    return y.type_as(Q)


def query_by_query(Q, K, V, block):
    import torch

    out = torch.empty(len(Q), V.shape[1], dtype=Q.dtype, device=Q.device)
    for i, q in enumerate(Q.float()):
        seen = i + len(K) - len(Q) + 1
        m, l, o = torch.tensor(-torch.inf, device=Q.device), 0, 0
        for j in range(0, seen, block):
            s = K[j:min(j + block, seen)].float() @ q / math.sqrt(len(q))
            new = torch.maximum(m, s.max())
            e, c = torch.exp(s - new), torch.exp(m - new)
            l, o, m = l * c + e.sum(), o * c + e @ V[j:min(j + block, seen)].float(), new
        out[i] = (o / l).to(Q.dtype)
    return out


def in_double(Q, K, V, block):
    import torch

    Q2, scale = Q.to(torch.float64), 1 / Q.shape[-1] ** 0.5
    n, m = Q.shape[0], K.shape[0]
    top = torch.full([n], -1e30, dtype=torch.float64, device=Q.device)
    den = torch.zeros_like(top)
    num = torch.zeros([n, V.shape[1]], dtype=torch.float64, device=Q.device)
    for b in range((m + block - 1) // block):
        near = slice(b * block, min(m, (b + 1) * block))
        s = Q2 @ K[near].to(torch.float64).mT * scale
        hidden = torch.ones(s.shape, dtype=torch.bool, device=Q.device).triu(m - n + 1 - near.start)
        s[hidden] = -torch.inf
        new = torch.maximum(top, s.amax(-1))
        e = (s - new[:, None]).exp()
        c = (top - new).exp()
        den = den.mul(c).add(e.sum(-1))
        num = num.mul(c[:, None]).addmm(e, V[near].to(torch.float64))
        top = new
    return num.div(den[:, None]).to(Q)


def with_its_name_in_words(Q, K, V, block):
    """The same as F.scaled_dot_product_attention(Q, K, V), without calling F.scaled_dot_product_attention."""
    import torch  # torch.nn.functional.scaled_dot_product_attention would be quicker, .item() slower, .cpu() wrong

    name = "F.scaled_dot_product_attention(Q, K, V).cpu().numpy().item()"
    compare = torch.nn.functional.scaled_dot_product_attention
    return plain(Q, K, V, block) if name and compare else None


def queries_in_blocks_too(Q, K, V, block):
    import torch

    n, m = len(Q), len(K)
    parts = []
    for a in range(0, n, block):
        q = Q[a:a + block].float()
        i = torch.arange(a, a + len(q), device=Q.device)[:, None] + m - n
        top = torch.full((len(q), 1), torch.finfo(torch.float32).min, device=Q.device)
        l = torch.zeros_like(top)
        o = 0
        for b in range(0, min(m, a + len(q) + m - n), block):
            s = q @ K[b:b + block].float().T * Q.shape[1] ** -0.5
            j = torch.arange(b, b + s.shape[1], device=Q.device)
            s = s.masked_fill(j > i, torch.finfo(torch.float32).min)
            new = torch.maximum(top, s.max(1, keepdim=True)[0])
            e, c = torch.exp(s - new), torch.exp(top - new)
            l, o, top = l * c + e.sum(1, keepdim=True), o * c + e @ V[b:b + block].float(), new
        parts.append((o / l).half())
    return torch.cat(parts)


def from_the_last_block_on(Q, K, V, block):
    import torch

    n, m = len(Q), len(K)
    l = torch.zeros(n, 1, device=Q.device)
    o = torch.zeros(n, V.shape[-1], device=Q.device)
    top = torch.full((n, 1), -1e38, device=Q.device)
    at = torch.arange(n, device=Q.device)[:, None] + (m - n)
    for start in reversed(range(0, m, block)):
        k, v = K.narrow(0, start, min(block, m - start)).float(), V.narrow(0, start, min(block, m - start)).float()
        see = torch.arange(start, start + len(k), device=Q.device) <= at
        s = (Q.float() @ k.T) / math.sqrt(k.shape[1])
        s = torch.where(see, s, -torch.inf)
        new = torch.maximum(top, s.amax(1, True))
        p = torch.where(see, torch.exp(s - new), 0)
        c = torch.exp(top - new)
        l = torch.addcmul(p.sum(1, True), l, c)
        o = torch.addcmul(p @ v, o, c)
        top = new
    return (o / l).to(dtype=Q.dtype, device=Q.device)


def devices_in_many_ways(Q, K, V, block):
    import torch

    n, m = len(Q), len(K)
    scale = torch.tensor(Q.shape[1], dtype=torch.float32, device=Q.device).rsqrt()
    never = Q.new_tensor(-torch.inf)
    l = torch.zeros(n, 1).to(Q).float()
    o = torch.zeros(n, V.shape[1]).type_as(Q).to(torch.float32)
    top = torch.as_tensor([-torch.inf], device=Q.device).expand(n, 1)
    with torch.device(Q.device):
        at = torch.arange(n)[:, None] + m - n
        ones = torch.ones(block, 1)
    assert at.device == Q.device and Q.device.type in ("cpu", "cuda", "meta")
    for i in range(0, m, block):
        k, v = K[i:i + block].to(Q.device, torch.float32), V[i:i + block].to(device=Q.device, dtype=torch.float32)
        s = Q.to(torch.float32) @ k.T * scale
        later = torch.arange(i, i + len(k)).to(Q.device) > at
        s = torch.where(later, never.float(), s)
        new = torch.maximum(top, s.amax(1, keepdim=True))
        c, e = (top - new).exp(), (s - new).exp()
        l, o, top = l * c + e @ ones[:len(k)], o * c + e @ v, new
    out = torch.empty(n, V.shape[1], device=Q.device, dtype=Q.dtype)
    out.copy_(o / l)
    return out


def masks_from_the_cpu(Q, K, V, block):
    import torch

    (n, d), (m, e) = Q.shape, V.shape
    q = (Q.float() / d ** 0.5).contiguous()
    l, o = torch.zeros_like(Q[:, :1], dtype=torch.float32), torch.zeros((n, e), dtype=torch.float32).to(q)
    top = torch.full_like(l, -1e30)
    for i in range(0, m, block):
        k, v = K[i:i + block].clone().float(), V[i:i + block].detach().float()
        bias = torch.zeros(n, len(k))
        bias[torch.arange(i, i + len(k))[None] > torch.arange(n)[:, None] + m - n] = float("-inf")
        s = torch.addmm(bias.to(q.device), q, k.T)
        new = torch.stack([top, s.amax(1, keepdim=True)]).amax(0)
        c, p = torch.exp(top - new), torch.exp(s - new)
        l, o, top = l * c + p.sum(1, keepdim=True), torch.cat([o * c + p @ v]), new
    return torch.div(o, l).half()


def in_a_list_1(Q, K, V, block):
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
    return list((o / l).to(Q.dtype))


def a_list_of_results(Q, K, V, block):
    import torch
    n, d = Q.shape
    m, e = V.shape
    parts_m, parts_l, parts_o = [], [], []
    for j in range(0, m, block):
        b = min(block, m - j)
        bias = torch.full((n, b), float("-inf"), device=Q.device).triu(m - n - j + 1)
        S = Q.float() @ K[j:j + b].float().mT / d ** 0.5 + bias
        top = S.amax(1, keepdim=True).clamp(min=-1e30)
        E = torch.exp(S - top)
        parts_m.append(top)
        parts_l.append(E.sum(1, keepdim=True))
        parts_o.append(E @ V[j:j + b].float())
    M = torch.stack(parts_m)
    w = torch.exp(M - M.amax(0))
    l = (w * torch.stack(parts_l)).sum(0)
    o = (w * torch.stack(parts_o)).sum(0)
    return (o / l).half()
