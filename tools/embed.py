#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes text as C strings.

embed.py INPUT OUTPUT NAME: a kernel's source as `const char tac_kernel_source_NAME[]`.
embed.py --page INPUT OUTPUT NAME: a page as `tac_NAME_head[]` and `tac_NAME_tail[]`, what stands before and after its line
`@record@`; a line `@include FILE@` stands for the lines of that file, beside INPUT, without those of its licence, and
`@script-hash@` for the SHA-256 of the script, by which a policy admits that one and no other."""
import base64
import hashlib
import os
import sys

LICENCE = ('SPDX-License-Identifier', 'Copyright (c)')


def literal(line):
    """One line as a C string literal, its line break included."""
    text = line.replace('\\', '\\\\').replace('"', '\\"').replace('\t', '\\t')
    return '    "' + text + '\\n"\n'


def read_lines(path):
    with open(path, encoding='utf-8') as file:
        return file.read().split('\n')


def write_array(file, name, lines):
    file.write(f'extern const char {name}[];\nconst char {name}[] =\n')
    file.writelines(literal(line.encode('ascii', 'replace').decode()) for line in lines)
    file.write('    ;\n')


def page_lines(path):
    """The lines of a page with those of the files it includes; the licence of each part stands in the sources alone."""
    for line in read_lines(path):
        if line.startswith('@include ') and line.endswith('@'):
            yield from page_lines(os.path.join(os.path.dirname(path), line[len('@include '):-1]))
        elif not any(mark in line for mark in LICENCE):
            if not line.isascii():
                sys.exit(f'{path}: a page is written in ASCII: {line}')
            yield line


def script_hash(lines):
    """Of what stands between the tags of the one script that runs."""
    script = '\n'.join(lines).split('<script>')[1].split('</script>')[0]
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def main():
    page = sys.argv[1] == '--page'
    source, output, name = sys.argv[2 if page else 1:]
    if not page:
        with open(output, 'w', encoding='utf-8') as file:
            write_array(file, f'tac_kernel_source_{name}', read_lines(source))
        return
    lines = list(page_lines(source))
    script = script_hash(lines)
    lines = [line.replace('@script-hash@', script) for line in lines]
    cut = lines.index('@record@')
    with open(output, 'w', encoding='utf-8') as file:
        write_array(file, f'tac_{name}_head', lines[:cut])
        write_array(file, f'tac_{name}_tail', lines[cut + 1:])


main()
