#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tactus report on records of the Kokkos module, made by hand: tactus_report_kokkos_test.py TACTUS"""
import csv
import io
import os
import re
import sys
import tempfile

import records
from program import run
from records import changed, del_
from report_checks import row_of
from tap import Points


def check_kokkos(points, tactus, folder):
    done = run(tactus, "report", records.write(folder, "kokkos.json", records.kokkos()))
    points.add(done.returncode == 0 and not done.stderr, "a record of the Kokkos module is reported", str(done))
    points.add(row_of(done.stdout, "axpy (parallel_for)") == ["3", "1.000 µs", "1.000 µs", "333 ns", "300 ns", "400 ns", "50.0 %"], "its instances are folded", done.stdout)
    points.add(row_of(done.stdout, "kernels") == ["4", "2.000 µs", "25.0 %"], "kernels have a sum", done.stdout)
    points.add("Tool Fence" not in done.stdout and row_of(done.stdout, "fences")[:2] == ["4", "800 ns"], "fences of the tool layer are not the program's", done.stdout)
    points.add(row_of(done.stdout, "solve") == ["2", "1.000 µs", "1.000 µs", "500 ns", "500 ns", "500 ns", "25.0 %"], "regions are a tree", done.stdout)
    points.add(row_of(done.stdout, "Host to Cuda") == ["2", "4096", "300 ns", "0", "16"], "copies have their row", done.stdout)
    points.add(row_of(done.stdout, "Cuda") == ["3", "2", "-8", "9000"], "spaces have theirs", done.stdout)
    points.add(done.stdout.startswith("by_hand, measured by a_tool 1.2\nwall time 8.000 µs, kernels 2.000 µs (25.0 %), outside of kernels 6.000 µs (75.0 %)\n"),
               "whose version it is, and the wall time", done.stdout)
    points.add([row_of(done.stdout, name)[-1] for name in ("kernels", "fences", "step")] == ["25.0 %", "10.0 %", "50.0 %"], "shares of it", done.stdout)
    points.add(row_of(done.stdout, "(kernels, fences and copies)") == ["2.100 µs", "52.5 %"] and row_of(done.stdout, "(unmeasured)") == ["900 ns", "22.5 %"] and
               row_of(done.stdout, "(outside of regions)") == ["4.000 µs", "50.0 %"], "what the regions leave", done.stdout)
    points.add("that of its dispatch" in done.stdout, "what the times are", done.stdout)
    for place, value, needle in [(["kernels", 1, "count"], del_, "kernels[1].count: is missing"), (["regions", 1, "parent"], 1, "regions[1].parent: 1 is no region before it"),
                                 (["copies", 0, "bytes"], -1, "copies[0].bytes: is negative"), (["regions"], del_, "regions: is missing"),
                                 (["run", "wall_ns"], -1, "run.wall_ns: is negative"), (["run", "tool"], 3, "run.tool: is a whole number where a text is expected")]:
        path = records.write(folder, "kokkos_broken.json", changed(records.kokkos(), place, value))
        done = run(tactus, "report", path)
        points.add(done.returncode == 2 and done.stderr == "tactus: {}: {}\n".format(path, needle), "refuses " + needle, str(done))


def report_of_kokkos(tactus, folder, place, value):
    return run(tactus, "report", records.write(folder, "kokkos_other.json", changed(records.kokkos(), place, value))).stdout


def check_kokkos_order(points, tactus, folder):
    """Kernels by falling time; after a region what is within it, then what that leaves."""
    told = report_of_kokkos(tactus, folder, ["kernels", 1, "total_ns"], 3000)
    table = told[told.index("\nkernels, fences"):told.index("\ncopies")]
    points.add([re.split(" {2,}", line.strip())[0] for line in table.splitlines()[2:]] ==
               ["kernels", "dot (parallel_reduce)", "axpy (parallel_for)", "fences", "wait", "step", "solve", "(kernels, fences and copies)",
                "(unmeasured)", "(outside of regions)"], "kernels by time, regions with what they leave at their end", table)


def check_kokkos_unknowns(points, tactus, folder):
    told = report_of_kokkos(tactus, folder, ["run"], {"program": "by_hand", "fencing": {"seconds": "execution"}})
    points.add("\nwall time" not in told and row_of(told, "kernels")[-1] == "-" and "(outside" not in told and "ran to their end" in told,
               "a record without a wall time has no shares of it", told)
    told = report_of_kokkos(tactus, folder, ["run", "outside_kernels_ns"], None)
    points.add("kernels 2.000 µs (25.0 %), which may have run at once\n" in told, "kernels of several threads", told)
    told = report_of_kokkos(tactus, folder, ["run", "threads"], 2)
    points.add("(outside of regions)" not in told, "nor do their regions leave a time", told)
    for exclusive in None, -1, 4001, del_:
        told = report_of_kokkos(tactus, folder, ["regions", 0, "exclusive_ns"], exclusive)
        points.add("(unmeasured)" not in told and row_of(told, "step"), "what a region leaves may be unknown", told)


def check_kokkos_nested(points, tactus, folder):
    """A reduction of 1,000 ns that held a kernel of 600 and a fence of 100: sums hold each moment once."""
    made = records.kokkos()
    made["kernels"][1].update(exclusive_ns=300)
    made["kernels"][0].update(exclusive_ns=600)
    made["fences"][0].update(exclusive_ns=800)
    made["copies"][0].update(exclusive_ns=250)
    told = run(tactus, "report", records.write(folder, "kokkos_nested.json", made)).stdout
    points.add(row_of(told, "kernels") == ["4", "1.300 µs", "16.3 %"] and row_of(told, "dot (parallel_reduce)")[1:3] == ["1.000 µs", "300 ns"] and
               row_of(told, "dot (parallel_reduce)")[-1] == "23.1 %" and row_of(told, "axpy (parallel_for)")[-1] == "76.9 %",
               "what is nested is in a sum once, and shares are of it", told)
    points.add(row_of(told, "Host to Cuda") == ["2", "4096", "300 ns", "250 ns", "0", "16"], "a copy without what it held", told)
    made["kernels"][2].update(timed=0, count=1, total_ns=0, min_ns=0, max_ns=0, mean_ns=0, exclusive_ns=0)
    told = run(tactus, "report", records.write(folder, "kokkos_nested.json", made)).stdout
    points.add(row_of(told, "axpy (parallel_for)")[:6] == ["3", "600 ns", "600 ns", "300 ns", "300 ns", "300 ns"], "what never ended is in no mean and no minimum", told)


def check_kokkos_lists(points, tactus, folder):
    made = records.losing_kokkos()
    told = run(tactus, "report", records.write(folder, "kokkos_losing.json", made)).stdout
    points.add(row_of(told, "assembly in solve in step") == ["2", "700 ns", "351 ns", "300 ns", "400 ns"] and row_of(told, "whole")[0] == "2",
               "sections, with the regions around them", told)
    points.add(row_of(told, "here") == ["5"], "marks", told)
    steps = told[told.index("\nsteps"):]
    points.add(row_of(steps, "step") == ["2", "700 ns", "351 ns", "3", "90 ns", "2", "80 ns", "1", "70 ns"], "steps and what is in them", told)
    points.add("Ends of kernels that did not pair with a begin: 4\nPops of regions that nobody had pushed: 2, the last behind \"a\\x09b\"\n"
               "Begun and never ended, in the counts and in no time: 3, innermost the region \"r1\"\nEvents that found no row, no space or no section: 6\n" in told, "what was lost", told)
    points.add("did not pair" not in run(tactus, "report", records.write(folder, "kokkos.json", records.kokkos())).stdout, "nothing is said of no loss")
    for place, value, needle in [(["sections", 0, "parent"], 2, "sections[0].parent: 2 is no region"), (["marks", 0, "count"], del_, "marks[0].count: is missing"),
                                 (["mismatches", "fences"], "x", "mismatches.fences: is a text where a whole number is expected"), (["dropped"], -1, "dropped: is negative")]:
        path = records.write(folder, "kokkos_broken.json", changed(made, place, value))
        done = run(tactus, "report", path)
        points.add(done.returncode == 2 and done.stderr == "tactus: {}: {}\n".format(path, needle) and not done.stdout, "refuses " + needle, str(done))


def check_kokkos_by_region(points, tactus, folder):
    """Of 4,000 ns of the outer region 900 are its own, 1,000 the inner one's, 700 and 900 those of its kernels: 500 are left."""
    made = records.kokkos()
    made.update(kernels_by_region=records.kernels_by_region(), kernels_not_by_region=0)
    told = run(tactus, "report", records.write(folder, "kokkos_by_region.json", made)).stdout
    regions = told[told.index("\nstep "):told.index("\ncopies")]
    points.add([re.split(" {2,}", line.rstrip()) for line in regions.splitlines()[1:]] ==
               [["step", "2", "4.000 µs", "900 ns", "2.000 µs", "2.000 µs", "2.000 µs", "50.0 %"],
                ["", "solve", "2", "1.000 µs", "1.000 µs", "500 ns", "500 ns", "500 ns", "25.0 %"],
                ["", "axpy (parallel_for)", "1", "100 ns", "100 ns", "100 ns", "100 ns", "100 ns", "10.0 %"],
                ["", "(unmeasured)", "1.000 µs", "100.0 %"],
                ["", "dot (parallel_reduce)", "1", "1.000 µs", "900 ns", "1.000 µs", "1.000 µs", "1.000 µs", "22.5 %"],
                ["", "axpy (parallel_for)", "2", "700 ns", "700 ns", "350 ns", "300 ns", "400 ns", "17.5 %"],
                ["", "(fences and copies)", "500 ns", "12.5 %"], ["", "(unmeasured)", "900 ns", "22.5 %"],
                ["(outside of regions)", "4.000 µs", "50.0 %"]], "kernels in their regions, instances folded, by falling time", regions)
    depths = [len(line) - len(line.lstrip()) for line in regions.splitlines()[1:]]
    points.add(depths == [0, 2, 4, 4, 2, 2, 2, 2, 0], "each a step deeper than its region", regions)
    made["kernels_not_by_region"] = 2
    told = run(tactus, "report", records.write(folder, "kokkos_by_region.json", made)).stdout
    points.add("(kernels, fences and copies)" in told and "(fences and copies)" not in told.replace("(kernels, fences", "") and
               "\nLaunches that found no row in their region, and are among the kernels alone: 2\n" in told, "some launches have no row there", told)
    huge = changed(changed(changed(made, ["regions", 0, "total_ns"], 0), ["regions", 1, "total_ns"], 2**63 - 1), ["kernels_by_region", 1, "total_ns"], 2**63 - 1)
    huge = changed(changed(huge, ["regions", 1, "exclusive_ns"], 2**63 - 1), ["kernels_by_region", 1, "exclusive_ns"], 2**63 - 1)
    told = run(tactus, "report", records.write(folder, "kokkos_huge.json", huge))
    points.add(told.returncode == 0 and "fences and copies)" not in told.stdout, "times beyond all leave nothing", str(told))
    for place, value, needle in [(["kernels_by_region", 1, "parent"], 2, "kernels_by_region[1].parent: 2 is no region"),
                                 (["kernels_by_region", 1, "parent"], None, "kernels_by_region[1].parent: is null where a whole number is expected"),
                                 (["kernels_by_region", 0, "kind"], del_, "kernels_by_region[0].kind: is missing"),
                                 (["kernels_by_region"], {}, "kernels_by_region: is an object where an array is expected"),
                                 (["kernels_not_by_region"], -1, "kernels_not_by_region: is negative")]:
        path = records.write(folder, "kokkos_broken.json", changed(made, place, value))
        done = run(tactus, "report", path)
        points.add(done.returncode == 2 and done.stderr == "tactus: {}: {}\n".format(path, needle) and not done.stdout, "refuses " + needle, str(done))
    other = records.write(folder, "kokkos_faster.json", changed(made, ["kernels_by_region", 1, "total_ns"], 500))
    done = run(tactus, "compare", "--min-share=0", records.write(folder, "kokkos_by_region.json", made), other)
    points.add([re.split(" {2,}", line.strip())[:5] for line in done.stdout.splitlines() if "parallel_" in line][2:] ==
               [["axpy (parallel_for)", "1", "100 ns", "100 ns", "1.000"], ["dot (parallel_reduce)", "1", "1.000 µs", "500 ns", "0.500"],
                ["axpy (parallel_for)", "2", "700 ns", "700 ns", "1.000"]], "compared region by region", str(done))
    paths = [records.write(folder, "kokkos_no_wall{}.json".format(number), changed(one, ["run", "wall_ns"], del_)) for number, one in
             enumerate((made, changed(made, ["kernels_by_region", 1, "total_ns"], 2500)))]
    done = run(tactus, "compare", *paths)
    points.add(["dot (parallel_reduce)", "1", "1.000 µs", "2.500 µs", "2.500"] in [re.split(" {2,}", line.strip())[:5] for line in done.stdout.splitlines()],
               "also without a wall time to be a share of", str(done))


def check_kokkos_csv(points, tactus, folder):
    made = records.losing_kokkos()
    made["kernels"][0]["name"] = 'a, "b"'
    made["run"]["command_line"] = ["by_hand", "two words"]
    path = records.write(folder, "kokkos_csv.json", made)
    done = run(tactus, "report", "--csv=-", path)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    points.add(done.returncode == 0 and [(row["kind"], row["number"]) for row in rows] ==
               [("parallel_for", "0"), ("parallel_reduce", "1"), ("parallel_for", "2"), ("fence", "0"), ("fence", "1"), ("copy", "0"), ("region", "0"),
                ("region", "1"), ("section", "0"), ("section", "1"), ("mark", "0"), ("region_parallel_for", "0"), ("region_parallel_reduce", "1"),
                ("region_parallel_for", "2"), ("region_parallel_for", "3")], "a row for each of a Kokkos record", str(done))
    for list_of, name in ("kernels", "parallel_for"), ("kernels_by_region", "region_parallel_for"), ("fences", "fence"), ("copies", "copy"), ("sections", "section"):
        row = next(row for row in rows if row["kind"] == name)
        points.add(row["kernels_not_by_region"] == "2" and all(row[key] == str(value) for key, value in made[list_of][0].items() if key not in ("kind", "mean_ns", "tool")), name + " has its figures", str(row))
    points.add([rows[3]["tool_fence"], rows[4]["tool_fence"], rows[0]["tool_fence"], rows[3]["bytes"], rows[7]["parent"], rows[8]["mean_ns"]] == ["0", "1", "", "", "0", "350.5"],
               "what another kind of row has is blank", str(rows))
    points.add(all((row["dropped"], row["wall_ns"], row["seconds"], row["clock"], row["command_line"], row["tool"]) ==
                   ("6", "8000", "mixed", "driven", "by_hand 'two words'", "a_tool") for row in rows), "each says how it came about", str(rows[0]))
    out = os.path.join(folder, "kokkos_kept.csv")
    for place, value, needle in [(["copies", 0, "bytes"], "x", "copies[0].bytes: is a text where a whole number is expected"), (["run", "fencing"], {"global": 1}, "run.fencing.global: is a whole number where true or false is expected")]:
        path = records.write(folder, "kokkos_broken.json", changed(made, place, value))
        for target in "-", out:
            done = run(tactus, "report", "--csv=" + target, path)
            points.add(done.returncode == 2 and needle in done.stderr and not done.stdout and not os.path.exists(out), "no CSV of " + needle, str(done))


def main(tactus):
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        check_kokkos(points, tactus, folder)
        check_kokkos_order(points, tactus, folder)
        check_kokkos_unknowns(points, tactus, folder)
        check_kokkos_nested(points, tactus, folder)
        check_kokkos_lists(points, tactus, folder)
        check_kokkos_by_region(points, tactus, folder)
        check_kokkos_csv(points, tactus, folder)
    points.finish()


main(*sys.argv[1:2])
