"""Python's own library over tensors: built-in functions, iterators, lists of run-time length, `math`, strings.

A call of Python's with a tensor among its arguments gets its meaning here. Statements and expressions are in ../,
joins of paths in ../regions.
"""
