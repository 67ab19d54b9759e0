# SPDX-License-Identifier: MIT
import pickle

import numpy as np
import pytest

import koshu

TIDE = "tide speed=1, radius=20, slope=-0.5, density=0"


def test_fields_are_formulas():
    galaxy = koshu.External("plummer mass=2, a=0.5, x=1, uniform gz=-1")
    x = np.array([[1.0, 2.0, 0.0], [4.0, 0.0, 0.0]])
    field = galaxy(x)
    r = x - [1, 0, 0]
    d = np.sqrt((r ** 2).sum(axis=1) + 0.25)
    assert np.allclose(field.acceleration, -2 * r / d[:, None] ** 3 - [0, 0, 1],
                       rtol=1e-14)
    assert np.allclose(field.potential, -2 / d, rtol=1e-14)
    assert not field.jerk.any()
    assert galaxy(x, 0 * x + 1).jerk.any()
    assert galaxy.rotation == 0


def test_units():
    # the Sun's orbit: 220 km/s, 8 kpc
    field = koshu.External("tide speed=220 km/s, radius=8 kpc",
                           units="pc, Msun, Myr")
    assert field.rotation == pytest.approx(0.0281246, rel=1e-5)
    with pytest.raises(koshu.BadInputError, match="tide: speed"):
        koshu.External("tide speed=220 km/s, radius=8")
    with pytest.raises(koshu.BadInputError, match="did you mean 'plummer'"):
        koshu.External("plumer mass=1")


@pytest.mark.parametrize("integrator", ["leapfrog", "hermite"])
def test_a_cluster_in_a_tide(integrator, tmp_path):
    def make():
        return koshu.Simulation(koshu.models.plummer(64), softening=0.1,
                                integrator=integrator, external=TIDE)

    def jacobi(sim):
        return sim.diagnostics().total + sim.external.energy(sim.particles)

    sim = make()
    before = jacobi(sim)
    sim.run(until=0.5)
    # the leapfrog's forces in single precision, and steps of 1/256
    assert jacobi(sim) == pytest.approx(before, rel=2e-5)
    sim.save(tmp_path / "half.npz")
    again = koshu.Simulation.load(tmp_path / "half.npz")
    copied = pickle.loads(pickle.dumps(sim))
    for s in (sim, again, copied):
        s.run(until=1)
    assert np.array_equal(sim.particles.position, again.particles.position)
    assert np.array_equal(sim.particles.position, copied.particles.position)
    alone = koshu.Simulation(koshu.models.plummer(64), softening=0.1,
                             integrator=integrator)
    alone.run(until=1)
    assert not np.allclose(sim.particles.position, alone.particles.position,
                           rtol=1e-3)
