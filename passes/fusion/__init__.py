"""Operations that become one kernel: fusion groups, products with epilogues, attention, transformed convolutions."""
