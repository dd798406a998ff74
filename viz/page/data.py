"""Everything that a report shows, as plain data: numbers, strings, lists, dicts; the page needs nothing else.

A *place* is a line of the user's files, an *operation* a number that lasts through all passes. Each thing that is shown
names its operations, each operation its places; so the page can link everything with everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...base.location import Loc, is_library_file
from ...base.notebook import cell_of
from ...ir.core import Operation
from ...passes.fusion.unfused import Apart, unfused
from ...runtime.observe.profile import Profile
from ...runtime.observe.step_titles import role_of
from ...runtime.observe.subject import Part, Routine, Subject
from .excerpts import excerpts
from .layers import parameters_of
from .stages import Story, follow
from .summary import LineTimes, summary
from .times import PartTimes, part_times
from .vm import measured, vm_data

OTHER = (
    "The steps of {} aren't those that its stages lead to: options of to_static, such as a memory limit, chose others. "
    "Steps and stages are linked by lines only."
)


def page_data(subject: Subject, profile: Profile | None = None) -> dict[str, Any]:
    """The data of one page."""
    stories = [(part, follow(part.program, part.steps)) for part in subject.parts]
    routines = subject.routines or tuple(excerpts(loc for _, story in stories for loc in locations(story)))
    places = Places(routines)
    times = [None if profile is None else part_times(part, story, profile) for part, story in stories]
    parts = [_part(part, story, places, spent) for (part, story), spent in zip(stories, times, strict=True)]
    return {
        "name": short_name(subject.name),
        "kind": subject.kind,
        "notes": [*subject.notes, *(OTHER.format(part.name) for part, story in stories if story.is_other)],
        "routines": [_routine(r, places) for r in routines],
        "parts": parts,
        "places": places.listed(),
        "summary": summary(subject, parts, times),
        "times": _line_times([t for t in times if t is not None], places),
        "versions": [
            [v.number, v.arguments, v.reason, v.seconds, [list(g) for g in v.guards]] for v in subject.versions
        ],
        "certificate": {
            "hash": subject.certificate,
            "rows": [
                [places.of(v.file, v.line), v.routine, v.line, v.text, v.verdict, v.detail] for v in subject.verdicts
            ],
        },
    }


class Places:
    """Lines of the user's files, numbered; only those of the routines that are shown are places."""

    def __init__(self, routines: Iterable[Routine]) -> None:
        self.numbers: dict[tuple[str, int], int] = {}
        self.routine: list[int] = []  # which routine each is a line of
        for which, routine in enumerate(routines):
            for k in range(len(routine.lines)):
                if (routine.file, routine.first + k) not in self.numbers:
                    self.numbers[routine.file, routine.first + k] = len(self.numbers)
                    self.routine.append(which)

    def of(self, file: str, line: int) -> int:
        """The number of a line; -1 for one that isn't shown."""
        return self.numbers.get((file, line), -1)

    def chain(self, loc: Loc | None) -> list[int]:
        """The lines of a location, the innermost first, then the calls that led there.

        The body of a loop is called by the line of its head, in the same routine: that one isn't a caller.
        """
        found: dict[int, None] = {}
        inside = -1
        while loc is not None and loc.file:
            number = self.of(loc.file, loc.line)
            if number >= 0 and self.routine[number] != inside:
                found[number] = None
                inside = self.routine[number]
            loc = loc.caller
        return list(found)

    def listed(self) -> list[str]:
        """`file:line` of each."""
        return [Loc(file, line).short() for file, line in self.numbers]


def locations(story: Story) -> Iterable[Loc]:
    """The places of all operations of all stages."""
    for stage in story.stages:
        for row in stage.rows:
            loc = row.operation.loc if row.operation is not None else None
            while loc is not None and loc.file:
                if not is_library_file(loc.file):
                    yield loc
                loc = loc.caller


def _routine(routine: Routine, places: Places) -> dict[str, Any]:
    return {
        "name": short_name(routine.name),
        "file": _shown(routine.file),
        "first": routine.first,
        "lines": list(routine.lines),
        "places": [places.of(routine.file, routine.first + k) for k in range(len(routine.lines))],
        "code": list(routine.code),
        "codePlaces": [places.of(routine.file, line) if line else -1 for line in routine.code_lines],
    }


def short_name(name: str) -> str:
    """The name of a function without those that it stands in.

    >>> short_name("make.<locals>.Net.forward")
    'Net.forward'
    """
    return name.rpartition("<locals>.")[2]


def _shown(file: str) -> str:
    """A file as the page names it: below the folder that is worked in by its path, else by its name alone."""
    if cell_of(file):
        return f"cell {cell_of(file)}"
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name


def _line_times(times: Iterable[PartTimes], places: Places) -> dict[str, Any] | None:
    """Seconds of a call by line; None without a profile."""
    made, known = LineTimes(), False
    for part in times:
        known = True
        for operation, seconds in part.operations.items():
            made.add(operation, seconds, places.chain(operation.loc), _home(operation, places))
    return made.data() if known else None


def _home(operation: Operation, places: Places) -> list[int]:
    """The lines at which a gradient's time can be counted: those of the operation forward; of others their own."""
    purpose = operation.loc.purpose
    found = [] if purpose is None else places.chain(purpose.place)
    return found or places.chain(operation.loc)


def _part(part: Part, story: Story, places: Places, times: PartTimes | None) -> dict[str, Any]:
    numbers = story.numbers
    texts: dict[str, int] = {}
    stages = []
    for stage in story.stages:
        rows: list[int] = []
        for row in stage.rows:
            rows += [
                texts.setdefault(row.text, len(texts)),
                -1 if row.operation is None else numbers[row.operation],
            ]
        stages.append({"name": stage.name, "ms": round(stage.seconds * 1000, 2), "rows": rows})
    made = vm_data(part, story, numbers)
    layers: dict[str, int] = {}
    parameters = {layers.setdefault(k, len(layers)): v for k, v in parameters_of(part.program).items()}
    return {
        "name": part.name,
        "program": part.program.name,
        "sizes": dict(part.sizes),
        "texts": list(texts),
        "stages": stages,
        "ready": story.ready,
        **made,
        "graphs": [{"name": name, **made} for name, made in story.pictures.items()],
        "folded": story.layers,
        "apart": [_apart(item, places) for item in unfused(part.program)],
        "profile": None if times is None else measured(times, numbers),
        "ops": [[o.name, *_places_of(o, places), _layers_of(o, layers), _role(o)] for o in numbers],
        "layers": list(layers),
        "parameters": {number: [len(read), sum(read.values())] for number, read in parameters.items()},
    }


def _apart(item: Apart, places: Places) -> list[Any]:
    """Two neighbours that are no single kernel: the reader's line, both, the rule, why, and what one can do."""
    place = places.chain(item.loc)
    rule = f"{item.rule} ({item.detail})" if item.detail else item.rule
    return [place[0] if place else -1, item.producer, item.consumer, rule, item.why, item.edit]


def _places_of(operation: Operation, places: Places) -> tuple[list[int], list[int]]:
    """The lines that an operation stands for, and those that led there. A group stands for all that is in it."""
    own: dict[int, None] = {}
    via: dict[int, None] = {}
    for inner in _inside(operation):
        chain = places.chain(inner.loc)
        own.update(dict.fromkeys(chain[:1]))
        via.update(dict.fromkeys(chain[1:]))
    return list(own), [v for v in via if v not in own]


def _layers_of(operation: Operation, layers: dict[str, int]) -> list[int]:
    """The numbers of the layers that an operation belongs to."""
    found = dict.fromkeys(o.loc.layer for o in _inside(operation) if o.loc.layer)
    return [layers.setdefault(name, len(layers)) for name in found]


def _role(operation: Operation) -> int:
    """Forward, gradient or update (step_titles.py); of a group what most of its operations are."""
    roles = [role_of(o) for o in _inside(operation) if o.name != "constant"] or [0]
    return max(sorted(set(roles)), key=roles.count)


def _inside(operation: Operation) -> list[Operation]:
    """The operations of a group; of others itself."""
    if operation.name != "group":
        return [operation]
    return [o for block in operation.blocks for o in block.operations if not o.is_terminator]
