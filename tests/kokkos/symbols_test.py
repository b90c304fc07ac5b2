#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The module exports what Kokkos looks up and nothing else, and needs no more than the C library: symbols_test.py NM READELF MODULE"""
import re
import subprocess
import sys

from tap import Points

# What the sanitizers add to every object.
INSTRUMENTS = ("__asan_", "__odr_asan", "__ubsan_", "__tsan_", "__sanitizer_")
WANTED = """init_library finalize_library request_tool_settings provide_tool_programming_interface parse_args print_help
declare_metadata begin_parallel_for end_parallel_for begin_parallel_reduce end_parallel_reduce begin_parallel_scan
end_parallel_scan begin_fence end_fence begin_deep_copy end_deep_copy allocate_data deallocate_data push_profile_region
pop_profile_region create_profile_section start_profile_section stop_profile_section destroy_profile_section profile_event
dual_view_sync dual_view_modify""".split()
ALLOWED = re.compile(r"^(lib(c|m|dl|pthread|asan|ubsan|tsan|gcc_s|clang_rt\.\S+)\.so|ld-linux)")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main(nm, readelf, module):
    points = Points()
    rows = [line.split()[0] for line in output(nm, "--dynamic", "--defined-only", "--format=posix", module).splitlines()]
    names = sorted(name for name in rows if not name.startswith(INSTRUMENTS))
    wanted = sorted("kokkosp_" + name for name in WANTED)
    points.add(names == wanted, "the module exports Kokkos' entries and nothing else", str(set(names) ^ set(wanted)))
    dynamic = output(readelf, "-d", "-W", module)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    points.add(bool(needed) and all(ALLOWED.match(name) for name in needed), "it needs the C library only", str(needed))
    points.add("NODELETE" in dynamic, "it stays loaded: threads that end later call it", dynamic)
    points.finish()


main(*sys.argv[1:])
