import { mkdir, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { inspectCertificate } from '@kopsctl/pki/inspect.ts';
import { issueLeaf, type CertificateSubject } from '@kopsctl/pki/issue.ts';
import { signingCertificate, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import { needsRenewal } from '@kopsctl/pki/renewal.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import type { ClientFiles } from './gateway.ts';
import { memberHost, memberName, volumeLayout } from './settings.ts';

/** A year; a certificate is renewed when a third of it is left. */
const VALIDITY_DAYS = 365;

/** The files for a client of this machine's etcd. The server certificate is a client certificate as well. */
export function clientFiles(mountPoint: string): ClientFiles {
  const folder = join(volumeLayout(mountPoint).pki, 'clients');
  return { ca: join(folder, 'ca.crt'), cert: join(folder, 'server.crt'), key: join(folder, 'server.key') };
}

export interface CertificatesEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly log: Log;
}

/**
 * Makes sure that the member has valid certificates for peers and clients, issuing or renewing them on this machine where
 * needed. etcd reads the files at each handshake, so a renewal needs no restart.
 *
 * @throws ActionableError if a certificate authority is missing from the store
 */
export async function ensureCertificates(
  config: EtcdClusterConfig,
  machine: { readonly address: string; readonly member: string },
  env: CertificatesEnv,
  signal: AbortSignal,
): Promise<void> {
  const subject = leafSubject(config, machine.address, machine.member);
  const { pki } = volumeLayout(config.mountPoint);
  await ensureLeaf(join(pki, 'peers'), 'me', config.peersCa, subject, env, signal);
  await ensureLeaf(join(pki, 'clients'), 'server', config.clientsCa, subject, env, signal);
}

/** One certificate for servers and clients, because etcd's gateway uses the server certificate to connect to its own etcd. */
function leafSubject(config: EtcdClusterConfig, address: string, member: string): CertificateSubject {
  const others = config.serverNames ?? [];
  const names = [...new Set([memberHost(config, member), 'localhost', ...others, address, '127.0.0.1'])];
  return {
    commonName: memberName(member),
    dnsNames: names.filter((name) => isIP(name) === 0),
    ipAddresses: names.filter((name) => isIP(name) !== 0),
    usages: ['client', 'server'],
  };
}

async function ensureLeaf(
  folder: string,
  name: string,
  keysetName: string,
  subject: CertificateSubject,
  env: CertificatesEnv,
  signal: AbortSignal,
): Promise<void> {
  const found = await readKeyset(env.store, env.cluster, keysetName, signal);
  if (found === undefined) {
    throw new ActionableError({
      what: `issue certificates of ${subject.commonName}`,
      why: `the keyset ${keysetName} of ${env.cluster} is not in ${env.store.url}`,
      next: 'run `kopsctl apply --yes`, which creates it',
    });
  }
  const authoritiesPem = trustedCertificates(found.keyset);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [certificatePem, privateKeyPem, bundle] = await Promise.all(
    [`${name}.crt`, `${name}.key`, 'ca.crt'].map((file) => ifThere(readFile(join(folder, file), 'utf8'))),
  );
  if (bundle !== authoritiesPem) await replaceFile(join(folder, 'ca.crt'), authoritiesPem, { mode: 0o644 });
  const inspected =
    certificatePem === undefined
      ? undefined
      : inspectCertificate(certificatePem, {
          authoritiesPem: signingCertificate(found.keyset),
          privateKeyPem: privateKeyPem ?? '',
        });
  const nowMs = Date.now();
  const why = needsRenewal(inspected, subject, nowMs);
  if (why === undefined) return;
  const leaf = await issueLeaf({ ...subject, authority: found.keyset, validityDays: VALIDITY_DAYS, nowMs });
  // The key comes first: a crash in between leaves a pair that does not match, which is found and issued again.
  await replaceFile(join(folder, `${name}.key`), leaf.privateKeyPem, { mode: 0o600 });
  await replaceFile(join(folder, `${name}.crt`), leaf.certificatePem, { mode: 0o644 });
  env.log.info('issued a certificate', { path: join(folder, `${name}.crt`), reason: why });
}
