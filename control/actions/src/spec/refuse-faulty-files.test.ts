import { parseObjects } from '@kopsctl/spec/parse.ts';
import { expect, test } from 'vitest';
import { refuseFaultyFiles } from './refuse-faulty-files.ts';

const object = (kind: string, spec: string) =>
  `apiVersion: kops.k8s.io/v1alpha2\nkind: ${kind}\nmetadata:\n  name: demo\nspec:\n  ${spec}\n`;
const group = object('InstanceGroup', 'zzz: 1');
const cluster = object('Cluster', 'zzz: 1');

test.each([
  ['of an instance group', group, '; `kopsctl toolbox schema InstanceGroup` lists every field'],
  ['of a cluster', cluster, '; `kopsctl toolbox schema Cluster` lists every field'],
  [
    'of both',
    `${group}---\n${cluster}`,
    '; `kopsctl toolbox schema InstanceGroup` and `kopsctl toolbox schema Cluster` list every field',
  ],
  ['of the syntax of YAML', `${group.replace('zzz', '- zzz')}  a: 2\n`, ''],
])('a fault %s points to what lists its fields', (_what, text, pointer) => {
  const next = `fix these and repeat the command${pointer}`;
  const refuse = () => refuseFaultyFiles(['f'], [parseObjects(text, 'f')]);
  expect(refuse).toThrow(expect.objectContaining({ next }));
});
