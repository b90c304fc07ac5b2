#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the module's files go, and what they take the place of: files_test.py LOADER MODULE PLAIN NEXT_TOOL..."""
import json
import os
import socket
import stat
import subprocess
import sys
import tempfile

from runs import SETTINGS, run, show
from tap import Points

FORMS = ("json", "trace", "html")
OLD = "the old content\n"


def put(path, text=OLD, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def is_form(form, text):
    if form == "html":
        return text.startswith("<!") and '"kokkos"' in text
    value = json.loads(text)
    return value[0]["name"] == "tactus" if form == "trace" else value["kind"] == "kokkos"


class Folder:
    """Runs scenes in a folder of their own, which is empty at the begin and is looked at in the end."""

    def __init__(self, points, loader, module):
        self.points, self.loader, self.module = points, loader, module
        self.folder = tempfile.TemporaryDirectory(prefix="tactus-kokkos-")
        self.path = os.path.join(self.folder.name, "out")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def play(self, form, path, scene="all"):
        return run([self.loader, self.module, scene], TACTUS_KOKKOS_OUT=form + ":" + path)

    def holds(self, *names):
        return sorted(os.listdir(self.folder.name)) == sorted(names)


def check_modes(points, loader, module, form):
    for mode in 0o600, 0o640, 0o444:
        with Folder(points, loader, module) as at:
            put(at.path, mode=mode)
            done = at.play(form, at.path)
            points.add(done.stderr == "" and is_form(form, read(at.path)) and stat.S_IMODE(os.stat(at.path).st_mode) == mode and at.holds("out"),
                       "{}: the mode {:o} stays".format(form, mode), show(done))
    with Folder(points, loader, module) as at:
        done = at.play(form, at.path)
        mask = os.umask(0)
        os.umask(mask)
        points.add(is_form(form, read(at.path)) and stat.S_IMODE(os.stat(at.path).st_mode) == 0o666 & ~mask, form + ": a new file has that of any", show(done))


def check_links(points, loader, module, form):
    for exists in True, False:
        with Folder(points, loader, module) as at:
            target = os.path.join(at.folder.name, "target")
            if exists:
                put(target)
            os.symlink("target", at.path)
            done = at.play(form, at.path)
            points.add(done.stderr == "" and os.readlink(at.path) == "target" and not os.path.islink(target) and is_form(form, read(target)) and
                       at.holds("out", "target"), "{}: a link is followed{}".format(form, "" if exists else " to nothing"), show(done))


def check_names(points, loader, module, form):
    with Folder(points, loader, module) as at:
        longest = 255 - len(".part") if form == "trace" else 255
        path = os.path.join(at.folder.name, "n" * longest)
        done = at.play(form, path)
        points.add(done.stderr == "" and is_form(form, read(path)) and at.holds("n" * longest), form + ": the longest name", show(done))
    for bytes_of_name in longest + 1, 300, 5000:
        with Folder(points, loader, module) as at:
            done = at.play(form, os.path.join(at.folder.name, "n" * bytes_of_name))
            points.add(done.returncode == 0 and done.stderr.count("\n") == 1 and done.stderr.endswith("; nothing is measured\n") and at.holds(),
                       "{}: a name of {} bytes is refused at once".format(form, bytes_of_name), show(done)[:600])


def check_expansion(points, loader, module, form):
    """Two runs with one setting have a file each; what is unknown is refused, and the program runs."""
    with Folder(points, loader, module) as at:
        numbers = []
        for _ in range(2):
            command = subprocess.Popen([loader, module, "all"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       env={**os.environ, "TACTUS_KOKKOS_OUT": form + ":" + at.path + "-%h-%p%%p"})
            points.add(command.communicate()[1] == b"", form + ": a name that is expanded")
            numbers.append(command.pid)
        names = ["out-{}-{}%p".format(socket.gethostname(), number) for number in numbers]
        points.add(at.holds(*names) and all(is_form(form, read(os.path.join(at.folder.name, name))) for name in names),
                   form + ": a file for each process", str(os.listdir(at.folder.name)))
    for end, told in ("%q", "unknown '%q'"), ("-%", "unknown '%'"), ("%", "unknown '%'"):
        with Folder(points, loader, module) as at:
            done = at.play(form, at.path + end)
            points.add(done.returncode == 0 and done.stdout == "fencing=0\n" and done.stderr.count("\n") == 1 and told in done.stderr and
                       "TACTUS_KOKKOS_OUT" in done.stderr and "(%p process, %h host, %% a percent sign); nothing is measured\n" in done.stderr and at.holds(),
                       "{}: a name with {} is refused".format(form, end), show(done))


def check_once(points, loader, module, form):
    """The scene has three sections, each of which would fail."""
    with Folder(points, loader, module) as at:
        put(at.path)
        done = run(["bash", "-c", 'ulimit -f 0; exec "$@"', "-", loader, module, "twice"], TACTUS_KOKKOS_OUT=form + ":" + at.path)
        line = "libtactus_kokkos: cannot write '{}{}\n".format(at.path, ".part': File too large; nothing is measured" if form == "trace" else "': File too large")
        points.add(done.returncode == 0 and done.stderr == line and
                   read(at.path) == OLD and at.holds("out"), form + ": a write that fails is told once, and the old file stays", show(done))


def check_open(points, loader, module, form):
    """Standard output that is a file already: it is written on, or, as a trace takes the place of its file, refused."""
    for name in "/dev/stdout", "/dev/fd/1":
        with Folder(points, loader, module) as at:
            put(at.path)
            environment = {key: value for key, value in os.environ.items() if key not in SETTINGS}
            with open(at.path, "a", encoding="utf-8") as log:
                done = subprocess.run([loader, module, "all"], stdout=log, stderr=subprocess.PIPE, text=True, check=False,
                                      env={**environment, "TACTUS_KOKKOS_OUT": form + ":" + name})
            before, _, rest = read(at.path).partition("fencing=0\n")
            if form == "trace":
                points.add(before == OLD and rest == "" and done.stderr == "libtactus_kokkos: '{}' is no regular file, as a trace needs; nothing is measured\n".format(name),
                           "trace: " + name + " is refused", show(done))
            else:
                points.add(before == OLD and is_form(form, rest) and done.stderr == "", form + ": " + name + " is written on", show(done))
            points.add(at.holds("out"), form + ": and nothing else")


def check_usurped(points, loader, module):
    with Folder(points, loader, module) as at:
        put(at.path)
        done = at.play("trace", at.path, "usurped")
        points.add(done.returncode == 0 and done.stderr == "libtactus_kokkos: another run writes '{}.part', too\n".format(at.path) and
                   read(at.path) == OLD and read(at.path + ".part") == "other", "the part of another run is left alone", show(done))


def check_pipe(points, loader, module):
    with Folder(points, loader, module) as at:
        os.mkfifo(at.path)
        with subprocess.Popen(["cat", at.path], stdout=subprocess.PIPE, text=True) as reader:
            done = at.play("json", at.path)
            points.add(is_form("json", reader.stdout.read()) and stat.S_ISFIFO(os.stat(at.path).st_mode), "a pipe is written to", show(done))


def check_unread(points, loader, module):
    """Only a program that ends by itself gets here: an open that waits would do so until the test's end."""
    for form in "json", "html", "trace":
        with Folder(points, loader, module) as at:
            os.mkfifo(at.path)
            os.symlink("out", os.path.join(at.folder.name, "link"))
            done = at.play(form, os.path.join(at.folder.name, "link"))
            what = "is no regular file, as a trace needs; nothing is measured" if form == "trace" else "nobody reads that pipe"
            points.add(done.returncode == 0 and done.stderr.count("\n") == 1 and done.stderr.endswith(what + "\n") and at.holds("link", "out"),
                       form + ": a named pipe without a reader is told", show(done))


def check_gone(points, loader, module):
    """Pipes whose reader has gone: standard error, a descriptor, and a named one whose reader goes before the record is whole."""
    for form, streams in ("text", ("stderr",)), ("yaml", ("stderr",)), ("json:/dev/stdout", ("stdout",)), ("json:/dev/stdout", ("stdout", "stderr")):
        reading, writing = os.pipe()
        os.close(reading)
        environment = {key: value for key, value in os.environ.items() if key not in SETTINGS}
        pipes = {name: writing if name in streams else subprocess.PIPE for name in ("stdout", "stderr")}
        done = subprocess.run([loader, module, "quiet"], text=True, check=False, env={**environment, "TACTUS_KOKKOS_OUT": form}, timeout=120, **pipes)
        os.close(writing)
        told = "libtactus_kokkos: cannot write '/dev/stdout': Broken pipe\n" if "stderr" not in streams else None
        points.add(done.returncode == 0 and done.stderr == told, "{} to nobody: {}".format(form, " and ".join(streams)), show(done))
    with Folder(points, loader, module) as at:
        os.mkfifo(at.path)
        with subprocess.Popen(["head", "-c", "1", at.path], stdout=subprocess.DEVNULL):
            done = at.play("html", at.path, "quiet")
            points.add(done.returncode == 0 and done.stderr == "libtactus_kokkos: cannot write '{}': Broken pipe\n".format(at.path),
                       "a named pipe whose reader goes", show(done))


def main(loader, module, *_):
    points = Points()
    for form in FORMS:
        check_modes(points, loader, module, form)
        check_links(points, loader, module, form)
        check_names(points, loader, module, form)
        check_expansion(points, loader, module, form)
        check_once(points, loader, module, form)
        check_open(points, loader, module, form)
    check_usurped(points, loader, module)
    check_pipe(points, loader, module)
    check_unread(points, loader, module)
    check_gone(points, loader, module)
    points.finish()


main(*sys.argv[1:])
