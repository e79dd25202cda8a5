/* tests/adams/test_adams_solids.c - contacts of solids whose geometry is not read: meshes that are named, contacts that are
 * left out, substitutes; and the datasets of the reference data with these. Those are skipped where the data are absent.
 */
#include "test.h"

#include "trammel/io.h"
#include "trammel/trammel.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

/* Part 2 has the moments of a box of 0.2 by 0.4 by 0.6 m: m (b^2 + c^2) / 12; part 3 is a ball of 1 kg and 0.1 m. */
static const char *ball_height = "2";
static const char dataset[] = "title\n"
                              "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                              "PART/1, GROUND\n"
                              "MARKER/1, PART=1\n"
                              "GRAPHICS/1, EXTERNAL, RM=1, FILE=plant.xmt_txt, ELEMENT=FLOOR\n"
                              "PART/2, MASS=12, CM=20, IP=0.52, 0.40, 0.20, QG=0,0,1\n"
                              "MARKER/20, PART=2\n"
                              "GRAPHICS/2, EXTERNAL, RM=20, FILE=plant.xmt_txt, ELEMENT=SOLID2\n"
                              "GRAPHICS/5, EXTERNAL, RM=20, FILE=plant.xmt_txt, ELEMENT=SOLID5\n"
                              "PART/3, MASS=1, CM=30, IP=0.004, 0.004, 0.004, QG=0,0,%s\n"
                              "MARKER/30, PART=3\n"
                              "GRAPHICS/3, SPHERE, CM=30, RADIUS=0.1\n"
                              "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E4, EXPONENT=1\n"
                              "CONTACT/2, IGEOM=2, JGEOM=3, IMPACT, STIFFNESS=1E4, EXPONENT=1\n"
                              "CONTACT/3, IGEOM=5, JGEOM=3, IMPACT, STIFFNESS=1E4, EXPONENT=1\n"
                              "ACCGRAV/KGRAV=-9.81\n"
                              "REQUEST/1, F2=CONTACT(2,1,4,0)\\F3=CONTACT(1,0,4,0)\n"
                              "END\n";

static TmlStatus load(TestCtx *t, const TmlLoadOptions *o, TmlModel **out, TmlError *err)
{
    char path[] = "/tmp/trammel-solids-XXXXXX.adm";
    const int fd = mkstemps(path, 4);
    char text[sizeof dataset + 64];
    const int n = snprintf(text, sizeof text, dataset, ball_height);
    CHECK(t, fd >= 0 && write(fd, text, (size_t)n) == n);
    close(fd);
    const TmlStatus status = tml_load_with(path, o, out, err);
    unlink(path);
    return status;
}

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

static int count_of(const TmlModel *m)
{
    int n = 0;
    while (tml_model_substitute(m, n) != NULL) {
        ++n;
    }
    return n;
}

static const char *told(const TmlModel *m, int k)
{
    const char *text = tml_model_substitute(m, k);
    return text != NULL ? text : "";
}

TEST(a_plain_run_is_refused_with_the_ways_out)
{
    TmlLoadOptions o = tml_load_options_default();
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_INT(t, load(t, &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message,
              "CONTACT/1: GRAPHICS/1 is FLOOR of the file plant.xmt_txt, Parasolid");
    CHECK_HAS(t, err.message, "--solid 1=FILE names; --solids none, ellipsoid or box");
    o.solids = "cube";
    CHECK_INT(t, load(t, &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "--solids: expected none, ellipsoid or box, not cube");
}

TEST(contacts_are_left_out_and_told)
{
    TmlLoadOptions o = tml_load_options_default();
    TmlModel *m = NULL;
    TmlError err = {0};
    o.solids = "none";
    CHECK_OK(t, load(t, &o, &m, &err), &err);
    CHECK_INT(t, count_of(m), 3);
    CHECK_HAS(t, told(m, 0),
              "CONTACT/1: is left out, as --solids asks for: the geometry of GRAPHICS/2 (SOLID2), "
              "GRAPHICS/1 (FLOOR) is not read");
    CHECK_HAS(t, told(m, 2), "CONTACT/3: is left out");
    CHECK_STR(t, told(m, 0), tml_model_warning(m, 0));
    tml_model_free(m);
    m = NULL;
    o.strict = true; // what is asked for is still not the dataset
    CHECK_INT(t, load(t, &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "CONTACT/2: is left out");
}

/* The force on the ball a microsecond after it was put 1 cm deep into the top of the substitute. */
static double force_at(TestCtx *t, const char *word, const char *height)
{
    TmlLoadOptions o = tml_load_options_default();
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    char name[64];
    double force = (double)NAN;
    o.solids = t->name = word;
    ball_height = height;
    CHECK_OK(t, load(t, &o, &m, &err), &err);
    CHECK_INT(t, count_of(m), 4); // two substitutes; the floor and the second solid are left out
    CHECK_HAS(t, told(m, 3),
              "CONTACT/3: is left out: the substitutes of its solids touch by CONTACT/2");
    snprintf(name, sizeof name, "PART/2 touches with the homogeneous %s", word);
    CHECK_HAS(t, told(m, 0), name);
    TmlSimOptions s = tml_sim_options_default();
    s.end_time = s.output_step = 1e-6;
    CHECK_OK(t, tml_sim_create(m, &s, &sim, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, no_row, NULL, &err), &err);
    const int channel = tml_sim_channel_find(sim, "1.F2");
    CHECK(t, channel >= 0);
    force = channel >= 0 ? tml_row_channel(sim, channel) : force;
    tml_sim_free(sim);
    tml_model_free(m);
    ball_height = "2";
    return force;
}

TEST(substitutes_have_the_inertia_of_their_parts)
{
    // half an edge of 0.6 m, 0.1 m of the ball, less 1 cm; in 1 us they move by 1e-10 m, which is 1e-6 N of 100 N
    CHECK_NEAR(t, force_at(t, "box", "1.39"), 100.0, 1e-5);
    // (S1): sqrt(5 / 2 (0.52 + 0.40 - 0.20) / 12) = 0.3872983346207417
    CHECK_NEAR(t, force_at(t, "ellipsoid", "1.4772983346207417"), 100.0, 1e-5); // the same
    t->name = NULL;
}

TEST(a_mesh_is_named)
{
    char file[4096];
    snprintf(file, sizeof file, "%s/tests/data/contact/slab.obj", test_source_dir());
    const char *name[] = {"FLOOR"}, *path[] = {file};
    TmlLoadOptions o = tml_load_options_default();
    TmlModel *m = NULL;
    TmlError err = {0};
    o.n_solids = 1;
    o.solid_name = name;
    o.solid_file = path;
    o.solids = "none";
    CHECK_OK(t, load(t, &o, &m, &err), &err);
    CHECK_HAS(t, told(m, 0), "the geometry of GRAPHICS/2 (SOLID2) is not read"); // and the floor is
    tml_model_free(m);
    m = NULL;
    name[0] = "7";
    CHECK_INT(t, load(t, &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "there is no GRAPHICS of this number, and no solid of this name");
    name[0] = "3";
    CHECK_INT(t, load(t, &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "this GRAPHICS is no solid of a file (EXTERNAL)");
    name[0] = "2";
    path[0] = "no_such.stl";
    CHECK_INT(t, load(t, &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "--solid 2=no_such.stl: no_such.stl: cannot open");
}

/* --- the reference data ------------------------------------------------------------------------- */

/* Those that need routines of their users, which are not there, and a piece of a dataset. */
static const char *const stopped[] = {"ant.adm", "drillstring_test.adm", "prova_fragment.adm",
                                      "windturbine_Test02.adm", "windturbine_Test11.adm"};

static bool is_stopped(const char *path)
{
    for (size_t k = 0; k < sizeof stopped / sizeof *stopped; ++k) {
        if (strstr(path, stopped[k]) != NULL) {
            return true;
        }
    }
    return false;
}

/* What `trammel check` does; true: it ends well. */
static bool is_checked(TestCtx *t, const char *path)
{
    TmlLoadOptions o = tml_load_options_default();
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    o.solids = "none";
    TmlStatus status = tml_load_with(path, &o, &m, &err);
    TmlSimOptions s = tml_sim_options_default();
    s.end_time = 0.1;
    status = status == TML_OK ? tml_sim_create(m, &s, &sim, &err) : status;
    if (status != TML_OK && !is_stopped(path)) {
        test_fail(t, __FILE__, __LINE__, "%s: %s", path, err.message);
    }
    tml_sim_free(sim);
    tml_model_free(m);
    return status == TML_OK;
}

TEST(seventeen_of_the_datasets_pass)
{
    const char *dir = test_cases_dir();
    char pattern[1024];
    glob_t found;
    int n = 0;
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    snprintf(pattern, sizeof pattern, "%s/adm-files/*.adm", dir);
    CHECK_INT(t, glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; ++k) {
        n += is_checked(t, found.gl_pathv[k]);
    }
    CHECK(t, n >= 17);
    globfree(&found);
}

TEST(those_with_contacts_run)
{
    static const char *const file[] = {"camelot",          "exoskeleton_lqr", "fe_part",
                                       "handspring_robot", "irb140",          "rover_bot3",
                                       "three_omni_robots"};
    const char *dir = test_cases_dir();
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    for (size_t k = 0; k < sizeof file / sizeof *file; ++k) {
        char path[1024];
        TmlModel *m = NULL;
        TmlSim *sim = NULL;
        TmlError err = {0};
        TmlLoadOptions o = tml_load_options_default();
        TmlSimOptions s = tml_sim_options_default();
        o.solids = "none";
        s.end_time = 0.1;
        s.output_step = 0.05;
        s.tolerance = 1e-6; // that it runs is what counts here
        t->name = file[k];
        snprintf(path, sizeof path, "%s/adm-files/%s.adm", dir, file[k]);
        CHECK_OK(t, tml_load_with(path, &o, &m, &err), &err);
        CHECK(t, m != NULL && count_of(m) > 0);
        CHECK_OK(t, tml_sim_create(m, &s, &sim, &err), &err);
        CHECK_OK(t, tml_sim_run(sim, no_row, NULL, &err), &err);
        tml_sim_free(sim);
        tml_model_free(m);
    }
    t->name = NULL;
}

TEST_SUITE(adams_solids) = {CASE(a_plain_run_is_refused_with_the_ways_out),
                            CASE(contacts_are_left_out_and_told),
                            CASE(substitutes_have_the_inertia_of_their_parts),
                            CASE(a_mesh_is_named),
                            CASE(seventeen_of_the_datasets_pass),
                            CASE(those_with_contacts_run),
                            {0}};
