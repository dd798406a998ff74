"""Fresh programs as ONNX files: written by vitrify, run by onnxruntime and by OpenVINO (in float32)."""

import os

import numpy as np

ENGINES = ("ort", "openvino")
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


def write(runner, path):
    """The last function that the runner compiled, with its arguments beside it; or why it has no ONNX form."""
    try:
        runner.lib.onnx.export(runner.compiled, path + ".onnx", input_spec=list(runner.arrays))
    except runner.lib.errors.VitrifyError as error:
        return {"left_out": str(error).splitlines()[0][:200]}
    np.savez(path + ".npz", *[a.numpy() for a in runner.arrays])
    return {"file": path}


def read(engine, path, weights):
    """A call of a file, and what makes arrays of its results; from the input `weights` on they are constants."""
    import onnx

    model, arrays = onnx.load(path + ".onnx"), list(np.load(path + ".npz").values())
    names = [i.name for i in model.graph.input]
    given = dict(zip(names, arrays, strict=True))
    if weights is not None:
        for one in list(model.graph.input)[weights:]:
            model.graph.initializer.append(onnx.numpy_helper.from_array(given.pop(one.name), one.name))
            model.graph.input.remove(one)
    content = model.SerializeToString()
    if engine == "ort":
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = THREADS, 1, 3
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        return lambda: session.run(None, given), list
    import openvino

    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": THREADS, "PERFORMANCE_HINT": "LATENCY"}
    core = openvino.Core()
    request = core.compile_model(core.read_model(content), "CPU", settings).create_infer_request()
    for name, array in given.items():
        request.set_tensor(name, openvino.Tensor(array, shared_memory=True))
    outputs = range(len(model.graph.output))

    def call():
        request.infer()
        return request

    call.given = given  # OpenVINO reads this memory
    return call, lambda r: [r.get_output_tensor(k).data.copy() for k in outputs]
