"""Functions NumPy lacks, over arrays. erf is the C library's, within 1 ulp there, element by element."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def erf(x: Any) -> Any:
    """The error function of every element, computed in float64 and rounded to the dtype of x.

    >>> float(erf(np.float64(0.0))), float(erf(np.array(np.inf)))
    (0.0, 1.0)
    """
    x = np.asarray(x)
    return np.array([math.erf(element) for element in x.ravel().tolist()], x.dtype).reshape(x.shape)
