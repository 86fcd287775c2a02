import { parseQuantity, quantityNano } from "./quantity";
import type { Rule } from "./rule";

/** Sizes without exponents: memcached accepts none. */
export const plainSize = "^[0-9]{1,15}([.][0-9]{1,6})?(k|M|G|T|Ki|Mi|Gi|Ti)?$";

/** A plain size in billionths of a byte; undefined if the text is not one. */
export const sizeNano = (text: string): bigint | undefined =>
  new RegExp(plainSize).test(text) ? quantityNano(text) : undefined;

/** A size between the bounds that is a multiple of the step. */
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
    const [value, least, most, unit] = [sizeNano(text), ...[min, max, step].map((each) => quantityNano(each)!)];
    return value !== undefined && value >= least! && value <= most! && value % unit! === 0n;
  },
});
