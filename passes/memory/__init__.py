"""Memory: the plan of the arena, recomputation, and updates that are moved so that they need no copy."""
