import type { KubernetesFacts, NeededGate } from './kubernetes-versions.ts';

/** Whether the value switches a feature gate on, read as kops does: by Go's strconv.ParseBool. */
export const isOn = (value: string): boolean => /^(1|t|true)$/i.test(value);

/** Whether a component has a feature gate on: as its settings say, or else by default. */
export function hasGateOn(
  gate: NeededGate,
  { featureGates = {} }: { readonly featureGates?: Readonly<Record<string, string>> },
  { gatesOn }: KubernetesFacts,
): boolean {
  const switched = featureGates[gate];
  return switched === undefined ? gatesOn.includes(gate) : isOn(switched);
}
