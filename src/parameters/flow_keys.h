/* SPDX-License-Identifier: MIT */
/* The keys of flows, a part of the table in keys.c; no include guard. */
{KEY("flow.method", CHOICE, flow.method, "none"),
 .choice = koshu_flow_method_name, FIXED,
 .meaning = "none: particles under gravity; vortex: a fluid by vortex "
            "particles, whose velocities come from the fast multipole method; "
            "spectral: by a pseudo-spectral method in a periodic box. With "
            "run.backend: cuda the GPU computes velocities and stretching of "
            "vortices, and on one rank all of a spectral step."},
        {KEY("flow.initial", CHOICE, flow.initial, "rings"),
         .choice = koshu_flow_initial_name, FIXED,
         .meaning =
                 "The initial flow. rings (vortex): vortex rings, set by "
                 "flow.rings; taylor-green: the Taylor-Green vortex of speed "
                 "1, once in the box; turbulence: set by flow.turbulence."},
        {KEY("flow.box", REAL, flow.box, "0"), FROM(0), FIXED,
         .meaning = "The edge of the periodic box; 0: free space for rings, a "
                    "box of 2 pi for other flows."},
        {KEY("flow.n", WHOLE, flow.n, "32"), .range = {.low = 4, .high = 4096},
         FIXED,
         .meaning = "Points along the edge of a periodic box: of the grid, or "
                    "of the lattice of vortex particles."},
        {KEY("flow.spacing", REAL, flow.spacing, "0.05"), ABOVE(0), FIXED,
         .meaning = "vortex: spacing of the particle lattice in free space; in "
                    "a box it is flow.box / flow.n."},
        {KEY("flow.viscosity", REAL, flow.vortex.viscosity, "0"), FROM(0),
         FORCED,
         .meaning = "The kinematic viscosity nu; for turbulence, 0: the one "
                    "that flow.turbulence.reynolds gives."},
        {KEY("flow.precision", CHOICE, flow.precision, "double"),
         .choice = koshu_flow_precision_name, FORCED,
         .meaning = "Arithmetic of grids, and of the sums over vortices; the "
                    "particles are in double. single costs half, and changes "
                    "energies by a relative 1e-8 a step."},
        {KEY("flow.tolerance", REAL, flow.tolerance, "1e-4"),
         .range = {.low = 1e-12, .high = 0.1}, FORCED,
         .meaning = "vortex: the relative error of the velocities from the "
                    "fast multipole method; at least 1e-6 with "
                    "flow.precision: single."},
        {KEY("flow.overlap", REAL, flow.overlap, "1"),
         .range = {.low = 0.5, .high = 4}, FIXED,
         .meaning = "vortex: the core radius sigma of new particles, in units "
                    "of their spacing."},
        {KEY("flow.reach", REAL, flow.reach, "6"),
         .range = {.low = 3, .high = 8}, FORCED,
         .meaning = "vortex: pairs nearer than this many core radii are summed "
                    "with the core function; the velocities have errors of "
                    "1e-3 at 4, 1.5e-5 at 5, 1e-7 at 6."},
        {KEY("flow.core_order", WHOLE, flow.core_order, "0"),
         .range = {.low = 0, .high = 12}, FIXED,
         .meaning =
                 "vortex: 2: Gaussian cores; 4 to 12: cores that smooth the "
                 "velocity to this order in the core radius, only in a box. 0: "
                 "12 in a box, with an overlap of 1 or more; 2 in free space."},
        {KEY("flow.scheme", CHOICE, flow.vortex.scheme, "ab2"),
         .choice = koshu_vortex_scheme_name, FORCED,
         .meaning =
                 "vortex: ab2: Adams-Bashforth, second order, one evaluation a "
                 "step; rk2: the midpoint rule; rk4: Runge-Kutta."},
        {KEY("flow.turn", REAL, flow.turn, "0"), FROM(0), FORCED,
         .meaning =
                 "vortex: the largest angle, in radians, by which a step may "
                 "turn the strongest vortices, as they were a part before; a "
                 "larger step is halved, down to sixteenths; 0: never."},
        {KEY("flow.stretching", CHOICE, flow.vortex.stretching, "classical"),
         .choice = koshu_vortex_stretching_name, FORCED,
         .meaning =
                 "vortex: how strengths change. classical: alpha . grad u; "
                 "transpose: grad u . alpha, which conserves their sum; none."},
        {KEY("flow.diffusion", CHOICE, flow.vortex.diffusion, "spreading"),
         .choice = koshu_vortex_diffusion_name, FORCED,
         .meaning = "vortex: spreading: core radii grow as sigma^2 + 2 nu t, "
                    "until remeshing by rbf resets them; exchange: nearby "
                    "particles exchange strength."},
        {KEY("flow.remesh.steps", WHOLE, flow.remesh_steps, "10"), FROM(0),
         FORCED,
         .meaning = "Steps between two remeshings; 0: never. 1: also between "
                    "the parts of a step (flow.turn)."},
        {KEY("flow.remesh.kernel", CHOICE, flow.remesh.kernel, "rbf"),
         .choice = koshu_vortex_kernel_name, FORCED,
         .meaning =
                 "rbf: new strengths reproduce the sum of all Gaussians at the "
                 "points of the lattice, with the initial core radius; m4, m6: "
                 "strengths are distributed to 4^3 (M4') or 6^3 (M6*) points."},
        {KEY("flow.remesh.threshold", REAL, flow.remesh.threshold, "1e-4"),
         .range = {.low = 0, .high = 1, .high_open = true}, FORCED,
         .meaning = "Free space: points with less than this fraction of the "
                    "largest vorticity get no particle."},
        {KEY("flow.remesh.tolerance", REAL, flow.remesh.tolerance, "1e-4"),
         .range = {.low = 1e-12, .high = 0.1}, FORCED,
         .meaning = "rbf, free space: the relative residual to which the "
                    "equations for the strengths are solved; energy.csv has "
                    "the final one."},
        {KEY("flow.remesh.solenoidal", FLAG, flow.remesh.solenoidal, "false"),
         FORCED,
         .meaning = "rbf: fit the curl of the velocity instead of the sum of "
                    "Gaussians, which removes the divergence that the "
                    "vorticity has gained, for one more evaluation of "
                    "velocities. In a box it is always removed."},
        {KEY("flow.dealiasing", CHOICE, flow.dealiasing, "3/2"),
         .choice = koshu_flow_dealiasing_name, FIXED,
         .meaning = "spectral: how aliases are removed. 3/2: waves up to n / "
                    "2, products at (3 n / 2)^3 points; 2/3: waves up to n / "
                    "3, products at n^3 points."},
        {KEY("flow.forcing.power", REAL, flow.forcing_power, "0"), FROM(0),
         FORCED, .meaning = "Energy added per unit time and mass; 0: none."},
        {KEY("flow.forcing.wave_number", REAL, flow.forcing_wave_number, "2.5"),
         .range = {.low = 1, .high = 65536}, FORCED,
         .meaning =
                 "The energy is added to waves up to this wave number, in "
                 "units of 2 pi / flow.box, in proportion to their energies."},
        {KEY("flow.turbulence.seed", WHOLE, flow.turbulence.seed, "1"), FROM(0),
         FIXED, .meaning = "Seed of the random phases of all waves."},
        {KEY("flow.turbulence.speed", REAL, flow.turbulence.speed, "1"),
         ABOVE(0), FIXED, .meaning = "The rms u' of a velocity component."},
        {KEY("flow.turbulence.wave_number", REAL, flow.turbulence.wave_number,
             "3"),
         .range = {.low = 1, .high = 1000}, FIXED,
         .meaning = "The peak k0 of the spectrum k^4 exp(-2 (k / k0)^2), in "
                    "units of 2 pi / flow.box."},
        {KEY("flow.turbulence.reynolds", REAL, flow.turbulence.reynolds, "0"),
         FROM(0), FIXED,
         .meaning = "The initial Re_lambda, from which the viscosity follows; "
                    "0: 100, or the largest that flow.n resolves: k_max eta "
                    "stays at 1 or above."},
        {KEY("flow.rings.number", WHOLE, flow.rings.n, "1"),
         .range = {.low = 1, .high = 1000}, FIXED,
         .meaning = "Number of rings."},
        {KEY("flow.rings.radius", REAL, flow.rings.radius, "1"), ABOVE(0),
         FIXED, .meaning = "Their radius R."},
        {KEY("flow.rings.circulation", REAL, flow.rings.circulation, "1"),
         NOT_ZERO, FIXED, .meaning = "Their circulation Gamma."},
        {KEY("flow.rings.core", REAL, flow.rings.core, "0.1"), ABOVE(0), FIXED,
         .meaning = "Standard deviation of the Gaussian profile of their "
                    "vorticity."},
        {KEY("flow.rings.separation", REAL, flow.rings.separation, "1"), ANY,
         FIXED, .meaning = "Distance between neighbouring rings, along z."},
        {KEY("flow.rings.perturbation", REAL, flow.rings.perturbation, "0"),
         .range = {.low = 0, .high = 0.5}, FIXED,
         .meaning = "Amplitude of a wave in the radius, as a fraction of the "
                    "radius."},
        {KEY("flow.rings.waves", WHOLE, flow.rings.waves, "8"),
         .range = {.low = 1, .high = 1000}, FIXED,
         .meaning = "Number of waves around a ring."},
