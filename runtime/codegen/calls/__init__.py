"""Machine code of whole calls."""
