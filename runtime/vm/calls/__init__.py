"""Calls of compiled functions in native code, from Python into the VM and back."""
