/* SPDX-License-Identifier: MIT */
/* The keys of the integrator, a part of the table in keys.c; no include
 * guard. */
{KEY("integrator.coordinates", CHOICE, integrator.coordinates, "physical"),
 .choice = choice_coordinates, FORCED,
 .meaning = "comoving: particles of an expanding universe, from an "
            "initial.file that describes one (koshu init cosmology); time is "
            "the scale factor a, integrator.dt a step in ln a, lengths are "
            "comoving, with 1/h in their unit as in the file (leapfrog)."},
        {KEY("integrator.scheme", CHOICE, integrator.scheme, "leapfrog"),
         .choice = choice_scheme, FORCED,
         .meaning = "leapfrog: kick-drift-kick, second order, one step for all "
                    "particles; hermite: fourth order, an individual step for "
                    "each particle, for close encounters; archain: 2 to 64 "
                    "bodies by algorithmic regularisation, exact through any "
                    "encounter (docs/fewbody.md)."},
        {KEY("integrator.step", CHOICE, integrator.step, "fixed"),
         .hermite = "block",
         .choice = choice_step_rule,
         .first_choice = KOSHU_STEP_RULE_FIXED,
         FORCED,
         .meaning = "fixed: every step is dt; acceleration: eta times the "
                    "smallest sqrt(eps/|a|), at most dt (leapfrog; comoving: "
                    "the smallest sqrt(2 eta eps/|a|), physical); block: each "
                    "particle has its own step dt/2^k, by Aarseth's criterion "
                    "(hermite)."},
        {KEY("integrator.dt", REAL, integrator.dt, "1/256"),
         .hermite = "1/8",
         .archain = "1/8",
         .comoving = "1/64",
         NOT_ZERO,
         A_TIME,
         FORCED,
         .meaning = "The time step, or the longest one; negative: backwards in "
                    "time. comoving: in ln a. archain: the time between rows; "
                    "it chooses its own steps."},
        {KEY("integrator.eta", REAL, integrator.eta, "0.1"),
         .hermite = "0.002",
         .comoving = "0.025",
         ABOVE(0),
         FORCED,
         .meaning = "Accuracy of steps chosen by a rule (acceleration or "
                    "Aarseth's criterion); smaller is more accurate."},
        {KEY("integrator.eta_start", REAL, integrator.eta_start, "0.0005"),
         ABOVE(0), FORCED, OF_HERMITE,
         .meaning = "hermite: the first block step is at most this times "
                    "|a|/|jerk| and sqrt(|pot|)/|a|."},
        {KEY("integrator.iterations", WHOLE, integrator.iterations, "1"),
         .range = {.low = 1, .high = 100}, FORCED, OF_HERMITE,
         .meaning = "hermite: n of P(EC)^n, the evaluations and corrections of "
                    "a step; 3 makes fixed steps nearly symmetric in time."},
        {KEY("integrator.regularisation", REAL, integrator.regularisation, "0"),
         FROM(0),
         A_LENGTH,
         FORCED,
         OF_HERMITE,
         .meaning =
                 "hermite: the distance, or semi-major axis, below which bound "
                 "pairs form a few-body group; unbound bodies that pass each "
                 "other form one within an eighth of it. Without softening, "
                 "about 1/N of a cluster's size (docs/fewbody.md). 0: none."},
        {KEY("integrator.perturbation", REAL, integrator.perturbation, "1e-6"),
         .range = {.low = 1e-12, .high = 0.1}, FORCED, OF_HERMITE,
         .meaning = "hermite, with regularisation: particles perturb a group "
                    "if their tide exceeds this fraction of the force between "
                    "its bodies."},
        {KEY("integrator.tolerance", REAL, integrator.tolerance, "1e-15"),
         .hermite = "1e-12",
         .range = {.low = 1e-16, .high = 1e-3},
         FORCED,
         .schemes = 1u << KOSHU_SCHEME_ARCHAIN | 1u << KOSHU_SCHEME_HERMITE,
         .meaning = "archain, and hermite with regularisation: the largest "
                    "relative error of a step, estimated by the difference of "
                    "the last two extrapolations."},
        {KEY("integrator.slow_down", REAL, integrator.slow_down, "0"),
         .range = {.low = 0, .high = 0.01}, FORCED,
         .schemes = 1u << KOSHU_SCHEME_ARCHAIN | 1u << KOSHU_SCHEME_HERMITE,
         .meaning = "archain, and hermite with regularisation: one revolution "
                    "of a weakly perturbed binary stands for many, as long as "
                    "that changes its energy by no more than this fraction, "
                    "1e-4 say; the orbital phase is lost. 0: none."},
        {KEY("integrator.end", REAL, integrator.end, "10"), .required = true,
         ANY, A_TIME,
         .meaning =
                 "The time at which the run ends. A model begins at 0, a file "
                 "at its own time. comoving: the scale factor, 1 today."},
        {KEY("integrator.end_redshift", REAL, integrator.end_redshift, "0"),
         ABOVE(-1), OF_COMOVING,
         .meaning = "comoving: the redshift at which the run ends, instead of "
                    "integrator.end."},
