"""Run-time choices behind the rewritten syntax, one file per construct."""
