# Written by `make stubs`; edits here are lost.

class Created:
    """Base of classes whose subclasses in this package users create: `created`, for each of them."""
