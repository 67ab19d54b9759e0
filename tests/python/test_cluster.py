# SPDX-License-Identifier: MIT
"""Star cluster analysis from Python."""
import math

import numpy as np
import pytest

import koshu


def with_potentials(p):
    koshu.Solver(koshu.Direct(precision="double")).forces(p)
    return p


def test_plummer():
    c = koshu.cluster(with_potentials(koshu.models.plummer(2000)), shells=10)
    assert c.n == c.n_systems + c.n_hard == 2000
    # 5 standard errors for 2000 stars
    assert abs(c.half_mass_radius - 0.769) < 0.1
    assert c.lagrangian_radius[0.9] > c.half_mass_radius > c.core_radius > 0
    assert abs(c.virial_ratio - 0.5) < 0.06
    assert len(c.shells) == 10 and c.shells["n"].sum() == c.n_bound
    assert np.all(np.diff(c.shells["mass_within"]) > 0)
    assert np.all(np.abs(c.shells["anisotropy"]) < 5 * math.sqrt(3 / 190))


def test_binary():
    """A binary with e = 0.5, a = 1 and masses 3 and 1, at pericentre."""
    speed = math.sqrt(4 * 1.5 / 0.5)
    p = with_potentials(koshu.Particles(
        position=[[0, 0, 0], [0.5, 0, 0]], velocity=[[0, 0, 0], [0, speed, 0]],
        mass=[3, 1], id=[7, 2**40]))
    c = koshu.cluster(p)
    pair, = c.pairs
    assert pair["semi_major_axis"] == pytest.approx(1, rel=1e-12)
    assert pair["eccentricity"] == pytest.approx(0.5, rel=1e-12)
    assert pair["energy"] == pytest.approx(1.5, rel=1e-12)
    assert pair["period"] == pytest.approx(2 * math.pi / math.sqrt(4), rel=1e-12)
    assert list(pair["id"]) == [7, 2**40] and list(pair["inner"]) == [-1, -1]
    assert c.n_systems == 1 and c.binding_energy == pair["energy"]
    assert len(c.shells) == 0


def test_refusals():
    with pytest.raises(koshu.InvalidArgumentError, match="every potential is 0"):
        koshu.cluster(koshu.models.plummer(10))
    p = with_potentials(koshu.models.plummer(10))
    with pytest.raises(koshu.InvalidArgumentError, match="2 to 1000 massive"):
        koshu.cluster(p, massive=1)
    with pytest.raises(TypeError):
        koshu.cluster(p, softening="much")
