"""What a trace took for granted of the world outside, for guards: names, attributes, items, layers, surroundings."""

from __future__ import annotations
