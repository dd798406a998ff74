"""Runs the ONNX files that zoo.py's models were exported to, with onnxruntime: `zoo_runtime.py JOBS OUTPUT`.

JOBS is a JSON list of {"root", "file", "name"}; OUTPUT gets a line of stage `runtime` for each: whether onnxruntime's
results are those of eager mode. Run by a Python that has onnxruntime, not necessarily vitrify.
"""

from __future__ import annotations

import json
import pickle
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from zoo_stages import NEAR, near
from zoo_worker import in_process, kept_at, records

SECONDS, MEMORY = 60, 9 << 30


def runtime(output: Path, job: dict[str, str]) -> dict[str, Any]:
    """Results of the file as eager mode's; of models that draw random numbers the shapes only."""
    kept = pickle.loads(kept_at(output, job).read_bytes())  # noqa: S301 - written by this tool
    place = str(kept_at(output, job))
    given, expected = pickle.loads(Path(place + ".io").read_bytes())  # noqa: S301 - written by this tool
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    settings.log_severity_level = 4
    session = onnxruntime.InferenceSession(place + ".onnx", settings, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]  # without those that the program doesn't use
    got = session.run(None, {name: given[name] for name in names})
    random = not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(kept["arrays"], kept["again"], strict=True))
    return near([np.asarray(each) for each in got], expected, np.inf if random else NEAR)


def main() -> None:
    """Go through the jobs that haven't run."""
    jobs, output = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
    done = {tuple(r[k] for k in ("root", "file", "name")) for r in records(output) if r["stage"] == "runtime"}
    for job in jobs:
        if (job["root"], job["file"], job["name"]) in done or not Path(f"{kept_at(output, job)}.onnx").exists():
            continue
        result = in_process(SECONDS, partial(runtime, output, job), MEMORY)
        with output.open("a") as lines:
            lines.write(json.dumps({**job, "stage": "runtime", **result}) + "\n")


if __name__ == "__main__":
    main()
