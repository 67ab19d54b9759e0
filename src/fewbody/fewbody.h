/* SPDX-License-Identifier: MIT */
/*
 * Small systems of bodies without softening, by algorithmic regularisation.
 *
 * Symbols: X, V   chain vectors and their rates, X_k = r_(k+1) - r_k
 *          T, U   kinetic energy about the centre of mass; sum m_i m_j / r_ij
 *          B      initial U - T, the binding energy, kept as a constant
 *          s      the fictitious time, dt = ds / (T + B) = ds / U
 *
 * The Hamiltonian log(T + B) - log U splits into two parts that can be
 * integrated exactly (Mikkola & Tanikawa 1999). Its leapfrog moves two bodies
 * along their exact orbit through any encounter, with an error in time only.
 * Extrapolation to substeps of length 0 reduces the error in time, and errors
 * due to other bodies, to rounding.
 */
#ifndef KOSHU_FEWBODY_FEWBODY_H
#define KOSHU_FEWBODY_FEWBODY_H

#include <koshu/fewbody.h>

#include "base/base.h"

/* ---- order.c, chain.c, renew.c, chain_energy.c --------------------------- */

enum {
    KOSHU_CHAIN_LINKS = KOSHU_FEWBODY_MAX - 1,
    KOSHU_CHAIN_SIZE = 6 * KOSHU_CHAIN_LINKS + 2
};

/* An external body that perturbs a chain: position relative to the chain's
 * centre of mass, and its derivatives, at time 0 of the polynomial. */
struct koshu_perturber {
    double mass, x[3], v[3], a[3], jerk[3];
};

/* The perturbers of a chain. */
struct koshu_perturbers {
    size_t n;
    double time; /* chain time at which the polynomials start */
    struct koshu_perturber *body;
    size_t capacity_body;
    /* OPTIONAL: adds the accelerations of n bodies at x due to anything else,
     * at that time of the chain. tide: the difference of two bodies'
     * accelerations over their distance. rate: at which that changes, if faster
     * than bodies in such a tide move. */
    void (*field)(const void *user, double time, size_t n, const double (*x)[3],
                  double (*f)[3]);
    const void *user;
    double tide, rate;
};

/*
 * Bodies ordered such that neighbours in the chain are close to each other:
 * distances between close bodies are single vectors or sums of a few, never
 * differences of large coordinates.
 */
struct koshu_chain {
    size_t n;
    unsigned body[KOSHU_FEWBODY_MAX]; /* number of the k-th body */
    double mass[KOSHU_FEWBODY_MAX];   /* of the k-th body */
    double total_mass;
    double binding; /* B, for the Hamiltonian with slowed pairs */
    /* 1 / kappa of each link: 1, or less for a pair slowed down by kappa */
    double rate[KOSHU_CHAIN_LINKS];
    const struct koshu_perturbers *perturbers; /* NULL: none */
    /* X of all links, V of all links, time, and the work done against
     * perturbers, which is to be added to B */
    struct koshu_sum y[KOSHU_CHAIN_SIZE];
};

/* Number of components of X or V together; where V begins; the index of the
 * time, which the addition to B follows; the number of all. */
static inline size_t
koshu_chain_half(const struct koshu_chain *c)
{
    return 3 * (c->n - 1);
}

static inline size_t
koshu_chain_size(const struct koshu_chain *c)
{
    return 2 * koshu_chain_half(c) + 2;
}

/* B including the work of perturbers. */
static inline double
koshu_chain_binding(const struct koshu_chain *c)
{
    return c->binding + koshu_sum_value(c->y[2 * koshu_chain_half(c) + 1]);
}

static inline double
koshu_chain_time(const struct koshu_chain *c)
{
    return koshu_sum_value(c->y[2 * koshu_chain_half(c)]);
}

/* The time from the chain's to `time`, to full precision. */
static inline double
koshu_chain_until(const struct koshu_chain *c, double time)
{
    const struct koshu_sum *t = &c->y[2 * koshu_chain_half(c)];
    return time - t->sum - t->rest;
}

/* An order in which each body is next to close ones. */
void koshu_chain_order(size_t n, const double (*x)[3], unsigned *order);

/* Makes a chain of bodies at any positions. */
void koshu_chain_make(struct koshu_chain *chain, size_t n, const double *mass,
                      const double (*x)[3], const double (*v)[3], double time);

/* Reorders the chain to suit the present positions. Links change by rounding in
 * the last digits of their compensated sums only. */
void koshu_chain_renew(struct koshu_chain *chain);

/* Positions and velocities about the centre of mass, by body number; either may
 * be NULL. */
void koshu_chain_bodies(const struct koshu_chain *chain, double (*x)[3],
                        double (*v)[3]);

/* The same, with velocities as slowed pairs actually move. */
void koshu_chain_moving(const struct koshu_chain *chain, double (*x)[3],
                        double (*v)[3]);

/* T for rates v, and U with the accelerations of links; slowed pairs count by
 * their rates. */
double koshu_chain_kinetic(const struct koshu_chain *chain, const double *v);
double
koshu_chain_forces(const struct koshu_chain *chain, const double *x, double *a);

/* X and V of a chain, without the compensations of their sums. */
void koshu_chain_values(const struct koshu_chain *chain, double *x, double *v);

/* Sets B from the present state. */
void koshu_chain_bind(struct koshu_chain *chain);

/* Accelerations and potentials of the bodies, by body number. */
void koshu_chain_fields(const struct koshu_chain *chain, double (*a)[3],
                        double *potential);

/* T - U without slow-down, about the centre of mass; *u: U. */
double koshu_chain_energy(const struct koshu_chain *chain, double *u);

/* ---- leapfrog.c ---------------------------------------------------------- */

/* The actual rates of change w of the links, from rates v: those of slowed
 * pairs, and their effect on adjacent links. */
void
koshu_chain_slowed(const struct koshu_chain *chain, const double *v, double *w);

/* What steps add to y: a compensated sum for each number. */
struct koshu_increment {
    double sum[KOSHU_CHAIN_SIZE], rest[KOSHU_CHAIN_SIZE];
};

/* Makes n steps of s / n each. */
void koshu_chain_leapfrog(const struct koshu_chain *chain, double s, unsigned n,
                          struct koshu_increment *increment);

/* The same for several numbers of substeps: rows first ... end - 1 of a table;
 * to[k] is the increment of row k. */
struct koshu_gbs_rows {
    double s;
    unsigned first, end;
    const unsigned *substeps;
    struct koshu_increment *to;
};
void koshu_chain_rows(const struct koshu_chain *chain,
                      const struct koshu_gbs_rows *rows);

/* Adds the increment of a step to y; in extrapolate.c. */
void koshu_chain_add(struct koshu_chain *chain,
                     const struct koshu_increment *increment);

/* ---- perturb.c ----------------------------------------------------------- */

/* Accelerations of bodies at x, relative to the centre of mass, at that time of
 * the chain. */
void koshu_perturbers_fields(const struct koshu_perturbers *perturbers,
                             double time, size_t n, const double (*x)[3],
                             double (*f)[3]);

/* ---- extrapolate.c ------------------------------------------------------- */

enum { KOSHU_GBS_ROWS = 9 };

/* The plan for the next step. */
struct koshu_gbs_step {
    double s;     /* length in fictitious time */
    unsigned row; /* in which it should converge */
};

/* Work space, one per thread, on separate cache lines since it is written at
 * every evaluation. */
struct koshu_gbs {
    _Alignas(KOSHU_ALIGNMENT) double tolerance;
    double slow_down; /* koshu_fewbody_options.slow_down, for
                         koshu_chain_move() */
    /* increments of a step: the last row of the Aitken-Neville table */
    struct koshu_increment row[KOSHU_GBS_ROWS];
    uint64_t steps, rejected, evaluations;
};

/* Makes a step, shortened until it converges. *step becomes the plan for the
 * next one; *made is the length made. KOSHU_ERROR_NOT_FINITE, without a
 * message: no length converges. */
koshu_status koshu_gbs_advance(struct koshu_gbs *gbs, struct koshu_chain *chain,
                               struct koshu_gbs_step *step, double *made);

/* Bodies are spheres of radius (mass / `mass`)^exponent times `radius`; 0:
 * points. */
struct koshu_radius_law {
    double radius, mass, exponent;
};

/* Whether two bodies have touched, and where: the link, or KOSHU_NO_CONTACT. */
#define KOSHU_NO_CONTACT SIZE_MAX
struct koshu_contact {
    const struct koshu_radius_law *law;
    size_t link;
};

/* ---- leap.c -------------------------------------------------------------- */

/* Moves the chain some way towards that later time if it has pairs that revolve
 * so often that only their average counts. law: stops before such a pair may
 * touch; may be NULL. false: the chain has no such pairs. */
bool koshu_chain_leap_far(struct koshu_gbs *gbs, struct koshu_chain *chain,
                          double time, const struct koshu_radius_law *law);

/* The same for a chain whose pairs are little disturbed, slowed or not. */
bool
koshu_chain_leap(struct koshu_gbs *gbs, struct koshu_chain *chain, double time);

/* ---- move.c -------------------------------------------------------------- */

/* Two bodies at any time, by Kepler's equation. */
void koshu_chain_move_pair(struct koshu_chain *c, double time);

/* Moves the chain to that time, which is not earlier; *step: the plan that the
 * last move left. Two bodies without perturbers move by Kepler's equation. With
 * contact, stops where two bodies touch. KOSHU_ERROR_NOT_FINITE, without a
 * message: no step converges. */
koshu_status koshu_chain_move(struct koshu_gbs *gbs, struct koshu_chain *chain,
                              struct koshu_gbs_step *step, double time,
                              struct koshu_contact *contact);

/* ---- contact.c ----------------------------------------------------------- */

double koshu_radius_of(const struct koshu_radius_law *law, double mass);

/* The time until two bodies, with separation x changing at rate v, first come
 * to `distance`, by Kepler's equation; 0: they are closer; infinite: never. */
double koshu_pair_contact(double mu, const double *x, const double *v,
                          double distance);

/* The same for the links of a chain: the first pair to touch, and the time. */
double koshu_chain_contact(const struct koshu_chain *chain,
                           const struct koshu_radius_law *law, size_t *link);

/* Merges the two bodies of a link at their centre of mass, with its velocity.
 * The lower of their numbers remains; numbers above the other decrease by
 * one. */
void koshu_chain_merge(struct koshu_chain *chain, size_t link);

/* ---- kepler.c ------------------------------------------------------------ */

/* Advances two bodies' separation x and its rate v by dt: mu = G (m1 + m2). */
void koshu_kepler_move(double mu, double dt, double x[3], double v[3]);

/* ---- kepler_part.c ------------------------------------------------------- */

/* The same for a fraction of a revolution, faster: by dt; or by X, where dt = r
 * dX and a revolution is 2 pi / sqrt(2 mu / r - v^2): then returns dt. */
void koshu_kepler_move_for(double mu, double dt, double x[3], double v[3]);
double koshu_kepler_move_by(double mu, double dx, double x[3], double v[3]);

/* The X for dt > 0, which may be many revolutions of a bound pair. */
double
koshu_kepler_find(double mu, double dt, const double x[3], const double v[3]);

/* ---- slow_down.c --------------------------------------------------------- */

/* Sets the rates of pairs from the present state of bodies and perturbers.
 * tolerance: koshu_fewbody_options.slow_down; 0: no change. */
void koshu_chain_slow(struct koshu_chain *chain, double tolerance);

/* The same for some links; left_out: those not to change. */
void koshu_chain_slow_others(struct koshu_chain *chain, double tolerance,
                             const bool *left_out);

/* Ends the slow-down of the pair of link k, or of all, leaving the bodies where
 * they would be without it. The perturbers must be those with which they
 * moved. */
void koshu_chain_speed_up(struct koshu_chain *chain, size_t k);
void koshu_chain_settle(struct koshu_chain *chain);

/* ---- swing.c ------------------------------------------------------------- */

/* Corrects the energy of a link's pair for the change of its swing when its
 * kappa changes; 0: the mean over its revolution. */
void koshu_chain_change_swing(struct koshu_chain *chain, size_t k,
                              double before, double after);

/* Sets a link's rate, and corrects its pair's energy for the change of its
 * swing. B must be set anew afterwards. */
void koshu_chain_set_rate(struct koshu_chain *chain, size_t k, double rate);

/* ---- fewbody.c, advance.c ------------------------------------------------ */

struct koshu_fewbody {
    struct koshu_context *context;
    struct koshu_fewbody_options options;
    struct koshu_chain chain;   /* after the last whole step */
    struct koshu_chain next;    /* after the step made ahead, */
    bool is_ahead;              /* if there is one */
    struct koshu_gbs_step step; /* plan for the next step */
    struct koshu_gbs_step then; /* plan for the step after that */
    struct koshu_chain now;     /* at the time integrated to */
    struct koshu_gbs gbs;
    /* of the centre of mass: position at `time`, and velocity */
    double centre[3], velocity[3], time;
    double energy0; /* initial, about the centre of mass */
};

/* Replaces the bodies. KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_NOT_FINITE: as
 * koshu_fewbody_create(). */
koshu_status koshu_fewbody_set(struct koshu_fewbody *fewbody,
                               const struct koshu_particle_const_view *bodies,
                               double time);

/* The length of the first step to try, in fictitious time. */
double koshu_fewbody_first_step(const struct koshu_chain *chain);

#endif
