#!/usr/bin/env python3
"""defaults.py TABLE PAGE - compares the defaults and units of a manual with those of --help.

TABLE is the output of --help=table.  PAGE is the manual as text without overstriking.  A default
in --help is in parentheses: (50), (30; 0: all), "full" (default).
"""
import re
import sys

UNITS = {r"\bMB\b": r"\bMB\b|megabyte", r"(?i)\bpixels?\b": r"(?i)pixel", r"\b[N]%|P%": "%|percent",
         r"(?i)\bseconds?\b": r"(?i)second|\d m?s\b", "K, M, G": "K.*M.*G"}


def paragraphs(path):
    """Returns the text below each option.  Options without own text share that of the next one."""
    found, names, has_text = {}, [], True
    for line in open(path):
        item = re.match(r" {4,6}(-\S.*)", line)
        if item:
            names = [] if has_text else names
            spelled, _, text = item[1].partition("  ")
            names += [n for n in re.findall(r"--?[\w-]+", spelled) if n not in found]
            found.update((n, line) for n in names)
            has_text = bool(text)
        elif re.match(r" {8}", line):
            found.update((n, found[n] + line) for n in names)
            has_text = True
        elif line.strip():
            names = []
    return {name: re.sub(r"\s+", " ", text) for name, text in found.items()}


def default_of(arg, said):
    if not arg and said.endswith("(default)"):
        return "default"
    word = re.search(r'"?([\w.-]+)"? \((?:the )?default\)', said)
    value = re.search(r"\(([\d.]+[KMG%]?|all|samples|prof\.tar\.gz)[;,)]", said)
    return (word or value)[1] if word or value else None


def main():
    pages = paragraphs(sys.argv[2])
    defaults = bad = 0
    for row in open(sys.argv[1]):
        letter, name, arg, _, said = row.rstrip("\n").split("\t")
        option = "--" + name if name else "-" + letter
        text = pages.get(option, "").replace(" %", "%")
        value = default_of(arg, said)
        defaults += value is not None
        if value and not (re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", text) and "default" in text):
            print(f"{option}: the default is {value} in --help, but in the manual: {text}")
            bad = 1
        for unit, same in UNITS.items():
            if re.search(unit, f"{arg} {said}") and not re.search(same, text):
                print(f"{option}: --help has a unit ({unit}), but the manual: {text}")
                bad = 1
    print(f"{defaults} defaults")
    return bad


sys.exit(main())
