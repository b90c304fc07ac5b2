# SPDX-License-Identifier: BSD-3-Clause
"""Records made by hand, in the form that docs/reports.md defines."""
import copy
import json
import os


def event(name, parent, total_ns, count=1, min_ns=None, max_ns=None):
    """One event; its calls all took the same unless told otherwise."""
    mean_ns = total_ns // count
    return {"name": name, "parent": parent, "count": count, "total_ns": total_ns, "mean_ns": total_ns / count,
            "min_ns": mean_ns if min_ns is None else min_ns, "max_ns": mean_ns if max_ns is None else max_ns,
            "domain": "host_wall"}


def record(events, level="coarse", **run):
    """A record of those events; `run` are members of the run beside the usual ones."""
    return {
        "schema": 1, "level": level, "clock": {"name": "driven", "resolution_ns": 1}, "events": events, "batches": [],
        "batch_summaries": [], "dropped": 0, "mismatches": 0, "device_lost": 0,
        "run": {"program": "by_hand", "version": "1.2", "command_line": ["by_hand"], "executor": "threads", "lanes": 2,
                "measurements": level, "blas": {"name": "OpenBLAS", "kernel": "Zen", "threads": 1}, **run},
    }


def summary(name, idle_share=0.25, **members):
    """The sums of two batches of three items on two lanes: walls of 1000 ns, of which the idle share was not used."""
    total_ns = round(4000 * (1 - idle_share))
    return {"event": name, "batches": 2, "ran_inline": 0, "failed": 0, "requested": 6, "started": 6, "completed": 6,
            "peak_overlap": 2, "wall_ns": 2000, "lane_wall_ns": 4000, "item_total_ns": total_ns, "item_max_ns": 700,
            "first_start_delay_max_ns": 10, "start_spread_max_ns": 400, "finish_spread_max_ns": 300,
            "return_after_last_finish_ns": 20, "idle_share": idle_share, "domain": "host_wall", "submissions": 0, **members}


def batch(name, **members):
    return {"event": name, "requested": 3, "started": 3, "completed": 3, "begin_ns": 5000, "wall_ns": 1000, "item_total_ns": 1500,
            "item_max_ns": 700, "slowest_index": 2, "first_start_delay_ns": 10, "start_spread_ns": 400, "finish_spread_ns": 300,
            "return_after_last_finish_ns": 10, "peak_overlap": 2, "lanes": 2, "inline": False, "status": "OK",
            "domain": "host_wall", "submission": False, **members}


def detailed(idle_share=0.25, **members):
    """Two batches of an event, the first with its items one by one."""
    items = {"index": [0, 1, 2], "lane": [0, 1, 1], "start_ns": [10, 20, 250], "duration_ns": [600, 200, 700]}
    made = record([event("run", None, 10000), event("work", "run", 2000, 2)], "detailed")
    made["events_all"] = ["run", "work", "never"]
    made["batches"] = [batch("work", number=0, items=items), batch("work", number=1, begin_ns=7000)]
    made["batch_summaries"] = [summary("work", idle_share, **members)]
    made["timeline"] = {"event": [0, 1, 1], "begin_ns": [0, 4000, 6000], "duration_ns": [10000, 1000, 1000]}
    made["clock"]["origin_ns"] = 1000
    return made


def hooked():
    """What hooks counted: a counter of time that took turns in one event, and a plain one."""
    made = record([event("run", None, 10000), event("work", "run", 2000, 2)], "hooked")
    made["hooks"] = {
        "name": "perf", "counters": [{"name": "task-clock", "unit": "ns"}, {"name": "cycles", "unit": ""}],
        "events": [{"name": "run", "count": 1, "values": [9000, 777], "items": 0, "item_values": [0, 0]},
                   {"name": "work", "count": 2, "values": [1500, 333], "counted_share": [1, 0.25], "items": 6, "item_values": [1400, 300]}],
        "failures": 2, "failure": "no descriptors", "note": "A note",
    }
    return made


def fitted():
    """A run with --costs: one event that was compared, and one that was not seen."""
    made = detailed()
    terms = [{"name": "m*n", "seconds": 1e-9}]
    made["costs"] = {"file": "costs.json", "events": [
        {"name": "work", "terms": terms, "items": 6, "median_ratio": 1.5, "ratio_p10": 0.5, "ratio_p90": 2.5, "rank_correlation": 0.75,
         "batches": 2, "item_ns": 3000, "lane_seen_ns": 4000, "lane_recorded_order_ns": 3750, "lane_fitted_order_ns": 3500,
         "lane_known_durations_ns": 3200, "lane_bound_ns": 3000, "idle_share_seen": 0.25},
        {"name": "never", "terms": terms, "items": 0, "batches": 0}]}
    return made


def kokkos():
    """A record of the Kokkos module: two kernels, one of them on two instances, a fence of its own and one of the tool layer."""
    def call(name, count, total_ns, **members):
        return {"name": name, "device": "OpenMP", "instance": 1, "count": count, "timed": count, "total_ns": total_ns,
                "mean_ns": total_ns / count, "min_ns": total_ns // count, "max_ns": total_ns // count, **members}
    return {
        "schema": 1, "kind": "kokkos", "clock": {"name": "driven", "resolution_ns": 1, "origin_ns": 0},
        "run": {"program": "by_hand", "tool": "a_tool", "tool_version": "1.2", "command_line": ["by_hand"], "wall_ns": 8000,
                "kernels_ns": 2000, "outside_kernels_ns": 6000, "threads": 1, "fencing": {"global": False, "seconds": "mixed"}},
        "kernels": [call("axpy", 2, 600, kind="parallel_for"), call("dot", 1, 1000, kind="parallel_reduce"),
                    call("axpy", 1, 400, kind="parallel_for")],
        "fences": [call("wait", 4, 800, tool=False), call("Tool Fence", 100, 5000, tool=True)],
        "copies": [{"from": "Host", "to": "Cuda", "direction": "host_to_device", "count": 2, "bytes": 4096, "total_ns": 300,
                    "self_bytes": 0, "fill_bytes": 16}],
        "spaces": [{"name": "Cuda", "allocations": 3, "deallocations": 2, "bytes": -8, "high_water_bytes": 9000}],
        "regions": [call("step", 2, 4000, parent=None, depth=0, exclusive_ns=900), call("solve", 2, 1000, parent=0, depth=1, exclusive_ns=1000)],
    }


def kernels_by_region():
    """Of kokkos(): all but one launch of the one, on two instances, and the other in the outer region."""
    def call(name, kind, count, least_ns, most_ns, total_ns, **members):
        return {"parent": 0, "name": name, "kind": kind, "device": "OpenMP", "device_number": 0, "count": count, "timed": count, "total_ns": total_ns,
                "mean_ns": total_ns / count, "min_ns": least_ns, "max_ns": most_ns, "exclusive_ns": total_ns, "step_count": 0, "step_ns": 0, **members}
    return [call("axpy", "parallel_for", 1, 300, 300, 300, instance=1), call("dot", "parallel_reduce", 1, 1000, 1000, 1000, instance=1, exclusive_ns=900),
            call("axpy", "parallel_for", 1, 400, 400, 400, instance=2), call("axpy", "parallel_for", 1, 100, 100, 100, instance=1, parent=1)]


def losing_kokkos():
    """One with every kind of row, that lost some events."""
    made = kokkos()
    made.update(kernels_by_region=kernels_by_region(), kernels_not_by_region=2)
    times = {"count": 2, "timed": 2, "total_ns": 700, "mean_ns": 350.5, "min_ns": 300, "max_ns": 400}
    made.update(sections=[{"name": "assembly", "parent": 1, **times}, {"name": "whole", "parent": None, **times}], marks=[{"name": "here", "count": 5}],
                steps=[{"name": "step", **times, "kernels": 3, "kernels_ns": 90, "fences": 2, "fences_ns": 80, "copies": 1, "copies_ns": 70}],
                mismatches={"kernels": 4, "fences": 0, "copies": 0, "regions": 2, "sections": 0, "unfinished": 3, "last_region": "a\tb", "open_region": "r1"}, dropped=6)
    return made


def changed(made, path, value):
    """A copy in which the member at a path of keys and numbers is another; the value `del` takes it away."""
    made = copy.deepcopy(made)
    place = made
    for key in path[:-1]:
        place = place[key]
    if value is del_:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


del_ = object()


def write(folder, name, made):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(made, stream)
    return path
