"""Runs a library on arrays that end, then begin, where no memory is: a read or write beyond them ends this process.

Arguments: for each library its folder, its name and a file with its inputs, beside which a file gets the outputs. It
prints the names.
"""

import ctypes
import importlib
import mmap
import sys
from pathlib import Path

import numpy as np

PAGE = mmap.PAGESIZE
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
LIBC.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


def fenced(shape, dtype, at_end):
    """An array with a page that nobody may touch right behind it, or in front of it."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    pages = -(-max(size, 1) // PAGE) * PAGE
    start = LIBC.mmap(
        None, pages + 2 * PAGE, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0
    )
    for place in (start, start + PAGE + pages):
        assert LIBC.mprotect(place, PAGE, 0) == 0
    first = start + PAGE + (pages - size if at_end else 0)
    block = (ctypes.c_uint8 * size).from_address(first)
    return np.frombuffer(block, kind).reshape(shape)


def run(folder, name, file):
    sys.path.insert(0, folder)
    given = np.load(file)
    module = importlib.import_module(name)
    sys.path.remove(folder)
    sizes = module.open_sizes(module.load(folder).inputs, list(given.values()))
    model = module.load(folder, limits=sizes)
    model._place(fenced(model._arena.shape, "uint8", True))  # just the memory that these sizes need
    results = []
    for at_end in (True, False):
        inputs = []
        for key in given.files:
            inputs.append(fenced(given[key].shape, given[key].dtype, at_end))
            inputs[-1][...] = given[key]
        shapes = [tuple(sizes.get(n, n) for n in one["shape"]) for one in model.outputs]
        outputs = [fenced(shape, one["dtype"], at_end) for shape, one in zip(shapes, model.outputs, strict=True)]
        (taken, one), (made, two) = module._table(inputs), module._table(outputs)
        assert model._run(model._model, taken, made) == 0, (one, two)
        results += [np.array(a) for a in outputs]
    np.savez(Path(file).with_name(f"{name}-results.npz"), *results)


def main(*words):
    """Arguments: folder, name and inputs of each library."""
    for k in range(0, len(words), 3):
        print(words[k + 1], flush=True)  # the last one that was begun
        run(*words[k : k + 3])


if __name__ == "__main__":
    main(*sys.argv[1:])
