// The encoder in plain JavaScript: attn/encoder.py, with the weights of book/encoder/weights.py. It knows no network.
"use strict";

// ---- tokens: attn.encoder.tokens

const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
const CHINESE =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function words(text) {
  const plain = text.replace(/[^\P{C}\t\n\r]|\ufffd/gu, "").replace(CHINESE, " $& ").normalize("NFD");
  const small = Array.from(plain.replace(/\p{Mn}/gu, ""), (sign) => sign.toLowerCase()).join("");
  return small.replace(/[!-/:-@[-`{-~]|\p{P}/gu, " $& ").split(/\s+/u).filter((word) => word);
}

function pieces(word, vocabulary) {
  const signs = Array.from(word);
  const found = [];
  for (let start = 0; start < signs.length;) {
    let end = signs.length;
    const piece = () => (start ? "##" : "") + signs.slice(start, end).join("");
    while (end > start && !vocabulary.has(piece())) end--;
    if (end === start || signs.length > 100) return ["[UNK]"];
    found.push(piece());
    start = end;
  }
  return found;
}

// The tokens, and whether some were cut off.
function tokens(text, vocabulary, longest) {
  const parts = text.split(SPECIAL);
  const found = parts.flatMap((part, i) => i % 2 ? [part] : words(part).flatMap((word) => pieces(word, vocabulary)));
  return { tokens: ["[CLS]", ...found.slice(0, longest - 2), "[SEP]"], cut: found.length > longest - 2 };
}

// ---- the pass: attn.encoder.run

// 16-bit floats to 32.
function half(bits) {
  const [power, rest] = [(bits >> 10) & 31, bits & 1023];
  const size = power ? (1 + rest / 1024) * 2 ** (power - 15) : rest * 2 ** -24;
  return bits >> 15 ? -size : size;
}

function load(buffer, about) {
  const { layers, width: c, inner: f, tokens: count, group, longest, probes } = about;
  const shapes = [[count, c]];
  for (let l = 0; l < layers; l++) shapes.push([c, c], [c, c], [c, c], [c, c], [f, c], [c, f]);
  let at = 0;
  const eights = shapes.map(([n, m]) => new Int8Array(buffer, (at += n * m) - n * m, n * m));
  const scales = shapes.map(([n, m]) =>
    new Uint16Array(buffer, (at += n * m / group * 2) - n * m / group * 2, n * m / group)
  );
  const plain = (n) => new Float32Array(buffer, (at += 4 * n) - 4 * n, n);
  const restored = (k, from = 0, to = eights[k].length) => {
    const [q, s] = [eights[k], scales[k]];
    const out = new Float32Array(to - from);
    for (let i = from; i < to; i += group) {
      const scale = half(s[i / group]);
      for (let j = i; j < i + group; j++) out[j - from] = q[j] * scale;
    }
    return out;
  };
  const model = { ...about, P: plain(longest * c), gain: plain(c), bias: plain(c), layer: [] };
  for (let l = 0; l < layers; l++) {
    const [Q, K, V, O, I, U] = [1, 2, 3, 4, 5, 6].map((k) => restored(6 * l + k));
    const [bq, bo, gain1, bias1] = [plain(c), plain(c), plain(c), plain(c)];
    const [bi, bu, gain2, bias2] = [plain(f), plain(c), plain(c), plain(c)];
    model.layer.push({ Q, K, V, O, I, U, bq, bo, gain1, bias1, bi, bu, gain2, bias2 });
  }
  model.states = plain(probes.length * c);
  model.row = (id) => restored(0, id * c, (id + 1) * c);
  return model;
}

// y = x Wᵀ + b for n rows; W lies as (out, in). Four rows by two columns at a time: each number read serves several
// products, and the eight sums stay in registers.
function linear(x, n, W, b, from, to) {
  const y = new Float32Array(n * to);
  for (let i = 0; i < n; i += 4) {
    const rows = Math.min(4, n - i);
    const [p, q, r, s] = [0, 1, 2, 3].map((k) => Math.min(i + k, n - 1) * from);
    for (let o = 0; o < to; o += 2) {
      let p0 = 0, q0 = 0, r0 = 0, s0 = 0, p1 = 0, q1 = 0, r1 = 0, s1 = 0;
      for (let e = 0, v = o * from, w = v + from; e < from; e++, v++, w++) {
        const one = W[v], two = W[w];
        const xp = x[p + e], xq = x[q + e], xr = x[r + e], xs = x[s + e];
        p0 += xp * one;
        q0 += xq * one;
        r0 += xr * one;
        s0 += xs * one;
        p1 += xp * two;
        q1 += xq * two;
        r1 += xr * two;
        s1 += xs * two;
      }
      const sums = [p0, q0, r0, s0, p1, q1, r1, s1];
      for (let k = 0; k < rows; k++) {
        y[(i + k) * to + o] = sums[k] + (b ? b[o] : 0);
        y[(i + k) * to + o + 1] = sums[k + 4] + (b ? b[o + 1] : 0);
      }
    }
  }
  return y;
}

function norm(x, n, gain, bias) {
  const c = gain.length;
  for (let i = 0; i < n; i++) {
    let [mean, square] = [0, 0];
    for (let e = i * c; e < (i + 1) * c; e++) mean += x[e] / c;
    for (let e = i * c; e < (i + 1) * c; e++) square += (x[e] - mean) ** 2 / c;
    const scale = 1 / Math.sqrt(square + 1e-12);
    for (let e = 0; e < c; e++) x[i * c + e] = (x[i * c + e] - mean) * scale * gain[e] + bias[e];
  }
  return x;
}

// gelu(x) = x Φ(x), with erf to 1.5e-7: Abramowitz and Stegun (1964), 7.1.26.
function gelu(x) {
  for (let i = 0; i < x.length; i++) {
    const z = Math.abs(x[i]) * Math.SQRT1_2;
    const t = 1 / (1 + 0.3275911 * z);
    const tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t *
      Math.exp(-z * z) / 2;
    x[i] *= x[i] >= 0 ? 1 - tail : tail;
  }
  return x;
}

const plus = (x, y) => x.forEach((_, i) => x[i] += y[i]) || x;

// softmax(Q Kᵀ / √d) V, head by head.   -> weights (h, n, n), output (n, c).   off: a head that hands on zeros;
// hidden: [i, j], word j that word i may not look at
function attend(q, k, v, n, heads, off, hidden) {
  const c = q.length / n;
  const d = c / heads;
  const weights = new Float32Array(heads * n * n);
  const output = new Float32Array(n * c);
  for (let t = 0; t < heads; t++) {
    for (let i = 0; i < n; i++) {
      const row = weights.subarray((t * n + i) * n, (t * n + i + 1) * n);
      for (let j = 0; j < n; j++) {
        let score = 0;
        for (let e = t * d; e < (t + 1) * d; e++) score += q[i * c + e] * k[j * c + e];
        row[j] = hidden && i === hidden[0] && j === hidden[1] ? -Infinity : score / Math.sqrt(d);
      }
      const top = Math.max(...row);
      let total = 0;
      for (let j = 0; j < n; j++) total += row[j] = top === -Infinity ? 0 : Math.exp(row[j] - top);
      for (let j = 0; j < n; j++) {
        row[j] /= total || 1;
        if (t === off) continue;
        for (let e = t * d; e < (t + 1) * d; e++) output[i * c + e] += row[j] * v[j * c + e];
      }
    }
  }
  return { weights, output };
}

// From layer `first` on, where the stream stands at x.   -> the streams before each layer and after the last, all weights
function run(model, x, first = 0, { off = [], hidden = null } = {}) {
  const { width: c, inner: f, heads } = model;
  const n = x.length / c;
  const streams = [x];
  const weights = [];
  for (let l = first; l < model.layers; l++) {
    const w = model.layer[l];
    const [q, k, v] = [linear(x, n, w.Q, w.bq, c, c), linear(x, n, w.K, null, c, c), linear(x, n, w.V, null, c, c)];
    const mixed = attend(q, k, v, n, heads, off[0] === l ? off[1] : -1, hidden);
    const z = norm(plus(linear(mixed.output, n, w.O, w.bo, c, c), x), n, w.gain1, w.bias1);
    const fed = linear(gelu(linear(z, n, w.I, w.bi, c, f)), n, w.U, w.bu, f, c);
    x = norm(plus(fed, z), n, w.gain2, w.bias2);
    weights.push(mixed.weights);
    streams.push(x);
  }
  return { streams, weights };
}

function begin(model, ids) {
  const c = model.width;
  const x = new Float32Array(ids.length * c);
  ids.forEach((id, i) => model.row(id).forEach((value, e) => x[i * c + e] = value + model.P[i * c + e]));
  return norm(x, ids.length, model.gain, model.bias);
}

// ---- what the page asks

const cosine = (a, i, b, j, c) => {
  let [ab, aa, bb] = [0, 0, 0];
  for (let e = 0; e < c; e++) {
    const [x, y] = [a[i * c + e], b[j * c + e]];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
};
const near = (x) => Math.round(100 * x) / 100;

let model = null;
let vocabulary = null;
let base = null; // the last sentence: its number, its streams, and for each word its six nearest probes

const asked = {
  load({ buffer, about, list }) {
    model = load(buffer, about);
    vocabulary = new Map(list.split("\n").map((word, id) => [word, id]));
    return { longest: model.longest };
  },
  read({ text }) {
    const told = tokens(text, vocabulary, model.longest);
    const start = performance.now();
    const { streams, weights } = run(model, begin(model, told.tokens.map((token) => vocabulary.get(token))));
    const took = performance.now() - start;
    const [x, c] = [streams.at(-1), model.width];
    const probes = told.tokens.map((_, i) => {
      const close = model.probes.map((_, p) => cosine(x, i, model.states, p, c));
      return close.map((_, p) => p).sort((a, b) => close[b] - close[a]).slice(0, 6);
    });
    base = { number: (base ? base.number : 0) + 1, streams, probes };
    return {
      ...told,
      number: base.number,
      took,
      weights,
      names: probes.map((six) => six.map((p) => model.probes[p])),
      close: closeness(x),
    };
  },
  // null where another sentence has been read since; maps: with the weights from the first layer on that it may change
  edit({ number, off = [], hidden = null, maps = false }) {
    if (number !== base.number) return null;
    const first = off.length ? off[0] : 0;
    const { streams, weights } = run(model, base.streams[first], first, { off, hidden });
    const [x, was, c] = [streams.at(-1), base.streams.at(-1), model.width];
    const turns = base.probes.map((_, i) => Math.acos(Math.min(1, cosine(x, i, was, i, c))) * 180 / Math.PI);
    return { turn: turns.map((turn) => Math.round(2 * turn) / 2), close: closeness(x), weights: maps && weights };
  },
};

function closeness(x) {
  return base.probes.map((six, i) => six.map((p) => near(cosine(x, i, model.states, p, model.width))));
}

self.onmessage = ({ data: { id, ask, ...what } }) => {
  try {
    self.postMessage({ id, told: asked[ask](what) });
  } catch (error) {
    self.postMessage({ id, failed: String(error) });
  }
};
