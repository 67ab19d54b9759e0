# SPDX-License-Identifier: MIT
"""Lets Open MPI start a worker for each code, as root as well, and with more
codes than cores."""
import os

import pytest
from amuse.units import nbody_system

for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
             "OMPI_MCA_rmaps_base_oversubscribe"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture
def make():
    """Creates codes and stops them at the end of a test."""
    from amuse_koshu import Koshu
    made = []

    def new(*arguments, **parameters):
        code = Koshu(*arguments)
        made.append(code)
        for name, value in parameters.items():
            setattr(code.parameters, name, value)
        return code

    yield new
    for code in made:
        code.stop()


@pytest.fixture
def plummer():
    """The same stars in each test, in N-body units."""
    import numpy
    from amuse.ic.plummer import new_plummer_model

    def new(n):
        numpy.random.seed(1)
        stars = new_plummer_model(n)
        stars.radius = 0 | nbody_system.length
        return stars

    return new
