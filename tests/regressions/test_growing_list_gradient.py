"""Found by fuzzing (functions, seed 100395): a size was told by a residual and by the loop that the backward repeats."""

from vitrify.testing.fuzz import check_function

TEXT = """\
def f(x, y, k, m):
    xs = [x, y * 0.5]
    for j in range(k[3]):
        xs.append(vt.tanh(vt.stack(xs).sum(axis=0)))
    xs[0] = x * 0.5
    return vt.tanh(sum([v * 0.5 for v in xs]))
"""


def test_it_runs_alike_in_every_way() -> None:
    assert check_function(TEXT, 100395) in ("equal", "refused")
