#!/usr/bin/env python3
"""annotate.py BIN OPTION... -- PROFILE... - compares the sums of pannotate with the weights of pfold.

Prints "ok" or "not ok" for each profile: the lines of each function, its instructions, and its row
of pfold --top have one sum, as shown and with --no-inline.
"""
import collections
import csv
import subprocess
import sys


def rows(program, options, profile):
    command = [program, "-q", "--no-host", *options, "--to=csv", profile]
    done = subprocess.run(command, capture_output=True, check=False)
    text = done.stdout.decode("utf-8", "surrogateescape")
    return list(csv.DictReader(text.splitlines()))


def differences(bin_dir, options, profile):
    """Yields a line for each sum that differs, or None if there was something to compare."""
    folded = rows(f"{bin_dir}/pfold", [*options, "--top=0"], profile)
    annotated = rows(f"{bin_dir}/pannotate", [*options, "--all"], profile)
    lines = rows(f"{bin_dir}/pannotate", [*options, "--all", "--lines"], profile)
    for name, got in (("instructions", annotated), ("lines", lines)):
        sums = collections.defaultdict(lambda: [0, 0])
        modules = collections.defaultdict(set)
        for row in got:
            modules[row["function"]].add(row["module"])
            sums[row["function"]][0] += int(row["self"])
            sums[row["function"]][1] += int(row["total"])
        for row in folded:
            function = row["function"]
            want = [int(row["self"]), int(row["total"])]
            # A sample may have functions of this name in two modules.
            if len(modules[function]) > 1:
                want[1] = sums[function][1]
            if function != "[no frames]" and sums[function] != want:
                yield f"{name} of {function}: {sums[function]}, pfold {want}"
    if not folded:
        yield "no rows"


def main():
    bin_dir, rest = sys.argv[1], sys.argv[2:]
    at = rest.index("--")
    options, profiles = rest[:at], rest[at + 1 :]
    for profile in profiles:
        for more in ([], ["--no-inline"]):
            found = list(differences(bin_dir, [*options, *more], profile))
            print("\n".join(found[:5]))
            name = " ".join([profile, *options, *more])
            print(f"{'not ok' if found else 'ok'} {name}")


main()
