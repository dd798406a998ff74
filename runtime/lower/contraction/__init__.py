"""Sums of products: matrix products, convolutions, attention, in tiles whose sizes base/target.py gives.

Groups of element-wise work and reductions are in ../groups, tiled loops of the program in ../loops.
"""
