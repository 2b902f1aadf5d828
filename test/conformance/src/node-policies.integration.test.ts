import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import { customKind } from '@kopsctl/model/addons/custom-kind.ts';
import { ownNodeOnly } from '@kopsctl/model/addons/own-node-only.ts';
import { ciliumPolicies } from '@kopsctl/model/addons/networking/cilium-policies.ts';
import { nodePlacePolicy } from '@kopsctl/model/addons/node-place-policy.ts';
import { podNetworkPolicy } from '@kopsctl/model/addons/pod-network-policy.ts';
import { type KubeClient, kubeClient } from '@kopsctl/kube/client.ts';
import { type KubeAccess, readKubeconfig } from '@kopsctl/kube/kubeconfig.ts';
import { applyObjects } from '@kopsctl/test-peers/apply-objects.ts';
import { findApiServers, type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';

const soon = (): AbortSignal => AbortSignal.timeout(20_000);
const CILIUM = '/apis/cilium.io/v2';
const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const FIPS = 'example.com.node-restriction.kubernetes.io/fips';

const ofCilium = { group: 'cilium.io', version: 'v2' };
const KINDS_OF_CILIUM = [
  customKind({ ...ofCilium, kind: 'CiliumNode', hasStatus: true }),
  customKind({ ...ofCilium, kind: 'CiliumIdentity', plural: 'ciliumidentities' }),
];

/** Policies for Nodes exist from 1.31 on. */
const servers = (await findApiServers()).filter(({ version }) => Number(version.split('.')[1]) >= 31);

/** A kubelet, here with all rights that RBAC can give, and without the admission plugin NodeRestriction. */
const kubelet = (name: string) => ({ 'impersonate-user': `system:node:${name}`, 'impersonate-group': 'system:nodes' });

describe.skipIf(servers.length === 0)('what runs on every machine', () => {
  describe.each(servers)('with Kubernetes $version', (programs) => {
    let server: RealApiServer | undefined;
    let kube: KubeClient;
    let access: KubeAccess;
    let http: Http;

    beforeAll(async () => {
      server = await startApiServer(programs);
      access = await readKubeconfig(server.kubeconfig);
      const { ca = '', cert = '', key = '' } = access;
      http = openHttp({ tls: { ca, cert, key } });
      kube = kubeClient(server.kubeconfig);
      const policies = [
        ownNodeOnly(programs.version, { name: 'agent' }),
        ownNodeOnly(programs.version, { name: 'tainter', changesSpec: true }),
        podNetworkPolicy(programs.version),
        nodePlacePolicy(programs.version),
        ciliumPolicies(programs.version),
      ];
      await applyObjects(kube, [...KINDS_OF_CILIUM, ...policies.flat()], soon());
      const everything = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'kubelets' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
      };
      await kube.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', everything, soon());
      for (const name of ['own', 'other']) {
        const metadata = { name, labels: { [FIPS]: 'true', tier: 'web' } };
        await kube.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata }, soon());
      }
      // A policy takes effect some time after it was created.
      const deadline = performance.now() + 60_000;
      const isOn = async (account: string) =>
        (await patch(account, 'other', { metadata: { labels: {} } })).status === 403;
      const claim = async () => (await register('claims-first', { podCIDR: '100.96.9.0/24' })).status === 403;
      const pose = async () => (await register('poses-first', {}, '?dryRun=All', { [HOST]: 'own' })).status === 403;
      const identity = {
        apiVersion: 'cilium.io/v2',
        kind: 'CiliumIdentity',
        metadata: { name: '100', labels: { app: 'web' } },
        'security-labels': { 'k8s:app': 'web' },
      };
      const identities = `${CILIUM}/ciliumidentities`;
      // A new kind is served some time after it was created.
      const isServed = () => kube.create(identities, identity, soon()).then(Boolean, () => false);
      await vi.waitUntil(isServed, { timeout: 30_000, interval: 200 });
      const poseAsAgent = async () => (await agent('POST', 'ciliumnodes', 'unknown', {}, null)) === 403;
      let tries = 0;
      const relabel = async () =>
        (await agent('PATCH', 'ciliumidentities', '100', { metadata: { labels: { app: `${(tries += 1)}` } } })) === 403;
      while (
        !(
          (await isOn('agent')) &&
          (await isOn('tainter')) &&
          (await claim()) &&
          (await pose()) &&
          (await poseAsAgent()) &&
          (await relabel())
        )
      ) {
        if (performance.now() > deadline) throw new Error('the policies never took effect');
        await sleep(200);
      }
    });
    afterAll(async () => {
      http?.close();
      await server?.stop();
    });

    /** Patches a Node as a pod on the node `own` would, with all rights that RBAC can give. */
    const patch = (account: string, node: string, change: object, on: string | null = 'own') =>
      http.ask(
        {
          method: 'PATCH',
          url: new URL(`/api/v1/nodes/${node}`, access.server),
          headers: {
            'content-type': 'application/merge-patch+json',
            'impersonate-user': `system:serviceaccount:kube-system:${account}`,
            'impersonate-group': 'system:masters',
            ...(on === null ? {} : { 'impersonate-extra-authentication.kubernetes.io%2fnode-name': on }),
          },
          body: JSON.stringify(change),
          withinMs: 10_000,
          maxBytes: 1024 * 1024,
        },
        soon(),
      );
    /** Registers a Node as its kubelet does. */
    const register = (name: string, spec: object, query = '?dryRun=All', labels: object = { [HOST]: name }) =>
      http.ask(
        {
          method: 'POST',
          url: new URL(`/api/v1/nodes${query}`, access.server),
          headers: { 'content-type': 'application/json', ...kubelet(name) },
          body: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec }),
          withinMs: 10_000,
          maxBytes: 1024 * 1024,
        },
        soon(),
      );
    /** Creates or patches an object as Cilium's agent on a machine would, and returns the status of the answer. */
    const agent = async (
      method: 'POST' | 'PATCH',
      kind: 'ciliumidentities' | 'ciliumnodes' | 'ciliumnodes/status',
      name: string,
      body: object,
      on: string | null = 'own',
    ) => {
      const [plural = '', ...subresource] = kind.split('/');
      const isNew = method === 'POST';
      const path = [CILIUM, plural, ...(isNew ? [] : [name, ...subresource])].join('/');
      const named = { apiVersion: 'cilium.io/v2', kind: plural === 'ciliumnodes' ? 'CiliumNode' : 'CiliumIdentity' };
      const answer = await http.ask(
        {
          method,
          url: new URL(path, access.server),
          headers: {
            'content-type': isNew ? 'application/json' : 'application/merge-patch+json',
            'impersonate-user': 'system:serviceaccount:kube-system:cilium',
            'impersonate-group': 'system:masters',
            ...(on === null ? {} : { 'impersonate-extra-authentication.kubernetes.io%2fnode-name': on }),
          },
          body: JSON.stringify(isNew ? { ...named, metadata: { name }, ...body } : body),
          withinMs: 10_000,
          maxBytes: 1024 * 1024,
        },
        soon(),
      );
      return answer.status;
    };
    /** Changes a Node as its kubelet would, and returns the status of the answer. */
    const change = async (name: string, body: object, path = '') => {
      const answer = await http.ask(
        {
          method: 'PATCH',
          url: new URL(`/api/v1/nodes/${name}${path}`, access.server),
          headers: { 'content-type': 'application/merge-patch+json', ...kubelet(name) },
          body: JSON.stringify(body),
          withinMs: 10_000,
          maxBytes: 1024 * 1024,
        },
        soon(),
      );
      return answer.status;
    };
    const status = async (...args: Parameters<typeof patch>) => (await patch(...args)).status;

    test('annotates its own Node, and labels it with what a kubelet might', async () => {
      expect(await status('agent', 'own', { metadata: { annotations: { a: 'b' } } })).toBe(200);
      const labels = { tier: 'db', 'node.kubernetes.io/exclude-from-external-load-balancers': 'true' };
      expect(await status('agent', 'own', { metadata: { labels } })).toBe(200);
    });

    test('changes no other Node, and none with a token that names no node', async () => {
      expect(await status('agent', 'other', { metadata: { annotations: { a: 'b' } } })).toBe(403);
      expect(await status('agent', 'own', { metadata: { annotations: { a: 'c' } } }, null)).toBe(403);
      expect(await status('tainter', 'other', { spec: { taints: [] } })).toBe(403);
    });

    test.each([
      { 'node-role.kubernetes.io/control-plane': '' },
      { [FIPS]: 'false' },
      { [FIPS]: null },
      { 'dns.alpha.kubernetes.io/external': 'shop.example.com' },
      { 'kopsctl.node-restriction.kubernetes.io/address': '172.30.0.1' },
      { 'kops.k8s.io/instancegroup': 'other' },
    ])('does not set the labels %j', async (labels) => {
      expect(await status('agent', 'own', { metadata: { labels } })).toBe(403);
      expect(await status('tainter', 'own', { metadata: { labels } })).toBe(403);
    });

    test('sets taints only where that is its work', async () => {
      const spec = { taints: [{ key: 'k', effect: 'NoSchedule' }] };
      expect(await status('agent', 'own', { spec })).toBe(403);
      expect(await status('tainter', 'own', { spec })).toBe(200);
    });

    test('a kubelet registers its Node, but gives it no pod network, then or later', async () => {
      expect((await register('new', { podCIDR: '100.96.1.0/24' }, '')).status).toBe(403);
      expect((await register('new', {}, '')).status).toBe(201);
      const claim = { spec: { podCIDR: '100.96.1.0/24', podCIDRs: ['100.96.1.0/24'] } };
      expect(await change('new', claim)).toBe(403);
      expect(await change('new', { status: { phase: '' } }, '/status')).toBe(200);
      const assigned = { spec: { podCIDR: '100.96.2.0/24', podCIDRs: ['100.96.2.0/24'] } };
      await kube.mergePatch('/api/v1/nodes/new', assigned, soon());
      expect(await change('new', { metadata: { annotations: { a: 'b' } } })).toBe(200);
    });

    test('a kubelet says where its Node is once, and that it is no other machine', async () => {
      const label = (labels: object, path = '') => change('placed', { metadata: { labels } }, path);
      expect((await register('placed', {}, '', { [HOST]: 'own' })).status).toBe(403);
      expect((await register('placed', {}, '', { [HOST]: 'placed' })).status).toBe(201);
      expect(await label({ [HOST]: 'own' })).toBe(403);
      expect(await label({ [HOST]: null })).toBe(403);
      expect(await label({ [ZONE]: 'a' }, '/status')).toBe(200);
      expect(await label({ [ZONE]: 'b' }, '/status')).toBe(403);
      expect(await label({ [ZONE]: null })).toBe(403);
      expect(await label({ [ZONE]: 'a', 'topology.ebs.csi.aws.com/zone': 'a', tier: 'web' })).toBe(200);
      // A control plane has labelled it otherwise, and its kubelet starts.
      await kube.mergePatch('/api/v1/nodes/placed', { metadata: { labels: { [HOST]: 'x', [ZONE]: 'b' } } }, soon());
      expect((await register('placed', {}, '', { [HOST]: 'placed', [ZONE]: 'b' })).status).toBe(409);
      expect(await label({ [HOST]: 'placed', [ZONE]: 'b' }, '/status')).toBe(200);
    });

    test('an agent of Cilium speaks for its own machine alone', async () => {
      expect(await agent('POST', 'ciliumnodes', 'other', {})).toBe(403);
      expect(await agent('POST', 'ciliumnodes', 'own', { spec: { ipam: {} } }, null)).toBe(403);
      expect(await agent('POST', 'ciliumnodes', 'own', { spec: { ipam: {} } })).toBe(201);
      expect(await agent('PATCH', 'ciliumnodes', 'own', { spec: { addresses: [{ ip: '10.0.0.1' }] } })).toBe(200);
      expect(await agent('PATCH', 'ciliumnodes/status', 'own', { status: { ipam: {} } })).toBe(200);
      expect(await agent('PATCH', 'ciliumnodes', 'own', { spec: { addresses: [] } }, 'other')).toBe(403);
      expect(await agent('PATCH', 'ciliumnodes/status', 'own', { status: {} }, 'other')).toBe(403);
    });

    test('an agent of Cilium makes identities, and keeps one that is in use, but gives it no other labels', async () => {
      const labels = { 'security-labels': { 'k8s:app': 'db' } };
      expect(await agent('POST', 'ciliumidentities', '101', labels)).toBe(201);
      const marked = { metadata: { annotations: { 'io.cilium.heartbeat': 'now' } } };
      await kube.mergePatch(`${CILIUM}/ciliumidentities/101`, marked, soon());
      const unmarked = { metadata: { annotations: { 'io.cilium.heartbeat': null } } };
      expect(await agent('PATCH', 'ciliumidentities', '101', unmarked)).toBe(200);
      expect(await agent('PATCH', 'ciliumidentities', '101', { 'security-labels': { 'k8s:app': 'web' } })).toBe(403);
      expect(await agent('PATCH', 'ciliumidentities', '100', { metadata: { labels: { app: 'db' } } })).toBe(403);
    });

    test('others are not hindered', async () => {
      expect(await status('somebody', 'other', { metadata: { labels: { [FIPS]: 'false' } } }, null)).toBe(200);
    });
  });
});
