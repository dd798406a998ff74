"""Layers, containers, initialisers and functional forms."""
