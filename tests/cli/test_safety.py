"""What a model, a dataset, a results file or an accident must not be able to do.

    test_safety.py PATH-OF-TRAMMEL [unittest arguments]
"""
import os
import subprocess

from support import Case, main

# The spring calls a function of the C library, which every library of routines is linked with.
CALLS_LIBC = """\
ADAMS View model: calls the C library
UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND
PART/1, GROUND
MARKER/1, PART = 1
PART/2, MASS = 1, CM = 4, IP = 1,1,1
MARKER/2, PART = 2
MARKER/4, PART = 2
MARKER/3, PART = 1, QP = 1,0,0
SFORCE/25705, I = 2, J = 3, TRANSLATIONAL, FUNCTION = USER(1,2)\\, ROUTINE = x::%s
RESULTS/FORMATTED
END
"""


class Memory(Case):
    def test_freed_memory_is_not_used(self):
        """glibc fills what is freed: a call through a table that is gone then fails."""
        env = dict(os.environ, MALLOC_PERTURB_="165")
        results = self.path("out.h5")
        for args in (("run", self.model, "-e", "0.1", "-o", results, "-q"),
                     ("report", results, "-o", self.path("out.html"), "-q"),
                     ("plot", results, "--list"),
                     ("repair", results)):
            done = subprocess.run([self.command, *args], env=env, capture_output=True, text=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, 0, f"{args}\n{done.stderr}")


class Routines(Case):
    def test_routines_are_those_of_the_library_itself(self):
        library = os.path.join(os.path.dirname(self.command), "examples", "adams_user.so")
        for name in ("system", "abort", "_exit"):
            dataset = self.write("libc.adm", CALLS_LIBC % name)
            done = self.trammel("check", dataset, "--user-library", library, status=2)
            self.assertIn(f"25705: the routine {name} is not in", done.stderr)


if __name__ == "__main__":
    main()
