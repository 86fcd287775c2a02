/** Just enough of DER (X.690) to write a certificate. */

export const sequence = (...parts: Buffer[]) => element(0x30, ...parts);
export const set = (...parts: Buffer[]) => element(0x31, ...parts);
export const octets = (...parts: Buffer[]) => element(0x04, ...parts);
export const utf8 = (text: string) => element(0x0c, Buffer.from(text, "utf8"));
/** Whole octets; no bits of the last one are unused. */
export const bits = (content: Buffer) => element(0x03, Buffer.from([0]), content);
/** A context tag that wraps complete elements. */
export const wrapped = (tag: number, ...parts: Buffer[]) => element(0xa0 | tag, ...parts);
/** A context tag in place of the type's own. */
export const tagged = (tag: number, content: Buffer) => element(0x80 | tag, content);
export const boolean = (value: boolean) => element(0x01, Buffer.from([value ? 0xff : 0]));

/** A whole number above 0, given as its octets. */
export function integer(octetsOf: Buffer): Buffer {
  const positive = (octetsOf[0] ?? 0) & 0x80 ? [Buffer.from([0]), octetsOf] : [octetsOf];
  return element(0x02, ...positive);
}

/** "2.5.4.3" and the like. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return element(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

/** Seconds are the finest; years from 2050 on take the longer form, as RFC 5280 has it. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/[-T:]/g, "")}Z`;
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2), "latin1"))
    : element(0x18, Buffer.from(digits, "latin1"));
}

function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(n: number): number[] {
  if (n < 0x80) return [n];
  const octetsOf = n < 0x100 ? [n] : [n >> 8, n & 0xff];
  return [0x80 | octetsOf.length, ...octetsOf];
}

function base128(n: number): number[] {
  const low = [n & 0x7f];
  for (let rest = n >> 7; rest > 0; rest >>= 7) low.unshift(0x80 | (rest & 0x7f));
  return low;
}
