# SPDX-License-Identifier: MIT
"""Tests the page of a live view in a headless Chromium: pictures and buttons.

    view_browser.py KOSHU [FOLDER]      saves pictures of it in the folder
"""
import atexit
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import chromium  # noqa: E402

KOSHU = sys.argv[1]
PICTURES = sys.argv[2] if len(sys.argv) > 2 else "."
RUN = """
initial: {model: plummer, n: 8192}
solver: {method: tree, softening: 1/64}
integrator: {dt: 1/1024, end: 1000}
output: {directory: out, log: {interval: 1/256}}
"""
# Brightness in the centre of the sky and at its left edge, and a hash that
# differs between pictures.
LIGHT = """(() => {
  const sky = document.getElementById("sky"), c = document.createElement("canvas");
  c.width = sky.width; c.height = sky.height;
  const p = c.getContext("2d");
  p.drawImage(sky, 0, 0);
  const light = (x, y, w, h) => {
    const d = p.getImageData(x * c.width, y * c.height, w * c.width, h * c.height).data;
    let sum = 0;
    for (let i = 0; i < d.length; i += 4) sum += d[i] + d[i + 1] + d[i + 2];
    return 4 * sum / d.length / 3;
  };
  const d = p.getImageData(0, 0, c.width, c.height).data;
  let hash = 0;
  for (let i = 0; i < d.length; i++) hash = (hash * 31 + d[i]) | 0;
  return JSON.stringify([light(0.45, 0.45, 0.1, 0.1), light(0, 0.4, 0.05, 0.2), hash]);
})()"""
# Number of pixels of the time line in the colour of a curve.
CURVES = """(() => {
  const lines = document.getElementById("lines");
  const d = lines.getContext("2d").getImageData(0, 0, lines.width, lines.height).data;
  let n = 0;
  for (let i = 0; i < d.length; i += 4) n += d[i] > 200 && d[i + 2] < 170;
  return n;
})()"""
FRAMES = "+document.body.dataset.frames"
NOTE = "document.getElementById('note').textContent"
PAUSED = f"{NOTE} == 'paused'"
STEP = "frame.step"


def start(*options):
    with open("run.yaml", "w", encoding="utf-8") as file:
        file.write(RUN)
    run = subprocess.Popen([KOSHU, "run", "run.yaml", "--force", "-t", "1", *options],
                           stdout=subprocess.PIPE, text=True)
    atexit.register(run.kill)
    for line in run.stdout:
        if found := re.match(r"view (.*token=\w{32})", line):
            return run, re.search(r"http:\S+", found[0])[0]
    raise SystemExit("no address is printed")


def light(browser):
    """Waits for a picture newer than now."""
    browser.js("new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))")
    return json.loads(browser.js(LIGHT))


def click(browser, button):
    browser.js(f"document.getElementById('{button}').click()")


def mouse(browser, kind, x, y, **more):
    browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                 **more)


def particles_are_drawn(browser):
    """A cluster is bright in its centre, dark at the edge and changes each
    step; the log's curves are below."""
    browser.wait(f"{FRAMES} > 3")
    middle, edge, first = light(browser)
    assert middle > 60 and edge < middle / 4, (middle, edge)
    browser.wait(f"{FRAMES} > {browser.js(FRAMES) + 3}")
    assert light(browser)[2] != first
    text = browser.js("document.getElementById('state').innerText")
    assert "8,192 of 8,192 particles" in text.replace("\u2019", ","), text
    browser.wait(f"{CURVES} > 300")


def camera(browser):
    """While the run is paused only the camera changes the picture."""
    click(browser, "follow")
    middle, _, before = light(browser)
    assert light(browser)[2] == before
    mouse(browser, "mousePressed", 600, 300, clickCount=1)
    mouse(browser, "mouseMoved", 700, 350)
    mouse(browser, "mouseReleased", 700, 350, clickCount=1)
    turned = light(browser)[2]
    assert turned != before
    mouse(browser, "mouseWheel", 600, 400, deltaX=0, deltaY=1500)
    assert light(browser)[0] < middle
    click(browser, "fit")
    click(browser, "follow")
    assert light(browser)[0] > 60


def saved(browser, ending):
    """Returns the file that the page has saved, once it is complete."""
    for _ in range(600):
        for name in os.listdir(browser.downloads):
            if name.endswith(ending):
                with open(os.path.join(browser.downloads, name), "rb") as file:
                    if data := file.read():
                        return data
        time.sleep(0.05)
    raise AssertionError(f"no {ending} is saved")


def pause_step_continue(browser):
    click(browser, "pause")
    browser.wait(PAUSED)
    time.sleep(0.5)  # a step may still have been in progress
    step = browser.js(STEP)
    camera(browser)
    assert browser.js(STEP) == step
    click(browser, "step")
    browser.wait(f"{STEP} == {step + 1} && {PAUSED}")
    browser.picture(os.path.join(PICTURES, "paused.png"))
    click(browser, "pause")
    browser.wait(f"{STEP} > {step + 3}")
    browser.wait(f"!({PAUSED})")


def files(browser):
    click(browser, "png")
    assert saved(browser, ".png")[:8] == b"\x89PNG\r\n\x1a\n"
    click(browser, "webm")
    browser.wait(f"{FRAMES} > {browser.js(FRAMES) + 10}")
    click(browser, "webm")
    assert saved(browser, ".webm")[:4] == b"\x1aE\xdf\xa3"


def stop(browser, run):
    browser.js("window.confirm = () => true")
    click(browser, "stop")
    assert "stop was requested" in run.stdout.read()
    assert run.wait() == 0 and os.path.exists("out/checkpoint.hdf5")
    browser.wait(f"{NOTE} == 'the run has ended'")


def end(browser, address):
    """All requests went to koshu, and no script of the page has failed."""
    asked, errors = browser.requests()
    of_koshu = re.match(r"http://[^/]*/", address)[0]
    assert len(asked) > 2 and not errors, errors
    assert all(a.startswith((of_koshu, "about:", "data:", "blob:")) for a in asked), asked


def main():
    browser = chromium.Browser()
    atexit.register(browser.close)
    run, address = start("--view", "--view-control")
    browser.open(address)
    particles_are_drawn(browser)
    browser.picture(os.path.join(PICTURES, "running.png"))
    assert not browser.js("document.getElementById('control').hidden")
    pause_step_continue(browser)
    files(browser)
    stop(browser, run)
    end(browser, address)

    run, address = start("--view")  # a view that may not change anything
    browser.open(address)
    browser.wait(f"{FRAMES} > 2")
    assert browser.js("document.getElementById('control').hidden")
    step = browser.js(STEP)
    browser.js("send('pause'), send('stop')")
    browser.wait(f"{STEP} > {step + 5}")
    run.kill()
    run.wait()
    browser.wait(f"{NOTE} == 'no connection'")


main()
