"""The thread team: every chunk runs exactly once, from any number of Python threads, across forks and resizes."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from vitrify.runtime.kernel_cache import KernelSource, addresses
from vitrify.runtime.vm import team
from vitrify.runtime.vm.virtual_machine import Header, Instructions, Opcode, Status, run

COUNT = KernelSource(
    "count", "def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = p0[i] + 1\n", ("i64",), 0
)


@pytest.fixture(autouse=True)
def two_threads():
    before = team.get_num_threads()
    team.set_num_threads(2)
    yield
    team.set_num_threads(before)


class Counting:
    """A program that adds 1 to each of n cells, a number of times, each time in chunks."""

    def __init__(self, n, times, chunks):
        self.cells = np.zeros(n, np.int64)
        self.buffers = np.array([self.cells.ctypes.data])
        table = Instructions()
        for _ in range(times):
            table.emit(Opcode.KERNEL, addresses([COUNT])[0], self.buffers.ctypes.data, 0, 0, n, chunks)
        self.header = Header(table.table())

    def run(self):
        assert run(self.header.address) == Status.DONE


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 1000, 100_003])
@pytest.mark.parametrize("chunks", [2, 3, 7, 64])
def test_each_element_once(n, chunks):
    program = Counting(n, 20, chunks)
    program.run()
    assert (program.cells == 20).all()


def test_more_chunks_than_the_word_can_hold():
    program = Counting(200_000, 1, 1 << 40)
    program.run()
    assert (program.cells == 1).all()


def test_many_splits_with_sleeping_workers_between():
    program = Counting(5000, 3, 4)
    for _ in range(200):
        program.run()
        if _ % 20 == 0:
            threading.Event().wait(0.002)  # longer than workers spin
    assert (program.cells == 600).all()


@pytest.mark.parametrize("threads", [2, 4])
def test_many_python_threads_enter_at_once(threads):
    team.set_num_threads(threads)
    programs = [Counting(3000, 50, 4) for _ in range(6)]
    failures = []

    def body(program):
        try:
            for _ in range(100):
                program.run()
        except BaseException as problem:
            failures.append(problem)

    started = [threading.Thread(target=body, args=(program,)) for program in programs]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert not failures
    assert all((program.cells == 5000).all() for program in programs)


def workers():
    return [thread for thread in threading.enumerate() if thread.name == "vitrify-worker"]


def test_workers_start_with_the_first_split_and_stop_when_told():
    assert not workers()
    Counting(1000, 1, 1).run()
    assert not workers(), "nothing was split"
    Counting(1000, 1, 2).run()
    assert len(workers()) == 1
    team.stop()
    assert not workers()


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_resize(count):
    Counting(1000, 1, 2).run()
    team.set_num_threads(count)
    assert team.get_num_threads() == count and not workers()
    program = Counting(1000, 10, 8)
    program.run()
    assert (program.cells == 10).all() and len(workers()) == count - 1


def test_resize_while_another_thread_runs():
    program = Counting(2000, 2000, 4)
    thread = threading.Thread(target=lambda: [program.run() for _ in range(10)])
    thread.start()
    for count in [1, 3, 2, 4, 2] * 4:
        team.set_num_threads(count)
    thread.join()
    assert (program.cells == 20_000).all()


@pytest.mark.parametrize("count", [0, -1, 100_000])
def test_a_wrong_number_of_threads(count):
    with pytest.raises(ValueError, match=str(count)):
        team.set_num_threads(count)
    assert team.get_num_threads() == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork():
    program = Counting(1000, 5, 4)
    program.run()
    child = os.fork()
    if child == 0:
        try:
            before = len(workers())
            program.run()
            right = before == 0 and len(workers()) == 1 and (program.cells == 10).all()
            os._exit(0 if right else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    program.run()
    assert (program.cells == 10).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_while_another_thread_has_the_team():
    busy, own = Counting(2000, 500, 4), Counting(1000, 5, 4)
    own.run()
    go_on = True

    def keep_busy():
        while go_on:
            busy.run()

    thread = threading.Thread(target=keep_busy)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                try:
                    own.run()
                    os._exit(0 if (own.cells == 10).all() else 1)
                except BaseException:
                    os._exit(2)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        go_on = False
        thread.join()


EXIT = """
import threading
import numpy as np
from test_team import Counting, team
team.set_num_threads(3)
program = Counting(5000, 50, 8)
program.run()
{more}
print("bye")
"""


@pytest.mark.parametrize(
    "more", ["", "threading.Thread(target=lambda: [program.run() for _ in range(10**9)], daemon=True).start()"]
)
def test_a_clean_exit(more):
    ran = subprocess.run(
        [sys.executable, "-c", EXIT.format(more=more)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "bye\n", "")


@pytest.mark.parametrize("text, expected", [("3", 3), ("1", 1), ("", None), ("many", None), ("0", None)])
def test_the_default(monkeypatch, text, expected):
    monkeypatch.setenv("VITRIFY_NUM_THREADS", text)
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert team._default_threads() == (expected or cpus)
