import { createHash, X509Certificate } from 'node:crypto';
import { DISCOVERY_CA } from '@kopsctl/model/node/discovery-endpoint.ts';
import { inspectCertificate } from '@kopsctl/pki/inspect.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { keysetFolder } from '../store/object-paths.ts';
import { parseSshPublicKey, sshPublicKeyFolder } from './ssh-public-key.ts';

/** A key pair of a cluster, without its private half. */
export interface ListedKeypair {
  readonly keyset: string;
  readonly id: string;
  readonly isPrimary: boolean;
  readonly hasPrivateKey: boolean;
  readonly issued?: string;
  readonly expires?: string;
  readonly distrusted?: string;
  readonly subject?: string;
  readonly issuer?: string;
  readonly alternateNames?: readonly string[];
  readonly isCA?: true;
  /** Bits. */
  readonly keyLength?: number;
  /** By which a discovery service knows the cluster; only of the keyset for it. */
  readonly discoveryId?: string;
}

/** Every key pair, by keyset and age. */
export async function listKeypairs(
  store: StateStore,
  cluster: string,
  signal?: AbortSignal,
): Promise<readonly ListedKeypair[]> {
  const folder = `${keysetFolder(cluster)}/`;
  const entries = await store.list(keysetFolder(cluster), signal);
  const names = entries.flatMap(({ path }) => /^([^/]+)\/keyset\.yaml$/.exec(path.slice(folder.length))?.[1] ?? []);
  const lists = await Promise.all(
    names.map(async (name): Promise<readonly ListedKeypair[]> => {
      const found = await readKeyset(store, cluster, name, signal);
      return (found?.keyset.items ?? []).map((item) => ({
        keyset: name,
        id: item.id,
        isPrimary: item.id === found?.keyset.primaryId,
        hasPrivateKey: item.privateKeyPem !== undefined,
        ...ofCertificate(item.certificatePem),
        ...(name === DISCOVERY_CA &&
          item.certificatePem !== undefined && { discoveryId: discoveryId(item.certificatePem) }),
        ...(item.distrustedMs === undefined ? {} : { distrusted: secondsOf(item.distrustedMs) }),
      }));
    }),
  );
  return lists.flat();
}

/** As discovery services of kops derive it from a certificate (discovery/apis/…/v1alpha1/universeid.go). */
const discoveryId = (certificatePem: string): string =>
  createHash('sha256')
    .update(new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');

type OfCertificate = Omit<
  ListedKeypair,
  'keyset' | 'id' | 'isPrimary' | 'hasPrivateKey' | 'distrusted' | 'discoveryId'
>;

function ofCertificate(certificatePem: string | undefined): OfCertificate {
  if (certificatePem === undefined) return {};
  const { notBeforeMs, notAfterMs, subject, issuer, dnsNames, ipAddresses, isAuthority, keyBits } =
    inspectCertificate(certificatePem);
  const alternateNames = [...dnsNames, ...ipAddresses].toSorted();
  return {
    issued: secondsOf(notBeforeMs),
    expires: secondsOf(notAfterMs),
    subject,
    issuer,
    ...(alternateNames.length > 0 && { alternateNames }),
    ...(isAuthority && { isCA: true }),
    ...(keyBits !== undefined && { keyLength: keyBits }),
  };
}

/** Certificates count in seconds, and kops prints times so. */
const secondsOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** A key that may log in to a cluster's machines; its id is its fingerprint. */
export interface ListedSshPublicKey {
  readonly id: string;
  readonly publicKey: string;
}

/** The keys that may log in to the machines. */
export async function listSshPublicKeys(store: StateStore, cluster: string): Promise<readonly ListedSshPublicKey[]> {
  const entries = await store.list(sshPublicKeyFolder(cluster));
  const keys = await Promise.all(
    entries.map(async ({ path }) => {
      const stored = await store.read(path);
      if (stored === undefined) return undefined;
      const key = parseSshPublicKey(new TextDecoder().decode(stored.bytes), `${store.url}/${path}`);
      return { id: key.fingerprint, publicKey: key.text.trim() };
    }),
  );
  return keys.filter((key) => key !== undefined);
}
