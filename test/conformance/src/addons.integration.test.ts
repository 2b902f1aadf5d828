import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import { builtInAddons } from '@kopsctl/model/addons/built-in-addons.ts';
import { customKind } from '@kopsctl/model/addons/custom-kind.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { localFacts } from '@kopsctl/model/addons/testdata/local-facts.ts';
import {
  EVERY_ADDON,
  EVERY_ADDON_ON_GCE,
  EVERY_ADDON_ON_LOCAL,
  NETWORKS,
  OWN_ROLES,
} from '@kopsctl/model/addons/testdata/specs.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { applyObject, hasApply } from '@kopsctl/kube/addons/apply-objects.ts';
import { type KubeClient, kubeClient } from '@kopsctl/kube/client.ts';
import { Discovery } from '@kopsctl/kube/discovery.ts';
import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { type KubeAccess, readKubeconfig } from '@kopsctl/kube/kubeconfig.ts';
import { type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { usualApiServers } from './usual-api-servers.ts';

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

/** Every choice of network with every addon, and the addons of each cloud, for a Kubernetes version. */
const CLUSTERS: readonly (readonly [string, (kubernetesVersion: string) => ClusterFacts])[] = [
  ...Object.entries(NETWORKS).map(([name, networking]): (typeof CLUSTERS)[number] => [
    name,
    (kubernetesVersion) =>
      awsFacts({ ...(name === 'calico' ? OWN_ROLES : EVERY_ADDON), networking, kubernetesVersion }),
  ]),
  ['cilium on GCE', (kubernetesVersion) => awsFacts({ ...EVERY_ADDON_ON_GCE, kubernetesVersion })],
  ['flannel on local machines', (kubernetesVersion) => localFacts({ ...EVERY_ADDON_ON_LOCAL, kubernetesVersion })],
];

/** Kinds that people bring before an addon can be applied. */
const BROUGHT = [
  customKind({
    group: 'gateway.networking.k8s.io',
    kind: 'GatewayClass',
    plural: 'gatewayclasses',
    hasStatus: true,
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api/pull/3328' },
  }),
];

const servers = await usualApiServers();

describe.skipIf(servers.length === 0)('a real API server', () => {
  describe.each(servers)('of Kubernetes $version', (programs) => {
    let server: RealApiServer | undefined;
    let api: Api;
    /** Objects that it was asked for: most are the same whatever the network is. */
    const seen = new Set<string>();
    beforeAll(async () => {
      server = await startApiServer(programs);
      const access = await readKubeconfig(server.kubeconfig);
      const { ca = '', cert = '', key = '' } = access;
      api = { access, http: openHttp({ tls: { ca, cert, key } }), kube: kubeClient(server.kubeconfig) };
    });
    afterAll(async () => {
      api?.http.close();
      await server?.stop();
    });

    test.each(CLUSTERS)('accepts every object of every addon, and warns of none, with %s', async (_, factsOf) => {
      const addons = builtInAddons(factsOf(programs.version), GROUPS).flatMap((addon) => addon.objects);
      const objects = filledIn([...BROUGHT, ...addons]);
      const discovery = new Discovery(api.kube);
      const refused: string[] = [];
      for (const object of objects) {
        const text = JSON.stringify(object);
        if (seen.has(text)) continue;
        seen.add(text);
        const name = `${object.kind}/${JSON.stringify(object.metadata['name'])}`;
        try {
          refused.push(...(await applied(object, discovery, api)).map((warning) => `${name}: ${warning}`));
        } catch (error) {
          refused.push(`${name}: ${String(error)}`);
        }
      }
      expect(refused).toEqual([]);
      expect(objects.length).toBeGreaterThan(20);
    });

    test('refuses a field that it does not know', async () => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default' }, dato: {} };
      await expect(applied(object, new Discovery(api.kube), api)).rejects.toThrow('dato');
    });
  });
});

interface Api {
  readonly access: KubeAccess;
  readonly http: Http;
  readonly kube: KubeClient;
}

/** The objects with something in each place that protokube fills in from the state store. The value is base64 as well as text. */
const filledIn = (objects: readonly AddonObject[]): readonly AddonObject[] =>
  JSON.parse(JSON.stringify(objects).replaceAll(/(?<!@)@\{\w+\}/g, 'ZmlsbGVkIGlu')) as readonly AddonObject[];

/** Applies an object as protokube does. Returns what the server warns of: deprecated versions and fields, and unknown ones. */
async function applied(object: AddonObject, discovery: Discovery, api: Api): Promise<readonly string[]> {
  const { kube } = api;
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  if (typeof name !== 'string') throw new Error('the object has no name');
  const inNamespace = typeof namespace === 'string' ? { namespace } : {};
  const wanted = { apiVersion, kind, name, ...inNamespace, object };
  const path = await discovery.pathOf(wanted, soon());
  await applyObject(wanted, discovery, kube, soon());
  const warnings = await strictly(path, object, api);
  if (kind === 'CustomResourceDefinition') await served(path, kube);
  // The pods of its webhook do not run here.
  if (kind.endsWith('WebhookConfiguration')) await kube.remove(path, soon());
  return warnings;
}

/** Applies an object once more, as a trial in which a field that the server does not know is an error (Kubernetes 1.25 and later). */
async function strictly(path: string, object: AddonObject, { access, http }: Api): Promise<readonly string[]> {
  const [type, more] = hasApply(object.apiVersion)
    ? ['application/apply-patch+yaml', '&fieldManager=strict&force=true']
    : ['application/merge-patch+json', ''];
  const answer = await http.ask(
    {
      method: 'PATCH',
      url: `${access.server}${path}?dryRun=All&fieldValidation=Strict${more}`,
      headers: { 'content-type': type, accept: 'application/json' },
      body: JSON.stringify(object),
      withinMs: 20_000,
      maxBytes: 4 * 1024 * 1024,
    },
    soon(),
  );
  if (answer.status >= 300) throw new Error(`with strict validation: ${answer.status} ${answer.body}`);
  const { warning } = answer.headers;
  return warning === undefined ? [] : [warning];
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
