/* SPDX-License-Identifier: MIT */
/*
 * HDF5 in the layout of GADGET-4 and SWIFT, which yt and pynbody open:
 *
 *     /Header       attributes NumPart_ThisFile, NumPart_Total,
 *                   NumPart_Total_HighWord, MassTable [6 each], Time,
 *                   Time_GYR, BoxSize, NumFilesPerSnapshot, Softening, Step
 *     /Units        attributes UnitLength_in_cm, UnitMass_in_g,
 *                   UnitVelocity_in_cm_per_s
 *     /Code         attributes Code, Version, GitCommit
 *     /Parameters   dataset Text: the parameter file
 *     /PartType1    datasets Coordinates, Velocities [n][3], Masses,
 *                   ParticleIDs, Potential [n]
 *
 * Of a universe /Header has Redshift, Omega0, OmegaLambda and HubbleParam for
 * Time_GYR, /Parameters these and the units, as GADGET-4 has them, and each
 * dataset the exponents of a and h by which its numbers become physical. Read
 * are these exponents by the names of GADGET-4 and of SWIFT, whose universe is
 * in /Cosmology; numbers become those of GADGET (koshu/snapshot.h).
 *
 * Written in HDF5's 1.10 file format, whose metadata carries checksums, and
 * with checksums on the data: a damaged byte is found, wherever it is. Read
 * are all types in their order, float or double, ids of any width, masses
 * from MassTable where there is no dataset, and the names of units and
 * potential that GADGET-4 and SWIFT use. The masses of a checkpoint (io.h) are
 * in the unit in which G = 1, for a restart; read as a snapshot it has those
 * of the run.
 */
#ifndef KOSHU_IO_HDF5_LAYOUT_H
#define KOSHU_IO_HDF5_LAYOUT_H

#include "io/hdf5_file.h"

/* The datasets of a type of particles. */
enum {
    KOSHU_HDF5_COORDINATES,
    KOSHU_HDF5_VELOCITIES,
    KOSHU_HDF5_MASSES,
    KOSHU_HDF5_IDS,
    KOSHU_HDF5_POTENTIAL,
    KOSHU_HDF5_DATASETS
};
extern const struct koshu_hdf5_dataset koshu_hdf5_datasets[KOSHU_HDF5_DATASETS];

enum {
    KOSHU_HDF5_TYPES = 16,             /* of particles, at most */
    KOSHU_HDF5_LONGEST_TEXT = 1 << 20, /* of parameters, with its 0 */
};

/* An opened file as its header and datasets show it. */
struct koshu_hdf5_layout {
    struct koshu_reader *reader;
    hid_t file;
    struct koshu_snapshot_set set;
    size_t n_types;
    int64_t count[KOSHU_HDF5_TYPES];
    double mass[KOSHU_HDF5_TYPES]; /* 0: in a dataset */
    /* of a checkpoint: the file has masses and velocities times these */
    double mass_factor, velocity_factor;
    const struct koshu_hdf5_dataset *potential; /* NULL: none */
    bool is_swift; /* /Cosmology states its universe */
    /* of a universe: what each dataset's numbers are multiplied with */
    double factor[KOSHU_HDF5_DATASETS];
};

/* Universe, units and program, of the file and of a checkpoint's run. */
koshu_status koshu_hdf5_read_origin(struct koshu_hdf5_layout *layout,
                                    struct koshu_snapshot_info *info);

/* ---- hdf5_factors.c: a and h -------------------------------------------- */

/* Physical numbers are those of a dataset times a^a h^h. */
struct koshu_hdf5_exponents {
    double a, h;
};

/* Those that koshu has in memory and writes. */
extern const struct koshu_hdf5_exponents
        koshu_hdf5_own_exponents[KOSHU_HDF5_DATASETS];

/* Those that a dataset states; what it does not, stays. */
koshu_status koshu_hdf5_read_exponents(const struct koshu_hdf5_place *place,
                                       const char *dataset,
                                       struct koshu_hdf5_exponents *exponents);
/* Of a dataset, and what it is called. */
bool koshu_hdf5_put_exponents(hid_t group, int dataset, const char *name,
                              const struct koshu_units *units);

/* Of one dataset of all types: l->factor, and a word in info->converted. */
void koshu_hdf5_convert(struct koshu_hdf5_layout *layout, int dataset,
                        const struct koshu_hdf5_exponents *exponents,
                        struct koshu_snapshot_info *info);

/* Reads all that is not of single particles, and checks that all datasets are
 * there as the counts require; fills in the layout and info, where what the
 * file does not have stays.
 * KOSHU_ERROR_BAD_FORMAT. */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_read_layout(
        struct koshu_hdf5_layout *layout, struct koshu_snapshot_info *info);

/* Of all particles, type after type, those from `first` on that a view has. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read_types(const struct koshu_hdf5_layout *layout, uint64_t first,
                      const struct koshu_particle_view *view);

/* A dataset of every type that has particles. KOSHU_ERROR_NOT_FOUND: one of
 * them has none of this name. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read_column(const struct koshu_hdf5_layout *layout, const char *name,
                       double *values);

#endif
