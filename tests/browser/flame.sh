#!/bin/bash
# The picture in a real browser.  playwright-core drives Debian's chromium; it is
# installed once, below build/, in the version that package-lock.json pins.
set -u
modules=$TOP/build/browser
chromium=$(command -v chromium) || {
	echo 'no chromium'
	exit 77
}
if ! cmp -s "$TOP/tests/browser/package-lock.json" "$modules/installed"; then
	mkdir -p "$modules"
	cp "$TOP"/tests/browser/package*.json "$modules"
	if ! (cd "$modules" && npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1); then
		cat "$modules/npm.log"
		echo 'playwright-core could not be installed'
		exit 77
	fi
	cp "$modules/package-lock.json" "$modules/installed"
fi
MODULES=$modules CHROMIUM=$chromium node "$TOP/tests/browser/flame.mjs"
