"""The models of the convergence study and the published results beside them."""
import os

from validation.engine import ROOT, read_table


class Model:
    """A model file, what is compared and how long.

    stiff: too stiff for adams as a reference. rough: why no method keeps a high order on it.
    published: a file of reference values, relative to the folder of cases; renamed: its names of
    columns where they are not ours."""

    def __init__(self, name, path, columns, end=None, sets=(), stiff=False, rough=None,
                 published=None, renamed=None):
        self.name, self.path, self.columns = name, path, columns
        self.end, self.sets = end, tuple(sets)
        self.stiff, self.rough = stiff, rough
        self.published, self.renamed = published, renamed or {}


BODY = ["X", "Y", "Z", "VX", "VY", "VZ", "WX", "WY", "WZ"]
ANDREWS = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"]

MODELS = [
    Model("pendulum", "closed_forms/pendulum.yaml", ["angle", "rate"]),
    Model("pendulum a01", "cases/iftomm_a01_revolute.yaml", ["x", "y"],
          published="iftomm/a01_pendulum/reference.csv"),
    Model("double pendulum, stiff", "double_pendulum.yaml", ["theta1", "theta2", "omega1", "omega2"],
          stiff=True, published="../reference/double_pendulum_theta_rest.csv",
          renamed={"t": "time"}),
    Model("four-bar", "studies/four_bar.yaml", ["crank", "rocker", "crank_rate"]),
    Model("slider crank", "cases/slider_crank_spring.yaml", ["q", "x", "p", "q_dot", "x_dot", "p_dot"],
          published="rigid-misc/slider_crank_spring/reference.csv"),
    Model("Andrews", "cases/andrews.yaml", ANDREWS,
          published="ivp-testset/andrews/trajectory.csv"),
    Model("car axis", "cases/car_axis.yaml", ["xl", "yl", "xr", "yr"], end=1,
          published="ivp-testset/car_axis/trajectory.csv"),
    Model("heavy top", "cases/heavy_top.yaml", ["cm_x", "cm_y", "cm_z", "wx_body", "wz_body"], end=1,
          published="rigid-misc/heavy_top/reference.csv"),
    Model("Bricard", "cases/iftomm_a04_bricard.yaml", ["P3_x", "P3_y", "P3_z"], end=5,
          published="iftomm/a04_bricard/reference.csv"),
    Model("ball chain", "closed_forms/chain_spherical.yaml", ["tip_x", "tip_y", "tip_z"], end=1,
          sets=[("N", 4)]),
    Model("universal", "cases/universal_1.yaml", BODY, end=2),
    Model("revolute-spherical", "cases/revolute_spherical_1.yaml", BODY, end=2),
    Model("controlled arm", "studies/controlled_arm.yaml", ["angle", "rate", "sum", "torque", "slow"]),
    Model("driven crank", "studies/driven_crank.yaml", ["x", "y", "z", "wx", "wz"]),
    Model("tumbling disc", "studies/tumbling_disc.yaml", ["x", "y", "z", "wz"]),
    Model("friction", "studies/rough_pendulum.yaml", ["angle", "rate"],
          rough="the coefficient of friction is a function with kinks in its second derivative"),
    Model("press, impact", "demo.yaml", ["stroke", "speed"], end=0.4, stiff=True,
          rough="the ram hits the die: a force with a kink in its second derivative"),
]

# the models of the short check: an open chain, a closed loop with redundant rows, user states
SHORT = ["pendulum", "four-bar", "controlled arm"]


def cases_folder():
    path = os.environ.get("TRAMMEL_CASES")
    path = path or os.path.join(os.path.dirname(ROOT), "shared", "cases")
    return path if os.path.isdir(path) else None


def published_of(model):
    """Columns of the published results by our names, or None."""
    folder = cases_folder()
    path = folder and model.published and os.path.normpath(os.path.join(folder, model.published))
    if not path or not os.path.exists(path):
        return None
    table = read_table(path)
    return {model.renamed.get(name, name): column for name, column in table.items()}
