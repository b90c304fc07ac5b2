#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page of a record, as a browser shows it: page_test.py PAGE HEISENBERG_DMRG VOLUME_FMM

PAGE makes a page of a record. full.json and kokkos.json beside this file are written by hand, and what is expected of them
here, too."""
import json
import os
import re
import subprocess
import sys
import tempfile

from browser import Browser, find_browser
from tap import Points

HERE = os.path.dirname(os.path.abspath(__file__))
EVIL = "</script><img src=x onerror=alert(1)>\"'&\\x0a\u202e"
SETTINGS = {
    "light": {},
    "dark": {
        "dark": True
    },
    "narrow": {
        "width": 390,
        "height": 800
    },
    "narrow, dark": {
        "width": 390,
        "dark": True
    }
}

# Texts of the cells of each row of a table or tree.
CELLS = ("[...document.querySelectorAll({} + ' ' + {})].map(row => [...row.children].map(cell => cell.textContent))")


class Pages:
    """Opens records in one browser, and counts what every page must keep to."""

    def __init__(self, browser, program, points):
        self.browser, self.program, self.points = browser, program, points
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "page.html")

    def write(self, text):
        done = subprocess.run([self.program], input=text, capture_output=True, check=True)
        with open(self.path, "wb") as file:
            file.write(done.stdout)

    def open(self, record, name, **setting):
        self.write(record if isinstance(record, bytes) else json.dumps(record).encode())
        self.browser.open(self.path, **setting)
        wide = self.browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        own = ["file://" + os.path.realpath(self.path)]
        asked = [url for url in self.browser.requested if not url.startswith("data:")]
        self.points.add(not self.browser.console and asked == own and wide == 0,
                        name + ": quiet, alone, and as wide as the window",
                        "console {}, asked for {}, {} pixels too wide".format(self.browser.console, asked, wide))

    def check(self, expression, expected, name):
        """One point: the value of an expression in the page."""
        seen = self.browser.run(expression)
        self.points.add(seen == expected, name, "expected {!r}\nseen     {!r}".format(expected, seen))

    def cells(self, inside, row="tbody tr"):
        return self.browser.run(CELLS.format(json.dumps(inside), json.dumps(row)))

    def check_cells(self, inside, expected, name, row="tbody tr"):
        seen = self.cells(inside, row)
        self.points.add(seen == expected, name, "expected {!r}\nseen     {!r}".format(expected, seen))


def table_of(title):
    return "[role=region][aria-label=" + json.dumps(title) + "]"


def sample(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def text_of(selector):
    return "document.querySelector({}).textContent".format(json.dumps(selector))


def tile(section, name):
    return ("[...document.querySelectorAll({} + ' .tiles > div')].filter(one => one.querySelector('dt').textContent == {})"
            ".map(one => one.querySelector('dd').textContent)[0]").format(json.dumps(section), json.dumps(name))


def check_layouts(pages):
    record = sample("full.json")
    grounds = set()
    for name, setting in SETTINGS.items():
        pages.open(record, name, **setting)
        grounds.add((setting.get("dark", False), pages.browser.run("getComputedStyle(document.body).backgroundColor")))
    pages.points.add(grounds == {(False, "rgb(255, 255, 255)"), (True, "rgb(20, 23, 27)")},
                     "dark where the reader wants it dark", str(grounds))


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


def check_batches(pages):
    chosen, lines = text_of("#chosen"), "[...document.querySelectorAll('.line > :first-child')].map(cell => cell.textContent)"
    pages.check(chosen, "Batch 0, " + EVIL, "the longest batch is chosen first")
    pages.check(lines, ["0", "2", "1"], "batches by their wall time")
    pages.browser.click(".line[aria-rowindex='3']")
    pages.check(chosen, "Batch 2, inner", "a click chooses a batch")
    pages.check("document.querySelectorAll('.line[aria-selected=true]').length", 1, "one is chosen")
    pages.browser.run("document.querySelector('#batch-list').focus()")
    pages.browser.key("ArrowDown")
    pages.check(chosen, "Batch 1, inner", "so does an arrow key")
    pages.check(
        "document.querySelector('#' + document.activeElement.getAttribute('aria-activedescendant')).textContent.slice(0, 6)",
        "1inner", "which a screen reader is told")
    pages.browser.run("choose = (id, value) => { const node = document.querySelector(id); node.value = value; "
                      "node.dispatchEvent(new Event('change')); }")
    pages.browser.run("choose('#batch-event', 'inner')")
    pages.check(lines, ["2", "1"], "an event's batches alone")
    pages.browser.run("choose('#batch-sort', 'begin 1')")
    pages.check(lines, ["1", "2"], "in the order they ran")
    pages.browser.run("choose('#batch-event', ''); choose('#batch-sort', 'wall -1')")


def check_chosen(pages):
    """Batch 0: 6900 ns of items on two lanes of 4100 ns; item 2 ends last, at 3700 ns, item 0 is the longest."""
    unit = " \u00b5s"
    pages.browser.key("Home")
    expected = {
        "wall": "4.100" + unit,
        "least possible": "3.450" + unit,
        "items": "4",
        "lanes": "2",
        "lanes idle": "15.9 %",
        "critical item": "item 2 ends at 3.700" + unit,
        "longest item": "3.000" + unit + " item 0",
        "first start after": "100 ns",
        "return after last": "400 ns"
    }
    for name, value in expected.items():
        pages.check(tile("#batches", name), value, "of the chosen batch: " + name)
    pages.browser.run("document.querySelector('#batches details summary').click()")
    pages.browser.frame()
    pages.check_cells(table_of("Lanes of the batch"), [["lane 0", "2", "3.400" + unit, "700 ns", "17.1 %", "3.550" + unit],
                                                       ["lane 1", "2", "3.500" + unit, "600 ns", "14.6 %", "3.700" + unit]],
                      "its lanes as a table")


PIXEL = """(() => {{
  const canvas = document.querySelector('#lanes'), chart = canvas.getContext('2d'), scale = devicePixelRatio;
  const x = Math.round((76 + (canvas.clientWidth - 86) * {time} / 4100) * scale);
  const y = Math.round((24 + 28 * {lane} + 5) * scale);
  return [...chart.getImageData(x, y, 1, 1).data].slice(0, 3).join();
}})()"""
RUN_PIXEL = """(() => {{
  const canvas = document.querySelector('#run-timeline'), scale = devicePixelRatio;
  const x = (160 + (canvas.clientWidth - 170) * {time} / 10000) * scale, y = (24 + 28 * {row} + 5) * scale;
  return [...canvas.getContext('2d').getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3).join();
}})()"""
SHADED = """(() => {
  const canvas = document.querySelector('#lanes'), scale = devicePixelRatio, x = 76 + (canvas.clientWidth - 86) * 3650 / 4100;
  const {data} = canvas.getContext('2d').getImageData(x * scale, 30 * scale, 60 * scale, 16 * scale);
  return data.filter((value, place) => place % 4 === 3 && value > 40).length / (data.length / 4);
})()"""
PAINT = """(() => {{
  const chart = document.createElement('canvas').getContext('2d');
  chart.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--{}');
  chart.fillRect(0, 0, 1, 1);
  return [...chart.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
}})()"""


def check_lanes(pages):
    """Where items run the canvas has their colour, where nothing runs it has not."""
    paints = {name: pages.browser.run(PAINT.format(name)) for name in ("time", "critical")}
    for lane, time, paint, what in ((0, 1500, "time", "item 0"), (1, 500, "time", "item 1"), (1, 3000, "critical",
                                                                                              "the critical item"),
                                    (0, 3300, "time", "item 3"), (0, 3800, None, "idle"), (1, 40, None, "idle")):
        seen = pages.browser.run(PIXEL.format(lane=lane, time=time))
        passed = seen == paints[paint] if paint else seen not in paints.values()
        pages.points.add(passed, "lane {} at {} ns shows {}".format(lane, time, what), "{} of {}".format(seen, paints))
    # Lane 0 is idle from 3550 to 4100 ns.
    shaded = pages.browser.run(SHADED)
    pages.points.add(0.1 < shaded < 0.7, "what is idle is hatched", str(shaded))
    spot = text_of("#lanes-spot")
    pages.browser.run("document.querySelector('#lanes').focus()")
    pages.browser.key("c")
    pages.check(spot,
                "item 2, lane 1 (critical: last to finish), takes 2.500 \u00b5s, starts at 1.200 \u00b5s, cost estimate 20",
                "a key goes to the critical item")
    pages.check("document.querySelector('#tip').hidden", False, "whose tooltip shows without a pointer")
    pages.browser.key("ArrowLeft")
    pages.check(spot + ".split(',')[0]", "item 1", "the item before")
    pages.browser.key("ArrowUp")
    pages.check(spot, "item 0, lane 0 (longest), takes 3.000 \u00b5s, starts at 100 ns, cost estimate 30", "the lane above")
    pages.browser.key("Escape")
    pages.check("document.querySelector('#tip').hidden", True, "Escape hides the tooltip")
    before = pages.browser.run(PIXEL.format(lane=0, time=3800))
    pages.browser.key("+")
    pages.points.add(pages.browser.run(PIXEL.format(lane=0, time=3800)) != before, "plus zooms in")
    pages.browser.key("0")
    pages.points.add(pages.browser.run(PIXEL.format(lane=0, time=3800)) == before, "0 shows all")


def check_run(pages):
    """A click on the run's timeline chooses the batch there: batch 1 begins 6500 ns into the run of 10000 ns, for 500 ns."""
    box = pages.browser.run(
        "(() => { const node = document.querySelector('#run-timeline'); node.scrollIntoView({block: 'center'}); "
        "const box = node.getBoundingClientRect(); return [box.x, box.y, box.width]; })()")
    x, y = box[0] + 160 + (box[2] - 170) * 6750 / 10000, box[1] + 24 + 2 * 28 + 14
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        pages.browser.ask("Input.dispatchMouseEvent",
                          type=kind,
                          x=x,
                          y=y,
                          button="none" if kind == "mouseMoved" else "left",
                          clickCount=1)
    pages.browser.frame()
    pages.check(text_of("#chosen"), "Batch 1, inner", "a click in the run's time chooses the batch there")
    pages.check(text_of("#run-timeline-spot"), "inner, batch 1, takes 500 ns, begins at 6.500 \u00b5s", "and says what it is")
    pages.browser.run("hideTip()")
    # the run and its steps have a row each to themselves; of the two events that share one, 4100 ns go before 1400 ns
    pages.check("[...document.querySelectorAll('#run .legend li')].map(one => one.textContent)", [EVIL, "inner"],
                "events that share a row have a colour each")
    for name, row, time in (("hue-alone", 0, 300), ("hue-alone", 1, 1800), ("hue-0", 2, 2300), ("hue-1", 2, 7200)):
        seen, paint = pages.browser.run(RUN_PIXEL.format(row=row, time=time)), pages.browser.run(PAINT.format(name))
        pages.points.add(seen == paint, "row {} at {} ns has the colour {}".format(row, time, name), seen + " of " + paint)


def check_device_tracks(pages):
    pages.browser.run("chooseBatch(2)")
    pages.check(
        "[...document.querySelectorAll('#batches .legend li')].map(one => one.textContent)",
        ["item", "critical item, the last to finish", "longest item", "idle", "item on the device", "command of the device"],
        "device items and commands have tracks")
    pages.browser.run("document.querySelector('#lanes').focus()")
    pages.browser.key("Home", "ArrowDown", "ArrowDown")
    pages.check(text_of("#lanes-spot"), "item 0, device, takes 400 ns, starts at 100 ns, busy 300 ns", "a device item")
    pages.browser.key("ArrowDown", "ArrowDown", "ArrowRight")
    pages.check(text_of("#lanes-spot"), 'copy, stream 0, takes 100 ns, starts at 600 ns', "a command without an item")


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
    pages.browser.run("choose('#item-event', 1)")
    pages.check("[...document.querySelectorAll('#items .legend li')].map(one => one.textContent)",
                ["seen", "predicted by fitted costs"], "where costs were fitted they predict")
    # 200 ns for one m*n: 200, 300, 600 and 200 ns, of which 200, 200, 700 and 100 were seen: 0.857, 1, 1.5 and 2 times that
    pages.check("document.querySelectorAll('#items figcaption')[1].textContent",
                "Predicted over seen: 1.25 in the middle, 0.9 to 1.85 for eight of ten items.", "in nanoseconds")
    pages.browser.run("choose('#item-event', 0)")
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
    pages.browser.open(pages.path)


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
    pages.check(text_of("#kernels p"), "Time of the kernels: each had run at the end of its dispatch.", "what seconds are")
    pages.check("[...document.querySelectorAll('#summary details')].map(one => [one.open, one.querySelectorAll('dt').length])",
                [[False, 3]], "what was built in is folded away")
    pages.check("[...document.querySelectorAll('#marks caption, #kernels caption, #steps caption')].length", 0,
                "no caption says a heading again")
    pages.check_cells("#kernels", [[
        EVIL, "parallel_reduce", "Serial / 0", "10", "2.000 ms", "", "78.2 %", "19.0 %", "1.900 ms", "200.000" + unit, "100.000" + unit,
        "400.000" + unit
    ],
                                   [
                                       "axpy <b>", "parallel_for", "Serial / 0", "100", "500.000" + unit, "", "20.6 %", "5.0 %",
                                       "500.000" + unit, "5.000" + unit, "2.500" + unit, "10.000" + unit
                                   ],
                                   [
                                       "scan", "parallel_scan", "OpenMP / 1", "1", "30.000" + unit, "", "1.2 %", "0.3 %",
                                       "30.000" + unit, "30.000" + unit, "15.000" + unit, "60.000" + unit
                                   ]], "kernels by their time")
    pages.check_cells(table_of("Copy matrix"), [["Host", "3 copies, 3 MB", "2 copies, 64 B"], ["Cuda", "-", "1 copy, 1 kB"]],
                      "the copy matrix")
    pages.points.add([row[-1] for row in pages.cells("#fences")] == ["program", "tool layer"], "whose fences they are")
    pages.check_cells(
        "#regions",
        [["main", "", "5.000 ms", "-", "1.000 ms", "1"], ["solve", "", "4.000 ms", "80.0 %", "1.500 ms", "10"],
         ["solve", "", "2.500 ms", "62.5 %", "2.500 ms", "5"], ["output", "", "100.000" + unit, "-", "100.000" + unit, "1"]],
        "regions as a tree", "[role=row][aria-level]")
    pages.points.add(
        pages.cells("#steps")[0][:4] == ["step", "10", "10", "1.000 ms"] and len(pages.cells("#spaces")) == 2,
        "steps and spaces")


def check_anything(pages):
    """Records with little, with the wrong things, or that are none."""
    pages.open({}, "an empty record")
    pages.check("[...document.querySelectorAll('h2')].map(h => h.textContent)", ["Summary"], "has a summary")
    pages.open(
        {
            "events": [7, None, {
                "name": 3,
                "parent": 3
            }],
            "batches": [[], {
                "event": {},
                "items": {
                    "start_ns": "x",
                    "lane": [1]
                }
            }],
            "batch_summaries": [None, {
                "completed": 1
            }],
            "run": [],
            "clock": None,
            "sweeps": [{}, 0],
            "device": {
                "launches": {}
            },
            "profile": {
                "phases": [None]
            },
            "timeline": {
                "event": [9, 9],
                "begin_ns": [1]
            },
            "cost": 3,
            "events_all": None
        }, "wrong types")
    pages.check("document.querySelectorAll('h2').length >= 6", True, "show what can be shown")
    for text in (b"[1]", b"not json", b'{"a":', b'{"a":"\xff\xfe"}'):
        pages.open(text, "the record {}".format(text))
    pages.check("document.querySelector('h1').textContent", "Record of a run", "broken UTF-8 is drawn")
    pages.open(b"null", "null")
    pages.check("document.querySelector('.note').textContent.startsWith('The record cannot be read')", True,
                "what is none is told so")
    pages.open(
        {
            "events": [{
                "name": "a",
                "parent": "b",
                "total_ns": 1
            }, {
                "name": "b",
                "parent": "a",
                "total_ns": 1
            }, {
                "name": "x" * 4096,
                "parent": None,
                "total_ns": 5
            }]
        },
        "a circle of parents, a label of 4 KiB",
        width=390)
    pages.check("document.querySelectorAll('#phases [role=row][aria-level] .name').length >= 3", True, "each phase has its row")


def many(batches, items):
    """A record of many batches, the last of which has many items."""
    record = sample("full.json")
    one = record["batches"][1]
    record["batches"] = [dict(one, number=i, begin_ns=1000000 + 1000 * i, wall_ns=500 + i % 7) for i in range(batches)]
    record["batches"].append(
        dict(one,
             number=batches,
             lanes=4,
             wall_ns=items * 100,
             requested=items,
             started=items,
             completed=items,
             items={
                 "index": list(range(items)),
                 "lane": [i % 4 for i in range(items)],
                 "start_ns": [i // 4 * 400 for i in range(items)],
                 "duration_ns": [50 + i * 7919 % 300 for i in range(items)],
                 "cost": [50 + i * 7919 % 301 for i in range(items)]
             }))
    return record


def check_many(pages):
    pages.open(many(10000, 100000), "10001 batches, one of 100000 items")
    pages.check("document.querySelector('#batch-list').getAttribute('aria-rowcount')", "10002", "all are in the list")
    pages.check("document.querySelectorAll('.line').length < 50", True, "but few in the page")
    pages.check(tile("#batches", "items"), "100000", "the large one is chosen")
    pages.browser.run("document.querySelector('#batch-list').focus()")
    pages.browser.key("End")
    pages.check("document.querySelector('.line[aria-selected=true] > :nth-child(3)').textContent", "500 ns",
                "End goes to the shortest")
    pages.check("document.querySelectorAll('.line').length < 50", True, "and few are in the page still")


def table_rows(text):
    """The event table of a program's output: {name: [count, total, mean, min, max, share]}."""
    lines = text.split("\nevent ")[1].split("\n\n")[0].splitlines()[1:]
    rows = [re.split(r"  +", line.strip()) for line in lines]
    return {row[0]: row[1:7] for row in rows if row[0] != "(unmeasured)"}


# Words of the tree's names that take more than one line.
BROKEN = """(() => {
  const texts = [...document.querySelectorAll('#phases .name > bdi')].flatMap(name => [...name.childNodes]);
  return texts.filter(text => text.nodeType === Node.TEXT_NODE).flatMap(text =>
    [...text.data.matchAll(/\\S+/g)].filter(word => {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return range.getClientRects().length > 1;
    }).map(word => word[0]));
})()"""


def check_program(pages, program, words):
    """What the page says of a real run is what the program's own table says."""
    path = os.path.join(pages.folder.name, "record.json")
    done = subprocess.run([program, *words, "--measurements=detailed", "--json=" + path],
                          capture_output=True,
                          text=True,
                          check=False)
    name = os.path.basename(program)
    with open(path, "rb") as file:
        record = file.read()
    for setting in SETTINGS:
        pages.open(record, name + ", " + setting, **SETTINGS[setting])
    pages.browser.open(pages.path, width=320)
    pages.check(BROKEN, [], name + ": no word of a phase's name is broken on the narrowest telephone")
    pages.browser.open(pages.path)
    rows = pages.cells("#phases", "[role=row][aria-level]")
    seen = {row[0]: [row[5], row[2], row[6], row[7], row[8], row[3]] for row in rows if not row[0].startswith("unmeasured in ")}
    expected = table_rows(done.stdout)
    pages.points.add(
        len(expected) > 5 and seen == expected, name + ": the table of events",
        "expected {}\nseen     {}".format(expected, seen))
    batches = json.loads(record)["batches"]
    pages.check("document.querySelector('#batch-list').getAttribute('aria-rowcount')", str(len(batches) + 1),
                name + ": all batches are listed")
    longest = max(batches, key=lambda batch: batch["wall_ns"])
    pages.check("document.querySelector('.line[aria-selected=true] > :nth-child(2)').textContent", longest["event"],
                name + ": the longest is chosen")


def main(page, heisenberg, volume):
    program = find_browser()
    if not program:
        print("1..0 # SKIP no Chromium: the page is looked at in none")
        sys.exit(0)
    points = Points()
    with Browser(program) as browser:
        pages = Pages(browser, page, points)
        check_layouts(pages)
        pages.open(sample("full.json"), "the sample")
        for check in (check_summary, check_phases, check_tree_keys, check_batches, check_chosen, check_lanes, check_run,
                      check_device_tracks, check_items, check_rest, check_hooks, check_widths, check_labels, check_kokkos,
                      check_anything, check_many):
            check(pages)
        check_program(pages, heisenberg, ["--sites=12", "--max-sweeps=3"])
        check_program(pages, volume, ["--levels=2", "--order=4"])
    points.finish()


main(*sys.argv[1:4])
