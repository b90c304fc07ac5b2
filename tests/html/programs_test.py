#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the page says of a run is what the program's own tables say: programs_test.py PAGE HEISENBERG_DMRG VOLUME_FMM"""
import json
import os
import re
import subprocess
import sys

from pages import SETTINGS, run_checks



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
    several = [batch for batch in batches if batch["lanes"] > 1 and not batch["inline"]]
    overlapped = [batch for batch in several if batch["peak_overlap"] > 1]
    longest = max(overlapped or several or batches, key=lambda batch: batch["wall_ns"])
    pages.check("document.querySelector('.line[aria-selected=true] > :nth-child(2)').textContent", longest["event"],
                name + ": the longest of several lanes is chosen")


run_checks(sys.argv[1], lambda pages: check_program(pages, sys.argv[2], ["--sites=12", "--max-sweeps=3"]),
           lambda pages: check_program(pages, sys.argv[3], ["--levels=2", "--order=4"]))
