"""Programs in forms that other software runs."""
