# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from vitrify.training.callback import Callback as Callback
from vitrify.training.callback import CallbackList as CallbackList
from vitrify.training.callbacks import EarlyStopping as EarlyStopping
from vitrify.training.callbacks import LRScheduler as LRScheduler
from vitrify.training.callbacks import ModelCheckpoint as ModelCheckpoint
from vitrify.training.callbacks import ReduceLROnPlateau as ReduceLROnPlateau
from vitrify.training.history import History as History
from vitrify.training.loggers import CSVLogger as CSVLogger
from vitrify.training.loggers import TensorBoard as TensorBoard
from vitrify.training.loggers import VisualDL as VisualDL
from vitrify.training.progress import ProgBarLogger as ProgBarLogger
