import type { AddonStatus } from '../follow/list-addons.ts';
import type { ValidationFailure } from './plan-validation.ts';

/** An addon of the cluster's own channel in the state store. */
export interface WantedAddon {
  readonly name: string;
  readonly manifestHash: string;
  /** The manifest of kops, which its control planes apply until they are replaced. */
  readonly hashOfKops?: string;
}

/**
 * Where the addons of the running cluster are not those of its channel, or failed. Pure.
 *
 * @param noted what protokube noted of each addon, or kops where it did not
 */
export function addonDrift(
  wanted: readonly WantedAddon[],
  noted: readonly AddonStatus[],
): readonly ValidationFailure[] {
  const byName = new Map(noted.map((addon) => [addon.name, addon]));
  const fail = (name: string, message: string): ValidationFailure => ({ kind: 'Addon', name, message });
  return [
    ...wanted.flatMap(({ name, manifestHash, hashOfKops }) => {
      const addon = byName.get(name);
      if (addon === undefined) return [fail(name, 'is not applied yet')];
      if (addon.status === 'failed') return [];
      return [manifestHash, hashOfKops].includes(addon.manifestHash)
        ? []
        : [fail(name, 'its new manifest is not applied yet')];
    }),
    ...noted.flatMap(({ name, status, failure }) => (status === 'failed' ? [fail(name, failure ?? 'failed')] : [])),
  ];
}
