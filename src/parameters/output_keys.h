/* SPDX-License-Identifier: MIT */
/* The keys of output, a part of the table in keys.c; no include guard. */
{KEY("output.directory", TEXT, directory, "output"), LOCAL,
 .file = KOSHU_FILE_ANYWHERE,
 .meaning = "The directory of all output files; it is created if it does not "
            "exist. Relative to the directory where koshu is started; ~ is the "
            "home directory."},
        {KEY("output.snapshot.format", CHOICE, snapshot.format, "hdf5"),
         .choice = choice_format,
         .meaning = "Format of the snapshots; yt and pynbody open hdf5."},
        {KEY("output.snapshot.files", WHOLE, snapshot.files, "0"),
         .range = {.low = 0, .high = 1e6}, LOCAL,
         .meaning = "Number of files per snapshot (hdf5, gadget1, gadget2), "
                    "snapshot_0001.0.hdf5 and so on, each written by a "
                    "different rank while there are ranks; 1: always one; 0: "
                    "one per host for 16777216 particles or more."},
        {KEY("output.snapshot.interval", REAL, snapshot.interval, "0"), FROM(0),
         A_TIME,
         .meaning = "Time between snapshots, counted from the beginning of the "
                    "run; 0: none. Steps are shortened to end at these times."},
        {KEY("output.snapshot.times", REALS, snapshot.times, "[]"), ANY, A_TIME,
         .meaning = "The times of snapshots, instead of an interval."},
        {KEY("output.snapshot.redshifts", REALS, snapshot.redshifts, "[]"),
         ABOVE(-1), OF_COMOVING,
         .meaning = "comoving: the redshifts of snapshots, instead of times, "
                    "which are scale factors."},
        {KEY("output.snapshot.first", FLAG, snapshot.first, "true"),
         .meaning = "Write a snapshot at the beginning, too."},
        {KEY("output.snapshot.last", FLAG, snapshot.last, "true"),
         .meaning = "Write a snapshot at the end, too."},
        {KEY("output.log.steps", WHOLE, log.steps, "8"), FROM(1),
         .meaning = "Steps between two rows; with hermite, steps of dt."},
        {KEY("output.log.interval", REAL, log.interval, "0"), FROM(0), A_TIME,
         .meaning = "Time between two rows, instead of steps: a row at the "
                    "first step past each multiple; 0: by steps."},
        {KEY("output.log.cluster", FLAG, log.cluster, "false"),
         .meaning = "With each row, a row of star cluster properties in "
                    "cluster.csv: core and Lagrangian radii, bound stars, "
                    "binaries, mass segregation (docs/clusters.md)."},

        {KEY("output.errors.steps", WHOLE, errors.steps, "64"), FROM(0),
         OF_CELLS,
         .meaning = "tree, fmm: number of steps after which the forces on a "
                    "sample are compared with direct sums; 0: never."},
        {KEY("output.errors.sample", WHOLE, errors.sample, "256"), FROM(1),
         OF_CELLS,
         .meaning = "tree, fmm: maximum number of particles in that sample; "
                    "fewer where their direct sums would be more than a "
                    "hundredth of the interactions of those steps."},
