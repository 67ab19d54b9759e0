/* SPDX-License-Identifier: MIT */
/* The keys of the initial particles, a part of the table in keys.c; no include
 * guard. */
{KEY("initial.model", CHOICE, initial.model, "plummer"), .required = true,
 .choice = choice_model, FIXED,
 .meaning = "The model that the particles are drawn from (`koshu init` makes "
            "the same). Not with initial.file."},
        {KEY("initial.n", WHOLE, initial.n, "16384"), FROM(1), FIXED,
         .meaning = "Number of particles; two-body always has 2."},
        {KEY("initial.seed", WHOLE, initial.seed, "1"), FROM(0), FIXED,
         .meaning = "Seed of the random numbers: the same seed gives the same "
                    "particles on any machine."},
        {KEY("initial.total_mass", REAL, total_mass, "1"), ABOVE(0), A_MASS,
         FIXED,
         .meaning = "The total mass of all particles. Required where there are "
                    "units, as is the model's length below."},
        {KEY("initial.virial_radius", REAL, virial_radius, "1"),
         ABOVE(0),
         A_LENGTH,
         FIXED,
         .models = 1u << KOSHU_MODEL_PLUMMER | 1u << KOSHU_MODEL_KING,
         .meaning = "plummer, king: the virial radius G M^2 / (2 |W|)."},
        {KEY("initial.radius", REAL, radius, "1"),
         ABOVE(0),
         A_LENGTH,
         FIXED,
         .models = 1u << KOSHU_MODEL_SPHERE | 1u << KOSHU_MODEL_FRACTAL,
         .meaning = "sphere, fractal: the radius."},
        {KEY("initial.edge", REAL, edge, "1"),
         ABOVE(0),
         A_LENGTH,
         FIXED,
         .models = 1u << KOSHU_MODEL_CUBE,
         .meaning = "cube: the edge length."},
        {KEY("initial.scale_length", REAL, scale_length, "1"),
         ABOVE(0),
         A_LENGTH,
         FIXED,
         .models = SPHERES | 1u << KOSHU_MODEL_HERNQUIST |
                   1u << KOSHU_MODEL_NFW | 1u << KOSHU_MODEL_GALAXY,
         .meaning = "hernquist, dehnen, nfw, eff: the scale length a; galaxy: "
                    "the scale length of the disk."},
        {KEY("initial.semi_major_axis", REAL, semi_major_axis, "1"),
         ABOVE(0),
         A_LENGTH,
         FIXED,
         .models = 1u << KOSHU_MODEL_TWO_BODY,
         .meaning = "two-body: the semi-major axis of the orbit."},
        {KEY("initial.mass_fraction", REAL, initial.mass_fraction, "0.999"),
         .range = {.low = 0, .high = 1, .low_open = true}, FIXED,
         .models = SPHERES | 1u << KOSHU_MODEL_PLUMMER |
                   1u << KOSHU_MODEL_HERNQUIST | 1u << KOSHU_MODEL_GALAXY,
         .meaning = "plummer, hernquist, dehnen, eff, galaxy: the model is cut "
                    "at the radius that holds this fraction of the mass."},
        {KEY("initial.virial_ratio", REAL, initial.virial_ratio, "0"), FROM(0),
         FIXED,
         .models = 1u << KOSHU_MODEL_SPHERE | 1u << KOSHU_MODEL_CUBE |
                   1u << KOSHU_MODEL_FRACTAL,
         .meaning = "sphere, cube, fractal: the initial Q = T/|W|; 0: cold, "
                    "1/2: in equilibrium."},
        {KEY("initial.king_w0", REAL, initial.king_w0, "6"),
         .range = {.low = 0.5, .high = 15}, FIXED,
         .models = 1u << KOSHU_MODEL_KING,
         .meaning = "king: the central potential W0."},
        {KEY("initial.dehnen_gamma", REAL, initial.dehnen_gamma, "1"),
         .range = {.low = 0, .high = 2}, FIXED,
         .models = 1u << KOSHU_MODEL_DEHNEN,
         .meaning = "dehnen: the inner slope of the density."},
        {KEY("initial.concentration", REAL, initial.concentration, "10"),
         .range = {.low = 1, .high = 1000}, FIXED,
         .models = 1u << KOSHU_MODEL_NFW,
         .meaning = "nfw: c, where the density is cut off by sech(r / (c a))."},
        {KEY("initial.eff_gamma", REAL, initial.eff_gamma, "3"),
         .range = {.low = 2.1, .high = 20}, FIXED,
         .models = 1u << KOSHU_MODEL_EFF,
         .meaning = "eff: the outer slope of the surface density."},
        {KEY("initial.fractal_dimension", REAL, initial.fractal_dimension,
             "1.6"),
         .range = {.low = 1, .high = 3}, FIXED,
         .models = 1u << KOSHU_MODEL_FRACTAL,
         .meaning = "fractal: the dimension D; 3: uniform, 1.6: clumps of "
                    "clumps (Goodwin & Whitworth 2004)."},
        {KEY("initial.disk_fraction", REAL, initial.disk_fraction, "0.07"),
         .range = {.low = 0, .high = 1, .low_open = true}, FIXED, OF_GALAXY,
         .meaning = "galaxy: the fraction of the mass in the disk."},
        {KEY("initial.bulge_fraction", REAL, initial.bulge_fraction, "0.03"),
         .range = {.low = 0, .high = 1, .high_open = true}, FIXED, OF_GALAXY,
         .meaning = "galaxy: the fraction of the mass in the bulge; the halo "
                    "has the rest."},
        {KEY("initial.disk_height", REAL, initial.disk_height, "0.2"),
         .range = {.low = 0.01, .high = 1}, FIXED, OF_GALAXY,
         .meaning = "galaxy: z0 of sech^2(z / z0), in units of the disk's "
                    "scale length."},
        {KEY("initial.toomre_q", REAL, initial.toomre_q, "1.5"),
         .range = {.low = 0, .high = 10, .low_open = true}, FIXED, OF_GALAXY,
         .meaning = "galaxy: Toomre's Q at 2.5 scale lengths."},
        {KEY("initial.bulge_length", REAL, initial.bulge_length, "0.2"),
         .range = {.low = 0.01, .high = 100}, FIXED, OF_GALAXY,
         .meaning =
                 "galaxy: scale length of the bulge, in units of the disk's."},
        {KEY("initial.halo_length", REAL, initial.halo_length, "4"),
         .range = {.low = 0.01, .high = 100}, FIXED, OF_GALAXY,
         .meaning =
                 "galaxy: scale length of the halo, in units of the disk's."},
        {KEY("initial.eccentricity", REAL, initial.eccentricity, "0.9"),
         .range = {.low = 0, .high = 1, .high_open = true}, FIXED,
         .models = 1u << KOSHU_MODEL_TWO_BODY,
         .meaning = "two-body: eccentricity of the orbit."},
        {KEY("initial.two_body_mass", REAL, initial.two_body_mass, "0.5"),
         .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
         FIXED, .models = 1u << KOSHU_MODEL_TWO_BODY,
         .meaning = "two-body: mass of the second body, of a total of 1."},
        {KEY("initial.exact_virial", FLAG, initial.exact_virial, "false"),
         FIXED,
         .meaning = "Scale positions and velocities so that T = 1/4 and W = "
                    "-1/2 hold exactly for these particles."},
        {KEY("initial.mass_function", CHOICE, initial.mass_function, "equal"),
         .choice = choice_mass_function, FIXED,
         .meaning = "The masses of the stars. equal: total_mass / n; salpeter, "
                    "kroupa (2001), chabrier (2003): drawn from that law, "
                    "between mass_min and mass_max; table: drawn from the file "
                    "mass_table. If drawn, total_mass is their sum."},
        {KEY("initial.mass_min", REAL, initial.mass_min, "0"),
         FROM(0),
         A_MASS,
         OF_STARS,
         FIXED,
         .meaning =
                 "The lower limit of the mass function; a bare number is in "
                 "solar masses. 0: not given; table: where the table begins."},
        {KEY("initial.mass_max", REAL, initial.mass_max, "0"),
         FROM(0),
         A_MASS,
         OF_STARS,
         FIXED,
         .meaning = "The upper limit of the mass function; a bare number is in "
                    "solar masses. 0: not given; table: where the table ends."},
        {KEY("initial.mass_table", TEXT, initial.mass_table, ""), FIXED,
         .file = KOSHU_FILE_ANYWHERE,
         .meaning =
                 "mass_function: table: a CSV file with the columns mass, in "
                 "solar masses, and xi, the number of stars per unit of mass, "
                 "in any normalisation; between rows it is a power law."},
        {KEY("initial.mass_segregation", REAL, initial.mass_segregation, "0"),
         .range = {.low = 0, .high = 1}, FIXED,
         .meaning = "plummer, king, hernquist, dehnen, nfw, eff: 0: none; 1: "
                    "the heavier a star, the more tightly it is bound. The "
                    "density stays that of the model (Baumgardt et al. 2008; "
                    "Küpper et al. 2011)."},
        {KEY("initial.binaries.fraction", REAL, initial.binary_fraction, "0"),
         .range = {.low = 0, .high = 1}, FIXED,
         .meaning = "The fraction of all systems (single stars and binaries) "
                    "that are binaries; initial.n counts stars. Needs units."},
        {KEY("initial.binaries.period", CHOICE, initial.period_law, "raghavan"),
         .choice = choice_period_law, FIXED,
         .meaning = "The distribution of periods. raghavan (2010), "
                    "duquennoy-mayor (1991): log-normal; kroupa (1995): at "
                    "birth; opik: uniform in the logarithm."},
        {KEY("initial.binaries.period_min", REAL, initial.period_min, "1"),
         ABOVE(0),
         A_TIME,
         OF_STARS,
         FIXED,
         .meaning = "The shortest period; a bare number is in days."},
        {KEY("initial.binaries.period_max", REAL, initial.period_max, "1e8"),
         ABOVE(0),
         A_TIME,
         OF_STARS,
         FIXED,
         .meaning = "The longest period; a bare number is in days."},
        {KEY("initial.binaries.mass_ratio", CHOICE, initial.mass_ratio_law,
             "uniform"),
         .choice = choice_mass_ratio_law, FIXED,
         .meaning = "The distribution of the mass ratio q. uniform: the first "
                    "star is drawn from the mass function, q between "
                    "mass_ratio_min and 1; random: both are drawn from the "
                    "mass function; equal: q = 1."},
        {KEY("initial.binaries.mass_ratio_min", REAL, initial.mass_ratio_min,
             "0.1"),
         .range = {.low = 0, .high = 1, .low_open = true}, FIXED,
         .meaning = "uniform: the smallest mass ratio; no star is lighter than "
                    "mass_min."},
        {KEY("initial.binaries.eccentricity", CHOICE, initial.eccentricity_law,
             "thermal"),
         .choice = choice_eccentricity_law, FIXED,
         .meaning = "The distribution of eccentricities. thermal: density 2 e; "
                    "uniform; circular: 0. None is larger than 1 - (P / 2 "
                    "d)^(-2/3) (Moe & Di Stefano 2017)."},
        {KEY("initial.components", TEXT, components, ""), FIXED,
         .meaning =
                 "Several models instead of one, each followed by its values: "
                 "\"plummer n=1000, total_mass=1e4 Msun, virial_radius=1 pc, "
                 "x=-4 pc, vx=1 km/s, king n=500, ...\". Names are those of "
                 "the keys of initial, and x, y, z, vx, vy, vz, inclination, "
                 "node, rotation_period (docs/components.md)."},
        {KEY("initial.file", TEXT, initial_file, ""), FIXED,
         .file = KOSHU_FILE_ANYWHERE,
         .meaning =
                 "A snapshot of any format to start from, at its time, instead "
                 "of a model. Its particles are converted to the units of the "
                 "run, if those differ. Relative to the directory where koshu "
                 "is started; ~ is the home directory."},
