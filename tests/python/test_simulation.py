# SPDX-License-Identifier: MIT
import math
import os
import pickle
import signal
import threading

import numpy as np
import pytest

import koshu


def make(n=300, **options):
    values = {"softening": 0.05, "solver": "direct",
              "integrator": koshu.Leapfrog(dt=1 / 64), **options}
    return koshu.Simulation(koshu.models.plummer(n), **values)


def test_run():
    sim = make()
    energy = sim.diagnostics().total
    assert sim.run(until=1) is sim
    assert sim.time == 1 and sim.steps == 64
    # second order: about (dt / t_cross)^2
    assert sim.diagnostics().total == pytest.approx(energy, rel=1e-3)
    assert sim.run(until=1).steps == 64
    with pytest.raises(koshu.InvalidArgumentError, match="ahead"):
        sim.step(0.5)


def test_kepler():
    """The Hermite scheme follows a two-body orbit."""
    sim = koshu.Simulation(koshu.models.two_body(eccentricity=0.5),
                           solver=koshu.Direct(precision="double"),
                           integrator=koshu.Hermite(eta=1e-4))
    begin = np.array(sim.particles.position)
    sim.run(until=2 * math.pi)
    assert np.abs(sim.particles.position - begin).max() < 1e-5
    assert sim.options["step_rule"] == "block"
    assert sim.report()["interactions"] > 0


def burrau():
    """Masses 3, 4 and 5 at rest at the corners of a triangle."""
    return koshu.Particles(position=[[1, 3, 0], [-2, -1, 0], [1, -1, 0]],
                           mass=[3, 4, 5])


def test_few_bodies(tmp_path):
    """A dozen close encounters, then on from a file, bit for bit."""
    sim = koshu.Simulation(burrau(), integrator=koshu.Archain())
    sim.run(until=30)
    sim.save(tmp_path / "few.npz")
    sim.run(until=60)
    # from quadruple precision; a disturbance of 1e-12 has grown to 1.6e-6
    assert sim.particles.position[0, :2] == pytest.approx(
        [0.743807500118, 1.939947951095], abs=1e-6)
    half = koshu.Simulation.load(tmp_path / "few.npz")
    half.run(until=60)
    assert np.array_equal(half.particles.position, sim.particles.position)
    assert sim.options["tolerance"] == 1e-15
    with pytest.raises(ValueError, match="without softening"):
        koshu.Simulation(burrau(), softening=0.1, integrator="archain")
    with pytest.raises(koshu.InvalidArgumentError, match="2 to 64"):
        make(softening=0, integrator="archain").run(until=1)


@pytest.mark.parametrize("integrator", [
    koshu.Leapfrog(dt=1 / 64), koshu.Hermite(dt=1 / 16)])
def test_goes_on_bit_for_bit(integrator, tmp_path):
    whole = make(integrator=integrator)
    whole.run(until=0.5)
    part = make(integrator=integrator)
    part.run(until=0.25)
    part.save(tmp_path / "sim.npz")
    for half in (part, pickle.loads(pickle.dumps(part)),
                 koshu.Simulation.load(tmp_path / "sim.npz")):
        half.run(until=0.5)
        assert np.array_equal(half.particles.position,
                              whole.particles.position)
    (tmp_path / "other.npz").write_bytes(b"no")
    with pytest.raises(Exception):
        koshu.Simulation.load(tmp_path / "other.npz")


@pytest.mark.parametrize("integrator", [
    koshu.Leapfrog(dt=1 / 64), koshu.Hermite(dt=1 / 16)])
def test_goes_on_from_particles_that_were_edited(integrator, tmp_path):
    sim = make(integrator=integrator)
    sim.run(until=0.25)
    sim.particles.position = 1.5 * sim.particles.position
    sim.save(tmp_path / "sim.npz")
    others = (pickle.loads(pickle.dumps(sim)),
              koshu.Simulation.load(tmp_path / "sim.npz"))
    sim.run(until=0.5)
    for other in others:
        other.run(until=0.5)
        assert np.array_equal(other.particles.position, sim.particles.position)


def test_predicted():
    """Between synchronised steps; the next partial step synchronises all
    particles."""
    sim = make(integrator=koshu.Hermite(max_block_steps=1),
               solver=koshu.Direct(precision="double"))
    sim.run(until=0.1)
    for _ in range(20):
        sim.step(1)
    behind = np.array(sim.particles.position)
    x, v = sim.predicted()
    now = sim.diagnostics()
    sim.evaluate()
    for k in ("kinetic", "potential"):
        assert getattr(now, k) == pytest.approx(
            getattr(sim.diagnostics(), k), rel=1e-5)
    # predictor and corrector differ by about h^4 for steps of 1/64 and less
    assert np.abs(x - sim.particles.position).max() < 1e-6
    assert np.abs(v - sim.particles.velocity).max() < 1e-4
    assert np.abs(behind - sim.particles.position).max() > 1e-4
    frog = make()
    frog.run(until=0.1)
    assert np.array_equal(frog.predicted()[0], frog.particles.position)


def test_a_tree_for_hermite():
    with pytest.raises(ValueError, match="sums directly"):
        make(solver="tree", integrator="hermite")


def test_callbacks():
    sim = make()
    times = []
    sim.call(lambda s: times.append(s.time), every=16)

    @sim.call
    def stop(s):
        return s.time < 0.75

    sim.run(until=2)
    assert times == [0.25, 0.5, 0.75] and sim.time == 0.75
    sim.forget(stop)
    sim.run(until=1)
    assert times[-1] == 1
    with pytest.raises(ValueError, match="every is 0"):
        sim.call(stop, every=0)


def test_a_callback_changes_particles():
    """A kick between steps equals a run that starts with it."""
    sim = make()

    def kick(s):
        if s.time == 0.5:
            with s.particles.edit("velocity", "position") as e:
                e.velocity *= 0.5
                e.position += 1

    sim.call(kick)
    sim.run(until=1)
    other = make()
    other.run(until=0.5)
    p = other.particles.copy()
    p.velocity = 0.5 * p.velocity
    p.position = p.position + 1
    again = koshu.Simulation(p, softening=0.05, time=0.5,
                             integrator=koshu.Leapfrog(dt=1 / 64))
    again.run(until=1)
    assert np.array_equal(again.particles.position, sim.particles.position)


def test_an_exception_of_a_callback(tmp_path):
    sim = make()

    def fail(s):
        if s.time >= 0.5:
            raise ZeroDivisionError

    sim.call(fail)
    with pytest.raises(ZeroDivisionError):
        sim.run(until=1, checkpoint=tmp_path / "c.npz")
    assert koshu.Simulation.load(tmp_path / "c.npz").time == 0.5
    assert os.listdir(tmp_path) == ["c.npz"]


def test_ctrl_c(tmp_path):
    sim = make(integrator=koshu.Leapfrog(dt=1 / 4096))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        sim.run(until=1e6, checkpoint=tmp_path / "c.npz")
    stopped = sim.time
    assert 0 < stopped < 1e6
    loaded = koshu.Simulation.load(tmp_path / "c.npz")
    assert loaded.time == stopped
    for s in (sim, loaded):
        s.run(until=stopped + 1 / 256)
    assert np.array_equal(sim.particles.position, loaded.particles.position)


def test_a_step_that_fails(tmp_path):
    """The last checkpoint stays as it is. The position overflows: a force may
    be zero or NaN so far away, by instruction set."""
    path = tmp_path / "c.npz"
    sim = make(integrator=koshu.Leapfrog(dt=2))
    sim.run(until=2).save(path)

    @sim.call
    def spoil(s):
        with s.particles.edit("velocity") as e:
            e.velocity[0] = 1e308

    with pytest.raises(koshu.NotFiniteError):
        sim.run(until=8, checkpoint=path)
    assert koshu.Simulation.load(path).time == 2


@pytest.mark.parametrize("options", [
    {"softening": np.float32(0.25)},
    {"softening": np.array(0.25)},
    {"solver": koshu.Tree(n_crit=np.int64(32), box=np.float32(32),
                          corner=np.full(3, -16))},
    {"solver": koshu.FMM(box=32, corner=[np.float32(-16)] * 3)},
    {"integrator": koshu.Hermite(iterations=np.int64(3))}])
def test_numbers_of_numpy(options, tmp_path):
    sim = make(**options)
    sim.save(tmp_path / "sim.npz")
    loaded = koshu.Simulation.load(tmp_path / "sim.npz")
    assert loaded.solver.method == sim.solver.method
    assert loaded.integrator == sim.integrator
    assert "np" not in repr(sim) and "array" not in repr(sim)
    assert hash(loaded.solver.method) == hash(sim.solver.method)


class Interrupted:
    """An integrator that raises KeyboardInterrupt after its next step."""

    def __init__(self, c):
        self._c = c

    def __getattr__(self, name):
        return getattr(self._c, name)

    def advance(self, *arguments):
        self._c.advance(*arguments)
        raise KeyboardInterrupt


def test_ctrl_c_in_the_first_step(tmp_path):
    scheme = koshu.Hermite(dt=1 / 16)
    sim = make(integrator=scheme)
    sim._c = Interrupted(sim._c)
    with pytest.raises(KeyboardInterrupt):
        sim.run(until=1 / 8, checkpoint=tmp_path / "c.npz")
    loaded = koshu.Simulation.load(tmp_path / "c.npz")
    assert 0 < loaded.time < 1 / 8
    loaded.run(until=1 / 8)
    whole = make(integrator=scheme).run(until=1 / 8)
    assert np.array_equal(loaded.particles.position, whole.particles.position)


def test_threads():
    """Two simulations in two threads, and one context used by two threads."""
    alone = make()
    alone.run(until=0.25)
    done = {}

    def run(k, of=None):
        with of or koshu.Context(threads=1):
            sim = make()
        sim.run(until=0.25)
        done[k] = np.array(sim.particles.position)

    shared = koshu.Context(threads=1)
    threads = [threading.Thread(target=run, args=a) for a in (
        (0,), (1,), (2, shared), (3, shared))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k in range(4):
        assert np.array_equal(done[k], alone.particles.position)


def test_other_threads_run_meanwhile():
    """The interpreter's lock (GIL) is released while koshu computes."""
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.wait(0.001):
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    x = np.random.default_rng(1).normal(size=(8000, 3))
    before = counted[0]
    with koshu.Context(threads=1, backend="ref"):
        koshu.forces(x, 1e-3)  # one call of about a second
    made = counted[0] - before
    stop.set()
    thread.join()
    assert made > 20


def test_contexts():
    with koshu.Context(threads=1, backend="ref") as c:
        assert koshu.context() is c and c.threads == 1
        p = koshu.models.plummer(10)
        assert p.context is c
        assert koshu.Solver("direct").backend == "ref"
    assert koshu.context() is not c
    with pytest.raises(koshu.InvalidArgumentError, match="different contexts"):
        koshu.Solver("direct").forces(p)
    with pytest.raises(koshu.InvalidArgumentError, match="magic"):
        koshu.Context(backend="magic")
    with pytest.raises(TypeError, match="threads: expected a whole number"):
        koshu.Context(threads=-1)
    assert any(d.usable for d in koshu.devices())
    c.arrange_ranks(1, 1, 1)
    with pytest.raises(koshu.InvalidArgumentError, match="rank"):
        c.arrange_ranks(2, 1, 1)
    assert c.rank == 0 and c.ranks == 1 and c.slice_of(10) == slice(0, 10)
    assert "ref" in repr(c) and pickle.loads(pickle.dumps(c)).threads == 1


def test_log(caplog):
    """Messages of the library go to Python's logging."""
    with caplog.at_level("WARNING", logger="koshu"):
        make(n=10, integrator="hermite")
    assert "single" in caplog.text


def test_solver():
    p = koshu.models.plummer(2000)
    solver = koshu.Solver(koshu.Tree(softening=0.05, alpha=0.001))
    solver.forces(p)
    assert solver.options["alpha"] == 0.001
    assert 0 < solver.errors(p, 100)["median"] < 1e-3
    report = solver.tree_report()
    assert report["particles"] == 2000 and report["evaluations"] == 1
    assert solver.report()["interactions"] == report["interactions"]
    ids = np.array(p.id)
    solver.reorder(p)
    assert not np.array_equal(p.id, ids)
    assert "Tree(softening=0.05, alpha=0.001)" in repr(solver)
    assert koshu.choose(10 ** 6, 1e-3).softening == 0


def test_repr():
    sim = make()
    assert "n = 300" in repr(sim) and "<table>" in sim._repr_html_()


def test_progress(capsys):
    """A progress bar from the run's time to its end, in both directions of
    time."""
    pytest.importorskip("tqdm")
    sim = make(n=10)
    sim.run(until=0.5, progress=True)
    assert "100%" in capsys.readouterr().err
    back = make(n=10, integrator=koshu.Leapfrog(dt=-1 / 64), time=1)
    back.run(until=0.5, progress=True)
    assert back.time == 0.5 and "100%" in capsys.readouterr().err
    sim.run(until=0.75, progress=False)
    assert capsys.readouterr().err == ""


def test_events():
    """Two bodies that fall towards each other from rest, beside a third,
    merge."""
    p = koshu.Particles(position=[[-0.01, 0, 0], [0.01, 0, 0], [5, 0, 0]],
                        mass=[0.4, 0.5, 0.1])
    sim = koshu.Simulation(p, integrator=koshu.Hermite(
        dt=1 / 64, regularisation=0.1, radius=1e-3))
    seen = []
    sim.call(lambda s: seen.extend(s.events))
    sim.run(until=1 / 16)
    assert len(seen) == 1 and len(sim.particles) == 2
    event = seen[0]
    heavy, light = event["bodies"]
    assert event["kind"] == "merger" and 0 < event["time"] < 1 / 16
    assert heavy["mass"] == 0.5 and light["mass"] == 0.4
    assert np.linalg.norm(np.subtract(heavy["position"], light["position"])) == \
        pytest.approx(2e-3, rel=1e-6)
    assert sorted(sim.particles.mass) == pytest.approx([0.1, 0.9])
    assert sim.events == []
