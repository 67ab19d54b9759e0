# SPDX-License-Identifier: MIT
"""Stopping conditions, compared with a search over all pairs."""
import numpy as np

from amuse_koshu.conditions import colliding, escaping, outside


def test_colliding():
    random = np.random.default_rng(1)
    x = random.uniform(size=(400, 3))
    radius = random.choice([0, 0.01, 0.02, 0.2], 400, p=[0.3, 0.4, 0.28, 0.02])
    d = np.linalg.norm(x[:, None] - x, axis=-1)
    near = d < radius[:, None] + radius
    # a particle without a radius collides with one that has a radius
    expected = {(i, j) for i, j in np.argwhere(near) if i < j}
    found = [tuple(sorted(pair)) for pair in colliding(x, radius)]
    assert len(found) == len(set(found)) > 50
    assert set(found) == expected
    assert len(colliding(x, 0 * radius)) == 0


def test_escaping():
    x = np.array([[0, 0, 0], [12, 0, 0], [12, 0, 0], [12, 0, 0], [5, 0, 0]], float)
    v = np.array([[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0.1, 0, 0], [9, 0, 0]])
    m = np.array([1, 0, 0, 0, 0.0])
    potential = np.full(5, -0.1)
    assert escaping(x, v, potential, m, 10).tolist() == [[1]]
    # the centre of mass may move
    assert escaping(x + 100, v + 3, potential, m, 10).tolist() == [[1]]


def test_outside():
    x = np.array([[0, 0, 0], [0, 1.1, 0], [0.9, -0.9, 0.9], [0, 0, -2]])
    assert outside(x, 2, 0).tolist() == [[1], [3]]
    assert outside(x, 2, np.array([0, 0.5, -1.5])).tolist() == [[0], [1], [2]]
