/* number - formats weights and shares for people, like lib/writer/unit.c. */
const { abs, ceil, floor, max, min, round, sqrt } = Math;
const SECONDS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [0, 'ns']];
const BYTES = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [0, 'B']];

function grouped(digits)
{
	const dot = digits.indexOf('.'), whole = dot < 0 ? digits : digits.slice(0, dot);

	return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (dot < 0 ? '' : digits.slice(dot));
}

/* Returns v with `digits` decimals.  v is rounded down if `to` is -1, and up if it is 1. */
function rounded(v, digits, to)
{
	const k = 10 ** digits;

	return (to ? (to < 0 ? floor : ceil)(+(v * k).toPrecision(15)) / k : v).toFixed(digits);
}

/* Returns v with three significant digits and its unit. */
function scaled(scales, v, to)
{
	const [least, suffix] = scales.find(([from]) => abs(v) >= from);
	const shown = v / (least || 1), size = abs(shown);

	return rounded(shown, !least || size >= 100 ? 0 : size < 10 ? 2 : 1, to) + ' ' + suffix;
}

/* Returns the digits of a number without unit, as exact as a double is. */
function plainDigits(v)
{
	return Number.isInteger(v) ? BigInt(v).toString()
		: v.toFixed(9).replace(/\.?0+$/, '');
}

/*
 * Returns a function amount(v, exact, to), which formats weights of a series.  v is the weight,
 * `exact` its precise digits if a double cannot hold it, and `to` the rounding (see rounded).
 */
function amountsOf(facts, series = 0)
{
	const unit = facts.countname || facts.series?.[series].unit || facts.unit || 'samples';
	const { factor } = facts;

	return (v, exact, to) => {
		if (unit === 'ns' || unit === 'bytes')
			return scaled(unit === 'ns' ? SECONDS : BYTES, v * factor, to);
		const digits = factor !== 1 ? rounded(v * factor, 2, to).replace(/\.?0+$/, '')
			: exact || plainDigits(v);
		const one = digits === '1' && unit.length > 1 && unit.endsWith('s');

		return grouped(digits) + ' ' + (one ? unit.slice(0, -1) : unit);
	};
}

/* Joins "3.1 s" and "4.0 s" to "3.1 to 4.0 s". */
function between(from, to)
{
	const [unit] = /\D*$/.exec(to);

	return from === to ? to : (from.endsWith(unit) ? from.slice(0, from.length - unit.length) : from) +
		' to ' + to;
}

/* Returns the share of a part in a whole.  Both are bounds: [least, most]. */
function shareOf([least, most], [wholeLeast, wholeMost])
{
	const share = (part, whole, to) => rounded(whole ? min(100, 100 * part / whole) : 0, 2, to);

	return least === most && wholeLeast === wholeMost ? percent(least, wholeLeast)
		: share(least, wholeMost, -1) + '% to ' + share(most, wholeLeast, 1) + '%';
}

const commas = (n) => grouped(String(n));
const percent = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(2) + '%';
