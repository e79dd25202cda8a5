"""What `pip install ./python` calls: it makes a wheel of the package as the build of Trammel has made it, without network.

The package is in build/python; when it is not there, `make python` builds it.
"""
import base64
import hashlib
import pathlib
import subprocess
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
BUILT = HERE.parent / "build" / "python" / "trammel"
VERSION = "0.1.0"
METADATA = f"""Metadata-Version: 2.1
Name: trammel
Version: {VERSION}
Summary: The dynamics of mechanisms
License: BSD-3-Clause
Requires-Python: >=3.11
Requires-Dist: numpy
Requires-Dist: cffi
"""


def _tag():
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _package():
    if not (BUILT / "_abi.py").exists() or not (BUILT / "libtrammel.so").exists():
        subprocess.run(["make", "-C", str(HERE.parent), "python"], check=True)
    return {f"trammel/{p.name}": p.read_bytes() for p in sorted(BUILT.iterdir())
            if p.suffix in (".py", ".so") or p.name == "py.typed"}


def _write(path, files):
    info = f"trammel-{VERSION}.dist-info"
    files = {**files, f"{info}/METADATA": METADATA.encode(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: trammel\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()}
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
            wheel.writestr(name, data)
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"trammel-{VERSION}-{_tag()}.whl"
    _write(pathlib.Path(wheel_directory) / name, _package())
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """pip install -e: the package in build/python is used where it is."""
    _package()
    name = f"trammel-{VERSION}-{_tag()}.whl"
    _write(pathlib.Path(wheel_directory) / name, {"trammel.pth": f"{BUILT.parent}\n".encode()})
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the package is built in the source tree of Trammel")


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_wheel
