import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { type PlacedPod, podsIn } from '@kopsctl/model/addons/testdata/placed-pods.ts';
import { EVERY_ADDON, OWN_ROLES } from '@kopsctl/model/addons/testdata/specs.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveMetadata } from './aws-machine.ts';
import { startMoto } from './moto.ts';
import { type AwsPlaces, whoIs } from './pod-process.ts';
import { credentials } from './s3-server.ts';
import type { TestServer } from './serve-test-server.ts';

const moto = await startMoto();
const [REGION, ACCOUNT] = ['us-east-1', '123456789012'];
const CONTROL_PLANE = 'masters.demo.example.com';

const CALLERS = [
  'aws-cloud-controller-manager',
  'aws-load-balancer-controller',
  'aws-node-termination-handler',
  'cluster-autoscaler',
  'ebs-csi-controller',
  'external-dns',
];

/** Each of them has AWS's own SDK, which looks for credentials in the same places and order as the one that is asked here. */
describe.skipIf(moto === undefined)("with AWS's own SDK", () => {
  if (moto === undefined) return;
  let metadata: TestServer;
  let places: AwsPlaces;
  let folder: string;
  beforeAll(async () => {
    const client = new STSClient({ region: REGION, endpoint: moto.endpoint, credentials });
    const wish = { RoleArn: `arn:aws:iam::${ACCOUNT}:role/${CONTROL_PLANE}`, RoleSessionName: 'i-0123456789abcdef0' };
    const { Credentials } = await client.send(new AssumeRoleCommand(wish));
    metadata = await serveMetadata({
      'iam/security-credentials/': CONTROL_PLANE,
      [`iam/security-credentials/${CONTROL_PLANE}`]: JSON.stringify({
        Code: 'Success',
        AccessKeyId: Credentials?.AccessKeyId,
        SecretAccessKey: Credentials?.SecretAccessKey,
        Token: Credentials?.SessionToken,
        Expiration: Credentials?.Expiration,
      }),
    });
    // The first request of all is answered with 503.
    await fetch(metadata.url);
    places = { sts: moto.endpoint, metadata: metadata.url, account: ACCOUNT, region: REGION };
  });
  afterAll(async () => {
    await metadata.stop();
    await moto.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-pod-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  function rendered(name: string, spec: ClusterSpec): PlacedPod {
    const pods = podsIn(builtInAddons(awsFacts(spec), GROUPS).flatMap(({ objects }) => objects));
    const found = pods.find(({ workload }) => workload === `kube-system/${name}`);
    if (found === undefined) throw new Error(`${name} is not applied`);
    return found;
  }

  test.each(CALLERS)('%s has the role of control planes, from the network of its machine', async (name) => {
    expect(await whoIs(rendered(name, EVERY_ADDON), places, folder)).toContain(`:assumed-role/${CONTROL_PLANE}/`);
  });

  test.each(CALLERS)('%s has the role of its account where components have their own', async (name) => {
    const own = { ...OWN_ROLES, nodeTerminationHandler: { enabled: true } };
    const placed = rendered(name, own);
    const account = placed.account.split('/').at(-1);
    const before = metadata.asked.length;
    expect(await whoIs(placed, places, folder)).toContain(`:assumed-role/${account}.kube-system.sa.demo.example.com/`);
    // Its token comes first: the metadata service is not asked.
    expect(metadata.asked.length).toBe(before);
  });

  test.each(['metrics-server', 'ebs-csi-node', 'coredns'])('%s, with a network of its own, is nobody', async (name) => {
    expect(await whoIs(rendered(name, EVERY_ADDON), places, folder)).toBe('nobody');
  });

  test('a caller that lost the network of its machine would be nobody', async () => {
    const placed = rendered('cluster-autoscaler', EVERY_ADDON);
    expect(await whoIs({ ...placed, pod: { ...placed.pod, hostNetwork: false } }, places, folder)).toBe('nobody');
  });
});
