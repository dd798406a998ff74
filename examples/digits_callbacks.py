"""The Python operator of the digits example: it stays Python in compiled and exported programs alike.

A process that loads the exported model needs this file, and nothing of the model.
"""

import vitrify as vt


class Quantise(vt.autograd.PyLayer):
    """Round to steps of 1/8 on the way forward; pass the gradient straight through where |x| <= 4."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return vt.round(vt.clip(x, -4.0, 4.0) * 8.0) / 8.0

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensor()
        return gradient * (vt.abs(x) <= 4.0).astype(gradient.dtype)
