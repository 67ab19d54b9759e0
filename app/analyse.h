/* SPDX-License-Identifier: MIT */
/* Shared by the parts of `koshu analyse`. */
#ifndef KOSHU_APP_ANALYSE_H
#define KOSHU_APP_ANALYSE_H

#include <argp.h>
#include <stdbool.h>

#include <koshu/snapshot.h>

#include "fields.h"
#include "internal.h"
#include "linear_power.h"

/* The files to write; "": none. */
struct analyse_outputs {
    char spectrum[KOSHU_PATH_SIZE], groups[KOSHU_PATH_SIZE],
            masses[KOSHU_PATH_SIZE];
};

struct analyse_arguments {
    struct word_list files;
    bool power_spectrum, groups, mass_function; /* what to measure of boxes, */
    bool cluster, profiles, binaries;           /* of star clusters, */
    bool energy_spectrum, structure, invariant; /* of flows */
    double level; /* of the second invariant, in units of its rms */
    const char *output, *picture, *backend;
    struct analyse_outputs to; /* for boxes; named after output */
    bool force, quiet;         /* quiet: nothing is printed */
    int threads;
    size_t grid; /* 0: twice the particles along an edge */
    int fold;
    enum koshu_assignment assignment;
    bool single_mesh;
    double linking; /* in mean interparticle distances */
    size_t least;   /* fewest members */
    bool members;
    size_t shells, massive;   /* of a cluster */
    struct koshu_power power; /* of the linear spectrum */
    struct linear_options linear;
    double omega_r, w;
};

/* A snapshot; if cosmological, in Mpc/h, 1e10 Msun/h, km/s. */
struct analyse_snapshot {
    const char *path;
    struct koshu_snapshot_info info;
    struct koshu_particles *particles;
    struct koshu_cosmology cosmology; /* h = 0: not cosmological */
    double growth;                    /* D(a) / D(1); 0: not cosmological */
};

/* The state of a command. */
struct analysis {
    struct koshu_context *context;
    const struct analyse_arguments *a;
    size_t k;                  /* index of the file being analysed */
    double box;                /* of the first file */
    struct koshu_units units;  /* of the first file */
    struct koshu_power linear; /* for the cosmology of the first file */
    bool has_linear, is_universe;
    struct spectrum_of *spectra;  /* of all files; NULL: not requested */
    struct mass_function *masses; /* the same */
};

/* Reads file k and checks that it is in a box, the same as the first file's. */
koshu_status analyse_read(struct analysis *analysis, size_t k,
                          struct analyse_snapshot *snapshot);

/* The same for particles that are not in a box. */
koshu_status analyse_read_isolated(struct analysis *analysis, size_t k,
                                   struct analyse_snapshot *snapshot);
void analyse_free(struct analyse_snapshot *snapshot);

/* Functions of the particles of all ranks. Collective. */
koshu_status
analyse_mass(const struct analyse_snapshot *snapshot, double *mass);

bool is_universe(const struct analyse_snapshot *snapshot);

/* "z = 4", "t = 10 Myr" */
void analyse_time_text(const struct analyse_snapshot *snapshot, size_t size,
                       char *text);

/* "Mpc/h", "pc", "" */
void analyse_length_unit(const struct analyse_snapshot *snapshot, size_t size,
                         char *text);

/* Prints a line about the file. */
void analyse_print_file(const struct analyse_snapshot *snapshot);

struct analyse_arguments analyse_defaults(void);

/* Measures what the arguments request, after their files have been checked.
 * Collective. */
koshu_status analyse(struct koshu_context *context,
                     const struct analyse_arguments *arguments);

koshu_status analyse_structure(struct analysis *analysis);
koshu_status analyse_clusters(struct analysis *analysis);

/* ---- where there are Fourier transforms ---------------------------------- */

/* parse() for an enum koshu_assignment. */
void parse_assignment_of_mesh(struct argp_state *state, const char *option,
                              char *text, void *member);

koshu_status begin_spectra(struct analysis *analysis);
koshu_status measure_spectrum(struct analysis *analysis,
                              const struct analyse_snapshot *snapshot);
koshu_status finish_spectra(const struct analysis *analysis);
void end_spectra(struct analysis *analysis);
koshu_status analyse_flows(struct analysis *analysis);

#endif
