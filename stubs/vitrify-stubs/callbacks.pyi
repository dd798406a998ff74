# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from vitrify.training.callbacks import CSVLogger as CSVLogger
from vitrify.training.callbacks import Callback as Callback
from vitrify.training.callbacks import CallbackList as CallbackList
from vitrify.training.callbacks import EarlyStopping as EarlyStopping
from vitrify.training.callbacks import LRScheduler as LRScheduler
from vitrify.training.callbacks import ModelCheckpoint as ModelCheckpoint
from vitrify.training.callbacks import ProgBarLogger as ProgBarLogger
from vitrify.training.callbacks import ReduceLROnPlateau as ReduceLROnPlateau
