"""PaddlePaddle's profiler: schedules, ranges, traces, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import profiler
from vitrify.base.errors import ArgumentError, ModeError
from vitrify.profiler import ProfilerState as State


@pytest.mark.parametrize(
    ("options", "states"),
    [
        ({"closed": 0, "ready": 1, "record": 1, "repeat": 1}, "READY RETURN CLOSED CLOSED"),
        ({"closed": 1, "ready": 1, "record": 2}, "CLOSED READY RECORD RETURN CLOSED READY"),
        ({"closed": 1, "ready": 0, "record": 1, "skip_first": 2}, "CLOSED CLOSED CLOSED RETURN CLOSED RETURN"),
    ],
)
def test_schedules(options: dict[str, int], states: str) -> None:
    schedule = profiler.make_scheduler(**options)
    found = [schedule(k).name.replace("RECORD_AND_RETURN", "RETURN") for k in range(len(states.split()))]
    assert " ".join(found) == states


def test_recorded_steps_are_handed_over() -> None:
    seen: list[tuple[int, int]] = []
    x = vt.ones([4])

    def ready(p: Any) -> None:
        seen.append((p.step_num, sum(row.calls for row in p.result.ops if row.name == "exp")))

    schedule = profiler.make_scheduler(closed=1, ready=1, record=2)
    with profiler.Profiler(scheduler=schedule, on_trace_ready=ready) as p:
        for _ in range(9):
            vt.exp(x)
            p.step()
    assert seen == [(4, 2), (8, 2)]
    assert p.current_state is State.CLOSED


def test_a_pair_names_steps() -> None:
    x = vt.ones([4])
    with profiler.Profiler(targets=[profiler.ProfilerTarget.CPU], scheduler=(2, 5)) as p:
        for _ in range(8):
            vt.exp(x)
            p.step()
    assert [row.calls for row in p.result.ops if row.name == "exp"] == [3]


def test_ranges_as_blocks_decorators_and_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    @profiler.RecordEvent("decorated")
    def work() -> int:
        return 7

    pair = profiler.RecordEvent("pair")
    pair.end()
    with profiler.Profiler() as p:
        with profiler.RecordEvent("block"):
            assert work() == 7
        pair.begin()
        pair.end()
        p.step(num_samples=8)
    assert {row.name: row.calls for row in p.result.ranges} == {"block": 1, "decorated": 1, "pair": 1}
    assert "samples/s" in p.step_info() and p.step_info() == ""
    p.summary()
    assert "block" in capsys.readouterr().out


def test_traces_are_written_per_cycle(tmp_path: Path) -> None:
    write = profiler.export_chrome_tracing(str(tmp_path / "log"), "worker")
    with profiler.Profiler(scheduler=lambda step: State.RECORD_AND_RETURN, on_trace_ready=write) as p:
        for _ in range(2):
            vt.ones([3]) + 1.0
            p.step()
    files = sorted((tmp_path / "log").glob("worker_time_*.paddle_trace.json"))
    assert len(files) == 3
    assert all("traceEvents" in json.loads(file.read_text()) for file in files)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="no GPU here"):
        profiler.Profiler(targets=[profiler.ProfilerTarget.GPU])
    with pytest.raises(ArgumentError, match="names no steps"):
        profiler.Profiler(scheduler=(3, 3))
    with pytest.raises(ArgumentError, match="not all 0"):
        profiler.make_scheduler(closed=0, ready=0, record=0)
    with pytest.raises(ArgumentError, match="counted from 0"):
        profiler.make_scheduler(closed=0, ready=0, record=1)(-1)
    with pytest.raises(ModeError, match="no step has been recorded"):
        profiler.Profiler(timer_only=True).result
    with profiler.Profiler() as p:
        pass
    with pytest.raises(ArgumentError, match='use format="json"'):
        p.export(str(tmp_path / "x"), format="pb")
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="can't be made"):
        profiler.export_chrome_tracing(str(tmp_path / "file" / "log"))
