import { openHttp } from '@kopsctl/http/http.ts';
import { kubeClient } from '@kopsctl/kube/client.ts';
import { readKubeconfig } from '@kopsctl/kube/kubeconfig.ts';
import { type Enrolment, enrolmentPath, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { permitNewKey, revoke } from '@kopsctl/node-identity/revocation.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { findApiServers, type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leader, running, soon, until } from '../testdata/running.ts';
import { reconcileRevocation } from './reconcile-revocation.ts';
import { POLICY_PATH } from './revocation-policy.ts';

const CLUSTER = 'demo.example.com';
const servers = await findApiServers();

const enrolment = (node: string): Enrolment => ({
  node,
  instanceId: `i-${node}`,
  launchedMs: 1,
  instanceGroup: 'nodes',
  machineKey: 'first',
  address: '10.0.0.11',
  enrolledAt: '2026-01-02T11:01:00Z',
});
const nodeObject = (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });

describe.skipIf(servers.length === 0).each(servers)('an API server of Kubernetes $version', (programs) => {
  const hasPolicies = programs.version.localeCompare('1.30.0', 'en', { numeric: true }) >= 0;
  let server: RealApiServer;

  beforeEach(async () => {
    server = await startApiServer(programs);
  });
  afterEach(() => server.stop());

  /** Asks as a kubelet does, with the name of a node but every right: only admission refuses it. Returns the status. */
  async function asNode(node: string, method: string, path: string, body?: object): Promise<number> {
    const access = await readKubeconfig(server.kubeconfig);
    const { ca = '', cert = '', key = '' } = access;
    const http = openHttp({ tls: { ca, cert, key } });
    const headers = {
      'content-type': 'application/json',
      'impersonate-user': `system:node:${node}`,
      'impersonate-group': 'system:masters',
    };
    const url = `${access.server}${path}`;
    const text = body && JSON.stringify(body);
    try {
      return (await http.ask({ method, url, headers, body: text, silenceMs: 10_000, maxBytes: 1 << 20 }, soon()))
        .status;
    } finally {
      http.close();
    }
  }

  async function begin() {
    const kube = kubeClient(server.kubeconfig);
    const store = createMemoryStore();
    for (const node of ['nodes-1', 'nodes-2']) {
      await kube.create('/api/v1/nodes', nodeObject(node), soon());
      await store.write(enrolmentPath(CLUSTER, node), Buffer.from(printEnrolment(enrolment(node))), { ifAbsent: true });
    }
    /** The clock moves on each time it is read, so that every event of a Node leads to a look. */
    let nowMs = Date.now();
    const clock = (): number => (nowMs += 60_000);
    const mark = async (node: string, marked: Enrolment): Promise<void> => {
      const path = enrolmentPath(CLUSTER, node);
      const { version = '' } = (await store.read(path)) ?? {};
      await store.write(path, Buffer.from(printEnrolment(marked)), { ifVersion: version });
      // Any event of a Node wakes the reconciler.
      await kube.mergePatch('/api/v1/nodes/nodes-2', { metadata: { annotations: { marked: String(nowMs) } } }, soon());
    };
    running((log, signal) =>
      reconcileRevocation({ cluster: CLUSTER, store, kube, leadership: leader(), nowMs: clock, log }, signal),
    );
    const isThere = async (node: string): Promise<boolean> =>
      (await kube.get(`/api/v1/nodes/${node}`, soon())) !== undefined;
    return { kube, mark, isThere };
  }

  /** A ConfigMap, which any user of system:masters may create. */
  const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x-' } };

  async function revoked() {
    const begun = await begin();
    await begun.mark('nodes-1', revoke(enrolment('nodes-1'), Date.now(), 'stolen'));
    await until(
      async () => !(await begun.isThere('nodes-1')),
      () => 'its Node is gone',
    );
    return begun;
  }

  test('has no Node of a revoked machine, and keeps those of others', async () => {
    const { isThere } = await revoked();
    expect(await isThere('nodes-2')).toBe(true);
    expect(await asNode('nodes-2', 'POST', CONFIG_MAPS, configMap)).toBe(201);
    expect(await asNode('nodes-1', 'GET', '/api/v1/nodes/nodes-2')).toBe(200);
  });

  // No test is skipped: each version runs one of the next two.
  test.each(hasPolicies ? ['policies'] : [])('with %s, takes no write of a revoked machine', async () => {
    const { kube } = await revoked();
    // An API server learns of a policy within a moment.
    await until(
      async () => (await asNode('nodes-1', 'POST', CONFIG_MAPS, configMap)) === 403,
      () => 'its writes are denied',
    );
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } };
    await kube.apply(account, object, soon());
    const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } };
    expect(await asNode('nodes-1', 'POST', `${account}/token`, token)).toBe(403);
    expect(await asNode('nodes-1', 'POST', '/api/v1/nodes', nodeObject('nodes-1'))).toBe(403);
    expect(await asNode('nodes-1', 'DELETE', '/api/v1/nodes/nodes-2')).toBe(403);
  });

  test.each(hasPolicies ? [] : ['policies'])('without %s, has the Node of a revoked machine for a moment', async () => {
    const { isThere } = await revoked();
    expect(await asNode('nodes-1', 'POST', '/api/v1/nodes', nodeObject('nodes-1'))).toBe(201);
    await until(
      async () => !(await isThere('nodes-1')),
      () => 'its Node is gone again',
    );
    expect(await isThere('nodes-1')).toBe(false);
  });

  test('has no policy left once the revocation is taken back', async () => {
    const { kube, mark, isThere } = await begin();
    const revoked = revoke(enrolment('nodes-1'), Date.now(), 'by mistake');
    await mark('nodes-1', revoked);
    await until(
      async () => !(await isThere('nodes-1')),
      () => 'its Node is gone',
    );
    expect((await kube.get(POLICY_PATH, soon())) !== undefined).toBe(hasPolicies);
    await mark('nodes-1', permitNewKey(revoked));
    await until(
      async () => (await kube.get(POLICY_PATH, soon())) === undefined,
      () => 'there is no policy',
    );
    await until(
      async () => [201, 409].includes(await asNode('nodes-1', 'POST', '/api/v1/nodes', nodeObject('nodes-1'))),
      () => 'its machine has a Node',
    );
    expect(await isThere('nodes-1')).toBe(true);
  });
});
