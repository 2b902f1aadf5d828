import type { ModelCloud } from '@kopsctl/model/cluster-facts.ts';
import { METAL_TRAITS } from '../traits.ts';

/** Enrolled machines, as the builders of every cluster ask for them. */
export const metalModelCloud: ModelCloud = {
  name: 'metal',
  traits: METAL_TRAITS,
  // There is none; if somebody runs one at the usual address, pods do not reach it either.
  metadata: { ipv4: '169.254.169.254' },
  zoneProvider: () => undefined,
  addons: {},
};
