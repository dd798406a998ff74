"""Captured programs whose ranks exchange different things: named before the first exchange, and never in vain."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.errors import ExchangeError
from vitrify.ops.exchange_outline import Exchanged, Nested, Outline, compared, parting


def step(name: str, *sizes: int | str, line: int = 1) -> Exchanged:
    return Exchanged(name, "f32", sizes, "sum", "train.py", line)


A, B, C = step("all_reduce", 4), step("all_gather", 4), step("all_reduce", 5)
LOOP = Nested("while", ((), (A, B)))


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ([A, B], [A, B], None),
        ([A, B], [A, C], ([1], B, C)),
        ([A, C], [A, A], ([1], C, A)),
        ([A], [A, B], ([1], None, B)),
        ([A, step("all_reduce", "n")], [A, C], None),  # only a run knows n
        ([step("all_reduce", "n", 2)], [step("all_reduce", "n", 3)], ([0], *[step("all_reduce", "n", k) for k in (2, 3)])),
        ([A, LOOP, B], [A, LOOP, C], ([2], B, C)),
        ([LOOP], [Nested("while", ((), (A, A)))], ([0, 1], B, A)),
        ([A, LOOP, B], [A, A, B, C], None),  # one has unrolled the loop, perhaps
        ([LOOP, B], [Nested("if", ((A,), ())), C], None),
        ([LOOP], [], None),
    ],
)  # fmt: skip
def test_programs_part_where_that_is_sure(one: list[Any], other: list[Any], found: Any) -> None:
    assert parting(one, other) == found
    swapped = parting(other, one)
    assert swapped == (None if found is None else (found[0], found[2], found[1]))


def test_lines_do_not_count() -> None:
    made = Outline("f", (A, LOOP)), Outline("f", (step("all_reduce", 4, line=7), LOOP))
    assert made[0].number == made[1].number != Outline("f", (LOOP, A)).number
    assert 0 < made[0].number < 1 << 30
    assert compared((0, 1), made) is None


def test_outlines_travel_as_texts() -> None:
    made = Outline("f", (A, LOOP, step("all_reduce", "n", 2)))
    again = Outline.parse(made.text)
    assert (again.program, again.steps) == ("f", made.steps)


def test_ranks_without_an_outline_are_not_compared() -> None:
    assert compared((0, 1, 2), [Outline("f", (A,)), None, Outline("f", (A,))]) is None
    error = compared((0, 3, 7), [Outline("f", (A,)), None, Outline("g", (LOOP, B))])
    assert error is None
    error = compared((0, 3, 7), [Outline("f", (A,)), None, Outline("g", (A, B))])
    assert error is not None
    assert "rank 0, `f`: no further exchange\n  rank 7, `g`: all_gather(f32[4], sum)   train.py:1" in str(error)


def different(x: Any) -> Any:
    x = dist.all_reduce_of(x, "mean")
    if dist.get_rank() == 1:
        return dist.all_gather_of(x).sum(0)
    return dist.all_reduce_of(x, "max")


def test_ranks_hear_of_another_program_at_its_first_exchange() -> None:
    heard: list[str] = []

    def rank() -> None:
        x = vt.ones([5]) * (1.0 + dist.get_rank())
        try:
            vt.to_static(different)(x)
        except ExchangeError as error:
            heard.append(str(error))

    dist.run_ranks(rank, ranks=3)
    assert len(heard) == 3
    for text in heard:
        assert "the programs of the ranks differ at exchange 2:" in text
        assert "rank 0, `different`: all_reduce(f32[5], max)   test_exchange_outlines.py:" in text
        assert "rank 1, `different`: all_gather(f32[5])" in text and "rank 2, `different`: all_reduce" in text


def test_other_shapes_in_a_later_exchange_are_named_at_the_first() -> None:
    def rank() -> Any:
        @vt.to_static
        def shapes(x: Any) -> Any:
            dist.barrier()
            return dist.all_reduce_of(vt.concat([x] * (1 + dist.get_rank())), "mean")

        return shapes(vt.ones([2]))

    with pytest.raises(ExchangeError, match=r"differ at exchange 2:\n.*f32\[2\], mean.*\n.*f32\[4\], mean"):
        dist.run_ranks(rank, ranks=2)


def test_a_loop_that_exchanges_something_else_is_named() -> None:
    def rank() -> Any:
        how = ("max", "min")[dist.get_rank()]

        @vt.to_static
        def loop(x: Any, n: Any) -> Any:
            x = dist.all_reduce_of(x)
            k = vt.zeros([], "int64")
            while k < n:
                x = dist.all_reduce_of(x, how)
                k = k + 1
            return x

        return loop(vt.ones([2]), vt.to_tensor(2))

    with pytest.raises(
        ExchangeError, match=r"`loop`: all_reduce\(f32\[2\], max\)(.|\n)*`loop`: all_reduce\(f32\[2\], min"
    ):
        dist.run_ranks(rank, ranks=2)


def test_one_rank_may_run_eagerly_and_programs_of_other_groups_differ() -> None:
    def rank() -> Any:
        me = dist.get_rank()
        pair = dist.new_group([0, 1] if me < 2 else [2, 3])

        def work(x: Any) -> Any:
            x = dist.all_reduce_of(x, "max" if me < 2 else "sum", group=pair)  # another one in each pair
            if me >= 2:
                x = dist.all_reduce_of(x, group=pair)
            if me == 0:
                dist.send(x, 3)
            elif me == 3:
                dist.recv(x, 0)
            return dist.all_reduce_of(x)

        run = work if me == 1 else vt.to_static(work)
        return [run(vt.ones([2]) * me).tolist() for _ in range(2)]

    found = dist.run_ranks(rank, ranks=4)
    assert found == [[[13.0, 13.0]] * 2] * 4  # 1 + 1 + 10 + 1


def test_after_the_first_run_nothing_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    from vitrify.distributed import simulator

    asked: list[int] = []
    monkeypatch.setattr(simulator, "compared", lambda group, outlines: asked.append(len(outlines)))

    def rank() -> None:
        run = vt.to_static(lambda x: dist.all_reduce_of(dist.all_reduce_of(x) * 0.5))
        for _ in range(5):
            run(vt.ones([2]))

    dist.run_ranks(rank, ranks=2)
    assert len(asked) == 2  # each rank's error, once
