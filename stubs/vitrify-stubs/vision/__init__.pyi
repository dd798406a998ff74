# Written by `make stubs`; edits here are lost.

from vitrify.vision import datasets as datasets
from vitrify.vision import models as models
from vitrify.vision import transforms as transforms
