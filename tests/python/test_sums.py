# SPDX-License-Identifier: MIT
"""j-particle stores, interactions, sums of 1 / r, pictures."""
import pathlib
import pickle
import threading

import numpy as np
import pytest

import koshu

GRAVITY = """
//! i: x y z
//! j: x y z mass
//! out: ax ay az
//! constant G = 1
double dx = INPUT_J[0] - INPUT_I[0];
double dy = INPUT_J[1] - INPUT_I[1];
double dz = INPUT_J[2] - INPUT_I[2];
double r2 = dx*dx + dy*dy + dz*dz + 0.01;
double f = G * INPUT_J[3] / (r2 * sqrt(r2));
OUTPUT[0] += f * dx; OUTPUT[1] += f * dy; OUTPUT[2] += f * dz;
"""


def test_j_store(cloud, reference):
    x, m = cloud
    store = koshu.JStore(600, precision="double")
    v = x[::-1].copy()
    store.set(x, m, velocity=v, time=0.25)
    store.time = 0.5
    assert store.time == 0.5 and store.capacity == len(store) == 600
    now = x + v * 0.25
    f = store.forces(now, velocity=v, id=range(500), softening=0.1,
                     nearest=True)
    a, potential = reference(now, m, 0.1)
    assert np.allclose(f.acceleration, a, rtol=1e-11)
    assert np.allclose(f.potential, potential, rtol=1e-12)
    later = reference(now + 1e-6 * v, m, 0.1)[0]
    assert np.allclose(f.jerk, (later - a) / 1e-6, rtol=1e-3, atol=1e-3)
    d = np.linalg.norm(now[:, None] - now, axis=2)
    np.fill_diagonal(d, np.inf)
    assert np.array_equal(f.nearest, d.argmin(1))
    assert np.allclose(f.nearest_r2, d.min(1) ** 2)
    store.start(now[:3], id=range(3), h2=np.full(3, 0.5))
    near = store.neighbours(max=2)  # the lists' capacity grows
    assert [n.tolist() for n in near] == [
        np.flatnonzero(d[k] ** 2 <= 0.5).tolist() for k in range(3)]
    store.wait()
    store.set(x[:2], 1.0, index=[598, 599], id=[7, 8])
    assert store.id(599) == 8
    store.reserve(700)
    assert store.capacity == 700


def test_threads_share_a_j_store(cloud):
    """Each call gets the sums for its own i-particles, few or many."""
    x, m = cloud
    store = koshu.JStore(500, context=koshu.Context(threads=1))
    store.set(x, m)
    alone = {n: store.forces(np.resize(x, (n, 3)) + 1).potential
             for n in (3, 3000)}
    wrong = []

    def use(n):
        for _ in range(100):
            if not np.array_equal(store.forces(np.resize(x, (n, 3)) + 1)
                                  .potential, alone[n]):
                wrong.append(n)

    threads = [threading.Thread(target=use, args=(n,)) for n in (3, 3000) * 2]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_bad_j_store(cloud):
    x, m = cloud
    store = koshu.JStore(10)
    with pytest.raises(ValueError, match="500 particles for a store of 10"):
        store.set(x, m)
    with pytest.raises(koshu.InvalidArgumentError):
        store.set(x[:1], m[:1], index=[10])
    with pytest.raises(koshu.InvalidArgumentError, match="start"):
        store.wait()
    with pytest.raises(koshu.NotFiniteError, match="velocity"):
        store.set(x[:1], m[:1], velocity=[[np.nan, 0, 0]])
    with pytest.raises(IndexError):
        store.id(10)


def test_interaction(cloud, reference):
    x, m = cloud
    f = koshu.interaction(GRAVITY, precision="double")
    assert f.i_names == ["x", "y", "z"] and f.out_names == ["ax", "ay", "az"]
    j = np.column_stack([x, m])
    a = f(x, j)
    assert np.allclose(a, reference(x, m, 0.1)[0], rtol=1e-10)
    twice = koshu.interaction(GRAVITY, precision="double", constants={"G": 2})
    assert np.allclose(twice(x, j), 2 * a, rtol=1e-14)
    with pytest.raises(koshu.NotFoundError, match="no constant 'g'; it has G"):
        koshu.interaction(GRAVITY, constants={"g": 2})
    assert "(x y z)" in repr(f)
    assert np.array_equal(pickle.loads(pickle.dumps(twice))(x, j), twice(x, j))
    with pytest.raises(ValueError, match=r"j has the shape \(500, 3\): "
                                         r"expected \(n, 4\), of x y z mass"):
        f(x, x)
    with pytest.raises(koshu.BadInputError, match="gravity:4"):
        koshu.interaction("//! i: x\n//! j: x\n//! out: y\nOUTPUT[0] += ;\n", name="gravity")


def test_laplace(cloud):
    x, q = cloud
    direct = koshu.forces(x, q, solver=koshu.Direct(precision="double"))
    s = koshu.Laplace(tolerance=1e-9, precision="double").sums(
        x, q, hessian=True)
    assert np.allclose(s.potential, -direct.potential, rtol=1e-8)
    error = np.linalg.norm(s.gradient - direct.acceleration)
    assert error < 1e-8 * np.linalg.norm(direct.acceleration)
    assert s.hessian.shape == (500, 3, 3)
    # away from the charges the Laplacian is 0
    assert np.abs(np.trace(s.hessian, axis1=1, axis2=2)).max() < 1e-6 * np.abs(
        s.hessian).max()
    several = koshu.Laplace(tolerance=1e-9, precision="double").sums(
        x, [q, -2 * q], targets=x[:7] + 10)
    assert several.potential.shape == (2, 7)
    assert several.gradient.shape == (2, 7, 3)
    assert np.allclose(several.potential[1], -2 * several.potential[0])
    with pytest.raises(ValueError, match="neither charge nor dipole"):
        koshu.Laplace().sums(x)


def test_no_sources():
    none, places = np.empty((0, 3)), np.ones((4, 3))
    for sums in koshu.Laplace().sums, koshu.ewald:
        s = sums(none, np.empty(0), hessian=True)
        assert s.potential.shape == (0,) and s.hessian.shape == (0, 3, 3)
        s = sums(none, np.empty((2, 0)), targets=places)
        assert np.array_equal(s.gradient, np.zeros((2, 4, 3)))


def test_biot_savart():
    """At the centre of a vortex ring of radius 1 and circulation 1: 1/2."""
    t = np.arange(4096) * (2 * np.pi / 4096)
    x = np.column_stack([np.cos(t), np.sin(t), 0 * t])
    alpha = np.column_stack([-np.sin(t), np.cos(t), 0 * t]) * (
        2 * np.pi / 4096)
    v = koshu.Laplace(tolerance=1e-8, precision="double").biot_savart(
        x, alpha, targets=[[0, 0, 0], [0, 0, 1]])
    assert v.velocity[:, 2] == pytest.approx([0.5, 0.5 / 8 ** 0.5], rel=1e-7)
    # the tolerance applies to velocities; gradients have two digits less
    assert v.gradient[1, 2, 2] == pytest.approx(-1.5 / 32 ** 0.5, rel=1e-5)


def test_ewald():
    """The Madelung constant of rock salt."""
    grid = np.array([[i, j, k] for i in range(2) for j in range(2)
                     for k in range(2)]) / 2
    q = (-1.0) ** (2 * grid).sum(1)
    s = koshu.ewald(grid, q, box=1)
    assert s.potential[0] == pytest.approx(-2 * 1.747564594633182, rel=1e-12)
    f = koshu.Laplace(box=1, precision="double", tolerance=1e-9).sums(grid, q)
    assert f.potential == pytest.approx(s.potential, rel=1e-6)


def test_pictures(tmp_path):
    p = koshu.models.plummer(5000)
    koshu.plot.picture([p, koshu.models.cube(5000)], tmp_path / "a.png",
                       labels=["a", "b"], pixels=64)
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(ValueError, match="x.foo' does not end in .png"):
        koshu.plot.picture(p, tmp_path / "x.foo")
    sigma = koshu.plot.surface_density(p, half_width=1, pixels=64,
                                       centre=(0, 0, 0))
    inside = (np.abs(p.position[:, :2]) < 1).all(1)
    assert sigma.sum() * (2 / 64) ** 2 == pytest.approx(
        p.mass[inside].sum(), rel=1e-2)
    r = np.linalg.norm(p.position - koshu.plot.centre(p), axis=1)
    assert koshu.plot.radius(p, koshu.plot.centre(p), 0.5) == pytest.approx(
        np.median(r), rel=0.01)
    assert np.array_equal(sigma, koshu.plot.surface_density(
        p, half_width=1, pixels=64, centre=np.zeros(3)))
    heap = koshu.Particles(position=np.ones((3, 3)), mass=1)
    with pytest.raises(ValueError, match="in one place: half_width is needed"):
        koshu.plot.surface_density(heap)
    assert koshu.plot.surface_density(heap, half_width=1).max() > 0
    pytest.importorskip("matplotlib").use("Agg")
    koshu.plot.density(p, path=tmp_path / "b.png")
    assert (tmp_path / "b.png").stat().st_size > 10000


def test_bench():
    try:
        koshu._program.path()
    except FileNotFoundError as error:
        pytest.skip(str(error))
    row, = koshu.bench("direct", n=512, repeats=1)
    assert row["n"] == 512 and row["err_max"] < 1e-5
    with pytest.raises(RuntimeError, match="nonsense"):
        koshu.bench("nonsense")
    assert pathlib.Path(koshu._program.path()).name == "koshu"
