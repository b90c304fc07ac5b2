#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The list of batches, the lanes of one and the run in time: timelines_test.py PAGE"""
import json
import sys

from pages import EVIL, choose, run_checks, sample, table_of, text_of, tile



def check_batches(pages):
    pages.open(sample("full.json"), "the sample")
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
    pages.browser.run(choose("#batch-event", "inner"))
    pages.check(lines, ["2", "1"], "an event's batches alone")
    pages.browser.run(choose("#batch-sort", "begin 1"))
    pages.check(lines, ["1", "2"], "in the order they ran")
    pages.browser.run(choose("#batch-event", "") + ";" + choose("#batch-sort", "wall -1"))


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


MARKED = """(() => {
  const canvas = document.querySelector('#lanes'), scale = devicePixelRatio, paint = %s;
  const columns = (y) => {
    const {data} = canvas.getContext('2d').getImageData(0, Math.round((24 + 28 + y) * scale), canvas.width, 1);
    return [...Array(canvas.width).keys()].filter(x => [...data.slice(4 * x, 4 * x + 3)].join() === paint).length / scale;
  };
  return [columns(22), columns(2)];
})()"""


def check_short_critical(pages):
    """The critical item is seen, and so is the arrow to it, where it takes 6 ns at the very end of 4100."""
    record = sample("full.json")
    record["batches"][0]["items"]["start_ns"][1], record["batches"][0]["items"]["duration_ns"][1] = 4094, 6
    for width in (1280, 390):
        pages.open(record, "a short critical item at {} pixels".format(width), width=width)
        paint = pages.browser.run(PAINT.format("critical"))
        mark, arrow = pages.browser.run(MARKED % json.dumps(paint))
        pages.points.add(mark >= 6 and arrow >= 7, "its mark and its arrow are whole", "{} and {} pixels".format(mark, arrow))


def check_first_choice(pages):
    """At first the longest batch of several lanes is shown, where there is one."""
    record = sample("full.json")
    record["batches"][0]["peak_overlap"] = 1
    pages.open(record, "the longest batch ran on one of two lanes")
    pages.check(text_of("#chosen"), "Batch 2, inner", "one whose items ran at once is chosen first")
    record["batches"][0].update(lanes=1, inline=True)
    pages.open(record, "the longest batch ran inline")
    pages.check(text_of("#chosen"), "Batch 2, inner", "one on several lanes is chosen first")
    record["batches"][2].update(lanes=1, inline=True)
    pages.open(record, "all batches ran inline")
    pages.check(text_of("#chosen"), "Batch 0, " + EVIL, "among such of one lane the longest is")
    pages.open(sample("full.json"), "the sample")


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


HATCHED = """(() => {
  const canvas = document.querySelector('#run-timeline'), scale = devicePixelRatio;
  const {data} = canvas.getContext('2d').getImageData((canvas.clientWidth - 80) * scale, (24 + 2 * 28 + 4) * scale,
                                                      60 * scale, 20 * scale);
  return data.filter((value, place) => place % 4 === 3 && value > 40).length / (data.length / 4);
})()"""


def check_limit(pages):
    """A timeline that ends at 2000 ns of 10000 says so at the chart, in words and by hatching."""
    record = sample("full.json")
    pages.check("document.querySelector('#run .note')", None, "a timeline that has all says nothing of a limit")
    record["timeline"] = {key: values[:3] for key, values in record["timeline"].items()}
    record["timeline_dropped"] = 3
    said = ("Not all is shown: the timeline kept 3 of 6 phases and batches. What began from 2.000 \u00b5s on, the last 80.0 % "
            "of the run, is in the sums alone.")
    pages.open(record, "a timeline beyond its limit")
    text = pages.browser.run(text_of("#run .note"))
    pages.points.add(text.startswith(said) and "--detail-limit=N" in text,
                     "the chart says how much of the run is missing", text)
    hatched = pages.browser.run(HATCHED)
    pages.points.add(0.1 < hatched < 0.7, "where it is missing it is hatched", str(hatched))
    pages.check("document.querySelector('#batches').textContent.includes('Of 7 more there are only the sums')", True,
                "nor are all batches in the list")
    # the one outermost phase was dropped, too: the run is no shorter than what the sums say of it
    record["timeline"] = {"event": [1, 3], "begin_ns": [0, 1000], "duration_ns": [1500, 500]}
    pages.open(record, "a timeline without its outermost phase")
    pages.check(text_of("#run .note") + ".includes('the last 90.0 % of the run')", True,
                "the time of the run is known all the same")
    pages.open(sample("full.json"), "the sample")


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


run_checks(sys.argv[1], check_batches, check_chosen, check_lanes, check_short_critical,
           check_first_choice, check_run, check_limit, check_device_tracks)
