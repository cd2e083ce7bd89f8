"""One dot product, one product at a time."""

from attn.show import figures
from attn.show.kit import text
from attn.show.kit.base import Widget
from attn.show.kit.checks import place, same
from attn.show.kit.traits import Position, Tokens, Vector


class DotProduct(Widget):
    """Step through one dot product: the products light up one by one and a running total grows.

        q · k = Σ_c q_c k_c

    q, k: (d,);  names: what the two are called.   step: how many products are added, 0 ≤ step ≤ d.
    Raises ValueError or TypeError.   .total -> float, the whole sum;  .running -> float, the sum up to this step
    """

    view = "dot_product"
    q = Vector()
    k = Vector()
    names = Tokens()
    step = Position()

    def __init__(self, q, k, names=("q", "k"), *, step=0):
        super().__init__(q=q, k=k, names=names, step=step)

    def check(self, s):
        same("the width d", {"q": len(s.q), "k": len(s.k)})
        same("how many vectors there are", {"a dot product": 2, "names": len(s.names)})
        place("step", s.step, len(s.q) + 1, "steps")

    @property
    def total(self):
        """q · k, the whole sum.   -> float"""
        return self._sum(len(self.q))

    @property
    def running(self):
        """The sum of the products shown so far.   -> float"""
        return self._sum(self.step)

    def _sum(self, terms):
        return float(sum(a * b for a, b in zip(self.q[:terms], self.k, strict=False)))

    def sentence(self):
        d, t = len(self.q), self.step
        names = " · ".join(text.bare(name) for name in self.names)
        if t == 0:
            return f"Step 0 of {d}: {names} is a sum of {d} product{'s' * (d > 1)}, not yet added."
        product = text.products(self.q[t - 1 : t], self.k[t - 1 : t])
        added = text.number(self.q[t - 1] * self.k[t - 1])
        told = f"Step {t} of {d}: {product} = {added}, running total {text.number(self.running)}"
        return f"{told}. So {names} = {text.number(self.total)}." if t == d else f"{told}."

    def tables(self):
        products = [a * b for a, b in zip(self.q, self.k, strict=True)]
        names = [text.label(name) for name in self.names]
        return [(f"{' · '.join(names)} = {text.number(self.total)}", [self.q, self.k, products], [*names, "×"], None)]

    def static(self):
        ((caption, values, rows, _),) = self.tables()
        cols = figures.axes_names(len(self.q))
        return figures.heatmap(values, rows, cols, kind="signed", name=caption)
