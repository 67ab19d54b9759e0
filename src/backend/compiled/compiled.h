/* SPDX-License-Identifier: MIT */
/*
 * User-defined interactions on a CPU. The kernel source is turned into a C
 * file, which the system's compiler makes a shared object of; that is kept in a
 * private cache, and loaded. One call of the program does one item of a plan
 * and needs no OpenMP: threads are koshu's.
 */
#ifndef KOSHU_BACKEND_COMPILED_COMPILED_H
#define KOSHU_BACKEND_COMPILED_COMPILED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"
#include "backend/simd/plan.h"

/* What the object is compiled for. */
struct compiled_target {
    size_t vector_bytes;   /* 0: scalar code, compiled as written */
    const char *flags[12]; /* compiler options for the instruction set;
                            * NULL-ended */
};

/* ---- the object ---------------------------------------------------------- */

/*
 * i-particles i_first ... i_first + n_i - 1 of rows `i` against the j-particles
 * j_first ... j_first + n_j - 1 of rows `j`; `out` gets n_i rows. The generated
 * file has a copy of this struct.
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
 * Translates the body of a kernel source to vectors whose lanes are pairs.
 * *body is NULL if the statements have loops, integer variables or arrays,
 * which koshu does not translate, or an error; else the caller frees it.
 * Status: KOSHU_ERROR_OUT_OF_MEMORY. The body uses:
 *
 *     koshu_v, koshu_m, koshu_n    vectors of real; masks, 0 or -1 a lane;
 *                                  integers, of the size of a real
 *     INPUT_I[], INPUT_J[], OUTPUT[], constants    koshu_v, else as above
 *     INDEX_I, INDEX_J             koshu_n
 *     koshu_set(x), koshu_n_set(k)                 in all lanes
 *     koshu_select(m, a, b), koshu_keep(m, a)      m ? a : b; m ? a : 0
 *     koshu_smaller(a, b), koshu_larger(a, b)      b if a is NaN
 *     koshu_real_of(n)                             koshu_n as koshu_v
 *     koshu_sqrt(x), ...           of <math.h>, as many as vectors need,
 *                                  koshu_rsqrt(x), koshu_pow_n(x, k)
 */
koshu_status
koshu_compiled_vectors(const struct koshu_kernel_source *source, char **body);

/* The generated file, which the caller frees, with the given body; NULL: the
 * source's own. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_compiled_write(const struct koshu_kernel_source *source,
                                  const struct compiled_target *target,
                                  const char *vector_body, char **text);

/* ---- the compiler -------------------------------------------------------- */

struct compiler {
    char path[4096];
    /* changes with the file: its size, times and location */
    char identity[128];
};

/* Finds the compiler, without running it: $KOSHU_CC, else cc, gcc or clang on
 * the PATH. Status: KOSHU_ERROR_EXTERNAL (there is none). */
koshu_status
koshu_compiler_find(struct koshu_context *context, struct compiler *compiler);

struct cache_work;

/*
 * Runs the program argv[0] without a shell. Its stdout and stderr go to
 * *output, which the caller frees; it is cut at 64 KiB. After `seconds` the
 * program and all processes that it started are killed; a limit of processor
 * time ends them even if this process is killed first. Temporary files go to
 * `work`, whose lock the program inherits; NULL: to $TMPDIR. Status:
 * KOSHU_ERROR_EXTERNAL (it cannot be run, or took too long),
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_run(struct koshu_context *context, char *const argv[],
                       const struct cache_work *work, double seconds,
                       int *exit_status, char **output);

/* The compiler's options for all files for this target, except for file names:
 * at most COMPILER_FLAGS, NULL-ended. */
enum { COMPILER_FLAGS = 40 };
void koshu_compiler_flags(const struct compiled_target *target,
                          const char *flags[COMPILER_FLAGS + 1]);

/*
 * Compiles the C file `from` to the shared object `to`, both in the directory
 * `work`; to = NULL: only checks for errors. Status: KOSHU_ERROR_BAD_INPUT (the
 * compiler reports an error in the user's text: "name:line: ..."),
 * KOSHU_ERROR_EXTERNAL (the compiler failed).
 */
koshu_status koshu_compiler_run(const struct compiler *compiler,
                                const struct compiled_target *target,
                                const struct koshu_kernel_source *source,
                                const struct cache_work *work, const char *from,
                                const char *to);

/*
 * Finds the first error in the user's text in the compiler's output, and writes
 * it as "name:line: ..." into message. Returns false if there is none. Columns
 * are left out, because the compiled text has another layout than the user's.
 */
bool koshu_compiler_error(const char *output,
                          const struct koshu_kernel_source *source,
                          char *message, size_t size);

/* ---- private directories ------------------------------------------------- */

enum { KOSHU_PRIVATE_WHY = 8704 };

/*
 * Opens a directory for code that will be run, and creates it if needed (mode
 * 0700). Returns its descriptor. Each directory on the path belongs to root or
 * to this user, and no other user can change names in it: it is not writable by
 * others, or sticky. own: the last directory belongs to this user, and no other
 * user can write to it at all. Symbolic links are resolved first; real: the
 * path without them. Returns -1 on failure, with the reason, one line of
 * KOSHU_PRIVATE_WHY characters, in why.
 */
int
koshu_private_open(const char *path, bool own, char real[PATH_MAX], char *why);

/* ---- the cache ----------------------------------------------------------- */

/* A directory for temporary files. It is removed by koshu_cache_end_work() or,
 * if its process is killed, when the next one is created beside it. */
struct cache_work {
    int parent, fd, lock;
    char name[64]; /* "": there is none */
    char path[PATH_MAX + 64];
};

/* Creates one in a private directory, whose path is given. Returns false, with
 * errno set, if it cannot. */
bool koshu_cache_make_work(int parent, const char *path, const char *prefix,
                           struct cache_work *work);
void koshu_cache_end_work(struct cache_work *work);

/*
 * A private directory for compiled interactions. `kept`: the cache; else it is
 * temporary, and koshu_cache_close() removes it. All files are accessed through
 * its descriptor.
 */
struct cache {
    char directory[PATH_MAX + 64];
    int fd;
    bool kept;
    struct cache_work work;
};

/*
 * Opens the cache, $XDG_CACHE_HOME/koshu/interactions, else that in ~/.cache,
 * and creates it if needed. If there is no home directory, or the cache cannot
 * be written, or others could change its content, opens a temporary directory
 * instead, with a warning. Status: KOSHU_ERROR_IO (that cannot be created
 * either, or would not be private).
 */
koshu_status
koshu_cache_open(struct koshu_context *context, struct cache *cache);
void koshu_cache_close(struct cache *cache);
/* Creates cache->work. Status: KOSHU_ERROR_IO. */
koshu_status
koshu_cache_work(struct koshu_context *context, struct cache *cache);

/* The file name of a compiled object: a hash of everything that it depends
 * on. */
enum { KOSHU_CACHE_KEY = 32 };
void koshu_cache_key(const char *const *texts, size_t n,
                     char key[KOSHU_CACHE_KEY + 1]);

/* Reads a regular file that belongs to this user and that no other user can
 * write; the caller frees the result. NULL: it is no such file, or cannot be
 * read. */
char *koshu_read_private(int directory, const char *name, size_t *size);

/* Writes a new file in cache->work. Status: KOSHU_ERROR_IO. */
koshu_status koshu_cache_write(struct koshu_context *context,
                               struct cache *cache, const char *name,
                               const void *bytes, size_t n);
/* Adds a file with a checksum trailer to the cache; it appears whole or not at
 * all. Status: KOSHU_ERROR_IO. */
koshu_status koshu_cache_keep(struct koshu_context *context,
                              struct cache *cache, const char *name,
                              const void *bytes, size_t n);
/* Reads a file of the cache, which the caller frees. NULL: it does not exist,
 * is not this user's, or its checksum is wrong. */
char *
koshu_cache_read(const struct cache *cache, const char *name, size_t *size);

/* Marks a file of the cache as used now. */
void koshu_cache_used(const struct cache *cache, const char *name);
/* Trims the cache after a file was added: if it has more than KOSHU_CACHE_MAX
 * files, the least recently used are removed until KOSHU_CACHE_LEFT are left,
 * except those used within the last day. */
enum { KOSHU_CACHE_MAX = 1024, KOSHU_CACHE_LEFT = 768 };
void koshu_cache_trim(const struct cache *cache);

/* ---- code ---------------------------------------------------------------- */

/* A shared object; {0}: none. */
struct koshu_image {
    void *object; /* of dlopen() */
    int fd;       /* open as long as the object; -1: none */
};

/*
 * Loads these bytes, which are also a file of the cache. They are loaded from a
 * read-only file in memory, so that they cannot change between check and
 * loading; if such files cannot be created or executed, from the cache. Status:
 * KOSHU_ERROR_EXTERNAL (not a shared object).
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
