#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The sections of a recorder's page and how it is read: record_test.py PAGE"""
import sys

from pages import EVIL, SETTINGS, choose, run_checks, sample, table_of, text_of, tile



def check_layouts(pages):
    """The sample in each setting; the wide light one stays."""
    record = sample("full.json")
    grounds = set()
    for name, setting in SETTINGS.items():
        pages.open(record, name, **setting)
        grounds.add((setting.get("dark", False), pages.browser.run("getComputedStyle(document.body).backgroundColor")))
    pages.points.add(grounds == {(False, "rgb(255, 255, 255)"), (True, "rgb(20, 23, 27)")},
                     "dark where the reader wants it dark", str(grounds))
    pages.open(record, "the sample")


def check_summary(pages):
    pages.check(text_of("h1"), "sample", "the program is the heading")
    pages.check("document.title", "sample, Tactus report", "and the title")
    facts = dict(
        pages.browser.run("[...document.querySelectorAll('#summary > .facts dt')].map(dt => "
                          "[dt.textContent, dt.nextElementSibling.textContent])"))
    expected = {
        "command":
        "./sample --quick a b",
        "version":
        "1.2.3",
        "date":
        "2026-01-02T03:04:05Z",
        "host":
        "somewhere",
        "BLAS":
        "OpenBLAS 0.3.21, kernel Zen, 1 thread",
        "clock":
        "CLOCK_MONOTONIC, resolution 20 ns",
        "cost of a record":
        "a clock read 22 ns, a phase 48 ns, an item 43 ns",
        # six phases and eight items
        "cost of recording":
        "at least 632 ns of processor time on all lanes, 6.3 % of the time of the run: the figures above times "
        "the phases and items. Not in it: cold caches, the record of each batch, the values of terms, "
        "the hooks themselves, which may be most."
    }
    pages.points.add(facts == expected, "who ran what on what", str(facts))
    pages.check(tile("#summary", "run"), "10.000 \u00b5s", "the time of the run")
    pages.check(tile("#summary", "executor"), "threads 2 lanes", "executor and lanes")
    pages.check(tile("#summary", "records dropped"), "7", "what was dropped is a figure")
    pages.check("[...document.querySelectorAll('#summary .note')].map(note => note.textContent.split(' ')[0])", ["7", "2", "1"],
                "and what is missing is told")


SETTINGS_SHOWN = """[...document.querySelectorAll('#summary .settings > div')].map(one =>
  [...one.children].map(part => part.textContent))"""
FOLDED = """[...document.querySelectorAll('#summary details')].filter(one => one.textContent.startsWith('More of the run'))
  .map(one => [one.open, one.querySelectorAll('dt').length])"""


def check_facts(pages):
    """What a program tells of its run is shown, of which the library knows but texts."""
    pages.check(SETTINGS_SHOWN, [["size", "16"], ["memory_bytes", "1.5 MB"]], "short settings stand open")
    pages.check(FOLDED, [], "and nothing is folded away")
    record = sample("full.json")
    record["run"] = {"program": "heat", "command_line": "./heat 512", "executor": "threads", "lanes": "2", "blas": "own",
                     "threads": "8", "tool": "mine", "grid": "512 x 512", "lanes_idle": "", "notes": "long " * 20}
    pages.open(record, "facts that are texts")
    pages.check(tile("#summary", "executor"), "threads 2 lanes", "lanes as a text")
    pages.check(SETTINGS_SHOWN, [["threads", "8"], ["tool", "mine"], ["grid", "512 x 512"], ["lanes_idle", ""]],
                "no fact goes by unseen")
    facts = dict(pages.browser.run("[...document.querySelectorAll('#summary .facts dt')].map(dt => "
                                   "[dt.textContent, dt.nextElementSibling.textContent])"))
    pages.points.add((facts.get("command"), facts.get("BLAS"), facts.get("notes")) == ("./heat 512", "own", "long " * 20),
                     "nor one that is long or has a place of its own", str(facts))
    pages.check(FOLDED, [[False, 1]], "what is long is folded away")
    record["run"] = {"lanes": "2"}
    pages.open(record, "lanes alone")
    pages.check(tile("#summary", "lanes"), "2", "lanes without an executor have a tile")
    record["run"] = {"lanes": "many"}
    pages.open(record, "lanes that are no number")
    pages.check(SETTINGS_SHOWN, [["lanes", "many"]], "what is no number is shown as it is")
    pages.open(sample("full.json"), "the sample")


def check_phases(pages):
    unit = " \u00b5s"
    pages.check_cells(
        "#phases", [["run", "", "10.000" + unit, "-", "800 ns", "1", "10.000" + unit, "9.990" + unit, "10.010" + unit],
                    ["step", "", "9.200" + unit, "92.0 %", "3.700" + unit, "2", "4.600" + unit, "4.590" + unit, "4.610" + unit],
                    [EVIL, "", "4.100" + unit, "44.6 %", "4.100" + unit, "1", "4.100" + unit, "4.090" + unit, "4.110" + unit],
                    ["inner", "", "1.400" + unit, "15.2 %", "1.400" + unit, "2", "700 ns", "690 ns", "710 ns"],
                    ["unmeasured in step", "", "3.700" + unit, "40.2 %", "", "", "", "", ""],
                    ["unmeasured in run", "", "800 ns", "8.0 %", "", "", "", "", ""]],
        "phases, their own time and what none explains", "[role=row][aria-level]")
    widths = pages.browser.run(
        "[...document.querySelectorAll('#phases [role=row][aria-level]')].map(row => "
        "[...row.querySelectorAll('.bars span')].map(part => Number(part.style.getPropertyValue('--part'))))")
    pages.points.add(widths == [[0.92, 0.08], [0.55, 0.37], [0.41], [0.14], [0.37], [0.08]], "the bars are of one scale",
                     str(widths))


def check_tree_keys(pages):
    names = "[...document.querySelectorAll('#phases [role=row][aria-level] .name')].map(name => name.textContent)"
    focused = "document.activeElement.querySelector('.name').textContent"
    pages.browser.run("document.querySelector('#phases [role=row][tabindex=\"0\"]').focus()")
    pages.browser.key("ArrowDown")
    pages.check(focused, "step", "an arrow key goes to the next phase")
    pages.check("getComputedStyle(document.activeElement).outlineStyle", "solid", "and the focus is seen")
    pages.browser.key("ArrowLeft")
    pages.check(names, ["run", "step", "unmeasured in run"], "left closes a phase")
    pages.check("document.activeElement.getAttribute('aria-expanded')", "false", "and says so")
    pages.browser.key("ArrowRight", "ArrowRight")
    pages.check(focused, EVIL, "right opens it, and goes in")
    pages.browser.key("ArrowLeft", "ArrowLeft")
    pages.check(focused, "step", "left goes out")
    pages.browser.key("ArrowRight", "Enter", "Enter", "End")
    pages.check(focused, "unmeasured in run", "End goes to the last")


OVERLAPS = """(() => {
  const boxes = [...document.querySelectorAll('#items svg text.strong')].map(one => [one.textContent, one.getBBox()]);
  return boxes.flatMap(([name, a], place) => boxes.slice(place + 1).filter(([, b]) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).map(([other]) => name + other));
})()"""
CLIPPED = """[...document.querySelectorAll('main svg')].flatMap(chart => [...chart.querySelectorAll('text')].filter(one =>
  one.getBBox().x < 0 || one.getBBox().x + one.getBBox().width > chart.viewBox.baseVal.width).map(one => one.textContent))"""


def check_items(pages):
    pages.check(
        "[...document.querySelectorAll('#items .mark')]."
        "filter(bar => Number(bar.getAttribute('height')) > 0 && !bar.hasAttribute('opacity')).length", 4,
        "four items in four bins")
    pages.check(text_of("#items figcaption"), "p50 992 ns, p90 2.944 \u00b5s, p99 2.944 \u00b5s, p99.9 2.944 \u00b5s. ",
                "percentiles")
    # 100, 125, 83.3 and 80 ns for a cost of one, 91.67 in the middle: costs say 0.917, 0.733, 1.1 and 1.146 times what was seen
    pages.check("document.querySelectorAll('#items figcaption')[1].textContent",
                "Estimates are scaled to be right in the middle; over seen: 0.788 to 1.13 for eight of ten items.",
                "estimated against seen")
    pages.check("[...document.querySelectorAll('#items svg text.strong')].map(one => one.textContent)",
                ["p50", "p90, p99, p99.9"], "each percentile has its label, those at one place share one")
    pages.check(OVERLAPS, [], "and none lies on another")
    pages.check(CLIPPED, [], "nor does a letter of a chart lie outside of it")
    pages.browser.run(choose("#item-event", 1))
    pages.check("[...document.querySelectorAll('#items .legend li')].map(one => one.textContent)",
                ["seen", "predicted by fitted costs"], "where costs were fitted they predict")
    # 200 ns for one m*n: 200, 300, 600 and 200 ns, of which 200, 200, 700 and 100 were seen: 0.857, 1, 1.5 and 2 times that
    pages.check("document.querySelectorAll('#items figcaption')[1].textContent",
                "Predicted over seen: 1.25 in the middle, 0.9 to 1.85 for eight of ten items.", "in nanoseconds")
    pages.browser.run(choose("#item-event", 0))
    pages.browser.run("document.querySelector('#items svg').focus()")
    pages.browser.key("ArrowRight")
    pages.check("document.querySelector('#tip').textContent.split('\\n')[0]", "398 ns to 501 ns: 1 item",
                "the bars have a text for the keyboard")


def check_rest(pages):
    unit = " \u00b5s"
    pages.check_cells("#operations", [["near", "", "6.000" + unit, "60.0 %", "3000", "75.0 %", "1", "12000", "2"],
                                      ["far", "", "3.000" + unit, "30.0 %", "1000", "25.0 %", "2", "3000", "1"],
                                      ["idle", "", "0 ns", "0.0 %", "0", "0.0 %", "0", "0", "-"],
                                      ["residual", "", "1.000" + unit, "10.0 %", "-", "-", "-", "-", "-"],
                                      ["profiled total", "", "10.000" + unit, "-", "4000", "-", "-", "15000", "1.5"]],
                      "operations beside the seconds")
    pages.check_cells(table_of("Share of the lanes in which no item ran"),
                      [["inner", "1", "", "55.6 %", "50.0 %", "42.9 %", "42.9 %", "42.9 %"]], "idle shares of other orders")
    pages.check_cells(table_of("Predicted against seen"), [["inner", "4", "1.25", "0.857", "2", "1"]], "what fitted costs said")
    pages.check_cells(table_of("Launches"),
                      [['kernel "one"', "2", "3.000" + unit, "", "75.0 %", "1.500" + unit, "1.000" + unit, "2.000" + unit],
                       [EVIL, "1", "1.000" + unit, "", "25.0 %", "1.000" + unit, "1.000" + unit, "1.000" + unit],
                       ["all", "3", "4.000" + unit, "", "100.0 %", "1.333" + unit, "1.000" + unit, "2.000" + unit]], "launches")
    pages.points.add(
        pages.cells(table_of("Copies"))[:2] == [["to the device", "4", "4096", "4.1 kB", ""],
                                                ["to the host", "2", "1048576", "1.05 MB", ""]], "copies")
    pages.points.add([row[:5] for row in pages.cells(table_of("Sweeps"))] == [["1", "right", "-1.000000000000", "2", "0"],
                                                                              ["2", "left", "-1.200000000000", "4", "1e-9"],
                                                                              ["3", "right", "-1.250000000000", "8", "2e-9"]],
                     "sweeps")
    pages.browser.click("#device thead button")
    pages.points.add(
        pages.cells(table_of("Launches"))[0][0] == EVIL, "a heading sorts by label", str(pages.cells(table_of("Launches"))))


def check_estimates(pages):
    """Without a profile the costs of the items are operations: 67 in 6900 ns of one event, 4 in 400 ns of the other.

    Batch 2 has but submitted its items. Fitted costs are seconds, and no operations."""
    record = sample("full.json")
    del record["profile"], record["costs"]
    pages.open(record, "without a profile and fitted costs")
    unit = " \u00b5s"
    pages.check_cells("#operations", [[EVIL, "", "4", "6.900" + unit, "94.5 %", "67", "94.4 %", "0.00971"],
                                      ["inner", "", "2", "400 ns", "5.5 %", "4", "5.6 %", "0.01"],
                                      ["all", "", "6", "7.300" + unit, "100.0 %", "71", "100.0 %", "0.009726"]],
                      "costs of items are operations beside their seconds")
    record["costs"] = {"file": "costs.json", "events": []}
    pages.open(record, "without a profile, by costs of a file")
    pages.check("document.querySelector('#operations')", None, "costs in seconds are none")
    pages.open(sample("full.json"), "the sample")


def check_hooks(pages):
    unit = " \u00b5s"
    pages.check_cells(
        table_of("Counters of each phase"),
        [["run", "", "1", "8.000" + unit, "12", "10.000" + unit], ["step", "", "2", "7.000" + unit, "6", "9.200" + unit],
         [EVIL, "", "1", "2.000" + unit, "3", "4.100" + unit], ["inner", "", "2", "1.500" + unit, "1", "1.400" + unit]],
        "counters of phases, beside their time")
    pages.check("[...document.querySelectorAll('#hooks tbody th')].map(one => one.style.getPropertyValue('--depth')).join()",
                "0,1,2,2,,", "what a phase contains is indented")
    pages.check_cells(table_of("Counters of the items"),
                      [[EVIL, "", "4", "6.000" + unit, "2"], ["inner", "", "4", "700 ns", "1"]], "counters of items")
    pages.check("[...document.querySelectorAll('#hooks thead th')].map(one => one.textContent)[4]", "faults <b> (pages)",
                "a unit that no cell shows is in the heading")
    pages.check("[...document.querySelectorAll('#hooks .note, #hooks p.muted')].map(one => one.textContent)", [
        "Hooks perf: a phase is of the thread that drives it and contains those indented below it, items are of all lanes. "
        "Bars are of task-clock.",
        "Counters took turns: values are scaled up from the part of the time in which they counted, at least 50.0 %.",
        "Sums lack the part of threads whose hooks failed, 2 in all; the first: no more descriptors.",
        "Time of a counter beyond the wall time of its phase is what reading the counters took: it weighs the more the shorter "
        "the calls are."
    ], "and what must be known of them")


def check_widths(pages):
    """What is wider than the page says so, and only that; words of names stay whole."""
    hints = "[...document.querySelectorAll('{} .hint')].map(one => one.hidden)"
    pages.check(hints.format("#batches"), [True], "the table of the batches fits a wide page")
    pages.browser.open(pages.path, width=390)
    pages.check(hints.format("#batches"), [False], "on a narrow one it says that it is wider")
    pages.check(hints.format("#sweeps"), [False], "as do others")
    pages.check("[...document.querySelectorAll('#batches thead th')].filter(one => one.offsetWidth).map(one => one.textContent)"
                ".slice(0, 4)", ["event", "wall", "lanes idle", "longest item"], "and begins with what matters most")
    pages.browser.open(pages.path)


def check_tiles(pages):
    """No figure of a tile is cut off: here the last item ends at 122.338 us."""
    record = sample("full.json")
    record["batches"][0]["items"]["start_ns"][1], record["batches"][0]["wall_ns"] = 119838, 123000
    pages.open(record, "an item that ends late")
    cut = "[...document.querySelectorAll('.tiles *')].filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)"
    for width in (320, 390, 1100):
        pages.browser.open(pages.path, width=width)
        pages.check(cut + ".map(one => one.textContent)", [], "figures are whole at {} pixels".format(width))
    pages.open(sample("full.json"), "the sample")


def check_labels(pages):
    pages.check("[document.images.length, document.scripts.length]", [0, 2], "a label is text and nothing else")
    pages.check("document.querySelectorAll('main svg:not([aria-label]), main canvas:not([aria-label])').length", 0,
                "every picture has a text")
    pages.check(
        "[...document.querySelectorAll('h1, h2, h3')].map(h => Number(h.tagName[1])).every((level, i, all) => "
        "i === 0 ? level === 1 : level <= all[i - 1] + 1)", True, "headings leave no step out")
    pages.browser.run("document.querySelector('.explained').focus()")
    pages.check("[document.querySelector('#tip').hidden, document.activeElement.getAttribute('aria-describedby')]",
                [False, "tip"], "an explanation shows by focus alone")
    place = "document.querySelector('#tip').getBoundingClientRect().top - document.activeElement.getBoundingClientRect().top"
    before = pages.browser.run(place)
    pages.browser.run("scrollBy(0, 40)")
    pages.browser.frame()
    pages.check("!document.querySelector('#tip').hidden && " + place, before, "and stays with what has the focus")


run_checks(sys.argv[1], check_layouts, check_summary, check_facts, check_phases, check_tree_keys, check_items, check_rest,
           check_estimates, check_hooks, check_widths, check_tiles, check_labels)
