"""From a program to something that runs: kernels, the VM, memory. Knows arrays, not Tensors."""
