# SPDX-License-Identifier: MIT
"""The worker's side: the functions that AMUSE's messages call. Results are
written to holders; the text of an exception is passed on to the script."""
import numpy as np

from . import conditions
from .conditions import Conditions
from .model import Model
from .parameters import CONDITION_PARAMETERS, PARAMETERS
from .stars import Stars

_VECTORS = {"position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz")}


def _columns(values, holders):
    """Writes the columns of an (n, k) array to k holders."""
    for column, holder in zip(np.asarray(values).T, holders):
        holder.value = column
    return 0


class Worker:
    """The particles, parameters and conditions of a code."""

    def __init__(self):
        self.initialize_code()

    # ---- its life -----------------------------------------------------------

    def initialize_code(self):
        self._parameters = {p.name: p.default for p in PARAMETERS}
        self._parameters.update(CONDITION_PARAMETERS)
        self._conditions = Conditions()
        return self.cleanup_code()

    def cleanup_code(self):
        self._stars = Stars()
        self._model = Model(self._parameters, self._stars)
        return 0

    def commit_parameters(self):
        self._model.renew()
        return 0

    def recommit_parameters(self):
        return self.commit_parameters()

    def commit_particles(self):
        self._model.time = self._parameters["begin_time"]
        return 0

    def recommit_particles(self):
        return 0

    def synchronize_model(self):
        return 0  # evolve_model() has synchronised the particles

    def evolve_model(self, time):
        self._model.evolve(time, self._conditions)
        return 0

    # ---- particles ----------------------------------------------------------

    def new_particle(self, index_of_the_particle, mass, x, y, z, vx, vy, vz,
                     radius, number_of_values):
        index_of_the_particle.value = self._stars.add(
            mass, np.stack([x, y, z], 1), np.stack([vx, vy, vz], 1), radius)
        self._model.renew()
        return 0

    def delete_particle(self, index_of_the_particle, number_of_values):
        self._stars.remove(index_of_the_particle)
        self._model.renew()
        return 0

    def get_state(self, index_of_the_particle, mass, x, y, z, vx, vy, vz,
                  radius, number_of_values):
        row = self._stars.rows(index_of_the_particle)
        mass.value, radius.value = self._stars.mass[row], self._stars.radius[row]
        _columns(self._stars.position[row], (x, y, z))
        return _columns(self._stars.velocity[row], (vx, vy, vz))

    def set_state(self, index_of_the_particle, mass, x, y, z, vx, vy, vz,
                  radius, number_of_values):
        row = self._stars.rows(index_of_the_particle)
        self._stars.mass[row], self._stars.radius[row] = mass, radius
        self._stars.position[row] = np.stack([x, y, z], 1)
        self._stars.velocity[row] = np.stack([vx, vy, vz], 1)
        self._model.change()
        return 0

    def get_acceleration(self, index_of_the_particle, ax, ay, az,
                         number_of_values):
        row = self._stars.rows(index_of_the_particle)
        return _columns(self._model.forces().acceleration[row], (ax, ay, az))

    def get_potential(self, index_of_the_particle, potential, number_of_values):
        row = self._stars.rows(index_of_the_particle)
        potential.value = self._model.forces().potential[row]
        return 0

    # ---- the field at points ------------------------------------------------

    def _field(self, eps, x, y, z):
        """The field at points, with the softening `eps` of each in addition to
        epsilon_squared."""
        points = np.stack([x, y, z], 1)
        a, potential = np.empty((len(points), 3)), np.empty(len(points))
        eps2 = np.broadcast_to(eps, len(points)) ** 2
        for own in np.unique(eps2):
            at = eps2 == own
            a[at], potential[at] = self._model.forces_at(
                points[at], np.sqrt(self._parameters["epsilon_squared"] + own))
        return a, potential

    def get_gravity_at_point(self, eps, x, y, z, ax, ay, az, npoints):
        return _columns(self._field(eps, x, y, z)[0], (ax, ay, az))

    def get_potential_at_point(self, eps, x, y, z, phi, npoints):
        phi.value = self._field(eps, x, y, z)[1]
        return 0

    # ---- all of them --------------------------------------------------------

    def get_time(self, time):
        time.value = self._model.time
        return 0

    def get_time_step(self, time_step):
        time_step.value = self._model.time_step()
        return 0

    def get_total_mass(self, mass):
        mass.value = self._stars.mass.sum()
        return 0

    def get_total_radius(self, radius):
        radius.value = self._stars.largest_distance()
        return 0

    def get_center_of_mass_position(self, x, y, z):
        return _columns(self._stars.centre("position"), (x, y, z))

    def get_center_of_mass_velocity(self, vx, vy, vz):
        return _columns(self._stars.centre("velocity"), (vx, vy, vz))

    def get_kinetic_energy(self, kinetic_energy):
        kinetic_energy.value = self._stars.kinetic_energy()
        return 0

    def get_potential_energy(self, potential_energy):
        potential_energy.value = 0.5 * float(
            self._stars.mass @ self._model.forces().potential)
        return 0

    # ---- particles one after the other --------------------------------------

    def get_number_of_particles(self, number_of_particles):
        number_of_particles.value = len(self._stars)
        return 0

    def _index_in_row(self, row, holder):
        """Sets the index of a row; past the last row returns 1, with an index
        that does not exist."""
        there = row < len(self._stars)
        holder.value = self._stars.index[row] if there else -1
        return 0 if there else 1

    def get_index_of_first_particle(self, index_of_the_particle):
        return self._index_in_row(0, index_of_the_particle)

    def get_index_of_next_particle(self, index_of_the_particle,
                                   index_of_the_next_particle):
        row = self._stars.rows([index_of_the_particle])[0]
        return self._index_in_row(row + 1, index_of_the_next_particle)

    # ---- stopping conditions ------------------------------------------------

    def has_stopping_condition(self, type, result):
        result.value = int(type in conditions.SUPPORTED)
        return 0

    def enable_stopping_condition(self, type):
        self._conditions.enabled.add(int(type))
        return 0

    def disable_stopping_condition(self, type):
        self._conditions.enabled.discard(int(type))
        return 0

    def is_stopping_condition_enabled(self, type, result):
        result.value = int(type in self._conditions.enabled)
        return 0

    def is_stopping_condition_set(self, type, result):
        result.value = int(any(kind == type for kind, _ in self._conditions.met))
        return 0

    def get_number_of_stopping_conditions_set(self, result):
        result.value = len(self._conditions.met)
        return 0

    def get_stopping_condition_info(self, index, type, number_of_particles):
        kind, particles = self._conditions.met[index]
        type.value, number_of_particles.value = kind, len(particles)
        return 0

    def get_stopping_condition_particle_index(self, index, index_of_the_column,
                                              index_of_particle):
        index_of_particle.value = (
            self._conditions.met[index][1][index_of_the_column])
        return 0


# ---- calls that are alike ---------------------------------------------------

def _accessors(name, choices=(), renew=False):
    """Defines the functions that get and set a parameter."""
    def get(self, **holder):
        (out,) = holder.values()
        out.value = self._parameters[name]
        return 0

    def set(self, **value):
        (given,) = value.values()
        if choices and given not in choices:
            raise ValueError(f"{name} is {given!r}: expected one of "
                             f"{', '.join(map(repr, choices))}")
        self._parameters[name] = given
        if renew:
            self._model.renew()
        return 0

    return get, set


def _column_accessors(name):
    """Defines the functions that get and set a column of all particles."""
    def get(self, index_of_the_particle, number_of_values, **holders):
        row = self._stars.rows(index_of_the_particle)
        values = getattr(self._stars, name)[row]
        return _columns(values if name in _VECTORS else values[:, None],
                        [holders[c] for c in _VECTORS.get(name, (name,))])

    def set(self, index_of_the_particle, number_of_values, **columns):
        row = self._stars.rows(index_of_the_particle)
        values = [columns[c] for c in _VECTORS.get(name, (name,))]
        getattr(self._stars, name)[row] = (
            np.stack(values, 1) if name in _VECTORS else values[0])
        self._model.change()
        return 0

    return get, set


def _add(name, functions):
    for verb, function in zip(("get", "set"), functions):
        function.__name__ = f"{verb}_{name}"
        setattr(Worker, function.__name__, function)


for _p in PARAMETERS:
    _add(_p.call, _accessors(_p.name, _p.choices, renew=True))
for _name in CONDITION_PARAMETERS:
    _add(_name, _accessors(_name))
for _name in ("mass", "radius", "position", "velocity"):
    _add(_name, _column_accessors(_name))
