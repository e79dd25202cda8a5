/* tests/adams/test_adams_contact.c - CONTACT and GRAPHICS: what is wrong with them, solids that a mesh stands for,
 * contacts that commands take away, and shapes that only pictures show.
 *
 * Motions and forces are those of tests/data/adams/contact_*.adm.
 */
#include "test.h"

#include "trammel/io.h"
#include "trammel/trammel.h"

static const char head[] = "title\n"
                           "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
                           "PART/1, GROUND\n"
                           "MARKER/1, PART=1, QP=-50, -50, -10\n"
                           "GRAPHICS/1, BOX, CORNER=1, X=100, Y=100, Z=10\n"
                           "PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,20\n"
                           "MARKER/20, PART=2\n"
                           "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=20, YSCALE=20, ZSCALE=20\n"
                           "GRAPHICS/3, EXTERNAL, RM=20, FILE=plant.xmt_txt\n"
                           ", ELEMENT=SOLID_OF_NO_MESH\n"
                           "PART/3, MASS=1, CM=30, IP=1,1,1, QG=0,0,60\n"
                           "MARKER/30, PART=3\n"; // the next line is the 13th

#define PAIR "CONTACT/1, IGEOM=1, JGEOM=2, "
#define IMPACT "IMPACT, STIFFNESS=1, EXPONENT=2"
#define WITH4 "CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT "\nGRAPHICS/4, "
#define SQUARE                                                                                     \
    "CURVE/1, CLOSED, CURVE_POINTS, MATRIX=1, ORDER=2\n"                                           \
    "MATRIX/1, FULL=RORDER, ROWS=5, COLUMNS=3, VALUES=0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,0"

static const struct {
    const char *statement, *message;
} wrong[] = {
    {"CONTACT/1, IGEOM=1, JGEOM=2", "m.adm:13:1: CONTACT/1: IMPACT or POISSON is missing"},
    {PAIR "IMPACT, POISSON", "m.adm:13:1: CONTACT/1: IMPACT and POISSON exclude each other"},
    {"CONTACT/1, JGEOM=2, " IMPACT, "m.adm:13:1: CONTACT/1: argument IGEOM is missing"},
    {"CONTACT/1, IGEOM=1, JGEOM=9, " IMPACT,
     "m.adm:13:27: CONTACT/1: JGEOM: there is no GRAPHICS/9"},
    {"CONTACT/1, IGEOM=1, 8, JGEOM=2, " IMPACT,
     "m.adm:13:21: CONTACT/1: IGEOM: there is no GRAPHICS/8"},
    {PAIR "IMPACT, EXPONENT=2", "m.adm:13:1: CONTACT/1: argument STIFFNESS is missing"},
    {PAIR "IMPACT, STIFFNESS=1", "m.adm:13:1: CONTACT/1: argument EXPONENT is missing"},
    {PAIR IMPACT ", DAMPING=1", "m.adm:13:1: CONTACT/1: argument DMAX is missing"},
    {PAIR "POISSON, PENALTY=1", "argument RESTITUTION_COEFFICIENT is missing"},
    {PAIR "POISSON, RESTITUTION=1", "m.adm:13:1: CONTACT/1: argument PENALTY is missing"},
    {PAIR IMPACT ", COULOMB_FRICTION=MAYBE",
     "m.adm:13:80: CONTACT/1: COULOMB_FRICTION: expected ON, OFF or DYNAMICS_ONLY, got 'MAYBE'"},
    {PAIR IMPACT ", COULOMB_FRICTION=ON, MU_STATIC=1", "argument MU_DYNAMIC is missing"},
    {PAIR IMPACT ", STICTION=ON", "m.adm:13:72: CONTACT/1: STICTION is not supported yet"},
    {PAIR IMPACT ", IFLEX=3",
     "m.adm:13:63: CONTACT/1: IFLEX is not supported yet: contact of flex"},
    {PAIR "NORMAL_FUNCTION=USER(1)", "NORMAL_FUNCTION is not supported yet"},
    {PAIR "IMPACT, STIFFNESS=1, EXPONENT=0.5", "m.adm:13:1: contact 'contact1': impact: exponent"},
    {"CONTACT/1, IGEOM=2, JGEOM=3, " IMPACT,
     "m.adm:13:1: CONTACT/1: GRAPHICS/3 is SOLID_OF_NO_MESH of the file plant.xmt_txt, Parasolid "
     "geometry, which is not read; a mesh SOLID_OF_NO_MESH.stl or SOLID_OF_NO_MESH.obj beside the "
     "dataset, in its units and the axes of MARKER/20, stands for it"},
    {"CONTACT/1, IGEOM=2, JGEOM=4, " IMPACT "\nGRAPHICS/4, BOX, CORNER=20, X=1, Y=1, Z=1",
     "m.adm:13:18: CONTACT/1: GRAPHICS/2 and GRAPHICS/4 are both on PART/2"},
    {WITH4 "OUTLINE=20,30",
     "m.adm:14:1: GRAPHICS/4: not supported yet in contact: OUTLINE, a line through markers, which "
     "only pictures have; a CURVE with ORDER = 2 is the same line"},
    {WITH4 "CURVE, CID=1, CRM=20", "m.adm:14:24: GRAPHICS/4: CID: there is no CURVE/1"},
    {WITH4 "CURVE, CID=1\n" SQUARE, "m.adm:14:1: GRAPHICS/4: argument CRM is missing"},
    {WITH4 "CURVE, CID=1, CRM=30\n" SQUARE,
     "m.adm:13:18: CONTACT/1: not supported yet: contact of "
     "BOX (GRAPHICS/1) with CURVE (GRAPHICS/4), "
     "which press on each other over an area; a law for points does not apply there; in a model "
     "file they touch with a `foundation`"},
    {WITH4 "CURVE, CID=1, CRM=30\nCURVE/1, OPEN, MATRIX=1, FUNCTION=USER(1)",
     "not supported yet in contact: CURVE/1, a curve by a user-written routine; points of it in a"},
    {WITH4 "CURVE, CID=1, CRM=30\nCURVE/1, OPEN, CURVE_POINTS, MATRIX=1, ORDER=2\n"
           "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=3, VALUES=0,0,0, 10,0,1",
     "m.adm:14:24: GRAPHICS/4: not supported yet in contact: CURVE/1, a curve in space; its points "
     "must have the same z"},
    {"CONTACT/1, IGEOM=2, JGEOM=4, " IMPACT "\nGRAPHICS/4, CURVE, CID=1, CRM=1\n"
     "CURVE/1, OPEN, CURVE_POINTS, MATRIX=1, ORDER=2\n"
     "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=3, VALUES=0,50,0, 100,50,0",
     "m.adm:14:24: GRAPHICS/4: an open curve has its solid on the side away from the other "
     "geometry at the start, which cannot be determined here"},
    {"CONTACT/1, IGEOM=2, 5, JGEOM=4, " IMPACT "\nGRAPHICS/4, CURVE, CID=1, CRM=1\n"
     "MARKER/21, PART=2, QP=0,20,0\nGRAPHICS/5, SPHERE, CM=21, RADIUS=1\n"
     "CURVE/1, OPEN, CURVE_POINTS, MATRIX=1, ORDER=2\n"
     "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=3, VALUES=0,60,0, 100,60,0",
     "m.adm:13:18: CONTACT/1: GRAPHICS/5 or GRAPHICS/4 is an open curve that others touch from the "
     "other side"},
    {"CONTACT/1, IGEOM=2, JGEOM=4, JFLIP=4, " IMPACT "\nGRAPHICS/4, CURVE, CID=1, CRM=1\n" SQUARE,
     "m.adm:14:1: GRAPHICS/4: not supported yet: contact with a closed curve from within"},
    {"CONTACT/1, IGEOM=2, JGEOM=4, JFLIP=2, " IMPACT "\nGRAPHICS/4, CIRCLE, CM=1, RADIUS=3",
     "m.adm:13:36: CONTACT/1: JFLIP_GEOMETRY must name GRAPHICS of JGEOM"},
    {"CONTACT/1, IGEOM=2, JGEOM=4, JFLIP=4, " IMPACT "\nGRAPHICS/4, CIRCLE, CM=1, RADIUS=3\n"
     "CONTACT/2, IGEOM=2, JGEOM=4, " IMPACT,
     "m.adm:15:27: CONTACT/2: not supported yet: GRAPHICS/4 is turned by the JFLIP_GEOMETRY of "
     "another CONTACT"},
    {WITH4 "ARC, CM=30, RADIUS=1, RANGLE=0", "m.adm:14:42: GRAPHICS/4: RANGLE must not be 0"},
    {WITH4 "ARC, CM=30", "m.adm:14:1: GRAPHICS/4: argument RADIUS is missing"},
    {WITH4 "EXTRUSION, RM=30, LENGTH=1",
     "GRAPHICS/4: CID or POINTS_FOR_PROFILE is missing: the profile"},
    {WITH4 "EXTRUSION, RM=30, LENGTH=1, CID=1, POINTS_FOR_PROFILE=0,0,0, 1,0,0, 0,1,0, 0,0,0",
     "GRAPHICS/4: CID and POINTS_FOR_PROFILE exclude each other"},
    {WITH4 "EXTRUSION, RM=30, POINTS_FOR_PROFILE=0,0,0, 1,0,0, 0,1,0, 0,0,0",
     "GRAPHICS/4: argument LENGTH is missing"},
    {WITH4 "EXTRUSION, RM=30, LENGTH=1, POINTS_FOR_PROFILE=0,0,0, 1,0,0, 0,1,0",
     "m.adm:14:1: GRAPHICS/4: the profile is open, which is no solid"},
    {WITH4 "EXTRUSION, RM=30, LENGTH=1, POINTS_FOR_PROFILE=0,0,0, 1,0,0, 0,1,0, 0,0",
     "m.adm:14:60: GRAPHICS/4: 11 numbers: three for each point are wanted"},
    {WITH4 "EXTRUSION, RM=30, LENGTH=1, PATH_POINTS=0,0,0, 1,0,0",
     "GRAPHICS/4: not supported yet in contact: an extrusion along a path; LENGTH is along z"},
    {WITH4 "EXTRUSION, RM=30, LENGTH=1, POINTS_FOR_PROFILE=0,0,0, 1,0,0, 0,1,1, 0,0,0",
     "GRAPHICS/4: not supported yet: a profile that does not lie in a plane across z"},
    {WITH4 "REVOLUTION, RM=30, POINTS_FOR_PROFILE=1,0,0, 2,0,0, 2,0,1",
     "GRAPHICS/4: the profile is open, which is no solid: its last point must be the first, or "
     "both"},
    {WITH4 "REVOLUTION, RM=30, ANGLE_EXTENT=90D, POINTS_FOR_PROFILE=0,0,0, 2,0,0, 0,0,1",
     "m.adm:14:45: GRAPHICS/4: not supported yet in contact: a revolution by less than a whole "
     "turn"},
    {WITH4 "REVOLUTION, RM=30, POINTS_FOR_PROFILE=0,0,0, 2,0,0, 0,0,1",
     "contact of BOX (GRAPHICS/1) with REVOLUTION (GRAPHICS/4), which press on each other over an"},
    {"CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT "\nGRAPHICS/4, FORCE, ETYPE=SFORCE, EID=1",
     "GRAPHICS/4: not supported yet in contact: FORCE, an arrow"},
    {"CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT "\nGRAPHICS/4, BOX, CORNER=20, X=1, Y=1",
     "m.adm:14:1: GRAPHICS/4: argument Z is missing"},
    {"CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT "\nGRAPHICS/4, BOX, CORNER=20, X=1, Y=0, Z=1",
     "m.adm:14:36: GRAPHICS/4: Y must not be 0"},
    {"CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT "\nGRAPHICS/4, CYLINDER, CM=99, LENGTH=1, RADIUS=1",
     "m.adm:14:26: GRAPHICS/4: CM: there is no MARKER/99"},
    {"CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT "\nGRAPHICS/4, CYLINDER, CM=30, LENGTH=1, RADIUS=-1",
     "m.adm:14:47: GRAPHICS/4: RADIUS must be positive"},
    {PAIR IMPACT "\nVARIABLE/2, FUNCTION=CONTACT(1,0,9,0)",
     "m.adm:14:34: VARIABLE/2: the component of CONTACT must be 1 to 8"},
    {"CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT "\nPOINT_MASS/9, MASS=1\nMARKER/9, POINT_MASS=9\n"
     "GRAPHICS/4, ELLIPSOID, CM=9, XSCALE=1, YSCALE=1, ZSCALE=1",
     "m.adm:16:27: GRAPHICS/4: not supported yet: a shape on POINT_MASS/9"},
};

TEST(errors_have_places)
{
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[2048];
        TmlModel *m = NULL;
        TmlError err = {0};
        t->name = wrong[k].statement;
        snprintf(text, sizeof text, "%s%s\nEND\n", head, wrong[k].statement);
        CHECK_INT(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].message);
        tml_model_free(m);
    }
}

static TmlModel *load(TestCtx *t, const char *statements)
{
    char text[4096];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, "%s%s\nEND\n", head, statements);
    CHECK_OK(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err), &err);
    return m;
}

static bool has_note(const TmlModel *m, const char *text)
{
    for (int i = 0; m != NULL && tml_model_note(m, i) != NULL; ++i) {
        if (strstr(tml_model_note(m, i), text) != NULL) {
            return true;
        }
    }
    return false;
}

TEST(what_is_read_otherwise_is_told)
{
    TmlModel *m =
        load(t, "CONTACT/1, IGEOM=2, JGEOM=4, POISSON, PENALTY=1, RESTITUTION=1, AUGMENTED\n"
                "GRAPHICS/4, BOX, CORNER=30, X=1, Y=1, Z=1");
    CHECK(t, has_note(m, "m.adm:13:30: CONTACT/1: POISSON is a linear spring"));
    CHECK(t, has_note(m, "m.adm:13:65: CONTACT/1: AUGMENTED_LAGRANGIAN_FORMULATION is ignored"));
    CHECK(t, !has_note(m, "touch with their corners")); // a ball has none
    tml_model_free(m);
    m = load(t, "CONTACT/1, IGEOM=1, JGEOM=4, " IMPACT ", MU_DYNAMIC=1\n"
                "GRAPHICS/4, BOX, CORNER=30, X=1, Y=1, Z=1");
    CHECK(t, has_note(m, "m.adm:13:63: CONTACT/1: there is no friction: it needs COULOMB_FR"));
    CHECK(t,
          has_note(m, "m.adm:13:1: CONTACT/1: GRAPHICS/1 and GRAPHICS/4 touch with their corners"));
    tml_model_free(m);
}

/* Pictures are shapes that no contact names; what cannot be drawn is left out without an error. */
TEST(pictures_touch_nothing)
{
    static const char path[] = TRAMMEL_BINARY_DIR "/test_contact_pictures.adm";
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL);
    if (file != NULL) {
        fprintf(file,
                "%sGRAPHICS/4, CYLINDER, CM=30, LENGTH=-10, RADIUS=2\n"
                "GRAPHICS/5, BOX, CORNER=99, X=1, Y=1, Z=1\n"
                "GRAPHICS/6, OUTLINE=20,30\n"
                "GRAPHICS/7, FRUSTUM, CM=30, LENGTH=10, TOP=3, BOTTOM=2\n"
                "GRAPHICS/8, FRUSTUM, CM=30, LENGTH=10, TOP=2, BOTTOM=2\nEND\n",
                head);
        fclose(file);
    }
    TmlModel *notes = NULL;
    TmlError err = {0};
    char *text = NULL;
    CHECK_OK(t, tml_convert(path, &notes, &text, &err), &err);
    CHECK(t, has_note(notes, "GRAPHICS (3)")); // the solid, the box without a marker, the line
    if (text != NULL) {
        CHECK(t, strstr(text, "contacts:") == NULL);
        // it goes down from its marker; the larger end of the cone is the upper one
        CHECK_HAS(t, text,
                  "name: graphics4\n          radius: 0.002\n          length: 0.01\n"
                  "          axis: [0, 0, 1]\n          position: [0, 0, -0.005]\n");
        CHECK_HAS(
            t, text,
            "cone:\n          name: graphics7\n          radius: 0.003\n"
            "          top_radius: 0.002\n          length: 0.01\n          axis: [0, 0, -1]\n"
            "          position: [0, 0, 0.005]\n");
        CHECK_HAS(t, text, "cylinder:\n          name: graphics8\n");
    }
    tml_text_free(text);
    tml_model_free(notes);
}

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

/* Height of the ball of `head` over its block after a time, by a command file of one simulation. */
static double height_after(TestCtx *t, const char *commands)
{
    static const char path_adm[] = TRAMMEL_BINARY_DIR "/test_contact.adm",
                      path_acf[] = TRAMMEL_BINARY_DIR "/test_contact.acf";
    FILE *adm = fopen(path_adm, "w"), *acf = fopen(path_acf, "w");
    double height = (double)NAN;
    CHECK(t, adm != NULL && acf != NULL);
    if (adm != NULL && acf != NULL) {
        fprintf(adm,
                "%sACCGRAV/KGRAV=-9806.65\n" PAIR "IMPACT, STIFFNESS=100, EXPONENT=1.5, DAMPING=1, "
                "DMAX=0.1\nREQUEST/1, F2=DZ(20)\nEND\n",
                head);
        fprintf(acf, "test_contact\n\n%s\nSIMULATE/DYNAMICS, END=0.3, STEPS=1\nSTOP\n", commands);
    }
    if (adm != NULL) {
        fclose(adm);
    }
    if (acf != NULL) {
        fclose(acf);
    }
    TmlError err = {0};
    TmlLoadOptions o = tml_load_options_default();
    TmlCommands *c = NULL;
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = so.output_step = 0.3;
    CHECK_OK(t, tml_commands_open(path_acf, NULL, &o, &c, &err), &err);
    CHECK_OK(t, c != NULL ? tml_commands_model(c, 0, &m, &err) : TML_E_MODEL, &err);
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &so, &sim, &err) : TML_E_MODEL, &err);
    CHECK_OK(t, sim != NULL ? tml_sim_run(sim, no_row, NULL, &err) : TML_E_MODEL, &err);
    if (sim != NULL && err.status == TML_OK) {
        height = tml_row_channel(sim, tml_sim_channel_find(sim, "1.F2"));
    }
    tml_sim_free(sim);
    tml_model_free(m);
    tml_commands_free(c);
    return height;
}

TEST(commands_take_contacts_away)
{
    // with it the ball stays above the block, at its radius of 10 mm and less than a millimetre below
    const double rests = height_after(t, "");
    CHECK(t, rests > 9.0 && rests < 20.0);
    // without it falls freely, which steps follow to rounding
    CHECK_NEAR(t, height_after(t, "DEACTIVATE/CONTACT, ID=1"), 20.0 - 0.5 * 9806.65 * 0.09, 1e-9);
    // softer and undamped: the ball bounces or sinks, in any case elsewhere
    CHECK(t, fabs(height_after(t, "CONTACT/1, STIFFNESS=1, DAMPING=0") - rests) > 0.1);
}

/* A mesh beside the dataset stands for a solid of a Parasolid file. `ball`: what is held on it; NULL: as it is. */
static double held_by(TestCtx *t, const char *ball)
{
    static char text[4096];
    char path[1024];
    double force = (double)NAN;
    snprintf(path, sizeof path, "%s/tests/data/adams/solids/solid.adm", test_source_dir());
    FILE *file = fopen(path, "r");
    CHECK(t, file != NULL);
    if (file == NULL) {
        return force;
    }
    text[fread(text, 1, sizeof text - 400, file)] = '\0';
    fclose(file);
    if (ball != NULL) {
        char *at = strstr(text, "GRAPHICS/2,"), *end = strstr(text, "JOINT/2,");
        const size_t n = strlen(ball);
        memmove(at + n, end, strlen(end) + 1);
        memcpy(at, ball, n);
    }
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 0.001;
    CHECK_OK(t, tml_load_text(text, path, 0, NULL, NULL, &m, &err), &err);
    CHECK_INT(t, m != NULL && has_note(m, "touches as the convex hull of its mesh"), ball != NULL);
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL, &err);
    CHECK_OK(t, sim != NULL ? tml_sim_run(sim, no_row, NULL, &err) : TML_E_MODEL, &err);
    if (sim != NULL && err.status == TML_OK) {
        force = tml_row_channel(sim, tml_sim_channel_find(sim, "1.F2"));
    }
    tml_sim_free(sim);
    tml_model_free(m);
    return force;
}

TEST(meshes_stand_for_solids)
{
    // K g^2 at 1 mm of a ball; of each corner of a block. Depths are differences of lengths of 44 mm, with roundings
    // of 1e-17 m, and the force has twice their relative error
    CHECK_NEAR(t, held_by(t, NULL), -100.0, 1e-9);
    CHECK_NEAR(t,
               held_by(t, "MARKER/22, PART=2, QP=-5,-5,-10\n"
                          "GRAPHICS/2, BOX, CORNER=22, X=10, Y=10, Z=20\n"),
               -400.0, 1e-9);
}

TEST_SUITE(adams_contact) = {CASE(errors_have_places),      CASE(what_is_read_otherwise_is_told),
                             CASE(pictures_touch_nothing),  CASE(commands_take_contacts_away),
                             CASE(meshes_stand_for_solids), {0}};
