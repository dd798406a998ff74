"""What Python and native code both know: instructions, and the words of the blocks that they share.

A word is an int64. The native functions read this file too, so a number stands here and nowhere else.
"""

from enum import IntEnum

MOST = 1 << 62  # stands for every product of sizes from here on: no memory holds so much
ROW_WORDS = 8  # of an instruction: its opcode, then its operands
WORKER_PC = -1  # in HeaderWord.PC, as any negative number: the thread that enters the VM becomes a worker


class Opcode(IntEnum):
    """What a row does. Addresses are absolute, targets are row numbers, ranges and counts are plain values."""

    END = 0  # -
    KERNEL = 1  # see KernelRow
    GEMM32 = 2  # parameters (see GemmWord), chunks
    GEMM64 = 3  # parameters, chunks
    COPY = 4  # destination, source, bytes
    FILL = 5  # destination, bytes, byte value
    JUMP = 6  # target
    JUMP_IF_ZERO = 7  # address of a byte, target
    JUMP_IF_GE = 8  # address of a, address of b, target: jumps when a >= b
    SET = 9  # address, value
    ADD = 10  # address, amount
    PUSH = 11  # list, source, bytes
    POP = 12  # list, destination, bytes
    PEEK = 13  # list, address of an index, destination, bytes of a row, bytes
    CLEAR = 14  # list
    HOST_CALL = 15  # number
    CHECK = 16  # address of a byte, number
    POKE = 17  # list, address of an index, source, bytes of a row
    EXTEND = 18  # list, another, address of its first row (0: the first), of how many (0: all), bytes of a row
    REPEAT = 19  # list, address of a count, source, bytes of a row
    TRIM = 20  # list, address of a count, bytes of a row
    EXPECT = 21  # list, address of a count, bytes of a row: whether it has so many rows
    LENGTH = 22  # list, destination, bytes of a row
    CUT = 23  # list, another, addresses of the bounds of a Python slice, bytes of a row
    EXCHANGE = 24  # address of a route's address (0: none), source, target, number of the host call to make instead
    MULTIPLY = 25  # destination, address of a, of b: a product of sizes, at most MOST
    SUM = 26  # destination, address of a, of b
    DIVIDE = 27  # destination, address of a, of b: a // b
    MAXIMUM = 28  # destination, address of a, of b
    RESERVE = 29  # list, address of a number of bytes, of a size: it has so many, whatever is in them; none is below 0
    EXTENT = 30  # a KERNEL row, address of an extent, of the work; parts at most, work of a part, work worth two


class KernelRow(IntEnum):
    """The words of a KERNEL row behind its opcode."""

    FUNCTION = 1
    BUFFERS = 2
    DIMS = 3
    LO = 4
    HI = 5
    CHUNKS = 6


class Status(IntEnum):
    """Why the VM came back. After all but DONE, a further `run` goes on where it stopped."""

    DONE = 0
    HOST_CALL = 1  # a callback is due; its number is in HeaderWord.DETAIL
    CHECK_FAILED = 2  # an assertion's byte was zero; its number is in HeaderWord.DETAIL
    INTERRUPTED = 3  # HeaderWord.INTERRUPT was set at a backward jump
    START_TEAM = 4  # handled by `run`
    OUT_OF_MEMORY = 5  # a list could not grow
    LIST_RANGE = 6  # a list was popped when empty, read outside, or hasn't the length that it must have
    NO_BLAS = 7  # scipy_openblas32 is missing
    BAD_OPCODE = 8


class HeaderWord(IntEnum):
    """The words of a header."""

    CODE = 0  # address of the table
    PC = 1  # 0: from the start, patches first; WORKER_PC: see there; else the row to go on with
    PATCHES = 2  # address of rows, see PatchRow
    PATCH_COUNT = 3
    ARGUMENTS = 4  # address of one int64 per argument
    KINDS = 5  # address of one int64 per argument: 0 raw address, 1 id() of an ndarray; 0 here: all are ids
    INTERRUPT = 6  # not 0: stop at the next backward jump
    DETAIL = 7  # number of the host call or check that stopped
    TEAM = 8  # address of the team block
    DATA_OFFSET = 9  # where an ndarray object holds its data pointer
    COUNT = 10


class PatchRow(IntEnum):
    """The words of a patch: the address of an argument, plus an offset, goes to a destination."""

    ARGUMENT = 0  # its number
    DESTINATION = 1  # address
    OFFSET = 2  # bytes
    COUNT = 3


class GemmWord(IntEnum):
    """The words of a GEMM's parameters: C = alpha op(A) op(B) + beta C over two batch levels; strides in elements."""

    M = 0
    N = 1
    K = 2
    TRANSPOSE_A = 3
    TRANSPOSE_B = 4
    LDA = 5
    LDB = 6
    LDC = 7
    A = 8
    B = 9
    C = 10
    BATCH = 11
    STRIDE_A = 12
    STRIDE_B = 13
    STRIDE_C = 14
    INNER_BATCH = 15
    INNER_STRIDE_A = 16
    INNER_STRIDE_B = 17
    INNER_STRIDE_C = 18
    ALPHA = 19  # bits of a float64
    BETA = 20  # bits of a float64
    PLAIN = 21  # 1: by plain loops, as libraries have them; 0: by BLAS
    COUNT = 22


class ListWord(IntEnum):
    """The words of a list that PUSH and POP know."""

    DATA = 0  # address
    CAPACITY = 1  # bytes
    USED = 2  # bytes
    COUNT = 3


class TeamWord(IntEnum):
    """The words of the team block. Those that threads fight over have a cache line of their own."""

    SGEMM = 0
    DGEMM = 1
    SGEMV = 2
    DGEMV = 3
    REALLOC = 4
    YIELD = 5
    WAIT = 6
    POST = 7
    SEMAPHORE = 8  # its address; 0: this platform has none, workers nap instead
    NAP = 9
    NAP_LENGTH = 10
    THREADS = 11  # wanted, the master included
    WORKERS = 12  # running
    STOP = 13
    SPINS = 14
    ROW = 15  # address of the instruction that is being split
    JOB = 16  # sequence, next chunk, chunk count: 32, 16 and 16 bits
    DONE = 24
    BUSY = 32
    SLEEPERS = 40
    WORKER_HEADER = 48  # the header that every worker enters the VM with
    COUNT = 64


class NotesWord(IntEnum):
    """The words of what the clocked VM writes down about one program."""

    HEADER = 0  # of the program
    SUMS = 1  # address of one RowSum per row of the program
    EVENTS = 2  # address of rows, see EventRow
    EVENT_ROOM = 3  # how many events there is room for
    EVENTS_SEEN = 4  # how many there were, also those that found no room
    MOMENT = 5  # address of a timespec
    CLOCK = 6  # clock_gettime
    CLOCK_ID = 7
    SHORTEST_EVENT = 8  # nanoseconds; shorter ones are in the sums only
    COUNT = 9


class RowSum(IntEnum):
    """What is noted about each row of a program."""

    NANOSECONDS = 0
    CALLS = 1
    COUNT = 2


class EventRow(IntEnum):
    """One run of one row of a program; times in nanoseconds."""

    ROW = 0
    START = 1
    END = 2
    COUNT = 3


class PortWord(IntEnum):
    """The words of a port: how native code exchanges with other ranks. Numbers of MPI's are passed as words."""

    OPEN = 0  # 0: native code leaves exchanges to Python
    UNDER_WAY = 1  # queues of exchanges that Python has started; not 0: as above
    BYTE = 2  # MPI's handle of the type
    STATUS = 3  # address of room for MPI's status
    IALLGATHER = 4  # functions of MPI's, from here on
    TEST = 5
    ALLGATHER = 6
    ALLTOALL = 7
    BCAST = 8
    COUNT = 9


class RouteWord(IntEnum):
    """The words of a route: all that native code needs for an exchange of one kind, dtype and shape.

    First the ranks tell each other what they ask for: a row of each, its first word SAID, which has 1 as its last bit.
    Then MOVES follow.
    """

    NOWHERE = 0  # 0: an end of a move in this space is an absolute address
    SOURCE = 1  # of the exchange that runs
    TARGET = 2
    PORT = 3
    STAGE = 4  # see RouteStage
    ERROR = 5  # MPI's code
    RANKS = 6
    WORDS = 7  # MPI's handle of the group's communicator for what ranks ask for
    ARRAYS = 8  # the one for arrays
    TIMES = 9  # address of how often this rank has asked
    SAID = 10
    INLINE = 11  # bytes of the source that travel in the row
    OWN = 12  # address of this rank's row
    ASKED = 13  # of the rows of all
    ROW = 14  # bytes of a row
    REQUEST = 15  # MPI's, of the rows
    FLAG = 16  # what MPI_Test says
    SPINS = 17  # so often native code asks whether the rows have come
    WAITS = 18  # not 0: moves wait for other ranks, so all must say that they wait for nothing else
    MOVES = 19  # address of rows, see MoveRow
    MOVE_COUNT = 20
    JOIN = 21  # NumPy's loop that joins two arrays, and its data
    JOIN_DATA = 22
    DIVIDE = 23  # the one that divides (0: nothing does), its data, and the address of the number of ranks
    DIVIDE_DATA = 24
    DIVISOR = 25
    ITEM = 26  # bytes of an element
    OPERANDS = 27  # three words for a loop
    LENGTH = 30  # one
    STRIDES = 31  # three
    COUNT = 34


class RouteStage(IntEnum):
    """How far native code has come with an exchange that it leaves to Python."""

    IDLE = 0  # it hasn't begun
    ASKING = 1  # the rows are on their way: REQUEST
    ASKED = 2  # the rows are there: the ranks disagree, or one of them waits for something else, too
    FAILED = 3  # a call of MPI's gave ERROR


class MoveRow(IntEnum):
    """One step of a route. An end has a space (NOWHERE, SOURCE or TARGET of the route) and an offset in it."""

    ACTION = 0
    FROM = 1  # two words
    TO = 3  # two words
    BYTES = 5  # of a rank
    STRIDE = 6  # from one rank's bytes to the next one's
    ROOT = 7
    COUNT = 8


class Action(IntEnum):
    """What a move does."""

    COPY = 0
    COLLECT = 1  # parts that lie STRIDE apart, one behind another
    JOIN = 2  # such parts, from the first to the last
    ALLGATHER = 3
    ALLTOALL = 4
    BCAST = 5
