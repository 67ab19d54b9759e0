/* SPDX-License-Identifier: MIT */
/*
 * What host and device share of interactions of the user's own.
 * Also compiled at run time: no header of the system is there.
 */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_ARGS_H
#define KOSHU_BACKEND_CUDA_INTERACTION_ARGS_H

/* The kinds of KOSHU_OUTPUTS: see koshu_print_source(). */
enum {
    KOSHU_PAIR_SUM,
    KOSHU_PAIR_MIN,
    KOSHU_PAIR_MAX,
    KOSHU_PAIR_INDEX,
    KOSHU_PAIR_MINLOC = KOSHU_PAIR_MIN,
    KOSHU_PAIR_MAXLOC = KOSHU_PAIR_MAX
};

/*
 * CUDA block (b, c) takes the b-th of the chunks that the i-particles are cut
 * into, and the c-th chunk of the j-particles. Memory is the device's.
 */
struct koshu_interaction_args {
    const double *i;   /* [n_i][n_i_fields] */
    const void *j;     /* [n_j][row], of the precision; 16 bytes at a time may
                          be read to their end */
    double *out;       /* [n_i][n_outputs] */
    double *partial;   /* [block][chunk][n_outputs][width] */
    unsigned *arrived; /* of each block; all 0 before and after */
    int i_first;       /* INDEX_I of the first row */
    int n_i, n_j;
    int chunk; /* j-particles; a multiple of the step of the shape */
};

#endif
