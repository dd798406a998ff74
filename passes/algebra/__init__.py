"""Rewrites of single operations and their neighbours: rules, folding, shapes, common subexpressions, dead code."""
