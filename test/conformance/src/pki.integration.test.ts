import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { trustedCertificates, type Keyset } from '@kopsctl/pki/keyset.ts';
import { findTestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { freePort } from '@kopsctl/test-peers/free-port.ts';

const found = await findTestEtcd('3.4');
const etcd = found && join(found.binDir, 'etcd');

describe.skipIf(etcd === undefined)("Go's TLS in etcd", () => {
  if (etcd === undefined) return;
  const nowMs = Date.now();
  let folder: string;
  let origin: string;
  let authority: Keyset;
  let stop: (() => Promise<void>) | undefined;

  async function leaf(commonName: string, usages: ('client' | 'server')[], from = authority) {
    return issueLeaf({ commonName, ipAddresses: ['127.0.0.1'], usages, authority: from, validityDays: 1, nowMs });
  }

  /** The status of a request with this client certificate. Throws if the handshake fails. */
  async function get(client: { readonly certificatePem?: string; readonly privateKeyPem?: string }): Promise<number> {
    const identity = { cert: client.certificatePem, key: client.privateKeyPem };
    const sent = request(`${origin}/version`, { ca: trustedCertificates(authority), ...identity, agent: false }).end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    return Number(answer.statusCode);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-pki-'));
    authority = await createCertificateAuthority({ commonName: 'etcd-clients-ca', nowMs });
    const server = await leaf('etcd', ['server', 'client']);
    await writeFile(join(folder, 'ca.pem'), trustedCertificates(authority));
    await writeFile(join(folder, 'server.pem'), server.certificatePem);
    await writeFile(join(folder, 'server.key'), server.privateKeyPem);
    origin = `https://127.0.0.1:${await freePort()}`;
    const tls = ['--cert-file=server.pem', '--key-file=server.key', '--trusted-ca-file=ca.pem', '--client-cert-auth'];
    const addresses = [`--listen-client-urls=${origin}`, `--advertise-client-urls=${origin}`];
    const peers = ['--listen-peer-urls=http://127.0.0.1:0', '--data-dir=data'];
    const child = spawn(etcd, [...tls, ...addresses, ...peers], { cwd: folder, stdio: 'ignore' });
    stop = async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    const client = await leaf('probe', ['client']);
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (child.exitCode !== null) throw new Error(`etcd exited with ${child.exitCode}: it rejected the certificates`);
      if (
        await get(client).then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(50);
    }
    throw new Error('etcd did not answer within 10 s');
  });
  afterAll(async () => {
    await stop?.();
    await rm(folder, { recursive: true });
  });

  test('serves with our key (PKCS#8) and accepts a client that our authority signed', async () => {
    expect(await get(await leaf('kube-apiserver', ['client']))).toBe(200);
  });

  test('refuses a client without a certificate, of another authority, or with one for servers only', async () => {
    const stranger = await createCertificateAuthority({ commonName: 'etcd-clients-ca', nowMs });
    await expect(get({})).rejects.toThrow(/certificate/i);
    await expect(get(await leaf('x', ['client'], stranger))).rejects.toThrow(/bad certificate|unknown ca|ECONNRESET/i);
    await expect(get(await leaf('x', ['server']))).rejects.toThrow(/bad certificate|ECONNRESET/i);
  });
});
