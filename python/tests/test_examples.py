"""Examples, the notebook and the guide run, as they are, in an empty folder."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"


def run(code, folder):
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "MPLBACKEND": "Agg", "PYTHONWARNINGS": "error::ResourceWarning"})


class Examples(unittest.TestCase):
    def test_scripts(self):
        scripts = sorted(EXAMPLES.glob("*.py"))
        self.assertEqual(len(scripts), 10)
        for script in scripts:
            with self.subTest(script=script.name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True, timeout=120,
                                      check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater(len(done.stdout), 20)

    def test_notebook(self):
        cells = json.loads((EXAMPLES / "first_steps.ipynb").read_text())["cells"]
        code = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(EXAMPLES / "swing.yaml", folder)
            done = run(code, folder)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_guide(self):
        """Blocks of the guide run one after another; lines `>>> ` would be prompts, and comments `# -> text` tell what is
        printed."""
        text = (ROOT / "docs" / "guide" / "python.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.S | re.M)
        self.assertGreater(len(blocks), 5)
        with tempfile.TemporaryDirectory() as folder:
            model = re.search(r"^```yaml\n(.*?)^```$", text, flags=re.S | re.M)[1]
            (pathlib.Path(folder) / "swing.yaml").write_text(model)
            done = run("\n".join(blocks), folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            said = re.findall(r"#\s+-> (.*)", "\n".join(blocks))
            printed = done.stdout.splitlines()
            self.assertGreater(len(said), 3)
            for line in said:
                self.assertIn(line, printed)


if __name__ == "__main__":
    unittest.main()
