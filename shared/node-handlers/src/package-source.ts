import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import * as z from 'zod';
import { replaceFile } from './replace-file.ts';

export const sourceSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  keyUrl: z.url({ protocol: /^https$/ }),
  location: z.string().regex(/^https:\/\/[^\s\]]+( [\w./-]+)+$/),
});
type Source = z.infer<typeof sourceSchema>;

const LIMITS = { withinMs: 60_000, maxBytes: 1 << 20 };

/** Makes a repository known to apt, which accepts only what is signed with the publisher's key (sources.list(5), signed-by). */
export async function addPackageSource(root: string, source: Source, signal: AbortSignal): Promise<void> {
  const { name, location } = source;
  const keyPath = `/etc/apt/keyrings/${name}.asc`;
  const encode = (text: string) => new TextEncoder().encode(text);
  await replaceFile(join(root, keyPath), encode(await publishersKey(source, signal)), 0o644, undefined);
  const line = `deb [signed-by=${keyPath}] ${location}\n`;
  await replaceFile(join(root, `/etc/apt/sources.list.d/${name}.list`), encode(line), 0o644, undefined);
}

async function publishersKey({ name, keyUrl }: Source, signal: AbortSignal): Promise<string> {
  const http = openHttp({ keepAlive: false });
  try {
    const { status, body } = await http.ask({ method: 'GET', url: keyUrl, ...LIMITS }, signal);
    if (status !== 200) throw new Error(`it answered ${status}`);
    if (!body.includes('BEGIN PGP PUBLIC KEY BLOCK')) throw new Error('it returned no ASCII-armored OpenPGP key');
    return body;
  } catch (cause) {
    throw new ActionableError({
      what: `get the key of the package repository ${name} from ${keyUrl}`,
      why: messageOf(cause),
      next: `check that this machine reaches it: curl -I ${keyUrl}`,
      cause,
    });
  } finally {
    http.close();
  }
}

const osRelease = async (root: string): Promise<string> =>
  (await ifThere(readFile(join(root, '/etc/os-release'), 'utf8'))) ?? '';

export const isAmazonLinux2023 = async (root: string): Promise<boolean> =>
  /^PLATFORM_ID="?platform:al2023"?$/m.test(await osRelease(root));

/** The distribution of the host below root and the distributions that it is derived from: `ubuntu`, `debian` (os-release(5)). */
export async function distributionsOf(root: string): Promise<readonly string[]> {
  const text = await osRelease(root);
  return [...text.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap(([, ids = '']) => ids.split(' '));
}
