# SPDX-License-Identifier: MIT
"""Live views; tests/app/test_view tests them from the client's side."""
import urllib.error
import urllib.request

import pytest

import koshu


def open_view(sim, **options):
    try:
        return sim.view(**options)
    except koshu.UnsupportedError as error:
        pytest.skip(str(error))


def test_of_a_simulation():
    sim = koshu.Simulation(koshu.models.plummer(64), softening=0.1)
    with open_view(sim, control=True) as view:
        assert view.address.startswith("http://127.0.0.1:")
        assert view.address in repr(view) and "<iframe" in view._repr_html_()
        with urllib.request.urlopen(view.address) as page:
            assert b"koshu" in page.read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(view.address[:-1])
        sim.run(until=0.1)
        assert view.watchers == 0 and sim.time == 0.1
    with pytest.raises(OSError):
        urllib.request.urlopen(view.address)
    sim.run(until=0.2)  # a view that has ended does not exist


def test_of_a_run(tmp_path):
    keys = {"initial.model": "plummer", "initial.n": 64, "run.threads": 1,
            "solver.softening": 0.1, "integrator.end": 0.125,
            "integrator.dt": "1/64", "output.directory": tmp_path / "out"}
    with koshu.Run(None, keys) as run:
        view = open_view(run)
        log = view.address.replace("/?", "/log?")
        with urllib.request.urlopen(log) as answer:
            assert answer.read().startswith(b"step,time,")
        assert run.run() == "end"


def test_bad_options():
    sim = koshu.Simulation(koshu.models.plummer(64))
    open_view(sim)
    with pytest.raises(koshu.InvalidArgumentError, match="port 70000"):
        sim.view(port=70000)
    with pytest.raises(koshu.InvalidArgumentError, match="100000"):
        sim.view(particles=10**6)
