import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';
import { afterEach, expect, test } from 'vitest';
import { connectKubernetesApi } from './kubernetes-api.ts';

const SIGNAL = new AbortController().signal;
const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: Date.now() });
const issue = (commonName: string, usage: 'client' | 'server') =>
  issueLeaf({
    commonName,
    usages: [usage],
    ipAddresses: ['127.0.0.1'],
    authority,
    nowMs: Date.now(),
    validityDays: 1,
  });
const [served, admin] = [await issue('apiserver', 'server'), await issue('admin', 'client')];
const caPem = primary(authority).certificatePem;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** An API server that answers its administrator with `answer`, or never where that is undefined. */
async function serving(answer: (url: URL) => object | undefined, limitMs?: number) {
  const asked: string[] = [];
  const tls = { key: served.privateKeyPem, cert: served.certificatePem, ca: caPem, requestCert: true };
  server = createServer(tls, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    asked.push(`${url.pathname}${url.search}`);
    const found = answer(url);
    if (found === undefined) return;
    const status = Reflect.get(found, 'kind') === 'Status' ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `https://127.0.0.1:${address.port}`;
  return { api: connectKubernetesApi({ server: url }, { caPem, ...admin }, limitMs), asked, url };
}

test('a thousand Nodes are listed in pages, and each once', async () => {
  const nodes = Array.from({ length: 1001 }, (_, index) => ({ metadata: { name: `n${index}` } }));
  const { api, asked } = await serving(({ searchParams }) => {
    const from = Number(searchParams.get('continue') ?? 0);
    const to = from + Number(searchParams.get('limit'));
    return { items: nodes.slice(from, to), metadata: to < nodes.length ? { continue: `${to}` } : {} };
  });
  const found = await api.nodes(SIGNAL);
  expect(new Set(found.map(({ name }) => name)).size).toBe(1001);
  expect(asked).toHaveLength(3);
});

test('of a Node is read what validation needs, and nothing that moves a cursor', async () => {
  const node = {
    metadata: {
      name: 'n',
      labels: { 'topology.kubernetes.io/zone': 'a' },
      annotations: { 'kopsctl.io/protokube': '{}' },
    },
    status: {
      nodeInfo: { machineID: 'm' },
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: 'n' },
      ],
      conditions: [{ type: 'Ready', status: 'False', message: '\u001b[2Jwell' }],
    },
  };
  const { api } = await serving(() => ({ items: [node, {}] }));
  expect(await api.nodes(SIGNAL)).toEqual([
    {
      name: 'n',
      machineId: 'm',
      zone: 'a',
      hostname: 'n',
      internalAddresses: ['10.0.0.1'],
      state: '{}',
      conditions: [{ type: 'Ready', status: 'False', message: '\ufffd[2Jwell' }],
    },
    { name: '', machineId: undefined, internalAddresses: [], conditions: [] },
  ]);
});

test('a Service that is not there is told from one without ready addresses', async () => {
  const { api } = await serving(({ pathname }) =>
    pathname.includes('/kube-dns') ? { subsets: [] } : { kind: 'Status', code: 404, reason: 'NotFound' },
  );
  const namespace = 'kube-system';
  expect(await api.readyAddresses({ namespace, name: 'kube-dns' }, SIGNAL)).toEqual([]);
  expect(await api.readyAddresses({ namespace, name: 'coredns' }, SIGNAL)).toBeUndefined();
});

test('a server that does not answer is given up, named, and hung up on', async () => {
  const { api, url } = await serving(() => undefined, 500);
  const hungUp = new Promise((resolve) => server?.once('secureConnection', (socket) => socket.once('close', resolve)));
  const asking = api.nodes(SIGNAL);
  await expect(asking).rejects.toThrow(`ask the Kubernetes API at ${url}: no answer within 0.5 s`);
  await hungUp;
});

test('where nothing answers, the error says why', async () => {
  const { api, url } = await serving(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  await expect(api.nodes(SIGNAL)).rejects.toThrow(
    `ask the Kubernetes API at ${url}: fetch failed: connect ECONNREFUSED`,
  );
});
