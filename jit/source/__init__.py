"""Reading, templating and loading Python source."""
