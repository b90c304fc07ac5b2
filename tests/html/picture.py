#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A PNG of a page, as a headless Chromium shows it, for guides and for a look at a change."""
import argparse
import sys

from browser import Browser, find_browser


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", help="the HTML file")
    parser.add_argument("picture", help="the PNG to write")
    parser.add_argument("--section", default="", help="begin at this section: phases, run, batches, ... [the top]")
    parser.add_argument("--run", default="", help="a script that the page runs first")
    parser.add_argument("--width", type=int, default=1100, help="pixels [1100]")
    parser.add_argument("--height", type=int, default=0, help="pixels [to the end of the page]")
    parser.add_argument("--dark", action="store_true", help="as for a reader who wants it dark")
    wanted = parser.parse_args()
    program = find_browser()
    if not program:
        sys.exit("picture.py: no Chromium")
    with Browser(program) as browser:
        browser.open(wanted.page, width=wanted.width, dark=wanted.dark)
        if wanted.run:
            browser.run(wanted.run)
            browser.frame()
        browser.picture(wanted.picture, "#" + wanted.section if wanted.section else None, height=wanted.height)


main()
