# SPDX-License-Identifier: BSD-3-Clause
"""Reads trace events as viewers do, and says what is wrong with them."""
import collections
import json
import math


def tolerant_events(text):
    """The events of a trace, also of one that ends anywhere: whole lines of an array, one event each."""
    try:
        value = json.loads(text)
        return value["traceEvents"] if isinstance(value, dict) else value
    except json.JSONDecodeError:
        pass
    if not text.startswith("["):
        raise ValueError("neither an array nor an object")
    events = []
    for line in text[1:].splitlines():
        line = line.strip().rstrip(",")
        if not line:
            continue
        try:
            events.append(json.loads(line))
        except json.JSONDecodeError:
            break  # only the last line may be cut
    return events


def slices(events):
    """Slices by track, by start and the longer one first, in whole nanoseconds as a reader of doubles has them."""
    tracks = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            start, duration = round(1000 * event["ts"]), round(1000 * event["dur"])
            tracks[event["pid"], event["tid"]].append((start, -duration, event["name"]))
    return {track: sorted(found) for track, found in tracks.items()}


def names(events, kind="thread_name"):
    return {(event["pid"], event.get("tid")): event["args"]["name"] for event in events
            if event["ph"] == "M" and event["name"] == kind}


def faults(events, cut=False):
    """What breaks the format: a list of texts. cut: the end is missing, and the last arrow's may be."""
    found = []
    for event in events:
        if not isinstance(event["name"], str) or event["ph"] not in ("X", "M", "s", "f"):
            found.append("no name, or an unknown kind: {}".format(event))
        for key in ("ts", "dur"):
            if event["ph"] == "X" and not (isinstance(event[key], (int, float)) and math.isfinite(event[key])):
                found.append("{} is no number: {}".format(key, event))
    for track, found_slices in slices(events).items():
        if track not in names(events):
            found.append("the track {} has no name".format(track))
        ends = []
        for start, minus_duration, name in found_slices:
            if minus_duration > 0:
                found.append("{} ends before it begins".format(name))
            while ends and ends[-1] <= start:
                ends.pop()
            if ends and start - minus_duration > ends[-1]:
                found.append("{} at {} ends after what it is in".format(name, start))
            ends.append(start - minus_duration)
    return found + arrow_faults(events, cut)


def holds(found_slices, at):
    return any(start <= at <= start - minus_duration for start, minus_duration, _ in found_slices)


def arrow_faults(events, cut):
    """Every arrow has one begin and one end, each within a slice of its track."""
    found, begins, ends = [], {}, {}
    tracks = slices(events)
    for event in events:
        if event["ph"] not in ("s", "f"):
            continue
        place = begins if event["ph"] == "s" else ends
        if event["id"] in place:
            found.append("two arrows {}".format(event["id"]))
        place[event["id"]] = event
        if not holds(tracks[event["pid"], event["tid"]], round(1000 * event["ts"])):
            found.append("an arrow outside of slices: {}".format(event))
    if set(begins) != set(ends) and not (cut and len(set(begins) - set(ends)) == 1):
        found.append("arrows without begin or end")
    return found
