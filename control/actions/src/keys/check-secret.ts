import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { parseTsigKey } from '@kopsctl/dns/rfc2136/tsig-key.ts';
import { parseIpsecKeys } from '@kopsctl/node-plan/ipsec-keys.ts';
import { parseBackupKey } from '@kopsctl/state-store/etcd/backup-key.ts';
import { parse } from 'yaml';
import * as z from 'zod';
import type { SecretKind } from './secrets.ts';

/** An API server with anything else does not start (kubernetes.io, "Encrypting Confidential Data at Rest"). */
const encryptionConfig = z.looseObject({
  apiVersion: z.literal('apiserver.config.k8s.io/v1'),
  kind: z.literal('EncryptionConfiguration'),
  resources: z
    .array(z.looseObject({ resources: z.array(z.string()).min(1), providers: z.array(z.looseObject({})).min(1) }))
    .min(1),
});

/**
 * Why a secret cannot be used, undefined where it can. Found out here, because machines would find it out one after the
 * other. Nothing of the secret is told: what a parser quotes of it would be a part of it.
 */
export function faultOfSecret(kind: SecretKind, data: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(data);
  if (text === '') return 'it is empty';
  switch (kind) {
    case 'ciliumpassword':
      return parseIpsecKeys(text) === undefined ? 'it is not `keys: ID ALGORITHM HEX 128`' : undefined;
    case 'dns-update-key':
      return whyNot(() => parseTsigKey(text), messageOf);
    case 'dockerconfig':
      return whyNot(
        () => JSON.parse(text),
        () => 'it is not JSON',
      );
    case 'encryptionconfig':
      return whyNot(
        () => encryptionConfig.parse(parse(text)),
        () => 'it is not an EncryptionConfiguration of apiserver.config.k8s.io/v1 with resources and providers',
      );
    case 'etcd-backup-key':
      return parseBackupKey(data) === undefined ? 'it is neither 32 bytes nor 64 hexadecimal digits' : undefined;
  }
}

function whyNot(read: () => unknown, explain: (error: unknown) => string): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return explain(error);
  }
}
