"""A headless Chromium, driven over the DevTools protocol."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import websocket

SECONDS = 60


class Browser:
    """A Chromium with an empty profile, which ends with the block that uses it."""

    def __enter__(self):
        program = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
        if not program:
            raise OSError("no chromium; install it with `Tools/install-dependencies chromium`")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--remote-debugging-port=0",
                f"--user-data-dir={self.profile.name}",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.socket = websocket.create_connection(self.endpoint(), timeout=SECONDS, suppress_origin=True)
        self.number, self.events = 0, []
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def endpoint(self):
        file, end = Path(self.profile.name) / "DevToolsActivePort", time.monotonic() + SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise OSError(f"chromium ended with status {self.process.returncode}")
            lines = file.read_text().splitlines() if file.exists() else []
            if len(lines) == 2:
                return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            time.sleep(0.05)
        raise OSError(f"chromium did not start within {SECONDS} s")

    def send(self, method, session=None, **parameters):
        """Calls a method of the protocol, and keeps the events that come before its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        self.socket.send(json.dumps({**message, "sessionId": session} if session else message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise OSError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)


class Tab:
    """A page at one size, with or without JavaScript, in light or dark."""

    def __init__(self, browser, size=(1280, 800), scripts=True, dark=False, still=False):
        self.browser = browser
        self.target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=size[0],
            height=size[1],
            deviceScaleFactor=1,
            mobile=size[0] < 600,
        )
        self.send(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
            ],
        )
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def open(self, address):
        """Opens a page, and waits until it and its scripts are loaded."""
        self.browser.events.clear()
        self.send("Page.navigate", url=address)
        end = time.monotonic() + SECONDS
        while not self.is_loaded():
            if time.monotonic() > end:
                raise OSError(f"{address} does not load within {SECONDS} s")
            time.sleep(0.02)

    def is_loaded(self):
        try:
            return self.evaluate("location.href !== 'about:blank' && document.readyState === 'complete'")
        except OSError:  # between two pages, there is nothing that could evaluate
            return False

    def evaluate(self, expression):
        """The value of a JavaScript expression; pages whose own scripts are off allow it, too."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise OSError(f"{expression}: {result['exceptionDetails']['text']}")
        return result["result"].get("value")

    def press(self, key):
        text = {"Enter": "\r"}.get(key, "")
        code = {"Tab": 9, "Enter": 13}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                **({"text": text} if text and kind == "keyDown" else {}),
            )

    def complaints(self, origin):
        """Errors in the console, and requests to other servers."""
        self.evaluate("1")  # collects what has come meanwhile
        for event in self.browser.events:
            method, values = event.get("method"), event.get("params", {})
            if event.get("sessionId") != self.session:
                continue
            if method == "Log.entryAdded" and values["entry"]["level"] == "error":
                yield f"an error in the console: {values['entry']['text']} ({values['entry'].get('url', '')})"
            elif method == "Runtime.exceptionThrown":
                thrown = values["exceptionDetails"].get("exception", {})
                yield f"an error in a script: {thrown.get('description', 'unknown')}"
            elif method == "Network.requestWillBeSent" and not values["request"]["url"].startswith((origin, "data:")):
                yield f"a request to another server: {values['request']['url']}"

    def picture(self, file, whole=False):
        file.parent.mkdir(parents=True, exist_ok=True)
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(data))

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
