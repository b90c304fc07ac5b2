#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a Kokkos program: kokkos_test.py PAGE TACTUS MODULE [CLIENT IN_PROCESS]"""
import json
import os
import re
import subprocess
import sys

from pages import EVIL, SETTINGS, run_checks, sample, table_of, text_of, tile



FENCING = """[...document.querySelectorAll('#summary dt')].filter(dt => dt.textContent === 'fencing').map(dt =>
  dt.nextElementSibling.textContent)"""


def check_kokkos(pages):
    for name, setting in SETTINGS.items():
        pages.open(sample("kokkos.json"), "kokkos, " + name, **setting)
    unit = " \u00b5s"
    pages.check(text_of("header p"), "Tactus report \u00b7 2026-01-02T03:04:05Z \u00b7 somewhere",
                "no version of ours is the program's")
    seen = [
        pages.browser.run(tile("#summary", name))
        for name in ("time of the run", "launches", "outside of kernels", "fences", "memory", "Kokkos")
    ]
    pages.points.add(
        seen == ["10.000 ms", "111 2.430 ms, 24.3 %", "7.570 ms 75.7 %", "4 8.000 \u00b5s, 0.1 %", "3 MB", "3.4.1 on Serial"],
        "what most ask for first", str(seen))
    pages.check(
        "[...document.querySelectorAll('#summary dt')].filter(dt => dt.textContent === 'measured by').map(dt => "
        "dt.nextElementSibling.textContent)", ["libtactus_kokkos 0.1.0"], "the tool has its version")
    pages.check(FENCING, ["off: Kokkos waits for no kernel but where the program does"], "fencing in words")
    pages.check(text_of("#kernels p"), "Time of the kernels: each had run at the end of its dispatch.", "what seconds are")
    pages.check("[...document.querySelectorAll('#summary details')].map(one => [one.open, one.querySelectorAll('dt').length])",
                [[False, 3]], "what was built in is folded away")
    pages.check("[...document.querySelectorAll('#marks caption, #kernels caption, #steps caption')].length", 0,
                "no caption says a heading again")
    pages.check_cells("#kernels", [
        [EVIL, "10", "2.000 ms", "", "78.2 %", "19.0 %", "1.900 ms", "200.000" + unit, "100.000" + unit, "400.000" + unit] +
        ["parallel_reduce", "Serial / 0"],
        ["axpy <b>", "100", "500.000" + unit, "", "20.6 %", "5.0 %", "500.000" + unit, "5.000" + unit, "2.500" + unit] +
        ["10.000" + unit, "parallel_for", "Serial / 0"],
        ["scan", "1", "30.000" + unit, "", "1.2 %", "0.3 %", "30.000" + unit, "30.000" + unit, "15.000" + unit] +
        ["60.000" + unit, "parallel_scan", "OpenMP / 1"],
    ], "kernels by their time")
    pages.check_cells(table_of("Copy matrix"), [["Host", "3 copies, 3 MB", "2 copies, 64 B"], ["Cuda", "-", "1 copy, 1 kB"]],
                      "the copy matrix")
    pages.check_cells(table_of("Copies, pair by pair"),
                      [["Host", "Cuda", "3 MB", "90.000" + unit, "3", "host_to_device", "40.000" + unit, "0 B", "0 B"],
                       ["Cuda", "Host", "1 kB", "9.000" + unit, "1", "device_to_host", "-", "0 B", "0 B"],
                       ["Host", "Host", "64 B", "100 ns", "2", "same", "-", "32 B", "32 B"]], "all bytes in one form")
    pages.points.add([row[-1] for row in pages.cells("#fences")] == ["program", "tool layer"], "whose fences they are")
    pages.check_cells("#regions", [
        ["main", "", "5.000 ms", "50.0 %", "1.000 ms", "1", "5.000 ms", "5.000 ms", "5.000 ms"],
        ["solve", "", "4.000 ms", "80.0 %", "1.500 ms", "10", "400.000" + unit, "300.000" + unit, "500.000" + unit],
        ["solve", "", "2.500 ms", "62.5 %", "500.000" + unit, "5", "500.000" + unit, "400.000" + unit, "600.000" + unit],
        [EVIL + " (parallel_reduce)", "", "1.300 ms", "48.0 %", "1.200 ms", "6", "216.667" + unit, "100.000" + unit, "400.000" + unit],
        ["axpy <b> (parallel_for)", "", "300.000" + unit, "12.0 %", "300.000" + unit, "40", "7.500" + unit, "2.500" + unit, "10.000" + unit],
        ["fences and copies in solve", "", "500.000" + unit, "20.0 %"] + 5 * [""],
        ["unmeasured in solve", "", "500.000" + unit, "20.0 %"] + 5 * [""],
        ["unmeasured in solve", "", "1.500 ms", "37.5 %"] + 5 * [""],
        ["unmeasured in main", "", "1.000 ms", "20.0 %"] + 5 * [""],
        ["output", "", "100.000" + unit, "1.0 %", "100.000" + unit, "1"] + 3 * ["100.000" + unit],
    ], "regions as a tree, and what is left of each", "[role=row][aria-level]")
    pages.check(
        "[...document.querySelectorAll('#regions [role=row][aria-level]')].slice(2, 6).map(row => "
        "[...row.querySelectorAll('.bars span')].map(part => part.className + part.style.getPropertyValue('--part')))",
        [["inside0.4", "hatched0.1"], ["own0.26"], ["own0.06"], ["own0.1"]], "the bar of a region shows what kernels took of it")
    pages.check_cells("#sections", [
        ["assembly", "main / solve / solve", "2", "123.456" + unit, "", "61.728" + unit, "60.000" + unit, "63.456" + unit],
        ["whole", "-", "1", "9.000 ms", "", "9.000 ms", "9.000 ms", "9.000 ms"],
    ], "sections, each in the region where it was started")
    pages.points.add(
        pages.cells("#steps")[0][:4] == ["step", "10", "10", "1.000 ms"] and len(pages.cells("#spaces")) == 2,
        "steps and spaces")


def check_fencing(pages):
    for value, by, text in ((True, "the next tool",
                             "on: Kokkos waits for the end of each kernel, as asked for by the next tool"),
                            (None, None, "unknown: Kokkos never asked whether to wait for the end of each kernel")):
        record = sample("kokkos.json")
        record["run"]["fencing"] = {"global": value, "asked_by": by, "seconds": "execution"}
        pages.open(record, "fencing " + str(value))
        pages.check(FENCING, [text], "in words")


# The columns that are seen whole before anybody scrolls.
SEEN = """(() => {{
  const region = document.querySelector({}), edge = region.getBoundingClientRect().right;
  return [...region.querySelectorAll('thead th')].filter(one => one.offsetWidth && one.getBoundingClientRect().right <= edge)
    .map(one => one.textContent);
}})()"""


def check_narrow(pages):
    """On a telephone what matters of each table is seen at once, be the labels as long as they like."""
    record = sample("kokkos.json")
    for rows in ("kernels", "kernels_by_region", "fences", "spaces", "sections"):
        record[rows][0]["name"] = "N6Kokkos4Impl" * 40
    record["copies"][0].update({"from": "CudaHostPinnedSpace" * 20, "to": "CudaUVMSpace" * 20})
    pages.open(record, "long labels on a telephone", width=390)
    for title, columns in (("Kernels", ["label", "count", "total"]), ("Fences", ["label", "count", "total"]),
                           ("Copies, pair by pair", ["from", "to", "bytes", "time"]),
                           ("Memory of each space", ["space", "high-water mark", "in use at the end"]),
                           ("Sections of the program", ["section", "in region", "count", "total"])):
        seen = pages.browser.run(SEEN.format(json.dumps(table_of(title))))
        pages.points.add(seen[:len(columns)] == columns, title + ": the first columns are in sight", str(seen))


def rows_of_text(text):
    """(depth, name, total, share) of each row of the first table that `tactus report` prints of a Kokkos record, with marks of
    direction as the page tells them."""
    rows, text = [], text.replace("\u202e", "\\u202e")
    for line in text.split("\nkernels, fences and regions ")[1].split("\n\n")[0].splitlines()[1:]:
        cells = re.split(r"  +", line.strip())
        rows.append(((len(line) - len(line.lstrip())) // 2, cells[0], cells[2] if len(cells) == 8 else cells[1], cells[-1]))
    return rows


def check_regions(pages, record, name):
    """The rows of the regions in the page of the record are those that end the table in text."""
    path = os.path.join(pages.folder.name, "record.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(record, file)
    done = subprocess.run([sys.argv[2], "report", path], capture_output=True, text=True, check=True)
    remainder = re.compile("(unmeasured|(?:kernels, )?fences and copies)(?= in )|(outside of regions)$")
    seen = [(int(level) - 1, "(" + remainder.match(cells[0])[0] + ")" if rest else cells[0], cells[2], cells[3])
            for level, rest, cells in pages.browser.run(
                "[...document.querySelectorAll('#regions [role=row][aria-level]')].map(row => [row.getAttribute('aria-level'), "
                "row.className === 'rest', [...row.children].map(cell => cell.textContent)])")]
    expected = rows_of_text(done.stdout)[-len(seen):]
    pages.points.add(len(seen) > 3 and seen == expected, name + ": its regions are those of the text",
                     "expected {}\nseen     {}".format(expected, seen))


def check_text(pages):
    record = {"schema": 1, **sample("kokkos.json")}

    def check(name):
        pages.open(record, name)
        check_regions(pages, record, name)

    check("a record of two threads")
    record["run"]["threads"] = 1
    check("a record of one thread")
    pages.points.add(pages.cells("#regions", "[role=row][aria-level]")[-1][:4] ==
                     ["outside of regions", "", "4.900 ms", "49.0 %"], "what lies outside of all regions")
    del record["run"]["wall_ns"]
    check("a record without the time of the run")
    record["kernels_not_by_region"] = 3
    check("a record of launches without a row in their region")
    pages.points.add(pages.cells("#regions", "[role=row][aria-level]")[5][0] == "kernels, fences and copies in solve", "which are in the rest")
    pages.points.add(pages.browser.run(tile("#summary", "launches without a row in their region")) == "3", "and are counted")
    record["kernels_by_region"][0].update(exclusive_ns=-5)
    record["kernels_by_region"][1].update(exclusive_ns=9000000, total_ns=300000, mean_ns=50000)
    check("a record of own times that cannot be, and of equal times")
    del record["kernels_by_region"], record["kernels_not_by_region"]
    check("a record without kernels by region")


def check_client(pages):
    """Pages that the module writes of a real Kokkos program, whose events tests/kokkos/client.cpp tells."""
    module, clients = sys.argv[3], sys.argv[4:]
    if not clients:
        return
    path = os.path.join(pages.folder.name, "client.html")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TACTUS_KOKKOS_", "KOKKOS_"))}
    environment.update(KOKKOS_PROFILE_LIBRARY=module, KOKKOS_TOOLS_LIBS=module, TACTUS_KOKKOS_OUT="html:" + path)

    def play(scene):
        subprocess.run([clients[0], scene], env=environment, capture_output=True, check=True, timeout=120)
        for name, setting in SETTINGS.items():
            pages.open_page(path, "{} of a client, {}".format(scene, name), **setting)
        pages.check("[...document.querySelectorAll('.note')].map(note => note.textContent)", [], scene + ": all of it is drawn")
        pages.browser.open(path)
        return json.loads(pages.browser.run(text_of("#record")))

    play("kernels")
    pages.points.add([row[1] for row in pages.cells("#kernels") if row[0] == "fill in"] == ["7"] and
                     pages.browser.run(tile("#summary", "launches")).startswith("14 "), "its kernels are counted",
                     str(pages.cells("#kernels")))
    play("copies")
    pages.check_cells(table_of("Copy matrix"), [["Host", "5 copies, 40 kB"]], "its copies")
    pages.points.add([row[-2:] for row in pages.cells(table_of("Copies, pair by pair"))] == [["8 kB", "8 kB"]],
                     "those onto itself and fills")
    check_regions(pages, play("regions"), "the regions of a client")


run_checks(sys.argv[1], check_kokkos, check_fencing, check_narrow, check_text, check_client)
