# SPDX-License-Identifier: MIT
import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import koshu


def test_stars(tmp_path):
    stars = koshu.models.Stars(mass_function="kroupa", mass_min=0.08,
                               mass_max=50, binary_fraction=0.5, length_pc=1)
    p = koshu.models.plummer(300, seed=3, stars=stars)
    mass = p.mass * stars.mass(300, seed=3)
    assert 0.08 <= mass.min() < 0.1 and 1 < mass.max() <= 50
    assert p.mass.sum() == pytest.approx(1, rel=1e-14)
    # the first 200 are 100 pairs
    apart = np.linalg.norm(p.position[0:200:2] - p.position[1:200:2], axis=1)
    assert np.median(apart) < 0.01
    table = tmp_path / "masses.csv"
    table.write_text("mass,xi\n1,1\n2,0.5\n")
    stars = koshu.models.Stars(mass_function="table", mass_table=str(table))
    assert 100 < stars.mass(100) < 200
    for wrong, words in [({"mass_function": "kroupa"}, "has no limits"),
                         ({"binary_fraction": 1.5}, r"in \[0, 1\]"),
                         ({"binary_fraction": 0.5}, "needs a size")]:
        with pytest.raises(koshu.InvalidArgumentError, match=words):
            koshu.models.plummer(10, stars=koshu.models.Stars(**wrong))


def test_components():
    text = ("plummer n=60, total_mass=2, x=-2, vx=0.5, "
            "king n=40, total_mass=0.5, x=2, vy=-1")
    p = koshu.models.components(text, seed=3)
    alone = koshu.models.plummer(60, seed=3)
    assert np.allclose(p.position[:60] - [-2, 0, 0], alone.position, atol=1e-13)
    assert np.allclose(p.mass, [2 / 60] * 60 + [0.5 / 40] * 40)
    assert np.allclose(p.velocity[60:].mean(0), [0, -1, 0])
    sized = koshu.models.components(
        "plummer n=10, total_mass=1e4 Msun, virial_radius=2 pc",
        units="pc, Msun, Myr")
    g = koshu.Units("pc, Msun, Myr").gravitational_constant
    assert np.isclose(sized.mass.sum(), g * 1e4)
    with pytest.raises(koshu.BadInputError, match="component 1, plummer: mass: "):
        koshu.models.components("plummer n=10, mass=2")


def test_models():
    for p in (koshu.models.plummer(100), koshu.models.sphere(100),
              koshu.models.cube(100), koshu.models.king(100, w0=4),
              koshu.models.hernquist(100), koshu.models.two_body(),
              koshu.models.dehnen(100, gamma=1.5), koshu.models.nfw(100),
              koshu.models.eff(100, gamma=4),
              koshu.models.fractal(100, dimension=2, virial_ratio=0.5),
              koshu.models.galaxy(100, disk_fraction=0.5)):
        assert p.mass.sum() == pytest.approx(1, rel=1e-14)
        assert np.abs(p.mass @ p.position).max() < 1e-12
    p = koshu.models.plummer(200, exact_virial=True)
    koshu.Solver("direct").forces(p)
    d = p.diagnostics()
    # the direct sum is in single precision
    assert d.total == pytest.approx(-0.25, rel=1e-5)
    assert d.virial_ratio == pytest.approx(0.5, rel=1e-5)
    assert list(d.lagrangian_radius) == [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9]
    with pytest.raises(koshu.InvalidArgumentError):
        koshu.models.king(10, w0=99)
    with pytest.raises(TypeError, match="n: expected a whole number >= 0, got 2.5"):
        koshu.models.plummer(2.5)


def test_arrays(cloud):
    x, m = cloud
    p = koshu.Particles(position=x, mass=m, id=np.arange(500) + 7)
    assert len(p) == p.total == 500 and p.first == 0
    assert np.array_equal(p.position, x) and np.array_equal(p.mass, m)
    assert np.array_equal(p.id, np.arange(500) + 7)
    assert not p.velocity.any()
    p.velocity = x[::-1]
    assert np.array_equal(p.velocity, x[::-1])
    # the store's memory, not a copy
    assert np.shares_memory(p.position, p.position)
    with pytest.raises(ValueError, match="read-only"):
        p.position[0] = 1


@pytest.mark.parametrize("name", ["position", "velocity", "mass"])
def test_only_finite_numbers_are_taken(cloud, name):
    x, m = cloud
    p = koshu.Particles(position=x, mass=m)
    for value in np.nan, np.inf, -np.inf:
        spoilt = np.array(getattr(p, name))
        spoilt[2, ...] = value
        with pytest.raises(koshu.NotFiniteError, match=rf"{name}\[2.*\] is "
                           rf"{value}: every number"):
            setattr(p, name, spoilt)
    assert np.array_equal(p.position, x) and np.array_equal(p.mass, m)
    assert not p.velocity.any()


def test_writing_what_is_there_in_another_order(cloud):
    x, m = cloud
    p = koshu.Particles(position=x, mass=m)
    p.position = p.position[::-1]
    p.mass = p.mass[::-1]
    p.id = p.id[::-1]
    assert np.array_equal(p.position, x[::-1])
    assert np.array_equal(p.mass, m[::-1])
    assert np.array_equal(p.id, np.arange(500)[::-1])
    p.position = p.position[:, ::-1]
    assert np.array_equal(p.position, x[::-1, ::-1])


def test_fields_that_not_every_store_has(cloud):
    x, m = cloud
    p = koshu.Particles(position=x, mass=m)
    fields = "work", "initial_mass"
    with p.edit(*fields) as e:
        e.work[:], e.initial_mass[:] = 3, 7
    for name, value in zip(fields, (3, 7)):
        with p.edit(name) as e:
            assert (getattr(e, name) == value).all()


def test_edit(cloud):
    x, m = cloud
    p = koshu.Particles(position=x, mass=m)
    solver = koshu.Solver(softening=0.1)
    with p.edit("position", "velocity") as e:
        e.position *= 2
        e.velocity[3] = 1
        with pytest.raises(koshu.InvalidArgumentError, match="not released"):
            solver.forces(p)
    assert np.array_equal(p.position, 2 * x)
    assert p.velocity.sum() == 3
    with pytest.raises(ValueError):
        e.position[0] = 1
    with pytest.raises(koshu.NotFoundError, match="position"):
        with p.edit("places"):
            pass
    solver.forces(p)


@pytest.mark.parametrize("values, message", [
    ({"position": np.ones((4, 3)), "mass": -1}, "mass"),
    ({"position": np.full((4, 3), np.nan), "mass": 1}, "nan"),
    ({"position": np.ones((0, 3)), "mass": 1}, "at least 1"),
    ({"position": np.ones((4, 3)), "mass": 1, "id": [1, 2]}, "id has the shape"),
    ({"position": np.ones((4, 3)), "mass": 1, "id": [1, 2, 3, -4]},
     "id has a negative number"),
    ({"position": np.ones((4, 3)), "mass": 1, "velocity": np.ones(4)},
     "velocity has the shape"),
])
def test_bad_particles(values, message):
    with pytest.raises(ValueError, match=message) as raised:
        koshu.Particles(**values)
    assert "\n" not in str(raised.value)


def test_lifetimes():
    p = koshu.models.plummer(1000)
    x = p.position
    copied = np.array(x)
    alive = weakref.ref(p)
    del p
    gc.collect()
    assert alive() is None  # only the store is kept alive, by the array
    others = [koshu.models.plummer(1000, seed=k) for k in range(2, 30)]
    assert np.array_equal(x, copied)
    del others


def test_permute(cloud):
    x, m = cloud
    p = koshu.Particles(position=x, mass=m)
    order = np.random.default_rng(2).permutation(500)
    seen = p.position
    p.permute(order)
    assert np.array_equal(p.position, x[order])
    assert np.array_equal(p.id, order)
    assert seen.shape == (500, 3)  # no longer meaningful, but harmless
    with pytest.raises(koshu.InvalidArgumentError, match="named twice"):
        p.permute(np.zeros(500, int))
    with pytest.raises(TypeError, match="whole numbers"):
        p.permute(np.arange(500.0))


def test_copies():
    p = koshu.models.king(300)
    koshu.Solver("direct", softening=0.1).forces(p)
    for q in (pickle.loads(pickle.dumps(p)), copy.deepcopy(p), p.copy()):
        for name in ("id", "mass", "position", "velocity", "acceleration",
                     "potential"):
            assert np.array_equal(getattr(q, name), getattr(p, name)), name
    q.mass = 2
    assert p.mass.sum() == pytest.approx(1)
    assert "300" in repr(p) and "<table>" in p._repr_html_()


def test_units():
    u = koshu.Units("pc, Msun, km/s")
    assert u.gravitational_constant == pytest.approx(4.30091e-3, rel=1e-5)
    assert u.parse("1 kpc", "length") == pytest.approx(1000)
    assert u.factor(koshu.Units("kpc, Msun, km/s"), "length") == pytest.approx(
        1e-3)
    assert u.label("density") == "Msun/pc^3"
    assert "Myr" in u.text(1.0, "time")
    assert pickle.loads(pickle.dumps(u)) == u != koshu.Units()
    assert eval(repr(u)) == u and koshu.Units().dimensionless
    assert koshu.Units.of_sizes(*u._sizes()) == u
    for size in 0, -1, np.nan, np.inf:
        with pytest.raises(ValueError, match="positive, finite sizes"):
            koshu.Units.of_sizes(1, size, 1)
    with pytest.raises(koshu.BadInputError, match="parsec|pc"):
        koshu.Units("parsec, Msun, Myr")
    p = koshu.models.plummer(10)
    x = np.array(p.position)
    p.convert(u, koshu.Units("kpc, Msun, km/s"))
    assert np.allclose(p.position, x / 1000, rtol=1e-12)


@pytest.mark.parametrize("text", [
    "pc, Msun, Myr", "kpc, 1e10 Msun, km/s", "2 pc, Mearth, km/s", "m, kg, s"])
def test_units_of_astropy(text):
    of_astropy = pytest.importorskip("astropy.units")
    units = koshu.Units(text)
    for quantity in ("length", "mass", "time", "velocity", "acceleration", "density",
                     "potential", "angular-momentum", "number-density"):
        unit = units.astropy(quantity)
        assert unit.cgs.scale == pytest.approx(units.in_cgs(quantity), rel=1e-11)
    assert units.astropy("velocity").is_equivalent(of_astropy.km / of_astropy.s)
    assert koshu.Units().astropy("length") == of_astropy.dimensionless_unscaled


def test_no_leak():
    """Reference counts of views and stores: memory does not grow."""
    import resource

    p = koshu.models.plummer(20000)

    def use():
        p.position, p.mass
        koshu.forces(np.ones((10, 3)), 1)
        with p.edit("velocity"):
            pass
        pickle.loads(pickle.dumps(koshu.models.two_body()))

    for _ in range(100):
        use()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(500):
        use()
    # leaking a view of 20000 particles would add 480 kB a call
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000
