#!/usr/bin/env python3
"""Write trammel/_abi.py from the public headers: all structs, constants and functions, as cffi's ABI mode wants them.

usage: make_abi.py INCLUDE OUT.py
"""
import pathlib
import re
import sys


def declarations(include):
    """The text of trammel/trammel.h with all that it includes, without what is for the preprocessor."""
    seen, out = set(), []

    def read(path):
        if path in seen:
            return
        seen.add(path)
        text = (include / path).read_text(encoding="utf-8")
        for line in re.findall(r'^\s*#include "([^"]+)"', text, flags=re.M):
            read(line)
        out.append(text)

    read("trammel/trammel.h")
    text = "\n".join(out)
    codes = re.search(r"#define TML_STATUS_LIST\(X\)(.*?)\n\n", text, flags=re.S).group(1)
    names = re.findall(r"X\((\w+),", codes)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r'#ifdef __cplusplus\s*(extern "C" \{|\})\s*#endif', " ", text)
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    text = text.replace("TML_STATUS_LIST(TML_STATUS_ENUM)", ", ".join(names) + ",")
    text = re.sub(r"\b(TML_API|TML_NODISCARD)\b", " ", text)
    text = re.sub(r"TML_PRINTF\([^)]*\)", " ", text)
    text = re.sub(r"static inline[^{]*\{[^}]*\}", " ", text)
    return re.sub(r"\n\s*\n+", "\n", text)


def main():
    import cffi

    include, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    ffi = cffi.FFI()
    ffi.set_source("trammel._abi", None)
    ffi.cdef(declarations(include))
    out.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_python_code(str(out))


if __name__ == "__main__":
    main()
