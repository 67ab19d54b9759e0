/* SPDX-License-Identifier: MIT */
/*
 * Interactions on a CPU: the kernel source becomes a C file, the system's
 * compiler makes a shared object of it, kept in a private cache, and that is
 * loaded. The program does one piece of a plan in a call and needs no OpenMP;
 * threads are koshu's.
 */
#ifndef KOSHU_BACKEND_COMPILED_COMPILED_H
#define KOSHU_BACKEND_COMPILED_COMPILED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"
#include "backend/simd/plan.h"

/* What the object is made for. */
struct compiled_target {
    size_t vector_bytes;   /* 0: one pair after the other, as it stands */
    const char *flags[12]; /* of the compiler: instruction set; NULL-ended */
};

/* ---- the object ---------------------------------------------------------- */

/*
 * i-particles i_first ... i_first + n_i - 1 of rows `i` against the
 * j-particles j_first ... j_first + n_j - 1 of rows `j`; `out` gets n_i rows.
 * The generated file says the same.
 */
struct compiled_job {
    size_t i_first, n_i;
    const double *i;
    size_t j_first, n_j;
    const double *j;
    const double *constants;
    double *out;
};

typedef void compiled_function(const struct compiled_job *job);
#define COMPILED_FUNCTION "koshu_interaction"

/*
 * The body of a kernel source for vectors of lanes, each a pair, to be freed;
 * NULL where the statements are of a kind that koshu does not translate (loops,
 * integers, arrays), and where they have an error. KOSHU_ERROR_OUT_OF_MEMORY.
 * It needs:
 *
 *     koshu_v, koshu_m, koshu_n    vectors of real; masks, 0 or -1 a lane;
 *                                  integers, of the size of a real
 *     INPUT_I[], INPUT_J[], OUTPUT[], constants    koshu_v, else as above
 *     INDEX_I, INDEX_J             koshu_n
 *     koshu_set(x), koshu_n_set(k)                 in all lanes
 *     koshu_select(m, a, b), koshu_keep(m, a)      m ? a : b; m ? a : 0
 *     koshu_smaller(a, b), koshu_larger(a, b)      b where a is NaN
 *     koshu_real_of(n)                             koshu_n as koshu_v
 *     koshu_sqrt(x), ...           of <math.h>, as many as vectors need,
 *                                  koshu_rsqrt(x), koshu_pow_n(x, k)
 */
koshu_status
koshu_compiled_vectors(const struct koshu_kernel_source *source, char **body);

/* The generated file, to be freed; of that body, or, where it is NULL, of the
 * source's. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_compiled_write(const struct koshu_kernel_source *source,
                                  const struct compiled_target *target,
                                  const char *vector_body, char **text);

/* ---- the compiler -------------------------------------------------------- */

struct compiler {
    char path[4096];
    /* changes when the file does: its size, times and place */
    char identity[128];
};

/* $KOSHU_CC, else cc, gcc or clang on the PATH, without running it.
 * KOSHU_ERROR_EXTERNAL: there is none. */
koshu_status
koshu_compiler_find(struct koshu_context *context, struct compiler *compiler);

struct cache_work;

/*
 * Runs the program `argv[0]`, no shell; stderr and stdout go to *output, to be
 * freed, cut at 64 KiB. Killed with what it started after `seconds`; none of
 * these takes more of a processor's time, also where this process is killed.
 * Its temporary files go to `work`, whose lock it has; NULL: to $TMPDIR.
 * KOSHU_ERROR_EXTERNAL: it cannot be run, or took too long;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_run(struct koshu_context *context, char *const argv[],
                       const struct cache_work *work, double seconds,
                       int *exit_status, char **output);

/* What it is told for every file of this kind, but where files are: at most
 * COMPILER_FLAGS, NULL-ended. */
enum { COMPILER_FLAGS = 40 };
void koshu_compiler_flags(const struct compiled_target *target,
                          const char *flags[COMPILER_FLAGS + 1]);

/*
 * The shared object `to` of the C file `from`, paths in the directory `work`;
 * NULL: only looks for errors.
 * KOSHU_ERROR_BAD_INPUT: the compiler says so, of the user's text: "name:line:
 * ..."; KOSHU_ERROR_EXTERNAL: it failed.
 */
koshu_status koshu_compiler_run(const struct compiler *compiler,
                                const struct compiled_target *target,
                                const struct koshu_kernel_source *source,
                                const struct cache_work *work, const char *from,
                                const char *to);

/*
 * The first error about the user's text in what a compiler printed, as
 * "name:line: ..." into message; false: there is none. The column is left out:
 * what was compiled is not laid out as the text is.
 */
bool koshu_compiler_error(const char *output,
                          const struct koshu_kernel_source *source,
                          char *message, size_t size);

/* ---- private directories ------------------------------------------------- */

enum { KOSHU_PRIVATE_WHY = 8704 };

/*
 * A descriptor of the directory, made if need be (mode 0700), for code that is
 * to be run. Each directory from the root on belongs to root or to us, and
 * no other user can change the names in it: not writable by others, or sticky.
 * own: the last is ours, and no other user can write to it at all. Symbolic
 * links are resolved first. real: the path without them. -1: why, one line, of
 * KOSHU_PRIVATE_WHY.
 */
int
koshu_private_open(const char *path, bool own, char real[PATH_MAX], char *why);

/* ---- the cache ----------------------------------------------------------- */

/* A directory in which something is made; it goes when it is ended, or, if its
 * process is killed, when the next one is made beside it. */
struct cache_work {
    int parent, fd, lock;
    char name[64]; /* "": there is none */
    char path[PATH_MAX + 64];
};

/* In a private directory, whose path is given. false: errno says why. */
bool koshu_cache_make_work(int parent, const char *path, const char *prefix,
                           struct cache_work *work);
void koshu_cache_end_work(struct cache_work *work);

/*
 * A private directory. `kept`: the cache; else it is removed by
 * koshu_cache_close(). All files are reached through its descriptor.
 */
struct cache {
    char directory[PATH_MAX + 64];
    int fd;
    bool kept;
    struct cache_work work;
};

/*
 * $XDG_CACHE_HOME/koshu/interactions, else that in ~/.cache, made if need be;
 * where there is no home, or it cannot be written, or others could change what
 * is in it, a temporary directory, and a warning. KOSHU_ERROR_IO: that cannot
 * be made either, or would not be private.
 */
koshu_status
koshu_cache_open(struct koshu_context *context, struct cache *cache);
void koshu_cache_close(struct cache *cache);
/* From now on cache->work is there. KOSHU_ERROR_IO. */
koshu_status
koshu_cache_work(struct koshu_context *context, struct cache *cache);

/* Of all that a compiled object depends on: the name of its file. */
enum { KOSHU_CACHE_KEY = 32 };
void koshu_cache_key(const char *const *texts, size_t n,
                     char key[KOSHU_CACHE_KEY + 1]);

/* A regular file, ours, to which no other user can write; to be freed. NULL: it
 * is none, or cannot be read. */
char *koshu_read_private(int directory, const char *name, size_t *size);

/* A new file in cache->work. KOSHU_ERROR_IO. */
koshu_status koshu_cache_write(struct koshu_context *context,
                               struct cache *cache, const char *name,
                               const void *bytes, size_t n);
/* Keeps a file, with a checksum trailer; it appears whole. KOSHU_ERROR_IO. */
koshu_status koshu_cache_keep(struct koshu_context *context,
                              struct cache *cache, const char *name,
                              const void *bytes, size_t n);
/* What was kept, to be freed; NULL: it is not there, not ours, or has been
 * changed since. */
char *
koshu_cache_read(const struct cache *cache, const char *name, size_t *size);

/* A file of the cache is used. */
void koshu_cache_used(const struct cache *cache, const char *name);
/* After something new is kept: where there are more files than MOST, those that
 * were used longest ago go, but none that was used in the last day, until LEFT
 * are left. */
enum { KOSHU_CACHE_MAX = 1024, KOSHU_CACHE_LEFT = 768 };
void koshu_cache_trim(const struct cache *cache);

/* ---- code ---------------------------------------------------------------- */

/* A shared object; {0}: none. */
struct koshu_image {
    void *object; /* of dlopen() */
    int fd;       /* open as long as it; -1: it has none */
};

/*
 * Loads these bytes, which are those of a file of the cache: from a file
 * in memory that is read-only, and cannot be changed between a check and the
 * loading; where such files cannot be made or executed, from the cache.
 * KOSHU_ERROR_EXTERNAL: it is no object.
 */
koshu_status koshu_image_load(struct koshu_context *context,
                              const struct cache *cache, const char *name,
                              const void *bytes, size_t n,
                              struct koshu_image *image);
void koshu_image_unload(struct koshu_image *image);

/* ---- the operations ------------------------------------------------------ */

koshu_status koshu_compiled_create(struct koshu_backend *backend,
                                   const struct koshu_kernel_source *source,
                                   const struct compiled_target *target,
                                   struct koshu_interaction_program **program);
void koshu_compiled_destroy(struct koshu_interaction_program *program);
koshu_status koshu_compiled_evaluate(struct koshu_interaction_program *program,
                                     size_t n_i, const double *i, size_t n_j,
                                     const double *j, double *out);

#endif
