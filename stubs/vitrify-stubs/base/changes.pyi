# Written by `make stubs`; edits here are lost.

from abc import ABCMeta as _ABCMeta
from builtins import frozenset as _frozenset
from builtins import str as _str

class Counted:
    """Base of classes whose attributes are settings that captured code reads: to set or delete one is counted.

    Objects that tally what each step does (schedulers, metrics) are none: each step would be such a change."""
    read_by_runs: _frozenset[_str]

class LayerType(_ABCMeta):
    """The class of layers' classes: to set or delete a method or attribute of one counts as a change of layers.

    It is an ABCMeta, so that a layer can be an abstract class, too. A metaclass of one's own is derived from it
    (`type(nn.Layer)`)."""
