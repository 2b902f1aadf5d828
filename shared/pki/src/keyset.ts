import { parse, stringify } from 'yaml';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';

/** One key pair of a keyset. */
export interface KeysetItem {
  /** Its serial number in decimal; a larger one is newer. */
  readonly id: string;
  /** Absent only in keysets written by hand. */
  readonly certificatePem?: string;
  /** Absent when the certificate is only trusted and never signs. */
  readonly privateKeyPem?: string;
  /** When the pair lost its trust; absent while it is trusted. */
  readonly distrustedMs?: number;
}

/** The key pairs that share one purpose, e.g. `kubernetes-ca`: one signs, and all but the distrusted ones are trusted. */
export interface Keyset {
  readonly name: string;
  readonly primaryId: string;
  /** Oldest first. */
  readonly items: readonly KeysetItem[];
}

/** Reads kops's `kind: Keyset`. `where` names the text in errors. */
export function parseKeyset(text: string, where = 'keyset.yaml'): Keyset {
  const refuse = (why: string, cause?: unknown) =>
    new ActionableError({
      what: `read the keyset ${where}`,
      why,
      next: 'restore it from a backup or an older version of the state store; without it no certificate can be issued',
      ...(cause !== undefined && { cause }),
    });
  let document: unknown;
  try {
    // Without pretty errors: they quote lines, which may hold a private key.
    document = parse(text, { prettyErrors: false });
  } catch (cause) {
    throw refuse(`it is not YAML: ${messageOf(cause)}`);
  }
  const { kind, metadata, spec } = asRecord(document);
  if (kind !== 'Keyset') throw refuse(`its kind is ${JSON.stringify(kind)}, not Keyset`);
  const { type, keys, primaryId: wantedPrimary } = asRecord(spec);
  if (type !== 'Keypair') throw refuse(`spec.type is ${JSON.stringify(type)}, not Keypair`);
  const { name } = asRecord(metadata);
  if (typeof name !== 'string') throw refuse('metadata.name is missing');
  if (!Array.isArray(keys) || keys.length === 0) throw refuse('spec.keys holds no key');

  const items = keys
    .map((key: unknown, index) => parseItem(key, (why) => refuse(`spec.keys[${index}]${why}`)))
    .sort(olderFirst);
  const primaryId = wantedPrimary ?? youngestSigner(items);
  if (typeof primaryId !== 'string')
    throw refuse('no key in it can sign: none has both a certificate and a private key');
  if (!items.some((item) => item.id === primaryId))
    throw refuse(`spec.primaryId is ${primaryId}, but spec.keys has no such id`);
  return { name, primaryId, items };
}

/** Writes kops's `kind: Keyset`; parseKeyset(printKeyset(keyset)) gives the same keyset, its times to the second. */
export function printKeyset(keyset: Keyset): string {
  return stringify(
    {
      apiVersion: 'kops.k8s.io/v1alpha2',
      kind: 'Keyset',
      metadata: { name: keyset.name },
      spec: {
        keys: [...keyset.items].sort(olderFirst).map((item) => ({
          ...(item.distrustedMs !== undefined && { distrustTimestamp: secondsOf(item.distrustedMs) }),
          id: item.id,
          ...(item.privateKeyPem !== undefined && {
            privateMaterial: Buffer.from(item.privateKeyPem).toString('base64'),
          }),
          ...(item.certificatePem !== undefined && {
            publicMaterial: Buffer.from(item.certificatePem).toString('base64'),
          }),
        })),
        primaryId: keyset.primaryId,
        type: 'Keypair',
      },
    },
    // kops reads YAML 1.1, where a date without quotes is not a string.
    { lineWidth: 0, version: '1.1' },
  );
}

/** RFC 3339 as Kubernetes writes it. */
function secondsOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The pair that signs. */
export function primary(
  keyset: Keyset,
): KeysetItem & { readonly certificatePem: string; readonly privateKeyPem: string } {
  const item = keyset.items.find((candidate) => candidate.id === keyset.primaryId);
  const { certificatePem, privateKeyPem } = item ?? {};
  if (item === undefined || certificatePem === undefined || privateKeyPem === undefined) {
    throw new ActionableError({
      what: `sign with the keyset ${keyset.name}`,
      why: `its primary key ${keyset.primaryId} has no ${certificatePem === undefined ? 'certificate' : 'private key'}`,
      next: 'promote another key pair of this keyset, or restore the keyset from a backup',
    });
  }
  return { ...item, certificatePem, privateKeyPem };
}

/** The certificates to trust, as one PEM bundle: the primary first, then the others, oldest first. */
export function trustedCertificates(keyset: Keyset): string {
  const trusted = keyset.items.filter((item) => item.distrustedMs === undefined && item.certificatePem !== undefined);
  const primaryFirst = trusted.toSorted(
    (a, b) => Number(b.id === keyset.primaryId) - Number(a.id === keyset.primaryId),
  );
  return primaryFirst.map((item) => `${item.certificatePem?.trimEnd()}\n`).join('');
}

/**
 * The certificate that new ones are signed with, PEM. A leaf that another authority of the keyset signed is to be issued
 * again: that authority may lose its trust next.
 */
export const signingCertificate = ({ items, primaryId }: Keyset): string =>
  items.find(({ id }) => id === primaryId)?.certificatePem ?? '';

function parseItem(key: unknown, refuse: (why: string) => Error): KeysetItem {
  const { id, publicMaterial, privateMaterial, distrustTimestamp } = asRecord(key);
  // kops writes ids as quoted strings; as a YAML number an id would lose its last digits.
  if (typeof id !== 'string' || id === '') throw refuse(`.id is ${JSON.stringify(id)}, not a string`);
  const certificatePem = pemOf(publicMaterial, () => refuse('.publicMaterial is not base64 of PEM'));
  const privateKeyPem = pemOf(privateMaterial, () => refuse('.privateMaterial is not base64 of PEM'));
  const distrusted = distrustTimestamp ?? undefined;
  const distrustedMs =
    distrusted === undefined ? undefined : typeof distrusted === 'string' ? Date.parse(distrusted) : Number.NaN;
  if (Number.isNaN(distrustedMs)) throw refuse(`.distrustTimestamp is ${JSON.stringify(distrusted)}, not a date`);
  return {
    id,
    ...(certificatePem !== undefined && { certificatePem }),
    ...(privateKeyPem !== undefined && { privateKeyPem }),
    ...(distrustedMs !== undefined && { distrustedMs }),
  };
}

function pemOf(material: unknown, refuse: () => Error): string | undefined {
  if (material === undefined || material === null || material === '') return undefined;
  if (typeof material !== 'string') throw refuse();
  const pem = Buffer.from(material, 'base64').toString('utf8');
  if (!pem.includes('-----BEGIN ')) throw refuse();
  return pem;
}

/** Keysets of older kops versions name no primary: the newest pair signs. */
function youngestSigner(items: readonly KeysetItem[]): string | undefined {
  return items.findLast((item) => canSign(item) && item.distrustedMs === undefined)?.id;
}

function canSign(item: KeysetItem): boolean {
  return item.certificatePem !== undefined && item.privateKeyPem !== undefined;
}

/** By number, as in kops: ids are times. Ids that are not numbers come first, by text. */
function olderFirst(a: KeysetItem, b: KeysetItem): number {
  const [left, right] = [a.id, b.id].map((id) => (/^\d+$/.test(id) ? BigInt(id) : undefined));
  if (left === undefined || right === undefined) {
    if (left !== right) return left === undefined ? -1 : 1;
    return a.id < b.id ? -1 : Number(a.id > b.id);
  }
  return left < right ? -1 : Number(left > right);
}

/** The keyset without its private keys. */
export function publicHalf(keyset: Keyset): Keyset {
  return { ...keyset, items: keyset.items.map(({ privateKeyPem: _private, ...published }) => published) };
}
