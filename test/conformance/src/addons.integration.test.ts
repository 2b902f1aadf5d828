import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { EVERY_ADDON, EVERY_ADDON_ON_GCE, NETWORKS, OWN_ROLES } from '@kopsctl/model/addons/testdata/specs.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { applyObject } from '@kopsctl/protokube/addons/apply-addon.ts';
import { type KubeClient, kubeClient } from '@kopsctl/protokube/kube/client.ts';
import { Discovery } from '@kopsctl/protokube/kube/discovery.ts';
import { asArray, asRecord } from '@kopsctl/protokube/kube/json.ts';
import { findApiServer, type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';

/** The Kubernetes version of the available API server. */
const KUBERNETES_VERSION = '1.20.2';

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

const programs = await findApiServer();

describe.skipIf(programs === undefined)('a real API server of Kubernetes 1.20', () => {
  if (programs === undefined) return;
  let server: RealApiServer | undefined;
  let kube: KubeClient;
  beforeAll(async () => {
    server = await startApiServer(programs);
    kube = kubeClient(server.kubeconfig);
  });
  afterAll(() => server?.stop());

  const specs: readonly (readonly [string, ClusterSpec])[] = [
    ...Object.entries(NETWORKS).map(([name, networking]): readonly [string, ClusterSpec] => [
      name,
      { ...(name === 'calico' ? OWN_ROLES : EVERY_ADDON), networking },
    ]),
    ['cilium on GCE', EVERY_ADDON_ON_GCE],
  ];

  test.each(specs)('accepts every object of every addon by server-side apply, with %s', async (_, spec) => {
    const objects = builtInAddons(awsFacts({ ...spec, kubernetesVersion: KUBERNETES_VERSION }), GROUPS).flatMap(
      (addon) => addon.objects,
    );
    const discovery = new Discovery(kube);
    const refused: string[] = [];
    for (const object of objects) {
      try {
        await applied(object, discovery, kube);
      } catch (error) {
        refused.push(`${object.kind}/${JSON.stringify(object.metadata['name'])}: ${String(error)}`);
      }
    }
    expect(refused).toEqual([]);
    expect(objects.length).toBeGreaterThan(50);
  });
});

/** Applies an object as protokube does. */
async function applied(object: AddonObject, discovery: Discovery, kube: KubeClient): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  if (typeof name !== 'string') throw new Error('the object has no name');
  const inNamespace = typeof namespace === 'string' ? { namespace } : {};
  const wanted = { apiVersion, kind, name, ...inNamespace, object };
  const path = await discovery.pathOf(wanted, soon());
  await applyObject(wanted, discovery, kube, soon());
  if (kind === 'CustomResourceDefinition') await served(path, kube);
  // The pods of its webhook do not run here.
  if (kind.endsWith('WebhookConfiguration')) await kube.remove(path, soon());
}

/** A new CustomResourceDefinition takes a moment until its kind is served. */
async function served(path: string, kube: KubeClient): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const conditions = asArray(asRecord(asRecord(await kube.get(path, soon()))['status'])['conditions']).map(asRecord);
    if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    if (performance.now() > deadline) throw new Error(`${path} is not served: ${JSON.stringify(conditions)}`);
    await sleep(20);
  }
}
