"""Files of PaddlePaddle whose names the package above them has, too: `vision.models.mobilenetv3`, `optimizer.radam`."""

from __future__ import annotations

from .named import REST

_FILES = {  # package: its files
    "amp": "amp_lists",
    "audio.backends": "init_backend",
    "audio.features": "layers",
    "audio.functional": "functional window",
    "framework": "framework io_utils",
    "geometric": "math message_passing message_passing.send_recv reindex sampling sampling.neighbors",
    "hapi": "model_summary",
    "incubate": "framework framework.random operators operators.graph_khop_sampler operators.graph_reindex "
    "operators.graph_sample_neighbors operators.graph_send_recv operators.softmax_mask_fuse "
    "operators.softmax_mask_fuse_upper_triangle tensor tensor.math",
    "incubate.asp": "supported_layer_list",
    "incubate.jit": "inference_decorator",
    "incubate.nn": "layer.fused_dropout_add layer.fused_linear",
    "incubate.nn.functional": "fused_transformer",
    "incubate.optimizer": "lbfgs line_search_dygraph recompute",
    "io": "dataloader.batch_sampler dataloader.dataset dataloader.sampler dataloader.worker",
    "nn.functional": "sdpa",
    "nn.quant": "functional_layers",
    "nn.quant.qat": "conv linear",
    "optimizer": "asgd nadam radam rprop",
    "sparse": "binary creation multiary unary",
    "sparse.nn": "layer layer.activation layer.conv layer.norm layer.pooling",
    "sparse.nn.functional": "activation conv pooling transformer",
    "static.amp": "decorator fp16_utils",
    "static.nn": "loss",
    "text": "datasets",
    "utils": "install_check lazy_import",
    "vision.datasets": "cifar flowers folder mnist voc2012",
    "vision.models": "inceptionv3 mobilenetv1 mobilenetv2 mobilenetv3 shufflenetv2",
    "vision.transforms": "functional_cv2 functional_pil functional_tensor",
}  # fmt: skip

# files named as a function of their package, which stays in reach as the module can be called: where the function is
_NAMESAKES = {
    "audio.backends.wave_backend": "audio",
    "autograd.saved_tensors_hooks": "dygraph.saved",
    "hapi.dynamic_flops": "training.summary",
    "hapi.static_flops": "training.summary",
    "incubate.nn.functional.fused_dropout_add": "compat.fused",
    "incubate.nn.functional.fused_matmul_bias": "compat.fused",
    "incubate.nn.functional.swiglu": "compat.fused",
    "incubate.nn.loss": "incubate",
    "static.nn.metric": "static",
    "static.nn.static_pylayer": "static.static_pylayer",
    "text.viterbi_decode": "text.viterbi",
    "utils.deprecated": "compat.engine",
    "vision.models.alexnet": "vision.models.lenet",
}

FILES: dict[str, dict[str, str]] = {
    f"{package}.{file}": {REST: package} for package, files in _FILES.items() for file in files.split()
} | {file: {REST: module} for file, module in _NAMESAKES.items()}
