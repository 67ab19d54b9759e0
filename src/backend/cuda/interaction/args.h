/* SPDX-License-Identifier: MIT */
/*
 * Data that host and device code of user-defined interactions have in common.
 * Also compiled at run time, when there are no system headers.
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
 * CUDA block (b, c) sums the b-th chunk of the i-particles and the c-th chunk
 * of the j-particles. All memory is the device's.
 */
struct koshu_interaction_args {
    const double *i;   /* [n_i][n_i_fields] */
    const void *j;     /* [n_j][row], in the program's precision; readable up to
                        * the end of the last 16 bytes */
    double *out;       /* [n_i][n_outputs] */
    double *partial;   /* [block][chunk][n_outputs][width] */
    unsigned *arrived; /* of each block; 0 before and after */
    int i_first;       /* INDEX_I of the first row */
    int n_i, n_j;
    int chunk; /* j-particles per chunk; a multiple of the shape's step */
};

#endif
