import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { execa } from 'execa';
import type { KopsMade, Ran } from './kops-made.ts';

/** kops itself, on the cloud and the store of a cluster that it made. */
export interface Kops {
  run(made: KopsMade, ...argv: readonly string[]): Promise<Ran>;
  close(): Promise<void>;
}

/** The recorded clusters name their channel there. */
const PORT = 8099;
const CHANNEL = 'apiVersion: kops.k8s.io/v1alpha2\nkind: Channel\nmetadata:\n  name: stable\nspec: {}\n';
/** Who publishes what kops wants the hash of, beside its own files. */
const PUBLISHERS = ['dl.k8s.io', 'github.com', 'artifacts.k8s.io', 'storage.googleapis.com'];
/** It tries a task again for ten minutes. */
const LIMIT_MS = 120_000;

/** Returns undefined on a machine that cannot build kops. What kops would download is made up: it only asks for hashes. */
export async function openKops(): Promise<Kops | undefined> {
  const peer = await findPeer('kops');
  if (peer === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'kops-'));
  const authorities = join(folder, 'ca.pem');
  const server = await servePublishers(authorities);
  const release = peer.versions['k8s.io/kops']?.replace(/^v/, '') ?? '';
  const address = `http://127.0.0.1:${PORT}`;
  return {
    async run(made, ...argv) {
      const { exitCode, stdout, stderr } = await execa(join(peer.root, 'kops'), argv, {
        reject: false,
        timeout: LIMIT_MS,
        // Nothing of this machine's own settings.
        extendEnv: false,
        env: {
          ...made.env,
          HOME: folder,
          PATH: '/usr/bin:/bin',
          S3_ACCESS_KEY_ID: made.env['AWS_ACCESS_KEY_ID'],
          S3_SECRET_ACCESS_KEY: made.env['AWS_SECRET_ACCESS_KEY'],
          S3_REGION: made.env['AWS_REGION'],
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
async function servePublishers(authorities: string): Promise<Server> {
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
  const server = createServer(answer);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const secured = new TLSSocket(socket, { isServer: true, cert: leaf.certificatePem, key: leaf.privateKeyPem });
    server.emit('connection', secured);
  });
  server.listen(PORT, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function answer({ url = '' }: IncomingMessage, reply: ServerResponse): void {
  if (url === '/stable') return void reply.end(CHANNEL);
  if (url.endsWith('.sha256')) return void reply.end(createHash('sha256').update(url).digest('hex'));
  reply.writeHead(404).end();
}
