import { type Memcached, effectiveBudget, withDefaults } from "../../api";
import type { Key } from "../runtime";
import { keyOf } from "../runtime";
import { labels } from "./labels";
import { isControlledBy, memcachedOwner } from "./owner";
import { type Stores, foreignBudgets } from "./stores";
import type { ObservedBudget } from "./types";

type Selector = NonNullable<ObservedBudget["spec"]>["selector"];

/** Whether a PodDisruptionBudget's selector takes pods with these labels; in policy/v1 an empty one takes all, and none takes no pod. */
export function selects(selector: Selector, podLabels: Record<string, string>): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const meets = ({ key, operator, values = [] }: (typeof matchExpressions)[number]): boolean => {
    const value = podLabels[key];
    if (operator === "Exists") return value !== undefined;
    if (operator === "DoesNotExist") return value === undefined;
    const isAmong = value !== undefined && values.includes(value);
    return operator === "In" ? isAmong : !isAmong;
  };
  return Object.entries(matchLabels).every(([key, value]) => podLabels[key] === value) && matchExpressions.every(meets);
}

const podLabelsOf = ({ metadata, spec }: Memcached) => ({ ...spec?.podLabels, ...labels(metadata.name) });

/**
 * Whether the Memcached is to have a budget of its own. One that nobody asked for gives way to others: Kubernetes evicts no pod that two
 * budgets select.
 */
export function wantsBudget(memcached: Memcached, stores: Pick<Stores, "disruptionBudgets">): boolean {
  const spec = withDefaults(memcached.spec);
  if (spec.disruptionBudget) return true;
  if (!effectiveBudget(spec)) return false;
  const { namespace = "", uid } = memcached.metadata;
  const { disruptionBudgets } = stores;
  const others = [...disruptionBudgets.byIndex(foreignBudgets, namespace), disruptionBudgets.get(keyOf(memcached))];
  const podLabels = podLabelsOf(memcached);
  return !others.some((budget) => budget && !isControlledBy(budget, uid) && selects(budget.spec?.selector, podLabels));
}

/** The Memcacheds whose servers a budget selects, or did before. One of a Memcached's own selects no servers but its own. */
export function selectedBy(
  [budget, before]: [ObservedBudget, ObservedBudget | undefined],
  { memcacheds }: Pick<Stores, "memcacheds">,
): Key[] {
  const foreign = [budget, before].filter((each) => each !== undefined && !memcachedOwner(each));
  if (foreign.length === 0) return [];
  const { namespace } = budget.metadata;
  return memcacheds
    .list()
    .filter((memcached) => memcached.metadata.namespace === namespace)
    .filter((memcached) => foreign.some((each) => selects(each?.spec?.selector, podLabelsOf(memcached))))
    .map(keyOf);
}
