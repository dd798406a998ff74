"""NumPy arrays under a trace: those from outside, those that captured code makes, and what stands for one of a run."""
