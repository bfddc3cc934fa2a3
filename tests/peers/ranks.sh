#!/bin/bash
# The statistics of pdiff beside those of R and DESeq2 (r-base-core, r-bioc-deseq2), on new numbers
# in each run.  Asked with PEERS, because nobody else needs these packages.
. "$TOP/tests/check.sh"
needs Rscript
cd "$TOP" || exit 1
Rscript -e 'library(DESeq2)' >"$TMPDIR/log" 2>&1 || { echo 'r-bioc-deseq2 is not installed'; exit 77; }
for seed in $((RANDOM)) $((RANDOM)) $((RANDOM)); do
	Rscript tests/peers/ranks.R "$TMPDIR" $seed >"$TMPDIR/log" 2>&1 || cat "$TMPDIR/log"
	RANKS=$TMPDIR "$BIN/unit/contrast" >"$TMPDIR/log" 2>&1
	report $? "ranks, adjusted p and size factors are R's (seed $seed)"
	grep -v '^\[  *\(RUN\|OK\)' "$TMPDIR/log" | head -n 20
done
finish
