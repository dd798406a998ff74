"""Run-time choices behind the rewritten syntax, one file per construct.

regions/ runs and joins the paths of user code; stdlib/ has what calls of Python's own functions mean over tensors.
"""
