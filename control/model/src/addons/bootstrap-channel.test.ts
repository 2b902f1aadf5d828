import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { bootstrapChannel } from './bootstrap-channel.ts';
import { awsFacts, GROUPS } from './testdata/aws-facts.ts';
import { EVERY_ADDON, NETWORKS } from './testdata/specs.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The facts that machines have to fill in, by addon: as the manifests have them, and as the channel names them. */
function facts(channel: ReturnType<typeof bootstrapChannel>) {
  const texts = new Map(channel.map(({ props }) => [textOf(props['path']), textOf(props['content'])]));
  const { spec } = parse(texts.get('addons/bootstrap-channel.yaml') ?? '');
  const addons: readonly { name: string; manifest: string; needsFacts?: readonly string[] }[] = spec.addons;
  const entries = addons.map(({ name, manifest, needsFacts = [] }) => {
    const places = (texts.get(`addons/${manifest}`) ?? '').matchAll(/@\{(\w+)\}/g);
    return { name, left: [...new Set([...places].map(([, fact = '']) => fact))].sort(), named: [...needsFacts].sort() };
  });
  return entries.filter(({ left, named }) => left.length + named.length > 0);
}

const clusters = Object.entries(NETWORKS).map(
  ([name, networking]) => [name, awsFacts({ ...EVERY_ADDON, networking })] as const,
);

test.each(clusters)('with %s the channel names every fact that its manifests leave to machines', (_, cluster) => {
  const found = facts(bootstrapChannel(cluster, GROUPS, undefined));
  expect(found.find(({ name }) => name === 'metrics-server.addons.k8s.io')?.left).toEqual(['kubeletServingCa']);
  for (const { name, left, named } of found) expect({ name, facts: named }).toEqual({ name, facts: left });
});
