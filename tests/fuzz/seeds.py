#!/usr/bin/env python3
"""First inputs for the fuzzer, from the models, datasets and meshes in the tree, and a dictionary for
each target, from the program's own tables.

    tests/fuzz/seeds.py TRAMMEL FOLDER     # writes FOLDER/TARGET/* and FOLDER/TARGET.dict
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = 1000  # bytes of a seed: short ones run faster and mutate better

# what files of a kind begin with, beside what the tables know
MARKS = {
    "mesh": ["solid ", "facet normal ", "outer loop", "vertex ", "endloop", "endfacet", "endsolid",
             "v ", "vn ", "vt ", "f ", "1/1/1", "1//1", "-1", "1e300", "nan", "inf"],
    "part": ["$MeshFormat\\x0a", "2.2 0 8", "4.1 0 8", "$EndMeshFormat\\x0a", "$Nodes\\x0a", "$EndNodes\\x0a",
             "$Elements\\x0a", "$EndElements\\x0a", "$Entities\\x0a", "$EndEntities\\x0a", "$PhysicalNames\\x0a",
             "$EndPhysicalNames\\x0a", "*NODE", ", NSET=", "*ELEMENT, TYPE=", "C3D10", "C3D4", "C3D8I", "C3D20R", "B31",
             "CPS3", ", ELSET=", "*NSET, NSET=", "*ELSET, ELSET=", ", GENERATE", "*MATERIAL, NAME=", "*ELASTIC",
             "*DENSITY", "*SOLID SECTION, ELSET=", ", MATERIAL=", "*BEAM SECTION, SECTION=RECT", "*PART", "*END PART",
             "*ASSEMBLY", "*INSTANCE", "*END INSTANCE", "*END ASSEMBLY", "*INCLUDE, INPUT=part.inp", "*STEP",
             "*END STEP", "9223372036854775807", "-1", "1e300", "nan"],
    "table": [",", ";", "#", "1e300", "-1e-300", "nan", "inf", "\\x0d\\x0a", "\\xef\\xbb\\xbf", "MATRIX", "BLOCK"],
    "csv": [",", "time", "time [s]", "\\x22", "[m]", "1e300", "nan", "inf", "\\x0d\\x0a", "\\xef\\xbb\\xbf"],
}
YAML_MARKS = ["&a", "*a", "<<: *a", "!!str ", "|-", ">", "---", "...", "{", "}", "[", "]", ": ", "- ",
              "include: part.yaml", "file: table.csv", "mesh.obj", "for: ", "{i}", "1e300", "nan"]


def words_of(value, found):
    """Keys and texts of enums of a JSON schema."""
    if isinstance(value, dict):
        found.update(value.get("properties", {}))
        found.update(x for x in value.get("enum", []) if isinstance(x, str))
        found.update(x for x in [value.get("const")] if isinstance(x, str))
        for item in value.values():
            words_of(item, found)
    elif isinstance(value, list):
        for item in value:
            words_of(item, found)


class Tables:
    """Words that the program knows."""

    def __init__(self, trammel):
        self.trammel = trammel
        self.schema = set()
        words_of(json.loads(self.ask("schema")), self.schema)
        page = self.ask("help", "reference")
        self.functions = set(re.findall(r"`([a-z_][a-z0-9_]*)\(", page, re.I))
        self.units = set(re.findall(r"\b(?:mm|cm|km|m|in|ft|deg|rad|rpm|kg|g|lb|kN|N|Nm|Pa|MPa|GPa|ms|s|Hz)\b",
                                    self.ask("help", "units")))
        self.datasets = set(re.findall(r"\b[A-Z][A-Z_]{2,}\b", self.ask("help", "datasets")))

    def ask(self, *words):
        return subprocess.run([self.trammel, *words], check=True, capture_output=True, text=True).stdout


def dictionary(words):
    return "".join(f'"{w}"\n' for w in sorted(words) if w and len(w) < 60)


def quote(word):
    return word.replace("\\", "\\\\").replace('"', '\\"')


def expressions():
    """Values of models that look like formulas."""
    found = set()
    for path in [*ROOT.glob("models/**/*.yaml"), *ROOT.glob("tests/**/*.yaml")]:
        for text in re.findall(r"(?:value|force|torque|function|of|when)\s*:\s*(.+)", path.read_text(errors="replace")):
            text = text.strip().split(", unit")[0].rstrip("}").strip().strip("'\"")
            if 2 < len(text) < 200:
                found.add(text)
    for path in ROOT.glob("tests/expr/*.c"):
        found.update(t for t in re.findall(r'"([^"\\\n]{3,100})"', path.read_text()))
    return sorted(found)


def write(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def small(pattern):
    for path in sorted(ROOT.glob(pattern)):
        data = path.read_bytes()
        if len(data) <= LONGEST:
            yield re.sub(r"[^a-z0-9_.]", "_", path.relative_to(ROOT).as_posix().lower()), data


def texts(folder):
    for k, text in enumerate(expressions()):
        write(folder / "expression", f"{k:04d}", text)
    for pattern in ("models/**/*.yaml", "tests/data/**/*.yaml", "tests/robust/*.yaml"):
        for name, data in small(pattern):
            write(folder / "yaml", name, data)
    for name, data in small("tests/data/**/*.adm"):
        write(folder / "adm", name, data)
    for name, data in small("tests/data/**/*.acf"):
        write(folder / "acf", name, data)
    source = (ROOT / "tests/io/test_mesh_read.c").read_text()
    for k, text in enumerate(re.findall(r'((?:"(?:[^"\\]|\\.)*"\s*)+)', source)):
        whole = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).encode().decode("unicode_escape").encode()
        if whole.startswith((b"$Mesh", b"*")) and len(whole) > 30:
            write(folder / "part", f"test{k}", (b"\0" if whole.startswith(b"$") else b"\1") + whole)
    for test in ("tests/model/test_mesh.c",):
        for k, text in enumerate(re.findall(r'"((?:solid|v |facet)[^"]*)"', (ROOT / test).read_text())):
            write(folder / "mesh", f"test{k}", b"\x01" + text.encode().decode("unicode_escape").encode())


def tables(folder):
    for name, data in [*small("tests/data/**/*.csv"), *small("models/**/*.csv"), *small("tests/data/**/*.txt")]:
        for kind in range(4):
            write(folder / "table", f"{name}.{kind}", bytes([kind]) + data)
        write(folder / "csv", name, data)
    write(folder / "csv", "run", "time,a [m],b\n0,1,2\n0.1,1.5,nan\n0.2,2,-3e5\n")
    square = "solid s\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n" \
             "  endloop\n endfacet\nendsolid s\n"
    write(folder / "mesh", "text.stl", b"\0" + square.encode())
    facet = bytes(12) + b"".join(map(bytes.fromhex, ["000000000000000000000000", "0000803f0000000000000000",
                                                     "000000000000803f00000000"])) + b"\0\0"
    write(folder / "mesh", "binary.stl", b"\0" + bytes(80) + (2).to_bytes(4, "little") + 2 * facet)
    write(folder / "mesh", "faces.obj", b"\1# square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3 4\nf -1//1 -2//1 -3//1\n")


def results(folder):
    """Edits of result files, as tests/fuzz/results.c reads them: one of each kind on each file."""
    for target in ("report", "plot", "repair", "export"):
        for base in range(4):
            write(folder / target, f"base{base}", bytes([base]))
            for op in range(12):
                write(folder / target, f"base{base}_op{op}", bytes([base, op, 7, 3, 1, 2, 4, 9, 1, 8, 5, 6]))


def main():
    trammel, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    known = Tables(trammel)
    texts(folder)
    tables(folder)
    results(folder)
    words = {
        "expression": {f + "(" for f in known.functions} | known.units | {"time", "x", "table", "odd name", "dx(", "and ", "not "},
        "yaml": {w + ": " for w in known.schema} | {f + "(" for f in known.functions} | set(YAML_MARKS),
        "adm": known.datasets | {f.upper() + "(" for f in known.functions} | {"\\\\\\x0a", "FUNCTION=", "END\\x0a"},
        "acf": known.datasets,
    }
    for target, found in words.items():
        escaped = {w if "\\" in w else quote(w) for w in found}
        write(folder, target + ".dict", dictionary(escaped))
    for target, found in MARKS.items():
        write(folder, target + ".dict", dictionary(found))


if __name__ == "__main__":
    main()
