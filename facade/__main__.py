"""`python -m vitrify`: the command line."""

import sys

from vitrify.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
