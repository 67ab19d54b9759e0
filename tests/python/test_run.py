# SPDX-License-Identifier: MIT
import copy
import os
import pathlib
import pickle
import re
import signal
import threading

import numpy as np
import pytest

import koshu


def values(tmp_path, **more):
    return {"initial.model": "plummer", "initial.n": 256,
            "solver.method": "direct", "solver.softening": "1/32",
            "integrator.dt": "1/64", "integrator.end": 1,
            "output.directory": tmp_path / "out",
            "output.snapshot.interval": 0.5, **more}


def test_run(tmp_path):
    with koshu.Run(None, values(tmp_path)) as run:
        assert run.stopped == "none" and run.time == 0
        assert run.run() == "end"
        with pytest.raises(ValueError, match="the run has ended"):
            run.step()
        p = run.progress()
        assert p.time == p.end == 1 and p.step == 64 and p.snapshots == 3
        assert abs(p.energy_error) < 1e-3
        assert run.seconds()["forces"] > 0
        assert len(run.particles) == 256 and run.units.dimensionless
        assert run.solver.method.softening == 1 / 32
        assert run.force_errors()["sample"] == 0  # direct sums have none
        assert "t = 1 of 1" in repr(run)
        assert "<td>1 of 1</td>" in run._repr_html_()
    files = sorted(os.listdir(tmp_path / "out"))
    assert "energy.csv" in files and "checkpoint.hdf5" in files
    s = koshu.read(tmp_path / "out" / "snapshot_0002.hdf5")
    assert s.time == 1 and s.n == 256 and "plummer" in s.parameters
    assert np.array_equal(s.particles.position, run.particles.position)


def test_the_run_of_a_file(tmp_path):
    (tmp_path / "run.yaml").write_text(
        "initial: {model: plummer, n: 64}\nsolver: {softening: 0.1}\n"
        "integrator: {dt: 1/16, end: 0.25}\n")
    p = koshu.Parameters(tmp_path / "run.yaml",
                         {"output.directory": tmp_path / "o"})
    assert p["initial.n"] == "64" and p.whole("initial.n") == 64
    assert p.number("integrator.dt") == 1 / 16
    assert p.solver_options()["softening"] == 0.1
    assert p.estimate().steps == 4
    p.check()
    assert pickle.loads(pickle.dumps(p)).whole("initial.n") == 64
    koshu.Run(p).run()
    with pytest.raises(koshu.BadInputError, match="overwrite|earlier"):
        koshu.Run(p)
    koshu.Run(p, overwrite=True)


def test_copies_of_parameters():
    """Sets every key; the parameter text omits those that belong to one
    machine."""
    given = {"initial.n": "64", "domain.grid": "[1, 1, 1]",
             "output.directory": "else where", "output.snapshot.files": "3",
             "checkpoint.interval": "10 min", "checkpoint.first": "false",
             "checkpoint.keep": "5", "run.backend": "ref",
             "run.devices": "0,1", "run.exchange": "mutual",
             "run.threads": "3", "run.j_capacity": "100",
             "run.transport": "host", "run.wall_clock_limit": "12 h",
             "run.stop_file": "halt"}
    p = koshu.Parameters(values=given)
    for q in (pickle.loads(pickle.dumps(p)), copy.deepcopy(p), eval(repr(p))):
        assert {key: q[key] for key in given} == given
    page = pathlib.Path(__file__).resolve().parents[2] / "docs/parameters.md"
    keys = re.findall(r"^\| `((?:run|checkpoint)\.\w+)`", page.read_text(),
                      re.MULTILINE)
    assert len(keys) > 9 and given.keys() >= set(keys)


def test_mistakes(tmp_path):
    with pytest.raises(koshu.BadInputError, match="softening"):
        koshu.Run(None, values(tmp_path, **{"solver.softennig": 1}))
    with pytest.raises(koshu.NotFoundError, match="missing.yaml"):
        koshu.Run("missing.yaml")
    with pytest.raises(koshu.BadInputError, match="text:[12]: not YAML"):
        koshu.Parameters(text="solver: [1")
    with pytest.raises(koshu.NotFoundError):
        koshu.Parameters()["a.b"]


def test_ctrl_c_and_restart(tmp_path):
    """Stopped at any step and restarted: the same bytes as an uninterrupted
    run."""
    slow = values(tmp_path, **{"integrator.dt": "1/16384"})
    run = koshu.Run(None, slow)
    interrupt = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))

    @run.call
    def after_the_first_step(r):
        if r.time == 1 / 16384:
            interrupt.start()

    with pytest.raises(KeyboardInterrupt):
        run.run()
        raise AssertionError("too fast")
    stopped = run.time
    assert 0 < stopped < 1 and run.progress().checkpoints >= 1
    again = koshu.Run(None, slow, restart=True)
    assert again.time == stopped
    again.run()
    whole = koshu.Run(None, {**slow, "output.directory": tmp_path / "whole"})
    whole.run()
    for name in ("energy.csv", "snapshot_0002.hdf5"):
        assert ((tmp_path / "out" / name).read_bytes()
                == (tmp_path / "whole" / name).read_bytes()), name


def test_a_run_of_an_interaction(tmp_path):
    """The run is closed at its end, although no koshu.Solver has such a
    solver."""
    examples = pathlib.Path(__file__).resolve().parents[2] / "examples"
    with koshu.Run(examples / "yukawa.yaml", {
            "solver.interaction": examples / "yukawa.pipe",
            "integrator.end": 1 / 64, "output.directory": tmp_path}) as run:
        with pytest.raises(koshu.UnsupportedError, match="interaction"):
            run.solver
        assert run.run() == "end"
    with pytest.raises(koshu.UnsupportedError, match="interaction"):
        run.solver
    with pytest.raises(ValueError, match="the run has ended"):
        run.step()


def test_callbacks(tmp_path):
    run = koshu.Run(None, values(tmp_path))
    times = []

    @run.call
    def see(r):
        times.append(r.time)
        r.particles.position.sum()
        return len(times) < 5

    assert run.run() == "request"
    assert times == [k / 64 for k in range(1, 6)]
    assert koshu.Run(None, values(tmp_path), restart=True).time == 5 / 64


def test_a_callback_changes_particles(tmp_path):
    """A snapshot is moved and scaled as the particles in memory are at that
    time."""
    run = koshu.Run(None, values(tmp_path, **{"solver.precision": "double"}))
    sim = koshu.Simulation(koshu.models.plummer(256),
                           solver=koshu.Direct(1 / 32, precision="double"),
                           integrator=koshu.Leapfrog(dt=1 / 64))

    def change(r):
        if r.time == 0.5:
            with r.particles.edit("position") as e:
                e.position *= 1.5

    run.call(change)
    sim.call(change)
    run.run()
    sim.run(until=1)
    assert np.array_equal(run.particles.position, sim.particles.position)


def test_checkpoints_of_changed_particles(tmp_path):
    """A restart continues from what the callback made of them."""

    def change(r):
        if r.time == 0.5:
            with r.particles.edit("position") as e:
                e.position *= 1.5

    whole = koshu.Run(None, values(tmp_path / "whole"))
    whole.call(change)
    whole.run()
    for how in ("checkpoint", "close"):
        run = koshu.Run(None, values(tmp_path / how))
        run.call(change)
        while run.time < 0.5:
            run.step()
        run.checkpoint()
        change(run)
        getattr(run, how)()
        del run
        again = koshu.Run(None, values(tmp_path / how), restart=True)
        again.run()
        assert np.array_equal(again.particles.position,
                              whole.particles.position), how


def test_particles_outlive_their_run(tmp_path):
    run = koshu.Run(None, values(tmp_path))
    x = run.particles.position
    kept = np.array(x)
    del run
    for _ in range(20):
        koshu.models.plummer(256)
    assert np.array_equal(x, kept)


def test_mass_loss(tmp_path):
    calls = []

    def wind(begin, end, ids, initial_mass, mass):
        calls.append((begin, end))
        assert len(ids) == len(mass) == 256 and ids.dtype == np.uint64
        return mass * np.where(ids % 2 == 0, np.exp(begin - end), 1)

    small = values(tmp_path, **{"solver.precision": "double"})
    with koshu.Run(None, small, mass_loss=wind) as run:
        run.run()
        assert abs(run.progress().energy_error) < 1e-3
        mass = run.particles.mass * 256
    assert np.allclose(mass[::2], np.exp(-1)) and (mass[1::2] == 1).all()
    assert calls == [(k / 64, (k + 1) / 64) for k in range(64)]


def test_mass_loss_that_fails(tmp_path):
    def wrong(begin, end, ids, initial_mass, mass):
        raise LookupError("no such star")

    run = koshu.Run(None, values(tmp_path), mass_loss=wrong)
    with pytest.raises(LookupError, match="no such star"):
        run.step()

    def none(begin, end, ids, initial_mass, mass):
        return 0

    run = koshu.Run(None, values(tmp_path / "none"), mass_loss=none)
    with pytest.raises(koshu.BadInputError, match="gets the mass 0"):
        run.step()


def run_it(run):
    run.run()


def step_with(run):
    with run:
        run.step()


@pytest.mark.parametrize("use", [run_it, step_with])
def test_what_ends_a_run_is_not_hidden(use, tmp_path, caplog):
    """Continues from the last checkpoint, as none can be written after a
    failed step."""
    def wrong(begin, end, ids, initial_mass, mass):
        raise ZeroDivisionError

    run = koshu.Run(None, values(tmp_path), mass_loss=wrong)
    with pytest.raises(ZeroDivisionError):
        use(run)
    assert "last step failed" in caplog.text
    run = koshu.Run(None, values(tmp_path / "alone"), mass_loss=wrong)
    with pytest.raises(ZeroDivisionError):
        run.step()
    with pytest.raises(koshu.InvalidArgumentError, match="last step failed"):
        run.close()
