"""vitrify: write eager array programs in Python, run them as one compiled program."""

__version__ = "0.1.0"

__all__ = ["__version__"]
