# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium, driven over the pipe of its DevTools protocol; the standard library is all it needs."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe"
]
KEYS = {
    "ArrowDown": 40,
    "ArrowUp": 38,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "Home": 36,
    "End": 35,
    "PageDown": 34,
    "PageUp": 33,
    "Tab": 9,
    "Enter": 13,
    "Escape": 27
}


def find_browser():
    """The path of a Chromium, None where there is none."""
    return next(filter(None, (shutil.which(name) for name in NAMES)), None)


class Browser:
    """One page of one browser. What it asks of the network and what its console says is kept."""
    def __init__(self, program, timeout=120):
        self.timeout = timeout
        self.folder = tempfile.TemporaryDirectory()
        ask, self.requests_out = os.pipe()
        self.replies_in, reply = os.pipe()

        def place_pipe():  # the browser reads from 3 and writes to 4
            high = os.dup(ask), os.dup(reply)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen([program, *FLAGS, "--user-data-dir=" + self.folder.name, "about:blank"],
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL,
                                        close_fds=False,
                                        preexec_fn=place_pipe)
        os.close(ask)
        os.close(reply)
        self.buffer, self.number, self.session = b"", 0, None
        self.console, self.requested, self.events = [], [], []
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def close(self):
        os.close(self.requests_out)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.replies_in)
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def message(self):
        """The next message of the browser."""
        limit = time.monotonic() + self.timeout
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.replies_in], [], [], max(0, limit - time.monotonic()))
            chunk = os.read(self.replies_in, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def note(self, message):
        """Keeps what is not an answer."""
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.console.append(values["exceptionDetails"].get("exception", {}).get("description", str(values)))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(str(values["args"]))
        elif method == "Log.entryAdded":
            self.console.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requested.append(values["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.console.append("a dialog: " + values["message"])
            self.number += 1
            self.send({
                "id": self.number,
                "method": "Page.handleJavaScriptDialog",
                "params": {
                    "accept": True
                },
                "sessionId": self.session
            })
        self.events.append(method)

    def ask(self, method, **values):
        """The answer to one request."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": values}
        if self.session:
            request["sessionId"] = self.session
        wanted = self.number
        self.send(request)
        while True:
            message = self.message()
            if message.get("id") != wanted:
                self.note(message)
            elif "error" in message:
                raise RuntimeError("{}: {}".format(method, message["error"]))
            else:
                return message["result"]

    def send(self, request):
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.requests_out, data):]

    def open(self, path, width=1280, height=900, dark=False):
        """Shows a file and waits until it is drawn."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{
                     "name": "prefers-color-scheme",
                     "value": "dark" if dark else "light"
                 }])
        self.console, self.requested, self.events = [], [], []
        self.ask("Page.navigate", url="file://" + os.path.realpath(path))
        while "Page.loadEventFired" not in self.events:
            self.note(self.message())
        self.frame()

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def run(self, expression):
        """The value of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def key(self, *names):
        for name in names:
            values = {"key": name, "windowsVirtualKeyCode": KEYS.get(name, ord(name[0].upper()))}
            if name in KEYS:
                values["code"] = name
            else:
                values["text"] = name
            self.ask("Input.dispatchKeyEvent", type="keyDown", **values)
            self.ask("Input.dispatchKeyEvent", type="keyUp", **values)
        self.frame()

    def click(self, selector):
        """A click in the middle of the element, which is first scrolled into sight."""
        box = self.run(
            "(() => {{ const node = document.querySelector({}); node.scrollIntoView({{block: 'center'}}); "
            "const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()".format(
                json.dumps(selector)))
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent",
                     type=kind,
                     x=box[0],
                     y=box[1],
                     button="left" if kind != "mouseMoved" else "none",
                     clickCount=1)
        self.frame()

    def picture(self, path, selector=None, height=0):
        """A PNG from the top of an element, or of the page, to a height or the end."""
        top = self.run("document.querySelector({}).getBoundingClientRect().y + scrollY".format(json.dumps(selector or "html")))
        width, end = self.run("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": top, "width": width, "height": min(height or end, end - top), "scale": 1}
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
