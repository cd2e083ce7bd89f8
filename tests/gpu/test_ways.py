"""torch's own ways, and the measuring command: what runs, what is refused, and in how many sentences."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

from attn import laws

torch = pytest.importorskip("torch")
from attn.gpu import measure, merge, timing, ways  # noqa: E402

from .adapters import numpy_way  # noqa: E402

CPU = torch.device("cpu")


def random(*shape, seed=0):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape))


@pytest.mark.parametrize("is_causal", [False, True])
def test_every_way_that_runs_agrees_and_every_other_says_why(is_causal):
    q, k, v = random(3, 1, 2, 9, 16)
    expected = merge.attend(q, k, v, torch.ones(9, 9, dtype=torch.bool).tril() if is_causal else None)
    outcomes = ways.tried(q, k, v, is_causal=is_causal)
    assert [o.name for o in outcomes] == list(ways.every())
    for outcome in outcomes:
        if outcome.output is None:
            assert len(outcome.reason.split()) > 3 and "\n" not in outcome.reason
        else:
            torch.testing.assert_close(outcome.output, expected, atol=1e-12, rtol=0)
    assert {o.name for o in outcomes if o.output is None} == {"SDPA, memory-efficient", "SDPA, cuDNN"}


TORCH_LAWS = [law for law in laws.ATTENTION if law is not laws.what_is_masked_cannot_leak]


@pytest.mark.parametrize("law", TORCH_LAWS, ids=lambda law: law.__name__)
def test_torch_s_own_attention_obeys(law):
    sdpa = torch.nn.functional.scaled_dot_product_attention

    def attend(q, k, v, mask, scale):
        if mask is not None and mask.dtype != torch.bool:
            mask = mask.to(q.dtype)
        lead = (1,) * (4 - q.ndim)
        y = sdpa(*(x.reshape(*lead, *x.shape) for x in (q, k, v)), attn_mask=mask, scale=scale)
        return y.reshape(*q.shape[:-1], v.shape[-1])

    law(numpy_way(attend), np.random.default_rng(0))


def test_windows_and_documents_by_flex_attention():
    q, k, v = random(3, 1, 2, 12, 16)
    ids = torch.tensor([0] * 5 + [1] * 7)
    gap = torch.arange(12)[:, None] - torch.arange(12)
    for sees, mask in (
        (ways.window(3), (gap >= 0) & (gap <= 3)),
        (ways.documents(ids), (gap >= 0) & (ids[:, None] == ids)),
    ):
        torch.testing.assert_close(ways.flex(sees)(q, k, v), merge.attend(q, k, v, mask), atol=1e-12, rtol=0)


SMALL = {"b": 1, "h": 2, "d": 16, "lengths": (20,), "window": 8, "batch": 1, "context": 40}


def test_the_survey_compares_before_it_times():
    if not find_spec("triton"):
        pytest.skip("Triton has no package for this system")
    rows = measure.survey(CPU, sizes=SMALL, dtype="float32", runs=1)
    assert {r["question"] for r in rows} == {"prefill", "forward and backward", "window", "decode"}
    for r in rows:
        assert ("reason" in r) != ("median" in r)
        assert "reason" in r or (r["error"] < r["bound"] == 2e-5 and r["flops"] > 0 and r["bytes"] > 0)
    both = [r for r in rows if r["question"] == "forward and backward" and "median" in r]
    assert {"SDPA", "our kernel"} <= {r["name"] for r in both}
    x = torch.ones(1, 1, 2, 2)
    asked = {"wrong": lambda: 1.1 * x, "right": lambda: x}
    wrong, right = timing.rows("prefill", asked, [x] * 3, [x.double()], {}, 1)
    assert wrong["reason"].startswith("wrong by 0.05 of a row of y") and "median" not in wrong
    assert right["eager"]["runs"] == 1 and right["timed"] == "eager"


def test_a_wrong_gradient_is_not_timed_either():
    x = torch.ones(1, 1, 2, 2)
    (row,) = timing.rows("both", {"off": lambda: (x, x, x, 0.9 * x)}, [x] * 3, [x.double()] * 4, {}, 1)
    assert "of a row of dv" in row["reason"]


def test_rivals_take_turns_and_none_is_always_first():
    order = []
    ready = {name: {"eager": lambda name=name: order.append(name)} for name in "abc"}
    times = timing.in_turns(ready, 3, CPU)
    assert [len(x["eager"]) for x in times.values()] == [3] * 3
    assert order[9:] == [*"abc", *"bca", *"cab"]  # after three calls each to warm up


def test_the_roof_has_exponentials_on_it():
    row = {"flops": 8, "exponentials": 6, "bytes": 4}
    roof = {"peak": 4, "exponentials": 2, "bandwidth": 4}
    assert measure.bounds(row, roof) == {"flops": 2, "exponentials": 3, "bytes": 1}
    assert measure.bounds(row, {"peak": 4}) == {"flops": 2}


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_the_command_refuses_in_one_sentence(tmp_path, capsys):
    out = tmp_path / "gpu.json"
    assert measure.main(["--out", str(out)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("there is no CUDA device here") and said.err.count("\n") == 1 and not out.exists()


@pytest.mark.parametrize(
    ("capability", "free", "sizes", "dtype"),
    [
        ((9, 0), 79, measure.SIZES, "bfloat16"),
        ((7, 5), 14, measure.SMALL, "float16"),
        ((8, 6), 8, measure.SMALL, "bfloat16"),
    ],
)
def test_what_is_measured_fits_the_device(monkeypatch, capability, free, sizes, dtype):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: capability)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (free << 30, 80 << 30))
    assert measure.refusal() is None and measure.fitting() == (sizes, dtype)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (1 << 30, 80 << 30))
    assert measure.refusal().startswith("only 1 GiB of the GPU's memory are free, of 6 GiB needed")


def test_ratios_are_to_the_fastest_of_torch_in_the_same_run_and_to_copying():
    row = {"question": "prefill", "q": [1, 16, 4096, 128], "causal": True}
    rows = [
        {**row, "name": "SDPA, flash", "median": 3.0},
        {**row, "name": "SDPA, cuDNN", "median": 2.0},
        {**row, "name": "SDPA, math", "reason": "too little memory"},
        {**row, "name": "our kernel", "median": 2.5},
        {**row, "name": "SDPA, cuDNN", "median": 1.0, "causal": False},
        {"question": "decode", "name": "our kernel, keys split", "kv_heads": 4, "bytes": 88, "median": 2.0},
    ]
    said = measure.ratios({"rows": rows, "ceilings": {"bandwidth": 50}})
    assert said[0].split(maxsplit=3)[3] == "0.80 × the speed of SDPA, cuDNN: our kernel"
    assert len(said) == 2 and "88% of copy bandwidth" in said[1] and measure.ratios(None) == []


def test_our_kernels_stand_under_the_roof_that_holds_them_up():
    row = {"question": "prefill", "q": [1, 16, 4096, 128], "causal": False, "flops": 8, "exponentials": 6, "bytes": 4}
    rows = [{**row, "name": name, "median": 4.0} for name in (*measure.OURS, "SDPA, cuDNN")]
    said = measure.ratios({"rows": rows, "ceilings": {"peak": 4, "exponentials": 2, "bandwidth": 4}})
    roof = [line for line in said if "roof" in line]
    assert len(roof) == 2 and all("75% of the roof, by its exponentials: our kernel" in line for line in roof)


def good():
    return {
        "format": measure.FORMAT,
        "rows": [{}],
        "about": {
            "device": "a GPU",
            "driver": "1",
            "versions": {"torch": "2"},
            "date": "2026-01-01",
            "code": measure.digest(),
        },
    }


@pytest.mark.parametrize(("change", "words"), [
    (lambda r: r, None), (lambda r: [], "not written"), (lambda r: {**r, "format": "other"}, "not written by this"),
    (lambda r: {**r, "rows": []}, "any row"), (lambda r: {**r, "about": {**r["about"], "driver": ""}}, "lacks driver"),
    (lambda r: {**r, "about": {**r["about"], "code": "0"}}, "earlier state")])  # fmt: skip
def test_stale_and_foreign_files_are_recognised(tmp_path, monkeypatch, change, words):
    path = tmp_path / "gpu.json"
    path.write_text(json.dumps(change(good())))
    monkeypatch.setattr(measure.data, "path", lambda name: path)
    record, sentence = measure.stored()
    assert (words is None) == (record is not None)
    assert (words or "Measured on a GPU") in sentence
