#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a kernel's source as a C string: embed.py INPUT OUTPUT NAME gives `const char tac_kernel_source_NAME[]`."""
import sys


def literal(line):
    """One line as a C string literal, its line break included."""
    text = line.replace('\\', '\\\\').replace('"', '\\"').replace('\t', '\\t')
    return '    "' + text + '\\n"\n'


def main():
    source, output, name = sys.argv[1:4]
    with open(source, encoding='utf-8') as file:
        lines = file.read().split('\n')
    with open(output, 'w', encoding='utf-8') as file:
        file.write(f'extern const char tac_kernel_source_{name}[];\nconst char tac_kernel_source_{name}[] =\n')
        file.writelines(literal(line.encode('ascii', 'replace').decode()) for line in lines)
        file.write('    ;\n')


main()
