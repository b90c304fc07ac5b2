#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The loop closed: a measured run, costs fitted to it, and runs in their order, whose results are the same to the last bit:
costs_test.py TACTUS HEISENBERG_DMRG VOLUME_FMM"""
import json
import os
import sys
import tempfile

from program import energies, keep_files_small, run, run_json
from tap import Points

DMRG = ["--sites=20", "--max-states=48", "--max-sweeps=8", "--threads=2"]
VOLUME = ["--density=gaussian", "--tol=1e-5", "--threads=2", "--cache=none"]
EVENTS = {
    "heisenberg_dmrg": {"center construction", "effective-H application", "SVD batch", "factor materialization",
                        "environment update"},
    "volume_fmm": {"far_form_multipoles", "far_coarsen_multipoles", "nearfield_table_apply", "far_multipole_to_local",
                   "far_refine_locals", "far_eval_locals"},
}
IDLE = ["seen", "recorded_order", "fitted_order", "known_durations", "bound"]


def load(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def save(path, value):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(value, stream)


def check_record(points, name, report):
    batches = [batch for batch in report["batches"] if "terms" in batch.get("items", {})]
    points.add(batches and {batch["event"] for batch in batches} >= EVENTS[name], name + ": batches have terms",
               str({batch["event"] for batch in report["batches"]}))
    columns = all(len(column) == len(batch["items"]["index"]) for batch in batches for column in batch["items"]["terms"].values())
    points.add(columns, name + ": a value an item")


def check_fit(points, name, costs, report):
    points.add(costs["schema"] == 1 and costs["kind"] == "costs" and costs["program"] == name and costs["lanes"] == 2
               and costs["executor"] == "threads", name + ": the file says whose costs it holds", str(costs)[:300])
    found = {event["name"]: event for event in costs["events"]}
    points.add(found.keys() >= EVENTS[name], name + ": every batched event is fitted", str(found.keys()))
    seconds = [term["seconds"] for event in costs["events"] for term in event["terms"]]
    points.add(min(seconds) >= 0 and max(seconds) > 0, name + ": no cost is negative", str(seconds))
    bounds = True
    for event in report["events"]:
        bounds &= event["name"] in found and event["items"] == found[event["name"]]["items"]
        bounds &= [term["seconds"] for term in event["terms"]] == [term["seconds"] for term in found[event["name"]]["terms"]]
        if event["batches"] > 0:
            idle = [event["idle_share_" + key] for key in IDLE]
            bounds &= all(0 <= share < 1 for share in idle) and min(idle) == idle[-1]
            bounds &= event["lane_bound_ns"] >= event["item_ns"]
    points.add(bounds, name + ": the report agrees, and nothing beats the bound", str(report)[:2000])


def check_run(points, name, report, costs, path):
    member = report["costs"]
    points.add(member["file"] == path and report["run"]["costs"] == path, name + ": a run tells its costs", str(member)[:200])
    names = [event["name"] for event in member["events"]]
    points.add(names == [event["name"] for event in costs["events"]], name + ": predicted against seen of every event", str(names))
    good = all(event["items"] > 0 and event["ratio_p10"] <= event["median_ratio"] <= event["ratio_p90"]
               and -1 <= event["rank_correlation"] <= 1 for event in member["events"])
    points.add(good, name + ": figures are in order", str(member)[:2000])
    bound = {event["name"]: [term["seconds"] for term in event["terms"]] for event in member["events"]}
    wrong = 0
    for batch in report["batches"]:
        terms = batch["items"].get("terms", {})
        if batch["event"] not in bound:
            continue
        for i, cost in enumerate(batch["items"]["cost"]):
            predicted = sum(second * column[i] for second, column in zip(bound[batch["event"]], terms.values()))
            wrong += abs(cost - predicted) > 1e-9 * predicted + 1e-300
    points.add(wrong == 0, name + ": costs of items are the model's seconds", str(wrong))


def close_loop(points, tactus, program, words, folder, bits):
    """Measure, fit, run again; the path of the costs."""
    name = os.path.basename(program)
    record, path, report_path = (os.path.join(folder, name + end) for end in (".json", ".costs", ".report"))
    done = run(program, *words, "--measurements=detailed", "--json=" + record)
    points.add(done.returncode == 0 and "costs of" not in done.stdout, name + ": a measured run", done.stderr)
    before = load(record)
    check_record(points, name, before)
    fitted = run(tactus, "costs", record, "--out=" + path, "--json=" + report_path)
    points.add(fitted.returncode == 0 and all(event in fitted.stdout for event in EVENTS[name])
               and "predicted over seen" in fitted.stdout and "idle share" in fitted.stdout, name + ": tactus costs",
               fitted.stdout + fitted.stderr)
    costs = load(path)
    check_fit(points, name, costs, load(report_path))
    different = []
    for level in ("off", "coarse", "detailed"):
        done, after = run_json(program, *words, "--measurements=" + level, "--costs=" + path)
        if bits(after) != bits(before):
            different.append(level)
        points.add(("costs of " + path in done.stdout) == (level == "detailed"), name + ": told at detailed only, " + level,
                   done.stdout)
        if level == "detailed":
            check_run(points, name, after, costs, path)
        else:
            points.add(all(event["items"] == 0 for event in after["costs"]["events"]), name + ": nothing seen at " + level)
    points.add(not different, name + ": the same bits in the order of the costs", str(different))
    return path


def volume_bits(folder, program, words):
    """The answer as bytes, with and without costs."""
    answers = []
    for more in ([], ["--costs=" + os.path.join(folder, "volume_fmm.costs")]):
        output = os.path.join(folder, "answer.npy")
        done = run(program, *words, *more, "--output=" + output)
        with open(output, "rb") as stream:
            answers.append((done.returncode, stream.read()))
    return answers


def refused(points, program, path, status, text, what):
    name = os.path.basename(program)
    done = run(program, "--sites=4" if name == "heisenberg_dmrg" else "--levels=1", "--costs=" + path)
    lines = done.stderr.splitlines()
    points.add(done.returncode == status and len(lines) == 1 and "--costs" in lines[0] and path in lines[0] and text in lines[0]
               and not done.stdout, "{}: {}".format(name, what), str(done))


def check_refusals(points, program, path, foreign, folder):
    """Every wrong file is told in one line that names the file and, where it has one, the member."""
    costs, wrong = load(path), os.path.join(folder, "wrong.json")
    refused(points, program, os.path.join(folder, "none.json"), 1, "No such file", "no file")
    refused(points, program, folder, 1, "directory", "a folder")
    refused(points, program, foreign, 2, "program is", "another program's file")
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    with open(wrong, "w", encoding="utf-8") as stream:
        stream.write(text[:len(text) // 2])
    refused(points, program, wrong, 2, "line 1", "a truncated file")
    for content, needle in (b"\xff\xfe", "line 1"), (b"{\0\xff", "is no text: byte 1 is zero"):
        with open(wrong, "wb") as stream:
            stream.write(content)
        refused(points, program, wrong, 2, needle, "bytes that are no JSON: {!r}".format(content))
    term = costs["events"][0]["terms"][0]
    for key, value, member in (("seconds", -1e-9, "events[0].terms[0].seconds"), ("seconds", None, "events[0].terms[0].seconds"),
                               ("name", "n^17", "events[0].terms[0]: ")):
        kept = term[key]
        term[key] = value
        save(wrong, costs)
        term[key] = kept
        refused(points, program, wrong, 2, member, "{} {}".format(key, value))
    costs["events"][0]["name"] = "lunch"
    save(wrong, costs)
    refused(points, program, wrong, 2, "events[0].name: no event 'lunch'", "an unknown event")
    costs["events"][0]["name"] = "\x1b[2J\x07lunch"
    save(wrong, costs)
    refused(points, program, wrong, 2, "no event '\\x1b[2J\\x07lunch'", "control characters reach no terminal")


def check_device(points, program, path):
    done = run(program, "--executor=opencl", "--costs=" + path)
    points.add(done.returncode == 2 and "--costs: belongs to executors of the host" in done.stderr,
               os.path.basename(program) + ": not on a device", done.stderr)


def check_command(points, tactus, folder, records):
    """What tactus costs refuses, and that it leaves old files alone."""
    old, coarse = os.path.join(folder, "old.json"), os.path.join(folder, "coarse.json")
    with open(old, "w", encoding="utf-8") as stream:
        stream.write("old")
    value = load(records[0])
    for batch in value["batches"]:
        batch.pop("items", None)
    save(coarse, value)
    newer = os.path.join(folder, "newer.json")
    save(newer, {**value, "schema": 99})
    for words, status, text, what in (
            ([], 2, "no record", "no record"),
            ([os.path.join(folder, "none.json")], 1, "none.json", "no file"),
            ([old], 2, "old.json", "no JSON"),
            ([coarse], 2, "--measurements=detailed", "a record without items"),
            ([newer], 2, "schema: is 99", "a newer record"),
            ([records[0], "--json=" + old], 2, "is the file of --out too", "two forms for one file"),
            ([old, records[0]], 2, "is the record that is read", "a record that would be replaced"),
            (records, 2, "run.program", "records of two programs"),
            ([records[0], "--lanes=2"], 2, "--lanes", "an unknown option"),
            ([records[0], "--out=-", "--json=-"], 2, "standard output", "two forms for standard output")):
        done = run(tactus, "costs", *words, *([] if "--out=-" in words else ["--out=" + old]))
        points.add(done.returncode == status and text in done.stderr and len(done.stderr.splitlines()) == 1 and not done.stdout,
                   "tactus costs: " + what, str(done))
    done = run(tactus, "costs", records[0], "--out=" + old, preexec_fn=keep_files_small)
    with open(old, encoding="utf-8") as stream:
        kept = stream.read()
    points.add(done.returncode == 1 and kept == "old", "tactus costs: a write that fails leaves the old file", str(done)[:500])
    done = run(tactus, "costs", records[0], "--out=-")
    points.add(done.returncode == 0 and json.loads(done.stdout)["kind"] == "costs", "tactus costs: --out=-", done.stderr)
    done = run(tactus, "costs", records[0], records[0], "--json=-")
    points.add(done.returncode == 0 and json.loads(done.stdout)["records"] == 2, "tactus costs: --json=- of two records", done.stderr)
    points.add(run(tactus, "costs", "--help").stdout.startswith("usage: tactus costs"), "tactus costs: --help")


def main():
    tactus, dmrg, volume = sys.argv[1:]
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        of_dmrg = close_loop(points, tactus, dmrg, DMRG, folder, energies)
        of_volume = close_loop(points, tactus, volume, VOLUME, folder, lambda report: report["tree"]["leaves"])
        answers = volume_bits(folder, volume, VOLUME)
        points.add(answers[0] == answers[1] and answers[0][0] == 0, "volume_fmm: the same answer in the order of the costs")
        for program, path, foreign in ((dmrg, of_dmrg, of_volume), (volume, of_volume, of_dmrg)):
            check_refusals(points, program, path, foreign, folder)
            check_device(points, program, path)
        check_command(points, tactus, folder, [os.path.join(folder, name + ".json") for name in ("heisenberg_dmrg", "volume_fmm")])
    points.finish()


main()
