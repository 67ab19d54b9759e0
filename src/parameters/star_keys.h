/* SPDX-License-Identifier: MIT */
/* The keys of mergers, escapers and mass loss, a part of the table in keys.c;
 * no include guard. */
{KEY("stars.radius", REAL, stars.radius, "0"),
 FROM(0),
 A_LENGTH,
 FORCED,
 OF_HERMITE,
 .meaning = "hermite, with integrator.regularisation: the radius of a star of "
            "the mass stars.radius_mass; two that touch merge into one, which "
            "conserves mass, momentum and centre of mass. 0: they are points."},
        {KEY("stars.radius_mass", REAL, stars.radius_mass, "1"),
         ABOVE(0),
         A_MASS,
         FORCED,
         OF_HERMITE,
         .meaning = "The mass of a star whose radius is stars.radius."},
        {KEY("stars.radius_exponent", REAL, stars.radius_exponent, "0"), ANY,
         FORCED, OF_HERMITE,
         .meaning = "The radius is proportional to this power of the mass, 0.8 "
                    "say on the main sequence; 0: all have the same."},
        {KEY("stars.escape_distance", REAL, stars.escape_distance, "0"),
         FROM(0), A_LENGTH, FORCED,
         .meaning = "Unbound stars farther than this from the centre leave the "
                    "run. 0: none do."},
        {KEY("stars.tidal_radius", REAL, stars.tidal_radius, "0"), FROM(0),
         A_LENGTH, FORCED,
         .meaning = "Stars farther than this from the centre leave the run. 0: "
                    "none do."},
        {KEY("stars.mass_table", TEXT, stars.mass_table, ""), FORCED,
         .file = KOSHU_FILE_ANYWHERE,
         .meaning = "Stars lose mass by this table, a CSV file with the "
                    "columns initial_mass, time and mass (docs/stars.md). "
                    "Empty: they keep their mass."},
