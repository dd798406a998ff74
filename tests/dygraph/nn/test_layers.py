"""The layers against NumPy formulas, and their gradients against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import check_gradients, rand, tensor  # type: ignore[import-not-found]
