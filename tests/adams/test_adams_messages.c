/* tests/adams/test_adams_messages.c - what is wrong with a statement is told with its place. */
#include "test.h"

#include "trammel/io.h"

static const char head[] = "title\n"
                           "PART/1, GROUND\n"
                           "MARKER/1, PART=1\n"
                           "PART/2, MASS=1, CM=20, IP=1,1,1\n"
                           "MARKER/20, PART=2\n"
                           "JOINT/1, REVOLUTE, I=20, J=1\n"
                           "JOINT/2, FIXED, I=20, J=1\n"
                           "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=1,2,3,4\n"
                           "VARIABLE/1, FUNCTION=0\n"
                           "ARRAY/1, U, VARIABLES=1\n"
                           "ARRAY/2, X\n"
                           "ARRAY/3, U\n"; // the next line is the 13th

#define FE_NODES "FE_PART/1, TYPE=3DBEAM, COORDINATES="
#define FE_SECTIONS ", SECTION=1, 1, 1, 1, 0, 1, 2, 1, 1, 1, 0, 1"
#define FE_BEAM                                                                                    \
    FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n" FE_SECTIONS                                          \
             ", MATERIAL=1\nMATERIAL/1, YOUNGS=1, POISS=0, DENSITY=1\n"
#define TEN "1,2,3,4,5,6,7,8,9,0,"

static const struct {
    const char *statement, *message;
} wrong[] = {
    {"FRICTION/1, MU_STATIC=1", "m.adm:13:1: FRICTION/1: argument JOINT is missing"},
    {"FRICTION/1, JOINT=9", "m.adm:13:19: FRICTION/1: JOINT: there is no JOINT/9"},
    {"FRICTION/1, JOINT=2", "m.adm:13:19: FRICTION/1: JOINT/2 must be a revolute"},
    {"FRICTION/1, JOINT=1, INPUTS=ALL:SOME",
     "m.adm:13:29: FRICTION/1: INPUTS: unknown word 'SOME'"},
    {"FRICTION/1, JOINT=1, MU_STATIC=-1",
     "m.adm:13:32: FRICTION/1: MU_STATIC must not be negative"},
    {"FRICTION/1, JOINT=1, FORMULATION=LUGRE", "m.adm:13:34: FRICTION/1: not supported yet"},
    {"FRICTION/1, JOINT=1, MU=1, OTHER=2", "m.adm:13:28: FRICTION: unknown argument 'OTHER'"},
    {"JOINT/3, SPHERICAL, I=20, J=1, FRICTION=ON", "m.adm:13:41: JOINT/3: only revolute and"},
    {"CURVE/1, OPEN, CURVE_POINTS", "m.adm:13:1: CURVE/1: argument MATRIX is missing"},
    {"CURVE/1, OPEN, CURVE_POINTS, MATRIX=1", "m.adm:13:37: CURVE/1: MATRIX/1 must have three"},
    {"CURVE/1, OPEN, CURVE_POINTS, MATRIX=1, ORDER=12",
     "m.adm:13:46: CURVE/1: expected an ORDER from 2 to 10"},
    {"CURVE/1, OPEN, CURVE_POINTS, MATRIX=1, ORDER=3.5", "m.adm:13:46: CURVE/1: expected an ORDER"},
    {"CURVE/1, OPEN, FUNCTION=USER(1)", "m.adm:13:25: CURVE/1: needs the user-written routine"},
    {"PTCV/1, I=20, JFLOAT=1", "m.adm:13:1: PTCV/1: argument CURVE is missing"},
    {"CVCV/1, ICURVE=4, JCURVE=5", "m.adm:13:26: CVCV/1: JCURVE: there is no CURVE/5"},
    {"MOTION/1, I=20, J=1, FUNCTION=0", "m.adm:13:1: MOTION/1: expected one of X, Y, Z, B1"},
    {"LSE/1, X=2, U=1", "m.adm:13:1: LSE/1: argument A is missing"},
    {"LSE/1, X=2, A=1, U=3", "m.adm:13:20: LSE/1: ARRAY/3 has no VARIABLES"},
    {"TFSISO/1, U=1, NUMERATOR=1", "m.adm:13:1: TFSISO/1: argument DENOMINATOR is missing"},
    {"TFSISO/1, U=1, NUMERATOR=1,2,3, DENOMINATOR=1,1", "more coefficients"},
    {"SENSOR/1, VALUE=1, HALT", "m.adm:13:1: SENSOR/1: argument FUNCTION is missing"},
    {"SENSOR/1, FUNCTION=WRONG(1)\\VALUE=1", "m.adm:13:20: SENSOR/1: "},
    {"NFORCE/1, I=20, J=1, KMATRIX=1", "m.adm:13:30: NFORCE/1: MATRIX/1 has 2 x 2 numbers, not 36"},
    {"NFORCE/1, I=99, J=1, KMATRIX=1", "m.adm:13:13: NFORCE/1: there is no MARKER/99"},
    {"BEAM/1, I=20, J=1, LENGTH=1, AREA=1, IXX=1, IYY=1, IZZ=1, EMOD=1, GMOD=1, FORM=CURVED",
     "m.adm:13:80: BEAM/1: expected LINEAR, STRING or NONLINEAR"},
    {"BEAM/1, I=20, J=1, LENGTH=1, AREA=1, IXX=1, IYY=1, IZZ=1, EMOD=1, GMOD=1, CMATRIX=1,2",
     "m.adm:13:83: BEAM/1: "},
    {"MARKER/9, PART=2, FLOATING\nVARIABLE/9, FUNCTION=VX(9)",
     "m.adm:14:25: VARIABLE/9: floating MARKER/9 belongs to no element"},
    {"MARKER/9, PART=2, FLOATING\nMATRIX/9, FULL=RORDER, ROWS=3, COLUMNS=3, "
     "VALUES=0,0,0,1,0,0,2,0,0\nCURVE/9, OPEN, CURVE_POINTS, MATRIX=9\nPTCV/9, I=1, JFLOAT=9, "
     "CURVE=9\nVARIABLE/9, FUNCTION=PTCV(9,0,9,9)",
     "m.adm:17:31: VARIABLE/9: the component of PTCV must be 1 to 8"},
    {"MARKER/9, PART=2, FLOATING\nPTCV/9, I=1, JFLOAT=9, CURVE=9\nVARIABLE/9, "
     "FUNCTION=DX(20,1,9)",
     "m.adm:15:30: VARIABLE/9: the axes of floating MARKER/9 follow the curve of PTCV/9, which is "
     "not there"},
    {"MARKER/9, PART=2, FLOATING\nPTCV/9, I=1, JFLOAT=9, CURVE=9\nVARIABLE/9, "
     "FUNCTION=ORIENT(90,1,9,1)+ACCX(20,9,1,9)",
     "m.adm:14:30: PTCV/9: CURVE: there is no CURVE/9"},
    {"MARKER/7, PART=2, RM=8\nMARKER/8, PART=2, RM=7", "RM leads back to MARKER/7 itself"},
    {"MARKER/7, PART=2, RM=1", "m.adm:13:22: MARKER/7: RM: MARKER/1 is on another part"},
    {"SPLINE/9, FILE=none.dac", "m.adm:13:16: SPLINE/9: 'none.dac': it cannot be opened"},
    {"SPLINE/9, FILE=none.txt, CHANNEL=2",
     "m.adm:13:34: SPLINE/9: CHANNEL is one of an RPC III file, and 'none.txt' is none"},
    {"SPLINE/9, FILE=" TRAMMEL_SOURCE_DIR "/tests/data/adams/tables/history.dac, CHANNEL=2",
     "history.dac': a DAC file has one channel"},
    {"SPLINE/9, FILE=" TRAMMEL_SOURCE_DIR "/tests/data/adams/tables/history.rsp, CHANNEL=3",
     "history.rsp': CHANNEL must be 1 to 2"},
    {"SURFACE/1", "m.adm:13:1: SURFACE/1: not supported yet: a surface"},
    {"FLEX_BODY/1", "m.adm:13:1: FLEX_BODY/1: needs its part from finite elements, which 'trammel "
                    "reduce' makes: name it with --flex 1=PART.h5"},
    {"FLEX_BODY/1, CRATIO=0.1\\, MNF_FILE=Crank.mnf",
     "m.adm:13:36: FLEX_BODY/1: MNF_FILE: 'Crank.mnf' is not read: reduce the mesh"},
    {"MARKER/90, FLEX_BODY=7", "m.adm:13:22: MARKER/90: FLEX_BODY: there is no FLEX_BODY/7"},
    {"FE_PART/1, TYPE=3DBEAM", "m.adm:13:1: FE_PART/1: argument COORDINATES is missing"},
    {"FE_PART/1, TYPE=4DBEAM, COORD=1", "m.adm:13:17: FE_PART/1: TYPE: expected 3DBEAM, 2DBEAMXY"},
    {FE_NODES "1,2,3,4,5\n" FE_SECTIONS, "m.adm:13:37: FE_PART/1: COORDINATES: expected 7 numbers"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n, SECTION=1, 1, 1, 1, 0, 1, 2, 1, 1, 1, 0, 1",
     "m.adm:13:1: FE_PART/1: argument MATERIAL is missing"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n" FE_SECTIONS ", MATERIAL=3",
     "m.adm:14:56: FE_PART/1: MATERIAL: there is no MATERIAL/3"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n" FE_SECTIONS ", MATERIAL=1\nMATERIAL/1, NAME=a",
     "m.adm:14:56: FE_PART/1: MATERIAL: MATERIAL/1 has no YOUNGS_MODULUS"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n" FE_SECTIONS
              ", MATERIAL=1\nMATERIAL/1, YOUNGS=-1, POISS=0, DENSITY=1",
     "m.adm:15:20: MATERIAL/1: YOUNGS_MODULUS must be above 0, got -1"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n, NODE_LABELS=1,3" FE_SECTIONS,
     "m.adm:13:37: FE_PART/1: COORDINATES: node 3 is missing"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n, NODE_LABELS=1,2,1" FE_SECTIONS,
     "m.adm:14:15: FE_PART/1: node 1 is listed twice"},
    {FE_NODES "1,0,0,0,0,0,0\n" FE_SECTIONS, "m.adm:13:1: FE_PART/1: a FE_PART needs two nodes"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n, SECTION=1, 1, 1, 1, 0, 1",
     "m.adm:14:11: FE_PART/1: SECTION: node 2 is missing"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n, SECTION=1, 1, 1, 1, 0, 1, 2, 1, 1, 1, 2, 1",
     "m.adm:14:11: FE_PART/1: SECTION: node 2 needs area, Iyy and Izz above 0 and Iyz^2"},
    {FE_NODES "1,0,0,0,0,0,0, 2,1,0,0,0,0,0\n, SECTION=1, 1, 1, 1, 0, 0, 2, 1, 1, 1, 0, 1",
     "m.adm:14:11: FE_PART/1: SECTION: node 1 needs Jxx above 0"},
    {FE_NODES "1,0,0,0,0,0,0, 2,0,1,0,0,0,0\n" FE_SECTIONS,
     "m.adm:13:37: FE_PART/1: COORDINATES: from node 1 to node 2 x of both must point along"},
    {FE_BEAM "MARKER/30, FE_PART=1", "m.adm:16:1: MARKER/30: a marker of a FE_PART needs NODE"},
    {FE_BEAM "MARKER/30, FE_PART=1, NODE_LABEL=7",
     "m.adm:16:34: MARKER/30: NODE_LABEL: FE_PART/1 has no node 7"},
    {"MARKER/30, FE_PART=8, NODE_LABEL=7",
     "m.adm:13:20: MARKER/30: FE_PART: there is no FE_PART/8"},
    {FE_BEAM "FE_LOAD/1, FE_PART=1", "m.adm:16:1: FE_LOAD/1: no component is given"},
    {FE_BEAM "FE_LOAD/1, FX=1", "m.adm:16:1: FE_LOAD/1: argument FE_PART is missing"},
    {FE_BEAM "FE_LOAD/1, FE_PART=1, FX=SD(7)",
     "m.adm:16:29: FE_LOAD/1: the component of SD must be 1 to 6"},
    {FE_BEAM "FE_LOAD/1, FE_PART=1, FUNCTION=USER(1)",
     "m.adm:16:23: FE_LOAD/1: FUNCTION is not supported yet: a load"},
    {FE_BEAM "FE_LOAD/1, FE_PART=1, FY=SIN(", "m.adm:16:29: FE_LOAD/1: the parenthesis"},
    {"VARIABLE/9, FUNCTION=S*2", "m.adm:13:22: VARIABLE/9: S is the place along a beam"},
    {"VARIABLE/9, FUNCTION=SV(1)", "m.adm:13:22: VARIABLE/9: SV is of the place along a beam"},
    {FE_BEAM "FE_PART/2, PRELOAD=a.mtx",
     "m.adm:16:12: FE_PART/2: PRELOAD is not supported yet: stresses"},
    {"VARIABLE/2, FUNCTION=DXYZ(20,1)", "m.adm:13:22: VARIABLE/2: a number is needed here, and"},
    {"VARIABLE/2, FUNCTION=1+DXYZ(20,1)", "m.adm:13:23: VARIABLE/2: a vector and a number cannot"},
    {"VARIABLE/2, FUNCTION=2/[1,2,3]*2",
     "m.adm:13:23: VARIABLE/2: a vector cannot be used under /"},
    {"VARIABLE/2, FUNCTION=2%[1,2,3]", "m.adm:13:23: VARIABLE/2: % is a product of two vectors"},
    {"VARIABLE/2, FUNCTION=MAG([1,2])", "m.adm:13:30: VARIABLE/2: unexpected ']'"},
    {"VARIABLE/2, FUNCTION=MAG([1,2,3,4])", "m.adm:13:26: VARIABLE/2: a vector has three"},
    {"VARIABLE/2, FUNCTION=MAG([1,2,UVX(20)])", "m.adm:13:26: VARIABLE/2: components of a vector"},
    {"VARIABLE/2, FUNCTION=MAG(2)", "m.adm:13:26: VARIABLE/2: MAG needs a vector"},
    {"VARIABLE/2, FUNCTION=MAG(UV(2))", "m.adm:13:29: VARIABLE/2: UV needs a vector"},
    {"VARIABLE/2, FUNCTION=SIN(UVX(20))", "m.adm:13:26: VARIABLE/2: a number is needed here, and"},
    {"VARIABLE/2, FUNCTION=UVX(20)**2", "m.adm:13:29: VARIABLE/2: ** needs numbers, not vectors"},
    {"VARIABLE/2, FUNCTION=[1,2,3]*UVX(20", "m.adm:13:30: VARIABLE/2: the parenthesis behind UVX"},
    {"VARIABLE/2, FUNCTION=([1,2,3]*UVX(20)", "m.adm:13:22: VARIABLE/2: the parenthesis is not"},
    {"VARIABLE/2, FUNCTION=[1,2,3]*", "m.adm:13:29: VARIABLE/2: the expression ends too early"},
    {"VARIABLE/2, FUNCTION=UVX(9)*UVX(20)", "m.adm:13:26: VARIABLE/2: there is no MARKER/9"},
    {"VARIABLE/2, FUNCTION=UVX()*UVX(20)", "m.adm:13:22: VARIABLE/2: UVX takes 1 or 2 arguments"},
    {"VARIABLE/2, FUNCTION=MAG(UV())", "m.adm:13:26: VARIABLE/2: UV takes 1 argument, got 0"},
    {"VARIABLE/2, FUNCTION=NFORCE(9,20,2)", "m.adm:13:29: VARIABLE/2: there is no NFORCE/9"},
    {"VARIABLE/2, FUNCTION=FRICTION(9,1)", "m.adm:13:31: VARIABLE/2: there is no FRICTION/9"},
    {"VARIABLE/2, FUNCTION=CURVE(TIME,0,1,9)", "m.adm:13:37: VARIABLE/2: there is no CURVE/9"},
    {"VARIABLE/2, FUNCTION=INTERP(TIME,1,9)", "m.adm:13:36: VARIABLE/2: there is no SPLINE/9"},
    {"VARIABLE/2, FUNCTION=DELAY(DX(20),1,VX(20))",
     "m.adm:13:37: VARIABLE/2: the history of DELAY must be a function of TIME"},
    {"VARIABLE/2, FUNCTION=DELAY(DX(20),1,VARVAL(2))", "the history of DELAY must be a function"},
    {"VARIABLE/2, FUNCTION=DELAY(DX(20),1,0,9)", "m.adm:13:39: VARIABLE/2: there is no ARRAY/9"},
    {"VARIABLE/2, FUNCTION=DELAY(DX(99),1,0)", "m.adm:13:31: VARIABLE/2: there is no MARKER/99"},
    {"VARIABLE/2, FUNCTION=DELAY(DX(20),FOO,0)", "m.adm:13:35: VARIABLE/2: unknown name 'FOO'"},
    {"VARIABLE/2, FUNCTION=FXFREQ/2",
     "m.adm:13:22: VARIABLE/2: FXFREQ is for the damping of modes"},
    {"VARIABLE/2, FUNCTION=CONTACT(1,0,2,0)", "m.adm:13:30: VARIABLE/2: there is no CONTACT/1"},
    {"VARIABLE/2, FUNCTION=FXFREQ(1)", "m.adm:13:22: VARIABLE/2: FXFREQ takes no arguments"},
    {"SPLINE/1, X=1,2,3,4, Y=1,2,3,4\nVARIABLE/2, FUNCTION=INTERP(TIME,2,1)",
     "m.adm:14:34: VARIABLE/2: INTERP: the method is 1, linear, or 3, cubic"},
    {"SPLINE/1, X=1,2,3,4, Y=1,2,3,4\nVARIABLE/2, FUNCTION=INTERP(TIME,1,1,3)",
     "m.adm:14:38: VARIABLE/2: INTERP: the order of a derivative is 0, 1 or 2"},
    {"SPLINE/1, X=1,2,3,4, Y=1,2,3,4\nVARIABLE/2, FUNCTION=INVPSD(TIME,1,3,2,9,0,0)",
     "m.adm:14:38: VARIABLE/2: INVPSD: frequencies must increase"},
    {"SPLINE/1, X=1,2,3,4, Y=1,2,3,4\nVARIABLE/2, FUNCTION=INVPSD(TIME,1,1,2,1,0,0)",
     "m.adm:14:40: VARIABLE/2: INVPSD takes 2 to 1000 frequencies"},
    {"SPLINE/1, X=1,2,3,4, Y=1,2,3,4\nVARIABLE/2, FUNCTION=INVPSD(TIME,1,1,TIME,5,0,0)",
     "m.adm:14:38: VARIABLE/2: a number is expected instead of 'TIME'"},
    {"VFORCE/1, I=20, JFLOAT=1, FXYZ=1", "m.adm:13:32: VFORCE/1: a vector is needed here"},
    {"UCON/1, I=20", "m.adm:13:1: UCON/1: argument FUNCTION is missing"},
    {"JIONT/3, FIXED", "m.adm:13:1: unknown statement 'JIONT'; did you mean JOINT?"},
    {"JOINT 3, FIXED, I=20, J=1", "m.adm:13:1: expected '/' behind JOINT: JOINT/1, ..."},
    {"MARKER/3 PART=2", "m.adm:13:10: MARKER/3: expected ',' behind the identifier"},
    {"MARKER/3, PART=7", "m.adm:13:16: MARKER/3: PART: there is no PART/7"},
    {"PART/3, MAS5=1", "m.adm:13:9: PART: unknown argument 'MAS5'; did you mean MASS?"},
    {"PART/3, MASS 1", "m.adm:13:9: PART: unknown argument 'MASS'; '=' and its value are missing"},
    {"JOINT/3, FIXED=1, I=20, J=1", "JOINT: unknown argument 'FIXED'; it takes no value"},
    {"PART/3, MASS=1 CM=20", "PART/3: MASS: expected 1 number, got '1 CM=20'; is a comma missing?"},
    {"MARKER/3, PART=2, QP=5D,0,0", "m.adm:13:22: MARKER/3: QP: D is for angles, got '5D,0,0'"},
    {"JOINT/3, FIXED, PLANAR, I=20, J=1",
     "m.adm:13:17: JOINT/3: FIXED and PLANAR exclude each other"},
    {"MOTION/1, JOINT=2, FUNCTION=TIME", "m.adm:13:17: MOTION/1: JOINT/2 has no angle to drive"},
    {"MOTION/1, JOINT=1, TRANS, FUNCTION=TIME", "MOTION/1: JOINT/1 has no displacement to drive"},
    {"UNITS/LENGTH=MM", "m.adm:13:14: UNITS: LENGTH: unknown unit 'MM'; known are METER, MILLI"},
    {"UNITS/UCF=1, MASS=GRAM", "m.adm:13:11: UNITS: UCF is a positive number, and stands alone"},
    {"VARIABLE/2, FUNCTION=2*(TIME+1",
     "m.adm:13:24: VARIABLE/2: the parenthesis '(' is not closed"},
    {"VARIABLE/2, FUNCTION=2*TIME)", "m.adm:13:28: VARIABLE/2: ')' closes no parenthesis"},
    {"VARIABLE/2, FUNCTION=2*TIME*", "m.adm:13:28: VARIABLE/2: a value is missing behind '*'"},
    {"VARIABLE/2, FUNCTION=2**/TIME", "m.adm:13:25: VARIABLE/2: a value is missing before '/'"},
    {"VARIABLE/2, FUNCTION=SIN(2*)", "m.adm:13:27: VARIABLE/2: a value is missing behind '*'"},
    {"VARIABLE/2, FUNCTION=2 TIME", "m.adm:13:24: VARIABLE/2: an operator is missing before 'T'"},
    {"VARIABLE/2, FUNCTION=CUBSPLN(TIME,0,1)",
     "m.adm:13:22: VARIABLE/2: function CUBSPLN is not known; did you mean CUBSPL?"},
    {"VARIABLE/2, FUNCTION=DM(20,1,1,1)", "VARIABLE/2: DM takes 1 or 2 arguments, got 4"},
    {"VARIABLE/2, FUNCTION=STEP(TIME,0,1,1)", "VARIABLE/2: STEP takes 5 arguments, got 4"},
    {"VARIABLE/2, FUNCTION=MAX(" TEN TEN TEN TEN TEN TEN TEN "1)",
     "m.adm:13:22: VARIABLE/2: MAX has 71 arguments; 64 are read at most"},
    {"VARIABLE/2, FUNCTION=JOINT(1,TIME,2,0)",
     "m.adm:13:30: VARIABLE/2: the flag of JOINT must be 0, on I, or 1, on J"},
    {"VARIABLE/2, FUNCTION=JOINT(1,0,2.5,0)", "the component of JOINT must be 1 to 8"},
    {"MARKER/3, PART=2, REULER=0,0,0, ZP=1,0,0",
     "m.adm:13:19: MARKER/3: REULER and ZP exclude each other"},
    {"MATRIX/2, SPARSE, ROWS=2, COLUMNS=2, I=1E12, J=1, VALUES=1",
     "m.adm:13:1: MATRIX/2: entry (1e+12, 1) is outside of it"},
    {"VARIABLE/2, FUNCTION=IF(TIME,0,1,1)", "IF(x: a, b, c): expected ':' behind the first value"},
};

TEST(errors_have_places)
{
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[1024];
        TmlModel *m = NULL;
        TmlError err = {0};
        t->name = wrong[k].statement;
        snprintf(text, sizeof text, "%s%s\nEND\n", head, wrong[k].statement);
        CHECK_INT(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].message);
        CHECK(t, m == NULL);
        tml_model_free(m);
    }
}

/* What changes little, or only in other analyses, is a note. */
/* A file of numbers with something else behind them. */
TEST(lines_of_files_have_numbers)
{
    char text[2048];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, "%sSPLINE/1, FILE=%s/tests/data/adams/tables/wrong.txt\nEND\n",
             head, test_source_dir());
    CHECK_INT(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "tables/wrong.txt', line 3: expected numbers only");
    CHECK(t, m == NULL);
}

TEST(notes_have_places)
{
    static const struct {
        const char *statement, *message;
    } notes[] = {
        {"FIELD/1, I=20, J=1, FORM=NON, KMATRIX=1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,"
         "0,0,0,0,1,0,0,0,0,0,0,1",
         "m.adm:13:26: FIELD/1: taken as LINEAR: without LENGTH"},
        {"VARIABLE/2, FUNCTION=1.0D-3*TIME",
         "m.adm:13:22: VARIABLE/2: 1.0D- is an angle in degrees; write 1.0E-.. for a power"},
        {"JOINT/3, REVOLUTE, I=20, J=1, MU_DYN_ROT=0.3, INNER_RADIUS=1",
         "m.adm:13:1: JOINT/3: no friction: it is off without FRICTION = ON"},
    };
    for (size_t k = 0; k < sizeof notes / sizeof *notes; ++k) {
        char text[1024];
        TmlModel *m = NULL;
        TmlError err = {0};
        bool found = false;
        t->name = notes[k].statement;
        snprintf(text, sizeof text, "%s%s\nEND\n", head, notes[k].statement);
        CHECK_OK(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err), &err);
        for (int i = 0; m != NULL && tml_model_note(m, i) != NULL; ++i) {
            found |= strstr(tml_model_note(m, i), notes[k].message) != NULL;
        }
        CHECK(t, found);
        tml_model_free(m);
    }
}

/* One mistake, one message, however often the argument is asked for. */
TEST(a_mistake_is_told_once)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    char text[1024];
    snprintf(text, sizeof text, "%sMARKER/3, PART=2, REULER=1,2\nJOINT/3, FIXED, I=3, J=1\nEND\n",
             head);
    CHECK_INT(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "m.adm:13:26: MARKER/3: REULER: expected 3 numbers, got '1,2'");
    tml_model_free(m);
}

/* Files that hold no dataset. */
TEST(what_is_no_dataset)
{
    static const struct {
        const char *text, *message;
    } files[] = {{"a title\n! only\n", "m.adm:1:1: there is no statement in this file"},
                 {"\xff\xfeP", "m.adm:1:1: the file is written in UTF-16"},
                 {"", "m.adm:1:1: there is no statement in this file"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
        TmlModel *m = NULL;
        TmlError err = {0};
        CHECK_INT(t, tml_load_text(files[k].text, "m.adm", 0, NULL, NULL, &m, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, files[k].message);
        tml_model_free(m);
    }
}

TEST_SUITE(adams_messages) = {CASE(errors_have_places), CASE(lines_of_files_have_numbers),
                              CASE(notes_have_places),  CASE(a_mistake_is_told_once),
                              CASE(what_is_no_dataset), {0}};
