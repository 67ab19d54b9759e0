# SPDX-License-Identifier: MIT
"""The community code in scripts, each with its own worker."""
import numpy
import pytest
from amuse.datamodel import Particles
from amuse.support.exceptions import AmuseException
from amuse.units import nbody_system as nbody
from amuse.units import constants, units

from amuse_koshu import Koshu, KoshuInterface

NO_LENGTH = 0 | nbody.length


def two_stars(distance, speed, mass=0.5, radius=0.0):
    """Two stars on the x axis; the second has `speed` along x and y."""
    stars = Particles(2)
    stars.mass = mass | nbody.mass
    stars.radius = radius | nbody.length
    stars.position = [[0, 0, 0], [distance, 0, 0]] | nbody.length
    stars.velocity = [[0, 0, 0], [*speed, 0]] | nbody.speed
    return stars


@pytest.mark.parametrize("channel", ["mpi", "sockets"])
def test_energy(plummer, channel):
    code = Koshu(channel_type=channel)
    code.particles.add_particles(plummer(100))
    before = code.kinetic_energy + code.potential_energy
    code.evolve_model(0.3 | nbody.time)
    assert code.model_time == 0.3 | nbody.time
    after = code.kinetic_energy + code.potential_energy
    code.stop()
    # with the Hermite scheme's default; ph4's is 1e-5
    assert abs(after / before - 1) < 1e-6
    # a Plummer sphere in virial equilibrium has E = -1/4; with 100 stars it
    # scatters
    assert before.number == pytest.approx(-0.25, rel=0.05)


def test_a_year(make):
    """The Earth returns after a year, in SI units."""
    solar_system = Particles(2)
    solar_system.mass = [1 | units.MSun, 1 | units.MEarth]
    solar_system.radius = 0 | units.km
    solar_system.position = [[0, 0, 0], [1, 0, 0]] | units.AU
    total = solar_system.total_mass()
    solar_system.velocity = [[0, 0, 0], [0, 1, 0]] * (
        constants.G * total / (1 | units.AU)).sqrt()
    code = make(nbody.nbody_to_si(1 | units.MSun, 1 | units.AU),
                timestep_parameter=1e-4, precision="double")
    code.particles.add_particles(solar_system)
    year = 2 * numpy.pi * ((1 | units.AU)**3 / (constants.G * total)).sqrt()
    code.evolve_model(year)
    relative = code.particles[1].position - code.particles[0].position
    off = relative - ([1, 0, 0] | units.AU)
    # fourth order, with more than a hundred steps an orbit
    assert off.length() < 1e-6 | units.AU


def test_particles(make, plummer):
    """Values that are set can be read; particles are added and removed
    between calls."""
    code, stars = make(), plummer(50)
    code.particles.add_particles(stars)
    code.evolve_model(0.1 | nbody.time)
    code.particles.new_channel_to(stars).copy()
    code.particles.remove_particle(stars[10])
    code.particles.add_particles(two_stars(5, (0, 0)))
    assert len(code.particles) == 51
    code.particles[3].mass = 0.25 | nbody.mass
    code.particles[4].position = [1, 2, 3] | nbody.length
    code.particles.velocity *= 0.5
    code.particles[5].radius = 0.125 | nbody.length
    assert code.particles[3].mass == 0.25 | nbody.mass
    assert code.particles[4].position.number.tolist() == [1, 2, 3]
    assert code.particles[5].radius.number == 0.125
    assert (code.particles[:5].velocity == 0.5 * stars[:5].velocity).all()
    before = code.kinetic_energy + code.potential_energy
    code.evolve_model(0.2 | nbody.time)
    after = code.kinetic_energy + code.potential_energy
    assert abs(after / before - 1) < 1e-5
    assert code.model_time.number == 0.2
    with pytest.raises(AmuseException, match="no particle of the index 10"):
        code.get_mass(10)


def test_energies(make, plummer):
    """Energies equal those of AMUSE's own sums."""
    stars = plummer(60)
    code = make(epsilon_squared=0.01 | nbody.length**2, precision="double")
    code.particles.add_particles(stars)
    softened = stars.potential_energy(
        smoothing_length_squared=0.01 | nbody.length**2, G=nbody.G)
    assert abs(code.potential_energy / softened - 1) < 1e-12
    assert abs(code.kinetic_energy / stars.kinetic_energy() - 1) < 1e-12
    assert abs(code.total_radius / stars.total_radius() - 1) < 1e-12
    assert code.total_mass == stars.mass.sum()
    for own, theirs in (
            (code.center_of_mass_position, stars.center_of_mass()),
            (code.center_of_mass_velocity, stars.center_of_mass_velocity())):
        assert numpy.allclose(own.number, theirs.number, atol=1e-14)
    potential = code.get_potential(code.particles.index_in_code)
    assert numpy.allclose(
        potential.number, stars.potential(
            smoothing_length_squared=0.01 | nbody.length**2,
            G=nbody.G).number, rtol=1e-12)


@pytest.mark.parametrize("method, tolerance", [
    ("direct", 1e-6), ("tree", 1e-2), ("fmm", 1e-4)])
def test_field(make, plummer, method, tolerance):
    """Gravity at points, compared with the pairs' formula, to which the
    points' eps is added."""
    stars = plummer(500)
    code = make(method=method, integrator="leapfrog",
                epsilon_squared=0.0009 | nbody.length**2)
    code.particles.add_particles(stars)
    points = numpy.random.default_rng(2).normal(size=(40, 3))
    eps = numpy.where(numpy.arange(40) < 20, 0.04, 0.0)
    x = points.T | nbody.length
    field = code.get_gravity_at_point(eps | nbody.length, *x)
    potential = code.get_potential_at_point(eps | nbody.length, *x)
    d = stars.position.number[None] - points[:, None]
    s = numpy.sqrt((d**2).sum(-1) + 0.0009 + eps[:, None]**2)
    m = stars.mass.number
    expected = (m[:, None] * d / s[..., None]**3).sum(1)
    size = numpy.linalg.norm(expected, axis=1)
    error = numpy.linalg.norm(
        numpy.stack([a.number for a in field], 1) - expected, axis=1) / size
    # single precision, the opening criterion, the FMM's tolerance
    assert error.max() < tolerance
    assert numpy.allclose(potential.number, -(m / s).sum(1), rtol=tolerance)


def test_sentences(make, plummer):
    """koshu's messages arrive."""
    code = make()
    with pytest.raises(AmuseException, match="expected one of 'direct', 'tree'"):
        code.parameters.method = "particle-mesh"
        code.commit_parameters()
    code = make(method="tree")
    code.particles.add_particles(plummer(10))
    with pytest.raises(AmuseException, match="Hermite scheme sums directly"):
        code.evolve_model(1 | nbody.time)


def test_parameters(make, plummer):
    """Options are used: the leapfrog with a tree has the error of its step."""
    errors = []
    for step in (1 / 32, 1 / 64):
        code = make(method="tree", integrator="leapfrog", tree_alpha=1e-5,
                    timestep=step | nbody.time,
                    epsilon_squared=0.01 | nbody.length**2)
        assert code.get_time_step().number == step
        code.particles.add_particles(plummer(100))
        before = code.kinetic_energy + code.potential_energy
        code.evolve_model(1 | nbody.time)
        errors.append(abs(
            (code.kinetic_energy + code.potential_energy) / before - 1))
    # second order, so about four times as large
    assert 2 < errors[0] / errors[1] < 8


def test_begin_time(make):
    code = make(begin_time=2 | nbody.time)
    code.particles.add_particles(two_stars(1, (0, 1)))
    assert code.kinetic_energy.number > 0  # reading it commits the particles
    assert code.model_time == 2 | nbody.time
    code.evolve_model(2.5 | nbody.time)
    assert code.model_time == 2.5 | nbody.time
    with pytest.raises(AmuseException, match="ahead"):
        code.evolve_model(1 | nbody.time)


def test_none_and_one(make):
    code = make()
    code.evolve_model(1 | nbody.time)
    assert code.potential_energy.number == 0
    star = Particles(1)
    star.mass, star.radius = 1 | nbody.mass, NO_LENGTH
    star.position = [0, 0, 0] | nbody.length
    star.velocity = [1, 0, 0] | nbody.speed
    code.particles.add_particles(star)
    code.evolve_model(3 | nbody.time)
    assert code.particles[0].x.number == pytest.approx(2, rel=1e-12)


def test_raw_functions():
    """The interface without units, called as AMUSE's own tests of codes do."""
    code = KoshuInterface()
    assert code.initialize_code() == 0
    first = code.new_particle([10, 10], [-1, 1], [0, 0], [0, 0], [0, 0], [0, 0],
                              [0, 0], [1, 1])
    assert list(first["index_of_the_particle"]) == [0, 1]
    assert code.get_state(1)["x"] == 1
    assert code.get_number_of_particles()["number_of_particles"] == 2
    assert code.get_index_of_first_particle()["index_of_the_particle"] == 0
    assert code.get_index_of_next_particle(0)["index_of_the_next_particle"] == 1
    assert code.get_index_of_next_particle(1)["__result"] == 1
    assert code.get_potential_at_point(0, 0, 0, 0)["phi"] == pytest.approx(-20)
    assert code.cleanup_code() == 0
    code.stop()


# ---- stopping conditions ----------------------------------------------------

def test_collision(make):
    """Two stars fall towards each other, beside a third."""
    stars = two_stars(1, (0, 0.1), radius=0.05)
    stars.add_particles(two_stars(20, (0, 0), mass=1e-3)[1:])
    code = make()
    code.particles.add_particles(stars)
    before = code.kinetic_energy + code.potential_energy
    collision = code.stopping_conditions.collision_detection
    collision.enable()
    code.evolve_model(10 | nbody.time)
    assert collision.is_set() and code.model_time < 2 | nbody.time
    pair = collision.particles(0) + collision.particles(1)
    assert {p.key for p in pair} == {p.key for p in stars[:2]}
    distance = (pair[0].position - pair[1].position).length().number
    # one block step before, it exceeded the sum of the radii
    assert 0.08 < distance < 0.1
    after = code.kinetic_energy + code.potential_energy
    assert abs(after / before - 1) < 1e-6  # all are synchronised
    collision.disable()
    code.evolve_model(2 | nbody.time)
    assert not collision.is_set() and code.model_time.number == 2


def test_escaper(make, plummer):
    stars = plummer(50)
    stars[7].position = [9.9, 0, 0] | nbody.length
    stars[7].velocity = [2, 0, 0] | nbody.speed
    code = make(integrator="leapfrog", epsilon_squared=0.01 | nbody.length**2)
    code.particles.add_particles(stars)
    condition = code.stopping_conditions.escaper_detection
    condition.enable()
    code.evolve_model(1 | nbody.time)
    assert condition.is_set()
    assert [p.key for p in condition.particles(0)] == [stars[7].key]
    # at speed 2, to a distance of 10 from the centre of mass of all
    assert 0.05 < code.model_time.number < 0.25


def test_out_of_box(make):
    code = make(stopping_conditions_out_of_box_size=4 | nbody.length)
    code.particles.add_particles(two_stars(1, (2, 0)))
    condition = code.stopping_conditions.out_of_box_detection
    condition.enable()
    code.evolve_model(5 | nbody.time)
    assert condition.is_set()
    assert condition.particles(0)[0].x.number == pytest.approx(2, abs=0.05)


def test_steps_and_timeout(make, plummer):
    code = make(integrator="leapfrog", timestep=1 / 64 | nbody.time,
                epsilon_squared=0.01 | nbody.length**2,
                stopping_conditions_number_of_steps=5)
    code.particles.add_particles(plummer(20))
    conditions = code.stopping_conditions
    conditions.number_of_steps_detection.enable()
    code.evolve_model(1 | nbody.time)
    assert conditions.number_of_steps_detection.is_set()
    assert code.model_time.number == 5 / 64
    conditions.number_of_steps_detection.disable()
    conditions.timeout_detection.enable()
    code.parameters.stopping_conditions_timeout = 0.0 | units.s
    code.evolve_model(1 | nbody.time)
    assert conditions.timeout_detection.is_set()
    assert code.model_time.number == 6 / 64
    with pytest.raises(AmuseException, match="does not support"):
        conditions.pair_detection.enable()


# ---- together with other codes --------------------------------------------

def test_bridge(make):
    """Two stars in separate codes kick each other round their orbit
    (Bridge)."""
    from amuse.couple.bridge import Bridge
    pair = two_stars(1, (0, 1))
    codes = [make(precision="double"), make(precision="double")]
    for code, star in zip(codes, (pair[:1], pair[1:])):
        code.particles.add_particles(star)
    bridge = Bridge(timestep=1 / 128 | nbody.time)
    bridge.add_system(codes[0], (codes[1],))
    bridge.add_system(codes[1], (codes[0],))
    bridge.evolve_model(1 | nbody.time)
    whole = make(precision="double")
    whole.particles.add_particles(pair)
    whole.evolve_model(1 | nbody.time)
    for code, expected in zip(codes, whole.particles):
        off = code.particles[0].position - expected.position
        # second order: about dt^2 / 12
        assert 0 < off.length().number < 1e-5


def test_ph4(make, plummer):
    """The same orbits as ph4, before they diverge."""
    ph4 = pytest.importorskip("amuse.community.ph4.interface").ph4
    stars, other = plummer(50), ph4()
    other.parameters.force_sync = 1
    other.parameters.timestep_parameter = 0.01
    code = make()
    for gravity in (code, other):
        gravity.parameters.epsilon_squared = 1e-4 | nbody.length**2
        gravity.particles.add_particles(stars)
        gravity.evolve_model(0.5 | nbody.time)
    off = (code.particles.position - other.particles.position).lengths().number
    energy = [g.kinetic_energy + g.potential_energy for g in (code, other)]
    other.stop()
    # both conserve energy to 1e-6
    assert numpy.median(off) < 1e-5
    assert abs(energy[0] / energy[1] - 1) < 1e-5
