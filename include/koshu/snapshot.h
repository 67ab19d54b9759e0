/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: particles at one time, in a file.
 *
 * Files are written under a temporary name, synced and renamed: a name either
 * holds the old file or the whole new one. No wall-clock time, host name or
 * pointer goes into a file: identical particles give identical bytes. Readers
 * check every count against the file's size before they allocate, and refuse a
 * truncated or inconsistent file with one sentence:
 *
 *     KOSHU_ERROR_NOT_FOUND   there is no such file
 *     KOSHU_ERROR_IO          it cannot be read
 *     KOSHU_ERROR_BAD_FORMAT  it does not conform to its format
 *     KOSHU_ERROR_BAD_INPUT   it is not a regular file, or empty; it holds no
 *                             particles, a NaN, a negative mass; of several
 *                             files one is missing, or of another snapshot
 *     KOSHU_ERROR_OUT_OF_MEMORY
 *     KOSHU_ERROR_EXTERNAL    the HDF5 library failed
 *
 * As the HDF5 library is not safe against damaged files, a child process reads
 * them, for which this process waits.
 *
 * Threads: a context is used by one thread at a time; threads with contexts of
 * their own may read and write at the same time, but no other thread may be
 * inside HDF5 while koshu reads or writes an HDF5 file.
 */
#ifndef KOSHU_SNAPSHOT_H
#define KOSHU_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/units.h>

#ifdef __cplusplus
extern "C" {
#endif

enum koshu_format {
    KOSHU_FORMAT_HDF5,    /* GADGET-4/SWIFT layout: yt, pynbody. double */
    KOSHU_FORMAT_GADGET1, /* GADGET-2 binary, format 1. float */
    KOSHU_FORMAT_GADGET2, /* GADGET-2 binary, format 2. float */
    KOSHU_FORMAT_TIPSY,   /* big-endian (standard) Tipsy. float */
    KOSHU_FORMAT_CSV      /* id,mass,x,y,z,vx,vy,vz[,potential]; double */
};

/* The header of a file: filled in by a reader, given to a writer. */
struct koshu_snapshot_info {
    size_t size; /* of the struct */
    enum koshu_format format;
    uint64_t n;
    double time;
    double softening; /* 0 if the format has none */
    double box_size;  /* 0: isolated */
    struct koshu_units units;
    int n_types; /* kinds of particles (gas, dark, ...), read as one kind */
    bool has_potential;
    bool single;      /* coordinates stored in single precision */
    uint64_t step;    /* 0 if the format has none */
    char program[64]; /* that wrote the file, "" if the format has none */
    bool has_units;   /* readers: the file states its units; if not, they are
                         dimensionless */
    uint64_t files;   /* number of files of the snapshot; writers: 0 means 1 */
    /* Cosmology: densities of matter and dark energy today, relative to the
     * critical density, and H0 in 100 km/s/Mpc; hubble 0: not cosmological.
     * time is then the scale factor, and particles are as in GADGET: comoving,
     * lengths and masses over h, velocities sqrt(a) dx/dt. */
    double omega_m, omega_lambda, hubble;
    /* Readers: how the numbers of a cosmological file that uses other
     * conventions were converted, "lengths * h, velocities * a^-0.5"; "": not
     * at all. */
    char converted[128];
    /* Readers: why a file that states densities, h and a redshift is not
     * cosmological, "its Time is 1, and the scale factor of its Redshift, 3, is
     * 0.25"; "": it states none, or is. */
    char inconsistent[128];
};

/*
 * HDF5, time 0, no softening, no box, units of koshu_units_henon(), no
 * potential.
 */
KOSHU_DECLARE_DEFAULT(koshu_snapshot_info)

/* Name ("hdf5", "gadget1", "gadget2", "tipsy", "csv"); NULL past the last. */
KOSHU_API const char *koshu_format_name(enum koshu_format format);

/* Format of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no format has it, the message lists those that
 * have one; KOSHU_ERROR_INVALID_ARGUMENT: NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_format_find(struct koshu_context *context, const char *name,
                  enum koshu_format *format);

/* Format that the ending of a file's name stands for: .hdf5 .h5, .gad .gadget
 * (format 2), .gad1, .tipsy .std, .csv. The file need not exist.
 * Status: KOSHU_ERROR_NOT_FOUND: another ending, the message lists those that
 * there are; KOSHU_ERROR_INVALID_ARGUMENT: NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_format_of_path(struct koshu_context *context, const char *path,
                     enum koshu_format *format);

/* Detects the format from a file's content, whatever its name.
 * Status: as of a reader, see above; KOSHU_ERROR_INVALID_ARGUMENT: NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_format_of_file(struct koshu_context *context, const char *path,
                     enum koshu_format *format);

/*
 * Reads a file's header, without the particles.
 * Units: numbers in the units of the file, info->units.
 * Status: as of a reader, see above; KOSHU_ERROR_INVALID_ARGUMENT: NULL, or
 * info->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_snapshot_inspect(struct koshu_context *context, const char *path,
                       struct koshu_snapshot_info *info);

/*
 * Reads a snapshot in any format, which is detected from its content. All
 * particle types are read, in the file's order. info may be NULL. A snapshot of
 * several files is read from the name of any of them, NAME.2.hdf5, or from
 * their base name, NAME or NAME.hdf5. With several ranks each reads its own
 * particles, so all must have access to the files.
 * Units: numbers in the units of the file, info->units.
 * Ownership: the caller destroys the store with koshu_particles_destroy();
 * *particles is NULL after a failure.
 * Status: as of a reader, see above; KOSHU_ERROR_INVALID_ARGUMENT: NULL, or
 * info->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_snapshot_read(
        struct koshu_context *context, const char *path,
        struct koshu_snapshot_info *info, struct koshu_particles **particles);

/*
 * Reads the text of the parameter file that the snapshot was written with.
 * Ownership: the caller frees *text with free(); NULL where the file has none.
 * Status: as of a reader, see above; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_snapshot_parameters(
        struct koshu_context *context, const char *path, char **text);

/*
 * Writes a snapshot. Time, softening, box_size, units, cosmology, step,
 * has_potential, format and files are taken from info (NULL:
 * koshu_snapshot_info_default()); its other members are ignored. parameters,
 * the text of the parameter file, is stored if the format can (HDF5); NULL:
 * none. With several ranks, rank 0 writes the same file as one rank would: HDF5
 * in chunks of 65536 particles, other formats from all particles in its memory.
 *
 * info->files > 1 divides the snapshot into that many files (hdf5, gadget1 and
 * gadget2; no more than there are particles): NAME.hdf5 becomes NAME.0.hdf5,
 * NAME.1.hdf5, ..., as in GADGET. With several ranks, the first of each group
 * of consecutive ranks writes the file of their particles. Each file is written
 * whole or not at all.
 * Units: numbers are written as they are, in the units that info->units names.
 * Status: KOSHU_ERROR_NOT_FINITE, KOSHU_ERROR_BAD_INPUT: a particle is not
 * usable, see koshu_particles_check(); KOSHU_ERROR_INVALID_ARGUMENT: info is
 * not, or a pointer is NULL; KOSHU_ERROR_UNSUPPORTED: more particles or larger
 * numbers than the format can hold; KOSHU_ERROR_IO: cannot write (the old file,
 * if any, is unchanged); KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_EXTERNAL: the
 * HDF5 library failed; KOSHU_ERROR_DEVICE: a copy from a device failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_snapshot_write(
        struct koshu_particles *particles, const char *path,
        const struct koshu_snapshot_info *info, const char *parameters);

#ifdef __cplusplus
}
#endif

#endif
