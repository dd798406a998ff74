"""From an optimised program to steps over buffers: destinations, lifetimes, loop kernels, batched launches.

Kernels of single operations are in runtime/lower; steps become tables of the VM in runtime/vm/binding.py.
"""
