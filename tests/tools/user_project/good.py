"""A program that type checkers accept, with the types that they have to find. The test doesn't run it."""

from typing import assert_type

import numpy as np

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn
from vitrify.io import DataLoader, TensorDataset
from vitrify.metric import Accuracy
from vitrify.static import InputSpec


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.drop = nn.Dropout(0.5)
        self.stack = nn.Sequential(nn.Linear(3, 3), nn.ReLU())

    def forward(self, x: vt.Tensor, scale: float = 1.0) -> vt.Tensor:
        h = assert_type(F.relu(self.fc(x)), vt.Tensor)
        return self.stack(self.drop(h)) * scale


class Compiled(nn.Layer):
    @vt.to_static
    def forward(self, x: vt.Tensor) -> vt.Tensor:
        return x

    @vt.to_static(input_spec=[InputSpec([None, 4], "float32"), InputSpec([], "int64")])
    def helper(self, x: vt.Tensor, k: int) -> vt.Tensor:
        return x


@vt.to_static
def step(x: vt.Tensor, k: int) -> vt.Tensor:
    return x * k


@vt.to_static(numerics="ieee")
def doubled(x: vt.Tensor) -> vt.Tensor:
    return 2 * x


@vt.no_grad()
def watched(x: vt.Tensor) -> float:
    return float(x.sum())


net = Net()
x = vt.to_tensor(np.ones((2, 4), "float32"))
y = assert_type(net(x), vt.Tensor)
assert_type(net(x, scale=2.0), vt.Tensor)
assert_type(net.fc(x), vt.Tensor)
assert_type(net.fc.weight, vt.Parameter)
assert_type(vt.to_static(net), Net)
assert_type(Compiled()(x), vt.Tensor)
assert_type(Compiled().helper(x, 3), vt.Tensor)
assert_type(step(x, 3), vt.Tensor)
assert_type(step(x, k=3), vt.Tensor)
assert_type(doubled(x), vt.Tensor)
assert_type(watched(x), float)
print(step.explain(), step.code, step.program_cache)

assert_type(vt.matmul(x, x, transpose_y=True), vt.Tensor)
assert_type(x @ x.T + 1 - 2 * x / 3, vt.Tensor)
assert_type(-x, vt.Tensor)
assert_type(x == 1, vt.Tensor)
assert_type(x > 0, vt.Tensor)
assert_type(x.sum(), vt.Tensor)
assert_type(vt.exp(x).mean(axis=0).reshape([-1]), vt.Tensor)
assert_type(x.astype("float64").abs().exp_(), vt.Tensor)
assert_type(x[0, :2], vt.Tensor)
assert_type(x.shape, list[int])
assert_type(vt.topk(x, 2), tuple[vt.Tensor, vt.Tensor])
assert_type(vt.unique(x), vt.Tensor)
assert_type(vt.unique(x, return_index=True), tuple[vt.Tensor, ...])
assert_type(F.max_pool2d(x, 2), vt.Tensor)
assert_type(vt.concat([x, x], axis=0), vt.Tensor)
assert_type(vt.linalg.svd(x), tuple[vt.Tensor, vt.Tensor, vt.Tensor])
assert_type(vt.zeros([2, 3], dtype="float32"), vt.Tensor)
if x.sum() > 1:
    x[0] = 0.0

model = vt.Model(vt.vision.models.LeNet())
optimizer = vt.optimizer.Adam(learning_rate=0.1, parameters=net.parameters())
model.prepare(optimizer, nn.CrossEntropyLoss(), Accuracy())
model.fit(TensorDataset([x]), callbacks=[vt.callbacks.EarlyStopping()])
for batch in DataLoader(TensorDataset([x]), batch_size=2):
    loss = assert_type(nn.CrossEntropyLoss()(net(batch), y), vt.Tensor)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
