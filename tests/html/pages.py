# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the page share: records shown in a browser, and what is to be found there.

full.json and kokkos.json beside this file are written by hand, and so is what the tests expect of them."""
import json
import os
import subprocess
import sys
import tempfile

from browser import Browser, find_browser
from tap import Points


HERE = os.path.dirname(os.path.abspath(__file__))
EVIL = "</script><img src=x onerror=alert(1)>\"'&\\x0a\\u202e"
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
        self.open_page(self.path, name, **setting)

    def open_page(self, path, name, **setting):
        """A page that is there."""
        self.browser.open(path, **setting)
        wide = self.browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        own = ["file://" + os.path.realpath(path)]
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


def choose(selector, value):
    """Sets a choice as a reader does."""
    return ("(() => {{ const node = document.querySelector({}); node.value = {}; node.dispatchEvent(new Event('change')); }})()"
            ).format(json.dumps(selector), json.dumps(value))


def run_checks(page, *checks):
    """Points of checks, each given the pages of one browser, or none where there is no browser; `page` makes pages."""
    program = find_browser()
    if not program:
        print("1..0 # SKIP no Chromium: the page is looked at in none")
        sys.exit(0)
    points = Points()
    with Browser(program) as browser:
        pages = Pages(browser, page, points)
        for check in checks:
            check(pages)
    points.finish()
