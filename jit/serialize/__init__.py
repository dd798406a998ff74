"""Compiled functions and layers as artifacts: save, load and specs. The file format is in runtime/artifact.py."""
