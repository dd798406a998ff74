"""Loops of the program whose iterations treat every element alone: many iterations on a block in registers."""
