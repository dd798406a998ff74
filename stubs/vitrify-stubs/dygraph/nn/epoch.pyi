# Written by `make stubs`; edits here are lost.

from abc import ABCMeta as _ABCMeta

class LayerType(_ABCMeta):
    """The class of layers' classes: to set or delete a method or attribute of one counts as a change of layers.

    It is an ABCMeta, so that a layer can be an abstract class, too. A metaclass of one's own is derived from it
    (`type(nn.Layer)`)."""
