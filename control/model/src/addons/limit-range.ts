import type { AddonObject } from './addon-object.ts';

/** Containers in the default namespace request 100m CPU unless they say otherwise (kops addon limit-range.addons.k8s.io). */
export function limitRangeObjects(): readonly AddonObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'limits', namespace: 'default' },
      spec: { limits: [{ defaultRequest: { cpu: '100m' }, type: 'Container' }] },
    },
  ];
}
