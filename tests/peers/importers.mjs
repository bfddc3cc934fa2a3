// What the Firefox Profiler's importer reads: importers.mjs LINUX_PERF.mjs FILE
// A line "tid;frame;frame COUNT" for each stack, sorted.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const importer = await import(pathToFileURL(process.argv[2]));
const text = readFileSync(process.argv[3], 'utf8');
console.log = console.error; // what it cannot read
if (!importer.isPerfScriptFormat(text))
	throw new Error('not taken for the text of perf script');
const counts = new Map();
for (const t of importer.convertPerfScriptProfile(text).threads) {
	const prefix = t.stackTable.schema.prefix, frame = t.stackTable.schema.frame;
	const place = t.frameTable.schema.location, stack = t.samples.schema.stack;
	for (const sample of t.samples.data) {
		const names = [];
		for (let id = sample[stack]; id !== null; id = t.stackTable.data[id][prefix])
			names.unshift(t.stringTable[t.frameTable.data[t.stackTable.data[id][frame]][place]]);
		const line = `${t.tid};${names.join(';')}`;
		counts.set(line, (counts.get(line) || 0) + 1);
	}
}
process.stdout.write([...counts].map(([line, n]) => `${line} ${n}\n`).sort().join(''));
