#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tactus report on records made by hand and by the programs: tactus_report_test.py TACTUS DMRG FMM"""
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import records
from program import run
from records import changed, del_
from report_checks import refuses, row_of, slices_of
from tap import Points


def check_tables(points, tactus, folder):
    path = records.write(folder, "run.json", records.detailed())
    done = run(tactus, "report", path)
    points.add(done.returncode == 0 and not done.stderr, "a record by hand is reported", str(done))
    points.add(done.stdout.startswith("by_hand 1.2, executor threads with 2 lanes, measurements detailed\n"
                                      "BLAS OpenBLAS, kernel Zen, 1 thread\n\n"), "the head says what ran", done.stdout)
    points.add(row_of(done.stdout, "run")[:5] == ["1", "10.000 µs", "10.000 µs", "10.000 µs", "10.000 µs"], "a row of an event", done.stdout)
    points.add(row_of(done.stdout, "work")[:5] == ["2", "2.000 µs", "1.000 µs", "1.000 µs", "1.000 µs"] and "20.0 %" in row_of(done.stdout, "work"),
               "and one of a child", done.stdout)
    points.add("25.0 %" in done.stdout, "batches have their idle share", done.stdout)
    piped = subprocess.run([tactus, "report", "-"], input=json.dumps(records.detailed()), capture_output=True, text=True, check=False)
    points.add(piped.stdout == done.stdout and piped.returncode == 0, "- is standard input", str(piped))
    both = run(tactus, "report", path, path)
    points.add(both.stdout == "{0}:\n{1}\n{0}:\n{1}".format(path, done.stdout), "two records come one after the other", both.stdout)
    other = records.write(folder, "other.json", {"schema": 1})
    stopped = run(tactus, "report", path, other)
    points.add(stopped.returncode == 2 and done.stdout in stopped.stdout and other in stopped.stderr, "the first bad one ends it", str(stopped))
    off = run(tactus, "report", records.write(folder, "off.json", {"schema": 1, "level": "off", "events": [], "batches": []}))
    points.add(off.returncode == 0 and "Nothing was measured" in off.stdout, "a record of the level off says so", str(off))


def check_hooks(points, tactus, folder):
    done = run(tactus, "report", records.write(folder, "hooked.json", records.hooked()))
    tables = done.stdout[done.stdout.find("\nphase  "):]
    points.add(done.returncode == 0 and not done.stderr and tables.startswith("\nphase"), "what hooks counted has its tables", str(done))
    points.add(re.search(r"^phase +count +task-clock +cycles$", tables, re.MULTILINE) and row_of(tables, "run") == ["1", "9.000 µs", "777"] and
               row_of(tables, "work") == ["2", "1.500 µs", "333"], "phases", tables)
    items = tables[tables.find("items of"):]
    points.add(row_of(items, "work") == ["6", "1.400 µs", "300"], "and items", tables)
    points.add("at least 25.0 %" in tables and "A note.\n" in tables and "2 in all; the first: no descriptors." in tables, "and what is said below", tables)


def check_costs(points, tactus, folder):
    done = run(tactus, "report", records.write(folder, "fitted.json", records.fitted()))
    tables = done.stdout[done.stdout.find("\ncosts of costs.json\n"):]
    points.add(done.returncode == 0 and not done.stderr and tables.startswith("\ncosts of"), "fitted costs have their tables", str(done))
    seen, idle = tables.split("\n\n") if "\n\n" in tables else (tables, "")
    points.add(row_of(seen, "work") == ["6", "1.500", "0.500", "2.500", "0.750"] and "never" not in tables, "predicted over seen", tables)
    points.add(re.findall(r"[\d.]+ %", idle) == ["25.00 %", "20.00 %", "14.29 %", "6.25 %", "0.00 %"], "idle shares of lanes", tables)


def check_older_records(points, tactus, folder):
    """What was added to the form later may be absent; a parent that was never entered is not in the list."""
    older = records.record([records.event("solve", "outer", 500), records.event("inner", "solve", 100)])
    done = run(tactus, "report", records.write(folder, "older.json", older))
    points.add(done.returncode == 0 and row_of(done.stdout, "inner") and "20.0 %" in row_of(done.stdout, "inner"), "an older record is read", str(done))
    del older["device_lost"], older["run"]
    done = run(tactus, "report", records.write(folder, "bare.json", older))
    points.add(done.returncode == 0 and done.stdout.startswith("a program that does not say its name, measurements coarse"), "and one without its run", str(done))
    late = records.record([records.event("inner", "solve", 100), records.event("solve", None, 500)])
    refuses(points, tactus, "a parent after its child", ["report", records.write(folder, "late.json", late)], 2, "events[0].parent: 'solve' is no event before its child")
    twins = records.record([records.event("a", None, 500), records.event("x", "a", 100), records.event("b", None, 300), records.event("x", "b", 30)])
    done = run(tactus, "report", records.write(folder, "twins.json", twins))
    points.add(done.stdout.count("\n  x ") == 2 and "20.0 %" in done.stdout and "10.0 %" in done.stdout, "two events of one name are two", done.stdout)


def check_odd_labels(points, tactus, folder):
    name = "quote \" back\\slash \x01 \u00b5 " + "long " * 800
    made = records.record([records.event(name, None, 500)], program="line\nbreak", executor="\x1b[31m")
    done = run(tactus, "report", records.write(folder, "odd.json", made))
    points.add(done.returncode == 0 and "\x1b" not in done.stdout and "\x01" not in done.stdout and "line\\x0abreak" in done.stdout,
               "labels of any bytes are shown safely", done.stdout[:300])


def check_long_names(points, tactus, folder):
    """A name of 100 KB widens no table, whichever it stands in."""
    name = json.dumps("begin of " + "n" * 100000 + " end")
    for make in records.detailed, records.hooked, records.fitted, records.kokkos:
        text = json.dumps(make())
        for short in "work", "axpy", "wait", "step", "Cuda":
            text = text.replace(json.dumps(short), name)
        path = records.write(folder, "long.json", json.loads(text))
        for words in ["report", path], ["compare", path, path]:
            done = run(tactus, *words)
            points.add(done.returncode == 0 and "begin of nn" in done.stdout and max(map(len, done.stdout.splitlines())) < 300,
                       "{} of long names: {}".format(words[0], make.__name__), str(done)[:700])


def check_json(points, tactus, folder):
    made = records.detailed()
    path = records.write(folder, "run.json", made)
    done = run(tactus, "report", "--json=-", path)
    points.add(done.returncode == 0 and json.loads(done.stdout) == made and done.stdout.count("\n") > 50, "--json=- gives the record again", str(done)[:300])
    out = os.path.join(folder, "again.json")
    done = run(tactus, "report", "--json=" + out, path)
    with open(out, encoding="utf-8") as stream:
        points.add(done.returncode == 0 and not done.stdout and json.load(stream) == made, "--json=FILE writes it", str(done))
    broken = records.write(folder, "broken.json", {"schema": 1})
    run(tactus, "report", "--json=" + out, broken)
    with open(out, encoding="utf-8") as stream:
        points.add(json.load(stream) == made, "a record that is refused leaves the file as it was")


def check_forms(points, tactus, folder):
    """Every form shows what the record holds, by hand: a run of 10 us with two batches of 1 us, at 4 and 6 us from its origin."""
    made = records.detailed()
    made["run"]["command_line"] = ["by_hand", "a b", "it's", "--x=1"]
    made["cost"] = {"clock_read_ns": 20, "phase_record_ns": 41.5, "item_record_ns": 60}
    path = records.write(folder, "forms.json", made)
    paths = {form: os.path.join(folder, "out." + form) for form in ("csv", "trace", "speedscope", "html")}
    done = run(tactus, "report", *("--{}={}".format(*item) for item in paths.items()), path)
    points.add(done.returncode == 0 and not done.stdout and not done.stderr, "several forms at once", str(done))
    texts = {}
    for form, out in paths.items():
        with open(out, encoding="utf-8", newline="") as stream:
            texts[form] = stream.read()
    rows = list(csv.DictReader(texts["csv"].splitlines()))
    points.add([(row["event"], row["total_ns"], row["count"]) for row in rows] == [("run", "10000", "1"), ("work", "2000", "2")], "CSV has a row an event", texts["csv"])
    points.add(rows[0]["command_line"] == "by_hand 'a b' 'it'\\''s' --x=1" and rows[0]["program"] == "by_hand" and rows[0]["lanes"] == "2" and
               rows[0]["blas_kernel"] == "Zen", "and what the record says of its run", str(rows[0]))
    points.add((rows[0]["clock_resolution_ns"], rows[0]["origin_ns"], rows[0]["clock_read_ns"], rows[0]["phase_record_ns"], rows[0]["item_record_ns"]) ==
               ("1", "1000", "20", "41.5", "60"), "and of its clock, as it was measured then", str(rows[0]))
    coarse = records.write(folder, "coarse_clock.json", changed(made, ["clock", "resolution_ns"], 2**60))
    done = run(tactus, "report", "--csv=-", coarse)
    points.add(next(csv.DictReader(done.stdout.splitlines()))["clock_resolution_ns"] == str(2**60), "of the coarsest clock, too", str(done))
    trace = json.loads(texts["trace"])
    slices = {(slice["name"], slice["ts"], slice["dur"]) for slice in trace["traceEvents"] if slice.get("ph") == "X"}
    points.add({("run", 0, 10), ("work", 4, 1), ("work", 6, 1)} <= slices and len([slice for slice in slices if slice[2] in (0.6, 0.2, 0.7)]) == 3,
               "the trace has phases, batches and items in microseconds from the origin", texts["trace"])
    points.add(trace["otherData"]["program"] == "by_hand" and trace["otherData"]["phase_record_ns"] == 41.5, "and the run", str(trace["otherData"]))
    profile = json.loads(texts["speedscope"])
    points.add({frame["name"] for frame in profile["shared"]["frames"]} >= {"run", "work"} and profile["profiles"][0]["endValue"] == 10000,
               "the speedscope profile has its frames", texts["speedscope"])
    held = re.search(r'<script type="application/json" id="record">(.*?)</script>', texts["html"], re.DOTALL)
    points.add(held and json.loads(held[1]) == made, "the page holds the record", texts["html"][:200])
    done = run(tactus, "report", "--csv=-", path)
    points.add(done.stdout.splitlines() == texts["csv"].splitlines(), "- is standard output", str(done))
    check_forms_that_are_not(points, tactus, folder, path)


def check_forms_that_are_not(points, tactus, folder, path):
    out = os.path.join(folder, "kept")
    with open(out, "w", encoding="utf-8") as stream:
        stream.write("old")
    bare = records.write(folder, "bare.json", records.record([records.event("run", None, 1000)]))
    off = records.write(folder, "off.json", {"schema": 1, "level": "off", "events": [], "batches": []})
    of_kokkos = records.write(folder, "kokkos.json", records.kokkos())
    for words, needle in [(["--trace=" + out, bare], "--trace: the record has no timeline"), (["--csv=" + out, off], "--csv: the record is of the level off"),
                          (["--trace=" + out, off], "--trace: the record is of the level off"),
                          (["--speedscope=" + out, of_kokkos], "--speedscope: a record of the Kokkos module has no such form"),
                          (["--csv=-", "--trace=-", path], "--trace: goes to standard output, as does --csv"),
                          (["--csv=" + out, "--html=" + os.path.join(folder, ".", os.path.basename(out)), path],
                           "--csv: '" + out + "' is the file of --html too"),
                          (["--html=" + path, path], "--html: '" + path + "' is the record that is read")]:
        refuses(points, tactus, "refuses: " + needle, ["report", *words], 2, "tactus: " + needle)
    with open(path, encoding="utf-8") as stream:
        done = run(tactus, "report", "--html=" + path, "-", stdin=stream)
    points.add(done.returncode == 2 and "--html: '" + path + "' is the record that is read" in done.stderr, "nor is standard input written over", str(done))
    with open(out, encoding="utf-8") as stream:
        points.add(stream.read() == "old", "and leaves the file as it was")
    done = run(tactus, "report", "--html=-", of_kokkos)
    points.add(done.returncode == 0 and "parallel_reduce" in done.stdout, "a page of the Kokkos module's record", str(done)[:300])


def check_csv_of_several(points, tactus, folder):
    """One line of names, and the rows of each as they are alone; what has other columns is refused."""
    first, second = records.detailed(), records.detailed(0.5)
    second["run"].update(program='other, "run"', command_line=["other", "two\nlines"])
    paths = [records.write(folder, "rows{}.json".format(number), made) for number, made in enumerate((first, second, first))]
    alone = [run(tactus, "report", "--csv=-", path).stdout for path in paths]
    expected = alone[0] + "".join(text[text.index("\n") + 1:] for text in alone[1:])
    done = run(tactus, "report", "--csv=-", *paths)
    points.add(done.returncode == 0 and done.stdout == expected and expected.count("event,parent") == 1, "CSV of several records", str(done))
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    points.add([row["program"] for row in rows] == 2 * ["by_hand"] + 2 * ['other, "run"'] + 2 * ["by_hand"], "each row tells its run", str(rows))
    out = os.path.join(folder, "rows.csv")
    done = run(tactus, "report", "--csv=" + out, *paths)
    with open(out, encoding="utf-8", newline="") as stream:
        points.add(done.returncode == 0 and not done.stdout and stream.read() == expected, "in a file, too", str(done))
    kokkos = [records.write(folder, "rows_kokkos{}.json".format(number), made) for number, made in enumerate((records.kokkos(), records.losing_kokkos()))]
    done = run(tactus, "report", "--csv=-", *kokkos)
    points.add(done.returncode == 0 and len(list(csv.DictReader(io.StringIO(done.stdout)))) == 8 + 15, "CSV of several records of the Kokkos module", str(done))
    other = records.write(folder, "rows_other.json", changed(first, ["run", "blas", "kernel"], del_))
    less = records.write(folder, "rows_less.json", changed(changed(first, ["run", "blas"], del_), ["run", "lanes"], del_))
    more = records.write(folder, "rows_more.json", changed(first, ["run", "device"], {"name": "a device"}))
    off = records.write(folder, "rows_off.json", {"schema": 1, "level": "off", "events": [], "batches": []})
    broken = records.write(folder, "rows_broken.json", {"schema": 7})
    columns = "--csv: its columns are not those of '{}': {{}} stands where that one has {{}}; write a file for each".format(paths[0])
    for path, needle in [(kokkos[0], columns.format("'kind'", "'event'")), (other, columns.format("'blas_threads'", "'blas_kernel'")), (less, columns.format("none", "'lanes'")),
                         (more, columns.format("'device'", "none")),
                         (off, "--csv: the record is of the level off: nothing was measured"), (broken, "schema: is 7, newer than")]:
        for target in "-", out:
            done = run(tactus, "report", "--csv=" + target, paths[0], path, paths[1])
            with open(out, encoding="utf-8", newline="") as stream:
                points.add(done.returncode == 2 and done.stderr.startswith("tactus: {}: {}".format(path, needle)) and done.stderr.count("\n") == 1 and
                           not done.stdout and stream.read() == expected, "refuses rows of another kind: " + needle.replace(folder, "DIR"), str(done))
    refuses(points, tactus, "rows beside another form", ["report", "--csv=-", "--html=" + out, *paths], 2, "--html: is of one record, and 3 are given")
    refuses(points, tactus, "rows over a record", ["report", "--csv=" + paths[1], *paths], 2, "--csv: '{}' is the record that is read".format(paths[1]))
    refuses(points, tactus, "rows to nowhere", ["report", "--csv=/no/such/folder/x", *paths], 1, "--csv: cannot")


def check_usage(points, tactus, folder):
    path = records.write(folder, "run.json", records.detailed())
    refuses(points, tactus, "no record", ["report"], 2, "FILE...: no record is given")
    refuses(points, tactus, "an unknown option", ["report", "--jso=x", path], 2, "--jso: unknown option; did you mean --json?")
    refuses(points, tactus, "an empty word", ["report", ""], 2, "FILE...: an empty word is given")
    refuses(points, tactus, "a short option", ["report", "-j", path], 2, "-j: is no option")
    refuses(points, tactus, "another form of two records", ["report", "--json=x", path, path], 2, "--json: is of one record, and 2 are given")
    refuses(points, tactus, "a folder that is not there", ["report", "--json=/no/such/folder/x", path], 1, "--json: cannot")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([tactus, "report", path], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        points.add(done.returncode == 1 and "standard output" in done.stderr, "a full disk is told", str(done))
        done = subprocess.run([tactus, "report", "--json=-", path], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        points.add(done.returncode == 1 and "standard output" in done.stderr and done.stderr.count("\n") == 1, "of another form, too", str(done))
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([tactus, "report", path], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    points.add(done.returncode == -signal.SIGPIPE and not done.stderr, "a reader that has gone ends it without a word", str(done))
    helped = run(tactus, "report", "--help")
    points.add(helped.returncode == 0 and helped.stdout.startswith("usage: tactus report") and "Exit status:" in helped.stdout, "--help helps")


def check_programs(points, tactus, dmrg, fmm, folder):
    """The tables are those that the program printed, to the last character."""
    path = os.path.join(folder, "program.json")
    for program, words, begin in ((dmrg, ["--sites=8", "--max-sweeps=2"], "event  "), (fmm, ["--levels=2"], "phase  ")):
        for level in "coarse", "detailed":
            printed = run(program, *words, "--measurements=" + level, "--json=" + path).stdout
            tables = printed[printed.index(begin):printed.index("Times are host wall time") if level == "detailed" or program == dmrg else printed.index("Operations are")]
            shown = run(tactus, "report", path).stdout
            points.add(tables in shown and shown.startswith(printed.split("\n", 2)[0]), "{} at {}: its tables once more".format(os.path.basename(program), level),
                       printed + "\n---\n" + shown)


def check_counted(points, tactus, dmrg, fmm, folder):
    """What hooks counted, and costs against durations, as the programs printed them."""
    kinds = {row["name"]: row["available"] for row in json.loads(run(tactus, "info", "--json").stdout)["hooks"]}
    path, costs = os.path.join(folder, "counted.json"), os.path.join(folder, "costs.json")
    for program, words in (dmrg, ["--sites=8", "--max-sweeps=2"]), (fmm, ["--levels=2"]):
        name = os.path.basename(program)
        for kind in kinds:
            if not kinds[kind]:
                points.skip("{} with {}: its tables once more".format(name, kind), "not available")
                continue
            printed = run(program, *words, "--measurements=hooked", "--hooks=" + kind, "--json=" + path).stdout.split("\nerror  ")[0]
            shown = run(tactus, "report", path).stdout
            points.add("Hooks {}: ".format(kind) in printed and printed[printed.rindex("\n\nphase  " if kind != "nvtx" else "\nHooks "):] in shown,
                       "{} with {}: its tables once more".format(name, kind), printed + "\n---\n" + shown)
        run(program, *words, "--threads=2", "--measurements=detailed", "--json=" + path)
        run(tactus, "costs", path, "--out=" + costs)
        printed = run(program, *words, "--threads=2", "--measurements=detailed", "--costs=" + costs, "--json=" + path).stdout.split("\nerror  ")[0]
        points.add("predicted over seen" in printed and printed[printed.index("\ncosts of "):] in run(tactus, "report", path).stdout,
                   name + " with --costs: its tables once more", printed)


def rows_of(path):
    """A table without what is measured or told at another moment: the date, the costs of recording, the clock's resolution."""
    with open(path, encoding="utf-8", newline="") as stream:
        return [{key: value for key, value in row.items() if key != "date" and not key.endswith("_record_ns") and
                 key not in ("clock_read_ns", "clock_resolution_ns")} for row in csv.DictReader(stream)]


def check_same_forms(points, tactus, dmrg, fmm, folder):
    """What the programs write themselves is what tactus writes of their records."""
    path, own, made = (os.path.join(folder, name) for name in ("forms.json", "own", "made"))
    for program, words in (dmrg, ["--sites=8", "--max-sweeps=2"]), (fmm, ["--levels=2"]):
        name = os.path.basename(program)
        done = run(program, *words, "--measurements=detailed", "--quiet", "--json=" + path, "--csv=" + own + ".csv",
                   "--trace=" + own + ".trace", "--speedscope=" + own + ".speedscope", "--report=" + own + ".html")
        done = run(tactus, "report", "--csv=" + made + ".csv", "--trace=" + made + ".trace", "--speedscope=" + made + ".speedscope",
                   "--html=" + made + ".html", path) if done.returncode == 0 else done
        points.add(done.returncode == 0, name + ": writes all of its forms, and tactus does", str(done))
        points.add(rows_of(made + ".csv") == rows_of(own + ".csv"), name + ": the same CSV", str((rows_of(made + ".csv")[:1], rows_of(own + ".csv")[:1])))
        profiles = []
        for side in made, own:
            with open(side + ".speedscope", encoding="utf-8") as stream:
                profile = json.load(stream)
            profiles.append((profile["profiles"], profile["shared"]))
        points.add(profiles[0] == profiles[1], name + ": the same speedscope profile")
        with open(made + ".trace", encoding="utf-8") as stream, open(own + ".trace", encoding="utf-8") as other:
            slices = [slices_of(json.load(stream)["traceEvents"]), slices_of(json.load(other))]
        names = [sorted((slice["name"], slice["dur"]) for slice in side) for side in slices]
        points.add(names[0] == names[1] and len(names[0]) > 10, name + ": the same slices in the trace", str((names[0][:3], names[1][:3], [len(side) for side in names])))
        with open(made + ".html", encoding="utf-8") as stream, open(own + ".html", encoding="utf-8") as other:
            pages = [json.loads(re.search(r'id="record">(.*?)</script>', side.read(), re.DOTALL)[1]) for side in (stream, other)]
        points.add(pages[0]["events"] == pages[1]["events"] and pages[0]["batches"] == pages[1]["batches"], name + ": the same page")


def main(tactus, dmrg, fmm):
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        check_tables(points, tactus, folder)
        check_hooks(points, tactus, folder)
        check_costs(points, tactus, folder)
        check_older_records(points, tactus, folder)
        check_odd_labels(points, tactus, folder)
        check_long_names(points, tactus, folder)
        check_json(points, tactus, folder)
        check_forms(points, tactus, folder)
        check_csv_of_several(points, tactus, folder)
        check_usage(points, tactus, folder)
        check_programs(points, tactus, dmrg, fmm, folder)
        check_counted(points, tactus, dmrg, fmm, folder)
        check_same_forms(points, tactus, dmrg, fmm, folder)
    points.finish()


main(*sys.argv[1:4])
