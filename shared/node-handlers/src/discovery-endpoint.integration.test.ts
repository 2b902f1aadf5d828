import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DetailedPeerCertificate, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { createCertificateAuthority, createServiceAccountKeyset } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { jsonWebKeys } from '@kopsctl/pki/jwks.ts';
import { primary, printKeyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { discoveryEndpointHandler as handler } from './discovery-endpoint.ts';
import { hostQuestions } from './host-questions.ts';

const signal = new AbortController().signal;
const ENTRY = '/universe/apis/discovery.kops.k8s.io/v1alpha1/namespaces/demo-example-com/discoveryendpoints/i-1';

/** Like kops's discovery server, it accepts any client with the CA of the universe, by its certificate's common name. */
let server: Server;
let folder: string;
let registered: unknown;
let knownAuthority: string;
const trusted = getCACertificates('default');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-discovery-'));
  registered = undefined;
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'public', nowMs });
  const subject = { commonName: 'server', ipAddresses: ['127.0.0.1'], usages: ['server'] } as const;
  const leaf = await issueLeaf({ ...subject, authority, validityDays: 1, nowMs });
  setDefaultCACertificates([...trusted, trustedCertificates(authority)]);
  const identity = { cert: leaf.certificatePem, key: leaf.privateKeyPem, requestCert: true, rejectUnauthorized: false };
  server = createServer(identity, (request, response) => {
    // A server of node:https has no other sockets.
    const peer: DetailedPeerCertificate = (request.socket as TLSSocket).getPeerCertificate(true);
    if (peer.issuerCertificate?.fingerprint256 !== knownAuthority || peer.subject.CN !== 'i-1') {
      response.writeHead(401).end('Unauthorized\n');
      return;
    }
    void (async () => {
      const body = (await request.toArray()).join('');
      if (request.method === 'PATCH') registered = { url: request.url, ...JSON.parse(body) };
      response.writeHead(registered === undefined ? 404 : request.method === 'PATCH' ? 201 : 200);
      response.end(registered === undefined ? '404 page not found' : JSON.stringify(registered));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** A machine with a certificate of the cluster's CA, and what a plan asks of it. */
async function machine() {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'discovery-ca', nowMs });
  const accounts = await createServiceAccountKeyset({ nowMs });
  const leaf = await issueLeaf({ commonName: 'i-1', usages: ['client'], authority, validityDays: 1, nowMs });
  const [certificatePath, keyPath] = [join(folder, 'client.crt'), join(folder, 'client.key')];
  await writeFile(certificatePath, leaf.certificatePem);
  await writeFile(keyPath, leaf.privateKeyPem);
  const store = createMemoryStore();
  for (const [name, keyset] of Object.entries({ 'discovery-ca': authority, 'service-account': accounts })) {
    const path = `demo.example.com/pki/issued/${name}/keyset.yaml`;
    await store.write(path, new TextEncoder().encode(printKeyset(keyset)), { ifAbsent: true }, signal);
  }
  const known = { refused: new Map(), hashes: new Map(), ...hostQuestions('/') };
  const env = { root: '/', cluster: 'demo.example.com', store: async () => store, nowMs: Date.now, ...known };
  const address = server.address();
  const service = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/universe`;
  const entry = { namespace: 'demo-example-com', name: 'i-1', signer: 'discovery-ca', published: 'service-account' };
  const props = handler.parse({ service, certificatePath, keyPath, ...entry });
  const plan = async () => handler.plan('keys', props, await handler.find('keys', props, env, signal));
  const register = async () => {
    for (const step of await plan()) await handler.apply(step, 'keys', props, env, signal);
  };
  return { accounts, authority, plan, register };
}

const fingerprint = (pem: string): string => new X509Certificate(pem).fingerprint256;

test('a control plane publishes the keys of service accounts once, and again where the service lost them', async () => {
  const { accounts, authority, plan, register } = await machine();
  knownAuthority = fingerprint(primary(authority).certificatePem ?? '');
  await register();
  expect(registered).toMatchObject({
    url: `${ENTRY}?fieldManager=nodeup-register&force=false`,
    kind: 'DiscoveryEndpoint',
    metadata: { name: 'i-1', namespace: 'demo-example-com' },
    spec: { oidc: JSON.parse(jsonWebKeys(accounts)) },
  });
  expect(await plan()).toEqual([]);
  registered = undefined;
  expect(await plan()).toMatchObject([{ action: 'register' }]);
});

test('a service that has another id for the cluster is told apart from one that is down', async () => {
  const { plan } = await machine();
  knownAuthority = 'another';
  await expect(plan()).rejects.toMatchObject({
    why: 'it answered 401: Unauthorized',
    next: expect.stringContaining('discovery-ca'),
  });
});
