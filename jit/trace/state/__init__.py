"""Python objects and tensors that outlive a capture: writes to them, aliases among them, and the way back.

Values that only the program knows are in ../, what concerns gradients in ../gradients.
"""
