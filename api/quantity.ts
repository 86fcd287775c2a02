/**
 * Kubernetes quantities ("64Mi", "1.5Gi", "500m", "1e3"), parsed exactly as the API server does: a decimal number and a
 * suffix, rounded up to a billionth. Source followed: k8s.io/apimachinery/pkg/api/resource.
 */

const factors: Record<string, bigint> = { n: 1n, u: 10n ** 3n, m: 10n ** 6n, "": 10n ** 9n };
["k", "M", "G", "T", "P", "E"].forEach((letter, i) => {
  factors[letter] = 10n ** 9n * 1000n ** BigInt(i + 1);
  factors[letter === "k" ? "Ki" : `${letter}i`] = 10n ** 9n * 1024n ** BigInt(i + 1);
});

const grammar = /^([+-]?)([0-9]+\.?[0-9]*|\.[0-9]+)(?:([eE])([+-]?[0-9]+)|([numkKMGTPE]i?)?)$/;

/** The quantity in billionths; undefined if the text is not a quantity. */
export function quantityNano(text: string): bigint | undefined {
  const match = grammar.exec(text);
  if (!match) return undefined;
  const [, sign, number, exponentLetter, exponent, suffix] = match;
  const [whole = "", fraction = ""] = number!.split(".");
  let numerator = BigInt(whole + fraction);
  let denominator = 10n ** BigInt(fraction.length);
  if (exponentLetter) {
    const power = Number(exponent);
    if (Math.abs(power) > 100) return undefined;
    numerator *= 10n ** 9n;
    if (power >= 0) numerator *= 10n ** BigInt(power);
    else denominator *= 10n ** BigInt(-power);
  } else {
    const factor = factors[suffix ?? ""];
    if (factor === undefined) return undefined;
    numerator *= factor;
  }
  const nano = (numerator + denominator - 1n) / denominator;
  return sign === "-" ? -nano : nano;
}

/** The quantity in its base unit: bytes for memory, cores for CPU. Throws if the text is not a quantity. */
export function parseQuantity(text: string | number): number {
  const nano = quantityNano(String(text));
  if (nano === undefined)
    throw new Error(`"${text}" is not a quantity; write a number with a unit, such as 64Mi or 500m`);
  const whole = nano / 1_000_000_000n;
  return Number(whole) + Number(nano - whole * 1_000_000_000n) / 1e9;
}
