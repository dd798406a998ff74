"""Kernel IR: a kernel as a typed tree of loops, stores and calls, each statement with the operation it comes from.

runtime/lower builds trees, runtime/schedule transforms them, runtime/codegen makes machine code of their text.
"""
