#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every public header compiles alone, and twice, as C11 and as C++17: standalone.py INCLUDE_DIR COMPILER...

A compiler whose name holds "++" compiles C++. The variant header must compile at each level and refuse every other."""
import os
import subprocess
import sys

from tap import Points

FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
VARIANT = "tactus/measure/variant.h"
LEVELS = 4


def compile_include(compiler, include_dir, header, defines):
    language = ["-std=c++17", "-xc++"] if "++" in os.path.basename(compiler) else ["-std=c11", "-xc"]
    text = "#include <{0}>\n#include <{0}>\ntypedef int not_empty;\n".format(header)
    command = [compiler, *language, *FLAGS, "-I", include_dir, *defines, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def headers_below(include_dir):
    for folder, _, names in os.walk(include_dir):
        for name in names:
            if name.endswith(".h"):
                yield os.path.relpath(os.path.join(folder, name), include_dir)


def main(include_dir, compilers):
    points = Points()
    for compiler in compilers:
        tool = os.path.basename(compiler)
        for header in sorted(headers_below(include_dir)):
            for defines in [["-DTAC_LEVEL=%d" % n] for n in range(LEVELS)] if header == VARIANT else [[]]:
                result = compile_include(compiler, include_dir, header, defines)
                points.add(result.returncode == 0, " ".join([tool, header, *defines]), result.stderr)
        for defines in [], ["-DTAC_LEVEL=%d" % LEVELS], ["-DTAC_LEVEL=-1"]:
            result = compile_include(compiler, include_dir, VARIANT, defines)
            refused = result.returncode != 0 and "TAC_LEVEL" in result.stderr
            points.add(refused, " ".join([tool, VARIANT, "refuses", *(defines or ["no level"])]), result.stderr)
    points.finish()


main(sys.argv[1], sys.argv[2:])
