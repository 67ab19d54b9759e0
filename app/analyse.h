/* SPDX-License-Identifier: MIT */
/* What the parts of `koshu analyse` share. */
#ifndef KOSHU_APP_ANALYSE_H
#define KOSHU_APP_ANALYSE_H

#include <argp.h>
#include <stdbool.h>

#include <koshu/snapshot.h>

#include "fields.h"
#include "internal.h"
#include "linear_power.h"

/* Files to write; "": none. */
struct analyse_outputs {
    char spectrum[KOSHU_PATH_SIZE], groups[KOSHU_PATH_SIZE],
            masses[KOSHU_PATH_SIZE];
};

struct analyse_arguments {
    struct word_list files;
    bool power_spectrum, groups, mass_function; /* what is measured; */
    bool cluster, profiles, binaries;           /* of star clusters */
    bool energy_spectrum, structure, invariant; /* of flows */
    double level; /* of the second invariant, in rms */
    const char *output, *picture, *backend;
    struct analyse_outputs to; /* from output, of boxes */
    bool force, quiet;         /* quiet: nothing is printed */
    int threads;
    size_t grid; /* 0: twice the particles along an edge */
    int fold;
    enum koshu_assignment assignment;
    bool single_mesh;
    double linking; /* in mean distances of particles */
    size_t least;   /* members */
    bool members;
    size_t shells, massive;   /* of a cluster */
    struct koshu_power power; /* options of the linear spectrum */
    struct linear_amplitude amplitude;
    double omega_r, w;
};

/* A snapshot; of a universe in Mpc/h, 1e10 Msun/h, km/s. */
struct analyse_snapshot {
    const char *path;
    struct koshu_snapshot_info info;
    struct koshu_particles *particles;
    struct koshu_cosmology cosmology; /* h = 0: of no universe */
    double growth;                    /* D(a) / D(1); 0: of no universe */
};

/* All of a command. */
struct analysis {
    struct koshu_context *context;
    const struct analyse_arguments *a;
    size_t k;                  /* of the files, which is the one in */
    double box;                /* of the first */
    struct koshu_units units;  /* of the first */
    struct koshu_power linear; /* of the first's universe */
    bool has_linear, is_universe;
    struct spectrum_of *spectra;  /* of all files; NULL: not wanted */
    struct mass_function *masses; /* the same */
};

/* Reads file k, which has to be in a box, and that of the first. */
koshu_status analyse_read(struct analysis *analysis, size_t k,
                          struct analyse_snapshot *snapshot);

/* The same, of particles that are in no box. */
koshu_status analyse_read_isolated(struct analysis *analysis, size_t k,
                                   struct analyse_snapshot *snapshot);
void analyse_free(struct analyse_snapshot *snapshot);

/* Of the particles of all ranks. Collective. */
koshu_status
analyse_mass(const struct analyse_snapshot *snapshot, double *mass);

bool is_universe(const struct analyse_snapshot *snapshot);

/* "z = 4", "t = 10 Myr" */
void analyse_time_text(const struct analyse_snapshot *snapshot, size_t size,
                       char *text);

/* "Mpc/h", "pc", "" */
void analyse_length_unit(const struct analyse_snapshot *snapshot, size_t size,
                         char *text);

/* One line on what was read. */
void analyse_print_file(const struct analyse_snapshot *snapshot);

struct analyse_arguments analyse_defaults(void);

/* Measures what the arguments say, whose files are there. Collective. */
koshu_status analyse(struct koshu_context *context,
                     const struct analyse_arguments *arguments);

koshu_status analyse_structure(struct analysis *analysis);
koshu_status analyse_clusters(struct analysis *analysis);

/* ---- where there are Fourier transforms ---------------------------------- */

/* parse() of an enum koshu_assignment. */
void parse_assignment_of_mesh(struct argp_state *state, const char *option,
                              char *text, void *member);

koshu_status begin_spectra(struct analysis *analysis);
koshu_status measure_spectrum(struct analysis *analysis,
                              const struct analyse_snapshot *snapshot);
koshu_status finish_spectra(const struct analysis *analysis);
void end_spectra(struct analysis *analysis);
koshu_status analyse_flows(struct analysis *analysis);

#endif
