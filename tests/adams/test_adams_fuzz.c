/* tests/adams/test_adams_fuzz.c - mutated and truncated datasets, and memory that runs out. */
#include "load_fuzz.h"

#include "trammel/trammel.h"

#include <time.h>

static const char dataset[] =
    "ADAMS/View model name: everything\n"
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
    "ACCGRAV/KGRAV=-9806.65\n"
    "!  adams_view_name='ground'\n"
    "PART/1, GROUND\n"
    "MARKER/1, PART=1\n"
    "MARKER/2, PART=1, QP=0,0,1, ZP=0,1,1, XP=1,0,1\n"
    "!  adams_view_name='arm'\n"
    "PART/2, MASS=1, CM=20, IP=1E3,1E3,1E3,0,0,1\n"
    ", QG=10,0,0, REULER=30D,10D,0, VX=1, WZ=2, EXACT=X:Y\n"
    "MARKER/20, PART=2, REULER=90D,0,0\n"
    "MARKER/21, PART=2, QP=-10,0,0\n"
    "PART/3, MASS=2, CM=30, IM=31, IP=9E3,9E3,9E3\n"
    "MARKER/30, PART=3\n"
    "MARKER/31, PART=3, QP=0,1,0\n"
    "MARKER/5, FLOATING, PART=3\n"
    "JOINT/1, SPHERICAL, I=21, J=1\n"
    "JOINT/2, TRANSLATIONAL, I=30, J=1\n"
    "MOTION/1, JOINT=2, TRANSLATIONAL, FUNCTION=STEP(TIME,0,0,1,\n"
    ", 10D)\n"
    "SFORCE/1, TRANSLATIONAL, I=20, J=30, FUNCTION= - 100.0*(dm(20,30)-2.0)\n"
    ", - 1.0*vr(20,30)\n"
    "SPRINGDAMPER/1, ROTATION, I=21, J=1, KT=5, CT=1, ANGLE=10D\n"
    "VFORCE/1, I=20, JFLOAT=5, RM=2, FX=1\\FY=VARVAL(1)\\\n"
    ", FZ=IF(TIME-1: 0, 1, DIF(1))\n"
    "VARIABLE/1, IC=1, FUNCTION=SFORCE(1,0,1,0)+ARYVAL(1,2)\n"
    "ARRAY/1, IC, SIZE=2, NUMBERS=1,2\n"
    "DIFF/1, IC=1, FUNCTION=-DIF(1)+CUBSPL(TIME,0,1)\n"
    "SPLINE/1, X=0,1,2,3, Y=0,1,4,9\n"
    "GRAPHICS/1, CYLINDER, CM=20, LENGTH=4\n"
    "REQUEST/1, D, I=20, J=1, C=text: any\n"
    "REQUEST/2, F2=ORIENT(27,1,20,1)\\F3=JOINT(1,0,2,0)\\F4=FX(20,30)\n"
    "INTEGRATOR/GSTIFF, ERROR=1E-4, HMAX=0.01\n"
    "OUTPUT/REQSAVE\n"
    "END\n";

static const char other[] =
    "more statements\n"
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
    "PART/1, GROUND\n"
    "MARKER/1, PART=1\n"
    "PART/2, MASS=1, CM=20, IP=1,1,1\n"
    "MARKER/20, PART=2\n"
    "JOINT/1, SPHERICAL, I=20, J=1\n"
    "VARIABLE/1, FUNCTION=TIME\n"
    "PART/4, MASS=1, CM=40, IP=1,1,1\n"
    "MARKER/40, PART=4\n"
    "MARKER/6, FLOATING, PART=1\n"
    "FRICTION/1, JOINT=1, MU_STATIC=0.2, MU_DYNAMIC=0.1, INPUTS=PRELOAD:REACTION_FORCE\n"
    "MATRIX/1, FULL=RORDER, ROWS=3, COLUMNS=3, VALUES=0,0,0, 10,5,0, 20,0,0\n"
    "CURVE/1, OPEN, CURVE_POINTS, MATRIX=1, ORDER=3\n"
    "PTCV/1, I=40, JFLOAT=6, RM=1, CURVE=1, DISP=1,1,0, ICM=1, VEL=0\n"
    "MOTION/2, I=40, J=1, B2, VELOCITY, FUNCTION=0, ICDISP=1D\n"
    "ARRAY/2, U, VARIABLES=1\n"
    "ARRAY/3, X\n"
    "ARRAY/4, Y\n"
    "MATRIX/2, FULL=CORDER, ROWS=1, COLUMNS=1, VALUES=-1\n"
    "LSE/1, X=3, U=2, Y=4, A=2, B=2, C=2, IC=5\n"
    "ARRAY/5, IC, NUMBERS=2\n"
    "TFSISO/1, U=2, NUMERATOR=1, DENOMINATOR=1,2\n"
    "SENSOR/1, FUNCTION=TIME\\VALUE=5, GE, HALT, EVALUATE=SENVAL(1)+1, PRINT\n"
    "MARKER/41, PART=4, RM=40, QP=1,2,3, ZP=0,0,1\n"
    "POINT_MASS/1, MASS=1, QG=1,2,3, REULER=90D,0,0\n"
    "MARKER/50, QP=1,0,0\n"
    "MARKER/51, FLOATING, PART=2\n"
    "VFORCE/7, I=50, JFLOAT=51, RM=20, FX=VX(50,51)\\FY=ACCM(51)\\FZ=VR(51,1)\n"
    "BEAM/1, I=41, J=1, LENGTH=10, AREA=1, IXX=1, IYY=1, IZZ=1, EMOD=1, GMOD=1, FORM=STRING\n"
    "BEAM/2, I=41, J=20, LENGTH=10, AREA=1, IXX=1, IYY=1, IZZ=1, EMOD=1, GMOD=1, FORM=NONLINEAR\n"
    "MATRIX/3, SPARSE, ROWS=6, COLUMNS=6, I=1,2, J=1,2, VALUES=1,2\n"
    "NFORCE/1, I=40, J=1, KMATRIX=3, CRATIO=0.1\n"
    "MREQUEST/1, VELOCITY, PARTS=ALL\n"
    "GCON/1, I=40, FUNCTION=DX(40)**2-DX(40)*DY(40)\n"
    "VFORCE/1, I=40, JFLOAT=6, RM=1, FXYZ=2*UV(VXYZ(40,1,20))%[1,TIME,-3]/2\n"
    "VARIABLE/2, FUNCTION=MAG([1,2,3]%UVX(40,20))*(DXYZ(40)*WXYZ(40,20))**2\n"
    ", - FRICTION(1,12)+NFORCE(1,1,8,40)+FXYZ(40)*TXYZ(1,40)\n"
    "SPLINE/1, X=0,1,2,3, Y=0,1,4,9, LINEAR\n"
    "VARIABLE/3, FUNCTION=CURVE(TIME-1,1,2,1)+INTERP(TIME,1,1,1)\n"
    ", + INVPSD(TIME,1,1,3,3,1,5)+DELAY(VARVAL(1)*TIME,0.1,2*TIME)\n"
    "PART/5, MASS=1, CM=60, IP=1,1,1, QG=0,10,0\n"
    "MARKER/60, PART=5\n"
    "MARKER/61, PART=5, FLOATING\n"
    "MARKER/62, PART=1, FLOATING\n"
    "CVCV/1, ICURVE=1, JCURVE=1, IFLOAT=61, JFLOAT=62, IRM=60, JRM=1, IDISP=1,1,0\n"
    "VARIABLE/4, FUNCTION=VX(40,1,6)+AZ(6,62)+FX(40,6,61)+DX(61,62)+PSI(61)+VR(61,62)\n"
    ", + INCANG(61,1,62)+PTCV(1,0,3,6)+ORIENT(8,1,6,61)+UVX(6)*DXYZ(61,1,62)\n"
    "END\n";

static const char *const pieces[] = {
    ",",       "\n",
    "\n,",     "/",
    "=",       "\\",
    "!",       "(",
    ")",       "((((((",
    "'",       "\"",
    ":",       ";",
    "&\n",     "D",
    "1E",      "1E999",
    "-",       "0",
    "PART/",   "END\n",
    "TIME",    "VARVAL(1)",
    "20",      "99999999999999999999",
    "\xe4",    "\x01",
    "USER(1)", "MARKER/20",
    "JOINT=1", "REVOLUTE",
    "I=1",     "FUNCTION=",
    "**",      "nan",
    ".",       " ",
    "%s",      "{",
    "}",       "[1,2,3]",
    "[",       "]",
    "%",       "DXYZ(20,1)",
};

static void mutate(TestCtx *t, char *text, size_t size)
{
    const size_t n = strlen(text);
    const size_t at = (size_t)pick(t, (int)n);
    const char *piece = pieces[pick(t, (int)(sizeof pieces / sizeof *pieces))];
    const size_t cut = (size_t)pick(t, 12);
    switch (pick(t, 4)) {
    case 0:
        insert(text, size, at, piece);
        break;
    case 1: // delete
        if (at + cut <= n) {
            memmove(text + at, text + at + cut, n - at - cut + 1);
        }
        break;
    case 2: // truncate
        text[pick(t, 4) == 0 ? at : n] = '\0';
        break;
    default: // overwrite
        text[at] = piece[0];
        break;
    }
}

TEST(the_dataset_is_good)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(dataset, "m.adm", 0, NULL, NULL, &m, &err), &err);
    CHECK(t, m != NULL && tml_model_note(m, 0) != NULL);
    tml_model_free(m);
}

TEST(mutations_give_messages)
{
    enum { COUNT = 3000 };
    const int good = fuzz_mutations(t, dataset, "m.adm", "m.adm:", COUNT, mutate);
    CHECK(t, good > 0 && good < COUNT);
}

TEST(mutations_of_others_give_messages)
{
    enum { COUNT = 1000 };
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(other, "m.adm", 0, NULL, NULL, &m, &err), &err);
    tml_model_free(m);
    const int good = fuzz_mutations(t, other, "m.adm", "m.adm:", COUNT, mutate);
    CHECK(t, good > 0 && good < COUNT);
}

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

/* Steps that one run may take: a motion of broken numbers may need very short ones. */
static bool few_steps(void *user, const TmlProgress *p)
{
    (void)user;
    return p->steps + p->rejected < 300;
}

/* 200 of them, half cut off: each gives an error with its place, or runs; none takes long. */
TEST(mutations_run_or_tell_why)
{
    enum { COUNT = 200 };
    int ran = 0, refused = 0;
    for (int k = 0; k < COUNT; ++k) {
        static char text[2 * sizeof dataset];
        memcpy(text, dataset, sizeof dataset);
        for (int j = pick(t, 2); j >= 0; --j) {
            mutate(t, text, sizeof text);
        }
        if (k % 2 == 0) {
            text[pick(t, (int)strlen(text) + 1)] = '\0';
        }
        TmlModel *m = NULL;
        TmlSim *sim = NULL;
        TmlError err = {0};
        const clock_t began = clock();
        TmlStatus status = tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err);
        if (status != TML_OK) {
            CHECK(t, status == TML_E_MODEL && strncmp(err.message, "m.adm:", 6) == 0);
        }
        TmlSimOptions o = tml_sim_options_default();
        o.end_time = o.output_step = 1e-3;
        o.hooks.progress = few_steps;
        if (status == TML_OK) {
            status = tml_sim_create(m, &o, &sim, &err);
            status = status == TML_OK ? tml_sim_run(sim, no_row, NULL, &err) : status;
            CHECK(t, status == TML_OK || err.message[0] != '\0');
        }
        ran += status == TML_OK;
        refused += status != TML_OK;
        // a few hundred steps of a few bodies take a fraction of a second
        CHECK(t, (double)(clock() - began) < 10.0 * CLOCKS_PER_SEC);
        tml_sim_free(sim);
        tml_model_free(m);
    }
    CHECK(t, ran > 0 && refused > 0);
}

/* The same of command files: read, or an error. */
TEST(mutations_of_commands)
{
    enum { COUNT = 200 };
    static const char commands[] =
        "m\nout\n! comment\nSIMULATE/KINEMATICS, END=1.5, STEPS=3\nDEACTIVATE/MOTION, ID=1\n"
        "ACCGRAV/KGRAV=0\nsim/dyn, dur=0.5, dtout=0.25\nSIM/DYNAMICS, END=2.5, &\n, DTOUT=0.25\n"
        "ACTIVATE/JOINT, RANGE=1,7\nSAVE/SYSTEM, FILE=a\nVARIABLE/1, FUNCTION=TIME\nLIST/JOINT\n"
        "SIM/STAT\nRELOAD/SYSTEM, FILE=a\nSIM/STAT\nSTOP\n";
    const char *path = TRAMMEL_BINARY_DIR "/fuzz.acf", *model = TRAMMEL_BINARY_DIR "/fuzz.adm";
    const TmlLoadOptions o = tml_load_options_default();
    FILE *file = fopen(model, "w");
    CHECK(t, file != NULL && fputs(dataset, file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
    int good = 0;
    for (int k = 0; k < COUNT; ++k) {
        static char text[2 * sizeof dataset];
        memcpy(text, commands, sizeof commands);
        for (int j = pick(t, 3); j >= 0 && text[0] != '\0'; --j) {
            mutate(t, text, sizeof text);
        }
        TmlCommands *c = NULL;
        TmlModel *m = NULL;
        TmlError err = {0};
        file = fopen(path, "w");
        CHECK(t, file != NULL && fputs(text, file) >= 0);
        if (file != NULL) {
            fclose(file);
        }
        TmlStatus status = tml_commands_open(path, model, &o, &c, &err);
        const int n = status == TML_OK ? tml_commands_count(c) : 0;
        status = n > 0 ? tml_commands_model(c, n - 1, &m, &err) : status;
        good += status == TML_OK;
        CHECK(t,
              status == TML_OK || (status == TML_E_MODEL && strstr(err.message, "fuzz.a") != NULL));
        tml_model_free(m);
        tml_commands_free(c);
    }
    CHECK(t, good > 0 && good < COUNT);
    remove(path);
    remove(model);
}

/* Files of test rigs with a few bytes changed, or cut off: a table, or an error that names them. */
static void fuzz_history(TestCtx *t, const char *name, const char *copy)
{
    enum { COUNT = 300, SIZE = 2048 };
    char path[1024], text[256];
    unsigned char bytes[SIZE], changed[SIZE];
    int good = 0;
    snprintf(path, sizeof path, "%s/tests/data/adams/tables/%s", test_source_dir(), name);
    FILE *file = fopen(path, "rb");
    CHECK(t, file != NULL);
    const size_t n = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    snprintf(text, sizeof text, "t\nPART/1, GROUND\nMARKER/1, PART=1\nSPLINE/1, FILE=%s\nEND\n",
             copy);
    for (int k = 0; k < COUNT && n > 0; ++k) {
        size_t length = pick(t, 4) == 0 ? (size_t)pick(t, (int)n + 1) : n;
        memcpy(changed, bytes, n);
        for (int j = pick(t, 4); j > 0; --j) { // most of the first bytes are numbers of the header
            const int within = pick(t, 2) == 0 ? 200 : (int)n;
            changed[pick(t, within)] = (unsigned char)pick(t, 256);
        }
        file = fopen(copy, "wb");
        CHECK(t, file != NULL && fwrite(changed, 1, length, file) == length);
        if (file != NULL) {
            fclose(file);
        }
        TmlModel *m = NULL;
        TmlError err = {0};
        const TmlStatus status = tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err);
        good += status == TML_OK;
        CHECK(t, status == TML_OK ||
                     (status == TML_E_MODEL && strncmp(err.message, "m.adm:", 6) == 0));
        tml_model_free(m);
    }
    CHECK(t, good > 0 && good < COUNT);
    remove(copy);
}

TEST(mutations_of_histories)
{
    fuzz_history(t, "history.rsp", TRAMMEL_BINARY_DIR "/fuzz.rsp");
    fuzz_history(t, "history_big.rsp", TRAMMEL_BINARY_DIR "/fuzz_big.rsp");
    fuzz_history(t, "history.dac", TRAMMEL_BINARY_DIR "/fuzz.dac");
    fuzz_history(t, "history_big.dac", TRAMMEL_BINARY_DIR "/fuzz_big.dac");
}

TEST(every_truncation)
{
    static char text[sizeof dataset];
    for (size_t n = 0; n < sizeof dataset; n += 3) {
        memcpy(text, dataset, n);
        text[n] = '\0';
        TmlModel *m = NULL;
        TmlError err = {0};
        const TmlStatus status = tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err);
        CHECK(t, status == TML_OK || (status == TML_E_MODEL && err.message[0] != '\0'));
        tml_model_free(m);
    }
}

TEST(memory_may_run_out_anywhere)
{
    fuzz_memory(t, dataset, "m.adm");
    fuzz_memory(t, other, "m.adm");
}

TEST_SUITE(adams_fuzz) = {CASE(the_dataset_is_good),
                          CASE(mutations_give_messages),
                          CASE(mutations_of_others_give_messages),
                          CASE(mutations_run_or_tell_why),
                          CASE(mutations_of_commands),
                          CASE(mutations_of_histories),
                          CASE(every_truncation),
                          CASE(memory_may_run_out_anywhere),
                          {0}};
