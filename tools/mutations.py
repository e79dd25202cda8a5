#!/usr/bin/env python3
"""Planted faults: each is put into a copy of the sources, built, and must be caught by a test.

    tools/mutations.py [--only TEXT] [--skip TEXT] [--jobs N] [--keep FOLDER] [--list FILE] [--trust]

A fault is one replacement in one file and the tests that should see it: a formula, a policy (step-size control, tolerance of the rank,
reuse of factors, chooser), a reader or a writer. Tests run in the order given until one fails, or takes twenty times as long as without
a fault. A fault that all of them let pass is printed at the end, and the exit status is 1: write the test that sees it. About half an hour on two cores. --keep uses a
folder again and leaves it: what has changed since is copied, so that only that is compiled. CMAKE_C_COMPILER_LAUNCHER=ccache helps, with
CCACHE_BASEDIR above both trees. --list writes what was seen as a table. --trust leaves out the run of all tests without a fault.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# what is built anew with every fault, and once: libraries that tests of the command load
TARGETS, LIBRARIES = ["trammel", "trammel-tests"], ["adams_user"]
LONGEST = 900  # s of a test
DRIVER, METHOD, WHEEL = "src/analysis/driver/", "src/analysis/integrator/", "src/model/wheel/"

# what is broken, file, text, what it becomes, tests
FAULTS = [
    # formulas of methods
    ("HHT: gamma", METHOD + "hht_formula.h", "f.gamma = 0.5 - alpha;", "f.gamma = 0.5 + alpha;", "hht tlismni"),
    ("HHT: constant of the error", METHOD + "hht_formula.h", "f.error = 1.0 / 12.0 +", "f.error = 1.0 / 24.0 +",
     "hht tlismni"),
    ("BDF2 with uneven steps", METHOD + "two_loop/low_order.c", "-1.0 / h - 1.0 / h1, h / (h1 * s1)};",
     "-1.0 / h - 1.0 / h1, h1 / (h1 * s1)};", "tlismni"),
    ("Radau: a node", METHOD + "radau/radau_tables.h", "0.644948974278317810", "0.644948984278317810", "radau"),
    ("Rosenbrock: a coefficient", METHOD + "rosenbrock/rosenbrock_coeffs.h", "-0.104894626207866762915714214455",
     "-0.104894726207866762915714214455", "rosenbrock"),
    ("weights of Lagrange", "src/math/lagrange.h", "(t - time[j]) / (time[i] - time[j])",
     "(t - time[i]) / (time[i] - time[j])", "convergence_rules hht"),
    ("reactions of the tree: the arm", "src/system/recursion/recursion_reactions.c", "v3_cross(d, r->force[b])", "v3_cross(r->force[b], d)", "recursion"),
    ("recursion: an inertia that does not turn", "src/system/recursion/recursion_tangent.c", "v3_sub(d->w, v3_cross(phi, m->w))", "d->w", "recursion"),
    ("recursion: changes of variables", "src/system/recursion/recursion_tangent.c", "? 0.0 : change_equation(t, c, sys->dim.nx + k);",
     "? 0.0 : 0.5 * change_equation(t, c, sys->dim.nx + k);", "recursion"),
    ("recursion: a spring about a pin the other way round", "src/system/recursion/links_axes.c", "    law[0] *= a->sign;", "", "recursion"),
    ("Radau in joint coordinates: work by powers", "src/analysis/integrator/radau/radau_joints_rows.c", "sum += w->h * l[1][i] * p[i];",
     "sum += w->h * l[0][i] * p[i];", "joint_coordinates"),
    ("rows of other methods: angles of springs forget turns", "src/system/recursion/recursion_take.c", "    r->n_axes = 0;", "", "row_joints"),
    ("rows of other methods: speeds without turns of bodies", "src/system/recursion/recursion_take.c", "load(r, b, &g->A, g->v, g->w);",
     "load(r, b, &g->A, g->v, v3(0, 0, 0));", "row_joints"),
    ("rows of joint coordinates: not onto the loops", "src/system/recursion/recursion_rates.c", "good = tml_recursion_close(r, s->t, x, y) &&", "good =", "joint_coordinates dop853"),
    ("account: weights of ends", "src/analysis/rows/account.c", "weight[k] += (to - t[1]) * gauss_weight[g] * at[k];",
     "weight[k] += 1.001 * (to - t[1]) * gauss_weight[g] * at[k];", "rows"),
    ("account: ends of all methods", "src/analysis/rows/account.c", "(sim->type->remembers && sim->type->order < TML_ACCOUNT_ENDS);", "true;", "rows"),
    ("account: no ends of bdf", "src/analysis/rows/account.c", "(sim->type->remembers && sim->type->order < TML_ACCOUNT_ENDS);", "false;", "rows"),
    ("matrices: dampers count as accelerations", "src/system/matrix/jacobian.c", "return c.q == 0.0 && c.v == 0.0 &&", "return c.q == 0.0 &&",
     "rosenbrock orders radau"),
    ("account: a weight of Kronrod", "src/analysis/rows/account.c", "{0.0523281130132337, 0.2006987073879811", "{0.0523281130132337, 0.2106987073879811",
     "driven invariants rows"),
    # formulas of elements
    ("revolute: an axis", "src/model/constraint/revolute.c", "{TML_PRIM_DOT, .axis_i = 1, .axis_j = 2}",
     "{TML_PRIM_DOT, .axis_i = 1, .axis_j = 0}", "joints closed_forms"),
    ("primitives: curvature", "src/model/primitive/primitive.c", "block_add(K, TI, TJ, -scale, &ac);",
     "block_add(K, TI, TJ, scale, &ac);", "primitive constraint_contract"),
    ("rigid body: rates of Euler parameters", "src/model/body/rigid.c", "v3_axpy(-2.0 * out->sigma, out->k.omega",
     "v3_axpy(2.0 * out->sigma, out->k.omega", "body_contract invariants"),
    ("spring: tension", "src/model/force/spring.c", "p->damping * s->rate + p->preload;", "p->damping * s->rate;",
     "force_contract closed_forms"),
    ("elastic law", "src/model/flexible/mechanics/stress.c", "m->E / (2.0 * (1.0 + m->nu))", "m->E / (2.0 * (1.0 - m->nu))",
     "flex_cases flexible_static flex_contract"),
    ("Hermite's polynomials", "src/model/flexible/hermite.c", "1.0 - 3.0 * x2 + 2.0 * x3", "1.0 - 3.0 * x2 + 2.01 * x3",
     "flexible_nodes flexible_within joints"),
    ("measured accelerations", "src/model/measure/measure_rate.c", "v3_axpy(-2.0, d1, v3_cross(o->omega, d)); // (V2)",
     "v3_axpy(-1.0, d1, v3_cross(o->omega, d)); // (V2)", "binding"),
    ("delays: a polynomial", "src/model/measure/past.c", "((s - p->t0) - (p->t1 - s)) / h", "((s - p->t0) - (p->t1 - s)) / (1.001 * h)",
     "past delays"),
    ("expressions: a derivative", "src/expr/eval.c", "d[TML_D_V] = -1.0;\n        break;\n    case TML_OP_MUL",
     "d[TML_D_V] = 1.0;\n        break;\n    case TML_OP_MUL", "expr_derivatives"),
    ("splines: second derivative", "src/expr/spline.c", "d[2] = 2.0 * p.c + 6.0 * s * p.e;", "d[2] = 2.0 * p.c + 3.0 * s * p.e;",
     "expr_spline"),
    # finite elements and meshes
    ("elements: shear modulus", "src/reduce/element/isoparametric.c", "*mu = 0.5 * m->young / (1.0 + m->poisson);",
     "*mu = 0.5 * m->young / (1.0 - m->poisson);", "fe_elements"),
    ("elements: a rule of integration", "src/reduce/element/quadrature.c", "out[n++] = tet_point(b, 10.0 / 189.0);",
     "out[n++] = tet_point(b, 10.1 / 189.0);", "fe_elements"),
    ("elements: order of nodes in Gmsh", "src/reduce/element/tet10.c", "{0, 1, 2, 3, 4, 5, 6, 7, 9, 8}", "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}", "mesh_read"),
    ("elements: incompatible modes by the Jacobian of the point", "src/reduce/element/hex8i.c", "jacobian(e, (const double[3]){0, 0, 0})",
     "jacobian(e, at)", "fe_patch"),
    ("elements: geometric stiffness", "src/reduce/element/isoparametric.c", "v3_dot(g[a], sg); // (E5)", "0.9 * v3_dot(g[a], sg); // (E5)", "fe_elements"),
    ("elements: stress of a uniform change of volume", "src/reduce/element/hex8b.c", "slope[i][i] += more; // (HB2)", "slope[i][i] += 0.0 * more; // (HB2)",
     "fe_elements"),
    ("beams: shear in the deflection", "src/reduce/element/beam31.c", "s * s * s + 0.5 * phi * (s - s * s));", "s * s * s);", "fe_beam"),
    ("beams: radius of gyration", "src/reduce/element/beam31.c", "a = sqrt(c->Iz / c->area)", "a = sqrt(c->Iy / c->area)", "fe_beam"),
    ("shells: shear at the edges", "src/reduce/element/shell4.c", "add_shear(f, 0, 0.0, 1.0, 0.5 * (1.0 + s), along[0]); // (S4A)",
     "add_shear(f, 0, r, 1.0, 0.5 * (1.0 + s), along[0]); // (S4A)", "fe_shell"),
    ("shells: arms of nodes out of the plane", "src/reduce/element/shell_flat.c", "p[3] += f->z[k] * p[1];", "p[3] -= f->z[k] * p[1];", "fe_elements"),
    ("meshes: an element in both triangles", "src/reduce/mesh/node_graph.c", "if (node[a] >= node[b]) {", "if (node[a] > node[b]) {", "fe_patch"),
    ("meshes: units of the density", "src/reduce/mesh/fe_scale.c", "mesh->material[k].density /= s4;", "mesh->material[k].density /= s2 * s;", "mesh_read"),
    ("meshes: pieces", "src/reduce/mesh/fe_check.c", "return pieces > 1 ?", "return pieces > 2 ?", "mesh_read"),
    ("meshes: a Jacobian at a node", "src/reduce/element/isoparametric.c", "&& at_node >= -rounding * box", "&& (at_node >= -rounding * box || true)", "fe_elements"),
    ("meshes: elements that stand twice", "src/io/part/mesh_finish.c", "if (!b->same_once) {", "if (!b->same_once && false) {", "frame_read"),
    ("meshes: a comma too many", "src/io/part/inp/inp.c", "if (!isalpha((unsigned char)item[0])) {", "if (item[0] == '#') {", "mesh_read"),
    # dop853
    ("dop853: share of the formula of order 3", METHOD + "dop853/dop853_error.c", "sqrt(e5 * e5 + 0.01 * e3 * e3)", "sqrt(e5 * e5 + 0.02 * e3 * e3)", "dop853"),
    ("dop853: the error is that of order 5", METHOD + "dop853/dop853_error.c", "return size > 0.0 ? e5 * e5 / size : 0.0;", "return size > 0.0 ? e5 : 0.0;",
     "dop853 orders"),
    ("dop853: a weight of the error", METHOD + "dop853/dop853_tables.h", "0.1312004499419488073250102996e-1", "0.1322004499419488073250102996e-1", "dop853"),
    ("dop853: a coefficient of the stages", METHOD + "dop853/dop853_tables.h", "[12] = -8.298e-3", "[12] = -8.299e-3", "dop853 orders"),
    ("dop853: a coefficient inside of a step", METHOD + "dop853/dop853_tables.h", "[14] = -9.15095847217987001081870187138", "[14] = -9.15195847217987001081870187138",
     "dop853 rows"),
    ("dop853: order for the step-size control", METHOD + "dop853/dop853.c", ".order = DOP853_ERROR_POWER - 1,", ".order = 3,", "dop853 step_control orders"),
    ("dop853: a law for smooth errors", METHOD + "dop853/dop853.c", ".smooth_law = true,", ".smooth_law = false,", "dop853 step_control"),
    ("dop853: turns are lost", METHOD + "dop853/dop853_error.c", "most_turned = 2.0;", "most_turned = 20.0;", "dop853 turn"),
    ("dop853: the move onto the constraints", METHOD + "dop853/dop853_error.c", "fmax(fmax(e, w->move),", "fmax(fmax(e, 0.0 * w->move),", "dop853"),
    ("dop853: stability is not told", METHOD + "dop853/dop853_error.c", "limit = 3.5,", "limit = 35.0,", "dop853"),
    ("dop853: waves are called stiff", METHOD + "dop853/dop853_error.c", "4 * w->damped < 3 * w->counted", "4 * w->damped < 0 * w->counted", "dop853"),
    ("explicit: ends of steps off the constraints", METHOD + "explicit/explicit_projected.c", "return tml_system_project(p->it->sys, &w->s);", "return w != NULL;", "dop853"),
    # iterations in the place of factors
    ("inverse: the one in use stays", "src/system/matrix/inverse.c", "clearly = 0.7;", "clearly = 1.0;", "inverse"),
    ("inverse: cost of a factorisation", "src/system/matrix/inverse.c", "factor_cost = 2.0;", "factor_cost = 0.2;", "inverse"),
    ("inverse: products grow with the step", "src/system/matrix/inverse.c", "w->products * sqrt(fmax(cq, 0.0) / w->products_cq)", "w->products * (fmax(cq, 0.0) / w->products_cq)",
     "inverse"),
    ("inverse: no factors where iterations fail", "src/system/matrix/inverse.c", "if (products >= 0) {", "if (products >= -1) {", "inverse"),
    ("inverse: products that fail are forgotten", "src/system/matrix/inverse.c", "products_failed = 400.0;", "products_failed = 1.0;", "inverse"),
    ("iterations: the units", "src/sparse/iterative.c", "w[j] /= it->unit[j];", "w[j] *= it->unit[j];", "iterative"),
    ("iterations: how accurate in steps", METHOD + "index3/implicit.c", "part_of_rate = 0.1,", "part_of_rate = 30.0,", "iterative inverse piles"),
    ("iterations: how accurate in errors", METHOD + "index3/implicit.c", "filter_accuracy = 1e-3;", "filter_accuracy = 0.9;", "iterative inverse piles"),
    # onsets
    ("onsets: the error of a step across one", "src/system/contact/onset.c", "error_constant = 1.0 / 9.0;", "error_constant = 1.0 / 9e4;", "contact_policies bounce"),
    ("onsets: a step may pass all", "src/system/contact/onset.c", "0.5 * T * T * force <= allowed;", "0.5 * T * T * force <= 1e9 * allowed;", "contact_policies bounce"),
    ("onsets: lands on the last of a group", "src/system/contact/onset.c", "onset > landing) ? onset : landing;", "onset < landing) ? onset : landing;", "contact_policies"),
    ("releases: a step may pass all", "src/system/contact/onset.c", "before(in, p, 2.0 * horizon) * sum >", "before(in, p, 2.0 * horizon) * sum > 1e9 *", "contact_policies locate bounce"),
    ("releases: velocities may be off", "src/system/contact/onset.c", "* sum > b->swift;", "* sum > 1e9 * b->swift;", "bounce_energy"),
    ("releases: a force without derivatives may end anywhere in a step", "src/system/contact/onset.c", "part_of_bend = 0.02;", "part_of_bend = 0.0;", "bounce_energy"),
    ("releases: what is remembered may come from far", "src/analysis/contact/step_contacts.c", "part_remembering = 0.25", "part_remembering = 0.875", "bounce_energy"),
    ("bdf: positions alone count in contact", "src/analysis/integrator/index3/bdf.c", "if (w->stabilised || w->pressed) {", "if (w->stabilised) {", "bounce_energy"),
    ("bdf: velocities do not count in the first step in contact", "src/analysis/integrator/index3/bdf.c", "return w->pressed ? fmax(", "return w->pressed && h < 0.0 ? fmax(", "bounce_energy"),
    ("releases: by constant speed", "src/system/contact/onset.c", "push * end * end / (3.0 * -p->rate)", "0.0 * push * end * end / (3.0 * -p->rate)", "contact_policies bounce"),
    # modal bodies
    ("modal: Coriolis force of the frame", "src/model/modal/modal_equations.c", "x = v3_add(x, v3_cross(w, v3_axpy(2.0, s->P1, v3_cross(w, s->S))));",
     "x = v3_add(x, v3_cross(w, v3_axpy(1.0, s->P1, v3_cross(w, s->S))));", "modal_equations modal_beside"),
    ("modal: Coriolis moment of the frame", "src/model/modal/modal_equations.c", "x = v3_axpy(-2.0, m3_mulv(&s->Ht, w), x);", "x = v3_axpy(-1.0, m3_mulv(&s->Ht, w), x);",
     "modal_equations modal_beside"),
    ("modal: centrifugal forces on modes", "src/model/modal/modal_equations.c", "y += v3_dot(w, times(E, w)) - trace(E) * ww;", "y += v3_dot(w, times(E, w)) - 0.5 * trace(E) * ww;",
     "modal_equations modal_beside"),
    ("modal: Coriolis forces on modes", "src/model/modal/modal_equations.c", "y -= 2.0 * v3_dot(w, vee(s->E1 + 9 * j));", "y -= v3_dot(w, vee(s->E1 + 9 * j));",
     "modal_equations modal_beside"),
    ("modal: derivatives by the spin", "src/model/modal/modal_equations.c", "y -= 2.0 * trace(E) * v3_dot(w, dw);", "y -= trace(E) * v3_dot(w, dw);", "modal_equations body_contract"),
    ("modal: derivatives by modes", "src/model/modal/modal_equations.c", "x = v3_axpy(2.0 * trace(E1), w, x);", "x = v3_axpy(trace(E1), w, x);", "modal_equations body_contract"),
    ("modal: kinetic energy", "src/model/modal/modal_equations.c", "v3_axpy(2.0, combine(s->C, b->m, in->eta1)", "v3_axpy(1.0, combine(s->C, b->m, in->eta1)", "modal_equations modal_runs"),
    ("modal: power of damping", "src/model/modal/modal_equations.c", "        sum -= f * in->eta1[j];", "        sum -= 0.5 * f * in->eta1[j];", "modal_equations modal_runs"),
    ("stiffening: force of a load case", "src/model/modal/modal_loads.c", "f[j] += s->load_N[l] * g[j] + 0.5 * s->load_b[l] * c[j];", "f[j] += s->load_N[l] * g[j] + s->load_b[l] * c[j];",
     "modal_stiffness modal_equations"),
    ("stiffening: its energy", "src/model/modal/modal_loads.c", "sum += 0.5 * s->load_b[l] * (s->load_N[l] - half);", "sum += 0.5 * s->load_b[l] * (s->load_N[l] - 0.0 * half);", "modal_stiffness modal_equations"),
    ("stiffening: its tangent", "src/model/modal/modal_loads.c", "(c[j] + across) * g[i]", "c[j] * g[i]", "modal_stiffness modal_equations"),
    ("stiffening: spin counts twice", "src/model/modal/modal_loads.c", "-= alpha * b->part->stiffening[l].K[k];", "-= 0.0 * alpha * b->part->stiffening[l].K[k];", "modal_stiffness modal_runs"),
    ("spiders: weights", "src/reduce/basis/spider.c", "H[c] += weight_of(i, k) * r[c / 6]", "H[c] += r[c / 6]", "reduction reduce_cases"),
    # wheels on rails
    ("rails: stiffness of the simplified theory", "src/model/wheel/rail/creep.c", "d6_scale(0.375, d6_mul(base, d6_mul(l->c[0], in->xi)))", "d6_scale(0.37, d6_mul(base, d6_mul(l->c[0], in->xi)))",
     "creep"),
    ("rails: saturation", "src/model/wheel/rail/creep.c", "1.0 - v / 3.0 + v * v / 27.0, -1.0 / 3.0", "1.0 - v / 3.0 + v * v / 28.0, -1.0 / 3.0", "creep"),
    ("rails: spin of Polach", "src/model/wheel/rail/creep.c", "d6_scale(9.0 / 16.0,", "d6_scale(8.0 / 16.0,", "creep"),
    ("rails: a derivative of Polach's", "src/model/wheel/rail/creep.c", "-ka * ka * ka / (v * v) + ks * ks * ks * df", "-ka * ka / (v * v) + ks * ks * ks * df", "creep"),
    ("rails: bound of the tractions", "src/model/wheel/rail/fastsim.c", "if (size <= g) {", "if (size <= 2.0 * g) {", "creep"),
    ("rails: mean of two speeds", "src/model/wheel/rail/rail_force.c", "d6_sub(v.x, d6_scale(0.5, vc.x))", "d6_sub(v.x, d6_scale(0.0, vc.x))", "rail"),
    ("rails: damping", "src/model/wheel/rail/rail_force.c", "d6_linear(1.0, law->damping, closing)", "d6_linear(1.0, 2.0 * law->damping, closing)", "rail"),
    ("rails: spin backwards", "src/model/wheel/rail/rail_force.c", "d6v_axpy(d6_mul(f.mz, d6_div(V, S)), n,", "d6v_axpy(f.mz, n,", "rail"),
    ("rails: load of a constraint", "src/model/wheel/rail/rail_force.c", "d6_mul(bound->load.z, t->nz)", "d6_mul(bound->load.z, t->ny)", "rail_contact"),
    ("rails: a second place is told", "src/model/wheel/rail/rail_force.c", "const Dual more = d6_sub(first->depth, here.depth);", "const Dual more = d6_sub(here.depth, first->depth);", "rail_contact"),
    ("rails: bend of the track", "src/model/wheel/rail/rail_contact.c", "3.0 * v3_dot(p->dr, p->ddr)", "2.0 * v3_dot(p->dr, p->ddr)", "rail_contact"),
    ("rails: two contacts that are one", "src/model/wheel/rail/rail_touch.c", "d6_linear(3.0, -2.0, r)", "d6_linear(2.0, -1.0, r)", "rail"),
    ("rails: curvature of an inclined circle", "src/model/wheel/rail/rail_touch.c", ".kx = d6_div(tilt, R)", ".kx = d6_scale(1.01, d6_div(tilt, R))", "rail"),
    ("rails: equivalent conicity", "src/model/wheel/rail/wheelset.c", "return 2.0 * base * radius * (M_PI / L)", "return base * radius * (M_PI / L)", "rail"),
    # FLEX_BODY
    ("FLEX_BODY: unit of modal coordinates", "src/adams/flexible/translate_flex.c", "adm->length * sqrt(adm->mass)", "adm->length * adm->mass", "adams_flex"),
    ("FLEX_BODY: unit of their rates", "src/adams/flexible/translate_flex.c", "\"VMODE\", unit / adm->time,", "\"VMODE\", unit,", "adams_flex"),
    ("FLEX_BODY: damping by default", "src/adams/flexible/translate_flex.c", "hertz < 100.0 ? 0.01", "hertz < 100.0 ? 0.02", "adams_flex"),
    ("FLEX_BODY: frequencies in the unit of time", "src/adams/flexible/translate_flex.c", "part->hertz[number - 1] * adm->time", "part->hertz[number - 1]", "adams_flex"),
    ("FLEX_BODY: limit in the unit of time", "src/adams/flexible/translate_flex.c", "limit / adm->time", "limit", "adams_flex"),
    ("FLEX_BODY: unit of the spin", "src/adams/flexible/translate_flex.c", "v3_scale(1.0 / adm->time, omega)", "v3_scale(1.0, omega)", "adams_flex"),
    ("FLEX_BODY: invariants that are off", "src/adams/flexible/translate_flex.c", "!on[4] && !on[8]", "!on[4] || !on[8]", "adams_flex"),
    # stresses and damage
    ("rainflow: whole cycles", "src/io/recover/rainflow.c", "count(s, p[0], p[1], 1.0);", "count(s, p[0], p[1], 0.5);", "recover"),
    ("damage: the slope", "src/io/recover/rainflow.c", "pow(amplitude / line->stress, line->slope)", "pow(amplitude / line->stress, line->slope + 0.1)", "recover"),
    ("stresses: their sign", "src/io/recover/recover.c", "fabs(x->principal[2]) > fabs(x->principal[0]) ?", "fabs(x->principal[2]) < fabs(x->principal[0]) ?", "recover"),
    # more readers of meshes
    ("meshes: groups of Gmsh 4", "src/io/part/gmsh4.c", "entity != NULL ? entity->n_groups : 0,", "0,", "mesh_read"),
    ("meshes: nodes with parameters", "src/io/part/gmsh4.c", "read_block_nodes(r, n, parametric * dimension, err)", "read_block_nodes(r, n, 0, err)", "mesh_read"),
    ("meshes: sides of a section", "src/io/part/inp/inp_section.c", "tml_section_rectangle(x[1], x[0], poisson, s);", "tml_section_rectangle(x[0], x[1], poisson, s);", "mesh_read"),
    ("meshes: circles by diameters", "src/io/part/inp/inp_section.c", "x[0] *= 0.5;", "x[0] *= 1.0;", "mesh_read"),
    ("matrices: both triangles", "src/io/part/matrix_market.c", "both && i != j ? 0.5 : 1.0", "both && i != j ? 1.0 : 1.0", "matrix_market part_source"),
    ("matrices: not symmetric", "src/io/part/matrix_market.c", "> symmetric_within * largest", "> 1e9 * symmetric_within * largest", "matrix_market part_source"),
    # step control
    ("step-size control: share of the tolerance", DRIVER + "step_control.c", "bias = 6.0,", "bias = 3.0,", "step_control"),
    ("step-size control: growth", DRIVER + "step_control.c", "growth = 2.0,", "growth = 3.0,", "step_control"),
    ("step-size control: cut after a failed iteration", DRIVER + "step_control.c", "newton_cut = 0.4;", "newton_cut = 0.9;", "step_control"),
    ("step-size control: growth not worth a change", DRIVER + "step_control.c", "idle_growth = 1.2;", "idle_growth = 1.02;", "step_control"),
    ("rounding: far away is no singular position", DRIVER + "step_control.c", "c->weakness != NULL ? c->weakness(c->user) : bound(c)", "bound(c)",
     "step_control"),
    # contact
    ("contact: steps that a list is good for", "src/system/contact/near.c", "steps_ahead = 4.0,", "steps_ahead = 3.0,", "contact_policies"),
    ("contact: steps that couplings are good for", "src/system/contact/near.c", "steps_coupled = 4.0,", "steps_coupled = 3.0,", "contact_policies"),
    ("contact: steps that a pair may be free", "src/system/contact/near.c", "steps_free = 1.5;", "steps_free = 1.0;", "contact_policies"),
    ("contact: depth behind an onset", "src/analysis/contact/step_contacts.c", "depth = 0.01;", "depth = 0.02;", "contact_policies"),
    ("contact: first step behind an onset", "src/analysis/contact/step_contacts.c", "aim = 6.0;", "aim = 0.6;", "contact_policies"),
    ("contact: no landing", "src/analysis/contact/step_contacts.c", "sim->contacts.landing = true;", "sim->contacts.landing = false;",
     "contact_policies bounce"),
    ("locate: laws are cut", "src/model/contact/law/press.c", "N > 0.0 || pulls || in->continued", "N > 0.0 || pulls", "press_laws locate"),
    ("locate: points that are open press", "src/model/contact/pair_sides.c", "case TML_SIDE_OPEN:\n        return false;",
     "case TML_SIDE_OPEN:\n        return depth > 0.0;", "locate"),
    ("locate: how near", "src/analysis/contact/locate.c", "part_located = 1e-6,", "part_located = 1e-1,", "locate"),
    ("locate: no row behind", "src/analysis/contact/locate.c", "sim->contacts.behind |= wanted;", "sim->contacts.behind = false;", "locate"),
    ("friction: slips are not noted", METHOD + "two_loop/two_loop.c", "if (s == &it->next) {", "if (s == NULL) {", "contact_rest"),
    ("friction: accelerations of the history", METHOD + "two_loop/two_loop.c", "tml_system_is_flexible(sys) || tml_system_touches(sys)",
     "tml_system_is_flexible(sys)", "contact_rest"),
    ("rounding: how near", DRIVER + "step_control.c", "near = 0.1; ", "near = 1e9; ", "step_control"),
    ("rounding: what is taken at once", DRIVER + "step_control.c", "small_rounding = 10.0;", "small_rounding = 1e4;", "step_control"),
    ("steps that collapse", DRIVER + "step_control.c", "collapse_ratio = 0.01;", "collapse_ratio = 1e-9;", "step_control"),
    ("relative comparison of times", DRIVER + "step_breaks.c", "return 2e-14 * fmax(fabs(t), 1e-3 * sim->end);", "return 1e-15 + 0.0 * (t + sim->end);",
     "jumps step_control dynamics"),
    # iterations
    ("convergence: stall", METHOD + "convergence.c", "stall_ratio = 0.9;", "stall_ratio = 1.5;", "convergence_rules"),
    ("convergence: first rate", METHOD + "convergence.c", "careful_rate = 0.3;", "careful_rate = 0.0;", "convergence_rules"),
    ("convergence: what is left", METHOD + "convergence.c", "return size * xi / (1.0 - xi);", "return size * xi;", "convergence_rules"),
    ("convergence: memory of the rate", METHOD + "convergence.c", "sqrt(ratio * c->rate)", "ratio", "convergence_rules"),
    ("prediction: running mean", METHOD + "step_history.c", "h->degree_limit > 0 ? h->degree_limit - 1 : 0;", "h->degree_limit;",
     "convergence_rules"),
    ("kept factors: when they are slow", METHOD + "step_factors.c", "slow_rate = 0.2;", "slow_rate = 0.95;", "convergence_rules kept turn"),
    ("kept factors: after how many", METHOD + "step_factors.c", "extra_corrections = 3;", "extra_corrections = 3000;", "convergence_rules kept turn"),
    ("closures: factors that fail", "src/system/coordinates/renewal.c", "failing_rate = 0.3;", "failing_rate = 0.9;", "renewal"),
    ("closures: factors from far", "src/system/coordinates/renewal.c", "far_distance = 0.02;", "far_distance = 0.2;", "renewal"),
    ("closures: how often", "src/system/coordinates/renewal.c", "RENEWALS = 4", "RENEWALS = 40", "renewal"),
    ("BDF: rounding of the estimate", METHOD + "index3/bdf.c", "e <= rounding_of_order(it, order) ? h : longest;",
     "e <= 0.0 * rounding_of_order(it, order) ? h : longest;", "runaway"),
    ("error norm: the largest", METHOD + "error_norm.c", "const double size = dr > dt ? dr : dt;", "const double size = dr < dt ? dr : dt;",
     "tolerance hht"),
    ("error norm: rounding", METHOD + "error_norm.c", "return DBL_EPSILON * fmax(", "return 1e6 * DBL_EPSILON * fmax(",
     "singular tolerance hht tlismni violations"),
    # tyres, roads and drivers
    ("tyres: a deflection decays", WHEEL + "tyre/tyre.c", "d6_mul(R, u)))", "d6_neg(d6_mul(R, u))))", "tyres"),
    ("tyres: damping at standstill", WHEEL + "tyre/tyre.c", "d6_add(u, d6_mul(g, out.rate))", "d6_add(u, d6_mul(d6_scale(0.0, g), out.rate))", "tyres"),
    ("tyres: damping of a sliding tyre", WHEEL + "tyre/tyre.c", "d6_linear(1.0, 1.0, d6_mul(at->hold, R))", "d6_linear(1.0, 0.0, d6_mul(at->hold, R))", "tyres"),
    ("tyres: slip by the rolling radius", WHEEL + "tyre/tyre.c", "const Dual R_e = rolling_radius(p, pressed);", "const Dual R_e = d6_scale(1.02, rolling_radius(p, pressed));", "tyres"),
    ("tyres: lateral speed of the contact", WHEEL + "tyre/tyre.c", "d6v_dot(d6v_add(in->v, d6v_cross(in->w, arm)), y)", "d6v_dot(in->v, y)", "tyres"),
    ("tyres: the trail waits for the force", WHEEL + "tyre/tyre.c", "d6_sub(d6_mul(at.share, law.mz), behind)", "d6_add(d6_mul(at.share, law.mz), behind)", "tyres"),
    ("tyres: sliding of Fiala", WHEEL + "tyre/fiala_tyre.c", "d6_scale(0.25 / p->cx,", "d6_scale(0.5 / p->cx,", "tyres"),
    ("tyres: Fiala's aligning moment", WHEEL + "tyre/fiala_tyre.c", "out->mz = d6_neg(d6_mul(out->trail,", "out->mz = (d6_mul(out->trail,", "tyres"),
    ("tyres: longitudinal peak of Pacejka 89", WHEEL + "tyre/pac89_tyre.c", "d6_scale(0.01, peak_of(&mx, 10.0))", "d6_scale(0.02, peak_of(&mx, 10.0))", "tyres"),
    ("tyres: aligning moment of Pacejka 89", WHEEL + "tyre/pac89_tyre.c", "out->trail = d6_neg(d6_div(slope, out->cy));", "out->trail = d6_div(slope, out->cy);", "tyres"),
    ("tyres: combined slip of PAC2002", WHEEL + "tyre/pac2002.c", "const Dual shift = line(at->f, c[PAC_RHY1], c[PAC_RHY2]);", "const Dual shift = line(at->f, c[PAC_RHY1], -c[PAC_RHY2]);", "tyres"),
    ("tyres: residual torque of PAC2002", WHEEL + "tyre/pac2002.c", "line(at->f, c[PAC_QDZ8], c[PAC_QDZ9])", "line(at->f, c[PAC_QDZ8], -c[PAC_QDZ9])", "tyres"),
    ("tyres: inflation pressure of PAC2002", WHEEL + "tyre/pac2002.c", "const double stiff_y = 1.0 + dp * c[PAC_PPY1]", "const double stiff_y = 1.0 - dp * c[PAC_PPY1]", "tyres"),
    ("tyres: a mirrored tyre", WHEEL + "tyre/pac2002.c", "const Dual g = d6_scale(side, in->camber);", "const Dual g = in->camber;", "tyres"),
    ("tyres: peaks of TMeasy mixed", WHEEL + "tyre/tmeasy_tyre.c", "v[PEAK] = mixed(x[PEAK], y[PEAK], c, e);", "v[PEAK] = mixed(x[PEAK], y[PEAK], e, c);", "tyres"),
    ("tyres: friction scales the slope", WHEEL + "tyre/tmeasy_tyre.c", "x[k] = k == SLOPE ? x[k] : d6_scale(mu, x[k]);", "x[k] = d6_scale(mu, x[k]);", "tyres"),
    ("roads: density of ISO 8608", WHEEL + "road/road_iso8608.c", "sqrt(2.0 * G0 *", "sqrt(G0 *", "roads"),
    ("roads: curvature where they begin to be rough", WHEEL + "road/road_iso8608.c", "f * hxx + 2.0 * fx * hx +", "f * hxx + fx * hx +", "roads"),
    ("roads: the far side of a bump", WHEEL + "road/road_bumps.c", "d[1] = side * k * H * 30.0", "d[1] = -side * k * H * 30.0", "roads"),
    ("roads: edges of half cylinders", WHEEL + "road/road_bumps.c", "round ? -p->height : 0.0, round", "round ? 0.0 : 0.0, round", "roads tyres"),
    ("drivers: the place on the path", WHEEL + "driver/path_driver.c", "out[DRIVER_RATE_STATION] = d6_div(along, below);", "out[DRIVER_RATE_STATION] = d6_div(along, t2);", "drivers"),
    ("drivers: preview by speed", WHEEL + "driver/path_driver.c", "d6_scale(p->preview, V);", "d6_scale(0.5 * p->preview, V);", "drivers"),
    ("drivers: delay of the arms", WHEEL + "driver/path_driver.c", "d6_scale(1.0 / p->delay,", "d6_scale(2.0 / p->delay,", "drivers"),
    ("drivers: gain on straights", WHEEL + "driver/path_driver.c", "d6_scale(2.0 * p->wheelbase,", "d6_scale(p->wheelbase,", "drivers"),
    ("drivers: brakes like they drive", WHEEL + "driver/speed_driver.c", "a.x < 0.0 ? low : high", "a.x < -1e30 ? low : high", "drivers"),
    ("drivers: the integral winds up", WHEEL + "driver/speed_driver.c", "d6_scale(2.0 * p->gain, d6_sub(a, free))", "d6(0.0)", "drivers"),
    # overhead lines
    ("catenary: loads of the droppers", "src/model/flexible/catenary/catenary_tree.c", "(0.5 * (after - before) * p->contact.mass + p->clamp) * g", "(0.5 * (after - before) * p->contact.mass) * g", "catenary"),
    ("catenary: stretch under tension", "src/model/flexible/catenary/catenary_tree.c", 'set_real(t, body, "stretch", stretch_of(w) / (1.0 + longer));', 'set_real(t, body, "stretch", stretch_of(w) / (1.0 + 0.0 * longer));', "catenary"),
    ("catenary: mass of a stretched metre", "src/model/flexible/catenary/catenary_tree.c", "w->mass / area * stretch_of(w));", "w->mass / area);", "catenary"),
    ("catenary: bending of a stretched metre", "src/model/flexible/catenary/catenary_tree.c", "inertia = fmax(w->EI, least) / any_modulus / stretch_of(w);", "inertia = 2.0 * fmax(w->EI, least) / any_modulus;", "catenary"),
    ("catenary: stagger", "src/model/flexible/catenary/catenary_tree.c", "k % 2 == 1 ? p->stagger : -p->stagger", "k % 2 == 1 ? p->stagger : p->stagger", "catenary"),
    ("catenary: sag of the contact wire", "src/model/flexible/catenary/catenary_plan.c", "4.0 * depth * u * (1.0 - u)", "3.0 * depth * u * (1.0 - u)", "catenary"),
    # studies
    ("studies: numbers of Sobol", "src/io/study/sobol.c", "{5, 4, {1, 1, 5, 5, 5}},", "{5, 4, {1, 1, 5, 5, 7}},", "study"),
    ("studies: Sobol's sums", "src/io/study/sobol.c", "(p->coefficients >> (s - 1 - k) & 1) != 0", "(p->coefficients >> k & 1) != 0", "study"),
    ("studies: logarithmic ranges", "src/io/study/study_design.c", "s->from * pow(s->to / s->from, u)", "s->from + (s->to - s->from) * u * u", "study"),
    ("studies: Latin hypercube", "src/io/study/study_design.c", "(at[run] + v) / s->runs)", "(at[0] + v) / s->runs)", "study"),
    ("studies: normal distribution", "src/io/study/study_design.c", "const double dz = newton / (1.0 + 0.5 * newton * z);", "const double dz = 0.0 * z + fmin(1e-15, newton);", "study"),
    ("studies: samples of the indices", "src/io/study/study_design.c", "const bool other = kind == P + 1 || kind == p + 1;", "const bool other = kind == P + 1 || kind == p;", "study"),
    ("studies: effects of Morris by the step", "src/io/study/store_effects.c", "const double d = (y_of(s, y, run + 1, response) - y_of(s, y, run, response)) / step;", "const double d = (y_of(s, y, run + 1, response) - y_of(s, y, run, response)) / (0.0 * step + 1.0);", "study"),
    ("studies: ranks of equal values", "src/io/study/store_effects.c", "= 0.5 * (k + m - 1);", "= i;", "study"),
    # inputs and saved runs
    ("inputs: no new accelerations", "src/analysis/keep/set_inputs.c", "sim->restart_pending = true;", "sim->restart_pending = false;", "inputs"),
    ("inputs: events do not look again", "src/analysis/keep/set_inputs.c", "        tml_sim_events_look_again(sim);\n        return TML_OK;", "        return TML_OK;", "inputs"),
    ("inputs: numbers that are none", "src/analysis/keep/set_inputs.c", "return isfinite(value)\n", "return value == value\n", "inputs"),
    ("saved runs: stale pointers count", "src/base/graph.c", "return b->owner == t->of->owner ||", "return b->owner != 0 ||", "graph saved"),
    ("saved runs: links beyond the block", "src/base/graph.c", "link.at > m->size[k] - sizeof word", "link.at > m->size[k] + sizeof word", "graph saved"),
    ("saved runs: another model", "src/analysis/keep/saved.c", "if (saved->model != sim->model) {", "if (saved->model == NULL) {", "saved"),
    ("saved runs: routines of the user", "src/analysis/keep/saved.c", "if (m->attached.self != NULL) {", "if (m->attached.self == m) {", "saved checkpoint security"),
    # radau in joint coordinates
    ("Radau in joint coordinates: second factors", METHOD + "radau/radau_joints.c", "im = -w->h * radau_b / square;", "im = w->h * radau_b / square;", "joint_coordinates"),
    ("Radau in joint coordinates: prediction", METHOD + "radau/radau_joints.c", "tml_radau_weights(1.0 + radau_c[i] * w->h / w->h_last, l);", "tml_radau_weights(radau_c[i] * w->h / w->h_last, l);", "joint_coordinates"),
    ("Radau in joint coordinates: filter of the error", METHOD + "radau/radau_joints.c", "sum -= g * K2[k] * w->ex[k];", "sum += g * K2[k] * w->ex[k];", "joint_coordinates"),
    ("Radau in joint coordinates: charts of balls", "src/system/recursion/joint_charts.c", "v3_dot(k[1], D[j]) + v3_dot(k[0], B[j]);", "v3_dot(k[1], D[j]);", "recursion"),
    ("Radau in joint coordinates: moments of balls passed on", "src/system/recursion/recursion_tangent.c", "        *n_p = v3_add(*n_p, v3_cross(d, f));", "        *n_p = v3_add(*n_p, v3_cross(d, f));\n        *n_p = l->kind == TML_LINK_BALL ? v3_add(*n_p, n) : *n_p;", "joint_coordinates"),
    ("Radau in joint coordinates: rows of loops by twists", "src/system/recursion/tangent_loops.c", "v3_dot(v->theta, d->w);", "0.0;", "recursion"),
    ("Radau in joint coordinates: corrections across loops", METHOD + "radau/radau_joints.c", "w->present && w->j.size > w->j.all;", "false;", "singular"),
    ("Radau in joint coordinates: turns", METHOD + "radau/radau_joints.c", "fmax(size, tml_radau_turned(w->spin * w->h))", "size", "joint_coordinates"),
    # chooser, rank, scales, events
    ("auto: stiffness", DRIVER + "choose.c", "stiff_ratio = 50.0,", "stiff_ratio = 5e9,", "automatic"),
    ("auto: implicit steps", DRIVER + "choose.c", "implicit_ratio = 3.0;", "implicit_ratio = 30.0;", "automatic"),
    ("auto: undamped", DRIVER + "choose.c", "undamped_ratio = 10.0;", "undamped_ratio = 0.1;", "automatic"),
    ("auto: loose tolerances", DRIVER + "choose.c", "loose_tolerance = 1e-5;", "loose_tolerance = 1e-2;", "automatic"),
    ("auto: kinks", DRIVER + "choose.c", "kink_tolerance = 1e-6,", "kink_tolerance = 1e-20,", "automatic"),
    ("auto: coarse tolerances", DRIVER + "choose.c", "coarse_tolerance = 1e-4;", "coarse_tolerance = 1.0;", "automatic"),
    ("auto: several bodies", DRIVER + "choose.c", "SEVERAL = 3", "SEVERAL = 3000", "automatic"),
    ("auto: share of the tolerance", DRIVER + "choose.c", "share_of_bdf = 0.01;", "share_of_bdf = 1.0;", "automatic"),
    ("auto: waves", DRIVER + "choose.c", "return r.oscillation > fmax(r.damping, r.states);", "return r.oscillation > 1e9;", "automatic"),
    ("auto: accelerations that die out", "src/analysis/linear/rates.c", "r > 0.0 ? a / r : HUGE_VAL", "r < 0.0 ? a / r : HUGE_VAL", "automatic"),
    ("radau: waves that are damped", METHOD + "radau/radau_error.c", "loose_tolerance = 1e-8;", "loose_tolerance = 1e8;", "radau"),
    ("radau: waves that are resolved", METHOD + "radau/radau_error.c", "loose_tolerance = 1e-8;", "loose_tolerance = 1e-18;", "radau"),
    ("auto: who takes over", DRIVER + "choose.c", "failure_limit = 70.0;", "failure_limit = 7e9;", "automatic state_scales"),
    ("tolerance of the rank", "src/system/redundancy/rank.c", "rank_tolerance = TML_RANK_TOLERANCE;", "rank_tolerance = 1e-15;",
     "rank redundancy"),
    ("rows left out: watched", "src/system/redundancy/watch.c", "violation_factor = 1e3;", "violation_factor = 1e13;", "watch"),
    ("states: first scale", DRIVER + "state_scales.c", "guessed_part = 1e-3;", "guessed_part = 1e3;", "state_scales"),
    ("runaway", DRIVER + "runaway.c", "beyond = 1e3, state_beyond = 1e12;", "beyond = 1e300, state_beyond = 1e300;", "runaway delays"),
    ("events: rounding", DRIVER + "events.c", "return 8.0 * DBL_EPSILON *", "return 1e9 * DBL_EPSILON *", "events"),
    ("statics: step limit", "src/analysis/statics/statics.c", "step_limit = 0.3;", "step_limit = 30.0;",
     "statics statics_branch flexible_static statics_path"),
    ("sparse: the plan with least fill", "src/sparse/factors.c", "fill_of(num) < fill &&", "fill_of(num) > fill &&", "redundancy sparse_lu"),
    ("sparse: pivots that are noise", "src/sparse/factors.c", "NOISE = 32.0;", "NOISE = 1e-30;", "sparse_lu singular rank assembly"),
    ("memory: factors of the start stay", DRIVER + "memory.c", "LARGE_MODEL = 1000 ", "LARGE_MODEL = 1000000000 ", "setup_memory"),
    # readers
    ("YAML: lines", "src/io/load/yaml.c", "                         .line = mark != NULL ? mark->line + 1 : 1,",
     "                         .line = mark != NULL ? mark->line + 2 : 1,", "io_yaml io_messages"),
    ("units: degrees", "src/expr/unit.c", '{"deg", M_PI, 180,', '{"deg", M_PI, 181,', "expr_values dimension"),
    ("units: dimensions", "src/expr/dimension.c", "return a.m == b.m && a.kg == b.kg && a.s == b.s;",
     "return a.m == b.m && a.kg == b.kg;", "dimension"),
    ("includes: depth", "src/io/load/load.c", "MAX_DEPTH = 32", "MAX_DEPTH = 2", "io_yaml cli"),
    ("datasets: comments", "src/adams/dataset/source.c", "} else if (line[k] == '!') {", "} else if (line[k] == '?') {",
     "adams_source adams_datasets"),
    # writers
    ("JSON: escapes", "src/io/text/json.c", "if (*c == '\"' || *c == '\\\\') {", "if (*c == '\"') {", "io_results cli io_report safety"),
    ("journal: the sum", "src/io/results/journal.c", "if (checksum(out) != foot.sum) {", "if (checksum(out) == foot.sum + 1) {", "io_torn"),
    ("figures: ticks", "src/io/figure/figure_axis.c", "part < 3.16 ? 2.0", "part < 3.16 ? 2.5", "io_figure"),
    ("files in use", "src/io/file/held.c", "lock.l_type != F_UNLCK ?", "lock.l_type == F_UNLCK ?", "io_draft safety"),
]


def wrong_faults(faults, read):
    """What is wrong with faults: a text that does not stand once in its file, a replacement that changes nothing, a name twice.

    read gives the text of a file of the tree, None where there is no such file.
    """
    out, names = [], set()
    for name, file, old, new, _ in faults:
        times = (read(file) or "").count(old)
        if times != 1:
            out.append(f"{name}: {old!r} stands {times} times in {file}, and must stand there once")
        if old == new:
            out.append(f"{name}: the replacement is the same text")
        if name in names:
            out.append(f"{name}: two faults have this name")
        names.add(name)
    return out


def read_source(name):
    path = ROOT / name
    return path.read_text() if path.is_file() else None


def with_cases():
    """The environment, with the published tables where they lie beside this tree: the copy lies elsewhere."""
    beside = ROOT.parent / "shared/cases"
    return {"TRAMMEL_CASES": str(beside), **os.environ} if beside.is_dir() else dict(os.environ)


def shell(command, where, limit):
    """Exit status of a command, and the end of what it said; -1: time is up."""
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=limit, env=with_cases())
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, (done.stdout + done.stderr)[-2000:]


def test_fails(name, where, limit):
    """Whether a test fails, or takes longer than the limit, s. It is ended at its first case that fails."""
    command = ["ctest", "--test-dir", "build", "-R", f"^{name}$", "--no-tests=error", "-V"]
    run = subprocess.Popen(command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                           env=with_cases(), start_new_session=True)
    ended = threading.Event()

    def end():
        if not ended.is_set():
            ended.set()
            os.killpg(run.pid, signal.SIGKILL)

    timer = threading.Timer(limit, end)
    timer.start()
    for line in run.stdout:
        if "[  FAILED  ]" in line:
            end()
    timer.cancel()
    return run.wait() != 0


def renew(copy):
    """Copies what is not there or differs, and takes away sources that are gone."""
    known = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    for name in known:
        source, target = ROOT / name, copy / name
        if source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    if (ROOT / "viewer/dist").is_dir():  # built, and not in git: reports need the page
        shutil.copytree(ROOT / "viewer/dist", copy / "viewer/dist", dirs_exist_ok=True)
    for area in ("src", "tests", "cli", "include"):
        for path in (copy / area).rglob("*.[ch]"):
            if not (ROOT / path.relative_to(copy)).exists():
                path.unlink()


def make_copy(copy, jobs):
    """A copy with a build of its own."""
    renew(copy)
    for command in (["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                    ["ninja", "-C", "build", f"-j{jobs}", *TARGETS, *LIBRARIES]):
        status, said = shell(command, copy, 3600)
        if status != 0:
            sys.exit(f"the sources do not build:\n{said}")
    return copy


def caught_by(copy, fault, jobs, limits):
    """Name of the test that fails, 'build', or None. A test that takes longer than its limit, s, fails."""
    _, where, old, new, tests = fault
    path = copy / where
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{where}: {text.count(old)} times {old!r}: write the fault anew")
    path.write_text(text.replace(old, new))
    try:
        status, _ = shell(["ninja", "-C", "build", f"-j{jobs}", *TARGETS], copy, 1800)
        if status != 0:
            return "build"
        for test in tests.split():
            if test_fails(test, copy, limits.get(test, LONGEST)):
                return test
        return None
    finally:
        path.write_text(text)


def tests_pass(copy, faults):
    """Time that each test may take with a fault, s. Ends the program where a test fails without a fault, or is not there."""
    limits = {}
    for test in sorted({t for f in faults for t in f[4].split()}):
        start = time.time()
        status, said = shell(["ctest", "--test-dir", "build", "-R", f"^{test}$", "--no-tests=error",
                              "--output-on-failure"], copy, LONGEST)
        if status != 0:
            sys.exit(f"{test} fails without a fault:\n{said}")
        limits[test] = min(LONGEST, int(60 + 20 * (time.time() - start)))
    return limits


def write_list(path, seen):
    """A table of faults: name, file, test that fails."""
    rows = ["| fault | file | seen by |", "|---|---|---|"]
    rows += [f"| {f[0]} | `{f[1].removeprefix('src/')}` | {test or '**none**'} |" for f, test in seen]
    path.write_text("\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="faults whose name holds one of these texts, separated by commas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder of the copy, used again")
    parser.add_argument("--list", type=pathlib.Path, help="file for a table of what was seen")
    parser.add_argument("--skip", default="", help="faults to leave out, as with --only")
    parser.add_argument("--trust", action="store_true", help="the tests pass without a fault")
    args = parser.parse_args()
    seen = []
    left_out = [text for text in args.skip.split(",") if text]
    faults = [f for f in FAULTS if any(text in f[0] for text in args.only.split(",")) and not any(text in f[0] for text in left_out)]
    wrong = wrong_faults(faults, read_source)
    if wrong:
        sys.exit("\n".join(wrong))
    with tempfile.TemporaryDirectory() as name:
        copy = make_copy(args.keep or pathlib.Path(name) / "copy", args.jobs)
        limits = {} if args.trust else tests_pass(copy, faults)
        for fault in faults:
            start = time.time()
            test = caught_by(copy, fault, args.jobs, limits)
            seen.append((fault, test))
            print(f"{fault[0]:45s} {'caught by ' + test if test else 'NOT CAUGHT'}  {time.time() - start:.0f} s", flush=True)
            if args.list:
                write_list(args.list, seen)
    survivors = [fault[0] for fault, test in seen if test is None]
    print(f"{len(seen) - len(survivors)} of {len(seen)} faults are caught" + "".join(f"\n  not: {s}" for s in survivors))
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
