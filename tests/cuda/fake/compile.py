#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles a program as NVRTC gets it by the host's compiler: compile.py SOURCE OUTPUT COMPILER_OPTION... with the compiler's
command in FAKE_CUDA_CC's words, see fake/nvrtc.c. What it prints is the build log."""
import os
import re
import shlex
import subprocess
import sys

KERNEL = re.compile(r'TAC_KERNEL\((\w+)\)\s*\(([^)]*)\)')
BEFORE = '#include <tgmath.h>\n#undef I\n#include "tests/cuda/fake/kernel.h"\n#line 1\n'


def argument_type(argument):
    return re.sub(r'\w+\s*$', '', argument.strip()).strip()


def callable_kernel(name, arguments):
    types = [argument_type(argument) for argument in arguments.split(',') if argument.strip()]
    values = ', '.join(f'*({kind} *)argument[{i}]' for i, kind in enumerate(types))
    sizes = ''.join(f'{{sizeof({kind}), {int("*" in kind)}}}, ' for kind in types)
    return (f'static void call_{name}(void *const *argument) {{\n  (void)argument;\n  {name}({values});\n}}\n'
            f'static const struct fake_argument arguments_{name}[] = {{{sizes or "{0, 0}"}}};\n',
            f'    {{{{"{name}", {len(types)}, call_{name}}}, arguments_{name}}},\n')


def main():
    source, output, *options = sys.argv[1:]
    with open(source, encoding='utf-8') as file:
        text = file.read()
    plain = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    kernels = [callable_kernel(*found) for found in KERNEL.findall(plain)]
    with open(source, 'w', encoding='utf-8') as file:
        file.write(BEFORE + text + '\n')
        file.write(''.join(functions for functions, _ in kernels))
        file.write('const struct fake_kernel fake_kernels[] = {\n' + ''.join(row for _, row in kernels) + '    {{0}, 0}};\n')
        file.write(f'const int fake_has_barriers = {int("TAC_BARRIER();" in plain)};\n')
        file.write(f'const size_t fake_kernel_count = {len(kernels)};\n')
    command = shlex.split(os.environ['FAKE_CUDA_CC']) + ['-o', output, source] + options
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    sys.stdout.write(done.stdout)
    sys.exit(done.returncode)


main()
