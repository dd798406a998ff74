"""SSA programs with nested blocks: types, builder, text form, verifier, reference interpreter."""
