# SPDX-License-Identifier: BSD-3-Clause
"""Where libtactus looks for the CUDA module: loading.py PROBE MODULE PREFIX LIBDIR COMPILER... with the library folder below the
prefix, where another build may have installed one."""
import os
import shutil
import subprocess
import sys
import tempfile

import tap

NAME = 'libtactus_cuda.so'
OTHER_VERSION = '''struct table { unsigned abi; } tac_backend_cuda_table = {1000};'''


def main():
    probe, module, installed, libdir, *compiler = sys.argv[1:]
    nowhere = 'OK' if os.path.exists(os.path.join(installed, libdir, 'tactus', NAME)) else f'UNAVAILABLE no {NAME} beside this program'
    points = tap.Points()
    with tempfile.TemporaryDirectory() as prefix:
        program = os.path.join(prefix, 'bin', 'probe')
        os.mkdir(os.path.dirname(program))
        shutil.copy(probe, program)

        def ask(name, expected, folder=None, path=program, **environment):
            """With the module in a folder, for this question only."""
            if folder:
                os.makedirs(folder, exist_ok=True)
                shutil.copy(module, os.path.join(folder, NAME))
            words = {key: value for key, value in os.environ.items() if key != 'LD_LIBRARY_PATH'}
            done = subprocess.run([path], stdout=subprocess.PIPE, text=True, env=words | environment, check=False, executable=program)
            points.add(done.returncode == 0 and done.stdout.startswith(expected), name, done.stdout)
            if folder:
                os.remove(os.path.join(folder, NAME))

        elsewhere = os.path.join(prefix, 'elsewhere')
        ask('none', nowhere)
        ask('beside the program', 'OK cuda', os.path.dirname(program))
        ask('beside a program found by the search path', 'OK cuda', os.path.dirname(program), path='probe')
        ask('in the folder of modules', 'OK cuda', os.path.join(os.path.dirname(program), 'tactus'))
        ask('in the library folder of the same prefix', 'OK cuda', os.path.join(prefix, libdir, 'tactus'))
        ask('not where nobody looks', nowhere, elsewhere)
        ask("in a folder of the loader's", 'OK cuda', elsewhere, LD_LIBRARY_PATH=elsewhere)

        broken = os.path.join(os.path.dirname(program), NAME)
        with open(broken, 'w', encoding='utf-8') as file:
            file.write('no library')
        ask('what is no library says so', f'UNAVAILABLE cannot load {NAME}')
        source = os.path.join(prefix, 'other.c')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(OTHER_VERSION)
        subprocess.run([*compiler, '-shared', '-fPIC', '-o', broken, source], check=True)
        ask('another version is refused', f'UNAVAILABLE {NAME} is of another version')
    points.finish()


main()
