"""Counts the comparisons of pdiff with a false verdict: noise.py BIN DIR COMPARISONS SEED.

Each comparison has two groups of 10 profiles of the same simulated program: 200 functions, a
deviation of 1 % between profiles, Poisson noise of the samples, and a different amount of work in
each profile.  Prints the number of comparisons with a verdict.
"""
import os
import random
import subprocess
import sys

binary, folder, comparisons, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
FUNCTIONS, PROFILES = 200, 10
names = ['app;main;mod%d;f%d' % (i % 7, i) for i in range(FUNCTIONS)]
expected = [500 * rng.lognormvariate(0, 1) + 300 for _ in names]


def write(path):
    work = rng.uniform(0.8, 1.2)
    with open(path, 'w') as f:
        for name, mean in zip(names, expected):
            rate = mean * work * rng.gauss(1, 0.01)
            f.write('%s %d\n' % (name, max(0, round(rng.gauss(rate, rate ** 0.5)))))


false = 0
paths = [os.path.join(folder, '%d.folded' % i) for i in range(2 * PROFILES)]
for _ in range(comparisons):
    for path in paths:
        write(path)
    out = subprocess.run([binary + '/pdiff', '-q', '--to', 'tsv', *paths[:PROFILES], '--with', *paths[PROFILES:]],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split('\t') for line in out.splitlines()[1:]]
    assert len(rows) == FUNCTIONS, len(rows)
    false += any(row[10] in ('grew', 'shrank') for row in rows)
print(false)
