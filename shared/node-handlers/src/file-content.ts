import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { parseKeyset, primary, signingCertificate, trustedCertificates, type Keyset } from '@kopsctl/pki/keyset.ts';
import { parseSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';
import type { NodeEnv } from './node-env.ts';
import * as z from 'zod';

export const contentSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.base64() }),
  z.strictObject({ assetPath: z.string(), sha256: z.string() }),
  z.strictObject({ secret: z.string(), template: z.string().optional() }),
  z.strictObject({ keyset: z.string(), part: z.enum(['certificates', 'certificate', 'privateKey', 'publicKeys']) }),
]);
export type Content = z.infer<typeof contentSchema>;

/** Small content by its bytes; an asset by its place below the root and its hash. */
export type Resolved = { readonly bytes: Uint8Array } | { readonly assetPath: string; readonly sha256: string };

/** The wanted content of a file. Reads secrets and keysets from the state store. */
export async function resolveContent(content: Content, env: NodeEnv, signal: AbortSignal): Promise<Resolved> {
  if ('text' in content) return { bytes: encode(content.text) };
  if ('base64' in content) return { bytes: Buffer.from(content.base64, 'base64') };
  if ('assetPath' in content) return content;
  if ('secret' in content) {
    const value = await readSecret(content.secret, env, signal);
    return {
      bytes: encode(content.template === undefined ? value : content.template.replaceAll('@{secret}', () => value)),
    };
  }
  return { bytes: encode(await keysetPart(content.keyset, content.part, env, signal)) };
}

const encode = (text: string) => new TextEncoder().encode(text);

async function readObject(path: string, env: NodeEnv, signal: AbortSignal): Promise<Uint8Array> {
  const store = await env.store();
  const stored = await store.read(path, signal);
  if (stored !== undefined) return stored.bytes;
  throw new ActionableError({
    what: `read ${path}`,
    why: `${store.url} does not hold it`,
    next: 'run `kopsctl apply --yes`, which creates the keysets and secrets of a cluster',
  });
}

async function readSecret(name: string, env: NodeEnv, signal: AbortSignal): Promise<string> {
  const path = secretPath(env.cluster, name);
  const secret = parseSecret(await readObject(path, env, signal));
  if (secret === undefined) throw new Error(`${path} holds no secret in kops's form, JSON {"Data": base64}`);
  return secret.toString('utf8');
}

/** Private keys come from the keyset that only control planes may read, everything else from its public half. */
export async function readKeyset(
  name: string,
  half: 'issued' | 'private',
  env: NodeEnv,
  signal: AbortSignal,
): Promise<Keyset> {
  const path = `${env.cluster}/pki/${half}/${name}/keyset.yaml`;
  return parseKeyset(new TextDecoder().decode(await readObject(path, env, signal)), path);
}

async function keysetPart(
  name: string,
  part: 'certificates' | 'certificate' | 'privateKey' | 'publicKeys',
  env: NodeEnv,
  signal: AbortSignal,
): Promise<string> {
  switch (part) {
    case 'certificates':
      return trustedCertificates(await readKeyset(name, 'issued', env, signal));
    case 'certificate': {
      const keyset = await readKeyset(name, 'issued', env, signal);
      return signingCertificate(keyset);
    }
    case 'privateKey':
      return primary(await readKeyset(name, 'private', env, signal)).privateKeyPem;
    case 'publicKeys': {
      const { trustedPublicKeys } = await import('@kopsctl/pki/public-keys.ts');
      return trustedPublicKeys(await readKeyset(name, 'issued', env, signal));
    }
  }
}
