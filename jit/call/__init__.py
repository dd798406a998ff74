"""A call of a compiled function: signature, guards, cache of programs, inline cache, call stubs, eager calls.

Nothing here records a program (jit/trace) or shows one (jit/inspect).
"""
