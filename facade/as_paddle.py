"""Import this module first, and `import paddle` means vitrify: `python -m vitrify.as_paddle script.py` runs it so."""

import sys as _sys

from vitrify.compat.as_paddle import install as _install

__all__: list[str] = []
_install()

if __name__ == "__main__":
    from vitrify.cli.paddle_program import main as _main

    _sys.exit(_main())
