/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>

#include <koshu/version.h>

#include "app.h"
#include "backend/backend.h"

static const char doc[] =
        "What this machine offers to koshu: backends, devices, threads.";

static void
print_machine(struct koshu_context *context)
{
    printf("koshu %s %s\n", koshu_version(), koshu_version_commit());
    printf("threads   %d\n", koshu_context_threads(context));
    const struct koshu_backend_ops *ops;
    for (size_t k = 0; (ops = koshu_backend_at(k)); k++)
        printf("backend   %-6s %s\n", ops->name,
               ops->devices() > 0 ? "ready" : "no device");
}

int
command_info(int argc, char **argv)
{
    const struct argp parser = {.doc = doc};
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    struct koshu_context *context = make_context(NULL, 0);
    if (!context) return EXIT_FAILED;
    print_machine(context);
    koshu_context_destroy(context);
    return EXIT_DONE;
}
