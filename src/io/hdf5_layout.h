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
 * With cosmology, /Header has Redshift, Omega0, OmegaLambda and HubbleParam
 * instead of Time_GYR, /Parameters has these and the units, as in GADGET-4, and
 * each dataset has the exponents of a and h that make its numbers physical.
 * They are read under the names of GADGET-4 and of SWIFT, whose cosmology is in
 * /Cosmology, and numbers are converted to those of GADGET (koshu/snapshot.h).
 *
 * Files are written in the format of HDF5 1.10, whose metadata has checksums,
 * with checksums on the data: a damaged byte is found wherever it is. Reading
 * accepts all types in their order, float or double, ids of any width, masses
 * from MassTable where there is no dataset, and the names that GADGET-4 and
 * SWIFT give to units and potential. Masses in a checkpoint (io.h) are in the
 * unit in which G = 1, for a restart; reading it as a snapshot converts them to
 * the unit of the run.
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
    KOSHU_HDF5_TYPES = 16, /* types of particles, at most */
    /* of the parameters, with its terminating 0 */
    KOSHU_HDF5_LONGEST_TEXT = 1 << 20,
};

/* An opened file as described by its header and datasets. */
struct koshu_hdf5_layout {
    struct koshu_reader *reader;
    hid_t file;
    struct koshu_snapshot_set set;
    size_t n_types;
    int64_t count[KOSHU_HDF5_TYPES];
    double mass[KOSHU_HDF5_TYPES]; /* 0: in a dataset */
    /* of a checkpoint: the file's masses and velocities include these
     * factors */
    double mass_factor, velocity_factor;
    const struct koshu_hdf5_dataset *potential; /* NULL: none */
    bool is_swift; /* its cosmology is in /Cosmology */
    /* with cosmology: each dataset's numbers are multiplied by this */
    double factor[KOSHU_HDF5_DATASETS];
};

/* Reads cosmology, units and program of the file, and of a checkpoint's run. */
koshu_status koshu_hdf5_read_origin(struct koshu_hdf5_layout *layout,
                                    struct koshu_snapshot_info *info);

/* ---- hdf5_factors.c: a and h -------------------------------------------- */

/* Physical numbers are those of a dataset times a^a h^h. */
struct koshu_hdf5_exponents {
    double a, h;
};

/* Those of koshu's numbers, in memory and in files. */
extern const struct koshu_hdf5_exponents
        koshu_hdf5_own_exponents[KOSHU_HDF5_DATASETS];

/* Reads those that a dataset states; others keep their value. */
koshu_status koshu_hdf5_read_exponents(const struct koshu_hdf5_place *place,
                                       const char *dataset,
                                       struct koshu_hdf5_exponents *exponents);
/* Writes those of a dataset with this name. */
bool koshu_hdf5_put_exponents(hid_t group, int dataset, const char *name,
                              const struct koshu_units *units);

/* For one dataset of all types: sets l->factor, and adds to info->converted. */
void koshu_hdf5_convert(struct koshu_hdf5_layout *layout, int dataset,
                        const struct koshu_hdf5_exponents *exponents,
                        struct koshu_snapshot_info *info);

/* Reads everything but the particles, and checks that all datasets are there as
 * the counts require. Fills the layout and info; what the file does not have
 * keeps its value. KOSHU_ERROR_BAD_FORMAT. */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_read_layout(
        struct koshu_hdf5_layout *layout, struct koshu_snapshot_info *info);

/* Reads the particles from `first` on, type after type, as many as the view
 * has. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read_types(const struct koshu_hdf5_layout *layout, uint64_t first,
                      const struct koshu_particle_view *view);

/* Reads a dataset that every type with particles must have.
 * KOSHU_ERROR_NOT_FOUND: one of them does not. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read_column(const struct koshu_hdf5_layout *layout, const char *name,
                       double *values);

#endif
