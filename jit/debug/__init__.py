"""Tools that find what is wrong: verification stage by stage, replay, checks of callbacks."""
