/* number - weights and shares as people read them; as lib/writer/unit.c. */
const { abs, ceil, floor, max, min, round, sqrt } = Math;
const SECONDS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [0, 'ns']];
const BYTES = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [0, 'B']];

function grouped(digits)
{
	const dot = digits.indexOf('.'), whole = dot < 0 ? digits : digits.slice(0, dot);

	return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (dot < 0 ? '' : digits.slice(dot));
}

/* Three digits that count. */
function scaled(scales, v)
{
	const [least, suffix] = scales.find(([from]) => abs(v) >= from);
	const shown = v / (least || 1), size = abs(shown);

	return shown.toFixed(!least || size >= 100 ? 0 : size < 10 ? 2 : 1) + ' ' + suffix;
}

/* Digits of a number that is no unit's: exact as far as numbers go. */
function plainDigits(v)
{
	return Number.isInteger(v) ? BigInt(v).toString()
		: v.toFixed(9).replace(/\.?0+$/, '');
}

/*
 * amount(v, exact) of a file: v is in its unit, exact are its digits where they are
 * known better.
 */
function amountsOf(facts)
{
	const unit = facts.countname || facts.unit || 'samples', factor = facts.factor;

	return (v, exact) => {
		if (unit === 'ns' || unit === 'bytes')
			return scaled(unit === 'ns' ? SECONDS : BYTES, v * factor);
		const digits = factor !== 1 ? (v * factor).toFixed(2).replace(/\.?0+$/, '')
			: exact || plainDigits(v);
		const one = digits === '1' && unit.length > 1 && unit.endsWith('s');

		return grouped(digits) + ' ' + (one ? unit.slice(0, -1) : unit);
	};
}

const commas = (n) => grouped(String(n));
const percent = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(2) + '%';
