#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No room includes a room above it (runtime <- measure <- scheduler <- apps): directions.py SOURCE_ROOT

The public headers of a room obey the same order. Examples see the public headers alone."""
import os
import re
import sys

from tap import Points

# Lowest first; a room may include itself and those before it. An include that names none of them is the system's.
ROOMS = ["runtime", "measure", "scheduler", "apps"]
UMBRELLAS = {"tactus.h", "dmrg.h", "fmm.h"}
# The public header of measure/hooks, a library above libtactus' part of its room.
HOOKS = "tactus/hooks.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(included):
    """The room that an included name belongs to, or None for a system header."""
    public = included.startswith("tactus/")
    parts = included.split("/")[1 if public else 0:]
    if included == HOOKS:
        return "measure"
    if public and (parts[0] in UMBRELLAS or parts[0] not in ROOMS):
        return "apps"
    return parts[0] if parts[0] in ROOMS else None


def wrong_includes(text, room):
    """The includes of one file of a room that stand above that room."""
    rooms = ((name, room_of(name)) for _, name in INCLUDE.findall(text))
    return [name for name, other in rooms if other and ROOMS.index(other) > ROOMS.index(room)]


def private_includes(text):
    return [name for mark, name in INCLUDE.findall(text) if mark == '"' and "/" in name]


def source_files(folder):
    for base, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.join(base, name)


def read(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


def check_room(points, root, room):
    folders = [os.path.join(root, room), os.path.join(root, "include", "tactus", room)]
    files = [path for folder in folders for path in source_files(folder)]
    wrong = ["{}: {}".format(os.path.relpath(path, root), name) for path in files for name in wrong_includes(read(path), room)]
    points.add(bool(files) and not wrong, "{} includes nothing above it".format(room), "\n".join(wrong) or "no files")


def check_hooks(points, root):
    """libtactus needs nothing of libtactus_hooks."""
    folders = [os.path.join(root, folder) for folder in ("runtime", "measure", "scheduler")]
    inside = os.path.join(root, "measure", "hooks")
    files = [path for folder in folders for path in source_files(folder) if os.path.dirname(path) != inside]
    wrong = [path for path in files
             if any(name == HOOKS or name.startswith("measure/hooks/") for _, name in INCLUDE.findall(read(path)))]
    points.add(os.path.isdir(inside) and not wrong, "nothing of libtactus includes its hooks' library", "\n".join(wrong))


def check_the_check(points):
    """The rule itself on planted includes, so that it cannot pass by finding nothing."""
    planted = '#include <stdio.h>\n#include <tactus/runtime/error.h>\n#include "measure/recorder.h"\n#include <tactus/dmrg.h>\n'
    points.add(wrong_includes(planted, "runtime") == ["measure/recorder.h", "tactus/dmrg.h"], "planted includes are found")
    points.add(not wrong_includes(planted, "apps"), "apps may include every room")


def main(root):
    points = Points()
    check_the_check(points)
    for room in ROOMS[:-1]:
        check_room(points, root, room)
    check_hooks(points, root)
    private = {path: private_includes(read(path)) for path in source_files(os.path.join(root, "examples"))}
    points.add(not any(private.values()), "examples include public headers only", str(private))
    points.finish()


main(sys.argv[1])
