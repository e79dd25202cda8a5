/* model/measure/past.c - the past of a delayed value, and the value at an earlier time.
 *
 * With y(t) the value, tau the delay and s = t - tau, t_0 the last accepted time:
 *
 *   (P1)  s before the start: the history expression, or the value at the start
 *   (P2)  s <= t_0: the piece that holds s, p(x) = sum_k c_k T_k(x), x from -1 to 1 over its step
 *   (P3)  t_0 < s < t, the delay is shorter than the step: the polynomial through the accepted
 *         values (t_j, y_j), j < k, and the present one, (t, y). With Q through the accepted ones
 *         alone and w(x) = (x - t_0) ... (x - t_(k-1)):
 *
 *           p(s) = Q(s) + (y - Q(t)) w(s) / w(t)
 *           dp/dy = w(s) / w(t),   dp/ds = Q'(s) + (y - Q(t)) w'(s) / w(t)
 *           dp/dt at fixed s = -(Q'(t) + (y - Q(t)) w'(t) / w(t)) w(s) / w(t)
 *
 *         so that s = t gives y itself. The error is y^(k+1) (s - t) w(s) / (k+1)!.
 *   (P4)  tau <= 0: y
 *   (P5)  a piece over [t_0, t_1] of which only values and slopes at the ends are good: H the cubic
 *         Hermite polynomial, t_b the start of the piece before, where e = y - H,
 *           p(x) = H(x) + u(x) (c + d (x - t_b)),  u(x) = (x - t_0)^2 (x - t_1)^2,
 *           c = e / u,  d = (e' - c u') / u  at t_b;  the error is of order six
 *
 * docs/decisions/0012-delays.md
 */
#include "model/measure/past.h"

#include "model/measure/binding.h"

#include <math.h>
#include <string.h>

static double slack(const TmlPast *p, double s)
{
    return 1e-13 * (fabs(s) + fabs(p->now));
}

/* --- accepted values ------------------------------------------------------------------------- */

/* Q and Q' of the first n accepted values at x, by Newton's form. */
static double mesh_value(const TmlPast *p, int n, double x, double *rate)
{
    double d[TML_PAST_MESH], value, slope = 0.0;
    memcpy(d, p->mesh_y, sizeof d);
    for (int k = 1; k < n; ++k) { // divided differences in place
        for (int j = n - 1; j >= k; --j) {
            d[j] = (d[j] - d[j - 1]) / (p->mesh_t[j] - p->mesh_t[j - k]);
        }
    }
    value = d[n - 1];
    for (int j = n - 2; j >= 0; --j) {
        slope = slope * (x - p->mesh_t[j]) + value;
        value = value * (x - p->mesh_t[j]) + d[j];
    }
    *rate = slope;
    return value;
}

/* w and w' at x */
static double mesh_product(const TmlPast *p, int n, double x, double *rate)
{
    double w = 1.0, slope = 0.0;
    for (int j = 0; j < n; ++j) {
        slope = slope * (x - p->mesh_t[j]) + w;
        w *= x - p->mesh_t[j];
    }
    *rate = slope;
    return w;
}

/* (P3) by the first n accepted values. */
static TmlDelayed between(const TmlPast *p, int n, double t, double y, double s)
{
    double Qs_rate, Qt_rate, ws_rate, wt_rate;
    const double Qs = mesh_value(p, n, s, &Qs_rate), Qt = mesh_value(p, n, t, &Qt_rate);
    const double ws = mesh_product(p, n, s, &ws_rate), wt = mesh_product(p, n, t, &wt_rate);
    const double by_y = ws / wt, by_s = Qs_rate + (y - Qt) * ws_rate / wt;
    return (TmlDelayed){
        .value = Qs + (y - Qt) * by_y,
        .by_y = by_y,
        .by_tau = -by_s,
        .by_t = by_s - (Qt_rate + (y - Qt) * wt_rate / wt) * by_y,
    };
}

double tml_past_doubt(const TmlPast *past, double t, double y, double s)
{
    const int n = past->n_mesh;
    return n < 2 ? 0.0
                 : fabs(between(past, n, t, y, s).value - between(past, n - 1, t, y, s).value);
}

/* --- pieces ---------------------------------------------------------------------------------- */

double tml_piece_node(int n, int j)
{
    return cos(M_PI * (double)j / (double)n);
}

double tml_piece_fit(TmlPiece *piece, int n, const double *f)
{
    piece->n = n;
    for (int k = 0; k <= n; ++k) {
        double sum = 0.5 * (f[0] + (k % 2 == 0 ? f[n] : -f[n]));
        for (int j = 1; j < n; ++j) {
            sum += f[j] * cos(M_PI * (double)(j * k % (2 * n)) / (double)n);
        }
        piece->c[k] = (k == 0 || k == n ? 1.0 : 2.0) / (double)n * sum;
    }
    return fabs(piece->c[n]) + fabs(piece->c[n - 1]);
}

/* Value and slope at s: Clenshaw's recurrence and its derivative. */
static double piece_value(const TmlPiece *p, double s, double *rate)
{
    const double h = p->t1 - p->t0, x = ((s - p->t0) - (p->t1 - s)) / h;
    double b1 = 0.0, b2 = 0.0, d1 = 0.0, d2 = 0.0;
    for (int k = p->n; k > 0; --k) {
        const double b = 2.0 * x * b1 - b2 + p->c[k], d = 2.0 * x * d1 + 2.0 * b1 - d2;
        b2 = b1;
        b1 = b;
        d2 = d1;
        d1 = d;
    }
    *rate = (b1 + x * d1 - d2) * 2.0 / h;
    return x * b1 - b2 + p->c[0];
}

/* The piece that holds s; where two meet, the one before, or the one behind. */
static const TmlPiece *piece_at(const TmlPast *p, double s, bool behind)
{
    int low = p->dropped, high = p->n - 1;
    const double gap = behind ? -slack(p, s) : slack(p, s);
    while (low < high) { // first with s <= t1 + gap
        const int middle = low + (high - low) / 2;
        if (s <= p->piece[middle].t1 + gap) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return &p->piece[low];
}

/* (P1) */
static double history(const TmlPast *p, double s, double *rate)
{
    double d[4] = {p->first};
    const bool before = !p->begun || p->start == p->origin || s < p->origin;
    if (before && p->delay->history != NULL && *p->delay->history != NULL) {
        tml_binding_time(*p->delay->history, s, p->work, d);
    }
    *rate = d[1];
    return d[0];
}

/* (P1), (P2) */
static double recorded(const TmlPast *p, double s, bool behind, double *rate)
{
    const double gap = behind ? -slack(p, s) : slack(p, s);
    if (s <= p->start + gap) {
        return history(p, s, rate);
    }
    if (p->n == p->dropped) { // at the start
        *rate = 0.0;
        return p->first;
    }
    return piece_value(piece_at(p, s, behind), s, rate);
}

TmlDelayed tml_past_eval(const TmlPast *past, double t, double y, double tau)
{
    const TmlDelayed present = {.value = y, .by_y = 1.0};
    const double s = t - tau;
    if (past == NULL || tau < 0.0 ||
        (tau == 0.0 && (past->delay->time < 0 || !(t > past->now)))) { // (P4)
        return present;
    }
    if (!past->begun) { // at the start; without an expression of the history it is the value there
        double rate;
        if (past->delay->history == NULL || *past->delay->history == NULL || tau == 0.0) {
            return present;
        }
        const double value = history(past, s, &rate);
        return (TmlDelayed){.value = value, .by_tau = -rate, .by_t = rate};
    }
    if (s > past->now && past->n_mesh > 0) {
        return between(past, past->n_mesh, t, y, s); // (P3)
    }
    double rate;
    const double value = recorded(past, s, past->next && t <= past->now, &rate);
    return (TmlDelayed){.value = value, .by_tau = -rate, .by_t = rate};
}

double tml_past_jump(const TmlPast *past, double s)
{
    double rate;
    return fabs(recorded(past, s, true, &rate) - recorded(past, s, false, &rate));
}

/* H and H' of (P5) at s. */
static double hermite(const TmlPiece *p, const double y[2], const double v[2], double s,
                      double *rate)
{
    const double h = p->t1 - p->t0, x = (s - p->t0) / h;
    const double curve = v[0] + v[1] - 2.0 * (y[1] - y[0]) / h;
    const double bend = 3.0 * (y[1] - y[0]) / h - 2.0 * v[0] - v[1];
    *rate = v[0] + x * (2.0 * bend + 3.0 * x * curve);
    return y[0] + h * x * (v[0] + x * (bend + x * curve));
}

void tml_past_refine(const TmlPast *past, TmlPiece *piece)
{
    if (past->n_mesh < 2 || past->n == past->dropped) {
        return;
    }
    const TmlPiece *before = &past->piece[past->n - 1];
    double y[2], v[2], slope, rate, f[TML_PAST_DEGREE + 1];
    y[0] = piece_value(piece, piece->t0, &v[0]);
    y[1] = piece_value(piece, piece->t1, &v[1]);
    const double tb = before->t0, a = tb - piece->t0, b = tb - piece->t1;
    const double e = piece_value(before, tb, &slope) - hermite(piece, y, v, tb, &rate);
    const double u = a * a * b * b, c = e / u, d = ((slope - rate) / u - 2.0 * c * (1 / a + 1 / b));
    for (int j = 0; j <= TML_PAST_DEGREE; ++j) {
        const double x = tml_piece_node(TML_PAST_DEGREE, j), h = piece->t1 - piece->t0;
        const double s = piece->t0 + 0.5 * (1.0 + x) * h;
        const double w = 0.25 * h * h * (1.0 - x) * (1.0 + x);
        f[j] = hermite(piece, y, v, s, &rate) + w * w * (c + d * (s - tb)); // (P5)
    }
    tml_piece_fit(piece, TML_PAST_DEGREE, f);
}

/* --- keeping it ------------------------------------------------------------------------------ */

void tml_past_begin(TmlPast *past, double t, double y)
{
    if (!past->begun) {
        past->begun = true;
        past->origin = past->start = t;
        past->first = y;
    }
    tml_past_restart(past, t, y);
}

void tml_past_rest(TmlPast *past, double t, double y)
{
    past->n = past->dropped = 0;
    past->thinned = false;
    past->start = t;
    past->first = y;
    tml_past_restart(past, t, y);
}

void tml_past_restart(TmlPast *past, double t, double y)
{
    past->now = t;
    past->next = true;
    past->n_mesh = 1;
    past->mesh_t[0] = t;
    past->mesh_y[0] = y;
    past->largest = fmax(past->largest, fabs(y));
}

void tml_past_part(TmlPast *past)
{
    past->n_mesh = past->n_mesh > 0 ? 1 : 0;
}

/* Pieces that are kept move to the front when most of the room is taken by dropped ones. */
static void tidy(TmlPast *past)
{
    if (past->dropped > 64 && past->dropped > past->n / 2) {
        past->n -= past->dropped;
        memmove(past->piece, past->piece + past->dropped, (size_t)past->n * sizeof *past->piece);
        past->dropped = 0;
    }
}

bool tml_past_add(TmlPast *past, const TmlPiece *piece)
{
    double rate;
    void *at = past->piece;
    tidy(past);
    if (!tml_mem_grow(&at, &past->cap, past->n + 1, sizeof *past->piece)) {
        return false;
    }
    past->piece = at;
    past->piece[past->n++] = *piece;
    past->now = piece->t1;
    past->next = false;
    for (int k = TML_PAST_MESH - 1; k > 0; --k) {
        past->mesh_t[k] = past->mesh_t[k - 1];
        past->mesh_y[k] = past->mesh_y[k - 1];
    }
    past->n_mesh = past->n_mesh < TML_PAST_MESH ? past->n_mesh + 1 : TML_PAST_MESH;
    past->mesh_t[0] = piece->t1;
    past->mesh_y[0] = piece_value(piece, piece->t1, &rate);
    past->largest = fmax(past->largest, fabs(past->mesh_y[0]));
    return true;
}

void tml_past_drop(TmlPast *past, double t)
{
    while (past->dropped < past->n - 1 && past->piece[past->dropped].t1 < t) {
        past->dropped++;
        past->thinned = true;
    }
}

bool tml_past_is_gone(const TmlPast *past, double s)
{
    return past->thinned && past->n > past->dropped && s >= past->start &&
           s < past->piece[past->dropped].t0;
}

bool tml_past_take(TmlPast *past, const TmlPast *from)
{
    const int n = from->n - from->dropped;
    void *at = past->piece;
    if (!tml_mem_grow(&at, &past->cap, n + 1, sizeof *past->piece)) {
        return false;
    }
    past->piece = at;
    memcpy(past->piece, from->piece + from->dropped, (size_t)n * sizeof *past->piece);
    past->n = n;
    past->dropped = 0;
    past->begun = from->begun;
    past->origin = from->origin;
    past->start = from->start;
    past->first = from->first;
    past->now = from->now;
    past->largest = from->largest;
    past->longest = from->longest;
    past->thinned = from->thinned;
    return true;
}

void tml_past_free(TmlPast *past)
{
    tml_mem_free(past->piece);
    past->piece = NULL;
    past->n = past->cap = past->dropped = 0;
}
