import { deepEqual } from 'node:assert/strict';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GoogleAccount, openGoogleAccount } from './google-account.ts';

const balanced =
  (type: string) =>
  (text: string): string =>
    text.replace('api:\n    dns: {}\n', `api:\n    loadBalancer: { type: ${type} }\n`);

/** An internal load balancer is in a private subnet. */
const balancedInside = (text: string): string => balanced('Internal')(text).replace('type: Public', 'type: Private');

/** One more instance group, made from that of the nodes. */
const withGroup =
  (name: string, role: string, zone = 'us-test1-a') =>
  (text: string): string => {
    const nodes = text.split(/^---$/m).find((part) => / {2}role: Node/.test(part)) ?? '';
    const group = nodes
      .replace(/name: nodes$/m, `name: ${name}`)
      .replace('role: Node', `role: ${role}`)
      .replace(/zones:\n[\s\S]*/, `zones:\n    - ${zone}\n`)
      .replace(/(max|min)Size: \d+/g, '$1Size: 1');
    return `${text.trimEnd()}\n---\n${group}`;
  };

const inNodes =
  (fields: string) =>
  (text: string): string =>
    text.replace(/(name: nodes\nspec:\n)/, `$1${fields}`);

const HOST = 'projects/host/global/networks/shared';
const shared = (text: string): string =>
  text
    .replace('  networking:\n', '  networkID: host/shared\n  networking:\n')
    .replace('- name: us-test1\n', '- name: us-test1\n      id: subnet\n      cidr: 10.9.0.0/20\n');

type Change = (text: string) => string;
type Shape = readonly [what: string, recorded: string, changes: readonly Change[]];

const SUBNET = '  - name: us-test1\n';
const ciliumEtcd = (text: string): string =>
  text
    .replace('    cni: {}', '    cilium: { etcdManaged: true }')
    .replace(
      '  cloudConfig:\n',
      '    - name: cilium\n      etcdMembers:\n        - { name: a, instanceGroup: master-us-test1-a }\n  cloudConfig:\n',
    );

const USUAL: readonly Shape[] = [
  [
    'API servers of their own behind a balancer outside',
    'minimal_gce',
    [balanced('Public'), withGroup('apis', 'APIServer')],
  ],
  ['a bastion', 'minimal_gce_private', [withGroup('bastions', 'Bastion')]],
];
const OTHERS: readonly Shape[] = [
  ['an internal balancer', 'minimal_gce', [balancedInside]],
  [
    'API servers of their own behind an internal balancer',
    'minimal_gce',
    [balancedInside, withGroup('apis', 'APIServer')],
  ],
  ['etcd for Cilium', 'minimal_gce', [balancedInside, ciliumEtcd]],
  [
    'a long name',
    'minimal_gce',
    [(text) => text.replaceAll('minimal-gce.', 'minimal-gce-of-a-name-that-is-too-long.')],
  ],
  ['Spot machines', 'minimal_gce', [inNodes('  gcpProvisioningModel: SPOT\n')]],
  [
    'accelerators',
    'minimal_gce',
    [
      (text) => text.replace(/(name: nodes[\s\S]*machineType: )e2-medium/, '$1n1-standard-1'),
      inNodes('  guestAccelerators: [{ acceleratorType: nvidia-tesla-t4, acceleratorCount: 1 }]\n'),
    ],
  ],
  [
    'several subnets',
    'minimal_gce_private',
    [(text) => text.replace(SUBNET, `  - name: more\n    region: us-test1\n    type: Private\n${SUBNET}`)],
  ],
  ['the network of another project', 'minimal_gce', [shared]],
];

let account: GoogleAccount;
beforeEach(async () => {
  account = await openGoogleAccount();
});
afterEach(async () => {
  await account.close();
  deepEqual(account.google.violations, []);
});

test.each(casesOf(USUAL, OTHERS))(
  'a cluster in GCE with %s is made, needs no second change, and is deleted completely',
  async (_, recorded, changes) => {
    for (const [path, resource] of [
      [HOST, { autoCreateSubnetworks: false }],
      [
        'projects/host/regions/us-test1/subnetworks/subnet',
        { network: HOST, region: 'projects/host/regions/us-test1', ipCidrRange: '10.9.0.0/20', fingerprint: 'a' },
      ],
    ] as const) {
      account.google.compute.resources.set(path, { name: path.split('/').at(-1), selfLink: path, ...resource });
    }
    const before = account.remains();
    const cluster = await account.create(recorded, (text) => changes.reduce((one, change) => change(one), text));
    await account.succeeds('update', 'cluster', cluster, '--yes');
    expect(await account.succeeds('update', 'cluster', cluster)).toContain('No changes');
    await account.succeeds('delete', 'cluster', cluster, '--yes');
    expect(account.remains()).toEqual(before);
  },
);
