#!/bin/bash
# The picture, and the page of pannotate, in real browsers.  playwright-core drives Debian's chromium, puppeteer-core
# Debian's firefox-esr; they are installed once, below build/, in the version that package-lock.json pins.
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
export MODULES=$modules CHROMIUM=$chromium
failed=0
for t in flame bounds views look tasks speedscope annotate; do
	node "$TOP/tests/browser/$t.mjs" || failed=1
done
if command -v firefox-esr >/dev/null; then
	node "$TOP/tests/browser/firefox.mjs" || failed=1
else
	echo 'ok opens_in_firefox # SKIP no firefox-esr'
fi
exit $failed
