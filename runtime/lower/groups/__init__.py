"""Fused groups: element-wise work and reductions over one domain, as one loop nest."""
