"""A headless Chromium for tests, driven through the DevTools protocol over a pair of pipes. Standard library only."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

with contextlib.suppress(ImportError):  # not on Windows
    import fcntl

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--remote-debugging-pipe", "--window-size=1440,900",
)  # fmt: skip


def program() -> str | None:
    """The browser on this machine, if there is one."""
    if not hasattr(os, "posix_spawn"):
        return None
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    """One browser with one tab. `requests`, `errors`: what the tab asked the network for, what its console showed."""

    def __init__(self, executable: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="vitrify-browser-")
        to_read, self._to = os.pipe()
        self._from, from_write = os.pipe()
        nothing = os.open(os.devnull, os.O_RDWR)
        ends = (nothing, nothing, nothing, to_read, from_write)  # what the browser has as 0 to 4; the pipes are 3 and 4
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20) for fd in ends]
        command = [executable, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        moves = [(os.POSIX_SPAWN_DUP2, fd, k) for k, fd in enumerate(high)]
        self._process = os.posix_spawn(executable, command, os.environ, file_actions=moves)
        for fd in (*high, to_read, from_write, nothing):
            os.close(fd)
        self._buffer = b""
        self._count = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def close(self) -> None:
        """End it."""
        os.kill(self._process, signal.SIGTERM)
        end = time.monotonic() + 10
        while os.waitpid(self._process, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.kill(self._process, signal.SIGKILL)
            time.sleep(0.02)
        os.close(self._to), os.close(self._from)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- the protocol

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method and wait for its answer."""
        self._count += 1
        number = self._count
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            got = self._next()
            if got.get("id") == number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]  # type: ignore[no-any-return]
            self._event(got)

    def _next(self, seconds: float = 60.0) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._from], [], [], left)[0]:
                raise TimeoutError("the browser doesn't answer")
            chunk = os.read(self._from, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)  # type: ignore[no-any-return]

    def _event(self, got: dict[str, Any]) -> None:
        params = got.get("params", {})
        match got.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.errors.append(str([a.get("value", a.get("description")) for a in params["args"]]))
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.errors.append(params["entry"]["text"])

    # ---- what a user does

    def open(self, page: str | Path, *, width: int = 1440, height: int = 900, scheme: str = "light") -> None:
        """Load a file and wait until it is shown."""
        self.requests.clear(), self.errors.clear()
        self.look(width, height, scheme)
        self.send("Page.navigate", url=Path(page).resolve().as_uri())
        self.wait("document.readyState === 'complete'")

    def look(self, width: int, height: int, scheme: str) -> None:
        """The window's size and the user's preference."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def js(self, expression: str) -> Any:
        """The value of an expression."""
        got = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"]["exception"].get("description", expression))
        return got["result"].get("value")

    def wait(self, condition: str, seconds: float = 20.0) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.js(condition):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.02)

    def place(self, element: str) -> tuple[float, float]:
        """The middle of an element (an expression), scrolled into view."""
        text = f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'nearest', inline: 'start'}});"
        text += " const r = e.getBoundingClientRect(); return [r.left + Math.min(r.width / 2, 60), r.top + r.height / 2]; })()"
        x, y = self.js(text)
        return float(x), float(y)

    def point(self, element: str) -> None:
        """Move the mouse there."""
        x, y = self.place(element)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, element: str) -> None:
        """Click it."""
        x, y = self.place(element)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    def wheel(self, element: str, delta: float) -> None:
        """Turn the wheel over it."""
        x, y = self.place(element)
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def drag(self, element: str, dx: float, dy: float) -> None:
        """Press, move, let go."""
        x, y = self.place(element)
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + dx, y=y + dy, button="left", buttons=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=x + dx, y=y + dy, button="left", clickCount=1)

    def key(self, name: str) -> None:
        """Press a key by its name: "a", "Enter", "ArrowDown"."""
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9}
        extra: dict[str, Any] = {"windowsVirtualKeyCode": codes[name]} if name in codes else {}
        text = {"text": name} if len(name) == 1 else {"text": "\r"} if name == "Enter" else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=name, **extra, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=name, **extra)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        for character in text:
            self.key(character)

    def picture(self, kind: str = "webp") -> bytes:
        """The window as a picture."""
        return base64.b64decode(self.send("Page.captureScreenshot", format=kind, quality=80)["data"])

    def screenshot(self, path: str | Path) -> None:
        """The window as PNG, in a file."""
        Path(path).write_bytes(self.picture("png"))

    def pdf(self, path: str | Path) -> None:
        """The page as printed."""
        Path(path).write_bytes(base64.b64decode(self.send("Page.printToPDF", printBackground=True)["data"]))
