"""Exercise 12.4, attention in blocks, in half precision."""

import numpy as np

from attn import core, masks
from attn.exercises.catalogue.kin import with_scale
from attn.exercises.catalogue.sections import CAUSAL, CORNER, FORBIDDEN, MERGE, STABILITY, TILES, taught
from attn.exercises.checks.exercise import Exercise, wrong
from attn.exercises.checks.forbidden import ATTENTION
from attn.exercises.checks.probes import Elsewhere, Memory, Noted, Stress, never

INF = float("inf")


def reference(q, k, v, block):
    """attn's own, in 64 bits, rounded to half precision at the end."""
    q, k, v = (x.astype(float) for x in (q, k, v))
    y = core.scaled_dot_product_attention(q, k, v, masks.causal(len(q), len(k)))
    return y.astype(np.float16).astype(float)


def half_model(
    q,
    k,
    v,
    block,
    *,
    first=lambda q, k, v: None,
    place=lambda q: q.device,
    scale=lambda d, block: d**-0.5,
    scores=lambda q, k: q.float() @ k.float().T,
    sees=lambda i, j, start, shift: start + j <= i + shift,
    fill=-INF,
    hide=lambda s, away, fill: s.masked_fill(away, fill),
    largest=lambda s, hidden: hidden,
    top=lambda m, t: m.maximum(t),
    start=-INF,
    each=lambda m: None,
    shrink=lambda old, new: (old - new).exp(),
    shrink_sum=None,
    share=lambda e: e,
    hold=lambda x: x,
    starts=lambda m, block: range(0, m, block),
    finish=lambda o, l: o / l,
    out=lambda y, q: y.to(q.dtype),
    weigh=lambda e, v: e.float() @ v.float(),
):
    """Causal attention on tensors, one block of keys at a time, in float32."""
    import torch  # here, so that a list of all exercises does not wait for it

    first(q, k, v)
    here, shift = {"device": place(q)}, len(k) - len(q)
    rows = torch.arange(len(q), **here)[:, None]
    m, l, o = (torch.full((len(q), width), x, **here) for width, x in ((1, start), (1, 0.0), (v.shape[1], 0.0)))
    for i in starts(len(k), block):
        s = scores(q, k[i : i + block]) * scale(q.shape[1], block)
        hidden = hide(s, ~sees(rows, torch.arange(s.shape[1], **here), i, shift), fill)
        new = top(m, largest(s, hidden).amax(1, keepdim=True))
        each(new)
        e, c = share((hidden - new).exp()), shrink(m, new)
        l = hold(l * (shrink_sum(m, new) if shrink_sum else c) + e.sum(1, keepdim=True))
        o, m = hold(o * c + weigh(e, v[i : i + block])), new
    return out(finish(o, l), q)


def one(old, new):
    """No rescaling."""
    return 1.0


def upside_down(old, new):
    """The factor with its sign reversed; nothing is kept from before the first block."""
    return (new - old).exp().masked_fill(old == -INF, 0.0)


def half_scores(q, k):
    """Scores in the precision of q and k."""
    return (q @ k.T).float()


def half(x):
    """In half precision."""
    return x.half()


def attends(q, k, v):
    """torch's own attention."""
    import torch

    torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])


def halves(*arrays):
    """Arrays in half precision."""
    return tuple(np.array(a, dtype=np.float16) for a in arrays)


def half_case(rng, n, m, d, e, block):
    """Random queries and keys, positive values: their average loses no digits."""
    return *halves(rng.normal(size=(n, d)), rng.normal(size=(m, d)), np.exp(rng.normal(size=(m, e)))), block


def long_case():
    """32 queries and 4096 keys of width 1: a whole mask takes 128 KiB, a block of scores 8, what 64 blocks gave 24."""
    x = np.linspace(-1, 1, 4096)[:, None]
    return *halves(x[:32], x, x), 64


SMALL = (*halves([[1], [0], [2], [1]], np.cos(np.arange(16))[:, None], np.arange(16)[:, None]), 2)


ONES = np.ones((2, 2))


FOUR = np.ones((2, 4))


FAR = "Scores of half-precision numbers may lie far below −65 504; only −∞ is below them all."


RESCALE = "Both were built with the old maximum, so both need the factor exp(old − new)."


EXERCISE = Exercise(
    "12.4",
    "attention in blocks, in half precision",
    "Twice: blocks of a GPU",
    "half_attention(Q, K, V, block)",
    reference,
    half_model,
    hints=(
        "Which numbers of exercise 12.3 can grow beyond 65 504 though the inputs and the result are small?",
        "Turn each block into float32 before it is multiplied, keep maximum "
        "and sums in float32, and turn the result into Q.dtype once, at the end.",
        "Exercise 12.3 with tensors made on Q.device, keys from "
        "start on compared with the queries' places, and a last `.to`.",
    ),
    cases=lambda rng: [
        half_case(rng, *sizes)
        for sizes in ((2, 4, 3, 2, 2), (2, 5, 2, 3, 2), (3, 7, 4, 1, 3), (4, 4, 2, 2, 1), (5, 6, 3, 2, 8))
    ],
    misconceptions=(
        wrong(
            "no_scale",
            "It never divides the scores by √d.",
            "A score is a sum of d products.",
            scale=lambda d, block: 1.0,
        ),
        wrong(
            "scale_d",
            "It divides the scores by d in place of √d.",
            "The standard deviation of a score is √d.",
            scale=lambda d, block: 1 / d,
        ),
        wrong(
            "scale_block",
            "It divides by the root of the block size.",
            "A score sums over d features.",
            scale=lambda d, block: block**-0.5,
        ),
        wrong(
            "no_mask",
            "Every query sees every key.",
            "The mask is causal: query i sees keys up to i + m − n.",
            sees=lambda i, j, start, shift: start + j >= 0 * i,
        ),
        wrong(
            "mask_in_block",
            "It compares a key's place inside its block with the query's place in the sequence.",
            "Key j of a block that begins at start is key start + j of the sequence.",
            {"sees": lambda i, j, start, shift: j <= i},
            ask="Which key is key 0 of the second block?",
            sees=lambda i, j, start, shift: j <= i + shift,
        ),
        wrong(
            "top_left",
            "Query i sees keys up to i: aligned at the first key.",
            "The last query belongs to the last key: query i stands at place i + m − n.",
            sees=lambda i, j, start, shift: start + j <= i,
        ),
        wrong(
            "strict",
            "A query does not see the key at its own place.",
            "Up to and with its own place.",
            dict(sees=lambda i, j, start, shift: start + j < i + shift, fill=-1e9),
            sees=lambda i, j, start, shift: start + j < i + shift,
        ),
        wrong(
            "looks_ahead",
            "Queries see what comes after them, and not what came before.",
            "Causal: the key's place is at most the query's.",
            sees=lambda i, j, start, shift: start + j >= i + shift,
        ),
        wrong("mask_zero", "It sets forbidden scores to 0, which is a score like any other.", FAR, fill=0.0),
        wrong(
            "small_fill",
            "It forbids with a number that is not low enough for every score.",
            FAR,
            {"fill": -65504.0},
            *({"hide": lambda s, away, fill, c=c: s - c * away} for c in (1e3, 1e4, 65504.0, 1e5)),
            {"fill": -1e5},
            {"fill": -1e3},
            fill=-1e4,
        ),
        wrong(
            "hidden_maximum",
            "It takes the maximum over forbidden keys too; if one is far larger, all else underflows to 0/0.",
            "The maximum belongs to the keys that are seen: mask first.",
            largest=lambda s, hidden: s,
        ),
        wrong(
            "short_block_lost",
            "It leaves out a last block that is shorter than the others.",
            "m need not be a multiple of block.",
            dict(starts=lambda m, block: range(0, max(m - m % block, 1), block)),
            starts=lambda m, block: range(0, m - block + 1, block),
        ),
        wrong(
            "first_block",
            "It stops after the first block.",
            "Is the `return` inside the loop?",
            starts=lambda m, block: range(1),
        ),
        wrong(
            "last_block",
            "It forgets every block but the last.",
            "Maximum and both sums carry over.",
            shrink=lambda old, new: 0.0,
        ),
        wrong(
            "no_rescale",
            "When a row's maximum rises, it does not rescale what it has added up.",
            "Old terms are exp(s − old maximum); they must be multiplied by exp(old − new).",
            shrink=one,
        ),
        wrong("no_rescale_sum", "It rescales the weighted sum but not the denominator.", RESCALE, shrink_sum=one),
        wrong(
            "no_rescale_average",
            "It rescales the denominator but not the weighted sum.",
            RESCALE,
            shrink=one,
            shrink_sum=lambda old, new: (old - new).exp(),
        ),
        wrong(
            "reversed",
            "It rescales by exp(new − old): the sign is reversed.",
            "Old terms must shrink.",
            shrink=upside_down,
        ),
        wrong(
            "softmax_each",
            "It takes a whole attention in each block and adds them up.",
            "The weights must sum to 1 over all keys, not in each block.",
            {"shrink": one, "share": lambda e: (e / e.sum(1, keepdim=True)).nan_to_num(), "finish": lambda o, l: o},
            shrink=one,
            share=lambda e: e / e.sum(1, keepdim=True),
            finish=lambda o, l: o,
        ),
        wrong(
            "never_divides",
            "It never divides by the denominators.",
            "The weights sum to ℓ, not to 1.",
            finish=lambda o, l: o,
        ),
        wrong(
            "no_maximum",
            "It subtracts no maximum, so large scores overflow.",
            "Keep each row's largest score so far.",
            top=lambda m, t: 0 * t.clamp(-1, 1),
            shrink=one,
        ),
        wrong(
            "maximum_from_zero",
            "Its running maximum starts at 0: if all scores lie far below, every exp underflows.",
            "Start below every score, at −∞.",
            start=0.0,
        ),
        wrong(
            "half_scores",
            "It multiplies Q by K in half precision, where a score beyond 65 504 is inf.",
            "A product of halves needs more than half precision: turn both into float32 first.",
            scores=half_scores,
            ask="What is the largest number in half precision, and how large can q · k be?",
        ),
        wrong(
            "half_sums",
            "It adds up, or divides, in half precision: a sum beyond 65 504 is inf.",
            "A sum of halves can be large though their average is small: keep the sums in float32.",
            hold=half,
            ask="How large is the weighted sum just before it is divided?",
        ),
        wrong(
            "all_half",
            "It computes in half precision throughout: scores and sums beyond 65 504 are inf.",
            "Half precision is for storing. Products and sums are made in float32.",
            scores=half_scores,
            hold=half,
        ),
        wrong(
            "stays_single",
            "It returns another dtype than it was given.",
            "Half precision comes in, and the caller goes on in half precision: y.to(Q.dtype).",
            {"out": lambda y, q: y.bfloat16()},
            out=lambda y, q: y,
        ),
        wrong(
            "returns_array",
            "It returns a NumPy array in place of a tensor.",
            "The result belongs where Q is, on the GPU say: NumPy cannot go there.",
            out=lambda y, q: y.half().numpy(),
        ),
        wrong(
            "leaves_device",
            "It moves what it was given to the CPU.",
            "A trip from the GPU and back costs more than the attention. Stay where Q is.",
            {"first": lambda q, k, v: np.asarray(q)},
            first=lambda q, k, v: k.cpu(),
        ),
        wrong(
            "made_elsewhere",
            "It makes tensors on the CPU wherever Q is, so on a GPU two devices meet.",
            "torch.zeros and the like make their tensor on the CPU unless told otherwise: device=Q.device.",
            ask="On which device is the tensor that your torch.zeros, full or arange makes?",
            place=lambda q: "cpu",
        ),
        wrong(
            "waits",
            "In every block it reads a number out of a tensor.",
            "`.item()`, float(), max() or an `if` on a tensor make the "
            "CPU wait for the GPU, block after block. Stay with tensors.",
            {"each": lambda m: bool((m > 0).all())},
            each=lambda m: m.sum().item(),
        ),
        wrong(
            "library_call",
            "It calls torch's own attention.",
            "That is what is to be written here. Use it to compare with yours.",
            first=attends,
        ),
        wrong(
            "all_scores",
            "It holds n·m numbers at once: all scores, a whole mask, or a list of all blocks' scores.",
            "The point of blocks is memory that does not grow with n·m.",
            {"first": lambda q, k, v: q.new_ones(len(q), len(k)).bool()},
            first=lambda q, k, v: q @ k.T,
        ),
        wrong(
            "half_weights",
            "It multiplies the weights by V in half precision, where a sum beyond 65 504 is inf.",
            "Products and sums are in float32: bring the weights and V to it before they meet.",
            weigh=lambda e, v: (e.half() @ v).float(),
        ),
        wrong(
            "first_maximum",
            "It keeps the maximum of the first block, so larger scores that come later overflow.",
            "The maximum must rise with the scores, and what is there be rescaled.",
            top=lambda m, t: t.where(m == -INF, m),
        ),
        wrong(
            "blocks_reversed",
            "A query that sees no key of a block has the maximum −∞ there, and −∞ − (−∞) is NaN: "
            "are the last keys taken first, or each block by itself?",
            "Begin with the first keys, which every query sees, and carry the maximum on; "
            "or shift by 0 where the maximum is −∞.",
            starts=lambda m, block: reversed(range(0, m, block)),
        ),
        wrong(
            "offset_sign",
            "It moves the triangle the wrong way: n − m in place of m − n.",
            "The last query stands at the last key: query i sees the keys up to i + m − n.",
            dict(sees=lambda i, j, start, shift: start + j <= i + max(shift, 1)),
            sees=lambda i, j, start, shift: start + j <= i - shift,
        ),
    ),
    probes=(
        Stress("no_maximum", (*halves([[20]], [[10], [9.5], [5]], np.eye(3) + 1), 2)),
        Stress("half_sums", (*halves([[0]], np.ones((8, 1)), [[30000]] * 8), 2)),
        Stress("half_weights", (*halves([[0]], np.ones((8, 1)), [[30000]] * 8), 8)),
        Stress("first_maximum", (*halves([[100]], [[0], [0.01], [2], [4], [8]], np.eye(5) + 1), 2)),
        Stress("half_scores", (*halves(256 * ONES[:1], 256 * np.array([[1, 1], [1, 1], [-1, -1]]), np.eye(3) + 1), 2)),
        Stress("maximum_from_zero", (*halves(256 * ONES, -256 * ONES, np.eye(2) + 1), 2)),
        Stress("hidden_maximum", (*halves([[0, 200], [1, 0]], [[0, 0], [1, 200]], np.eye(2) + 1), 2)),
        Stress("small_fill", (*halves(256 * FOUR, 256 * FOUR * [[-1], [1]], np.eye(2) + 1), 2), when=never),
        Noted("returns_array", "numpy", SMALL),
        Noted("leaves_device", "move", SMALL, "elsewhere"),
        Noted("made_elsewhere", "mixed", SMALL, "elsewhere"),
        Noted("made_elsewhere", "device", SMALL, "elsewhere"),
        Elsewhere("made_elsewhere", SMALL),
        Noted("stays_single", "dtype", SMALL, right="torch.float16"),
        Noted("waits", "fetch", SMALL, "torch", times=4),
        Memory("all_scores", long_case, 100 << 10),
    ),
    forbidden=ATTENTION,
    kind="torch",
    rtol=5e-3,
)
EXERCISE = with_scale(EXERCISE, lambda d, block: d)
EXERCISE = taught(
    EXERCISE,
    {
        STABILITY: "no_maximum",
        FORBIDDEN: "mask_zero small_fill hidden_maximum",
        CAUSAL: "no_mask strict looks_ahead",
        CORNER: "top_left offset_sign",
        TILES: "all_scores",
        MERGE: "no_rescale no_rescale_sum no_rescale_average reversed softmax_each never_divides maximum_from_zero "
        "first_maximum last_block",
    },
)
