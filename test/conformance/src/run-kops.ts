import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { execa } from 'execa';
import type { Ran } from './warm-cli.ts';

/** kops itself. */
export interface Kops {
  /** Runs it on the cloud and the store that an environment names. */
  run(on: { readonly env: Readonly<Record<string, string>> }, ...argv: readonly string[]): Promise<Ran>;
  /** Lets a test server answer what kops asks of a host of Google from now on, where `to` names one. @returns its URL */
  forward(to: (host: string, path: string) => string | undefined): void;
  close(): Promise<void>;
}

/** The clusters that were recorded in AWS name their channel there. */
export const CHANNEL_PORT = 8099;
const CHANNEL = 'apiVersion: kops.k8s.io/v1alpha2\nkind: Channel\nmetadata:\n  name: stable\nspec: {}\n';
/** The hosts that publish the files whose hashes kops wants, besides its own files. */
const PUBLISHERS = ['dl.k8s.io', 'github.com', 'artifacts.k8s.io', 'raw.githubusercontent.com', '*.googleapis.com'];
/** kops retries a task for ten minutes. */
const LIMIT_MS = 120_000;

/**
 * Returns undefined on a machine that cannot build kops. What kops would download is made up: it only asks for hashes.
 *
 * @param port where the publishers answer; a free one by default
 */
export async function openKops(port = 0): Promise<Kops | undefined> {
  const peer = await findPeer('kops');
  if (peer === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'kops-'));
  const authorities = join(folder, 'ca.pem');
  let upstreamOf: (host: string, path: string) => string | undefined = () => undefined;
  const server = await servePublishers(port, authorities, (host, path) => upstreamOf(host, path));
  const release = peer.versions['k8s.io/kops']?.replace(/^v/, '') ?? '';
  const { port: taken } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${taken}`;
  return {
    forward(to) {
      upstreamOf = to;
    },
    async run({ env }, ...argv) {
      const { exitCode, stdout, stderr } = await execa(join(peer.root, 'kops'), argv, {
        reject: false,
        timeout: LIMIT_MS,
        // Nothing of this machine's own settings.
        extendEnv: false,
        env: {
          ...env,
          HOME: folder,
          PATH: '/usr/bin:/bin',
          S3_ACCESS_KEY_ID: env['AWS_ACCESS_KEY_ID'],
          S3_SECRET_ACCESS_KEY: env['AWS_SECRET_ACCESS_KEY'],
          S3_REGION: env['AWS_REGION'],
          // Its last part counts as the release of kops.
          KOPS_BASE_URL: `${address}/kops/${release}/`,
          HTTPS_PROXY: address,
          SSL_CERT_FILE: authorities,
        },
      });
      return { exitCode: exitCode ?? -1, stdout, stderr };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The channel, the hashes of all files, and a proxy that answers in the place of those who publish them. */
async function servePublishers(
  port: number,
  authorities: string,
  upstreamOf: (host: string, path: string) => string | undefined,
): Promise<Server> {
  const ca = await createCertificateAuthority({ commonName: 'publishers', nowMs: Date.now() });
  const [certificate] = ca.items;
  await writeFile(authorities, certificate?.certificatePem ?? '');
  const leaf = await issueLeaf({
    authority: ca,
    commonName: 'publishers',
    usages: ['server'],
    dnsNames: PUBLISHERS,
    validityDays: 1,
    nowMs: Date.now(),
  });
  const server = createServer((asked, reply) => {
    const upstream = upstreamOf(asked.headers.host ?? '', asked.url ?? '');
    if (upstream === undefined) answer(asked, reply);
    else forward(asked, upstream, reply);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const secured = new TLSSocket(socket, { isServer: true, cert: leaf.certificatePem, key: leaf.privateKeyPem });
    server.emit('connection', secured);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function answer({ url = '' }: IncomingMessage, reply: ServerResponse): void {
  if (url.endsWith('/stable')) return void reply.end(CHANNEL);
  if (url.endsWith('.sha256')) return void reply.end(createHash('sha256').update(url).digest('hex'));
  reply.writeHead(404).end();
}

/** Asks another server, and gives its answer as it is. */
function forward(asked: IncomingMessage, upstream: string, reply: ServerResponse): void {
  const { method, url = '', headers } = asked;
  const passed = request(`${upstream}${url}`, { method, headers }, (answered) => {
    reply.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(reply);
  });
  passed.on('error', () => reply.destroy());
  asked.pipe(passed);
}
