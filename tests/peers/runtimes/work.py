"""Counts words and sorts them, for some seconds."""
import sys
import time


class Counter:
    def __init__(self):
        self.seen = {}

    def add(self, word):
        self.seen[word] = self.seen.get(word, 0) + 1

    def top(self, n):
        return sorted(self.seen, key=lambda word: -self.seen[word])[:n]


def mix(x):
    for _ in range(20):
        x = (x * 1103515245 + 12345) & 0x7fffffff
    return x


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def words(seed):
    for _ in range(500):
        seed = mix(seed)
        yield f"w{seed % 500}"


def round_of(counter, seed):
    for word in words(seed):
        counter.add(word)
    return fib(12) + len(counter.top(10))


def report(counter):
    """Imports what only the first report needs."""
    import argparse
    import json
    import logging
    import unittest
    return json.dumps(counter.top(3)), argparse, logging, unittest


def main():
    end = time.monotonic() + float(sys.argv[1])
    counter, n = Counter(), 0
    round_of(counter, n)
    report(counter)
    while time.monotonic() < end:
        n += round_of(counter, n)
    print("ok" if n else "no")


main()
