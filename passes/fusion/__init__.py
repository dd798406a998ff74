"""Operations that become one kernel: fusion groups, matmuls with epilogues, attention, transformed convolutions."""
