"""Passes that choose in which shape and order of axes arrays are computed."""
