"""From a program to something that runs: kernels, machine, memory. Knows arrays, not Tensors."""
