import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { defaulted } from "../field";
import type { Rule } from "../rule";
import { plainSize, sizeNano, wholeSteps } from "../sizes";

/** memcached's own bounds: a page of slab memory has two chunks, and larger items consist of whole chunks. */
const bounds = { min: "512Ki", max: "1Gi", step: "512Ki" };

export const properties = {
  maxItemSize: defaulted(
    Type.String({
      description: `Largest item that the servers store (memcached -I): a multiple of ${bounds.step}, from ${bounds.min} to ${bounds.max}, and at most half of memory. For N clients that write items of this size at the same time, set memory to at least N + 1 times this size; otherwise some writes fail with "SERVER_ERROR Out of memory during read". A server that is full of small items cannot store items of 2Mi and more: use a separate cache for those.`,
      maxLength: 24,
      examples: ["4Mi"],
    }),
    "1Mi",
  ),
};

/** What memcached 1.6 checks before it listens. */
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
