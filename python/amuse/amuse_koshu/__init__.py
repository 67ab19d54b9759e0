# SPDX-License-Identifier: MIT
"""koshu as a community code of AMUSE.

    from amuse_koshu import Koshu

    gravity = Koshu(converter)
    gravity.particles.add_particles(stars)
    gravity.evolve_model(1 | units.Myr)
"""
from .interface import Koshu, KoshuInterface

__all__ = ["Koshu", "KoshuInterface"]
