# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the kernels as CUDA does, without a device: toolchain.py nvcc|nvrtc COMPILER_OR_LIBRARY ROW... where a row is
NAME:SOURCE:ARCHITECTURES:OPTIONS, the last two separated by commas. Skips where the toolkit is not installed."""
import concurrent.futures
import ctypes
import os
import subprocess
import sys
import tempfile

import tap

NAMES = os.path.join(os.path.dirname(__file__), '..', '..', 'runtime', 'device', 'kernels', 'names.h')
# As the module does; and what no kernel of a source uses is no fault of the source.
OPTIONS = ['--fmad=false']
UNUSED_FUNCTION = '177'


def skip(reason):
    print('1..0 # SKIP ' + reason)
    sys.exit(0)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def by_nvcc(nvcc, folder, name, text, architectures, options):
    """All architectures in one run, little optimised: that takes most of the time and is NVRTC's at run time."""
    source, output = os.path.join(folder, name + '.cu'), os.path.join(folder, name + '.fatbin')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(text)
    targets = [f'-gencode=arch=compute_{number},code=sm_{number}' for number in architectures]
    done = subprocess.run([nvcc, '-fatbin', '-Werror', 'all-warnings', '-diag-suppress', UNUSED_FUNCTION, '-Xcicc', '-O1',
                           '-Xptxas', '-O1', *OPTIONS, *options, *targets, '-o', output, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0 and os.path.getsize(output) > 0, done.stdout


def by_nvrtc(library, name, text, architecture, options):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    words = [word.encode() for word in OPTIONS + options + [f'--gpu-architecture=sm_{architecture}']]
    if library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name.encode(), 0, None, None):
        return False, 'nvrtcCreateProgram failed'
    failed = library.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value + 1)
    library.nvrtcGetProgramLog(program, log)
    size.value = 0
    if not failed:
        library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return size.value > 0, log.value.decode()


def submit(pool, how, what, folder, row):
    """What is checked, each with its future."""
    name, source, architectures, options = row.split(':')
    architectures, options = architectures.split(','), options.split(',')
    text = read(NAMES) + read(source)
    title = f'{how} {name}'
    if how == 'nvcc':
        return [(title + ' ' + ','.join(architectures), pool.submit(by_nvcc, what, folder, name, text, architectures, options))]
    return [(f'{title} {number}', pool.submit(by_nvrtc, what, name, text, number, options)) for number in architectures]


def main():
    how, what, *rows = sys.argv[1:]
    if how == 'nvcc' and not os.access(what, os.X_OK):
        skip('no nvcc: the CUDA toolkit is not installed here')
    if how == 'nvrtc':
        try:
            what = ctypes.CDLL(what)
        except OSError as error:
            skip(f'no NVRTC: {error}')
    points = tap.Points()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = [check for row in rows for check in submit(pool, how, what, folder, row)]
        for title, future in checks:
            points.add(future.result()[0], title, future.result()[1])
    points.finish()


main()
