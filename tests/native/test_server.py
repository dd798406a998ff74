"""The HTTP server of examples/server: its answers, what it refuses, and that it goes on after that."""

from __future__ import annotations

import contextlib
import http.client
import importlib
import json
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import vitrify as vt

from .models import EXAMPLES, digits, numbers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("ziglang", "sklearn"),
    pytest.mark.skipif((platform.machine(), sys.platform) != ("x86_64", "linux"), reason="the server is for Linux"),
]
MOST_BYTES = 25_000_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, int]]:
    """A network and the port of its server."""
    net = digits()
    net.eval()
    sys.path.insert(0, str(EXAMPLES / "server"))
    try:
        made = importlib.import_module("make_server").make_server(net, tmp_path_factory.mktemp("server"))
    finally:
        sys.path.remove(str(EXAMPLES / "server"))
    assert made.stat().st_size < MOST_BYTES
    with subprocess.Popen([str(made), "0", "3"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield net, int(process.stdout.readline().rpartition(":")[2])
        assert process.poll() is None, "it has gone on"
        process.terminate()


def ask(port: int, method: str, path: str, body: Any = None) -> tuple[int, str]:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_it_predicts_what_python_predicts(served: tuple[Any, int]) -> None:
    net, port = served
    images = [numbers(n, 1, 8, 8) for n in (1, 3, 64, 2)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda x: ask(port, "POST", "/predict", json.dumps(x.tolist())), images))
    for x, (status, text) in zip(images, answers, strict=True):
        assert status == 200
        found = json.loads(text)
        logits = net(vt.to_tensor(x)).numpy()
        np.testing.assert_allclose([one["logits"] for one in found], logits, rtol=2e-4, atol=1e-5)
        assert [one["digit"] for one in found] == [int(np.argmax(one["logits"])) for one in found]


def test_a_connection_is_kept(served: tuple[Any, int]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served[1], timeout=30)
    for _ in range(3):
        connection.request("POST", "/predict", json.dumps([0.5] * 64))
        answer = connection.getresponse()
        assert answer.status == 200
        assert len(json.loads(answer.read())) == 1
    connection.close()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 400), ("[]", 400), ("[1, 2]", 400), ("nonsense", 400), ("[" * 9, 400), ("]", 400), ("1" * 64, 400),
        (json.dumps([0.0] * 65 * 64), 413), ("[" + "1," * 300_000 + "1]", 413),
    ],
)  # fmt: skip
def test_bad_requests_are_refused(body: str, status: int, served: tuple[Any, int]) -> None:
    try:
        found, text = ask(served[1], "POST", "/predict", body)
    except (BrokenPipeError, ConnectionResetError):  # it answers and closes before all has come
        assert status == 413
    else:
        assert found == status
        assert "error" in json.loads(text)
    assert ask(served[1], "GET", "/health") == (200, "ok\n")


def test_other_paths_and_the_metrics(served: tuple[Any, int]) -> None:
    assert ask(served[1], "GET", "/predictions")[0] == 404
    _, text = ask(served[1], "GET", "/metrics")
    found = dict(line.split() for line in text.splitlines())
    assert set(found) == {"requests_total", "failures_total", "model_seconds_total"}
    assert int(found["requests_total"]) > int(found["failures_total"]) > 0


def test_half_a_request_ends_nothing(served: tuple[Any, int]) -> None:
    for text in (b"", b"POST /predict HT", b"POST /predict HTTP/1.1\r\nContent-Length: 99\r\n\r\n[1,", b"\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", served[1])) as connection:
            connection.sendall(text)
    assert ask(served[1], "GET", "/health") == (200, "ok\n")
