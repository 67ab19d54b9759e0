# SPDX-License-Identifier: MIT
"""The script's side: the functions that AMUSE calls, with their units."""
import tempfile

from amuse.community.interface.gd import (
    GravitationalDynamics,
    GravitationalDynamicsInterface,
    GravityFieldCode,
    GravityFieldInterface,
)
from amuse.community.interface.stopping_conditions import (
    StoppingConditionInterface,
    StoppingConditions,
)
from amuse.rfi.core import (
    LegacyFunctionSpecification,
    PythonCodeInterface,
    legacy_function,
)
from amuse.support.literature import LiteratureReferencesMixIn
from amuse.units import nbody_system

from .parameters import PARAMETERS
from .worker import Worker

_INDEX = "index_of_the_particle"
_POSITION = ("x", "y", "z")
_VELOCITY = ("vx", "vy", "vz")
_STATE = ("mass", *_POSITION, *_VELOCITY, "radius")


def _function(name, inputs=(), outputs=(), *, arrays=False):
    """A function of the worker. Outputs are (name, dtype), inputs (name,
    dtype) or (name, dtype, default). With `arrays` it is called once for all
    values instead of once for each, as AMUSE's own definitions of these
    functions are."""
    def specification():
        f = LegacyFunctionSpecification()
        for which, *rest in inputs:
            f.addParameter(which, dtype=rest[0], direction=f.IN,
                           default=rest[1] if len(rest) > 1 else None)
        for which, dtype in outputs:
            f.addParameter(which, dtype=dtype, direction=f.OUT)
        if arrays:
            f.addParameter("number_of_values", dtype="int32",
                           direction=f.LENGTH)
            f.must_handle_array = True
        f.result_type = "int32"
        return f

    specification.__name__ = name
    return legacy_function(specification)


def _numbers(names):
    return [(name, "float64") for name in names]


def _getter(name, outputs):
    return _function(name, [(_INDEX, "int32")], _numbers(outputs), arrays=True)


def _setter(name, inputs):
    return _function(name, [(_INDEX, "int32"), *_numbers(inputs)], arrays=True)


class KoshuInterface(PythonCodeInterface, LiteratureReferencesMixIn,
                     GravitationalDynamicsInterface, GravityFieldInterface,
                     StoppingConditionInterface):
    """
    koshu: direct sums, a treecode and a fast multipole method on CPUs and
    GPUs; Hermite scheme with block time steps, leapfrog.

        .. [#] Hamada, T. & Iitaka, T., 2007, arXiv:astro-ph/0703100
        .. [#] DOI:10.1016/j.cpc.2013.04.011 (Miki, Y., Takahashi, D. & Mori, M., 2013)
    """

    def __init__(self, **options):
        # AMUSE writes the script that starts the worker into worker_dir
        with tempfile.TemporaryDirectory(prefix="amuse-koshu-") as folder:
            options.setdefault("worker_dir", folder)
            PythonCodeInterface.__init__(self, Worker, **options)
        LiteratureReferencesMixIn.__init__(self)

    new_particle = _function(
        "new_particle", [*_numbers(_STATE[:-1]), ("radius", "float64", 0.0)],
        [(_INDEX, "int32")], arrays=True)
    delete_particle = _function("delete_particle", [(_INDEX, "int32")],
                                arrays=True)
    get_state = _getter("get_state", _STATE)
    set_state = _function(
        "set_state", [(_INDEX, "int32"), *_numbers(_STATE[:-1]),
                      ("radius", "float64", 0.0)], arrays=True)
    get_mass = _getter("get_mass", ("mass",))
    set_mass = _setter("set_mass", ("mass",))
    get_radius = _getter("get_radius", ("radius",))
    set_radius = _setter("set_radius", ("radius",))
    get_position = _getter("get_position", _POSITION)
    set_position = _setter("set_position", _POSITION)
    get_velocity = _getter("get_velocity", _VELOCITY)
    set_velocity = _setter("set_velocity", _VELOCITY)
    get_acceleration = _getter("get_acceleration", ("ax", "ay", "az"))
    get_potential = _getter("get_potential", ("potential",))


for _p in PARAMETERS:
    for _name, _of in ((f"get_{_p.call}", "outputs"), (f"set_{_p.call}", "inputs")):
        setattr(KoshuInterface, _name,
                _function(_name, **{_of: [(_p.name, _p.dtype)]}))


def _unit(parameter):
    """The unit of a parameter; None if it has none."""
    if not parameter.unit:
        return None
    base, _, power = parameter.unit.partition("**")
    return getattr(nbody_system, base) ** int(power or 1)


class Koshu(GravitationalDynamics, GravityFieldCode):
    """Gravity of particles, computed by koshu."""

    def __init__(self, convert_nbody=None, **options):
        self.stopping_conditions = StoppingConditions(self)
        GravitationalDynamics.__init__(self, KoshuInterface(**options),
                                       convert_nbody, **options)

    def define_state(self, handler):
        GravitationalDynamics.define_state(self, handler)
        GravityFieldCode.define_state(self, handler)
        handler.add_transition("RUN", "UPDATE", "set_state", False)
        handler.add_method("UPDATE", "set_state")
        for name in ("state", "mass", "radius", "position", "velocity"):
            handler.add_method("EDIT", f"set_{name}")
        self.stopping_conditions.define_state(handler)

    def define_parameters(self, handler):
        for p in PARAMETERS:
            unit = _unit(p)
            handler.add_method_parameter(
                f"get_{p.call}", f"set_{p.call}", p.name, p.description,
                default_value=p.default if unit is None else p.default | unit)
        self.stopping_conditions.define_parameters(handler)

    def define_methods(self, handler):
        GravitationalDynamics.define_methods(self, handler)
        for p in PARAMETERS:
            unit = _unit(p) or handler.NO_UNIT
            handler.add_method(f"get_{p.call}", (), (unit, handler.ERROR_CODE))
            handler.add_method(f"set_{p.call}", (unit,), (handler.ERROR_CODE,))
        self.stopping_conditions.define_methods(handler)

    def define_particle_sets(self, handler):
        GravitationalDynamics.define_particle_sets(self, handler)
        self.stopping_conditions.define_particle_set(handler)
