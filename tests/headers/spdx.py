#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every source file names its licence in its first three lines: spdx.py SOURCE_ROOT"""
import os
import sys

from tap import Points

LINE = "SPDX-License-Identifier: BSD-3-Clause"
SOURCES = (".c", ".h", ".py", ".sh", ".html", ".css", ".js", ".txt", ".build", ".wrap", ".clang-format", ".clang-tidy", ".editorconfig")
PROSE = (".md", ".json", "LICENSE", ".gitignore")
SKIPPED_FOLDERS = ("build", "b-", "__pycache__", "subprojects")


def is_source(path):
    """By its name, or, for a name without an ending, by its first line."""
    if path.endswith(PROSE):
        return False
    if path.endswith(SOURCES):
        return True
    with open(path, "rb") as source:
        return source.read(2) == b"#!"


def source_files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name == ".ci" or not name.startswith((".", *SKIPPED_FOLDERS))]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and is_source(path):
                yield path


def names_licence(path):
    with open(path, encoding="utf-8") as source:
        return any(LINE in source.readline() for _ in range(3))


def main(root):
    points = Points()
    files = sorted(source_files(root))
    missing = [os.path.relpath(path, root) for path in files if not names_licence(path)]
    points.add(len(files) > 0 and not missing, "{} files name their licence".format(len(files)), "\n".join(missing))
    points.finish()


main(sys.argv[1])
