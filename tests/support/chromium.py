# SPDX-License-Identifier: MIT
"""A headless Chromium driven through pipes, with just what the tests need."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or \
    shutil.which("google-chrome")


class Browser:
    """One page, drawn by the processor. Files that the page saves go to
    `downloads`."""

    def __init__(self, width=1200, height=800):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = os.path.join(self.folder.name, "downloads")
        os.mkdir(self.downloads)
        there, self.out = os.pipe()
        self.into, back = os.pipe()

        def at_3_and_4():
            a, b = os.dup(there), os.dup(back)
            os.dup2(a, 3)
            os.dup2(b, 4)
        self.process = subprocess.Popen(
            [PROGRAM, "--headless=new", "--no-sandbox", "--remote-debugging-pipe",
             "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--no-first-run", "--disable-dev-shm-usage",
             f"--window-size={width},{height}",
             f"--user-data-dir={self.folder.name}/profile", "about:blank"],
            preexec_fn=at_3_and_4, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(back)
        self.count, self.rest, self.session, self.events = 0, b"", None, []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"]
                      if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        self.call("Network.enable")
        self.call("Runtime.enable")
        self.call("Browser.setDownloadBehavior", behavior="allow",
                  downloadPath=self.downloads)

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.into, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.rest += part
        one, _, self.rest = self.rest.partition(b"\0")
        return json.loads(one)

    def call(self, method, **parameters):
        self.count += 1
        command = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.out, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address):
        self.call("Page.navigate", url=address)

    def js(self, text):
        """Evaluates an expression, awaiting promises, and returns its value."""
        answer = self.call("Runtime.evaluate", expression=text, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{text}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, text, seconds=120):
        """Waits until an expression is true and returns its value. It may
        fail while the page loads."""
        end, why = time.monotonic() + seconds, ""
        while time.monotonic() < end:
            try:
                if value := self.js(text):
                    return value
            except RuntimeError as error:
                why = f": {error}"
            time.sleep(0.05)
        raise AssertionError(f"never true: {text}{why}")

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def requests(self):
        """Returns the addresses requested so far and the errors in the
        page's scripts."""
        self.js("0")
        asked = [e["params"]["request"]["url"] for e in self.events
                 if e["method"] == "Network.requestWillBeSent"]
        errors = [e["params"]["exceptionDetails"] for e in self.events
                  if e["method"] == "Runtime.exceptionThrown"]
        return asked, errors

    def close(self):
        try:
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait(20)
        self.folder.cleanup()
