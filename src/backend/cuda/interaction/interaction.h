/* SPDX-License-Identifier: MIT */
/*
 * Interactions of the user's own on the device:
 *
 *     source -> program text -> (NVRTC, or the cache) -> code -> kernels
 *
 * A program holds the same sum in a few shapes; which of them runs depends on
 * what the device makes of each and on the sizes of the sets.
 */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_INTERACTION_H
#define KOSHU_BACKEND_CUDA_INTERACTION_INTERACTION_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes -------------------------------------------------------------- */

/* `warps` of a CUDA block hold the same 32 `per_thread` i-particles; `tile`:
 * j-particles between two flushes of the sums; `blocks`: on a multiprocessor at
 * once, at least. */
struct koshu_pair_shape {
    int per_thread, warps, unroll, tile, blocks;
};

enum { KOSHU_PAIR_SHAPES = 4, KOSHU_PAIR_NAME = 32 };

/* What a kernel source needs of a multiprocessor. */
struct koshu_pair_size {
    size_t n_i_fields, n_outputs;
    size_t n_sums; /* of the outputs */
    size_t row;  /* numbers from one j-particle to the next: n_j_fields, rounded
                    up to whole vectors of 16 bytes but where several fit
                    into one */
    size_t real; /* bytes of a number */
    size_t weight; /* about the instructions of the pair */
};

struct koshu_pair_size
koshu_pair_size_of(const struct koshu_kernel_source *source);

/* The shapes worth compiling, the widest first; returns how many. */
size_t koshu_pair_shapes(const struct koshu_pair_size *size,
                         struct koshu_pair_shape shapes[KOSHU_PAIR_SHAPES]);

/* "koshu_4x4": the kernel of a shape, into text of KOSHU_PAIR_NAME. */
void koshu_pair_name(const struct koshu_pair_shape *shape, char *text);

/* j-particles of a chunk are a multiple of this. */
size_t koshu_pair_step(const struct koshu_pair_size *size,
                       const struct koshu_pair_shape *shape);

/* ---- text and code ------------------------------------------------------- */

/* The whole program, freed by free(). KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_pair_program_text(const struct koshu_kernel_source *source, char **text);

/* Files that a program includes, by the name that it includes them by. */
extern const struct koshu_text_file koshu_pair_files[];

/* A cubin, or PTX where NVRTC does not know the device; freed by free(). */
struct koshu_pair_code {
    char *bytes;
    size_t size;
};

/*
 * Compiles a program for a compute capability (90: 9.0) by NVRTC. Needs no
 * device. KOSHU_ERROR_BAD_INPUT: an error in the kernel source, at its line;
 * KOSHU_ERROR_EXTERNAL: there is no NVRTC, or it fails;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_nvrtc_compile(const struct koshu_kernel_source *source,
                                 const char *text, int capability,
                                 struct koshu_pair_code *code);

/*
 * The same, taken from the cache of compiled interactions if it is there, and
 * put there. Also KOSHU_ERROR_IO.
 */
koshu_status koshu_pair_code_of(const struct koshu_kernel_source *source,
                                int capability, struct koshu_pair_code *code);

/* What of a program's log is about the kernel source: "name:line: ..." and
 * KOSHU_ERROR_BAD_INPUT; else KOSHU_ERROR_EXTERNAL and the log's first line. */
koshu_status
koshu_nvrtc_fail(const struct koshu_kernel_source *source, const char *log);

#ifdef __cplusplus
}
#endif

#endif
