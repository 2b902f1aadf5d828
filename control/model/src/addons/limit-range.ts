import type { AddonObject } from './addon-object.ts';

/** Pods of the default namespace that ask for nothing count as 100m (kops addon limit-range.addons.k8s.io). */
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
