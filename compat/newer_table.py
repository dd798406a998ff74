"""The part of the table that holds the folders which PaddlePaddle gained after release 2.0, but incubate."""

from __future__ import annotations

from .named import from_module as _from

NEWER: dict[str, dict[str, str]] = {
    "audio": {},
    "audio.backends": _from("audio.wave_files", "get_current_backend list_available_backends set_backend"),
    "audio.functional": {},
    "audio.functional.window": {"get_window": "audio.functional:get_window"}
    | _from("audio.window_functions", "bartlett_window blackman_window hamming_window hann_window kaiser_window"),
}
