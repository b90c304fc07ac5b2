#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The programs' NVTX ranges, as a profiler of the tests' own receives them: nvtx_test.py INJECTION PROGRAM WORD... -- PROGRAM …"""
import json
import os
import subprocess
import sys
import tempfile

from tap import Points

PHASE, ITEM = "1", "2"
UNSIGNED_64 = "1"  # NVTX_PAYLOAD_TYPE_UNSIGNED_INT64


def run_injected(injection, program, words):
    """What the program printed, its record, and the lines of the profiler."""
    with tempfile.TemporaryDirectory(prefix="tactus-nvtx-") as folder:
        log, record = os.path.join(folder, "log"), os.path.join(folder, "record.json")
        env = {**os.environ, "NVTX_INJECTION64_PATH": injection, "TACTUS_NVTX_LOG": log}
        command = [program, *words, "--measurements=hooked", "--hooks=nvtx", "--json=" + record]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        if done.returncode != 0:
            raise SystemExit("{} failed: {}".format(command, done.stderr))
        with open(record, encoding="utf-8") as text, open(log, encoding="utf-8") as lines:
            return done, json.load(text), lines.read().splitlines()


def read_ranges(lines):
    """The ranges in the order of their ends as (thread, category, name, payload, names around it); None where one is left alone."""
    stacks, ranges = {}, []
    for line in lines:
        words = line.split(" ", 5)
        if words[0] == "push":
            _, thread, category, kind, payload, name = words
            stack = stacks.setdefault(thread, [])
            stack.append((thread, category, name, payload if kind == UNSIGNED_64 else None, [around[2] for around in stack]))
        elif words[0] == "pop":
            if not stacks.get(words[1]):
                return None
            ranges.append(stacks[words[1]].pop())
        elif words[0] == "foreign":
            return None
    return None if any(stacks.values()) else ranges


def check_names(points, name, report, lines):
    points.add(lines[:3] == ["domain tactus", "category 1 1 phase", "category 1 2 item"] and lines[-1] == "destroy 1",
               name + ": the domain and its two categories", "\n".join(lines[:3] + lines[-1:]))
    strings = [line.split(" ", 2)[2] for line in lines if line.startswith("string 1 ")]
    used = {event["name"] for event in report["hooks"]["events"]}
    points.add(len(strings) == len(set(strings)) and used <= set(strings), name + ": each event's name is registered once", str(strings))


def check_ranges(points, name, report, ranges):
    hooks = {event["name"]: event for event in report["hooks"]["events"]}
    parents = {event["name"]: event["parent"] for event in report["events"]}
    phases = [found for found in ranges if found[1] == PHASE]
    items = [found for found in ranges if found[1] == ITEM]
    points.add(len(phases) + len(items) == len(ranges) and len({found[0] for found in phases}) == 1,
               name + ": phases are of one thread")
    for event, row in hooks.items():
        points.add(sum(found[2] == event for found in phases) == row["count"] > 0 and
                   sum(found[2] == event for found in items) == row["items"], name + ": as many ranges as the record has of " + event)
    points.add({event["name"]: event["count"] for event in report["events"]} == {key: row["count"] for key, row in hooks.items()},
               name + ": the hooks count what the recorder counts")
    points.add(all(found[3] is None for found in phases) and all(found[3] is not None for found in items),
               name + ": items alone have an index")
    points.add(all(parents[found[2]] in [None] + found[4] for found in phases), name + ": a phase lies in its parent")
    caller = phases[0][0]
    points.add(all(found[2] in found[4] for found in items if found[0] == caller), name + ": the caller's items lie in their batch")
    points.add(len({found[0] for found in items} | {caller}) <= 2, name + ": items are of the two lanes' threads")


def check_indices(points, name, ranges):
    """Between two ends of the same batch event each index occurs once, from 0."""
    pending, right = {}, True
    for _, category, event, payload, _ in ranges:
        if category == ITEM:
            pending.setdefault(event, []).append(int(payload))
        elif event in pending:
            found = pending.pop(event)
            right = right and sorted(found) == list(range(len(found)))
    points.add(right and not pending, name + ": the items of a batch have its indices")


def check_without_profiler(points, name, program, words):
    """Nothing listens: the run says so, and its record holds the counts all the same."""
    env = {key: value for key, value in os.environ.items() if key != "NVTX_INJECTION64_PATH"}
    done = subprocess.run([program, *words, "--measurements=hooked", "--hooks=nvtx"], capture_output=True, text=True, check=False, env=env)
    points.add(done.returncode == 0 and "\nNo profiler took the ranges: " in done.stdout, name + ": without a profiler it says so",
               done.stdout + done.stderr)


def main(injection, commands):
    points = Points()
    for program, *words in commands:
        name = os.path.basename(program)
        done, report, lines = run_injected(injection, program, words)
        ranges = read_ranges(lines)
        points.add(bool(ranges), name + ": every range is closed on its thread")
        points.add("No profiler took" not in done.stdout and report["hooks"]["note"] is None, name + ": the profiler is noticed")
        check_names(points, name, report, lines)
        check_ranges(points, name, report, ranges)
        check_indices(points, name, ranges)
        check_without_profiler(points, name, program, words)
    points.finish()


def split_commands(words):
    commands = [[]]
    for word in words:
        if word == "--":
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


main(sys.argv[1], split_commands(sys.argv[2:]))
