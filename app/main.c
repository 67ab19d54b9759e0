/* SPDX-License-Identifier: MIT */
/* koshu COMMAND ...: finds the command and passes its arguments on. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/version.h>

#include "app.h"
#include "complete.h"
#include "data_folder.h"

static const struct command {
    const char *name, *summary;
    int (*main)(int argc, char **argv);
} commands[] = {
        {"run", "run the simulation of a parameter file", command_run},
        {"analyse", "measure the structure of matter in snapshots",
         command_analyse},
        {"bench", "measure speed and accuracy", command_bench},
        {"convert", "rewrite a snapshot in another format", command_convert},
        {"info", "show what a file holds, or what this machine offers",
         command_info},
        {"init", "make an initial model", command_init},
        {"interact", "evaluate a pair interaction on the particles of files",
         command_interact},
        {"plot", "draw snapshots, or curves from the log of a run",
         command_plot},
        {"predict", "predict the time of forces on more ranks or GPUs",
         command_predict},
        {"tune", "find the fastest kernel shapes of a GPU", command_tune},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

/* Names of commands in earlier versions. */
static const struct {
    const char *old_name, *name;
} renamed[] = {{"model", "predict"}};

/* May mpirun start the command on several ranks? */
static bool
works_on_ranks(const struct command *command, const char *word)
{
    if (command->main == command_bench)
        return word && strcmp(word, "scaling") == 0;
    return command->main == command_run || command->main == command_init ||
           command->main == command_analyse;
}

static void
print_guides(FILE *out)
{
    char path[PATH_MAX];
    if (data_folder(NULL, "../doc/koshu/docs/README.md", path) != KOSHU_OK)
        return;
    char *file = realpath(path, NULL);
    if (file) fprintf(out, "Guides and recipes: %s\n", printable(file));
    free(file);
}

static void
print_help(FILE *out)
{
    fprintf(out,
            "Usage: koshu COMMAND [ARGUMENTS]\n"
            "koshu %s, an N-body engine: direct sums, trees and fast "
            "multipoles on CPUs and GPUs.\n"
            "\nCommands:\n",
            koshu_version());
    for (int k = 0; k < N_COMMANDS; k++)
        fprintf(out, "  %-10s %s\n", commands[k].name, commands[k].summary);
    fprintf(out, "\n`koshu COMMAND --help` describes one of them in full.\n"
                 "Exit status: 0 done, 1 failed, 2 bad usage or bad input.\n");
    print_guides(out);
}

static int
complete(void)
{
    for (int k = 0; k < N_COMMANDS; k++)
        complete_word(commands[k].name, commands[k].summary);
    complete_word("help", "describe koshu, or a command");
    complete_word("version", "print the version");
    return EXIT_DONE;
}

static int
unknown_command(const char *word)
{
    for (size_t k = 0; k < sizeof renamed / sizeof renamed[0]; k++)
        if (strcmp(word, renamed[k].old_name) == 0) {
            fprintf(stderr, "koshu: the command '%s' is now '%s'\n", word,
                    renamed[k].name);
            return EXIT_USAGE;
        }
    const char *names[N_COMMANDS];
    for (int k = 0; k < N_COMMANDS; k++) names[k] = commands[k].name;
    fprintf(stderr,
            "koshu: there is no command '%s'%s\n"
            "koshu: `koshu --help` lists the commands\n",
            printable(word), name_hint(word, names, N_COMMANDS));
    return EXIT_USAGE;
}

/* argp uses argv[0] as the program's name in its messages. */
static int
run_command(const struct command *command, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "koshu %s", command->name);
    argv[1] = name;
    begin_ranks(command->name, works_on_ranks(command, argv[2]));
    check_stack();
    return command->main(argc - 1, argv + 1);
}

static const char *const help_words[] = {"--help", "-h", "-?", "help", NULL};
static const char *const version_words[] = {"--version", "-V", "version", NULL};

static bool
is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0) words++;
    return *words != NULL;
}

static int find_command(int argc, char **argv);

/* `koshu help` and `koshu help run`. */
static int
help(int argc, char **argv)
{
    static char option[] = "--help";
    if (argc < 3 || argv[2][0] == '-') {
        print_help(stdout);
        return EXIT_DONE;
    }
    char *command[] = {argv[0], argv[2], option, NULL};
    return is_one_of(argv[2], help_words) ? help(2, command)
                                          : find_command(3, command);
}

/* Runs the command that the arguments name. */
static int
find_command(int argc, char **argv)
{
    const char *word = argv[1];
    if (is_one_of(word, help_words)) return help(argc, argv);
    if (complete_is_wanted(argc, argv)) return complete();
    if (is_one_of(word, version_words)) {
        printf("koshu %s %s\n", koshu_version(), koshu_version_commit());
        return EXIT_DONE;
    }
    for (int k = 0; k < N_COMMANDS; k++)
        if (strcmp(word, commands[k].name) == 0)
            return run_command(&commands[k], argc, argv);
    return unknown_command(word);
}

int
main(int argc, char **argv)
{
    name_program(argv[0]);
    let_streams_overlap();
    raise_stack(argv);
    let_waiting_threads_sleep(argv);
    guard_streams();
    argp_err_exit_status = EXIT_USAGE;
    /* writing beyond a limit of file sizes is then an error, and does not
     * kill */
    signal(SIGXFSZ, SIG_IGN);
    if (argc >= 2) return find_command(argc, argv);
    print_help(stderr);
    return EXIT_USAGE;
}
