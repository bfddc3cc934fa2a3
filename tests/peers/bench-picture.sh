#!/bin/bash
# A picture of about 425,000 boxes in Chromium: its size, and the time to load it, to zoom, to search and so on, by
# tests/browser/speed.mjs.  FOLDED=FILE names other stacks.  LOADS=N loads each page N times instead of 11 times.
# Run it as root by `chrt -r 1` if other programs use the processors.
set -u
export LC_ALL=C
MODULES=$TOP/build/browser CHROMIUM=$(command -v chromium)
export MODULES CHROMIUM
if [ -z "$CHROMIUM" ] || [ ! -f "$MODULES/installed" ]; then
	echo 'bench-picture: no chromium, or tests/browser/flame.sh has not installed puppeteer-core'
	exit 0
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
folded=${FOLDED:-$work/folded}
[ -n "${FOLDED:-}" ] || awk 'BEGIN {
	srand(7)
	while (n < 200000) {
		depth = 6 + int(rand() * 13)
		x = int(rand() * 8)
		stack = "thread-" x
		for (i = 0; i < depth - 1; i++) {
			x = (x * 31 + int(rand() * (i < 8 || rand() < 0.95 ? 2 : 3)) + i * 7) % 728
			stack = stack sprintf(";Module%d::function_%03d", x / 81, x)
		}
		if (!(stack in seen)) {
			seen[stack]
			n++
			print stack, 1 + int(rand() * 49)
		}
	}
}' >"$folded"
"$BIN/pflame" -q -o "$work/picture.svg" "$folded" || exit 2
echo '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>' >"$work/empty.svg"
boxes=$(grep -ao '"boxes":[0-9]*' "$work/picture.svg" | cut -d: -f2)
echo "$boxes boxes, $(stat -c %s "$work/picture.svg") bytes (bar: 1500000)"
node "$TOP/tests/browser/speed.mjs" "$work/picture.svg" "$work/empty.svg" "${LOADS:-11}"
