"""Everything in the public headers is there: functions, and names of the package for what they do."""
import pathlib
import re
import unittest

import trammel as tml

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include" / "trammel"
# routines of Adams call these; a program does not
NOT_FOR_CALLERS = {"adams_user.h"}


def functions():
    for header in sorted(INCLUDE.glob("*.h")):
        if header.name in NOT_FOR_CALLERS:
            continue
        text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
        text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        for statement in re.findall(r"TML_API\b([^;]*);", text):
            found = re.search(r"\b(tml_\w+)\s*\(", statement)
            if found:
                yield header.name, found[1]


class Headers(unittest.TestCase):
    def test_all_functions_can_be_called(self):
        names = list(functions())
        self.assertGreater(len(names), 200)
        missing = [f"{h}: {n}" for h, n in names if not hasattr(tml.lib, n)]
        self.assertEqual(missing, [])

    def test_all_structs_are_known(self):
        for header in sorted(INCLUDE.glob("*.h")):
            if header.name not in NOT_FOR_CALLERS:
                text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
                for name in re.findall(r"^\} (Tml\w+);", text, flags=re.M):
                    with self.subTest(struct=name):
                        self.assertGreater(tml.ffi.sizeof(name), 0)

    def test_structs_have_the_size_that_the_library_says(self):
        for function in (n for _, n in functions() if n.endswith("_options_default")):
            with self.subTest(function=function):
                options = getattr(tml.lib, function)()
                self.assertEqual(options.size, tml.ffi.sizeof(options))

    def test_codes(self):
        self.assertEqual(tml.lib.TML_OK, 0)
        for name in tml.errors.CLASSES:
            self.assertEqual(tml.text(tml.lib.tml_status_name(getattr(tml.lib, name))), name)


if __name__ == "__main__":
    unittest.main()
