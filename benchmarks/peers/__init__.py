"""The peers: name -> (module, environment for n threads, note)."""


def omp(n):
    return {"OMP_NUM_THREADS": str(n), "MKL_NUM_THREADS": str(n), "OPENBLAS_NUM_THREADS": str(n),
            "NUMEXPR_NUM_THREADS": str(n), "NUMEXPR_MAX_THREADS": str(n), "NUMBA_NUM_THREADS": str(n)}


PEERS = {
    # name: (module, note)
    "numpy": ("p_numpy", "plain numpy, out= where an expert would"),
    "numexpr": ("p_numexpr", "numexpr.evaluate / re_evaluate"),
    "numba": ("p_numba", "hand-written njit(fastmath, parallel) kernels, libm transcendental functions"),
    "numba_poly": ("p_numba", "the same with own polynomial exp/log/erf, so that LLVM vectorises the loops"),
    "torch_eager": ("p_torch", "eager, inference_mode for inference, fused optimizers"),
    "torch_lib": ("p_torch", "eager with the library's own fused layer (nn.LSTM, TransformerEncoderLayer, MKL-DNN)"),
    "torch_compile": ("p_torch", "torch.compile (inductor C++), freezing for inference"),
    "torch_max": ("p_torch", "torch.compile(mode='max-autotune-no-cudagraphs')"),
    "torch_func": ("p_torch", "whole training step as one functional graph (func.grad inside torch.compile)"),
    "jax": ("p_jax", "jax.jit, lax.scan / lax.while_loop, donated state"),
    "paddle_dygraph": ("p_paddle", "dygraph"),
    "paddle_static": ("p_paddle", "paddle.jit.to_static(full_graph=True)"),
    "ort": ("p_ort", "onnxruntime CPU, IOBinding"),
    "openvino": ("p_openvino", "OpenVINO in float32, the graphs of ort"),
    "pytensor": ("p_pytensor", "pytensor mode NUMBA"),
    "vitrify": ("p_vitrify", "vt.to_static; a training step is one program"),
    "vitrify_before": ("p_vitrify", "another checkout of it, whose interpreter is --before-python"),
}

# peers whose generated code uses one thread whatever it is given: measured once
SINGLE = ("pytensor",)
