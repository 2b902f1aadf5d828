import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { expect, test } from 'vitest';
import { authorityName } from './addresses.ts';
import { AuthoritySession } from './authority-session.ts';

const CLUSTER = 'demo.example.com';

test('a session whose connection is reset is over, which is no failure', async () => {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'node-authority-ca', nowMs });
  const name = authorityName(CLUSTER);
  const leaf = await issueLeaf({
    authority,
    commonName: name,
    dnsNames: [name],
    usages: ['server'],
    validityDays: 1,
    nowMs,
  });
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const arrived = once(listening, 'connection');
  const caller = connect((listening.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await arrived) as [Socket];
  socket.on('error', () => undefined);
  const called = new TLSSocket(caller, { isServer: true, cert: leaf.certificatePem, key: leaf.privateKeyPem });
  called.on('error', () => undefined);
  const proven = once(called, 'secure');
  const session = await AuthoritySession.begin(
    socket,
    { cluster: CLUSTER, authorityCa: trustedCertificates(authority) },
    new AbortController().signal,
  );
  await proven;
  const over = session.over();
  caller.resetAndDestroy();
  await expect(over).resolves.toBeUndefined();
  expect(session.isOver).toBe(true);
  await expect(session.over()).resolves.toBeUndefined();
  listening.close();
});
