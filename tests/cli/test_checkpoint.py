#!/usr/bin/env python3
"""A run that is stopped and resumed, by signals and kills at random times, leaves the same files as one that was not.

usage: test_checkpoint.py TRAMMEL
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TRAMMEL = pathlib.Path(sys.argv[1]).resolve()
MODEL = ROOT / "models/double_pendulum.yaml"


def trammel(*words, **how):
    return subprocess.run([TRAMMEL, *map(str, words)], capture_output=True, text=True, timeout=120, check=False, **how)


def channels(file, to):
    """All numbers of a result file but those of the solver's clock."""
    assert trammel("export", file, "-o", to).returncode == 0
    return to.read_text()


def stop_at_random(command, lot, kind, seconds):
    """Starts the command, stops it within the time that it takes, and says whether it had not ended by itself."""
    process = subprocess.Popen([TRAMMEL, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(lot.uniform(0.1, 0.6) * seconds)
    process.send_signal(kind)
    process.communicate(timeout=60)
    return process.returncode != 0


class Resume(unittest.TestCase):
    def setUp(self):
        self.keep = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.keep.name)

    def tearDown(self):
        self.keep.cleanup()

    def command(self, name, model=MODEL, *more):
        f = self.folder
        return ["run", model, "--end", "1", "--output-step", "0.0005", "-o", f / f"{name}.h5", "--csv", f / f"{name}.csv",
                "-q", *more]

    def same_files(self, a, b):
        f = self.folder
        self.assertEqual((f / f"{a}.csv").read_bytes(), (f / f"{b}.csv").read_bytes())
        self.assertEqual(channels(f / f"{a}.h5", f / "1.csv"), channels(f / f"{b}.h5", f / "2.csv"))

    def stopped_again_and_again(self, kind, integrator):
        lot = random.Random(f"{kind} {integrator}")
        state = self.folder / f"state-{integrator}"
        begun = time.monotonic()
        whole = trammel(*self.command("whole", MODEL, "-i", integrator))
        seconds = time.monotonic() - begun
        self.assertEqual(whole.returncode, 0, whole.stderr)
        command = self.command("parts", MODEL, "-i", integrator, "--checkpoint", state, "--checkpoint-every", "0.01",
                               "--resume")
        stops = 0
        while stops < 6 and stop_at_random(command, lot, kind, seconds):
            stops += 1
        last = trammel(*command)
        self.assertEqual(last.returncode, 0, last.stderr)
        self.same_files("whole", "parts")
        return stops

    def test_kills(self):
        self.assertGreater(self.stopped_again_and_again(signal.SIGKILL, "hht"), 0)

    def test_signals(self):
        self.assertGreater(self.stopped_again_and_again(signal.SIGINT, "adams"), 0)
        self.assertGreater(self.stopped_again_and_again(signal.SIGTERM, "auto"), 0)

    def test_checkpoints_change_nothing(self):
        self.assertEqual(trammel(*self.command("with", MODEL, "--checkpoint", self.folder / "state",
                                               "--checkpoint-every", "0.001")).returncode, 0)
        self.assertEqual(trammel(*self.command("without")).returncode, 0)
        self.same_files("with", "without")

    def test_a_run_that_is_done_stays_done(self):
        state = self.folder / "state"
        command = self.command("a", MODEL, "--checkpoint", state, "--resume")
        for _ in range(2):
            self.assertEqual(trammel(*command).returncode, 0)
        self.assertEqual(trammel(*self.command("b")).returncode, 0)
        self.same_files("a", "b")

    def wrong(self, part, command, status):
        done = trammel(*command)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(part, done.stderr)

    def test_another_run_is_refused(self):
        state, model = self.folder / "state", self.folder / "m.yaml"
        model.write_text(MODEL.read_text())
        more = ["--checkpoint", state, "--resume"]
        self.assertEqual(trammel(*self.command("a", model, *more)).returncode, 0)
        self.wrong("it has --tol 0, this command has --tol", self.command("a", model, *more, "--tol", "1e-5"), 2)
        model.write_text(MODEL.read_text() + "\n# changed\n")
        self.wrong("checkpoint of another run: it has the file", self.command("a", model, *more), 2)

    def test_bad_files(self):
        state = self.folder / "state"
        more = ["--checkpoint", state, "--resume"]
        self.assertEqual(trammel(*self.command("a", MODEL, *more)).returncode, 0)
        whole = state.read_bytes()
        lot = random.Random(1)
        for _ in range(8):
            at = lot.randrange(len(whole))
            state.write_bytes(whole[:at] + bytes([whole[at] ^ 64]) + whole[at + 1:])
            done = trammel(*self.command("a", MODEL, *more))
            self.assertEqual(done.returncode, 2, done.stderr)
        state.write_bytes(whole[: len(whole) // 2])
        self.wrong("damaged", self.command("a", MODEL, *more), 2)
        state.write_text("no checkpoint\n")
        self.wrong("this is no checkpoint", self.command("a", MODEL, *more), 2)
        state.write_bytes(whole)
        (self.folder / "a.csv").write_text("time,other\n")
        self.wrong("other columns", self.command("a", MODEL, *more), 3)

    def test_s17_files_of_others_are_refused(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        state = self.folder / "state"
        more = ["--checkpoint", state, "--resume"]
        self.assertEqual(trammel(*self.command("a", MODEL, *more)).returncode, 0)
        os.chown(state, 12345, 12345)
        self.wrong("belongs to another user", self.command("a", MODEL, *more), 3)

    def test_options(self):
        self.wrong("--resume needs --checkpoint FILE", ["run", MODEL, "--resume"], 2)
        self.wrong("is the model", ["run", MODEL, "--checkpoint", MODEL], 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
