import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { variablesOf, type Way, waysOf } from '@kopsctl/model/addons/testdata/cloud-ways.ts';
import { items, type PlacedPod, podsIn } from '@kopsctl/model/addons/testdata/placed-pods.ts';
import { EVERY_ADDON_ON_GCE } from '@kopsctl/model/addons/testdata/specs.ts';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { metadataOf, serveGceMetadata } from './gce-machine.ts';
import type { TestServer } from './serve-test-server.ts';

const MACHINE = { project: 'p', zone: 'us-test1-a', name: 'cp-1', address: '10.0.0.2', token: 'of-the-machine' };
/** Nothing listens there, as for pods with a network of their own whose packets to the metadata service are dropped. */
const NOWHERE = '127.0.0.1:9';

const PODS = podsIn(builtInAddons(awsFacts(EVERY_ADDON_ON_GCE), GROUPS).flatMap(({ objects }) => objects));

function rendered(workload: string): PlacedPod {
  const found = PODS.find((pod) => pod.workload === workload);
  if (found === undefined) throw new Error(`${workload} is not applied`);
  return found;
}

/** Each of them has Google's own library, which looks for credentials in the same places and order as the one that is asked here. */
describe("with Google's own library", () => {
  let metadata: TestServer;
  let folder: string;
  beforeAll(async () => {
    metadata = await serveGceMetadata({ ...metadataOf(MACHINE), 'universe/universe-domain': 'googleapis.com' });
    // The first request of all is answered with 503.
    await fetch(metadata.url, { headers: { 'metadata-flavor': 'Google' } });
  });
  afterAll(() => metadata.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-pod-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The token that a process with the variables of the pod's first container finds where its network leads it. */
  async function tokenOf(placed: PlacedPod): Promise<string> {
    const [container = {}] = items(placed.pod['containers']);
    const isOfMachine = waysOf(placed).includes('as its machine');
    const { stdout } = await execa(process.execPath, [join(import.meta.dirname, 'who-calls-google.ts')], {
      extendEnv: false,
      env: {
        ...variablesOf(container),
        HOME: folder,
        GCE_METADATA_HOST: isOfMachine ? new URL(metadata.url).host : NOWHERE,
      },
    });
    return stdout.trim();
  }

  test.each<[string, Way]>([
    ['kube-system/cloud-controller-manager', 'as a control plane'],
    ['kube-system/cluster-autoscaler', 'as a control plane'],
    ['kube-system/external-dns', 'as a control plane'],
    ['gce-pd-csi-driver/csi-gce-pd-controller', 'as a control plane'],
    ['gce-pd-csi-driver/csi-gce-pd-node', 'as its machine'],
  ])('%s has the rights of its machine, %s', async (workload, way) => {
    const placed = rendered(workload);
    expect(waysOf(placed)).toContain(way);
    expect(await tokenOf(placed)).toBe('of-the-machine');
  });

  test.each(['kube-system/metrics-server', 'kube-system/coredns', 'kube-system/cert-manager'])(
    '%s, with a network of its own, is nobody',
    async (workload) => {
      expect(await tokenOf(rendered(workload))).toBe('nobody');
    },
  );

  test('a caller that lost the network of its machine would be nobody', async () => {
    const placed = rendered('gce-pd-csi-driver/csi-gce-pd-controller');
    expect(await tokenOf({ ...placed, pod: { ...placed.pod, hostNetwork: false } })).toBe('nobody');
  });
});
