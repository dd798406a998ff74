"""Exchanges of the VM by routes: MPI's functions are stand-ins here; tests/distributed runs MPI's own."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import mpi_routes
from vitrify.distributed.mpi import INLINE, MpiTransport
from vitrify.errors import ExchangeError
from vitrify.ops.exchange import Request, set_transport, transport
from vitrify.runtime.vm.native_source.layout import PortWord, RouteStage, RouteWord

INT, WORD = ctypes.c_int, ctypes.c_int64
TOGETHER = ctypes.CFUNCTYPE(INT, WORD, INT, WORD, WORD, INT, WORD, WORD)
ASKS = ctypes.CFUNCTYPE(INT, WORD, INT, WORD, WORD, INT, WORD, WORD, WORD)
TESTS = ctypes.CFUNCTYPE(INT, WORD, WORD, WORD)
CASTS = ctypes.CFUNCTYPE(INT, WORD, INT, WORD, INT, WORD)


class Comm:
    """A communicator of two ranks; the other one says and gives what this one does."""

    handle = (1 << 64) - 5  # as MPICH's are, where they are below 0 as ints

    def Get_rank(self) -> int:
        return 0

    def Get_size(self) -> int:
        return 2

    def Dup(self) -> Comm:
        return self


class Library:
    """Stands for MPI. late: tests before rows are there; errors: codes by function; other: what the other rank says."""

    def __init__(self) -> None:
        self.late, self.errors, self.other = 0, dict[str, int](), 0
        self.calls: list[str] = []
        self.kept = [
            ASKS(self._ask),
            TESTS(self._test),
            TOGETHER(self._gather),
            TOGETHER(self._turn),
            CASTS(self._cast),
        ]
        self.functions = [ctypes.cast(f, ctypes.c_void_p).value or 0 for f in self.kept]

    def _called(self, name: str) -> int:
        self.calls.append(name)
        return self.errors.get(name, 0)

    def _ask(self, own: int, size: int, kind: int, rows: int, many: int, same: int, comm: int, request: int) -> int:
        assert (size, many, comm) == (INLINE + 8, INLINE + 8, -5)
        for k in range(2):
            ctypes.memmove(rows + k * size, own, size)
        ctypes.c_int64.from_address(rows + size).value ^= self.other
        return self._called("ask")

    def _test(self, request: int, flag: int, status: int) -> int:
        self.late -= 1
        ctypes.c_int32.from_address(flag).value = self.late < 0
        return self._called("test")

    def _gather(self, source: int, size: int, kind: int, target: int, many: int, same: int, comm: int) -> int:
        for k in range(2):
            ctypes.memmove(target + k * size, source, size)
        return self._called("gather")

    def _turn(self, source: int, size: int, kind: int, target: int, many: int, same: int, comm: int) -> int:
        for k in range(2):
            ctypes.memmove(target + k * size, source, size)
        return self._called("turn")

    def _cast(self, target: int, size: int, kind: int, root: int, comm: int) -> int:
        assert root == 1
        ctypes.memset(target, 0, size)
        return self._called("cast")


class Joined(MpiTransport):
    """The transport over the stand-in; it writes down what native code leaves to Python."""

    def __init__(self, library: Library) -> None:
        byte = SimpleNamespace(handle=7)
        mpi = SimpleNamespace(COMM_WORLD=Comm(), BYTE=byte, __file__="absent", Get_error_string=lambda k: f"code {k}")
        super().__init__(mpi)
        self.left: list[tuple[str, int | None]] = []
        self._port = mpi_routes.Port(mpi, library.functions)

    def by_calls(self, request: Request) -> Any:
        self.left.append((request.signature, None))
        return np.zeros(1, np.float32)

    def go_on(self, request: Request, channel: Any, waiting: int | None, error: int) -> Any:
        if error:
            return super().go_on(request, channel, waiting, error)
        self.left.append((request.signature, waiting))
        return np.zeros(mpi_routes.result_shape(request), np.float32)


@pytest.fixture
def library() -> Any:
    made = Library()
    set_transport(Joined(made))
    yield made
    set_transport(None)


def joined() -> Joined:
    run = transport()
    assert isinstance(run, Joined)
    return run


def test_a_small_all_reduce_travels_with_the_words(library: Library) -> None:
    found = dist.all_reduce_of(vt.to_tensor([1.0, 2.0]), "mean")
    assert found.tolist() == [1.0, 2.0] and library.calls == ["ask", "test"]
    assert dist.all_reduce_of(vt.to_tensor([3, 4]), "prod").tolist() == [9, 16] and joined().left == []


@pytest.mark.parametrize(
    ("count", "calls"), [(1000, ["gather"]), (10_000, ["turn", "gather"]), (10_001, ["turn", "gather"])]
)
def test_larger_ones_by_calls_of_their_own(library: Library, count: int, calls: list[str]) -> None:
    x = np.arange(count, dtype=np.float32)
    found = dist.all_reduce_of(vt.to_tensor(x), "sum").numpy()
    half = -(-count // 2)
    first = x[:half] * 2  # the stand-in gives this rank's first half to both
    assert (found == (x * 2 if calls == ["gather"] else np.concatenate([first, first])[:count])).all()
    assert library.calls == ["ask", "test", *calls]


def test_the_other_exchanges(library: Library) -> None:
    x = vt.arange(2000, dtype="float32").reshape([2, 1000])
    assert dist.all_gather_of(x).shape == [2, 2, 1000]
    assert (dist.reduce_scatter_of(x).numpy() == x.numpy()[0] * 2).all()
    assert (dist.all_to_all_of(x).numpy() == x.numpy()[[0, 0]]).all()
    assert not dist.broadcast_of(x, 1).numpy().any()
    dist.barrier()
    assert joined().left == [] and library.calls.count("ask") == 5


def test_a_compiled_program_calls_python_for_its_first_exchange_only(library: Library) -> None:
    @vt.to_static
    def often(x: Any) -> Any:
        while x.max() < 10.0:
            x = dist.all_reduce_of(x + 1.0)
        return x

    run = joined()
    seen: list[str] = []
    exchange = run.exchange
    run.exchange = lambda request: seen.append(request.name) or exchange(request)  # type: ignore[method-assign]
    for _ in range(3):
        assert often(vt.zeros([2])).tolist() == [14.0, 14.0]
    assert seen == ["all_reduce"] and library.calls.count("ask") == 9


def test_ranks_that_are_late_or_disagree_are_left_to_python(library: Library) -> None:
    @vt.to_static
    def reduced(x: Any) -> Any:
        return dist.all_reduce_of(x * 2.0)

    x = vt.ones([100])
    reduced(x)  # Python compares the programs of the ranks
    joined().left.clear()
    for _ in range(2):
        assert reduced(x).tolist()[0] == 4.0
    library.late = 1_000_000
    assert reduced(x).tolist()[0] == 0.0
    ((said, waiting),) = joined().left
    assert said == "all_reduce(f32[100], sum)" and waiting is not None
    library.late, library.other = 0, 2  # other words
    reduced(x)
    library.other = 1  # the same exchange, but it has started another one, too
    reduced(x)
    assert [waiting for _, waiting in joined().left[1:]] == [None, None]
    library.other = 0
    assert reduced(x).tolist()[0] == 4.0


def test_an_error_of_mpi_is_an_exchange_error(library: Library) -> None:
    @vt.to_static
    def reduced(x: Any) -> Any:
        return dist.all_reduce_of(x * 2.0)

    x = vt.ones([100])
    reduced(x)
    for name in ("ask", "test", "gather"):
        library.errors = {name: 15}
        with pytest.raises(ExchangeError, match=r"all_reduce\(f32\[100\], sum\): code 15") as caught:
            reduced(x)
        assert "dist.all_reduce_of(x * 2.0)" in str(caught.value)
        library.errors = {}
        assert reduced(x).tolist()[0] == 4.0  # and the next call goes on as ever


def test_a_port_is_closed_while_anything_else_exchanges(library: Library) -> None:
    run = joined()
    assert run._port is not None and run._port.words[PortWord.OPEN] == 1

    @vt.to_static
    def reduced(x: Any) -> Any:
        return dist.all_reduce_of(x * 2.0)

    x = vt.ones([100])
    reduced(x)  # Python compares the programs of the ranks
    run.left.clear()
    reduced(x)
    asked = library.calls.count("ask")
    assert dist.run_ranks(lambda: reduced(x).tolist()[0], ranks=3) == [6.0] * 3
    assert library.calls.count("ask") == asked and run._port.words[PortWord.OPEN] == 1
    run._port.words[PortWord.UNDER_WAY] = 1
    reduced(x)
    assert run.left == [("all_reduce(f32[100], sum)", None)]
    run._port.words[PortWord.UNDER_WAY] = 0
    set_transport(None)
    assert run._port.words[PortWord.OPEN] == 0 and reduced(x).tolist()[0] == 2.0


def test_what_has_no_route(library: Library) -> None:
    run = joined()
    for dtype in ("float16", "bfloat16"):  # their sums are kept in float32
        assert run.route(Request("all_reduce", np.ones(3, vt.to_tensor([1.0]).astype(dtype).numpy().dtype), (0, 1), "sum")) is None  # fmt: skip
    assert run.route(Request("send", np.ones(3), (0, 1), peer=1)) is None
    assert run.route(Request("scatter_from", np.ones((2, 3)), (0, 1), root=0)) is None
    assert run.route(Request("all_gather", np.ones(3, np.float16), (0, 1))) is not None


def test_a_route_says_how_far_it_has_come(library: Library) -> None:
    route = joined().route(Request("barrier", None, (0, 1)))
    assert route is not None and route.is_open and not route.is_begun
    route.words[RouteWord.STAGE] = RouteStage.ASKED
    assert route.is_begun


def test_libraries_without_the_functions_have_no_port() -> None:
    assert mpi_routes.Port.of(SimpleNamespace(__file__="absent.so", BYTE=SimpleNamespace(handle=1))) is None
    assert mpi_routes.word_of((1 << 64) - 5) == -5 and mpi_routes.word_of(0x4C00010D) == 0x4C00010D
