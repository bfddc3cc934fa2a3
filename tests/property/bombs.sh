#!/bin/bash
# Small inputs that ask for much: each filter stays within the budget of the input (--max-time,
# --max-memory) and ends by itself.
. "$TOP/tests/check.sh"
needs python3 gcc zstd
cd "$TMPDIR" || exit 1
exec "$TOP/tests/property/bombs.py"
