"""What code for static programs and compiled functions shares: `InputSpec` and saving for inference."""

from vitrify.ir.input_spec import InputSpec
from vitrify.jit import save_inference_model

__all__ = ["InputSpec", "save_inference_model"]
