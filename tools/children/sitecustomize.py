"""On the path of a process that a test starts: there, too, `import paddle` means vitrify."""

import vitrify.as_paddle  # noqa: F401
