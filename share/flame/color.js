/*
 * color - chooses the paint of a box: an opaque fill, and an ink for its label with a contrast of
 * at least 4.5, as WCAG 2 computes it.
 */
const THEMES = {
	light: { ground: '#ffffff', none: '#e6e7eb', root: '#d6d6dc', hit: '#c2107a',
		fresh: '#f6c945', gone: '#7a5aa8', keep: 1, fade: 0.3, dim: 0.42 },
	dark: { ground: '#17181c', none: '#3a3c44', root: '#44464f', hit: '#ff5cb4',
		fresh: '#f0c040', gone: '#b69be0', keep: 0.88, fade: 0.3, dim: 0.4 },
};
const INKS = ['#1b1b1f', '#ffffff', '#000000'];

const channels = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16));

function luminance(c)
{
	const [r, g, b] = channels(c).map((p) => {
		const v = p / 255;

		return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	});

	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(c, d)
{
	const [x, y] = [luminance(c), luminance(d)].sort((p, q) => q - p);

	return (x + 0.05) / (y + 0.05);
}

/* Mixes the colours c and d.  `share` is the share of c, from 0 to 1. */
function mixed(c, d, share)
{
	const e = channels(d);

	return '#' + channels(c).map((v, i) => round(v * share + e[i] * (1 - share))
		.toString(16).padStart(2, '0')).join('');
}

const inkOn = (fill) => INKS.find((ink) => contrast(fill, ink) >= 4.5) || INKS[2];

/* Computes paints, and caches them by colour and state. */
class Paints
{
	constructor(facts, names)
	{
		this.palettes = facts.palettes;
		this.facts = facts;
		this.names = names;
		this.use(facts.palettes[0].name, 'light', THEMES.light.ground);
	}

	use(palette, theme, ground)
	{
		this.palette = this.palettes.find((p) => p.name === palette) || this.palettes[0];
		this.theme = { ...THEMES[theme], ground };
		if (this.facts.hit)
			this.theme.hit = this.facts.hit;
		this.known = new Map();
		this.named = {};
	}

	groupColor(group, shade)
	{
		const at = (group * 9 + shade) * 6;

		return '#' + this.palette.colors.slice(at, at + 6);
	}

	base(name)
	{
		const { names, palette } = this, shade = names.shade(name);

		return shade < 0 ? names.color(name) : this.groupColor(palette.sorts.length
			? palette.sorts[names.sort(name)] : floor(shade / 9), shade % 9);
	}

	/* Returns { fill, ink } for a name in a state (see paint). */
	paintName(name, state)
	{
		const named = this.named[state] ||= [];

		return named[name] ||= this.paint(this.base(name), state);
	}

	/* Returns { fill, ink } for a color in a state: '', 'above', 'dim' or 'hit'. */
	paint(color, state)
	{
		const key = color + state;
		let paint = this.known.get(key);

		if (!paint) {
			const { theme } = this;
			const fill = state === 'hit' ? theme.hit : mixed(color, theme.ground,
				state === 'above' ? theme.fade : state === 'dim' ? theme.dim
					: theme.keep);

			paint = { fill, ink: inkOn(fill) };
			this.known.set(key, paint);
		}
		return paint;
	}
}
