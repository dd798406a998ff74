"""Rewrites of loops and of what crosses control flow: invariant code, sums over iterations, rows of arrays, indices."""
