"""The virtual machine: instructions, team of threads, binding to sizes, entry stub, interrupt watchdog.

Kernels are generated elsewhere (runtime/lower, runtime/codegen).
"""
