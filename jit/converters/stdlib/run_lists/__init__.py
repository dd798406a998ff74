"""Lists of which only a run knows how long they are, and items that a run chooses by their place."""
