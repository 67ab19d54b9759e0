/* SPDX-License-Identifier: MIT */
/* The table of sections, in the order of the keys. */
#include "parameters/parameters.h"

const struct koshu_section koshu_sections[KOSHU_N_SECTIONS] = {
        {"units",
         "The units of all numbers here without one of their own, and of the "
         "files of the run; G follows from them. None: those that initial.file "
         "states, else Hénon units, G = 1. Names: cm m km Rsun au ly pc kpc "
         "Mpc Gpc; g kg Msun Mearth Mjup; s min h d yr kyr Myr Gyr; with a "
         "number before it a unit may have any size."},
        {"initial", "Where the particles come from: a model, or a file."},
        {"initial.binaries", "Primordial binaries of a model."},
        {"solver", "How forces are computed."},
        {"external", "Forces beside the particles' own gravity."},
        {"integrator", "How particles move, and until when."},
        {"stars", "What becomes of stars: mergers and escapers, each a row of "
                  "events.csv, and mass loss (docs/stars.md)."},
        {"cosmology",
         "What a file of a universe does not say (integrator.coordinates: "
         "comoving); Omega_m, Omega_Lambda and h are the file's."},
        {"flow",
         "An incompressible fluid, in place of particles under gravity; "
         "initial, solver and domain then mean nothing, and numbers "
         "are without dimension."},
        {"flow.rings", "Coaxial vortex rings, along the z axis."},
        {"flow.turbulence",
         "Isotropic turbulence: a velocity of random phases without "
         "divergence, in a periodic box."},
        {"flow.forcing", "spectral: what keeps a flow going."},
        {"flow.remesh", "New vortex particles on a lattice, now and then."},
        {"domain", "How space is divided among ranks (tree, fmm)."},
        {"output", "What is written, and where."},
        {"output.snapshot", "Snapshots: all particles at one time."},
        {"output.log", "The log, energy.csv: one row of diagnostics."},
        {"output.errors", "The errors of a tree's or the FMM's forces, "
                          "errors.csv."},
        {"checkpoint", "Checkpoints, for --restart."},
        {"run", "The machine, and when to stop before the end."},
        {"stop", "What ends a run before its time, with a checkpoint; checked "
                 "with each row of the log."},
};
