"""Pictures of programs."""
