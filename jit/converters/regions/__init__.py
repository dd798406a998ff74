"""Regions: code under a condition on a tensor or in a loop of the program, its paths, and the joins of their values.

A construct's own file is in ../; its user code on several paths is run and joined here. No file here knows syntax.
"""
