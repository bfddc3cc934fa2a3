#!/bin/sh
# run.sh NAME SECONDS - libFuzzer over one target; what it finds lands in
# build/fuzz/NAME, and the inputs that broke it in build/fuzz/NAME-*.  SEED=N walks
# the same way each time, RUNS=N at most so far, LENGTH=N bytes of an input at most.
# -entropic=0: weighing the corpus anew took more than half of the time of targets that
# have thousands of inputs.
set -eu
cd "$(dirname "$0")/../.."
corpus=build/fuzz/corpus/$1
rm -rf "$corpus"
mkdir -p "build/fuzz/$1" "$corpus"
tar -xf "tests/fuzz/corpus/$1.tar" -C "$corpus"
exec "build/clang-fuzzer/fuzz/$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -entropic=0 \
	${SEED:+-seed="$SEED"} ${RUNS:+-runs="$RUNS"} ${LENGTH:+-max_len="$LENGTH"} \
	-print_final_stats=1 -artifact_prefix="build/fuzz/$1-" "build/fuzz/$1" "$corpus"
