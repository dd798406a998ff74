"""Exceptions hold the very objects from outside that the call has left as they were."""

import vitrify as vt


class Stop(Exception):
    def __init__(self, trainer, notes=()):
        super().__init__("stop")
        self.trainer, self.notes = trainer, notes


class Trainer:
    def __init__(self):
        self.best = vt.ones([1])
        self.notes = []
        self.inner = {"of": self}
        self.count = 0


def test_an_object_that_an_exception_carries_out_is_that_object():
    def run(mode):
        trainer, other = Trainer(), Trainer()

        @mode
        def turn(x):
            other.count += 1  # another object changes
            if x.sum() > 1:
                raise Stop(trainer, [trainer.notes, x.sum()])
            return x

        shown = []
        for x in (2.0, 0.0, 3.0):
            try:
                turn(vt.to_tensor([x]))
            except Stop as stop:
                shown.append((stop.trainer is trainer, stop.trainer.best is trainer.best, stop.args))
                shown.append((stop.notes[0] is trainer.notes, stop.notes[1].item()))
                stop.trainer.notes.append(x)
                stop.notes[0].append("seen")
        return shown, trainer.notes

    assert run(vt.to_static) == run(lambda fn: fn)


def test_an_object_that_is_replaced_between_calls():
    def run(mode):
        class Holder:
            trainer = Trainer()

        @mode
        def turn(x):
            if x.sum() > 1:
                raise Stop(Holder.trainer)
            return x

        shown = []
        for x in (2.0, 3.0, 4.0):
            Holder.trainer = Trainer()
            try:
                turn(vt.to_tensor([x]))
            except Stop as stop:
                shown.append(stop.trainer is Holder.trainer)
        return shown

    assert run(vt.to_static) == run(lambda fn: fn) == [True] * 3


def test_an_object_among_the_arguments():
    def run(mode):
        @mode
        def turn(x, trainer):
            if x.sum() > 1:
                raise Stop(trainer, {"notes": trainer.notes})
            return x

        shown = []
        for x in (2.0, 3.0, 4.0):
            trainer = Trainer()
            try:
                turn(vt.to_tensor([x]), trainer)
            except Stop as stop:
                shown.append((stop.trainer is trainer, stop.notes["notes"] is trainer.notes))
        return shown

    assert run(vt.to_static) == run(lambda fn: fn) == [(True, True)] * 3
