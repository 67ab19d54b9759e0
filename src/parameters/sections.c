/* SPDX-License-Identifier: MIT */
/* The table of sections, in the order of the keys. */
#include "parameters/parameters.h"

const struct koshu_section koshu_sections[KOSHU_N_SECTIONS] = {
        {"units",
         "The units of all numbers here that have none of their own, and of "
         "the files of the run; G follows from them. Default: those that "
         "initial.file states, else Hénon units (G = 1). Names: cm m km Rsun "
         "au ly pc kpc Mpc Gpc; g kg Msun Mearth Mjup; s min h d yr kyr Myr "
         "Gyr; with a number before it a unit may have any size."},
        {"initial", "Where the particles come from: a model, or a file."},
        {"initial.binaries", "Primordial binaries of a model."},
        {"solver", "How forces are computed."},
        {"external", "Forces besides the particles' own gravity."},
        {"integrator", "How particles move, and until when."},
        {"stars", "What happens to stars: mergers and escapers, each a row of "
                  "events.csv, and mass loss (docs/stars.md)."},
        {"cosmology",
         "What a cosmological file does not state (integrator.coordinates: "
         "comoving); Omega_m, Omega_Lambda and h are taken from the file."},
        {"flow", "An incompressible fluid instead of particles under gravity; "
                 "the keys of initial, solver and domain are then ignored, and "
                 "numbers are dimensionless."},
        {"flow.rings", "Coaxial vortex rings, along the z axis."},
        {"flow.turbulence",
         "Isotropic turbulence in a periodic box: a divergence-free velocity "
         "field with random phases."},
        {"flow.forcing", "spectral: forcing, which sustains the flow."},
        {"flow.remesh", "Remeshing: at times new particles on a lattice "
                        "replace the old ones."},
        {"domain", "How space is divided among ranks (tree, fmm)."},
        {"output", "What is written, and where."},
        {"output.snapshot", "Snapshots: all particles at one time."},
        {"output.log", "The log, energy.csv: rows of diagnostics."},
        {"output.errors",
         "Measured errors of the forces of the tree or the FMM, errors.csv."},
        {"checkpoint", "Checkpoints, for --restart."},
        {"run", "The machine, and when to stop before the end."},
        {"stop", "Conditions that end a run early, with a checkpoint; checked "
                 "with each row of the log."},
};
