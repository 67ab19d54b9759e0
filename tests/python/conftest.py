# SPDX-License-Identifier: MIT
import numpy as np
import pytest


@pytest.fixture
def cloud():
    """500 particles with random positions and masses."""
    random = np.random.default_rng(1)
    return random.normal(size=(500, 3)), random.uniform(0.5, 1.5, 500) / 500


def plain_forces(x, m, softening):
    """Sums by the formula, pair by pair."""
    d = x[None] - x[:, None]
    s = np.sqrt((d ** 2).sum(-1) + softening ** 2)
    np.fill_diagonal(s, np.inf)
    return ((m[None, :, None] * d / s[..., None] ** 3).sum(1),
            -(m[None] / s).sum(1))


@pytest.fixture
def reference():
    return plain_forces
