"""The clocked VM's looks at the clock: how long each instruction took. It is entered with notes; see NotesWord."""

from .layout import EventRow, NotesWord, RowSum
from .primitives import at, call_clock, helper, load, store


@helper
def look(notes: int) -> int:
    """Nanoseconds on the clock."""
    moment = load(at(notes, NotesWord.MOMENT))
    call_clock(load(at(notes, NotesWord.CLOCK)), load(at(notes, NotesWord.CLOCK_ID)), moment)
    return load(moment) * 1000000000 + load(at(moment, 1))


@helper
def header_of(task: int) -> int:
    """The header of the program that the notes are about."""
    return load(at(task, NotesWord.HEADER))


@helper
def before_steps(task: int) -> int:
    """The time before the first instruction."""
    return look(task)


@helper
def after_step(task: int, row: int, moment: int) -> int:
    """Add the time since `moment` to a row, and to the events unless it is short; the time now."""
    end = look(task)
    sums = at(load(at(task, NotesWord.SUMS)), RowSum.COUNT * row)
    spent = at(sums, RowSum.NANOSECONDS)
    calls = at(sums, RowSum.CALLS)
    store(spent, load(spent) + end - moment)
    store(calls, load(calls) + 1)
    if end - moment >= load(at(task, NotesWord.SHORTEST_EVENT)):
        seen = load(at(task, NotesWord.EVENTS_SEEN))
        if seen < load(at(task, NotesWord.EVENT_ROOM)):
            event = at(load(at(task, NotesWord.EVENTS)), EventRow.COUNT * seen)
            store(at(event, EventRow.ROW), row)
            store(at(event, EventRow.START), moment)
            store(at(event, EventRow.END), end)
        store(at(task, NotesWord.EVENTS_SEEN), seen + 1)
    return end
