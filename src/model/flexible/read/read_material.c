/* model/flexible/read/read_material.c - what flexible bodies are made of, and their cross-sections. */
#include <math.h>

#include "model/flexible/read/read_mesh.h"

/* A number of a map within another; NAN stays where it is absent. */
static bool read_part(TmlEntry *x, const TmlValue *map, const char *key, TmlRange range,
                      const char *unit, double *out)
{
    const TmlValue *v = tml_value_find(map, key);
    return v == NULL || tml_read_ranged(x, v, key, range, unit, out);
}

static bool required(TmlEntry *x, const TmlValue *map, const char *what, const char *key,
                     double value)
{
    if (isnan(value)) {
        tml_entry_error(x, map, "%s: missing key '%s'", what, key);
        return false;
    }
    return true;
}

bool tml_read_material(TmlEntry *x, const TmlValue *map, bool has_matrix, TmlMaterial *m)
{
    const double none = (double)NAN;
    int model = 0, plane = 0;
    *m = (TmlMaterial){.E = none, .nu = 0.3, .density = none, .c10 = none, .bulk = none};
    tml_read_keys(x, map, tml_keys_material, NULL, NULL);
    const TmlValue *v = tml_value_find(map, "model"), *p = tml_value_find(map, "plane");
    bool ok = v == NULL || tml_read_choice(x, v, "model", "elastic|mooney_rivlin", &model);
    ok &= p == NULL || tml_read_choice(x, p, "plane", "strain|stress", &plane);
    m->model = (TmlMaterialModel)model;
    m->plane_stress = plane == 1;
    ok &= read_part(x, map, "E", TML_POSITIVE, "Pa", &m->E);
    ok &= read_part(x, map, "nu", TML_ANY, "", &m->nu);
    ok &= read_part(x, map, "density", TML_POSITIVE, "kg/m^3", &m->density);
    ok &= read_part(x, map, "damping", TML_NONNEGATIVE, "s", &m->damping);
    ok &= read_part(x, map, "mass_damping", TML_NONNEGATIVE, "1/s", &m->mass_damping);
    ok &= read_part(x, map, "slope_damping", TML_NONNEGATIVE, "N s", &m->slope_damping);
    ok &= read_part(x, map, "c10", TML_POSITIVE, "Pa", &m->c10);
    ok &= read_part(x, map, "c01", TML_NONNEGATIVE, "Pa", &m->c01);
    ok &= read_part(x, map, "bulk", TML_POSITIVE, "Pa", &m->bulk);
    if (!(m->nu > -1.0 && m->nu < 0.5)) {
        tml_entry_error(x, tml_value_find(map, "nu"),
                        "nu: Poisson's ratio is above -1 and below 0.5, got %.9g", m->nu);
        ok = false;
    }
    ok = required(x, map, "material", "density", m->density) && ok;
    if (has_matrix && !isnan(m->E)) {
        tml_entry_error(x, tml_value_find(map, "E"), "E: the section has a stiffness matrix");
        return false;
    }
    if (m->model == TML_MATERIAL_ELASTIC && has_matrix) {
        return ok;
    }
    if (m->model == TML_MATERIAL_ELASTIC) {
        return required(x, map, "material", "E", m->E) && ok;
    }
    ok = required(x, map, "material", "c10", m->c10) && ok;
    return required(x, map, "material", "bulk", m->bulk) && ok;
}

/* Torsion constant of a rectangle a >= b: Saint-Venant's series. */
static double rectangle_torsion(double a, double b)
{
    const double pi = 3.14159265358979323846;
    double sum = 0.0;
    for (int k = 1; k < 60; k += 2) {
        sum += tanh(k * pi * a / (2.0 * b)) / pow(k, 5);
    }
    return a * b * b * b * (1.0 / 3.0 - 64.0 / pow(pi, 5) * (b / a) * sum);
}

/* Area and moments of rectangles and circles; torsion and shear factors where not given. */
static void section_moments(TmlCrossSection *s)
{
    const double pi = 3.14159265358979323846;
    double torsion = s->Iy + s->Iz, shear = 1.0;
    if (s->kind == TML_CROSS_RECTANGLE) {
        const double h = s->height, w = s->width;
        s->area = h * w;
        s->Iz = w * h * h * h / 12.0;
        s->Iy = h * w * w * w / 12.0;
        torsion = h > w ? rectangle_torsion(h, w) : rectangle_torsion(w, h);
        shear = 5.0 / 6.0;
    } else if (s->kind == TML_CROSS_CIRCLE) {
        const double r2 = s->radius * s->radius, i2 = s->inner * s->inner;
        s->area = pi * (r2 - i2);
        s->Iy = s->Iz = 0.25 * pi * (r2 * r2 - i2 * i2);
        torsion = s->Iy + s->Iz;
        shear = 0.9;
    }
    s->J = isnan(s->J) ? torsion : s->J;
    s->shear_y = isnan(s->shear_y) ? shear : s->shear_y;
    s->shear_z = isnan(s->shear_z) ? shear : s->shear_z;
}

/* Cholesky's factors exist. */
static bool is_positive(const TmlCrossSection *s)
{
    double L[TML_RESULTANTS][TML_RESULTANTS] = {{0}};
    for (int j = 0; j < TML_RESULTANTS; ++j) {
        for (int i = j; i < TML_RESULTANTS; ++i) {
            double sum = s->stiffness[i][j];
            for (int k = 0; k < j; ++k) {
                sum -= L[i][k] * L[j][k];
            }
            if (i == j && !(sum > 0.0)) {
                return false;
            }
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    return true;
}

/* stiffness: six rows of six numbers. */
static bool read_stiffness(TmlEntry *x, const TmlValue *v, TmlCrossSection *s)
{
    if (v->kind != TML_VALUE_LIST || v->n != TML_RESULTANTS) {
        tml_entry_expected(x, v, "stiffness", "six rows of six numbers");
        return false;
    }
    bool ok = true;
    for (int i = 0; i < TML_RESULTANTS; ++i) {
        ok &= tml_read_numbers(x, v->item[i], "stiffness", TML_RESULTANTS,
                               "six rows of six numbers", s->stiffness[i]);
    }
    for (int k = 0; k < TML_RESULTANTS * TML_RESULTANTS && ok; ++k) {
        const int i = k / TML_RESULTANTS, j = k % TML_RESULTANTS;
        const double a = s->stiffness[i][j], b = s->stiffness[j][i];
        if (fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b))) { // numbers written with ten digits
            tml_entry_error(x, v,
                            "stiffness: not symmetric, %.9g in row %d column %d and %.9g "
                            "across",
                            a, i + 1, j + 1, b);
            return false;
        }
    }
    if (ok && !is_positive(s)) {
        tml_entry_error(x, v,
                        "stiffness: not positive definite; the order is force along x, y, z, "
                        "then moment about x, y, z");
        return false;
    }
    s->matrix = ok;
    return ok;
}

void tml_section_from_matrix(TmlMaterial *m, TmlCrossSection *s)
{
    s->kind = TML_CROSS_GENERAL;
    s->area = isnan(s->area) ? 1.0 : s->area;
    m->E = s->stiffness[0][0] / s->area;
    const double G = m->E / (2.0 * (1.0 + m->nu));
    s->shear_y = s->stiffness[1][1] / (G * s->area);
    s->shear_z = s->stiffness[2][2] / (G * s->area);
    s->J = s->stiffness[3][3] / G;
    s->Iy = s->stiffness[4][4] / m->E;
    s->Iz = s->stiffness[5][5] / m->E;
}

/* Keys that say what the stiffness matrix does. */
static bool matrix_alone(TmlEntry *x, const TmlValue *map)
{
    static const char *const not_with[] = {"height", "width", "radius", "inner_radius", "thickness",
                                           "Iy",     "Iz",    "J",      "shear_y",      "shear_z"};
    for (size_t k = 0; k < sizeof not_with / sizeof *not_with; ++k) {
        const TmlValue *v = tml_value_find(map, not_with[k]);
        if (v != NULL) {
            tml_entry_error(x, v, "%s: the section has a stiffness matrix", not_with[k]);
            return false;
        }
    }
    return true;
}

bool tml_read_section(TmlEntry *x, const TmlValue *map, TmlCrossSection *s)
{
    const double none = (double)NAN;
    *s = (TmlCrossSection){.height = none,
                           .width = none,
                           .radius = none,
                           .area = none,
                           .Iy = none,
                           .Iz = none,
                           .J = none,
                           .shear_y = none,
                           .shear_z = none};
    tml_read_keys(x, map, tml_keys_cross, NULL, NULL);
    bool ok = read_part(x, map, "height", TML_POSITIVE, "m", &s->height);
    ok &= read_part(x, map, "width", TML_POSITIVE, "m", &s->width);
    ok &= read_part(x, map, "radius", TML_POSITIVE, "m", &s->radius);
    ok &= read_part(x, map, "inner_radius", TML_NONNEGATIVE, "m", &s->inner);
    ok &= read_part(x, map, "area", TML_POSITIVE, "m^2", &s->area);
    ok &= read_part(x, map, "Iy", TML_POSITIVE, "m^4", &s->Iy);
    ok &= read_part(x, map, "Iz", TML_POSITIVE, "m^4", &s->Iz);
    ok &= read_part(x, map, "J", TML_POSITIVE, "m^4", &s->J);
    ok &= read_part(x, map, "shear_y", TML_POSITIVE, "", &s->shear_y);
    ok &= read_part(x, map, "shear_z", TML_POSITIVE, "", &s->shear_z);
    ok &= read_part(x, map, "mass_area", TML_POSITIVE, "m^2", &s->mass_area);
    ok &= read_part(x, map, "mass_Iy", TML_POSITIVE, "m^4", &s->mass_Iy);
    ok &= read_part(x, map, "mass_Iz", TML_POSITIVE, "m^4", &s->mass_Iz);
    const TmlValue *centre = tml_value_find(map, "mass_centre");
    const TmlValue *matrix = tml_value_find(map, "stiffness");
    ok &= centre == NULL ||
          tml_read_numbers(x, centre, "mass_centre", 2, "two numbers: y and z", s->mass_centre);
    if (matrix != NULL) {
        return matrix_alone(x, map) && read_stiffness(x, matrix, s) && ok;
    }
    if (!isnan(s->radius)) {
        s->kind = TML_CROSS_CIRCLE;
        if (s->inner >= s->radius) {
            tml_entry_error(x, map, "section: inner_radius is not smaller than radius");
            ok = false;
        }
    } else if (!isnan(s->area)) {
        s->kind = TML_CROSS_GENERAL;
        ok = required(x, map, "section", "Iy", s->Iy) && ok;
        ok = required(x, map, "section", "Iz", s->Iz) && ok;
    } else if (tml_value_find(map, "thickness") != NULL) {
        s->kind = TML_CROSS_PLATE;
        ok &= read_part(x, map, "thickness", TML_POSITIVE, "m", &s->height);
    } else {
        s->kind = TML_CROSS_RECTANGLE;
        ok = required(x, map, "section", "height", s->height) && ok;
        ok = required(x, map, "section", "width", s->width) && ok;
    }
    if (s->kind == TML_CROSS_PLATE &&
        (s->mass_area > 0.0 || s->mass_Iy > 0.0 || s->mass_Iz > 0.0 || centre != NULL)) {
        tml_entry_error(x, map, "section: a plate has no mass_area, mass_Iy, mass_Iz, mass_centre");
        ok = false;
    }
    section_moments(s);
    return ok;
}
