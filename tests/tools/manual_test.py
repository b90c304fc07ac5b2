#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and shell completion hold what the programs say of themselves: manual_test.py MANUAL TACTUS DMRG FMM"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Points

COMMANDS = ["info", "report", "compare", "costs"]


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def output(*words):
    done = run(*words)
    if done.returncode != 0 or done.stderr:
        raise SystemExit("{} failed: {}".format(words, done))
    return done.stdout


def help_of(programs, page):
    """What --help says of the program or command that a page is of."""
    if page.startswith("tactus-"):
        return output(programs["tactus"], page.split("-")[1], "--help")
    return output(programs[page], "--help")


def options_of(text):
    return re.findall(r"^  (--[a-z-]+)", text, re.MULTILINE)


def words_of(text):
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def plain(text):
    """A page as it reads: escapes resolved, fonts left out."""
    for escape, character in {r"\(rs": "\\", r"\-": "-", r"\(aq": "'", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~", r"\(dq": '"',
                              r"\&": "", r"\fB": "", r"\fI": "", r"\fR": ""}.items():
        text = text.replace(escape, character)
    return text


def check_page(points, manual, programs, page):
    text = output(manual, "page", page)
    read, helped = plain(text), help_of(programs, page)
    missing = [name for name in options_of(helped) if not re.search(r"^{}\b".format(name), read, re.MULTILINE)]
    points.add(options_of(helped) and not missing, page + ": every option of --help is there", str(missing))
    statuses = re.findall(r"^  (\d)  (.+)$", helped.split("Exit status:")[1], re.MULTILINE)
    points.add(statuses and all(".TP\n{}\n{}\n".format(*status) in read for status in statuses), page + ": every exit status is there")
    missing = words_of(helped) - words_of(read) - {"usage"}
    points.add(not missing, page + ": no word of --help is missing", str(missing))
    others = {name for name in PAGES if name != page}
    points.add({name for name in re.findall(r"^\.BR (\S+) \(1\)", read, re.MULTILINE)} == others, page + ": names the other pages")
    check_form(points, page, text)


def check_form(points, page, text):
    """What the machine has to look at manual pages finds nothing."""
    judges = {
        "man": ["man", "--warnings", "-E", "UTF-8", "-l", "-"],
        "groff": ["groff", "-man", "-ww", "-Tutf8"],
        "mandoc": ["mandoc", "-T", "lint", "-W", "warning"],
    }
    for judge, words in judges.items():
        if not shutil.which(judge):
            points.skip("{}: {} finds nothing".format(page, judge), "no " + judge)
            continue
        done = run(*words, input=text, env={**os.environ, "MANROFFOPT": "", "LC_ALL": "C.UTF-8"})
        # A page that told the day of its build would not be the same twice.
        complaints = [line for line in (done.stderr + (done.stdout if judge == "mandoc" else "")).splitlines()
                      if "missing date" not in line]
        points.add(not complaints, "{}: {} finds nothing".format(page, judge), "\n".join(complaints))


def bash_completion(script, function, words, breaks=True):
    """What bash offers for the last of the words, taken apart at '=' as bash does, or whole."""
    taken = []
    for word in words:
        pieces = re.findall(r"=|[^=]+", word) if breaks and word.startswith("--") else [word]
        taken += pieces or [""]
    line = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); ' + function + \
        '; printf "%s\\n" "${COMPREPLY[@]}"'
    done = run("bash", "--norc", "-c", line, "bash", script, *taken)
    return [word for word in done.stdout.splitlines() if word], done.stderr


def check_bash(points, manual, folder):
    scripts = {}
    for program in "tactus", "heisenberg_dmrg", "volume_fmm":
        scripts[program] = os.path.join(folder, program + ".bash")
        with open(scripts[program], "w", encoding="utf-8") as stream:
            stream.write(output(manual, "bash", program))
    with open(os.path.join(folder, "run one.json"), "w", encoding="utf-8") as stream:
        stream.write("{}")
    record = os.path.join(folder, "run one.json")
    os.mkdir(os.path.join(folder, "kept"))
    cases = [
        (["tactus", ""], {"info", "report", "compare", "costs", "--help", "--version"}),
        (["tactus", "re"], {"report"}),
        (["tactus", "info", "--"], {"--json", "--help"}),
        (["tactus", "compare", "--by="], {"total", "mean", "min"}),
        (["tactus", "compare", "--by=m"], {"mean", "min"}),
        (["tactus", "compare", "--fail-above="], set()),
        (["tactus", "compare", "--fa"], {"--fail-above="}),
        (["tactus", "report", record[:-3]], {record}),
        (["tactus", "report", "--json=" + record[:-3]], {record}),
        (["heisenberg_dmrg", "--executor=ser"], {"serial"}),
        (["heisenberg_dmrg", "--spin="], {"1/2", "0.5", "1"}),
        (["volume_fmm", "--kern"], {"--kernel="}),
        (["volume_fmm", "--kernel=y"], {"yukawa"}),
        (["heisenberg_dmrg", "--hooks="], {"nvtx", "perf", "papi", "help"}),
        (["volume_fmm", "--density=" + folder + "/run"], {record}),
        (["volume_fmm", "--density=two"], {"two-gaussians"}),
        (["volume_fmm", "--density=he"], {"help"}),
        (["volume_fmm", "--cache=non"], {"none"}),
        (["volume_fmm", "--cache=" + folder + "/"], {os.path.join(folder, "kept")}),
    ]
    for words, expected in cases:
        for breaks in True, False:
            found, complaints = bash_completion(scripts[words[0]], "_" + words[0], words, breaks)
            prefix = words[-1].split("=")[0] + "=" if not breaks and "=" in words[-1] else ""
            points.add(set(found) == {prefix + word for word in expected} and not complaints,
                       "bash completes {}{}".format(" ".join(words).replace(folder, "DIR"), "" if breaks else " whole"), str((found, complaints)))


def check_names(points, manual, programs):
    """Every shell is offered every option, and no other."""
    for program in "heisenberg_dmrg", "volume_fmm":
        wanted = set(options_of(help_of(programs, program)))
        for shell, pattern in ("bash", r"(--[a-z-]+)[=' )]"), ("zsh", r"'(--[a-z-]+)(?:=-)?\["), ("fish", r" -l ([a-z-]+) "):
            found = set(re.findall(pattern, output(manual, shell, program)))
            found = {name if name.startswith("--") else "--" + name for name in found}
            points.add(found == wanted, "{} is offered the options of {}".format(shell, program), str(found ^ wanted))
    for shell in "zsh", "fish":
        text = output(manual, shell, "tactus")
        points.add(all(command in text for command in COMMANDS) and "fail-above" in text, shell + " knows the commands of tactus")


def check_shells(points, manual, folder):
    """The scripts are what those shells read."""
    for shell, words in ("zsh", ["-n"]), ("fish", ["--no-execute"]):
        for program in "tactus", "heisenberg_dmrg", "volume_fmm":
            name = "{} reads the completion of {}".format(shell, program)
            if not shutil.which(shell):
                points.skip(name, "no " + shell)
                continue
            path = os.path.join(folder, program + "." + shell)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(output(manual, shell, program))
            done = run(shell, *words, path)
            points.add(done.returncode == 0 and not done.stderr, name, str(done))
    if not shutil.which("fish"):
        points.skip("fish completes the values of an option", "no fish")
        return
    for words, values in [("tactus compare --by=", ["mean", "min", "total"]), ("volume_fmm --density=two", ["two-gaussians"]),
                          ("volume_fmm --hooks=p", ["papi", "perf"]), ("volume_fmm --cache=non", ["none"]),
                          ("volume_fmm --cache=" + folder + "/ke", [folder + "/kept/"])]:
        line = "source {}; complete -C '{}'".format(os.path.join(folder, words.split()[0] + ".fish"), words)
        done = run("fish", "--no-config", "-c", line, env={**os.environ, "HOME": folder})
        option = words.split()[-1].split("=")[0] + "="
        points.add([row.split("\t")[0] for row in done.stdout.splitlines()] == [option + value for value in values],
                   "fish completes " + words.replace(folder, "DIR"), str(done))


PAGES = ["heisenberg_dmrg", "volume_fmm", "tactus"] + ["tactus-" + command for command in COMMANDS]


def main(manual, tactus, dmrg, fmm):
    points = Points()
    programs = {"tactus": tactus, "heisenberg_dmrg": dmrg, "volume_fmm": fmm}
    for page in PAGES:
        check_page(points, manual, programs, page)
    check_names(points, manual, programs)
    with tempfile.TemporaryDirectory() as folder:
        check_bash(points, manual, folder)
        check_shells(points, manual, folder)
    for words in [], ["page", "nothing"], ["csh", "tactus"]:
        done = run(manual, *words)
        points.add(done.returncode == 1 and not done.stdout, "the generator refuses " + " ".join(words), str(done))
    points.finish()


main(*sys.argv[1:5])
