# SPDX-License-Identifier: MIT
"""koshu's simulation of a worker's particles."""
import math

import koshu
import numpy as np


def _given(**options):
    """Only options that are set: 0 and "" mean koshu's default."""
    return {k: v for k, v in options.items() if v not in (0, "")}


def method_of(parameters, n, context, softening):
    """A koshu.Direct, Tree or FMM."""
    if parameters["force_accuracy"] > 0:
        return koshu.choose(n, parameters["force_accuracy"],
                            softening=softening, context=context)
    precision = parameters["precision"]
    if parameters["method"] == "tree":
        return koshu.Tree(softening, **_given(precision=precision,
                                              **_tree(parameters)))
    if parameters["method"] == "fmm":
        return koshu.FMM(softening, **_given(
            precision=precision, tolerance=parameters["fmm_tolerance"]))
    return koshu.Direct(softening, precision or "mixed")


def _tree(parameters):
    if parameters["tree_theta"] > 0:
        return {"theta": parameters["tree_theta"],
                "opening_criterion": "geometric"}
    return {"alpha": parameters["tree_alpha"]}


def scheme_of(parameters, each_step):
    """A koshu.Hermite or Leapfrog; each_step: make block steps one by one."""
    if parameters["integrator"] == "leapfrog":
        return koshu.Leapfrog(**_given(dt=parameters["timestep"]))
    return koshu.Hermite(**_given(
        dt=parameters["timestep"], eta=parameters["timestep_parameter"],
        iterations=parameters["iterations"], max_block_steps=int(each_step)))


class Model:
    """Creates simulations and sums of forces, and reuses them until parameters
    or particles change."""

    def __init__(self, parameters, stars):
        self._parameters = parameters
        self._stars = stars
        self.time = parameters["begin_time"]
        self.renew()

    def renew(self):
        """Must be called when the number of particles, or a parameter, has
        changed."""
        self._simulation = None
        self._context = None
        self.change()

    def change(self):
        """Must be called when particles have changed."""
        self._changed = True
        self._forces = None

    # ---- forces -------------------------------------------------------------

    def context(self):
        """A context with the threads and the backend of the parameters."""
        if self._context is None:
            self._context = koshu.Context(
                backend=self._parameters["backend"],
                threads=self._parameters["number_of_threads"])
        return self._context

    def _method(self, n, softening):
        return method_of(self._parameters, n, self.context(), softening)

    def forces(self):
        """Accelerations and potentials of the particles."""
        if self._forces is None:
            stars = self._stars
            softening = math.sqrt(self._parameters["epsilon_squared"])
            self._forces = koshu.forces(
                stars.position, stars.mass, context=self.context(),
                solver=self._method(len(stars), softening)
            ) if len(stars) else koshu.Forces(np.empty((0, 3)), np.empty(0))
        return self._forces

    def forces_at(self, points, softening):
        """Forces at points (k, 3) that are not particles. For a tree or an FMM
        they are added as particles without mass."""
        stars, k = self._stars, len(points)
        if len(stars) == 0 or k == 0:
            return koshu.Forces(np.zeros((k, 3)), np.zeros(k))
        method = self._method(len(stars), softening)
        if isinstance(method, koshu.Direct):
            return koshu.forces(stars.position, stars.mass, solver=method,
                                targets=points, context=self.context())
        a, pot = koshu.forces(np.vstack([stars.position, points]),
                              np.append(stars.mass, np.zeros(k)),
                              solver=method, context=self.context())
        return koshu.Forces(a[-k:], pot[-k:])

    # ---- going on -----------------------------------------------------------

    def _prepare(self, each_step):
        """A simulation of the present particles."""
        scheme = scheme_of(self._parameters, each_step)
        stars = self._stars
        if self._simulation is None or self._simulation.integrator != scheme:
            self._simulation = koshu.Simulation(
                koshu.Particles(position=stars.position, mass=stars.mass,
                                velocity=stars.velocity, context=self.context()),
                solver=self._method(len(stars), math.sqrt(
                    self._parameters["epsilon_squared"])),
                integrator=scheme, time=self.time)
        elif self._changed:
            particles = self._simulation.particles
            for name in ("mass", "position", "velocity"):
                setattr(particles, name, getattr(stars, name))
            particles.check()
        self._changed = False
        return self._simulation

    def time_step(self):
        """The step of the leapfrog, or the longest step of the Hermite
        scheme."""
        return abs(self._parameters["timestep"]) or (
            1 / 256 if self._parameters["integrator"] == "leapfrog" else 1 / 8)

    def evolve(self, end, conditions):
        """Evolves to the time `end`, or to the step after which a condition is
        met."""
        if len(self._stars) == 0:
            self.time = end
            return
        simulation = self._prepare(conditions.of_places())
        conditions.start(simulation)
        potential = conditions.need_potentials()
        while simulation.time != end:
            simulation.step(end, potential=potential)
            if conditions.enabled and conditions.check(
                    simulation, self._stars, self._parameters):
                simulation.evaluate()  # brings all particles to this time
                break
        self._read(simulation)

    def _read(self, simulation):
        self.time = simulation.time
        self._stars.position = np.array(simulation.particles.position)
        self._stars.velocity = np.array(simulation.particles.velocity)
        self._forces = None
