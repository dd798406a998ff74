"""The names of `paddle.incubate` (see tables.py)."""

from __future__ import annotations

from .named import REST, from_module

_AVERAGES = from_module("dygraph.optimizer.averages", "LookAhead ModelAverage")
_LARS = from_module("dygraph.optimizer.lars", "LarsMomentumOptimizer")
_PRIM = from_module("compat.engine", "enable_prim disable_prim prim_enabled")
_INCUBATE_LAYERS = "batch_fc partial_concat partial_sum rank_attention shuffle_batch tdm_child"
_MASKS = (
    "AttentionBias BlockDiagonalCausalMask BlockDiagonalCausalWithOffsetPaddedKeysMask BlockDiagonalMask "
    "LowerTriangularMask LowerTriangularMaskWithTensorBias PaddedSeqLenInfo SeqLenInfo"
)
_ASP = from_module(
    "compat.pruning",
    "ASPHelper add_supported_layer decorate prune_model reset_excluded_layers set_excluded_layers",
) | from_module(
    "compat.sparse_patterns",
    "CheckMethod MaskAlgo calculate_density check_mask_1d check_mask_2d check_sparsity create_mask get_mask_1d "
    "get_mask_2d_best get_mask_2d_greedy",
)

INCUBATE: dict[str, dict[str, str]] = {
    "incubate": from_module("compat.geometric", "segment_sum segment_mean segment_max segment_min graph_khop_sampler")
    | from_module("compat.geometric", "graph_reindex graph_sample_neighbors")
    | _AVERAGES
    | from_module("compat.random_states", "get_rng_state set_rng_state register_rng_state_as_index")
    | from_module("compat.fused", "graph_send_recv softmax_mask_fuse softmax_mask_fuse_upper_triangle identity_loss"),
    "incubate.distributed": {},
    "incubate.distributed.fleet": {},
    "incubate.distributed.fleet.collective": from_module("distributed.strategy", "DistributedStrategy")
    | {"fleet": "distributed.strategy"},
    "incubate.distributed.fleet.role_maker": from_module(
        "distributed.strategy", "PaddleCloudRoleMaker UserDefinedRoleMaker Role"
    ),
    "incubate.distributed.utils": {},
    "incubate.distributed.utils.io": from_module("compat.refused", "save_for_auto_inference"),
    "incubate.asp": _ASP | {"asp": "compat.pruning", "utils": "compat.sparse_patterns"},
    "incubate.autotune": {"set_config": "compat.autotune:set_config"},
    "incubate.asp.asp": {REST: "compat.pruning"},
    "incubate.asp.utils": {REST: "compat.sparse_patterns"},
    "incubate.nn": from_module("compat.fused", "FusedLinear FusedDropoutAdd FusedBiasDropoutResidualLayerNorm")
    | from_module("compat.fused_transformer", "FusedMultiHeadAttention FusedFeedForward FusedTransformerEncoderLayer"),
    "incubate.nn.attn_bias": from_module("compat.attention_masks", _MASKS),
    "incubate.nn.memory_efficient_attention": from_module("compat.attention_masks", "memory_efficient_attention"),
    "incubate.nn.layer": {REST: "incubate.nn"},
    "incubate.nn.layer.fused_transformer": {REST: "incubate.nn"},
    "incubate.nn.functional": from_module(
        "compat.fused",
        "fused_linear fused_matmul_bias fused_linear_activation fused_dropout_add swiglu "
        "fused_bias_dropout_residual_layer_norm",
    )
    | from_module("compat.fused_transformer", "fused_multi_head_attention fused_feedforward"),
    "incubate.autograd": from_module("dygraph.incubate", "Hessian Jacobian jvp vjp") | _PRIM,
    "incubate.autograd.functional": from_module("dygraph.incubate", "Hessian Jacobian jvp vjp"),
    "incubate.autograd.utils": from_module("dygraph.incubate", "as_tensors") | _PRIM,
    "incubate.optimizer": from_module("optimizer", "LBFGS")
    | _AVERAGES
    | _LARS
    | {"RecomputeOptimizer": "compat.recompute_optimizer:RecomputeOptimizer"},
    "incubate.optimizer.lars_momentum": _LARS,
    "incubate.optimizer.lookahead": _AVERAGES,
    "incubate.optimizer.modelaverage": _AVERAGES,
    "incubate.optimizer.functional": from_module("dygraph.optimizer.quasi_newton", "minimize_bfgs minimize_lbfgs"),
    "incubate.optimizer.functional.bfgs": from_module("dygraph.optimizer.quasi_newton", "minimize_bfgs"),
    "incubate.optimizer.functional.lbfgs": from_module("dygraph.optimizer.quasi_newton", "minimize_lbfgs"),
    "incubate.jit": {"inference": "compat.incubate_jit:inference"},
    "incubate.layers": from_module("compat.incubate_layers", _INCUBATE_LAYERS),
    "incubate.layers.nn": from_module("compat.incubate_layers", _INCUBATE_LAYERS),
}
