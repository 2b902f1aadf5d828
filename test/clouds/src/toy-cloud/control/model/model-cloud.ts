import { addonIf } from '@kopsctl/model/addons/addon.ts';
import type { ModelCloud } from '@kopsctl/model/cluster-facts.ts';
import { TOY_TRAITS } from '../traits.ts';
import { toyStorageClass } from '../addons/storage-class.ts';

/** The toy cloud, as the builders of every cluster ask it. */
export const toyModelCloud: ModelCloud = {
  name: 'metal',
  traits: TOY_TRAITS,
  metadata: { ipv4: '169.254.169.254' },
  // Nobody keeps names in DNS here: clusters gossip, or have no names.
  zoneProvider: () => undefined,
  addons: {
    storage: ({ spec }) =>
      addonIf(spec.cloudConfig?.manageStorageClasses !== false, 'storage-toy.addons.k8s.io', 'v1', () => [
        toyStorageClass,
      ]),
  },
};
