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

/* Prints "koshu: MESSAGE" of a failure to standard error, and returns the
 * exit code that it means: EXIT_USAGE for bad input, EXIT_FAILED otherwise. */
int report(const struct koshu_context *context, koshu_status status);

/* The same at the end of a command, whose context it destroys. */
int end_command(struct koshu_context *context, koshu_status status);

/* ---- contexts ------------------------------------------------------------ */

/* A context for a command, with the ranks initialised where there are several;
 * NULL after having reported why not. Warnings go to standard error. */
struct koshu_context *make_context(const char *backend, int threads);

/* The same with options as given, but for the log. */
struct koshu_context *
make_context_with(const struct koshu_context_options *options);

/* ---- numbers with units -------------------------------------------------- */

/* "0.5 Myr", with nine digits; where no unit of that size has a name, in one
 * that has: "489 Myr"; the bare number in dimensionless units. */
enum { QUANTITY_TEXT = 128 };
const char *quantity_text(const struct koshu_units *units,
                          enum koshu_quantity quantity, double value,
                          char text[QUANTITY_TEXT]);

/* What stands behind numbers in these units: " Myr", " x 0.9778 Gyr"; "". */
const char *unit_text(const struct koshu_units *units,
                      enum koshu_quantity quantity, char text[QUANTITY_TEXT]);

/* ---- files --------------------------------------------------------------- */

/*
 * KOSHU_ERROR_BAD_INPUT where a file is at the path that a command is to write,
 * without --force; an empty file does not count. A picture may replace
 * a picture: refuse_to_draw_over() refuses what is none (PNG, PDF, SVG).
 */
koshu_status refuse_to_overwrite(struct koshu_context *context,
                                 const char *path, bool force);
koshu_status refuse_to_draw_over(struct koshu_context *context,
                                 const char *path, bool force);

/* Are these names of one file that exists? */
bool same_file(const char *a, const char *b);

/* ---- texts, arguments ---------------------------------------------------- */

/* Text from outside (the name or content of a file) for a line of output:
 * control characters are escaped. Valid for the next 7 calls. */
const char *printable(const char *text);
/* The same for a text of many lines. */
void print_printable(const char *text);

/* "; did you mean 'NAME'?", with the name nearest to a misspelt word; "" where
 * none is near. Valid until the next call. */
const char *name_hint(const char *word, const char *const *names, size_t n);

/* argp_error() with such texts in its arguments. */
void usage_error(const struct argp_state *state, const char *format, ...)
        KOSHU_PRINTF(2, 3);
#define argp_error usage_error

/*
 * The value of an option, from its text. What is no such value ends the
 * program by argp_error(), naming the option and the text: EXIT_USAGE.
 */

/* A whole number, 0 or more: "65536", "1e6". */
uint64_t
argument_count(struct argp_state *state, const char *option, const char *text);
/* "2048,4096": one to max whole numbers, 1 or more; how many. */
size_t argument_counts(struct argp_state *state, const char *option,
                       const char *text, size_t max, size_t *list);
/* A finite number. */
double
argument_number(struct argp_state *state, const char *option, const char *text);
/* Appends a word to a list. */
void
append_word(struct argp_state *state, struct word_list *list, const char *word);
/* The same of KEY=VALUE; member: a struct word_list. */
void append_setting(struct argp_state *state, const char *option, char *text,
                    void *member);

/* A number of threads, 1 ... 4096. */
int argument_threads(struct argp_state *state, const char *option,
                     const char *text);

/* ---- the process --------------------------------------------------------- */

/* Silences this process if it is a rank other than the first; a command that
 * does not work on several ranks (it is not on_ranks), or a program without
 * MPI, ends the first rank with a message, EXIT_USAGE. Does nothing where
 * mpirun has not started several processes. */
void begin_ranks(const char *command, bool on_ranks);

/* Is it a terminal, where a line can be rewritten? mpirun gives its processes a
 * terminal, whatever it has itself. */
bool is_terminal(int fd);

/* Opens /dev/null for each of the three streams that is closed; a failure to
 * write to standard output is reported, and makes the exit status EXIT_FAILED.
 */
void guard_streams(void);

/* Starts the program again with as large a stack as it needs, where it has less
 * and may have more. */
void raise_stack(char **argv);

/* Ends the program with a message, EXIT_FAILED, where the stack is too small
 * all the same. */
void check_stack(void);

/* Starts the program again with short spins of waiting OpenMP threads, unless
 * the environment sets how they wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT). */
void let_waiting_threads_sleep(char **argv);

/* Gives a GPU as many queues as it can have, unless the environment sets how
 * many (CUDA_DEVICE_MAX_CONNECTIONS). */
void let_streams_overlap(void);

#endif
