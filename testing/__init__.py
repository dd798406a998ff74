"""Helpers for our tests and for our users' tests."""
