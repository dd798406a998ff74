"""Programs as readable Python files that run with NumPy alone."""
