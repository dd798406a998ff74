"""The VM's instructions, its patches, and going on after it came back."""

import ctypes
import threading
import time

import numpy as np
import pytest

from vitrify.runtime.kernel_cache import KernelSource, addresses
from vitrify.runtime.vm import virtual_machine
from vitrify.runtime.vm.virtual_machine import (
    ARRAY_ID,
    RAW_ADDRESS,
    GrowableLists,
    Header,
    HeaderWord,
    Instructions,
    Opcode,
    Status,
    run,
)

DOUBLE = KernelSource(
    "double", "def body(p0, lo, hi):\n    for i in range(lo, hi):\n        p0[i] = p0[i] * 2\n", ("i64",), 0
)


def cells(*values):
    array = np.array(values, np.int64)
    return array, [int(array.ctypes.data) + 8 * k for k in range(len(values))]


def execute(table, **more):
    return run(Header(table.table(), **more).address)


def test_an_empty_program():
    assert execute(Instructions()) == Status.DONE


def test_kernel_copy_fill_set_add():
    data, at = cells(1, 2, 3, 4)
    other, to = cells(0, 0, 0, 0)
    buffers = np.array([data.ctypes.data])
    table = Instructions()
    table.emit(Opcode.KERNEL, addresses([DOUBLE])[0], buffers.ctypes.data, 0, 1, 3, 1)
    table.emit(Opcode.COPY, to[0], at[0], 32)
    table.emit(Opcode.FILL, to[3], 8, 255)
    table.emit(Opcode.SET, at[0], -(1 << 60))
    table.emit(Opcode.ADD, at[1], 5)
    assert execute(table) == Status.DONE
    assert data.tolist() == [-(1 << 60), 9, 6, 4] and other.tolist() == [1, 4, 6, -1]


def counting_loop(count_at, limit_at):
    """count = 0; while count < limit: count += 1"""
    table = Instructions()
    table.emit(Opcode.SET, count_at, 0)
    test = table.emit(Opcode.JUMP_IF_GE, count_at, limit_at, 0)
    table.emit(Opcode.ADD, count_at, 1)
    table.emit(Opcode.JUMP, test)
    table.aim(test)
    return table


def test_a_loop():
    data, (count, limit) = cells(-1, 1000)
    header = Header(counting_loop(count, limit).table())
    for limit_now in (1000, 0, 3):
        data[1] = limit_now
        assert run(header.address) == Status.DONE
        assert data[0] == limit_now and header.pc == 0


@pytest.mark.parametrize("flag, expected", [(0, 2), (1, 1), (7, 1)])
def test_a_branch(flag, expected):
    byte = np.array([flag], np.uint8)
    data, (out,) = cells(0)
    table = Instructions()
    test = table.emit(Opcode.JUMP_IF_ZERO, byte.ctypes.data, 0)
    table.emit(Opcode.SET, out, 1)
    end = table.emit(Opcode.JUMP, 0)
    table.aim(test)
    table.emit(Opcode.SET, out, 2)
    table.aim(end)
    assert execute(table) == Status.DONE
    assert data[0] == expected


def test_patches_from_arrays_and_raw_addresses():
    target, at = cells(0, 0, 0)
    header = Header(Instructions().table(), [(0, at[0], 0), (1, at[1], 24), (0, at[2], -8)], arguments=2)
    x, y = np.zeros(9), np.zeros((4, 5))[1:, 2:]
    header.set_arrays(x, y)
    assert run(header.address) == Status.DONE
    assert target.tolist() == [x.ctypes.data, y.ctypes.data + 24, x.ctypes.data - 8]
    header.set_kinds([RAW_ADDRESS, ARRAY_ID])
    header.set_arguments(4096, id(x))
    assert run(header.address) == Status.DONE
    assert target.tolist() == [4096, x.ctypes.data + 24, 4088]


def test_patches_where_the_layout_of_ndarray_is_unknown(monkeypatch):
    monkeypatch.setattr(virtual_machine, "ARRAY_DATA_OFFSET", None)
    target, at = cells(0)
    header = Header(Instructions().table(), [(0, at[0], 0)], arguments=1)
    x = np.zeros(3)
    header.set_arrays(x)
    assert run(header.address) == Status.DONE
    assert target[0] == x.ctypes.data


def test_this_python_has_the_known_layout():
    assert object.__basicsize__ == virtual_machine.ARRAY_DATA_OFFSET


def test_trap_and_resume():
    data, (cell,) = cells(0)
    table = Instructions()
    table.emit(Opcode.HOST_CALL, 41)
    table.emit(Opcode.ADD, cell, 1)
    table.emit(Opcode.HOST_CALL, 42)
    table.emit(Opcode.ADD, cell, 10)
    header = Header(table.table())
    for _ in range(2):
        data[0] = 0
        assert (run(header.address), header.detail, data[0]) == (Status.HOST_CALL, 41, 0)
        data[0] = 100
        assert (run(header.address), header.detail, data[0]) == (Status.HOST_CALL, 42, 101)
        assert run(header.address) == Status.DONE and data[0] == 111


def test_patches_are_not_applied_again_on_resume():
    target, (cell,) = cells(0)
    table = Instructions()
    table.emit(Opcode.HOST_CALL, 0)
    header = Header(table.table(), [(0, cell, 0)], arguments=1)
    header.set_kinds([RAW_ADDRESS])
    header.set_arguments(77)
    assert run(header.address) == Status.HOST_CALL and target[0] == 77
    target[0] = 5
    assert run(header.address) == Status.DONE and target[0] == 5


def test_reset_forgets_a_run_half_way():
    table = Instructions()
    table.emit(Opcode.HOST_CALL, 1)
    table.emit(Opcode.HOST_CALL, 2)
    header = Header(table.table())
    for _ in range(3):
        assert run(header.address) == Status.HOST_CALL and header.detail == 1
        header.reset()


def test_a_program_run_inside_a_trap_of_another():
    data, (count, limit) = cells(0, 5)
    outer = Instructions()
    outer.emit(Opcode.HOST_CALL, 9)
    header = Header(outer.table())
    assert run(header.address) == Status.HOST_CALL
    assert execute(counting_loop(count, limit)) == Status.DONE
    assert run(header.address) == Status.DONE and data[0] == 5


def test_check():
    byte = np.array([1], np.uint8)
    table = Instructions()
    table.emit(Opcode.CHECK, byte.ctypes.data, 13)
    header = Header(table.table())
    assert run(header.address) == Status.DONE
    byte[0] = 0
    assert (run(header.address), header.detail) == (Status.CHECK_FAILED, 13)


def test_an_unknown_opcode():
    rows = Instructions().table()
    rows[0, 0] = 99
    header = Header(rows)
    assert (run(header.address), header.detail) == (Status.BAD_OPCODE, 99)


def test_interrupt_and_go_on():
    data, (count, limit) = cells(0, 200_000_000_000)
    header = Header(counting_loop(count, limit).table())
    said = []
    thread = threading.Thread(target=lambda: said.append(run(header.address)))
    thread.start()
    time.sleep(0.05)
    header.interrupt()
    thread.join()
    assert said == [Status.INTERRUPTED] and 0 < data[0] < data[1]
    header.interrupt(False)
    seen = int(data[0])
    data[1] = seen + 10
    assert run(header.address) == Status.DONE and data[0] == seen + 10


def test_lists_grow_shrink_and_are_read():
    lists = GrowableLists(2)
    source, (first, second, index, limit, got) = cells(0, 0, 0, 1000, 0)
    push = Instructions()
    test = push.emit(Opcode.JUMP_IF_GE, first, limit, 0)
    push.emit(Opcode.PUSH, lists.address(0), first, 16)
    push.emit(Opcode.PUSH, lists.address(1), first, 8)
    push.emit(Opcode.ADD, first, 1)
    push.emit(Opcode.ADD, second, -1)
    push.emit(Opcode.JUMP, test)
    push.aim(test)
    assert execute(push) == Status.DONE
    assert lists.used(0) == 16000 and lists.used(1) == 8000
    peek = Instructions()
    peek.emit(Opcode.PEEK, lists.address(0), index, first, 16, 16)
    for entry in (0, 1, 500, 999):
        source[2] = entry
        assert execute(peek) == Status.DONE
        assert source[:2].tolist() == [entry, -entry]
    pop = Instructions()
    pop.emit(Opcode.POP, lists.address(1), got, 8)
    for expected in (999, 998):
        assert execute(pop) == Status.DONE and source[4] == expected
    clear = Instructions()
    clear.emit(Opcode.CLEAR, lists.address(1))
    assert execute(clear) == Status.DONE and lists.used(1) == 0
    assert lists.blocks[1, 0] != 0, "a cleared list keeps its memory"
    lists.free()
    assert not lists.blocks.any()
    assert execute(push) == Status.DONE, "a freed list may be used again"


@pytest.mark.parametrize("index", [-2, 1, 1 << 40])
def test_reading_outside_a_list(index):
    lists = GrowableLists(1)
    _data, (cell, at, out) = cells(5, index, 0)
    table = Instructions()
    table.emit(Opcode.PUSH, lists.address(0), cell, 8)
    table.emit(Opcode.PEEK, lists.address(0), at, out, 8, 8)
    header = Header(table.table())
    assert (run(header.address), header.detail) == (Status.LIST_RANGE, index)


def test_popping_an_empty_list():
    lists = GrowableLists(1)
    data, (cell,) = cells(5)
    table = Instructions()
    table.emit(Opcode.POP, lists.address(0), cell, 8)
    assert execute(table) == Status.LIST_RANGE and data[0] == 5


def test_a_list_that_memory_cannot_hold():
    lists = GrowableLists(1)
    _, (cell,) = cells(5)
    table = Instructions()
    table.emit(Opcode.PUSH, lists.address(0), cell, 1 << 60)
    assert execute(table) == Status.OUT_OF_MEMORY
    assert lists.used(0) == 0


def test_other_python_threads_go_on_while_it_runs():
    _data, (count, limit) = cells(0, 200_000_000_000)
    header = Header(counting_loop(count, limit).table())
    thread = threading.Thread(target=run, args=(header.address,))
    thread.start()
    assert sum(range(1000)) == 499500  # would hang here, were the GIL held
    header.interrupt()
    thread.join(10)
    assert not thread.is_alive()


def test_the_words_of_a_header_are_where_the_text_says():
    header = Header(Instructions().table())
    assert ctypes.c_int64.from_address(header.address + 8 * HeaderWord.CODE).value == header.table.ctypes.data
