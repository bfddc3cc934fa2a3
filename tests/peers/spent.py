#!/usr/bin/env python3
"""spent.py RUNS COMMAND... [-- COMMAND...]...

Runs the commands in turn, RUNS times each, without their output.  Prints a line for each: median
and mean of user and system seconds, and the peak of resident memory in MB.  A command that fails
is said on standard error; its line is "- - -".
"""
import os
import statistics
import sys


def run(command):
    """Seconds and MB of one run; None: it failed."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        try:
            os.execvp(command[0], command)
        except OSError:
            os._exit(127)
    _, status, used = os.wait4(pid, 0)
    if status:
        return None
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    runs, words = int(sys.argv[1]), sys.argv[2:]
    commands = [[]]
    for word in words:
        if word == "--":
            commands.append([])
        else:
            commands[-1].append(word)
    results = [[] for _ in commands]
    for _ in range(runs):
        for command, of in zip(commands, results):
            of.append(run(command))
    for command, of in zip(commands, results):
        if None in of:
            print(" ".join(command) + ": failed", file=sys.stderr)
            print("- - -")
            continue
        seconds = [s for s, _ in of]
        print("%.4f %.5f %.1f" % (statistics.median(seconds), statistics.mean(seconds),
                                  max(mb for _, mb in of)))


if __name__ == "__main__":
    main()
