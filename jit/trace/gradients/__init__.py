"""Gradients under a trace where users' code takes part: PyLayer, hooks on tensors, learning-rate schedulers."""
