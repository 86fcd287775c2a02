/** A plot of how something grows with the number of resources, one line a contender, as SVG. */

export interface Series {
  name: string;
  colour: string;
  /** Pairs of resources and value. */
  points: [number, number][];
}

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const RIGHT = 16;
const TOP = 40;
const BOTTOM = 48;

export function plot(title: string, unit: string, series: Series[]): string {
  const all = series.flatMap(({ points }) => points);
  const xs = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b);
  const step = niceStep(Math.max(...all.map(([, y]) => y)) / 5);
  const top = Math.ceil(Math.max(...all.map(([, y]) => y)) / step) * step;
  const right = xs.at(-1) ?? 1;
  const x = (value: number) => round(LEFT + (value / right) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => round(HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM));
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step);
  const text = (at: [number, number], anchor: string, words: string, more = "") =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}"${more}>${words}</text>`;
  const parts = [
    text([LEFT, 22], "start", title, ' font-weight="bold"'),
    ...ticks.flatMap((tick) => [
      `<path d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
      text([LEFT - 8, y(tick) + 4], "end", `${round(tick)} ${unit}`),
    ]),
    ...xs.map((value) => text([x(value), HEIGHT - BOTTOM + 18], "middle", value.toLocaleString("en"))),
    text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10], "middle", "Memcached resources"),
    ...series.flatMap(({ name, colour, points }, i) => [
      `<polyline points="${points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(([a, b]) => `<circle cx="${x(a)}" cy="${y(b)}" r="3" fill="${colour}"/>`),
      text([LEFT + 12, TOP + 14 + 16 * i], "start", name, ` fill="${colour}"`),
    ]),
  ];
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`;
  return `${head}\n<rect width="100%" height="100%" fill="white"/>\n${parts.join("\n")}\n</svg>\n`;
}

/** 1, 2 or 5 times a power of ten, at least `value`. */
function niceStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10);
}

const round = (value: number) => Math.round(value * 10) / 10;
