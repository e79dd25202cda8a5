"""All other models, and the whole models in the guide: they must run to their end."""
import os
import re
import tempfile

from .closed_forms import MODELS as CLOSED
from .closed_forms import exact_columns
from .engine import MODELS, ROOT, Failed

GUIDES = ["docs/guide/modelling.md"]
LONG = {"pantograph/catenary.yaml"}  # minutes; pantograph.py compares it
EXACT = 1e-3  # SI, of columns with an answer beside them, at default settings


def check_run(job, name, path):
    try:
        run = job.engine.run(path)
    except Failed as e:
        job.report.failure(name, "default", e)
        return
    errors = exact_columns(run)
    for what, error in errors.items():
        job.report.check(name, "default", what, error, EXACT)
    if not errors:
        job.report.check(name, "default", "runs", 0, 0)


def model_files():
    for folder, _, files in sorted(os.walk(MODELS)):
        if os.path.basename(folder) in ("parts", "include"):  # descriptions for `trammel reduce`, pieces of models
            continue
        place = os.path.relpath(folder, MODELS)
        if place.startswith(("cases", "machines", "papers")):  # these have sections of their own, or are run by `trammel bench`
            continue
        for file in sorted(files):
            if file.endswith(".yaml"):
                yield os.path.normpath(os.path.join(place, file))


def guide_models(guide):
    """Blocks of a page that are whole models."""
    with open(os.path.join(ROOT, guide)) as f:
        blocks = re.findall(r"```yaml\n(.*?)```", f.read(), re.S)
    return [block for block in blocks if block.startswith("trammel: 1")]


def compare(job):
    job.report.section("Examples", "Every other model runs to its end; largest differences of "
                       "columns that have a known answer beside them (SI units).")
    done = [name for name, *_ in CLOSED]
    for path in model_files():
        if path not in LONG and job.wanted(path) and os.path.basename(path)[:-5] not in done:
            check_run(job, path[:-5], path)
    for guide in GUIDES:
        for k, text in enumerate(guide_models(guide)):
            name = f"{os.path.basename(guide)} {k + 1}"
            if not job.wanted(name):
                continue
            with tempfile.TemporaryDirectory(prefix="trammel-guide-") as folder:
                path = os.path.join(folder, "model.yaml")
                with open(path, "w") as f:
                    f.write(text)
                check_run(job, name, path)
