<?php
// Counts words and sorts them, for about two seconds.
namespace App;

class Counter
{
    private array $seen = [];

    public function add(string $word): void
    {
        $this->seen[$word] = ($this->seen[$word] ?? 0) + 1;
    }

    public function top(int $n): array
    {
        uasort($this->seen, fn ($a, $b) => $b <=> $a);
        return array_slice($this->seen, 0, $n);
    }
}

function mix(int $x): int
{
    for ($i = 0; $i < 40; $i++) {
        $x = ($x * 1103515245 + 12345) & 0x7fffffff;
    }
    return $x;
}

function fib(int $n): int
{
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

function round_of(Counter $c, int $seed): int
{
    for ($i = 0; $i < 2000; $i++) {
        $seed = mix($seed);
        $c->add('w' . $seed % 500);
    }
    return fib(16) + count($c->top(10));
}

$end = hrtime(true) + (int)(($argv[1] ?? 2) * 1e9);
$c = new Counter();
$sum = 0;
for ($n = 0; hrtime(true) < $end; $n++) {
    $sum += round_of($c, $n);
}
echo $sum > 0 ? "ok\n" : "no\n";
