/* SPDX-License-Identifier: MIT */
/* The keys of output, a part of the table in keys.c; no include guard. */
{KEY("output.directory", TEXT, directory, "output"), LOCAL,
 .file = KOSHU_FILE_ANYWHERE,
 .meaning = "The directory of all output files; it is made where it "
            "does not exist. Relative to the directory where koshu is "
            "started; ~ is the home directory."},
        {KEY("output.snapshot.format", CHOICE, snapshot.format, "hdf5"),
         .choice = choice_format,
         .meaning = "Format of the snapshots; hdf5 opens in yt and pynbody."},
        {KEY("output.snapshot.files", WHOLE, snapshot.files, "0"),
         .range = {.low = 0, .high = 1e6}, LOCAL,
         .meaning = "Files that a snapshot is divided into (hdf5, gadget1, "
                    "gadget2), snapshot_0001.0.hdf5 and so on, each written by "
                    "another rank while there are ranks; 1: always one; 0: one "
                    "for each host, of 16777216 particles or more."},
        {KEY("output.snapshot.interval", REAL, snapshot.interval, "0"), FROM(0),
         A_TIME,
         .meaning = "Time between snapshots, from the beginning of the run; 0: "
                    "none. A step is shortened to end at it."},
        {KEY("output.snapshot.times", REALS, snapshot.times, "[]"), ANY, A_TIME,
         .meaning = "The times of snapshots, instead of an interval."},
        {KEY("output.snapshot.redshifts", REALS, snapshot.redshifts, "[]"),
         ABOVE(-1), OF_COMOVING,
         .meaning = "comoving: the redshifts of snapshots, instead of times, "
                    "which are scale factors."},
        {KEY("output.snapshot.first", FLAG, snapshot.first, "true"),
         .meaning = "Also a snapshot of the beginning."},
        {KEY("output.snapshot.last", FLAG, snapshot.last, "true"),
         .meaning = "Also a snapshot of the end."},
        {KEY("output.log.steps", WHOLE, log.steps, "8"), FROM(1),
         .meaning = "Steps between two rows; with hermite, steps of dt."},
        {KEY("output.log.interval", REAL, log.interval, "0"), FROM(0), A_TIME,
         .meaning = "Time between two rows, instead of steps: a row at the "
                    "first step past each multiple; 0: by steps."},
        {KEY("output.log.cluster", FLAG, log.cluster, "false"),
         .meaning = "With each row one of what a star cluster is like in "
                    "cluster.csv: core and Lagrangian radii, what is bound, "
                    "binaries, mass segregation (docs/clusters.md)."},

        {KEY("output.errors.steps", WHOLE, errors.steps, "64"), FROM(0),
         OF_CELLS,
         .meaning = "tree, fmm: steps after which the forces on a sample are "
                    "compared with direct sums; 0: never."},
        {KEY("output.errors.sample", WHOLE, errors.sample, "256"), FROM(1),
         OF_CELLS,
         .meaning =
                 "tree, fmm: maximum of particles in that sample: fewer where "
                 "their direct sums would be more than a hundredth of the "
                 "interactions of those steps."},
