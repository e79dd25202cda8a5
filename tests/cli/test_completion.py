"""Completions as the shells make them: the words behind a line with a tab at its end.

    test_completion.py PATH-OF-TRAMMEL [unittest arguments]

bash is asked through its completion function, zsh typed at in a terminal. A shell that is not there
is skipped.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import time

from support import SOURCE, Case, main

COMPLETIONS = os.path.join(SOURCE, "completions")

# what is typed, what the line becomes
WHOLE = [
    ("trammel ru", "trammel run"),
    ("trammel run --int", "trammel run --integrator"),
    ("trammel run -i rad", "trammel run -i radau"),
    ("trammel run -i au", "trammel run -i auto"),
    ("trammel run --integrator=rad", "trammel run --integrator=radau"),
    ("trammel run pend", "trammel run pendulum.yaml"),
    ("trammel run pendulum.yaml -o res", "trammel run pendulum.yaml -o results.h5"),
    ("trammel run --csv=ta", "trammel run --csv=table.csv"),
    ("trammel compare pendulum.yaml -i hht,rad", "trammel compare pendulum.yaml -i hht,radau"),
    ("trammel statics pendulum.yaml --js", "trammel statics pendulum.yaml --json"),
    ("trammel linearize pendulum.yaml --par", "trammel linearize pendulum.yaml --partition"),
    ("trammel plot res", "trammel plot results.h5"),
    ("trammel plot channels.csv ome", "trammel plot channels.csv omega"),
    ("trammel plot --styl", "trammel plot --style"),
    ("trammel statistics channels.csv ome", "trammel statistics channels.csv omega"),
    ("trammel statistics --lo", "trammel statistics --low-pass"),
    ("trammel repair res", "trammel repair results.h5"),
    ("trammel report res", "trammel report results.h5"),
    ("trammel run pendulum.yaml --rep", "trammel run pendulum.yaml --report"),
    ("trammel help tlismni-p", "trammel help tlismni-park"),
    ("trammel bench dou", "trammel bench double_pendulum"),
    ("trammel inte", "trammel integrators"),
]


class Completion(Case):
    def setUp(self):
        super().setUp()
        for name in ("results.h5", "table.csv"):
            self.write(name, "")
        self.write("channels.csv", "time,theta,omega\n0,1,2\n")
        path = os.path.dirname(self.command) + os.pathsep + os.environ["PATH"]
        self.env = dict(os.environ, PATH=path, HOME=self.folder.name, TERM="dumb", COLUMNS="200")

    def shell(self, name):
        if shutil.which(name) is None:
            self.skipTest(f"no {name} here")
        return name

    def bash(self, line):
        """The words that bash offers for the end of a line."""
        # words as readline splits them: = is one of its own
        words = [w for w in re.split(r"(=)| ", line) if w is not None]
        words = [w for k, w in enumerate(words) if w or k == len(words) - 1]
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trammel; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(
            ["bash", "-c", script, os.path.join(COMPLETIONS, "trammel.bash"), *words],
            cwd=self.folder.name, env=self.env, capture_output=True, text=True, timeout=60,
            check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash(self):
        self.shell("bash")
        for line, want in WHOLE:
            self.assertEqual(self.bash(line), [re.split("[ =]", want)[-1]], line)
        self.assertIn("linearize", self.bash("trammel "))
        self.assertEqual(self.bash("trammel run "), ["pendulum.yaml"])
        self.assertEqual(self.bash("trammel run --tol "), [])

    EVIL = "time,$(touch${IFS}evil),`touch${IFS}evil`,x*\n0,1,2,3\n"

    def test_s64_bash_runs_no_names(self):
        """compgen -W would expand the words: a tab would run what a stranger called a channel."""
        self.shell("bash")
        self.write("strange.csv", self.EVIL)
        offered = self.bash("trammel plot strange.csv ")
        self.assertEqual(offered, [r"\$\(touch\$\{IFS\}evil\)", r"\`touch\$\{IFS\}evil\`", r"x\*"])
        self.assertFalse(os.path.exists(self.path("evil")))

    def read_until(self, mark):
        seen, end = "", time.time() + 30
        while mark not in seen and time.time() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                seen += os.read(self.terminal, 65536).decode(errors="replace")
        self.assertIn(mark, seen)
        return seen

    def start_zsh(self):
        try:
            self.terminal, theirs = pty.openpty()
        except OSError as reason:
            self.skipTest(f"no terminal to be had here: {reason}")
        self.addCleanup(os.close, self.terminal)
        process = subprocess.Popen(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs,
                                   cwd=self.folder.name, env=self.env, start_new_session=True)
        os.close(theirs)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        # a widget completes the line, shows it and empties it; the mark stands in no line typed
        os.write(self.terminal, (
            f"fpath=({COMPLETIONS} $fpath); autoload -Uz compinit; compinit -u -D\n"
            "unsetopt beep; PROMPT=; "
            "show() { zle complete-word; zle -I; print -r -- \"<<$BUFFER>\"\">\"; BUFFER=; }; "
            "zle -N show; bindkey '^X' show; print -r -- rea\"\"dy\n").encode())
        self.read_until("ready")

    def test_zsh(self):
        self.shell("zsh")
        self.start_zsh()
        for line, want in WHOLE:
            os.write(self.terminal, (line + "\x18").encode())
            got = re.search(r"<<(.*?)>>", self.read_until(">>")).group(1)
            self.assertEqual(got.rstrip(" ,="), want)

    def test_s64_zsh_runs_no_names(self):
        self.shell("zsh")
        self.start_zsh()
        self.write("strange.csv", self.EVIL)
        for typed in ("\\$", "\\`", ""):
            os.write(self.terminal, (f"trammel plot strange.csv {typed}\x18").encode())
            got = re.search(r"<<(.*?)>>", self.read_until(">>")).group(1)
            self.assertNotRegex(got, r"(^|[^\\])[$`]")
        self.assertFalse(os.path.exists(self.path("evil")))


if __name__ == "__main__":
    main()
