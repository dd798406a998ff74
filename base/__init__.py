"""What every folder needs: errors, dtypes, flags, locations, nested structures. No numerics."""
