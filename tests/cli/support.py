"""What the tests of the command line share: a folder of their own, a model, a way to run trammel.

    test_*.py PATH-OF-TRAMMEL [unittest arguments]

Python's standard library only.
"""
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

PENDULUM = """\
trammel: 1
title: Pendulum
parameters: {L: 1.0, m: 2.0}
gravity: [0, -9.81, 0]
bodies:
  rod: {mass: m, inertia: [0.01, 0.2, 0.2], position: [L, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}
"""


class Case(unittest.TestCase):
    command = ""  # path of trammel, set by main()
    model_text = PENDULUM

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="trammel-test-")
        self.addCleanup(self.folder.cleanup)
        self.model = self.write("pendulum.yaml", self.model_text)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def trammel(self, *args, status=0):
        done = subprocess.run([self.command, *args], capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, status, f"{args}\n{done.stdout}{done.stderr}")
        return done

    def start(self, *args, stderr=subprocess.PIPE, env=None):
        """trammel in the background."""
        return subprocess.Popen([self.command, *args], stdout=subprocess.PIPE, stderr=stderr,
                                env=env, text=True)

    def wrong(self, message, *args, status=2):
        """trammel refuses: one message, nothing on standard output."""
        done = self.trammel(*args, status=status)
        self.assertIn(message, done.stderr)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        self.assertEqual(done.stdout, "")


def main():
    Case.command = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
