"""The command line: `python -m vitrify COMMAND TARGET`. One module per command; `main` reads the arguments."""
