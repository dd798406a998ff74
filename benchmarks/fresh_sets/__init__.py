"""Sets of programs that were measured before anything was tuned for them; fresh.py measures them."""
