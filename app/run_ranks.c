/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints of its ranks: their hosts, and which exchanges stay
 * within a host or a switch. */
#include <stdio.h>

#include <koshu/ranks.h>

#include "app.h"
#include "run.h"

static bool
has_domains(const struct koshu_parameter_values *v)
{
    return koshu_method_has_cells(v->solver.method);
}

/* ---- pairs of domains ---------------------------------------------------- */

static void
print_pairs(const char *before, const struct koshu_placement *p,
            bool of_switches)
{
    static const char *const names[] = {"slabs", "columns", "boxes"};
    const bool grid = p->grid[0] > 0;
    printf("%s", before);
    for (int k = grid ? 2 : 0; k >= 0; k--) {
        const struct koshu_pairs *c = &p->pairs[k];
        printf(" %d of %d %s%s", of_switches ? c->on_switch : c->on_host,
               c->all, grid ? "neighbouring " : "cuts", grid ? names[k] : "");
        if (k > 0) putchar(',');
    }
    putchar('\n');
}

static void
print_division(const struct koshu_placement *p)
{
    if (p->grid[0] > 0)
        printf("%d slabs x %d columns x %d boxes", p->grid[0], p->grid[1],
               p->grid[2]);
    else
        printf("%d by recursive bisection", p->ranks);
}

/* ---- a run --------------------------------------------------------------- */

/* false: unknown, as MPI has failed or there is no memory. */
static bool
find_placement(struct koshu_context *context, struct koshu_placement *p)
{
    return koshu_placement_of(context, p) == KOSHU_OK;
}

static void
print_hosts(const struct koshu_context *context,
            const struct koshu_placement *p)
{
    printf("ranks      %d", p->ranks);
    if (p->hosts > 1 && p->fewest == p->largest)
        printf(" on %d hosts, %d each", p->hosts, p->largest);
    else if (p->hosts > 1)
        printf(" on %d hosts, %d to %d each", p->hosts, p->fewest, p->largest);
    printf(", %s\n", koshu_ranks_transport(context));
}

void
print_ranks(struct koshu_context *context,
            const struct koshu_parameter_values *v)
{
    struct koshu_placement p;
    if (koshu_ranks_count(context) == 1) return;
    if (!find_placement(context, &p)) return;
    print_hosts(context, &p);
    if (!has_domains(v)) return;
    printf("domains    ");
    print_division(&p);
    if (p.hosts == 1)
        printf(", all on one host\n");
    else
        print_pairs("; inside a host:", &p, false);
}

/* ---- before a run -------------------------------------------------------- */

/* Prints the grid of a run on another number of ranks. */
static void
print_grid(const struct koshu_parameter_values *v)
{
    const double *g = v->domain.grid.time;
    if (v->domain.grid.n == 0) return;
    printf("domains    %g slabs x %g columns x %g boxes, for %g ranks (started "
           "by mpirun on them, --dry-run tells where they are)\n",
           g[0], g[1], g[2], g[0] * g[1] * g[2]);
}

static void
print_switches(const struct koshu_placement *p)
{
    if (p->hosts == 1) return;
    if (p->switches == 0) {
        printf("           inside a switch: not known, as Slurm's "
               "topology/tree does not tell; hosts count as they follow each "
               "other, so list those of a switch together\n");
        return;
    }
    printf("           %d switch%s", p->switches, p->switches > 1 ? "es" : "");
    print_pairs("; inside a switch:", p, true);
}

void
print_placement(struct koshu_context *context,
                const struct koshu_parameter_values *v)
{
    struct koshu_placement p;
    if (!has_domains(v)) return;
    if (koshu_ranks_count(context) == 1) {
        print_grid(v);
        return;
    }
    print_ranks(context, v);
    if (find_placement(context, &p)) print_switches(&p);
}

/* ---- an estimate --------------------------------------------------------- */

/* Creates a context of the first rank alone, with the parameters' backend. */
static koshu_status
make_alone(struct koshu_context *context,
           const struct koshu_parameters *parameters,
           struct koshu_context **alone)
{
    struct koshu_context_options options = koshu_context_options_default();
    koshu_status status = koshu_parameters_context(parameters, &options);
    if (status == KOSHU_OK) status = koshu_context_create(&options, alone);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_split(context, koshu_is_first_rank(context) ? 0 : -1, *alone);
}

koshu_status
estimate_on_first(struct koshu_context *context,
                  const struct koshu_parameters *parameters,
                  struct koshu_estimate *estimate)
{
    struct koshu_context *alone = NULL;
    if (koshu_ranks_count(context) == 1)
        return koshu_simulation_estimate(context, parameters, estimate);
    koshu_status status = make_alone(context, parameters, &alone);
    if (status == KOSHU_OK && koshu_is_first_rank(context)) {
        status = koshu_simulation_estimate(alone, parameters, estimate);
        if (status != KOSHU_OK)
            status = koshu_fail(context, status, "%s",
                                koshu_context_message(alone));
    }
    koshu_context_destroy(alone);
    KOSHU_TRY(koshu_wait_for_all(context));
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_broadcast(context, 0, estimate, sizeof *estimate);
}
