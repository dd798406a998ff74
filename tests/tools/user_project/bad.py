"""Mistakes that type checkers find: in each line that says so, and in no other."""

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn


class Net(nn.Layer):
    def forward(self, x: vt.Tensor) -> vt.Tensor:
        return x


@vt.to_static
def f(x: vt.Tensor, k: int) -> vt.Tensor:
    return x


y = vt.to_tensor([1.0])
print(vt.to_tensr([1.0]))  # wrong
print(y.summ())  # wrong
print(F.rellu(y))  # wrong
print(vt.matmull(y, y))  # wrong
print(nn.Linaer(2, 3))  # wrong
print(vt.callbacks.EarlyStoping)  # wrong
print(vt.optimizer.Addam())  # wrong
print(vt.vision.models.LeeNet())  # wrong
print(f(y))  # wrong
print(f(y, "three"))  # wrong
print(f(y, k=3, j=4))  # wrong
print(f.explian())  # wrong
print(Net()(y, y))  # wrong
print(Net()("a string"))  # wrong
print(Net().fowrard(y))  # wrong
print(y.sum(axes=0))  # wrong
print(vt.concat([y], axs=0))  # wrong
print(vt.concat(y))  # wrong
print(y + None)  # wrong
