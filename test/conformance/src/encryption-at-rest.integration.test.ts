import { join } from 'node:path';
import { storeSecret } from '@kopsctl/actions/keys/secrets.ts';
import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { buildNodePlan } from '@kopsctl/model/node/node-plan.ts';
import { ASSETS } from '@kopsctl/model/testdata/asset-index.ts';
import { completedCluster } from '@kopsctl/model/testdata/clusters.ts';
import { CLUSTER, failures, temporaryHost, type TemporaryHost } from '@kopsctl/node-handlers/testing/temporary-host.ts';
import { kubeClient } from '@kopsctl/kube/client.ts';
import { type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { usualApiServers } from './usual-api-servers.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const CANARY = 'what nobody who has the disk of etcd may read';
const KEY = Buffer.alloc(32, 'k').toString('base64');
const ENCRYPTION = `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
      - aescbc: { keys: [{ name: mine, secret: ${KEY} }] }
      - identity: {}
`;

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

/** The tasks of a control plane's plan that concern encryption, and the flag of its API server. */
function planned(): { readonly tasks: readonly Task[]; readonly file: string } {
  const { cluster, instanceGroups } = completedCluster({ spec: { encryptionConfig: true } });
  const [instanceGroup] = instanceGroups.filter(({ spec }) => spec.role === 'Master' || spec.role === 'ControlPlane');
  if (instanceGroup === undefined) throw new Error('the cluster has no control plane');
  const input = { cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://s' };
  const { tasks } = buildNodePlan(input, ASSETS, ['']);
  const file = /--encryption-provider-config=([^"\s]+)/.exec(JSON.stringify(tasks))?.[1]?.replace(/\\.*/, '');
  if (file === undefined) throw new Error('the API server is told of no encryption');
  return { tasks: tasks.filter(({ props }) => props['path'] === file), file };
}

/** All that etcd has of a Secret. */
async function storedIn({ etcdUrl }: RealApiServer, name: string): Promise<string> {
  const http = openHttp();
  const key = Buffer.from(`/registry/secrets/default/${name}`).toString('base64');
  const question = { method: 'POST', url: `${etcdUrl}/v3/kv/range`, body: JSON.stringify({ key }), withinMs: 10_000 };
  try {
    const { body } = await http.ask({ ...question, maxBytes: 1 << 20 }, signal());
    const { kvs } = JSON.parse(body) as { readonly kvs: readonly { readonly value: string }[] };
    return Buffer.from(kvs[0]?.value ?? '', 'base64').toString('latin1');
  } finally {
    http.close();
  }
}

const servers = await usualApiServers();

describe.skipIf(servers.length === 0).each(servers)('an API server of Kubernetes $version', (programs) => {
  let host: TemporaryHost;
  let server: RealApiServer | undefined;

  beforeEach(async () => {
    host = await temporaryHost();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await host.remove();
  });

  async function stored(flags: readonly string[]): Promise<string> {
    server = await startApiServer(programs, flags);
    const kube = kubeClient(server.kubeconfig);
    const secrets = '/api/v1/namespaces/default/secrets';
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine' }, stringData: { canary: CANARY } };
    await kube.create(secrets, secret, signal());
    expect(await kube.get(`${secrets}/mine`, signal())).toMatchObject({
      data: { canary: Buffer.from(CANARY).toString('base64') },
    });
    return storedIn(server, 'mine');
  }

  test('with the file and the flag of the plan, etcd holds no plain text of a Secret', async () => {
    await storeSecret(host.store, CLUSTER, {
      kind: 'encryptionconfig',
      data: Buffer.from(ENCRYPTION),
      force: false,
    });
    const { tasks, file } = planned();
    expect(tasks).toHaveLength(1);
    expect(failures(await host.apply(tasks))).toEqual([]);
    const found = await stored([`--encryption-provider-config=${join(host.root, file)}`]);
    expect(found).toMatch(/^k8s:enc:aescbc:v1:mine:/);
    expect(found).not.toContain(CANARY);
  });

  test('without them it holds the plain text, so that the test above can fail', async () => {
    expect(await stored([])).toContain(CANARY);
  });
});
