"""What the tests of pickles hand to other processes: named at the top of a module, as pickle wants it."""

from __future__ import annotations

from typing import Any

import numpy as np

import vitrify as vt
from vitrify import nn


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.norm = nn.BatchNorm1D(3)
        self.tied = self.fc.weight
        self.register_buffer("scale", vt.full([3], 2.0))

    def forward(self, x: Any) -> Any:
        return nn.functional.relu(self.norm(self.fc(x))) * self.scale


class Decorated(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 3)

    @vt.to_static
    def forward(self, x: Any) -> Any:
        return self.fc(x) * 2


@vt.to_static
def doubled(x: Any) -> Any:
    return x * 2


def applied(layer: Any, x: Any) -> Any:
    with vt.no_grad():
        return layer(x)


class Classifier:
    """An estimator of scikit-learn's manners."""

    def __init__(self, rate: float = 0.5) -> None:
        self.rate = rate

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"rate": self.rate}

    def set_params(self, **params: Any) -> Classifier:
        self.rate = params.get("rate", self.rate)
        return self

    def fit(self, x: Any, y: Any) -> Classifier:
        vt.seed(0)
        self.classes_ = np.unique(y)
        self.net = nn.Linear(x.shape[1], 2)
        optimizer = vt.optimizer.Adam(self.rate, parameters=self.net.parameters())
        for _ in range(30):
            loss = nn.functional.cross_entropy(self.net(vt.to_tensor(x)), vt.to_tensor(y))
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
        self.optimizer = optimizer
        return self

    def predict(self, x: Any) -> Any:
        return self.net(vt.to_tensor(x)).argmax(1).numpy()

    def score(self, x: Any, y: Any) -> float:
        return float((self.predict(x) == y).mean())

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(estimator_type="classifier", target_tags=TargetTags(required=True), classifier_tags=ClassifierTags(),
                    input_tags=InputTags())  # fmt: skip
