# SPDX-License-Identifier: MIT
"""The parameters of the code, in one table for the script and the worker."""
from typing import NamedTuple


class Parameter(NamedTuple):
    """A parameter of an AMUSE code: `parameters.name`, with the functions
    get_call and set_call."""

    name: str
    call: str
    dtype: str
    default: object
    unit: str  # an expression in amuse.units.nbody_system; "": none
    description: str
    choices: tuple[str, ...] = ()


PARAMETERS = (
    Parameter("epsilon_squared", "eps2", "float64", 0.0, "length**2",
              "square of Plummer's softening"),
    Parameter("begin_time", "begin_time", "float64", 0.0, "time",
              "model time at which the particles are when they are committed"),
    Parameter("method", "method", "string", "direct", "",
              "how forces are summed: direct, tree or fmm",
              ("direct", "tree", "fmm")),
    Parameter("integrator", "integrator", "string", "hermite", "",
              "hermite (block time steps; method direct) or leapfrog",
              ("hermite", "leapfrog")),
    Parameter("timestep", "timestep", "float64", 0.0, "time",
              "step of the leapfrog, longest step of hermite; 0: 1/256 and 1/8"),
    Parameter("timestep_parameter", "timestep_parameter", "float64", 0.0, "",
              "eta of Aarseth's criterion for hermite; 0: 0.002"),
    Parameter("iterations", "iterations", "int32", 1, "",
              "of hermite: n of P(EC)^n"),
    Parameter("precision", "precision", "string", "", "",
              "single, mixed or double; empty: mixed for method direct, single "
              "for tree and fmm", ("", "single", "mixed", "double")),
    Parameter("force_accuracy", "force_accuracy", "float64", 0.0, "",
              "root mean square relative error of forces for which the cheapest "
              "method is chosen, instead of `method`; 0: none"),
    Parameter("tree_alpha", "tree_alpha", "float64", 0.0, "",
              "of the relative opening criterion of a tree; 0: 0.002"),
    Parameter("tree_theta", "tree_theta", "float64", 0.0, "",
              "opening angle of a tree, instead of tree_alpha; 0: none"),
    Parameter("fmm_tolerance", "fmm_tolerance", "float64", 0.0, "",
              "root mean square relative error of an fmm's forces; 0: 1e-5"),
    Parameter("escaper_radius", "escaper_radius", "float64", 10.0, "length",
              "distance from the centre of mass beyond which an unbound "
              "particle that moves outwards is an escaper"),
    Parameter("backend", "backend", "string", "auto", "",
              "auto, cpu, cuda or ref", ("auto", "cpu", "cuda", "ref")),
    Parameter("number_of_threads", "number_of_threads", "int32", 0, "",
              "threads of the worker; 0: OMP_NUM_THREADS, else one for each "
              "core"),
)

_CONDITION = "stopping_condition_{}_parameter"
CONDITION_PARAMETERS = {  # AMUSE defines the rest of these
    _CONDITION.format("timeout"): 4.0,
    _CONDITION.format("number_of_steps"): 1,
    _CONDITION.format("out_of_box"): 0.0,
    _CONDITION.format("out_of_box_use_center_of_mass"): False,
    _CONDITION.format("minimum_density"): -1.0,
    _CONDITION.format("maximum_density"): -1.0,
    _CONDITION.format("minimum_internal_energy"): -1.0,
    _CONDITION.format("maximum_internal_energy"): -1.0,
}
