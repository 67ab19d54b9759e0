/* SPDX-License-Identifier: MIT */
/*
 * User-defined interactions on the device:
 *
 *     source -> program text -> (NVRTC, or the cache) -> code -> kernels
 *
 * A program contains the same sum in several shapes; the choice among them
 * depends on their resources on the device and on the sizes of the sets.
 */
#ifndef KOSHU_BACKEND_CUDA_INTERACTION_INTERACTION_H
#define KOSHU_BACKEND_CUDA_INTERACTION_INTERACTION_H

#include "backend/cuda/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes -------------------------------------------------------------- */

/* The `warps` of a CUDA block have the same 32 `per_thread` i-particles;
 * `tile`: number of j-particles after which sums are added up in double;
 * `blocks`: least number per multiprocessor at a time. */
struct koshu_pair_shape {
    int per_thread, warps, unroll, tile, blocks;
};

enum { KOSHU_PAIR_SHAPES = 4, KOSHU_PAIR_NAME = 32 };

/* Resources that a kernel source needs. */
struct koshu_pair_size {
    size_t n_i_fields, n_outputs;
    size_t n_sums; /* number of outputs that are sums */
    size_t row;  /* numbers per j-particle in memory: n_j_fields, rounded up to
                  * whole vectors of 16 bytes, unless several j-particles fit
                  * into one vector */
    size_t real; /* bytes of a number */
    size_t weight; /* approximate number of instructions per pair */
};

struct koshu_pair_size
koshu_pair_size_of(const struct koshu_kernel_source *source);

/* The shapes worth compiling, the widest first; returns their number. */
size_t koshu_pair_shapes(const struct koshu_pair_size *size,
                         struct koshu_pair_shape shapes[KOSHU_PAIR_SHAPES]);

/* Writes the name of a shape's kernel, like "koshu_4x4", into text of
 * KOSHU_PAIR_NAME. */
void koshu_pair_name(const struct koshu_pair_shape *shape, char *text);

/* The number of j-particles of a chunk is a multiple of this. */
size_t koshu_pair_step(const struct koshu_pair_size *size,
                       const struct koshu_pair_shape *shape);

/* ---- text and code ------------------------------------------------------- */

/* The whole program, to be freed by free(). Status:
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_pair_program_text(const struct koshu_kernel_source *source, char **text);

/* Files that a program includes, by the name under which it includes them. */
extern const struct koshu_text_file koshu_pair_files[];

/* A cubin, or PTX if NVRTC does not know the device; to be freed by free(). */
struct koshu_pair_code {
    char *bytes;
    size_t size;
};

/*
 * Compiles a program for a compute capability (90: 9.0) by NVRTC. Needs no
 * device. Status: KOSHU_ERROR_BAD_INPUT (an error in the kernel source, with
 * its line), KOSHU_ERROR_EXTERNAL (there is no NVRTC, or it fails),
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_nvrtc_compile(const struct koshu_kernel_source *source,
                                 const char *text, int capability,
                                 struct koshu_pair_code *code);

/*
 * The same, but takes the code from the cache of compiled interactions if it is
 * there, and else adds it. Status: also KOSHU_ERROR_IO.
 */
koshu_status koshu_pair_code_of(const struct koshu_kernel_source *source,
                                int capability, struct koshu_pair_code *code);

/* Reports a program's log: if it has an error about the kernel source, with
 * "name:line: ..." as KOSHU_ERROR_BAD_INPUT; else its first line as
 * KOSHU_ERROR_EXTERNAL. */
koshu_status
koshu_nvrtc_fail(const struct koshu_kernel_source *source, const char *log);

#ifdef __cplusplus
}
#endif

#endif
