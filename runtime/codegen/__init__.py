"""From kernel text to machine code: LLVM, the prelude of functions, microkernels in vectors, the target CPU.

What is computed is decided in runtime/lower and runtime/schedule.
"""
