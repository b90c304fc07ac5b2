# SPDX-License-Identifier: BSD-3-Clause
"""What tools/device-check says without running anything: device_check.py SCRIPT."""
import os
import subprocess
import sys

import tap


def call(*options, **environment):
    words = {key: value for key, value in os.environ.items() if key != 'CUDA_VISIBLE_DEVICES'}
    return subprocess.run([sys.argv[1], *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=words | environment,
                          check=False)


def main():
    points = tap.Points()
    usage = call('--help')
    points.add(usage.returncode == 0 and usage.stdout.startswith('usage: tools/device-check'), '--help')
    for option in ['--nonsense', '--executor=openmp', '--budget=soon', '--device=', '--only=some']:
        refused = call(option)
        points.add(refused.returncode == 2 and option in refused.stderr and not refused.stdout, f'{option} is refused', refused.stderr)
    for executor in ['cuda', 'opencl']:
        plan = call('--dry-run', f'--executor={executor}', '--device=1', '--build-dir=/nonexistent/here')
        lines = plan.stdout.splitlines()
        points.add(plan.returncode == 0 and all(line.startswith('$ ') for line in lines), f'{executor}: a dry run only says', plan.stdout)
        for word in ['meson setup', f'battery_driver {executor} 2 hooked', f'volume_fmm --executor={executor} --device=1', '--max-states=4096']:
            points.add(sum(word in line for line in lines) > 0, f'{executor}: {word}', plan.stdout)
        checked = [line for line in lines if '--check' in line]
        points.add(any('heisenberg_dmrg' in line for line in checked) and any('volume_fmm' in line for line in checked),
                   f'{executor}: both programs with --check', plan.stdout)
    for visible, name in {'': '1', 'GPU-a,GPU-b': 'GPU-b'}.items():
        lines = call('--dry-run', '--device=1', '--only=checks', CUDA_VISIBLE_DEVICES=visible).stdout.splitlines()
        tests = [line for line in lines if line.split('/')[-1].startswith(('test_device_', 'test_dmrg_device ', 'test_fmm_device ', 'battery_driver '))]
        points.add(len(tests) == 14 and all(line.startswith(f'$ env CUDA_VISIBLE_DEVICES={name} ') for line in tests),
                   f'tests see device 1 alone, {visible or "of all"}', '\n'.join(lines))
    tables = call('--dry-run', '--only=tables').stdout
    points.add('--check' not in tables and '--steady-sweeps' in tables, '--only=tables checks nothing', tables)
    checks = call('--dry-run', '--only=checks').stdout
    points.add('--check' in checks and '--steady-sweeps' not in checks, '--only=checks times nothing', checks)
    points.finish()


main()
