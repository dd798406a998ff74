"""From an optimised program to steps over buffers, and the pipeline of passes over them (pipeline.py).

Kernels of single operations are in runtime/lower; steps become tables of the VM in runtime/vm/binding.py.
"""
