import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { expect, it } from 'vitest';
import { refuseTooNewVersion } from './refuse-too-new-version.ts';

const text = (version: string) =>
  `apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: demo.example.com\nspec:\n  kubernetesVersion: ${version}\n`;

function refuse(version: string, env: Readonly<Record<string, string>> = {}): void {
  const { objects } = parseObjects(text(version), 'demo.yaml');
  const cluster = objects.flatMap((object): readonly Cluster[] => (object.kind === 'Cluster' ? [object.value] : []))[0];
  if (cluster === undefined) throw new Error('the text has no Cluster');
  refuseTooNewVersion(cluster, env, objects);
}

it('refuses a Kubernetes newer than the table by its line, unless the environment allows it', () => {
  expect(() => refuse('1.37.0')).toThrow(
    'demo.yaml:6:3: spec.kubernetesVersion: 1.37.0 is newer than 1.36, the newest minor that this version of kopsctl knows',
  );
  expect(() => refuse('1.37.0', { KOPS_RUN_TOO_NEW_VERSION: '1' })).not.toThrow();
  expect(() => refuse('1.36.99')).not.toThrow();
});
