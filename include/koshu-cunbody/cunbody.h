/* SPDX-License-Identifier: MIT */
/*
 * What force() and cunbody_api() have in common, and Hamada07 does not have:
 * where messages go, and the end.
 *
 * The first call of either reads the environment (docs/cunbody.md:
 * KOSHU_CUNBODY_BACKEND and so on) and takes the GPU or the CPU's threads; they
 * are kept for all calls that follow. In a child of fork() they are not there:
 * where the parent has used the library, the calls of a child fail.
 *
 * Threads: any thread may call; calls take turns.
 */
#ifndef KOSHU_CUNBODY_CUNBODY_H
#define KOSHU_CUNBODY_CUNBODY_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Receives one line, without a newline: a failure, or a warning. May be called
 * by any thread that calls the library, and may call it. */
typedef void koshu_cunbody_handler(void *user, const char *line);

/*
 * Where messages go from now on. NULL: to stderr, as at first, but not the
 * same line twice in a row. Those who want a program that ends at the first
 * failure end it in the handler.
 */
KOSHU_API void
koshu_cunbody_set_handler(koshu_cunbody_handler *handler, void *user);

/* Gives back what the library has taken; the next call takes it anew. No need
 * to call it before a program ends. */
KOSHU_API void koshu_cunbody_close(void);

#ifdef __cplusplus
}
#endif

#endif
