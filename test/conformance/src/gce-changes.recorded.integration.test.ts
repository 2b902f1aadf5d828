import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GoogleAccount, openGoogleAccount } from './google-account.ts';
import type { Resource } from './google-defaults.ts';

let account: GoogleAccount;
beforeEach(async () => {
  account = await openGoogleAccount();
});
afterEach(async () => {
  await account.close();
  deepEqual(account.google.violations, []);
});

/** Behind a balancer outside and one inside, which is every kind that is shared between machines. */
const base = (text: string): string => text.replace('type: Internal\n      useForInternalApi: true', 'type: Public');

/** What the spec can change about what is there. */
const changed = (text: string): string =>
  base(text)
    .replace(/sshAccess:\n {2}- 0.0.0.0\/0/, 'sshAccess:\n  - 10.0.0.0/8')
    .replace(/(instanceGroup: master-us-test1-a\n {6}name: a)/, '$1\n      volumeSize: 40')
    .replace(
      '    type: Private\n  topology',
      '    type: Private\n  - name: more\n    region: us-test1\n    type: Private\n  topology',
    )
    .replace(/(name: nodes[\s\S]*machineType: )e2-medium/, '$1e2-standard-4');

interface Plan {
  readonly tasks: readonly {
    readonly id: string;
    readonly steps: readonly { readonly action: string; readonly changes?: readonly { readonly path: string }[] }[];
  }[];
}

/** What a plan changes in Google, with the fields. */
async function planned(cluster: string): Promise<readonly string[]> {
  const { tasks }: Plan = JSON.parse(await account.succeeds('update', 'cluster', cluster, '-o', 'json'));
  return tasks
    .filter(({ id }) => id.startsWith('gce/'))
    .flatMap(({ id, steps }) =>
      steps.map(({ action, changes = [] }) => [action, id, ...changes.map(({ path }) => path)].join(' ')),
    );
}

test('each kind in GCE is changed where it is, from a saved plan, and only what the spec or somebody else has changed', async () => {
  const name = 'minimal_gce_dns-none';
  const cluster = await account.create(name, base);
  await account.makeUpHashes(cluster);
  const plan = join(account.folder, 'plan.json');
  await account.succeeds('plan', '--name', cluster, '--out', plan);
  expect(account.google.changes).toEqual([]);
  await account.succeeds('apply', plan, '--no-wait');
  expect(await account.succeeds('update', 'cluster', cluster)).toContain('No changes');
  const paths = [...account.google.compute.resources.keys()];

  await account.succeeds('replace', '-f', account.spec(name, changed));
  const stale = await account.kopsctl(['apply', plan, '--no-wait']);
  expect(stale).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('was changed') });
  expect(await planned(cluster)).toMatchInlineSnapshot(`
      [
        "create gce/Subnetwork/more-minimal-gce-example-com",
        "update gce/Router/nat-minimal-gce-example-com nat.subnetworks[0] nat.subnetworks[1]",
        "update gce/Firewall/ssh-external-to-master-minimal-gce-example-com sourceRanges[0]",
        "update gce/Firewall/ssh-external-to-node-minimal-gce-example-com sourceRanges[0]",
        "update gce/Disk/a-etcd-main-minimal-gce-example-com sizeGb",
        "create gce/InstanceTemplate/nodes-minimal-gce-example-com",
        "update gce/InstanceGroupManager/a-nodes-minimal-gce-example-com templates[0]",
        "update gce/InstanceGroupManager/b-nodes-minimal-gce-example-com templates[0]",
      ]
    `);

  // What the spec cannot change, somebody has changed by hand.
  byHand('httpHealthChecks', () => ({ port: 1, requestPath: '/' }));
  byHand('healthChecks', () => ({ tcpHealthCheck: { port: 1 } }));
  byHand('targetPools', () => ({ healthChecks: [] }));
  byHand('backendServices', () => ({ backends: [] }));
  byHand('forwardingRules', () => ({ labels: {} }));
  byHand('disks', ({ labels }) => ({ labels: { ...(labels as object), 'k8s-io-role-master': 'none' } }));
  byHand('subnetworks', () => ({ stackType: 'IPV4_IPV6' }));
  byHand('instanceGroupManagers', () => ({
    updatePolicy: { type: 'PROACTIVE', minimalAction: 'REPLACE' },
    targetPools: [],
  }));
  for (const [email, one] of account.google.policies.accounts) {
    account.google.policies.accounts.set(email, { ...one, displayName: 'mine' });
  }
  expect(await planned(cluster)).toMatchInlineSnapshot(`
      [
        "update gce/Subnetwork/us-test1-minimal-gce-example-com stack",
        "create gce/Subnetwork/more-minimal-gce-example-com",
        "update gce/Router/nat-minimal-gce-example-com nat.subnetworks[0] nat.subnetworks[1]",
        "update gce/Firewall/ssh-external-to-master-minimal-gce-example-com sourceRanges[0]",
        "update gce/Firewall/ssh-external-to-node-minimal-gce-example-com sourceRanges[0]",
        "update gce/ServiceAccount/control-plane displayName",
        "update gce/ServiceAccount/node displayName",
        "update gce/Disk/a-etcd-main-minimal-gce-example-com labels.k8s-io-role-master sizeGb",
        "update gce/Disk/a-etcd-events-minimal-gce-example-com labels.k8s-io-role-master",
        "update gce/HttpHealthCheck/api-minimal-gce-example-com port requestPath",
        "update gce/TargetPool/api-minimal-gce-example-com healthChecks[0]",
        "update gce/InstanceGroupManager/a-master-us-test1-a-minimal-gce-example-com targetPools[0] updatePolicy.type",
        "create gce/InstanceTemplate/nodes-minimal-gce-example-com",
        "update gce/InstanceGroupManager/a-nodes-minimal-gce-example-com templates[0] updatePolicy.type",
        "update gce/InstanceGroupManager/b-nodes-minimal-gce-example-com templates[0] updatePolicy.type",
        "update gce/ForwardingRule/api-minimal-gce-example-com labels.k8s-io-cluster-name labels.name",
        "update gce/HealthCheck/api-minimal-gce-example-com port",
        "update gce/BackendService/api-minimal-gce-example-com instanceGroups[0]",
        "update gce/ForwardingRule/api-us-test1-minimal-gce-example-com labels.k8s-io-cluster-name labels.name",
        "update gce/ForwardingRule/kops-controller-us-test1-minimal-gce-example-com labels.k8s-io-cluster-name labels.name",
      ]
    `);

  await account.succeeds('update', 'cluster', cluster, '--yes');
  expect(await account.succeeds('update', 'cluster', cluster)).toContain('No changes');
  const after = [...account.google.compute.resources.keys()];
  expect(paths.filter((path) => !after.includes(path))).toEqual([]);
  await account.succeeds('delete', 'cluster', cluster, '--yes');
  expect(account.remains()).toEqual([]);
});

function byHand(collection: string, change: (resource: Resource) => Resource): void {
  for (const [path, resource] of account.google.compute.resources) {
    if (path.split('/').at(-2) !== collection) continue;
    account.google.compute.resources.set(path, { ...resource, ...change(resource) });
  }
}
