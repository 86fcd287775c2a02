import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { defaulted } from "../field";
import type { Rule } from "../rule";
import { plainSize, sizeNano, wholeSteps } from "../sizes";

/** memcached's own: a page of slab memory holds two chunks, and larger items are made of whole chunks. */
const bounds = { min: "512Ki", max: "1Gi", step: "512Ki" };

export const properties = {
  maxItemSize: defaulted(
    Type.String({
      description: `Largest item the servers store (memcached -I): a multiple of ${bounds.step}, from ${bounds.min} to ${bounds.max}, and at most half of memory. As many of that size can be written at once as memory holds, less one, so four writers need a memory of five times this; what finds no place is answered "SERVER_ERROR Out of memory during read". A server that small values have filled stores none of 2Mi and more, however large it is: give those a cache of their own.`,
      maxLength: 24,
      examples: ["4Mi"],
    }),
    "1Mi",
  ),
};

/** They follow what memcached 1.6 checks before it listens. */
export const rules: Rule[] = [
  wholeSteps(
    "spec.maxItemSize",
    bounds,
    `must be a multiple of ${bounds.step} from ${bounds.min} to ${bounds.max}, or memcached does not start: write it like 512Ki, 1Mi or 1.5Mi`,
  ),
  {
    path: "spec",
    fieldPath: ".maxItemSize",
    cel: [
      `!self.maxItemSize.matches('${plainSize}') || !self.memory.matches('${plainSize}')`,
      "quantity(self.maxItemSize).add(quantity(self.maxItemSize)).compareTo(quantity(self.memory)) <= 0",
    ].join(" || "),
    message:
      "spec.maxItemSize must be at most half of spec.memory, or memcached does not start: lower spec.maxItemSize or raise spec.memory",
    predicate: ({ maxItemSize, memory }: DefaultedSpec) => {
      const [item, all] = [sizeNano(maxItemSize), sizeNano(memory)];
      return item === undefined || all === undefined || item * 2n <= all;
    },
  },
];
