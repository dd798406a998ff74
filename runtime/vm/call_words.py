"""The words of the blocks that native calls read (native_call.py, codegen/call_code.py)."""

from __future__ import annotations

from enum import IntEnum, auto

# In objects of CPython: the class; the count of a tuple, list or dict; a tuple's first
# item, or a list's items.
TYPE, SIZE, ITEMS = 8, 16, 24


class CallWord(IntEnum):
    """The words of a call's block; names of functions are those of Python's C interface."""

    HEADER = 0
    DESTINATION = auto()  # where the first argument goes
    VM = auto()
    DIVERTED = auto()  # address of a word that isn't 0 while something stands for the VM
    MISS = auto()  # the result of calls that aren't made
    COUNT = auto()  # of arguments
    LEAVES = auto()  # address of `LeafWord` rows
    WORDS = auto()  # address of pairs: an address, the word there
    WORD_COUNT = auto()
    VARIABLES = auto()  # address of pairs: a context variable, its value
    VARIABLE_COUNT = auto()
    FREE = auto()  # the list of bindings at hand, of which the last one must be BOUND
    BOUND = auto()
    NEW_ARRAY = auto()  # PyArray_NewFromDescr of NumPy's C interface
    ELEMENT = auto()  # NumPy's dtype of the result
    RANK = auto()
    SIZES = auto()
    POOL = auto()  # the list of arrays of which one that nobody else holds is taken; 0: a new array is made
    LOUD = auto()  # not 0: the run is long, so that the lock is let go, and the binding is taken meanwhile
    TENSOR = auto()
    DTYPE = auto()  # the result's
    STORAGE = auto()
    PAYLOAD = auto()  # where the cell has its array
    FIELDS = auto()  # address of pairs: a place in a new cell, what goes there
    FIELD_COUNT = auto()
    NDARRAY = auto()
    DTYPE_NAME = auto()  # of the tensor's attributes
    STOP_NAME = auto()
    STORAGE_NAME = auto()
    PyObject_GetAttr = auto()
    PyObject_SetAttr = auto()
    PyContextVar_Get = auto()
    PyType_GenericAlloc = auto()
    PyErr_Clear = auto()
    PyEval_SaveThread = auto()
    PyEval_RestoreThread = auto()
    PyList_Append = auto()
    PySequence_DelItem = auto()
    Py_IncRef = auto()
    Py_DecRef = auto()


class LeafWord(IntEnum):
    """The words of an argument's row."""

    KIND = 0
    DTYPE = 1
    STOP = 2
    RANK = 3
    SIZES = 4
    COUNT = 5
