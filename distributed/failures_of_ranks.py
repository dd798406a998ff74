"""What ranks of `vitrify launch` leave in the run's folder when they fail, and how the others learn of it."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import ExchangeError
from ..base.location import Loc

FOLDER = "VITRIFY_LAUNCH_FOLDER"  # the environment's name of the run's folder
LOST = "lost"  # the file with the numbers of ranks that an elastic run goes on without
ELASTIC = "VITRIFY_ELASTIC"  # "1": ranks may be lost
HEARD = 0.5  # seconds that the other ranks get to hear of a failure before the run is ended


@dataclass(frozen=True, slots=True)
class Failures:
    """The files in which failed ranks say why. `folder`: None where `vitrify launch` didn't start this process."""

    folder: Path | None

    @classmethod
    def of_launch(cls) -> Failures:
        """Those of the run that this process belongs to."""
        said = os.environ.get(FOLDER)
        return cls(Path(said) if said else None)

    def note(self, rank: int, text: str) -> None:
        """Write a rank's error with its time, so that the launcher knows the first. An earlier one stays."""
        assert self.folder is not None
        file = self.folder / f"rank-{rank}.error"
        if not file.exists():
            part = self.folder / f".rank-{rank}.part"
            part.write_text(f"{time.time():.6f}\n{text}")
            part.replace(file)

    def note_lost(self, ranks: list[int]) -> None:
        """Write down which ranks an elastic run goes on without."""
        if self.folder is not None:
            with (self.folder / LOST).open("a") as file:
                file.writelines(f"{rank}\n" for rank in ranks)

    def check(self, rank: int, where: Loc) -> None:
        """Errors: ExchangeError, with the rank and its reason, where another rank has failed."""
        for file in self.folder.glob("rank-*.error") if self.folder is not None else ():
            failed = int(file.stem.partition("-")[2])
            if failed != rank:
                _, *lines = file.read_text().splitlines()
                told = [line for line in lines if line and not line[0].isspace()]  # not excerpts and remedies
                raise ExchangeError(f"rank {failed} has failed: {told[-1] if told else 'no reason'}").at(where)
