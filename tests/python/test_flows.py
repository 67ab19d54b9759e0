# SPDX-License-Identifier: MIT
import os

import numpy as np
import pytest

import koshu

pytestmark = pytest.mark.skipif(
    not hasattr(koshu._koshu, "flow_begin"),
    reason="a koshu without Fourier transforms")


def taylor_green(n):
    x, y, z = np.meshgrid(*[2 * np.pi / n * np.arange(n)] * 3, indexing="ij")
    return np.stack([np.sin(x) * np.cos(y) * np.cos(z),
                     -np.cos(x) * np.sin(y) * np.cos(z), 0 * x], -1)


def test_spectral():
    flow = koshu.flows.Flow("spectral", n=16, viscosity=0.05, dt=0.02)
    u = taylor_green(16)
    # transforms are in single precision where KISS FFT is used
    assert np.allclose(flow.velocity(), u, atol=1e-6)
    assert flow.box == 2 * np.pi and flow.viscosity == 0.05
    d = flow.diagnostics()
    assert d["time"] == 0 and d["energy"] == pytest.approx(1 / 8, rel=1e-6)
    assert d["enstrophy"] == pytest.approx(3 / 8, rel=1e-6)
    flow.run(until=0.05)
    p = flow.progress()
    assert p.step == 3 and p.time == pytest.approx(0.05) and p.points == 4096
    # dE/dt = -2 nu enstrophy, which has hardly changed
    assert flow.diagnostics()["energy"] == pytest.approx(
        1 / 8 - 0.05 * 2 * 0.05 * 3 / 8, rel=1e-3)
    same = koshu.flows.Flow(velocity=u, viscosity=0.05, dt=0.02)
    same.run(until=0.05)
    assert np.allclose(same.velocity(), flow.velocity(), atol=1e-6)
    # the divergent part is removed
    x = 2 * np.pi / 16 * np.arange(16)
    same.set_velocity(u + np.sin(x)[:, None, None, None] * [1, 0, 0])
    assert np.allclose(same.velocity(), u, atol=1e-6)
    assert set(same.arrays()) == {"Velocity", "Vorticity"}
    assert same.arrays()["Vorticity"][..., 2].max() == pytest.approx(2, 1e-6)
    assert "spectral, 4096 points" in repr(same)


def test_measures():
    n, k = 16, 3
    x = 2 * np.pi / n * np.arange(n)
    u = np.zeros((n, n, n, 3))
    u[..., 1] = np.sin(k * x)[:, None, None]
    spectrum = koshu.flows.energy_spectrum(u)
    assert spectrum.k[0] == 1 and spectrum.energy[k - 1] == pytest.approx(0.25)
    assert np.delete(spectrum.energy, k - 1).max() < 1e-12
    s = koshu.flows.statistics(u, viscosity=0.1)
    assert s.energy == pytest.approx(0.25)
    assert s.enstrophy == pytest.approx(0.25 * k ** 2)
    assert s.dissipation == pytest.approx(0.05 * k ** 2)
    assert s.eta == pytest.approx((1e-3 / s.dissipation) ** 0.25)
    assert s.resolution == pytest.approx(7 * s.eta)
    assert abs(s.skewness) < 1e-6
    f = koshu.flows.structure_functions(u)
    # u_y varies along x only, one of six transverse combinations
    assert np.allclose(f.transverse, (1 - np.cos(k * f.r)) / 6)
    assert np.abs(f.longitudinal).max() < 1e-12
    # in a box twice as large, k is half as large
    assert koshu.flows.energy_spectrum(u, box=4 * np.pi).k[0] == 0.5
    # a shear rotates as much as it strains; a Taylor-Green vortex does not
    assert np.abs(koshu.flows.second_invariant(u)).max() < 1e-5
    ii = koshu.flows.second_invariant(taylor_green(n))
    assert ii.shape == (n, n, n) and ii[0, 0, 0] == pytest.approx(2, 1e-5)


def test_enstrophy_is_of_any_velocity():
    """Against a curl by numpy; n is odd, so that every wave has a slope."""
    n, box = 9, 3.0
    u = np.random.default_rng(1).normal(size=(n, n, n, 3))
    k = np.fft.fftfreq(n, box / n / 2 / np.pi)
    k = np.stack(np.meshgrid(k, k, k, indexing="ij"), -1)
    curl = np.cross(1j * k, np.fft.fftn(u, axes=(0, 1, 2)))
    expected = (abs(curl) ** 2).sum() / 2 / n ** 6
    s = koshu.flows.statistics(u, box=box)
    # transforms are in single precision where KISS FFT is used
    assert s.enstrophy == pytest.approx(expected, rel=1e-5)


def test_turbulence():
    """The same field on any grid and with both methods."""
    options = dict(initial="turbulence",
                   turbulence={"wave_number": 2, "reynolds": 10, "seed": 3})
    a = koshu.flows.Flow("spectral", n=16, **options)
    b = koshu.flows.Flow("spectral", n=32, **options)
    p = a.progress()
    assert p.reynolds == pytest.approx(10) and p.turnover > 0
    ka, kb = a.energy_spectrum(), b.energy_spectrum()
    assert np.allclose(ka.energy[:6], kb.energy[:6], rtol=1e-5)
    assert a.statistics().energy == pytest.approx(1.5 * p.speed ** 2, rel=1e-5)
    assert not np.allclose(a.velocity(), koshu.flows.Flow(
        n=16, initial="turbulence", turbulence={"seed": 4}).velocity(),
        atol=0.1)
    v = koshu.flows.Flow("vortex", n=16, **options)
    difference = v.velocity() - a.velocity()
    # the part of the field that 16^3 particles cannot represent
    assert np.sqrt((difference ** 2).mean()) < 0.02 * p.speed
    assert v.velocity(8).shape == (8, 8, 8, 3)
    with pytest.raises(koshu.OutOfMemoryError, match="too little memory"):
        v.velocity(65536)


def test_rings():
    ring = koshu.flows.Flow("vortex", initial="rings", spacing=0.15, dt=0.05,
                            rings={"core": 0.2})
    arrays = ring.arrays()
    assert arrays["Strengths"].shape == arrays["Coordinates"].shape
    before = ring.diagnostics()
    assert before["impulse_z"] == pytest.approx(np.pi, rel=0.05)
    ring.step()
    ring.step(0.1)
    after = ring.diagnostics()
    assert after["time"] == pytest.approx(0.15)
    assert after["centre_z"] > before["centre_z"]
    with pytest.raises(koshu.BadInputError, match="free space"):
        ring.velocity()
    with pytest.raises(koshu.UnsupportedError, match="vortex particles"):
        ring.set_velocity(np.zeros((32, 32, 32, 3)))


@pytest.mark.parametrize("method", ["spectral", "vortex"])
def test_run(tmp_path, method):
    values = {"flow.method": method, "flow.initial": "taylor-green",
              "flow.n": 12, "flow.viscosity": 0.02, "integrator.dt": 0.05,
              "integrator.end": 0.2, "output.snapshot.interval": 0.1}
    with koshu.flows.Run(None, {**values,
                                "output.directory": tmp_path / "a"}) as run:
        assert run.stopped == "none" and run.run() == "end"
    files = os.listdir(tmp_path / "a")
    assert "energy.csv" in files and "spectrum_0002.csv" in files
    assert run.progress().step == 4 and run.progress().snapshots == 3
    with pytest.raises(ValueError, match="the run has ended"):
        run.step()
    # stopped between two steps and continued
    half = {**values, "output.directory": tmp_path / "b"}
    with koshu.flows.Run(None, half) as run:
        run.call(lambda r: r.progress().step < 2)
        assert run.run() == "request"
    del run
    with koshu.flows.Run(None, half, restart=True) as run:
        assert run.time == pytest.approx(0.1) and run.run() == "end"
    for name in ("energy.csv", "snapshot_0002.hdf5"):
        assert (tmp_path / "a" / name).read_bytes() == (
            tmp_path / "b" / name).read_bytes()
    # its snapshot: the state at that time, and on from there
    flow = koshu.flows.read(tmp_path / "a" / "snapshot_0002.hdf5")
    assert flow.time == pytest.approx(0.2) and flow.dt == 0.05
    assert np.allclose(flow.velocity(), run.velocity(), atol=1e-6)
    energy = flow.diagnostics()["energy"]
    flow.step()
    assert flow.diagnostics()["energy"] < energy


def test_read_continues_a_run(tmp_path):
    """Remeshed in a box, where the fit is to the curl of the velocity; rk4
    needs no rates of the step before."""
    with koshu.flows.Run(None, {
            "flow.method": "vortex", "flow.initial": "turbulence",
            "flow.n": 12, "flow.turbulence.wave_number": 1.5,
            "flow.turbulence.reynolds": 10, "flow.scheme": "rk4",
            "flow.remesh.steps": 1, "integrator.dt": 0.125,
            "integrator.end": 0.5, "output.snapshot.interval": 0.25,
            "output.directory": tmp_path}) as run:
        run.run()
    flow = koshu.flows.read(tmp_path / "snapshot_0001.hdf5")
    flow.run(until=0.5)
    expected = koshu.flows.read(tmp_path / "snapshot_0002.hdf5").arrays()
    # steps of 1/8 have no rounding: the same bits
    for name, array in flow.arrays().items():
        assert np.array_equal(array, expected[name]), name


class Full:
    """A flow on a full disk."""

    def __init__(self, c):
        self._c = c

    def __getattr__(self, name):
        return getattr(self._c, name)

    def finish(self):
        raise koshu.FileError("no space left")


def test_what_ends_a_run_is_not_hidden(tmp_path, caplog):
    run = koshu.flows.Run(None, {
        "flow.method": "spectral", "flow.initial": "taylor-green", "flow.n": 8,
        "integrator.dt": 0.05, "integrator.end": 0.2,
        "output.directory": tmp_path})
    run._c = Full(run._c)

    @run.call
    def fail(r):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run.run()
    assert "no space left" in caplog.text


def test_mistakes(tmp_path):
    with pytest.raises(koshu.BadInputError, match="flow.viscosty"):
        koshu.flows.Flow(viscosty=1)
    with pytest.raises(koshu.BadInputError, match="flow.method: none"):
        koshu.flows.Flow("none")
    with pytest.raises(ValueError, match=r"shape \(4, 4, 3\)"):
        koshu.flows.energy_spectrum(np.zeros((4, 4, 3)))
    with pytest.raises(ValueError, match=r"n is 8, and velocity has 16"):
        koshu.flows.Flow(n=8, velocity=taylor_green(16))
    with pytest.raises(koshu.BadInputError, match="box = 0"):
        koshu.flows.statistics(taylor_green(8), box=0)
    spoilt = taylor_green(8)
    spoilt[1, 2, 3] = np.nan
    for f in (koshu.flows.statistics, koshu.flows.energy_spectrum,
              koshu.flows.structure_functions, koshu.flows.second_invariant):
        for value in np.nan, -np.inf:
            spoilt[1, 2, 3, 1:] = value
            with pytest.raises(koshu.NotFiniteError,
                               match=r"\(1, 2, 3\) is not finite: u"):
                f(spoilt)
    for viscosity in -1, np.nan, np.inf:
        with pytest.raises(koshu.BadInputError, match="viscosity = "):
            koshu.flows.statistics(taylor_green(8), viscosity=viscosity)
    with pytest.raises(koshu.NotFiniteError, match="velocity"):
        koshu.flows.Flow(velocity=spoilt)
    flow = koshu.flows.Flow(n=8)
    with pytest.raises(koshu.NotFiniteError, match="velocity"):
        flow.set_velocity(spoilt)
    flow.step(0.1)
    flow.run(until=flow.time)
    for time in 0.05, np.nan, np.inf:
        with pytest.raises(koshu.InvalidArgumentError, match="until = "):
            flow.run(until=time)
    with pytest.raises(koshu.InvalidArgumentError, match="dt = -1"):
        flow.step(-1)
    with pytest.raises(koshu.BadInputError, match=r"8\^3"):
        flow.velocity(16)
    with pytest.raises(ValueError, match=r"16\^3 points: expected 8"):
        flow.set_velocity(taylor_green(16))
    koshu.write(tmp_path / "p.hdf5", koshu.models.plummer(10))
    with pytest.raises(koshu.BadInputError, match="not a snapshot of a flow"):
        koshu.flows.read(tmp_path / "p.hdf5")
