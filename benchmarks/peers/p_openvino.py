"""OpenVINO: the graphs of onnxruntime's peer, in float32, but for loops whose end the data decide (it doesn't return)."""

import numpy as np

from peers import p_ort

LOOPS = ("newton", "rk45", "mandelbrot", "collatz")
openvino = None


def load(name, threads):
    global openvino
    import openvino as o

    openvino = o
    built = p_ort.load(name, threads)["build"]
    p_ort.session = session
    return {"version": o.__version__.partition("-")[0], "build": {k: v for k, v in built.items() if k not in LOOPS}}


def session(g, inputs, outs):
    settings = {
        "INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": p_ort.THREADS, "PERFORMANCE_HINT": "LATENCY",
        "NUM_STREAMS": 1,
    }  # fmt: skip
    core = openvino.Core()
    request = core.compile_model(core.read_model(p_ort.serialized(g, inputs, outs)), "CPU", settings).create_infer_request()
    given = {k: np.ascontiguousarray(v) for k, v in inputs.items()}
    for name, array in given.items():
        request.set_tensor(name, openvino.Tensor(array, shared_memory=True))

    def run():
        request.infer()
        return request

    run.given = given  # it reads this memory
    return run, lambda r: [r.get_output_tensor(k).data.copy() for k in range(len(outs))]
