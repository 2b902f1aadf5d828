import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import path from 'node:path';

import { ifThere } from '@kopsctl/files/if-there.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';

/** A folder that is served as it is, like a release of GitHub or a mirror. */
export interface HttpsFolder {
  readonly url: string;
  /** The authority that vouches for the server: a program that trusts what its machine trusts takes it from SSL_CERT_FILE. */
  readonly caFile: string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** Serves a folder over https. @param caFile where the authority is written */
export async function serveByHttps(folder: string, caFile: string): Promise<HttpsFolder> {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'ca', nowMs });
  const subject = { commonName: 'server', ipAddresses: ['127.0.0.1'], usages: ['server'] } as const;
  const leaf = await issueLeaf({ ...subject, authority, nowMs, validityDays: 1 });
  await writeFile(caFile, primary(authority).certificatePem);
  const asked: string[] = [];
  const server = createServer({ key: leaf.privateKeyPem, cert: leaf.certificatePem }, ({ url = '/' }, response) => {
    asked.push(url);
    void answer(path.join(folder, new URL(url, 'https://localhost').pathname), response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `https://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`,
    caFile,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(file: string, response: ServerResponse): Promise<void> {
  const found = await ifThere(stat(file));
  if (found?.isFile() === true) createReadStream(file).pipe(response);
  else response.writeHead(404).end();
}
