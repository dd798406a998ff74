"""Recording a program: the tracer, and what it notes of the eager world: writes, aliases, sizes, numbers, effects.

The meaning of converted constructs is in jit/converters; calls of finished programs are in jit/call.
"""
