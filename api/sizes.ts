import { parseQuantity, quantityNano } from "./quantity";
import type { Rule } from "./rule";

/** Plain sizes only: memcached knows neither halves of bytes nor exponents. */
export const plainSize = "^[0-9]{1,15}([.][0-9]{1,6})?(k|M|G|T|Ki|Mi|Gi|Ti)?$";

/** A plain size in billionths of a byte; undefined for anything else. */
export const sizeNano = (text: string): bigint | undefined =>
  new RegExp(plainSize).test(text) ? quantityNano(text) : undefined;

/** The rule that a size is plain, between the bounds, and a whole number of steps. */
export const wholeSteps = (
  path: string,
  { min, max, step }: Record<"min" | "max" | "step", string>,
  message: string,
): Rule => ({
  path,
  cel: [
    `self.matches('${plainSize}')`,
    `quantity(self).compareTo(quantity('${min}')) >= 0`,
    `quantity(self).compareTo(quantity('${max}')) <= 0`,
    `quantity(self).sub(int(quantity(self).asApproximateFloat() / ${parseQuantity(step)}.0 + 0.5) * ${parseQuantity(step)}).compareTo(quantity('0')) == 0`,
  ].join(" && "),
  message: `${path} ${message}`,
  predicate: (text: string) => {
    const value = sizeNano(text);
    if (value === undefined || value < quantityNano(min)! || value > quantityNano(max)!) return false;
    return value % quantityNano(step)! === 0n;
  },
});
