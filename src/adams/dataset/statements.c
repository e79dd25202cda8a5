/* adams/dataset/statements.c - all facts of the statements: arguments, translators, what they act on.
 *
 * The order of rows decides what a cut word means: the first row that begins with it.
 */
#include "adams/dataset/statements.h"

#include <stddef.h>

#include "adams/dataset/dataset.h"
#include "adams/user/library.h"

#define FLAG(name)                                                                                 \
    {                                                                                              \
        name, TML_ADM_FLAG, TML_ADM_USED, NULL                                                     \
    }
#define ID(name)                                                                                   \
    {                                                                                              \
        name, TML_ADM_ID, TML_ADM_USED, NULL                                                       \
    }
#define IDS(name)                                                                                  \
    {                                                                                              \
        name, TML_ADM_IDS, TML_ADM_USED, NULL                                                      \
    }
#define REALS(name)                                                                                \
    {                                                                                              \
        name, TML_ADM_REALS, TML_ADM_USED, NULL                                                    \
    }
#define EXPR(name)                                                                                 \
    {                                                                                              \
        name, TML_ADM_EXPR, TML_ADM_USED, NULL                                                     \
    }
#define WORDS(name)                                                                                \
    {                                                                                              \
        name, TML_ADM_WORDS, TML_ADM_USED, NULL                                                    \
    }
#define TEXT(name)                                                                                 \
    {                                                                                              \
        name, TML_ADM_TEXT, TML_ADM_USED, NULL                                                     \
    }
#define SKIP(name, kind)                                                                           \
    {                                                                                              \
        name, kind, TML_ADM_IGNORED, NULL                                                          \
    }
#define NOTE(name, kind, text)                                                                     \
    {                                                                                              \
        name, kind, TML_ADM_IGNORED, text                                                          \
    }
#define NOT_YET(name, kind, text)                                                                  \
    {                                                                                              \
        name, kind, TML_ADM_REFUSED, text                                                          \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, TML_ADM_FLAG, TML_ADM_USED, NULL                                                     \
    }

static const TmlAdmKey units[] = {WORDS("MASS"),
                                  WORDS("LENGTH"),
                                  WORDS("FORCE"),
                                  WORDS("TIME"),
                                  WORDS("SYSTEM"),
                                  REALS("UCF"),
                                  END};

static const TmlAdmKey accgrav[] = {REALS("IGRAV"), REALS("JGRAV"), REALS("KGRAV"), END};

static const TmlAdmKey part[] = {FLAG("GROUND"),
                                 REALS("MASS"),
                                 SKIP("MATERIAL", TML_ADM_WORDS),
                                 ID("CM"),
                                 ID("IM"),
                                 REALS("IP"),
                                 REALS("QG"),
                                 REALS("REULER"),
                                 REALS("ZG"),
                                 REALS("XG"),
                                 REALS("VX"),
                                 REALS("VY"),
                                 REALS("VZ"),
                                 REALS("WX"),
                                 REALS("WY"),
                                 REALS("WZ"),
                                 ID("VM"),
                                 ID("WM"),
                                 WORDS("EXACT"),
                                 END};

static const TmlAdmKey point_mass[] = {REALS("MASS"), ID("CM"),       REALS("QG"), REALS("REULER"),
                                       REALS("ZG"),   REALS("XG"),    REALS("VX"), REALS("VY"),
                                       REALS("VZ"),   WORDS("EXACT"), END};

static const TmlAdmKey marker[] = {
    ID("PART"),
    ID("POINT_MASS"),
    REALS("QP"),
    REALS("REULER"),
    REALS("ZP"),
    REALS("XP"),
    FLAG("USEXP"),
    FLAG("FLOATING"),
    ID("RM"),
    ID("FLEX_BODY"),
    ID("FE_PART"),
    NOT_YET("CURVE", TML_ADM_ID, "a marker that follows a curve"),
    SKIP("VELOCITY", TML_ADM_REALS),
    IDS("NODE_ID"),
    REALS("NODE_LABEL"),
    END,
};

static const TmlAdmKey material[] = {TEXT("NAME"), REALS("DENSITY"), REALS("YOUNGS_MODULUS"),
                                     REALS("POISSONS_RATIO"), END};

static const TmlAdmKey fe_part[] = {
    WORDS("TYPE"),
    REALS("QG"),
    REALS("REULER"),
    ID("MATERIAL"),
    REALS("NODE_LABELS"),
    REALS("COORDINATES"),
    REALS("SECTION"),
    REALS("CRATIOK"),
    REALS("CRATIOM"),
    REALS("VX"),
    REALS("VY"),
    REALS("VZ"),
    REALS("WX"),
    REALS("WY"),
    REALS("WZ"),
    ID("VM"),
    ID("WM"),
    NOTE("EXACT", TML_ADM_WORDS, "the assembly may move its nodes"),
    NOT_YET("PRELOAD", TML_ADM_TEXT, "stresses at the start, from a file"),
    END,
};

static const TmlAdmKey flex_body[] = {
    REALS("QG"),
    REALS("REULER"),
    REALS("ZG"),
    REALS("XG"),
    REALS("VX"),
    REALS("VY"),
    REALS("VZ"),
    REALS("WX"),
    REALS("WY"),
    REALS("WZ"),
    ID("VM"),
    ID("WM"),
    WORDS("EXACT"),
    REALS("MODES"),
    REALS("DMODE"),
    REALS("VMODE"),
    NOTE("MEXACT", TML_ADM_REALS, "the assembly deforms bodies only where it must"),
    EXPR("CRATIO"),
    SKIP("ROUTINE", TML_ADM_TEXT),
    WORDS("INVARIANTS"),
    SKIP("MATRICES", TML_ADM_IDS),
    TEXT("MNF_FILE"),
    TEXT("DB_FILE"),
    TEXT("BDF_FILE"),
    SKIP("INDEX_IN_DATABASE", TML_ADM_REALS),
    SKIP("CHAR_LEN", TML_ADM_REALS),
    WORDS("GENERALIZED_DAMPING"),
    REALS("DYNAMIC_LIMIT"),
    SKIP("STABILITY_FACTOR", TML_ADM_REALS),
    WORDS("REPRESENTATION"),
    END,
};

static const TmlAdmKey fe_load[] = {
    ID("FE_PART"),
    ID("RM"),
    EXPR("FX"),
    EXPR("FY"),
    EXPR("FZ"),
    EXPR("TX"),
    EXPR("TY"),
    EXPR("TZ"),
    NOT_YET("FUNCTION", TML_ADM_EXPR, "a load by a user-written routine"),
    SKIP("ROUTINE", TML_ADM_TEXT),
    END,
};

static const TmlAdmKey mforce[] = {
    ID("FLEX_BODY"),
    ID("JFLOAT"),
    REALS("CASE_INDEX"),
    EXPR("SCALE"),
    NOT_YET("FORCE", TML_ADM_EXPR,
            "a modal force by the user-written routine MFOSUB; write load cases in the part, and "
            "CASE_INDEX with SCALE"),
    NOT_YET("FUNCTION", TML_ADM_EXPR,
            "a modal force by the user-written routine MFOSUB; write load cases in the part, and "
            "CASE_INDEX with SCALE"),
    SKIP("ROUTINE", TML_ADM_TEXT),
    END,
};

static const TmlAdmKey joint[] = {
    FLAG("REVOLUTE"),
    FLAG("TRANSLATIONAL"),
    FLAG("CYLINDRICAL"),
    FLAG("SPHERICAL"),
    FLAG("UNIVERSAL"),
    FLAG("HOOKE"),
    FLAG("FIXED"),
    FLAG("PLANAR"),
    FLAG("SCREW"),
    FLAG("RACKPIN"),
    FLAG("CONVEL"),
    ID("I"),
    ID("J"),
    REALS("PITCH"),
    REALS("PD"),
    REALS("IC"),
    REALS("ICTRAN"),
    REALS("ICROT"),
    REALS("MAXIMUM_DEFORMATION"),
    REALS("DELTA_V"),
    REALS("INNER_RADIUS"),
    REALS("OUTER_RADIUS"),
    REALS("HEIGHT"),
    REALS("WIDTH"),
    SKIP("INITIAL_OVERLAP", TML_ADM_REALS),
    SKIP("OVERLAP", TML_ADM_WORDS),
    REALS("PRELOAD_AXIAL"),
    REALS("PRELOAD_RADIAL"),
    REALS("PRELOAD_X"),
    REALS("PRELOAD_Y"),
    REALS("MU_STAT_ROT"),
    REALS("MU_STAT_TRANS"),
    REALS("MU_DYN_ROT"),
    REALS("MU_DYN_TRANS"),
    SKIP("MAX_FRIC_ROT", TML_ADM_REALS),
    SKIP("MAX_FRIC_TRANS", TML_ADM_REALS),
    WORDS("FRICTION"),
    END,
};

static const TmlAdmKey friction[] = {
    ID("JOINT"),
    REALS("MU_STATIC"),
    REALS("MU_DYNAMIC"),
    REALS("REACTION_ARM"),
    REALS("FRICTION_ARM"),
    REALS("BENDING_REACTION_ARM"),
    REALS("INITIAL_OVERLAP"),
    REALS("PIN_RADIUS"),
    REALS("BALL_RADIUS"),
    REALS("STICTION_TRANSITION_VELOCITY"),
    REALS("TRANSITION_VELOCITY_COEFFICIENT"),
    REALS("MAX_STICTION_DEFORMATION"),
    REALS("FRICTION_FORCE_PRELOAD"),
    REALS("FRICTION_TORQUE_PRELOAD"),
    NOT_YET("MAX_FRICTION_FORCE", TML_ADM_REALS, "a limit of the friction"),
    NOT_YET("MAX_FRICTION_TORQUE", TML_ADM_REALS, "a limit of the friction"),
    WORDS("OVERLAP_DELTA"),
    WORDS("EFFECT"),
    WORDS("INPUTS"),
    WORDS("YOKE"),
    FLAG("I_YOKE"),
    FLAG("J_YOKE"),
    WORDS("FORMULATION"),
    SKIP("INACTIVE_DURING", TML_ADM_WORDS),
    SKIP("SMOOTH", TML_ADM_WORDS),
    SKIP("ROTATIONAL_CONSTRAINT", TML_ADM_WORDS),
    NOT_YET("BRISTLE_STIFFNESS", TML_ADM_REALS, "friction by LuGre"),
    NOT_YET("DAMPING_EFFECTS", TML_ADM_REALS, "friction by LuGre"),
    NOT_YET("VISCOUS_EFFECTS", TML_ADM_REALS, "friction by LuGre"),
    END,
};

static const TmlAdmKey jprim[] = {FLAG("ATPOINT"),
                                  FLAG("INLINE"),
                                  FLAG("INPLANE"),
                                  FLAG("ORIENTATION"),
                                  FLAG("PARALLEL_AXES"),
                                  FLAG("PERPENDICULAR"),
                                  ID("I"),
                                  ID("J"),
                                  END};

static const TmlAdmKey motion[] = {
    ID("JOINT"),
    ID("I"),
    ID("J"),
    FLAG("ROTATIONAL"),
    FLAG("TRANSLATIONAL"),
    FLAG("TRANSLATION"),
    FLAG("X"),
    FLAG("Y"),
    FLAG("Z"),
    FLAG("B1"),
    FLAG("B2"),
    FLAG("B3"),
    FLAG("DISPLACEMENT"),
    FLAG("VELOCITY"),
    FLAG("ACCELERATION"),
    EXPR("FUNCTION"),
    TEXT("ROUTINE"),
    REALS("ICDISP"),
    REALS("ICVEL"),
    END,
};

static const TmlAdmKey sforce[] = {FLAG("TRANSLATIONAL"),
                                   FLAG("ROTATIONAL"),
                                   FLAG("ACTIONONLY"),
                                   ID("I"),
                                   ID("J"),
                                   EXPR("FUNCTION"),
                                   TEXT("ROUTINE"),
                                   END};

static const TmlAdmKey springdamper[] = {FLAG("TRANSLATION"),
                                         FLAG("ROTATION"),
                                         ID("I"),
                                         ID("J"),
                                         REALS("C"),
                                         REALS("K"),
                                         REALS("CT"),
                                         REALS("KT"),
                                         REALS("FORCE"),
                                         REALS("LENGTH"),
                                         REALS("TORQUE"),
                                         REALS("ANGLE"),
                                         FLAG("TRANSLATIONAL"),
                                         FLAG("ROTATIONAL"),
                                         END};

static const TmlAdmKey vforce[] = {
    ID("I"),    ID("JFLOAT"), ID("J"),          ID("RM"),        EXPR("FX"),         EXPR("FY"),
    EXPR("FZ"), EXPR("FXYZ"), EXPR("FUNCTION"), TEXT("ROUTINE"), FLAG("ACTIONONLY"), END};

static const TmlAdmKey vtorque[] = {ID("I"),          ID("JFLOAT"),    ID("J"),    ID("RM"),
                                    EXPR("TX"),       EXPR("TY"),      EXPR("TZ"), EXPR("TXYZ"),
                                    EXPR("FUNCTION"), TEXT("ROUTINE"), END};

static const TmlAdmKey gforce[] = {ID("I"),          ID("JFLOAT"),    ID("J"),      ID("RM"),
                                   EXPR("FX"),       EXPR("FY"),      EXPR("FZ"),   EXPR("TX"),
                                   EXPR("TY"),       EXPR("TZ"),      EXPR("FXYZ"), EXPR("TXYZ"),
                                   EXPR("FUNCTION"), TEXT("ROUTINE"), END};

static const TmlAdmKey bushing[] = {ID("I"),        ID("J"),         REALS("C"),
                                    REALS("K"),     REALS("CT"),     REALS("KT"),
                                    REALS("FORCE"), REALS("TORQUE"), END};

static const TmlAdmKey beam[] = {
    ID("I"),           ID("J"),         REALS("LENGTH"),  REALS("IXX"),         REALS("IYY"),
    REALS("IZZ"),      REALS("AREA"),   REALS("ASY"),     REALS("ASZ"),         REALS("EMODULUS"),
    REALS("GMODULUS"), REALS("CRATIO"), REALS("CMATRIX"), WORDS("FORMULATION"), END,
};

static const TmlAdmKey field[] = {
    ID("I"),
    ID("J"),
    REALS("CRATIO"),
    REALS("CMATRIX"),
    REALS("KMATRIX"),
    REALS("FORCE"),
    REALS("LENGTH"),
    REALS("LENGTH_TOL"),
    WORDS("FORMULATION"),
    EXPR("FUNCTION"),
    TEXT("ROUTINE"),
    END,
};

static const TmlAdmKey nforce[] = {IDS("I"),        ID("J"),      ID("KMATRIX"), ID("CMATRIX"),
                                   REALS("CRATIO"), ID("LENGTH"), ID("FORCE"),   END};

static const TmlAdmKey coupler[] = {IDS("JOINTS"),    WORDS("TYPE"),   REALS("SCALES"),
                                    EXPR("FUNCTION"), TEXT("ROUTINE"), END};

static const TmlAdmKey gear[] = {IDS("JOINTS"), ID("CV"), END};

static const TmlAdmKey variable[] = {REALS("IC"),
                                     EXPR("FUNCTION"),
                                     TEXT("ROUTINE"),
                                     SKIP("AERROR", TML_ADM_REALS),
                                     SKIP("RERROR", TML_ADM_REALS),
                                     END};

static const TmlAdmKey diff[] = {REALS("IC"),      EXPR("FUNCTION"),    TEXT("ROUTINE"),
                                 FLAG("IMPLICIT"), FLAG("STATIC_HOLD"), END};

static const TmlAdmKey gcon[] = {ID("I"), EXPR("FUNCTION"), TEXT("ROUTINE"), END};

static const TmlAdmKey request[] = {
    FLAG("DISPLACEMENT"),
    FLAG("VELOCITY"),
    FLAG("ACCELERATION"),
    FLAG("FORCE"),
    ID("I"),
    ID("J"),
    ID("RM"),
    TEXT("COMMENT"),
    EXPR("F1"),
    EXPR("F2"),
    EXPR("F3"),
    EXPR("F4"),
    EXPR("F5"),
    EXPR("F6"),
    EXPR("F7"),
    EXPR("F8"),
    EXPR("FUNCTION"),
    TEXT("ROUTINE"),
    SKIP("TITLE", TML_ADM_WORDS),
    SKIP("CNAMES", TML_ADM_WORDS),
    SKIP("CUNITS", TML_ADM_WORDS),
    SKIP("CLABELS", TML_ADM_WORDS),
    SKIP("RESULTS_NAME", TML_ADM_TEXT),
    END,
};

static const TmlAdmKey mrequest[] = {FLAG("DISPLACEMENT"),
                                     FLAG("VELOCITY"),
                                     FLAG("ACCELERATION"),
                                     FLAG("FORCE"),
                                     WORDS("PARTS"),
                                     WORDS("JOINTS"),
                                     WORDS("JPRIMS"),
                                     WORDS("APPFORS"),
                                     ID("RM"),
                                     TEXT("COMMENT"),
                                     END};

static const TmlAdmKey spline[] = {
    REALS("X"),       REALS("Y"),
    TEXT("FILE"),     TEXT("BLOCK"),
    REALS("CHANNEL"), FLAG("LINEAR_EXTRAPOLATE"),
    TEXT("ROUTINE"),  END,
};

static const TmlAdmKey matrix[] = {
    WORDS("FULL"), FLAG("SPARSE"),  REALS("ROWS"), REALS("COLUMNS"), REALS("I"),
    REALS("J"),    REALS("VALUES"), TEXT("FILE"),  TEXT("NAME"),     END};

static const TmlAdmKey string[] = {TEXT("STRING"), END};

static const TmlAdmKey array[] = {FLAG("IC"),       FLAG("X"),        FLAG("Y"),     FLAG("U"),
                                  IDS("VARIABLES"), REALS("NUMBERS"), REALS("SIZE"), END};

static const TmlAdmKey integrator[] = {
    FLAG("GSTIFF"),       FLAG("WSTIFF"),       FLAG("HHT"),
    FLAG("NEWMARK"),      FLAG("DSTIFF"),       FLAG("HASTIFF"),
    FLAG("SI2_GSTIFF"),   FLAG("CONSTANT_BDF"), FLAG("ABAM"),
    FLAG("RKF45"),        FLAG("SI1"),          FLAG("SI2"),
    FLAG("I3"),           REALS("ERROR"),       REALS("HINIT"),
    REALS("HMIN"),        REALS("HMAX"),        REALS("ALPHA"),
    REALS("BETA"),        REALS("GAMMA"),       REALS("MAXIT"),
    REALS("KMAX"),        WORDS("PATTERN"),     WORDS("CORRECTOR"),
    WORDS("INTERPOLATE"), REALS("ADAPTIVITY"),  REALS("SCALE"),
    REALS("FIXIT"),       REALS("HRATIO"),      END,
};

static const TmlAdmKey curve[] = {FLAG("OPEN"),
                                  FLAG("CLOSED"),
                                  FLAG("CURVE_POINTS"),
                                  FLAG("CONTROL_POINTS"),
                                  ID("MATRIX"),
                                  REALS("ORDER"),
                                  EXPR("FUNCTION"),
                                  TEXT("ROUTINE"),
                                  REALS("MINPAR"),
                                  REALS("MAXPAR"),
                                  END};

static const TmlAdmKey ptcv[] = {ID("I"),       ID("JFLOAT"), ID("CURVE"),  ID("RM"),
                                 REALS("DISP"), ID("ICM"),    REALS("VEL"), END};

static const TmlAdmKey cvcv[] = {ID("ICURVE"), ID("JCURVE"), ID("IFLOAT"),   ID("JFLOAT"),
                                 ID("IRM"),    ID("JRM"),    REALS("IDISP"), REALS("JDISP"),
                                 ID("IICM"),   ID("JICM"),   REALS("IVEL"),  REALS("JVEL"),
                                 END};

static const TmlAdmKey sensor[] = {EXPR("FUNCTION"),
                                   REALS("VALUE"),
                                   REALS("ERROR"),
                                   FLAG("EQ"),
                                   FLAG("GE"),
                                   FLAG("LE"),
                                   FLAG("ANGLE"),
                                   FLAG("HALT"),
                                   FLAG("RETURN"),
                                   FLAG("RESTART"),
                                   REALS("STEPSIZE"),
                                   REALS("DT"),
                                   EXPR("EVALUATE"),
                                   TEXT("EVALUATE_ROUTINE"),
                                   TEXT("ROUTINE"),
                                   FLAG("PRINT"),
                                   SKIP("CODGEN", TML_ADM_FLAG),
                                   SKIP("YYDUMP", TML_ADM_FLAG),
                                   SKIP("TITLE", TML_ADM_WORDS),
                                   SKIP("BISECTION", TML_ADM_REALS),
                                   END};

static const TmlAdmKey lse[] = {
    ID("X"), ID("U"), ID("Y"), ID("A"), ID("B"), ID("C"), ID("D"), ID("IC"), FLAG("STATIC_HOLD"),
    END};

static const TmlAdmKey tfsiso[] = {ID("X"),
                                   ID("U"),
                                   ID("Y"),
                                   REALS("NUMERATOR"),
                                   REALS("DENOMINATOR"),
                                   SKIP("STATIC_HOLD", TML_ADM_FLAG),
                                   END};

static const TmlAdmKey gse[] = {
    ID("X"),
    ID("Y"),
    ID("U"),
    ID("IC"),
    REALS("NS"),
    REALS("NO"),
    REALS("NI"),
    REALS("ND"),
    ID("XD"),
    ID("ICD"),
    EXPR("FUNCTION"),
    TEXT("ROUTINE"),
    WORDS("INTERFACE"),
    EXPR("SAMPLE_PERIOD"),
    REALS("SAMPLE_OFFSET"),
    FLAG("STATIC_HOLD"),
    FLAG("IMPLICIT"),
    NOT_YET("STATICS_ONLY", TML_ADM_FLAG, "equations of statics"),
    END,
};

static const TmlAdmKey output[] = {FLAG("YPR"),
                                   REALS("DSCALE"),
                                   REALS("VSCALE"),
                                   REALS("ASCALE"),
                                   REALS("FSCALE"),
                                   SKIP("DZERO", TML_ADM_REALS),
                                   SKIP("VZERO", TML_ADM_REALS),
                                   SKIP("AZERO", TML_ADM_REALS),
                                   SKIP("FZERO", TML_ADM_REALS),
                                   SKIP("REQSAVE", TML_ADM_FLAG),
                                   SKIP("GRSAVE", TML_ADM_FLAG),
                                   SKIP("NOPRINT", TML_ADM_FLAG),
                                   SKIP("NOSEPARATOR", TML_ADM_FLAG),
                                   SKIP("PRINT", TML_ADM_FLAG),
                                   SKIP("SEPARATOR", TML_ADM_FLAG),
                                   SKIP("CHART", TML_ADM_FLAG),
                                   SKIP("NOCHART", TML_ADM_FLAG),
                                   SKIP("FIXED", TML_ADM_FLAG),
                                   SKIP("TELETYPE", TML_ADM_FLAG),
                                   SKIP("OSFORMAT", TML_ADM_FLAG),
                                   SKIP("GR521SAV", TML_ADM_FLAG),
                                   SKIP("LIST", TML_ADM_FLAG),
                                   END};

static const TmlAdmKey pinput[] = {IDS("VARIABLES"), END};

static const TmlAdmKey graphics[] = {
    FLAG("ARC"),
    FLAG("BOX"),
    FLAG("CIRCLE"),
    FLAG("CURVE"),
    FLAG("CYLINDER"),
    FLAG("ELLIPSOID"),
    FLAG("EXTERNAL"),
    FLAG("EXTRUSION"),
    FLAG("FORCE"),
    FLAG("FRUSTUM"),
    FLAG("OUTLINE"),
    FLAG("PLANE"),
    FLAG("POINT"),
    FLAG("REVOLUTION"),
    FLAG("SPDP"),
    FLAG("SPHERE"),
    FLAG("TORUS"),
    FLAG("VTORQUE"),
    ID("CM"),
    ID("CORNER"),
    ID("RM"),
    REALS("X"),
    REALS("Y"),
    REALS("Z"),
    REALS("RADIUS"),
    REALS("LENGTH"),
    REALS("RANGLE"),
    REALS("TOP"),
    REALS("BOTTOM"),
    REALS("XSCALE"),
    REALS("YSCALE"),
    REALS("ZSCALE"),
    REALS("MAJOR_RADIUS"),
    REALS("MINOR_RADIUS"),
    TEXT("FILE"),
    TEXT("ELEMENT"),
    SKIP("FACETING_TOLERANCE", TML_ADM_REALS),
    SKIP("SEG", TML_ADM_REALS),
    SKIP("SIDES", TML_ADM_REALS),
    SKIP("XMIN", TML_ADM_REALS),
    SKIP("XMAX", TML_ADM_REALS),
    SKIP("YMIN", TML_ADM_REALS),
    SKIP("YMAX", TML_ADM_REALS),
    SKIP("I", TML_ADM_ID),
    SKIP("J", TML_ADM_ID),
    ID("CID"),
    ID("CRM"),
    REALS("POINTS_FOR_PROFILE"),
    REALS("ANGLE_EXTENT"),
    REALS("PATH_POINTS"),
    SKIP("COILS", TML_ADM_REALS),
    SKIP("DA", TML_ADM_REALS),
    SKIP("DB", TML_ADM_REALS),
    SKIP("DC", TML_ADM_REALS),
    SKIP("LA", TML_ADM_REALS),
    SKIP("LB", TML_ADM_REALS),
    SKIP("LC", TML_ADM_REALS),
    SKIP("LD", TML_ADM_REALS),
    SKIP("ETYPE", TML_ADM_WORDS),
    SKIP("EID", TML_ADM_ID),
    SKIP("EMARKER", TML_ADM_ID),
    SKIP("OUTLINE", TML_ADM_IDS),
    END,
};

static const TmlAdmKey contact[] = {
    IDS("IGEOM"),
    IDS("JGEOM"),
    IDS("IFLIP_GEOMETRY"),
    IDS("JFLIP_GEOMETRY"),
    SKIP("TYPE", TML_ADM_WORDS),
    NOT_YET("IFLEX", TML_ADM_ID, "contact of flexible bodies"),
    NOT_YET("JFLEX", TML_ADM_ID, "contact of flexible bodies"),
    FLAG("IMPACT"),
    FLAG("POISSON"),
    REALS("STIFFNESS"),
    REALS("EXPONENT"),
    REALS("DAMPING"),
    REALS("DMAX"),
    REALS("PENALTY"),
    REALS("RESTITUTION_COEFFICIENT"),
    NOTE("AUGMENTED_LAGRANGIAN_FORMULATION", TML_ADM_FLAG,
         "bodies may penetrate as far as PENALTY lets them"),
    NOT_YET("NORMAL_FUNCTION", TML_ADM_EXPR, "a force by a user-written routine"),
    SKIP("NORMAL_ROUTINE", TML_ADM_TEXT),
    WORDS("COULOMB_FRICTION"),
    REALS("MU_STATIC"),
    REALS("MU_DYNAMIC"),
    REALS("STICTION_TRANSITION_VELOCITY"),
    REALS("FRICTION_TRANSITION_VELOCITY"),
    NOT_YET("FRICTION_FUNCTION", TML_ADM_EXPR, "a force by a user-written routine"),
    SKIP("FRICTION_ROUTINE", TML_ADM_TEXT),
    WORDS("STICTION"),
    SKIP("MAX_STICTION_DEFORMATION", TML_ADM_REALS),
    END,
};

#define READ(word, args, is) .name = (word), .keys = (args), .use = TML_ADM_USED, .text = (is)
#define PASS(word, is) .name = (word), .use = TML_ADM_IGNORED, .text = (is), .unnumbered = true
#define LACKS(word, is) .name = (word), .use = TML_ADM_REFUSED, .text = (is)

const TmlAdmSyntax tml_adm_statements[] = {
    {READ("PART", part, "a rigid body"), .space = "bodies", .carries = true,
     .choices = "REULER|ZG XG", .translate = tml_adm_part, .round = TML_ADM_BODIES},
    {READ("MARKER", marker, "a frame of a part"), .carried = true, .choices = "REULER|ZP XP USEXP",
     .translate = tml_adm_marker, .round = TML_ADM_PLACES},
    {READ("JOINT", joint, "a joint"), .space = "joints", .acts = TML_ADM_CONSTRAINS,
     .translate = tml_adm_joint, .round = TML_ADM_JOINTS},
    {READ("VARIABLE", variable, "a variable"), .space = "signals", .routine = TML_ADM_VARSUB,
     .routine_values = 1, .translate = tml_adm_variable, .round = TML_ADM_ACTIONS},
    {READ("SFORCE", sforce, "a force along a line or a torque about an axis"),
     .acts = TML_ADM_PUSHES, .routine = TML_ADM_SFOSUB, .routine_values = 1,
     .translate = tml_adm_sforce, .round = TML_ADM_ACTIONS},
    {READ("REQUEST", request, "columns of the results"), .space = "requests",
     .routine = TML_ADM_REQSUB, .routine_values = 8,
     .choices = "DISPLACEMENT|VELOCITY|ACCELERATION|FORCE|F1 F2 F3 F4 F5 F6 F7 F8|FUNCTION ROUTINE",
     .translate = tml_adm_request, .round = TML_ADM_RESULTS},
    {READ("UNITS", units, "units of the numbers"), .unnumbered = true},
    {READ("ACCGRAV", accgrav, "gravity"), .unnumbered = true, .translate = tml_adm_gravity,
     .round = TML_ADM_BODIES},
    {READ("MOTION", motion, "a motion given as a function of time"), .space = "joints",
     .acts = TML_ADM_CONSTRAINS, .routine = TML_ADM_MOTSUB, .routine_values = 1,
     .choices = "DISPLACEMENT|VELOCITY|ACCELERATION", .translate = tml_adm_motion,
     .round = TML_ADM_ACTIONS},
    {READ("JPRIM", jprim, "a joint primitive"), .space = "joints", .acts = TML_ADM_CONSTRAINS,
     .translate = tml_adm_jprim, .round = TML_ADM_JOINTS},
    {READ("POINT_MASS", point_mass, "a point mass"), .space = "bodies", .carries = true,
     .translate = tml_adm_part, .round = TML_ADM_BODIES},
    {READ("SPRINGDAMPER", springdamper, "a linear spring and damper"), .acts = TML_ADM_PUSHES,
     .translate = tml_adm_springdamper, .round = TML_ADM_ACTIONS},
    {READ("VFORCE", vforce, "a force by components"), .acts = TML_ADM_PUSHES,
     .routine = TML_ADM_VFOSUB, .routine_values = 3, .choices = "FX FY FZ|FXYZ|FUNCTION ROUTINE",
     .translate = tml_adm_vector_force, .round = TML_ADM_ACTIONS},
    {READ("VTORQUE", vtorque, "a torque by components"), .acts = TML_ADM_PUSHES,
     .routine = TML_ADM_VTOSUB, .routine_values = 3, .choices = "TX TY TZ|TXYZ|FUNCTION ROUTINE",
     .translate = tml_adm_vector_force, .round = TML_ADM_ACTIONS},
    {READ("GFORCE", gforce, "a force and a torque by components"), .acts = TML_ADM_PUSHES,
     .routine = TML_ADM_GFOSUB, .routine_values = 6,
     .choices = "FX FY FZ TX TY TZ FXYZ TXYZ|FUNCTION ROUTINE", .translate = tml_adm_vector_force,
     .round = TML_ADM_ACTIONS},
    {READ("BUSHING", bushing, "an elastic mount"), .acts = TML_ADM_PUSHES,
     .translate = tml_adm_bushing, .round = TML_ADM_ACTIONS},
    {READ("BEAM", beam, "a massless beam"), .acts = TML_ADM_PUSHES, .translate = tml_adm_beam,
     .round = TML_ADM_ACTIONS},
    {READ("FIELD", field, "a linear six-component force"), .acts = TML_ADM_PUSHES,
     .routine = TML_ADM_FIESUB, .routine_values = 6, .translate = tml_adm_field,
     .round = TML_ADM_ACTIONS},
    {READ("COUPLER", coupler, "joints whose coordinates are coupled"), .space = "joints",
     .acts = TML_ADM_CONSTRAINS, .routine = TML_ADM_COUSUB, .routine_values = 1,
     .translate = tml_adm_coupler, .round = TML_ADM_JOINTS},
    {READ("GEAR", gear, "two joints in mesh"), .space = "joints", .acts = TML_ADM_CONSTRAINS,
     .translate = tml_adm_gear, .round = TML_ADM_JOINTS},
    {READ("FRICTION", friction, "friction in a joint"), .translate = tml_adm_friction,
     .round = TML_ADM_ON_JOINTS},
    {READ("DIFF", diff, "a differential equation"), .space = "signals", .routine = TML_ADM_DIFSUB,
     .routine_values = 1, .translate = tml_adm_diff, .round = TML_ADM_ACTIONS},
    {READ("GCON", gcon, "a constraint given as an expression"), .space = "joints",
     .acts = TML_ADM_CONSTRAINS, .routine = TML_ADM_GCOSUB, .routine_values = 1,
     .translate = tml_adm_gcon, .round = TML_ADM_ON_JOINTS},
    {READ("SPLINE", spline, "a table"), .space = "splines", .translate = tml_adm_spline,
     .round = TML_ADM_PLACES},
    {READ("ARRAY", array, "a list of numbers or variables"), .space = "arrays"},
    {READ("PINPUT", pinput, "inputs of the model"), .translate = tml_adm_pinput,
     .round = TML_ADM_RESULTS},
    {READ("POUTPUT", pinput, "outputs of the model"), .translate = tml_adm_poutput,
     .round = TML_ADM_RESULTS},
    {READ("INTEGRATOR", integrator, "settings of the integrator"), .unnumbered = true,
     .choices = "I3|SI1|SI2", .translate = tml_adm_integrator, .round = TML_ADM_RESULTS},
    {READ("GRAPHICS", graphics, "a shape of a part, for pictures and contacts"), .space = "shapes",
     .lenient = true},
    {READ("OUTPUT", output, "angles and scales of requests; otherwise output of Adams"),
     .unnumbered = true, .lenient = true, .translate = tml_adm_output, .round = TML_ADM_BODIES},
    {PASS("RESULTS", "what Adams writes")},
    {READ("MREQUEST", mrequest, "columns of many parts, joints or forces"), .space = "requests",
     .translate = tml_adm_mrequest, .round = TML_ADM_RESULTS},
    {PASS("PREFERENCES", "preferences of Adams")},
    {PASS("DEBUG", "messages of Adams")},
    {PASS("LIST", "printing statements")},
    {PASS("EQUILIBRIUM", "settings of the statics of Adams")},
    {PASS("KINEMATICS", "settings of the kinematics of Adams")},
    {PASS("IC", "settings of the assembly of Adams")},
    {READ("MATERIAL", material, "a material of flexible parts"), .lenient = true},
    {READ("STRING", string, "a text for user-written routines")},
    {READ("MATRIX", matrix, "a matrix for other statements"), .space = "matrices",
     .translate = tml_adm_check_matrix, .round = TML_ADM_BODIES},
    {PASS("LSOLVER", "settings of the solver of Adams")},
    {PASS("END", "the end"), .silent = true},
    {READ("CONTACT", contact, "forces between shapes in contact"), .space = "contacts",
     .choices = "IMPACT STIFFNESS EXPONENT DAMPING DMAX|POISSON PENALTY RESTITUTION_COEFFICIENT",
     .translate = tml_adm_contact, .round = TML_ADM_ON_JOINTS},
    {READ("FLEX_BODY", flex_body, "a modal body; --flex names its part"), .space = "bodies",
     .carries = true, .choices = "REULER|ZG XG", .translate = tml_adm_flex_body,
     .round = TML_ADM_BODIES},
    {READ("FE_PART", fe_part, "a flexible beam"), .space = "bodies", .carries = true,
     .translate = tml_adm_fe_part, .round = TML_ADM_BODIES},
    {PASS("FE_NODE", "nodes: their data are in the FE_PART")},
    {READ("FE_LOAD", fe_load, "a load spread over a FE_PART"), .translate = tml_adm_fe_load,
     .round = TML_ADM_ACTIONS},
    {PASS("SECTION", "shapes of cross-sections: their data are in the FE_PART")},
    {READ("NFORCE", nforce, "a linear force between many markers"), .translate = tml_adm_nforce,
     .round = TML_ADM_ACTIONS},
    {READ("MFORCE", mforce, "a load case of the part of a FLEX_BODY, scaled"),
     .translate = tml_adm_mforce, .round = TML_ADM_ACTIONS},
    {READ("PTCV", ptcv, "a point that follows a curve"), .space = "joints",
     .acts = TML_ADM_CONSTRAINS, .translate = tml_adm_ptcv, .round = TML_ADM_JOINTS},
    {READ("CVCV", cvcv, "a curve that touches a curve"), .space = "joints",
     .acts = TML_ADM_CONSTRAINS, .translate = tml_adm_cvcv, .round = TML_ADM_JOINTS},
    {READ("CURVE", curve, "a curve"), .space = "paths", .translate = tml_adm_curve,
     .round = TML_ADM_PLACES},
    {LACKS("SURFACE", "a surface")},
    {READ("SENSOR", sensor, "an event that stops the run or changes steps"), .space = "events",
     .routine = TML_ADM_SENSUB, .routine_values = 1, .choices = "EQ|GE|LE",
     .translate = tml_adm_sensor, .round = TML_ADM_ACTIONS},
    {READ("UCON", gcon, "a constraint given as an expression"), .space = "joints",
     .acts = TML_ADM_CONSTRAINS, .routine = TML_ADM_UCOSUB, .routine_values = 1,
     .translate = tml_adm_gcon, .round = TML_ADM_ON_JOINTS},
    {READ("GSE", gse, "differential equations of a user-written routine"), .space = "signals",
     .system = true, .translate = tml_adm_gse, .round = TML_ADM_ACTIONS},
    {READ("LSE", lse, "linear equations with matrices"), .space = "signals", .system = true,
     .translate = tml_adm_lse, .round = TML_ADM_ACTIONS},
    {READ("TFSISO", tfsiso, "a transfer function"), .space = "signals", .system = true,
     .translate = tml_adm_tfsiso, .round = TML_ADM_ACTIONS},
    {LACKS("TIRE", "a tyre")},
    {LACKS("PLANT", "a plant")},
    {PASS("PSTATE", "coordinates of Adams for linear analyses")},
    {PASS("CLEARANCE", "distances that Adams writes")},
    {LACKS("EXTERNAL_SYSTEM", "a part of the model in another program")},
    {LACKS("COSIM_INTERFACE", "forces of another program")},
};

const int tml_adm_n_statements = sizeof tml_adm_statements / sizeof *tml_adm_statements;
