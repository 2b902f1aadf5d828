import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign, verify, createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureHostTools } from '@kopsctl/packaging-assets/host-tools.ts';
import { TEST_HOST_TOOLS } from '@kopsctl/test-peers/host-tools.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCertificateAuthority, createServiceAccountKeyset } from './authority.ts';
import { inspectCertificate } from './inspect.ts';
import { issueLeaf } from './issue.ts';
import { primary, trustedCertificates, type Keyset } from './keyset.ts';
import { trustedPublicKeys } from './public-keys.ts';

const run = promisify(execFile);
const NOW_MS = Date.now();

describe('OpenSSL, which we did not write,', () => {
  let folder: string;
  beforeAll(() => ensureHostTools(TEST_HOST_TOOLS, () => {}));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-pki-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function openssl(...args: string[]): Promise<string> {
    return (await run('openssl', args, { cwd: folder })).stdout;
  }

  test('verifies a chain strictly, for server and client, and finds the names', async () => {
    const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: NOW_MS });
    const leaf = await issueLeaf({
      commonName: 'kube-apiserver',
      organizations: ['system:masters'],
      dnsNames: ['api.demo.example.com'],
      ipAddresses: ['10.0.0.1', 'fd00::1'],
      usages: ['client', 'server'],
      authority,
      validityDays: 1,
      nowMs: NOW_MS,
    });
    await writeFile(join(folder, 'ca.pem'), trustedCertificates(authority));
    await writeFile(join(folder, 'leaf.pem'), leaf.certificatePem);
    await writeFile(join(folder, 'leaf.key'), leaf.privateKeyPem);
    const verify = ['verify', '-x509_strict', '-CAfile', 'ca.pem'];
    expect(
      await openssl(...verify, '-purpose', 'sslserver', '-verify_hostname', 'api.demo.example.com', 'leaf.pem'),
    ).toMatch(/OK/);
    expect(await openssl(...verify, '-purpose', 'sslserver', '-verify_ip', 'fd00::1', 'leaf.pem')).toMatch(/OK/);
    expect(await openssl(...verify, '-purpose', 'sslclient', 'leaf.pem')).toMatch(/OK/);
    await expect(openssl(...verify, '-verify_hostname', 'other.example.com', 'leaf.pem')).rejects.toThrow(
      /hostname mismatch/i,
    );
    expect(await openssl('x509', '-in', 'leaf.pem', '-noout', '-subject')).toMatch(
      /O = system:masters, CN = kube-apiserver/,
    );
    expect(await openssl('pkey', '-in', 'leaf.key', '-pubout')).toBe(
      await openssl('x509', '-in', 'leaf.pem', '-noout', '-pubkey'),
    );
  });

  test('takes the serial number of an authority for the id of its keyset', async () => {
    const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: NOW_MS });
    await writeFile(join(folder, 'ca.pem'), trustedCertificates(authority));
    const serial = /serial=([0-9A-F]+)/.exec(await openssl('x509', '-in', 'ca.pem', '-noout', '-serial'))?.[1];
    expect(BigInt(`0x${serial}`).toString()).toBe(authority.primaryId);
  });

  test('verifies what an RSA authority signs whose key is in PKCS#1, as in clusters that kops made', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const privateKeyPem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    await writeFile(join(folder, 'ca.key'), privateKeyPem);
    await openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      'ca.key',
      '-subj',
      '/CN=kubernetes',
      '-addext',
      'keyUsage=critical,keyCertSign,cRLSign',
      '-days',
      '10',
      '-out',
      'ca.pem',
    );
    const certificatePem = await openssl('x509', '-in', 'ca.pem');
    const authority: Keyset = {
      name: 'kubernetes-ca',
      primaryId: '1',
      items: [{ id: '1', certificatePem, privateKeyPem }],
    };
    const leaf = await issueLeaf({ commonName: 'x', usages: ['client'], authority, validityDays: 1, nowMs: NOW_MS });
    await writeFile(join(folder, 'leaf.pem'), leaf.certificatePem);
    expect(await openssl('verify', '-x509_strict', '-CAfile', 'ca.pem', 'leaf.pem')).toMatch(/OK/);
    expect(inspectCertificate(leaf.certificatePem, { authoritiesPem: certificatePem }).isSignedByAuthority).toBe(true);
  });

  test('reads the service-account key, and its public half verifies what it signs', async () => {
    const keyset = await createServiceAccountKeyset({ nowMs: NOW_MS });
    const { privateKeyPem } = primary(keyset);
    await writeFile(join(folder, 'sa.key'), privateKeyPem);
    expect(await openssl('pkey', '-in', 'sa.key', '-pubout')).toBe(trustedPublicKeys(keyset));
    const token = Buffer.from('header.payload');
    const signature = sign('sha256', token, { key: privateKeyPem, dsaEncoding: 'ieee-p1363' });
    const publicKey = createPublicKey(trustedPublicKeys(keyset));
    expect(verify('sha256', token, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  });
});
