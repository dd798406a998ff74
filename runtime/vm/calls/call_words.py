"""The words of the blocks that native calls read (native_call.py, codegen/call_code.py)."""

from __future__ import annotations

from enum import IntEnum, auto

# In objects of CPython: the class; the count of a tuple, list or dict; a tuple's first
# item, or a list's items; a float's value.
TYPE, SIZE, ITEMS, FLOAT = 8, 16, 24, 16


class CallWord(IntEnum):
    """The words of a call's block; names of functions are those of Python's C interface."""

    HEADER = 0
    DESTINATION = auto()  # where the state goes, then the arguments, then the results
    VM = auto()
    DIVERTED = auto()  # address of a word that isn't 0 while something stands for the VM
    MISS = auto()  # the result of calls that aren't made
    GIVEN = auto()  # address of `GivenWord` rows: what the arguments must be
    GIVEN_COUNT = auto()
    VALUES = auto()  # how many places for values these have: the arguments, the keywords, then what is in them
    FEED_COUNT = auto()  # arrays among the arguments
    SAME = auto()  # address of `SameWord` rows: which of them are the same; 0: any may be
    PAIRS = auto()  # address of pairs of addresses, of words that must be equal
    PAIR_COUNT = auto()
    VARIABLES = auto()  # address of pairs: a context variable, its value
    VARIABLE_COUNT = auto()
    HOLD = auto()  # a function of Python that must give TRUE; 0: none
    TRUE = auto()
    STATE = auto()  # address of the slot with the tuple of the state's arrays; 0: there is none
    STATE_COUNT = auto()
    COPIED = auto()  # not 0: the tuple is written to the VM's arguments in each call
    WRITTEN = auto()  # address of the numbers of arrays of the state that the program writes
    WRITTEN_COUNT = auto()
    NUMBER_COUNT = auto()  # numbers among the arguments
    TAKEN = auto()  # address of `NumberWord` rows: those that the program takes
    TAKEN_COUNT = auto()
    FREE = auto()  # the list of bindings at hand, of which the last one must be BOUND
    BOUND = auto()
    NEW_ARRAY = auto()  # PyArray_NewFromDescr of NumPy's C interface
    FETCHES = auto()  # address of `FetchWord` rows: what the program makes
    FETCH_COUNT = auto()  # of arrays that are there before the run
    LATER_COUNT = auto()  # of those whose sizes the run tells; their rows come last
    WORTH_IT = auto()  # bytes from which Python makes the array of such a result
    LOUD = auto()  # not 0: the run is long, so that the lock is let go, and the binding is taken meanwhile
    RESUME = auto()  # a function of (status, arrays of the call) that goes on with a run which stopped half way
    WROTE = auto()  # a function that is called after the run; 0: none
    WRITE = auto()  # one of (tensors made, tensors and arrays among the arguments, arrays of the call); 0: none
    MADE_COUNT = auto()  # how many tensors it gets
    RESULTS = auto()  # address of `ResultWord` rows: what is returned, the parts of a container before it
    RESULT_COUNT = auto()
    OBJECT_NEW = auto()  # what makes objects of plain classes
    NO_ARGUMENTS = auto()  # an empty tuple
    TENSOR = auto()
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
    PyObject_CallNoArgs = auto()
    PyObject_CallObject = auto()
    PyObject_RichCompareBool = auto()
    PyContextVar_Get = auto()
    PyErr_Clear = auto()
    PyErr_Occurred = auto()
    PyEval_SaveThread = auto()
    PyEval_RestoreThread = auto()
    PyTuple_New = auto()
    PyList_New = auto()
    PyDict_New = auto()
    PyDict_SetItem = auto()
    PyDict_Next = auto()
    PyList_Append = auto()
    PySequence_DelItem = auto()
    PyFloat_FromDouble = auto()
    PyLong_FromLongLong = auto()
    PyLong_AsLongLong = auto()
    PyBool_FromLong = auto()
    Py_IncRef = auto()
    Py_DecRef = auto()
    _Py_Dealloc = auto()


class EntryWord(IntEnum):
    """The words that the machine code with which calls begin knows things by (call_entry.py)."""

    USUAL = 0  # what calls objects of the class by their `__call__`
    FUNCTIONS = auto()  # the class of functions in C
    DEFINITION = auto()  # what native calls have as the definition of their function
    MISS = auto()
    NO_KEYWORDS = auto()  # an empty dict
    SHOW = auto()  # a function of (object, arguments, keywords, exception) that raises it
    PyErr_Fetch = auto()
    PyErr_NormalizeException = auto()
    PyException_SetTraceback = auto()
    PyTuple_New = auto()
    PyObject_CallObject = auto()
    Py_IncRef = auto()
    Py_DecRef = auto()
    _Py_Dealloc = auto()


class Given(IntEnum):
    """What a value among the arguments must be."""

    SEQUENCE = 0  # a tuple
    LIST = 1
    DICT = 2
    TENSOR = 3
    ARRAY = 4
    FLOAT = 5  # one that the program takes
    INT = 6
    SAME = 7  # this object
    BITS = 8  # a float with these bits
    EQUAL = 9  # of this class, and equal to this object


class GivenWord(IntEnum):
    """The words of a value's row."""

    KIND = 0
    PLACE = 1  # of the value
    CLASS = 2
    COUNT = 3  # of parts, or of axes
    FIRST = 4  # the place of the first part; the number of an array or of a number
    TABLE = 5  # address of the sizes, or of pairs: a key, its class if keys that are equal are the same
    DTYPE = 6  # of a tensor or array; an object or the bits to compare with
    STOP = 7
    FACTS = 8  # address of pairs: an attribute's name, the object that it must be
    FACT_COUNT = 9
    WORDS = 10


class NumberWord(IntEnum):
    """The words of a number's row."""

    NUMBER = 0  # which one it is
    MEMORY = 1  # address of the element of an array without axes; 0: the number is there already
    ARRAY = 2  # the array
    PLACE = 3  # which of the state's arrays it is
    WORDS = 4


class SameWord(IntEnum):
    """The words of an array among the arguments that tell which others are the same."""

    ARRAY = 0  # equal for those that are one array
    OBJECT = 1  # equal for those that are one tensor
    WORDS = 2


class FetchWord(IntEnum):
    """The words of a row of what the program makes."""

    ELEMENT = 0  # NumPy's dtype; 0: no new array is made
    RANK = 1
    SIZES = 2
    POOL = 3  # the list of arrays of which one that nobody else holds is taken; 0: there is none
    DTYPE = 4  # the tensor's; 0: no tensor is made of it
    LIST = 5  # of a result whose sizes the run tells: address of the words of the list that it is in
    TOLD = 6  # address of a table: bytes of an element, then the addresses of the sizes
    TAKE = 7  # a function that gives it as an array
    WORDS = 8


class Result(IntEnum):
    """What is put on the stack of results; a container takes its parts from there."""

    TENSOR = 0  # of a fetch
    ARRAY = 1
    FLOAT64 = 2  # the only element of a fetch as a number
    FLOAT32 = 3
    INT64 = 4
    BOOL = 5
    OBJECT = 6  # this one
    VALUE = 7  # what is at this place among the arguments
    TUPLE = 8
    LIST = 9
    DICT = 10
    CALLED = 11  # what an object gives that is called with the parts


FETCHED = (Result.TENSOR, Result.ARRAY, Result.FLOAT64, Result.FLOAT32, Result.INT64, Result.BOOL)


class ResultWord(IntEnum):
    """The words of a result's row."""

    KIND = 0
    WHICH = 1  # the number of the fetch or place, the object, or how many parts
    KEYS = 2  # address of a dict's keys, or of the object that is called
    WORDS = 3
