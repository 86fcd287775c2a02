/** Whether a process keeps what it need not: the trend of its memory once it is warm. */

export interface Sample {
  pid: number;
  /** Seconds since the soak began. */
  atS: number;
  rssMiB: number;
}

export interface Trend {
  /** How long the process was watched, warm-up left out, in seconds. */
  overS: number;
  /** MiB a minute, by least squares. */
  slope: number;
  medianMiB: number;
  peakMiB: number;
}

/** A fresh V8 heap grows to the size that its garbage needs. */
const WARM_UP_S = 30;

/** The trend of the process that has lived longest since `fromS`; undefined when none is older than its warm-up. */
export function trendOf(samples: readonly Sample[], fromS: number): Trend | undefined {
  const lives = [...new Set(samples.map(({ pid }) => pid))].map((pid) =>
    warm(
      samples.filter((s) => s.pid === pid),
      fromS,
    ),
  );
  const longest = lives.sort((a, b) => b.length - a.length)[0] ?? [];
  const [first, last] = [longest[0], longest.at(-1)];
  if (!first || !last || longest.length < 10) return undefined;
  const sizes = longest.map(({ rssMiB }) => rssMiB).sort((a, b) => a - b);
  return {
    overS: last.atS - first.atS,
    slope: slopeOf(longest.map(({ atS, rssMiB }) => [atS / 60, rssMiB])),
    medianMiB: sizes[Math.floor(sizes.length / 2)] as number,
    peakMiB: sizes.at(-1) as number,
  };
}

function warm(life: Sample[], fromS: number): Sample[] {
  const born = life[0]?.atS ?? 0;
  return life.filter(({ atS }) => atS >= Math.max(fromS, born + WARM_UP_S));
}

/** The slope of the straight line that fits best. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}
