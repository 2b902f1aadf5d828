import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { resolveRefs } from '@kopsctl/tasks/references.ts';
import type { Json, Ref } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { gceCompleted, gceTasks } from '../testdata/gce-tasks.ts';
import { gceTerraform } from './terraform-target.ts';

/** As Terraform gets it: what the state store knows is filled in. */
function rendered(spec: ClusterSpec): string {
  const known = ({ ref, output }: Required<Ref>): Json => (ref.startsWith('Keyset/') ? output : { ref, output });
  const tasks = gceTasks({ spec }).map((task) => ({ ...task, props: resolveRefs(task.props, known) }));
  return gceTerraform.render(gceCompleted({ spec }).cluster, tasks, () => true).get('kubernetes.tf') ?? '';
}

/** The buckets of objects, by their names. */
const objectsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/resource "google_storage_bucket_object" "[^"]*" \{(.*?)\n\}/gs)].map(([, body = '']) => {
      const value = (field: string) => new RegExp(String.raw`^ *${field} *= "(.*)"$`, 'm').exec(body)?.[1] ?? '';
      return [value('name'), value('bucket')];
    }),
  );

const BACKUPS = ['main', 'events'].map((name) => ({
  name,
  etcdMembers: [{ name: 'b', instanceGroup: 'control-plane-us-east1-b' }],
  backups: { backupStore: name === 'main' ? 'gs://backups/demo' : '' },
}));

test('Terraform writes files where machines look for them, and gives control planes their rights there', () => {
  const text = rendered({
    configBase: 'gs://state/demo.example.com',
    keyStore: 'gs://keys/shared/pki',
    etcdClusters: BACKUPS,
  });
  expect(objectsOf(text)).toMatchObject({
    'demo.example.com/addons/bootstrap-channel.yaml': 'state',
    'demo/control/etcd-cluster-spec': 'backups',
    'demo.example.com/backups/etcd/events/control/etcd-cluster-spec': 'state',
  });
  expect(text).toMatch(/"google_storage_bucket_iam_member" "control-plane-reads-keys" \{\n *bucket *= "keys"/);
  expect(text).toContain('resource.name.startsWith(\\"projects/_/buckets/keys/objects/shared/pki/\\")');
});

test('the documents about the issuer are objects of its bucket, also where the state store is in none', () => {
  const text = rendered({ serviceAccountIssuerDiscovery: { discoveryStore: 'gs://issuer/demo/' } });
  expect(objectsOf(text)).toEqual({
    'demo/.well-known/openid-configuration': 'issuer',
    'demo/openid/v1/jwks': 'issuer',
  });
  expect(text).toMatch(/provider "google" \{\n *alias *= "files"/);
  expect(text).toContain('configuration_aliases');
});

test('keys and secrets are in no configuration, wherever they are kept', () => {
  const text = rendered({ configBase: 'gs://state/demo.example.com', keyStore: 'gs://keys/shared/pki' });
  expect(Object.keys(objectsOf(text)).filter((name) => /pki|secret/.test(name))).toEqual([]);
});

test('without a bucket there is no object, and no provider for one', () => {
  const text = rendered({});
  expect(objectsOf(text)).toEqual({});
  expect(text).not.toContain('google.files');
});
