import { createHash } from 'node:crypto';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { expect, test } from 'vitest';
import { applyAddon } from './apply-addon.ts';

const SIGNAL = new AbortController().signal;
const PLURALS = {
  Namespace: 'namespaces',
  Deployment: 'deployments',
  CustomResourceDefinition: 'definitions',
  Tool: 'tools',
};
const object = (kind: string, name: string) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`;

/** An API server that notes the names of what it is given, and refuses what has the name `bad`. */
function serving() {
  const given: string[] = [];
  const kube: Pick<KubeClient, 'get' | 'apply' | 'mergePatch'> = {
    get: async () => ({ resources: Object.entries(PLURALS).map(([kind, name]) => ({ kind, name })) }),
    apply: async (path) => {
      if (path.endsWith('/bad')) throw new Error('bad is refused');
      given.push(path.split('/').at(-1) ?? '');
    },
    mergePatch: async (_, patch) => {
      given.push(JSON.stringify(patch));
    },
  };
  return { kube: kube as KubeClient, given };
}

/** An addon with this manifest, in a channel that says this of it. */
const wanted = (text: string, more: { manifestHash?: string; needsFacts?: readonly string[] } = {}) => {
  const manifestHash = createHash('sha256').update(text).digest('hex');
  return {
    addon: { name: 'net', id: 'k8s-1.30', manifest: 'm.yaml', manifestHash, ...more },
    read: async () => Buffer.from(text),
  };
};

test('Namespaces and CustomResourceDefinitions are applied before what needs them, and the addon is noted last', async () => {
  const { kube, given } = serving();
  const text = [
    object('Tool', 'tool'),
    object('Deployment', 'web'),
    object('CustomResourceDefinition', 'definition'),
    object('Namespace', 'home'),
  ].join('---\n');
  await applyAddon(wanted(text), kube, SIGNAL);
  expect(given.slice(0, -1)).toEqual(['home', 'definition', 'tool', 'web']);
  expect(given.at(-1)).toContain('addons.k8s.io/net');
});

test('an object that is refused stops no other one, and the addon is not noted', async () => {
  const { kube, given } = serving();
  const text = [object('Tool', 'bad'), object('Tool', 'good')].join('---\n');
  await expect(applyAddon(wanted(text), kube, SIGNAL)).rejects.toThrow('1 of 2 objects: bad is refused');
  expect(given).toEqual(['good']);
});

test('nothing is applied of a manifest with another hash, or with facts that only machines know', async () => {
  const { kube, given } = serving();
  const text = object('Tool', 'tool');
  const other = wanted(text, { manifestHash: 'a'.repeat(64) });
  await expect(applyAddon(other, kube, SIGNAL)).rejects.toThrow('and the channel says aaaa');
  const asking = wanted(text, { needsFacts: ['account'] });
  await expect(applyAddon(asking, kube, SIGNAL)).rejects.toThrow('only a machine of the cluster knows: account');
  expect(given).toEqual([]);
});
