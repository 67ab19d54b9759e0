/* SPDX-License-Identifier: MIT */
/*
 * The program's commands. Each is a main() of its own in app/NAME.c, with a
 * table of its options (options.h); it returns an exit code.
 */
#ifndef KOSHU_APP_APP_H
#define KOSHU_APP_APP_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/solver.h>
#include <koshu/status.h>

#include "fields.h"
#include "internal.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

int command_analyse(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_info(int argc, char **argv);
int command_init(int argc, char **argv);
int command_interact(int argc, char **argv);
int command_predict(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_run(int argc, char **argv);
int command_tune(int argc, char **argv);

/* How the program was called: argv[0]. */
void name_program(const char *name);
const char *program_name(void);

/* ---- failure ------------------------------------------------------------- */

/* Prints "koshu: MESSAGE" of a failure to standard error. Returns the exit
 * code: EXIT_USAGE for bad input, otherwise EXIT_FAILED. */
int report(const struct koshu_context *context, koshu_status status);

/* The same at the end of a command; destroys its context. */
int end_command(struct koshu_context *context, koshu_status status);

/* ---- contexts ------------------------------------------------------------ */

/* Creates a context for a command, with the ranks initialised where there are
 * several. NULL, after reporting the reason. Warnings go to standard error. */
struct koshu_context *make_context(const char *backend, int threads);

/* The same with the given options, except for the log. */
struct koshu_context *
make_context_with(const struct koshu_context_options *options);

/* ---- numbers with units -------------------------------------------------- */

/* "0.5 Myr", with nine digits. Where no unit of that size has a name, in one
 * that has: "489 Myr". The bare number in dimensionless units. */
enum { QUANTITY_TEXT = 128 };
const char *quantity_text(const struct koshu_units *units,
                          enum koshu_quantity quantity, double value,
                          char text[QUANTITY_TEXT]);

/* The text after numbers in these units: " Myr", " x 0.9778 Gyr", or "". */
const char *unit_text(const struct koshu_units *units,
                      enum koshu_quantity quantity, char text[QUANTITY_TEXT]);

/* ---- files --------------------------------------------------------------- */

/*
 * KOSHU_ERROR_BAD_INPUT if a command would overwrite a file without --force; an
 * empty file does not count. A picture may replace a picture;
 * refuse_to_draw_over() refuses other files (than PNG, PDF, SVG).
 */
koshu_status refuse_to_overwrite(struct koshu_context *context,
                                 const char *path, bool force);
koshu_status refuse_to_draw_over(struct koshu_context *context,
                                 const char *path, bool force);

/* Are both names of one existing file? */
bool same_file(const char *a, const char *b);

/* ---- texts, arguments ---------------------------------------------------- */

/* Escapes control characters in text from outside (the name or content of a
 * file) for output. Valid for the next 7 calls. */
const char *printable(const char *text);
/* Prints such a text of many lines. */
void print_printable(const char *text);

/* "; did you mean 'NAME'?", with the name nearest to a misspelt word; "" where
 * none is near. Valid until the next call. */
const char *name_hint(const char *word, const char *const *names, size_t n);

/* argp_error() with such texts as arguments. */
void usage_error(const struct argp_state *state, const char *format, ...)
        KOSHU_PRINTF(2, 3);
#define argp_error usage_error

/*
 * Reads the value of an option from its text. An invalid value ends the program
 * by argp_error(), which names the option and the text: EXIT_USAGE.
 */

/* An integer >= 0: "65536", "1e6". */
uint64_t
argument_count(struct argp_state *state, const char *option, const char *text);
/* "2048,4096": one to max integers >= 1; returns how many. */
size_t argument_counts(struct argp_state *state, const char *option,
                       const char *text, size_t max, size_t *list);
/* A finite number. */
double
argument_number(struct argp_state *state, const char *option, const char *text);
/* Appends a word to a list. */
void
append_word(struct argp_state *state, struct word_list *list, const char *word);
/* The same for KEY=VALUE; member: a struct word_list. */
void append_setting(struct argp_state *state, const char *option, char *text,
                    void *member);

/* A number of threads in 1 ... 4096. */
int argument_threads(struct argp_state *state, const char *option,
                     const char *text);

/* ---- the process --------------------------------------------------------- */

/* Silences this process if it is a rank other than the first. If the command
 * does not support several ranks (on_ranks is false), or the program has no
 * MPI, ends the first rank with a message, EXIT_USAGE. Does nothing unless
 * mpirun has started several processes. */
void begin_ranks(const char *command, bool on_ranks);

/* Is it a terminal, where a line can be rewritten? false under mpirun, which
 * gives its processes a terminal whether it has one or not. */
bool is_terminal(int fd);

/* Opens /dev/null for each of the three streams that is closed. If standard
 * output cannot be written, reports it and makes the exit status
 * EXIT_FAILED. */
void guard_streams(void);

/* Restarts the program with a stack as large as it needs, if it has less and
 * may have more. */
void raise_stack(char **argv);

/* Ends the program with a message, EXIT_FAILED, if the stack is still too
 * small. */
void check_stack(void);

/* Restarts the program such that waiting OpenMP threads spin only briefly,
 * unless the environment sets how they wait (OMP_WAIT_POLICY,
 * GOMP_SPINCOUNT). */
void let_waiting_threads_sleep(char **argv);

/* Gives a GPU as many queues as possible, unless the environment sets their
 * number (CUDA_DEVICE_MAX_CONNECTIONS). */
void let_streams_overlap(void);

/* The index of the half-mass radius in koshu_lagrangian_fractions. */
enum { HALF_MASS = 4 };

#endif
