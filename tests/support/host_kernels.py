#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kernel sources as host C.

host_kernels.py program SOURCE OUTPUT SYMBOL NAME OPTION...  a source compiled with options of the form -DNAME=VALUE, its kernels
                                                            behind functions that take pointers to their arguments
host_kernels.py list OUTPUT SYMBOL...                        the table of the programs of those symbols
"""
import os
import re
import sys

KERNEL = re.compile(r'TAC_KERNEL\((\w+)\)\s*\(([^)]*)\)')


def argument_type(argument):
    """`TAC_GLOBAL const double *x` -> `TAC_GLOBAL const double *`"""
    return re.sub(r'\w+\s*$', '', argument.strip()).strip()


def caller(name, arguments):
    values = ', '.join(f'*({kind} *)argument[{i}]' for i, kind in enumerate(arguments))
    unused = '' if arguments else '  (void)argument;\n'
    return f'static void call_{name}(void *const *argument) {{\n{unused}  {name}({values});\n}}\n'


def program(source, output, symbol, name, *options):
    with open(source, encoding='utf-8') as file:
        text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.S)
    kernels = [(k, [argument_type(a) for a in arguments.split(',') if a.strip()]) for k, arguments in KERNEL.findall(text)]
    defines = ''.join('#define {} {}\n'.format(*option[2:].split('=', 1)) for option in options)
    rows = ''.join(f'    {{"{k}", {len(arguments)}, call_{k}}},\n' for k, arguments in kernels)
    with open(output, 'w', encoding='utf-8') as file:
        # Elementary functions by the type of their argument, as in the languages of devices.
        file.write('#include <tgmath.h>\n#undef I\n#include "tests/support/host_kernel.h"\n' + defines)
        file.write('#include "runtime/device/kernels/names.h"\n')
        file.write('#undef TAC_KERNEL\n#define TAC_KERNEL(name) static void name\n')
        file.write(f'#include "{os.path.abspath(source)}"\n\n')
        file.write(''.join(caller(k, arguments) for k, arguments in kernels))
        file.write(f'static const struct host_kernel kernels[] = {{\n{rows}}};\n')
        file.write(f'extern const struct host_program host_program_{symbol};\n')
        file.write(f'const struct host_program host_program_{symbol} = '
                   f'{{"{name}", "{" ".join(options)}", kernels, sizeof kernels / sizeof *kernels}};\n')


def table(output, *symbols):
    with open(output, 'w', encoding='utf-8') as file:
        file.write('#include "tests/support/host_kernel.h"\n')
        file.write(''.join(f'extern const struct host_program host_program_{symbol};\n' for symbol in symbols))
        rows = ''.join(f'    &host_program_{symbol},\n' for symbol in symbols)
        file.write(f'const struct host_program *const host_programs[] = {{\n{rows}}};\n')
        file.write('const size_t host_program_count = sizeof host_programs / sizeof *host_programs;\n')


{'program': program, 'list': table}[sys.argv[1]](*sys.argv[2:])
